"""Games of one learner against chosen bots: compiled from one of the learner's turns to the next.

The bots that are policies (`fugger.bots.POLICIES`) act in the compiled loop, told what their seats
may know and nothing else. Where another bot is to act the loop stops, and whoever called it asks
the bot and goes on with its action.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fugger.bots import POLICIES
from fugger.bots.memory import DEALT
from fugger.bots.simple import policy_action
from fugger.chance import below, generator
from fugger.compiled import entry
from fugger.envs import tensor
from fugger.envs.games import Games
from fugger.envs.rewards import reward
from fugger.envs.stepping import write_mask
from fugger.envs.tensor import place_of
from fugger.envs.vector import Vector
from fugger.errors import SetupError, is_whole, quoted
from fugger.playouts import next_of_deck
from fugger.rules.actions import PASS, legal_actions
from fugger.rules.information import hide
from fugger.rules.play import apply, deal
from fugger.rules.state import NOBODY, OVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from fugger.envs.stepping import Bytes
    from fugger.envs.tensor import Tensor
    from fugger.rules.state import States


BEGIN: Final = -1
"""As a move: a new game, wherever the old one stands."""
STAY: Final = -2
"""As a move: nothing."""
OUTSIDE: Final = -1
"""As a policy: a bot that isn't one."""
_MORE: Final = ("event_numbers", "events", "seats")
_TURNS: Final = 8
"""Steps that take as long as a learner's turn and those of the bots after it, about."""
_ROOM: Final = 1024
"""Events that can come between two turns of a learner, and more."""


class Learners(Vector):
    """Games of one setup, in each of which one seat is a learner's.

    Args:
        opponents: for each of the others, clockwise from the learner's left neighbour, the name of
            a policy; None for a bot that acts outside.
        seat: the learner's, from 0; if None each game draws its own.
        tells: whether the games tell their events, for bots that remember.
        setup: as of a `Vector`.

    Raises:
        EditionError: no such edition.
        SetupError: another argument is out of its range.
    """

    def __init__(
        self,
        opponents: Sequence[str | None],
        seat: int | None,
        *,
        tells: bool = False,
        **setup: Any,
    ) -> None:
        super().__init__(**setup)
        if seat is not None and not is_whole(seat, 0, self.players - 1):
            raise SetupError(f"seat is {quoted(seat)}: expected 0 to {self.players - 1}, or None")
        names = list(POLICIES)
        self._policies = np.array(
            [OUTSIDE if name is None else names.index(name) for name in opponents], np.int64
        )
        self._seat = -1 if seat is None else int(seat)
        self._tells = tells

    def open(self, games: int) -> LearnersGames:
        """Room for some games, none of which has begun or has a seed."""
        return LearnersGames(games, self._starts, _ROOM if self._tells else 0)

    def start(self, number: int) -> States:
        """An array of one: the game that began with a start, before its first card."""
        return self._starts[number : number + 1]

    def seed(self, state: LearnersGames, game: int, seed: int) -> None:
        """Settles a game's cards to come, and what its bots leave to chance."""
        state.deals[game] = generator(seed, 0)
        state.choices[game] = generator(seed, 1)

    def play(self, state: LearnersGames, moves: NDArray[np.int64]) -> None:
        """Takes a move in every game, then plays on until a learner's or an outside bot's turn.

        Args:
            state: the games, changed in place.
            moves: for each a legal action of whose turn it is, BEGIN or STAY; int64 (n,).
        """
        with state.held:
            turns = partial(
                play_turns,
                self._starts,
                state.states,
                state.decks,
                state.deals,
                state.choices,
                self._policies,
                self._seat,
                state.seats,
                moves,
                state.legal,
                state._masks.view(np.int64),
                state._rows,
                state.current_player,
                state.terminated,
                state.rewards,
                self._reward,
                state.events,
                state.event_numbers,
            )
            self._share(len(state), turns, steps=_TURNS)


class LearnersGames(Games):
    """Games in progress, as the learners see them.

    Attributes:
        seats: the learner's in each game; int64 (n,).
        events: what the last call of `Learners.play` did, told as `fugger.bots.Past` has it, after
            BEGIN the number of the start before that; int64 (n, room), no room if nobody asks.
        event_numbers: how many there were; int64 (n,).
    """

    __slots__ = _MORE
    stored = (*Games.stored, *_MORE)

    seats: NDArray[np.int64]
    events: NDArray[np.int64]
    event_numbers: NDArray[np.int64]

    def __init__(self, games: int, starts: States, room: int) -> None:
        """Room for games of a setup, and for so many events of each."""
        super().__init__(games, starts)
        self._put(
            events=np.zeros((games, room), np.int64),
            seats=np.zeros(games, np.int64),
            event_numbers=np.zeros(games, np.int64),
        )


@entry
def play_turns(  # noqa: PLR0913, PLR0917 (compiled code takes no groups of arrays)
    starts: States,
    states: States,
    decks: NDArray[np.uint16],
    deals: NDArray[np.int64],
    choices: NDArray[np.int64],
    policies: NDArray[np.int64],
    seat_of_all: int,
    seats: NDArray[np.int64],
    moves: NDArray[np.int64],
    legal: NDArray[np.int32],
    masks: Bytes,
    observations: Tensor,
    players: NDArray[np.int8],
    terminated: NDArray[np.bool_],
    rewards: NDArray[np.float32],
    kind: int,
    events: NDArray[np.int64],
    event_numbers: NDArray[np.int64],
    begin: int,
    end: int,
) -> None:
    """Moves games on to the next turn of their learner, or of a bot outside, and shows them."""
    seen = starts[:1].copy()
    room = events.shape[1]
    for game in range(begin, end):
        move = int(moves[game])
        if move == STAY:
            continue
        state = states[game]
        deck, cards, choice = decks[game], deals[game], choices[game]
        if move == BEGIN:
            move = below(cards, len(starts))
            states[game] = starts[move]
            deck[0] = 0
            seats[game] = below(cards, int(state.players)) if seat_of_all < 0 else seat_of_all
        else:
            apply(state, move)
        if room > 0:
            events[game, 0] = move
        number = 1
        seat = int(seats[game])
        while state.stage != OVER:
            if state.recipient != NOBODY:
                card = next_of_deck(state, cards, deck)
                deal(state, card)
                event = DEALT + card
            else:
                if state.player == seat:
                    break
                policy = int(policies[place_of(int(state.player), seat, int(state.players)) - 1])
                if policy == OUTSIDE:
                    break
                seen[0] = states[game]
                hide(seen[0], int(state.player))
                event = policy_action(policy, seen[0], choice)
                apply(state, event)
            if number < room:
                events[game, number] = event
            number += 1
        event_numbers[game] = number
        over = state.stage == OVER
        actions = 1 << PASS if over else legal_actions(state)
        legal[game] = actions
        write_mask(masks[game], actions)
        players[game] = state.player
        terminated[game] = over
        for other in range(state.players):
            rewards[game, other] = reward(state, other, kind)
        tensor.write(observations[game], state, seat)
