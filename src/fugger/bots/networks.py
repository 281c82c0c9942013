"""The networks of the strongest level: what a search asks them, and where they come from.

Three small networks learnt by self-play (`training/` has the programs): one says how likely a
player of its strength takes each action, one who will win, from all cards, and one which cards the
others hide, from what they have played. All see `fugger.bots.features`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.bots.features import (
    FEATURES,
    ORDER,
    ROOM,
    output_of,
    seat_at,
    write_hidden,
    write_known,
)
from fugger.bots.network import FIRST, SECOND, SETUPS, Network, run, setup_of
from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.compiled import jitable
from fugger.playouts import ones
from fugger.rules.actions import ACTIONS, SHIP
from fugger.rules.state import MAX_PLAYERS, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

OTHERS: Final = MAX_PLAYERS - 1
GUESSED: Final = OTHERS * (KINDS + GOOD_KINDS)
"""Outputs of the network that guesses: cards of each other hand, goods of each other's shipments."""

_HEAT: Final = np.float32(0.5)
"""Chances of actions are made more alike by this power of them."""
_STEPS: Final = 64
_FAR: Final = 24 * _STEPS - 2
_POWERS: Final = np.exp(-np.arange(24 * _STEPS) / _STEPS).astype(np.float32)
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


class Sight(NamedTuple):
    """Memory that networks work in.

    Attributes:
        order, features, values: see `fugger.bots.features`.
        layers, outputs: see `fugger.bots.network.run`.
        guesses: how much likelier than among all unseen cards each card is, in each seat's hand
            (0) and shipments (1): float32 (2, MAX_PLAYERS, KINDS).
    """

    order: NDArray[np.int64]
    features: NDArray[np.int32]
    values: NDArray[np.float32]
    layers: NDArray[np.float32]
    outputs: NDArray[np.float32]
    guesses: NDArray[np.float32]


def new_sight() -> Sight:
    """Memory to work in."""
    return Sight(
        np.zeros(ORDER, np.int64),
        np.zeros(ROOM, np.int32),
        np.zeros(ROOM, np.float32),
        np.zeros(FIRST + SECOND, np.float32),
        np.zeros(max(ACTIONS, GUESSED), np.float32),
        np.ones((2, MAX_PLAYERS, KINDS), np.float32),
    )


@cache
def networks() -> Networks:
    """The networks that come with the package."""
    with (files("fugger.bots") / _FILE).open("rb") as file, np.load(file) as kept:
        return Networks(
            *(
                Network(
                    *(
                        np.ascontiguousarray(kept[f"{name}_{field}"], np.float32)
                        for field in Network._fields
                    )
                )
                for name in Networks._fields
            )
        )


def no_networks() -> Networks:
    """Networks that know nothing, for searches that aren't led."""
    return Networks(*(_no_network(outputs) for outputs in (ACTIONS, MAX_PLAYERS, GUESSED)))


def _no_network(outputs: int) -> Network:
    shapes = (FEATURES, FIRST), (FIRST,), (SETUPS, FIRST, SECOND), (SETUPS, SECOND)
    last = (SETUPS, SECOND, outputs), (SETUPS, outputs)
    return Network(*(np.zeros(shape, np.float32) for shape in (*shapes, *last)))


@jitable
def write_chances(
    state: State,
    legal: int,
    network: Network,
    sight: Sight,
    chances: NDArray[np.float32],
    first: int,
    wanted: int,
) -> None:
    """Writes how likely the player whose turn it is takes each of the `wanted` edges.

    Args:
        state: a state, or an observation of that player.
        legal: the legal actions. If shipments aren't wanted one by one, the first is for all.
        network: what knows.
        sight: to work in.
        chances: where to write them, action `first` + edge.
        first: see there.
        wanted: a bit set.
    """
    number = write_known(state, sight.order, sight.features, sight.values)
    outputs = sight.outputs
    run(network, setup_of(state), number, sight.features, sight.values, sight.layers, outputs)
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
        if wanted >> action & 1:
            chances[first + action] = chance
    if legal >> SHIP != wanted >> SHIP and wanted >> SHIP == 1:
        chances[first + SHIP] = shipping


@jitable
def write_shares(
    state: State, network: Network, sight: Sight, whole: int, shares: NDArray[np.int64], first: int
) -> None:
    """Writes what part of `whole` each seat is likely to get, for seat 0 at `first`."""
    number = write_known(state, sight.order, sight.features, sight.values)
    number = write_hidden(state, sight.order, number, sight.features, sight.values)
    outputs = sight.outputs
    run(network, setup_of(state), number, sight.features, sight.values, sight.layers, outputs)
    players, me = int(state.players), int(state.player)
    most = outputs[0]
    for place in range(1, players):
        most = max(most, outputs[place])
    total = np.float32(0)
    for place in range(players):
        outputs[place] = power(outputs[place] - most)
        total += outputs[place]
    for place in range(players):
        shares[first + seat_at(place, me, players)] = int(whole * (float(outputs[place]) / float(total)))


@jitable
def write_guesses(observation: State, network: Network, sight: Sight) -> None:
    """Writes how much likelier than elsewhere each unseen card is in each place."""
    number = write_known(observation, sight.order, sight.features, sight.values)
    outputs = sight.outputs
    setup = setup_of(observation)
    run(network, setup, number, sight.features, sight.values, sight.layers, outputs)
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
