"""Work shared out: tasks to whoever takes them, and what they bring in order."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from fugger.errors import SetupError, is_whole, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

MAX_JOBS: Final = 256

Task = TypeVar("Task")
Done = TypeVar("Done")


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(MAX_JOBS, len(os.sched_getaffinity(0)))
    return min(MAX_JOBS, os.cpu_count() or 1)


def as_done(
    submit: Callable[[Task], Future[Done]], tasks: Iterable[Task], ahead: int
) -> Generator[tuple[int, Done], None, None]:
    """What tasks bring, as they are done: a task's number, from 0, and its result.

    Args:
        submit: hands a task to whoever has time.
        tasks: taken only when they are about to be handed out.
        ahead: tasks at most that are handed out further than the first one not done.
    """
    pending: dict[Future[Done], int] = {}
    numbered = enumerate(tasks)
    begun = 0
    try:
        while True:
            first = min(pending.values(), default=begun)
            for number, task in islice(numbered, ahead - (begun - first)):
                pending[submit(task)] = number
                begun = number + 1
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                yield pending.pop(future), future.result()
    finally:
        for future in pending:
            future.cancel()


def in_order(numbered: Iterable[tuple[int, Done]]) -> Iterator[Done]:
    """Numbered results in the order of their numbers; those that come too early wait."""
    early: dict[int, Done] = {}
    number = 0
    for at, done in numbered:
        early[at] = done
        while number in early:
            yield early.pop(number)
            number += 1


def check_whole(name: str, value: object, most: int | None) -> None:
    """Refuses what is no whole number from 1.

    Raises:
        SetupError: it is none, or more than `most`.
    """
    if not is_whole(value, 1, most):
        expected = f"from 1 to {most}" if most is not None else "from 1"
        raise SetupError(f"{name} is {quoted(value)}: expected a whole number {expected}")
