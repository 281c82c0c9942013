"""The observation tensor: what a seat knows, as one row of 16-bit numbers.

Seats are counted from the viewer: place 0 is the viewer's own, place 1 the left neighbour's (who
acts next), and so on; places nobody sits at hold zeros. A spectator sees seat 1 at place 0.
`PLANES` has the layout, `docs/research.md` the same as a table.

A row says exactly what an observation says: `observation_of` makes it one again. The rows that
environments give are written by `write`, straight from the state; that they hold no more than the
observation does is what `tests/envs/test_tensor.py` checks at every step of random games.

>>> import random, fugger
>>> game = fugger.Game(players=3)
>>> game.deal_all(random.Random(7))
>>> row = tensor_of(game.observe(0))
>>> row.shape, plane(row, "prices").tolist(), plane(row, "hand").tolist()
((134,), [5, 5, 5, 5, 5], [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0])
>>> bool(observation_of(row) == game.observe(0))
True
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np

from fugger.cards import GOOD_KINDS, GOODS, KINDS
from fugger.compiled import jitable
from fugger.editions import MAX_TARGET, MIN_TARGET
from fugger.errors import SetupError
from fugger.rules.evaluation import HIGHEST_PRICE, SHIPMENT_FACTOR
from fugger.rules.fields import fields_of
from fugger.rules.information import seen_shipment
from fugger.rules.state import (
    JAKOB,
    MAX_PLAYERS,
    NO_CARD,
    NOBODY,
    ON_MERCHANT,
    OVER,
    SHIPPING_ROUNDS,
    SPECTATOR,
    UNKNOWN,
    State,
    empty_states,
    new_state,
    states_from_bytes,
)
from fugger.rules.supply import MERCHANT_CARDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from fugger.editions import Edition

    Tensor: TypeAlias = NDArray[np.int16]

DTYPE: Final = np.dtype(np.int16)
"""Of a tensor's numbers."""
_ANY: Final = int(np.iinfo(DTYPE).max)


@dataclass(frozen=True, slots=True)
class Plane:
    """A part of the tensor that means one thing.

    Attributes:
        name: what it is called.
        start: where it begins in a row.
        shape: of what it holds; () is one number.
        low, high: its least and greatest numbers in the editions that ship; in the tensor of an
            edition of one's own see `bounds`.
        meaning: what the numbers say.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def place(self) -> slice:
        """Where it is in a row."""
        return slice(self.start, self.start + prod(self.shape))


_PLACES = MAX_PLAYERS
_LAYOUT: Final[tuple[tuple[str, tuple[int, ...], int, int, str], ...]] = (
    ("players", (), 2, MAX_PLAYERS, "how many play"),
    ("target", (), MIN_TARGET, MAX_TARGET + 1, "gulden that end the game"),
    ("trigger", (), 0, ON_MERCHANT, "Jakob gets a card: 0 never, 1 on a shipment, 2 on a merchant"),
    ("goes_round", (), 0, 3, "+1: a price past 9 goes on from 1; +2: a falling 1 becomes 9"),
    ("round_end", (), 5, 5, "cards of one good on the table that end a round"),
    ("opening_hand", (), 4, 4, "cards dealt to each player before round 1"),
    ("viewer", (), 0, SPECTATOR, "the seat that sees this; 4 a spectator"),
    ("stage", (), 0, OVER, "0 to 3 dealing before a round, 4 players take turns, 5 over"),
    ("recipient", (), NOBODY, JAKOB, "whose card is owed: -1 none, 0 to 3 a place, 4 Jakob"),
    ("owed", (), 0, 5, "cards still owed to the recipient"),
    ("round_number", (), 1, _ANY, "from 1"),
    ("starter", (), 0, MAX_PLAYERS - 1, "the place that began this round"),
    ("player", (), 0, MAX_PLAYERS - 1, "the place whose turn it is, or was at the end"),
    ("draw_size", (), 0, 49, "cards in the draw pile"),
    ("discard_size", (), 0, 49, "cards in the discard pile"),
    ("prices", (GOODS,), 1, HIGHEST_PRICE, "gulden, by good"),
    ("table", (GOODS,), 0, 5, "cards of each good on the table, Jakob's included"),
    ("money", (_PLACES,), 0, _ANY, "gulden, by place"),
    ("hand_size", (_PLACES,), 0, 49, "cards in hand, by place"),
    ("shipments", (_PLACES, SHIPPING_ROUNDS), UNKNOWN, GOOD_KINDS - 1,
     "what each place shipped in rounds 1 and 2: -1 nothing, -2 a secret, or the card"),
    ("shipped", (GOODS,), 0, SHIPPING_ROUNDS, "the viewer's shipments of each good"),
    ("hand", (KINDS,), 0, 7, "the viewer's hand: how many of each card"),
    ("tableau", (_PLACES, KINDS), 0, 7, "each place's face-up cards: how many of each"),
    ("jakob", (KINDS,), 0, 7, "the goods beside Jakob: how many of each card"),
    ("unseen", (KINDS,), 0, 7, "cards the viewer hasn't seen, wherever they are: of each"),
    ("discard_pile", (KINDS,), 0, 7, "the discard pile: how many of each card"),
)  # fmt: skip


def _planes() -> Mapping[str, Plane]:
    planes = {}
    start = 0
    for name, shape, low, high, meaning in _LAYOUT:
        planes[name] = Plane(name, start, shape, low, high, meaning)
        start += prod(shape)
    return MappingProxyType(planes)


PLANES: Final = _planes()
"""The layout of a row: its planes in order, by name."""
SIZE: Final = sum(prod(plane.shape) for plane in PLANES.values())
"""Numbers in a row."""

_CONSTANTS: Final = ("players", "target", "trigger", "goes_round", "round_end", "opening_hand")
"""Planes that never change during a game."""
_VIEWER: Final = PLANES["viewer"].start
_RECIPIENT: Final = PLANES["recipient"].start
_PRICES: Final = PLANES["prices"].start
_TABLE: Final = PLANES["table"].start
_MONEY: Final = PLANES["money"].start
_HAND_SIZE: Final = PLANES["hand_size"].start
_SHIPMENTS: Final = PLANES["shipments"].start
_SHIPPED: Final = PLANES["shipped"].start
_HAND: Final = PLANES["hand"].start
_TABLEAU: Final = PLANES["tableau"].start
_JAKOB: Final = PLANES["jakob"].start
_UNSEEN: Final = PLANES["unseen"].start
_DISCARD_PILE: Final = PLANES["discard_pile"].start


def plane(tensor: Tensor, name: str) -> Tensor:
    """A plane of a tensor, in its shape: a view of an array of any shape whose rows are tensors.

    Raises:
        SetupError: there is no such plane, or the tensor's rows are of another length.
    """
    if name not in PLANES:
        raise SetupError(f"{name!r} is no plane: expected one of {', '.join(PLANES)}")
    if tensor.shape[-1:] != (SIZE,):
        raise SetupError(f"a tensor of shape {tensor.shape} has no rows of {SIZE} numbers")
    found = PLANES[name]
    return tensor[..., found.place].reshape((*tensor.shape[:-1], *found.shape))


def highest_money(edition: Edition, target: int) -> int:
    """Gulden that nobody can pass: a last round of sealed goods at the highest price."""
    table = edition.goods * edition.round_end
    return target + HIGHEST_PRICE * (2 * table + SHIPMENT_FACTOR * SHIPPING_ROUNDS)


def bounds(edition: Edition, players: int, target: int | None = None) -> tuple[Tensor, Tensor]:
    """The least and the greatest number at each place of the rows of an edition's games.

    Args:
        edition: the rules and the box.
        players: 2 to 4.
        target: gulden that end the game; the edition's own if None.

    Raises:
        SetupError: what no game can have.
    """
    start = new_state(edition, players, 0, target)
    low, high = np.zeros(SIZE, DTYPE), np.zeros(SIZE, DTYPE)
    for found in PLANES.values():
        low[found.place], high[found.place] = found.low, found.high
    for name in _CONSTANTS:
        plane(low, name)[...] = plane(high, name)[...] = getattr(start, name)
    plane(high, "owed")[...] = max(edition.opening_hand, *MERCHANT_CARDS)
    for name in ("draw_size", "discard_size", "hand_size"):
        plane(high, name)[...] = start.draw_size
    plane(high, "table")[...] = edition.round_end
    plane(high, "money")[...] = highest_money(edition, start.target)
    for name in ("hand", "tableau", "jakob", "unseen", "discard_pile"):
        plane(high, name)[...] = edition.cards
    return low, high


def tensor_of(observation: State) -> Tensor:
    """An observation as a tensor: a row of `SIZE` numbers.

    Raises:
        SetupError: it is a whole state, whose viewer may see everything.
    """
    viewer = int(observation.viewer)
    if viewer < 0:
        raise SetupError("a whole state has no tensor: expected what `observe` makes of it")
    row = np.zeros(SIZE, DTYPE)
    write(row, fields_of(states_from_bytes(observation.tobytes())), viewer)
    return row


@jitable
def write(row: Tensor, state: State, viewer: int) -> None:
    """Writes what a viewer knows of a state, which may be that viewer's observation, into a row.

    Places that nobody sits at aren't written: they have to be zero.
    """
    players = int(state.players)
    first = 0 if viewer == SPECTATOR else viewer
    row[0] = players
    row[1] = state.target
    row[2] = state.trigger
    row[3] = state.goes_round
    row[4] = state.round_end
    row[5] = state.opening_hand
    row[_VIEWER] = viewer
    row[7] = state.stage
    row[_RECIPIENT] = place_of(state.recipient, first, players)
    row[9] = state.owed
    row[10] = state.round_number
    row[11] = place_of(state.starter, first, players)
    row[12] = place_of(state.player, first, players)
    row[13] = state.draw_size
    row[14] = state.discard_size
    for good in range(GOODS):
        row[_PRICES + good] = state.prices[good]
        row[_TABLE + good] = state.table[good]
        row[_SHIPPED + good] = 0
    for card in range(KINDS):
        row[_HAND + card] = 0
        row[_JAKOB + card] = state.jakob[card]
        row[_UNSEEN + card] = state.draw_pile[card]
        row[_DISCARD_PILE + card] = state.discard_pile[card]
    for place in range(players):
        seat = (first + place) % players
        row[_MONEY + place] = state.money[seat]
        row[_HAND_SIZE + place] = state.hand_size[seat]
        for card in range(KINDS):
            row[_TABLEAU + KINDS * place + card] = state.tableau[seat, card]
        for card in range(KINDS):
            row[(_HAND if seat == viewer else _UNSEEN) + card] += state.hand[seat, card]
        for shipment in range(SHIPPING_ROUNDS):
            card = int(state.shipments[seat, shipment])
            seen = seen_shipment(state, viewer, seat, shipment)
            row[_SHIPMENTS + SHIPPING_ROUNDS * place + shipment] = seen
            if card != seen:
                row[_UNSEEN + card] += 1
            elif seat == viewer and card != NO_CARD:
                row[_SHIPPED + (card >> 1)] += 1


@jitable
def place_of(seat: int, first: int, players: int) -> int:
    """A seat counted from the first; what is no seat stays as it is."""
    if 0 <= seat < players:
        return seat - first if seat >= first else seat - first + players
    return seat


def observation_of(row: Tensor) -> State:
    """The observation that a row was made of.

    Raises:
        SetupError: it is no row of `SIZE` whole numbers.
    """
    row = np.asarray(row)
    if row.shape != (SIZE,) or row.dtype.kind not in "iu":
        raise SetupError(
            f"an array of shape {row.shape} and type {row.dtype} is no tensor: "
            f"expected {SIZE} whole numbers"
        )
    states = empty_states(1)
    observation = cast("State", states[0])
    for name in ("prices", "table", "jakob", "discard_pile", *_SCALAR_NAMES):
        setattr(observation, name, plane(row, name))
    observation.draw_pile[:] = plane(row, "unseen")
    viewer, players = int(observation.viewer), int(observation.players)
    first = 0 if viewer == SPECTATOR else viewer
    observation.shipments[:] = NO_CARD
    for place in range(players):
        seat = (first + place) % players
        for name in ("money", "hand_size", "shipments", "tableau"):
            getattr(observation, name)[seat] = plane(row, name)[place]
    for name in ("recipient", "starter", "player"):
        place = int(plane(row, name))
        if 0 <= place < players:
            setattr(observation, name, (place + first) % players)
    if viewer < players:
        hand = plane(row, "hand")
        observation.hand[viewer] = hand
        observation.hand_kinds[viewer] = sum(1 << card for card in range(KINDS) if hand[card])
    return observation


_SCALAR_NAMES = tuple(name for name, found in PLANES.items() if not found.shape)
