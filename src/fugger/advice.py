"""What a bot advises, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fugger.names import bot_level, card_name

if TYPE_CHECKING:
    from fugger.bots import Prospect
    from fugger.rules.actions import Action
    from fugger.texts import Words


def hint(words: Words, prospect: Prospect) -> str:
    """What the strongest bot would do and what it expects of it, in a sentence or two."""
    action = named(words, prospect.action)
    if not prospect.simulations:
        # It couldn't think, or needn't: there was one action, or its code wasn't ready.
        return words.say("A hint: {action}.", action=action)
    percent = round(100 * prospect.expected)
    return words.say(
        "The {bot} would choose this: {action}. It expects to win {percent} games of 100 like "
        "this one.",
        bot=bot_level(words, "banker").name,
        action=action,
        percent=percent,
    )


def named(words: Words, action: Action) -> str:
    """An action in words, as advice."""
    if action.card is None:
        return words.say("draw a card") if str(action) == "+" else words.say("pass")
    card = card_name(words, action.card)
    if action.is_shipment:
        return words.say("ship {card}", card=card)
    return words.say("play {card}", card=card)
