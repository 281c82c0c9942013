"""The example of a bot for the API plays whole games."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from running import PATIENCE, Client, make

BOT = Path(__file__).parents[2] / "examples" / "api_bot.py"


def play(url: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", str(BOT), url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_plays_at_a_table_of_its_own(here):
    out, err = play(here.url).communicate(timeout=2 * PATIENCE)

    assert "" == err
    assert out.startswith("money [")


def test_two_of_them_sit_down_at_an_open_table(here):
    table = make(here.client, "oo", target=40)[0].table
    bots = [play(f"{here.url}/tables/{table}") for _ in range(2)]
    for bot in bots:
        assert "" == bot.communicate(timeout=2 * PATIENCE)[1]

    board = Client(here.client, table).look()
    assert "over" == board["phase"]
    assert ["API bot", "API bot"] == [seat["name"] for seat in board["seats"]]


def test_it_is_small():
    assert len(BOT.read_text().splitlines()) < 60
