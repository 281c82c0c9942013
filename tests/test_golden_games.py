"""Whole games with exact results, at least one of every kind of game, round and ending.

The records in `golden/` were played by another implementation of the rules.
"""

from functools import cache
from pathlib import Path

import pytest

from fugger import Game, record
from fugger.rules.state import ON_MERCHANT, ON_SHIPMENT, TURNS

FILES = sorted((Path(__file__).parent / "golden").glob("*.fgr"))

KINDS = {
    *(f"{edition}, {players} players" for edition in ("adlung", "rody") for players in (2, 3, 4)),
    *(f"{edition}: a round ended by a play" for edition in ("adlung", "rody")),
    *(f"{edition}: a round ended by the two-player card" for edition in ("adlung", "rody")),
    *(f"adlung, {players} players: a round ended by a shipment's card" for players in (2, 3)),
    *(f"rody, {players} players: a round ended by a merchant's card" for players in (2, 3)),
    *(f"{edition}: a pass" for edition in ("adlung", "rody")),
    "a draw is illegal: both piles are dry",
    "a card owed to a player is not dealt",
    "a card owed to Jakob is not dealt",
    "the discard pile becomes the draw pile",
    "a merchant is turned up for Jakob",
    "a tie",
    "adlung: exactly 100 ends the game",
    "rody: exactly 100 does not end the game",
}


@cache
def golden(file: Path) -> Game:
    (game,) = record.loads(file.read_text(encoding="utf-8"))
    return game


def replayed(finished: Game):
    """The game again, event by event: (token, game before it, game after it)."""
    game = Game(finished.players, finished.edition, finished.first, finished.target)
    for token in finished.tokens:
        before = game.copy()
        _, is_deal, card = token.partition(":")
        if is_deal:
            game.deal(card)
        else:
            game.play(token)
        yield token, before, game


def kinds_of(finished: Game) -> set[str]:
    edition = str(finished.edition)
    kinds = {f"{edition}, {finished.players} players"}
    action, goods_since = "", 0
    dealt: list[str] = []  # recipients since the last action or evaluation
    for token, before, game in replayed(finished):
        recipient, is_deal, card = token.partition(":")
        is_good_for_jakob = recipient == "J" and card != "M"
        if is_deal:
            goods_since += is_good_for_jakob
            if token == "J:M":
                kinds.add("a merchant is turned up for Jakob")
        else:
            action, goods_since, dealt = token, 0, []
            if token == "--":
                kinds.add(f"{edition}: a pass")
            hand = sum(before.hand(before.player).values())
            if hand <= 4 and "+" not in map(str, before.legal_actions):
                kinds.add("a draw is illegal: both piles are dry")
        if sum(game.draw_pile.values()) > sum(before.draw_pile.values()):
            kinds.add("the discard pile becomes the draw pile")
        if len(game.evaluations) > len(before.evaluations):
            kinds |= _round_ends(edition, game, action, is_good_for_jakob, goods_since)
            dealt = []
        elif is_deal:
            dealt.append(recipient)
        if game.player is not None and game.round > 1 and before.state.stage < TURNS:
            kinds |= _dealt_before_round(game, dealt)
    if len(finished.winners) > 1:
        kinds.add("a tie")
    return kinds


def _round_ends(edition, game, action, by_jakobs_card, goods_since):
    kinds = set()
    trigger = game.state.trigger
    triggered = (action.startswith("(") and trigger == ON_SHIPMENT) or (
        action == "M" and trigger == ON_MERCHANT
    )
    if not by_jakobs_card:
        kinds.add(f"{edition}: a round ended by a play")
    elif triggered and goods_since == 1:
        what = "shipment" if action != "M" else "merchant"
        kinds.add(f"{edition}, {game.players} players: a round ended by a {what}'s card")
    else:
        kinds.add(f"{edition}: a round ended by the two-player card")
    money = game.evaluations[-1].money
    if game.target == 100 and max(money) == 100:
        ends = "ends" if game.is_over else "does not end"
        kinds.add(f"{edition}: exactly 100 {ends} the game")
    return kinds


def _dealt_before_round(game, dealt):
    kinds = set()
    if len([recipient for recipient in dealt if recipient != "J"]) < 2 * game.players:
        kinds.add("a card owed to a player is not dealt")
    if sum(game.jakob.values()) < 2:
        kinds.add("a card owed to Jakob is not dealt")
    return kinds


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_golden_game(file):
    game = golden(file)
    expected = [game.tags[tag] for tag in ("Rounds", "Winners", "Prices")]
    assert expected == [
        str(game.round),
        " ".join(str(seat + 1) for seat in game.winners),
        " ".join(map(str, game.prices.values())),
    ]
    assert f'[Result "{" ".join(map(str, game.money))}"]' in file.read_text(encoding="utf-8")


def test_there_is_a_golden_game_of_every_kind():
    found = set().union(*(kinds_of(golden(file)) for file in FILES))
    assert KINDS - found == set()
    assert found - KINDS == set()
