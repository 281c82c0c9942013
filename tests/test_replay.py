"""``fugger replay``: every way to look at recorded games, and what it says of bad ones."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from fugger import cli, record

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.fgr"))
ONE = Path(__file__).parent / "golden" / "adlung-3-95.fgr"
OTHER = Path(__file__).parent / "golden" / "rody-2-90.fgr"


def replay(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = cli.run(["replay", *map(str, arguments), "--lang", "en"])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_the_summary_tells_every_round_and_the_result(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = record.load(file)[0]
    code, out, _ = replay(capsys, file)

    assert 0 == code
    assert len(game.evaluations) == out.count("End of round")
    assert "Final scoring" in out
    assert f"with {max(game.money)} gulden" in out
    assert [] == [line for line in out.splitlines() if cell_len(line) > 80]


def test_the_summary_holds_the_whole_notation(capsys: pytest.CaptureFixture[str]) -> None:
    game = record.load(ONE)[0]
    _, out, _ = replay(capsys, ONE)

    assert " ".join(game.tokens[: game.round_ends[0]]) in " ".join(out.split())


def test_json_is_one_object_for_each_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    both = tmp_path / "both.fgr"
    both.write_text(ONE.read_text() + "\n" + OTHER.read_text())
    _, out, _ = replay(capsys, both, "--json")
    facts = [json.loads(line) for line in out.splitlines()]
    games = record.load(both)

    assert [1, 2] == [fact["game"] for fact in facts]
    assert [game.tokens for game in games] == [fact["tokens"] for fact in facts]
    assert [game.money for game in games] == [fact["money"] for fact in facts]
    assert [[seat + 1 for seat in game.winners] for game in games] == [f["winners"] for f in facts]
    assert [len(game.evaluations) for game in games] == [len(f["evaluations"]) for f in facts]


def test_json_says_why_prices_moved(capsys: pytest.CaptureFixture[str]) -> None:
    game = record.load(ONE)[0]
    _, out, _ = replay(capsys, ONE, "--json")
    prices = json.loads(out)["evaluations"][0]["prices"]

    assert {
        str(move.good): {
            "count": move.count,
            "before": move.before,
            "after": move.after,
            "move": move.move.name.lower(),
        }
        for move in game.evaluations[0].prices
    } == prices


def test_steps_show_every_move_when_nobody_can_press_a_key(
    capsys: pytest.CaptureFixture[str],
) -> None:
    game = record.load(ONE)[0]
    code, out, _ = replay(capsys, ONE, "--step")

    assert 0 == code
    assert game.actions_taken + 1 == len(re.findall(r"^ Move \d+ of", out, re.MULTILINE))
    assert [] == [line for line in out.splitlines() if cell_len(line) > 80]


def hands_shown(out: str) -> list[str]:
    """The names in the tables of hands, which stand below every board."""
    tables = re.findall(r"^   player +hand *\n((?:   \d .*\n)+)", out, re.MULTILINE)
    return [line.split()[2] for table in tables for line in table.splitlines()]


def test_everybodys_hands_are_shown_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = replay(capsys, ONE, "--round", 1)

    assert ["1", "2", "3", "1", "2", "3"] == hands_shown(out)


def test_a_seat_sees_its_own_hand_alone(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = replay(capsys, ONE, "--round", 1, "--seat", 2)

    assert ["2", "2"] == hands_shown(out)


def test_a_seat_is_told_of_no_card_that_others_draw_or_ship(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = replay(capsys, OTHER, "--step", "--seat", 1)

    assert "Player 2 draws a card." in out
    assert "Player 2 ships a good." in out
    assert not re.search(r"Player 2 (draws|ships) (copper|cloth|wine|spice|jewelry|merchant)", out)


def test_a_round_has_its_start_its_last_turn_and_its_evaluation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = replay(capsys, ONE, "--round", 2)

    assert ["Start of round 2", "The last turn of round 2", "End of round 2"] == re.findall(
        r"^ (.*round 2)$", out, re.MULTILINE
    )


def test_one_game_of_a_file_can_be_chosen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    both = tmp_path / "both.fgr"
    both.write_text(ONE.read_text() + "\n" + OTHER.read_text())
    _, out, _ = replay(capsys, both, "--game", 2, "--json")

    assert [2] == [json.loads(line)["game"] for line in out.splitlines()]


def test_an_unfinished_game_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = record.load(ONE)[0]
    game.undo()
    game.tags = {}
    file = tmp_path / "unfinished.fgr"
    record.dump(game, file)
    code, out, _ = replay(capsys, file)

    assert 0 == code
    assert "The game is not over." in out


@pytest.mark.parametrize(
    ("code", "error", "text", "arguments"),
    [
        (2, "there is no game", "", []),
        (2, "line 1, column 1", "what is this", []),
        (2, "line 4, column 1", '[Edition "adlung"]\n[Players "2"]\n\nXYZ', []),
        (3, "line 4, column 6", '[Edition "adlung"]\n[Players "2"]\n\n1:C* W', []),
        (2, "there is no game 3 in this file: expected 1 to 1", None, ["--game", 3]),
        (2, "there is no round 9: expected 1 to 2", None, ["--round", 9]),
        (2, "has no player 4: expected 1 to 3", None, ["--step", "--seat", 4]),
        (2, "--seat needs --step or --round", None, ["--seat", 1]),
        (2, "can't be used together", None, ["--json", "--step"]),
        (2, "'xx' is no language", None, ["--lang", "xx"]),
    ],
)
def test_bad_input_is_one_clear_line(
    code: int,
    error: str,
    text: str | None,
    arguments: list[object],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    file = tmp_path / "bad.fgr"
    file.write_text(ONE.read_text() if text is None else text)
    done = cli.run(["replay", str(file), *map(str, arguments)])
    errors = capsys.readouterr().err.strip().splitlines()

    assert (code, 1) == (done, sum("Error: " in line for line in errors))
    assert error in errors[-1]


def test_a_missing_file_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = replay(capsys, "nowhere.fgr")

    assert 2 == code
    assert "nowhere.fgr" in err.splitlines()[-1]


def test_control_characters_in_names_never_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = record.load(ONE)[0]
    game.tags = {"Seat1": "\u202egreat\u2028name", "Date": "\u200b" * 50, "Bot2": "\ufeffx" * 30}
    file = tmp_path / "names.fgr"
    record.dump(game, file)
    _, out, _ = replay(capsys, file)

    assert [] == [sign for sign in out if not sign.isprintable() and sign != "\n"]


def test_standard_input_is_read_as_a_stream() -> None:
    """The first game is shown while the second one is still to come."""
    command = [sys.executable, "-m", "fugger", "replay", "--json", "--game", "1", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((ONE.read_text() + OTHER.read_text() * 40).encode())
        process.stdin.flush()

        assert 1 == json.loads(process.stdout.readline())["game"]
        process.stdin.close()
