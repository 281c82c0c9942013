"""Deals played on a Ray cluster: the same ones, with the same results, on many machines.

Every deal is a task of its own, and what it comes to depends on nothing but the contest and its
number; so a task whose worker or machine dies is simply played again elsewhere.
"""

from __future__ import annotations

import os
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

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
_ANSWERS: Final = 10.0
"""Seconds in which a cluster answers."""


class _Cluster:
    def __init__(self, play: Any, cpus: int, limits: Limits | None) -> None:
        self.ahead = LOOK_AHEAD * max(1, cpus)
        self._play = play
        self._limits = limits

    def submit(self, task: Task) -> Future[Games]:
        return self._play.remote(task, self._limits).future()  # type: ignore[no-any-return]  # no stub


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
    ray = import_ray()
    ours = not ray.is_initialized()
    try:
        if ours:
            _call(address)
            ray.init(address=address, logging_level=40, log_to_driver=False)
    except (OSError, ValueError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArenaError(f"the Ray cluster {address} can't be used: {reason}") from None
    try:
        play = ray.remote(num_cpus=1, max_retries=RETRIES)(_play)
        cpus = ray.cluster_resources().get("CPU", 1)
        yield _Cluster(play, int(cpus), limits)
    except ray.exceptions.RayError as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ArenaError(f"the Ray cluster {address} lost a deal: {reason}") from None
    finally:
        if ours:
            ray.shutdown()


def import_ray() -> Any:
    """Ray, set up as arenas need it; to be called before anything else imports it.

    Raises:
        ArenaError: it isn't installed.
    """
    # Under `uv run` Ray would have every worker make the environment of the current folder anew,
    # which has no Ray in it; workers are to run in the one in which they were started.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    # Ray's coming default, which it would otherwise warn of.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray  # noqa: PLC0415 (seconds, and an extra)
    except ImportError:
        raise ArenaError("Ray isn't installed: install fugger[ray] to play on a cluster") from None
    return ray


def _call(address: str) -> None:
    """Sees whether anybody listens there: Ray would try for a minute, and then end the process.

    Raises:
        OSError: nobody does.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), _ANSWERS).close()


def _play(task: Task, limits: Limits | None) -> Games:
    """Plays a deal, in a worker of the cluster."""
    prepare()
    with Company(limits) as company:
        return play_deal(*task, company.sit)
