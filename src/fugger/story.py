"""What happened, in words: a game's moves told to one viewer, who hears only what they may know."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fugger.cards import Card
from fugger.game import Game
from fugger.names import card_name, cards_named
from fugger.rules.actions import Action
from fugger.rules.state import ALL_KNOWING, JAKOB, TURNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fugger.explain import Evaluation
    from fugger.texts import Words


@dataclass(frozen=True, slots=True)
class Event:
    """An action, or cards dealt to one recipient by one cause.

    Attributes:
        at: how many tokens come before it.
        seat: who acts, or who is dealt the cards; `JAKOB` too.
        action: the action, or None for cards dealt without one.
        cards: the card drawn, played or shipped, or the cards dealt; None where hidden.
        round: the round it belongs to.
        in_turn: whether it is part of a turn; else of the dealing before a round.
        evaluation: the evaluation it brought about, if it ended a round.
    """

    at: int
    seat: int
    action: Action | None
    cards: tuple[Card | None, ...]
    round: int
    in_turn: bool
    evaluation: Evaluation | None = None


class Chronicle:
    """The events of one game, kept up to date as it goes on, nothing hidden.

    A game that was taken back is told again from its start; one that went on, from where the
    telling stood.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._tokens: list[str] = []
        self._again: Game | None = None

    def follow(self, game: Game) -> list[Event]:
        """The events so far of a game that is the same as before, or that went on from there."""
        tokens = game.tokens
        known = len(self._tokens)
        if self._again is None or tokens[:known] != self._tokens:
            self._again = Game(game.players, game.edition, game.first, game.target)
            self.events, known = [], 0
        for index in range(known, len(tokens)):
            self._take(index, tokens[index], self._again)
        self._tokens = tokens
        return self.events

    def _take(self, index: int, token: str, game: Game) -> None:
        events, rounds = self.events, len(game.evaluations)
        state = game.state
        if game.recipient is None:
            action = Action(token)  # type: ignore[arg-type]  # texts too
            cards = () if action.card is None else (action.card,)
            events.append(Event(index, int(state.player), action, cards, game.round, in_turn=True))
            game.play(token)
        else:
            seat, in_turn = game.recipient, bool(state.stage == TURNS)
            card = Card(token.partition(":")[2])  # type: ignore[arg-type]  # texts too
            last = events[-1] if events else None
            if last is not None and _goes_on(last, seat, card, in_turn):
                events[-1] = replace(last, cards=(*last.cards, card))
            else:
                events.append(Event(index, seat, None, (card,), game.round, in_turn))
            game.deal(card)
        if len(game.evaluations) > rounds:
            events[-1] = replace(events[-1], evaluation=game.evaluations[-1])


def _goes_on(event: Event, seat: int, card: Card, in_turn: bool) -> bool:
    """Whether a card dealt next is part of the event: drawn by it, or dealt together with it."""
    if event.seat != seat or event.evaluation is not None:
        return False
    if in_turn and seat != JAKOB:
        return event.action == Action.DRAW
    merchant_turned_up = seat == JAKOB and Card.MERCHANT in {card, *event.cards}
    return event.action is None and event.in_turn == in_turn and not merchant_turned_up


def steps(game: Game) -> Iterator[tuple[str, Game]]:
    """Plays a game again: each token with the game as it is just before it.

    The game given out is one and the same, and goes on with the next step.
    """
    again = Game(game.players, game.edition, game.first, game.target)
    for token in game.tokens:
        yield token, again
        if again.recipient is None:
            again.play(token)
        else:
            again.deal(token.partition(":")[2])


def story(game: Game, viewer: int) -> list[Event]:
    """The events of a game as far as a viewer (a seat, SPECTATOR or ALL_KNOWING) may know them."""
    return [seen_by(event, viewer) for event in Chronicle().follow(game)]


def seen_by(event: Event, viewer: int) -> Event:
    """An event as far as a viewer may know it: others' cards are None, but for those laid open."""
    action = event.action
    if viewer in {ALL_KNOWING, event.seat} or event.seat == JAKOB:
        return event
    if action is None or action == Action.DRAW:
        return replace(event, cards=(None,) * len(event.cards))
    if action.is_shipment:
        # Any shipment: its card isn't told.
        return replace(event, action=Action.SHIP_COPPER, cards=(None,))
    return event


def since_last_action(events: list[Event], viewer: int) -> list[Event]:
    """The events from the viewer's last action on, or from the last round's end if that is later.

    Cards dealt to others before a round are left out, since the table shows how many they hold,
    and so are those of the opening hand.
    """
    start = 0
    for index, event in enumerate(events):
        if event.evaluation is not None:
            start = index + 1
        elif event.action is not None and event.seat == viewer:
            start = index
    return [
        event
        for event in events[start:]
        if event.in_turn or event.seat == JAKOB or (event.seat == viewer and event.round > 1)
    ]


def before_round_end(events: list[Event], viewer: int) -> list[Event]:
    """The events that led to the last round's end, from the viewer's last action on."""
    end = max(index for index, event in enumerate(events) if event.evaluation is not None)
    before = events[:end]
    told = [*since_last_action(before, viewer), events[end]]
    return told[-8:]


def tell(event: Event, viewer: int, words: Words, names: Sequence[str]) -> str:
    """An event in a sentence; a viewer's own are told to "you"."""
    if event.seat == JAKOB:
        if event.cards[0] == Card.MERCHANT:
            return words.say("A merchant turned up for Jakob is discarded.")
        return words.say("Jakob gets {cards}.", cards=_listed(event, words))
    if event.seat == viewer:
        return _told_to_player(event, words)
    name = names[event.seat]
    shown = event.cards[0] if event.cards else None
    card_text = "" if shown is None else card_name(words, shown)
    if event.action is None:
        number = len(event.cards)
        return words.say_number(
            "{name} gets {number} card.", "{name} gets {number} cards.", number, name=name
        )
    if event.action == Action.PASS:
        return words.say("{name} passes.", name=name)
    if event.action == Action.DRAW:
        if not card_text:
            return words.say("{name} draws a card.", name=name)
        return words.say("{name} draws {card}.", name=name, card=card_text)
    if not event.action.is_shipment:
        return words.say("{name} plays {card}.", name=name, card=card_text)
    if not card_text:
        return words.say("{name} ships a good.", name=name)
    return words.say("{name} ships {card}.", name=name, card=card_text)


def _told_to_player(event: Event, words: Words) -> str:
    text = _listed(event, words)
    if event.action is None:
        return words.say("You get {cards}.", cards=text)
    if event.action == Action.PASS:
        return words.say("You pass.")
    if event.action == Action.DRAW:
        return words.say("You draw {card}.", card=text)
    if event.action.is_shipment:
        return words.say("You ship {card}.", card=text)
    return words.say("You play {card}.", card=text)


def _listed(event: Event, words: Words) -> str:
    cards = [card for card in event.cards if card is not None]
    return cards_named(words, {card: cards.count(card) for card in sorted(set(cards))})
