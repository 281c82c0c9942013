"""The games of a vector environment: arrays with a row for each."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from fugger.envs.tensor import DTYPE, SIZE, write_constants
from fugger.errors import SetupError, quoted
from fugger.playouts import new_deck
from fugger.rules.actions import ACTIONS
from fugger.rules.state import States, empty_states

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from fugger.envs.tensor import Tensor

_MASK_BYTES: Final = 24
"""Of a game's mask: its actions and one more, so that eight can be written at a time."""
_LINE: Final = 64
"""Bytes of a line of the processor's cache."""
_STORED: Final = (
    *("states", "decks", "deals", "choices", "legal", "_masks", "_rows"),
    *("current_player", "terminated", "rewards"),
)


class Held:
    """What a thread holds while it moves games; nobody waits for it."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise SetupError(
                "another thread is moving these games: expected games of its own for each thread, "
                "by `init` or `copy`"
            )

    def __exit__(self, *error: object) -> None:
        self._lock.release()


class Games:
    """Games in progress. A `Vector` makes and moves them; its steps change these arrays in place.

    The arrays can't be replaced, and observations can't be written to: copy what is to be changed.
    One thread at a time moves games; others may move other games of the same `Vector`.

    Attributes:
        observation: what the seat to act knows: rows of `fugger.envs.tensor`; int16 (n, 128).
        legal_action_mask: which of the 23 actions are legal; bool (n, 23). Of a game that is over
            the pass alone; of one in which a card is owed none.
        current_player: the seat to act, or whose turn it was when the game ended; int8 (n,).
        terminated: which games are over; bool (n,).
        rewards: what the last step brought each seat; float32 (n, players). All 0 but at the
            game's end.
        legal: the masks as bit sets; int32 (n,).
        states: the games themselves, nothing hidden: an array of `fugger.rules.state.STATE`.
        decks, deals, choices: what deals the cards, and draws `Vector.random_actions`.
        actions: what `Vector.random_actions` writes; int64 (n,).
        setup: the states that games begin with, as bytes: which `Vector`s can move them.
        held: held while the games are moved.
    """

    __slots__ = (*_STORED, "actions", "held", "legal_action_mask", "observation", "setup")
    stored: ClassVar[tuple[str, ...]] = _STORED
    """The arrays that copies and pickles have."""

    states: States
    decks: NDArray[np.uint16]
    deals: NDArray[np.int64]
    choices: NDArray[np.int64]
    legal: NDArray[np.int32]
    observation: Tensor
    setup: bytes
    held: Held
    _masks: NDArray[np.uint8]
    _rows: Tensor
    current_player: NDArray[np.int8]
    terminated: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    actions: NDArray[np.int64]
    legal_action_mask: NDArray[np.bool_]

    def __init__(self, games: int, starts: States) -> None:
        """Room for games of a setup, whose first states are `starts`; none has begun."""
        players = int(starts[0].players)
        try:
            self._put(
                states=empty_states(games),
                decks=np.zeros((games, len(new_deck(starts[0]))), np.uint16),
                deals=np.ones((games, 1), np.int64),
                choices=np.ones((games, 1), np.int64),
                legal=np.zeros(games, np.int32),
                _masks=np.zeros((games, _MASK_BYTES), np.uint8),
                _rows=_lines(games, SIZE),
                current_player=np.zeros(games, np.int8),
                terminated=np.zeros(games, np.bool_),
                rewards=np.zeros((games, players), np.float32),
            )
        except (MemoryError, ValueError, OverflowError):
            raise SetupError(f"there is no memory for {games} games: expected fewer") from None
        write_constants(self._rows[0], starts[0])
        self._rows[1:] = self._rows[0]
        self._add_views(starts.tobytes())

    def _put(self, **arrays: object) -> None:
        for name, array in arrays.items():
            object.__setattr__(self, name, array)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"{name} can't be replaced: these arrays are the games, expected `copy` or `take`"
        )

    def _add_views(self, setup: bytes) -> None:
        rows = self._rows.view()
        rows.flags.writeable = False
        self._put(
            actions=np.zeros(len(self.states), np.int64),
            held=Held(),
            legal_action_mask=self._masks.view(np.bool_)[:, :ACTIONS],
            observation=rows,
            setup=setup,
        )

    def __len__(self) -> int:
        return len(self.current_player)

    def __repr__(self) -> str:
        over = int(self.terminated.sum())
        return f"<{len(self)} games of {self.players} players, {over} of them over>"

    @property
    def players(self) -> int:
        """How many play in each game."""
        return int(self.rewards.shape[1])

    @property
    def recipient(self) -> NDArray[np.int16]:
        """Who is owed a card: a seat, `fugger.JAKOB` or -1 for nobody; int16 (n,)."""
        return self.states["recipient"]  # type: ignore[no-any-return]  # of a structured array

    @property
    def chances(self) -> NDArray[np.int16]:
        """How many of each card the next deal can be; int16 (n, 11), 0 where none is owed."""
        owed = self.recipient[:, None] >= 0
        return np.where(owed, self.states["draw_pile"], np.int16(0))

    @property
    def nbytes(self) -> int:
        """The memory that all arrays take."""
        return self.actions.nbytes + sum(int(getattr(self, name).nbytes) for name in self.stored)

    def copy(self) -> Self:
        """Independent games that stand as these do, and go on with the same cards."""
        return self._made_of(slice(None))

    def take(self, games: ArrayLike) -> Self:
        """Independent copies of some games, in the order given; each as often as it is named.

        A game's copies go on with the same cards as the game: `Vector.reseed` parts them.

        Args:
            games: their numbers, or a bool for each game.

        Raises:
            SetupError: there are no such games.
        """
        chosen = np.asarray(games)
        try:
            found = self.states[chosen] if chosen.dtype.kind in "iub" else None
        except IndexError:
            found = None
        if found is None or chosen.ndim != 1:
            raise SetupError(
                f"{quoted(games)} names no games: expected numbers from 0 to {len(self) - 1}, "
                f"or {len(self)} bools"
            )
        return self._made_of(chosen)

    def _made_of(self, chosen: slice | NDArray[np.int64]) -> Self:
        games = object.__new__(type(self))
        with self.held:
            games._put(**{name: getattr(self, name)[chosen].copy() for name in self.stored})
        games._add_views(self.setup)
        return games

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in (*self.stored, "setup")}

    def __setstate__(self, arrays: dict[str, object]) -> None:
        self._put(**arrays)
        self._add_views(self.setup)


class Rollout:
    """What random players did in some games, step by step: arrays with a row of steps for each.

    Attributes:
        observation: what the seat to act knew: int16 (n, steps, 128); it can't be written to.
        legal_action_mask: which actions were legal; bool (n, steps, 23).
        current_player: the seat to act; int8 (n, steps).
        terminated: whether the game was over, so that the action began the next; bool (n, steps).
        action: the action taken; int8 (n, steps).
        rewards: what it brought each seat; float32 (n, steps, players).
        setup: the constants of its tensors, which tell it from rollouts of other environments.
    """

    __slots__ = (
        *("_masks", "_rows", "action", "current_player", "legal_action_mask", "observation"),
        *("rewards", "setup", "terminated"),
    )

    def __init__(self, games: int, steps: int, players: int, constants: Tensor) -> None:
        """Room for so many games and steps of a setup, whose tensors' constants are these."""
        try:
            self._rows: Tensor = _lines(games * steps, SIZE).reshape(games, steps, SIZE)
        except (MemoryError, ValueError, OverflowError):
            raise SetupError(
                f"there is no memory for {steps} steps of {games} games: expected fewer"
            ) from None
        self._rows[:] = constants
        self.observation = self._rows.view()
        self.observation.flags.writeable = False
        self.setup = constants.tobytes()
        self._masks = np.zeros((games, steps, _MASK_BYTES), np.uint8)
        self.legal_action_mask = self._masks.view(np.bool_)[:, :, :ACTIONS]
        self.current_player = np.zeros((games, steps), np.int8)
        self.terminated = np.zeros((games, steps), np.bool_)
        self.action = np.zeros((games, steps), np.int8)
        self.rewards = np.zeros((games, steps, players), np.float32)

    @property
    def shape(self) -> tuple[int, int]:
        """How many games, and how many steps of each."""
        games, steps = self.action.shape
        return games, steps


def _lines(rows: int, columns: int) -> Tensor:
    """Zeros, whose rows begin where a line of the processor's cache does."""
    octets = np.zeros(rows * columns * DTYPE.itemsize + _LINE, np.uint8)
    begin = -octets.ctypes.data % _LINE
    return (
        octets[begin : begin + rows * columns * DTYPE.itemsize].view(DTYPE).reshape(rows, columns)
    )
