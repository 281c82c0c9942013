"""The chronicles of the tables people look at: each is told once, and goes on with its game."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from fugger.story import Chronicle

if TYPE_CHECKING:
    from fugger.story import Event
    from fugger.web.tables import Table

_KEPT: Final = 500
"""Chronicles kept; of a table nobody looked at for the longest time it is told again."""

_chronicles: OrderedDict[str, Chronicle] = OrderedDict()


def events_of(table: Table) -> list[Event]:
    """Everything that happened at a table, nothing hidden: not for any viewer as it is."""
    chronicle = _chronicles.pop(table.id, None) or Chronicle()
    _chronicles[table.id] = chronicle
    if len(_chronicles) > _KEPT:
        _chronicles.popitem(last=False)
    return chronicle.follow(table.game)
