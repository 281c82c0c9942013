"""The observation tensor says what the observation says: no more, no less."""

import random

import numpy as np
import pytest
from random_play import HABITS, SETUPS, steps

import fugger
from fugger import SPECTATOR, Edition, Game, SetupError
from fugger.compiled import entry
from fugger.envs import tensor
from fugger.rules.fields import fields_of
from fugger.rules.state import states_from_bytes

SMALL = Edition(
    name="small",
    jakob_trigger="merchant",
    price_goes_round_up=True,
    price_goes_round_down=False,
    must_exceed_target=True,
    goods=4,
    plain_cards=9,
    sealed_cards=1,
    merchants=6,
    opening_hand=6,
    round_end=4,
    target=60,
)


@entry
def write_all(rows, states, viewers):
    for at in range(len(states)):
        tensor.write_constants(rows[at], states[at])
        tensor.write(rows[at], states[at], viewers[at])


def positions(edition, players, every=4):
    """Games as they stand at some of their steps, of every habit, and at their end."""
    for seed, habit in enumerate(HABITS):
        game = Game(players, edition, first=seed % players)
        for number, _ in enumerate(steps(game, random.Random(seed), habit)):
            if number % every == 0 or game.is_over:
                yield game


def viewers(game):
    return (*range(game.players), SPECTATOR)


ALL = [*SETUPS, (SMALL, 3)]


@pytest.mark.parametrize(("edition", "players"), ALL)
def test_a_tensor_decoded_is_the_observation(edition, players):
    for game in positions(edition, players):
        for viewer in viewers(game):
            seen = game.observe(viewer)
            assert seen.tobytes() == tensor.observation_of(tensor.tensor_of(seen)).tobytes()


@pytest.mark.parametrize(("edition", "players"), ALL)
def test_a_tensor_written_from_the_state_is_that_of_the_observation(edition, players):
    for game in positions(edition, players):
        for viewer in viewers(game):
            row = np.zeros(tensor.SIZE, np.int16)
            state = fields_of(states_from_bytes(game.state.tobytes()))
            tensor.write_constants(row, state)
            tensor.write(row, state, viewer)
            assert tensor.tensor_of(game.observe(viewer)).tolist() == row.tolist()


@pytest.mark.parametrize(("edition", "players"), ALL)
def test_tensors_are_the_same_compiled_and_interpreted(edition, players):
    expected, states, who = [], [], []
    for game in positions(edition, players):
        for viewer in viewers(game):
            expected.append(tensor.tensor_of(game.observe(viewer)))
            states.append(game.state.tobytes())
            who.append(viewer)
    rows = np.zeros((len(states), tensor.SIZE), np.int16)
    write_all(rows, states_from_bytes(b"".join(states)), np.array(who))
    assert np.array_equal(np.array(expected), rows)


@pytest.mark.parametrize(("edition", "players"), ALL)
def test_a_tensor_is_within_its_bounds(edition, players):
    edition = edition if isinstance(edition, Edition) else fugger.EDITIONS[edition]
    low, high = tensor.bounds(edition, players)
    for game in positions(edition, players):
        for viewer in viewers(game):
            row = tensor.tensor_of(game.observe(viewer))
            assert (low <= row).all()
            assert (row <= high).all()


@pytest.mark.parametrize("edition", fugger.EDITIONS)
def test_the_shipped_editions_are_within_the_ranges_of_the_planes(edition):
    for players in (2, 3, 4):
        low, high = tensor.bounds(fugger.EDITIONS[edition], players)
        for name, plane in tensor.PLANES.items():
            assert (plane.low <= tensor.plane(low, name)).all()
            assert (tensor.plane(high, name) <= plane.high).all()


def test_planes_lie_one_after_the_other():
    places = [plane.place for plane in tensor.PLANES.values()]
    assert places[0].start == 0
    assert [place.start for place in places[1:]] == [place.stop for place in places[:-1]]
    assert places[-1].stop == tensor.SIZE


def test_seats_are_counted_from_the_viewer():
    game = Game(3, first=1)
    game.deal_all(random.Random(1))
    game.play("+")
    game.deal("J")
    row = tensor.tensor_of(game.observe(2))
    assert (0, 2) == (tensor.plane(row, "player"), tensor.plane(row, "starter"))
    assert [4, 4, 5, 0] == tensor.plane(row, "hand_size").tolist()


def test_own_shipments_are_counted_by_good_and_others_are_secret():
    game = Game(2)
    for cards in (["W", "W*", "C", "M"], ["S", "S", "C", "C"], ["J", "J"]):
        for card in cards:
            game.deal(card)
    game.play("(W*)")
    game.deal("T")
    game.play("(S)")
    for card in ("T", "T"):
        game.deal(card)
    mine = tensor.tensor_of(game.observe(0))
    assert [[5, -1], [-2, -1], [0, 0], [0, 0]] == tensor.plane(mine, "shipments").tolist()
    assert [0, 0, 1, 0, 0] == tensor.plane(mine, "shipped").tolist()


def test_the_box_is_told_and_so_is_what_is_unseen_of_it():
    game = Game(2)
    for card in ("W", "W*", "C", "M"):
        game.deal(card)
    row = tensor.tensor_of(game.observe(0))
    assert [5, 7, 2, 4, 49] == tensor.plane(row, "box").tolist()
    assert [6, 2, 7, 2, 6, 1, 7, 2, 7, 2, 3] == tensor.unseen(row).tolist()
    row = tensor.tensor_of(Game(2, SMALL).observe(1))
    assert [4, 9, 1, 6, 46] == tensor.plane(row, "box").tolist()
    assert [9, 1, 9, 1, 9, 1, 9, 1, 0, 0, 6] == tensor.unseen(row).tolist()


def test_unseen_cards_of_a_batch():
    rows = np.array([tensor.tensor_of(Game(players).observe(0)) for players in (2, 3, 4)])
    assert (3, 11) == tensor.unseen(rows).shape
    assert 3 * 49 == tensor.unseen(rows).sum()


def test_planes_of_a_batch_keep_its_shape():
    rows = np.zeros((7, 2, tensor.SIZE), np.int16)
    assert (7, 2, 4, 11) == tensor.plane(rows, "tableau").shape
    assert (7, 2) == tensor.plane(rows, "stage").shape
    tensor.plane(rows, "money")[:] = 9
    assert 9 * 7 * 2 * 4 == rows.sum()


def test_a_plane_that_does_not_exist():
    with pytest.raises(SetupError, match="'moni' is no plane: expected one of players, target"):
        tensor.plane(np.zeros(tensor.SIZE, np.int16), "moni")


def test_rows_of_another_length():
    with pytest.raises(SetupError, match=r"shape \(5,\) has no rows of 128 numbers"):
        tensor.plane(np.zeros(5, np.int16), "money")
    with pytest.raises(SetupError, match=r"shape \(5,\) and type int16 is no tensor"):
        tensor.observation_of(np.zeros(5, np.int16))


def test_a_whole_state_has_no_tensor():
    with pytest.raises(SetupError, match="a whole state has no tensor"):
        tensor.tensor_of(Game(2).state)
