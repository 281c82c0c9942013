"""Pages to read: the rules, the commands, what happened so far."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from fugger.names import edition_name
from fugger.rulebook import rulebook
from fugger.story import tell
from fugger.terminal import look

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fugger.editions import Edition
    from fugger.explain import Evaluation
    from fugger.story import Event
    from fugger.terminal.look import View
    from fugger.texts import Words

COLUMNS: Final = 79
"""Where lines of running text end, at the latest."""


def paragraph(sentences: list[str], most: int | None = None) -> Text:
    """Sentences as one paragraph; the last ones of them if it would have more than `most` lines."""
    lines = wrap(" ".join(sentences), COLUMNS - 1)
    while most is not None and len(lines) > most:
        sentences = sentences[1:]
        lines = wrap(" ".join(["...", *sentences]), COLUMNS - 1)
    return Text("\n".join(f" {line}" for line in lines))


def rules_page(edition: Edition, words: Words, width: int = COLUMNS) -> RenderableType:
    """The rules of an edition."""
    width = min(width, COLUMNS)
    title = words.say(
        "The rules of Die Fugger, edition {edition}", edition=edition_name(edition.name)
    )
    parts: list[RenderableType] = [Text(title, look.TITLE), Text("")]
    for section in rulebook(edition, words):
        parts.append(Text(section.title, look.TITLE))
        for paragraph in section.paragraphs:
            hanging = "    " if paragraph.startswith("- ") else "  "
            lines = wrap(paragraph, width, initial_indent="  ", subsequent_indent=hanging)
            parts.append(Text("\n".join(lines)))
        parts += [Text(f"    {line}") for line in section.table]
        parts.append(Text(""))
    return Group(*parts[:-1])


def commands_page(words: Words) -> RenderableType:
    """What can be answered when it is one's turn."""
    table = Table(box=None, padding=(0, 2, 0, 1), show_header=False)
    table.add_column(no_wrap=True, style=look.TITLE)
    table.add_column()
    for command, meaning in {
        "1, 2, ...": words.say("choose by number, as below your hand"),
        "W*": words.say("play that card"),
        "(W*)": words.say("ship that good"),
        "+": words.say("draw a card"),
        "d": words.say("look into the discard pile"),
        "l": words.say("what happened so far"),
        "e": words.say("the last evaluation again"),
        "h": words.say("a hint: what the strongest bot would do"),
        "u": words.say("take back your last action, and what followed it"),
        "q": words.say("leave; the game is saved"),
        "?": words.say("this help"),
    }.items():
        table.add_row(command, meaning)
    return Group(Text(words.say("What you can answer"), look.TITLE), table)


def log_page(events: list[Event], viewer: int, view: View, commitment: str) -> RenderableType:
    """A game's events so far, round by round."""
    parts: list[RenderableType] = []
    number = 0
    for event in events:
        if event.round != number:
            number = event.round
            parts.append(Text(view.words.say("Round {round}", round=number), look.TITLE))
        parts.append(paragraph([tell(event, viewer, view.words, view.names)]))
        if event.evaluation is not None:
            parts.append(evaluation_line(event.evaluation, view))
    shuffle = view.words.say("The shuffle's commitment:")
    return Group(*parts, Text(""), Text(f"{shuffle}\n {commitment}", look.QUIET))


def evaluation_line(evaluation: Evaluation, view: View) -> Text:
    """An evaluation in one line: prices and money after it."""
    prices = view.words.listed(f"{move.good} {move.after}" for move in evaluation.prices)
    money = view.words.listed(
        f"{name} {gulden}" for name, gulden in zip(view.names, evaluation.money, strict=True)
    )
    text = view.words.say("Prices: {prices}. Gulden: {money}.", prices=prices, money=money)
    return Text("\n".join(f" {line}" for line in wrap(text, COLUMNS - 1)), "bold")
