"""What the prover raises where it cannot prove a run."""

from __future__ import annotations


class Unproved(Exception):
    """A run lies outside what can be proved here; ``reason`` says why.  It accuses nobody: the checks decide."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def demand(holds: object, reason: str) -> None:
    """Go on only where this holds.  Raises Unproved."""
    if not holds:
        raise Unproved(reason)
