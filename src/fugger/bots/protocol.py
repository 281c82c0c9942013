"""The line protocol's lines, as the arena writes them and a Python bot's adapter reads them.

`docs/protocol.md` describes them for whoever writes a program.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from fugger.bots.players import Place
from fugger.cards import CARD_TEXTS, GOOD_KINDS
from fugger.editions import edition_named
from fugger.rules.actions import ACTION_TEXTS, actions_in, legal_actions
from fugger.rules.fields import fields_from_bytes, fields_of
from fugger.rules.state import NO_CARD, NOBODY, TURNS, UNKNOWN, State, new_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

VERSION: Final = 1
"""Raised when a program for the version before could no longer play."""
GREETING: Final = f"fugger {VERSION}"
READY: Final = "ready"
GAME: Final = "game"
OBSERVE: Final = "observe"
CHOOSE: Final = "choose"
ACTION: Final = "action"
FINISHED: Final = "over"
QUIT: Final = "quit"
INFO: Final = "info"
ERROR: Final = "error"

ACTION_NUMBERS: Final[Mapping[str, int]] = {text: n for n, text in enumerate(ACTION_TEXTS)}

_GOODS: Final = tuple(CARD_TEXTS[:GOOD_KINDS:2])
_CARD_NUMBERS: Final = {text: number for number, text in enumerate(CARD_TEXTS)}


def game_line(place: Place) -> str:
    """A game begins."""
    return (
        f"{GAME} players={place.players} edition={place.edition} target={place.target} "
        f"seat={place.seat} seed={place.seed}"
    )


def place_in(rest: str) -> Place:
    """The place a game line tells of.

    Args:
        rest: the line without its first word; what isn't known in it is passed by.

    Raises:
        KeyError, ValueError: something is missing or no number.
    """
    words = dict(word.partition("=")[::2] for word in rest.split())
    numbers = (int(words[name]) for name in ("players", "target", "seat", "seed"))
    players, target, seat, seed = numbers
    return Place(players, words["edition"], target, seat, seed)


def over_line(money: Sequence[int], winners: Sequence[int]) -> str:
    """A game is over."""
    return f"{FINISHED} money={_listed(money)} winners={_listed(winners)}"


def choose_line(observation: State) -> tuple[str, int]:
    """The question what to do, and the legal actions as a bit set."""
    legal = legal_actions(observation)
    return f"{CHOOSE} {' '.join(map(str, actions_in(legal)))}", legal


def observe_line(observation: State) -> str:
    """All that a seat sees when it is its turn."""
    seen = fields_from_bytes(observation.tobytes())
    viewer, hands = int(seen.viewer), seen.hand.tolist()
    money, sizes = seen.money.tolist(), seen.hand_size.tolist()
    tableaus, shipments = seen.tableau.tolist(), seen.shipments.tolist()
    told = {
        "seat": viewer,
        "round": int(seen.round_number),
        "starter": int(seen.starter),
        "prices": dict(zip(_GOODS, seen.prices.tolist(), strict=True)),
        "counts": dict(zip(_GOODS, seen.table.tolist(), strict=True)),
        "jakob": _cards(seen.jakob.tolist()),
        "draw_size": int(seen.draw_size),
        "discard": _cards(seen.discard_pile.tolist()),
        "unseen": _cards(seen.draw_pile.tolist()),
        "seats": [
            {
                "money": money[seat],
                "hand_size": sizes[seat],
                "hand": _cards(hands[seat]) if seat == viewer else None,
                "tableau": _cards(tableaus[seat]),
                "shipments": [_shipment(card) for card in shipments[seat]],
            }
            for seat in range(seen.players)
        ],
    }
    return f"{OBSERVE} {json.dumps(told, separators=(',', ':'))}"


def observation_in(rest: str, place: Place) -> State:
    """The observation an observe line tells of, field by field the one it was made of.

    Args:
        rest: the line without its first word.
        place: of the game that is going on.

    Raises:
        EditionError, IndexError, KeyError, SetupError, TypeError, ValueError: it isn't one.
    """
    told: dict[str, Any] = json.loads(rest)
    states = new_states(edition_named(place.edition), place.players, 0, place.target)
    state = fields_of(states)
    state.viewer = state.player = told["seat"]
    state.stage, state.recipient, state.owed = TURNS, NOBODY, 0
    state.round_number, state.starter = told["round"], told["starter"]
    for number, good in enumerate(_GOODS):
        state.prices[number] = told["prices"][good]
        state.table[number] = told["counts"][good]
    state.draw_size, state.discard_size = told["draw_size"], sum(told["discard"].values())
    _lay(told["jakob"], state.jakob)
    _lay(told["discard"], state.discard_pile)
    _lay(told["unseen"], state.draw_pile)
    record = cast("State", states[0])
    for number, seat in enumerate(told["seats"]):
        state.money[number], state.hand_size[number] = seat["money"], seat["hand_size"]
        _lay(seat["tableau"], record.tableau[number])
        if seat["hand"] is not None:
            _lay(seat["hand"], record.hand[number])
            kinds = sum(1 << _CARD_NUMBERS[card] for card in seat["hand"])
            state.hand_kinds[number] = kinds
        for nth, card in enumerate(seat["shipments"]):
            record.shipments[number, nth] = _shipment_number(card)
    return record


def _listed(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))


def _cards(numbers: Iterable[int]) -> dict[str, int]:
    return {CARD_TEXTS[card]: number for card, number in enumerate(numbers) if number}


def _lay(cards: Mapping[str, int], numbers: Any) -> None:
    for card in range(len(CARD_TEXTS)):
        numbers[card] = 0
    for text, number in cards.items():
        numbers[_CARD_NUMBERS[text]] = number


def _shipment(card: int) -> str | None:
    if card == UNKNOWN:
        return "?"
    return CARD_TEXTS[card] if card >= 0 else None


def _shipment_number(card: str | None) -> int:
    if card is None:
        return NO_CARD
    return UNKNOWN if card == "?" else _CARD_NUMBERS[card]
