"""Learns the networks that lead a search, by self-play in all six setups at once.

    uv run python training/learn.py --minutes 45 --out networks.npz
    cp networks.npz src/fugger/bots/

First the policy imitates `greedy`. Then it plays against itself, and learns by proximal policy
optimization (Schulman et al. 2017) from what a second network, which sees all cards, thinks of
every step; that one learns what came of them. In the end a third one learns to guess what the
others hide from what they have played. Now and then it is told what share of its games the policy
wins against `greedy`, always taking the likeliest action. With `--resume` it goes on from a file.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import loops
import numpy as np

from fugger.bots.features import ROOM
from fugger.bots.network import FIRST, MOST_OUTPUTS, SECOND, Network, new_sight, shapes
from fugger.bots.networks import GUESSED, OTHERS, Networks
from fugger.bots.search import NUMBERS
from fugger.cards import KINDS
from fugger.chance import generator
from fugger.editions import EDITIONS
from fugger.playouts import new_deck
from fugger.rules.actions import ACTIONS
from fugger.rules.state import MAX_PLAYERS, empty_states, new_states

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 2
GAMES, STEPS = 256, 32  # of each setup, of which it learns at a time
BATCH = 1024
RATE = 3e-3  # of Adam, falling to a thirtieth
CLIP = 0.2  # how far a chance may move from what it was when the action was taken
KEEP = 0.95  # how much of a step's worth is what came after the next one
ENTROPY = 0.02  # falling to a tenth
IMITATED = 1.5  # minutes that it follows greedy
MIXED = 0.25  # how often others do as greedy would, while it learns to guess
CHECKS = 40
CHECKED = 1200  # games of a check, in each setup
SETUPS = [(players, edition) for players in (2, 3, 4) for edition in EDITIONS.values()]

pool = ThreadPoolExecutor(THREADS)


def share(number: int, work: Callable[[int, int, int], None]) -> None:
    """Does something for so many rows, each thread a part of them."""
    cuts = [number * thread // THREADS for thread in range(THREADS + 1)]
    list(pool.map(work, range(THREADS), cuts[:-1], cuts[1:]))


class Learner:
    """A network, and Adam's memory of its slopes."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.means, self.squares = ([np.zeros_like(part) for part in network] for _ in range(2))
        self.updates = 0
        self.slopes = [Network(*map(np.zeros_like, network)) for _ in range(THREADS)]
        self.sights = [new_sight() for _ in range(THREADS)]
        self.sums = np.zeros((THREADS, 4))

    def learn(
        self, loop: Callable[..., None], batch: np.ndarray, rate: float, *told: object
    ) -> np.ndarray:
        """One step down the slopes of a batch of rows; what the loop summed up, for each row."""
        self.sums[:] = 0

        def work(thread: int, begin: int, end: int) -> None:
            for part in self.slopes[thread]:
                part.fill(0)
            deeper = np.zeros(FIRST + SECOND, np.float32)
            slope = np.zeros(MOST_OUTPUTS, np.float32)
            sight, sums = self.sights[thread], self.sums[thread]
            own = self.slopes[thread], deeper, slope, sight, sums
            loop(self.network, batch, *told, *own, begin, end)

        share(len(batch), work)
        self._descend([sum(parts) / len(batch) for parts in zip(*self.slopes, strict=True)], rate)
        return self.sums.sum(axis=0) / len(batch)

    def _descend(self, slopes: list[np.ndarray], rate: float) -> None:
        self.updates += 1
        length = np.sqrt(sum((part**2).sum() for part in slopes))
        for number, slope in enumerate(slopes):
            short = slope * np.float32(min(1, 0.5 / length))
            self.means[number] += np.float32(0.1) * (short - self.means[number])
            self.squares[number] += np.float32(0.001) * (short**2 - self.squares[number])
            mean = self.means[number] / np.float32(1 - 0.9**self.updates)
            square = self.squares[number] / np.float32(1 - 0.999**self.updates)
            part = self.network[number]
            part -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-6))


def new_network(outputs: int, rng: np.random.Generator) -> Network:
    """A network that knows nothing; it thinks that all outputs are about the same."""
    scales = [np.sqrt(2 / 60), 0, np.sqrt(2 / FIRST), 0, 0.01 * np.sqrt(2 / SECOND), 0]
    parts = []
    for shape, scale in zip(shapes(outputs), scales, strict=True):
        part = (scale * rng.normal(size=shape)).astype(np.float32)
        part[...] = part[:1] if len(shape) == 3 else part  # setups begin alike
        parts.append(part)
    return Network(*parts)


def new_networks(seed: int) -> Networks:
    """Three of them."""
    rng = np.random.default_rng(seed)
    return Networks(*(new_network(outputs, rng) for outputs in (ACTIONS, MAX_PLAYERS, GUESSED)))


def table_of(games: int, seed: int, setups: list) -> loops.Table:
    """So many games in each setup, threads getting as many of each."""
    starts = [new_states(edition, players) for _ in range(games) for players, edition in setups]
    number = len(starts)
    return loops.Table(
        np.concatenate(starts),
        empty_states(number),
        np.zeros((number, len(new_deck(starts[0][0]))), np.uint16),
        np.stack([generator(seed, game) for game in range(number)]),
    )


def steps_of(games: int) -> loops.Steps:
    """Room for the steps of so many games."""
    n, s, more = games, STEPS, STEPS + 1
    shapes_and_types = {
        "features": ((n, more, ROOM), np.int32),
        "values": ((n, more, ROOM), np.float32),
        "known": ((n, more), np.int32),
        "all": ((n, more), np.int32),
        "setups": ((n, more), np.int8),
        "movers": ((n, more), np.int8),
        "legal": ((n, s), np.int64),
        "chosen": ((n, s), np.int32),
        "chance": ((n, s), np.float32),
        "thought": ((n, more, MAX_PLAYERS), np.float32),
        "brought": ((n, s, MAX_PLAYERS), np.float32),
        "ended": ((n, s), np.bool_),
        "gains": ((n, s), np.float32),
        "returns": ((n, s, MAX_PLAYERS), np.float32),
        "hands": ((n, s, OTHERS, KINDS), np.int8),
        "shipped": ((n, s, OTHERS, KINDS), np.int8),
        "pools": ((n, s, KINDS), np.int16),
    }
    return loops.Steps(*(np.zeros(*shapes_and_types[name]) for name in loops.Steps._fields))


class Play:
    """Games in all setups, played on and on."""

    def __init__(self, seed: int) -> None:
        self.table = table_of(GAMES, seed, SETUPS)
        self.steps = steps_of(len(self.table.states))
        self.rows = np.arange(self.steps.chosen.size)
        loops.begin_all(self.table)

    def on(self, policy: Network, value: Network, greedily: float) -> None:
        """Plays `STEPS` of every game, and looks back on them."""

        def work(_: int, begin: int, end: int) -> None:
            numbers = np.zeros(NUMBERS, np.int64)
            told = self.table, self.steps, policy, value, greedily, new_sight(), numbers
            loops.play(*told, begin, end)
            loops.look_back(self.steps, KEEP, begin, end)

        share(len(self.table.states), work)

    def batches(self, rng: np.random.Generator, *, choices: bool) -> list[np.ndarray]:
        """All rows in any order, in batches; or those of steps that left a choice."""
        legal = self.steps.legal.ravel()
        rows = rng.permutation(self.rows[(legal & (legal - 1)) != 0] if choices else self.rows)
        return [rows[at : at + BATCH] for at in range(0, len(rows) - BATCH + 1, BATCH)]


def wins(policy: Network, games: int, seed: int) -> list[float]:
    """The policy's share of the wins against `greedy`, in each setup."""
    shares = []
    for setup in SETUPS:
        table, won = table_of(games, seed, [setup]), np.zeros(games)
        seats = np.arange(games) // setup[0] % setup[0]
        for name in ("starter", "player", "recipient"):
            table.starts[name] = seats

        def work(_: int, begin: int, end: int, told=(table, policy, won)) -> None:
            loops.contest(*told, new_sight(), begin, end)

        share(games, work)
        shares.append(float(won.mean()))
    return shares


def learn(networks: Networks, minutes: float, imitated: float, seed: int) -> None:
    """Has policy and value learn for some minutes, and tells how it goes."""
    rng, play = np.random.default_rng(seed), Play(seed)
    policy, value = Learner(networks.policy), Learner(networks.value)
    begun, decisions, checks = time.perf_counter(), 0, 0
    while (part := (time.perf_counter() - begun) / 60 / minutes) < 1:
        imitating = part * minutes < imitated
        play.on(policy.network, value.network, float(imitating))
        gains = play.steps.gains
        gains[...] = (gains - gains.mean()) / (gains.std() + 1e-8)
        rate, sums = RATE * max(1 / 30, 1 - part), np.zeros(4)
        clip, entropy = 0.0 if imitating else CLIP, ENTROPY * max(0.1, 1 - part)
        for batch in play.batches(rng, choices=True):
            policy.learn(loops.policy_slopes, batch, rate, play.steps, clip, entropy)
        batches = play.batches(rng, choices=False)
        for batch in batches:
            sums += value.learn(loops.value_slopes, batch, rate, play.steps)
        decisions += len(play.rows)
        if part * CHECKS >= checks:
            checks += 1
            shares = " ".join(f"{won:6.1%}" for won in wins(policy.network, CHECKED, checks))
            print(
                f"{60 * minutes * part:6.0f} s {decisions:12,} decisions, "
                f"value {sums[0] / len(batches):.4f}, against greedy {shares}",
                flush=True,
            )


def learn_to_guess(networks: Networks, minutes: float, seed: int) -> None:
    """Has the last network learn for some minutes from what the policy plays."""
    rng, play = np.random.default_rng(seed), Play(seed)
    guess = Learner(networks.guess)
    begun, told = time.perf_counter(), 0
    while (part := (time.perf_counter() - begun) / 60 / minutes) < 1:
        play.on(networks.policy, networks.value, MIXED)
        batches, sums = play.batches(rng, choices=False), np.zeros(4)
        for batch in batches:
            rate = RATE * max(1 / 30, 1 - part)
            sums += guess.learn(loops.guess_slopes, batch, rate, play.steps)
        if part * 10 >= told:
            told += 1
            hands, even_hands, shipped, even_shipped = sums / len(batches)
            print(
                f"{60 * minutes * part:6.0f} s  hands {hands:.4f}, uniformly {even_hands:.4f}; "
                f"shipments {shipped:.4f}, uniformly {even_shipped:.4f}",
                flush=True,
            )


def save(path: Path, networks: Networks) -> None:
    """Keeps networks, in half the bytes they have here."""
    parts = {
        f"{name}_{field}": part.astype(np.float16)
        for name, network in networks._asdict().items()
        for field, part in network._asdict().items()
    }
    np.savez_compressed(path, **parts)


def load(path: Path) -> Networks:
    """What `save` kept."""
    with np.load(path) as kept:
        return Networks(
            *(
                Network(*(kept[f"{name}_{field}"].astype(np.float32) for field in Network._fields))
                for name in Networks._fields
            )
        )


def main() -> None:
    """Does what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=45, help="of learning to play")
    parser.add_argument("--guess-minutes", type=float, default=4, help="of learning to guess")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", type=Path, help="networks to go on from")
    parser.add_argument("--out", type=Path, default=Path("networks.npz"))
    asked = parser.parse_args()
    networks = load(asked.resume) if asked.resume else new_networks(asked.seed)
    if asked.minutes > 0:
        learn(networks, asked.minutes, 0 if asked.resume else IMITATED, asked.seed)
        save(asked.out, networks)
    if asked.guess_minutes > 0:
        learn_to_guess(networks, asked.guess_minutes, asked.seed)
        save(asked.out, networks)


if __name__ == "__main__":
    main()
