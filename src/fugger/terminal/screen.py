"""The terminal as a place to show pages on and to ask questions at."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.text import Text

from fugger.terminal import look

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from fugger.texts import Words

_FORGET_SCROLLED = "\x1b[3J"


class Screen:
    """A console and its keyboard.

    Where it is no terminal (a pipe, a file), pages follow one another, nothing waits for Enter, and
    the end of the input is an `EOFError` like Ctrl-D.

    Args:
        console: where to write.
        words: the texts of the questions.
    """

    def __init__(self, console: Console, words: Words) -> None:
        self.console = console
        self.words = words
        self.is_interactive = console.is_terminal and sys.stdin.isatty()

    def show(self, page: RenderableType) -> None:
        """Writes a page."""
        self.console.print(page)

    def clear(self) -> None:
        """Begins a fresh page."""
        if look.is_screen(self.console):
            self.console.clear()
        else:
            self.console.print()

    def hide(self) -> None:
        """Takes everything away from view, so that the next person sees nothing of it."""
        if look.is_screen(self.console):
            self.console.clear()
            self.console.file.write(_FORGET_SCROLLED)
        elif self.is_interactive:
            self.console.print("\n" * self.console.height)

    def ask(self, question: str) -> str:
        """What a person answers, on one line.

        Raises:
            EOFError: there is nobody to answer.
        """
        self.console.print(Text(f" {question} ", look.TITLE), end="")
        self.console.file.flush()
        answer = input()
        if not self.is_interactive:
            self.console.print(look.clean(answer))
        return answer.strip()

    def wait(self) -> None:
        """Waits for Enter; not where nobody can press it."""
        if self.is_interactive:
            self.ask(self.words.say("Enter: go on"))

    def turn_pages(self, text: RenderableType) -> None:
        """Shows a long text page by page."""
        if not self.is_interactive:
            self.show(text)
            return
        with self.console.capture() as captured:
            self.console.print(text)
        lines = captured.get().rstrip("\n").split("\n")
        height = max(self.console.height - 2, 5)
        for begin in range(0, len(lines), height):
            self.clear()
            self.console.file.write("\n".join(lines[begin : begin + height]) + "\n")
            is_last = begin + height >= len(lines)
            if is_last:
                question = self.words.say("Enter: back to the game")
            else:
                question = self.words.say("Enter: next page, q: back to the game")
            if self.ask(question).lower() == "q":
                return
