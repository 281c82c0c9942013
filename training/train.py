"""Learns the networks of the strongest level by self-play."""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import kernels
import numpy as np

from fugger.bots.features import FEATURES, ORDER, ROOM
from fugger.bots.network import FIRST, SECOND, SETUPS, Network
from fugger.bots.search import NUMBERS
from fugger.chance import generator
from fugger.editions import EDITIONS
from fugger.playouts import new_deck
from fugger.rules.actions import ACTIONS
from fugger.rules.state import MAX_PLAYERS, empty_states, new_states

THREADS = 2
GAMES = 256  # of each setup
STEPS = 32
BATCH = 2048
CLIP = np.float32(0.2)
pool = ThreadPoolExecutor(THREADS)


def new_network(outputs, rng):
    def layer(*shape):
        return (rng.normal(size=shape) * np.sqrt(2 / shape[-2])).astype(np.float32)

    first = (rng.normal(size=(FEATURES, FIRST)) * np.sqrt(2 / 60)).astype(np.float32)
    return Network(
        first,
        np.zeros(FIRST, np.float32),
        np.repeat(layer(1, FIRST, SECOND), SETUPS, 0),
        np.zeros((SETUPS, SECOND), np.float32),
        np.repeat(0.01 * layer(1, SECOND, outputs), SETUPS, 0),
        np.zeros((SETUPS, outputs), np.float32),
    )


class Adam:
    def __init__(self, network):
        self.means = [np.zeros_like(part) for part in network]
        self.squares = [np.zeros_like(part) for part in network]
        self.updates = 0
        self.work = [np.zeros_like(part) for part in network]

    def step(self, network, slopes, rate, most=0.5):
        length = np.sqrt(sum(float(np.vdot(part, part)) for part in slopes))
        scale = np.float32(min(1, most / (length + 1e-12)))
        self.updates += 1
        fix1 = 1 - 0.9**self.updates
        fix2 = 1 - 0.999**self.updates
        for weight, slope, mean, square, work in zip(
            network, slopes, self.means, self.squares, self.work
        ):
            slope *= scale
            mean *= np.float32(0.9)
            np.multiply(slope, np.float32(0.1), out=work)
            mean += work
            np.multiply(slope, slope, out=work)
            work *= np.float32(0.001)
            square *= np.float32(0.999)
            square += work
            np.divide(square, np.float32(fix2), out=work)
            np.sqrt(work, out=work)
            work += np.float32(1e-6)
            np.divide(mean, work, out=work)
            work *= np.float32(rate / fix1)
            weight -= work
        return length


class Slopes:
    def __init__(self, network):
        self.parts = [[np.zeros_like(part) for part in network] for _ in range(THREADS)]
        outputs = network.last.shape[2]
        self.work = [
            (
                np.zeros(FIRST + SECOND, np.float32),
                np.zeros(outputs, np.float32),
                np.zeros(outputs, np.float32),
                np.zeros(FIRST + SECOND, np.float32),
                np.zeros(4),
            )
            for _ in range(THREADS)
        ]

    def of(self, loop, network, batch, *data):
        cuts = np.linspace(0, len(batch), THREADS + 1).astype(int)

        def part(thread):
            for array in self.parts[thread]:
                array.fill(0)
            self.work[thread][-1].fill(0)
            loop(
                network,
                batch,
                *data,
                *self.parts[thread],
                *self.work[thread],
                cuts[thread],
                cuts[thread + 1],
            )

        list(pool.map(part, range(THREADS)))
        whole = self.parts[0]
        for other in self.parts[1:]:
            for mine, theirs in zip(whole, other):
                mine += theirs
        for array in whole:
            array *= np.float32(1 / len(batch))
        return whole, sum(work[-1] for work in self.work) / len(batch)


class Play:
    def __init__(self, games, steps, seed):
        setups = [(players, edition) for players in (2, 3, 4) for edition in EDITIONS.values()]
        self.players = np.repeat([players for players, _ in setups], games).astype(np.int64)
        self.starts = np.concatenate(
            [np.repeat(new_states(edition, players), games) for players, edition in setups]
        )
        # both threads get all setups
        order = np.arange(len(self.players)).reshape(len(setups), games).T.ravel()
        self.players, self.starts = self.players[order], self.starts[order]
        number = len(self.starts)
        self.states = empty_states(number)
        self.states[:] = self.starts
        deck = new_deck(self.starts[0])
        self.decks = np.zeros((number, len(deck)), np.uint16)
        self.rngs = np.stack([generator(seed, game) for game in range(number)])
        n, s = number, steps
        self.features = np.zeros((n, s + 1, ROOM), np.int32)
        self.values = np.zeros((n, s + 1, ROOM), np.float32)
        self.known = np.zeros((n, s + 1), np.int32)
        self.counts = np.zeros((n, s + 1), np.int32)
        self.legal = np.zeros((n, s), np.int64)
        self.chosen = np.zeros((n, s), np.int32)
        self.chance = np.zeros((n, s), np.float32)
        self.setups = np.zeros((n, s + 1), np.int8)
        self.movers = np.zeros((n, s + 1), np.int8)
        self.thought = np.zeros((n, s + 1, MAX_PLAYERS), np.float32)
        self.brought = np.zeros((n, s, MAX_PLAYERS), np.float32)
        self.ended = np.zeros((n, s), np.bool_)
        self.gains = np.zeros((n, s), np.float32)
        self.returns = np.zeros((n, s, MAX_PLAYERS), np.float32)
        self.cuts = np.linspace(0, n, THREADS + 1).astype(int)
        from fugger.bots.search import deal_owed
        from fugger.rules.fields import fields_of

        for game in range(number):
            deal_owed(fields_of(self.states[game : game + 1]), self.rngs[game], self.decks[game])

    def on(self, policy, value, keep, follow=False):
        def part(thread):
            kernels.play(
                self.starts,
                self.states,
                self.decks,
                self.rngs,
                policy,
                value,
                self.features,
                self.values,
                self.known,
                self.counts,
                self.legal,
                self.chosen,
                self.chance,
                self.setups,
                self.movers,
                self.thought,
                self.brought,
                self.ended,
                follow,
                np.zeros(FIRST + SECOND, np.float32),
                np.zeros(ACTIONS, np.float32),
                np.zeros(ORDER, np.int64),
                np.zeros(NUMBERS, np.int64),
                self.cuts[thread],
                self.cuts[thread + 1],
            )
            kernels.look_back(
                self.thought,
                self.brought,
                self.ended,
                self.movers,
                self.players,
                np.float32(keep),
                self.gains,
                self.returns,
                self.cuts[thread],
                self.cuts[thread + 1],
            )

        list(pool.map(part, range(THREADS)))


def check(policy, games, seed):
    """Shares of wins against greedy, by setup, relative to a fair one."""
    shares = []
    for players in (2, 3, 4):
        for edition in EDITIONS.values():
            starts = np.concatenate(
                [np.repeat(new_states(edition, players, first), 1) for first in range(players)]
            )
            starts = starts[np.arange(games) // players % players]
            states = empty_states(games)
            decks = np.zeros((games, len(new_deck(starts[0]))), np.uint16)
            rngs = np.stack([generator(seed, game) for game in range(games)])
            out = np.zeros(games)
            cuts = np.linspace(0, games, THREADS + 1).astype(int)

            def part(thread):
                kernels.contest(
                    starts,
                    states,
                    decks,
                    rngs,
                    policy,
                    out,
                    np.zeros(FIRST + SECOND, np.float32),
                    np.zeros(ACTIONS, np.float32),
                    np.zeros(ORDER, np.int64),
                    np.zeros(ROOM, np.int32),
                    np.zeros(ROOM, np.float32),
                    np.zeros(NUMBERS, np.int64),
                    cuts[thread],
                    cuts[thread + 1],
                )

            list(pool.map(part, range(THREADS)))
            shares.append(out.mean())
    return shares


def flat(array, steps):
    return array[:, :steps].reshape(-1, *array.shape[2:])


def save(path, **networks):
    np.savez(
        path,
        **{
            f"{name}_{field}": part
            for name, network in networks.items()
            for field, part in network._asdict().items()
        },
    )


def load(path):
    with np.load(path) as kept:
        names = {name.split("_")[0] for name in kept.files}
        return {
            name: Network(**{field: kept[f"{name}_{field}"] for field in Network._fields})
            for name in names
        }


def train(
    minutes, seed, out, resume=None, rate0=2e-3, keep=0.95, entropy=0.005, epochs=2, imitate=2.0
):
    rng = np.random.default_rng(seed)
    if resume:
        loaded = load(resume)
        policy, value = loaded["policy"], loaded["value"]
    else:
        policy, value = new_network(ACTIONS, rng), new_network(MAX_PLAYERS, rng)
    adams = Adam(policy), Adam(value)
    slopes = Slopes(policy), Slopes(value)
    play = Play(GAMES, STEPS, seed)
    play.on(policy, value, keep)
    check(policy, 4, 0)
    begun, decisions, told, turn = time.perf_counter(), 0, 0.0, 0
    spent = [0.0, 0.0, 0.0]
    while (part := (time.perf_counter() - begun) / 60 / minutes) < 1:
        t0 = time.perf_counter()
        now = t0 - begun
        follow = not resume and now < 60 * imitate
        play.on(policy, value, keep, follow)
        t1 = time.perf_counter()
        features, values, setups = (
            np.ascontiguousarray(flat(a, STEPS)) for a in (play.features, play.values, play.setups)
        )
        known, counts = (np.ascontiguousarray(flat(a, STEPS)) for a in (play.known, play.counts))
        legal, chosen, chance = (flat(a, STEPS) for a in (play.legal, play.chosen, play.chance))
        gains, returns = flat(play.gains, STEPS), flat(play.returns, STEPS)
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        choice = np.flatnonzero(legal & (legal - 1))
        t2 = time.perf_counter()
        rate = rate0 * max(0.03, 1 - part)
        lossv = np.zeros(4)
        lossp = np.zeros(4)
        n = 0
        for epoch in range(epochs):
            order = rng.permutation(choice)
            every = rng.permutation(len(gains))
            for start in range(0, len(order) - BATCH + 1, BATCH):
                batch = order[start : start + BATCH]
                found, sums = slopes[0].of(
                    kernels.policy_slopes,
                    policy,
                    batch,
                    features,
                    values,
                    known,
                    setups,
                    legal,
                    chosen,
                    chance,
                    gains,
                    np.float32(-1) if follow else CLIP,
                    np.float32(entropy * max(0.2, 1 - part)),
                )
                adams[0].step(policy, found, rate)
                lossp += sums
                batch = every[start : start + BATCH]
                found, sums = slopes[1].of(
                    kernels.value_slopes, value, batch, features, values, counts, setups, returns
                )
                adams[1].step(value, found, rate)
                lossv += sums
                n += 1
        t3 = time.perf_counter()
        spent[0] += t1 - t0
        spent[1] += t2 - t1
        spent[2] += t3 - t2
        decisions += len(gains)
        turn += 1
        now = time.perf_counter() - begun
        if now >= told:
            told += max(20, minutes * 60 / 40)
            shares = check(policy, 1200, turn)
            print(
                f"{now:6.0f} s {decisions:12,} value {lossv[0] / n:.4f} spread {lossp[0] / n:.3f} clipped {lossp[1] / n:.3f} "
                f"greedy {' '.join(f'{100 * s:.1f}' for s in shares)}  spent {[round(x) for x in spent]}",
                flush=True,
            )
            save(out, policy=policy, value=value)
    save(out, policy=policy, value=value)
    print(check(policy, 6000, 10**6))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="/tmp/w/nets.npz")
    parser.add_argument("--resume")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--keep", type=float, default=0.95)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--imitate", type=float, default=2.0)
    a = parser.parse_args()
    train(a.minutes, a.seed, Path(a.out), a.resume, a.rate, a.keep, a.entropy, a.epochs, a.imitate)
