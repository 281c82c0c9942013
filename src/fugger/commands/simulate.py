"""``fugger simulate``: many games between bots."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING

import click

from fugger.commands import options
from fugger.commands.options import WholeNumber
from fugger.rules.state import MAX_PLAYERS

if TYPE_CHECKING:
    from rich.console import Console

    from fugger.arena import Estimate, Result

INTERRUPTED = 130


@click.command(
    epilog="""\b
Examples:
  fugger simulate --games 10000 --players 3 --bots greedy,greedy,random
  fugger simulate --games 1000 --players 2 --bots greedy --seed 7 --records games.fgr
  fugger simulate --games 100 --bots greedy,random --seed 7 --records - > games.fgr
  fugger simulate --bots random,greedy --edition rody --json | jq .seats[1].win_share

\b
Bots keep their seats, in the order in which they are named; the starting seat moves on by one from
game to game. The same options and the same seed play the same games and write the same records,
whatever the number of jobs. Intervals are of 95 %.

\b
--records writes the games as they are played, in order, to FILE.part, which becomes FILE at the
end; after Ctrl-C FILE has the complete games played until then. With - the records go to the
standard output and the results to the standard error.

\b
--json prints one object:
  games, complete    how many were played; whether all that were asked for
  players, edition, target, first, seed
                     what was played; first is null if the starting seat changed
  seats              for each seat: seat (from 1), bot, win_share and money,
                     both with mean, low and high (null after a single game)
  rounds, decisions  of a game, on average
  seconds, games_per_s

\b
Exit codes: 0 done; 2 bad input, or records that can't be written; 130 stopped by Ctrl-C, the
results being of the games played until then."""
)
@click.option(
    "--games", type=WholeNumber(1), default=1000, show_default=True, help="How many games."
)
@click.option(
    "--players",
    type=WholeNumber(2, MAX_PLAYERS),
    help="How many play.  [default: as many as are named, or 3]",
)
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="The bot of every seat; one name alone is for all of them.",
)
@options.edition
@options.target
@click.option(
    "--first",
    type=WholeNumber(1, MAX_PLAYERS),
    help="The starting seat of every game, from 1.  [default: each in turn]",
)
@click.option("--seed", type=int, help="A whole number from 0.  [default: a new one]")
@click.option("--records", metavar="FILE", help="Write the games' records to FILE.")
@click.option("--jobs", type=int, help="How many threads play.  [default: one a core]")
@options.as_json
def command(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    games: int,
    players: int | None,
    bots: str,
    edition: str,
    target: int | None,
    first: int | None,
    seed: int | None,
    records: str | None,
    jobs: int | None,
    as_json: bool,
) -> int:
    """Play many games between bots.

    Prints each seat's share of the wins and mean money, with 95 % intervals.
    """
    names = _names(bots, players)
    if first is not None and first > len(names):
        raise click.UsageError(f"--first is {first}: expected 1 to {len(names)}, as many as play")
    # Imported here, so that the help of all commands comes at once.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeRemainingColumn,
    )

    from fugger.arena import Stopped, simulate
    from fugger.arena.match import play_games

    errors = Console(stderr=True, highlight=False)
    if errors.is_terminal and not play_games.is_cached:
        errors.print("Compiling, once: this takes about half a minute.")
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=errors, transient=True, disable=not errors.is_terminal
    ) as progress:
        task = progress.add_task("", total=games)
        code = 0
        try:
            result = simulate(
                names,
                games,
                edition=edition,
                target=target,
                first=None if first is None else first - 1,
                seed=seed,
                records=sys.stdout.buffer if records == "-" else records,
                jobs=jobs,
                on_progress=lambda played: progress.update(task, completed=played),
            )
        except Stopped as stopped:
            result, code = stopped.result, INTERRUPTED
    _show(result, as_json=as_json, to_errors=records == "-")
    return code


def _names(bots: str, players: int | None) -> list[str]:
    """The bot of every seat."""
    names = [name.strip() for name in bots.split(",")]
    if len(names) == 1:
        return names * (players or 3)
    if players is not None and players != len(names):
        raise click.UsageError(
            f"--bots names {len(names)}: expected {players}, one for each of the --players, "
            "or one name for all"
        )
    return names


def _show(result: Result, *, as_json: bool, to_errors: bool) -> None:
    """Prints what came of the games."""
    if as_json:
        click.echo(json.dumps(facts(result)), err=to_errors)
        return
    from rich.console import Console

    _print_table(result, Console(stderr=to_errors, highlight=False, markup=False, emoji=False))


def _print_table(result: Result, console: Console) -> None:
    from rich.table import Table

    table = Table("seat", "bot", box=None, padding=(0, 3, 0, 0))
    for title in ("wins", "95 %", "money", "95 %"):
        table.add_column(title, justify="right")
    for number, seat in enumerate(result.seats, start=1):
        share, money = seat.win_share, seat.money
        table.add_row(
            str(number),
            seat.bot,
            f"{100 * share.mean:.1f} %",
            f"{100 * share.low:.1f} to {100 * share.high:.1f}",
            f"{money.mean:.1f}",
            f"{money.low:.1f} to {money.high:.1f}" if math.isfinite(money.low) else "",
        )
    console.print(table)
    played = f"{result.games:,} game{'s' if result.games > 1 else ''}"
    played += "" if result.complete else " (stopped)"
    starting = "each seat in turn" if result.first is None else f"seat {result.first + 1}"
    console.print(
        f"\n{played}, edition {result.edition}, to {result.target}, "
        f"starting: {starting}, seed {result.seed}\n"
        f"{result.rounds:.1f} rounds and {result.decisions:.0f} decisions a game, "
        f"{result.games_per_second:,.0f} games a second"
    )


def facts(result: Result) -> dict[str, object]:
    """What a program may want to know."""
    return {
        "games": result.games,
        "complete": result.complete,
        "players": result.players,
        "edition": result.edition,
        "target": result.target,
        "first": None if result.first is None else result.first + 1,
        "seed": result.seed,
        "seats": [
            {
                "seat": number,
                "bot": seat.bot,
                "win_share": _estimate(seat.win_share),
                "money": _estimate(seat.money),
            }
            for number, seat in enumerate(result.seats, start=1)
        ],
        "rounds": result.rounds,
        "decisions": result.decisions,
        "seconds": result.seconds,
        "games_per_s": result.games_per_second,
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    finite = math.isfinite(estimate.low)
    return {
        "mean": estimate.mean,
        "low": estimate.low if finite else None,
        "high": estimate.high if finite else None,
    }
