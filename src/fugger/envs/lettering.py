"""Letters and digits as strokes: pictures with text that need no fonts, and look the same anywhere.

Each sign is drawn by a pen in a box of 10 by 16.
"""

from __future__ import annotations

from typing import Final

WIDTH: Final = 10
HEIGHT: Final = 16
ADVANCE: Final = 13
"""From one sign's left to the next one's."""

STROKES: Final = {
    "0": "M5 1C2 1 1 4.5 1 8s1 7 4 7 4-3.5 4-7-1-7-4-7z",
    "1": "M1.5 4.5 5.5 1v14M2.5 15h6",
    "2": "M1.2 4.5C1.5 2 3 1 5 1s4 1.2 4 4c0 3-7.6 6-8 10h8.2",
    "3": "M1.3 3C2 1.6 3.3 1 5 1c2.3 0 3.8 1.3 3.8 3.3S7 7.6 4.5 7.6"
    "c2.7 0 4.6 1.4 4.6 3.7S7.3 15 5 15c-2 0-3.5-.8-4.2-2.4",
    "4": "M6.8 15V1l-6 9.8h8.8",
    "5": "M8.5 1H2.3l-.6 6.4c.9-.8 2-1.2 3.3-1.2 2.5 0 4.2 1.7 4.2 4.3S7.4 15 4.8 15"
    "c-1.9 0-3.3-.8-4-2.2",
    "6": "M8.3 2.2C7.5 1.4 6.5 1 5.4 1 2.6 1 1 4 1 8.6 1 12.8 2.5 15 5.1 15"
    "c2.4 0 4-1.8 4-4.3S7.6 6.5 5.3 6.5 1.2 8.2 1.1 10",
    "7": "M1 1h8L4 15",
    "8": "M5 7.4c-2.1 0-3.4-1.2-3.4-3.1S3 1 5 1s3.4 1.4 3.4 3.3S7.1 7.4 5 7.4"
    "c-2.4 0-4 1.5-4 3.8S2.6 15 5 15s4-1.5 4-3.8-1.6-3.8-4-3.8z",
    "9": "M1.7 13.8c.8.8 1.8 1.2 2.9 1.2C7.4 15 9 12 9 7.4 9 3.2 7.5 1 4.9 1"
    "c-2.4 0-4 1.8-4 4.3s1.5 4.2 3.8 4.2S8.8 7.8 8.9 6",
    "C": "M9 3C8.2 1.7 6.9 1 5.4 1 2.7 1 1 3.8 1 8s1.7 7 4.4 7c1.5 0 2.8-.7 3.6-2",
    "T": "M.5 1h9M5 1v14",
    "W": "M.3 1l2.4 14L5 5l2.3 10L9.7 1",
    "S": "M8.6 3C8 1.7 6.7 1 5 1 2.9 1 1.5 2.3 1.5 4.2c0 4.4 7.3 2.6 7.3 7.2"
    "C8.8 13.6 7.2 15 5 15c-2 0-3.5-.9-4.2-2.5",
    "J": "M3 1h6M7.5 1v10c0 2.6-1.2 4-3.2 4-1.7 0-2.8-.9-3.1-2.5",
    "M": "M.8 15V1L5 9l4.2-8v14",
    "+": "M5 4v9M.5 8.5h9",
}  # fmt: skip
"""The pen's way for each sign, as the data of an SVG path."""


def width_of(text: str, height: float) -> float:
    """How wide a text of a height is."""
    return (ADVANCE * len(text) - (ADVANCE - WIDTH)) * height / HEIGHT


def written(  # noqa: PLR0913 (where, how large and how)
    text: str, x: float, y: float, height: float, ink: str, *, weight: float = 2.2
) -> str:
    """A text as SVG, its middle at a point.

    Args:
        text: signs of `STROKES`.
        x: the middle,
        y: from the top.
        height: of the signs.
        ink: their colour.
        weight: of the pen, in a box of 10 by 16.
    """
    scale = height / HEIGHT
    left, top = x - width_of(text, height) / 2, y - height / 2
    ways = "".join(
        f'<path d="{STROKES[sign]}" transform="translate({ADVANCE * at} 0)"/>'
        for at, sign in enumerate(text)
    )
    return (
        f'<g transform="translate({left:.2f} {top:.2f}) scale({scale:.4f})" fill="none" '
        f'stroke="{ink}" stroke-width="{weight}" stroke-linecap="round" '
        f'stroke-linejoin="round">{ways}</g>'
    )
