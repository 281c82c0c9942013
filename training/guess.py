"""Learns to guess hidden cards from what the policy plays."""

import sys
import time
from pathlib import Path

import kernels
import numpy as np
from train import *


def guess(minutes, seed, nets, out, rate0=2e-3):
    rng = np.random.default_rng(seed)
    loaded = load(nets)
    policy = loaded["policy"]
    network = new_network(kernels.GUESSED, rng)
    adam, slopes = Adam(network), Slopes(network)
    play = Play(GAMES, STEPS, seed + 1)
    n = len(play.states)
    known = np.zeros((n, STEPS), np.int32)
    setups = np.zeros((n, STEPS), np.int8)
    features = np.zeros((n, STEPS, ROOM), np.int32)
    values = np.zeros((n, STEPS, ROOM), np.float32)
    hands = np.zeros((n, STEPS, 3, 11), np.int8)
    shipped = np.zeros((n, STEPS, 3, 11), np.int8)
    pools = np.zeros((n, STEPS, 11), np.int16)

    def on():
        def part(thread):
            kernels.watch(
                play.starts,
                play.states,
                play.decks,
                play.rngs,
                policy,
                features,
                values,
                known,
                setups,
                hands,
                shipped,
                pools,
                True,
                np.zeros(FIRST + SECOND, np.float32),
                np.zeros(ACTIONS, np.float32),
                np.zeros(ORDER, np.int64),
                play.cuts[thread],
                play.cuts[thread + 1],
            )

        list(pool.map(part, range(THREADS)))

    on()
    begun, told, turn = time.perf_counter(), 0.0, 0
    while (part := (time.perf_counter() - begun) / 60 / minutes) < 1:
        on()
        data = [flat(a, STEPS) for a in (features, values, known, setups, hands, shipped, pools)]
        order = rng.permutation(len(data[0]))
        sums = 0
        k = 0
        for start in range(0, len(order) - BATCH + 1, BATCH):
            found, s = slopes.of(kernels.guess_slopes, network, order[start : start + BATCH], *data)
            adam.step(network, found, rate0 * max(0.03, 1 - part))
            sums = sums + s
            k += 1
        turn += 1
        if time.perf_counter() - begun > told:
            told += 15
            print(
                f"{time.perf_counter() - begun:5.0f} s turn {turn} hands {sums[0] / k:.4f} (uniform {sums[1] / k:.4f}) shipped {sums[2] / k:.4f} (uniform {sums[3] / k:.4f})",
                flush=True,
            )
    save(out, guess=network)


if __name__ == "__main__":
    guess(float(sys.argv[1]), 0, sys.argv[2], Path(sys.argv[3]))
