"""What a seat knows of a game, as OpenSpiel's observers give it: texts and numbers.

An observation is a row of `fugger.envs.tensor`. An information state is that and everything the
seat has seen happen: as text in the notation of records, with ``?`` for what it may not know, and
as numbers:

=============  =================================================================================
number         meaning
=============  =================================================================================
0              nothing has happened yet
1 + action     an action; 24 is another seat's shipment
25 + 12 place  a card dealt: + its number, or + 11 if it isn't known. Places are counted from the
               viewer as in the tensor, Jakob's is 4
=============  =================================================================================

"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # it has no stubs

from fugger.cards import CARD_TEXTS, KINDS
from fugger.envs.tensor import PLANES, SIZE, plane, write
from fugger.record.form import HIDDEN_SHIPMENT, RECIPIENTS
from fugger.rules.actions import ACTION_TEXTS, ACTIONS
from fugger.rules.state import SPECTATOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.envs.openspiel import FuggerGame, FuggerState

HIDDEN_CARD: Final = "?"


class FuggerObserver:
    """What one player knows, or everyone, as OpenSpiel's observers give it.

    Attributes:
        tensor: the numbers, float32.
        dict: their parts by name: ``observation`` (128,), and with perfect recall ``events``, one
            number for each thing that can happen in a game.
    """

    def __init__(
        self, game: FuggerGame, asked: pyspiel.IIGObservationType | None, params: object = None
    ) -> None:
        asked = asked or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise pyspiel.SpielError(f"an observer has no parameters: expected none, not {params}")
        private = pyspiel.PrivateInfoType
        if not asked.public_info or asked.private_info == private.ALL_PLAYERS:
            raise pyspiel.SpielError(
                "an observer shows what one player knows, or what everyone does: "
                "expected public_info, and private_info of SINGLE_PLAYER or NONE"
            )
        self._is_private = asked.private_info == private.SINGLE_PLAYER
        self._recalls = asked.perfect_recall
        self._constants = game.constants
        self._events = [
            _numbers(viewer, game.num_players()) for viewer in range(game.num_players())
        ]
        size = game.longest.events if self._recalls else 0
        self.tensor: NDArray[np.float32] = np.zeros(SIZE + size, np.float32)
        self.dict = {"observation": self.tensor[:SIZE]}
        if self._recalls:
            self.dict["events"] = self.tensor[SIZE:]

    def set_from(self, state: FuggerState, player: int) -> None:
        """Writes what a player knows of a state into `tensor`.

        Raises:
            SpielError: more has happened than the tensor of an information state has room for.
        """
        viewer = player if self._is_private else SPECTATOR
        self.tensor[:SIZE] = self._row(state, viewer)
        if self._recalls:
            numbers = self._events[player if self._is_private else 0]
            events = [
                numbers[token] for token in state.heard(viewer).split(" ") if token in numbers
            ]
            room = len(self.tensor) - SIZE
            if len(events) > room:
                raise pyspiel.SpielError(
                    f"{len(events)} things have happened: the tensor of an information state has "
                    f"room for {room} in a game to this target"
                )
            self.tensor[SIZE:] = 0
            self.tensor[SIZE : SIZE + len(events)] = events

    def string_from(self, state: FuggerState, player: int) -> str:
        """What a player knows of a state, as a text: the same for states it can't tell apart."""
        viewer = player if self._is_private else SPECTATOR
        who = f"seat {player + 1}" if self._is_private else "everyone"
        if self._recalls:
            return f"{who}: {state.heard(viewer)}"
        row = self._row(state, viewer)
        planes = (f"{name} {' '.join(map(str, plane(row, name).flat))}" for name in PLANES)
        return "\n".join((who, *planes))

    def _row(self, state: FuggerState, viewer: int) -> NDArray[np.int16]:
        row = self._constants.copy()
        write(row, state.position(), viewer)
        return row


def _numbers(viewer: int, players: int) -> dict[str, int]:
    """The numbers of everything a viewer can see happen, by its notation."""
    numbers = {text: 1 + action for action, text in enumerate(ACTION_TEXTS)}
    numbers[HIDDEN_SHIPMENT] = 1 + ACTIONS
    for seat, recipient in enumerate(RECIPIENTS):
        place = (seat - viewer) % players if seat < players else seat
        for card, text in enumerate((*CARD_TEXTS, HIDDEN_CARD)):
            numbers[f"{recipient}:{text}"] = 2 + ACTIONS + (KINDS + 1) * place + card
    return numbers
