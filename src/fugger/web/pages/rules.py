"""The rules, as a page and in the drawer of a table."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get

from fugger.editions import ADLUNG, EDITIONS
from fugger.rulebook import rulebook
from fugger.web.pages.visit import PathText, to, visit
from fugger.web.problems import Problem


@get("/rules", include_in_schema=False)
async def default_rules() -> Response[Any]:
    """The default edition's rules."""
    return to(f"/rules/{ADLUNG.name}")


@get("/rules/{edition:str}", include_in_schema=False)
async def rules(request: Request[Any, Any, Any], edition: PathText) -> Response[str]:
    """An edition's rules, in the reader's language."""
    here = visit(request)
    if edition not in EDITIONS:
        raise Problem(404, f"there is no edition {edition!r}: expected {' or '.join(EDITIONS)}")
    sections = []
    for section in rulebook(EDITIONS[edition], here.words):
        # Items that follow each other make a list.
        blocks: list[tuple[str, list[str]]] = []
        for text in section.paragraphs:
            kind = "list" if text.startswith("- ") else "text"
            if kind == "list" and blocks and blocks[-1][0] == kind:
                blocks[-1][1].append(text[2:])
            else:
                blocks.append((kind, [text.removeprefix("- ")]))
        sections.append({"title": section.title, "blocks": blocks, "table": section.table})
    return here.page("rules.html", edition=edition, editions=list(EDITIONS), sections=sections)


HANDLERS = [default_rules, rules]
