"""Games of OpenSpiel for the tests: loaded by setup, played at random."""

import random

import pyspiel

import fugger.envs.openspiel as _registers  # noqa: F401
from fugger.cards import CARD_TEXTS
from fugger.rules.actions import ACTION_TEXTS


def load(**setup):
    chosen = ",".join(f"{name}={value}" for name, value in setup.items())
    return pyspiel.load_game(f"python_fugger({chosen})")


def step(state, rng):
    """Any legal action, or a card by its chance."""
    if state.is_chance_node():
        cards, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(cards, chances)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def states(game, seed):
    """A random game as it stands at each of its steps, its end included."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        step(state, rng)
    yield state


def after(game, *events):
    """A game in which this has happened: actions and cards, as OpenSpiel's numbers."""
    state = game.new_initial_state()
    for event in events:
        state.apply_action(event)
    return state


def events_of(game):
    """What has happened in a game of the engine, as OpenSpiel's numbers."""
    return [
        CARD_TEXTS.index(token[2:]) if ":" in token else ACTION_TEXTS.index(token)
        for token in game.tokens
    ]
