"""Why something isn't possible now, in words of the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fugger.rules.actions import DRAWING_LIMIT, MERCHANT_LIMIT
from fugger.rules.state import SHIPPING_ROUNDS

if TYPE_CHECKING:
    from fugger.rules.state import State
    from fugger.texts import Words


def why_no_draw(state: State, seat: int, words: Words) -> str:
    """Why a seat that can't draw can't."""
    if state.hand_size[seat] > DRAWING_LIMIT:
        return words.say("only with {limit} cards or fewer in hand", limit=DRAWING_LIMIT)
    return words.say("no card is left to draw")


def why_no_shipment(state: State, words: Words) -> str:
    """Why who can't ship any good can't."""
    if state.round_number > SHIPPING_ROUNDS:
        return words.say("only in rounds 1 and 2")
    return words.say("you have shipped this round")


def why_no_merchant(words: Words) -> str:
    """Why a merchant in hand can't be played."""
    return words.say("{limit} merchants lie in your tableau, and no more may", limit=MERCHANT_LIMIT)
