"""A small network, compiled: two layers that see features, and outputs of six setups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.compiled import called, jitable
from fugger.rules.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST: Final = 64
SECOND: Final = 32
SETUPS: Final = 6


class Network(NamedTuple):
    """The weights of a network: of each layer a matrix and what is added.

    Attributes:
        first: float32 (features, FIRST), the same for all setups.
        first_bias: float32 (FIRST,).
        second: float32 (SETUPS, FIRST, SECOND).
        second_bias: float32 (SETUPS, SECOND).
        last: float32 (SETUPS, SECOND, outputs).
        last_bias: float32 (SETUPS, outputs).
    """

    first: NDArray[np.float32]
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    last: NDArray[np.float32]
    last_bias: NDArray[np.float32]


@jitable
def setup_of(state: State) -> int:
    """Which of the six: the number of players, and whether prices go round."""
    return (int(state.players) - 2) * 2 + (1 if state.goes_round else 0)


@called
def run(
    network: Network,
    setup: int,
    number: int,
    features: NDArray[np.int32],
    values: NDArray[np.float32],
    layers: NDArray[np.float32],
    outputs: NDArray[np.float32],
) -> None:
    """Writes a network's outputs for a list of features, and both layers before them.

    Numbers are added in the same order everywhere, so that they come out the same.
    """
    first = network.first
    for unit in range(FIRST):
        layers[unit] = network.first_bias[unit]
    # Four rows at a time, so that the sums are read and written less often.
    fours = number & ~3
    for place in range(0, fours, 4):
        row0, row1 = features[place], features[place + 1]
        row2, row3 = features[place + 2], features[place + 3]
        value0, value1 = values[place], values[place + 1]
        value2, value3 = values[place + 2], values[place + 3]
        for unit in range(FIRST):
            layers[unit] += (value0 * first[row0, unit] + value1 * first[row1, unit]) + (
                value2 * first[row2, unit] + value3 * first[row3, unit]
            )
    for place in range(fours, number):
        row, value = features[place], values[place]
        for unit in range(FIRST):
            layers[unit] += value * first[row, unit]
    second = network.second
    for unit in range(SECOND):
        layers[FIRST + unit] = network.second_bias[setup, unit]
    for row in range(FIRST):
        value = layers[row]
        if value > 0:
            for unit in range(SECOND):
                layers[FIRST + unit] += value * second[setup, row, unit]
    last = network.last
    for output in range(last.shape[2]):
        outputs[output] = network.last_bias[setup, output]
    for row in range(SECOND):
        value = layers[FIRST + row]
        if value > 0:
            for output in range(last.shape[2]):
                outputs[output] += value * last[setup, row, output]
