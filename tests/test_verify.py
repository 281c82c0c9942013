"""``fugger verify``: what it says of records, and its exit codes."""

import io
import json
import sys
from pathlib import Path

import pytest

from fugger import SeedError, cli, dealer, record
from fugger.dealer import Verdict, Verification

KEYED = Path(__file__).parent / "data" / "keyed.fgr"
TEXT = KEYED.read_text(encoding="utf-8")
SEED = '[Seed "' + "5a" * 32 + '"]\n'
RESULT = TEXT[TEXT.index("[Result") : TEXT.index("]\n\n") + 2]


@pytest.fixture
def verify(tmp_path, capsys):
    """Runs the command on a text: its exit code, output and error output."""

    def run(text, *options):
        path = tmp_path / "game.fgr"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        code = cli.run(["verify", str(path), *options])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def cut_off(text, token):
    """The record of the game as it was after so many tokens, unfinished."""
    header, moves = text.split("\n\n", 1)
    return f"{header}\n\n{' '.join(moves.split()[:token])}\n".replace(RESULT, "")


def with_deal(token, text):
    """The record up to a deal, that deal being another."""
    moves = TEXT.split("\n\n")[1].split()[: token - 1]
    header = TEXT.split("\n\n")[0].replace(RESULT[:-1], "")
    return f"{header}\n{' '.join([*moves, text])}\n"


def test_a_game_dealt_from_its_seed_is_verified(verify):
    deals = sum(":" in token for token in record.loads(TEXT)[0].tokens)

    assert (0, f"game 1 (line 1): verified, all {deals} deals\n", "") == verify(TEXT)


def test_an_unfinished_game_is_verified_so_far(verify):
    assert (0, "game 1 (line 1): verified, all 15 deals; the game isn't over\n", "") == verify(
        cut_off(TEXT, 15)
    )


def test_another_card_is_not_verified(verify):
    line = TEXT.split("\n\n")[0].count("\n") + 2
    code, out, _ = verify(with_deal(3, "2:C*"))

    assert 1 == code
    assert (
        f"game 1 (line 1): not verified: token 3 (line {line}, column 9) is 2:C*, "
        "but the seed deals 2:J\n"
    ) == out


def test_the_first_of_several_other_cards_is_told(verify):
    code, out, _ = verify(with_deal(3, "2:C 2:C 3:C 3:C"), "--json")

    assert (1, 3, "2:C", "2:J") == (
        code,
        json.loads(out)["wrong_deal"]["token"],
        json.loads(out)["wrong_deal"]["dealt"],
        json.loads(out)["wrong_deal"]["expected"],
    )


def test_another_seed_is_not_verified(verify):
    code, out, _ = verify(TEXT.replace("5a5a", "5b5a", 1))

    assert 1 == code
    assert "not verified: the seed isn't the one that was committed to" in out


def test_another_contribution_is_not_verified(verify):
    code, out, _ = verify(TEXT.replace("Fortuna 4 2 6", "Fortuna 4 2 7"))

    assert 1 == code
    assert "not verified: token 1 (" in out


def test_a_running_game_has_no_seed_yet(verify):
    code, out, _ = verify(cut_off(TEXT.replace(SEED, ""), 14))

    assert 1 == code
    assert "can't be checked yet: the seed is shown when the game is over" in out


def test_a_finished_game_without_seed_is_told(verify):
    code, out, _ = verify(TEXT.replace(SEED, ""))

    assert 1 == code
    assert "can't be checked: the seed is missing" in out


def test_a_game_without_shuffle_is_told(verify):
    code, out, _ = verify('[Edition "rody"]\n[Players "2"]\n')

    assert 1 == code
    assert "can't be checked: no shuffle was committed to" in out


def test_every_game_of_a_file_is_told(verify):
    code, out, _ = verify(TEXT + TEXT.replace(SEED, "") + TEXT)

    assert 1 == code
    assert ["verified", "can't be checked", "verified"] == [
        line.split(": ", 2)[1].split(",")[0] for line in out.splitlines()
    ]


def test_programs_read_an_object_a_game(verify):
    deals = sum(":" in token for token in record.loads(TEXT)[0].tokens)
    line = TEXT.split("\n\n")[0].count("\n") + 2
    code, out, _ = verify(
        TEXT + TEXT.replace(SEED, "") + TEXT.replace("5a5a", "5b5a", 1) + with_deal(3, "2:C*"),
        "--json",
    )
    games = [json.loads(text) for text in out.splitlines()]

    assert 1 == code
    assert {"game": 1, "line": 1, "verdict": "verified", "deals": deals} == games[0]
    assert ["verified", "no_seed", "wrong_seed", "wrong_deal"] == [
        game["verdict"] for game in games
    ]
    assert {
        "token": 3,
        "line": games[3]["line"] + line - 1,
        "column": 9,
        "dealt": "2:C*",
        "expected": "2:J",
    } == games[3]["wrong_deal"]


def test_standard_input_is_read(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))

    assert 0 == cli.run(["verify", "-"])
    assert "game 1 (line 1): verified" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no game in this file"),
        (b"\xff", "Error: line 1, column 1: byte 0xff isn't UTF-8"),
        ("1:W", "Error: line 1, column 1: '1:W' is in no game"),
        (TEXT.replace("5a" * 32, "5a"), "Error: game 1 (line 1): Seed is '5a': expected 64 hexad"),
        (TEXT.replace("5a" * 32, " " * 64), "Seed is '    "),
        (
            TEXT.replace("[Commitment ", "[Commit "),
            "Error: game 1 (line 1): the tag Commitment is missing",
        ),
        (
            TEXT.replace("hmac-sha256-1", "md5"),
            "Error: game 1 (line 1): shuffle 'md5' isn't known: expected hmac-sha256-1",
        ),
        (
            TEXT.replace("Fortuna 4 2 6", "x" * 65),
            "Error: game 1 (line 1): seat 1's contribution is 'xxx",
        ),
        (TEXT.replace("Fortuna 4 2 6", ""), "seat 1's contribution is ''"),
    ],
)
def test_bad_files_are_told(verify, text, message):
    code, out, err = verify(text)

    assert (2, "", 1) == (code, out, err.count("\n"))
    assert message in err


def test_a_broken_rule_is_told(verify):
    code, out, err = verify(with_deal(3, "3:C"))

    assert (3, "") == (code, out)
    assert "3:C isn't possible here: seat 2 is owed a card" in err


def test_a_file_that_is_not_there_is_told(capsys):
    assert 2 == cli.run(["verify", "nowhere.fgr"])
    assert "nowhere.fgr" in capsys.readouterr().err


def test_help_tells_the_exit_codes(capsys):
    assert 0 == cli.run(["verify", "--help"])
    assert "Exit codes: 0 every deal" in capsys.readouterr().out


def test_games_are_verified_from_python():
    (game,) = record.loads(TEXT)
    deals = sum(":" in token for token in game.tokens)

    assert Verification(Verdict.VERIFIED, deals) == dealer.verify(game)
    game.tags["Seed"] = "no"
    with pytest.raises(SeedError):
        dealer.verify(game)
