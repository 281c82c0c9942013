"""PNG files as arrays: those of the kind that pictures are drawn as."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.compiled import entry
from fugger.errors import SetupError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {2: 3, 6: 4}
"""By colour type: colours, and colours with their opacity."""
_BITS: Final = 8
_SUB, _UP, _AVERAGE, _PAETH = 1, 2, 3, 4
"""How a line was filtered, as the standard numbers it; 0 is not at all."""


def pixels(file: bytes) -> NDArray[np.uint8]:
    """The colours of a picture, uint8 (height, width, 3); opacity is left out.

    Raises:
        SetupError: it is no PNG file, or not of 8 bits a channel, or an interlaced one.
    """
    if file[:8] != _SIGNATURE:
        raise SetupError("the picture is no PNG file")
    data, header, at = b"", b"", len(_SIGNATURE)
    while at < len(file):
        (length,) = struct.unpack_from(">I", file, at)
        kind, body = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            data += body
        at += length + 12
    width, height, bits, colours, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if bits != _BITS or colours not in _CHANNELS or interlaced:
        raise SetupError(
            f"the PNG file has {bits} bits a channel, colour type {colours}, interlacing "
            f"{interlaced}: expected 8 bits a channel, colour type 2 or 6, interlacing 0"
        )
    channels = _CHANNELS[colours]
    lines = np.frombuffer(bytearray(zlib.decompress(data)), np.uint8).reshape(height, -1)
    unfilter(lines, channels)
    return np.ascontiguousarray(lines[:, 1:].reshape(height, width, channels)[:, :, :3])


@entry
def unfilter(lines: NDArray[np.uint8], channels: int) -> None:
    """Undoes, in place, what each line's first byte says was done to it."""
    for line in range(len(lines)):
        kind = lines[line, 0]
        for at in range(1, lines.shape[1]):
            left = int(lines[line, at - channels]) if at > channels else 0
            above = int(lines[line - 1, at]) if line > 0 else 0
            before = int(lines[line - 1, at - channels]) if line > 0 and at > channels else 0
            if kind == _SUB:
                guess = left
            elif kind == _UP:
                guess = above
            elif kind == _AVERAGE:
                guess = (left + above) >> 1
            elif kind == _PAETH:
                to_left = abs(above - before)
                to_above = abs(left - before)
                to_before = abs(left + above - 2 * before)
                if to_left <= to_above and to_left <= to_before:
                    guess = left
                else:
                    guess = above if to_above <= to_before else before
            else:
                guess = 0
            lines[line, at] = (int(lines[line, at]) + guess) & 255
