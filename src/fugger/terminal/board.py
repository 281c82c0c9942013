"""The board: prices, table, players and the own hand on one screen of 80 columns and 24 lines.

It is drawn from an observation (or from a whole state, when a record is shown): what isn't in it
can't be printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from fugger.cards import Card, Good
from fugger.explain import evaluate
from fugger.names import edition_name, good_name
from fugger.reasons import why_no_draw, why_no_merchant, why_no_shipment
from fugger.rules.actions import (
    PLAY,
    SHIP,
    Action,
    actions_in,
    legal_actions,
    may_ship,
)
from fugger.rules.evaluation import move_prices, sell, target_reached
from fugger.rules.state import ALL_KNOWING, NO_CARD, OVER, UNKNOWN, copy_of
from fugger.terminal import look

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from fugger.explain import Evaluation, PriceMove
    from fugger.rules.state import State
    from fugger.terminal.look import Signs, View
    from fugger.texts import Words

RIM: Final = (
    ((15, 9),),
    ((9, 8), (21, 1)),
    ((7, 7), (23, 2)),
    ((7, 6), (23, 3)),
    ((10, 5), (20, 4)),
)
"""The price circle, line by line: at which column each price stands; clockwise they rise."""
RIM_CELLS: Final = 30
RIM_CENTRE: Final = 15
CELLS_PER_CARD: Final = 6


def board(state: State, view: View) -> RenderableType:
    """The whole table as the state's viewer sees it, without the hand."""
    outlook = evaluate(state)
    middle = Table.grid(padding=(0, 2))
    middle.add_column(min_width=RIM_CELLS, no_wrap=True)
    middle.add_row(price_circle(state, view), goods_table(state, outlook, view))
    note = Text("")
    if would_end_game(state):
        note = Text(" " + view.words.say("If the round ended now, the game would be over."), "bold")
    return Group(heading(state, view), middle, note, players_table(state, outlook, view))


def heading(state: State, view: View) -> RenderableType:
    """Edition, round and goal on the left, the piles on the right."""
    words = view.words
    line = Table.grid(expand=True)
    line.add_column(no_wrap=True)
    line.add_column(justify="right", no_wrap=True)
    line.add_row(
        Text(f" Die Fugger  {edition_name(view.edition.name)}  ", look.TITLE)
        + Text(
            words.say("round {round}, to {target}", round=state.round_number, target=view.target),
            look.TITLE,
        ),
        Text(
            words.say(
                "draw pile {draw}, discard pile {discard}",
                draw=state.draw_size,
                discard=state.discard_size,
            )
            + " ",
            look.QUIET,
        ),
    )
    return line


def price_circle(state: State, view: View) -> Text:
    """The nine prices as a ring, each good's letter beside its price."""
    lines = []
    for places in RIM:
        line = Text(" " * RIM_CELLS)
        for column, price in places:
            goods = [good for good in Good if state.prices[good] == price]
            line = _put(line, column, Text(str(price), "bold" if goods else look.QUIET))
            letters = Text("").join(look.good_text(good) for good in goods)
            left = column < RIM_CENTRE
            line = _put(line, column - 1 - len(letters) if left else column + 2, letters)
        lines.append(line)
    lines[2] = _put(lines[2], 12, Text(view.words.say("prices").center(7), look.QUIET))
    return Text("\n").join([Text(" " * RIM_CELLS), *lines])


def _put(line: Text, column: int, piece: Text) -> Text:
    return line[:column] + piece + line[column + len(piece) :]


def goods_table(state: State, outlook: Evaluation, view: View) -> Table:
    """Each good: its cards on the table towards the round's end, its price, and what comes."""
    words, signs = view.words, view.signs
    table = Table(box=None, padding=(0, 1), header_style=look.QUIET, pad_edge=False)
    table.add_column(words.say("good"), no_wrap=True)
    table.add_column(words.say("on the table"), no_wrap=True)
    table.add_column(words.say("price"), justify="right", no_wrap=True)
    table.add_column(words.say("if it ended now"), no_wrap=True)
    for move in outlook.prices:
        table.add_row(
            Text(f"{move.good} {good_name(words, move.good)}", look.GOOD_STYLES[move.good]),
            count_bar(move, int(state.round_end), signs),
            str(move.before),
            price_change(move, signs),
        )
    return table


def count_bar(move: PriceMove, limit: int, signs: Signs) -> Text:
    """A good's cards on the table, counted towards the round's end."""
    bar = Text(signs.card * min(move.count, limit), look.GOOD_STYLES[move.good])
    bar.append(signs.no_card * (limit - move.count), look.QUIET)
    return bar.append(f" {move.count}")


def price_change(move: PriceMove, signs: Signs) -> Text:
    """Where a price goes: the sign says which way."""
    if move.after > move.before:
        return Text(f"{signs.becomes} {move.after} {signs.rises}", look.RISES)
    if move.after < move.before:
        return Text(f"{signs.becomes} {move.after} {signs.falls}", look.FALLS)
    return Text(f"{signs.becomes} {move.after} {signs.stays}", look.QUIET)


def players_table(state: State, outlook: Evaluation, view: View) -> Table:
    """Each player's money, income if the round ended now, hand size, shipments and tableau."""
    words, signs = view.words, view.signs
    table = Table(box=None, padding=(0, 1), header_style=look.QUIET, pad_edge=False)
    table.add_column("")
    table.add_column(words.say("player"), no_wrap=True)
    table.add_column(words.say("gulden"), justify="right", no_wrap=True)
    table.add_column(words.say("income"), justify="right", no_wrap=True)
    table.add_column(words.say("hand"), justify="right", no_wrap=True)
    table.add_column(words.say("shipped"), no_wrap=True)
    table.add_column(words.say("tableau"))
    for seat in range(state.players):
        is_turn = seat == state.player and state.stage != OVER
        table.add_row(
            Text(signs.turn if is_turn else " ", "bold"),
            Text(f"{seat + 1} {view.names[seat]}", "bold" if seat == state.viewer else ""),
            str(state.money[seat]),
            Text(f"+{outlook.income[seat]}", look.QUIET),
            str(state.hand_size[seat]),
            shipments_text(state.shipments[seat], signs),
            look.cards_text(card_counts(state.tableau[seat]), signs.none),
        )
    table.add_row(
        "",
        "J " + words.say("Jakob"),
        "",
        "",
        "",
        "",
        look.cards_text(card_counts(state.jakob), signs.none),
    )
    return table


def shipments_text(shipments: Iterable[int], signs: Signs) -> Text:
    """A seat's shipments of rounds 1 and 2; a question mark for a hidden one."""
    texts = []
    for card in shipments:
        if card == NO_CARD:
            texts.append(Text(signs.none, look.QUIET))
        elif card == UNKNOWN:
            texts.append(Text("?"))
        else:
            texts.append(look.card_text(Card(int(card))))
    return Text(" ").join(texts)


def card_counts(numbers: Iterable[int]) -> dict[Card, int]:
    """The cards of a row of a state."""
    return {Card(card): int(number) for card, number in enumerate(numbers) if number}


def would_end_game(state: State) -> bool:
    """Whether the game would be over if the round ended now."""
    after = copy_of(state)
    move_prices(after)
    sell(after)
    return bool(target_reached(after))


def choices(state: State) -> list[Action]:
    """What the viewer, whose turn it is, may do; the choices are numbered from 1 in this order."""
    return actions_in(legal_actions(state))


def hand_with_choices(state: State, view: View) -> RenderableType:
    """The viewer's hand as columns; below each card the numbers of what it can do."""
    words, signs = view.words, view.signs
    numbers = {action: str(number) for number, action in enumerate(choices(state), start=1)}
    hand = card_counts(state.hand[state.viewer])
    labels = [words.say("Hand"), words.say("play"), words.say("ship"), words.say("draw")]
    width = max(map(len, labels)) + 1
    top, played, shipped, drawn = (Text(f" {label:{width}}") for label in labels)
    top.stylize(look.TITLE)
    for card, number in hand.items():
        name = Text() + look.card_text(card)
        if number > 1:
            name += Text(f" x{number}")
        name.pad_right(CELLS_PER_CARD - len(name))
        top.append_text(name)
        play = numbers.get(Action(PLAY + card), signs.none)
        played.append(f"{play:{CELLS_PER_CARD}}")
        if card.good is not None and may_ship(state, state.viewer):
            shipped.append(f"{numbers[Action(SHIP + card)]:{CELLS_PER_CARD}}")
        elif may_ship(state, state.viewer):
            shipped.append(f"{signs.none:{CELLS_PER_CARD}}")
    if not hand:
        top.append(signs.none)
    if not may_ship(state, state.viewer):
        shipped.append(f"{signs.none}  {why_no_shipment(state, words)}", look.QUIET)
    if Action.DRAW in numbers:
        drawn.append(numbers[Action.DRAW])
    else:
        drawn.append(f"{signs.none}  {why_no_draw(state, state.viewer, words)}", look.QUIET)
    lines = [top, played, shipped, drawn]
    if Card.MERCHANT in hand and Action.PLAY_MERCHANT not in numbers:
        lines.append(Text(" " + words.say("M: {why}", why=why_no_merchant(words)), look.QUIET))
    if Action.PASS in numbers:
        lines.append(
            Text(
                " "
                + words.say("Nothing is possible: {number} passes.", number=numbers[Action.PASS])
            )
        )
    return Text("\n").join(lines)


def why_not(action: Action, state: State, words: Words) -> str:
    """Why the viewer can't take an action that isn't among the choices."""
    card = action.card
    if action == Action.DRAW:
        return why_no_draw(state, state.viewer, words)
    if card is None:
        return words.say("you may pass only if nothing else is possible")
    if not state.hand[state.viewer, card]:
        return words.say("{card} isn't in your hand", card=card)
    return why_no_shipment(state, words) if action.is_shipment else why_no_merchant(words)


def open_hands(state: State, view: View) -> RenderableType:
    """The hands that the state shows: everybody's, or the viewer's."""
    table = Table(box=None, padding=(0, 1), header_style=look.QUIET, pad_edge=False)
    table.add_column("")
    table.add_column(view.words.say("player"), no_wrap=True)
    table.add_column(view.words.say("hand"))
    for seat in range(state.players):
        if state.viewer in {ALL_KNOWING, seat}:
            hand = look.cards_text(card_counts(state.hand[seat]), view.signs.none)
            table.add_row(" ", f"{seat + 1} {view.names[seat]}", hand)
    return table
