"""Random playouts beside a hand-tuned C++ program of the same playouts, in one run.

    uv run python benchmarks/playouts.py [--seconds 1] [--runs 7] [--edition adlung]

Compiles `playouts.cpp` with g++, then lets it and `fugger.playouts` play in turns, each for the
given seconds of processor time for 2, 3 and 4 players. Prints the median speeds and their ratio
(median, least and greatest of the runs), and checks that both play the same game: mean decisions
and rounds of a game and mean money of a seat. They differ, if at all, by chance: exit code 1 if by
more than that.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median
from time import thread_time

from fugger.chance import generator
from fugger.editions import EDITIONS
from fugger.playouts import play_out
from fugger.rules.state import new_states

SOURCE = Path(__file__).with_suffix(".cpp")
COMPILER = ("g++", "-std=c++20", "-O3", "-march=native")
BATCH = 5_000
"""Games between two looks at the clock."""
SPREAD = 0.25
"""A bound on how far a game's decisions, rounds and money lie from their means, as a part of them:
their standard deviations are about 0.15 to 0.2."""


def compiled(folder: Path) -> Path:
    """The C++ program; ends the process with one line if it can't be made."""
    if shutil.which(COMPILER[0]) is None:
        sys.exit(f"{COMPILER[0]} isn't installed: it has to compile {SOURCE.name}")
    program = folder / "playouts"
    if subprocess.run([*COMPILER, str(SOURCE), "-o", str(program)], check=False).returncode:
        sys.exit(f"{COMPILER[0]} couldn't compile {SOURCE.name}: it needs C++20, x86-64, BMI2")
    return program


def theirs(program: Path, edition: str, seconds: float, seed: int) -> dict[int, Counter[str]]:
    """What the C++ program played, by number of players: games, steps, rounds, money, seconds."""
    options = ("--edition", edition, "--seconds", str(seconds), "--seed", str(seed))
    printed = subprocess.run([program, *options], check=True, capture_output=True, text=True).stdout
    played = {}
    for players, told in json.loads(printed).items():
        games = told["games"]
        played[int(players)] = Counter(
            games=games,
            steps=round(games * told["steps_per_game"]),
            rounds=round(games * told["mean_rounds"]),
            money=round(games * told["mean_money"] * int(players)),
            seconds=games / told["games_per_s"],
        )
    return played


def ours(edition: str, seconds: float, seed: int) -> dict[int, Counter[str]]:
    """The same of `fugger.playouts`."""
    played = {}
    for players in (2, 3, 4):
        start = new_states(EDITIONS[edition], players)
        rng = generator(seed, players)
        play_out(start, BATCH, rng)  # warm up
        count: Counter[str] = Counter()
        begun = thread_time()
        while thread_time() - begun < seconds:
            totals = play_out(start, BATCH, rng)
            count["games"] += totals.games
            count["steps"] += totals.steps
            count["rounds"] += totals.rounds
            count["money"] += totals.money
        count["seconds"] = thread_time() - begun
        played[players] = count
    return played


def means(count: Counter[str], players: int) -> list[float]:
    """Mean steps and rounds of a game, and money of a seat."""
    games = count["games"]
    return [count["steps"] / games, count["rounds"] / games, count["money"] / games / players]


def main() -> int:
    """Measures, compares, prints; the exit code."""
    parser = argparse.ArgumentParser(description="Random playouts beside C++, in one run.")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--runs", type=int, default=7, help="how often the two take turns")
    parser.add_argument("--edition", choices=list(EDITIONS), default="adlung")
    options = parser.parse_args()
    speeds: dict[tuple[str, int], list[float]] = defaultdict(list)
    sums: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        for run in range(1, options.runs + 1):
            for who, played in (
                ("fugger", ours(options.edition, options.seconds, run)),
                ("C++", theirs(program, options.edition, options.seconds, run)),
            ):
                for players, count in played.items():
                    speeds[who, players].append(count["steps"] / count["seconds"])
                    sums[who, players] += count
    print("         million decisions a second     fugger / C++")
    print("players         fugger          C++     median  (least to greatest)")
    for players in (2, 3, 4):
        us, them = speeds["fugger", players], speeds["C++", players]
        ratios = [one / other for one, other in zip(us, them, strict=True)]
        print(
            f"{players:7}{median(us) / 1e6:15.1f}{median(them) / 1e6:13.1f}"
            f"{median(ratios):11.2f}  ({min(ratios):.2f} to {max(ratios):.2f})"
        )
    print("\n                  games   decisions   rounds    money")
    same = True
    for players in (2, 3, 4):
        both = {who: means(sums[who, players], players) for who in ("fugger", "C++")}
        for who, (steps, rounds, money) in both.items():
            games = sums[who, players]["games"]
            print(f"{players} {who:8}{games:13,}{steps:12.3f}{rounds:9.4f}{money:9.3f}")
        allowed = 5 * SPREAD * sum(1 / sums[who, players]["games"] for who in both) ** 0.5
        pairs = zip(both["fugger"], both["C++"], strict=True)
        same &= all(abs(one - other) <= allowed * other for one, other in pairs)
    print("the same game" if same else "NOT the same game: the means differ by more than chance")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
