"""The networks that may lead a search: what it asks them, and where they come from.

Three small networks learnt by self-play (`training/` has the programs): one says how likely a
player of its strength takes each action, one who will win, from all cards, and one which cards the
others hide, from what they have played. All see `fugger.bots.features`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.bots.features import output_of, seat_at, write_hidden, write_known
from fugger.bots.network import Network, Sight, run, setup_of
from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.compiled import jitable
from fugger.playouts import ones
from fugger.rules.actions import SHIP
from fugger.rules.state import MAX_PLAYERS, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

OTHERS: Final = MAX_PLAYERS - 1
GUESSED: Final = OTHERS * (KINDS + GOOD_KINDS)
"""Outputs of the network that guesses: the cards of the others' hands, the goods they shipped."""

_HEAT: Final = np.float32(0.5)
"""Chances of actions are made more alike by this power of them."""
_STEPS: Final = 64
_FAR: Final = 24 * _STEPS - 2
# By the math module: NumPy's last bit depends on where an array lies.
_POWERS: Final = np.array([exp(-step / _STEPS) for step in range(24 * _STEPS)], np.float32)
_FILE: Final = "networks.npz"


class Networks(NamedTuple):
    """What leads a search.

    Attributes:
        policy: its outputs are the actions, goods by rank.
        value: its outputs are the seats, from whose turn it is.
        guess: `GUESSED` outputs.
    """

    policy: Network
    value: Network
    guess: Network


@cache
def networks() -> Networks:
    """The networks that come with the package."""
    with (files("fugger.bots") / _FILE).open("rb") as file, np.load(file) as kept:
        return Networks(*(_network_in(kept, name) for name in Networks._fields))


def _network_in(kept: Mapping[str, NDArray[np.float16]], name: str) -> Network:
    parts = (kept[f"{name}_{field}"].astype(np.float32) for field in Network._fields)
    return Network(*parts)


@jitable
def write_chances(  # noqa: PLR0913, PLR0917 (a search provides all memory)
    state: State,
    legal: int,
    edges: int,
    network: Network,
    sight: Sight,
    chances: NDArray[np.float32],
) -> None:
    """Writes how likely the player whose turn it is takes each edge.

    Args:
        state: a state, or an observation of that player.
        legal: the legal actions.
        edges: those to write, as a bit set; if shipments look alike, the first stands for all.
        network: what knows.
        sight: to work in.
        chances: where to write them, by action.
    """
    write_known(state, sight)
    run(network, setup_of(state), sight)
    outputs = sight.outputs
    most = np.float32(-1e30)
    left = legal
    while left != 0:
        output = output_of(ones((left & -left) - 1), sight.order)
        left &= left - 1
        most = max(most, outputs[output])
    shipping = np.float32(0)
    left = legal
    while left != 0:
        action = ones((left & -left) - 1)
        left &= left - 1
        chance = power(_HEAT * (outputs[output_of(action, sight.order)] - most))
        if action >= SHIP:
            shipping += chance
        if edges >> action & 1:
            chances[action] = chance
    if legal >> SHIP != edges >> SHIP and edges >> SHIP == 1:
        chances[SHIP] = shipping


@jitable
def write_shares(
    state: State, network: Network, sight: Sight, whole: int, shares: NDArray[np.int64]
) -> None:
    """Writes what part of `whole` each seat is likely to get."""
    write_known(state, sight)
    write_hidden(state, sight)
    run(network, setup_of(state), sight)
    outputs = sight.outputs
    players, me = int(state.players), int(state.player)
    most = outputs[0]
    for place in range(1, players):
        most = max(most, outputs[place])
    total = np.float32(0)
    for place in range(players):
        outputs[place] = power(outputs[place] - most)
        total += outputs[place]
    for place in range(players):
        shares[seat_at(place, me, players)] = int(
            whole * (np.float64(outputs[place]) / np.float64(total))
        )


@jitable
def write_guesses(observation: State, network: Network, sight: Sight) -> None:
    """Writes how much likelier than elsewhere each unseen card is in each place."""
    write_known(observation, sight)
    run(network, setup_of(observation), sight)
    outputs = sight.outputs
    players, me = int(observation.players), int(observation.player)
    for place in range(1, players):
        seat = seat_at(place, me, players)
        hand = KINDS * (place - 1)
        shipped = KINDS * OTHERS + GOOD_KINDS * (place - 1)
        for rank in range(GOODS):
            for sealed in range(2):
                card = 2 * int(sight.order[rank]) + sealed
                sight.guesses[0, seat, card] = odds(outputs[hand + 2 * rank + sealed])
                sight.guesses[1, seat, card] = odds(outputs[shipped + 2 * rank + sealed])
        sight.guesses[0, seat, MERCHANT] = odds(outputs[hand + MERCHANT])
        sight.guesses[1, seat, MERCHANT] = np.float32(0)


@jitable
def odds(exponent: np.float32) -> np.float32:
    """The exponential of a number, which is brought between -6 and 6 first."""
    limit = np.float32(6)
    return power(min(max(exponent, -limit), limit) - limit)


@jitable
def power(exponent: np.float32) -> np.float32:
    """The exponential of a number not above 0, from a table: the same everywhere."""
    steps = exponent * np.float32(-_STEPS)
    place = min(int(steps), _FAR)
    over = min(steps - np.float32(place), np.float32(1))
    return np.float32(_POWERS[place] + over * (_POWERS[place + 1] - _POWERS[place]))
