"""Prices, sales and shipments: cases worked by hand."""

import json
from pathlib import Path

import pytest

from fugger import Card, Game, Good, IllegalAction
from fugger.editions import EDITIONS
from fugger.explain import Move, evaluate
from fugger.rules.evaluation import income, move_prices, score_shipments, winners
from fugger.rules.state import NO_CARD, new_state

CASES = json.loads((Path(__file__).parent / "data" / "evaluation.json").read_text())


def table(counts, prices, edition="adlung"):
    state = new_state(EDITIONS[edition], 3)
    state.table[:] = counts
    state.prices[:] = prices
    return state


@pytest.mark.parametrize("case", CASES["prices"], ids=lambda case: case["why"])
def test_prices_move(case):
    state = table(case["counts"], case["before"], case["edition"])
    move_prices(state)
    assert case["after"] == state.prices.tolist()


@pytest.mark.parametrize("case", CASES["prices"], ids=lambda case: case["why"])
def test_explanation_agrees_with_prices(case):
    explained = evaluate(table(case["counts"], case["before"], case["edition"]))
    assert case["after"] == [move.after for move in explained.prices]


@pytest.mark.parametrize("case", CASES["income"], ids=lambda case: case["why"])
def test_sales(case):
    state = table(case["counts"], case["prices"])
    for card, number in case["tableau"].items():
        state.tableau[1, Card(card)] = number
    assert case["income"] == income(state, 1)


def test_explanation_names_the_rule_that_moved_each_price():
    state = table([5, 4, 3, 0, 1], [5, 8, 2, 1, 3])
    moves = [Move.STOPPED, Move.STOPPED, Move.ROSE, Move.STAYED, Move.FELL]
    assert moves == [move.move for move in evaluate(state).prices]


def test_explanation_names_the_rule_that_moved_each_price_in_rody():
    state = table([5, 4, 3, 0, 1], [5, 8, 2, 1, 3], "rody")
    moves = [Move.WENT_ROUND, Move.WENT_ROUND, Move.ROSE, Move.FELL_ROUND, Move.FELL]
    assert moves == [move.move for move in evaluate(state).prices]


def test_shipments_pay_twice_their_price_and_seals_do_not_count():
    state = table([1, 1, 1, 1, 1], [2, 3, 9, 4, 5])
    state.shipments[0] = (Card("W*"), Card("J"))
    state.shipments[1] = (NO_CARD, Card("C"))
    score_shipments(state)
    assert [28, 4, 0, 0] == state.money.tolist()


def test_equal_money_shares_the_win():
    state = table([0] * 5, [5] * 5)
    state.money[:3] = (104, 90, 104)
    assert 0b101 == winners(state)


def deal(game, text):
    for card in text.split():
        game.deal(card)


def played(*, players=3, edition="adlung", target=100):
    """The rulebooks' worked example on a table: spice 5, cloth 4, wine 4, copper 2, jewelry 1."""
    game = Game(players=players, edition=edition, target=target)
    deal(game, "S S T W  S S T W  S T T W  W C")
    for action in ("S", "S", "S", "T", "T", "T", "W", "W", "W"):
        game.play(action)
    game.play("+")
    game.deal("C")
    game.play("+")
    game.deal("J")
    game.play("T")
    game.play("C")
    game.play("J")
    game.play("+")
    game.deal("C*")
    game.play("S")
    return game


def test_nobody_evaluates_before_the_fifth_card():
    game = played()
    assert (game.counts) == {
        Good.COPPER: 2,
        Good.CLOTH: 4,
        Good.WINE: 4,
        Good.SPICE: 4,
        Good.JEWELRY: 1,
    }
    assert [0, 0, 0] == game.money


@pytest.mark.parametrize("edition", ["adlung", "rody"])
def test_worked_example(edition):
    game = played(edition=edition)
    assert 1 == game.player
    game.play("S")
    assert [4, 9, 9, 1, 4] == list(game.prices.values())


def test_worked_example_goes_to_a_new_round_of_the_left_neighbour():
    game = played()
    game.play("S")
    assert (2, 2, None) == (game.round, game.recipient, game.player)


def test_worked_example_sales():
    game = played()
    game.play("S")
    assert game.money == [1 + 9 + 9 + 4 + 1, 1 + 9 + 9 + 4 + 1, 1 + 9 + 9 + 9]


def test_illegal_action_says_what_is_legal():
    game = played()
    with pytest.raises(IllegalAction, match=r"^\(J\) isn't legal: seat 2 may play \+ S"):
        game.play("(J)")
