"""``fugger bench``: how fast the engine is on this machine."""

from __future__ import annotations

import json
from statistics import median
from time import thread_time
from typing import TYPE_CHECKING, Final

import click

from fugger.commands import options
from fugger.editions import ADLUNG
from fugger.rules.state import MAX_PLAYERS, new_states

if TYPE_CHECKING:
    from collections.abc import Iterator

SLICES: Final = 9
"""Parts a measurement is made in; their median is what counts."""
_TRIAL: Final = 200
"""Games played to begin with: they compile the playouts, and show how many fill a slice."""


@click.group()
def command() -> None:
    """Measure the engine's speed."""


@command.command(
    epilog="""\b
Examples:
  fugger bench playouts
  fugger bench playouts --seconds 10 --json | jq '."3".steps_per_s'

\b
With --json, one object: for 2, 3 and 4 players steps_per_s and games_per_s.

\b
Exit codes: 0 measured, 2 bad options."""
)
@options.as_json
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    help="How long to measure, for each number of players.",
)
def playouts(seconds: float, as_json: bool) -> None:
    """Play random games as fast as one core can.

    They are whole games of the adlung edition, from the first deal to the final scoring, in which
    every decision is uniform among the legal actions. A step is one decision. Counted is the time
    of the processor, without what compiling takes; the figures are medians of several slices.
    """
    speeds = {}
    for players in range(2, MAX_PLAYERS + 1):
        steps, games = zip(*slices(players, seconds), strict=True)
        speeds[players] = {"steps_per_s": round(median(steps)), "games_per_s": round(median(games))}
    if as_json:
        click.echo(json.dumps(speeds))
        return
    click.echo("players    decisions/s      games/s")
    for players, speed in speeds.items():
        click.echo(f"{players:7}{speed['steps_per_s']:15,}{speed['games_per_s']:13,}")


@command.command(
    epilog="""\b
Examples:
  fugger bench search
  fugger bench search --json | jq .simulations_per_s

\b
With --json, one object: simulations_per_s, playouts_per_s.

\b
Exit codes: 0 measured, 2 bad options."""
)
@options.as_json
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    help="How long to measure each of the two.",
)
def search(seconds: float, as_json: bool) -> None:
    """Search for the first action of a game of three as fast as one core can.

    Simulations imagine the hidden cards, go down the tree and play random actions to the end of the
    game; beside them, in turn, bare playouts of whole games. Counted is the time of the processor,
    without what compiling takes; the figures are medians of several slices.
    """
    simulations, games = zip(*searches(seconds), strict=True)
    speeds = {
        "simulations_per_s": round(median(simulations)),
        "playouts_per_s": round(median(games)),
    }
    if as_json:
        click.echo(json.dumps(speeds))
        return
    for name, speed in speeds.items():
        click.echo(f"{name.removesuffix('_per_s'):12}{speed:12,} a second")
    ratio = speeds["simulations_per_s"] / speeds["playouts_per_s"]
    click.echo(f"ratio{ratio:19.2f}")


def searches(seconds: float) -> Iterator[tuple[float, float]]:
    """Measures searches and playouts in turn: simulations and games a second of each slice."""
    from fugger.bots import Budget, Style, prepare, think
    from fugger.bots.thinking import MAX_SIMULATIONS
    from fugger.dealer import FastSource
    from fugger.game import Game

    prepare()
    game = Game(players=3)
    game.deal_all(FastSource(3))
    seen, style = game.observe(0), Style("random", rounds=0)
    playouts = slices(3, seconds)
    simulations, spent = _TRIAL, 0.0
    while True:
        begun = thread_time()
        think(seen, budget=Budget(simulations), style=style)
        spent = thread_time() - begun
        if spent >= seconds / SLICES or simulations == MAX_SIMULATIONS:
            break
        more = int(simulations * min(10, 1 + seconds / SLICES / max(spent, 1e-6)))
        simulations = min(more, MAX_SIMULATIONS)
    for _, games in playouts:
        begun = thread_time()
        think(seen, budget=Budget(simulations), style=style)
        yield simulations / (thread_time() - begun), games


def slices(players: int, seconds: float) -> Iterator[tuple[float, float]]:
    """Measures playouts: decisions a second and games a second of each slice."""
    from fugger.chance import generator
    from fugger.playouts import play_out

    start, rng = new_states(ADLUNG, players), generator(players)
    games = _TRIAL
    play_out(start, games, rng)
    spent = 0.0
    while spent < seconds / SLICES:
        games = int(games * min(10, 1 + seconds / SLICES / max(spent, 1e-6)))
        begun = thread_time()
        play_out(start, games, rng)
        spent = thread_time() - begun
    for _ in range(SLICES):
        begun = thread_time()
        totals = play_out(start, games, rng)
        spent = thread_time() - begun
        yield totals.steps / spent, totals.games / spent
