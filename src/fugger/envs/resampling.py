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

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

from fugger.cards import GOOD_KINDS, KINDS
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
_FRESH: Final = 20.0
"""How much likelier a card that can't be a kept one is taken, than one that may well be either."""


@dataclass(slots=True, eq=False)
class _Card:
    """A card that another seat had.

    Attributes:
        seat: whose it was.
        kind: its number, or None as long as nothing tells it.
        is_good: whether it can be no merchant, having been shipped.
        most: of a shipment, how many of each kind the others kept all the time since.
    """

    seat: int
    kind: int | None = None
    is_good: bool = False
    most: list[int] | None = None


@dataclass(frozen=True, slots=True)
class _Event:
    """A card came into another seat's hand or left it.

    Attributes:
        at: which of all events it was.
        seat: whose hand.
        card: the card that left, played or shipped; None of a deal: any card of the hand.
    """

    at: int
    seat: int
    card: _Card | None


@dataclass(frozen=True, slots=True)
class _Pile:
    """What happened while one draw pile lasted.

    Attributes:
        fresh: how many of each card of this pile the seat hasn't seen dealt.
        kept: how many of each card the others held when it was begun, shipments too.
        least, most: how many of them each seat held, as far as that is certain.
        events: what happened to the others' hands.
    """

    fresh: list[int]
    kept: list[int]
    least: list[list[int]]
    most: list[list[int]]
    events: list[_Event] = field(default_factory=list)

    def shipped_before(self, shipped: list[_Card]) -> list[_Card]:
        """Which of some shipments had been made when it was begun."""
        made = [event.card for event in self.events]
        return [card for card in shipped if card not in made]

    def next(self, fresh: list[int], kept: list[int]) -> _Pile:
        """The pile that was begun when this one had run out."""
        seats = range(len(self.least))
        deals = [event.seat for event in self.events if event.card is None]
        least, most = [list(cards) for cards in self.least], [list(cards) for cards in self.most]
        for seat in seats:
            own = deals.count(seat)
            for kind, number in enumerate(self.fresh):
                least[seat][kind] += max(0, number - (len(deals) - own))
                most[seat][kind] += min(number, own)
        for event in self.events:
            if event.card is not None and event.card.kind is not None:
                least[event.seat][event.card.kind] -= 1
                most[event.seat][event.card.kind] -= 1
        return _Pile(fresh, kept, least, most)


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
        self._piles: list[_Pile] = []
        self._course: list[tuple[int, int]] = []
        self._shipments: list[tuple[int, _Card]] = []
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
        self._piles.append(_Pile(state.draw_pile.tolist(), [0] * KINDS, nothing, nothing))
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
            self._piles[-1].events.append(_Event(at, recipient, None))

    def _note_action(self, at: int, seat: int, action: int) -> None:
        if seat == self._viewer or not PLAY <= action < PASS:
            return
        card = _Card(seat, None if action >= SHIP else action - PLAY, action >= SHIP)
        self._piles[-1].events.append(_Event(at, seat, card))
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
        hands = [[_Card(seat) for _ in range(size)] for seat, size in enumerate(self._hand_sizes)]
        shipped = [card for _, card in self._shipments]
        for pile in reversed(self._piles):
            untold = [card for card in (*shipped, *chain(*hands)) if card.kind is None]
            for _ in range(_PILE_TRIES):
                before = [list(hand) for hand in hands]
                dealt = _taken_back(pile, before, shipped, uniform)
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


def _taken_back(
    pile: _Pile, hands: list[list[_Card]], shipped: list[_Card], uniform: Callable[[], float]
) -> list[tuple[int, _Card]] | None:
    """Takes back what happened while a pile lasted; None if that comes to a dead end.

    Args:
        pile: the draw pile.
        hands: the others' hands when it ended; afterwards, when it was begun.
        shipped: their shipments, likewise.
        uniform: gives random numbers.

    Returns:
        The deals, and which card it was. All cards, kept ones too, are told then.
    """
    fresh = list(pile.fresh)
    dealt = []
    for event in reversed(pile.events):
        hand = hands[event.seat]
        if event.card is not None:
            hand.append(event.card)
            continue
        index = _weighted([_likelihood(card, fresh, pile.kept) for card in hand], uniform)
        if index is None:
            return None
        card = hand.pop(index)
        dealt.append((event.at, card))
        if card.kind is not None:
            fresh[card.kind] -= 1
    kept = [*pile.shipped_before(shipped), *chain(*hands)]
    drawn = [card for _, card in dealt]
    if not _tell_kept(kept, pile, uniform) or not _tell(drawn, fresh, None, uniform):
        return None
    return dealt


def _tell_kept(cards: list[_Card], pile: _Pile, uniform: Callable[[], float]) -> bool:
    """Draws the kinds of kept cards not told yet; False if they can't be those."""
    left = list(pile.kept)
    room = [list(most) for most in pile.most]
    for card in cards:
        if card.kind is not None:
            left[card.kind] -= 1
            room[card.seat][card.kind] -= 1
    if min(left) < 0 or min(map(min, room)) < 0 or not _tell(cards, left, room, uniform):
        return False
    spare = zip(chain(*pile.most), chain(*pile.least), chain(*room), strict=True)
    return all(most - least >= unused for most, least, unused in spare)


def _likelihood(card: _Card, fresh: list[int], kept: list[int]) -> float:
    """How likely a card was dealt from the pile, against being a kept one: a weight."""
    if card.kind is not None:
        new, old = fresh[card.kind], kept[card.kind]
    else:
        kinds = GOOD_KINDS if card.is_good else KINDS
        new, old = sum(fresh[:kinds]), sum(kept[:kinds])
    return new / (old + new / _FRESH) if new else 0.0


def _weighted(weights: list[float], uniform: Callable[[], float]) -> int | None:
    """An index, drawn by weight; None if no weight is above 0."""
    point = uniform() * sum(weights)
    last = None
    for index, weight in enumerate(weights):
        if weight > 0:
            if point < weight:
                return index
            last = index  # for a point that rounding put past all of them
        point -= weight
    return last


def _tell(
    cards: list[_Card],
    supply: list[int],
    room: list[list[int]] | None,
    uniform: Callable[[], float],
) -> bool:
    """Draws the kinds of cards not told yet from a supply; False if it doesn't have them.

    Shipments come first since they are goods only: so every way to place the cards is as likely.

    Args:
        cards: the cards.
        supply: how many there are of each kind; what is left afterwards.
        room: how many of each kind a seat may have besides, if that is known; likewise.
        uniform: gives random numbers.
    """
    shipped = [card.kind for card in cards if card.is_good and card.kind is not None]
    untold = [card for card in cards if card.kind is None]
    for card in sorted(untold, key=lambda card: not card.is_good):
        weights = [float(number) for number in supply[: GOOD_KINDS if card.is_good else KINDS]]
        if card.most is not None:
            spare = [most - shipped.count(kind) for kind, most in enumerate(card.most)]
            weights = [max(0.0, min(weight, spare[kind])) for kind, weight in enumerate(weights)]
        if room is not None:
            weights = [weight * (room[card.seat][kind] > 0) for kind, weight in enumerate(weights)]
        card.kind = _weighted(weights, uniform)
        if card.kind is None:
            return False
        supply[card.kind] -= 1
        if card.is_good:
            shipped.append(card.kind)
        if room is not None:
            room[card.seat][card.kind] -= 1
    return True


def _kind(card: _Card) -> int:
    assert card.kind is not None  # all are told when their pile has been taken back
    return card.kind
