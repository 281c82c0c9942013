"""How much one client may ask of the server: requests, new tables, streams."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLIENTS: Final = 20_000
"""Clients that are counted; the one not heard of for the longest time is forgotten."""


class KnownTokens:
    """API tokens that have proved to be a seat's; the one not used for longest is forgotten."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, token: str) -> bool:
        return token in self._tokens

    def add(self, token: str) -> None:
        """Keeps a token that was a seat's just now."""
        self._tokens[token] = None
        self._tokens.move_to_end(token)
        if len(self._tokens) > _CLIENTS:
            self._tokens.popitem(last=False)


class Buckets:
    """What each client has left: a bucket that fills steadily.

    Args:
        rate: what it gets a second.
        burst: what it holds when it is full, as it is at first.
    """

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Takes one off what a client has left; False if nothing is."""
        now = time.monotonic()
        left, then = self._left.pop(client, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._rate)
        taken = left >= 1
        self._left[client] = (left - taken, now)
        if len(self._left) > _CLIENTS:
            self._left.popitem(last=False)
        return taken


class Open:
    """What each client has open.

    Args:
        most: how much one may have open at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @contextlib.contextmanager
    def one_more(self, client: str) -> Iterator[bool]:
        """Whether a client may open one more; counted until it is through with it."""
        if self._open[client] >= self._most:
            yield False
            return
        self._open[client] += 1
        try:
            yield True
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
