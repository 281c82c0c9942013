"""What nobody should do with the environments, and what happens if somebody does."""

import copy
import sys
import threading

import numpy as np
import pyspiel
import pytest
from spiel import load

from fugger import EditionError, IllegalAction, SeedError, SetupError, bots
from fugger.envs import fugger_v0, tensor
from fugger.envs.gymnasium import FuggerEnv
from fugger.envs.gymnasium_vector import FuggerVectorEnv
from fugger.envs.vector import Vector

# Threads


def test_games_are_moved_by_one_thread_at_a_time():
    env = Vector(3, threads=1)
    state = env.init(40, seed=3)
    with state.held:
        for move in (
            lambda: env.step(state, state.actions),
            lambda: env.rollout(state, 2),
            lambda: env.random_actions(state),
            lambda: env.restart(state),
            lambda: env.reseed(state, 1),
            state.copy,
        ):
            with pytest.raises(SetupError, match="another thread is moving these games"):
                move()
    env.step(state, env.random_actions(state))


def test_explicit_games_and_learners_are_held_too():
    env = Vector(2, chance="explicit")
    state = env.init(3)
    with state.held, pytest.raises(SetupError, match="another thread"):
        env.deal(state, [0, 0, 0])
    envs = FuggerVectorEnv(3)
    envs.reset(seed=1)
    with envs._games.held, pytest.raises(SetupError, match="another thread"):
        envs.step(envs.action_space.sample())


def test_threads_that_share_games_harm_nothing():
    env = Vector(3, threads=2)
    state = env.init(2000, seed=3)
    cards = state.states["draw_size"].dtype
    told = []

    def move():
        for _ in range(10):
            try:
                env.rollout(state, 5)
            except SetupError as error:
                told.append(str(error))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=move) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert all(one.startswith("another thread is moving these games") for one in told)
    kinds = ("draw_pile", "discard_pile", "jakob")
    held = sum(state.states[name].sum(axis=1) for name in kinds)
    held += sum(state.states[name].sum(axis=(1, 2)) for name in ("hand", "tableau"))
    held += (state.states["shipments"] >= 0).sum(axis=(1, 2)).astype(cards)
    assert [49] == np.unique(held).tolist()


# Arrays


def test_the_arrays_of_games_cannot_be_replaced():
    state = Vector(2).init(4)
    with pytest.raises(AttributeError, match="observation can't be replaced"):
        state.observation = state.observation[:2]
    with pytest.raises(AttributeError, match="states can't be replaced"):
        state.states = None


def test_observations_cannot_be_written_to():
    env = Vector(2)
    state = env.init(4)
    for rows in (state.observation, state.copy().observation, env.rollout(state, 2).observation):
        with pytest.raises(ValueError, match="read-only"):
            rows[:] = 0


@pytest.mark.parametrize(
    "other",
    [{"edition": "rody"}, {"target": 50}, {"first": 1}, {"first": None}],
)
def test_an_environment_refuses_games_of_another(other):
    env = Vector(2)
    state = Vector(**{"players": 2, **other}).init(4)
    with pytest.raises(SetupError, match="another edition, target or starting seat"):
        env.step(state, state.actions)


def test_rewards_and_threads_may_differ():
    state = Vector(2, threads=1).init(4)
    env = Vector(2, reward="margin", threads=2, auto_reset=False)
    env.step(state, env.random_actions(state))


def test_a_rollout_of_games_that_stay_over_is_refused_as_a_step_is():
    env = Vector(2, target=20, auto_reset=False)
    state = env.init(2, seed=1)
    while not state.terminated.all():
        env.step(state, env.random_actions(state))
    with pytest.raises(IllegalAction, match="all games are over: expected `restart`, or `init`"):
        env.rollout(state, 2)
    env.rollout(env.restart(state), 2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda env, state: env.observe(state, out="x"), "out is 'x': expected int16 of shape"),
        (lambda env, state: env.observe(state, out=[1]), "out is .*: expected int16 of shape"),
        (
            lambda env, state: env.observe(state, out=state.observation),
            "out can't be written row by row: expected it contiguous, writable",
        ),
        (lambda env, state: env.rollout(state, 5, "x"), "out is 'x': expected an earlier rollout"),
        (lambda env, state: env.rollout(state, 10**15), "there is no memory for 1000000000000000"),
        (lambda env, state: env.rollout(state, 10**30), "there is no memory for 10000000000000000"),
        (lambda env, state: env.init(10**13), "there is no memory for 10000000000000 games"),
        (lambda env, state: env.init(2**63), "there is no memory for 9223372036854775808 games"),
        (lambda env, state: FuggerVectorEnv(10**30), "there is no memory for 1000000000000000000"),
    ],
)
def test_what_cannot_be_is_said(call, message):
    env = Vector(2)
    with pytest.raises(SetupError, match=message):
        call(env, env.init(4))


def test_actions_too_great_for_a_number_are_none():
    env = Vector(2)
    state = env.init(4)
    with pytest.raises(IllegalAction, match=r"game 0: \d+ isn't legal"):
        env.step(state, np.full(4, 2**64 - 22, np.uint64))


# Tensors


def test_bounds_take_an_editions_name():
    for name in ("adlung", "rody"):
        low, high = tensor.bounds(name, 3)
        rows = Vector(3, name).init(50).observation
        assert (low <= rows).all()
        assert (rows <= high).all()
    with pytest.raises(EditionError, match="adlung"):
        tensor.bounds("x", 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda row: tensor.plane(row.tolist(), "prices"), "is no tensor: expected an array"),
        (lambda row: tensor.unseen(None), "None is no tensor: expected an array"),
        (lambda row: tensor.unseen(row.astype(float)), "expected whole numbers"),
        (
            lambda row: tensor.observation_of(np.full(128, -1, np.int16)),
            "no observation's: expected a row",
        ),
        (
            lambda row: tensor.observation_of(np.zeros(128, np.int16)),
            "no observation's: expected a row",
        ),
    ],
)
def test_what_is_no_tensor_is_refused(call, message):
    with pytest.raises(SetupError, match=message):
        call(Vector(2).init(1).observation[0])


def test_a_bot_can_be_asked_about_a_row():
    state = Vector(3, "rody").init(1, seed=4)
    seen = tensor.observation_of(state.observation[0])
    for name in ("greedy", "search:simulations=20"):
        assert state.legal_action_mask[0, bots.act(bots.bot_named(name, 1), seen)]


# Gymnasium, PettingZoo, OpenSpiel


def test_seeds_of_many_environments():
    envs = FuggerVectorEnv(3)
    first = envs.reset(seed=range(3))[0]
    assert first.tobytes() == envs.reset(seed=np.arange(3))[0].tobytes()
    for seed in (np.array(7.5), np.zeros((3, 1), int), [0.5, 1, 2], True, "7"):
        with pytest.raises(SeedError, match="is no seed: expected a whole number"):
            envs.reset(seed=seed)


@pytest.mark.parametrize("make", [FuggerEnv, FuggerVectorEnv, fugger_v0.env])
def test_copies_do_not_share_a_game(make):
    env = make(players=2)
    env.reset(seed=3)
    other = copy.copy(env)
    games = [one._games for one in (env, other)]
    assert games[0] is not games[1]
    assert games[0].states.tobytes() == games[1].states.tobytes()


@pytest.mark.parametrize(("reward", "paid"), [("win_share", -1.0), ("margin", -80.0)])
def test_an_illegal_action_never_pays(reward, paid):
    env = fugger_v0.env(players=2, reward=reward, target=80)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(22)
    assert paid == env.rewards[agent]
    assert paid == sum(env.rewards.values())


def test_what_comes_last_needs_a_game():
    env = fugger_v0.env(players=2)
    with pytest.raises(SetupError, match="no game has begun: expected a reset first"):
        env.last()
    env.reset(seed=1)
    env.step(22)
    for _ in range(2):
        env.last()
        env.step(None)
    with pytest.raises(IllegalAction, match="the game is over and all agents have left"):
        env.last()


def test_only_chance_deals():
    state = load(players=2).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises(pyspiel.SpielError, match="no card is owed: expected a chance node"):
        state.chance_outcomes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0", lambda: 0.5), "'0' is no seat: expected 0 to 1"),
        ((None, lambda: 0.5), "None is no seat"),
        ((1.0, lambda: 0.5), "1.0 is no seat"),
        ((2, lambda: 0.5), "2 is no seat"),
        ((0, None), "None gives no numbers: expected a function"),
        ((0, lambda: 2.0), "2.0 was drawn: expected a number from 0 to below 1"),
    ],
)
def test_what_cannot_resample_is_said(arguments, message):
    state = load(players=2).new_initial_state()
    for _ in range(6):
        state.apply_action(state.chance_outcomes()[-1][0])
    with pytest.raises(pyspiel.SpielError, match=message):
        state.resample_from_infostate(*arguments)
