"""What a game was worth."""

import pytest

from fugger import Game, SetupError
from fugger.envs.rewards import MARGIN, WIN_SHARE, reward, reward_named
from fugger.rules.state import OVER


def ended(*money):
    state = Game(len(money)).state
    state.money[: len(money)] = money
    state.stage = OVER
    return state


@pytest.mark.parametrize(
    ("money", "shares", "margins"),
    [
        ((104, 97, 88), (1, 0, 0), (7, -7, -16)),
        ((100, 120, 120), (0, 0.5, 0.5), (-20, 0, 0)),
        ((110, 110), (0.5, 0.5), (0, 0)),
        ((101, 101, 101, 101), (0.25,) * 4, (0,) * 4),
    ],
)
def test_rewards(money, shares, margins):
    state = ended(*money)
    seats = range(len(money))
    assert shares == tuple(reward(state, seat, WIN_SHARE) for seat in seats)
    assert margins == tuple(reward(state, seat, MARGIN) for seat in seats)


def test_a_game_that_goes_on_is_worth_nothing_yet():
    state = Game(2).state
    state.money[0] = 60
    assert [0, 0] == [reward(state, 0, kind) for kind in (WIN_SHARE, MARGIN)]


def test_rewards_have_names():
    assert [WIN_SHARE, MARGIN] == [reward_named("win_share"), reward_named("margin")]
    with pytest.raises(SetupError, match="'wins' is no reward: expected win_share or margin"):
        reward_named("wins")
