"""Many games between bots, and what they say."""

from fugger.arena.results import Estimate
from fugger.arena.simulation import Result, Seat, Stopped, simulate

__all__ = ["Estimate", "Result", "Seat", "Stopped", "simulate"]
