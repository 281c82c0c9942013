"""The search and the memory run compiled as they run interpreted."""

from __future__ import annotations

import random

import numpy as np
import pytest
from random_play import HABITS, SETUPS, finished_game, hoarding, steps

from fugger import Game
from fugger.bots import Past, Style
from fugger.bots.memory import event_of, no_memories, recall
from fugger.bots.search import COLUMNS, GREEDY, NUMBERS, ROUNDS, SETTINGS, WIDTH, search
from fugger.chance import generator
from fugger.editions import EDITIONS
from fugger.playouts import new_deck_for
from fugger.rules.state import empty_states, new_states, states_from_bytes

NODES = 6
"""Fewer than simulations: what a full tree does is compared too."""


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_a_past_is_recalled_the_same_compiled_and_interpreted(edition, players):
    game = finished_game(1, HABITS[1], players=players, edition=edition)
    start = new_states(EDITIONS[edition], players)
    events = np.array([event_of(token) for token in game.tokens], np.int64)
    remembered = 0
    for number in (len(events) // 2, len(events)):
        recalled = []
        for run in (recall.interpreted, recall):
            memories, states = no_memories(), empty_states(4)
            run(start, states, events[:number], 1, memories)
            recalled.append((memories.tobytes(), states.tobytes()))
        assert recalled[0] == recalled[1]
        remembered += memories[0].kept.sum() > 0
    assert remembered


def searched(run, game, style, simulations):
    """All that a search leaves behind."""
    settings = np.zeros(SETTINGS, np.int64)
    settings[GREEDY], settings[ROUNDS] = style.guided, style.rounds
    observations = states_from_bytes(game.observe(game.player).tobytes())
    memories = no_memories(2)
    memories[0] = Past.of(game, game.player).memories()[0]
    assert memories[0].kept.sum() > 0
    rng, size = generator(3), np.zeros(1, np.int64)
    tree, states = np.zeros((NODES * WIDTH, COLUMNS), np.int32), empty_states(1)
    deck, numbers = new_deck_for(observations[0]), np.zeros(NUMBERS, np.int64)
    run(observations, memories, simulations, settings, rng, tree, size, states, deck, numbers)
    return {
        "tree": tree.tolist(),
        "nodes": size.tolist(),
        "last state": states.tobytes(),
        "memories": memories.tobytes(),
        "generator": rng.tolist(),
        "deck": deck[: 1 + deck[0]].tolist(),
        "last path and rewards": numbers.tolist(),
    }


@pytest.mark.parametrize("style", [Style(rounds=1), Style(guided=False, rounds=2)])
@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_a_search_is_the_same_compiled_and_interpreted(edition, players, style):
    game = Game(players, edition)
    for _ in steps(game, random.Random(3), hoarding):
        if game.player is not None and Past.of(game, game.player).memories()[0].kept.sum() > 0:
            break
    simulations = 30
    interpreted = searched(search.interpreted, game, style, simulations)
    assert [NODES] == interpreted["nodes"]
    assert interpreted == searched(search, game, style, simulations)
