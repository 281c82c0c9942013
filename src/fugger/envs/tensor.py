"""The observation tensor: what a seat knows, as one row of 16-bit numbers.

Seats are counted from the viewer: place 0 is the viewer's own, place 1 the left neighbour's (who
acts next), and so on; places nobody sits at hold zeros. A spectator sees seat 1 at place 0.
`PLANES` has the layout, `docs/research.md` the same as a table.

The cards a viewer hasn't seen are what the box holds less what these planes show: `unseen` counts
them. A row says exactly what an observation says: `observation_of` makes it one again. The rows
that environments give are written by `write`, straight from the state; that they hold no more than
the observation does is what `tests/envs/test_tensor.py` checks in whole games.

>>> import random, fugger
>>> game = fugger.Game(players=3)
>>> game.deal_all(random.Random(7))
>>> row = tensor_of(game.observe(0))
>>> row.shape, plane(row, "prices").tolist(), plane(row, "hand").tolist()
((128,), [5, 5, 5, 5, 5], [0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0])
>>> bool(observation_of(row) == game.observe(0))
True
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np

from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.compiled import jitable
from fugger.editions import MAX_TARGET, MIN_TARGET, Edition, edition_named
from fugger.errors import SetupError, quoted
from fugger.rules.evaluation import HIGHEST_PRICE, SHIPMENT_FACTOR
from fugger.rules.fields import fields_of
from fugger.rules.information import hides_shipments
from fugger.rules.play import left_neighbour
from fugger.rules.state import (
    ALL_KNOWING,
    ANY_SEAT,
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


_LAYOUT: Final[tuple[tuple[str, tuple[int, ...], int, int, str], ...]] = (
    ("players", (), 2, MAX_PLAYERS, "how many play"),
    ("target", (), MIN_TARGET, MAX_TARGET + 1, "gulden that end the game"),
    ("trigger", (), 0, ON_MERCHANT, "Jakob gets a card: 0 never, 1 on a shipment, 2 on a merchant"),
    ("goes_round", (), 0, 3, "+1: a price past 9 goes on from 1; +2: a falling 1 becomes 9"),
    ("round_end", (), 5, 5, "cards of one good on the table that end a round"),
    ("opening_hand", (), 4, 4, "cards dealt to each player before round 1"),
    ("viewer", (), 0, SPECTATOR, "the seat that sees this; 4 is a spectator"),
    ("stage", (), 0, OVER, "0 to 3 dealing before a round, 4 players take turns, 5 over"),
    ("recipient", (), NOBODY, JAKOB, "who is owed a card: -1 nobody, 0 to 3 a place, 4 Jakob"),
    ("owed", (), 0, 5, "cards still owed to the recipient"),
    ("round_number", (), 1, _ANY, "from 1"),
    ("starter", (), 0, MAX_PLAYERS - 1, "the place that began this round"),
    ("player", (), 0, MAX_PLAYERS - 1, "the place whose turn it is, or was at the end"),
    ("draw_size", (), 0, 49, "cards in the draw pile"),
    ("discard_size", (), 0, 49, "cards in the discard pile"),
    ("prices", (GOODS,), 1, HIGHEST_PRICE, "gulden, by good"),
    ("table", (GOODS,), 0, 5, "cards of each good on the table, Jakob's included"),
    ("money", (MAX_PLAYERS,), 0, _ANY, "gulden, by place"),
    ("hand_size", (MAX_PLAYERS,), 0, 49, "cards in hand, by place"),
    ("shipments", (MAX_PLAYERS, SHIPPING_ROUNDS), UNKNOWN, GOOD_KINDS - 1,
     "what each place shipped in rounds 1 and 2: -1 nothing, -2 a secret, or the card"),
    ("shipped", (GOODS,), 0, SHIPPING_ROUNDS, "the viewer's shipments of each good"),
    ("hand", (KINDS,), 0, 7, "the viewer's hand: how many of each card"),
    ("tableau", (MAX_PLAYERS, KINDS), 0, 7, "each place's face-up cards: how many of each"),
    ("jakob", (KINDS,), 0, 7, "the goods beside Jakob: how many of each card"),
    ("discard_pile", (KINDS,), 0, 7, "the discard pile: how many of each card"),
    ("box", (5,), 2, 49, "the box: goods, cards of each plain and sealed, merchants, cards in all"),
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
"""Planes that never change during a game, as the state has them; the box doesn't either."""
_SCALARS: Final = tuple(name for name, found in PLANES.items() if not found.shape)
_VIEWER: Final = PLANES["viewer"].start
_MONEY: Final = PLANES["money"].start
_HAND_SIZE: Final = PLANES["hand_size"].start
_SHIPMENTS: Final = PLANES["shipments"].start
_SHIPPED: Final = PLANES["shipped"].start
_HAND: Final = PLANES["hand"].start
_TABLEAU: Final = PLANES["tableau"].start
_JAKOB: Final = PLANES["jakob"].start
_DISCARD_PILE: Final = PLANES["discard_pile"].start
_BOX: Final = PLANES["box"].start


def plane(tensor: Tensor, name: str) -> Tensor:
    """A plane of a tensor, in its shape: a view of an array of any shape whose rows are tensors.

    Raises:
        SetupError: there is no such plane, or this is no array of such rows.
    """
    if name not in PLANES:
        raise SetupError(f"{name!r} is no plane: expected one of {', '.join(PLANES)}")
    if not isinstance(tensor, np.ndarray):
        raise SetupError(
            f"{quoted(tensor)} is no tensor: expected an array, rows of {SIZE} numbers"
        )
    if tensor.shape[-1:] != (SIZE,):
        raise SetupError(f"a tensor of shape {tensor.shape} has no rows of {SIZE} numbers")
    found = PLANES[name]
    return tensor[..., found.place].reshape((*tensor.shape[:-1], *found.shape))


def highest_money(edition: Edition, target: int) -> int:
    """Gulden that nobody can pass: a last round of sealed goods at the highest price."""
    table = edition.goods * edition.round_end
    return target + HIGHEST_PRICE * (2 * table + SHIPMENT_FACTOR * SHIPPING_ROUNDS)


def bounds(
    edition: str | Edition, players: int, target: int | None = None
) -> tuple[Tensor, Tensor]:
    """The least and the greatest number at each place of the rows of an edition's games.

    Args:
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        players: 2 to 4.
        target: gulden that end the game; the edition's own if None.

    Raises:
        EditionError: no such edition.
        SetupError: what no game can have.
    """
    edition = edition if isinstance(edition, Edition) else edition_named(edition)
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
    for name in ("hand", "tableau", "jakob", "discard_pile"):
        plane(high, name)[...] = edition.cards
    write_box(low, start)
    write_box(high, start)
    return low, high


def tensor_of(observation: State) -> Tensor:
    """An observation as a tensor: a row of `SIZE` numbers.

    Raises:
        SetupError: it is a whole state, whose viewer may see everything.
    """
    viewer = int(observation.viewer)
    if viewer == ALL_KNOWING:
        raise SetupError("a whole state has no tensor: expected what `observe` makes of it")
    row = np.zeros(SIZE, DTYPE)
    own = fields_of(states_from_bytes(observation.tobytes()))
    write_constants(row, own)
    write(row, own, viewer)
    return row


def unseen(tensor: Tensor) -> Tensor:
    """How many of each card the viewer hasn't seen: in the draw pile, in others' hands, shipped.

    Args:
        tensor: an array of any shape whose rows are tensors.

    Returns:
        The numbers of the 11 cards, with the array's shape before that.

    Raises:
        SetupError: this is no array of whole numbers with such rows.
    """
    if plane(tensor, "box").dtype.kind not in "iu":
        raise SetupError(f"a tensor of type {tensor.dtype} tells no cards: expected whole numbers")
    tensor = tensor.astype(DTYPE, copy=False)
    goods, plain, sealed, merchants = np.moveaxis(plane(tensor, "box"), -1, 0)[:4]
    cards = np.zeros((*tensor.shape[:-1], KINDS), DTYPE)
    for good in range(GOODS):
        cards[..., 2 * good] = np.where(good < goods, plain, 0)
        cards[..., 2 * good + 1] = np.where(good < goods, sealed, 0)
    cards[..., MERCHANT] = merchants
    for name in ("hand", "jakob", "discard_pile"):
        cards -= plane(tensor, name)
    cards -= plane(tensor, "tableau").sum(axis=-2, dtype=DTYPE)
    shipments = plane(tensor, "shipments")
    seated = np.arange(MAX_PLAYERS) < plane(tensor, "players")[..., None]
    for card in range(GOOD_KINDS):
        cards[..., card] -= ((shipments == card) & seated[..., None]).sum((-2, -1), dtype=DTYPE)
    return cards


@jitable
def write_constants(row: Tensor, state: State) -> None:
    """Writes what stays as it is in all games of a setup."""
    row[0], row[1], row[2] = state.players, state.target, state.trigger
    row[3], row[4], row[5] = state.goes_round, state.round_end, state.opening_hand
    write_box(row, state)


@jitable
def write_box(row: Tensor, state: State) -> None:
    """Writes what the box holds: every card of a state is somewhere, hidden or not."""
    goods = total = last = 0
    for card in range(KINDS):
        cards = int(state.draw_pile[card] + state.discard_pile[card] + state.jakob[card])
        for seat in range(state.players):
            cards += state.hand[seat, card] + state.tableau[seat, card]
            for shipment in range(SHIPPING_ROUNDS):
                cards += int(state.shipments[seat, shipment] == card)
        if card < GOOD_KINDS and card & 1 and cards + last > 0:
            goods += 1
        if card <= 1:
            row[_BOX + 1 + card] = cards
        total += cards
        last = cards
    row[_BOX], row[_BOX + 3], row[_BOX + 4] = goods, last, total


# Everything below is written at every step of every game. Compiled, a tuple that is read before it
# is written becomes a few wide moves, which loops over two arrays that might overlap don't.


@jitable
def write(row: Tensor, state: State, viewer: int) -> None:
    """Writes what a viewer knows of a state, which may be that viewer's observation, into a row.

    Constants are left as they are (`write_constants` writes them), and so is what belongs to
    places nobody sits at, which has to be zero.
    """
    players = int(state.players)
    first = viewer & ANY_SEAT  # a spectator's is seat 0
    write_scalars(row, state)
    row[_VIEWER] = viewer
    row[_VIEWER + 5] = place_of(int(state.starter), first, players)
    row[_VIEWER + 6] = place_of(int(state.player), first, players)
    if 0 <= state.recipient < JAKOB:
        row[_VIEWER + 2] = place_of(int(state.recipient), first, players)
    copy_seat_cards(row, _HAND, state.hand, first)
    copy_cards(row, _JAKOB, state.jakob)
    copy_cards(row, _DISCARD_PILE, state.discard_pile)
    write_shipped(row, state, first)
    write_place(row, 0, state, viewer, first)
    seat = left_neighbour(state, first)
    write_place(row, 1, state, viewer, seat)
    if players > 2:  # no loop: its turns would cost more than what they do
        seat = left_neighbour(state, seat)
        write_place(row, 2, state, viewer, seat)
        if players > 3:
            write_place(row, 3, state, viewer, left_neighbour(state, seat))
    if viewer == SPECTATOR:
        for card in range(KINDS):
            row[_HAND + card] = 0
        for good in range(GOODS):
            row[_SHIPPED + good] = 0


@jitable
def place_of(seat: int, first: int, players: int) -> int:
    """A seat counted clockwise from the first."""
    place = seat - first
    return place + players if place < 0 else place


@jitable
def write_scalars(row: Tensor, state: State) -> None:
    """Copies what the state and the row have side by side: the viewer to the table's counts."""
    (
        row[_VIEWER], row[_VIEWER + 1], row[_VIEWER + 2], row[_VIEWER + 3], row[_VIEWER + 4],
        row[_VIEWER + 5], row[_VIEWER + 6], row[_VIEWER + 7], row[_VIEWER + 8], row[_VIEWER + 9],
        row[_VIEWER + 10], row[_VIEWER + 11], row[_VIEWER + 12], row[_VIEWER + 13],
        row[_VIEWER + 14], row[_VIEWER + 15], row[_VIEWER + 16], row[_VIEWER + 17],
        row[_VIEWER + 18],
    ) = (
        state.viewer, state.stage, state.recipient, state.owed, state.round_number,
        state.starter, state.player, state.draw_size, state.discard_size, state.prices[0],
        state.prices[1], state.prices[2], state.prices[3], state.prices[4],
        state.table[0], state.table[1], state.table[2], state.table[3],
        state.table[4],
    )  # fmt: skip


@jitable
def copy_cards(row: Tensor, start: int, cards: Tensor) -> None:
    """Copies how many there are of each card."""
    (
        row[start], row[start + 1], row[start + 2], row[start + 3], row[start + 4], row[start + 5],
        row[start + 6], row[start + 7], row[start + 8], row[start + 9], row[start + 10],
    ) = (
        cards[0], cards[1], cards[2], cards[3], cards[4], cards[5],
        cards[6], cards[7], cards[8], cards[9], cards[10],
    )  # fmt: skip


@jitable
def copy_seat_cards(row: Tensor, start: int, cards: Tensor, seat: int) -> None:
    """Copies how many a seat has of each card."""
    (
        row[start], row[start + 1], row[start + 2], row[start + 3], row[start + 4], row[start + 5],
        row[start + 6], row[start + 7], row[start + 8], row[start + 9], row[start + 10],
    ) = (
        cards[seat, 0], cards[seat, 1], cards[seat, 2], cards[seat, 3],
        cards[seat, 4], cards[seat, 5], cards[seat, 6], cards[seat, 7],
        cards[seat, 8], cards[seat, 9], cards[seat, 10],
    )  # fmt: skip


@jitable
def write_shipped(row: Tensor, state: State, seat: int) -> None:
    """Counts a seat's shipments by good."""
    one, two = int(state.shipments[seat, 0]) >> 1, int(state.shipments[seat, 1]) >> 1
    (
        row[_SHIPPED], row[_SHIPPED + 1], row[_SHIPPED + 2], row[_SHIPPED + 3], row[_SHIPPED + 4],
    ) = (
        int(one == 0) + int(two == 0), int(one == 1) + int(two == 1),
        int(one == 2) + int(two == 2), int(one == 3) + int(two == 3),
        int(one == 4) + int(two == 4),
    )  # fmt: skip


@jitable
def write_place(row: Tensor, place: int, state: State, viewer: int, seat: int) -> None:
    """Writes what belongs to a seat at its place."""
    row[_MONEY + place] = state.money[seat]
    row[_HAND_SIZE + place] = state.hand_size[seat]
    copy_seat_cards(row, _TABLEAU + KINDS * place, state.tableau, seat)
    start = _SHIPMENTS + SHIPPING_ROUNDS * place
    one, two = int(state.shipments[seat, 0]), int(state.shipments[seat, 1])
    hides = hides_shipments(state, viewer, seat)
    row[start] = UNKNOWN if hides & (one >= 0) else one
    row[start + 1] = UNKNOWN if hides & (two >= 0) else two


def observation_of(row: Tensor) -> State:
    """The observation that a row was made of.

    Raises:
        SetupError: it is no row of `SIZE` whole numbers, or none that an observation makes.
    """
    row = np.asarray(row)
    if row.shape != (SIZE,) or row.dtype.kind not in "iu":
        raise SetupError(
            f"an array of shape {row.shape} and type {row.dtype} is no tensor: "
            f"expected {SIZE} whole numbers"
        )
    if not (
        2 <= row[0] <= MAX_PLAYERS and 0 <= row[_VIEWER] <= SPECTATOR and (unseen(row) >= 0).all()
    ):
        raise SetupError(
            "these numbers are no observation's: expected a row as environments give it"
        )
    states = empty_states(1)
    observation = cast("State", states[0])
    for name in (*_SCALARS, "prices", "table", "jakob", "discard_pile"):
        setattr(observation, name, plane(row, name))
    observation.draw_pile[:] = unseen(row)
    viewer, players = int(observation.viewer), int(observation.players)
    first = viewer & ANY_SEAT
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
