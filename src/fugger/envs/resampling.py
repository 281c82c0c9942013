"""Other pasts that a seat may imagine: what it saw happened, hidden cards were others.

A hidden card is one dealt to another seat. Everyone always knows of which cards the draw pile was
made: at first of the box, later, each time it had run out, of the discard pile, which all have
seen. So the cards dealt from one such pile are known as a whole once it has run out, and what the
others held when the next one was begun, the *kept* cards, is known as a whole too.

The cards that other seats hold now, shipped, or played are followed backwards, pile by pile: at
each hidden deal one of the cards then in that hand is the one that was dealt. Until the discard
pile has been turned every past is as likely as it is to a seat that knows nothing of how the others
play, but for what a pass tells; later each can still come up, with likelihoods that are only
roughly those.

Nothing here looks at a card that the seat hasn't seen, so two pasts that are the same to it are
imagined alike.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from fugger.cards import KINDS
from fugger.envs.piles import Event, HeldCard, Pile, taken_back
from fugger.rules.actions import PASS, PLAY, SHIP, legal_actions
from fugger.rules.fields import fields_from_bytes
from fugger.rules.information import hides_shipments
from fugger.rules.play import apply, deal
from fugger.rules.state import JAKOB, NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fugger.rules.state import State

_PILE_TRIES: Final = 50
"""How often a draw pile is taken back before the later ones are drawn anew too."""


class Past:
    """What a seat saw happen in a game.

    Args:
        start: the game's first state, as bytes.
        events: everything that happened: actions and cards dealt, as numbers.
        viewer: the seat.
    """

    def __init__(self, start: bytes, events: Sequence[int], viewer: int) -> None:
        self._start = start
        self._events = list(events)
        self._viewer = viewer
        self._piles: list[Pile] = []
        self._course: list[tuple[int, int]] = []
        self._shipments: list[tuple[int, HeldCard]] = []
        end = self._follow()
        self._hand_sizes = [
            0 if seat == viewer else int(end.hand_size[seat]) for seat in range(end.players)
        ]
        others = (seat for seat in range(end.players) if seat != viewer)
        self._are_shown = not any(hides_shipments(end, viewer, seat) for seat in others)

    def imagined(self, uniform: Callable[[], float], tries: int = 10_000) -> list[int] | None:
        """The events of a past that the seat may imagine; None if none was found.

        Args:
            uniform: gives random numbers from 0 to below 1.
            tries: how often to begin anew when what was drawn can't have been.
        """
        for _ in range(tries):
            events = self._drawn(uniform)
            if events is not None and self._could_be(events):
                return events
        return None

    def _follow(self) -> State:
        """Plays the game again, and notes what the seat saw of it; returns how it stands."""
        state = fields_from_bytes(self._start)
        nothing = [[0] * KINDS for _ in range(state.players)]
        self._piles.append(Pile(state.draw_pile.tolist(), [0] * KINDS, nothing, nothing))
        for at, event in enumerate(self._events):
            size = int(state.draw_size)
            self._course.append((int(state.recipient), int(state.player)))
            if state.recipient != NOBODY:
                self._note_deal(at, int(state.recipient), event)
                deal(state, event)
                turned = state.draw_size >= size
            else:
                self._note_action(at, int(state.player), event)
                apply(state, event)
                turned = state.draw_size > size
            if turned:
                kept = self._held_by_others(state)
                self._piles.append(self._piles[-1].next(state.draw_pile.tolist(), kept))
                for _, card in self._shipments:
                    card.most = list(map(min, card.most or kept, kept))
        self._course.append((int(state.recipient), int(state.player)))
        return state

    def _note_deal(self, at: int, recipient: int, card: int) -> None:
        if recipient in {JAKOB, self._viewer}:
            self._piles[-1].fresh[card] -= 1
        else:
            self._piles[-1].events.append(Event(at, recipient, None))

    def _note_action(self, at: int, seat: int, action: int) -> None:
        if seat == self._viewer or not PLAY <= action < PASS:
            return
        card = HeldCard(seat, None if action >= SHIP else action - PLAY, action >= SHIP)
        self._piles[-1].events.append(Event(at, seat, card))
        if action >= SHIP:
            self._shipments.append((at, card))

    def _held_by_others(self, state: State) -> list[int]:
        """How many of each card the others hold or have shipped: what the seat sees nowhere."""
        cards: list[int] = fields_from_bytes(self._start).draw_pile.tolist()
        own = state.shipments.tolist()[self._viewer]
        for kind in range(KINDS):
            cards[kind] -= state.draw_pile[kind] + state.discard_pile[kind] + state.jakob[kind]
            cards[kind] -= state.hand[self._viewer, kind] + own.count(kind)
            for seat in range(state.players):
                cards[kind] -= state.tableau[seat, kind]
        return cards

    def _drawn(self, uniform: Callable[[], float]) -> list[int] | None:
        """The events with hidden cards drawn anew; None if they come to a dead end."""
        events = list(self._events)
        for at, card in self._shipments:
            card.kind = events[at] - SHIP if self._are_shown else None
        hands = [
            [HeldCard(seat) for _ in range(size)] for seat, size in enumerate(self._hand_sizes)
        ]
        shipped = [card for _, card in self._shipments]
        for pile in reversed(self._piles):
            untold = [card for card in (*shipped, *chain(*hands)) if card.kind is None]
            for _ in range(_PILE_TRIES):
                before = [list(hand) for hand in hands]
                dealt = taken_back(pile, before, shipped, uniform)
                if dealt is not None:
                    break
                for card in untold:
                    card.kind = None
            else:
                return None
            hands = before
            shipped = pile.shipped_before(shipped)
            for at, card in dealt:
                events[at] = _kind(card)
        for at, card in self._shipments:
            events[at] = SHIP + _kind(card)
        return events

    def _could_be(self, events: list[int]) -> bool:
        """Whether the rules allow these events, and they take the same course."""
        state = fields_from_bytes(self._start)
        for event, course in zip(events, self._course, strict=False):
            if (state.recipient, state.player) != course:
                return False
            if state.recipient != NOBODY:
                if not state.draw_pile[event]:
                    return False
                deal(state, event)
            elif legal_actions(state) >> event & 1:
                apply(state, event)
            else:
                return False
        return (state.recipient, state.player) == self._course[-1]


def _kind(card: HeldCard) -> int:
    assert card.kind is not None  # all are told when their pile has been taken back
    return card.kind
