"""What leaves the server of a table: everything a viewer may know, and nothing else.

Pages, streams and the API are made from a `Seen`, and a `Seen` is made from one observation. So
there is one function to check for secrecy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from fugger import record
from fugger.cards import CARD_TEXTS
from fugger.rules.actions import ACTION_TEXTS, legal_actions
from fugger.rules.evaluation import income, move_prices, winners
from fugger.rules.fields import fields_of
from fugger.rules.state import JAKOB, NOBODY, OVER, SPECTATOR, UNKNOWN, states_from_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fugger.explain import Evaluation
    from fugger.web.tables import Table

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
    outlook: dict[str, dict[str, int] | list[int]]
    tokens: list[str]
    winners: list[int]
    seconds: int | None
    deadline: float | None
    commitment: str
    seed: str | None
    rematch: str | None


def see(table: Table, viewer: int) -> Seen:
    """What a seat, or a `SPECTATOR`, may know of a table."""
    game = table.game
    # Fields: plain numbers, read many times faster than a record's.
    state = fields_of(states_from_bytes(game.observe(viewer).tobytes()))
    ahead = fields_of(states_from_bytes(state.tobytes()))
    move_prices(ahead)
    player = int(state.player) if state.recipient == NOBODY and state.stage != OVER else None
    if table.phase == "waiting":
        player = None
    mine = player is not None and player == viewer
    mask = legal_actions(state) if mine else 0
    most = winners(state) if game.is_over else 0
    hands, tableaus, shipments = (
        state.hand.tolist(),
        state.tableau.tolist(),
        state.shipments.tolist(),
    )
    return Seen(
        id=table.id,
        ply=table.ply,
        phase=table.phase,
        edition=game.edition.name,
        target=game.target,
        players=game.players,
        first=game.first,
        seat=None if viewer == SPECTATOR else viewer,
        player=player,
        round=int(state.round_number),
        starter=int(state.starter),
        prices=dict(zip(_LETTERS, state.prices.tolist(), strict=True)),
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
                money=int(state.money[number]),
                hand_size=int(state.hand_size[number]),
                hand=_cards(hands[number]) if number == viewer else None,
                tableau=_cards(tableaus[number]),
                shipments=[_shipment(card) for card in shipments[number]],
            )
            for number, seat in enumerate(table.seats)
        ],
        legal=[ACTION_TEXTS[action] for action in range(len(ACTION_TEXTS)) if mask >> action & 1],
        outlook={
            "prices": dict(zip(_LETTERS, ahead.prices.tolist(), strict=True)),
            "income": [income(ahead, seat) for seat in range(game.players)],
        },
        tokens=record.tokens_for(game, viewer),
        winners=[seat for seat in range(game.players) if most >> seat & 1],
        seconds=table.seconds,
        deadline=table.deadline,
        commitment=table.commitment,
        seed=table.seed.hex() if game.is_over else None,
        rematch=table.rematch,
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


__all__ = ["JAKOB", "Seen", "SeenSeat", "evaluations", "see"]
