"""Endings made by hand, and a solver that proves what is best in them.

The solver knows no rule and no bot: it goes through every action, every deal and every way the
hidden cards can lie, by the engine, and gives bounds of what part of the win is to be had. It is
sure of little, so that it is right: what comes after its last ply may be anything, others who may
know less than it does may do anything, and a second decision of one's own among hidden cards isn't
looked into.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np

from fugger import Action, Card, observe
from fugger.bots.memory import no_memories
from fugger.cards import KINDS
from fugger.editions import ADLUNG, Edition
from fugger.rules.actions import actions_in, legal_actions
from fugger.rules.evaluation import winners
from fugger.rules.fields import fields_from_bytes
from fugger.rules.play import apply, deal
from fugger.rules.state import (
    JAKOB,
    NO_CARD,
    NOBODY,
    OVER,
    SHIPPING_ROUNDS,
    TURNS,
    UNKNOWN,
    copy_of,
    new_state,
)


@dataclass(frozen=True)
class Ending:
    """A position: cards as texts, one for each seat. What lies nowhere is in the discard pile.

    It is the first seat's turn, which `best` is for. With `remembered` the second seat's hand is
    kept since the discard pile was turned.
    """

    best: str
    money: tuple[int, ...]
    hands: tuple[str, ...]
    tableaus: tuple[str, ...]
    jakob: str = ""
    prices: tuple[int, ...] = (5, 5, 5, 5, 5)
    shipments: tuple[str, ...] = ()
    draw_pile: str = ""
    edition: Edition = ADLUNG
    starter: int = 0
    round_number: int = 3
    remembered: bool = False
    plies: int = 2

    def but(self, **changes):
        return replace(self, **changes)

    @property
    def state(self):
        players = len(self.money)
        state = new_state(self.edition, players)
        state.stage, state.recipient, state.owed = TURNS, NOBODY, 0
        state.round_number, state.starter = self.round_number, self.starter
        state.prices[:] = self.prices
        state.money[:players] = self.money
        state.jakob[:] = numbers(self.jakob)
        for seat in range(players):
            state.hand[seat] = numbers(self.hands[seat])
            state.tableau[seat] = numbers(self.tableaus[seat])
        for seat, cards in enumerate(self.shipments):
            for number, card in enumerate(cards.split()):
                state.shipments[seat, number] = NO_CARD if card == "-" else Card(card)
        rest = state.draw_pile.copy()
        state.draw_pile[:] = numbers(self.draw_pile)
        for card in state.shipments[state.shipments >= 0]:
            rest[card] -= 1
        rest -= state.draw_pile + state.jakob + state.hand.sum(axis=0) + state.tableau.sum(axis=0)
        assert (rest >= 0).all(), "more cards than the box has"
        state.discard_pile[:] = rest
        on_table = (state.jakob + state.tableau.sum(axis=0))[:10]
        state.table[:] = on_table[0::2] + on_table[1::2]
        assert (state.table < state.round_end).all()
        state.draw_size, state.discard_size = state.draw_pile.sum(), rest.sum()
        state.hand_size[:] = state.hand.sum(axis=1)
        state.hand_kinds[:] = [sum(1 << card for card in range(11) if h[card]) for h in state.hand]
        return state

    @property
    def memories(self):
        memories = no_memories()
        if self.remembered:
            memories[0].kept[:] = self.state.hand[1]
            memories[0].in_hand[1] = self.state.hand_size[1]
        return memories


def numbers(cards):
    counts = Counter(map(Card, cards.split()))
    return np.array([counts[card] for card in range(11)], np.int16)


def proven(ending):
    """Of each legal action the least and the greatest part of the win, whatever is hidden."""
    state = ending.state
    lying = [state] if ending.remembered else imagined(observe(state, 0))
    certain = len(lying) == 1 and state.players == 2 and state.draw_size == 0
    bounds = {}
    for action in actions_in(legal_actions(state)):
        each = [after(one, action, certain, ending.plies) for one in lying]
        bounds[action] = tuple(sum(bound) / len(each) for bound in zip(*each, strict=True))
    return bounds


def optimal(bounds):
    """Actions that are certainly as good as any other."""
    most = max(high for _, high in bounds.values())
    return {action for action, (low, _) in bounds.items() if low >= most - 1e-9}


def imagined(observation):
    """All states that may be behind an observation, as often as they are likely."""
    states = [observation]
    for seat in range(observation.players):
        for shipment in range(2):
            if observation.shipments[seat, shipment] == UNKNOWN:
                states = [
                    shipped(state, seat, shipment, card)
                    for state in states
                    for card in range(10)
                    for _ in range(state.draw_pile[card])
                ]
        if seat != observation.viewer:
            states = [
                holding(state, seat, cards)
                for state in states
                for cards in combinations(
                    np.repeat(range(11), state.draw_pile).tolist(), int(state.hand_size[seat])
                )
            ]
    for state in states:
        state.viewer = -1
    assert len(states) < 5000, "too much is hidden"
    return states


def shipped(state, seat, shipment, card):
    state = copy_of(state)
    state.draw_pile[card] -= 1
    state.shipments[seat, shipment] = card
    return state


def holding(state, seat, cards):
    state = copy_of(state)
    for card in cards:
        state.draw_pile[card] -= 1
        state.hand[seat, card] += 1
        state.hand_kinds[seat] |= 1 << card
    return state


def after(state, action, certain, plies):
    return value(acted(state, action).tobytes(), certain, plies - 1)


def acted(state, action):
    state = fields_from_bytes(state.tobytes())
    apply(state, int(action))
    return state


@cache
def value(snapshot, certain, plies):
    """The least and the greatest part of the win that the first seat can expect.

    Certain: everyone knows everything.
    """
    state = fields_from_bytes(snapshot)
    if state.stage == OVER:
        won = int(winners(state))
        part = (won & 1) / won.bit_count()
        return part, part
    if state.stage != TURNS:
        return 0.0, 1.0  # another round begins
    if state.recipient != NOBODY:
        # What others draw is hidden, and so is what is left, from whoever didn't draw.
        kinds = sum(number > 0 for number in state.draw_pile)
        certain = certain and (state.recipient == JAKOB or kinds == 1)
        low = high = 0.0
        for card in range(KINDS):
            if state.draw_pile[card]:
                part = state.draw_pile[card] / state.draw_size
                dealt = fields_from_bytes(snapshot)
                deal(dealt, card)
                one, other = value(dealt.tobytes(), certain, plies)
                low, high = low + part * one, high + part * other
        return low, high
    if plies == 0 or (state.player == 0 and not certain):
        return 0.0, 1.0
    following = [acted(state, action) for action in actions_in(legal_actions(state))]
    bounds = [value(one.tobytes(), certain, plies - 1) for one in following]
    lows, highs = zip(*bounds, strict=True)
    if state.player == 0:
        return max(lows), max(highs)
    # Whoever sees what comes of each action takes the worst for the only opponent.
    ends = all(one.stage == OVER for one in following)
    ends &= all(state.shipments[0, number] == NO_CARD for number in range(SHIPPING_ROUNDS))
    sees = state.players == 2 and (certain or ends)
    return min(lows), min(highs) if sees else max(highs)


def text(bounds):
    return {str(Action(action)): bound for action, bound in bounds.items()}
