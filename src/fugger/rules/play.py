"""The course of a game: a turn, the cards it brings, the end of a round, a new round.

`apply` and `deal` are the two moves of the rules. They trust their caller: whoever takes moves
from outside checks them first against `legal_actions` and the draw pile (`fugger.game` does).
"""

from __future__ import annotations

from fugger.cards import MERCHANT
from fugger.compiled import jitable
from fugger.rules.actions import DRAW, PASS, PLAY, SHIP
from fugger.rules.evaluation import move_prices, score_shipments, sell, target_reached
from fugger.rules.state import (
    ANY_SEAT,
    JAKOB,
    MARKET,
    NOBODY,
    ON_MERCHANT,
    ON_SHIPMENT,
    OPENING,
    OVER,
    REFILL,
    REWARD,
    TURNS,
    State,
)
from fugger.rules.supply import (
    MARKET_GOODS,
    MERCHANT_CARDS,
    REFILL_CARDS,
    discard_goods,
    discard_merchants,
    owe,
    owe_jakob,
)


@jitable
def apply(state: State, action: int) -> None:
    """The player whose turn it is takes a legal action; no card is owed."""
    seat = state.player & ANY_SEAT
    if action == DRAW:
        owe(state, seat, 1)
    elif action < SHIP:
        card = action - PLAY
        take_from_hand(state, seat, card)
        state.tableau[seat, card] += 1
        if card == MERCHANT:
            end_turn(state, state.trigger == ON_MERCHANT)
        elif not lies_on_table(state, card):
            end_turn(state, False)
    elif action < PASS:
        card = action - SHIP
        take_from_hand(state, seat, card)
        state.shipments[seat, state.round_number - 1] = card
        end_turn(state, state.trigger == ON_SHIPMENT)
    else:
        end_turn(state, False)


@jitable
def deal(state: State, card: int) -> None:
    """The recipient gets the card owed: one of the draw pile's."""
    state.draw_pile[card] -= 1
    state.draw_size -= 1
    recipient = state.recipient
    if recipient == JAKOB:
        turn_up(state, card)
        return
    seat = recipient & ANY_SEAT
    state.hand[seat, card] += 1
    state.hand_size[seat] += 1
    state.hand_kinds[seat] |= 1 << card
    if state.stage == TURNS:
        end_turn(state, False)
    elif state.owed == 1 or not owe(state, seat, state.owed - 1):
        deal_on(state, seat)


@jitable
def take_from_hand(state: State, seat: int, card: int) -> None:
    """Removes a card from a hand."""
    state.hand_size[seat] -= 1
    state.hand[seat, card] -= 1
    state.hand_kinds[seat] ^= int(state.hand[seat, card] == 0) << card


@jitable
def lies_on_table(state: State, card: int) -> bool:
    """Counts a good newly on the table; True if it ended the round."""
    good = card >> 1
    state.table[good] += 1
    if state.table[good] < state.round_end:
        return False
    end_round(state)
    return True


@jitable
def turn_up(state: State, card: int) -> None:
    """A card is turned up for Jakob: a good stays, for a merchant another one is turned."""
    owed = state.owed
    if card == MERCHANT:
        state.discard_pile[MERCHANT] += 1
        state.discard_size += 1
    else:
        owed -= 1
        state.jakob[card] += 1
        if lies_on_table(state, card):
            return
    if owed == 0 or not owe_jakob(state, owed):
        if state.stage == TURNS:
            next_turn(state)
        else:
            begin_turns(state)


@jitable
def end_turn(state: State, triggered: bool) -> None:
    """The turn is over but for Jakob, who gets a card if it triggered one.

    With two players he gets one more after every second turn of a round.
    """
    cards = int(triggered)
    if state.players == 2 and state.player != state.starter:
        cards += 1
    if cards == 0 or not owe_jakob(state, cards):
        next_turn(state)


@jitable
def next_turn(state: State) -> None:
    """The turn passes clockwise."""
    state.recipient = NOBODY
    state.owed = 0
    state.player = left_neighbour(state, state.player)


@jitable
def left_neighbour(state: State, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < state.players else 0


@jitable
def end_round(state: State) -> None:
    """A fifth card of a good lies on the table: evaluation, then a new round or the end."""
    move_prices(state)
    sell(state)
    if target_reached(state):
        score_shipments(state)
        state.stage = OVER
        state.recipient = NOBODY
        state.owed = 0
    else:
        new_round(state)


@jitable
def new_round(state: State) -> None:
    """Clears the table and begins dealing to the left neighbour of whose turn it was."""
    discard_goods(state)
    state.round_number += 1
    state.starter = left_neighbour(state, state.player)
    state.player = state.starter
    state.stage = REFILL
    if not owe(state, state.starter, REFILL_CARDS):
        deal_on(state, state.starter)


@jitable
def deal_on(state: State, seat: int) -> None:
    """Before a round: whose cards come next after this seat's, to the last for Jakob.

    From the starter clockwise everybody's opening hand, or everybody's two cards and then
    everybody's cards for merchants.
    """
    while True:
        seat = left_neighbour(state, seat)
        if seat == state.starter:
            if state.stage != REFILL:
                break
            state.stage = REWARD
        cards = cards_before_round(state, seat)
        if cards > 0 and owe(state, seat, cards):
            return
    if state.stage == REWARD:
        discard_merchants(state)
    state.stage = MARKET
    if not owe_jakob(state, MARKET_GOODS):
        begin_turns(state)


@jitable
def cards_before_round(state: State, seat: int) -> int:
    """How many cards a seat is dealt in the present stage."""
    if state.stage == OPENING:
        return state.opening_hand
    if state.stage == REFILL:
        return REFILL_CARDS
    return MERCHANT_CARDS[state.tableau[seat, MERCHANT]]


@jitable
def begin_turns(state: State) -> None:
    """The starter takes the round's first turn."""
    state.stage = TURNS
    state.recipient = NOBODY
    state.owed = 0
