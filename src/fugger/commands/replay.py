"""``fugger replay``: recorded games, checked and shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

import click

from fugger import record
from fugger.commands.options import WholeNumber
from fugger.errors import FuggerError, RecordError
from fugger.rules.state import ALL_KNOWING, MAX_PLAYERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from fugger.explain import Evaluation
    from fugger.game import Game
    from fugger.record import Entry


@click.command(
    epilog="""\b
Examples:
  fugger replay game.fgr                   every round, its moves and its evaluation
  fugger replay --step --seat 1 game.fgr   move by move, as player 1 saw it
  fugger replay --round 2 game.fgr         the table in round 2
  fugger replay --json games.fgr | jq .money
  cat games.fgr | fugger replay --game 3 -

\b
With --json each game is one object on a line of its own: its header, tokens, evaluations, money and
winners; seats are numbered from 1, as in the tokens.

\b
Exit codes: 0 every game shown is in order, 2 the file can't be read, 3 a game breaks a rule."""
)
@click.argument("file", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game, a line each.")
@click.option("--step", is_flag=True, help="Go through the game move by move.")
@click.option("--round", "number", type=WholeNumber(1), help="Show the table in this round.")
@click.option(
    "--seat",
    type=WholeNumber(1, MAX_PLAYERS),
    help="With --step and --round: show what this player knew.  [default: everything]",
)
@click.option("--game", "only", type=WholeNumber(1), help="Only this game of the file, from 1.")
@click.option("--lang", help="en, de, fr or hu; by default the language of the environment.")
def command(  # noqa: PLR0913, PLR0917 (one parameter for each option)
    file: BinaryIO,
    as_json: bool,
    step: bool,
    number: int | None,
    seat: int | None,
    only: int | None,
    lang: str | None,
) -> None:
    """Check and show the games in FILE.

    FILE holds records (.fgr); - is standard input. Every move is checked against the rules.
    """
    if as_json + step + (number is not None) > 1:
        raise click.UsageError("--json, --step and --round can't be used together")
    if seat is not None and not step and number is None:
        raise click.UsageError("--seat needs --step or --round")
    show = _print_facts if as_json else _shower(step, number, seat, lang)
    games = 0
    for games, entry in enumerate(record.scan(file), start=1):
        if only in {None, games} and (not show(games, entry) or only is not None):
            return
    if not games:
        raise RecordError("there is no game in this file")
    if only is not None:
        raise FuggerError(f"there is no game {only} in this file: expected 1 to {games}")


def _print_facts(index: int, entry: Entry) -> bool:
    click.echo(json.dumps({"game": index, "line": entry.line, **facts(entry.game)}))
    return True


def _shower(
    step: bool, number: int | None, seat: int | None, lang: str | None
) -> Callable[[int, Entry], bool]:
    """What shows one game after the other; it returns False when no more is wanted."""
    # Imported here, so that the help of all commands comes at once.
    from fugger.terminal.look import open_console
    from fugger.terminal.replay import show_game
    from fugger.terminal.screen import Screen
    from fugger.texts import default_language, words

    screen = Screen(open_console(), words(lang or default_language()))
    viewer = ALL_KNOWING if seat is None else seat - 1

    def show(index: int, entry: Entry) -> bool:
        return show_game(entry.game, index, screen, viewer=viewer, number=number, in_steps=step)

    return show


def facts(game: Game) -> dict[str, object]:
    """What a program may want to know of a game."""
    return {
        "edition": game.edition.name,
        "players": game.players,
        "first": game.first + 1,
        "target": game.target,
        "tags": game.tags,
        "tokens": game.tokens,
        "round_ends": game.round_ends,
        "evaluations": [_evaluation_facts(evaluation) for evaluation in game.evaluations],
        "money": game.money,
        "is_over": game.is_over,
        "winners": [seat + 1 for seat in game.winners],
    }


def _evaluation_facts(evaluation: Evaluation) -> dict[str, object]:
    return {
        "round": evaluation.round,
        "player": evaluation.player + 1,
        "prices": {
            str(move.good): {
                "count": move.count,
                "before": move.before,
                "after": move.after,
                "move": move.move.name.lower(),
            }
            for move in evaluation.prices
        },
        "sales": [
            [
                {
                    "card": str(sale.card),
                    "number": sale.number,
                    "gulden": sale.gulden,
                    "doubled": sale.doubled,
                }
                for sale in sales
            ]
            for sales in evaluation.sales
        ],
        "income": evaluation.income,
        "money": evaluation.money,
        "shipments": evaluation.shipments
        and [
            [{"card": str(card), "gulden": gulden} for card, gulden in shipments]
            for shipments in evaluation.shipments
        ],
    }
