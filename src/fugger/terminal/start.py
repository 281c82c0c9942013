"""Beginning a game, going on with one that was left, and leaving it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from fugger.bots import bot_named
from fugger.errors import FuggerError, SetupError
from fugger.game import Game
from fugger.names import HOUSES, bot_level
from fugger.rules.state import MAX_PLAYERS
from fugger.terminal import look
from fugger.terminal.look import seat_names
from fugger.terminal.play import Left, Play
from fugger.terminal.saved import unfinished_games
from fugger.terminal.sitting import first_seat, new_sitting, resumed_sitting, seed_from

if TYPE_CHECKING:
    from fugger.editions import Edition
    from fugger.terminal.saved import Unfinished
    from fugger.terminal.screen import Screen
    from fugger.terminal.sitting import Sitting
    from fugger.texts import Words

MIN_PLAYERS: Final = 2
USUAL_PLAYERS: Final = 3
USUAL_BOT: Final = "trader"
OFFERED: Final = 9
"""Unfinished games offered at most, the latest ones."""
STOPPED_BY_CTRL_C: Final = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What is wanted of a new game: the options of the command line.

    Attributes:
        edition: the rules.
        target: gulden that end the game; None for the edition's own.
        players: how many play; None for as many as the rest asks for.
        seat: where the person sits, from 1.
        bots: names of bots; one alone is for all of them.
        names: people's names.
        is_hot_seat: whether all seats without a bot are people's.
        seed: a text that fixes cards and bots, or None.
    """

    edition: Edition
    target: int | None
    players: int | None
    seat: int | None
    bots: list[str]
    names: list[str]
    is_hot_seat: bool
    seed: str | None


def play(wishes: Wishes, screen: Screen, *, begin: bool, resume: bool) -> int:
    """Plays a game until it is over or left; the exit code.

    Args:
        wishes: the new game, if one is begun.
        screen: where it is played.
        begin: begin a new game without asking.
        resume: go on with the last unfinished game without asking.

    Raises:
        FuggerError: the wishes don't fit together, there is no game to resume, or no game can
            be saved.
    """
    players, names, bots = seats(wishes)
    try:
        found = None if begin else _game_to_resume(screen, is_asked=not resume)
    except EOFError:
        return 0
    if found is None:
        seed = seed_from(wishes.seed)
        sitting = new_sitting(
            Game(players, wishes.edition, first_seat(seed, players), wishes.target),
            names,
            bots,
            seed,
        )
    else:
        sitting = resumed_sitting(found)
    try:
        Play(sitting, screen, _notices(sitting, found, screen.words)).to_the_end()
    except (Left, EOFError):
        _say_goodbye(sitting, screen)
    except KeyboardInterrupt:
        _say_goodbye(sitting, screen)
        return STOPPED_BY_CTRL_C
    finally:
        sitting.autosave.release()
    return 0


def seats(wishes: Wishes) -> tuple[int, dict[int, str], dict[int, str]]:
    """How many play, what they are called (people may go unnamed), and which seats are bots'.

    Raises:
        SetupError: the wishes don't fit together.
        BotError: there is no such bot.
    """
    for bot in wishes.bots:
        bot_named(bot, 0)
    people, bots = _people_and_bots(wishes)
    players = len(people) + len(bots)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise SetupError(f"{players} would play: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    if len(wishes.names) > len(people):
        raise SetupError(
            f"{len(wishes.names)} names for {len(people)} at the screen"
            + ("" if wishes.is_hot_seat else ": several people play with --hot-seat")
        )
    names = dict(zip(people, map(look.clean, wishes.names), strict=False))
    names |= dict(zip(sorted(bots), HOUSES, strict=False))
    return players, names, bots


def _people_and_bots(wishes: Wishes) -> tuple[list[int], dict[int, str]]:
    if wishes.is_hot_seat:
        if wishes.seat is not None:
            raise SetupError("--seat can't be used with --hot-seat: people take the first seats")
        usual = max(len(wishes.names) or USUAL_PLAYERS - len(wishes.bots), 1)
        people = usual if wishes.players is None else max(wishes.players - len(wishes.bots), 0)
        if not people:
            raise SetupError(f"{len(wishes.bots)} bots leave no seat for people")
        return [*range(people)], dict(enumerate(wishes.bots, start=people))
    named = wishes.bots or [USUAL_BOT]
    players = wishes.players or (USUAL_PLAYERS if len(named) == 1 else len(named) + 1)
    if len(named) == 1:
        named *= players - 1
    if len(named) != players - 1:
        raise SetupError(f"{len(named)} bots for {players - 1} seats: expected one, or one a seat")
    seat = 1 if wishes.seat is None else wishes.seat
    if not 1 <= seat <= players:
        raise SetupError(f"seat {seat} doesn't exist: expected 1 to {players}")
    others = [other for other in range(players) if other != seat - 1]
    return [seat - 1], dict(zip(others, named, strict=True))


def _game_to_resume(screen: Screen, *, is_asked: bool) -> Unfinished | None:
    """The unfinished game to go on with, if there is one and it is wanted."""
    say = screen.words.say
    games, set_aside = unfinished_games()
    for line in set_aside:
        text = say("A saved game can't be read and was set aside: {what}", what=line)
        screen.console.print(text, soft_wrap=True)
    if not is_asked:
        if not games:
            raise FuggerError("there is no unfinished game to resume")
        return games[0]
    if not games or not screen.is_interactive:
        return None
    offered = games[:OFFERED]
    screen.show(Text(say("Unfinished games:"), look.TITLE))
    for number, found in enumerate(offered, start=1):
        screen.show(Text(f" {number}  {_description(found, screen.words)}"))
    while True:
        answer = screen.ask(say("Which one do you go on with? Enter: 1, n: a new game")).lower()
        if answer == "n":
            return None
        if not answer:
            return offered[0]
        if answer in map(str, range(1, len(offered) + 1)):
            return offered[int(answer) - 1]
        screen.show(Text(" " + say("Expected a number from 1 to {last}, or n.", last=len(offered))))


def _description(found: Unfinished, words: Words) -> str:
    game = found.game
    names = words.listed(seat_names(game, words))
    return words.say(
        "{when}: {names}, round {round}",
        when=found.saved.strftime("%Y-%m-%d %H:%M"),
        names=names,
        round=game.round,
    )


def _notices(sitting: Sitting, found: Unfinished | None, words: Words) -> list[str]:
    """What is to be said before the first turn."""
    notices = []
    if found is not None:
        notices.append(words.say("You go on with your game."))
        if found.lost:
            notices.append(
                words.say(
                    "The end of its file was missing: if an action has been lost, do it again."
                )
            )
    elif sitting.bots:
        names = seat_names(sitting.game, words)
        bots = words.listed(
            f"{names[seat]} ({bot_level(words, bot).name})"
            for seat, bot in sorted(sitting.bots.items())
        )
        notices.append(words.say("You play against {bots}.", bots=bots))
    if found is None:
        notices.append(
            words.say(
                "Shuffle commitment: {digits}... (l: all of it)",
                digits=sitting.commitment[:16],
            )
        )
    return notices


def _say_goodbye(sitting: Sitting, screen: Screen) -> None:
    say = screen.words.say
    if sitting.trouble:
        line = say("The game could not be saved: {why}", why=sitting.trouble)
    else:
        line = say("The game is saved. Go on with it: {command}", command="fugger play --resume")
    screen.show(Text(f"\n {line}"))
