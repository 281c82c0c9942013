"""Thousands of learners' games at once are each what a `FuggerEnv` is."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from fugger import BotError, SeedError, SetupError
from fugger.envs import vector
from fugger.envs.gymnasium import InvalidAction, ResetNeeded
from fugger.envs.gymnasium_vector import FuggerVectorEnv


def begun(num_envs=3, seed=1, **options):
    envs = FuggerVectorEnv(num_envs, **options)
    envs.reset(seed=seed)
    return envs


def chosen(infos, rng):
    """Any legal action of every game."""
    masks = infos["action_mask"]
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def snapshot(envs):
    games = envs._games
    return [getattr(games, name).tobytes() for name in games.stored if name != "events"]


# The same as single environments


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(
    "options",
    [
        {"target": 20},
        {"players": 2, "seat": None, "opponents": "trader", "reward": "margin", "target": 20},
        {"players": 4, "edition": "rody", "opponents": ["random", "apprentice", "journeyman"]},
    ],
)
def test_games_are_those_of_single_environments(mode, options):
    """Gymnasium's own vector of our single environments tells the same, to the byte."""
    ours = gymnasium.make_vec("Fugger-v0", 5, "vector_entry_point", autoreset_mode=mode, **options)
    others = gymnasium.make_vec(
        "Fugger-v0", 5, "sync", vector_kwargs={"autoreset_mode": mode}, **options
    )
    assert others.single_observation_space == ours.single_observation_space
    assert others.observation_space == ours.observation_space
    assert others.action_space == ours.action_space
    rng = np.random.default_rng(1)
    told, ours_told = others.reset(seed=7), ours.reset(seed=7)
    ended = 0
    for step in range(120):
        for one, other in zip(told, ours_told, strict=True):
            assert data_equivalence(one, other, exact=True)
        infos = told[-1]
        actions = chosen(infos, rng)
        actions[step % 5] = 22 if step % 9 == 0 else actions[step % 5]  # which is illegal
        told, ours_told = others.step(actions), ours.step(actions)
        over = told[2]
        ended += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            assert data_equivalence(told, ours_told, exact=True)
            told = others.reset(options={"reset_mask": over.copy()})
            ours_told = ours.reset(options={"reset_mask": over.copy()})
            # Gymnasium's tells infos of those alone that begin.
            assert told[0].tolist() == ours_told[0].tolist()
            told = (told[0], ours_told[1])
    assert ended > 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_number_of_threads_changes_nothing(players, monkeypatch):
    monkeypatch.setattr(vector, "_SHARE", 100)
    monkeypatch.setattr(vector, "_PART", 200)
    outcomes = []
    for threads in (1, 2, 3):
        envs = begun(1700, players=players, seat=None, threads=threads, target=20)
        rng = np.random.default_rng(1)
        infos = envs._infos()
        for _ in range(25):
            infos = envs.step(chosen(infos, rng))[-1]
        outcomes.append(snapshot(envs))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_what_was_told_stays_as_it_was():
    envs = begun()
    rng = np.random.default_rng(1)
    told = envs.step(chosen(envs._infos(), rng))
    kept = copy.deepcopy(told)
    envs.step(chosen(told[-1], rng))
    assert data_equivalence(kept, told, exact=True)


def test_copies_go_their_own_way_with_the_same_cards():
    envs = begun(4, seat=None)
    for twin in (copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))):
        before = snapshot(envs)
        assert before == snapshot(twin)
        twin.step(np.zeros(4, np.int64))
        assert before == snapshot(envs)
        again = copy.deepcopy(envs)
        again.step(np.zeros(4, np.int64))
        assert snapshot(again) == snapshot(twin)


# Seeds


def test_seeds():
    assert snapshot(begun(seed=5)) == snapshot(begun(seed=[5, 6, 7]))
    assert snapshot(begun(seed=5)) != snapshot(begun(seed=6))
    assert snapshot(begun(seed=None)) != snapshot(begun(seed=None))
    one, other = begun(seed=5), begun(seed=5)
    one.reset()
    other.reset(seed=[None, None, None])
    assert snapshot(one) == snapshot(other)
    assert snapshot(one) != snapshot(begun(seed=5))
    one.reset(seed=[1, None, None])
    other.reset()
    assert one._games.states[1:].tobytes() == other._games.states[1:].tobytes()
    assert one._games.states[:1].tobytes() != other._games.states[:1].tobytes()
    fresh = [begun(seed=[1, None, None]) for _ in range(2)]
    assert fresh[0]._games.states[0].tobytes() == fresh[1]._games.states[0].tobytes()
    assert fresh[0]._games.states[1:].tobytes() != fresh[1]._games.states[1:].tobytes()


# What Gymnasium wants


def test_it_declares_when_games_begin_anew():
    envs = gymnasium.make_vec("Fugger-v0", 2)
    assert isinstance(envs, FuggerVectorEnv)
    assert AutoresetMode.NEXT_STEP is envs.metadata["autoreset_mode"]
    assert AutoresetMode.SAME_STEP is begun(autoreset_mode="SameStep").metadata["autoreset_mode"]


def test_wrappers_of_gymnasium_work():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(begun(8, target=20))
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    for _ in range(60):
        infos = envs.step(chosen(infos, rng))[-1]
    assert envs.episode_count > 8


def test_frames():
    frames = begun(2, render_mode="ansi").render()
    assert 2 == len(frames)
    assert all("Player 1" in frame for frame in frames)
    assert begun(2).render() is None


# Bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_envs": 0}, SetupError, "num_envs is 0: expected a whole number from 1"),
        ({"players": 5}, SetupError, "players is 5: expected a whole number from 2 to 4"),
        ({"seat": 3}, SetupError, "seat is 3: expected 0 to 2, or None"),
        ({"threads": 0}, SetupError, "threads is 0: expected a whole number from 1"),
        ({"opponents": "banker"}, BotError, "'banker' isn't compiled: expected random, greedy, "),
        ({"opponents": "gredy"}, BotError, "'gredy' is no bot"),
        ({"illegal_action": 0}, SetupError, "illegal_action is 0: expected lose or error"),
        ({"render_mode": "human"}, SetupError, "render_mode is 'human': expected None, ansi or"),
        (
            {"autoreset_mode": "no"},
            SetupError,
            "autoreset_mode is 'no': expected one of NextStep, SameStep, Disabled",
        ),
    ],
)
def test_bad_arguments(options, error, message):
    with pytest.raises(error, match=message):
        FuggerVectorEnv(**options)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], r"actions are \[0, 0\]: expected 3 whole numbers, from 0 to 22"),
        (np.zeros((3, 1)), r"of shape \(3, 1\) and type float64: expected 3 whole numbers"),
        (None, "actions are None: expected 3 whole numbers"),
        ([0, 23, 0], r"game 1: 23 is no action: expected a whole number from 0 to 22: the learner"),
        ([0, 0, -1], "game 2: -1 is no action"),
    ],
)
def test_what_are_no_actions_changes_nothing(actions, message):
    envs = begun()
    before = snapshot(envs)
    with pytest.raises(InvalidAction, match=message):
        envs.step(actions)
    assert before == snapshot(envs)


def test_an_illegal_action_can_be_an_error():
    envs = begun(illegal_action="error")
    before = snapshot(envs)
    with pytest.raises(InvalidAction, match=r"game 1: 22 isn't legal: the learner may take 0 \("):
        envs.step([0, 22, 0])
    assert before == snapshot(envs)


def test_steps_where_no_game_is_going_on():
    envs = FuggerVectorEnv(3, render_mode="ansi", autoreset_mode="Disabled")
    for act in (lambda: envs.step([0, 0, 0]), envs.render):
        with pytest.raises(ResetNeeded, match="no game has begun: expected a reset"):
            act()
    with pytest.raises(ResetNeeded, match="reset_mask leaves out games that never began"):
        envs.reset(options={"reset_mask": np.array([True, False, True])})
    envs.reset(seed=1)
    envs.step([0, 22, 0])
    with pytest.raises(ResetNeeded, match="game 1 is over: expected a reset with a reset_mask"):
        envs.step([0, 0, 0])


def test_bad_seeds_and_options():
    envs = begun()
    for seed in (-1, "x", [1, 2], [1, 2, "x"], 1.0):
        with pytest.raises(SeedError, match="is no seed: expected a whole number from 0, or a lis"):
            envs.reset(seed=seed)
    for mask in (True, np.zeros(3, bool), np.ones(2, bool), np.ones(3)):
        with pytest.raises(SetupError, match=r"reset_mask is .*: expected bool of shape \(3,\)"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(SetupError, match="options is 3: expected a dict or None"):
        envs.reset(options=3)
