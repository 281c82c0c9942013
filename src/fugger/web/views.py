"""What templates are given of a table: made for one viewer, in one language.

Everything about the game comes from `seen.see` or from that viewer's observation, so that a page
can tell no more than the API does. Rules are asked of `fugger.rules`, never written again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from fugger.cards import GOODS, MERCHANT, Card, Good
from fugger.editions import EDITIONS
from fugger.names import bot_level, card_name, good_name
from fugger.reasons import why_no_draw, why_no_merchant, why_no_shipment
from fugger.rules import play as rules_play
from fugger.rules.actions import (
    PLAY,
    SHIP,
    Action,
    legal_actions,
    may_draw,
    may_ship,
)
from fugger.rules.evaluation import HIGHEST_PRICE
from fugger.rules.state import JAKOB, SPECTATOR, UNKNOWN, copy_of
from fugger.texts import words as words_of
from fugger.web.log import log
from fugger.web.seen import see

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fugger.rules.state import State
    from fugger.texts import Words
    from fugger.web.pages.visit import Likes
    from fugger.web.seen import Seen
    from fugger.web.tables import Table

LOG_LINES: Final = 30
"""Lines of the log on the board; the page of the log has them all."""
CHAT_LINES: Final = 60
PRICES: Final = tuple(range(1, HIGHEST_PRICE + 1))


@dataclass(frozen=True, slots=True)
class Face:
    """A card's front as a page draws it.

    Attributes:
        text: the notation.
        slug: as part of ids and classes: ``w``, ``ws`` for sealed, ``m``.
        good: the good's letter in lower case, ``m`` for the merchant.
        letter: what is printed in the corner.
        sealed: whether it bears a seal.
        name: the name in words, with the notation.
        good_name: the good's or the merchant's name alone.
    """

    text: str
    slug: str
    good: str
    letter: str
    sealed: bool
    name: str
    good_name: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Open cards of one good, and their names in words."""

    cards: tuple[Face, ...]
    names: str


@cache
def faces(language: str) -> dict[str, Face]:
    """Every card's front, by notation."""
    words = words_of(language)
    fronts = {}
    for card in Card:
        text = str(card)
        good = text[0].lower()
        what = words.say("merchant") if card.good is None else good_name(words, card.good)
        name = words.say("sealed {card}", card=card_name(words, card)) if card.is_sealed else ""
        fronts[text] = Face(
            text=text,
            slug=good + "s" * card.is_sealed,
            good=good,
            letter=text[0],
            sealed=card.is_sealed,
            name=name or card_name(words, card),
            good_name=what,
        )
    return fronts


def board(table: Table, viewer: int, likes: Likes) -> dict[str, Any]:
    """Everything the board shows to a viewer."""
    words, seen = likes.words, see(table, viewer)
    names = [seat.name or words.say("open seat") for seat in seen.seats]
    running, lines = table.phase == "playing", goods(seen, words)
    fronts = faces(words.language)
    context: dict[str, Any] = {
        "table": seen,
        "title": words.say("Table: {names}", names=words.listed(names)),
        "me": viewer if viewer != SPECTATOR else None,
        "names": names,
        "winners": words.listed(names[number] for number in seen.winners),
        "mine": running and seen.player == viewer,
        "away": viewer != SPECTATOR and seen.seats[viewer].away and running,
        "alone": table.may_undo,
        "can_undo": _can_undo(table, viewer),
        "goods": lines,
        "told_prices": words.listed(f"{line['name']} {line['price']}" for line in lines),
        "prices": PRICES,
        "seats": [_seat(seen, seat, viewer, words, fronts) for seat in range(seen.players)],
        "order": _order(seen.players, viewer),
        "jakob": laid(seen.jakob, words),
        "discard": laid(seen.discard, words),
        "discard_size": sum(seen.discard.values()),
        "log": log(table, viewer, likes, LOG_LINES),
        "chat": [] if likes.chat == "mute" else table.chat[-CHAT_LINES:],
        "rounds": len(table.game.evaluations),
        "hand": None,
    }
    if viewer != SPECTATOR and table.phase == "playing":
        context["hand"] = hand(table.game.observe(viewer), seen, viewer, likes)
    return context


def goods(seen: Seen, words: Words) -> list[dict[str, Any]]:
    """The five goods: price, count, and what the round's end would make of them now."""
    prices = seen.outlook.prices
    shared: dict[int, int] = {}
    for price in seen.prices.values():
        shared[price] = shared.get(price, 0) + 1
    placed = dict.fromkeys(shared, 0)
    lines = []
    for good in Good:
        letter = str(good)
        now, then = seen.prices[letter], prices[letter]
        placed[now] += 1
        lines.append(
            {
                "letter": letter,
                "slug": letter.lower(),
                "name": good_name(words, good),
                "price": now,
                "place": placed[now] - 1,
                "sharing": shared[now],
                "count": seen.counts[letter],
                "limit": EDITIONS[seen.edition].round_end,
                "then": then,
                "move": "up" if then > now else "down" if then < now else "same",
            }
        )
    return lines


def hand(state: State, seen: Seen, viewer: int, likes: Likes) -> dict[str, Any]:
    """The viewer's hand: what each card may do now, and for what it may not, why."""
    words, fronts = likes.words, faces(likes.language)
    mine = seen.player == viewer
    state.player = viewer  # what would be possible, were it the viewer's turn
    mask = legal_actions(state)
    no_shipment = "" if may_ship(state, viewer) else why_no_shipment(state, words)
    cards = []
    for card in Card:
        number = int(state.hand[viewer, card])
        if not number:
            continue
        may_play = bool(mask >> PLAY + card & 1)
        why = no_shipment or (
            words.say("a merchant can't be shipped: no price would pay it")
            if card == MERCHANT
            else ""
        )
        cards.append(
            {
                "face": fronts[str(card)],
                "faces": (fronts[str(card)],) * number,
                "number": number,
                "counted": _counted(fronts[str(card)], number),
                "play": may_play,
                "why_no_play": "" if may_play else why_no_merchant(words),
                "ship": not why,
                "why_no_ship": why,
                "ends_round": mine and may_play and ends_round(state, PLAY + card),
            }
        )
    drawing = bool(may_draw(state, viewer))
    return {
        "cards": cards,
        "size": seen.seats[viewer].hand_size,
        "draw": drawing,
        "why_no_draw": "" if drawing else why_no_draw(state, viewer, words),
        "passes": mine and bool(mask >> Action.PASS & 1),
        "ships": not no_shipment and bool(mask >> SHIP & ((1 << 2 * GOODS) - 1)),
        "why_no_ship": no_shipment,
    }


def ends_round(state: State, action: int) -> bool:
    """Whether an action ends the round at once, whatever cards come up after it."""
    after = copy_of(state)
    rules_play.apply(after, action)
    return bool(after.round_number != state.round_number or after.stage != state.stage)


def laid(cards: Mapping[str, int], words: Words) -> list[Stack]:
    """Cards lying open, in stacks of one good."""
    fronts = faces(words.language)
    stacks: dict[str, list[tuple[Face, int]]] = {}
    for text, number in cards.items():  # in the order of the cards' numbers
        stacks.setdefault(fronts[text].good, []).append((fronts[text], number))
    return [
        Stack(
            tuple(face for face, number in stack for _ in range(number)),
            words.listed(_counted(face, number) for face, number in stack),
        )
        for stack in stacks.values()
    ]


def _counted(face: Face, number: int) -> str:
    """Cards of one kind: ``wine W``, ``2 wine W``."""
    return face.name if number == 1 else f"{number} {face.name}"


def _seat(
    seen: Seen, number: int, viewer: int, words: Words, fronts: Mapping[str, Face]
) -> dict[str, Any]:
    seat = seen.seats[number]
    level = bot_level(words, seat.level) if seat.kind == "bot" and seat.level else None
    incomes = seen.outlook.income
    return {
        "number": number,
        "name": seat.name,
        "kind": seat.kind,
        "called": words.say("{name} (you)", name=seat.name) if number == viewer else seat.name,
        "level": level,
        "face": level.face if level else "face-human",
        "away": seat.away,
        "mine": number == viewer,
        "acts": seen.player == number,
        "money": seat.money,
        "income": incomes[number],
        "hand_size": seat.hand_size,
        "tableau": laid(seat.tableau, words),
        "shipments": [None if text is None else fronts.get(text, "?") for text in seat.shipments],
        "shipped": _shipped(seat.shipments, fronts, words),
        "wins": number in seen.winners,
        "starts": seen.starter == number,
    }


def _shipped(shipments: Sequence[str | None], fronts: Mapping[str, Face], words: Words) -> str:
    """What somebody has shipped, in words; nothing if it is nothing."""
    hidden = shipments.count("?")
    told = [fronts[text].name for text in shipments if text not in {None, "?"}]
    if hidden:
        told.append(words.say_number("{number} face down", "{number} face down", hidden))
    return words.listed(told)


def _order(players: int, viewer: int) -> list[int]:
    """The other seats clockwise from the viewer's left neighbour; all of them for a spectator."""
    if viewer == SPECTATOR:
        return list(range(players))
    return [(viewer + step) % players for step in range(1, players)]


def _can_undo(table: Table, viewer: int) -> bool:
    return (
        table.may_undo
        and viewer in table.humans
        and table.phase != "waiting"
        and any(actor != "bot" for actor in table.actors)
    )


__all__ = ["JAKOB", "UNKNOWN", "board", "faces", "goods", "hand", "laid", "log"]
