"""Numbers in sentences: a noun and a verb that agree with them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number and its noun: ``1 case``, ``2 cases``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def was(number: int) -> str:
    """The verb for this number: ``1 was open``, ``2 were open``."""
    return "was" if number == 1 else "were"
