"""Editions of one's own: numbers that make no game are refused, all others play to the end."""

import random
from dataclasses import replace

import pytest
from random_play import steps

from fugger import ADLUNG, EDITIONS, RODY, EditionError, Game, SetupError
from fugger.editions import TINY


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jakob_trigger": "ship"}, "jakob_trigger is 'ship': expected shipment or merchant"),
        ({"jakob_trigger": None}, "jakob_trigger is None: expected shipment or merchant"),
        ({"name": 1}, "name is 1: expected a text"),
        ({"must_exceed_target": "no"}, "must_exceed_target is 'no': expected a bool"),
        ({"target": -1}, "target is -1: expected a whole number from 0 to 10000"),
        ({"target": 40_000}, "target is 40000: expected a whole number from 0 to 10000"),
        ({"target": 50.0}, "target is 50.0: expected a whole number from 0 to 10000"),
        ({"goods": 6}, "goods is 6: expected a whole number from 1 to 5"),
        ({"merchants": True}, "merchants is True: expected a whole number from 0 to 6"),
        ({"round_end": 2}, "round_end is 2: expected a whole number from 3 to 9"),
        ({"starting_price": 10}, "starting_price is 10: expected a whole number from 1 to 9"),
    ],
)
def test_numbers_that_make_no_game(changes, message):
    with pytest.raises(EditionError) as error:
        replace(ADLUNG, **changes)
    assert message == str(error.value)


def test_an_edition_with_too_few_goods_for_a_round_to_end():
    tiny = replace(RODY, name="tiny", goods=2, plain_cards=2, sealed_cards=2, round_end=3)
    with pytest.raises(SetupError, match="2 players need at least 9 goods"):
        Game(2, tiny)


@pytest.mark.parametrize("edition", [ADLUNG, RODY])
@pytest.mark.parametrize(
    ("players", "box"),
    [
        (2, {"goods": 1, "plain_cards": 22, "sealed_cards": 0, "merchants": 0, "round_end": 9}),
        (2, {"goods": 2, "plain_cards": 5, "sealed_cards": 1, "opening_hand": 1, "round_end": 3}),
        (3, {"goods": 3, "plain_cards": 0, "sealed_cards": 9, "merchants": 6, "opening_hand": 2}),
        (4, {"goods": 5, "plain_cards": 12, "sealed_cards": 4, "opening_hand": 8, "round_end": 9}),
    ],
)
def test_games_of_another_box_come_to_an_end(edition, players, box):
    game = Game(players, replace(edition, name="other", **box), target=40)
    for _ in steps(game, random.Random(players)):
        pass
    assert game.is_over


def test_a_target_of_nothing_makes_the_first_round_the_last():
    game = Game(2, TINY)
    for card in ("C", "T", "C", "C"):
        game.deal(card)
    game.play("C")
    assert game.is_over
    assert 1 == game.round
    assert [8, 0] == game.money


def test_players_are_not_offered_the_tiny_edition():
    assert TINY.name not in EDITIONS
