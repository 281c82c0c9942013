"""The lines of the protocol tell a seat everything it may know, and nothing else."""

from __future__ import annotations

import json
import random

import pytest
from random_play import SETUPS, steps

from fugger import Game, determinize, observe
from fugger.bots.players import Place
from fugger.bots.protocol import choose_line, game_line, observation_in, observe_line, place_in
from fugger.chance import generator


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_an_observation_is_read_as_it_was_at_every_decision(edition, players):
    game = Game(players, edition, target=60)
    for _ in steps(game, random.Random(3)):
        if game.player is not None:
            seen = game.observe(game.player)
            place = Place(players, edition, 60, game.player, 0)
            line = observe_line(seen)
            assert seen.tobytes() == observation_in(line.partition(" ")[2], place).tobytes()


def test_what_a_seat_may_not_know_is_in_no_line():
    game = Game(3)
    rng = generator(4)
    for _ in steps(game, random.Random(5)):
        if game.player is not None:
            seen = game.observe(game.player)
            again = observe(determinize(seen, rng), game.player)
            assert observe_line(seen) == observe_line(again)
            told = json.loads(observe_line(seen).partition(" ")[2])
            hands = [seat["hand"] for seat in told["seats"]]
            assert [seat != game.player for seat in range(3)] == [hand is None for hand in hands]


def test_a_place_is_read_as_it_was():
    place = Place(3, "rody", 140, 2, 2**63 - 1)
    assert place == place_in(game_line(place).partition(" ")[2])


def test_what_a_newer_arena_adds_to_a_place_is_passed_by():
    place = Place(2, "adlung", 100, 1, 7)
    assert place == place_in(f"weather=fine {game_line(place).partition(' ')[2]} late")


def test_a_question_names_the_legal_actions():
    game = Game(2)
    game.deal_all(random.Random(1))
    line, legal = choose_line(game.observe(0))
    assert "choose " + " ".join(map(str, game.legal_actions)) == line
    assert sum(1 << action for action in game.legal_actions) == legal
