"""What networks say is what their weights make of the features, and what searches need."""

import random
from collections import Counter

import numpy as np
import pytest
from random_play import SETUPS, steps
from test_features import positions

from fugger import Game, observe
from fugger.bots import network as layout
from fugger.bots.features import FEATURES, output_of, write_hidden, write_known
from fugger.bots.memory import take
from fugger.bots.network import new_sight, run, setup_of, shapes
from fugger.bots.networks import (
    GUESSED,
    networks,
    odds,
    power,
    write_chances,
    write_guesses,
    write_shares,
)
from fugger.cards import MERCHANT
from fugger.chance import generator
from fugger.rules.actions import ACTIONS, SHIP, legal_actions
from fugger.rules.state import MAX_PLAYERS, from_bytes


def outputs_by_hand(network, state, sight):
    """A network's outputs, by matrices."""
    inputs = np.zeros(FEATURES)
    number = int(sight.number[0])
    inputs[sight.features[:number]] = sight.values[:number]
    setup = setup_of(state)
    first = np.maximum(0, inputs @ network.first + network.first_bias)
    second = np.maximum(0, first @ network.second[setup] + network.second_bias[setup])
    return second @ network.last[setup] + network.last_bias[setup]


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_outputs_are_those_of_two_layers(edition, players):
    for game in positions(edition, players, every=50):
        state = from_bytes(game.state.tobytes())
        for network in networks():
            sight = new_sight()
            write_known(state, sight)
            write_hidden(state, sight)
            run(network, setup_of(state), sight)
            expected = outputs_by_hand(network, state, sight)
            assert np.allclose(expected, sight.outputs[: len(expected)], rtol=1e-3, atol=1e-3)


def test_the_package_has_three_networks():
    for network, outputs in zip(networks(), (ACTIONS, MAX_PLAYERS, GUESSED), strict=True):
        assert shapes(outputs) == tuple(part.shape for part in network)
        assert all(part.dtype == np.float32 and np.isfinite(part).all() for part in network)
    assert layout.SETUPS == len({setup_of(Game(p, e).state) for e, p in SETUPS})


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_chances_are_as_the_outputs_have_it(edition, players):
    for game in positions(edition, players, every=60):
        state = from_bytes(game.state.tobytes())
        legal, policy, sight = legal_actions(state), networks().policy, new_sight()
        chances = np.full(ACTIONS + 1, -1, np.float32)
        write_chances(state, legal, legal, policy, sight, chances)
        expected = {
            action: np.exp(0.5 * sight.outputs[output_of(action, sight.order)])
            for action in game.legal_actions
        }
        most = max(expected.values())
        for action, chance in expected.items():
            assert chance / most == pytest.approx(chances[action], rel=1e-3, abs=1e-4)
        assert {-1} == set(np.delete(chances, game.legal_actions).tolist())


def test_shipments_that_look_alike_have_one_chance():
    game = Game(2)
    rng = random.Random(2)
    for _ in steps(game, rng):
        if game.player is not None:
            break
    state = from_bytes(game.state.tobytes())
    legal, policy = legal_actions(state), networks().policy
    every, alike = np.zeros(ACTIONS, np.float32), np.zeros(ACTIONS, np.float32)
    write_chances(state, legal, legal, policy, new_sight(), every)
    edges = legal & ((1 << SHIP) - 1) | 1 << SHIP
    write_chances(state, legal, edges, policy, new_sight(), alike)
    assert every[SHIP:].sum() == pytest.approx(alike[SHIP])
    assert every[:SHIP].tolist() == alike[:SHIP].tolist()


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_shares_are_of_a_whole(edition, players):
    for game in positions(edition, players, every=60):
        shares = np.zeros(MAX_PLAYERS, np.int64)
        state = from_bytes(game.state.tobytes())
        write_shares(state, networks().value, new_sight(), 4096, shares)
        assert 4096 - players <= shares.sum() <= 4096
        assert 0 == shares[players:].sum()


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_who_is_far_ahead_is_thought_to_win(edition, players):
    for leader in range(players):
        game = Game(players, edition)
        for _ in steps(game, random.Random(leader)):
            if game.player is not None and game.round == 3:
                break
        state = from_bytes(game.state.tobytes())
        for seat in range(players):
            state.money[seat] = 92 if seat == leader else 40
        shares = np.zeros(MAX_PLAYERS, np.int64)
        write_shares(state, networks().value, new_sight(), 1000, shares)
        assert shares[leader] > 800


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_guesses_are_odds(edition, players):
    for game in positions(edition, players, every=60):
        sight = new_sight()
        seen = from_bytes(observe(game.state, game.player).tobytes())
        write_guesses(seen, networks().guess, sight)
        others = [seat for seat in range(players) if seat != game.player]
        hands, shipped = sight.guesses[0, others], sight.guesses[1, others]
        assert (hands > 0).all()
        assert (shipped[:, :MERCHANT] > 0).all()
        assert (shipped[:, MERCHANT] == 0).all()


def test_cards_are_taken_as_guessed():
    pool, guess = np.array([2, 1, 0, 3, *[0] * 6, 1], np.int16), np.zeros(11, np.float32)
    guess[[0, 1, 2, 3]] = 1, 4, 100, 0.5  # of the third there is none
    rng, taken = generator(1), Counter()
    for _ in range(6000):
        rest = pool.copy()
        card = take(rest, 7, 1, guess, rng)
        assert (pool - rest).tolist() == [int(at == card) for at in range(11)]
        taken[card] += 1
    weights = {0: 2.0, 1: 4.0, 3: 1.5}
    assert weights.keys() == taken.keys()
    for card, weight in weights.items():
        assert weight / 7.5 == pytest.approx(taken[card] / 6000, abs=0.025)


def test_the_exponential_is_from_a_table():
    for exponent in np.linspace(-20, 0, 997, dtype=np.float32):
        assert np.exp(exponent) == pytest.approx(power(exponent), rel=1e-3)
    assert 0 < power(np.float32(-1000)) < 1e-9
    assert odds(np.float32(0)) / odds(np.float32(-1)) == pytest.approx(np.e, rel=1e-3)
    assert odds(np.float32(99)) == odds(np.float32(6))
