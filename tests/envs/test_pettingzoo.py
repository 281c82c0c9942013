"""The environment for PettingZoo: its own suites, and the same games as `fugger.Game`."""

import copy
import pickle
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from dealing import Dealer
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from random_play import SETUPS

import fugger
from fugger import Game, IllegalAction, SeedError, SetupError
from fugger.chance import generator
from fugger.envs import fugger_v0, tensor
from fugger.rules.state import STATE, from_bytes

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # they import an environment in a way that they deprecate
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.test.state_test import state_test

OURS_ONLY = (
    # Said of every environment whose observation is a dict, but for a list of PettingZoo's own.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
)


# PettingZoo's suites


@pytest.mark.parametrize("make", [fugger_v0.env, fugger_v0.raw_env])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_api_is_pettingzoos(make, players, capsys):
    env = make(players=players, target=20)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env, num_cycles=200)
    others = [str(one.message) for one in told if not str(one.message).startswith(OURS_ONLY)]
    assert [] == others
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("make", [fugger_v0.env, fugger_v0.raw_env])
def test_seeds_reproduce_as_pettingzoo_wants(make):
    seed_test(lambda: make(target=20), num_cycles=200)


def test_rendering_is_pettingzoos(capsys):
    render_test(fugger_v0.env, {"ansi": lambda text: "\x1b[" in text and "Player 3" in text})
    assert "Player 3" in capsys.readouterr().out


def test_the_state_is_pettingzoos():
    env = fugger_v0.env(target=20)  # an action that is illegal is taken very soon
    state_test(env, turn_based_aec_to_parallel(fugger_v0.raw_env(target=20)), 100)


def test_the_parallel_wrapper_of_games_in_turns(capsys):
    parallel_api_test(turn_based_aec_to_parallel(fugger_v0.raw_env(target=20)), num_cycles=300)
    assert "Passed Parallel API test" in capsys.readouterr().out


def test_the_other_parallel_wrapper_is_for_moves_at_the_same_time():
    with pytest.raises(AssertionError, match="is not generally safe"):
        aec_to_parallel(fugger_v0.env())


def test_pettingzoo_makes_it_by_its_name():
    assert isinstance(pettingzoo.make("aec", "fugger_v0", players=2).unwrapped, fugger_v0.raw_env)


# The same as `Game`


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_games_are_those_of_game(edition, players):
    env = fugger_v0.raw_env(players, edition, target=20)
    rng = random.Random(players)
    env.reset(seed=players)
    for _ in range(5):
        dealer = Dealer.of(env._games)
        dealer.deck[0] = 0
        env.reset()
        game = Game(players, edition, dealer.below(players), 20)
        dealer.deal_all(game)
        while not game.is_over:
            shows(env, game)
            action = rng.choice(game.legal_actions)
            dealer = Dealer.of(env._games)
            env.step(int(action))
            game.play(action)
            dealer.deal_all(game)
        shares = {
            agent: (seat in game.winners) / len(game.winners)
            for seat, agent in enumerate(env.possible_agents)
        }
        assert shares == env.rewards
        assert shares == {agent: env.last()[1] for agent in leaving(env, game)}


def shows(env, game):
    """Whether the environment says of a game what `Game` says."""
    assert env.possible_agents[game.player] == env.agent_selection
    assert (None, 0, False, False, {}) == env.last(observe=False)
    for seat, agent in enumerate(env.agents):
        told = env.observe(agent)
        assert env.observation_space(agent).contains(told)
        seen = tensor.observation_of(told["observation"])
        assert game.observe(seat).tobytes() == seen.tobytes()
        legal = game.legal_actions if seat == game.player else []
        assert legal == told["action_mask"].nonzero()[0].tolist()


def leaving(env, game):
    """The agents, as they leave a game that is over."""
    while env.agents:
        told, _, ended, truncated, _ = env.last()
        assert (True, False) == (ended, truncated)
        seat = env.possible_agents.index(env.agent_selection)
        seen = tensor.observation_of(told["observation"])
        assert game.observe(seat).tobytes() == seen.tobytes()
        assert [22] == told["action_mask"].nonzero()[0].tolist()
        yield env.agent_selection
        env.step(None if seat else 22)


def test_margins():
    env = play_on(begun(reward="margin", target=20))
    money = env._games.states["money"][0, :3].tolist()
    margins = [money[seat] - max(money[:seat] + money[seat + 1 :]) for seat in range(3)]
    assert margins == list(env.rewards.values())


def begun(make=fugger_v0.raw_env, seed=1, **options):
    env = make(**options)
    env.reset(seed=seed)
    return env


def play_on(env, steps=1000):
    """Plays a game on at random, to its end or for some steps."""
    rng = random.Random(1)
    while steps and not env.terminations[env.agent_selection]:
        env.step(rng.choice(env.observe(env.agent_selection)["action_mask"].nonzero()[0]))
        steps -= 1
    return env


# Seeds, starting seats, copies


def test_a_seed_settles_the_games_after_it_too():
    one, other = begun(target=20), begun(target=20)
    for _ in range(3):
        assert snapshot(play_on(one)) == snapshot(play_on(other))
        one.reset()
        other.reset()
    assert snapshot(one) == snapshot(other)
    assert snapshot(begun(seed=1)) != snapshot(begun(seed=2))


def test_without_a_seed_games_are_random():
    assert snapshot(begun(seed=None)) != snapshot(begun(seed=None))


def snapshot(env):
    return env._games.states.tobytes(), env.state().tobytes()


def test_the_first_seat():
    assert "player_3" == begun(first=2).agent_selection
    env = begun()
    drawn = set()
    for _ in range(40):
        drawn.add(env.agent_selection)
        env.reset()
    assert set(env.possible_agents) == drawn


def test_copies_go_their_own_way_with_the_same_cards():
    env = play_on(begun(), 10)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = snapshot(env)
        assert before == snapshot(twin)
        after = snapshot(play_on(twin, 5))
        assert before == snapshot(env)
        assert after == snapshot(play_on(copy.deepcopy(env), 5))


def test_what_was_seen_stays_as_it_was():
    env = begun()
    told = env.observe(env.agent_selection)
    kept = copy.deepcopy(told)
    play_on(env, 9)
    assert kept["observation"].tolist() == told["observation"].tolist()
    assert kept["action_mask"].tolist() == told["action_mask"].tolist()


# Secrecy


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_seat_may_not_know_changes_nothing_it_sees(players):
    env = begun(players=players, render_mode="ansi")
    for steps in range(12):
        play_on(env, 1 + steps)
        if env.terminations[env.agent_selection]:
            break
        viewer = env._games.current_player[0]
        agent = env.possible_agents[viewer]
        before = env.observe(agent), env.render()
        state = from_bytes(env._games.states[0].tobytes())
        other = fugger.determinize(fugger.observe(state, int(viewer)), generator(steps))
        assert other.tobytes() != state.tobytes()
        twin = copy.deepcopy(env)
        twin._games.states[0] = np.frombuffer(other.tobytes(), STATE)[0]
        after = twin.observe(agent), twin.render()
        assert before[0]["observation"].tolist() == after[0]["observation"].tolist()
        assert before[0]["action_mask"].tolist() == after[0]["action_mask"].tolist()
        assert before[1] == after[1]


# Bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players is 5: expected a whole number from 2 to 4"),
        ({"first": 3}, "first is 3: expected a whole number from 0 to 2"),
        ({"target": 10}, "target is 10: expected a whole number from 20 to 500"),
        ({"reward": "money"}, "'money' is no reward: expected win_share or margin"),
        ({"render_mode": "window"}, "render_mode is 'window': expected None or one of ansi, human"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(SetupError, match=message):
        fugger_v0.env(**options)


@pytest.mark.parametrize("make", [fugger_v0.env, fugger_v0.raw_env])
@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            23,
            r"23 is no action: expected a whole number from 0 to 22: player_\d may take 0 \(\+\), ",
        ),
        (-1, "-1 is no action"),
        (np.int64(99), "99 is no action"),
        (None, "None is no action"),
        ("+", r"'\+' is no action"),
        (True, "True is no action"),
        (1.0, "1.0 is no action"),
        (np.array([0]), r"array\(\[0\]\) is no action"),
    ],
)
def test_what_is_no_action_changes_nothing(make, action, message):
    env = begun(make)
    before = snapshot(env)
    with pytest.raises(IllegalAction, match=message):
        env.step(action)
    assert before == snapshot(env)


def test_an_illegal_action_is_refused_with_what_is_legal():
    env = begun()
    before = snapshot(env)
    with pytest.raises(
        IllegalAction, match=r"22 isn't legal: player_\d may take 0 \(\+\), "
    ) as told:
        env.step(22)
    assert env.last()[0]["action_mask"].nonzero()[0].tolist() == list(told.value.legal)
    assert before == snapshot(env)


def test_an_illegal_action_ends_the_game_as_in_pettingzoos_own(caplog):
    env = begun(fugger_v0.env, first=1)
    env.step(22)
    assert "Illegal move made" in caplog.text
    assert {"player_1": 0, "player_2": -1, "player_3": 0} == env.rewards
    assert {True} == set(env.terminations.values())
    assert [22] == env.last()[0]["action_mask"].nonzero()[0].tolist()
    for _ in range(3):
        env.step(None)
    assert [] == env.agents
    env.reset()
    assert 3 == env.num_agents


def test_arrays_of_one_number_are_actions():
    env = begun()
    env.step(np.array(0))
    env.step(np.int8(0))


def test_nothing_works_before_the_reset():
    env = fugger_v0.env(render_mode="ansi")
    for act in (lambda: env.step(0), lambda: env.observe("player_1"), env.state, env.render):
        with pytest.raises(SetupError, match="no game has begun: expected a reset first"):
            act()


def test_when_the_game_is_over_agents_leave_and_that_is_all():
    env = play_on(begun(target=20))
    with pytest.raises(
        IllegalAction, match=r"0 isn't legal: the game is over: player_1 may take 22 \(--\)"
    ):
        env.step(0)
    for _ in range(3):
        env.step(None)
    with pytest.raises(IllegalAction, match="all agents have left: expected a reset"):
        env.step(None)


def test_bad_seeds_options_and_agents():
    env = begun()
    for match, kind, act in (
        ("'x' is no seed: expected a whole number", SeedError, lambda: env.reset(seed="x")),
        ("options is 3: expected a dict or None", SetupError, lambda: env.reset(options=3)),
        ("'me' is no agent: expected one of player_1, player_2, player_3", SetupError,
         lambda: env.observe("me")),
        ("'me' is no agent", SetupError, lambda: env.action_space("me")),
    ):  # fmt: skip
        with pytest.raises(kind, match=match):
            act()
