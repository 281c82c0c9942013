"""What leaves the server of a table: everything a viewer may know, and nothing else.

Pages, streams and the API are made from a `Seen`. What everybody knows is made once for each
change, from what a spectator may observe; a seat's own cards and actions are added to that. So
there is one function to check for secrecy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from fugger.cards import CARD_TEXTS
from fugger.rules.evaluation import income, move_prices, winners
from fugger.rules.state import JAKOB, NOBODY, OVER, SPECTATOR, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fugger.explain import Evaluation
    from fugger.web.tables import Table

_encode = msgspec.json.Encoder().encode
_LETTERS = tuple("CTWSJ")


class SeenSeat(msgspec.Struct, kw_only=True, frozen=True):
    """A seat as everybody sees it, with the hand if it is the viewer's own."""

    kind: str
    name: str
    level: str | None
    away: bool
    money: int
    hand_size: int
    hand: dict[str, int] | None
    tableau: dict[str, int]
    shipments: list[str | None]


class SeenOutlook(msgspec.Struct, frozen=True):
    """What the end of the round would make of the prices, and bring each seat."""

    prices: dict[str, int]
    income: list[int]


class Seen(msgspec.Struct, kw_only=True, frozen=True):
    """A table as a viewer sees it. Seats count from 0; cards and actions are notation.

    Attributes:
        ply: to be sent along with an action.
        seat: the viewer's own; null for a spectator.
        player: the seat to act; null before and after the game.
        legal: what the viewer may do now; empty if it isn't the viewer's turn.
        shipments: of each seat, of rounds 1 and 2; "?" for a good the viewer may not know.
        outlook: if the round ended now: each good's price, each seat's income.
        tokens: the record's moves so far, as the viewer may know them.
        deadline: when the player runs out of time, in seconds since 1970.
        seed: when the game is over: what its shuffle came from.
    """

    id: str
    ply: int
    phase: str
    edition: str
    target: int
    players: int
    first: int
    seat: int | None
    player: int | None
    round: int
    starter: int
    prices: dict[str, int]
    counts: dict[str, int]
    jakob: dict[str, int]
    draw_size: int
    discard: dict[str, int]
    seats: list[SeenSeat]
    legal: list[str]
    outlook: SeenOutlook
    tokens: list[str]
    winners: list[int]
    seconds: int | None
    deadline: float | None
    commitment: str
    seed: str | None
    rematch: str | None


def seen_json(table: Table, viewer: int) -> bytes:
    """The same in JSON."""
    kept = table.texts.get(viewer)
    if kept is None or kept[0] != table.changes:
        kept = table.texts[viewer] = (table.changes, _encode(see(table, viewer)))
    return kept[1]


def see(table: Table, viewer: int) -> Seen:
    """What a seat, or a `SPECTATOR`, may know of a table: made once for each change."""
    kept = table.views.get(viewer)
    if kept is not None and kept[0] == table.changes:
        return kept[1]
    seen = _seen_by_all(table) if viewer == SPECTATOR else _seen_by_seat(table, viewer)
    table.views[viewer] = (table.changes, seen)
    return seen


def _seen_by_all(table: Table) -> Seen:
    """What everybody knows: made of what a spectator may observe."""
    game = table.game
    table.hearing.follow(game)
    state = game.observe_fields(SPECTATOR)
    prices = state.prices.tolist()
    move_prices(state)  # from here on it is the table as the round's end would leave it
    player = int(state.player) if state.recipient == NOBODY and state.stage != OVER else None
    if table.phase == "waiting":
        player = None
    most = winners(state) if state.stage == OVER else 0
    money, sizes = state.money.tolist(), state.hand_size.tolist()
    tableaus, shipments = state.tableau.tolist(), state.shipments.tolist()
    return Seen(
        id=table.id,
        ply=table.ply,
        phase=table.phase,
        edition=game.edition.name,
        target=game.target,
        players=len(table.seats),
        first=game.first,
        seat=None,
        player=player,
        round=int(state.round_number),
        starter=int(state.starter),
        prices=dict(zip(_LETTERS, prices, strict=True)),
        counts=dict(zip(_LETTERS, state.table.tolist(), strict=True)),
        jakob=_cards(state.jakob.tolist()),
        draw_size=int(state.draw_size),
        discard=_cards(state.discard_pile.tolist()),
        seats=[
            SeenSeat(
                kind=seat.kind,
                name=seat.name,
                level=seat.level if seat.played_by_bot else None,
                away=seat.away,
                money=money[number],
                hand_size=sizes[number],
                hand=None,
                tableau=_cards(tableaus[number]),
                shipments=[_shipment(card) for card in shipments[number]],
            )
            for number, seat in enumerate(table.seats)
        ],
        legal=[],
        outlook=SeenOutlook(
            prices=dict(zip(_LETTERS, state.prices.tolist(), strict=True)),
            income=[income(state, seat) for seat in range(len(table.seats))],
        ),
        tokens=table.hearing.heard(SPECTATOR),
        winners=[seat for seat in range(len(table.seats)) if most >> seat & 1],
        seconds=table.seconds,
        deadline=table.deadline,
        commitment=table.commitment,
        seed=table.seed.hex() if game.is_over else None,
        rematch=table.rematch,
    )


def _seen_by_seat(table: Table, viewer: int) -> Seen:
    """What everybody knows, and what the seat may observe beside that."""
    known, game = see(table, SPECTATOR), table.game
    hand, shipments = game.own_cards(viewer)
    seats = list(known.seats)
    seats[viewer] = replace(
        seats[viewer],
        hand=_cards(hand),
        shipments=[_shipment(card) for card in shipments],
    )
    return replace(
        known,
        seat=viewer,
        seats=seats,
        legal=[str(action) for action in game.legal_actions] if known.player == viewer else [],
        tokens=table.hearing.heard(viewer),
    )


def evaluations(table: Table) -> list[Evaluation]:
    """The rounds' evaluations: of face-up cards alone, but for the final scoring's shipments."""
    return table.game.evaluations


def _cards(numbers: Iterable[int]) -> dict[str, int]:
    return {CARD_TEXTS[card]: number for card, number in enumerate(numbers) if number}


def _shipment(card: int) -> str | None:
    if card == UNKNOWN:
        return "?"
    return CARD_TEXTS[card] if card >= 0 else None


__all__ = ["JAKOB", "Seen", "SeenOutlook", "SeenSeat", "evaluations", "see", "seen_json"]
