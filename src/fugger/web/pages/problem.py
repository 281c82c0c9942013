"""What a page says when something can't be had: what is wrong, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fugger.web.pages.visit import html, likes_of
from fugger.web.problems import as_problem
from fugger.web.rendering import render

if TYPE_CHECKING:
    from litestar import Request, Response

    from fugger.texts import Words


def problem_page(request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    """An error as a page of ours, in the reader's language."""
    status = as_problem(error).status
    likes = likes_of(request)
    title, advice = told(status, likes.words)
    text = render(
        "problem.html",
        likes,
        nonce=request.scope["state"].get("nonce", ""),
        path="/",
        player=None,
        drawer=False,
        status=status,
        title=title,
        advice=advice,
    )
    return html(text, status)


def told(status: int, words: Words) -> tuple[str, str]:
    """What a status means to people, and what they can do about it."""
    say = words.say
    texts = {
        400: (
            say("That couldn't be read"),
            say("Something was missing or of the wrong form. Go back, and try it again."),
        ),
        403: (
            say("This isn't yours to do"),
            say(
                "Only who sits at a table may act there. If it is your seat, open your personal "
                "link in this browser; otherwise you can watch."
            ),
        ),
        404: (
            say("There is nothing here"),
            say(
                "The address may be mistyped, or it was never given out. Ask for the link again, "
                "or begin at the first page."
            ),
        ),
        405: (
            say("This page takes no such request"),
            say("Begin at the first page."),
        ),
        408: (
            say("That took too long"),
            say("The connection was too slow to send it. Nothing is lost: try it again."),
        ),
        413: (
            say("That was too much"),
            say("What you sent is larger than anything this site takes."),
        ),
        429: (
            say("Not so fast"),
            say("Too many requests came from you. Wait a moment, then try it again."),
        ),
        503: (
            say("The table is full"),
            say("As many people watch as there is room for. Try it again in a while."),
        ),
    }
    other = (
        say("Something broke"),
        say(
            "It is our mistake, not yours, and nothing you did is lost. Go back to your table, or "
            "try it again in a moment."
        ),
    )
    return texts.get(status, other)
