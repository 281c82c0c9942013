"""Templates to text. Every value is escaped; texts come from the reader's `Words`."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fugger.names import edition_name
from fugger.texts import LANGUAGES
from fugger.web.talk import MAX_CHAT, MAX_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from fugger.web.pages.visit import Likes
    from fugger.web.static_files import StaticFiles


def use_files(files: StaticFiles) -> None:
    """Lets templates name static files: ``static("css/site.css")`` is the file's address."""
    _environment().globals["static"] = files.url


def render(template: str, likes: Likes, **context: Any) -> str:
    """A template's text in the reader's language.

    Templates mark texts as the rest of the source does: by calling `say` and `say_number`.
    """
    words = likes.words
    return (
        _environment()
        .get_template(template)
        .render(
            say=words.say,
            say_number=words.say_number,
            listed=words.listed,
            likes=likes,
            **context,
        )
    )


class _Pictures:
    """The macros of ``art.html`` and the like, each drawn once for the same arguments."""

    def __init__(self, environment: Environment, template: str) -> None:
        self._environment, self._template = environment, template

    def __getattr__(self, name: str) -> Callable[..., str]:
        macro = getattr(self._environment.get_template(self._template).module, name)
        drawn = lru_cache(maxsize=1024)(macro)
        setattr(self, name, drawn)
        return drawn


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.globals |= {
        "languages": LANGUAGES,
        "max_name": MAX_NAME,
        "max_chat": MAX_CHAT,
        "edition_name": edition_name,
        "art": _Pictures(environment, "art.html"),
    }
    return environment
