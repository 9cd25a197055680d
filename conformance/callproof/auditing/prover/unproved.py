"""The error that the prover raises if it cannot prove a run."""

from __future__ import annotations

from typing import Any, Final

from callproof.auditing.prover.plain import is_dict

_MOST_MEMBERS: Final = 1_000
_MOST_LEVELS: Final = 20
_CONTAINERS: Final = frozenset({dict, list})


class Unproved(Exception):
    """A run lies outside what can be proved here; ``reason`` says why.  It is no verdict: the checks decide."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def demand(holds: object, reason: str) -> None:
    """Continue only if this holds.  Raises Unproved otherwise."""
    if not holds:
        raise Unproved(reason)


def is_modest(value: Any, levels: int = _MOST_LEVELS) -> bool:
    """Whether an object or array is far from the depth and the size at which the strict reader refuses it."""
    if len(value) > _MOST_MEMBERS or not levels:
        return False
    for each in value.values() if is_dict(value) else value:
        if type(each) in _CONTAINERS and not is_modest(each, levels - 1):
            return False
    return True
