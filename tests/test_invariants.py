"""What holds at every state of every game."""

import copy
import pickle
import random

import pytest
from random_play import HABITS, SETUPS, steps

import fugger
from fugger import Card, Game, IllegalAction, NotationError, RecordError
from fugger.cards import GOOD_KINDS, KINDS
from fugger.rules.state import NOBODY, OVER, STATE

SEEDS = range(6)


def counters(state):
    """The counters of a state, recomputed from the rest of it."""
    on_table = state.jakob[:GOOD_KINDS] + state.tableau[:, :GOOD_KINDS].sum(axis=0)
    return {
        "draw_size": state.draw_pile.sum(),
        "discard_size": state.discard_pile.sum(),
        "table": (on_table[0::2] + on_table[1::2]).tolist(),
        "hand_size": state.hand.sum(axis=1).tolist(),
        "hand_kinds": [
            sum(1 << card for card in range(KINDS) if hand[card]) for hand in state.hand
        ],
    }


def kept(state):
    return {
        "draw_size": state.draw_size,
        "discard_size": state.discard_size,
        "table": state.table.tolist(),
        "hand_size": state.hand_size.tolist(),
        "hand_kinds": state.hand_kinds.tolist(),
    }


def box(state):
    """How many of each card there are, wherever they lie."""
    shipped = [int(card) for card in state.shipments.flat if card >= 0]
    cards = state.draw_pile + state.discard_pile + state.jakob
    cards = cards + state.hand.sum(axis=0) + state.tableau.sum(axis=0)
    return [int(cards[card]) + shipped.count(card) for card in range(KINDS)]


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_every_state_of_random_play(edition, players, habit):
    for seed in SEEDS:
        game = Game(players, edition, first=seed % players)
        for token in steps(game, random.Random(seed), habit):
            state = game.state
            assert box(state) == [7, 2] * 5 + [4], token
            assert counters(state) == kept(state), token
            assert all(1 <= price <= 9 for price in state.prices), token
            assert (state.table <= 5).all(), token
            assert (state.tableau[:, Card.MERCHANT] <= 2).all(), token
            assert state.jakob[Card.MERCHANT] == 0, token
            assert (state.recipient == NOBODY) == (state.owed == 0), token
            assert state.recipient == NOBODY or state.draw_size > 0, token
            waiting = (game.player is not None, game.recipient is not None, game.is_over)
            assert sum(waiting) == 1, token
            assert bool(game.legal_actions) == (game.player is not None), token
        assert game.state.stage == OVER
        assert max(game.money) >= game.target


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_any_starting_seat_and_target(edition, players):
    for first in range(players):
        for target in (20, 500):
            game = Game(players, edition, first, target)
            for _ in steps(game, random.Random(first)):
                pass
            assert max(game.money) >= target


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_undo_restores_the_state_before_the_action(edition, players):
    game, rng = Game(players, edition), random.Random(3)
    before = {}
    for _ in steps(game, rng):
        if game.player is not None:
            before[game.actions_taken] = (game.state.tobytes(), game.tokens, len(game.evaluations))
    for actions in range(game.actions_taken - 1, -1, -1):
        game.undo()
        assert before[actions] == (game.state.tobytes(), game.tokens, len(game.evaluations))
    with pytest.raises(fugger.IllegalAction, match="nothing to undo"):
        game.undo()


@pytest.mark.parametrize(
    "copied", [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_a_copy_goes_its_own_way(copied):
    game, rng = Game(2), random.Random(1)
    game.deal_all(rng)
    game.play(game.legal_actions[0])
    game.deal_all(rng)
    twin = copied(game)
    before = (game.state.tobytes(), game.tokens, {})
    twin.undo()
    twin.play(twin.legal_actions[1])
    twin.tags["Seat1"] = "Anna"
    assert before == (game.state.tobytes(), game.tokens, game.tags)
    assert (1, game.tokens[:10]) == (twin.actions_taken, twin.tokens[:10])
    assert twin.tokens[10:] != game.tokens[10:]


@pytest.mark.parametrize(
    "error",
    [
        NotationError("card", "X", "a good's letter"),
        RecordError("is no tag", line=3, column=2, token="[", breaks_rule=True),
        IllegalAction("+ isn't legal", (fugger.Action.PASS,)),
    ],
)
def test_an_error_comes_whole_out_of_another_process(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(error), str(error), vars(error)) == (type(again), str(again), vars(again))


def test_evaluations_add_up_to_the_money():
    for edition, players in SETUPS:
        game = Game(players, edition)
        for _ in steps(game, random.Random(5)):
            pass
        earned = [
            sum(evaluation.income[seat] for evaluation in game.evaluations)
            for seat in range(players)
        ]
        last = game.evaluations[-1]
        assert earned == list(last.money)
        shipped = [sum(gulden for _, gulden in lines) for lines in last.shipments]
        assert game.money == [money + paid for money, paid in zip(earned, shipped, strict=True)]
        for evaluation in game.evaluations:
            assert [sum(sale.gulden for sale in sales) for sales in evaluation.sales] == list(
                evaluation.income
            )
            assert 5 == max(move.count for move in evaluation.prices)


def test_outlook_is_the_evaluation_if_the_round_ended_now():
    game = Game(2)
    for card in ["C", "C", "C", "C", "T", "T", "T", "T", "W", "W"]:
        game.deal(card)
    game.play("C")
    assert [6, 4, 7, 4, 4] == [move.after for move in game.outlook.prices]
    assert (6, 0) == game.outlook.income


def test_a_state_is_small():
    assert STATE.itemsize < 512
