"""Whole games, each played as some person would."""

from __future__ import annotations

import pytest

from fugger import dealer, record

from .guests import DESKTOP, PHONE
from .playing import (
    by_keys,
    by_taps,
    close_evaluation,
    lay_table,
    moved_on,
    play_to_the_end,
    play_without_scripts,
    ply,
    rounds,
    sit_down,
    tab_to,
)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_game_against_bots_by_taps(guest, size, tmp_path):
    ann = guest(size=size)
    page = lay_table(ann, "mbb")

    done = play_to_the_end(ann)

    assert any("(" in action for action in done)
    assert page.locator(".final .wins").count()
    with page.expect_download() as downloading:
        ann.press(page.locator(".dock a[download]"))
    downloading.value.save_as(tmp_path / "game.fgr")
    [game] = record.load(tmp_path / "game.fgr")
    assert dealer.Verdict.VERIFIED is dealer.verify(game).verdict
    assert sorted(game.money, reverse=True) == final_money(page)
    ann.press(page.get_by_role("button", name="Play a rematch"))
    page.wait_for_selector("#board.playing")


def test_two_people_in_two_browsers_from_link_to_rematch(guest):
    ann, ben = both = guest(size=PHONE), guest()
    lay_table(ann, "mf", "Ann")
    ann.page.evaluate("window.sameAsEver = true")
    sit_down(ben, ann.page.input_value("#link"), "Ben")
    ann.page.wait_for_selector("#board.playing")
    ben.page.evaluate("window.sameAsEver = true")

    seen = 0
    while not ann.page.locator("#board.over").count():
        mover = next(one for one in both if one.page.locator("#board.mine").count())
        before = ply(mover.page)
        by_taps(mover)
        for one in both:
            moved_on(one.page, before)
        assert rounds(ann.page) == rounds(ben.page)
        if rounds(ann.page) > seen:
            seen += 1
            for one in both:
                close_evaluation(one, seen)

    assert final_money(ann.page) == final_money(ben.page)
    for one in both:  # all of it came live: nobody's page was ever loaded anew
        assert one.page.evaluate("window.sameAsEver")
    ann.press(ann.page.get_by_role("button", name="Play a rematch"))
    ann.page.wait_for_selector("#board.waiting")
    ben.press(ben.page.get_by_role("link", name="To the rematch"))
    ben.press(ben.page.locator(".places form button"))
    for one in both:
        one.page.wait_for_selector("#board.playing")
    assert ann.page.url == ben.page.url


def test_without_scripts(guest):
    ann = guest(size=PHONE, java_script_enabled=False)
    page = lay_table(ann, "mb")

    play_without_scripts(ann)

    assert page.locator(".final .wins").count()
    ann.press(page.get_by_role("button", name="Play a rematch"))
    page.wait_for_selector("#board.playing")


def test_without_scripts_the_page_follows_the_others_by_itself(guest):
    ann, ben = guest(java_script_enabled=False), guest()
    page = lay_table(ann, "mf")
    sit_down(ben, page.input_value("#link"))

    page.wait_for_selector("#board.playing")


def test_by_keyboard_alone(guest):
    ann = guest()
    page = ann.open("/")
    for field, keys in [("#name", "Ann"), ("#seat3", "Home"), ("#target", "20")]:
        tab_to(page, field)
        page.keyboard.press("End") if field == "#seat3" else page.keyboard.type(keys)
    tab_to(page, "button[formaction='/tables']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board")
    tab_to(page, "form[action$='/start'] button")
    page.keyboard.press("Space")
    page.wait_for_selector("#board.playing")

    play_to_the_end(ann, by_keys, close=close_by_keys)

    tab_to(page, "form[action$='/rematch'] button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board.playing")


def close_by_keys(ann, number):
    ann.page.locator("#drawer[open]").get_by_text(f"End of round {number}").wait_for()
    tab_to(ann.page, "#drawer-body > form button")
    ann.page.keyboard.press("Enter")
    ann.page.locator("#drawer[open]").wait_for(state="detached")


def final_money(page):
    return [int(text) for text in page.locator(".final b").all_inner_texts()]
