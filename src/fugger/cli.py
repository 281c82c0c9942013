"""The command line: which commands there are, and how errors become one line and an exit code.

Exit codes: 0 done, 1 a check said no (see each command's help), 2 bad input, 3 a record that
breaks a rule, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fugger.errors import FuggerError, RecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS: Final = {
    "serve": "Serve the site, for this computer, a group or the world.",
    "play": "Play a game against bots, in the terminal.",
    "replay": "Check and show recorded games.",
    "verify": "Check that a game's cards were dealt from its committed shuffle.",
    "rules": "Read the rules.",
    "simulate": "Play many games between bots.",
    "arena": "Measure bots against each other.",
    "bench": "Measure the engine's speed.",
}
"""Each command's line of help; its module in `fugger.commands` is imported when it is called."""


class Commands(click.Group):
    """The group of all commands: listing them imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (Click's signature)
        """The commands' names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"fugger.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Lists the commands from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Examples: fugger · fugger serve --lan · fugger play · fugger COMMAND --help",
)
@click.version_option(package_name="fugger", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Die Fugger, a card game for two to four merchants of Augsburg.

    Without a command: starts the site on this computer and opens it in the browser.
    """
    if context.invoked_subcommand is None:
        from fugger.commands.serve import run as serve  # noqa: PLC0415 (other commands don't need it)

        serve(at_home=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and leaves the process with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; its exit code."""
    _open_closed_streams()
    try:
        result: Any = cli.main(args=arguments, prog_name="fugger", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        return 130
    except KeyboardInterrupt:
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        help_text = f" (see {context.command_path} --help)" if context else ""
        _tell(error.format_message().removesuffix(".") + help_text)
        return error.exit_code
    except RecordError as error:
        _tell(str(error))
        return 3 if error.breaks_rule else 2
    except FuggerError as error:
        _tell(str(error))
        return 2
    except (BrokenPipeError, SystemExit):  # Click exits for the one when it sees it first
        # The reader of our output has left (`fugger replay … | head`): nothing to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        _tell(f"{error.strerror or error}{where}")
        return 2
    return result if isinstance(result, int) else 0


def _tell(error: str) -> None:
    """Tells what is wrong on one line, whatever the names of files and options hold."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in error)
    click.echo(f"Error: {line}", err=True)


def _open_closed_streams() -> None:
    """Puts empty streams in the place of those the process was started without."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 (open to the end)
