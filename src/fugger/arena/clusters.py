"""Deals played on a Ray cluster: the same ones, with the same results, on many machines.

Every deal is a task of its own, and what it comes to depends on nothing but the contest and its
number; so a task whose worker or machine dies is simply played again elsewhere.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from fugger.arena.crews import LOOK_AHEAD, Crew, Games, Task
from fugger.arena.deals import play_deal
from fugger.bots import prepare
from fugger.bots.joining import Company
from fugger.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from fugger.bots.programs import Limits

RETRIES: Final = 20
"""Times that a deal is tried again when its worker dies."""


class _Cluster:
    def __init__(self, play: object, cpus: int, limits: Limits | None) -> None:
        self.ahead = LOOK_AHEAD * max(1, cpus)
        self._play = play
        self._limits = limits

    def submit(self, task: Task) -> Future[Games]:
        return self._play.remote(task, self._limits).future()  # type: ignore[attr-defined, no-any-return]


@contextmanager
def cluster_crew(address: str, limits: Limits | None = None) -> Iterator[Crew]:
    """A crew of all workers of a Ray cluster.

    Args:
        address: the cluster's, as `ray.init` takes it: ``auto``, ``HOST:PORT``, ``ray://HOST:PORT``
            or ``local`` for one started on this machine.
        limits: of bots from elsewhere.

    Raises:
        ArenaError: Ray isn't installed, there is no such cluster, or it lost a deal for good.
    """
    # Workers have the environment that their machines were given, and need none of uv's making.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    # Ray's coming default, which it would otherwise warn of.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray  # noqa: PLC0415 (seconds, and an extra)
    except ImportError:
        raise ArenaError("Ray isn't installed: install fugger[ray] to play on a cluster") from None

    ours = not ray.is_initialized()
    try:
        if ours:
            ray.init(address=address, logging_level=40, log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArenaError(f"the Ray cluster {address} can't be used: {reason}") from None
    try:
        play = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        cpus = ray.cluster_resources().get("CPU", 1)  # type: ignore[no-untyped-call]
        yield _Cluster(play, int(cpus), limits)
    except ray.exceptions.RayError as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArenaError(f"the Ray cluster {address} lost a deal: {reason}") from None
    finally:
        if ours:
            ray.shutdown()


def _play(task: Task, limits: Limits | None) -> Games:
    """Plays a deal, in a worker of the cluster."""
    prepare()
    with Company(limits) as company:
        return play_deal(*task, company.sit)
