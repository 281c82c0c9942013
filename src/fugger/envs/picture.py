"""A picture of what somebody at the table sees, composed of the site's drawings.

It has no words, but digits and the goods' letters: everybody can read it, and it needs no fonts.
On the left the price circle with the goods' markers, the piles in its middle, and below it each
good's cards on the table and its price if the round ended now; on the right Jakob's goods and the
seats; at the bottom the hand of whoever sees it.
"""

from __future__ import annotations

import io
import re
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.envs.extras import missing

try:
    from PIL import Image
    from resvg_py import svg_to_bytes
except ModuleNotFoundError as error:
    raise missing("gymnasium", error) from None

from fugger.cards import Card, Good
from fugger.envs.lettering import width_of, written
from fugger.envs.pieces import (
    COLOURS,
    FADED,
    GOLD,
    GREEN,
    HIGH,
    INK,
    PAPER,
    RED,
    RULE,
    SHEET,
    TABLE,
    back,
    box,
    disc,
    drawings,
    front,
    gap,
    marker,
    rows_of,
    spread,
    use,
)
from fugger.explain import evaluate
from fugger.rules.evaluation import HIGHEST_PRICE, winners
from fugger.rules.state import NO_CARD, OVER, SHIPPING_ROUNDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.rules.state import State

SIZE: Final = (1000, 720)
"""Width and height in pixels."""

CENTRE: Final = (245, 236)
RING: Final = 180
"""The price circle's radius."""
LEDGER: Final = (20, 462, 450, 100)
SEATS: Final = (490, 20, 490, 542)
HAND: Final = (20, 580, 960, 122)


def picture(observation: State, target: int) -> NDArray[np.uint8]:
    """An observation's picture: uint8 (720, 1000, 3)."""
    png = svg_to_bytes(svg(observation, target), skip_system_fonts=True)
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))


def svg(observation: State, target: int) -> str:
    """An observation's picture, as SVG."""
    drawn = "".join(
        (
            f'<rect width="100%" height="100%" fill="{TABLE}"/>',
            ring(observation),
            piles(observation, target),
            ledger(observation),
            seats(observation),
            hand(observation),
        )
    )
    used = dict.fromkeys(re.findall('href="#([^"]+)"', drawn))
    symbols = "".join(drawings()[name] for name in used)
    width, height = SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}"><defs>{symbols}</defs>{drawn}</svg>'
    )


# The market


def ring(state: State) -> str:
    """The price circle and the goods' markers, outside of their price."""
    x, y = CENTRE
    parts = [
        disc(x, y, RING, SHEET, width=2.5),
        disc(x, y, RING - 6, "none", stroke=RULE),
        disc(x, y, RING - 54, "none", stroke=RULE),
        disc(x, y, RING - 59, TABLE, width=2),
    ]
    for price in range(1, HIGHEST_PRICE + 1):
        edge = _turn(price - 0.5)
        inner, outer = RING - 54, RING - 6
        parts.append(
            f'<path d="M{x + inner * cos(edge):.1f} {y + inner * sin(edge):.1f}'
            f'L{x + outer * cos(edge):.1f} {y + outer * sin(edge):.1f}" stroke="{RULE}"/>'
        )
        turn = _turn(price)
        at = (x + (RING - 30) * cos(turn), y + (RING - 30) * sin(turn))
        parts += [disc(*at, 19, HIGH, width=1.5), written(str(price), *at, 20, INK)]
    gate = -pi / 2
    parts.append(
        f'<path d="M{x} {y + (RING + 6) * sin(gate):.1f}V{y + (RING - 63) * sin(gate):.1f}" '
        f'stroke="{RED}" stroke-width="5"/>'
    )
    for price in range(1, HIGHEST_PRICE + 1):
        goods = [good for good in Good if state.prices[good] == price]
        for place, good in enumerate(goods):
            turn = _turn(price) + (place - (len(goods) - 1) / 2) * 0.205
            parts.append(marker(good, x + (RING + 20) * cos(turn), y + (RING + 20) * sin(turn)))
    return "".join(parts)


def _turn(price: float) -> float:
    """Where on the circle a price stands: clockwise from the gate at the top."""
    return (price * 40 - 20) * pi / 180 - pi / 2


def piles(state: State, target: int) -> str:
    """The middle of the circle: the round, the money that ends the game, the two piles."""
    x, y = CENTRE
    parts = [
        use("hourglass", x - 70, y - 78, 26, 26),
        written(str(state.round_number), x - 32, y - 65, 22, INK),
        use("crown", x + 10, y - 78, 26, 26),
        written(str(target), x + 58, y - 65, 18, FADED),
    ]
    for place, size in enumerate((state.draw_size, state.discard_size)):
        left = x - 68 + 78 * place
        top = y - 34
        if size == 0:
            parts.append(gap(left, top, 58))
        elif place == 0:
            parts += [back(left - 2 * at, top - 2 * at, 58) for at in range(min(3, size))]
        else:
            shown = max(card for card in Card if state.discard_pile[card])
            parts.append(front(shown, left, top, 58))
        parts.append(written(str(size), left + 29, top + 96, 16, INK))
    return "".join(parts)


def ledger(state: State) -> str:
    """Of each good the cards on the table, and where its price would go."""
    x, y, width, height = LEDGER
    column = width / len(Good)
    parts = [box(x, y, width, height, rx=1)]
    for move in evaluate(state).prices:
        left = x + column * move.good
        middle = left + column / 2
        colour = COLOURS[move.good]
        if move.good:
            parts.append(f'<path d="M{left:.1f} {y}v{height}" stroke="{RULE}"/>')
        parts.append(f'<path d="M{left:.1f} {y}h{column:.1f}v7h-{column:.1f}z" fill="{colour}"/>')
        letter = str(move.good)
        parts.append(use(f"mark-{letter.lower()}", middle - 26, y + 14, 28, 28))
        parts.append(written(letter, middle + 16, y + 29, 19, INK))
        for pip in range(state.round_end):
            at = middle + 14 * (pip - (state.round_end - 1) / 2)
            full = pip < move.count
            parts.append(
                disc(
                    at, y + 56, 5, colour if full else HIGH, stroke=INK if full else RULE, width=1.2
                )
            )
        parts.append(price_move(move.before, move.after, middle, y + 81, state.stage == OVER))
    return "".join(parts)


def price_move(before: int, after: int, x: float, y: float, is_over: bool) -> str:
    """A price, and where it goes if the round ends now."""
    if is_over:
        return written(str(before), x, y, 18, INK)
    if after == before:
        sign = f'<path d="M{x - 6} {y}h12" stroke="{FADED}" stroke-width="3"/>'
    else:
        up = after > before
        way = f"M{x - 6} {y + 4}l6-9 6 9z" if up else f"M{x - 6} {y - 4}l6 9 6-9z"
        sign = f'<path d="{way}" fill="{GREEN if up else RED}"/>'
    return (
        written(str(before), x - 20, y, 16, FADED) + sign + written(str(after), x + 20, y, 18, INK)
    )


# The seats


def seats(state: State) -> str:
    """Jakob's goods, and below them a panel for every seat."""
    x, y, width, height = SEATS
    jakob = 96
    panel = (height - jakob) / state.players
    parts = [
        box(x, y, width, jakob - 10),
        box(x + 10, y + 8, 52, jakob - 26, rx=4, fill=PAPER, stroke=INK),
        use("jakob", x + 12, y + 9, 48, jakob - 28),
        spread(rows_of(state.jakob), x + 78, y + 9, 48, width - 92, overlap=0.52),
    ]
    best = winners(state) if state.stage == OVER else 0
    for seat in range(state.players):
        top = y + jakob + panel * seat
        parts.append(seat_panel(state, seat, top, panel - 10, wins=bool(best >> seat & 1)))
    return "".join(parts)


def seat_panel(state: State, seat: int, y: float, height: float, *, wins: bool) -> str:
    """A seat's money, income if the round ended now, hand, shipments and tableau."""
    x, _, width, _ = SEATS
    acts = seat == state.player and state.stage != OVER
    edge = RED if acts else GOLD if wins else RULE
    middle = y + 27
    parts = [
        box(x, y, width, height, stroke=edge, stroke_width=3 if acts or wins else 1),
        box(x + 10, y + 8, 38, 38, rx=4, fill=PAPER, stroke=INK),
        use(f"face-{seat + 1}", x + 12, y + 10, 34, 35),
        disc(x + 66, middle, 12, RED if acts else INK),
        written(str(seat + 1), x + 66, middle, 13, PAPER, weight=2.6),
        use("coin", x + 98, middle - 13, 26, 26),
    ]
    money = str(state.money[seat])
    left = x + 132.0
    parts.append(written(money, left + width_of(money, 20) / 2, middle, 20, INK))
    left += width_of(money, 20) + 14
    if wins:
        parts.append(use("crown", left, middle - 15, 30, 30))
    elif state.stage != OVER:
        income = f"+{evaluate(state).income[seat]}"
        parts.append(written(income, left + width_of(income, 13) / 2, middle + 2, 13, FADED))
    parts += [back(x + 278 + 7 * at, y + 11, 23) for at in range(min(3, state.hand_size[seat]))]
    parts.append(written(str(state.hand_size[seat]), x + 334, middle, 18, INK))
    parts.append(use("shipment", x + 378, middle - 15, 30, 30))
    for shipment in range(SHIPPING_ROUNDS):
        card = int(state.shipments[seat, shipment])
        place = x + 418 + 32 * shipment
        if card == NO_CARD:
            parts.append(gap(place, y + 10, 25))
        elif card >= 0:
            parts.append(front(Card(card), place, y + 10, 25))
        else:
            parts.append(back(place, y + 10, 25))
    top = y + 53
    card_width = min(84.0, (height - 60) / 1.4)
    groups = rows_of(state.tableau[seat])
    parts.append(spread(groups, x + 12, top, card_width, width - 24, overlap=0.52))
    return "".join(parts)


def hand(state: State) -> str:
    """The hand of whoever sees the picture, if it is somebody at a seat."""
    x, y, width, height = HAND
    parts = [box(x, y, width, height, fill=HIGH)]
    if state.viewer in range(state.players):
        parts += [
            use("hand-cards", x + 14, y + 22, 42, 42),
            disc(x + 35, y + 88, 13, INK),
            written(str(state.viewer + 1), x + 35, y + 88, 14, PAPER, weight=2.6),
            spread(rows_of(state.hand[state.viewer]), x + 80, y + 11, 71, width - 95,
                   overlap=0.42, large=True),
        ]  # fmt: skip
    return "".join(parts)
