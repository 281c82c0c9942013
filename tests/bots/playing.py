"""Games for players, dealt from a seed."""

from __future__ import annotations

import random

from fugger import Game
from fugger.bots import Past
from fugger.bots.players import Place
from fugger.bots.programs import Limits

PATIENT = Limits(move_time=120, start_time=120)
"""For programs that answer: tests may run on a busy machine."""


def at_first_decision(players: int = 2) -> Game:
    """A game whose seat 0 is to act."""
    game = Game(players)
    game.deal_all(random.Random(1))
    return game


def place_of(game: Game, seat: int, seed: int = 0) -> Place:
    return Place(game.players, game.edition.name, game.target, seat, seed)


def play(players, seed: int, edition: str = "adlung", target: int = 40) -> Game:
    """A whole game between players, who are told of its end."""
    game = Game(len(players), edition, target=target)
    rng = random.Random(seed)
    for seat, player in enumerate(players):
        player.begin(place_of(game, seat, seed + seat))
    while not game.is_over:
        game.deal_all(rng)
        if game.player is not None:
            seat = game.player
            game.play(players[seat].choose(game.observe(seat), Past.of(game, seat)))
    for player in players:
        player.end(game.money, game.winners)
    return game
