"""The spaces that environments of Gymnasium and PettingZoo tell of: observations and actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from gymnasium.spaces import Box, Discrete

from fugger.envs.tensor import DTYPE, bounds
from fugger.rules.actions import ACTIONS

if TYPE_CHECKING:
    from fugger.editions import Edition


def observation_box(edition: Edition, players: int, target: int | None, rows: int = 1) -> Box:
    """Rows of `fugger.envs.tensor`, one after the other: int16 (128 * rows,).

    A number that is the same in all games of the setup may be anything from 0 to that: who brings
    observations to a range of their own needs none of no width.
    """
    low, high = bounds(edition, players, target)
    fixed = low == high
    low[fixed] = np.minimum(low[fixed], 0)
    high[fixed] = np.maximum(high[fixed], 1)
    return Box(np.tile(low, rows), np.tile(high, rows), dtype=DTYPE.type)


def mask_box() -> Box:
    """Masks of the actions, 1 for each legal one: int8 (23,)."""
    return Box(0, 1, (ACTIONS,), np.int8)


def action_space() -> Discrete:
    """The 23 actions; `fugger.rules.actions` has their table."""
    return Discrete(ACTIONS)
