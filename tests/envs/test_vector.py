"""Thousands of games at once are each what `fugger.Game` says a game is."""

import copy
import pickle
import random

import numpy as np
import pytest
from interpreted import share_interpreted
from random_play import SETUPS

import fugger
from fugger import Edition, Game, IllegalAction, IllegalDeal, SeedError, SetupError
from fugger.envs import tensor, vector
from fugger.envs.stepping import advance, any_of, choose, count_illegal, play_on
from fugger.envs.vector import Vector
from fugger.playouts import one_of
from fugger.rules.state import JAKOB, NOBODY, from_bytes


def arrays(state):
    """All that a step writes, as bytes."""
    names = ("states", "observation", "legal_action_mask", "current_player")
    more = ("terminated", "rewards", "legal", "decks", "deals", "choices")
    return {name: getattr(state, name).tobytes() for name in names + more}


def is_shown_as(state, game, where):
    """Whether row `where` of some games shows a `Game`."""
    legal = [22] if game.is_over else [int(action) for action in game.legal_actions]
    player = int(state.current_player[where])
    assert legal == np.flatnonzero(state.legal_action_mask[where]).tolist()
    assert game.is_over == state.terminated[where]
    assert player == game.state.player
    seen = game.observe(player)
    assert seen.tobytes() == tensor.observation_of(state.observation[where]).tobytes()


# The same as `Game`


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_explicit_games_are_those_of_game(edition, players):
    setup = {"players": players, "edition": edition, "first": 1, "target": 20}
    env = Vector(**setup, chance="explicit")
    rng = random.Random(players)
    games = [Game(**setup) for _ in range(6)]
    state = env.init(6, seed=1)
    ended = 0
    while ended < 8:
        owed = [NOBODY if game.recipient is None else game.recipient for game in games]
        assert owed == state.recipient.tolist()
        if max(owed) >= 0:
            cards = [-1] * 6
            for at, game in enumerate(games):
                assert game.chances == {k: n for k, n in enumerate(state.chances[at]) if n}
                if game.recipient is not None:
                    cards[at] = rng.choices(*zip(*game.chances.items(), strict=True))[0]
                    game.deal(cards[at])
            env.deal(state, np.array(cards))
        else:
            actions = []
            for at, game in enumerate(games):
                is_shown_as(state, game, at)
                actions.append(22 if game.is_over else rng.choice(game.legal_actions))
                if game.is_over:
                    for seat, reward in enumerate(state.rewards[at]):
                        assert int(seat in game.winners) / len(game.winners) == reward
                    games[at] = Game(**setup)
                    ended += 1
                else:
                    assert not state.rewards[at].any()
                    game.play(actions[-1])
            env.step(state, actions)
        assert [game.state.tobytes() for game in games] == [one.tobytes() for one in state.states]


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_automatic_games_follow_the_rules_with_the_cards_they_dealt(edition, players):
    env = Vector(players, edition, target=20)
    state = env.init(8, seed=3)
    ended = np.zeros(8, bool)
    for _ in range(120):
        before = state.copy()
        actions = env.random_actions(state).copy()
        env.step(state, actions)
        for at in np.flatnonzero(~ended):
            game = from_bytes(before.states[at].tobytes())
            assert game.player == before.current_player[at]
            ended[at] = state.terminated[at]
            assert state.rewards[at].sum() == ended[at]
            assert (state.rewards[at] > 0).sum() in ((1, 2, 3, 4) if ended[at] else (0,))
            hand = np.array(before.states[at]["hand"][game.player])
            card = actions[at] - 1 if actions[at] < 12 else actions[at] - 12
            assert actions[at] in (0, 22) or hand[card] > 0
            assert 49 == cards_in(state.states[at])
    assert ended.all()


def cards_in(state):
    counts = ("hand", "tableau", "jakob", "draw_pile", "discard_pile")
    return sum(int(state[name].sum()) for name in counts) + int((state["shipments"] >= 0).sum())


def test_cards_are_dealt_uniformly():
    state = Vector(2).init(20_000, seed=5)
    hands = state.states["hand"][:, 0].sum(axis=0)
    expected = np.array([7, 2] * 5 + [4]) * 20_000 * 4 / 49
    assert ((hands - expected) ** 2 / expected).sum() < 29.6  # 10 degrees of freedom, 0.1 %


# Seeds and threads


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_number_of_threads_changes_nothing(players, monkeypatch):
    monkeypatch.setattr(vector, "_SHARE", 100)
    monkeypatch.setattr(vector, "_PART", 200)
    outcomes = []
    for threads in (1, 2, 3):
        env = Vector(players, threads=threads)
        state = env.init(1700, seed=9)
        for _ in range(60):
            env.step(state, env.random_actions(state))
        told = env.rollout(state, 3)
        outcomes.append((arrays(state), told.observation.tobytes(), told.action.tobytes()))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_a_game_is_the_same_in_a_batch_of_another_size():
    env = Vector(3)
    few, many = env.init(5, seed=2), env.init(70, seed=2)
    for _ in range(100):
        env.step(few, env.random_actions(few))
        env.step(many, env.random_actions(many))
    assert arrays(few) == arrays(many.take(range(5)))


def test_seeds_tell_games_apart():
    env = Vector(3)
    assert arrays(env.init(5, seed=2)) == arrays(env.init(5, seed=2))
    assert env.init(5, seed=2).states.tobytes() != env.init(5, seed=3).states.tobytes()
    assert len({one.tobytes() for one in env.init(50).states}) == 50


@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_rollout_is_what_random_steps_do(auto_reset):
    env = Vector(3, target=20, auto_reset=auto_reset)
    one, other = env.init(40, seed=4), env.init(40, seed=4)
    told = None
    for _ in range(3):
        told = env.rollout(other, 10, out=told)
        for at in range(10):
            assert one.observation.tobytes() == told.observation[:, at].tobytes()
            assert one.legal_action_mask.tolist() == told.legal_action_mask[:, at].tolist()
            assert one.current_player.tolist() == told.current_player[:, at].tolist()
            assert one.terminated.tolist() == told.terminated[:, at].tolist()
            actions = env.random_actions(one)
            assert actions.tolist() == told.action[:, at].tolist()
            env.step(one, actions)
            assert one.rewards.tolist() == told.rewards[:, at].tolist()
        assert arrays(one) == arrays(other)
    assert one.terminated.any()


def test_compiled_loops_do_what_they_do_interpreted():
    env, compiled = Vector(3, target=20), []
    state = env.init(12, seed=1)
    twin = state.copy()
    for _ in range(60):
        env.step(state, env.random_actions(state))
        choose.interpreted(twin.legal, twin.choices, twin.actions, 0, 12)
        assert 0 == count_illegal.interpreted(twin.legal, twin.actions)
        env._share = share_interpreted
        env.step(twin, twin.actions)
        del env._share
        compiled.append(arrays(state))
        assert compiled[-1] == arrays(twin)
    told = env.rollout(state, 20)
    env._share = share_interpreted
    again = env.rollout(twin, 20)
    assert told.observation.tobytes() == again.observation.tobytes()
    assert told.rewards.tobytes() == again.rewards.tobytes()
    assert arrays(state) == arrays(twin)


def test_any_action_is_chosen_as_one_of_them_is():
    for bits in (1, 1 << 22, 0b101, 0x3FFFFF, 0b00000000011_0000000001_0, 1 << 21 | 1 << 10):
        for seed in range(50):
            one, other = np.array([seed * 7919]), np.array([seed * 7919])
            assert one_of(bits, one) == any_of(bits, other)
            assert one.tolist() == other.tolist()


# Starting seats, targets, rewards


def test_the_first_seat():
    assert {2} == set(Vector(3, first=2).init(50).current_player.tolist())
    drawn = np.bincount(Vector(3, first=None).init(3000, seed=1).current_player)
    assert ((drawn - 1000) ** 2 / 1000).sum() < 13.8  # 2 degrees of freedom, 0.1 %


def test_margins():
    env = Vector(3, reward="margin", target=20)
    state = env.init(30, seed=1)
    for _ in range(200):
        env.step(state, env.random_actions(state))
        for at in np.flatnonzero(state.terminated):
            money = state.states[at]["money"][:3].tolist()
            margins = [money[seat] - max(money[:seat] + money[seat + 1 :]) for seat in range(3)]
            assert margins == state.rewards[at].tolist()
        assert not state.rewards[~state.terminated].any()


def test_an_edition_of_ones_own():
    edition = Edition(
        name="small",
        jakob_trigger="merchant",
        price_goes_round_up=True,
        price_goes_round_down=False,
        must_exceed_target=True,
        goods=4,
        plain_cards=9,
        target=60,
    )
    env = Vector(2, edition)
    state = env.init(30)
    env.rollout(state, 100)
    assert {48} == {cards_in(one) for one in state.states}


# Ends


def test_without_auto_reset_a_game_that_is_over_stays_so():
    env = Vector(2, target=20, auto_reset=False)
    state = env.init(3, seed=1)
    paid = np.zeros((3, 2))
    while not state.terminated.all():
        over = state.terminated.copy()
        before = state.states[over].tobytes()
        env.step(state, env.random_actions(state))
        paid += state.rewards
        assert before == state.states[over].tobytes()
    assert [1, 1, 1] == paid.sum(axis=1).tolist()
    with pytest.raises(IllegalAction, match="all games are over: expected `restart`, or `init`"):
        env.step(state, [22, 22, 22])


def test_the_last_observation_shows_the_final_scoring():
    env = Vector(2, target=20)
    state = env.init(1, seed=1)
    while not state.terminated[0]:
        env.step(state, env.random_actions(state))
    money = tensor.plane(state.observation, "money")[0, :2]
    player = state.current_player[0]
    assert state.states["money"][0, [player, 1 - player]].tolist() == money.tolist()
    assert -2 not in tensor.plane(state.observation, "shipments")
    env.step(state, [22])
    assert 1 == tensor.plane(state.observation, "round_number")[0]


# Copies, seats, memory


def test_copies_go_their_own_way_with_the_same_cards():
    env = Vector(3)
    state = env.init(40, seed=1)
    for duplicate in (state.copy(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        before = arrays(duplicate)
        twin = duplicate.copy()
        env.step(duplicate, env.random_actions(duplicate))
        assert before == arrays(state)
        env.step(twin, env.random_actions(twin))
        assert arrays(duplicate) == arrays(twin)


def test_taken_games_are_parted_by_another_seed():
    env = Vector(3)
    state = env.init(40, seed=1)
    same = state.take([7] * 20)
    assert {state.states[7].tobytes()} == {one.tobytes() for one in same.states}
    env.reseed(same, 1)
    env.step(same, [int(np.flatnonzero(state.legal_action_mask[7])[0])] * 20)
    assert len({one.tobytes() for one in same.states}) > 1
    assert 3 == len(state.take(np.arange(40) < 3))


def test_every_seat_can_be_asked_what_it_knows():
    env = Vector(3)
    state = env.init(30, seed=1)
    env.rollout(state, 17)
    seats = np.arange(30) % 3
    rows = env.observe(state, seats)
    for at, one in enumerate(state.states):
        expected = fugger.observe(from_bytes(one.tobytes()), int(seats[at]))
        assert expected.tobytes() == tensor.observation_of(rows[at]).tobytes()
    assert state.observation.tobytes() == env.observe(state).tobytes()
    spectators = env.observe(state, fugger.SPECTATOR, out=rows)
    assert spectators is rows
    assert not tensor.plane(rows, "hand").any()


def test_a_game_takes_less_than_a_kilobyte():
    state = Vector(4).init(1000)
    assert state.nbytes < 1000 * 1000


def test_an_environment_can_be_pickled():
    env = Vector(2, threads=2)
    env.rollout(env.init(2000), 1)
    again = pickle.loads(pickle.dumps(env))
    assert arrays(env.init(20)) == arrays(again.init(20))


# Bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players is 5: expected a whole number from 2 to 4"),
        ({"players": "3", "first": None}, "players is '3': expected a whole number from 2 to 4"),
        ({"players": 0, "first": None}, "players is 0: expected a whole number from 2 to 4"),
        ({"first": 3}, "first is 3: expected a whole number from 0 to 2"),
        ({"target": 10}, "target is 10: expected a whole number from 20 to 500"),
        ({"reward": "money"}, "'money' is no reward: expected win_share or margin"),
        ({"chance": "none"}, "chance is 'none': expected automatic or explicit"),
        ({"auto_reset": 1}, "auto_reset is 1: expected True or False"),
        ({"threads": 0}, "threads is 0: expected a whole number from 1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(SetupError, match=message):
        Vector(**options)


def test_bad_numbers_of_games_and_seeds():
    with pytest.raises(SetupError, match="games is 0: expected a whole number from 1"):
        Vector(3).init(0)
    with pytest.raises(SeedError, match="'x' is no seed: expected a whole number"):
        Vector(3).init(3, seed="x")


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], r"actions are \[0, 0\]: expected 3 whole numbers, from 0 to 22"),
        (np.zeros((3, 1)), r"of shape \(3, 1\) and type float64: expected 3 whole numbers"),
        ([0.0, 0.0, 0.0], "expected 3 whole numbers"),
        ([True, True, True], "expected 3 whole numbers"),
        ([[0], [0, 1], [0]], "expected 3 whole numbers"),
        (None, "actions are None: expected 3 whole numbers"),
        ([0, 22, 0], r"game 1: 22 isn't legal: seat 1 may take 0 \(\+\), \d+ \("),
        ([0, 0, -1], "game 2: -1 isn't legal: seat 1 may take"),
        ([99, 0, 0], "game 0: 99 isn't legal"),
        (np.array([2**62, 0, 0]), "game 0: 4611686018427387904 isn't legal"),
    ],
)
def test_bad_actions_change_nothing(actions, message):
    env = Vector(3)
    state = env.init(3, seed=1)
    before = arrays(state)
    with pytest.raises(IllegalAction, match=message):
        env.step(state, actions)
    assert before == arrays(state)


def test_an_illegal_action_says_what_is_legal():
    env = Vector(3)
    state = env.init(3, seed=1)
    with pytest.raises(IllegalAction) as caught:
        env.step(state, [22, 0, 0])
    assert np.flatnonzero(state.legal_action_mask[0]).tolist() == list(caught.value.legal)


def test_after_the_end_there_is_only_the_pass():
    env = Vector(2, target=20)
    state = env.init(2, seed=1)
    while not state.terminated[0]:
        env.step(state, env.random_actions(state))
    with pytest.raises(
        IllegalAction, match=r"game 0: 0 isn't legal: the game is over, expected 22"
    ):
        env.step(state, [0, 22])


def test_bad_deals_change_nothing():
    env = Vector(2, chance="explicit")
    state = env.init(2, seed=1)
    before = arrays(state)
    for cards, message in (
        ([11, 0], r"game 0: 11 can't be dealt: the draw pile holds 0 \(C\), 1 \(C\*\)"),
        ([0, -1], "game 1: -1 can't be dealt"),
        ([0.5, 1], "cards are .*: expected 2 whole numbers, from 0 to 10"),
    ):
        with pytest.raises(IllegalDeal, match=message):
            env.deal(state, cards)
    for match, act in (
        ("game 0: seat 1 is owed a card first: expected a `deal`", env.random_actions),
        ("game 0: seat 1 is owed a card first", lambda state: env.step(state, [0, 0])),
    ):
        with pytest.raises(IllegalAction, match=match):
            act(state)
    assert before == arrays(state)
    automatic = Vector(2)
    dealt = automatic.init(2)
    with pytest.raises(IllegalDeal, match="no card is owed in any game: expected a `step`"):
        automatic.deal(dealt, [0, 0])
    with pytest.raises(SetupError, match="a rollout deals cards itself"):
        env.rollout(state, 1)


def test_a_deal_may_be_for_jakob():
    env = Vector(2, chance="explicit")
    state = env.init(1)
    for card in (0, 0, 0, 0, 2, 2, 2, 2):
        env.deal(state, [card])
    assert [JAKOB] == state.recipient.tolist()


def test_bad_games_seats_and_rollouts():
    env = Vector(3)
    state = env.init(4)
    other = Vector(2).init(4)
    for message, act in (
        ("3 are no games: expected what `init` gives", lambda: env.step(3, [0])),
        ("games of 2 players: expected 3", lambda: env.step(other, [0] * 4)),
        ("5 is no seat: expected 0 to 2, or SPECTATOR", lambda: env.observe(state, 5)),
        ("3 is no seat", lambda: env.observe(state, [0, 1, 2, 3])),
        ("seats are .*: expected one or 4 whole", lambda: env.observe(state, [0, 1])),
        ("out is of shape", lambda: env.observe(state, 0, np.zeros(3, np.int16))),
        ("steps is 0: expected", lambda: env.rollout(state, 0)),
        (
            "out is a rollout of 4 games and 2 steps: expected one of 4 and 3",
            lambda: env.rollout(state, 3, env.rollout(state, 2)),
        ),
        (r"\[4\] names no games: expected numbers from 0 to 3", lambda: state.take([4])),
        ("names no games", lambda: state.take([0.5])),
    ):
        with pytest.raises(SetupError, match=message):
            act()


def test_loops_are_compiled_under_a_hash_of_what_they_call():
    assert advance.cache_folder == play_on.cache_folder
