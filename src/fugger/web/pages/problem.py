"""What a page says when something can't be had: what is wrong, and what to do next."""

from __future__ import annotations

from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from fugger.web.pages.visit import html, likes_of
from fugger.web.problems import DATABASE, as_problem, headers_of
from fugger.web.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litestar import Request, Response

    from fugger.texts import Words
    from fugger.web.pages.visit import Likes


def problem_page(request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    """An error as a page of ours, in the reader's language."""
    problem = as_problem(error)
    likes = likes_of(request.cookies, request.headers.get("accept-language", ""))
    # To people it is the same as any fault of ours; to programs and proxies it will pass.
    like = 500 if problem.reason == DATABASE else problem.status
    answer = html(_page(like, likes, request.scope["state"].get("nonce", "")), problem.status)
    answer.headers.update(headers_of(problem.status))
    return answer


def refused_page(headers: Mapping[bytes, bytes], status: int, nonce: str) -> bytes:
    """The page for a request that doesn't come as far as the application."""
    cookies: SimpleCookie = SimpleCookie()
    with suppress(CookieError):
        cookies.load(headers.get(b"cookie", b"").decode("latin-1"))
    languages = headers.get(b"accept-language", b"").decode("latin-1")
    likes = likes_of({name: one.value for name, one in cookies.items()}, languages)
    return _page(status, likes, nonce).encode()


def _page(status: int, likes: Likes, nonce: str) -> str:
    title, advice = told(status, likes.words)
    return render(
        "problem.html",
        likes,
        nonce=nonce,
        path="/",
        player=None,
        drawer=False,
        status=status,
        title=title,
        advice=advice,
    )


def told(status: int, words: Words) -> tuple[str, str]:
    """What a status means to people, and what they can do about it."""
    say = words.say
    texts = {
        400: (
            say("That couldn't be read"),
            say("Something was missing or of the wrong form. Go back and try again."),
        ),
        403: (
            say("This isn't yours to do"),
            say(
                "Only those who sit at a table may act there. If it is your seat, open your "
                "personal link in this browser; otherwise you can watch."
            ),
        ),
        404: (
            say("There is nothing here"),
            say(
                "The address may be mistyped, or it was never given out. Ask for the link again, "
                "or start from the first page."
            ),
        ),
        405: (
            say("This page takes no such request"),
            say("Start from the first page."),
        ),
        408: (
            say("That took too long"),
            say("The connection was too slow to send it. Nothing is lost: try again."),
        ),
        413: (
            say("That was too much"),
            say("What you sent is larger than anything this site takes."),
        ),
        429: (
            say("Not so fast"),
            say("Too many requests came from you. Wait a moment, then try again."),
        ),
        503: (
            say("The table is full"),
            say("As many people watch as there is room for. Try again in a while."),
        ),
    }
    other = (
        say("Something broke"),
        say(
            "It is our mistake, not yours, and nothing you did is lost. Go back to your table, or "
            "try again in a moment."
        ),
    )
    return texts.get(status, other)
