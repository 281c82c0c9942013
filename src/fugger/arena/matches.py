"""Matches: a contest played until enough is known."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from fugger.arena.clusters import cluster_crew
from fugger.arena.crews import crew
from fugger.arena.match import compile_loop
from fugger.arena.standing import Standing
from fugger.arena.workers import MAX_JOBS, as_done, check_whole, cores, in_order
from fugger.bots import prepare
from fugger.bots.joining import check_bot

if TYPE_CHECKING:
    from collections.abc import Callable

    from fugger.arena.contest import Contest
    from fugger.arena.keeping import Keeper
    from fugger.arena.sequential import Hypotheses
    from fugger.bots.programs import Limits


class MatchStopped(KeyboardInterrupt):
    """A match stopped by Ctrl-C; `standing` is of the deals played until then."""

    def __init__(self, standing: Standing) -> None:
        super().__init__(f"stopped after {standing.deals} deals")
        self.standing = standing


def play_match(  # noqa: PLR0913 (what a match can be told)
    contest: Contest,
    deals: int,
    *,
    test: Hypotheses | None = None,
    kept: Keeper | None = None,
    limits: Limits | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    on_progress: Callable[[Standing], None] = lambda _: None,
) -> Standing:
    """Plays a match.

    Args:
        contest: what is played.
        deals: how many deals.
        test: ends the match earlier, as soon as it believes one of its hypotheses.
        kept: deals played before, which aren't played again; every new one is added.
        limits: how long bots from elsewhere may take.
        jobs: how many processes play; as many as there are cores by default.
        cluster: the address of a Ray cluster whose machines play instead; see
            `fugger.arena.clusters`.
        on_progress: told how the match stands, after every deal.

    Raises:
        BotError, SetupError: an argument that can't be.
        ArenaError: a worker died, deals can't be kept, or the cluster can't be used.
        MatchStopped: by Ctrl-C.
    """
    check_whole("deals", deals, None)
    jobs = cores() if jobs is None else jobs
    check_whole("jobs", jobs, MAX_JOBS)
    for bot in contest.bots:
        check_bot(bot, limits)
    standing = Standing(contest)

    def is_over() -> bool:
        enough = test is not None and test.verdict(standing) is not None
        return enough or standing.deals >= deals

    for games in kept.deals() if kept else ():
        if is_over():
            break
        standing.add(games)
    if standing.deals:
        on_progress(standing)
    if is_over():
        return standing
    warm()
    tasks = ((contest, deal) for deal in range(standing.deals, deals))
    at_work = (
        cluster_crew(cluster, limits)
        if cluster
        else crew(min(jobs, deals - standing.deals), limits)
    )
    try:
        with (
            at_work as players,
            closing(as_done(players.submit, tasks, players.ahead)) as done,
        ):
            for games in in_order(done):
                standing.add(games)
                if kept:
                    kept.add(games)
                on_progress(standing)
                if is_over():
                    break
    except KeyboardInterrupt:
        if not standing.deals:
            raise
        raise MatchStopped(standing) from None
    return standing


def warm() -> None:
    """Makes compiled code ready, so that workers find it in the cache."""
    compile_loop()
    prepare()
