"""Every page, in each theme and size: axe-core finds nothing, and nothing hangs over the edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from running import make

from .guests import DESKTOP, PHONE
from .playing import DRAWER_DONE, act_by_form, close_evaluation, lay_table, play_on, sit_down

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx
    from playwright.sync_api import Page

    from .guests import Guest

RUN_AXE = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .flatMap(rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 200)}`))"""
TARGET = 150
"""Gulden that nobody can earn in one round."""
WIDTHS = (320, 3840)
"""The narrowest and the widest window."""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def faults(page: Page, axe: str, themes: tuple[str, ...]) -> list[str]:
    """What is wrong with a page as it is now."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe)
    found = []
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {one}" for one in page.evaluate(RUN_AXE)]
    size = page.viewport_size
    for width in (size["width"], *WIDTHS):
        page.set_viewport_size({**size, "width": width})
        if (wider := page.evaluate(WIDER)) > 0:
            found.append(f"{wider} px wider than a window of {width} px")
    page.set_viewport_size(size)
    return found


def plain_pages(ann: Guest, _: object) -> Iterator[str]:
    """Pages beside the table."""
    ann.expects(404)
    for path in ("/", "/rules/adlung", "/rules/rody", "/me", "/nowhere", "/tables/nosuch"):
        ann.open(path)
        yield path
    lay_table(ann, "mf", "Ann with quite a long name")
    yield "waiting room"
    ann.press(ann.page.get_by_role("button", name="Fill up with bots and start"))
    ann.page.wait_for_selector("#board.playing")
    ann.open("/")
    yield "first page with tables"
    link = ann.open("/me").input_value("#link")
    yield "recovery link"
    ann.page.goto(link)
    yield "recovery"


def tables(ann: Guest, http: httpx.Client) -> Iterator[str]:
    """A game from the first turn to the last, on the page for most of it."""
    page = ann.page
    [_, program] = make(http, "oh", first=0, target=TARGET)
    page.goto(f"{ann.url}/tables/{program.table}")
    yield "invitation"
    sit_down(ann, page.url)
    yield "my turn"
    ann.press(page.locator(".held label").first)
    yield "a card chosen"
    ann.press(page.get_by_role("button", name="Look into the discard pile"))
    yield "discard pile"
    page.keyboard.press("Escape")
    ann.press(page.get_by_role("button", name="Menu"))
    yield "menu"
    page.keyboard.press("Escape")
    ann.press(page.locator(".tools a"))
    page.locator("#drawer[open]").wait_for()
    yield "rules beside the table"
    ann.press(page.locator(DRAWER_DONE))
    act_by_form(ann, 1)
    page.locator("#board:not(.mine)").wait_for()
    yield "others' turn"
    play_on(ann, program, 1)
    page.locator("#drawer[open]").wait_for()
    yield "evaluation"
    close_evaluation(ann, 1)
    yield "in the second round"
    play_on(ann, program, 99)
    page.locator("#board.over").wait_for()
    drawer = page.locator("#drawer[open]")
    for _ in range(9):  # those of earlier rounds are read first
        drawer.locator("#drawer-body", has_text="Everybody sells").wait_for()
        if drawer.get_by_text("Final scoring").count():
            break
        ann.press(page.locator(DRAWER_DONE))
    drawer.get_by_text("Final scoring").wait_for()
    yield "final scoring"
    ann.press(page.locator(DRAWER_DONE))
    drawer.wait_for(state="detached")
    yield "the end"
    table = page.url
    for path in ("/rounds/1", "/shuffle", "/log"):
        page.goto(table + path)
        yield path


@pytest.mark.parametrize(
    ("size", "themes"),
    [(PHONE, ("light", "dark")), (DESKTOP, ("dark",))],
    ids=["phone", "desktop"],
)
@pytest.mark.parametrize("part", [plain_pages, tables])
def test_nothing_is_found(guest, site, axe, part, size, themes):
    ann = guest(size=size)
    found = {where: faults(ann.page, axe, themes) for where in part(ann, site.client)}

    assert {} == {where: wrong for where, wrong in found.items() if wrong}
