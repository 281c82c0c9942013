"""Research environments side by side: ours and those of other projects, in one run.

    uv run --group benchmarks python benchmarks/environments.py [--seconds 1] [--runs 5] [--json]
    uv run --group benchmarks python benchmarks/environments.py --only vector --only pgx

Each plays its game with random legal actions, and gives an observation and the legal actions of
whoever acts at every decision; bare playouts and loops in C++, which give neither, are there to
compare with. Every one lives in a process of its own, on one core or on all; they are asked in
turns, each for so many seconds by the clock, so that a machine's moods meet all of them. Printed
are the median decisions a second of the runs, the least and the greatest, and medians of what each
run was of `fugger.playouts` on one core and, for all cores, of the same environment on one.
Compiling and starting are done before.
"""

# ruff: noqa: PLC0415 (each process imports its own environment alone)

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import os
import random
import sys
import warnings
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    Play = Callable[[], int]
    """Plays some decisions, and says how many."""

PLAYERS = 3
SEED = 1
GAMES = 256
"""Games side by side in a batch of ours, for each thread: they fit a core's own memory, what a
rollout writes down doesn't. A call then takes milliseconds, long enough to wake threads for."""
STEPS = 128
"""Steps of a rollout."""
PGX_GAMES = 4096
PGX_STEPS = 64
LONGEST = 1000
"""Decisions of one game at most, where a game of another project need not end."""
FIRST_ANSWER = 300.0
"""Seconds for an environment to start and to compile."""


# Ours


def playouts(threads: int) -> Play:
    """Bare playouts: no observation, no mask; in threads, what the machine itself scales to."""
    from concurrent.futures import ThreadPoolExecutor

    from fugger.chance import generator
    from fugger.editions import ADLUNG
    from fugger.playouts import play_out
    from fugger.rules.state import new_states

    start = new_states(ADLUNG, PLAYERS)
    if threads == 1:
        rng = generator(SEED, 0)
        return lambda: play_out(start, 500, rng).steps
    pool = ThreadPoolExecutor(threads)
    rngs = [generator(SEED, part) for part in range(16 * threads)]
    return lambda: sum(pool.map(lambda rng: play_out(start, 500, rng).steps, rngs))


def rollout(threads: int) -> Play:
    """The vector environment, which chooses and steps in one call."""
    from fugger.envs.vector import Vector

    env = Vector(PLAYERS, threads=threads)
    state = env.init(GAMES * threads, SEED)
    told = env.rollout(state, STEPS)

    def play() -> int:
        env.rollout(state, STEPS, told)
        return len(state) * STEPS

    return play


def step(threads: int) -> Play:
    """The vector environment step by step."""
    from fugger.envs.vector import Vector

    env = Vector(PLAYERS, threads=threads)
    state = env.init(2 * GAMES * threads, SEED)

    def play() -> int:
        for _ in range(STEPS):
            env.step(state, env.random_actions(state))
        return len(state) * STEPS

    return play


def ours_pettingzoo() -> Play:
    """`fugger_v0`."""
    from fugger.envs import fugger_v0

    return pettingzoo(fugger_v0.raw_env(players=PLAYERS))


def ours_gymnasium() -> Play:
    """`Fugger-v0`: the decisions of one learner, its opponents' not counted."""
    from fugger.envs.gymnasium import FuggerEnv

    env = FuggerEnv(players=PLAYERS, opponents="greedy")
    env.reset(seed=SEED)
    rng = random.Random(SEED)

    def play() -> int:
        told = env.reset()[-1]
        decisions, over = 0, False
        while not over:
            _, _, over, _, told = env.step(rng.choice(told["action_mask"].nonzero()[0]))
            decisions += 1
        return decisions

    return play


def ours_gymnasium_vector(threads: int) -> Play:
    """Many learners' games, their random actions chosen with NumPy."""
    import numpy as np

    from fugger.envs.gymnasium_vector import FuggerVectorEnv

    games = GAMES * threads
    envs = FuggerVectorEnv(games, players=PLAYERS, opponents="greedy", threads=threads)
    _, told = envs.reset(seed=SEED)
    rng = np.random.default_rng(SEED)

    def play() -> int:
        nonlocal told
        for _ in range(STEPS):
            mask = told["action_mask"]
            actions = (rng.random(mask.shape, np.float32) * mask).argmax(axis=1)
            told = envs.step(actions)[-1]
        return games * STEPS

    return play


def ours_openspiel() -> Play:
    """`python_fugger`, its rules compiled, its loop in Python."""
    import fugger.envs.openspiel  # noqa: F401 (registers the game)

    return openspiel_loop(f"python_fugger(players={PLAYERS})")


def game() -> Play:
    """`fugger.Game`."""
    from fugger import Game
    from fugger.dealer import FastSource

    choices, cards = random.Random(SEED), FastSource(SEED)

    def play() -> int:
        game = Game(players=PLAYERS)
        game.deal_all(cards)
        while not game.is_over:
            game.observe(game.player)
            game.play(choices.choice(game.legal_actions))
            game.deal_all(cards)
        return game.actions_taken

    return play


# Others


def pgx_game(name: str) -> Play:
    """A batch of a game of pgx, steps compiled into one loop; games begin anew when they end."""
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    stepping = auto_reset(env.step, env.init)

    def move(carry, key):  # type: ignore[no-untyped-def]
        state, seen = carry
        keys = jax.random.split(key, PGX_GAMES)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(key, logits, axis=-1)
        state = jax.vmap(stepping)(state, actions, keys)
        # What is written at every step has to be used, or it is compiled away.
        return (state, seen + state.observation.sum(dtype=jnp.float32)), None

    @jax.jit
    def moves(state, key):  # type: ignore[no-untyped-def]
        keys = jax.random.split(key, PGX_STEPS)
        return jax.lax.scan(move, (state, jnp.float32(0)), keys)[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(SEED), PGX_GAMES))
    key = jax.random.PRNGKey(SEED)

    def play() -> int:
        nonlocal state, key
        key, own = jax.random.split(key)
        state, seen = moves(state, own)
        jax.block_until_ready(seen)
        return PGX_GAMES * PGX_STEPS

    return play


def openspiel_loop(name: str) -> Play:
    """A game of OpenSpiel, moved on from Python."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(SEED)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal() and decisions < LONGEST:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            tensor_of(state)
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    tensor_of = (
        (lambda state: state.observation_tensor())
        if game.get_type().provides_observation_tensor
        else (lambda state: state.information_state_tensor())
    )
    return play


def openspiel_bots(name: str) -> Play:
    """A game of OpenSpiel that its C++ plays alone, with its random bots: no observation."""
    import pyspiel

    game = pyspiel.load_game(name)
    lengths = [openspiel_length(game, random.Random(seed)) for seed in range(500)]
    mean = sum(lengths) / len(lengths)
    bots = [pyspiel.make_uniform_random_bot(seat, SEED) for seat in range(game.num_players())]
    seeds = iter(range(sys.maxsize))
    games = 100

    def play() -> int:
        for _ in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return round(games * mean)

    return play


def openspiel_length(game, rng: random.Random) -> int:  # type: ignore[no-untyped-def]
    """Decisions of a random game."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def rlcard_game(name: str) -> Play:
    """A game of RLCard."""
    import rlcard

    env = rlcard.make(name, config={"seed": SEED})
    rng = random.Random(SEED)

    def play() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over() and decisions < LONGEST:
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def classic(name: str) -> Play:
    """A classic of PettingZoo."""
    from importlib import import_module

    return pettingzoo(import_module(f"pettingzoo.classic.{name}").raw_env())


def pettingzoo(env) -> Play:  # type: ignore[no-untyped-def]
    """A whole game of an AEC environment."""
    rng = random.Random(SEED)
    seeds = iter(range(sys.maxsize))

    def play() -> int:
        env.reset(seed=next(seeds))
        decisions = 0
        while decisions < LONGEST:
            seen, _, ended, cut, told = env.last()
            if ended or cut:
                break
            mask = seen["action_mask"] if "action_mask" in seen else told["action_mask"]
            env.step(rng.choice(mask.nonzero()[0]))
            decisions += 1
        return decisions

    return play


@dataclass(frozen=True)
class Entrant:
    """One environment with its game.

    Attributes:
        group: whose it is.
        name: the environment and the game.
        make: starts it.
        cores: how many it may use; None for all.
        kept: whether it gives an observation and the legal actions at every decision.
    """

    group: str
    name: str
    make: Callable[[], Play]
    cores: int | None = 1
    kept: bool = True


ALL = os.cpu_count() or 1
ENTRANTS = (
    Entrant("fugger", "playouts", partial(playouts, 1), kept=False),
    Entrant("fugger", "playouts", partial(playouts, ALL), None, kept=False),
    Entrant("fugger", "vector, rollout", partial(rollout, 1)),
    Entrant("fugger", "vector, rollout", partial(rollout, ALL), None),
    Entrant("fugger", "vector, step", partial(step, 1)),
    Entrant("fugger", "vector, step", partial(step, ALL), None),
    Entrant("fugger", "PettingZoo fugger_v0", ours_pettingzoo),
    Entrant("fugger", "Gymnasium Fugger-v0", ours_gymnasium),
    Entrant("fugger", "Gymnasium Fugger-v0, vector", partial(ours_gymnasium_vector, 1)),
    Entrant(
        "fugger",
        "Gymnasium Fugger-v0, vector",
        partial(ours_gymnasium_vector, ALL),
        None,
    ),
    Entrant("fugger", "OpenSpiel python_fugger", ours_openspiel),
    Entrant("fugger", "Game, from Python", game),
    *(
        Entrant("pgx", f"{name}, batch of {PGX_GAMES}", partial(pgx_game, name), cores)
        for name in ("connect_four", "leduc_holdem", "sparrow_mahjong")
        for cores in (1, None)
    ),
    *(
        Entrant("OpenSpiel", f"{name}, C++ loop", partial(openspiel_bots, name), kept=False)
        for name in ("leduc_poker(players=3)", "connect_four", "gin_rummy")
    ),
    *(
        Entrant("OpenSpiel", f"{name}, from Python", partial(openspiel_loop, name))
        for name in ("leduc_poker(players=3)", "connect_four", "gin_rummy")
    ),
    *(
        Entrant("RLCard", name, partial(rlcard_game, name))
        for name in ("leduc-holdem", "uno", "gin-rummy")
    ),
    *(
        Entrant("PettingZoo", name, partial(classic, name))
        for name in ("connect_four_v3", "leduc_holdem_v4", "hanabi_v5")
    ),
)


def serve(make: Callable[[], Play], cores: int | None, line: Connection) -> None:
    """Starts an environment, then plays for as many seconds as it is asked to."""
    warnings.simplefilter("ignore")  # those of other projects
    logging.disable()
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-cores:])
    try:
        play = make()
        play()  # compiles what is left
        line.send(None)
        while (seconds := line.recv()) is not None:
            begun = perf_counter()
            decisions = 0
            while perf_counter() - begun < seconds:
                decisions += play()
            line.send(decisions / (perf_counter() - begun))
    except Exception as trouble:  # whatever it is, the table says so
        line.send(f"{type(trouble).__name__}: {trouble}")


def measure(entrants: list[Entrant], seconds: float, runs: int) -> dict[Entrant, list[float] | str]:
    """Decisions a second of every run, or what went wrong."""
    context = multiprocessing.get_context("spawn")
    lines, speeds = {}, {}
    for entrant in entrants:
        here, there = context.Pipe()
        process = context.Process(
            target=serve, args=(entrant.make, entrant.cores, there), daemon=True
        )
        process.start()
        print(f"starting {entrant.group} {entrant.name} …", file=sys.stderr)
        trouble = here.recv() if here.poll(FIRST_ANSWER) else "it didn't start in time"
        speeds[entrant] = trouble or []
        if trouble is None:
            lines[entrant] = here
    for run in range(runs):
        print(f"run {run + 1} of {runs} …", file=sys.stderr)
        for entrant, line in lines.items():
            line.send(seconds)
            told = line.recv()
            if isinstance(told, str):
                raise SystemExit(f"{entrant.group} {entrant.name}: {told}")
            speeds[entrant].append(told)
    for line in lines.values():
        line.send(None)
    return speeds


def bytes_per_game() -> int:
    """The memory of the vector environment's arrays for a game."""
    from fugger.envs.vector import Vector

    return Vector(PLAYERS).init(GAMES, SEED).nbytes // GAMES


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run of each")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="WORD", help="entrants with it in them")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args()
    if asked.seconds <= 0 or asked.runs < 1:
        parser.error("--seconds has to be positive, --runs 1 or more")
    entrants = [
        entrant
        for entrant in ENTRANTS
        if entrant is ENTRANTS[0]
        or not asked.only
        or any(word in f"{entrant.group} {entrant.name}" for word in asked.only)
    ]
    speeds = measure(entrants, asked.seconds, asked.runs)
    bare = speeds[ENTRANTS[0]]
    one_core = {
        (entrant.group, entrant.name): told
        for entrant, told in speeds.items()
        if entrant.cores == 1 and not isinstance(told, str)
    }
    rows = []
    for entrant, told in speeds.items():
        row = {"project": entrant.group, "environment": entrant.name, "cores": entrant.cores or ALL}
        if isinstance(told, str):
            row["error"] = told
        else:
            row |= {"per_s": round(median(told)), "least": round(min(told))}
            row |= {"greatest": round(max(told)), "observations": entrant.kept}
            parts = [one / of for one, of in zip(told, bare, strict=True)]
            row["of_playouts"] = round(median(parts), 5)
            alone = one_core.get((entrant.group, entrant.name))
            if entrant.cores is None and alone:
                gains = [one / of for one, of in zip(told, alone, strict=True)]
                row["of_one_core"] = round(median(gains), 3)
        rows.append(row)
    told = {"bytes_per_game": bytes_per_game(), "environments": rows}
    print(json.dumps(told) if asked.json else table(told))


def table(told: dict) -> str:  # type: ignore[type-arg]
    """The figures as a table of Markdown."""
    lines = [
        (
            "| project | environment | cores | decisions a second | least to greatest "
            "| of playouts | of one core |"
        ),
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for row in told["environments"]:
        begin = f"| {row['project']} | {row['environment']} | {row['cores']} |"
        if "error" in row:
            lines.append(f"{begin} {row['error']} | | | |")
            continue
        bare = "" if row["observations"] else " (bare)"
        lines.append(
            f"{begin} {row['per_s']:,}{bare} | {row['least']:,} to {row['greatest']:,} "
            f"| {row['of_playouts']:.3g} | {row.get('of_one_core', '')} |"
        )
    lines.append(f"\nMemory of the vector environment: {told['bytes_per_game']} bytes a game.")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
