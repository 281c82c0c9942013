"""Why the numbers are what they are: an evaluation, step by step, for people.

Everything here asks `fugger.rules`; nothing decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from fugger.cards import GOOD_KINDS, Card, Good
from fugger.rules import evaluation
from fugger.rules.fields import fields_from_bytes
from fugger.rules.state import GOES_ROUND_UP, OVER

if TYPE_CHECKING:
    from fugger.rules.state import State


class Move(Enum):
    """What an evaluation did to a price, and by which rule."""

    ROSE = "rose by its count"
    STOPPED = "would have passed 9, stopped at 1"
    WENT_ROUND = "passed 9 and went on from 1"
    FELL = "fell by 1"
    STAYED = "stayed at 1, the lowest price"
    FELL_ROUND = "fell from 1 round to 9"


@dataclass(frozen=True, slots=True)
class PriceMove:
    """What an evaluation does to one good.

    Attributes:
        good: the good.
        count: its cards on the table, Jakob's included.
        leading: how many goods have more; it rises if they are fewer than three.
        before, after: its price in gulden.
        move: what happened.
    """

    good: Good
    count: int
    leading: int
    before: int
    after: int
    move: Move


@dataclass(frozen=True, slots=True)
class Sale:
    """Cards of one kind that a seat sells: `number` of them at `each` gulden.

    `doubled` says that they are sealed and sell at twice their good's price.
    """

    card: Card
    number: int
    each: int
    doubled: bool

    @property
    def gulden(self) -> int:
        """What these cards bring together."""
        return self.number * self.each


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation: of a round that ended, or as it would be if the round ended now.

    Attributes:
        round: the round's number, from 1.
        player: the seat whose turn it was.
        prices: what happens to each good, in the goods' order.
        sales: what each seat sells, in the cards' order.
        income: gulden each seat gets, by seat.
        money: each seat's gulden afterwards, before any final scoring.
        shipments: in the evaluation that ended the game, what each seat's shipments paid:
            (card, gulden) each; else None.
    """

    round: int
    player: int
    prices: tuple[PriceMove, ...]
    sales: tuple[tuple[Sale, ...], ...]
    income: tuple[int, ...]
    money: tuple[int, ...]
    shipments: tuple[tuple[tuple[Card, int], ...], ...] | None


def evaluate(table: State, after: State | None = None) -> Evaluation:
    """The evaluation of a table as it lies.

    Args:
        table: a state before its evaluation, or an observation of one.
        after: the state after it, if the round has ended.
    """
    state = fields_from_bytes(table.tobytes())
    before = [int(price) for price in table.prices]
    evaluation.move_prices(state)
    sales = tuple(_sales(state, seat) for seat in range(state.players))
    income = tuple(int(evaluation.income(state, seat)) for seat in range(state.players))
    shipments = None
    if after is not None and after.stage == OVER:
        shipments = tuple(_shipments(after, seat) for seat in range(after.players))
    return Evaluation(
        round=int(table.round_number),
        player=int(table.player),
        prices=tuple(
            _price_move(table, good, before[good], int(state.prices[good])) for good in Good
        ),
        sales=sales,
        income=income,
        money=tuple(int(table.money[seat]) + income[seat] for seat in range(state.players)),
        shipments=shipments,
    )


def _price_move(table: State, good: Good, before: int, after: int) -> PriceMove:
    count = int(table.table[good])
    if evaluation.rises(table, good):
        went = Move.WENT_ROUND if table.goes_round & GOES_ROUND_UP else Move.STOPPED
        move = Move.ROSE if after == before + count else went
    elif after < before:
        move = Move.FELL
    else:
        move = Move.STAYED if after == before else Move.FELL_ROUND
    leading = sum(int(other) > count for other in table.table)
    return PriceMove(good, count, leading, before, after, move)


def _sales(state: State, seat: int) -> tuple[Sale, ...]:
    sales = []
    for card in list(Card)[:GOOD_KINDS]:
        number = int(state.tableau[seat, card])
        if number:
            doubled = card.is_sealed and bool(evaluation.seal_doubles(state, card >> 1))
            sales.append(Sale(card, number, int(state.prices[card >> 1]) * (1 + doubled), doubled))
    return tuple(sales)


def _shipments(state: State, seat: int) -> tuple[tuple[Card, int], ...]:
    return tuple(
        (Card(int(card)), evaluation.SHIPMENT_FACTOR * int(state.prices[card >> 1]))
        for card in state.shipments.tolist()[seat]
        if card >= 0
    )
