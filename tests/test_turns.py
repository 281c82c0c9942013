"""Turns, deals and rounds, rule by rule, on games dealt by hand."""

import random

import numpy as np
import pytest
from random_play import steps

from fugger import JAKOB, Card, Game, Good, IllegalAction, IllegalDeal, SetupError


def game_of(cards, **setup):
    game = Game(**setup)
    deal(game, cards)
    return game


def deal(game, cards):
    for card in cards.split():
        game.deal(card)


def play(game, tokens):
    """Actions, and after a colon the cards dealt then: ``+:W (S):C,M,J``."""
    for token in tokens.split():
        action, _, cards = token.partition(":")
        game.play(action)
        for card in filter(None, cards.split(",")):
            game.deal(card)


def texts(cards):
    return {str(card): number for card, number in cards.items()}


def test_opening_deals_four_cards_to_each_from_the_first_seat_then_two_to_jakob():
    game = Game(players=3, first=1)
    recipients = []
    for card in ["C", "C", "C", "C", "T", "T", "T", "T", "W", "W", "W", "W", "S", "S"]:
        recipients.append(game.recipient)
        game.deal(card)
    assert recipients == [1] * 4 + [2] * 4 + [0] * 4 + [JAKOB] * 2
    assert (1, 1, None) == (game.round, game.player, game.recipient)


def test_a_merchant_turned_up_for_jakob_is_discarded_and_another_card_turned():
    game = game_of("C C C C T T T T M S M M J", players=2)
    assert ({"S": 1, "J": 1}, {"M": 3}) == (texts(game.jakob), texts(game.discard_pile))
    assert ["J:M", "J:S", "J:M", "J:M", "J:J"] == game.tokens[8:]


def test_drawing_needs_four_cards_or_fewer():
    game = game_of("C C C C T T T T W W", players=2)
    play(game, "+:S +:S,J")
    assert 5 == sum(game.hand(0).values())
    assert "+" not in map(str, game.legal_actions)


def test_a_third_merchant_cannot_be_played():
    game = game_of("M M M C T T T T W W", players=2, edition="rody")
    play(game, "M:S T:S M:J T:J")
    assert ["+", "C", "(C)"] == list(map(str, game.legal_actions))


def test_merchants_are_not_shipped_and_one_good_is_shipped_a_round():
    game = game_of("M C C* T T T T T W W", players=2)
    assert ["+", "C", "C*", "T", "M", "(C)", "(C*)", "(T)"] == list(map(str, game.legal_actions))
    play(game, "(C*):S T:J")
    assert ["+", "C", "T", "M"] == list(map(str, game.legal_actions))
    assert [Card("C*"), None] == game.shipments(0)


@pytest.mark.parametrize(
    ("players", "edition", "action", "jakob_is_owed"),
    [
        (3, "adlung", "(C)", True),
        (3, "adlung", "M", False),
        (3, "rody", "(C)", False),
        (3, "rody", "M", True),
        (4, "adlung", "(C)", False),
        (4, "rody", "M", False),
        (2, "adlung", "(C)", True),
        (2, "rody", "M", True),
    ],
)
def test_what_gives_jakob_an_extra_card(players, edition, action, jakob_is_owed):
    game = Game(players, edition)
    deal(game, "M C C T")
    deal(game, "W* W T W " * (players - 1) if players < 4 else "W* W T W S* S T S J* J T J")
    deal(game, "S J")
    game.play(action)
    assert (JAKOB if jakob_is_owed else None) == game.recipient


def test_two_players_turn_up_a_card_for_jakob_after_every_second_turn():
    game = game_of("C C C C T T T T W W", players=2, first=1)
    play(game, "C")
    assert 0 == game.player
    play(game, "T")
    assert game.recipient == JAKOB
    game.deal("S")
    assert 1 == game.player


def test_a_triggered_card_comes_before_the_two_player_card():
    game = game_of("C C C C T T T T W W", players=2)
    play(game, "C (T)")
    assert (JAKOB, 2) == (game.recipient, game.owed)
    deal(game, "M S M J")
    assert (0, {"W": 2, "S": 1, "J": 1}) == (game.player, texts(game.jakob))


def test_a_drawn_card_comes_before_the_two_player_card():
    game = game_of("C C C C T T T T W W", players=2)
    play(game, "C +")
    assert 1 == game.recipient
    game.deal("S")
    assert game.recipient == JAKOB


def test_the_round_ends_at_once_and_cards_still_owed_to_jakob_are_not_turned_up():
    game = game_of("C C J J T T T T W W", players=2)
    play(game, "C T:C C T:C J (T)")
    assert (JAKOB, 2, 4) == (game.recipient, game.owed, game.counts[Good.COPPER])
    game.deal("C")
    assert (2, 0, 2, {}) == (game.round, game.recipient, game.owed, game.jakob)


def test_a_new_round_deals_two_to_each_then_for_merchants_then_to_jakob():
    game = game_of("M C C T  M M C C  C S S J  W W", players=3)
    play(game, "M M C C M S C C J T C")  # seat 2 ends the round, so seat 3 starts the next
    recipients = []
    for card in ["W", "W", "W", "W", "W", "T", "T", "T", "T", "T", "T", "S", "S"]:
        recipients.append(game.recipient)
        game.deal(card)
    assert [2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1] == recipients
    assert (JAKOB, 2) == (game.recipient, game.owed)
    assert {"C": 5, "T": 1, "W": 2, "S": 1, "J": 1, "M": 3} == texts(game.discard_pile)
    deal(game, "S J")
    assert (2, {}, {}, {}) == (game.player, *map(game.tableau, range(3)))


def test_shipping_is_over_after_round_two():
    game = Game(players=2)
    shipping = set()
    for _ in steps(game, random.Random(2)):
        if any(action.is_shipment for action in game.legal_actions):
            shipping.add(game.round)
    assert {1, 2} == shipping
    assert game.round > 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.deal("T*"), "T* can't be dealt: no card is owed, seat 1 is to act"),
        (lambda g: g.deal("X"), "'X' is no card: expected a good's letter C T W S J, with *"),
        (lambda g: g.deal(11), "11 is no card: expected a number from 0 to 10"),
        (lambda g: g.deal(None), "None is no card: expected one of C C* T T* W W* S S* J J* M"),
        (lambda g: g.deal(True), "True is no card"),
        (lambda g: g.play("S"), "S isn't legal: seat 1 may play + C (C)"),
        (lambda g: g.play(22), "-- isn't legal: seat 1 may play + C (C)"),
        (lambda g: g.play("(M)"), "'(M)' is no action: expected + to draw, a card such as W*"),
        (
            lambda g: g.play(23),
            "23 is no action: expected an Action, its notation or its number, 0 to 22;",
        ),
        (
            lambda g: g.play(1.0),
            "1.0 is no action: expected an Action, its notation or its number, 0 to 22;",
        ),
        (lambda g: g.deal(Good.WINE), "Good('W') is no card: expected one of C C* T"),
        (lambda g: g.play(Card("C")), "Card('C') is no action: expected an Action, its notation"),
        (lambda g: g.play(np.zeros((2, 2))), "array([[0., 0.], [0., 0.]]) is no action"),
        (lambda g: g.play(10**5000), "<a huge int> is no action: expected an Action"),
        (lambda g: g.hand(2), "2 is no seat: expected 0 to 1"),
        (lambda g: g.hand(True), "True is no seat: expected 0 to 1"),
        (lambda g: g.hand(-1), "-1 is no seat: expected 0 to 1"),
        (lambda g: g.observe(3), "3 is no seat: expected 0 to 1, or SPECTATOR"),
        (lambda g: g.observe(1.0), "1.0 is no seat: expected 0 to 1, or SPECTATOR"),
        (lambda g: g.observe("1"), "'1' is no seat: expected 0 to 1, or SPECTATOR"),
    ],
)
def test_errors_say_what_was_wrong_and_what_would_be_right(call, message):
    game = game_of("C C C C T T T T W W", players=2)
    before = game.state.tobytes()
    with pytest.raises((IllegalAction, IllegalDeal, SetupError)) as error:
        call(game)
    assert str(error.value).startswith(message)
    assert before == game.state.tobytes()


def test_numpy_s_whole_numbers_are_as_good_as_python_s():
    game = Game(players=np.int8(2), first=np.uint8(1), target=np.int64(50))
    game.deal(np.int64(Card("M")))
    deal(game, "C C C T T T T W W")
    game.play(np.uint8(11))
    assert ({"M": 1}, {"C": 3}) == (texts(game.tableau(np.int16(1))), texts(game.hand(np.int64(1))))
    assert game.observe(np.int64(0)) == game.observe(0)


def test_a_card_that_the_draw_pile_does_not_hold_cannot_be_dealt():
    game = game_of("C* C*", players=2)
    with pytest.raises(IllegalDeal, match=r"^C\* can't be dealt: the draw pile holds 7 C, 7 T,"):
        game.deal("C*")


def test_an_action_waits_for_the_cards_owed():
    game = game_of("C", players=2)
    with pytest.raises(IllegalAction, match=r"^\+ isn't legal: seat 1 is owed a card first$"):
        game.play("+")


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ({"players": 5}, "players is 5: expected a whole number from 2 to 4"),
        ({"players": True}, "players is True: expected a whole number from 2 to 4"),
        ({"players": "3"}, "players is '3': expected a whole number from 2 to 4"),
        ({"players": 2, "first": 2}, "first is 2: expected a whole number from 0 to 1"),
        ({"target": 19}, "target is 19: expected a whole number from 20 to 500"),
        ({"target": 100.0}, "target is 100.0: expected a whole number from 20 to 500"),
        ({"target": 501}, "target is 501: expected a whole number from 20 to 500"),
        ({"edition": "wrede"}, "'wrede' is no edition: expected adlung or rody"),
        ({"edition": ["adlung"]}, "['adlung'] is no edition: expected adlung or rody"),
    ],
)
def test_a_setup_no_game_can_have(setup, message):
    with pytest.raises(ValueError, match="^" + message.replace("[", r"\[").replace("]", r"\]")):
        Game(**setup)
