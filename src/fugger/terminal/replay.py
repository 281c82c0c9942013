"""Recorded games to look at: as a whole, at the start and end of a round, or move by move."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from fugger.errors import FuggerError
from fugger.names import bot_level, edition_name
from fugger.rules import information
from fugger.rules.state import ALL_KNOWING
from fugger.story import steps, story, tell
from fugger.terminal import look
from fugger.terminal.board import board, open_hands
from fugger.terminal.evaluation import evaluation_page, result_text
from fugger.terminal.reading import COLUMNS, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from fugger.explain import Evaluation
    from fugger.game import Game
    from fugger.rules.state import State
    from fugger.terminal.look import View
    from fugger.terminal.screen import Screen


@dataclass(frozen=True, slots=True)
class Moment:
    """A game between two moves.

    Attributes:
        told: what happened since the moment before, or until the round ended since.
        evaluation: the round's evaluation, if it ended since.
        told_after: what happened after that.
        state: the table now as the viewer sees it; None when the game is over.
        round: the round's number.
    """

    told: list[str]
    evaluation: Evaluation | None
    told_after: list[str]
    state: State | None
    round: int


def moments(game: Game, viewer: int, view: View) -> list[Moment]:
    """Every moment of a game at which somebody was to act, and its end."""
    events = story(game, viewer)
    states: list[tuple[int, State | None, int]] = [(0, None, 1)]
    for index, (_, at) in enumerate(steps(game)):
        if at.player is not None:
            states.append((index, _seen(at.state, viewer), at.round))
    if game.is_over or game.player is not None:
        state = None if game.is_over else _seen(game.state, viewer)
        states.append((len(game.tokens), state, game.round))
    found = []
    for (begin, _, _), (end, state, number) in pairwise(states):
        happened = [event for event in events if begin <= event.at < end]
        told = [tell(event, viewer, view.words, view.names) for event in happened]
        ends = [index for index, event in enumerate(happened, start=1) if event.evaluation]
        split = ends[0] if ends else len(told)
        evaluation = happened[split - 1].evaluation if ends else None
        found.append(Moment(told[:split], evaluation, told[split:], state, number))
    return found


def _seen(state: State, viewer: int) -> State:
    return state if viewer == ALL_KNOWING else information.observe(state, viewer)


def show_game(  # noqa: PLR0913 (options of one command)
    game: Game, index: int, screen: Screen, *, viewer: int, number: int | None, in_steps: bool
) -> bool:
    """Shows a game of a file; False if no more is wanted.

    Args:
        game: the game.
        index: which one of the file, from 1.
        screen: where.
        viewer: whose knowledge to show, a seat or ALL_KNOWING; not of the whole game.
        number: the round to show alone, from 1.
        in_steps: show it move by move.

    Raises:
        FuggerError: the game has no such seat or round.
    """
    if viewer >= game.players:
        raise FuggerError(f"game {index} has no player {viewer + 1}: expected 1 to {game.players}")
    view = look.view_of(game, screen.words, screen.console)
    screen.show(title(game, index, view))
    if in_steps:
        return step_through(game, viewer, view, screen)
    pages = whole_game(game, view) if number is None else round_page(game, number, viewer, view)
    for page in pages:
        screen.show(page)
    screen.show(Text(""))
    return True


def title(game: Game, number: int, view: View) -> RenderableType:
    """Which game this is and who played it."""
    words = view.words
    what = words.say(
        "Game {number}: {edition}, {players} players, to {target}",
        number=number,
        edition=edition_name(game.edition.name),
        players=game.players,
        target=game.target,
    )
    date = game.tags.get("Date", "")
    names = []
    for seat, name in enumerate(view.names):
        bot = game.tags.get(f"Bot{seat + 1}", "")
        level = look.clean(bot_level(words, bot).name)
        names.append(f"{seat + 1} {name}" + (f" ({level})" if bot else ""))
    begins = words.say("{name} begins.", name=view.names[game.first])
    heading = f" {what}" + (f", {look.clean(date)}" if date else "")
    return Group(Text(heading, look.TITLE), paragraph([f"{words.listed(names)}.", begins]))


def whole_game(game: Game, view: View) -> Iterator[RenderableType]:
    """The moves of each round in notation, its evaluation, and the result."""
    begin = 0
    ends = game.round_ends
    for number, end in enumerate([*ends, len(game.tokens)], start=1):
        if tokens := game.tokens[begin:end]:
            lines = wrap(" ".join(tokens), COLUMNS - 1, break_on_hyphens=False)
            yield Text("\n " + view.words.say("Round {round}", round=number), look.TITLE)
            yield Text("\n".join(f" {line}" for line in lines) + "\n")
        if number <= len(ends):
            yield evaluation_page(game.evaluations[number - 1], view)
        begin = end
    yield outcome(game, view)


def outcome(game: Game, view: View) -> Text:
    """Who has won, or that nobody has yet."""
    if game.is_over:
        return result_text(game.money, game.winners, view)
    return Text(" " + view.words.say("The game is not over."), look.TITLE)


def round_page(game: Game, number: int, viewer: int, view: View) -> Iterator[RenderableType]:
    """The table at a round's first turn, before its last move, and its evaluation.

    Raises:
        FuggerError: the game has no such round.
    """
    if not 1 <= number <= game.round:
        raise FuggerError(f"there is no round {number}: expected 1 to {game.round}")
    all_moments = moments(game, viewer, view)
    tables = [moment.state for moment in all_moments if moment.round == number and moment.state]
    if tables:
        yield Text(" " + view.words.say("Start of round {round}", round=number), look.TITLE)
        yield _table(tables[0], view)
    if len(tables) > 1:
        yield Text(
            "\n " + view.words.say("The last turn of round {round}", round=number), look.TITLE
        )
        yield _table(tables[-1], view)
    for moment in all_moments:
        if moment.evaluation is not None and moment.evaluation.round == number:
            yield Text("")
            yield paragraph(moment.told)
            yield Text("")
            yield evaluation_page(moment.evaluation, view)
    if game.is_over and number == game.round:
        yield outcome(game, view)


def step_through(game: Game, viewer: int, view: View, screen: Screen) -> bool:
    """Shows a game move by move; False if no more is wanted.

    Where nobody can press a key all moves are shown at once.
    """
    words = view.words
    all_moments = moments(game, viewer, view)
    at = 0
    while at < len(all_moments):
        moment = all_moments[at]
        if screen.is_interactive:
            screen.clear()
        screen.show(
            Text(
                "\n " + words.say("Move {number} of {last}", number=at, last=len(all_moments) - 1),
                look.TITLE,
            )
        )
        screen.show(paragraph(moment.told))
        if moment.evaluation is not None:
            screen.show(evaluation_page(moment.evaluation, view))
        if moment.told_after:
            screen.show(paragraph(moment.told_after))
        if moment.state is not None:
            screen.show(_table(moment.state, view))
        elif game.is_over:
            screen.show(outcome(game, view))
        if not screen.is_interactive:
            at += 1
            continue
        answer = screen.ask(words.say("Enter: next, p: back, a number: that move, q: leave"))
        answer = answer.lower()
        if answer == "q":
            return False
        if answer == "p":
            at = max(at - 1, 0)
        elif answer.isdecimal() and answer.isascii():
            at = min(int(answer[:6]), len(all_moments) - 1)
        else:
            at += 1
    return True


def _table(state: State, view: View) -> RenderableType:
    return Group(board(state, view), open_hands(state, view))
