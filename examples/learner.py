"""A complete self-play learner in NumPy: it beats `greedy` after some minutes.

    uv run --with 'fugger[gymnasium,arena]' examples/learner.py --minutes 10
    PYTHONPATH=examples fugger arena match learner:Learned greedy --deals 500

A small network sees the tensor and gives the chances of the 23 actions and of winning. It plays
against itself in the vector environment, and learns by proximal policy optimization (Schulman et
al. 2017) with generalized advantage estimation. Now and then it plays some thousand games against
`greedy`, which it never learns from. What it knows in the end is in `learner.npz`, how it got there
in `learner.csv` and, drawn, in `learner.svg`.
"""

from __future__ import annotations

import argparse
import csv
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from fugger.cards import GOODS, KINDS
from fugger.editions import ADLUNG
from fugger.envs.gymnasium_vector import FuggerVectorEnv
from fugger.envs.tensor import PLANES, SIZE, bounds, plane, tensor_of
from fugger.envs.vector import Vector
from fugger.rules.actions import ACTIONS, PLAY, SHIP, legal_actions

GAMES, STEPS = 512, 64  # of which it learns at a time
HIDDEN = 128
EPOCHS, BATCH = 2, 2048
RATE = 3e-3  # of Adam, falling to a twentieth
CLIP = 0.2  # how far a chance may move from what it was when the action was taken
LAMBDA = 0.95
ENTROPY = 0.005
CHECKED, CHECKED_LAST = 2000, 10_000  # games against greedy
KEPT = Path("learner.npz")


# What the network sees. Goods have no order of their own, so it is shown them by price: what it
# learns about the cheapest good, it knows of whichever is.

BY_GOOD = [(PLANES[name].start, 1) for name in ("prices", "table", "shipped")]
BY_GOOD += [
    (PLANES[name].start + KINDS * row, 2)
    for name in ("hand", "tableau", "jakob", "discard_pile")
    for row in range(PLANES[name].shape[0] if name == "tableau" else 1)
]


def seen(rows: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The network's inputs and masks, and the action that each of its outputs stands for."""
    order = np.argsort(8 * plane(rows, "prices") + plane(rows, "table"), axis=1, kind="stable")
    columns = np.tile(np.arange(SIZE), (len(rows), 1))
    actions = np.tile(np.arange(ACTIONS), (len(rows), 1))
    for start, width in BY_GOOD:
        for part in range(width):
            columns[:, start + part : start + width * GOODS : width] = start + part + width * order
    for start in (PLAY, SHIP):
        for sealed in range(2):
            actions[:, start + sealed : start + 2 * GOODS : 2] = start + sealed + 2 * order
    rows = np.take_along_axis(rows, columns, axis=1)
    prices = plane(rows, "prices")[..., None] == np.arange(1, 10)
    counts = plane(rows, "table")[..., None] == np.arange(5)
    held = plane(rows, "hand") > 0
    parts = (rows * SCALE, prices.reshape(len(rows), -1), counts.reshape(len(rows), -1), held)
    inputs = np.concatenate(parts, axis=1, dtype=np.float32)
    return inputs, np.take_along_axis(masks, actions, axis=1), actions


SCALE = (1 / np.clip(bounds(ADLUNG, 4)[1], 1, 130)).astype(np.float32)
INPUTS = SIZE + 9 * GOODS + 5 * GOODS + KINDS


class Network:
    """Two hidden layers, the chances of the actions, and the chance of winning; learns by Adam."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = [INPUTS, HIDDEN, HIDDEN, ACTIONS + 1]
        self.weights = [
            (rng.normal(size=pair) * np.sqrt(2 / pair[0])).astype(np.float32)
            for pair in pairwise(sizes)
        ]
        self.weights[-1] *= 0.01
        self.weights += [np.zeros(size, np.float32) for size in sizes[1:]]
        self.means = [np.zeros_like(part) for part in self.weights]
        self.squares = [np.zeros_like(part) for part in self.weights]
        self.updates = 0

    def forward(self, inputs: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, ...]:
        """Both hidden layers, chances of actions (n, 23), chances of winning (n,)."""
        one, two, out, *biases = self.weights
        first = np.maximum(inputs @ one + biases[0], 0)
        second = np.maximum(first @ two + biases[1], 0)
        outputs = second @ out + biases[2]
        logits = np.where(masks, outputs[:, :ACTIONS], -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return first, second, chances, 1 / (1 + np.exp(-outputs[:, ACTIONS]))

    def learn(  # noqa: PLR0913, PLR0917 (a batch has so many parts)
        self,
        inputs: np.ndarray,
        masks: np.ndarray,
        actions: np.ndarray,
        before: np.ndarray,
        advantages: np.ndarray,
        returns: np.ndarray,
        rate: float,
    ) -> None:
        """One step down the gradient of PPO's loss over a batch."""
        first, second, chances, values = self.forward(inputs, masks)
        rows = np.arange(len(inputs))
        ratios = chances[rows, actions] / before
        clipped = np.where(advantages > 0, ratios > 1 + CLIP, ratios < 1 - CLIP)
        push = np.where(clipped, 0, advantages * ratios)
        logs = np.log(chances + 1e-10)
        slope = np.empty((len(inputs), ACTIONS + 1), np.float32)
        slope[:, :ACTIONS] = chances * push[:, None]
        slope[rows, actions] -= push
        entropy = -(chances * logs).sum(axis=1, keepdims=True)
        slope[:, :ACTIONS] += ENTROPY * chances * (logs + entropy)
        slope[:, ACTIONS] = values - returns
        slope /= len(inputs)
        deeper = slope @ self.weights[2].T * (second > 0)
        deepest = deeper @ self.weights[1].T * (first > 0)
        slopes = [inputs.T @ deepest, first.T @ deeper, second.T @ slope]
        slopes += [part.sum(axis=0) for part in (deepest, deeper, slope)]
        self._adam(slopes, rate)

    def _adam(self, slopes: list[np.ndarray], rate: float) -> None:
        length = np.sqrt(sum((part**2).sum() for part in slopes))
        self.updates += 1
        for number, slope in enumerate(slopes):
            short = slope * min(1, 0.5 / length)
            self.means[number] += 0.1 * (short - self.means[number])
            self.squares[number] += 0.001 * (short**2 - self.squares[number])
            mean = self.means[number] / (1 - 0.9**self.updates)
            square = self.squares[number] / (1 - 0.999**self.updates)
            self.weights[number] -= rate * mean / (np.sqrt(square) + 1e-5)


def play(network: Network, env: Vector, state, rng: np.random.Generator) -> list[np.ndarray]:
    """Moves every game on by `STEPS` actions of the network; what it can learn of them.

    A seat's decision is worth what its next one was thought to be worth, or what the game brought.
    What a rollout's last decision of a seat was worth isn't known yet: nothing is learnt from it.
    """
    games = np.arange(len(state))
    steps = []
    for _ in range(STEPS):
        was_over = state.terminated.copy()
        players = state.current_player.copy()
        inputs, masks, meant = seen(state.observation, state.legal_action_mask)
        _, _, chances, values = network.forward(inputs, masks)
        drawn = rng.random((len(games), 1)) * chances.sum(axis=1, keepdims=True)
        chosen = np.minimum((chances.cumsum(axis=1) <= drawn).sum(axis=1), ACTIONS - 1)
        env.step(state, meant[games, chosen])
        ended = state.terminated & ~was_over
        taken = (inputs, masks, chosen, chances[games, chosen], values)
        steps.append((taken, players, was_over, ended, state.rewards.copy()))

    following = np.zeros((len(games), env.players), np.float32)
    advantage = np.zeros_like(following)
    known = np.zeros_like(following, bool)
    learnt = []
    for taken, players, was_over, ended, rewards in reversed(steps):
        following[ended], advantage[ended], known[ended] = rewards[ended], 0, True
        values = taken[-1]
        own = (games, players)
        gain = following[own] - values + LAMBDA * advantage[own]
        gain[~known[own]] = 0
        use = known[own] & ~was_over
        learnt.append([part[use] for part in (*taken[:-1], gain, gain + values)])
        acted = games[~was_over], players[~was_over]
        following[acted], advantage[acted], known[acted] = values[~was_over], gain[~was_over], True
    return [np.concatenate(parts) for parts in zip(*learnt, strict=True)]


def improve(
    network: Network, learnt: list[np.ndarray], rate: float, rng: np.random.Generator
) -> None:
    """Learns from what was played, in batches, `EPOCHS` times over."""
    gains = learnt[-2]
    learnt[-2] = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        order = rng.permutation(len(gains))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            network.learn(*(part[order[start : start + BATCH]] for part in learnt), rate)


def wins(network: Network, players: int, games: int, seed: int) -> float:
    """Its share of the wins in games against `greedy`, always taking the likeliest action."""
    env = FuggerVectorEnv(games, players=players, opponents="greedy")
    rows, told = env.reset(seed=seed)
    share, over = 0.0, np.zeros(games, bool)
    while not over.all():
        inputs, masks, meant = seen(rows, told["action_mask"].astype(bool))
        best = network.forward(inputs, masks)[2].argmax(axis=1)
        rows, rewards, ended, _, told = env.step(meant[np.arange(games), best])
        share += rewards[ended & ~over].sum()
        over |= ended
    return share / games


def train(minutes: float, players: int, seed: int, checks: int = 20) -> Network:
    """Learns for some minutes, tells how it goes, and keeps what came of it."""
    rng = np.random.default_rng(seed)
    network = Network(rng)
    env = Vector(players, first=None)
    state = env.init(GAMES, seed)
    wins(network, players, 1, seed)  # compiles what plays, which isn't learning
    begun, decisions, curve = time.perf_counter(), 0, []
    while (part := (time.perf_counter() - begun) / 60 / minutes) < 1:
        if part >= len(curve) / checks:
            won = wins(network, players, CHECKED, len(curve))
            curve.append((round(60 * minutes * part), decisions, round(won, 4)))
            print(
                f"{curve[-1][0]:5} s {decisions:12,} decisions {won:7.1%} against greedy",
                flush=True,
            )
        learnt = play(network, env, state, rng)
        improve(network, learnt, RATE * max(0.05, 1 - part), rng)
        decisions += len(learnt[0])
    print(f"… {CHECKED_LAST:,} games more against greedy", flush=True)
    won = wins(network, players, CHECKED_LAST, checks)
    curve.append((round(time.perf_counter() - begun), decisions, round(won, 4)))
    print(f"{curve[-1][0]:5} s {decisions:12,} decisions {won:7.1%} against greedy in the end")
    np.savez(KEPT, *network.weights)
    with KEPT.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows([("seconds", "decisions", "wins"), *curve])
    return network


def draw(curve: Path, players: int) -> None:
    """Draws the curve."""
    import altair  # noqa: PLC0415 (of the extra fugger[arena])

    with curve.open() as file:
        points = [
            {name: float(value) for name, value in row.items()} for row in csv.DictReader(file)
        ]
    time_axis = altair.X("seconds:Q", title="seconds of learning")
    share = altair.Y("wins:Q", title=f"wins against greedy, {players} players").axis(format="%")
    line = altair.Chart(altair.Data(values=points)).mark_line(point=True).encode(time_axis, share)
    fair = altair.Chart(altair.Data(values=[{"wins": 1 / players}])).mark_rule(strokeDash=[4, 4])
    (line + fair.encode(y="wins:Q")).properties(width=480, height=260).save(
        curve.with_suffix(".svg")
    )


class Learned:
    """What was learnt, as a bot for the arena: ``learner:Learned``."""

    name = "learned"

    def __init__(self, seed: int = 0) -> None:
        self._network = Network(np.random.default_rng(seed))
        if not KEPT.exists():
            raise FileNotFoundError(f"{KEPT} isn't in this folder: run examples/learner.py in it")
        with np.load(KEPT) as kept:
            self._network.weights = list(kept.values())

    def choose(self, observation) -> int:
        """The likeliest action."""
        mask = legal_actions(observation) >> np.arange(ACTIONS) & 1
        inputs, masks, meant = seen(tensor_of(observation)[None], mask[None].astype(bool))
        return int(meant[0, self._network.forward(inputs, masks)[2][0].argmax()])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if not 0 < asked.minutes < float("inf"):
        parser.error(f"--minutes is {asked.minutes}: expected more than 0")
    train(asked.minutes, asked.players, asked.seed)
    draw(KEPT.with_suffix(".csv"), asked.players)
