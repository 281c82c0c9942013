"""Templates to text. Every value is escaped; texts come from the reader's `Words`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fugger.texts import LANGUAGES
from fugger.web.play import MAX_CHAT, MAX_NAME

if TYPE_CHECKING:
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
        .render(say=words.say, say_number=words.say_number, likes=likes, **context)
    )


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
    }
    return environment
