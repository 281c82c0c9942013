"""The vector environment: thousands of games at once, moved on by compiled code on all cores.

A `Vector` is a setup: players, edition, rewards. Its `init` makes `Games`, arrays with a row for
each game, and `step` takes one action in each, *in place*: the arrays are the same ones after it,
with other numbers in them. Whoever wants to keep some copies them.

>>> env = Vector(players=3)
>>> state = env.init(games=1000, seed=7)
>>> while not state.terminated.all():
...     state = env.step(state, env.random_actions(state))
...     if state.terminated.any():
...         break
>>> ended = state.terminated.argmax()
>>> float(state.rewards[ended].sum()), state.legal_action_mask[ended].nonzero()[0].tolist()
(1.0, [22])

In a game that is over the pass (22) is the one legal action. Taking it begins the next game; or
changes nothing, with ``auto_reset=False``. So a policy that chooses among the legal actions need
not know about ends, and what the last step brought, rewards and the last observation, can be read
before the next step.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.cards import KINDS, Card
from fugger.chance import generator
from fugger.editions import Edition, edition_named
from fugger.envs import stepping
from fugger.envs.games import Games, Rollout
from fugger.envs.rewards import reward_named
from fugger.envs.tensor import DTYPE, SIZE, write_constants
from fugger.errors import IllegalAction, IllegalDeal, SetupError, is_whole, quoted
from fugger.rules.actions import ACTIONS, PASS, actions_in
from fugger.rules.information import check_viewer
from fugger.rules.state import JAKOB, NOBODY, OVER, States, new_states

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from fugger.envs.tensor import Tensor

CHANCES: Final = ("automatic", "explicit")
"""Who deals: the environment, or whoever uses it."""
_FAR: Final = np.uint64(1 << 62)
_SHARE: Final = 2048
"""Steps that are worth a thread of their own: waking one takes as long as hundreds."""
_PART: Final = 8192
"""Steps that are worth a part of their own: taking one costs as much as tens."""
_PARTS: Final = 8
"""Parts for each thread, at most."""


class Vector:
    """Games of one setup, many at a time.

    Args:
        players: 2 to 4.
        edition: ``"adlung"``, ``"rody"`` or an `Edition`.
        first: the starting seat, from 0; if None each game draws its own.
        target: gulden that end a game, 20 to 500; the edition's own (100) by default.
        reward: ``"win_share"`` or ``"margin"``, see `fugger.envs.rewards`.
        chance: ``"automatic"``: the cards are dealt, each of the draw pile as likely.
            ``"explicit"``: whoever uses the environment deals them with `deal`.
        auto_reset: whether a step begins anew the games that were over before it.
        threads: how many share the work; as many as there are processors by default. What comes
            out doesn't depend on it.

    Attributes:
        observation_shape: of a game's observation: (128,).
        num_actions: 23; `fugger.rules.actions` has their table.

    Raises:
        EditionError: no such edition.
        SetupError: another argument is out of its range.
    """

    observation_shape = (SIZE,)
    num_actions = ACTIONS

    def __init__(  # noqa: PLR0913 (what a setup is)
        self,
        players: int = 3,
        edition: str | Edition = "adlung",
        first: int | None = 0,
        target: int | None = None,
        *,
        reward: str = "win_share",
        chance: str = "automatic",
        auto_reset: bool = True,
        threads: int | None = None,
    ) -> None:
        self.edition = edition if isinstance(edition, Edition) else edition_named(edition)
        self._starts: States = new_states(self.edition, players, first or 0, target)
        if first is None:
            others = [new_states(self.edition, players, seat, target) for seat in range(1, players)]
            self._starts = np.concatenate([self._starts, *others])
        self._setup = self._starts.tobytes()
        self.players = int(players)
        self._constants = np.zeros(SIZE, DTYPE)
        write_constants(self._constants, self._starts[0])
        self._reward = reward_named(reward)
        if chance not in CHANCES:
            raise SetupError(f"chance is {quoted(chance)}: expected {' or '.join(CHANCES)}")
        self.chance = chance
        self._actions = stepping.ACTIONS_AND_CARDS if chance == "automatic" else stepping.ACTIONS
        if not isinstance(auto_reset, bool | np.bool_):
            raise SetupError(f"auto_reset is {quoted(auto_reset)}: expected True or False")
        self.auto_reset = bool(auto_reset)
        if threads is not None and not is_whole(threads, 1):
            raise SetupError(f"threads is {quoted(threads)}: expected a whole number from 1")
        self.threads = _processors() if threads is None else int(threads)
        self._pool: ThreadPoolExecutor | None = None
        self._pool_of = 0

    def init(self, games: int = 1024, seed: int = 0) -> Games:
        """New games; with automatic chance their first cards are dealt.

        Args:
            games: how many.
            seed: any whole number. It settles all cards and `random_actions`; a game of a given
                number has the same whatever the number of games.

        Raises:
            SetupError: `games` is no such number.
            SeedError: the seed is no whole number.
        """
        if not is_whole(games, 1):
            raise SetupError(f"games is {quoted(games)}: expected a whole number from 1")
        state = Games(int(games), self._starts)
        self.reseed(state, seed)
        return self.restart(state)

    def restart(self, state: Games) -> Games:
        """Begins every game anew, in place, wherever it stands; the cards are those to come.

        Returns:
            The games given.
        """
        self._check(state)
        with state.held:
            state.states["stage"] = OVER  # so that the step begins them
            self._advance(state, state.actions, self._actions)
        return state

    def step(self, state: Games, actions: ArrayLike) -> Games:
        """Takes an action in every game, in place; with automatic chance deals what is then owed.

        Args:
            state: the games.
            actions: for each a legal action's number, 0 to 22. In a game that is over that is the
                pass, 22: then a new game begins, or with ``auto_reset=False`` nothing happens.

        Returns:
            The games given.

        Raises:
            IllegalAction: some action isn't legal, a card is owed first, all games are over and
                stay so, or these are no numbers of actions. No game has been changed then.
        """
        self._check(state)
        chosen = numbers_of(actions, len(state))
        if chosen is None:
            raise IllegalAction(
                f"actions are {described(actions)}: expected {len(state)} whole numbers, "
                f"from 0 to {ACTIONS - 1}"
            )
        with state.held:
            if stepping.count_illegal(state.legal, chosen):
                raise _illegal(state, chosen)
            self._check_going_on(state)
            self._advance(state, chosen, self._actions, begins_anew=self.auto_reset)
        return state

    def deal(self, state: Games, cards: ArrayLike) -> Games:
        """Deals one card in every game where one is owed, in place.

        Args:
            state: the games.
            cards: for each the number of one of its `Games.chances`, 0 to 10; of a game in which
                no card is owed (`Games.recipient` is -1) it is ignored.

        Returns:
            The games given.

        Raises:
            IllegalDeal: no card is owed in any game, a draw pile doesn't hold the card, or these
                are no numbers of cards. No game has been changed then.
        """
        self._check(state)
        chosen = numbers_of(cards, len(state))
        if chosen is None:
            raise IllegalDeal(
                f"cards are {described(cards)}: expected {len(state)} whole numbers, "
                f"from 0 to {KINDS - 1}"
            )
        with state.held:
            self._check_dealt(state, chosen)
            self._advance(state, chosen, stepping.CARDS)
        return state

    def random_actions(self, state: Games) -> NDArray[np.int64]:
        """A legal action for every game, each as likely: `state.actions`, written anew.

        Raises:
            IllegalAction: a card is owed in some game.
        """
        self._check(state)
        with state.held:
            if self.chance == "explicit" and not state.legal.all():
                raise _illegal(state, state.actions)
            choosing = partial(stepping.choose, state.legal, state.choices, state.actions)
            self._share(len(state), choosing)
        return state.actions

    def rollout(self, state: Games, steps: int, out: Rollout | None = None) -> Rollout:
        """Moves every game on by some random actions, and writes down what was seen and done.

        It does what `random_actions` and `step` do in turns, with the same outcome, in less time.

        Args:
            state: the games.
            steps: how many actions to take in each.
            out: what to write to: an earlier rollout of as many games and steps.

        Raises:
            SetupError: `steps` is no whole number from 1, `out` is of another size, or chance is
                explicit.
            IllegalAction: all games are over and stay so.
        """
        self._check(state)
        if not is_whole(steps, 1):
            raise SetupError(f"steps is {quoted(steps)}: expected a whole number from 1")
        if self.chance == "explicit":
            raise SetupError("a rollout deals cards itself: expected an environment that does")
        told = (
            Rollout(len(state), int(steps), self.players, self._constants) if out is None else out
        )
        if not isinstance(told, Rollout):
            raise SetupError(f"out is {quoted(out)}: expected an earlier rollout")
        if told.shape != (len(state), steps) or told.setup != self._constants.tobytes():
            raise SetupError(
                f"out is a rollout of {told.shape[0]} games and {told.shape[1]} steps: expected "
                f"one of {len(state)} and {steps}, of an environment like this"
            )
        with state.held:
            self._check_going_on(state)
            shown = self._advancing(state, state.actions, stepping.CARDS)
            self._share(len(state), self._playing_on(state, told), shown, steps=told.shape[1])
        return told

    def observe(
        self, state: Games, seats: ArrayLike | None = None, out: Tensor | None = None
    ) -> Tensor:
        """What a seat knows of every game, as rows of `fugger.envs.tensor`.

        Args:
            state: the games.
            seats: a seat, or one for each game; `fugger.SPECTATOR` is one too. Whose turn it is by
                default.
            out: where to write the rows: int16 (n, 128).

        Raises:
            SetupError: no such seats, or no such array.
        """
        self._check(state)
        if seats is None:
            chosen = state.current_player.astype(np.int64)
        else:
            spread = np.full(len(state), seats) if np.ndim(seats) == 0 else seats
            found = numbers_of(spread, len(state))
            if found is None:
                raise SetupError(
                    f"seats are {described(seats)}: expected one or {len(state)} whole numbers"
                )
            chosen = found
            for seat in np.unique(chosen):
                check_viewer(int(seat), self.players)
        rows = np.empty((len(state), SIZE), DTYPE) if out is None else out
        shape = (len(state), SIZE)
        if not isinstance(rows, np.ndarray) or rows.shape != shape or rows.dtype != DTYPE:
            raise SetupError(f"out is {described(rows)}: expected int16 of shape {shape}")
        if not rows.flags.c_contiguous or not rows.flags.writeable:
            raise SetupError("out can't be written row by row: expected it contiguous, writable")
        rows[:] = self._constants
        self._share(len(state), partial(stepping.observe, state.states, chosen, rows))
        return rows

    def reseed(self, state: Games, seed: int) -> Games:
        """Makes the cards to come, and `random_actions`, those of another seed, in place.

        Raises:
            SeedError: the seed is no whole number.
        """
        self._check(state)
        with state.held:
            for game in range(len(state)):
                state.deals[game] = generator(seed, 2 * game)
                state.choices[game] = generator(seed, 2 * game + 1)
        return state

    def _advance(
        self, state: Games, moves: NDArray[np.int64], what: int, *, begins_anew: bool = True
    ) -> None:
        self._share(len(state), self._advancing(state, moves, what, begins_anew=begins_anew))

    def _advancing(
        self, state: Games, moves: NDArray[np.int64], what: int, *, begins_anew: bool = True
    ) -> Callable[[int, int], None]:
        return partial(
            stepping.advance,
            self._starts,
            state.states,
            state.decks,
            state.deals,
            moves,
            what,
            begins_anew,
            state.legal,
            state._masks.view(np.int64),
            state._rows,
            state.current_player,
            state.terminated,
            state.rewards,
            self._reward,
        )

    def _playing_on(self, state: Games, told: Rollout) -> Callable[[int, int], None]:
        return partial(
            stepping.play_on,
            self._starts,
            state.states,
            state.decks,
            state.deals,
            state.choices,
            self.auto_reset,
            state.terminated,
            state.rewards,
            self._reward,
            told._masks.view(np.int64),
            told._rows,
            told.current_player,
            told.action,
            told.terminated,
            told.rewards,
        )

    def _share(self, games: int, *loops: Callable[[int, int], None], steps: int = 1) -> None:
        """Runs loops over all games, some steps of each, shared among threads.

        There are more parts than threads: each takes the next when it has done one, so that none
        waits long for another that a processor was taken from. The caller begins at one end, the
        others at the other, so that two threads find most of their games where they left them.
        """
        threads = max(1, min(self.threads, games // stepping.BLOCK, games * steps // _SHARE))
        blocks = -(-games // stepping.BLOCK)
        parts = 1
        if threads > 1:
            parts = max(threads, min(threads * _PARTS, blocks, games * steps // _PART))
        cuts = [min(games, blocks * part // parts * stepping.BLOCK) for part in range(parts + 1)]
        waiting = deque(pairwise(cuts))

        def work(take: Callable[[], tuple[int, int]]) -> None:
            while True:
                try:
                    begin, end = take()
                except IndexError:
                    return
                for loop in loops:
                    loop(begin, end)

        others = [self._workers().submit(work, waiting.pop) for _ in range(1, threads)]
        try:
            work(waiting.popleft)
        finally:  # even when interrupted: nobody moves these games when this has returned
            for other in others:
                other.result()

    def _workers(self) -> ThreadPoolExecutor:
        """Threads besides the caller's; a forked process has to start its own."""
        if self._pool is None or self._pool_of != os.getpid():
            self._pool = ThreadPoolExecutor(self.threads - 1, "fugger-vector")
            self._pool_of = os.getpid()
        return self._pool

    def _check(self, state: object) -> None:
        if not isinstance(state, Games):
            raise SetupError(f"{quoted(state)} are no games: expected what `init` gives")
        if state.players != self.players:
            raise SetupError(
                f"these are games of {state.players} players: expected {self.players}, as in "
                "this environment"
            )
        if state.setup != self._setup:
            raise SetupError(
                "these games have another edition, target or starting seat: expected games of an "
                "environment like this"
            )

    def _check_dealt(self, state: Games, chosen: NDArray[np.int64]) -> None:
        owed = state.recipient != NOBODY
        if not owed.any():
            raise IllegalDeal("no card is owed in any game: expected a `step`")
        possible = (chosen >= 0) & (chosen < KINDS)
        numbers = np.arange(len(state))
        dealt = state.states["draw_pile"][numbers, np.where(possible, chosen, 0)] > 0
        wrong = np.flatnonzero(owed & ~(possible & dealt))
        if len(wrong):
            game = int(wrong[0])
            pile = state.chances[game]
            held = ", ".join(f"{card:d} ({card!s})" for card in Card if pile[card])
            raise IllegalDeal(
                f"game {game}: {chosen[game]} can't be dealt: the draw pile holds {held}"
            )

    def _check_going_on(self, state: Games) -> None:
        if not self.auto_reset and state.terminated.all():
            raise IllegalAction("all games are over: expected `restart`, or `init` for new ones")

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_pool": None}


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def numbers_of(values: ArrayLike, number: int) -> NDArray[np.int64] | None:
    """Whole numbers as an array of so many; None if they are none, or not as many."""
    try:
        found = np.asarray(values)
    except ValueError:  # lists of several lengths
        return None
    if found.shape != (number,) or found.dtype.kind not in "iu":
        return None
    if found.dtype.kind == "u":
        found = np.minimum(found, _FAR)  # which is as wrong as anything greater
    return np.ascontiguousarray(found, np.int64)


def described(values: object) -> str:
    """An array's shape and type; anything else as it is."""
    if isinstance(values, np.ndarray):
        return f"of shape {values.shape} and type {values.dtype}"
    return quoted(values)


def _illegal(state: Games, actions: NDArray[np.int64]) -> IllegalAction:
    """Says which action isn't legal, and what would be."""
    possible = (actions >= 0) & (actions <= PASS)
    legal = possible & (state.legal >> np.where(possible, actions, 0) & 1).astype(bool)
    game = int(np.flatnonzero(~legal)[0])
    recipient = int(state.recipient[game])
    if recipient != NOBODY:
        to = "Jakob" if recipient == JAKOB else f"seat {recipient + 1}"
        return IllegalAction(f"game {game}: {to} is owed a card first: expected a `deal`")
    choice = actions_in(int(state.legal[game]))
    who = (
        "the game is over, expected"
        if state.terminated[game]
        else f"seat {state.current_player[game] + 1} may take"
    )
    listed = ", ".join(f"{action:d} ({action!s})" for action in choice)
    message = f"game {game}: {actions[game]} isn't legal: {who} {listed}"
    return IllegalAction(message, tuple(choice))
