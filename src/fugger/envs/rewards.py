"""What a game that is over was worth to a seat.

=============  =================================================================================
reward         meaning
=============  =================================================================================
``win_share``  1 divided among the winners, the seats with the most money; 0 for all others
``margin``     gulden more than the best of the others has: negative for those who lost, 0 for
               winners who share
=============  =================================================================================

A game that isn't over is worth 0.
"""

from __future__ import annotations

from typing import Final

from fugger.compiled import jitable
from fugger.errors import SetupError, quoted
from fugger.rules.evaluation import winners
from fugger.rules.state import OVER, State

WIN_SHARE: Final = 0
MARGIN: Final = 1
REWARDS: Final = ("win_share", "margin")
"""The names of rewards, at their numbers."""


def reward_named(name: object) -> int:
    """The number of a reward.

    Raises:
        SetupError: there is none of this name.
    """
    if name not in REWARDS:
        raise SetupError(f"{quoted(name)} is no reward: expected {' or '.join(REWARDS)}")
    return REWARDS.index(str(name))


@jitable
def reward(state: State, seat: int, kind: int) -> float:
    """What a state is worth to a seat: WIN_SHARE or MARGIN, 0 before the end."""
    if state.stage != OVER:
        return 0.0
    if kind == WIN_SHARE:
        seats = winners(state)
        sharing = 0
        for other in range(state.players):
            sharing += seats >> other & 1
        return (seats >> seat & 1) / sharing
    best = 0
    for other in range(state.players):
        if other != seat:
            best = max(best, int(state.money[other]))
    return float(int(state.money[seat]) - best)


def reward_bounds(kind: int, highest_money: int) -> tuple[float, float]:
    """The least and the greatest that a game can be worth, when nobody can have more money."""
    return (0.0, 1.0) if kind == WIN_SHARE else (-float(highest_money), float(highest_money))
