"""The games of a vector environment: arrays with a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from fugger.envs.tensor import DTYPE, SIZE
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
    *("states", "decks", "deals", "choices", "legal", "_masks", "observation"),
    *("current_player", "terminated", "rewards"),
)


class Games:
    """Games in progress. A `Vector` makes and moves them; its steps change these arrays in place.

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
    """

    __slots__ = (*_STORED, "actions", "legal_action_mask")
    stored: ClassVar[tuple[str, ...]] = _STORED
    """The arrays that copies and pickles have."""

    states: States
    decks: NDArray[np.uint16]
    deals: NDArray[np.int64]
    choices: NDArray[np.int64]
    legal: NDArray[np.int32]
    observation: Tensor
    current_player: NDArray[np.int8]
    terminated: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    actions: NDArray[np.int64]
    legal_action_mask: NDArray[np.bool_]

    def __init__(self, games: int, starts: States) -> None:
        """Room for games of a setup, whose first states are `starts`; none has begun."""
        players = int(starts[0].players)
        self.states = empty_states(games)
        self.decks = np.zeros((games, len(new_deck(starts[0]))), np.uint16)
        self.deals = np.ones((games, 1), np.int64)
        self.choices = np.ones((games, 1), np.int64)
        self.legal = np.zeros(games, np.int32)
        self._masks = np.zeros((games, _MASK_BYTES), np.uint8)
        self.observation = _lines(games, SIZE)
        self.current_player = np.zeros(games, np.int8)
        self.terminated = np.zeros(games, np.bool_)
        self.rewards = np.zeros((games, players), np.float32)
        self._add_views()

    def _add_views(self) -> None:
        self.actions = np.zeros(len(self.states), np.int64)
        self.legal_action_mask = self._masks.view(np.bool_)[:, :ACTIONS]

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
        for name in self.stored:
            setattr(games, name, getattr(self, name)[chosen].copy())
        games._add_views()
        return games

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.stored}

    def __setstate__(self, arrays: dict[str, object]) -> None:
        for name, array in arrays.items():
            setattr(self, name, array)
        self._add_views()


class Rollout:
    """What random players did in some games, step by step: arrays with a row of steps for each.

    Attributes:
        observation: what the seat to act knew: int16 (n, steps, 128).
        legal_action_mask: which actions were legal; bool (n, steps, 23).
        current_player: the seat to act; int8 (n, steps).
        terminated: whether the game was over, so that the action began the next; bool (n, steps).
        action: the action taken; int8 (n, steps).
        rewards: what it brought each seat; float32 (n, steps, players).
        setup: the constants of its tensors, which tell it from rollouts of other environments.
    """

    __slots__ = (
        *("_masks", "action", "current_player", "legal_action_mask", "observation"),
        *("rewards", "setup", "terminated"),
    )

    def __init__(self, games: int, steps: int, players: int, constants: Tensor) -> None:
        """Room for so many games and steps of a setup, whose tensors' constants are these."""
        self.observation: Tensor = _lines(games * steps, SIZE).reshape(games, steps, SIZE)
        self.observation[:] = constants
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
