"""``fugger verify``: were a game's cards dealt from the shuffle that was committed to?"""

from __future__ import annotations

import json
from typing import BinaryIO, Final

import click

from fugger import record
from fugger.dealer import Verdict, Verification, verify
from fugger.errors import RecordError, SeedError

_EPILOG: Final = """\b
Examples:
  fugger verify game.fgr
  fugger verify --json games.fgr | jq 'select(.verdict != "verified")'

\b
Exit codes: 0 every deal of every game is as its seed deals it, 1 some game's isn't or can't be
checked, 2 the file can't be read, 3 a game breaks a rule.
"""


@click.command(epilog=_EPILOG)
@click.argument("file", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a game, a line each.")
def command(file: BinaryIO, as_json: bool) -> int:
    """Check that the cards of each game in FILE were dealt from its committed shuffle.

    FILE is a record (.fgr), or - for standard input. A table shows its commitment before the
    first deal and its seed when the game is over; this command checks that they belong together
    and deals every card again.
    """
    games = 0
    exit_code = 0
    for entry in record.scan(file):
        games += 1
        try:
            result = verify(entry.game)
        except SeedError as error:
            raise SeedError(f"game {games} (line {entry.line}): {error}") from None
        if result.verdict is not Verdict.VERIFIED:
            exit_code = 1
        if as_json:
            click.echo(json.dumps({"game": games, "line": entry.line, **_facts(entry, result)}))
        else:
            click.echo(f"game {games} (line {entry.line}): {_sentence(entry, result)}")
    if not games:
        raise RecordError("there is no game in this file")
    return exit_code


def _facts(entry: record.Entry, result: Verification) -> dict[str, object]:
    facts: dict[str, object] = {"verdict": result.verdict.value, "deals": result.deals}
    if result.token is not None:
        line, column = entry.places[result.token]
        facts["wrong_deal"] = {
            "token": result.token + 1,
            "line": line,
            "column": column,
            "dealt": entry.game.tokens[result.token],
            "expected": result.expected,
        }
    return facts


def _sentence(entry: record.Entry, result: Verification) -> str:
    if result.token is not None:
        line, column = entry.places[result.token]
        return (
            f"not verified: token {result.token + 1} (line {line}, column {column}) is "
            f"{entry.game.tokens[result.token]}, but the seed deals {result.expected}"
        )
    match result.verdict:
        case Verdict.VERIFIED:
            unfinished = "" if entry.game.is_over else "; the game isn't over"
            return f"verified, all {result.deals} deals{unfinished}"
        case Verdict.NO_SHUFFLE:
            return "can't be checked: no shuffle was committed to (there is no Shuffle tag)"
        case Verdict.NO_SEED if entry.game.is_over:
            return "can't be checked: the seed is missing (there is no Seed tag)"
        case Verdict.NO_SEED:
            return "can't be checked yet: the seed is shown when the game is over"
    return "not verified: the seed isn't the one that was committed to"
