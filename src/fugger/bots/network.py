"""A small network, compiled: two layers between features and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.bots.features import FEATURES, ROOM
from fugger.cards import GOODS, KINDS
from fugger.compiled import called, jitable
from fugger.rules.state import MAX_PLAYERS, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST: Final = 64
SECOND: Final = 32
"""Units of the two layers."""
SETUPS: Final = 6
"""Two to four players, each in both editions, have all but the first layer of their own."""
MOST_OUTPUTS: Final = 64

_BLOCK: Final = 4


class Network(NamedTuple):
    """The weights of a network: of each layer a matrix and what is added, all float32.

    Attributes:
        first: (FEATURES, FIRST), the same for all setups.
        first_bias: (FIRST,).
        second: (SETUPS, FIRST, SECOND).
        second_bias: (SETUPS, SECOND).
        last: (SETUPS, SECOND, outputs).
        last_bias: (SETUPS, outputs).
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    last: NDArray[np.float32]
    last_bias: NDArray[np.float32]


class Sight(NamedTuple):
    """What networks see and work in.

    Attributes:
        order: goods by rank, then ranks by good; see `fugger.bots.features`.
        unseen: how many of each card the player whose turn it is doesn't see.
        features, values: a list of features, int32 and float32 (ROOM,).
        number: an array of one: how many there are.
        layers: the units of both layers.
        outputs: the last network's.
        guesses: how much likelier than elsewhere each card is in each seat's hand (0) and
            shipments (1): float32 (2, MAX_PLAYERS, KINDS).
    """

    order: NDArray[np.int64]
    unseen: NDArray[np.int64]
    features: NDArray[np.int32]
    values: NDArray[np.float32]
    number: NDArray[np.int64]
    layers: NDArray[np.float32]
    outputs: NDArray[np.float32]
    guesses: NDArray[np.float32]


def new_sight() -> Sight:
    """Memory for networks, which has seen nothing."""
    return Sight(
        np.zeros(2 * GOODS, np.int64),
        np.zeros(KINDS, np.int64),
        np.zeros(ROOM, np.int32),
        np.zeros(ROOM, np.float32),
        np.zeros(1, np.int64),
        np.zeros(FIRST + SECOND, np.float32),
        np.zeros(MOST_OUTPUTS, np.float32),
        np.ones((2, MAX_PLAYERS, KINDS), np.float32),
    )


def shapes(outputs: int) -> tuple[tuple[int, ...], ...]:
    """The shapes of a network's weights."""
    return (
        (FEATURES, FIRST),
        (FIRST,),
        (SETUPS, FIRST, SECOND),
        (SETUPS, SECOND),
        (SETUPS, SECOND, outputs),
        (SETUPS, outputs),
    )


@jitable
def setup_of(state: State) -> int:
    """Which of the six: the number of players, and whether prices go round."""
    return (int(state.players) - 2) * 2 + (1 if state.goes_round else 0)


@called
def run(network: Network, setup: int, sight: Sight) -> None:
    """Writes both layers and the outputs for a list of features.

    Numbers are added in the same order everywhere, so that they come out the same.
    """
    first, layers, outputs = network.first, sight.layers, sight.outputs
    features, values = sight.features, sight.values
    for unit in range(FIRST):
        layers[unit] = network.first_bias[unit]
    # Four rows at a time, so that the sums are read and written less often.
    blocks = int(sight.number[0]) // _BLOCK * _BLOCK
    for place in range(0, blocks, _BLOCK):
        row0, row1 = features[place], features[place + 1]
        row2, row3 = features[place + 2], features[place + 3]
        value0, value1 = values[place], values[place + 1]
        value2, value3 = values[place + 2], values[place + 3]
        for unit in range(FIRST):
            layers[unit] += (value0 * first[row0, unit] + value1 * first[row1, unit]) + (
                value2 * first[row2, unit] + value3 * first[row3, unit]
            )
    for place in range(blocks, sight.number[0]):
        row, value = features[place], values[place]
        for unit in range(FIRST):
            layers[unit] += value * first[row, unit]
    for unit in range(SECOND):
        layers[FIRST + unit] = network.second_bias[setup, unit]
    add_rows(layers, 0, FIRST, network.second[setup], layers[FIRST:])
    for output in range(network.last.shape[2]):
        outputs[output] = network.last_bias[setup, output]
    add_rows(layers, FIRST, FIRST + SECOND, network.last[setup], outputs)


@jitable
def add_rows(
    layers: NDArray[np.float32],
    begin: int,
    end: int,
    matrix: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Adds a matrix's rows to sums, each as often as its unit says; units below 0 are off."""
    for unit in range(begin, end):
        value = layers[unit]
        if value > 0:
            for column in range(matrix.shape[1]):
                sums[column] += value * matrix[unit - begin, column]
