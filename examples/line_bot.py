"""A whole bot as a program of its own: it speaks the line protocol of docs/protocol.md.

    fugger arena match "python3 examples/line_bot.py" greedy

It needs nothing but Python; the same is as easily written in any other language.
"""

import json
import random
import sys


def choose(seen: dict, legal: list[str], rng: random.Random) -> str:
    """The bot's idea of the game: mostly play a good, of those at hand the best-paid."""
    plays = [action for action in legal if action[0] in seen["prices"]]
    if plays and rng.random() < 0.8:
        return max(plays, key=lambda action: seen["prices"][action[0]])
    return rng.choice(legal)


rng, seen = random.Random(), {}
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "fugger":
        print("ready line bot" if rest == "1" else "error this bot speaks version 1", flush=True)
    elif word == "game":
        words = dict(pair.split("=", 1) for pair in rest.split())
        rng = random.Random(int(words["seed"]))
    elif word == "observe":
        seen = json.loads(rest)
    elif word == "choose":
        print("action", choose(seen, rest.split(), rng), flush=True)
    elif word == "quit":
        break
