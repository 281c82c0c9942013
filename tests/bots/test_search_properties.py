"""At any position of any game a search has one of the legal actions, in any style and budget."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from random_play import HABITS, steps, trading

from fugger import Action, Card, Edition, Game, observe
from fugger.bots import Budget, Past, Style, think
from fugger.bots.memory import check, fill_from_memory, no_memories
from fugger.bots.network import new_sight
from fugger.bots.networks import networks, write_guesses
from fugger.bots.search import new_room, search
from fugger.bots.thinking import PLAYOUT_SETTINGS
from fugger.bots.tree import CHILD, COLUMNS, ITSELF, VISITS, WIDTH
from fugger.chance import generator
from fugger.editions import EDITIONS
from fugger.playouts import new_deck_for
from fugger.rules.state import states_from_bytes

GUARD = -7
"""A number that no tree holds, behind the tree's end."""


def box(base: Edition, players: int, **fields: int) -> Edition:
    """An edition of few cards: as many as a game needs, and `spare` more of each good."""
    goods, spare, merchants = fields["goods"], fields.pop("spare"), fields["merchants"]
    needed = goods * (fields["round_end"] - 1) + 2 * players + 1
    needed += max(0, fields["opening_hand"] * players - merchants)
    return replace(base, name="small", plain_cards=-(-needed // goods) + spare, **fields)


@st.composite
def positions(draw):
    """Games in which somebody is to act; often the piles are dry and players have to pass."""
    players = draw(st.integers(2, 4))
    edition = EDITIONS[draw(st.sampled_from(sorted(EDITIONS)))]
    if draw(st.booleans()):
        edition = box(
            edition,
            players,
            goods=draw(st.integers(1, 5)),
            sealed_cards=draw(st.integers(0, 2)),
            merchants=draw(st.integers(0, 6)),
            opening_hand=draw(st.integers(1, 5)),
            round_end=draw(st.integers(3, 5)),
            spare=draw(st.integers(0, 1)),
        )
    game = Game(players, edition, draw(st.integers(0, players - 1)), draw(st.integers(20, 300)))
    actions, habit = draw(st.integers(0, 90)), draw(st.sampled_from(HABITS))
    for _ in steps(game, random.Random(draw(st.integers(0, 999))), habit):
        if game.is_over:
            game.undo()
            break
        if game.player is not None and game.actions_taken >= actions:
            break
    return game


styles = st.builds(
    Style,
    playouts=st.sampled_from(sorted(PLAYOUT_SETTINGS)),
    rounds=st.integers(0, 2),
    remembers=st.booleans(),
    guesses=st.booleans(),
)
budgets = st.builds(Budget, simulations=st.integers(1, 200), threads=st.integers(1, 2))


@settings(max_examples=300, deadline=None)
@given(game=positions(), style=styles, budget=budgets, seed=st.integers(0, 99))
def test_a_search_has_an_answer(game, style, budget, seed):
    seen = game.observe(game.player)
    before = seen.tobytes()
    past = Past.of(game, game.player)
    prospects = think(seen, past.memories(), budget=budget, style=style, seed=seed)
    assert game.legal_actions == sorted(one.action for one in prospects)
    made = 0 if len(prospects) == 1 else budget.simulations
    assert made == sum(one.simulations for one in prospects)
    assert all(0 <= one.expected <= 1 for one in prospects)
    assert before == seen.tobytes()


@settings(max_examples=100, deadline=None)
@given(
    game=positions(),
    style=styles,
    simulations=st.integers(1, 200),
    nodes=st.integers(1, 40),
)
def test_a_tree_keeps_to_its_room(game, style, simulations, nodes):
    observations = states_from_bytes(game.observe(game.player).tobytes())
    memories = no_memories(2)
    memories[0] = Past.of(game, game.player).memories()[0]
    tree = np.full(((nodes + 1) * WIDTH, COLUMNS), GUARD, np.int32)
    chances = np.full((nodes + 1) * WIDTH, GUARD, np.float32)
    room = new_room(new_deck_for(observations[0]), nodes)
    room = room._replace(tree=tree[: nodes * WIDTH], chances=chances[: nodes * WIDTH])
    for part in (simulations // 2, simulations - simulations // 2):
        rng = generator(simulations)
        search(observations, memories, part, style.settings, networks(), rng, room)
    size = int(room.size[0])
    assert 1 <= size <= nodes
    assert (tree[size * WIDTH :] == GUARD).all()
    assert (chances[size * WIDTH :] == GUARD).all()
    grown = tree[: size * WIDTH].reshape(-1, WIDTH, COLUMNS)
    assert (grown[:, :, CHILD] < size).all()
    assert simulations == grown[0, :ITSELF, VISITS].sum()
    led = style.playouts == "networks"
    taken = grown[:, :ITSELF, VISITS].sum(axis=1)
    assert (grown[:, ITSELF, VISITS] == led * taken).all()
    assert sorted(range(1, size)) == sorted(grown[:, :, CHILD][grown[:, :, CHILD] > 0])


@settings(max_examples=100, deadline=None)
@given(game=positions(), seed=st.integers(0, 99), guessing=st.booleans())
def test_what_is_imagined_looks_as_what_is_seen(game, seed, guessing):
    seat = game.player
    seen, memories = game.observe(seat), Past.of(game, seat).memories()
    imagined = game.observe(seat)
    check(memories[0], imagined)
    sight = new_sight()
    if guessing:
        write_guesses(imagined, networks().guess, sight)
    fill_from_memory(imagined, memories[0], guessing, sight.guesses, generator(seed))
    assert seen.tobytes() == observe(imagined, seat).tobytes()
    assert imagined.draw_size == imagined.draw_pile.sum()
    assert min(imagined.draw_pile.min(), imagined.hand.min()) >= 0
    assert (imagined.hand_size == imagined.hand.sum(axis=1)).all()
    assert Card.MERCHANT not in imagined.shipments


def test_whoever_has_to_pass_passes():
    """And there is such a position, so that playouts come to others."""
    numbers = {"goods": 2, "sealed_cards": 0, "merchants": 2, "opening_hand": 1, "round_end": 3}
    game = Game(4, box(EDITIONS["rody"], 4, **numbers, spare=0))
    passed = 0
    for _ in steps(game, random.Random(2), trading):
        if Action.PASS in game.legal_actions:
            (prospect,) = think(game.observe(game.player), budget=Budget(50))
            assert Action.PASS == prospect.action
            passed += 1
    assert passed
