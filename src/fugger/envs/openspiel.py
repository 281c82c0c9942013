"""The game for OpenSpiel: ``pyspiel.load_game("python_fugger")`` once this has been imported.

=============  =================================================================================
parameter      meaning
=============  =================================================================================
``players``    2 to 4; 3 by default
``edition``    ``adlung`` (by default), ``rody``, or ``tiny`` (`fugger.editions.TINY`)
``first``      the starting seat, from 0
``target``     gulden that end the game, 20 to 500; 0 (by default) for the edition's own
``reward``     what a game that is over is worth (`fugger.envs.rewards`): ``win_share`` (by
               default) less 1 / players, so that it sums to zero; or ``margin``, which does so
               with two players only
=============  =================================================================================

Actions and cards dealt have the engine's numbers (`docs/notation.md`); every card dealt is a chance
node of its own. The observation is `fugger.envs.tensor`; the information state adds everything that
the seat has seen happen (`fugger.envs.openspiel_observer`), with ``?`` for what it may not know.

>>> import pyspiel, fugger.envs.openspiel
>>> state = pyspiel.load_game("python_fugger(players=2,edition=rody)").new_initial_state()
>>> for card in (4, 4, 10, 0, 2, 2, 7):
...     state.apply_action(card)
>>> print(state.information_state_string(1))
seat 2: 1:? 1:? 1:? 1:? 2:T 2:T 2:S*
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fugger.envs.extras import missing

try:
    import pyspiel  # type: ignore[import-not-found]  # it has no stubs
except ModuleNotFoundError as error:
    raise missing("openspiel", error) from None

from fugger.cards import CARD_TEXTS, KINDS
from fugger.editions import TINY, edition_named
from fugger.envs.lengths import longest
from fugger.envs.openspiel_observer import HIDDEN_CARD, FuggerObserver
from fugger.envs.resampling import Past
from fugger.envs.rewards import REWARDS, WIN_SHARE, reward, reward_bounds, reward_named
from fugger.envs.tensor import SIZE, highest_money, write_constants
from fugger.errors import is_whole, quoted
from fugger.record.form import HIDDEN_SHIPMENT, RECIPIENTS
from fugger.rules.actions import ACTION_TEXTS, ACTIONS, PASS, SHIP, actions_in, legal_actions
from fugger.rules.fields import fields_from_bytes
from fugger.rules.play import apply, deal
from fugger.rules.state import JAKOB, MAX_PLAYERS, NOBODY, OVER, SPECTATOR, new_state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fugger.rules.state import State

NAME: Final = "python_fugger"
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
_DEFAULTS: Final[dict[str, Any]] = {
    "players": 3,
    "edition": "adlung",
    "first": 0,
    "target": 0,
    "reward": REWARDS[WIN_SHARE],
}


def _game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Die Fugger",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class FuggerGame(pyspiel.Game):  # type: ignore[misc]  # no stubs
    """A setup of the game, made by ``pyspiel.load_game``.

    Attributes:
        start: the first state, as bytes.
        kind: the reward, `WIN_SHARE` or `MARGIN`.
        share: what is taken off it for each seat.
        longest: how long a game can become.
        constants: the tensor's numbers that never change.

    Raises:
        EditionError: no such edition.
        SetupError: another parameter that no game can have.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {**_DEFAULTS, **(params or {})}
        edition = TINY if chosen["edition"] == TINY.name else edition_named(chosen["edition"])
        players, first = chosen["players"], chosen["first"]
        start = new_state(edition, players, first, chosen["target"] or None)
        self.kind = reward_named(chosen["reward"])
        self.share = 1 / players if self.kind == WIN_SHARE else 0.0
        self.start = start.tobytes()
        self.longest = longest(edition, players, int(start.target))
        self.constants = np.zeros(SIZE, np.int16)
        write_constants(self.constants, start)
        low, high = reward_bounds(self.kind, highest_money(edition, int(start.target)))
        sums = self.kind == WIN_SHARE or players == 2
        utilities = pyspiel.GameType.Utility
        super().__init__(
            _game_type(utilities.ZERO_SUM if sums else utilities.GENERAL_SUM),
            pyspiel.GameInfo(
                num_distinct_actions=ACTIONS,
                max_chance_outcomes=KINDS,
                num_players=players,
                min_utility=low - self.share,
                max_utility=high - self.share,
                utility_sum=0.0 if sums else None,
                max_game_length=self.longest.actions,
            ),
            params or {},
        )

    def new_initial_state(self) -> FuggerState:
        """The game before its first card is dealt."""
        return FuggerState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Cards that a game can never be dealt more of."""
        return self.longest.deals

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> FuggerObserver:
        """An observer of states.

        Raises:
            SpielError: neither one player's knowledge is asked for nor what everyone knows.
        """
        return FuggerObserver(self, iig_obs_type, params)


class FuggerState(pyspiel.State):  # type: ignore[misc]  # no stubs
    """A game in progress. Its text is the record so far, nothing hidden."""

    def __init__(self, game: FuggerGame) -> None:
        super().__init__(game)
        # OpenSpiel copies and stores states attribute by attribute: numbers and texts are quickest.
        self._now: bytes = game.start
        self._player = _CHANCE
        self._heard: tuple[str, ...] = ("",) * (
            game.num_players() + 2
        )  # by seat; a spectator's; the whole record

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == _TERMINAL

    def position(self) -> State:
        """The state of `fugger.rules`, nothing hidden: a copy."""
        return fields_from_bytes(self._now)

    def heard(self, player: int) -> str:
        """What has happened, as a seat may know it; as everyone may, for a spectator."""
        return self._heard[self.num_players() if player == SPECTATOR else player].strip()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that can be dealt next, and how likely each is."""
        if self._player != _CHANCE:
            raise pyspiel.SpielError("no card is owed: expected a chance node")
        position = fields_from_bytes(self._now)
        size = position.draw_size
        pile = enumerate(position.draw_pile.tolist())
        return [(card, number / size) for card, number in pile if number]

    def returns(self) -> list[float]:
        """What the game is worth to each seat; 0 before its end."""
        players = range(self.num_players())
        if self._player != _TERMINAL:
            return [0.0 for _ in players]
        game, position = self.get_game(), fields_from_bytes(self._now)
        return [reward(position, seat, game.kind) - game.share for seat in players]

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> FuggerState:
        """A game that the seat can't tell from this one: hidden cards are drawn anew.

        Args:
            player_id: the seat.
            probability_sampler: gives random numbers from 0 to below 1.

        Raises:
            SpielError: there is no such seat, the numbers aren't such, or no game was found in very
                many attempts.
        """
        if not is_whole(player_id, 0, self.num_players() - 1):
            raise pyspiel.SpielError(
                f"{quoted(player_id)} is no seat: expected 0 to {self.num_players() - 1}"
            )
        if not callable(probability_sampler):
            raise pyspiel.SpielError(
                f"{quoted(probability_sampler)} gives no numbers: expected a function that does"
            )

        def uniform() -> float:
            number = probability_sampler()
            if not 0 <= number < 1:
                raise pyspiel.SpielError(f"{number} was drawn: expected a number from 0 to below 1")
            return number

        game: FuggerGame = self.get_game()
        events = Past(game.start, self.history(), player_id).imagined(uniform)
        if events is None:
            raise pyspiel.SpielError("no other cards were found that fit what the seat has seen")
        state: FuggerState = game.new_initial_state()
        for event in events:
            state.apply_action(event)
        return state

    def __str__(self) -> str:
        return self._heard[-1].strip()

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 (the seat to act)
        return [int(action) for action in actions_in(legal_actions(fields_from_bytes(self._now)))]

    def _apply_action(self, action: int) -> None:
        position = fields_from_bytes(self._now)
        if self._player == _TERMINAL:
            raise self._refused(action)
        if self._player == _CHANCE:
            if not 0 <= action < KINDS or not position.draw_pile[action]:
                raise self._refused(action)
            self._hear_deal(int(position.recipient), action)
            deal(position, action)
        else:
            if not 0 <= action < ACTIONS or not legal_actions(position) >> action & 1:
                raise self._refused(action)
            self._hear_action(self._player, action)
            apply(position, action)
        self._now = position.tobytes()
        if position.stage == OVER:
            self._player = _TERMINAL
            self._hear_shipments(position)
        else:
            self._player = _CHANCE if position.recipient != NOBODY else int(position.player)

    def _action_to_string(self, player: int, action: int) -> str:
        texts = CARD_TEXTS if player == _CHANCE else ACTION_TEXTS
        return texts[action] if 0 <= action < len(texts) else str(action)

    def _hear_deal(self, recipient: int, card: int) -> None:
        known = f" {RECIPIENTS[recipient]}:{CARD_TEXTS[card]}"
        hidden = f" {RECIPIENTS[recipient]}:{HIDDEN_CARD}"
        self._hear(known, hidden if recipient != JAKOB else known, recipient)

    def _hear_action(self, seat: int, action: int) -> None:
        known = f" {ACTION_TEXTS[action]}"
        self._hear(known, f" {HIDDEN_SHIPMENT}" if SHIP <= action < PASS else known, seat)

    def _hear(self, known: str, hidden: str, seat: int) -> None:
        """Tells the seat and the record what happened, all others what they may know of it."""
        last = len(self._heard) - 1
        self._heard = tuple(
            heard + (known if viewer in {seat, last} else hidden)
            for viewer, heard in enumerate(self._heard)
        )

    def _hear_shipments(self, position: State) -> None:
        """At the end everyone sees all shipments."""
        shown = "".join(
            f" {seat + 1}({CARD_TEXTS[card]})"
            for seat, cards in enumerate(position.shipments.tolist()[: position.players])
            for card in cards
            if card >= 0
        )
        *views, record = self._heard
        self._heard = (*(heard + shown for heard in views), record)

    def _refused(self, action: int) -> Exception:
        """The error for an action, or a card dealt, that isn't legal now."""
        if self._player == _TERMINAL:
            legal = "the game is over"
        elif self._player == _CHANCE:
            cards = " ".join(f"{CARD_TEXTS[card]} ({card})" for card, _ in self.chance_outcomes())
            legal = f"chance may deal {cards}"
        else:
            actions = " ".join(f"{ACTION_TEXTS[one]} ({one})" for one in self._legal_actions(0))
            legal = f"seat {self._player + 1} may play {actions}"
        text = self._action_to_string(self._player, action)
        error: Exception = pyspiel.SpielError(f"{text} ({action}) isn't legal: {legal}")
        return error


pyspiel.register_game(_game_type(pyspiel.GameType.Utility.ZERO_SUM), FuggerGame)
