"""The kinds of values that options take."""

from __future__ import annotations

from typing import Any

import click


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
