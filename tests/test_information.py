"""Who knows what: nothing hidden is in an observation, and nothing known is lost in it."""

import random
from collections import Counter

import numpy as np
import pytest
from random_play import SETUPS, steps

import fugger
from fugger import SPECTATOR, Card, Game, SetupError, determinize, observe
from fugger.chance import generator
from fugger.rules.state import JAKOB, NO_CARD, UNKNOWN, copy_of


def positions(edition, players, seed=1, every=5):
    game = Game(players, edition)
    for number, _ in enumerate(steps(game, random.Random(seed))):
        if number % every == 0:
            yield game
    yield game


def swapped(state, viewer, rng):
    """A state that differs from another only in what a viewer may not know.

    Two hidden cards lying in different places trade them.
    """
    state = copy_of(state)
    places = [("draw", 0, card) for card in range(11) if state.draw_pile[card]]
    for seat in range(state.players):
        if seat != viewer:
            places += [("hand", seat, card) for card in range(11) if state.hand[seat, card]]
            places += [
                ("shipment", seat, number)
                for number in range(2)
                if state.shipments[seat, number] >= 0 and state.stage != 5
            ]
    one, other = rng.sample(places, 2)
    cards = [
        int(state.shipments[seat, what]) if kind == "shipment" else what
        for kind, seat, what in (one, other)
    ]
    for (kind, seat, what), old, new in (
        (one, cards[0], cards[1]),
        (other, cards[1], cards[0]),
    ):
        if kind == "draw":
            state.draw_pile[old] -= 1
            state.draw_pile[new] += 1
        elif kind == "hand":
            state.hand[seat, old] -= 1
            state.hand[seat, new] += 1
            state.hand_kinds[seat] = sum(1 << c for c in range(11) if state.hand[seat, c])
        else:
            state.shipments[seat, what] = new
    return state


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_states_that_differ_in_hidden_cards_alone_look_the_same(edition, players):
    rng = random.Random(2)
    differed = 0
    for game in positions(edition, players):
        state = game.state
        for viewer in (*range(players), SPECTATOR):
            if state.draw_size == 0:
                continue
            other = swapped(state, viewer, rng)
            differed += other.tobytes() != state.tobytes()
            assert observe(state, viewer).tobytes() == observe(other, viewer).tobytes()
    assert differed > 20


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_an_observation_keeps_what_its_seat_knows(edition, players):
    for game in positions(edition, players):
        state = game.state
        for viewer in range(players):
            seen = game.observe(viewer)
            assert (seen.hand[viewer] == state.hand[viewer]).all()
            assert (seen.shipments[viewer] == state.shipments[viewer]).all()
            assert seen.hand.sum() == state.hand_size[viewer]
            for field in ("prices", "table", "money", "hand_size", "tableau", "jakob"):
                assert (getattr(seen, field) == getattr(state, field)).all()
            assert (seen.discard_pile == state.discard_pile).all()
            assert seen.draw_size == state.draw_size


def test_a_spectator_sees_no_hand_and_no_shipment_until_the_end():
    for game in positions("adlung", 3):
        seen = game.observe(SPECTATOR)
        assert 0 == seen.hand.sum()
        if not game.is_over:
            assert set(seen.shipments.flat) <= {NO_CARD, UNKNOWN}
    assert (seen.shipments == game.state.shipments).all()


def test_an_observation_observed_again_is_the_same():
    for game in positions("rody", 2):
        seen = game.observe(1)
        assert seen.tobytes() == observe(seen, 1).tobytes()


def test_an_observation_is_nobody_elses():
    seen = Game(3).observe(1)
    with pytest.raises(SetupError, match="an observation can't be observed by somebody else"):
        observe(seen, 0)


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_determinized_states_observe_the_same(edition, players):
    rng = generator(5)
    for game in positions(edition, players):
        for viewer in (*range(players), SPECTATOR):
            seen = game.observe(viewer)
            imagined = determinize(seen, rng)
            assert seen.tobytes() == observe(imagined, viewer).tobytes()
            assert imagined.draw_pile.sum() == imagined.draw_size
            assert (imagined.hand.sum(axis=1) == imagined.hand_size).all()
            assert (imagined.hand >= 0).all()
            assert (imagined.draw_pile >= 0).all()
            assert Card.MERCHANT not in imagined.shipments


def test_a_whole_state_is_its_own_only_determinization():
    state = Game(2).state
    assert state.tobytes() == determinize(state, generator(1)).tobytes()


def test_every_way_to_place_the_hidden_cards_is_as_likely():
    """Three unseen cards, one hidden shipment, a hand of one, a draw pile of one."""
    state = Game(2).state
    state.recipient = -1
    state.stage = 4
    state.hand[:] = 0
    state.hand_size[:] = (0, 1, 0, 0)
    state.draw_pile[:] = 0
    state.discard_pile[0] = 1
    for card in ("W", "S", "M"):
        state.draw_pile[Card(card)] = 1
    state.draw_size = 1
    state.viewer = 0
    state.shipments[1, 0] = UNKNOWN
    rng = generator(11)
    seen = Counter()
    for _ in range(2000):
        imagined = determinize(state, rng)
        shipped = str(Card(int(imagined.shipments[1, 0])))
        (held,) = (str(Card(int(card))) for card in np.flatnonzero(imagined.hand[1]))
        seen[shipped, held] += 1
    expected = {("W", "S"), ("W", "M"), ("S", "W"), ("S", "M")}
    assert expected == set(seen)
    chi_square = sum((count - 500) ** 2 / 500 for count in seen.values())
    assert chi_square < 16.27  # 3 degrees of freedom, 0.1 %


def test_jakob_is_never_imagined_owed_a_good_that_does_not_exist():
    state = Game(2).state
    state.stage = 4
    state.recipient, state.owed = JAKOB, 1
    state.hand[:] = 0
    state.hand_size[:] = (0, 3, 0, 0)
    state.draw_pile[:] = 0
    state.draw_pile[Card("M")], state.draw_pile[Card("J")] = 3, 1
    state.draw_size = 1
    state.viewer = 0
    for seed in range(20):
        imagined = determinize(state, generator(seed))
        assert 1 == imagined.draw_pile[Card("J")]


def test_public_names_are_the_documented_ones():
    assert (4, 4) == (fugger.JAKOB, fugger.SPECTATOR)


def test_own_cards_are_the_observations():
    game = fugger.Game(3)
    game.deal_all(random.Random(1))
    game.play("+" if "+" in map(str, game.legal_actions) else game.legal_actions[-1])
    game.deal_all(random.Random(2))

    for seat in range(3):
        observation = game.observe(seat)
        expected = (observation.hand[seat].tolist(), observation.shipments[seat].tolist())
        assert expected == game.own_cards(seat)


@pytest.mark.parametrize("seat", [-1, 3, SPECTATOR, True, "0"])
def test_own_cards_of_no_seat(seat):
    with pytest.raises(SetupError, match="is no seat"):
        fugger.Game(3).own_cards(seat)
