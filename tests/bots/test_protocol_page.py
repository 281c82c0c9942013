"""What docs/protocol.md shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from playing import PATIENT, at_first_decision, place_of

from fugger.bots import programs
from fugger.bots.joining import Company
from fugger.bots.protocol import choose_line, game_line, observe_line, over_line

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


def session(mark: str) -> list[str]:
    return [line[2:] for line in PAGE.splitlines() if line.startswith(f"{mark} ")]


def test_the_example_answers_as_the_page_shows():
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "line_bot.py")],
        input="\n".join(session(">")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert session("<") == done.stdout.splitlines()


def test_the_arena_says_what_the_page_shows():
    game = at_first_decision()
    seen = game.observe(0)
    expected = [
        "fugger 1",
        game_line(place_of(game, 0, 7)),
        observe_line(seen),
        choose_line(seen)[0],
        over_line([104, 87], [0]),
        "quit",
    ]
    assert expected == session(">")


def test_the_limits_are_those_of_the_page():
    limits = programs.Limits()
    told = re.search(r"has (\d+) seconds from its start to be ready, and (\d+) for each", PAGE)
    assert [limits.start_time, limits.move_time] == [int(number) for number in told.groups()]


def test_the_python_bot_of_the_page_plays(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    (tmp_path / "mybots.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    game = at_first_decision()
    with Company(PATIENT) as company:
        player = company.sit("mybots:Thrifty", 0)
        player.begin(place_of(game, 0))
        assert game.legal_actions[-1] == player.choose(game.observe(0), None)
