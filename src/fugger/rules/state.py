"""The state of a game: one fixed record of 16-bit numbers.

A state is an element of an array of dtype `STATE` (or a scalar of it), so that copying is one
assignment, ``target[0] = source[0]``, `tobytes` is a snapshot, and the same functions run
interpreted and compiled. Every field is an int16: narrower ones would overflow differently in
the two. Fields of the first block never change during a game.

Layout, in order:

==============  ========  ===================================================================
field           shape     meaning
==============  ========  ===================================================================
players         ()        2 to 4
target          ()        gulden that end the game (`game_ends_at`)
trigger         ()        what gives Jakob an extra card: NO_TRIGGER, ON_SHIPMENT, ON_MERCHANT
goes_round      ()        bit 0: a price past 9 goes on from 1; bit 1: a falling 1 becomes 9
round_end       ()        cards of one good on the table that end a round
opening_hand    ()        cards dealt to each player before round 1
viewer          ()        ALL_KNOWING, or in an observation the seat (or SPECTATOR) it is for
stage           ()        OPENING, REFILL, REWARD, MARKET, TURNS or OVER
recipient       ()        who is owed the next card: a seat, JAKOB or NOBODY
owed            ()        cards still owed to the recipient
round_number    ()        from 1
starter         ()        the seat that begins this round
player          ()        the seat whose turn it is, or was when the game ended
draw_size       ()        cards in the draw pile
discard_size    ()        cards in the discard pile
prices          (5,)      gulden, by good
table           (5,)      cards of each good on the table, Jakob's included
money           (4,)      gulden, by seat
hand_size       (4,)      cards in each hand
hand_kinds      (4,)      bit set of the kinds of cards in each hand, bit `card`
shipments       (4, 2)    card shipped in round 1 and in round 2; NO_CARD or UNKNOWN
hand            (4, 11)   number of each card in each hand
tableau         (4, 11)   number of each card in each tableau
jakob           (11,)     number of each card beside Jakob (goods only; the last is 0)
draw_pile       (11,)     number of each card in the draw pile; in an observation, of each
                          card the viewer hasn't seen, wherever it is
discard_pile    (11,)     number of each card in the discard pile
==============  ========  ===================================================================

`draw_size`, `discard_size`, `table`, `hand_size` and `hand_kinds` are counters: each can be
recomputed from the rest of a state, and a test does so at every step of random play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

import numpy as np

from fugger.cards import GOODS, KINDS
from fugger.editions import MAX_TARGET, MIN_TARGET, Edition
from fugger.errors import SetupError, is_whole, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_PLAYERS: Final = 4
ANY_SEAT: Final = MAX_PLAYERS - 1
"""The bits of a seat. Of ``seat & ANY_SEAT`` the compiler knows that it isn't negative, and leaves
out the test for an index counted from an array's end."""
SHIPPING_ROUNDS: Final = 2
"""Shipments are made in rounds 1 and 2 only."""

NOBODY: Final = -1
"""As a recipient: no card is owed."""
JAKOB: Final = 4
"""As a recipient: Jakob the Rich, whose number comes after the four seats."""

ALL_KNOWING: Final = -1
"""As a viewer: the state itself, nothing hidden."""
SPECTATOR: Final = 4
"""As a viewer: somebody at no seat, who knows what everyone knows."""

NO_CARD: Final = -1
UNKNOWN: Final = -2
"""As a shipment in an observation: a card is there, the viewer may not know which."""

NO_TRIGGER: Final = 0
ON_SHIPMENT: Final = 1
ON_MERCHANT: Final = 2

OPENING: Final = 0
"""The opening hands are being dealt."""
REFILL: Final = 1
"""A new round: two cards for everyone."""
REWARD: Final = 2
"""A new round: more cards for those with merchants in their tableau."""
MARKET: Final = 3
"""Two goods are being turned up for Jakob, before a round's first turn."""
TURNS: Final = 4
"""Players take turns; cards owed are what a turn brought about."""
OVER: Final = 5
"""The game is over."""

GOES_ROUND_UP: Final = 1
GOES_ROUND_DOWN: Final = 2

_SCALARS = [
    "players",
    "target",
    "trigger",
    "goes_round",
    "round_end",
    "opening_hand",
    "viewer",
    "stage",
    "recipient",
    "owed",
    "round_number",
    "starter",
    "player",
    "draw_size",
    "discard_size",
]

STATE: Final = np.dtype(
    (
        np.record,
        [
            *((name, np.int16) for name in _SCALARS),
            ("prices", np.int16, (GOODS,)),
            ("table", np.int16, (GOODS,)),
            ("money", np.int16, (MAX_PLAYERS,)),
            ("hand_size", np.int16, (MAX_PLAYERS,)),
            ("hand_kinds", np.int16, (MAX_PLAYERS,)),
            ("shipments", np.int16, (MAX_PLAYERS, SHIPPING_ROUNDS)),
            ("hand", np.int16, (MAX_PLAYERS, KINDS)),
            ("tableau", np.int16, (MAX_PLAYERS, KINDS)),
            ("jakob", np.int16, (KINDS,)),
            ("draw_pile", np.int16, (KINDS,)),
            ("discard_pile", np.int16, (KINDS,)),
        ],
    )
)
"""The layout of a state."""


class State(Protocol):
    """What type checkers know of a state: an ``np.record`` of dtype `STATE`."""

    players: int
    target: int
    trigger: int
    goes_round: int
    round_end: int
    opening_hand: int
    viewer: int
    stage: int
    recipient: int
    owed: int
    round_number: int
    starter: int
    player: int
    draw_size: int
    discard_size: int
    prices: NDArray[np.int16]
    table: NDArray[np.int16]
    money: NDArray[np.int16]
    hand_size: NDArray[np.int16]
    hand_kinds: NDArray[np.int16]
    shipments: NDArray[np.int16]
    hand: NDArray[np.int16]
    tableau: NDArray[np.int16]
    jakob: NDArray[np.int16]
    draw_pile: NDArray[np.int16]
    discard_pile: NDArray[np.int16]

    def tobytes(self) -> bytes:
        """The state's bytes: equal states have equal bytes."""


States: TypeAlias = Any
"""An array of dtype `STATE`: NumPy's stubs can't say that its elements are `State`s."""


def empty_states(number: int) -> States:
    """An array of `number` zeroed states."""
    return np.zeros(number, STATE)


def copy_of(state: State) -> State:
    """An independent copy."""
    return from_bytes(state.tobytes())


def from_bytes(snapshot: bytes) -> State:
    """The state whose `tobytes` this is."""
    return cast("State", states_from_bytes(snapshot)[0])


def states_from_bytes(snapshot: bytes) -> States:
    """The array of states whose `tobytes` this is."""
    return np.frombuffer(bytearray(snapshot), STATE)


def new_state(edition: Edition, players: int, first: int = 0, target: int | None = None) -> State:
    """A game before its first card is dealt; see `new_states`."""
    return cast("State", new_states(edition, players, first, target)[0])


def new_states(edition: Edition, players: int, first: int = 0, target: int | None = None) -> States:
    """An array of one state: a game before its first card is dealt.

    The first seat is owed its opening hand.

    Args:
        edition: the rules and the box.
        players: 2 to 4.
        first: the starting seat, from 0.
        target: gulden that end the game; the edition's own if None, else 20 to 500.

    Raises:
        SetupError: an argument out of its range, or too few cards for so many players.
    """
    target = edition.target if target is None else target
    _check_whole("players", players, 2, MAX_PLAYERS)
    _check_whole("first", first, 0, players - 1)
    if not is_whole(target, edition.target, edition.target):
        _check_whole("target", target, MIN_TARGET, MAX_TARGET)
    cards = np.array(edition.cards, np.int16)
    # Goods enough that some round always ends: every card shipped, one too few of each good.
    needed = edition.goods * (edition.round_end - 1) + SHIPPING_ROUNDS * players + 1
    if cards[:-1].sum() < needed or cards.sum() < edition.opening_hand * players + needed:
        raise SetupError(
            f"edition {quoted(edition.name)} has {cards[:-1].sum()} goods and {cards.sum()} cards: "
            f"{players} players need at least {needed} goods, besides their opening hands"
        )
    states = empty_states(1)
    state = cast("State", states[0])
    state.players, state.target = players, target + edition.must_exceed_target
    if players < MAX_PLAYERS:
        state.trigger = ON_SHIPMENT if edition.jakob_trigger == "shipment" else ON_MERCHANT
    if edition.price_goes_round_up:
        state.goes_round |= GOES_ROUND_UP
    if edition.price_goes_round_down:
        state.goes_round |= GOES_ROUND_DOWN
    state.round_end, state.opening_hand = edition.round_end, edition.opening_hand
    state.viewer = ALL_KNOWING
    state.prices[:] = edition.starting_price
    state.shipments[:] = NO_CARD
    state.draw_pile[:] = cards
    state.draw_size = int(cards.sum())
    state.round_number = 1
    state.starter = state.player = first
    state.stage, state.recipient, state.owed = OPENING, first, edition.opening_hand
    return states


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not is_whole(value, low, high):
        raise SetupError(f"{name} is {quoted(value)}: expected a whole number from {low} to {high}")
