"""The fast generator: uniform numbers for simulations and bots, the same compiled and interpreted.

A multiply-with-carry generator (Marsaglia 1994, lag 1, base 2**32) in one signed 64-bit number:
neither the multiplication nor the carry ever passes 2**63, so that plain Python, NumPy and compiled
code agree bit for bit. With this multiplier m both m * 2**32 - 1 and m * 2**31 - 1 are prime, hence
its period is m * 2**31 - 1, about 2**62. The carry is mixed into the output, as in Thomas's
MWC64X. It is no secret generator: tables where people play use the keyed stream of
`fugger.dealer`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from fugger.compiled import jitable
from fugger.errors import SeedError, is_whole, quoted

Generator: TypeAlias = "NDArray[np.int64]"
"""An array of one int64."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MULTIPLIER: Final = 2_053_846_269
_LOW: Final = 0xFFFF_FFFF


def generator(seed: int, stream: int = 0) -> Generator:
    """A generator at a point of its period given by a seed and a stream: an int64 array of one.

    Args:
        seed: any whole number.
        stream: tells apart generators of one seed, such as those of successive games.

    Raises:
        SeedError: one of them is no whole number.
    """
    for number in (seed, stream):
        if not is_whole(number):
            raise SeedError(f"{quoted(number)} is no seed: expected a whole number")
    digest = hashlib.sha256(f"{seed} {stream}".encode()).digest()
    return np.array([1 + int.from_bytes(digest, "big") % ((_MULTIPLIER << 32) - 2)], np.int64)


@jitable
def below(rng: Generator, number: int) -> int:
    """A number from 0 to number - 1, each as likely but for less than number / 2**32."""
    x = int(rng[0])
    # The number is made of the state before the step, so that compiled it needn't wait for it.
    rng[0] = _MULTIPLIER * (x & _LOW) + (x >> 32)
    return (((x ^ (x >> 32)) & _LOW) * int(number)) >> 32
