"""Whole games, each played as some person would."""

from __future__ import annotations

import pytest

from fugger import dealer, record

from .guests import DESKTOP, PHONE
from .playing import lay_table, play_to_the_end


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_game_against_bots_by_taps(guest, size, tmp_path):
    ann = guest(size=size, moving=True)
    page = lay_table(ann, "mbb")

    done = play_to_the_end(ann)

    assert any("(" in action for action in done)
    assert ["wins"] == page.locator(".final li").evaluate_all(
        "lines => [...new Set(lines.map(line => line.className).filter(Boolean))]"
    )
    with page.expect_download() as downloading:
        ann.press(page.locator(".dock a[download]"))
    downloading.value.save_as(tmp_path / "game.fgr")
    [game] = record.load(tmp_path / "game.fgr")
    assert dealer.Verdict.VERIFIED is dealer.verify(game).verdict
    assert sorted(game.money, reverse=True) == [
        int(text) for text in page.locator(".final b").all_inner_texts()
    ]
    ann.press(page.get_by_role("button", name="Play a rematch"))
    page.wait_for_selector("#board.playing")
