"""Networks are shown what the player to act knows, whatever the goods are called."""

import random
from itertools import permutations

import numpy as np
import pytest
from random_play import HABITS, SETUPS, steps

from fugger import Action, Game, observe
from fugger.bots.features import FEATURES, ROOM, action_of, output_of, write_hidden, write_known
from fugger.bots.network import new_sight
from fugger.cards import GOODS
from fugger.rules.state import from_bytes

CARDS = ("hand", "tableau", "jakob", "draw_pile", "discard_pile")


def positions(edition, players, every=7):
    """Games at some decisions of every habit."""
    for number, habit in enumerate(HABITS):
        game = Game(players, edition, first=number % players)
        for at, _ in enumerate(steps(game, random.Random(number), habit)):
            if at % every == 0 and game.player is not None:
                yield game


def known(state):
    """Its features that the player to act knows, by number; those hidden besides."""
    sight = new_sight()
    write_known(state, sight)
    number = int(sight.number[0])
    write_hidden(state, sight)
    listed = list(zip(sight.features.tolist(), sight.values.tolist(), strict=True))
    return dict(listed[:number]), dict(listed[number : int(sight.number[0])]), sight


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_nothing_hidden_is_among_what_is_known(edition, players):
    for game in positions(edition, players):
        whole = from_bytes(game.state.tobytes())
        seen = from_bytes(observe(game.state, game.player).tobytes())
        assert known(whole)[0] == known(seen)[0]


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_features_are_told_once_and_have_room(edition, players):
    met = set()
    for game in positions(edition, players):
        state = from_bytes(game.state.tobytes())
        open_ones, hidden, sight = known(state)
        assert len(open_ones) + len(hidden) == sight.number[0] <= ROOM
        assert all(0 <= feature < FEATURES for feature in (*open_ones, *hidden))
        assert all(value > 0 for value in open_ones.values() if value)
        assert state.tobytes() == game.state.tobytes()
        met |= open_ones.keys() | hidden.keys()
    assert len(met) > 250


def renamed(state, names):
    """The same position, goods having other names."""
    other = from_bytes(state.tobytes())
    for good, name in enumerate(names):
        other.prices[name], other.table[name] = state.prices[good], state.table[good]
    for field in CARDS:
        old, new = getattr(state, field), getattr(other, field)
        for seat in range(len(old)) if len(old.shape) == 2 else [None]:
            for card in range(2 * GOODS):
                place = 2 * names[card >> 1] + (card & 1)
                if seat is None:
                    new[place] = old[card]
                else:
                    new[seat, place] = old[seat, card]
    for seat in range(4):
        bits = state.hand_kinds[seat]
        other.hand_kinds[seat] = bits >> 2 * GOODS << 2 * GOODS
        for card in range(2 * GOODS):
            place = 2 * names[card >> 1] + (card & 1)
            other.hand_kinds[seat] |= (bits >> card & 1) << place
        for shipment in range(2):
            card = state.shipments[seat, shipment]
            if card >= 0:
                other.shipments[seat, shipment] = 2 * names[card >> 1] + (card & 1)
    return other


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_goods_have_no_names(edition, players):
    compared = 0
    names = list(permutations(range(GOODS)))
    for number, game in enumerate(positions(edition, players)):
        keys = list(zip(game.prices.values(), game.counts.values(), strict=True))
        if len(set(keys)) < GOODS:
            continue  # goods of the same price and count stay in the order of their names
        state = from_bytes(game.state.tobytes())
        renaming = names[number % len(names)]
        assert known(state)[:2] == known(renamed(state, renaming))[:2]
        compared += 1
    assert compared > 5


def test_every_output_stands_for_an_action():
    for order in permutations(range(GOODS)):
        ranks = np.argsort(order)
        both = np.array([*order, *ranks])
        actions = [action_of(output, both) for output in range(len(Action))]
        assert sorted(actions) == list(range(len(Action)))
        assert [output_of(action, both) for action in actions] == list(range(len(Action)))
    order = np.array([2, 0, 1, 3, 4, 1, 2, 0, 3, 4])
    assert Action("W*") == action_of(Action("C*"), order)
    assert Action("(C)") == action_of(Action("(T)"), order)
    assert [Action("+"), Action("M"), Action("--")] == [
        action_of(action, order) for action in (0, 11, 22)
    ]


def test_a_far_target_is_shown_as_a_near_one():
    """What counts is who is ahead: a network knows games to 100 only."""
    near, far = Game(2, target=100), Game(2, target=400)
    for game in (near, far):
        for _ in steps(game, random.Random(1)):
            if game.player is not None:
                break
    assert (
        known(from_bytes(near.state.tobytes()))[:2] == (known(from_bytes(far.state.tobytes()))[:2])
    )
