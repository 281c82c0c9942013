"""How a person plays a whole game on the page: one way each, and what all ways share.

What may be done is read off the page, as a person would; only the choice among it is made here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page
    from running import Client

    from .guests import Guest

TARGET = 20
"""Gulden to play to: the lowest, so that games are short."""
DRAWER_DONE = "#drawer-body > form button"


def lay_table(guest: Guest, seats: str, name: str = "Ann") -> Page:
    """A new table, made on the first page; ends at the table.

    Args:
        guest: who makes it.
        seats: `m` me, `f` a friend, `b` a bot.
        name: the guest's.
    """
    page = guest.open("/")
    page.fill("#name", name)
    kinds = {"m": "me", "f": "human", "b": "bot:trader"}
    for number in range(1, 5):
        kind = kinds[seats[number - 1]] if number <= len(seats) else ""
        page.select_option(f"#seat{number}", kind)
    page.fill("#target", str(TARGET))
    guest.press(page.locator("button[formaction='/tables']"))
    page.wait_for_url("**/tables/*")
    return page


def sit_down(guest: Guest, link: str, name: str = "Ben") -> Page:
    """Opens a table's link and takes the first open seat."""
    page = guest.page
    page.goto(link)
    place = page.locator(".places form").first
    if place.locator("[name=name]").count():
        place.locator("[name=name]").fill(name)
    guest.press(place.locator("button"))
    page.wait_for_selector("#board:not(.waiting)")
    return page


def choice(page: Page) -> tuple[str, str | None]:
    """What to do in one's turn: the action, and the card it is done with.

    Ships when that is possible, since the rules allow it only twice; otherwise plays the first
    card that may be played, or draws or passes.
    """
    offered = page.locator(".moves button[name=action]:enabled").evaluate_all(
        "buttons => buttons.map(button => button.value)"
    )
    actions = sorted(offered, key=lambda action: (action in {"+", "--"}, "(" not in action))
    return actions[0], None if actions[0] in {"+", "--"} else actions[0].strip("()")


def ply(page: Page) -> str:
    """How far the board is that the page shows."""
    return page.locator("#act [name=ply]").input_value()


def confirmation(page: Page, action: str) -> Locator:
    """The button that does an action."""
    return page.locator(f".moves button[value='{action}']")


def by_taps(guest: Guest) -> str:
    """Chooses a card and confirms what is done with it; the action."""
    page = guest.page
    action, card = choice(page)
    if card is not None:
        guest.press(page.locator(f".held:has([value='{card}']) label"))
    guest.press(confirmation(page, action))
    return action


def turn(page: Page) -> bool:
    """Waits until the page says that it is one's turn; False if the game is over instead."""
    page.wait_for_selector("#board.mine, #board.over")
    return page.locator("#board.mine").count() == 1


def moved_on(page: Page, before: str) -> None:
    """Waits until the board isn't that of a ply any more."""
    page.wait_for_selector(
        f"#act [name=ply]:not([value='{before}']), #board.over", state="attached"
    )


def rounds(page: Page) -> int:
    """How many rounds have ended."""
    return int(page.locator("#board").get_attribute("data-rounds"))


def close_evaluation(guest: Guest, number: int) -> None:
    """Reads a round's evaluation, which opens by itself, and closes it."""
    drawer = guest.page.locator("#drawer[open]")
    drawer.get_by_text(f"End of round {number}").wait_for()
    guest.press(guest.page.locator(DRAWER_DONE))
    drawer.wait_for(state="detached")


def play_to_the_end(
    guest: Guest,
    act: Callable[[Guest], object] = by_taps,
    close: Callable[[Guest, int], object] = close_evaluation,
) -> list[object]:
    """Plays until the game is over, through every evaluation; what the guest did."""
    page, done, seen = guest.page, [], rounds(guest.page)
    while True:
        goes_on = turn(page)
        if rounds(page) > seen:
            seen = rounds(page)
            close(guest, seen)
            continue
        if not goes_on:
            return done
        before = ply(page)
        done.append(act(guest))
        moved_on(page, before)


def play_without_scripts(guest: Guest) -> None:
    """Plays until the game is over, asking for the page again while others act."""
    page, seen = guest.page, 0
    while not page.locator("#board.over").count():
        if rounds(page) > seen:
            seen += 1
            guest.press(page.locator(".last-round"))
            page.get_by_role("heading", name=f"End of round {seen}").wait_for()
            guest.press(page.get_by_role("link", name="Go on"))
        elif page.locator("#board.mine").count():
            before = ply(page)
            by_taps(guest)
            moved_on(page, before)
        else:
            page.reload()


def tab_to(page: Page, selector: str) -> None:
    """Goes on with the Tab key until the focus is where it should be."""
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the Tab key never came to {selector}")


def by_keys(guest: Guest) -> str:
    """Chooses a card by arrows, and plays it by Enter or comes to what else it may do by Tab."""
    page, keyboard = guest.page, guest.page.keyboard
    action, card = choice(page)
    if card is not None:
        tab_to(page, ".held input")
        keyboard.press("Space")
        while page.evaluate("document.activeElement.value") != card:
            keyboard.press("ArrowRight")
    if action == card:
        keyboard.press("Enter")
    else:
        tab_to(page, f".moves button[value='{action}']")
        keyboard.press("Space")
    return action


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
