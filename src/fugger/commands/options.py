"""Options that several commands have, and the kinds of values they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fugger.editions import EDITIONS, MAX_TARGET, MIN_TARGET

if TYPE_CHECKING:
    from collections.abc import Callable


class WholeNumber(click.IntRange):
    """A whole number in a range, which is told to whoever gives no number at all."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number of an option's text."""
        try:
            int(value)
        except ValueError:
            to = "" if self.max is None else f" to {self.max}"
            self.fail(f"{value!r} is no whole number: expected one from {self.min}{to}", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


edition = click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="adlung",
    show_default=True,
    help="Whose rules: see fugger rules.",
)
target = click.option(
    "--target",
    type=WholeNumber(MIN_TARGET, MAX_TARGET),
    help="Gulden that end a game.  [default: 100]",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def arena(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what all arena runs have: ``--move-time``, ``--jobs``, ``--ray`` and ``--json``."""
    for option in (
        as_json,
        click.option(
            "--ray", metavar="ADDRESS", help="Play on a Ray cluster: auto, HOST:PORT or local."
        ),
        click.option("--jobs", type=int, help="How many processes play.  [default: one a core]"),
        click.option(
            "--move-time",
            type=float,
            default=5.0,
            show_default=True,
            help="Seconds that bots from elsewhere may take for a decision.",
        ),
    ):
        command = option(command)
    return command
