"""The compiled loop: games between bots, one after the other, with nothing allocated in it.

Every event of a game is a number:

==========================  =========================================
number                      event
==========================  =========================================
0 to 22                     the action of this number
31                          the round ended with the event before
32 + 16 * recipient + card  the deal of a card to a seat, or to Jakob
==========================  =========================================

Every game leaves a row of numbers, its outcome: the columns below, then each seat's money.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.bots.simple import policy_action
from fugger.compiled import entry
from fugger.dealer import next_card
from fugger.rules.evaluation import winners
from fugger.rules.information import hide
from fugger.rules.play import apply, deal
from fugger.rules.state import MAX_PLAYERS, NOBODY, OVER, States, empty_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator

ROUND_END: Final = 31
DEAL: Final = 32
RECIPIENT_STEP: Final = 16

WINNERS: Final = 0
"""A bit set of seats."""
ROUNDS: Final = 1
DECISIONS: Final = 2
"""Actions taken."""
EVENTS_END: Final = 3
"""How many events there are up to the end of this game."""
MONEY: Final = 4
"""MONEY + seat: the seat's money at the end."""
COLUMNS: Final = MONEY + MAX_PLAYERS

_STATES: Final = 2
"""States the loop works on: the game's, and what the player sees of it."""


@entry
def play_games(  # noqa: PLR0913, PLR0917 (compiled code takes no groups of them)
    starts: States,
    states: States,
    policies: NDArray[np.int64],
    first_game: int,
    deals: Generator,
    choices: Generator,
    outcomes: NDArray[np.int64],
    events: NDArray[np.uint8],
) -> int:
    """Plays as many games as `outcomes` has rows; how many events they had.

    Args:
        starts: games before their first card, taken in turn.
        states: two to work on, of any content.
        policies: for each seat the place of its policy in `fugger.bots.POLICIES`.
        first_game: the first game's number, from 0, which says where it starts.
        deals: deals the cards.
        choices: settles what policies leave open; never tells them of the cards to come.
        outcomes: gets a row for each game.
        events: gets the events; those it has no room for are only counted.
    """
    state, observation = states[0], states[1]
    room = len(events)
    number = 0
    for game in range(len(outcomes)):
        states[0] = starts[(first_game + game) % len(starts)]
        decisions = 0
        while state.stage != OVER:
            now = state.round_number
            if state.recipient != NOBODY:
                card = next_card(state, deals)
                event = DEAL + RECIPIENT_STEP * int(state.recipient) + card
                deal(state, card)
            else:
                states[1] = states[0]
                hide(observation, state.player)
                event = policy_action(policies[state.player], observation, choices)
                apply(state, event)
                decisions += 1
            if number < room:
                events[number] = event
            number += 1
            if state.round_number != now or state.stage == OVER:
                if number < room:
                    events[number] = ROUND_END
                number += 1
        outcomes[game, WINNERS] = winners(state)
        outcomes[game, ROUNDS] = state.round_number
        outcomes[game, DECISIONS] = decisions
        outcomes[game, EVENTS_END] = number
        for seat in range(state.players):
            outcomes[game, MONEY + seat] = state.money[seat]
    return number


def working_states() -> States:
    """The states that `play_games` works on."""
    return empty_states(_STATES)


def compile_loop() -> None:
    """Makes `play_games` ready, which may take half a minute when its code isn't in the cache."""
    no_games = np.zeros((0, COLUMNS), np.int64)
    numbers = np.zeros(MAX_PLAYERS, np.int64)
    play_games(
        empty_states(1),
        working_states(),
        numbers,
        0,
        numbers[:1],
        numbers[:1],
        no_games,
        np.zeros(0, np.uint8),
    )
