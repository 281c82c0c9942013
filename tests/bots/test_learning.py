"""What networks learn from is what was played, and they learn down the slopes of their losses."""

import learn
import loops
import numpy as np
import pytest

from fugger.bots.features import output_of, put_goods_in_order
from fugger.bots.network import FIRST, MOST_OUTPUTS, SECOND, Network, new_sight
from fugger.bots.search import NUMBERS
from fugger.rules.actions import ACTIONS

CLIP, ENTROPY = 0.2, 0.05


@pytest.fixture(scope="module")
def networks():
    made = learn.new_networks(1)
    for network in made:
        network.last[...] *= 100  # so that they think something
    return made


@pytest.fixture(scope="module")
def played(networks):
    """A few steps of a game in every setup."""
    table = learn.table_of(1, 5, learn.SETUPS)
    steps = learn.steps_of(len(table.states))
    loops.begin_all.interpreted(table)
    numbers = np.zeros(NUMBERS, np.int64)
    told = table, steps, networks.policy, networks.value, 0.5, new_sight(), numbers
    loops.play.interpreted(*told, 0, len(table.states))
    loops.look_back.interpreted(steps, learn.KEEP, 0, len(table.states))
    return steps


def slopes_of(loop, network, steps, *told):
    """A loop's slopes over a row of every game, and its sums."""
    batch = np.arange(0, steps.chosen.size, learn.STEPS) + 3
    slopes = Network(*map(np.zeros_like, network))
    deeper = np.zeros(FIRST + SECOND, np.float32)
    slope, sums = np.zeros(MOST_OUTPUTS, np.float32), np.zeros(4)
    own = slopes, deeper, slope, new_sight(), sums
    loop.interpreted(network, batch, steps, *told, *own, 0, len(batch))
    return slopes, sums


def moved(network, part, place, by):
    parts = [array.copy() for array in network]
    parts[part][place] += np.float32(by)
    return Network(*parts)


def check_slopes(loop, network, steps, loss, *told):
    """The steepest slopes of each part, and how a loss changes with these weights."""
    slopes, _ = slopes_of(loop, network, steps, *told)
    for part, slope in enumerate(slopes):
        steepest = np.argsort(-abs(slope), axis=None)[:2]
        for place in zip(*np.unravel_index(steepest, slope.shape), strict=True):
            by = 1e-2
            change = loss(moved(network, part, place, by)) - loss(moved(network, part, place, -by))
            assert abs(slope[place]) > 1e-3
            assert slope[place] == pytest.approx(change / (2 * by), rel=0.05, abs=0.01)


def test_the_value_learns_down_its_slopes(networks, played):
    def loss(network):
        return slopes_of(loops.value_slopes, network, played)[1][0]

    check_slopes(loops.value_slopes, networks.value, played, loss)


def test_the_guess_learns_down_its_slopes(networks, played):
    def loss(network):
        sums = slopes_of(loops.guess_slopes, network, played)[1]
        return sums[0] + sums[2]

    check_slopes(loops.guess_slopes, networks.guess, played, loss)


def test_the_policy_learns_down_its_slopes(networks, played):
    def loss(network):
        """PPO's, by its formula."""
        total = 0.0
        for game in range(len(played.chosen)):
            at = 3
            sight = loops.seen(played, game, at, False, new_sight())
            loops.run(network, int(played.setups[game, at]), sight)
            legal = int(played.legal[game, at])
            loops.to_chances(sight.outputs, legal)
            chances = sight.outputs[:ACTIONS].astype(float)
            ratio = chances[played.chosen[game, at]] / played.chance[game, at]
            gain = played.gains[game, at]
            total -= min(ratio * gain, np.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
            total += ENTROPY * (chances * np.log(chances + 1e-10)).sum()
        return total

    check_slopes(loops.policy_slopes, networks.policy, played, loss, CLIP, ENTROPY)


def test_what_is_written_down_is_what_was_played(played):
    games, length = played.chosen.shape
    for game in range(games):
        players = played.setups[game, 0] // 2 + 2
        for at in range(length):
            assert played.legal[game, at] >> played.chosen[game, at] & 1
            assert 0 <= played.chance[game, at] <= 1
            assert 1 == pytest.approx(played.thought[game, at, :players].sum(), abs=1e-3)
            assert 1 == pytest.approx(played.returns[game, at].sum(), abs=1e-3)
            hidden = played.hands[game, at].sum(axis=0) + played.shipped[game, at].sum(axis=0)
            assert (hidden <= played.pools[game, at]).all()
            assert played.known[game, at] <= played.all[game, at]


def test_looking_back_mixes_what_came_later():
    steps = learn.steps_of(1)
    steps.movers[0, :] = np.arange(learn.STEPS + 1) % 2
    steps.thought[0, :, 0] = np.linspace(0.2, 0.8, learn.STEPS + 1)
    steps.thought[0, :, 1] = 1 - steps.thought[0, :, 0]
    end = learn.STEPS - 2
    steps.ended[0, end], steps.brought[0, end, 0] = True, 1
    loops.look_back.interpreted(steps, 0.9, 0, 1)
    assert steps.gains[0, end] == pytest.approx(1 - steps.thought[0, end, end % 2], abs=1e-6)
    assert steps.returns[0, end].tolist() == [1, 0, 0, 0]
    before = 0.9 * 1 + 0.1 * steps.thought[0, end, 0]
    mover = steps.movers[0, end - 1]
    assert mover == 1
    assert steps.returns[0, end - 1, :2] == pytest.approx([1 - before, before], abs=1e-6)
    after = steps.thought[0, learn.STEPS, 1]
    assert steps.returns[0, learn.STEPS - 1, 0] == pytest.approx(after, abs=1e-6)


def test_networks_are_kept(networks, tmp_path):
    learn.save(tmp_path / "kept.npz", networks)
    for kept, made in zip(learn.load(tmp_path / "kept.npz"), networks, strict=True):
        for mine, theirs in zip(kept, made, strict=True):
            assert np.allclose(mine, theirs, rtol=2e-3, atol=1e-6)


def test_every_legal_action_has_an_output():
    order = np.zeros(10, np.int64)
    table = learn.table_of(1, 5, learn.SETUPS[:1])
    put_goods_in_order(table.starts[0], order)
    assert (1 << ACTIONS) - 1 == loops.legal_outputs((1 << ACTIONS) - 1, order)
    assert 1 << output_of(5, order) == loops.legal_outputs(1 << 5, order)
