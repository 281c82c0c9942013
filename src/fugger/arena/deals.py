"""A deal played: all games from one order of the cards.

Nothing but the contest and the deal's number enters: not who plays it, nor when, nor what was
played before. So results are the same whatever the number of workers, and an arena can be stopped
and go on.

**Forfeits.** A player that fails is out of the game and can't win it. From then on any legal action
is taken for it, each as likely, so that the others play to the end; when only one is left who
hasn't failed, the game is over and won.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.arena.match import (
    COLUMNS,
    DECISIONS,
    MONEY,
    ROUNDS,
    WINNERS,
    play_games,
    working_states,
)
from fugger.bots import POLICIES, Past
from fugger.bots.memory import DEALT
from fugger.bots.players import Forfeit, Place
from fugger.chance import Generator, generator
from fugger.dealer import next_card
from fugger.playouts import one_of
from fugger.rules.actions import ACTION_TEXTS, actions_in, legal_actions
from fugger.rules.evaluation import winners
from fugger.rules.fields import fields_of
from fugger.rules.information import observe
from fugger.rules.play import apply, deal
from fugger.rules.state import NOBODY, OVER, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fugger.arena.contest import Contest, Lineup
    from fugger.bots.players import Player

_OUT: Final = -1
"""Gulden of a seat that forfeited, when it is asked who has the most."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over.

    Attributes:
        money: each seat's gulden at the end.
        winners: the seats that won, which share the win.
        rounds, decisions: how many there were.
        forfeits: by seat, why it is out.
    """

    money: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    decisions: int
    forfeits: dict[int, str]


class Stopping(Exception):  # noqa: N818 (what happens, not what is wrong)
    """The arena stops, in the middle of a game, which doesn't count."""


def play_deal(
    contest: Contest,
    number: int,
    sit: Callable[[str, int], Player],
    stopping: Callable[[], bool] = lambda: False,
) -> tuple[Played, ...]:
    """Plays all games of a deal.

    Args:
        contest: what is played.
        number: the deal's, from 0.
        sit: brings a player to the table: of a bot, named as in the contest, the first, second, …
            copy (from 0), since a bot may have several seats.
        stopping: asked before every action.

    Raises:
        Stopping: `stopping` said so.
    """
    games = []
    for game, lineup in enumerate(contest.lineups(number)):
        if stopping():
            raise Stopping
        if all(contest.bots[bot] in POLICIES for bot in lineup):
            games.append(_play_compiled(contest, number, game, lineup))
        else:
            at_table = [
                sit(contest.bots[bot], lineup[:seat].count(bot)) for seat, bot in enumerate(lineup)
            ]
            games.append(_play(contest, number, game, at_table, stopping))
    return tuple(games)


def _play_compiled(contest: Contest, number: int, game: int, lineup: Lineup) -> Played:
    """A game between bots that are a policy and nothing else: the same cards, much faster."""
    names = list(POLICIES)
    policies = np.array([names.index(contest.bots[bot]) for bot in lineup], np.int64)
    outcomes = np.zeros((1, COLUMNS), np.int64)
    cards = generator(contest.seed, number)
    choices = generator(contest.seed_of(number, game, 0))
    no_events = np.zeros(0, np.uint8)
    play_games(contest.start, working_states(), policies, 0, cards, choices, outcomes, no_events)
    outcome = outcomes[0].tolist()
    return Played(
        money=tuple(outcome[MONEY : MONEY + contest.players]),
        winners=_members(outcome[WINNERS], contest.players),
        rounds=outcome[ROUNDS],
        decisions=outcome[DECISIONS],
        forfeits={},
    )


def _play(
    contest: Contest,
    number: int,
    game: int,
    players: Sequence[Player],
    stopping: Callable[[], bool],
) -> Played:
    start, events = contest.start, list[int]()
    state = fields_of(contest.start)
    cards = generator(contest.seed, number)
    stand_in = generator(contest.seed_of(number, game, contest.players))
    out: dict[int, str] = {}
    last_one_left = contest.players - 1
    for seat, player in enumerate(players):
        if len(out) < last_one_left:
            seed = contest.seed_of(number, game, seat)
            try:
                player.begin(Place(contest.players, contest.edition, contest.gulden, seat, seed))
            except Forfeit as forfeit:
                out[seat] = str(forfeit)
    decisions = 0
    while state.stage != OVER and len(out) < last_one_left:
        if state.recipient != NOBODY:
            card = next_card(state, cards)
            events.append(DEALT + card)
            deal(state, card)
            continue
        if stopping():
            raise Stopping
        past = Past(start, events, state.player)
        action = _action(state, players[state.player], past, out, stand_in)
        events.append(action)
        apply(state, action)
        decisions += 1
    money = tuple(state.money[: contest.players])
    for seat in out:
        state.money[seat] = _OUT
    won = _members(winners(state), contest.players)
    if len(out) == last_one_left:
        won = tuple(seat for seat in range(contest.players) if seat not in out)
    for seat, player in enumerate(players):
        if seat not in out:
            with suppress(Forfeit):  # the game is over; what is wrong shows in the next one
                player.end(money, won)
    return Played(money, won, int(state.round_number), decisions, out)


def _action(
    state: State, player: Player, past: Past, out: dict[int, str], stand_in: Generator
) -> int:
    """The action taken now: the player's, or any if it is out or fails."""
    seat, legal = state.player, legal_actions(state)
    if seat not in out:
        try:
            action = player.choose(observe(state, seat), past)
            if action >= 0 and legal >> action & 1:
                return action
            text = ACTION_TEXTS[action] if 0 <= action < len(ACTION_TEXTS) else str(action)
            could = " ".join(map(str, actions_in(legal)))
            raise Forfeit(f"it answered {text}, which isn't legal; it could {could}")  # noqa: TRY301 (as all others)
        except Forfeit as forfeit:
            out[seat] = str(forfeit)
    return one_of(legal, stand_in)


def _members(seats: int, players: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(players) if seats >> seat & 1)
