"""Crews: whoever plays deals, in this process or in many.

Deals are played in processes, since bots are Python and Python's lock lets only one thread think.
A crew hands out each deal by itself; what a deal comes to doesn't depend on who played it.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from fugger.arena.deals import Played, Stopping, play_deal
from fugger.bots import prepare
from fugger.bots.joining import Company
from fugger.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.synchronize import Event

    from fugger.arena.contest import Contest
    from fugger.bots.programs import Limits

Games: TypeAlias = tuple[Played, ...]
Task: TypeAlias = "tuple[Contest, int]"
"""A contest, and the number of a deal."""

LOOK_AHEAD: Final = 8
"""Deals at most for each worker that are begun further than the first one not done."""


class Crew(Protocol):
    """Who plays deals.

    Attributes:
        ahead: how many deals may be begun further than the first one not done.
    """

    ahead: int

    def submit(self, task: Task) -> Future[Games]:
        """Begins a deal."""


class Alone:
    """Deals played here and now, one after the other."""

    ahead = 1

    def __init__(self, company: Company) -> None:
        self._company = company

    def submit(self, task: Task) -> Future[Games]:
        """Plays a deal."""
        future: Future[Games] = Future()
        future.set_result(play_deal(*task, self._company.sit))
        return future


class _Processes:
    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self.ahead = LOOK_AHEAD * jobs
        self._pool = pool

    def submit(self, task: Task) -> Future[Games]:
        return self._pool.submit(_work, task)


@contextmanager
def crew(jobs: int, limits: Limits | None = None) -> Iterator[Crew]:
    """A crew of so many processes; of this one if it is one.

    `limits` are of bots from elsewhere.

    When the context is left, games that are still going on are given up.

    Raises:
        ArenaError: a process died, killed by somebody or for want of memory.
    """
    if jobs == 1:
        with Company(limits) as company:
            yield Alone(company)
        return
    context = multiprocessing.get_context("spawn")  # as everywhere; and no threads are copied
    stop = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _get_ready, (stop, limits))
    try:
        yield _Processes(pool, jobs)
    except BrokenProcessPool:
        raise ArenaError(
            "a worker process died: was it killed, or is there too little memory?"
        ) from None
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


_company = Company()
"""The players of this process, if it is a worker."""
_stop: Event | None = None


def _get_ready(stop: Event, limits: Limits | None) -> None:
    """A worker's first deed."""
    global _company, _stop
    _company, _stop = Company(limits), stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the arena's, which stops its workers
    atexit.register(_company.close)
    prepare()
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A worker whose arena was killed would wait for ever for its next deal."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        _company.close()
        os._exit(1)


def _work(task: Task) -> Games:
    return play_deal(*task, _company.sit, _stop.is_set if _stop else lambda: False)


__all__ = ["Alone", "Crew", "Games", "Stopping", "Task", "crew"]
