"""The search beside OpenSpiel's, in one run; and how well it keeps a limit of time.

    uv run python benchmarks/search.py [--seconds 0.3] [--runs 7] [--json]
    uv run python benchmarks/search.py --overrun [--decisions 50] [--json]

The first measures simulations a second on one core: of our search at the first decision of a game
of three, and of OpenSpiel's information-set Monte-Carlo tree search (`pyspiel.ISMCTSBot`, C++) at
the first choice of some of its own C++ games, in turns. Both imagine the hidden cards anew for
every simulation, add a node to their tree, and play random actions to the end of the game. Games
differ in length and in what an action costs: beside each stands the mean number of decisions of
a random game, and the decisions a second that come of it.

With ``--overrun`` it measures by how much a decision takes longer than its limit: with one thread
and with two, alone and beside a process that is always busy. Exit code 1 if ever by more than
50 ms.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import mean, median
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

from fugger import Game
from fugger.bots import Budget, SearchBot, Style, prepare, think
from fugger.bots.thinking import MAX_SIMULATIONS
from fugger.chance import generator
from fugger.editions import ADLUNG
from fugger.playouts import play_out
from fugger.rules.state import new_states

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OPENSPIEL = (
    "kuhn_poker(players=3)",
    "leduc_poker(players=3)",
    "euchre",
    "oh_hell(players=3,num_tricks_fixed=16)",
    "hearts",
    "gin_rummy",
)
"""Those of its games whose search can imagine hidden cards: the quickest, and those that are
about as long as ours or have as many players."""
EXPLORATION = 1.0
"""The weight of OpenSpiel's confidence bound; it hardly changes the speed."""
GAMES = 300
"""Random games that show how long a game is."""
LIMITS = (0.05, 0.3, 1.0)
"""Seconds a decision may take."""
ALLOWED = 0.05
"""Seconds it may take longer."""


@dataclass(frozen=True)
class Contender:
    """A search at a first decision.

    Attributes:
        name: its game's.
        players: how many play it.
        decisions: how many a random game has, on average.
        search: makes so many simulations.
    """

    name: str
    players: int
    decisions: float
    search: Callable[[int], object]

    def speed(self, seconds: float) -> float:
        """Simulations a second, in a search that takes about so long."""
        simulations, spent = 50, 0.0
        while spent < 0.7 * seconds and simulations < MAX_SIMULATIONS:
            wanted = simulations * min(10.0, seconds / spent) if spent else simulations
            simulations = min(MAX_SIMULATIONS, max(simulations, int(wanted)))
            begun = thread_time()
            self.search(simulations)
            spent = thread_time() - begun
        return simulations / spent


def fugger() -> Contender:
    """Ours, as the levels search but for random playouts to the end of the game."""
    prepare()
    game = Game(players=3)
    game.deal_all(random.Random(3))
    seen, style = game.observe(0), Style("random", rounds=0)
    totals = play_out(new_states(ADLUNG, 3), GAMES, generator(3))
    return Contender(
        "fugger",
        3,
        totals.steps / GAMES,
        lambda number: think(seen, budget=Budget(number), style=style),
    )


def openspiel(pyspiel: Any, name: str) -> Contender:
    """OpenSpiel's, at the first decision of a game that leaves a choice."""
    game, rng = pyspiel.load_game(name), random.Random(3)

    def advance(state: Any) -> bool:
        """Plays a random step; whether it was a decision."""
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, odds)[0])
            return False
        state.apply_action(rng.choice(state.legal_actions()))
        return True

    lengths = []
    for _ in range(GAMES):
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += advance(state)
        lengths.append(decisions)
    first = game.new_initial_state()
    while first.is_chance_node() or len(first.legal_actions()) == 1:
        advance(first)

    def search(simulations: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 3)
        most_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(3, evaluator, EXPLORATION, simulations, -1, most_visits)
        bot.step(first)

    return Contender(name.partition("(")[0], game.num_players(), mean(lengths), search)


def compare(seconds: float, runs: int) -> dict[str, Any]:
    """Measures all in turns: by game its length, speeds and ratios to ours."""
    try:
        import pyspiel  # noqa: PLC0415 (it isn't needed otherwise)
    except ImportError:
        sys.exit("OpenSpiel isn't installed: expected `uv sync --extra openspiel`")
    contenders = [fugger(), *(openspiel(pyspiel, name) for name in OPENSPIEL)]
    speeds: dict[str, list[float]] = defaultdict(list)
    for run in range(1, runs + 1):
        for contender in contenders:
            show(f"run {run} of {runs}: {contender.name}")
            speeds[contender.name].append(contender.speed(seconds))
    show("")
    return {
        contender.name: {
            "players": contender.players,
            "decisions": round(contender.decisions, 1),
            "simulations_per_s": round(median(speeds[contender.name])),
            "decisions_per_s": round(median(speeds[contender.name]) * contender.decisions),
            "fugger_is_faster": ratios(speeds["fugger"], speeds[contender.name]),
        }
        for contender in contenders
    }


def ratios(ours: list[float], theirs: list[float]) -> dict[str, float]:
    """How many times as fast we are in simulations, of runs side by side."""
    each = [one / other for one, other in zip(ours, theirs, strict=True)]
    return {"median": median(each), "least": min(each), "greatest": max(each)}


def print_comparison(told: dict[str, Any]) -> None:
    """A table for people."""
    print("                                    per second          fugger's simulations / theirs")
    print("game         players decisions simulations   decisions    median  (least to greatest)")
    for name, one in told.items():
        faster = one["fugger_is_faster"]
        print(
            f"{name:12}{one['players']:8}{one['decisions']:10.1f}{one['simulations_per_s']:12,}"
            f"{one['decisions_per_s']:12,}{faster['median']:10.2f}"
            f"  ({faster['least']:.2f} to {faster['greatest']:.2f})"
        )


@contextmanager
def company(busy: bool) -> Iterator[None]:
    """Perhaps a process beside this one that computes all the time."""
    if not busy:
        yield
        return
    process = multiprocessing.get_context("spawn").Process(target=compute, daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def compute() -> None:
    """Never ends."""
    while True:
        sum(range(10_000))


def overruns(decisions: int) -> list[dict[str, Any]]:
    """By how many milliseconds decisions take longer than their limits."""
    prepare()
    games = positions(decisions)
    told = []
    for busy in (False, True):
        with company(busy):
            for threads in (1, 2):
                for limit in LIMITS:
                    bot = SearchBot("timed", Budget(seconds=limit, threads=threads), Style())
                    over = []
                    for number, game in enumerate(games):
                        show(f"{limit} s, {threads} threads, busy: {busy}, {number} of {decisions}")
                        seen = game.observe(game.player)
                        begun = perf_counter()
                        bot.choose(seen)
                        over.append(1000 * (perf_counter() - begun - limit))
                    told.append(
                        {
                            "busy": busy,
                            "threads": threads,
                            "limit_s": limit,
                            "median_ms": round(median(over), 2),
                            "most_ms": round(max(over), 2),
                        }
                    )
    show("")
    return told


def positions(number: int) -> list[Game]:
    """Positions of random games in which there is a choice."""
    rng, found = random.Random(3), []
    while len(found) < number:
        game = Game(players=3)
        game.deal_all(rng)
        while not game.is_over and len(found) < number:
            if len(game.legal_actions) > 1:
                found.append(game.copy())
            game.play(rng.choice(game.legal_actions))
            game.deal_all(rng)
    return found


def print_overruns(told: list[dict[str, Any]]) -> None:
    """A table for people."""
    print("                      milliseconds over the limit")
    print("beside    threads   limit      median        most")
    for one in told:
        beside = "a process" if one["busy"] else "nothing"
        print(
            f"{beside:10}{one['threads']:7}{one['limit_s']:7} s{one['median_ms']:12.2f}"
            f"{one['most_ms']:12.2f}"
        )


def show(progress: str) -> None:
    """What is being measured, on one line of a terminal."""
    if sys.stderr.isatty():
        print(f"\r{progress:60}", end="" if progress else "\r", file=sys.stderr, flush=True)


def main() -> int:
    """Measures and prints; the exit code."""
    parser = argparse.ArgumentParser(description="The search beside OpenSpiel's, in one run.")
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement")
    parser.add_argument("--runs", type=int, default=7, help="how often all take turns")
    parser.add_argument("--overrun", action="store_true", help="measure how limits are kept")
    parser.add_argument("--decisions", type=int, default=50, help="measured with each limit")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    told = (
        overruns(options.decisions) if options.overrun else compare(options.seconds, options.runs)
    )
    if options.json:
        print(json.dumps(told))
    elif options.overrun:
        print_overruns(told)
    else:
        print_comparison(told)
    return int(options.overrun and max(one["most_ms"] for one in told) > 1000 * ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
