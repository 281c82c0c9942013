"""The course of a game in the terminal: whose turn it is, what they see, what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from fugger.advice import hint
from fugger.cards import Card
from fugger.errors import NotationError
from fugger.names import card_name
from fugger.rules.actions import Action
from fugger.rules.state import SPECTATOR
from fugger.story import before_round_end, since_last_action, story, tell
from fugger.terminal import look
from fugger.terminal.board import board, choices, hand_with_choices, why_not
from fugger.terminal.evaluation import evaluation_page, result_text
from fugger.terminal.reading import commands_page, log_page, paragraph, rules_page
from fugger.terminal.sitting import UNDONE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from fugger.rules.state import State
    from fugger.terminal.screen import Screen
    from fugger.terminal.sitting import Sitting


LINES_TOLD: Final = 3
"""What happened since one's last turn takes so many lines at most; all of it is in the log."""


class Left(Exception):  # noqa: N818 (an event, no error)
    """A person has left the game, which is saved."""


class Play:
    """A sitting at a screen.

    Args:
        sitting: the game and who plays it.
        screen: where they play it.
        notices: lines to be shown once, above the first choices.
    """

    def __init__(self, sitting: Sitting, screen: Screen, notices: list[str]) -> None:
        self.sitting = sitting
        self.game = sitting.game
        self.screen = screen
        self.words = screen.words
        self.notices = notices
        you = None if self.is_shared else sitting.people[0]
        self.view = look.view_of(self.game, screen.words, screen.console, you)
        self._at_the_screen: int | None = None

    @property
    def is_shared(self) -> bool:
        """Whether several people share the screen."""
        return len(self.sitting.people) > 1

    @property
    def viewer(self) -> int:
        """Whose knowledge a page for everybody at the screen may show."""
        return SPECTATOR if self.is_shared else self.sitting.people[0]

    def to_the_end(self) -> None:
        """Plays until the game is over.

        Raises:
            Left: a person wants to go on another time.
            EOFError: nobody answers any more.
        """
        while not self.game.is_over:
            rounds = len(self.game.evaluations)
            seat = self.game.player
            assert seat is not None
            if seat in self.sitting.bots:
                self.sitting.play(self.sitting.choose())
            else:
                self._hand_over(seat)
                self._decide(seat)
            if rounds < len(self.game.evaluations) and not self.game.is_over:
                self._show_round_end()
                self.screen.wait()
        self._show_round_end()
        self.screen.show(result_text(self.game.money, self.game.winners, self.view))
        self._keep()

    def _hand_over(self, seat: int) -> None:
        """Lets the device go to the next person before their hand is shown."""
        if self.is_shared and self._at_the_screen != seat:
            self.screen.hide()
            name = self.view.names[seat]
            self.screen.show(Text("\n " + self.words.say("It is {name}'s turn.", name=name)))
            if self.screen.is_interactive:
                self.screen.ask(
                    self.words.say("Pass the device on. {name} presses Enter.", name=name)
                )
        self._at_the_screen = seat

    def _show_round_end(self) -> None:
        if self.is_shared:
            self.screen.hide()
            self._at_the_screen = None
        self.screen.clear()
        told = before_round_end(story(self.game, self.viewer), self.viewer)
        self.screen.show(
            paragraph(
                [tell(event, self.viewer, self.view.words, self.view.names) for event in told]
            )
        )
        self.screen.show(Text(""))
        self.screen.show(evaluation_page(self.game.evaluations[-1], self.view))

    def _keep(self) -> None:
        """Moves the finished game's record to its place and says where that is."""
        say = self.words.say
        lines = []
        if UNDONE in self.game.tags:
            lines.append(say("Actions were taken back: the record says so."))
        try:
            path = self.sitting.autosave.finish(self.game)
        except OSError as error:
            lines.append(say("The game could not be saved: {why}", why=error.strerror or error))
        else:
            lines.append(say("Look at the game again, or check its shuffle:"))
            lines += [f"fugger replay {path}", f"fugger verify {path}"]
        for line in lines:
            self.screen.console.print(f" {line}", soft_wrap=True)

    # A person's turn

    def _decide(self, seat: int) -> None:
        """A person's turn: until they have acted, or gone back."""
        commands: dict[str, Callable[[int], str]] = {
            "?": self._help,
            "d": self._discard_pile,
            "l": self._log,
            "e": self._last_evaluation,
            "h": self._hint,
            "u": self._undo,
            "q": self._leave,
        }
        self._show_turn(seat)
        while True:
            answer = self.screen.ask(self.words.say("Your choice (? for help):"))
            if answer.lower() in commands:
                reply = commands[answer.lower()](seat)
                if self.game.player != seat or not reply:
                    return
            else:
                observation = self.game.observe(seat)
                action, reply = self._understood(answer, observation)
                if action is not None:
                    self.sitting.play(action)
                    return
            self.screen.show(Text(f" {reply}"))

    def _understood(self, answer: str, observation: State) -> tuple[Action | None, str]:
        """The chosen action; else None and why there is none."""
        legal = choices(observation)
        if answer.isdecimal() and answer.isascii():
            number = int(answer[:6])
            if 1 <= number <= len(legal):
                return legal[number - 1], ""
            return None, self.words.say(
                "There is no choice {number}: 1 to {last}, or ? for help.",
                number=answer[:6],
                last=len(legal),
            )
        try:
            action = Action(answer.upper().replace(" ", ""))  # type: ignore[arg-type]  # texts too
        except NotationError:
            return None, self.words.say(
                "That is no choice: a number from 1 to {last}, a card such as W* to play it, "
                "or ? for help.",
                last=len(legal),
            )
        if action in legal:
            return action, ""
        return None, self.words.say(
            "{action} isn't possible: {why}.",
            action=action,
            why=why_not(action, observation, self.words),
        )

    def _show_turn(self, seat: int) -> None:
        """The board, what happened, and the choices: all from what the seat may know."""
        observation = self.game.observe(seat)
        told = since_last_action(story(self.game, seat), seat)
        lines = [tell(event, seat, self.view.words, self.view.names) for event in told]
        if self.sitting.trouble:
            self.notices.append(
                self.words.say("The game could not be saved: {why}", why=self.sitting.trouble)
            )
        self.screen.clear()
        self.screen.show(board(observation, self.view))
        self.screen.show(Text(""))
        notices = [paragraph(self.notices)] if self.notices else []
        lines_left = LINES_TOLD - sum(len(notice.split()) for notice in notices)
        self.screen.show(Text("\n").join([paragraph(lines, max(lines_left, 1)), *notices]))
        self.notices.clear()
        self.screen.show(Text(""))
        self.screen.show(hand_with_choices(observation, self.view))

    def _page(self, page: RenderableType) -> str:
        self.screen.turn_pages(page)
        return ""

    def _help(self, seat: int) -> str:  # noqa: ARG002 (every command is called with the seat)
        rules = rules_page(self.game.edition, self.words)
        return self._page(Group(commands_page(self.words), Text(""), rules))

    def _log(self, seat: int) -> str:
        events = story(self.game, seat)
        return self._page(log_page(events, seat, self.view, self.sitting.commitment))

    def _last_evaluation(self, seat: int) -> str:  # noqa: ARG002 (every command is called with the seat)
        if not self.game.evaluations:
            return self.words.say("No round has ended yet.")
        return self._page(evaluation_page(self.game.evaluations[-1], self.view))

    def _discard_pile(self, seat: int) -> str:
        observation = self.game.observe(seat)
        words = self.words
        table = Table(box=None, padding=(0, 2, 0, 1), header_style=look.QUIET)
        table.add_column("")
        table.add_column(words.say("discard pile"), justify="right")
        table.add_column(words.say("not seen"), justify="right")
        for card in Card:
            discarded, unseen = observation.discard_pile[card], observation.draw_pile[card]
            table.add_row(card_name(words, card), str(discarded), str(unseen))
        note = words.say("Not seen: in the draw pile, in others' hands or among their shipments.")
        return self._page(Group(table, paragraph([note])))

    def _hint(self, seat: int) -> str:
        if self.is_shared:
            return self.words.say("There are no hints where several people play.")
        return hint(self.words, self.sitting.advise(seat))

    def _undo(self, seat: int) -> str:
        if self.is_shared:
            return self.words.say("Nothing can be taken back where several people play.")
        if not self.sitting.undo(seat):
            return self.words.say("You haven't done anything yet.")
        return ""

    def _leave(self, seat: int) -> str:  # noqa: ARG002 (every command is called with the seat)
        raise Left
