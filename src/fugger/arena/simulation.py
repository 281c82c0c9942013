"""Many games between bots, on all cores, in memory that doesn't grow with their number.

Games are played in chunks of a fixed size, each from two streams of the fast generator: one deals
the cards, the other settles what bots leave open. So a seed fixes every game, whatever the number
of threads, and a longer simulation begins with the games of a shorter one. Threads are enough: the
compiled loop holds no lock, and writing a game's record takes less time than playing it.
"""

from __future__ import annotations

import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from fugger.arena.match import COLUMNS, compile_loop, play_games, working_states
from fugger.arena.recording import RecordFile, game_texts, header
from fugger.arena.results import Estimate, Tally
from fugger.arena.workers import MAX_JOBS, as_done, check_whole, cores, in_order
from fugger.bots import POLICIES, bot_named
from fugger.chance import generator
from fugger.editions import edition_named
from fugger.errors import BotError, SeedError, is_whole, quoted
from fugger.rules.state import States, new_states

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

CHUNK: Final = 64
"""Games of a chunk. Another number makes other games of the same seed."""
LOOK_AHEAD: Final = 2
"""Chunks at most that each thread is ahead of what has been written."""
SEEDS: Final = 2**64
"""Seeds are whole numbers below."""

NEW_SEEDS: Final = 10**9
"""New seeds are below this, to be easy to copy."""
_ROOM: Final = 512 * CHUNK
"""Events a chunk has room for at first; a game to 100 has 150 to 350."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the games of a simulation begin.

    Attributes:
        bots: the name of each seat's bot.
        edition: the edition's name.
        target: gulden that end a game.
        fixed_first: the starting seat, from 0; None if it changes from game to game.
        states: the games before their first card: one for each starting seat, taken in turn.
    """

    bots: tuple[str, ...]
    edition: str
    target: int
    fixed_first: int | None
    states: States

    def first(self, game: int) -> int:
        """A game's starting seat; `game` is counted from 0."""
        return game % len(self.bots) if self.fixed_first is None else self.fixed_first


@dataclass(frozen=True, slots=True)
class Seat:
    """What came of a seat.

    Attributes:
        bot: who sat there.
        win_share: of all games; a win shared by two counts a half for each.
        money: gulden at the end of a game.
    """

    bot: str
    win_share: Estimate
    money: Estimate


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a simulation.

    Attributes:
        games: how many were played.
        complete: whether these are all that were asked for.
        players, edition, target, first, seed: what was played; `first` is None if the starting
            seat changed from game to game.
        seats: what came of each seat.
        rounds, decisions: a game's mean numbers of rounds and of actions.
        seconds: how long it took, without making the compiled code ready.
    """

    games: int
    complete: bool
    players: int
    edition: str
    target: int
    first: int | None
    seed: int
    seats: tuple[Seat, ...]
    rounds: float
    decisions: float
    seconds: float

    @property
    def games_per_second(self) -> float:
        """How fast they were played."""
        return self.games / self.seconds


class Stopped(KeyboardInterrupt):
    """A simulation stopped by Ctrl-C; `result` is of the games played until then."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"stopped after {result.games} games")
        self.result = result


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Games played: an outcome a row, and their records."""

    outcomes: NDArray[np.int64]
    text: bytes


def simulate(  # noqa: PLR0913 (what a simulation can be told)
    bots: Sequence[str],
    games: int,
    *,
    edition: str = "adlung",
    target: int | None = None,
    first: int | None = None,
    seed: int | None = None,
    records: str | os.PathLike[str] | BinaryIO | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Plays games between bots.

    Each bot keeps its seat, and so its neighbours; the starting seat moves on by one from game to
    game, so that over all games no seat gains by starting.

    >>> from fugger.arena import simulate
    >>> result = simulate(["greedy", "random"], games=200, seed=1)
    >>> result.seats[0].bot, result.seats[0].win_share.low > 0.8
    ('greedy', True)

    Args:
        bots: the name of each seat's bot, for 2 to 4 seats.
        games: how many.
        edition: ``"adlung"`` or ``"rody"``.
        target: gulden that end a game; the edition's own if None.
        first: the starting seat of every game, from 0.
        seed: any whole number below 2**64; the same one gives the same games and the same records,
            byte for byte. By default a new one.
        records: where the games' records go, in order. A path's file is replaced at the end.
        jobs: how many threads play; as many as there are cores by default.
        on_progress: told how many games have been played, now and again.

    Raises:
        BotError, EditionError, SetupError, SeedError: an argument that can't be.
        OSError: the records can't be written. A path's file is as it was before.
        Stopped: by Ctrl-C. The records of the games played until then have been kept.
    """
    start = _start(bots, edition, target, first)
    check_whole("games", games, None)
    jobs = cores() if jobs is None else jobs
    check_whole("jobs", jobs, MAX_JOBS)
    seed = secrets.randbelow(NEW_SEEDS) if seed is None else seed
    if not is_whole(seed, 0, SEEDS - 1):
        raise SeedError(f"seed is {quoted(seed)}: expected a whole number from 0 to 2**64 - 1")

    tally, size = Tally.empty(len(start.bots)), 0
    with nullcontext() if records is None else RecordFile(records) as file:
        compile_loop()
        begin = time.perf_counter()
        play = partial(_play, start, seed, games, records is not None)
        chunks = -(-games // CHUNK)
        try:
            with (
                ThreadPoolExecutor(min(jobs, chunks)) as threads,
                closing(
                    as_done(partial(threads.submit, play), range(chunks), LOOK_AHEAD * jobs)
                ) as played,
            ):
                for chunk in in_order(played):
                    if file:
                        file.write(chunk.text)
                    # At once, so that after Ctrl-C the records are of the games counted.
                    tally, size = tally.plus(chunk.outcomes), size + len(chunk.text)
                    on_progress(tally.games)
        except KeyboardInterrupt:
            if not tally.games:
                raise
        seconds = time.perf_counter() - begin
        if file:
            file.cut(size)
    result = _result(start, seed, tally, games, seconds)
    if not result.complete:
        raise Stopped(result)
    return result


def _start(bots: Sequence[str], name: str, target: int | None, first: int | None) -> Start:
    edition = edition_named(name)
    for bot in bots:
        if bot not in POLICIES:
            bot_named(bot)
            raise BotError(
                f"{quoted(bot)} thinks too long for thousands of games: "
                "let it play with `fugger arena match`"
            )
    firsts = range(len(bots)) if first is None else [first]
    states = [new_states(edition, len(bots), seat, target) for seat in firsts or [0]]
    return Start(
        bots=tuple(bots),
        edition=edition.name,
        target=edition.target if target is None else int(target),
        fixed_first=None if first is None else int(first),
        states=np.concatenate(states),
    )


def _play(start: Start, seed: int, games: int, recorded: bool, chunk: int) -> _Chunk:
    """Plays the games of a chunk, given by its number from 0."""
    begin, end = chunk * CHUNK, min((chunk + 1) * CHUNK, games)
    policies = np.array([list(POLICIES).index(bot) for bot in start.bots], np.int64)
    outcomes = np.zeros((end - begin, COLUMNS), np.int64)
    room = _ROOM if recorded else 0
    while True:
        events = np.empty(room, np.uint8)
        deals, choices = generator(seed, 2 * chunk), generator(seed, 2 * chunk + 1)
        needed = play_games(
            start.states, working_states(), policies, begin, deals, choices, outcomes, events
        )
        if not recorded:
            return _Chunk(outcomes, b"")
        if needed <= room:
            break
        room = needed  # and the same games again
    headers = (header(start, seed, game) for game in range(begin, end))
    return _Chunk(outcomes, "".join(game_texts(events, outcomes, headers)).encode())


def _result(start: Start, seed: int, tally: Tally, asked: int, seconds: float) -> Result:
    return Result(
        games=tally.games,
        complete=tally.games == asked,
        players=len(start.bots),
        edition=start.edition,
        target=start.target,
        first=start.fixed_first,
        seed=int(seed),
        seats=tuple(
            Seat(bot, tally.win_share(seat), tally.money(seat))
            for seat, bot in enumerate(start.bots)
        ),
        rounds=tally.rounds / tally.games,
        decisions=tally.decisions / tally.games,
        seconds=seconds,
    )
