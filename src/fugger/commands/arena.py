"""``fugger arena``: how strong bots are, measured."""

from __future__ import annotations

import json
import math
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fugger.commands import options
from fugger.commands.options import WholeNumber
from fugger.editions import EDITIONS
from fugger.rules.state import MAX_PLAYERS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from fugger.arena.ladder import Ladder
    from fugger.arena.results import Estimate
    from fugger.arena.sequential import Hypotheses
    from fugger.arena.standing import Standing

INTERRUPTED = 130
EXIT_CODES = {"H1": 0, "H0": 1, None: 3}


@click.group()
def command() -> None:
    """Measure bots against each other."""


@command.command(
    epilog="""\b
Examples:
  fugger arena match greedy random
  fugger arena match greedy random --players 4 --deals 1000 --seed 7
  fugger arena match factor trader --sprt --elo1 50 --deals 2000
  fugger arena match banker factor --deals 200 --out banker-factor
  fugger arena match "python3 examples/line_bot.py" random
  fugger arena match greedy greedy random --deals 200 --json | jq .bots[0].elo

\b
A bot is a level or plain policy (apprentice, journeyman, trader, factor, banker, greedy, random), a
search such as search:simulations=500, an entry point of the group fugger.bots, a path
module:Class, or a command that starts a program; see docs/protocol.md.

\b
A deal is one order of the cards; all its games are played with it, every bot at every seat. Two
bots at a table of three or four play one of the first among the second's, and one of the second
among the first's: both have as many seats, so that equals win 50 %. As many bots as players sit
side by side, and equals win a third or a quarter. The intervals are of 95 %, and of deals.

\b
Elo is by how much a bot is stronger than the others; the same seed plays the same games, whatever
the number of jobs. More in docs/arena.md.

\b
--out keeps every deal in a folder: stop with Ctrl-C, and the same command goes on. Without --seed
it takes the folder's. --sprt ends the match as soon as one of two hypotheses can be believed: H0,
that the first bot is stronger by no more than --elo0, or H1, that it is so by --elo1 or more.

\b
--json prints one object:
  players, edition, target, seed      what was played
  deals, games, complete              how much of it; whether all that was asked for
  bots    for each bot: bot, fair (its share among equals), wins, elo, money (all three with
          mean, low and high), seats (its share of the wins at each seat), forfeits, and
          reasons (of the first ones: deal, game and seat, from 0, and text)
  rounds, decisions                   of a game, on average
  sprt    with --sprt: elo0, elo1, alpha, beta, llr, low and high (the bounds), verdict

\b
Exit codes: 0 done, or H1 stood; 1 H0 stood; 3 neither did within --deals; 2 bad input; 130 stopped
by Ctrl-C, the results being of the deals played until then."""
)
@click.argument("bots", nargs=-1, required=True)
@click.option(
    "--players",
    type=WholeNumber(2, MAX_PLAYERS),
    help="How many play.  [default: as many as there are bots]",
)
@click.option(
    "--deals", type=WholeNumber(1), default=500, show_default=True, help="How many deals."
)
@options.edition
@options.target
@click.option("--seed", type=int, help="A whole number from 0.  [default: a new one]")
@click.option("--sprt", is_flag=True, help="Stop when one of two hypotheses can be believed.")
@click.option("--elo0", type=float, help="H0 of --sprt.  [default: 0]")
@click.option("--elo1", type=float, help="H1 of --sprt.  [default: 30]")
@click.option("--alpha", type=float, help="Error rate: H1 though H0 holds.  [default: 0.05]")
@click.option("--beta", type=float, help="Error rate: H0 though H1 holds.  [default: 0.05]")
@click.option("--out", metavar="FOLDER", help="Keep the match there, to stop and go on.")
@options.arena
def match(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    bots: tuple[str, ...],
    players: int | None,
    deals: int,
    edition: str,
    target: int | None,
    seed: int | None,
    sprt: bool,
    elo0: float | None,
    elo1: float | None,
    alpha: float | None,
    beta: float | None,
    out: str | None,
    move_time: float,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
) -> int:
    """Play BOTS against each other, with the same cards at every seat."""
    # Imported here, so that the help of all commands comes at once.
    from fugger.arena.contest import Contest, new_seed
    from fugger.arena.keeping import Kept, seed_kept
    from fugger.arena.matches import MatchStopped, play_match
    from fugger.arena.sequential import Hypotheses
    from fugger.bots.programs import Limits

    if len(bots) == 1:
        bots *= 2  # against itself
    file = None if out is None else Path(out) / "match.jsonl"
    contest = Contest(
        bots,
        players or len(bots),
        edition,
        target,
        seed if seed is not None else seed_kept(file) if file else new_seed(),
    )
    limits = Limits(move_time)
    rates = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta}
    given = {name: value for name, value in rates.items() if value is not None}
    if given and not sprt:
        raise click.UsageError(f"--{next(iter(given))} is for --sprt, which isn't there")
    test = Hypotheses(**given) if sprt else None
    if test and len(bots) != 2:
        raise click.UsageError(f"--sprt compares two bots: {len(bots)} are named")
    with progress_bar() as progress:
        task = progress.add_task("", total=deals, so_far="getting ready")

        def tell(standing: Standing) -> None:
            progress.update(task, completed=standing.deals, so_far=interim(standing))

        code = 0
        try:
            with Kept(file, contest) if file else nullcontext() as kept:
                standing = play_match(
                    contest,
                    deals,
                    test=test,
                    kept=kept,
                    limits=limits,
                    jobs=jobs,
                    cluster=ray,
                    on_progress=tell,
                )
        except MatchStopped as stopped:
            standing, code = stopped.standing, INTERRUPTED
    stopped_early = code == INTERRUPTED
    verdict = test.verdict(standing) if test else None
    if test and not stopped_early:
        code = EXIT_CODES[verdict]
    if as_json:
        about_test = {"sprt": _sprt(test, standing)} if test else {}
        click.echo(json.dumps(facts(standing) | {"complete": not stopped_early} | about_test))
    else:
        console = plain_console()
        _print(standing, console, stopped=stopped_early)
        if test:
            console.print(_told(test, standing, verdict))
    return code


def _sprt(test: Hypotheses, standing: Standing) -> dict[str, Any]:
    low, high = test.bounds
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": test.ratio(standing),
        "low": low,
        "high": high,
        "verdict": test.verdict(standing),
    }


def _told(test: Hypotheses, standing: Standing, verdict: str | None) -> str:
    low, high = test.bounds
    ratio = f"log-likelihood ratio {test.ratio(standing):+.2f}, bounds {low:+.2f} and {high:+.2f}"
    if verdict is None:
        return f"neither hypothesis can be believed yet ({ratio})"
    what = (
        f"stronger by {test.elo1:g} Elo or more"
        if verdict == "H1"
        else f"stronger by no more than {test.elo0:g} Elo"
    )
    return f"{verdict} stands: {standing.contest.labels[0]} is {what} ({ratio})"


@command.command(
    epilog="""\b
Examples:
  fugger arena ladder --deals 40 --out ladder
  fugger arena ladder apprentice journeyman trader --players 2 --deals 1000
  fugger arena ladder --players 3,4 --editions adlung --deals 20 --json

\b
Every bot plays every other, two at a time, at tables of each kind, --deals deals each; see
`fugger arena match --help` for how. Without names all five levels play. Elo is 1000 for the first
bot. FOLDER gets the matches, and at the end ladder.json, ladder.csv and ladder.html; stop with
Ctrl-C, and the same command goes on. Ratings need fugger[arena].

\b
Exit codes: 0 done; 2 bad input; 130 stopped by Ctrl-C."""
)
@click.argument("bots", nargs=-1)
@click.option("--players", default="2,3,4", show_default=True, help="How many play.")
@click.option("--editions", default=",".join(EDITIONS), show_default=True, help="Whose rules.")
@click.option(
    "--deals", type=WholeNumber(1), default=40, show_default=True, help="Deals of each match."
)
@click.option("--seed", type=int, default=1, show_default=True, help="A whole number from 0.")
@click.option("--out", metavar="FOLDER", help="Keep the ladder there, to stop and go on.")
@options.arena
def ladder(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    bots: tuple[str, ...],
    players: str,
    editions: str,
    deals: int,
    seed: int,
    out: str | None,
    move_time: float,
    jobs: int | None,
    ray: str | None,
    as_json: bool,
) -> int:
    """Play BOTS each against each other, and rate them."""
    # Imported here, so that the help of all commands comes at once.
    from fugger.arena.ladder import Group, play_ladder
    from fugger.arena.matches import MatchStopped
    from fugger.arena.report import as_csv, as_page
    from fugger.arena.report import facts as ladder_facts
    from fugger.bots import LEVELS
    from fugger.bots.programs import Limits

    names = bots or LEVELS
    groups = [
        Group(edition, number)
        for edition in _listed("--editions", editions, list(EDITIONS))
        for number in map(int, _listed("--players", players, ["2", "3", "4"]))
    ]
    folder = None if out is None else Path(out)
    with progress_bar() as progress:
        total = deals * len(groups) * len(names) * (len(names) - 1) // 2
        task = progress.add_task("", total=total, so_far="getting ready")

        def tell(done: int, standing: Standing) -> None:
            contest = standing.contest
            text = f"{contest.edition} {contest.players}: {interim(standing)}"
            progress.update(task, completed=done, so_far=f"{text} against {contest.labels[1]}")

        try:
            result = play_ladder(
                names,
                groups,
                deals,
                seed=seed,
                folder=folder,
                limits=Limits(move_time),
                jobs=jobs,
                cluster=ray,
                on_progress=tell,
            )
        except MatchStopped:
            kept = f"; {folder} holds what was played" if folder else ""
            progress.console.print(f"stopped{kept}")
            return INTERRUPTED
    if folder:
        for name, text in {
            "ladder.json": json.dumps(ladder_facts(result), indent=1) + "\n",
            "ladder.csv": as_csv(result),
            "ladder.html": as_page(result),
        }.items():
            (folder / name).write_text(text, encoding="utf-8")
    if as_json:
        click.echo(json.dumps(ladder_facts(result)))
    else:
        _print_ladder(result, plain_console())
    return 0


def plain_console() -> Console:
    """Standard output; bots' names are no markup."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def progress_bar() -> Progress:
    """A bar on standard error, and nothing where that is no terminal; its tasks tell ``so_far``."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    errors = Console(stderr=True, highlight=False)
    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[so_far]}"),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )


def _listed(option: str, text: str, known: list[str]) -> list[str]:
    """The words of an option, each of them known and none twice."""
    words = [word.strip() for word in text.split(",")]
    if not set(words) <= set(known) or len(set(words)) < len(words):
        raise click.UsageError(f"{option} is {text!r}: expected some of {', '.join(known)}")
    return words


def _print_ladder(result: Ladder, console: Console) -> None:
    """Prints a ladder, an edition at a time, so that no line is longer than 80 characters."""
    table = _plain_table("", "Elo", "openskill")
    for rating in result.overall:
        table.add_row(rating.bot, _with_ends(rating.elo), f"{rating.mu:.1f} ± {rating.sigma:.1f}")
    console.print(table)
    for edition in dict.fromkeys(group.edition for group in result.by_group):
        groups = [group for group in result.by_group if group.edition == edition]
        sizes = [f"{group.players} players" for group in groups]
        table = _plain_table(f"Elo, {edition}", *sizes)
        for place, rating in enumerate(result.overall):
            elos = [result.by_group[group][place].elo for group in groups]
            table.add_row(rating.bot, *map(_with_ends, elos))
        console.print()
        console.print(table)
        table = _plain_table(f"wins %, {edition}", *sizes)
        for bot in range(1, len(result.bots)):
            shares = [result.share(group, bot, bot - 1) for group in groups]
            table.add_row(
                f"{result.bots[bot]} against {result.bots[bot - 1]}",
                *(f"{100 * of.mean:.1f} ({100 * of.low:.0f}–{100 * of.high:.0f})" for of in shares),
            )
        console.print()
        console.print(table)
    games = sum(meeting.standing.games for meeting in result.meetings)
    console.print(f"\n{games:,} games, seed {result.seed}; intervals of 95 %")


def _plain_table(first: str, *others: str) -> Table:
    """A table without lines, in which only the first column's texts are broken."""
    from rich.table import Column, Table

    columns = [Column(other, justify="right", no_wrap=True) for other in others]
    return Table(Column(first, overflow="fold"), *columns, box=None, padding=(0, 1, 0, 0))


def _with_ends(elo: Estimate) -> str:
    return f"{elo.mean:.0f} ({elo.low:.0f}–{elo.high:.0f})"


def interim(standing: Standing) -> str:
    """A word on how a match stands."""
    share = standing.share(0)
    half = 50 * (share.high - share.low)
    return f"{standing.contest.labels[0]} {100 * share.mean:.1f} ± {half:.1f} %"


def facts(standing: Standing) -> dict[str, Any]:
    """What a program may want to know of a match."""
    contest = standing.contest
    return {
        "players": contest.players,
        "edition": contest.edition,
        "target": contest.gulden,
        "seed": contest.seed,
        "deals": standing.deals,
        "games": standing.games,
        "bots": [
            {
                "bot": label,
                "fair": standing.fair_share,
                "wins": numbers(standing.share(bot)),
                "elo": numbers(standing.elo(bot)),
                "money": numbers(standing.money(bot)),
                "seats": [numbers(standing.share_at(bot, seat)) for seat in range(contest.players)],
                "forfeits": standing.bots[bot].forfeits,
                "reasons": [
                    {
                        "deal": reason.deal,
                        "game": reason.game,
                        "seat": reason.seat,
                        "text": reason.text,
                    }
                    for reason in standing.bots[bot].reasons
                ],
            }
            for bot, label in enumerate(contest.labels)
        ],
        "rounds": standing.rounds / standing.games,
        "decisions": standing.decisions / standing.games,
    }


def numbers(estimate: Estimate | None) -> dict[str, float | None]:
    """An estimate for JSON, which knows no infinite numbers."""
    if estimate is None:
        return {"mean": None, "low": None, "high": None}
    ends = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {name: value if math.isfinite(value) else None for name, value in ends.items()}


def _print(standing: Standing, console: Console, *, stopped: bool) -> None:
    contest = standing.contest
    seats = [f"seat {seat + 1}" for seat in range(contest.players)]
    table = _plain_table("bot", "wins %", "95 %", "Elo", "95 %", "money", *seats)
    for bot, label in enumerate(contest.labels):
        share, elo, money = standing.share(bot), standing.elo(bot), standing.money(bot)
        table.add_row(
            label,
            f"{100 * share.mean:.1f}",
            f"{100 * share.low:.1f}–{100 * share.high:.1f}",
            signed(elo.mean),
            f"{signed(elo.low)} to {signed(elo.high)}",
            "" if money is None else f"{money.mean:.1f}",
            *(f"{100 * standing.share_at(bot, seat).mean:.1f}" for seat in range(contest.players)),
        )
    console.print(table)
    deals = f"{standing.deals:,} deal{'s' if standing.deals > 1 else ''}"
    console.print(
        f"\n{deals}, {standing.games:,} games{' (stopped)' if stopped else ''}, "
        f"{contest.players} players, edition {contest.edition}, to {contest.gulden}, "
        f"seed {contest.seed}\nequals win {100 * standing.fair_share:.1f} %"
    )
    for bot, label in enumerate(contest.labels):
        forfeits = standing.bots[bot].forfeits
        if forfeits:
            console.print(f"\n{label} forfeited {forfeits:,} game{'s' if forfeits > 1 else ''}:")
        for reason in standing.bots[bot].reasons:
            console.print(
                f"  deal {reason.deal + 1}, game {reason.game + 1}, seat {reason.seat + 1}: "
                f"{reason.text}"
            )


def signed(elo: float) -> str:
    """Elo points as people read them."""
    return f"{elo:+.0f}" if math.isfinite(elo) else ("> +10000" if elo > 0 else "< -10000")
