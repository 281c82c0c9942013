"""The game people hold: checked moves, readable answers, history and undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

from fugger.cards import CARD_TEXTS, KINDS, Card, Good
from fugger.editions import Edition, edition_named
from fugger.errors import IllegalAction, IllegalDeal, NotationError, SetupError, is_whole, quoted
from fugger.explain import Evaluation, evaluate
from fugger.rules import evaluation, information, play
from fugger.rules.actions import ACTIONS, Action, actions_in, legal_actions
from fugger.rules.fields import fields_from_bytes
from fugger.rules.state import (
    JAKOB,
    NOBODY,
    OVER,
    State,
    copy_of,
    new_states,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


_CARDS = tuple(Card)

_NEVER = 1000
"""As a round's end: more cards than the box holds of a good."""


class Source(Protocol):
    """A source of cards: whole numbers from 0 to stop - 1, each as likely."""

    def randrange(self, stop: int, /) -> int:
        """A number below `stop`."""


@dataclass(frozen=True, slots=True)
class _Before:
    """What undo needs of the moment before an action."""

    snapshot: bytes
    player: int
    tokens: int
    evaluations: int


class Game:
    """A game of Die Fugger in progress: cards are dealt from outside, actions taken by seats.

    >>> import random
    >>> game = Game(players=2)
    >>> game.deal_all(random.Random(7))
    >>> game.play(game.legal_actions[0])
    >>> game.tokens[-1]
    '+'

    Args:
        players: 2 to 4.
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        first: the starting seat, from 0.
        target: gulden that end the game, 20 to 500; the edition's own (100) by default.

    Attributes:
        edition: the game's `Edition`.
        first: the starting seat.
        target: gulden that end the game.
        tags: further facts for the record's header, such as ``Seat1``; free for the user.
        comments: remarks for the record, by the number of tokens they follow.
        evaluations: the rounds' evaluations so far.

    Raises:
        EditionError: no such edition.
        SetupError: players, first or target out of range.
    """

    def __init__(
        self,
        players: int = 3,
        edition: str | Edition = "adlung",
        first: int = 0,
        target: int | None = None,
    ) -> None:
        self.edition = edition if isinstance(edition, Edition) else edition_named(edition)
        self._hold(new_states(self.edition, players, first, target).tobytes())
        self.first = int(first)
        self.target = self.edition.target if target is None else int(target)
        self.tags: dict[str, str] = {}
        self.comments: dict[int, list[str]] = {}
        self.evaluations: list[Evaluation] = []
        self._tokens: list[str] = []
        self._round_ends: list[int] = []
        self._before: list[_Before] = []

    def __repr__(self) -> str:
        setup = f"players={self.players}, edition={str(self.edition)!r}, first={self.first}"
        if self.is_over:
            where = f"over after round {self.round}, money {self.money}"
        else:
            waiting = f"seat {self.player}'s turn" if self.player is not None else "a card is owed"
            where = f"round {self.round}, {waiting}, money {self.money}"
        return f"<Game {setup}, target={self.target}: {where}>"

    # The course of the game

    @property
    def recipient(self) -> int | None:
        """Who is owed the next card: a seat, `JAKOB`, or None."""
        recipient = int(self._state.recipient)
        return None if recipient == NOBODY else recipient

    @property
    def owed(self) -> int:
        """How many cards the recipient is owed; a merchant turned up for Jakob doesn't count."""
        return int(self._state.owed)

    @property
    def chances(self) -> dict[Card, int]:
        """What the next deal can be, and how many of each; empty if no card is owed."""
        return {} if self.recipient is None else _cards(self._state.draw_pile.tolist())

    def deal(self, card: Card | str | int) -> None:
        """Deals the owed card.

        Raises:
            IllegalDeal: no card is owed, the draw pile holds no such card, or it is no card.
        """
        try:
            card = _as_card(card)
        except NotationError as error:
            raise IllegalDeal(str(error)) from None
        if self.recipient is None:
            waiting = "the game is over" if self.is_over else f"seat {self.player + 1} is to act"  # type: ignore[operator]  # not None here
            raise IllegalDeal(f"{card} can't be dealt: no card is owed, {waiting}")
        if not self._state.draw_pile[card]:
            raise IllegalDeal(f"{card} can't be dealt: the draw pile holds {_listed(self.chances)}")
        self._deal(card)

    def _deal(self, card: Card) -> None:
        """Deals a card that is owed and can be had."""
        recipient = self._state.recipient
        before = self._state.tobytes()
        play.deal(self._state, card)
        self._tokens.append(f"{'J' if recipient == JAKOB else recipient + 1}:{card}")
        self._note_evaluation(before, play.deal, card)

    def deal_all(self, rng: Source) -> None:
        """Deals everything owed, each card of the draw pile as likely.

        A card is the one at index ``rng.randrange(n)`` of the n cards of the draw pile, laid out
        in the order of their numbers.

        Args:
            rng: a `random.Random`, or anything else with such a `randrange`
                (`fugger.dealer` has some).

        Raises:
            TypeError: `rng` is neither.
            ValueError: it gave something else than such a number; the cards before stay dealt.
        """
        if not callable(getattr(rng, "randrange", None)):
            raise TypeError(f"rng is {quoted(rng)}: expected a random.Random")
        state = self._state
        while state.recipient != NOBODY:
            size = state.draw_size
            index = rng.randrange(size)
            if not is_whole(index, 0, size - 1):
                raise ValueError(
                    f"rng.randrange({size}) is {quoted(index)}: "
                    f"expected a whole number from 0 to {size - 1}"
                )
            before = int(index)  # cards that lie before it
            for card, number in enumerate(state.draw_pile.tolist()):
                before -= number
                if before < 0:
                    self._deal(_CARDS[card])
                    break

    @property
    def player(self) -> int | None:
        """The seat to act; None while a card is owed, and at the end."""
        if self.is_over or self.recipient is not None:
            return None
        return int(self._state.player)

    @property
    def legal_actions(self) -> list[Action]:
        """What the player may do, in the order of the actions' numbers; empty if nobody acts."""
        return [] if self.player is None else actions_in(legal_actions(self._state))

    def play(self, action: Action | str | int) -> None:
        """Takes an action for the player whose turn it is.

        Raises:
            IllegalAction: the rules don't allow it now, or it is no action; the error says what
                is legal.
        """
        legal = self.legal_actions
        try:
            action = _as_action(action)
        except NotationError as error:
            raise IllegalAction(f"{error}; {self._situation(legal)}", tuple(legal)) from None
        if action not in legal:
            raise IllegalAction(f"{action} isn't legal: {self._situation(legal)}", tuple(legal))
        before = self._state.tobytes()
        self._before.append(
            _Before(before, int(self._state.player), len(self._tokens), len(self.evaluations))
        )
        play.apply(self._state, action)
        self._tokens.append(str(action))
        self._note_evaluation(before, play.apply, action)

    def undo(self) -> None:
        """Takes back the last action with the deals that followed it.

        Raises:
            IllegalAction: no action has been taken.
        """
        if not self._before:
            raise IllegalAction("nothing to undo: no action has been taken")
        before = self._before.pop()
        self._hold(before.snapshot)
        del self._tokens[before.tokens :]
        del self.evaluations[before.evaluations :]
        del self._round_ends[before.evaluations :]
        self.comments = {at: texts for at, texts in self.comments.items() if at <= before.tokens}

    def copy(self) -> Self:
        """An independent copy, history and all."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._hold(self._state.tobytes())
        twin.tags = dict(self.tags)
        twin.comments = {at: list(texts) for at, texts in self.comments.items()}
        twin.evaluations = list(self.evaluations)
        twin._tokens = list(self._tokens)
        twin._round_ends = list(self._round_ends)
        twin._before = list(self._before)
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_state": self._state.tobytes()}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._hold(attributes["_state"])

    @property
    def tokens(self) -> list[str]:
        """The notation so far: every deal and action in order."""
        return list(self._tokens)

    @property
    def actions_taken(self) -> int:
        """How many actions have been taken."""
        return len(self._before)

    @property
    def actors(self) -> list[int]:
        """The seat that took each action."""
        return [before.player for before in self._before]

    @property
    def round_ends(self) -> list[int]:
        """How many tokens each round's end follows: one number for each of the evaluations."""
        return list(self._round_ends)

    # What lies where

    @property
    def players(self) -> int:
        """How many play."""
        return int(self._state.players)

    @property
    def prices(self) -> dict[Good, int]:
        """Each good's price in gulden."""
        return {good: int(self._state.prices[good]) for good in Good}

    @property
    def counts(self) -> dict[Good, int]:
        """How many cards of each good lie on the table, Jakob's included."""
        return {good: int(self._state.table[good]) for good in Good}

    @property
    def money(self) -> list[int]:
        """Each seat's gulden."""
        return [int(money) for money in self._state.money[: self.players]]

    @property
    def round(self) -> int:
        """The round's number, from 1; at the end the last round's."""
        return int(self._state.round_number)

    @property
    def starter(self) -> int:
        """The seat that begins this round."""
        return int(self._state.starter)

    @property
    def is_over(self) -> bool:
        """Whether the final scoring has been done."""
        return bool(self._state.stage == OVER)

    @property
    def winners(self) -> list[int]:
        """The seats with the most money, which share the win; empty until the game is over."""
        if not self.is_over:
            return []
        seats = evaluation.winners(self._state)
        return [seat for seat in range(self.players) if seats >> seat & 1]

    def hand(self, seat: int) -> dict[Card, int]:
        """The cards in a seat's hand."""
        return _cards(self._state.hand.tolist()[self._seat(seat)])

    def tableau(self, seat: int) -> dict[Card, int]:
        """A seat's face-up cards, goods and merchants."""
        return _cards(self._state.tableau.tolist()[self._seat(seat)])

    def shipments(self, seat: int) -> list[Card | None]:
        """What a seat shipped in round 1 and in round 2."""
        cards = self._state.shipments.tolist()[self._seat(seat)]
        return [_CARDS[card] if card >= 0 else None for card in cards]

    @property
    def jakob(self) -> dict[Card, int]:
        """Jakob's goods."""
        return _cards(self._state.jakob.tolist())

    @property
    def draw_pile(self) -> dict[Card, int]:
        """The cards of the draw pile."""
        return _cards(self._state.draw_pile.tolist())

    @property
    def discard_pile(self) -> dict[Card, int]:
        """The cards of the discard pile."""
        return _cards(self._state.discard_pile.tolist())

    def observe(self, seat: int) -> State:
        """What a seat knows (or a `SPECTATOR`): a state with everything else removed.

        Raises:
            SetupError: there is no such seat.
        """
        return information.observe(self._state, seat)

    def observe_fields(self, seat: int) -> State:
        """As `observe`, but of plain Python numbers, which interpreted code reads faster.

        Raises:
            SetupError: there is no such seat.
        """
        return information.observe_fields(self._state, seat)

    def own_cards(self, seat: int) -> tuple[list[int], list[int]]:
        """All that a seat knows beside what a `SPECTATOR` does: hand and shipments, as numbers.

        Raises:
            SetupError: there is no such seat.
        """
        return information.own_cards(self._state, seat)

    @property
    def state(self) -> State:
        """A copy of the whole state, nothing hidden."""
        return copy_of(self._state)

    @property
    def outlook(self) -> Evaluation:
        """The evaluation as it would be if the round ended now."""
        return evaluate(self._state)

    def _seat(self, seat: int) -> int:
        if is_whole(seat, 0, self.players - 1):
            return int(seat)
        raise SetupError(f"{quoted(seat)} is no seat: expected 0 to {self.players - 1}")

    def _situation(self, legal: Iterable[Action]) -> str:
        if self.is_over:
            return "the game is over"
        if self.player is None:
            to = "Jakob" if self.recipient == JAKOB else f"seat {self.recipient + 1}"  # type: ignore[operator]  # not None here
            return f"{to} is owed a card first"
        return f"seat {self.player + 1} may play {' '.join(map(str, legal))}"

    def _hold(self, snapshot: bytes) -> None:
        self._state = fields_from_bytes(snapshot)
        self._round = self._state.round_number

    def _note_evaluation(
        self, before: bytes, move: Callable[[State, int], None], what: int
    ) -> None:
        """If the last move ended a round, keeps that evaluation."""
        if self._state.round_number == self._round and not self.is_over:
            return
        self._round = self._state.round_number
        table = fields_from_bytes(before)
        table.round_end = _NEVER  # the same move again, stopping short of the evaluation
        move(table, what)
        self.evaluations.append(evaluate(table, self._state))
        self._round_ends.append(len(self._tokens))


def _cards(numbers: Iterable[int]) -> dict[Card, int]:
    return {_CARDS[card]: number for card, number in enumerate(numbers) if number}


def _listed(cards: dict[Card, int]) -> str:
    return ", ".join(f"{number} {card}" for card, number in cards.items())


def _as_card(card: object) -> Card:
    if isinstance(card, Card):
        return card
    if is_whole(card):
        if not 0 <= card < KINDS:
            raise NotationError("card", card, f"a number from 0 to {KINDS - 1}")
        return Card(int(card))
    if not isinstance(card, str):
        raise NotationError("card", card, f"one of {' '.join(CARD_TEXTS)}, or its number")
    return Card(card)  # type: ignore[arg-type]  # texts too


def _as_action(action: object) -> Action:
    if isinstance(action, Action):
        return action
    if is_whole(action, 0, ACTIONS - 1):
        return Action(int(action))
    if not isinstance(action, str):
        expected = f"an Action, its notation or its number, 0 to {ACTIONS - 1}"
        raise NotationError("action", action, expected)
    return Action(action)  # type: ignore[arg-type]  # texts too
