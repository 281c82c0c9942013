"""python_fugger is the game of the engine, told as OpenSpiel wants it."""

import random
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from random_play import HABITS, SETUPS, finished_game
from spiel import after, events_of, load, states, step

from fugger import EditionError, Game, SetupError, record
from fugger.cards import CARD_TEXTS
from fugger.editions import TINY
from fugger.envs import tensor
from fugger.envs.lengths import longest

SMALL_SETUPS = [("tiny", 2), ("adlung", 2), ("rody", 3), ("adlung", 4)]


@pytest.mark.parametrize(("edition", "players"), SMALL_SETUPS)
@pytest.mark.parametrize("reward", ["win_share", "margin"])
def test_the_random_simulations_of_openspiel(edition, players, reward):
    game = load(players=players, edition=edition, reward=reward)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_it_is_the_game_of_the_engine(edition, players):
    state = load(players=players, edition=edition, first=1).new_initial_state()
    game = Game(players, edition, first=1)
    rng = random.Random(players)
    while not game.is_over:
        assert not state.is_terminal()
        if game.recipient is not None:
            size = sum(game.chances.values())
            chances = [(int(card), number / size) for card, number in game.chances.items()]
            assert chances == state.chance_outcomes()
        else:
            assert game.player == state.current_player()
            assert list(map(int, game.legal_actions)) == state.legal_actions()
            row = tensor.tensor_of(game.observe(game.player))
            assert row.tolist() == state.observation_tensor(game.player)
        assert " ".join(game.tokens) == str(state)
        step(state, rng)
        event = state.history()[-1]
        game.deal(event) if game.recipient is not None else game.play(event)
    assert state.is_terminal()
    shares = [1 / len(game.winners) * (seat in game.winners) for seat in range(players)]
    assert pytest.approx([share - 1 / players for share in shares]) == state.returns()


@pytest.mark.parametrize(("players", "utility"), [(2, "ZERO_SUM"), (3, "GENERAL_SUM")])
def test_the_margin_is_worth_gulden(players, utility):
    finished = finished_game(5, players=players)
    game = load(players=players, reward="margin")
    assert utility == game.get_type().utility.name
    best, second = sorted(finished.money, reverse=True)[:2]
    expected = [money - (second if money == best else best) for money in finished.money]
    assert expected == after(game, *events_of(finished)).returns()


def test_shares_of_the_win_sum_to_zero():
    for players in (2, 3, 4):
        game = load(players=players)
        assert "ZERO_SUM" == game.get_type().utility.name
        assert 0 == game.utility_sum()
        *_, end = states(game, players)
        assert 0 == pytest.approx(sum(end.returns()))
        assert max(end.returns()) <= game.max_utility() == 1 - 1 / players


@pytest.mark.parametrize(("edition", "players"), SMALL_SETUPS)
def test_an_information_state_tells_what_a_record_shows_the_seat(edition, players):
    for state in states(load(players=players, edition=edition), players):
        if state.is_terminal():
            break
        game = Game(players, TINY if edition == "tiny" else edition)
        for event in state.history():
            game.deal(event) if game.recipient is not None else game.play(event)
        for seat in range(players):
            told = " ".join(record.writing.tokens_for(game, seat))
            assert f"seat {seat + 1}: {told}" == state.information_state_string(seat)


def test_an_information_state_as_numbers():
    # Seat 2's cards are known to it; seat 1, its left neighbour at place 1, ships in secret.
    state = after(load(players=2, edition="tiny"), 0, 2, 0, 0, 12, 2)
    assert "seat 2: 1:? 2:T J:C J:C (?) J:T" == state.information_state_string(1)
    numbers = state.information_state_tensor(1)
    assert state.observation_tensor(1) == numbers[: tensor.SIZE]
    jakob = 25 + 12 * 4
    expected = [25 + 12 + 11, 25 + 2, jakob, jakob, 24, jakob + 2, 0]
    assert expected == numbers[tensor.SIZE : tensor.SIZE + 7]
    assert "seat 1: 1:C 2:? J:C J:C (C) J:T" == state.information_state_string(0)
    assert 13 == state.information_state_tensor(0)[tensor.SIZE + 4]


def test_at_the_end_everyone_sees_the_shipments():
    state = next(s for s in states(load(players=2, edition="tiny"), 8) if s.is_terminal())
    shipped = [(seat, card) for seat, card in enumerate(state.position().shipments.tolist())]
    shown = "".join(
        f" {seat + 1}({CARD_TEXTS[card]})" for seat, cards in shipped for card in cards if card >= 0
    )
    assert shown
    for seat in range(2):
        assert state.information_state_string(seat).endswith(shown)


def test_copies_and_stored_states_are_independent_and_the_same():
    game = load(players=3, edition="rody", target=50)
    for number, state in enumerate(states(game, 3)):
        if number % 29 and not state.is_terminal():
            continue
        twin = state.clone()
        loaded_game, loaded = pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(game, state)
        )
        assert str(game) == str(loaded_game)
        assert str(state) == str(twin) == str(loaded)
        assert state.history() == twin.history() == loaded.history()
        if not state.is_terminal():
            before = str(state)
            step(twin, random.Random(1))
            step(loaded, random.Random(1))
            assert before == str(state) != str(twin) == str(loaded)


def test_actions_are_told_in_the_notation_of_records():
    game = load(players=2)
    state = after(game, 4, 4, 10, 0, 2, 2, 7, 1, 5)
    assert "W*" == state.action_to_string(-1, 5)
    state.apply_action(5)
    assert ["+", "C", "W", "M", "(C)", "(W)"] == [
        state.action_to_string(0, action) for action in state.legal_actions()
    ]
    assert 16 == state.string_to_action("(W)")


@pytest.mark.parametrize(
    ("events", "wrong", "message"),
    [
        ([], 1, r"C\* \(1\) isn't legal: chance may deal C \(0\) T \(2\)"),
        ([], 99, r"99 \(99\) isn't legal: chance may deal"),
        ([0, 2, 0, 0], 3, r"T \(3\) isn't legal: seat 1 may play \+ \(0\) C \(1\) \(C\) \(12\)"),
        ([0, 2, 0, 0], 23, r"23 \(23\) isn't legal: seat 1 may play"),
        ([0, 2, 0, 0, 1], 0, r"\+ \(0\) isn't legal: the game is over"),
    ],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(events, wrong, message):
    state = after(load(players=2, edition="tiny"), *events)
    before = str(state)
    with pytest.raises(pyspiel.SpielError, match=message):
        state.apply_action(wrong)
    assert before == str(state)
    assert events == state.history()


@pytest.mark.parametrize(
    ("setup", "error", "message"),
    [
        ({"players": 5}, SetupError, "players is 5: expected a whole number from 2 to 4"),
        ({"edition": "augsburg"}, EditionError, "'augsburg' is no edition: expected adlung or"),
        ({"first": 3}, SetupError, "first is 3: expected a whole number from 0 to 2"),
        ({"target": 7}, SetupError, "target is 7: expected a whole number from 20 to 500"),
        ({"reward": "money"}, SetupError, "'money' is no reward: expected win_share or margin"),
    ],
)
def test_setups_that_no_game_can_have(setup, error, message):
    with pytest.raises(error, match=message):
        load(**setup)


def test_an_observer_of_what_everyone_knows():
    game = load(players=2, edition="tiny")
    state = after(game, 0, 2, 0, 0, 12, 2)
    public = pyspiel.IIGObservationType(
        perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE
    )
    observer = game.make_py_observer(public)
    assert "everyone: 1:? 2:? J:C J:C (?) J:T" == observer.string_from(state, 0)
    observer.set_from(state, 1)
    assert [0] * 11 == tensor.plane(observer.dict["observation"], "hand").tolist()
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(pyspiel.SpielError, match="what one player knows, or what everyone does"):
        game.make_py_observer(everything)


def test_more_than_the_tensor_has_room_for_is_an_error():
    game = load(players=2, target=20)
    state = after(game, *[0] * 3)
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.tensor = np.zeros(tensor.SIZE + 2, np.float32)
    with pytest.raises(pyspiel.SpielError, match=r"3 things have happened: .* room for 2"):
        observer.set_from(state, 0)


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_no_game_is_longer_than_the_longest(edition, players):
    for target in (20, 100):
        for seed, habit in enumerate(HABITS):
            game = finished_game(seed, habit, players=players, edition=edition, target=target)
            bound = longest(game.edition, players, target)
            assert 2 * len(game.tokens) < bound.events
            assert game.actions_taken <= bound.actions
            assert len(game.tokens) - game.actions_taken <= bound.deals


def test_without_openspiel_the_extra_is_named():
    code = "import sys; sys.modules['pyspiel'] = None; import fugger.envs.openspiel"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 1 == ran.returncode
    assert "pip install 'fugger[openspiel]'" in ran.stderr
