"""``fugger rules``: the rules to read."""

from __future__ import annotations

import click

from fugger.editions import EDITIONS, edition_named


@click.command(
    epilog="""\b
Examples:
  fugger rules
  fugger rules --edition rody --lang fr
  fugger rules --lang de | less

\b
Exit codes: 0 done, 2 bad input."""
)
@click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    default="adlung",
    show_default=True,
    help="Whose rules; the text says where they differ.",
)
@click.option("--lang", help="en, de, fr or hu; by default the language of the environment.")
def command(edition: str, lang: str | None) -> None:
    """Read the rules."""
    # Imported here, so that the help of all commands comes at once.
    from fugger.terminal.look import open_console
    from fugger.terminal.reading import rules_page
    from fugger.texts import default_language, words

    texts = words(lang or default_language())
    console = open_console()
    console.print(rules_page(edition_named(edition), texts, console.width - 1))
