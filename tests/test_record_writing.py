"""What a record's text looks like, and what can't be written."""

import dataclasses
import io
import os
import random
import threading
from pathlib import Path

import pytest
from random_play import finished_game

from fugger import ADLUNG, Game, RecordError, record
from fugger.record import form

DATA = Path(__file__).parent / "data"


@pytest.fixture
def opening():
    game = Game(players=2)
    game.deal_all(random.Random(7))
    return game


def with_tag(name, text):
    game = Game()
    game.tags[name] = text
    return game


def with_comments(texts):
    game = Game()
    game.comments[0] = texts
    return game


def with_comment(text, at=0):
    game = Game()
    game.comments[at] = [text]
    return game


@pytest.mark.parametrize("file", sorted(DATA.glob("*.fgr")), ids=lambda file: file.stem)
def test_a_written_record_is_written_the_same_again(file):
    text = file.read_text(encoding="utf-8")

    assert text == record.dumps(record.loads(text))


def test_the_header_begins_with_the_setup_and_ends_with_the_result():
    game = finished_game(1, players=3, edition="rody", first=2, target=25)
    game.tags = {"Seat1": "Anna", "Date": "2026.11.30"}

    assert [
        '[Edition "rody"]',
        '[Players "3"]',
        '[First "3"]',
        '[Target "25"]',
        '[Rules "1"]',
        '[Seat1 "Anna"]',
        '[Date "2026.11.30"]',
        f'[Result "{" ".join(map(str, game.money))}"]',
        "",
    ] == record.dumps(game).splitlines()[:9]


def test_an_unfinished_game_has_no_result(opening):
    assert "[Result" not in record.dumps(opening)


def test_quotes_and_backslashes_of_tags_are_escaped():
    assert r'[Seat1 "the \"Rich\" \\o/"]' in record.dumps(with_tag("Seat1", r'the "Rich" \o/'))


def test_every_round_begins_on_a_line_of_its_own():
    game = finished_game(2, players=4)
    lines = record.dumps(game).split("\n\n")[1].split("\n")
    ends = []
    tokens = 0
    for line in lines:
        tokens += len(line.split())
        ends.append(tokens)

    assert len(game.evaluations) > 1
    assert set(game.round_ends) <= set(ends)


def test_lines_of_tokens_are_wrapped():
    lines = record.dumps(finished_game(2, players=4)).splitlines()

    assert 90 < max(map(len, lines)) <= form.LINE_WIDTH


def test_a_comment_at_the_end_leaves_the_lines_before_it_as_they_are():
    game = finished_game(2, players=4)
    without = record.dumps(game)
    game.comments[len(game.tokens)] = ["x" * form.LINE_WIDTH]

    assert without[:-1] + "{" + "x" * form.LINE_WIDTH + "}\n\n" == record.dumps(game)


def test_comments_follow_their_tokens(opening):
    opening.comments = {0: ["before"], 1: ["one", "two"], 11: ["after"]}

    assert record.dumps(opening).endswith(
        "\n\n{before} 1:W {one} {two} 1:T 1:S 1:J* 2:C 2:C 2:J 2:C* J:S J:M J:C {after}\n\n"
    )


def test_a_long_comment_is_not_broken(opening):
    opening.comments = {1: ["word " * 50]}

    assert "{" + "word " * 50 + "}" in record.dumps(opening).splitlines()


def test_records_of_games_can_be_joined(opening):
    empty = Game()

    assert record.dumps([opening, empty]) == record.dumps(opening) + record.dumps(empty)


def test_no_games_have_an_empty_record():
    assert record.dumps([]) == ""


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (with_comment("a } b"), "the comment 'a } b' holds '}'"),
        (with_comment("a\rb"), r"the comment 'a\rb' holds '\r'"),
        (with_comment("a\ud800"), r"holds '\ud800'"),
        (with_comment("x" * 10_001), "a comment is too long: expected at most 10000 characters"),
        (with_comment("x", at=5), "a comment follows token 5, but there are 0"),
        (with_comment("x", at=-1), "a comment follows token -1, but there are 0"),
        (with_comment("x", at=0.5), "a comment follows token 0.5, but there are 0"),
        (with_comment("x", at="0"), "a comment follows token '0', but there are 0"),
        (with_comment(1), "a comment is 1: expected a text"),
        (with_comments("x"), "the comments after token 0 are 'x': expected a list"),
        (with_tag("Seat1", "a\nb"), r"the tag Seat1 holds '\n'"),
        (with_tag("Seat1", "\x9b"), r"the tag Seat1 holds '\x9b'"),
        (with_tag("Seat1", "x" * 1_001), "the tag Seat1 is too long: expected at most 1000"),
        (with_tag("Seat 1", "x"), "'Seat 1' is no tag's name"),
        (with_tag("", "x"), "'' is no tag's name"),
        (with_tag("x" * 41, "x"), "is no tag's name"),
        (with_tag("Result", "1 2 3"), "the tag Result is the game's own"),
        (with_tag("Players", "2"), "the tag Players is the game's own"),
        (
            Game(edition=dataclasses.replace(ADLUNG, merchants=3)),
            "edition 'adlung' has no record: adlung and rody have",
        ),
        (
            Game(edition=dataclasses.replace(ADLUNG, name="tiny")),
            "edition 'tiny' has no record: adlung and rody have",
        ),
    ],
)
def test_what_no_record_can_hold_is_refused(game, message):
    with pytest.raises(RecordError) as caught:
        record.dumps(game)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "line" not in str(caught.value)


def test_too_many_tags_are_refused():
    game = Game()
    game.tags = {f"Tag{number}": "" for number in range(form.MAX_TAGS)}

    with pytest.raises(RecordError, match="105 tags are too many: expected at most 100"):
        record.dumps(game)


def test_too_large_a_game_is_refused():
    game = Game()
    game.comments[0] = ["x" * form.MAX_COMMENT] * (form.MAX_GAME // form.MAX_COMMENT + 1)

    with pytest.raises(RecordError, match="the record is too large: expected at most 1048576"):
        record.dumps(game)


def test_too_many_tokens_are_refused():
    with pytest.raises(RecordError, match="100001 tokens are too many: expected at most 100000"):
        record.compose({}, ["+"] * 100_001)


def test_the_longest_things_allowed_can_be_read_again(opening):
    opening.tags = {"x" * form.MAX_TAG_NAME: '"' * form.MAX_TAG}
    opening.comments = {11: ["🍷" * form.MAX_COMMENT]}

    assert opening.tags == record.loads(record.dumps(opening))[0].tags
    assert opening.comments == record.loads(record.dumps(opening))[0].comments


def test_a_record_can_be_composed_of_its_parts(opening):
    tags = {
        "Edition": "adlung",
        "Players": "2",
        "First": "1",
        "Target": "100",
        "Rules": "1",
    }

    assert record.dumps(opening) == record.compose(tags, opening.tokens)


def test_a_file_open_for_writing_is_added_to(opening):
    file = io.StringIO()
    record.dump(opening, file)
    record.dump([opening], file)

    assert record.dumps([opening, opening]) == file.getvalue()


def test_a_path_is_replaced(opening, tmp_path):
    path = tmp_path / "game.fgr"
    path.write_text("something else", encoding="utf-8")
    record.dump(opening, path)

    assert record.dumps(opening).encode() == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_failure_leaves_the_file_as_it_was(opening, tmp_path):
    path = tmp_path / "game.fgr"
    record.dump(opening, path)

    with pytest.raises(RecordError):
        record.dump([opening, with_comment("}")], str(path))

    assert record.dumps(opening).encode() == path.read_bytes()
    assert [path] == list(tmp_path.iterdir())


def test_a_link_stays_a_link(opening, tmp_path):
    path = tmp_path / "game.fgr"
    path.touch()
    link = tmp_path / "link.fgr"
    link.symlink_to(path)
    record.dump(opening, link)

    assert link.is_symlink()
    assert record.dumps(opening).encode() == path.read_bytes()


def test_a_pipe_is_written_to(opening, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=record.dump, args=(opening, path))
    writer.start()
    text = path.read_text(encoding="utf-8")
    writer.join()

    assert record.dumps(opening) == text
