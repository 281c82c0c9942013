"""The search and the memory run compiled as they run interpreted."""

from __future__ import annotations

import random

import numpy as np
import pytest
from random_play import HABITS, SETUPS, finished_game, hoarding, steps

from fugger import Game
from fugger.bots import Past, Style
from fugger.bots.memory import event_of, no_memories, recall
from fugger.bots.networks import networks
from fugger.bots.search import new_room, search
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
    observations = states_from_bytes(game.observe(game.player).tobytes())
    memories = no_memories(2)
    memories[0] = Past.of(game, game.player).memories()[0]
    assert memories[0].kept.sum() > 0
    rng, room = generator(3), new_room(new_deck_for(observations[0]), NODES)
    room.tree[:], room.chances[:] = 0, 0
    run(observations, memories, simulations, style.settings, networks(), rng, room)
    return {
        "tree": room.tree.tolist(),
        "chances": room.chances.tolist(),
        "nodes": room.size.tolist(),
        "last state": room.states.tobytes(),
        "memories": memories.tobytes(),
        "generator": rng.tolist(),
        "deck": room.deck[: 1 + room.deck[0]].tolist(),
        "last path and rewards": room.numbers.tolist(),
        "what networks saw": [part.tobytes() for part in room.sight],
    }


STYLES = [
    Style("greedy", rounds=1, guesses=False),
    Style("random", rounds=2, guesses=True),
    Style("networks", guesses=False),
    Style("networks", guesses=True),
]


@pytest.mark.parametrize("style", STYLES, ids=str)
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
