"""What a seat receives is the same, byte for byte, if games differ only in what it may not know.

A game is played, and then told again with hidden cards exchanged: the same actions, the same
face-up cards, but other cards in others' hands and under their shipments. Everything that leaves
the server for a viewer from whom these are hidden must be the same bytes.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest
from running import Client
from twins import twins

from fugger.game import Game
from fugger.rules.state import SPECTATOR
from fugger.web.tables import Seat, Table, hashed

DOORS = ("", "/record")
"""What a viewer can ask for below a table's address in the API."""


def played(players: int, edition: str, actions: int, seed: int) -> Game:
    """A running game."""
    rng = random.Random(seed)
    game = Game(players, edition, first=seed % players)
    game.deal_all(rng)
    for _ in range(actions):
        legal = game.legal_actions
        ships = [action for action in legal if str(action).startswith("(")]
        game.play(rng.choice(ships or legal))
        game.deal_all(rng)
        if game.is_over:
            game.undo()
            break
    return game


def table_of(game: Game) -> Table:
    """A table where a game has been played, always under the same name and seed."""
    return Table(
        id="secrecy",
        made=1_700_000_000.0,
        maker="",
        seconds=None,
        listed=False,
        seed=bytes(32),
        phase="playing",
        pause=0.0,
        rematch=None,
        seats=[
            Seat("human", name=f"Seat {seat}", token=hashed(f"token {seat}"))
            for seat in range(game.players)
        ],
        game=game,
        ply=game.actions_taken + 1,
        at=1_700_000_000.0,
        actors=["player"] * game.actions_taken,
    )


def received(here, game: Game, viewer: int) -> dict[str, bytes]:
    """All that a viewer receives of a game, by door."""
    here.site.tables.add(table_of(game))
    token = None if viewer == SPECTATOR else f"token {viewer}"
    client = Client(here.client, "secrecy", token)
    answers = {door: client.get(door).content for door in DOORS}
    with here.client.stream("GET", "/api/tables/secrecy/stream", headers=client.headers) as stream:
        lines = stream.iter_lines()
        answers["/stream"] = "\n".join(next(lines) for _ in range(4)).encode()
    # An action that isn't allowed tells something too.
    for ply in (0, game.actions_taken + 1):
        answers[f"refusal at {ply}"] = client.act(ply, "none").content
        client.headers["Content-Type"] = "application/json; charset=utf-8"  # past no framework
        answers[f"long refusal at {ply}"] = client.act(ply, "none").content
        del client.headers["Content-Type"]
    return answers


GAMES = [
    played(players, edition, actions, seed)
    for players in (2, 3, 4)
    for edition in ("adlung", "rody")
    for actions, seed in ((0, 1), (6, 2), (25, 3))
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_nobody_receives_what_is_hidden_from_them(here, game):
    checked = 0
    for pair in islice(twins(game), 4):
        original, other = pair.games
        for viewer in (*range(game.players), SPECTATOR):
            if viewer in pair.seats:
                continue
            assert received(here, original, viewer) == received(here, other, viewer)
            checked += 1
    assert checked


def test_the_comparison_would_notice(here):
    """Whoever holds an exchanged card sees it, through every door that shows hands."""
    game = GAMES[4]
    pair = next(pair for pair in twins(game) if pair.seats[0] != pair.seats[1])
    before, after = (received(here, telling, pair.seats[0]) for telling in pair.games)

    assert all(before[door] != after[door] for door in ("", "/record", "/stream"))


def test_shipments_are_among_what_was_exchanged():
    exchanged = [
        game.shipments(seat) != pair.games[1].shipments(seat)
        for game in GAMES
        for pair in islice(twins(game), 4)
        for seat in pair.seats
    ]

    assert 10 < exchanged.count(True) < len(exchanged) - 10


def test_the_seed_is_shown_when_the_game_is_over_and_not_before(here):
    game = GAMES[1]
    table = table_of(game)
    here.site.tables.add(table)

    everything = b"".join(received(here, game, 0).values())
    assert table.seed.hex().encode() not in everything
    assert b'"seed":null' in everything


def test_tokens_and_players_never_leave_the_server(here):
    game = GAMES[1]
    everything = b"".join(
        b"".join(received(here, game, viewer).values()) for viewer in (0, 1, SPECTATOR)
    )

    for seat in range(game.players):
        assert f"token {seat}".encode() not in everything
        assert hashed(f"token {seat}").encode() not in everything
