"""The log: what happened at a table, in a viewer's words, who hears only what they may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fugger.rules.state import SPECTATOR
from fugger.story import seen_by, tell
from fugger.web.chronicles import events_of

if TYPE_CHECKING:
    from fugger.texts import Words
    from fugger.web.pages.visit import Likes
    from fugger.web.tables import Table


def log(table: Table, viewer: int, likes: Likes, lines: int) -> list[dict[str, Any]]:
    """What happened, in words, the newest last: each a text, its number and what kind it is."""
    words = likes.words
    names = [seat.name for seat in table.seats]
    stand_ins = [words.say("{name} (a bot plays)", name=name) for name in names]
    events = events_of(table)
    told: list[dict[str, Any]] = []
    turn = sum(event.action is not None for event in events)
    remarks = list(table.remarks)
    for number in range(len(events) - 1, -1, -1):
        event = events[number]
        while remarks and remarks[-1].ply - 1 >= turn:
            remark = remarks.pop()
            told.append(
                {
                    "n": f"r{len(remarks)}",
                    "text": _remark(remark.kind, remark.seat, viewer, names, words),
                    "kind": "remark",
                    "round": None,
                }
            )
        if event.evaluation is not None:
            told.append(
                {
                    "n": f"e{event.round}",
                    "text": words.say("Round {round} is over.", round=event.round),
                    "kind": "round",
                    "round": event.round,
                }
            )
        by_bot = False
        if event.action is not None:
            turn -= 1
            by_bot = turn < len(table.actors) and table.actors[turn] == "stand-in"
        known = seen_by(event, viewer)
        if by_bot:  # told of the bot, and not of "you", even if it is the viewer's seat
            text = tell(known, SPECTATOR, words, stand_ins)
        else:
            text = tell(known, viewer, words, names)
        told.append({"n": str(number), "text": text, "kind": "event", "round": None})
        if len(told) >= lines:
            break
    told.reverse()
    return told[-lines:]


def _remark(kind: str, seat: int, viewer: int, names: list[str], words: Words) -> str:
    name = names[seat]
    if kind == "left":
        return words.say("{name} has left the table; a bot plays on.", name=name)
    if kind == "late":
        return words.say("{name} ran out of time; a bot plays on.", name=name)
    if kind == "undo":
        return (
            words.say("You take your action back.")
            if seat == viewer
            else words.say("{name} takes an action back.", name=name)
        )
    return words.say("{name} is back.", name=name)
