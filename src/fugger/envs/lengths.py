"""How long a game can become, for those who must say so before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from fugger.rules.actions import DRAWING_LIMIT
from fugger.rules.supply import MERCHANT_CARDS, REFILL_CARDS

if TYPE_CHECKING:
    from fugger.editions import Edition

_USUAL_EVENTS: Final = 512
_EVENTS_PER_GULDEN: Final = 8


class Longest(NamedTuple):
    """What no game of a setup passes.

    Attributes:
        actions: actions taken.
        deals: cards dealt.
        events: both together; or fewer, what a tensor of all that has happened has room for. Games
            of players who put off the end took less than half of that.
    """

    actions: int
    deals: int
    events: int


def longest(edition: Edition, players: int, target: int) -> Longest:
    """How long the games of a setup can become.

    Args:
        edition: the rules and the box.
        players: 2 to 4.
        target: gulden that somebody has when the game ends.
    """
    table = edition.goods * (edition.round_end - 1) + 1
    merchants = edition.merchants
    # In a round every card that leaves a hand goes to the table, to a tableau as a merchant, or is
    # shipped; a hand is drawn to one more than the limit, and again for each card that left it.
    left = table + merchants + players
    drawn = players * (DRAWING_LIMIT + 1) + left
    # Someone passes only when both piles are empty, and never all in turn.
    passes = (players - 1) * (left + 1)
    # Jakob's goods, before each all merchants may be turned up, twice if the piles change.
    turned_up = table * (2 * merchants + 1)
    refilled = players * REFILL_CARDS + merchants * max(MERCHANT_CARDS)
    rounds = _rounds(edition, players, target)
    actions = rounds * (left + drawn + passes)
    deals = players * edition.opening_hand + rounds * (drawn + turned_up + refilled)
    room = _USUAL_EVENTS + _EVENTS_PER_GULDEN * target
    return Longest(actions, deals, min(actions + deals, room))


def _rounds(edition: Edition, players: int, target: int) -> int:
    """Rounds that no game passes.

    Each in which anybody sells brings a gulden or more. Nobody sells only if Jakob's goods alone
    end the round; then hands grow by two cards each until there are no goods left for him.
    """
    if target == 0:
        return 1
    selling = players * (target - 1) + 1
    cards = sum(edition.cards) + 2 * players + edition.merchants
    return selling * (cards // (REFILL_CARDS * players) + 3)
