"""What pictures of the game are composed of: the site's drawings, cards, markers."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from fugger.cards import MERCHANT, Card, Good
from fugger.envs.lettering import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TABLE, SHEET, HIGH, RULE = "#e9dcc0", "#f7efdd", "#fdf7ea", "#8d7550"
INK, FADED, RED, GREEN, GOLD = "#2a1d12", "#63503b", "#8a2a1d", "#2c6345", "#e0ad3f"
PAPER, BACK, THREAD = "#f6ecd6", "#27466c", "#e4bd63"
COLOURS: Final = ("#b4532a", "#2f66a8", "#6a2044", "#dfa826", "#4aae9c", "#7c6a55")
"""Each good's, in the goods' order, and the merchants'."""
ON: Final = ("#fff8ea", "#fff8ea", "#fff8ea", "#2a1d12", "#1c1a14", "#fff8ea")
"""The ink that can be read on them."""

_FALLBACK: Final = re.compile(r"var\(--[\w-]+,(#[0-9a-f]+)\)")
_FLAT: Final = re.compile(r"var\(--flat,#[0-9a-f]+\)")
_SYMBOL: Final = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.DOTALL)


@cache
def drawings() -> dict[str, str]:
    """The site's drawings by name, their colours filled in; those with ``-line`` have ink alone."""
    sprite = files("fugger").joinpath("web/static/art/sprite.svg").read_text("utf-8")
    found = {}
    for symbol in _SYMBOL.finditer(sprite):
        name, text = symbol[1], symbol[0]
        found[name] = _FALLBACK.sub(r"\1", text)
        plain = _FALLBACK.sub(r"\1", _FLAT.sub("none", text))
        found[f"{name}-line"] = plain.replace(f'id="{name}"', f'id="{name}-line"')
    return found


def use(  # noqa: PLR0913 (what, where and how)
    name: str, x: float, y: float, width: float, height: float, *, ink: str = INK
) -> str:
    """A drawing in a box."""
    return (
        f'<use href="#{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'color="{ink}"/>'
    )


def box(x: float, y: float, width: float, height: float, **look: object) -> str:
    """A box with round corners; what it looks like are attributes of SVG."""
    attributes = {"rx": 6, "fill": SHEET, "stroke": RULE} | look
    told = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {told}/>'


def disc(  # noqa: PLR0913 (where and how)
    x: float, y: float, radius: float, fill: str, *, stroke: str = INK, width: float = 1
) -> str:
    """A disc."""
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{stroke}" '
        f'stroke-width="{width}"/>'
    )


# Cards


def front(card: Card, x: float, y: float, width: float, *, large: bool = False) -> str:
    """A card's face; large ones have the large drawings."""
    height = 1.4 * width
    colour = COLOURS[MERCHANT >> 1 if card.good is None else card.good]
    letter = str(card)[0]
    name = letter.lower()
    band = 0.14 * width
    size = 0.86 * width if large else 0.74 * width
    drawing = "merchant" if card.good is None else f"{'good' if large else 'mark'}-{name}"
    left, top, wide = x + 1, y + height - band - 1, width - 2
    foot = f"M{left:.1f} {top:.1f}h{wide:.1f}v{band:.1f}h{-wide:.1f}z"
    parts = [
        box(x, y, width, height, rx=0.08 * width, fill=PAPER, stroke=INK, stroke_width=0.8),
        f'<path d="{foot}" fill="{colour}"/>',
        use(drawing, x + (width - size) / 2, y + 0.34 * width, size, 0.86 * size),
        written(letter, x + 0.19 * width, y + 0.2 * width, 0.26 * width, INK, weight=2.4),
    ]
    if card.is_sealed:
        # Where it is seen too if the next card lies over this one.
        parts.append(use("seal", x - 0.03 * width, y + 0.94 * width, 0.42 * width, 0.5 * width))
    return "".join(parts)


def back(x: float, y: float, width: float) -> str:
    """A card's back."""
    height, rim = 1.4 * width, 0.07 * width
    inner = box(
        x + rim, y + rim, width - 2 * rim, height - 2 * rim, rx=0.05 * width, fill="none",
        stroke=THREAD, stroke_width=0.8,
    )  # fmt: skip
    lily = use("lily", x + 0.2 * width, y + 0.4 * width, 0.6 * width, 0.6 * width, ink=THREAD)
    outer = box(x, y, width, height, rx=0.08 * width, fill=BACK, stroke="#12233a")
    return outer + inner + lily


def gap(x: float, y: float, width: float) -> str:
    """Where a card might lie."""
    return box(
        x, y, width, 1.4 * width, rx=0.08 * width, fill="none", stroke_dasharray="3 3"
    )  # fmt: skip


def rows_of(cards: Iterable[int]) -> list[list[Card]]:
    """The cards of a row of a state, those of one good together."""
    groups: dict[Good | None, list[Card]] = {}
    for number, count in enumerate(cards):
        card = Card(number)
        if count:
            groups.setdefault(card.good, []).extend([card] * int(count))
    return list(groups.values())


def spread(  # noqa: PLR0913 (where, how large and how)
    groups: Sequence[Sequence[Card]],
    x: float,
    y: float,
    width: float,
    room: float,
    *,
    overlap: float,
    large: bool = False,
) -> str:
    """Cards in a line, those of one group over each other; closer together where room is short."""
    steps = [
        overlap * width if at else 1.15 * width for group in groups for at in range(len(group))
    ]
    cards = [card for group in groups for card in group]
    needed = sum(steps[1:]) + width
    scale = min(1.0, (room - width) / max(needed - width, 1))
    parts = []
    for at, card in enumerate(cards):
        x += steps[at] * scale if at else 0
        parts.append(front(card, x, y, width, large=large))
    return "".join(parts)


def marker(good: Good, x: float, y: float) -> str:
    """A good's marker."""
    name = f"mark-{str(good).lower()}-line"
    return disc(x, y, 19, COLOURS[good], width=2) + use(name, x - 12, y - 12, 24, 24, ink=ON[good])
