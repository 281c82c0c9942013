"""Which records can be read, and what is said of those that can't."""

import io
import random
from pathlib import Path

import pytest

from fugger import Game, RecordError, record
from fugger.record import form, reading

DATA = Path(__file__).parent / "data"
HEADER = '[Edition "adlung"]\n[Players "2"]\n\n'
OPENING = "1:W 1:T 1:S 1:J* 2:C 2:C 2:J 2:C* J:S J:M J:C"


def error_of(text):
    with pytest.raises(RecordError) as caught:
        record.loads(text)
    error = caught.value
    assert "\n" not in str(error)
    assert len(str(error)) < 300
    assert str(error).startswith(f"line {error.line}, column {error.column}: ")
    return error


def test_defaults_take_the_place_of_missing_tags():
    (game,) = record.loads('[Edition "rody"]\n[Players "4"]\n')

    assert (4, "rody", 0, 100) == (game.players, str(game.edition), game.first, game.target)


def test_the_setup_is_read_from_the_header():
    (game,) = record.loads(
        '[Edition "adlung"]\n[Players "3"]\n[First "3"]\n[Target "500"]\n[Rules "1"]\n'
    )

    assert (3, "adlung", 2, 500) == (game.players, str(game.edition), game.first, game.target)


def test_other_tags_are_kept():
    (game,) = record.loads('[Edition "rody"]\n[Seat1 "a \\"b\\" \\\\"]\n[Players "2"]\n[X_1 ""]\n')

    assert {"Seat1": 'a "b" \\', "X_1": ""} == game.tags


def test_the_example_of_the_specification_is_a_record():
    page = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    example = page[page.index("    [Edition") : page.index("From Python")]

    assert record.loads(example)[0].comments == {15: ["Anna keeps the jewelry."]}


def test_several_games_are_read_in_order():
    games = record.load(DATA / "several.fgr")

    assert [(4, True), (2, False), (3, False), (4, False)] == [
        (game.players, game.is_over) for game in games
    ]
    assert [] == games[3].tokens


def test_a_text_without_games_is_read():
    assert [] == record.loads("\n \t\n")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + HEADER + OPENING,
        (HEADER + OPENING).replace("\n", "\r\n"),
        HEADER + OPENING.replace(" ", "\n"),
        (HEADER + OPENING).replace(" ", "\t  "),
        (HEADER + OPENING).replace("\n\n", "\n"),
        "\n\n" + HEADER + "\n\n" + OPENING + "\n\n\n",
        ' \t[Edition \t"adlung" ] \n[Players "2"]\t\n' + OPENING,
        (HEADER + OPENING).replace("[Edition", '[First "1"]\n[Edition'),
    ],
    ids=["mark", "crlf", "lines", "spaces", "no empty line", "empty lines", "in tags", "order"],
)
def test_small_differences_of_form_do_not_matter(text):
    assert record.loads(HEADER + OPENING)[0].tokens == record.loads(text)[0].tokens


def test_comments_are_kept_exactly():
    (game,) = record.loads(HEADER + "{} { a\n\n[b] {}1:W{c}1:T {d\n} \t{e}")

    assert {0: ["", " a\n\n[b] {"], 1: ["c"], 2: ["d\n", "e"]} == game.comments


def test_comments_end_the_header():
    (game,) = record.loads('[Edition "adlung"]\n[Players "2"]\n{a}')

    assert {0: ["a"]} == game.comments


@pytest.mark.parametrize("encoded", [True, False], ids=["bytes", "str"])
def test_a_file_open_for_reading_is_read(encoded):
    text = (DATA / "keyed.fgr").read_text(encoding="utf-8")
    file = io.BytesIO(text.encode()) if encoded else io.StringIO(text)

    assert text == record.dumps(record.load(file))


def test_a_path_is_read():
    text = (DATA / "keyed.fgr").read_text(encoding="utf-8")

    assert text == record.dumps(record.load(DATA / "keyed.fgr"))
    assert text == record.dumps(record.load(str(DATA / "keyed.fgr")))
    assert text == record.dumps(record.loads(text.encode()))


def test_games_are_read_one_at_a_time():
    text = HEADER + OPENING + "\n" + HEADER + "wrong\n"
    games = record.read(io.StringIO(text))

    assert OPENING == " ".join(next(games).tokens)
    with pytest.raises(RecordError, match=r"^line 8, column 1: "):
        next(games)


def test_reading_one_at_a_time_has_no_limit_of_games(monkeypatch):
    monkeypatch.setattr(reading, "MAX_GAMES", 1)
    monkeypatch.setattr(reading, "MAX_FILE", 10)

    assert 4 == len(list(record.read(DATA / "several.fgr")))


def test_the_places_of_games_and_tokens_are_told():
    first, second = record.scan(io.StringIO(f"\n{HEADER}1:W  1:T\n {{x}}1:S\n{HEADER}2:M"[:-3]))

    assert (2, [(5, 1), (5, 6), (6, 5)]) == (first.line, first.places)
    assert (7, []) == (second.line, second.places)


MOVES = [
    (
        "Q",
        (4, 47),
        False,
        "'Q' is no action or deal: seat 1 may play + T W S J* (T) (W) (S) (J*)",
    ),
    (
        "w",
        (4, 47),
        False,
        "'w' is no action or deal: seat 1 may play + T W S J* (T) (W) (S) (J*)",
    ),
    ("(M)", (4, 47), False, "'(M)' is no action or deal: seat 1 may play"),
    ("5:W", (4, 47), False, "'5:W' is no action or deal: seat 1 may play"),
    ("J:?", (4, 47), False, "'J:?' is no action or deal: seat 1 may play"),
    ("W\u00a0W", (4, 47), False, r"'W\xa0W' is no action or deal: seat 1 may play"),
    (
        "C",
        (4, 47),
        True,
        "C isn't possible here: seat 1 may play + T W S J* (T) (W) (S) (J*)",
    ),
    ("--", (4, 47), True, "-- isn't possible here: seat 1 may play"),
    ("1:W", (4, 47), True, "1:W isn't possible here: seat 1 may play"),
    (
        "+ 2:W",
        (4, 49),
        True,
        "2:W isn't possible here: seat 1 is owed a card, 1:C 1:C* 1:T 1:T* 1:W 1:W* 1:S 1:S* 1:J",
    ),
    ("+ +", (4, 49), True, "+ isn't possible here: seat 1 is owed a card, 1:C"),
    ("(T) 2:W", (4, 51), True, "2:W isn't possible here: Jakob is owed a card, J:C J:C* J:T"),
    ("+ 1:M + 2:M +", (4, 59), True, "+ isn't possible here: Jakob is owed a card, J:C"),
    ("+ 2:?", (4, 49), False, "2:? is a card that one seat may not know: one seat's view"),
    ("(?)", (4, 47), False, "(?) is a card that one seat may not know: one seat's view"),
    ("W }", (4, 49), False, "'}' ends no comment: expected a '{' before it"),
    ("W {x", (4, 49), False, "this comment has no end: expected '}'"),
    ("W [X]", (4, 49), False, "'[X]' is no action or deal: seat 2 may play"),
]


@pytest.mark.parametrize(
    ("moves", "place", "breaks_rule", "message"), MOVES, ids=[move[0] for move in MOVES]
)
def test_wrong_moves_are_told_with_what_is_possible_there(moves, place, breaks_rule, message):
    error = error_of(f"{HEADER}{OPENING} {moves}")

    assert message in str(error)
    assert (place, breaks_rule) == ((error.line, error.column), error.breaks_rule)
    assert error.token in moves


def test_a_card_that_is_used_up_cannot_be_dealt():
    error = error_of(HEADER + "1:W* 1:W* 1:W*")

    assert error.breaks_rule
    assert (4, 11, "1:W*") == (error.line, error.column, error.token)
    assert "seat 1 is owed a card, 1:C 1:C* 1:T 1:T* 1:W 1:S" in str(error)


def test_nothing_can_follow_the_end_of_a_game():
    text = (DATA / "keyed.fgr").read_text(encoding="utf-8").rstrip()
    error = error_of(text + " +")

    assert error.breaks_rule
    assert str(error).endswith("+ isn't possible here: the game is over")


TAGS = [
    ('[Players "2"]', 1, 'the tag Edition is missing: expected [Edition "adlung"]'),
    ('[Edition "rody"]', 1, 'the tag Players is missing: expected [Players "3"]'),
    ('[Edition "x"]\n[Players "2"]', 1, "'x' is no edition: expected adlung or rody"),
    ('[Edition "rody"]\n[Players "5"]', 2, "Players is '5': expected a whole number from 2 to 4"),
    ('[Edition "rody"]\n[Players "two"]', 2, "Players is 'two': expected a whole number from 2"),
    ('[Edition "rody"]\n[Players "²"]', 2, "Players is '²': expected a whole number from 2"),
    ('[Edition "rody"]\n[Players "2"]\n[First "3"]', 3, "First is '3': expected a whole number fr"),
    ('[Edition "rody"]\n[Players "2"]\n[First "0"]', 3, "First is '0': expected a whole number fr"),
    (
        '[Edition "rody"]\n[Players "2"]\n[Target "19"]',
        3,
        "Target is '19': expected a whole number",
    ),
    (f'[Edition "rody"]\n[Players "2"]\n[Target "{"9" * 900}"]', 3, "Target is '999"),
    (
        '[Edition "rody"]\n[Players "2"]\n[Rules "2"]',
        3,
        "version '2' of the rules isn't known: this program plays version 1",
    ),
    (
        '[Edition "rody"]\n[Players "2"]\n[Result "1"]',
        3,
        "'1' is no result: expected the money of 2 players",
    ),
    ('[Edition "rody"]\n[Players "2"]\n[Result "a b"]', 3, "'a b' is no result: expected the mon"),
    ('[Edition "rody"]\n[Edition "rody"]', 2, "the tag Edition is there twice: first on line 1"),
    ('[Edition "rody"]\n[A ""]\n[A ""]', 3, "the tag A is there twice: first on line 2"),
    ("[Edition rody]", 1, "'[Edition rody]' is no tag: expected [Name \"text\"]"),
    ('[Edition "rody"] [Players "2"]', 1, 'is no tag: expected [Name "text"] on a line of its own'),
    ('[Edition "rody]', 1, "'[Edition \"rody]' is no tag"),
    ('[1 "rody"]', 1, "'[1 \"rody\"]' is no tag"),
    ('[A "a"b"]', 1, '\'[A "a"b"]\' is no tag'),
    (r'[A "\n"]', 1, "is no tag"),
    ('[A "\t"]', 1, r"the tag A holds '\t'"),
    ('[A "\0"]', 1, r"the character '\x00' has no place in a record"),
]


@pytest.mark.parametrize(("header", "line", "message"), TAGS)
def test_wrong_headers_are_told(header, line, message):
    error = error_of(header + "\n\n")

    assert message in str(error)
    assert (line, False) == (error.line, error.breaks_rule)


def test_moves_before_any_header_are_told():
    error = error_of("\n  1:W")

    assert "'1:W' is in no game: expected [Edition …] first" in str(error)
    assert (2, 3) == (error.line, error.column)


def test_a_wrong_result_breaks_a_rule():
    text = (DATA / "keyed.fgr").read_text(encoding="utf-8")
    result = text[text.index("[Result") : text.index("]\n\n") + 1]
    error = error_of(text.replace(result, '[Result "1 2 3"]'))

    assert error.breaks_rule
    assert text[: text.index("[Result")].count("\n") + 1 == error.line
    assert "the result is '1 2 3', but the game ends \"82 85 67\"" in str(error)


def test_a_result_before_the_end_breaks_a_rule():
    error = error_of(HEADER.replace("\n\n", '\n[Result "0 0"]\n\n') + OPENING)

    assert error.breaks_rule
    assert (3, 1) == (error.line, error.column)
    assert "there is a result, but the game isn't over: seat 1 may play +" in str(error)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"\xff\xfe[\0E\0", (1, 1)),
        (HEADER.encode() + "{é}".encode() + b"\xc3(", (4, 4)),
        (HEADER.encode() + "{é".encode()[:-1], (4, 2)),
    ],
    ids=["utf-16", "latin-1", "cut off"],
)
def test_bytes_that_are_no_utf8_are_told(data, place):
    error = error_of(data)

    assert "isn't UTF-8: a record is UTF-8 text" in str(error)
    assert place == (error.line, error.column)


def test_halves_of_characters_are_told():
    error = error_of(HEADER + "{é\ud800}")

    assert (4, 3) == (error.line, error.column)


def test_a_text_file_that_is_no_utf8_is_told(tmp_path):
    path = tmp_path / "latin.fgr"
    path.write_bytes((HEADER + "{é\xe9}").encode("latin-1"))

    with path.open(encoding="utf-8") as file, pytest.raises(RecordError) as caught:
        record.load(file)

    assert (4, 2) == (caught.value.line, caught.value.column)


LIMITS = [
    (
        HEADER + " " * form.MAX_LINE + "W",
        "line 4, column 1: the line is too long: expected at most",
    ),
    (HEADER + "W" * 10**6, "line 4, column 1: the line is too long: expected at most 65536 bytes"),
    (HEADER + "{" + "x" * 10_001 + "}", "line 4, column 1: this comment is too long"),
    (HEADER + "{" + "\n" * 10**6, "line 4, column 1: this comment is too long"),
    (HEADER[:-1] + f'[A "{"x" * 1_001}"]', "line 3, column 1: the tag A is too long: expected at"),
    (HEADER[:-1] + f'[{"A" * 41} "x"]', "line 3, column 1: '[AAA"),
    (
        HEADER[:-1] + "\n".join(f'[A{number} ""]' for number in range(99)),
        "line 101, column 1: there are too many tags: expected at most 100",
    ),
    (
        HEADER + f"{{{'x' * 10_000}}}\n" * 110,
        "line 108, column 1: the game is too large: expected at most 1048576 bytes",
    ),
    (HEADER + "[" * 60_000, "line 4, column 1: '[[[[["),
    (HEADER + '[A "' + "\\" * 60_001, "is no tag"),
]


@pytest.mark.parametrize(("text", "message"), LIMITS, ids=[limit[1][:50] for limit in LIMITS])
def test_limits_are_told(text, message):
    assert message in str(error_of(text))


def test_too_large_a_file_is_told(monkeypatch):
    monkeypatch.setattr(reading, "MAX_FILE", 500)

    assert (
        "the file is too large: expected at most 500 bytes, unless its games are read one at a time"
    ) in str(error_of(HEADER + OPENING + "\n" * 500))


def test_empty_lines_count_as_the_games(monkeypatch):
    monkeypatch.setattr("fugger.record.draft.MAX_GAME", 100)

    assert "line 89, column 1: the game is too large" in str(error_of(HEADER + "\n" * 200))


def test_empty_lines_before_any_game_have_a_limit(monkeypatch):
    monkeypatch.setattr("fugger.record.draft.MAX_GAME", 100)

    assert "line 101, column 1: '' is in no game" in str(error_of("\n" * 200 + HEADER))


def test_too_many_games_are_told(monkeypatch):
    monkeypatch.setattr(reading, "MAX_GAMES", 2)

    assert (
        "line 7, column 1: there are too many games: expected at most 2, unless they are read one "
        "at a time"
    ) == str(error_of(HEADER * 3))


def test_too_many_tokens_are_told(monkeypatch):
    monkeypatch.setattr("fugger.record.draft.MAX_TOKENS", 11)

    assert "line 4, column 47: the game is too long: expected at most 11 tokens" in str(
        error_of(HEADER + OPENING + " W")
    )


def test_reading_goes_on_where_the_game_stood():
    game = Game(players=2)
    game.deal_all(random.Random(7))
    (again,) = record.loads(record.dumps(game))
    again.play("W")
    again.undo()

    assert game.state.tobytes() == again.state.tobytes()


@pytest.mark.parametrize("what", [None, 5, ["1:C"]])
def test_what_is_no_text_is_no_empty_record(what):
    with pytest.raises(TypeError, match=r"^the record is .*: expected a text, or its bytes$"):
        record.loads(what)
