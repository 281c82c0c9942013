"""Cards that other seats had, followed back through one draw pile to when it was begun.

See `fugger.envs.resampling`, which follows them through all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Final

from fugger.cards import GOOD_KINDS, KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

_FRESH: Final = 20.0
"""How much likelier a card that can't be a kept one is taken, than one that may well be either."""


@dataclass(slots=True, eq=False)
class HeldCard:
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
class Event:
    """A card came into another seat's hand or left it.

    Attributes:
        at: which of all events it was.
        seat: whose hand.
        card: the card that left, played or shipped; None of a deal: any card of the hand.
    """

    at: int
    seat: int
    card: HeldCard | None


@dataclass(frozen=True, slots=True)
class Pile:
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
    events: list[Event] = field(default_factory=list)

    def shipped_before(self, shipped: list[HeldCard]) -> list[HeldCard]:
        """Which of some shipments had been made when it was begun."""
        made = [event.card for event in self.events]
        return [card for card in shipped if card not in made]

    def next(self, fresh: list[int], kept: list[int]) -> Pile:
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
        return Pile(fresh, kept, least, most)


def taken_back(
    pile: Pile, hands: list[list[HeldCard]], shipped: list[HeldCard], uniform: Callable[[], float]
) -> list[tuple[int, HeldCard]] | None:
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


def _tell_kept(cards: list[HeldCard], pile: Pile, uniform: Callable[[], float]) -> bool:
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


def _likelihood(card: HeldCard, fresh: list[int], kept: list[int]) -> float:
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
    cards: list[HeldCard],
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
