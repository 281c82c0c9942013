"""The page on research: its programs run, its tables are right, its learner learns."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from fugger.envs.gymnasium_vector import FuggerVectorEnv
from fugger.envs.tensor import PLANES, observation_of
from fugger.envs.vector import Vector

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"##+ ([\w, ]+)\n[^#]*?```python\n(.*?)```", PAGE, re.DOTALL))


def test_the_page_has_a_program_for_every_interface():
    interfaces = {"Vector", "Gymnasium, vector", "Gymnasium", "PettingZoo", "OpenSpiel"}
    assert interfaces | {"Bots to compare with"} == set(PROGRAMS)


@pytest.mark.parametrize("interface", PROGRAMS)
def test_the_programs_run_and_are_short(interface):
    program = PROGRAMS[interface]
    assert 20 >= len(program.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=300
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout


def test_the_table_of_the_tensor():
    lines = []
    for name, plane in PLANES.items():
        first, last = plane.start, plane.place.stop - 1
        numbers = f"{first}" if first == last else f"{first} to {last}"
        shape = " by ".join(map(str, plane.shape)) or "1"
        range_ = f"{plane.low} to {plane.high}"
        lines.append(f"| {numbers} | `{name}` | {shape} | {range_} | {plane.meaning} |\n")
    assert "".join(lines) in PAGE


# The learner


@pytest.fixture
def learner(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.chdir(tmp_path)
    learner = import_module("learner")
    small = {"GAMES": 128, "STEPS": 32, "BATCH": 512, "CHECKED": 20, "CHECKED_LAST": 100}
    for name, value in small.items():
        monkeypatch.setattr(learner, name, value)
    return learner


def test_the_learner_shows_goods_by_price(learner):
    state = Vector(2).init(64, 3)
    env = Vector(2)
    for _ in range(40):
        env.step(state, env.random_actions(state))
    inputs, masks, meant = learner.seen(state.observation, state.legal_action_mask)
    assert learner.INPUTS == inputs.shape[1]
    prices = inputs[:, PLANES["prices"].place] / learner.SCALE[PLANES["prices"].place]
    assert (np.diff(prices, axis=1) >= 0).all()
    rows = np.arange(64)[:, None]
    assert (state.legal_action_mask[rows, meant] == masks).all()
    assert (np.sort(meant, axis=1) == np.arange(23)).all()


def test_the_learners_slope_is_that_of_its_loss(learner):
    rng = np.random.default_rng(1)
    network = learner.Network(rng)
    network.weights = [part.astype(np.float64) for part in network.weights]
    network.weights[2] *= 50  # else it likes all actions alike
    inputs = rng.normal(size=(6, learner.INPUTS))
    masks = rng.random((6, 23)) < 0.5
    masks[:, 3] = True
    actions = np.full(6, 3)
    chances = network.forward(inputs, masks)[2][np.arange(6), 3]
    before = chances * np.array([1, 0.9, 1.1, 0.7, 1.5, 1])
    advantages = np.array([1.0, -0.5, 2.0, 1.5, -1.0, -2.0])
    returns = np.array([0.0, 1.0, 0.5, 1.0, 0.0, 0.3])

    def loss():
        _, _, chances, values = network.forward(inputs, masks)
        ratios = chances[np.arange(6), actions] / before
        kept = np.clip(ratios, 1 - learner.CLIP, 1 + learner.CLIP)
        gains = np.minimum(ratios * advantages, kept * advantages)
        entropy = -(chances * np.log(chances + 1e-300)).sum(axis=1)
        surprise = -(returns * np.log(values) + (1 - returns) * np.log(1 - values))
        return (-gains - learner.ENTROPY * entropy + surprise).mean()

    slopes = []
    network._adam = lambda found, rate: slopes.extend(found)
    network.learn(inputs, masks, actions, before, advantages, returns, 0.1)
    for part, slope in zip(network.weights, slopes, strict=True):
        at = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        kept, ends = part[at], []
        for step in (1e-5, -1e-5):
            part[at] = kept + step
            ends.append(loss())
        part[at] = kept
        assert slope[at] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-2)


def test_the_learner_learns(learner):
    rng = np.random.default_rng(3)
    network = learner.Network(rng)
    before = learner.wins(network, 2, 400, seed=1)
    env = Vector(2, first=None)
    state = env.init(learner.GAMES, 3)
    for _ in range(15):
        learner.improve(network, learner.play(network, env, state, rng), learner.RATE, rng)
    assert learner.wins(network, 2, 400, seed=1) > before + 0.05


def test_the_learner_keeps_what_it_learnt(learner, capsys):
    network = learner.train(0.0001, 2, 1, checks=1)
    learner.draw(learner.KEPT.with_suffix(".csv"), 2)
    assert "in the end" in capsys.readouterr().out
    assert "<svg" in Path("learner.svg").read_text(encoding="utf-8")
    bot = learner.Learned(1)
    for kept, learnt in zip(bot._network.weights, network.weights, strict=True):
        assert (kept == learnt).all()
    env = FuggerVectorEnv(1, players=2)
    rows, told = env.reset(seed=5)
    assert told["action_mask"][0, bot.choose(observation_of(rows[0]))]
