"""The compiled loops of the vector environment: many games one step on, nothing allocated.

Every loop takes the arrays of `fugger.envs.games.Games` and the numbers of the first game to treat
and the one after the last, so that several threads can share a batch. A game's cards come from its
own generator: whatever the threads, they are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.chance import below
from fugger.compiled import entry, jitable
from fugger.envs import tensor
from fugger.envs.rewards import reward
from fugger.playouts import next_of_deck as next_card
from fugger.playouts import nth_one, one_of, ones
from fugger.prefetch import prefetch
from fugger.rules.actions import PASS, legal_actions
from fugger.rules.play import apply, deal
from fugger.rules.state import NOBODY, OVER, States

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator
    from fugger.envs.tensor import Tensor

    Bytes = NDArray[np.int64]
    """Bools, eight at a time."""

_SHIFTS: Final = 31
"""Bits of how far a number of 32 bits can be shifted."""
BLOCK: Final = 32
"""Games moved on before what they look like is written: by then the processor has stored them, and
still has them at hand."""
_LINE: Final = 64
"""Bytes of a line of the processor's cache."""
_ROW: Final = tensor.SIZE * tensor.DTYPE.itemsize
"""Bytes of an observation."""
_AHEAD: Final = 4
"""Steps before it is written that an observation is asked for, where memory is far."""

ACTIONS: Final = 0
"""An action in every game; what it leaves owed is left so."""
ACTIONS_AND_CARDS: Final = 1
"""An action in every game, then random cards until none is owed."""
CARDS: Final = 2
"""One card in every game where one is owed; or none, to show how the games stand."""

_EIGHT: Final = (1 << 8) - 1
_HALF: Final = 11
_HALF_OF: Final = (1 << _HALF) - 1
"""The lower half of the actions: the draw, and plays of all goods but the last."""


@entry
def advance(  # noqa: PLR0912, PLR0913, PLR0917 (compiled code takes no groups of arrays)
    starts: States,
    states: States,
    decks: NDArray[np.uint16],
    deals: NDArray[np.int64],
    moves: NDArray[np.int64],
    what: int,
    begins_anew: bool,
    legal: NDArray[np.int32],
    masks: Bytes,
    observations: Tensor,
    players: NDArray[np.int8],
    terminated: NDArray[np.bool_],
    rewards: NDArray[np.float32],
    kind: int,
    begin: int,
    end: int,
) -> None:
    """Moves games on, and writes what they look like then to whose turn it is.

    `moves` are cards or actions, as `what` says. Actions begin anew the games that were over, if
    `begins_anew`.
    """
    # The functions called here take no array but a row's: handing on a whole one costs more than
    # a step does.
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        for game in range(first, last):
            state = states[game]
            if what == CARDS:
                if state.recipient != NOBODY:
                    deal(state, int(moves[game]))
                continue
            if state.stage != OVER:
                apply(state, int(moves[game]))
            elif begins_anew:
                states[game] = starts[below(deals[game], len(starts))]
                decks[game, 0] = 0
            if what == ACTIONS_AND_CARDS:
                while state.recipient != NOBODY:
                    deal(state, next_card(state, deals[game], decks[game]))
        for game in range(first, last):
            state = states[game]
            player = int(state.player)
            actions = legal_actions(state)
            if state.recipient != NOBODY:
                actions = 0
            over = state.stage == OVER
            if over:
                actions = 1 << PASS
            if over | terminated[game]:
                # A reward is given once: with the card or the action that ended the game.
                if not terminated[game]:
                    for seat in range(state.players):
                        rewards[game, seat] = reward(state, seat, kind)
                elif what != CARDS:
                    for seat in range(state.players):
                        rewards[game, seat] = 0.0
            terminated[game] = over
            legal[game] = actions
            players[game] = player
            write_mask(masks[game], actions)
            tensor.write(observations[game], state, player)


@jitable
def write_mask(mask: Bytes, actions: int) -> None:
    """Writes a bit set of actions as bools."""
    mask[0] = eight_bools(actions)
    mask[1] = eight_bools(actions >> 8)
    mask[2] = eight_bools(actions >> 16)


@jitable
def eight_bools(bits: int) -> int:
    """The lowest eight bits as bools, a byte each."""
    return int(_BOOLS[bits & _EIGHT])


@entry
def play_on(  # noqa: PLR0913, PLR0917
    starts: States,
    states: States,
    decks: NDArray[np.uint16],
    deals: NDArray[np.int64],
    choices: NDArray[np.int64],
    begins_anew: bool,
    terminated: NDArray[np.bool_],
    rewards: NDArray[np.float32],
    kind: int,
    masks: Bytes,
    observations: Tensor,
    players: NDArray[np.int8],
    actions: NDArray[np.int8],
    ends: NDArray[np.bool_],
    brought: NDArray[np.float32],
    begin: int,
    end: int,
) -> None:
    """Takes random actions in games, one game after the other, and writes down every step.

    The arrays from `masks` to `brought` have a row of steps for each game. `terminated` and
    `rewards` get what `advance` needs to show how the games stand then.
    """
    for game in range(begin, end):
        state = states[game]
        deck = decks[game]
        rng = deals[game]
        choice = choices[game]
        for seat in range(state.players):
            rewards[game, seat] = 0.0
        brought[game] = 0.0
        for at in range(actions.shape[1]):
            legal = legal_actions(state)
            over = state.stage == OVER
            if over:
                legal = 1 << PASS
            player = int(state.player)
            row = observations[game, at]
            for place in range(_AHEAD * _ROW, (_AHEAD + 1) * _ROW, _LINE):
                prefetch(row, place)
            players[game, at] = player
            ends[game, at] = over
            write_mask(masks[game, at], legal)
            tensor.write(row, state, player)
            action = one_of(legal, choice)
            actions[game, at] = action
            if not over:
                apply(state, action)
            elif begins_anew:
                states[game] = starts[below(rng, len(starts))]
                deck[0] = 0
            while state.recipient != NOBODY:
                deal(state, next_card(state, rng, deck))
            if state.stage == OVER and not over:
                for seat in range(state.players):
                    brought[game, at, seat] = reward(state, seat, kind)
            terminated[game] = over


@entry
def observe(states: States, seats: NDArray[np.int64], rows: Tensor, begin: int, end: int) -> None:
    """Writes what a seat of each game knows; the rows have the constants already."""
    for game in range(begin, end):
        tensor.write(rows[game], states[game], int(seats[game]))


@entry
def choose(
    legal: NDArray[np.int32],
    choices: NDArray[np.int64],
    actions: NDArray[np.int64],
    begin: int,
    end: int,
) -> None:
    """Chooses any legal action in every game, each as likely."""
    for game in range(begin, end):
        actions[game] = any_of(int(legal[game]), choices[game])


@jitable
def any_of(actions: int, rng: Generator) -> int:
    """One action of a bit set, each as likely: `one_of` without branches.

    Where games come one after the other, the processor can't foresee them.
    """
    low = ones(actions & _HALF_OF)
    index = below(rng, low + ones(actions >> _HALF & _HALF_OF))
    half = int(index >= low)
    chosen = nth_one(actions >> _HALF * half & _HALF_OF, index - low * half) + _HALF * half
    return PASS if actions >> PASS else chosen


@entry
def count_illegal(legal: NDArray[np.int32], actions: NDArray[np.int64]) -> int:
    """How many games can't take their action."""
    illegal = 0
    for game in range(len(actions)):
        action = actions[game]
        possible = (action >= 0) & (action <= PASS)
        illegal += 1 - (legal[game] >> (action & _SHIFTS) & int(possible))
    return illegal


def _bools() -> NDArray[np.int64]:
    """Of every set of eight bits a byte for each, 1 or 0, the lowest first in memory."""
    sets = np.arange(_EIGHT + 1)[:, None]
    return (sets >> np.arange(8) & 1).astype(np.uint8).view(np.int64)[:, 0]


_BOOLS: Final = _bools()
