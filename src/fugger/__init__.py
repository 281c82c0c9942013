"""The card game Die Fugger: exact rules, records, bots.

>>> import random, fugger
>>> game = fugger.Game(players=3, edition="adlung")
>>> rng = random.Random(1)
>>> while not game.is_over:
...     game.deal_all(rng)
...     if game.player is not None:
...         game.play(rng.choice(game.legal_actions))
>>> game.winners == [seat for seat in range(3) if game.money[seat] == max(game.money)]
True
"""

from fugger import record
from fugger.cards import Card, Good
from fugger.editions import ADLUNG, EDITIONS, RODY, Edition
from fugger.errors import (
    BotError,
    EditionError,
    FuggerError,
    IllegalAction,
    IllegalDeal,
    NotationError,
    RecordError,
    SeedError,
    SetupError,
)
from fugger.game import Game
from fugger.rules.actions import Action
from fugger.rules.information import determinize, observe
from fugger.rules.state import JAKOB, SPECTATOR

__all__ = [
    "ADLUNG",
    "EDITIONS",
    "JAKOB",
    "RODY",
    "SPECTATOR",
    "Action",
    "BotError",
    "Card",
    "Edition",
    "EditionError",
    "FuggerError",
    "Game",
    "Good",
    "IllegalAction",
    "IllegalDeal",
    "NotationError",
    "RecordError",
    "SeedError",
    "SetupError",
    "determinize",
    "observe",
    "record",
]
