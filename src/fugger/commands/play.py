"""``fugger play``: a game in the terminal."""

from __future__ import annotations

import click

from fugger.commands import options
from fugger.commands.options import WholeNumber
from fugger.editions import edition_named
from fugger.rules.state import MAX_PLAYERS


@click.command(
    epilog="""\b
Examples:
  fugger play                           you and two bots
  fugger play --players 2 --bot random  you and an easy one
  fugger play --bot greedy,random --seat 2 --seed 7
  fugger play --hot-seat --name Anna --name Bela --name Cili
  fugger play --resume                  go on with the last unfinished game

\b
At the prompt: a number or the notation of an action (W* plays, (W*) ships, + draws), ? for help,
q to leave. The game is saved after every action, in your data folder or in the one that the
variable FUGGER_DATA_DIR names. NO_COLOR=1 turns colours off.

\b
Exit codes: 0 played to the end, or left and saved; 2 bad input; 130 left by Ctrl-C, and saved."""
)
@click.option("--seat", type=int, help="Where you sit, from 1.  [default: 1]")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="The bots, in the order of their seats; one name alone is for all of them. "
    "[default: greedy]",
)
@click.option(
    "--players",
    type=WholeNumber(2, MAX_PLAYERS),
    help="How many play, bots included.  [default: 3, or as many as are named]",
)
@options.edition
@options.target
@click.option("--seed", help="Any number or text: the same one gives the same cards and bots.")
@click.option(
    "--hot-seat", is_flag=True, help="People at one screen; bots named take the last seats."
)
@click.option("--name", "names", multiple=True, help="Your name; with --hot-seat everybody's.")
@click.option("--lang", help="en, de, fr or hu; by default the language of the environment.")
@click.option("--new", "begin", is_flag=True, help="Begin a new game without being asked.")
@click.option("--resume", is_flag=True, help="Go on with the last unfinished game.")
def command(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    seat: int | None,
    bots: tuple[str, ...],
    players: int | None,
    edition: str,
    target: int | None,
    seed: str | None,
    hot_seat: bool,
    names: tuple[str, ...],
    lang: str | None,
    begin: bool,
    resume: bool,
) -> int:
    """Play a game against bots, in the terminal.

    A game left unfinished is offered to be gone on with.
    """
    # Imported here, so that the help of all commands comes at once.
    from fugger.terminal.look import open_console
    from fugger.terminal.screen import Screen
    from fugger.terminal.start import Wishes, play
    from fugger.texts import default_language, words

    if begin and resume:
        raise click.UsageError("--new and --resume can't be used together")
    wishes = Wishes(
        edition=edition_named(edition),
        target=target,
        players=players,
        seat=seat,
        bots=[name.strip() for text in bots for name in text.split(",")],
        names=list(names),
        is_hot_seat=hot_seat,
        seed=seed,
    )
    screen = Screen(open_console(), words(lang or default_language()))
    return play(wishes, screen, begin=begin, resume=resume)
