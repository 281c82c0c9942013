"""OpenSpiel's algorithms play the game, and solve the tiny edition of it exactly."""

import random
import re
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability, ismcts, mcts, outcome_sampling_mccfr
from open_spiel.python.policy import UniformRandomPolicy
from sequence_form import LinearProgram, tree_of, uniform_value
from spiel import load, step

from fugger import Game
from fugger.editions import TINY

PAGE = Path(__file__).parents[2] / "docs" / "openspiel.md"


def test_the_examples_of_the_page_run(capsys):
    names = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(code, names)
    assert "rody" == names["game"].get_parameters()["edition"]
    assert float(capsys.readouterr().out) < 0.0001


@pytest.fixture(scope="module")
def tiny():
    """The tiny game, whose tree OpenSpiel keeps."""
    return pyspiel.convert_to_cached_tree(load(players=2, edition="tiny"))


@pytest.fixture(scope="module")
def tree():
    """The same game's tree, made of the engine's games alone."""
    return tree_of(Game(2, TINY))


def value(state, policies):
    return pyspiel.expected_returns(state, policies, -1, True)[0]


def size_of(tree):
    """The histories of a tree, and what each seat can know when it is its turn."""
    if tree[0] == "end":
        return 1, set()
    sizes = [size_of(child) for _, child in tree[-1]]
    knowledge = set().union(*(known for _, known in sizes))
    if tree[0] == "turn":
        knowledge.add(tree[1:3])
    return 1 + sum(size for size, _ in sizes), knowledge


def test_the_size_of_the_tiny_game(tree):
    histories, knowledge = size_of(tree)
    assert 24_673 == histories
    assert [422, 314] == [sum(seat == own for own, _ in knowledge) for seat in (0, 1)]


def test_uniform_play_is_worth_what_the_engine_says(tiny, tree):
    expected = uniform_value(tree)
    uniform = pyspiel.UniformRandomPolicy(tiny)
    assert expected == pytest.approx(value(tiny.new_initial_state(), uniform), abs=1e-12)
    assert 0.0442 == pytest.approx(expected, abs=1e-4)


def test_what_solves_the_engines_tree_is_a_solution_to_openspiel(tiny, tree):
    program = LinearProgram(tree)
    policies = [program.solve(seat) for seat in (0, 1)]
    assert 125 / 924 == pytest.approx(program.values[0], abs=1e-9)
    assert program.values[0] == pytest.approx(-program.values[1], abs=1e-9)
    joint = pyspiel.TabularPolicy(policies[0] | policies[1])
    assert 0 == pytest.approx(pyspiel.exploitability(tiny, joint), abs=1e-7)
    expected = program.values[0]
    assert expected == pytest.approx(value(tiny.new_initial_state(), joint), abs=1e-7)


def test_uniform_play_can_be_exploited_and_cfr_less_and_less(tiny):
    uniform = exploitability.exploitability(tiny, UniformRandomPolicy(tiny))
    assert 0.2867 == pytest.approx(uniform, abs=1e-4)
    solver = pyspiel.CFRPlusSolver(tiny)
    found = []
    for _ in range(3):
        for _ in range(10):
            solver.evaluate_and_update_policy()
        found.append(pyspiel.exploitability(tiny, solver.average_policy()))
    assert uniform > 10 * found[0] > 10 * found[1] > 10 * found[2] > 0


def test_outcome_sampling_mccfr_learns(tiny):
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(tiny)
    for _ in range(1500):
        solver.iteration()
    learned = exploitability.nash_conv(tiny, solver.average_policy(), use_cpp_br=True)
    uniform = exploitability.nash_conv(tiny, UniformRandomPolicy(tiny), use_cpp_br=True)
    assert learned < 0.9 * uniform


def ismcts_bot(game, seed, simulations=30):
    return ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed)),
        uct_c=1.0,
        max_simulations=simulations,
        random_state=np.random.RandomState(seed),
    )


def mcts_bot(game, seed, simulations=30):
    state = np.random.RandomState(seed)
    return mcts.MCTSBot(
        game, 1.0, simulations, mcts.RandomRolloutEvaluator(1, state), random_state=state
    )


def played(game, bot, seed):
    """What a game is worth to a bot in seat 0, the others playing at random."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
        else:
            step(state, rng)
    return state.returns()[0]


@pytest.mark.parametrize("make", [ismcts_bot, mcts_bot])
def test_search_wins_against_random_play(make):
    game = load(players=2, edition="tiny")
    bot = make(game, 3)
    assert sum(played(game, bot, seed) for seed in range(30)) > 4


@pytest.mark.parametrize("make", [ismcts_bot, mcts_bot])
def test_search_plays_the_real_game(make):
    game = load(players=3, target=20)
    state = game.new_initial_state()
    rng = random.Random(2)
    for _ in range(40):
        step(state, rng)
    while state.is_chance_node():
        step(state, rng)
    bot = make(game, 1, simulations=4)
    assert bot.step(state) in state.legal_actions()
