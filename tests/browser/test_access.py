"""Every page, in each theme and size: axe-core finds nothing, and nothing hangs over the edge."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from running import make

from .guests import DESKTOP, PHONE
from .playing import close_evaluation, lay_table, sit_down

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx
    from playwright.sync_api import Page
    from running import Client

    from .guests import Guest

RUN_AXE = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations.flatMap(
    rule => rule.nodes.map(node => `${rule.id}: ${node.html.slice(0, 200)}`))"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def faults(page: Page, axe: str) -> list[str]:
    """What is wrong with a page as it is now."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(axe)
    found = page.evaluate(RUN_AXE)
    wider = page.evaluate(WIDER)
    return found + ([f"{wider} px wider than the window"] if wider > 0 else [])


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
    [_, program] = make(http, "oh", first=0, target=20)
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
    ann.press(page.locator("#drawer-body > form button"))
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
    page.locator("#drawer[open]").wait_for()
    yield "final scoring"
    ann.press(page.locator("#drawer-body > form button"))
    yield "the end"
    table = page.url
    for path in ("/rounds/1", "/shuffle", "/log"):
        page.goto(table + path)
        yield path


def play_on(ann: Guest, program: Client, until: int) -> None:
    """Plays until so many rounds have ended, or the game is over, faster than the page shows."""
    while True:
        board = program.look()
        if board["phase"] == "over" or board["round"] > until:
            return
        if board["player"] == 1:
            program.first_legal()
        else:
            act_by_form(ann, board["ply"])


def act_by_form(ann: Guest, ply: int) -> None:
    """Posts an action that the page's form offers."""
    http, table = ann.context.request, ann.page.url
    offered = re.findall(
        r'<button name="action" value="([^"]+)"[^>]*?( disabled)?>', http.get(table).text()
    )
    actions = [action for action, disabled in offered if not disabled]
    action = min(actions, key=lambda action: action in {"+", "--"})
    answer = http.post(f"{table}/actions", form={"ply": ply, "action": action})
    assert 200 == answer.status, answer.text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("part", [plain_pages, tables])
def test_nothing_is_found(
    guest: Callable[..., Guest], site, axe: str, part, size: dict[str, int], theme: str
):
    ann = guest(size=size, color_scheme=theme)
    found = {where: faults(ann.page, axe) for where in part(ann, site.client)}

    assert {} == {where: wrong for where, wrong in found.items() if wrong}
