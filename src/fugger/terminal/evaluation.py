"""An evaluation explained: good by good, player by player, and at last the shipments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from fugger.names import good_name, reason
from fugger.terminal import look
from fugger.terminal.board import count_bar, price_change

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fugger.explain import Evaluation, Sale
    from fugger.terminal.look import View
    from fugger.texts import Words


def evaluation_page(evaluation: Evaluation, view: View) -> RenderableType:
    """What an evaluation did, and why; after the last one the final scoring too."""
    words = view.words
    title = words.say("End of round {round}", round=evaluation.round)
    parts: list[RenderableType] = [Text(f" {title}", look.TITLE)]
    parts += [price_moves(evaluation, view), sales(evaluation, view)]
    if evaluation.shipments is not None:
        parts.append(Text(" " + words.say("Final scoring"), look.TITLE))
        parts.append(final_scoring(evaluation, view))
    return Group(*parts)


def price_moves(evaluation: Evaluation, view: View) -> Table:
    """Each good's count, place, and what its price does."""
    words = view.words
    table = _table()
    table.add_column(words.say("good"), no_wrap=True)
    table.add_column(words.say("on the table"), no_wrap=True)
    table.add_column(words.say("place"), justify="right", no_wrap=True)
    table.add_column(words.say("price"), no_wrap=True)
    table.add_column("")
    limit = max(move.count for move in evaluation.prices)
    for move in evaluation.prices:
        table.add_row(
            Text(f"{move.good} {good_name(words, move.good)}", look.GOOD_STYLES[move.good]),
            count_bar(move, limit, view.signs),
            str(move.leading + 1) if move.count else view.signs.none,
            Text(f"{move.before} ") + price_change(move, view.signs),
            reason(words, move),
        )
    return table


def sales(evaluation: Evaluation, view: View) -> Table:
    """Each player's sold cards, card by card, and the money they make."""
    words, signs = view.words, view.signs
    table = _table()
    table.add_column(words.say("player"), no_wrap=True)
    table.add_column(words.say("sales at the new prices"))
    table.add_column(words.say("income"), justify="right", no_wrap=True)
    table.add_column(words.say("gulden"), justify="right", no_wrap=True)
    for seat, name in enumerate(view.names[: len(evaluation.income)]):
        income, after = evaluation.income[seat], evaluation.money[seat]
        table.add_row(
            f"{seat + 1} {name}",
            _joined([sale_text(sale, words) for sale in evaluation.sales[seat]], signs.none),
            f"+{income}",
            Text(f"{after - income} {signs.becomes} ") + Text(str(after), "bold"),
        )
    return table


def sale_text(sale: Sale, words: Words) -> Text:
    """Cards sold: how many, which, for how much; doubled by a seal or not."""
    text = Text(f"{sale.number} " if sale.number > 1 else "") + look.card_text(sale.card)
    text.append(f" = {sale.gulden}")
    if sale.card.is_sealed:
        note = words.say("double") if sale.doubled else words.say("not doubled")
        text.append(f" ({note})", look.QUIET)
    return text


def final_scoring(evaluation: Evaluation, view: View) -> Table:
    """Each player's shipments turned up, what they pay, and the money at the end."""
    words, signs = view.words, view.signs
    table = _table()
    table.add_column(words.say("player"), no_wrap=True)
    table.add_column(words.say("shipments at twice the price"))
    table.add_column(words.say("income"), justify="right", no_wrap=True)
    table.add_column(words.say("gulden"), justify="right", no_wrap=True)
    for seat, shipments in enumerate(evaluation.shipments or ()):
        before, paid = evaluation.money[seat], sum(gulden for _, gulden in shipments)
        texts = [look.card_text(card) + Text(f" = {gulden}") for card, gulden in shipments]
        table.add_row(
            f"{seat + 1} {view.names[seat]}",
            _joined(texts, signs.none),
            f"+{paid}",
            Text(f"{before} {signs.becomes} ") + Text(str(before + paid), "bold"),
        )
    return table


def result_text(money: list[int], winners: list[int], view: View) -> Text:
    """Who has won."""
    say, most = view.words.say, max(money)
    if winners == [view.you]:
        text = say("You win with {money} gulden.", money=most)
    elif len(winners) == 1:
        text = say("{name} wins with {money} gulden.", name=view.names[winners[0]], money=most)
    else:
        names = view.words.listed(view.names[seat] for seat in winners)
        text = say("{names} share the win with {money} gulden each.", names=names, money=most)
    return Text(f" {text}", look.TITLE)


def _table() -> Table:
    return Table(box=None, padding=(0, 1, 0, 1), header_style=look.QUIET)


def _joined(texts: list[Text], empty: str) -> Text:
    return Text(", ").join(texts) if texts else Text(empty, look.QUIET)
