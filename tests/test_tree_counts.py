"""How many ways a game can go from fixed positions, deals and actions alike.

The counts come from another implementation of the rules.
"""

from pathlib import Path

import pytest

from fugger import Action, Card, Game, record

GOLDEN = Path(__file__).parent / "golden"


def ways(game: Game, depth: int) -> int:
    moves: list[tuple[str, Card | Action]] = [("deal", card) for card in game.chances]
    moves += [("play", action) for action in game.legal_actions]
    if depth == 1:
        return len(moves)
    total = 0
    for verb, what in moves:
        twin = game.copy()
        getattr(twin, verb)(what)
        total += ways(twin, depth - 1)
    return total


def position(name: str, tokens: int) -> Game:
    (finished,) = record.loads((GOLDEN / name).read_text())
    game = Game(finished.players, finished.edition, finished.first, finished.target)
    for token in finished.tokens[:tokens]:
        _, deal, card = token.partition(":")
        if deal:
            game.deal(card)
        else:
            game.play(token)
    return game


@pytest.mark.parametrize(
    ("name", "tokens", "counts"),
    [
        ("adlung-2-87.fgr", 0, [11, 121, 1326, 14436]),
        ("adlung-3-95.fgr", 40, [11, 22, 151, 622, 4208]),
        ("rody-3-101.fgr", 75, [3, 10, 24, 75, 177, 520, 2755]),
        ("adlung-2-308-dry-pass.fgr", 262, [1, 7, 21, 159, 1042, 7537]),
        ("rody-4-258-dry-pass.fgr", 252, [3, 21, 12, 84, 86, 451, 137]),
        ("rody-2-90.fgr", 85, [1, 9, 81, 288, 1704, 10367]),
        ("adlung-4-132.fgr", 118, [4, 8, 36, 92, 332, 1056, 3756]),
        ("rody-4-116.fgr", 60, [9, 27, 172, 892, 6193]),
    ],
)
def test_ways_from_a_position(name, tokens, counts):
    game = position(name, tokens)
    assert counts == [ways(game, depth) for depth in range(1, len(counts) + 1)]
