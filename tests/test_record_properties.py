"""Any game can be recorded and read again; any damage to a record is told, never a crash."""

import random
import string

from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import HABITS, SETUPS, steps

from fugger import Game, RecordError, record

SOUND = st.characters(exclude_categories=("Cc", "Cs"))
NAMES = st.text(string.ascii_letters, min_size=1, max_size=8).map("X".__add__)
TAGS = st.dictionaries(NAMES, st.text(SOUND, max_size=30), max_size=4)
COMMENTS = st.text(SOUND.filter("}".__ne__) | st.sampled_from("\n\t"), max_size=150)


@st.composite
def games(draw, most_actions=150):
    edition, players = draw(st.sampled_from(SETUPS))
    game = Game(
        players,
        edition,
        first=draw(st.integers(0, players - 1)),
        target=draw(st.integers(20, 120)),
    )
    actions = draw(st.integers(0, most_actions))
    rng = random.Random(draw(st.integers(0, 2**32)))
    for _ in steps(game, rng, draw(st.sampled_from(HABITS))):
        if game.actions_taken == actions and rng.random() < 0.5:
            break
    game.tags = draw(TAGS)
    game.comments = draw(
        st.dictionaries(
            st.integers(0, len(game.tokens)),
            st.lists(COMMENTS, min_size=1, max_size=2),
            max_size=4,
        )
    )
    return game


def facts(game):
    return (
        game.state.tobytes(),
        game.tokens,
        game.tags,
        game.comments,
        game.round_ends,
        game.actors,
        (str(game.edition), game.players, game.first, game.target),
    )


@settings(max_examples=30, deadline=None)
@given(games())
def test_what_is_read_is_what_was_written(game):
    text = record.dumps(game)
    (again,) = record.loads(text)

    assert facts(game) == facts(again)
    assert text == record.dumps(again)


@settings(max_examples=10, deadline=None)
@given(st.lists(games(most_actions=20), max_size=4))
def test_several_games_are_read_as_they_were_written(several):
    assert [facts(game) for game in several] == [
        facts(game) for game in record.loads(record.dumps(several))
    ]


@st.composite
def damaged_records(draw):
    data = bytearray(record.dumps(draw(games(most_actions=10))).encode())
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["flip", "delete", "insert", "cut", "repeat"])):
            case "flip" if at < len(data):
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "delete":
                del data[at : at + draw(st.integers(1, 20))]
            case "insert":
                data[at:at] = draw(
                    st.binary(max_size=4) | st.sampled_from([b"[", b"{", b'"', b"?"])
                )
            case "cut":
                del data[at:]
            case "repeat":
                data[at:at] = data[at : at + draw(st.integers(1, 60))]
    return bytes(data)


def read_or_refused(read, data):
    """What reading gives; None if it refuses, and that in one line with a place."""
    try:
        return read(data)
    except RecordError as error:
        refused = error
    assert "\n" not in str(refused)
    assert len(str(refused)) < 400
    assert refused.line >= 1
    assert refused.column >= 1
    return None


@settings(max_examples=100, deadline=None)
@given(damaged_records())
def test_a_damaged_record_is_read_or_refused(data):
    found = read_or_refused(record.loads, data)

    if found is not None:
        assert [facts(game) for game in found] == [
            facts(game) for game in record.loads(record.dumps(found))
        ]


@settings(max_examples=40, deadline=None)
@given(damaged_records())
def test_a_damaged_record_is_recovered_or_refused(data):
    found = read_or_refused(record.recover, data)

    if found is not None:
        game, _ = found
        assert facts(game) == facts(record.loads(record.dumps(game))[0])


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300) | st.text('[]{}" \\\nEdition1:W*(?)+-\ufeff', max_size=100))
def test_any_text_is_read_or_refused(data):
    read_or_refused(record.loads, data)
    read_or_refused(record.recover, data)
