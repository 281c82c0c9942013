"""What environments of one game are given: whether it can be, and what to say if it can't."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fugger.errors import IllegalAction, SetupError, is_whole, quoted
from fugger.rules.actions import ACTIONS, PASS, Action, actions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray


def number_of(action: object) -> int | None:
    """The number of an action, legal or not; None if it is none."""
    if isinstance(action, Action):
        return int(action)
    if isinstance(action, np.ndarray) and action.shape == ():
        action = action[()]
    return int(action) if is_whole(action, 0, ACTIONS - 1) else None


def refusal(action: object, mask: NDArray[np.int8], who: str) -> IllegalAction:
    """The error that says why an action can't be taken, and which can."""
    legal = actions_in(sum(1 << int(number) for number in np.flatnonzero(mask)))
    if number_of(action) is None:
        shown = int(action) if is_whole(action) else quoted(action)
        message = f"{shown} is no action: expected a whole number from 0 to {ACTIONS - 1}"
    else:
        message = f"{int(action)} isn't legal"  # type: ignore[call-overload]  # it is a number
    listed = ", ".join(f"{action:d} ({action!s})" for action in legal)
    return IllegalAction(f"{message}: {who} may take {listed}", tuple(legal))


def pass_alone() -> NDArray[np.int8]:
    """The mask of a game that is over."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[PASS] = 1
    return mask


def check_options(options: object) -> None:
    """Refuses options of a reset that are none. Whatever they hold is ignored.

    Raises:
        SetupError: they are neither a dict nor None.
    """
    if options is not None and not isinstance(options, Mapping):
        raise SetupError(f"options is {quoted(options)}: expected a dict or None")
