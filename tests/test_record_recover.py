"""A saved game whose writing was cut off."""

from pathlib import Path

import pytest

from fugger import RecordError, record

TEXT = (Path(__file__).parent / "data" / "keyed.fgr").read_text(encoding="utf-8")
MOVES = TEXT.index("\n\n") + 2
HEADER = '[Edition "adlung"]\n[Players "2"]\n\n'
OPENING = "1:W 1:T 1:S 1:J* 2:C 2:C 2:J 2:C* J:S J:M J:C"


def test_a_whole_record_loses_nothing():
    game, lost = record.recover(TEXT)

    assert (TEXT, "") == (record.dumps(game), lost)


def test_wherever_the_text_is_cut_at_most_one_token_is_lost():
    tokens = record.loads(TEXT)[0].tokens
    for cut in range(MOVES, len(TEXT), 11):
        whole = len(TEXT[MOVES:cut].split())
        game, lost = record.recover(TEXT[:cut])

        assert game.tokens == tokens[: len(game.tokens)]
        assert whole - 1 <= len(game.tokens) <= whole
        assert TEXT[:cut].endswith(lost)
        assert whole == len(game.tokens) + len(lost.split())


@pytest.mark.parametrize(
    ("moves", "tokens", "lost"),
    [
        (f"{OPENING} W", 11, "W"),
        (f"{OPENING} W\n", 12, ""),
        (f"{OPENING} W\r", 12, ""),
        (f"{OPENING} (W)", 12, ""),
        (f"{OPENING} +", 12, ""),
        (f"{OPENING} + 1:W", 12, "1:W"),
        (f"{OPENING} + 1:W*", 13, ""),
        (f"{OPENING} + 1:M", 13, ""),
        (f"{OPENING} + 1:", 12, "1:"),
        (f"{OPENING} (W", 11, "(W"),
        (f"{OPENING} W {{half a comm", 12, "{half a comm"),
        (f"{OPENING} W {{whole}}T", 12, "T"),
        (f"{OPENING} W \0\0\0\0", 12, "\0\0\0\0"),
        (f"{OPENING} W\0\0\0\0", 11, "W\0\0\0\0"),
        (f"{OPENING} C W W\nW", 11, "C W W\nW"),
        (f"{OPENING} W\n{HEADER}1:W ", 12, f"{HEADER}1:W"),
        ("", 0, ""),
    ],
)
def test_what_cannot_be_read_is_told(moves, tokens, lost):
    game, left = record.recover(HEADER + moves)

    assert (tokens, lost) == (len(game.tokens), left)


def test_a_cut_character_is_lost():
    data = (HEADER + OPENING + " (W) {é").encode()[:-1]
    game, lost = record.recover(data)

    assert (12, "{�") == (len(game.tokens), lost)


def test_the_result_is_not_checked():
    game, lost = record.recover(TEXT.replace("82 85 67", "1 2 3")[:-21])

    assert not game.is_over
    assert lost == ""
    assert "[Result" not in record.dumps(game)


@pytest.mark.parametrize(
    "text", ["", "\n", HEADER[:-1], HEADER[:-10], '[Edition "adlung"]\n\n', OPENING]
)
def test_without_a_whole_header_there_is_nothing_to_recover(text):
    with pytest.raises(RecordError):
        record.recover(text)


def test_the_byte_order_mark_is_no_loss():
    game, lost = record.recover("\ufeff" + HEADER + "W")

    assert ("W", 0) == (lost, len(game.tokens))


def test_too_large_a_text_is_recovered_up_to_the_limit(monkeypatch):
    monkeypatch.setattr("fugger.record.draft.MAX_GAME", 100)
    game, lost = record.recover(HEADER + OPENING + "\n" + "\n" * 200 + "W")

    assert (11, "W") == (len(game.tokens), lost)
