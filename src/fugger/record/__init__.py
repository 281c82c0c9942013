r"""Records of games: text files that hold every deal, so that replaying needs no generator.

The format is specified in `docs/records.md`.

>>> import random
>>> from fugger import Game, record
>>> game = Game(players=2)
>>> game.deal_all(random.Random(7))
>>> game.tags["Seat1"] = "Anna"
>>> print(record.dumps(game).rstrip())
[Edition "adlung"]
[Players "2"]
[First "1"]
[Target "100"]
[Rules "1"]
[Seat1 "Anna"]
<BLANKLINE>
1:W 1:T 1:S 1:J* 2:C 2:C 2:J 2:C* J:S J:M J:C
>>> record.loads(record.dumps(game))[0].tokens == game.tokens
True
"""

from fugger.errors import RecordError
from fugger.record.draft import Entry
from fugger.record.reading import load, loads, read, recover, scan
from fugger.record.writing import Hearing, compose, dump, dumps, tokens_for

__all__ = [
    "Entry",
    "Hearing",
    "RecordError",
    "compose",
    "dump",
    "dumps",
    "load",
    "loads",
    "read",
    "recover",
    "scan",
    "tokens_for",
]
