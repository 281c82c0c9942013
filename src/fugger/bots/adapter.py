"""Lets a bot written in Python speak the line protocol.

``python -m fugger.bots.adapter module:Class`` imports the module, from the current folder too, and
makes a new bot for every game: by calling the class, or any function, with the game's seed, or
with nothing if it takes none. What the bot prints goes to stderr, where it can't disturb.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import traceback
from typing import IO, TYPE_CHECKING, Any, Final

from fugger.bots import protocol
from fugger.bots.players import one_line
from fugger.errors import BotError, NotationError, quoted
from fugger.rules.actions import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fugger.bots import Bot
    from fugger.bots.players import Place
    from fugger.rules.state import State

USAGE: Final = "usage: python -m fugger.bots.adapter module:Class"

_LONGEST_ERROR: Final = 200


def made_by(path: str) -> Callable[[int], Bot]:
    """What makes a bot from a seed, by its path ``module:Class``.

    Raises:
        BotError: there is nothing there that could be called.
        Exception: whatever the module raises when it is imported.
    """
    module_name, _, names = path.partition(":")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # a module that it needs
        raise BotError(f"there is no module {quoted(module_name)}") from None
    for name in names.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise BotError(f"{quoted(module_name)} has no {quoted(names)}") from None
    if not callable(found):
        raise BotError(
            f"{quoted(path)} is {quoted(found)}: expected a class, or a function from a seed "
            "to a bot"
        )
    return lambda seed: _made(found, path, seed)


def _made(maker: Callable[..., object], path: str, seed: int) -> Bot:
    try:
        inspect.signature(maker).bind(seed)
    except TypeError:
        bot = maker()
    except ValueError:  # it has no signature to look at
        bot = maker(seed)
    else:
        bot = maker(seed)
    if not callable(getattr(bot, "choose", None)):
        raise BotError(f"{quoted(path)} made {quoted(bot)}, which has no method `choose`")
    return bot  # type: ignore[return-value]  # that is all a bot needs


def serve(path: str, ear: IO[str], tongue: IO[str]) -> int:
    """Answers every line until there are no more.

    Args:
        path: the bot's, ``module:Class``.
        ear: where lines come from.
        tongue: where answers go.

    Returns:
        The exit code: 1 if something went wrong, which the last line then says.
    """
    try:
        _converse(path, ear, tongue)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:  # a bot may even call sys.exit
        if not isinstance(error, BotError):
            traceback.print_exc()
        what = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
        print(protocol.ERROR, one_line(what, _LONGEST_ERROR), file=tongue, flush=True)
        return 1
    return 0


def _converse(path: str, ear: IO[str], tongue: IO[str]) -> None:
    make: Callable[[int], Bot] | None = None
    bot: Bot | None = None
    place: Place | None = None
    observation: State | None = None
    for line in ear:
        word, _, rest = line.strip().partition(" ")
        if word == protocol.QUIT:
            return
        if word == protocol.GREETING.partition(" ")[0]:
            if line.strip() != protocol.GREETING:
                raise BotError(f"expected {protocol.GREETING}, not {quoted(line.strip())}")
            make = made_by(path)
            print(protocol.READY, path, file=tongue, flush=True)
        elif word == protocol.GAME and make is not None:
            place = protocol.place_in(rest)
            bot = make(place.seed)
        elif word == protocol.OBSERVE and place is not None:
            observation = protocol.observation_in(rest, place)
        elif word == protocol.CHOOSE and bot is not None and observation is not None:
            print(protocol.ACTION, _choice(bot, observation), file=tongue, flush=True)


def _choice(bot: Bot, observation: State) -> Action:
    chosen = bot.choose(observation)
    try:
        return Action(chosen)
    except NotationError:
        raise BotError(f"it chose {quoted(chosen)}: expected the number of an action") from None


def main(words: Sequence[str]) -> int:
    """Serves a bot on this process's stdin and stdout; the exit code."""
    if len(words) != 1 or ":" not in words[0]:
        print(USAGE, file=sys.stderr)
        return 2
    # The bot gets no stdin, and stderr for stdout: also code that isn't Python's.
    with (
        os.fdopen(os.dup(0), encoding="utf-8") as ear,
        os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as tongue,
        open(os.devnull) as nothing,  # noqa: PTH123 (no path of a file)
    ):
        os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        return serve(words[0], ear, tongue)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
