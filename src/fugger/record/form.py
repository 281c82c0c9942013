"""What a record is made of: its tokens, its tags, its limits. Specified in `docs/records.md`."""

from __future__ import annotations

import re
from typing import Final

from fugger.cards import CARD_TEXTS
from fugger.rules.actions import ACTION_TEXTS
from fugger.rules.state import JAKOB, MAX_PLAYERS

RECIPIENTS: Final = ("1", "2", "3", "4", "J")
"""The notation of who gets a card: seats, counted from 1, and Jakob, in the engine's numbers."""

ACTIONS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
"""Every action's number by its notation."""
DEALS: Final = {
    f"{recipient}:{text}": (seat, card)
    for seat, recipient in enumerate(RECIPIENTS)
    for card, text in enumerate(CARD_TEXTS)
}
"""Every deal's recipient and card by its notation."""

HIDDEN_SHIPMENT: Final = "(?)"
HIDDEN: Final = {HIDDEN_SHIPMENT, *(f"{recipient}:?" for recipient in RECIPIENTS[:JAKOB])}
"""What stands in one seat's view of a running game for what that seat may not know."""

SETUP_TAGS: Final = ("Edition", "Players", "First", "Target", "Rules")
"""The tags that say how a game begins, in the order they are written."""
RESULT: Final = "Result"
"""The tag with the money at the end; written only when the game is over."""
PUBLIC_TAGS: Final = frozenset(
    {"Event", "Site", "Date", "Shuffle", "Commitment"}
    | {f"{name}{seat + 1}" for name in ("Seat", "Random") for seat in range(MAX_PLAYERS)}
)
"""The tags that a view of a running game shows: no other may be known to tell nothing secret."""

LINE_WIDTH: Final = 100
"""Columns after which lines of tokens are wrapped."""

# Limits: far more than a game needs, little enough that no file can fill the memory.
MAX_FILE: Final = 64 * 2**20
"""Bytes that `load` and `loads` read."""
MAX_GAMES: Final = 10_000
"""Games that `load` and `loads` read."""
MAX_GAME: Final = 2**20
"""Bytes of one game."""
MAX_LINE: Final = 2**16
"""Bytes of one line."""
MAX_TOKENS: Final = 100_000
"""Tokens of one game."""
MAX_TAGS: Final = 100
"""Tags of one game."""
MAX_TAG: Final = 1_000
"""Characters of a tag's text."""
MAX_TAG_NAME: Final = 40
"""Characters of a tag's name."""
MAX_COMMENT: Final = 10_000
"""Characters of a comment."""

TAG_NAME: Final = re.compile(rf"[A-Za-z][A-Za-z0-9_]{{0,{MAX_TAG_NAME - 1}}}")
NOT_IN_TAG: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no tag's text may hold: control characters, and halves of characters."""
NOT_IN_COMMENT: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff}]")
"""What no comment may hold: the same, but for tabs and line ends, and the closing brace."""
NOT_IN_LINE: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
"""What no line of a record may hold: control characters but for tabs."""
NOT_IN_RECORD: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]|\r(?!\n|\Z)")
"""What no record may hold at all."""
