"""Matches: a contest played until enough is known."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from fugger.arena.crews import crew
from fugger.arena.match import compile_loop
from fugger.arena.standing import Standing
from fugger.arena.workers import MAX_JOBS, as_done, check_whole, cores, in_order
from fugger.bots import prepare
from fugger.bots.joining import check_bot

if TYPE_CHECKING:
    from collections.abc import Callable

    from fugger.arena.contest import Contest


class MatchStopped(KeyboardInterrupt):
    """A match stopped by Ctrl-C; `standing` is of the deals played until then."""

    def __init__(self, standing: Standing) -> None:
        super().__init__(f"stopped after {standing.deals} deals")
        self.standing = standing


def play_match(
    contest: Contest,
    deals: int,
    *,
    jobs: int | None = None,
    on_progress: Callable[[Standing], None] = lambda _: None,
) -> Standing:
    """Plays a match.

    Args:
        contest: what is played.
        deals: how many deals.
        jobs: how many processes play; as many as there are cores by default.
        on_progress: told how the match stands, after every deal.

    Raises:
        BotError, SetupError: an argument that can't be.
        ArenaError: a worker died.
        MatchStopped: by Ctrl-C.
    """
    check_whole("deals", deals, None)
    jobs = cores() if jobs is None else jobs
    check_whole("jobs", jobs, MAX_JOBS)
    for bot in contest.bots:
        check_bot(bot)
    warm()
    standing = Standing(contest)
    tasks = ((contest, deal) for deal in range(deals))
    try:
        with (
            crew(min(jobs, deals)) as players,
            closing(as_done(players.submit, tasks, players.ahead)) as done,
        ):
            for games in in_order(done):
                standing.add(games)
                on_progress(standing)
    except KeyboardInterrupt:
        if not standing.deals:
            raise
        raise MatchStopped(standing) from None
    return standing


def warm() -> None:
    """Makes compiled code ready, so that workers find it in the cache."""
    compile_loop()
    prepare()
