"""The environment for Gymnasium: its own checks, and the same games as `fugger.Game`."""

import copy
import pickle
import random

import gymnasium
import numpy as np
import pytest
from dealing import Dealer
from gymnasium.utils.env_checker import check_env
from interpreted import share_interpreted
from random_play import SETUPS

import fugger
from fugger import BotError, Game, IllegalAction, SetupError
from fugger.bots import POLICIES, PolicyBot
from fugger.bots.memory import DEALT
from fugger.chance import generator
from fugger.envs import tensor
from fugger.envs.gymnasium import FuggerEnv, InvalidAction, ResetNeeded
from fugger.envs.learners import play_turns
from fugger.rules.actions import actions_in, legal_actions
from fugger.rules.fields import fields_of
from fugger.rules.play import apply, deal
from fugger.rules.state import STATE, from_bytes, states_from_bytes


def begun(seed=1, **options):
    env = FuggerEnv(**options)
    env.reset(seed=seed)
    return env


def play_on(env, steps=1000, seed=1):
    """Plays on at random, to the end or for some steps; what the last one gave."""
    rng, told = random.Random(seed), None
    while steps and not env._over:
        told = env.step(rng.choice(env.action_masks().nonzero()[0]))
        steps -= 1
    return told


def snapshot(env):
    return env._games.states.tobytes(), env._games.observation.tobytes()


# Gymnasium's checks


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "reward": "margin", "seat": None, "render_mode": "ansi"},
        {"players": 4, "edition": "rody", "opponents": ["random", "trader", "greedy"]},
        {"opponents": ["search:simulations=5", "apprentice"], "target": 20},
    ],
)
def test_gymnasium_has_nothing_to_say_against_it(options, capsys):
    check_env(gymnasium.make("Fugger-v0", **options).unwrapped)
    assert "Player 1" in capsys.readouterr().out  # as a person would see it


def test_gymnasium_makes_it_by_its_name():
    env = gymnasium.make("fugger.envs.gymnasium:Fugger-v0", players=2, target=20)
    seen, info = env.reset(seed=1)
    rewards, over = 0.0, False
    while not over:
        assert env.observation_space.contains(seen)
        action = env.action_space.sample(info["action_mask"])
        seen, reward, over, truncated, info = env.step(action)
        rewards += reward
        assert not truncated
    assert rewards in {0, 0.5, 1}


# The same as `Game`


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_games_are_those_of_game(edition, players):
    opponents = ["greedy", "random", "apprentice"][: players - 1]
    env = begun(edition=edition, players=players, target=20, seat=None, opponents=opponents)
    rng = random.Random(players)
    for _ in range(5):
        dealer, choices = Dealer.of(env._games), env._games.choices[0].copy()
        dealer.deck[0] = 0
        seen, info = env.reset()
        game = Game(players, edition, dealer.below(players), 20)
        seat = dealer.below(players)
        follow(game, dealer, seat, opponents, choices)
        while not game.is_over:
            assert game.observe(seat).tobytes() == tensor.observation_of(seen).tobytes()
            assert game.legal_actions == info["action_mask"].nonzero()[0].tolist()
            action = rng.choice(game.legal_actions)
            dealer, choices = Dealer.of(env._games), env._games.choices[0].copy()
            game.play(action)
            follow(game, dealer, seat, opponents, choices)
            seen, reward, over, truncated, info = env.step(np.int64(action))
            share = (seat in game.winners) / len(game.winners) if game.is_over else 0
            assert (share, game.is_over, False) == (reward, over, truncated)
        assert game.observe(seat).tobytes() == tensor.observation_of(seen).tobytes()
        assert [22] == info["action_mask"].nonzero()[0].tolist()


def follow(game, dealer, seat, opponents, choices):
    """Deals, and lets the opponents act, up to the turn of a seat."""
    dealer.deal_all(game)
    while not game.is_over and game.player != seat:
        policy = POLICIES[opponents[(game.player - seat) % game.players - 1]]
        seen = fields_of(states_from_bytes(game.observe(game.player).tobytes()))
        game.play(int(policy(seen, choices)))
        dealer.deal_all(game)


def test_the_compiled_loop_does_what_it_does_interpreted():
    one = begun(opponents=["greedy", "trader"], seat=None, target=20)
    other = copy.deepcopy(one)
    learners = other._learners
    learners._share = share_interpreted
    for _ in range(2):
        play_on(one)
        play_on(other)
        assert snapshot(one) == snapshot(other)
        assert one._games.rewards.tolist() == other._games.rewards.tolist()
        one.reset()
        other.reset()
    assert play_turns.interpreted is not play_turns.compiled


def test_margins():
    env = begun(reward="margin", target=20)
    reward = play_on(env)[1]
    money = env._games.states["money"][0, :3].tolist()
    assert money[0] - max(money[1:]) == reward


# Bots outside of the compiled loop


class Watcher:
    """Notes what it is told, and acts at random."""

    name = "watcher"

    def __init__(self):
        self.seen = []
        self.rng = random.Random(1)

    def choose(self, observation):
        self.seen.append(observation)
        return self.rng.choice(actions_in(legal_actions(observation)))


def test_a_bot_of_ones_own_is_told_what_its_seat_may_know():
    watcher = Watcher()
    env = begun(players=3, opponents=["greedy", watcher], seat=1, target=20)
    play_on(env)
    assert len(watcher.seen) > 5
    assert {0} == {int(seen.viewer) for seen in watcher.seen}
    assert {0} == {int(seen.player) for seen in watcher.seen}
    assert not any(seen.hand[1:].any() for seen in watcher.seen)


def test_policies_act_outside_as_they_do_inside():
    inside = begun(seed=1, players=2, opponents="trader")
    bot = PolicyBot("trader", POLICIES["trader"], generator(1, 1))
    outside = begun(seed=1, players=2, opponents=[bot])
    for _ in range(5):
        assert snapshot(inside) == snapshot(outside)
        play_on(inside, 5)
        play_on(outside, 5)


def test_bots_that_remember_are_told_all_that_happened():
    env = begun(players=3, opponents=["search:simulations=2", "greedy"], seat=None, target=20)
    for _ in range(2):
        while not env._over:
            start, *events = env._past
            state = from_bytes(env._learners.start(start).tobytes())
            for event in events:
                if event < DEALT:
                    apply(state, event)
                else:
                    deal(state, event - DEALT)
            assert env._games.states[0].tobytes() == state.tobytes()
            play_on(env, 1)
        env.reset()


def test_bots_that_think_reproduce():
    outcomes = []
    for _ in range(2):
        env = begun(players=2, opponents="search:simulations=30", target=20)
        play_on(env)
        env.reset()
        play_on(env, 3)
        outcomes.append(snapshot(env))
    assert outcomes[0] == outcomes[1]


def test_a_bot_that_cheats_is_named():
    class Cheat:
        name = "cheat"

        def choose(self, observation):
            return 22

        def __repr__(self):
            return "Cheat()"

    with pytest.raises(IllegalAction, match=r"22 isn't legal: Cheat\(\) at seat 2 may take 0 \("):
        begun(players=2, opponents=[Cheat()], first=1)


# Seeds, seats, copies


def test_a_seed_settles_the_games_after_it_too():
    one, other = begun(target=20), begun(target=20)
    for _ in range(3):
        play_on(one)
        play_on(other)
        assert snapshot(one) == snapshot(other)
        one.reset()
        other.reset()
    assert snapshot(begun(seed=1)) != snapshot(begun(seed=2))
    assert snapshot(begun(seed=None)) != snapshot(begun(seed=None))


def test_the_learners_seat_and_the_first():
    env = begun(seat=2, first=2)
    assert (2, 2) == (env._games.seats[0], env._games.states[0].starter)
    env = begun(seat=None)
    drawn = set()
    for _ in range(60):
        drawn.add((int(env._games.seats[0]), int(env._games.states[0].starter)))
        env.reset()
    assert 9 == len(drawn)


def test_copies_go_their_own_way_with_the_same_cards():
    env = begun(seat=None)
    play_on(env, 3)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        before = snapshot(env)
        assert before == snapshot(twin)
        play_on(twin, 3)
        assert before == snapshot(env)
        again = copy.deepcopy(env)
        play_on(again, 3)
        assert snapshot(again) == snapshot(twin)


# Secrecy


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_the_learner_may_not_know_changes_nothing_it_sees(players):
    env = begun(players=players, render_mode="ansi")
    for steps in range(8):
        play_on(env, 1)
        if env._over:
            break
        other = fugger.determinize(env._seen_by(env._games, 0), generator(steps))
        assert other.tobytes() != env._games.states[0].tobytes()
        twin = copy.deepcopy(env)
        twin._games.states[0] = np.frombuffer(other.tobytes(), STATE)[0]
        assert env.render() == twin.render()
        rows = [one._learners.observe(one._games, 0).tolist() for one in (env, twin)]
        assert env._games.observation.tolist() == rows[0] == rows[1]


# Bad input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"players": 5}, SetupError, "players is 5: expected a whole number from 2 to 4"),
        ({"players": "3"}, SetupError, "players is '3': expected a whole number"),
        ({"seat": 3}, SetupError, "seat is 3: expected 0 to 2, or None"),
        ({"first": 3}, SetupError, "first is 3: expected a whole number from 0 to 2"),
        ({"target": 10}, SetupError, "target is 10: expected a whole number from 20 to 500"),
        ({"reward": "money"}, SetupError, "'money' is no reward: expected win_share or margin"),
        ({"illegal_action": "no"}, SetupError, "illegal_action is 'no': expected lose or error"),
        ({"render_mode": "x"}, SetupError, "render_mode is 'x': expected None or one of ansi"),
        ({"opponents": "gredy"}, BotError, "'gredy' is no bot: expected apprentice, "),
        ({"opponents": ["greedy"]}, BotError, r"opponents is \['greedy'\]: expected 2, one for"),
        ({"opponents": 3}, BotError, "opponents is 3: expected a bot's name, or a list"),
        ({"opponents": [3, 3]}, BotError, "3 is no bot: expected a name, or what has a method"),
    ],
)
def test_bad_arguments(options, error, message):
    with pytest.raises(error, match=message):
        FuggerEnv(**options)


@pytest.mark.parametrize("what", ["lose", "error"])
@pytest.mark.parametrize(
    ("action", "message"),
    [
        (23, r"23 is no action: expected a whole number from 0 to 22: the learner may take 0 \("),
        (-1, "-1 is no action"),
        (None, "None is no action"),
        ("+", r"'\+' is no action"),
        (0.0, "0.0 is no action"),
        (np.array([0]), r"array\(\[0\]\) is no action"),
    ],
)
def test_what_is_no_action_changes_nothing(what, action, message):
    env = begun(illegal_action=what)
    before = snapshot(env)
    with pytest.raises(InvalidAction, match=message) as told:
        env.step(action)
    assert isinstance(told.value, gymnasium.error.InvalidAction)
    assert env.action_masks().nonzero()[0].tolist() == list(told.value.legal)
    assert before == snapshot(env)


def test_an_illegal_action_can_be_an_error():
    env = begun(illegal_action="error")
    before = snapshot(env)
    with pytest.raises(InvalidAction, match=r"22 isn't legal: the learner may take 0 \(\+\), "):
        env.step(22)
    assert before == snapshot(env)


@pytest.mark.parametrize(
    ("options", "lost"),
    [({}, -1), ({"reward": "margin"}, -100), ({"reward": "margin", "target": 50}, -50)],
)
def test_an_illegal_action_loses(options, lost):
    env = begun(**options)
    _, reward, over, truncated, info = env.step(22)
    assert (lost, True, False) == (reward, over, truncated)
    assert "22 isn't legal: the learner may take 0 (+), " in info["illegal_action"]
    assert [22] == info["action_mask"].nonzero()[0].tolist()
    with pytest.raises(ResetNeeded, match="the game is over: expected a reset"):
        env.step(0)
    env.reset()
    assert "illegal_action" not in env.step(0)[4]


def test_steps_where_no_game_is_going_on():
    env = FuggerEnv(target=20, render_mode="ansi")
    for act in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(ResetNeeded, match="no game has begun: expected a reset") as told:
            act()
        assert isinstance(told.value, gymnasium.error.ResetNeeded)
    env.reset(seed=1)
    play_on(env)
    with pytest.raises(ResetNeeded, match="the game is over: expected a reset"):
        env.step(22)


def test_bad_seeds_and_options():
    env = begun()
    for match, act in (
        ("greater or equal to zero", lambda: env.reset(seed=-1)),
        ("Seed must be a python integer", lambda: env.reset(seed="x")),
    ):
        with pytest.raises(gymnasium.error.Error, match=match):
            act()
    with pytest.raises(SetupError, match="options is 3: expected a dict or None"):
        env.reset(options=3)
