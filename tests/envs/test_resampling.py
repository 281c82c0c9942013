"""What a seat may not know stays secret, and can be drawn anew."""

import random
from collections import Counter

import pyspiel
import pytest
from random_play import HABITS, SETUPS, finished_game
from spiel import after, events_of, load, states

SMALL_SETUPS = [("tiny", 2), ("adlung", 2), ("rody", 3), ("adlung", 4)]


def all_a_seat_is_told(state, seat):
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
        [] if state.current_player() != seat else state.legal_actions(),
    )


def test_what_a_seat_may_not_know_changes_nothing_for_it():
    game = load(players=2)
    mine = [4, 6, 8, 10]
    one = after(game, *mine, 0, 0, 2, 5, 4, 6, 0, 8, 12 + 2, 4)
    other = after(game, *mine, 1, 6, 4, 9, 4, 6, 0, 8, 12 + 9, 4)
    assert all_a_seat_is_told(one, 0) == all_a_seat_is_told(other, 0)
    assert all_a_seat_is_told(one, 1) != all_a_seat_is_told(other, 1)


@pytest.mark.parametrize(("edition", "players"), SMALL_SETUPS)
def test_resampling_leaves_what_the_seat_knows_as_it_was(edition, players):
    rng = random.Random(players)
    changed = 0
    for number, state in enumerate(states(load(players=players, edition=edition), players)):
        if number % (1 if edition == "tiny" else 9) and not state.is_terminal():
            continue
        for seat in range(players):
            other = state.resample_from_infostate(seat, rng.random)
            assert all_a_seat_is_told(state, seat) == all_a_seat_is_told(other, seat)
            assert state.current_player() == other.current_player()
            assert len(state.history()) == len(other.history())
            changed += state.history() != other.history()
    assert changed > 3


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_resampling_when_the_discard_pile_has_been_turned(edition, players):
    rng = random.Random(1)
    game = load(players=players, edition=edition)
    for seed, habit in enumerate(HABITS):
        events = events_of(finished_game(seed, habit, players=players, edition=edition))
        for share in (0.6, 0.9, 1.0):
            state = after(game, *events[: int(share * len(events))])
            seat = rng.randrange(players)
            other = state.resample_from_infostate(seat, rng.random)
            assert state.information_state_string(seat) == other.information_state_string(seat)
            assert state.current_player() == other.current_player()


@pytest.mark.parametrize(("edition", "players"), [("adlung", 3), ("rody", 4)])
def test_resampling_looks_at_nothing_the_seat_may_not_know(edition, players):
    game = load(players=players, edition=edition)
    events = events_of(finished_game(2, HABITS[1], players=players, edition=edition))
    one = after(game, *events[: 2 * len(events) // 3])
    for seat in range(players):
        other = one.resample_from_infostate(seat, random.Random(seat).random)
        assert one.history() != other.history()
        drawn = [
            state.resample_from_infostate(seat, random.Random(7).random).history()
            for state in (one, other)
        ]
        assert drawn[0] == drawn[1]


def test_resampling_for_nobody():
    state = load(players=2).new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="5 is no seat: expected 0 to 1"):
        state.resample_from_infostate(5, random.random)


def test_every_past_that_a_seat_may_imagine_comes_up():
    game = load(players=2, edition="tiny")
    state = after(game, 0, 2, 0, 2, 12, 2)
    expected = set()
    for own in (0, 2):  # what seat 1 was dealt, and shipped
        expected.add((own, 2, 0, 2, 12 + own, 2))
    drawn = {
        tuple(state.resample_from_infostate(1, random.Random(seed).random).history())
        for seed in range(50)
    }
    assert expected == drawn


def pasts(state, seat, told, weight=1.0):
    """Every past that a seat may imagine, with how likely it is if the others play any card."""
    if state.information_state_string(seat) == told:
        yield tuple(state.history()), weight
    elif told.startswith(f"{state.information_state_string(seat)} ".replace(":  ", ": ")):
        if state.is_chance_node():
            moves = state.chance_outcomes()
        else:
            hand = state.position().hand.tolist()[state.current_player()]
            moves = [
                (action, 1.0 if state.current_player() == seat else chance(action, hand))
                for action in state.legal_actions()
            ]
        for move, likelihood in moves:
            yield from pasts(state.child(move), seat, told, weight * likelihood)


def chance(action, hand):
    """How likely an action is of a seat that takes any of its cards, having decided what for."""
    return 1.0 if action == 0 else hand[(action - 1) % 11] / sum(hand)


@pytest.mark.parametrize(
    ("events", "number"),
    [
        ([2, 0, 0, 2, 0, 2, 0, 2, 0, 14, 2], 6),  # seat 1 drew a card and shipped one
        ([2, 0, 0, 0, 0, 0, 0, 2, 2, 3], 3),  # seat 1 drew a card and played cloth
    ],
)
def test_pasts_come_up_as_often_as_they_should(events, number):
    game = load(players=2, edition="tiny")
    state = after(game, *events)
    likely = dict(pasts(game.new_initial_state(), 1, state.information_state_string(1)))
    assert number == len(likely)
    rng = random.Random(1)
    drawn = Counter(
        tuple(state.resample_from_infostate(1, rng.random).history()) for _ in range(2000)
    )
    assert likely.keys() == drawn.keys()
    for past, weight in likely.items():
        assert weight / sum(likely.values()) == pytest.approx(drawn[past] / 2000, abs=0.04)
