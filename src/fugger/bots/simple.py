"""Simple bots, from one that acts at random to one that looks a single action ahead.

All are functions from an observation to an action that run interpreted and compiled, and a good
place to start for a bot of one's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fugger.cards import GOODS, MERCHANT
from fugger.chance import below
from fugger.compiled import jitable
from fugger.playouts import one_of
from fugger.rules.actions import ACTIONS, DRAW, PASS, PLAY, SHIP, legal_actions
from fugger.rules.evaluation import income, move_prices

if TYPE_CHECKING:
    from fugger.chance import Generator
    from fugger.rules.state import State

# What greedy weighs, in points; found by matches of thousands of games between variants, with 2
# and 3 players in both editions.

_GULDEN: Final = 600
"""Points that a gulden is worth."""
_OTHERS: Final = 480
"""Points lost when the others' mean income is a gulden higher."""
_AHEAD: Final = 540
"""Points of a gulden that will be earned only if the round ended now, and it doesn't."""
_ENDING: Final = 450
"""Points of a gulden earned by ending the round now, when others have played for it as well."""
_DRAW: Final = 9 * _GULDEN
"""A card drawn into an empty hand."""
_DRAW_LESS: Final = _GULDEN
"""By so much less for each card in hand."""
_MERCHANTS: Final = (5 * _GULDEN, 7 * _GULDEN)
"""The first merchant, for two cards at the next round; the second, for three more."""
_SHIP: Final = 4 * _GULDEN
"""A shipment, which takes a card away but pays at the end,"""
_SHIP_PRICE: Final = 960
"""and more so for each gulden of its good's price;"""
_SHIP_SEAL: Final = 7 * _GULDEN
"""but a seal doubles nothing there."""

_TWENTY: Final = 20
_WHIMS: Final = 16
_LAPSES: Final = 8
_SLIPS: Final = 3
"""Times of twenty that the apprentice, the journeyman and the trader take any action."""


@jitable
def uniform(observation: State, rng: Generator) -> int:
    """Any legal action, each as likely."""
    return one_of(legal_actions(observation), rng)


@jitable
def apprentice(observation: State, rng: Generator) -> int:
    """A beginner's way: more often than not any action, else what looks best for itself."""
    if below(rng, _TWENTY) < _WHIMS:
        return uniform(observation, rng)
    return best(observation, rng, 0)


@jitable
def journeyman(observation: State, rng: Generator) -> int:
    """Now and then any action, else what looks best for itself; doesn't look at the others."""
    if below(rng, _TWENTY) < _LAPSES:
        return uniform(observation, rng)
    return best(observation, rng, 0)


@jitable
def trader(observation: State, rng: Generator) -> int:
    """Greedy, but for a lapse now and then."""
    if below(rng, _TWENTY) < _SLIPS:
        return uniform(observation, rng)
    return best(observation, rng, _OTHERS)


@jitable
def greedy(observation: State, rng: Generator) -> int:
    """The action that looks best one action ahead.

    A card played counts by what it changes of the own lead over the others, were the round to end
    now; all else by fixed weights. Of equally good actions any is taken.
    """
    return best(observation, rng, _OTHERS)


@jitable
def policy_action(policy: int, observation: State, rng: Generator) -> int:
    """The action of a policy, given by its place in `fugger.bots.POLICIES`."""
    if policy == 0:
        return uniform(observation, rng)
    if policy == 2:
        return apprentice(observation, rng)
    if policy == 3:
        return journeyman(observation, rng)
    if policy == 4:
        return trader(observation, rng)
    return greedy(observation, rng)


@jitable
def best(observation: State, rng: Generator, others: int) -> int:
    """The action that looks best, when a gulden more for the others costs so many points."""
    legal = legal_actions(observation)
    now = lead(observation, others)
    most, choices = 0, 0
    for action in range(ACTIONS):
        if not legal >> action & 1:
            continue
        points = value(observation, action, now, others)
        if choices == 0 or points > most:
            most, choices = points, 1 << action
        elif points == most:
            choices |= 1 << action
    return one_of(choices, rng)


@jitable
def value(observation: State, action: int, now: int, others: int) -> int:
    """Points for a legal action, when the own lead is `now` points without it."""
    seat = observation.player
    if action == DRAW:
        return _DRAW - _DRAW_LESS * int(observation.hand_size[seat])
    if action == PLAY + MERCHANT:
        return int(_MERCHANTS[observation.tableau[seat, MERCHANT]])
    if action < SHIP:
        return value_of_play(observation, action - PLAY, now, others)
    if action < PASS:
        card = action - SHIP
        points = _SHIP + _SHIP_PRICE * observation.prices[card >> 1]
        return int(points) - (_SHIP_SEAL if card & 1 else 0)
    return 0


@jitable
def value_of_play(observation: State, card: int, now: int, others: int) -> int:
    """Points for playing a good: what it does to the lead, and in full if it ends the round."""
    seat = observation.player
    good = card >> 1
    observation.tableau[seat, card] += 1
    observation.table[good] += 1
    then = lead(observation, others)
    ends_round = observation.table[good] >= observation.round_end
    observation.tableau[seat, card] -= 1
    observation.table[good] -= 1
    return then * _ENDING // _GULDEN if ends_round else (then - now) * _AHEAD // _GULDEN


@jitable
def lead(observation: State, others: int) -> int:
    """Points for what the player would earn more than the others if the round ended now."""
    prices = (
        int(observation.prices[0]),
        int(observation.prices[1]),
        int(observation.prices[2]),
        int(observation.prices[3]),
        int(observation.prices[4]),
    )
    move_prices(observation)
    own, theirs = 0, 0
    for seat in range(observation.players):
        if seat == observation.player:
            own = int(income(observation, seat))
        else:
            theirs += int(income(observation, seat))
    for good in range(GOODS):
        observation.prices[good] = prices[good]
    return _GULDEN * own - others // (int(observation.players) - 1) * theirs
