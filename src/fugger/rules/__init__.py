"""The rules of Die Fugger, once: every other part of the package calls them."""

from typing import Final

RULES_VERSION: Final = 1
"""Counts the rules' versions: raised when a record could no longer be replayed as it was played."""
