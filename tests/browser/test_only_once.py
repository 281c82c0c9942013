"""Double clicks, two tabs, stale boards, the back button, refreshes: played once, and not lost."""

from __future__ import annotations

import pytest
from running import make

from .playing import by_taps, choice, confirmation, moved_on, ply, sit_down


@pytest.fixture
def program(site):
    """The client of a program that sits at a table with an open seat, whose turn is first."""
    return make(site.client, "oh", first=0)[1]


def seated(guest, program, **options):
    ben = guest(**options)
    sit_down(ben, f"/tables/{program.table}")
    return ben


def choose(ben, page) -> object:
    """Chooses a card; the button that plays it."""
    action, card = choice(page)
    ben.press(page.locator(f".held:has([value='{card}']) label"))
    return confirmation(page, action)


def test_a_double_click_plays_once(guest, program):
    ben = seated(guest, program)
    choose(ben, ben.page).dblclick()
    moved_on(ben.page, "1")

    assert 2 == program.look()["ply"]
    assert 200 == program.first_legal().status_code


def test_a_double_click_without_scripts_plays_once(guest, program):
    ben = seated(guest, program, java_script_enabled=False)
    ben.expects(409)
    choose(ben, ben.page).dblclick()
    moved_on(ben.page, "1")

    assert 2 == program.look()["ply"]


def test_a_second_tab_follows_the_first(guest, program):
    ben = seated(guest, program)
    second = ben.tab()
    second.goto(ben.page.url)
    by_taps(ben)
    moved_on(second, "1")

    assert "2" == ply(second)


def test_a_stale_board_plays_nothing_and_is_renewed(guest, program):
    ben = seated(guest, program)
    ben.expects(409)
    stale = ben.tab()
    stale.route("**/stream", lambda route: route.fulfill(status=204))
    stale.goto(ben.page.url)
    button = choose(ben, stale)
    by_taps(ben)
    moved_on(ben.page, "1")
    button.click()

    stale.get_by_text("The board had moved on already").wait_for()
    assert "2" == ply(stale)
    assert 2 == program.look()["ply"]


def test_the_back_button_shows_the_newest_board(guest, program):
    ben = seated(guest, program)
    by_taps(ben)
    moved_on(ben.page, "1")
    ben.page.goto("/rules")
    program.first_legal()
    ben.page.go_back()
    ben.page.wait_for_selector("#board.mine")

    assert "3" == ply(ben.page)
    assert 3 == program.look()["ply"]


def test_back_and_forward_without_scripts_post_nothing_again(guest, program):
    ben = seated(guest, program, java_script_enabled=False)
    by_taps(ben)
    moved_on(ben.page, "1")
    ben.page.reload()
    ben.page.goto("/rules")
    ben.page.go_back()
    ben.page.go_back()
    ben.page.go_forward()

    assert 2 == program.look()["ply"]
    assert "2" == ply(ben.page)


def test_a_refresh_at_once_after_a_click_loses_nothing(guest, program):
    ben = seated(guest, program)
    button = choose(ben, ben.page)
    with ben.line_down():  # the answer may not be waited for
        button.click(no_wait_after=True)
        ben.page.reload()
    if "1" == ply(ben.page):  # not yet arrived, or given up with the page
        ben.page.reload()
    shown = ply(ben.page)

    assert int(shown) == program.look()["ply"]
    if shown == "1":
        by_taps(ben)
        moved_on(ben.page, "1")
    assert 2 == program.look()["ply"]
