"""The five verdicts, and how several become one.

*fail* is the system's fault, *error* is ours or the adapter's, *inapplicable* follows
from the claims alone, and if nothing was observed, the verdict is *inconclusive*,
which is never green.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """What can be said about one requirement."""

    PASS = "pass"  # noqa: S105  a verdict, and no password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    INAPPLICABLE = "inapplicable"
    ERROR = "error"


# Which verdict wins if several looks at one requirement are combined: a broken law outweighs
# everything, then a check that threw; a law that was seen kept outweighs looks that saw nothing.
_PRECEDENCE = (Verdict.FAIL, Verdict.ERROR, Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.INAPPLICABLE)


def combined(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of several looks at one requirement; inconclusive if there was none."""
    # A tuple, since hashing a member of an Enum costs more than searching all of them.
    seen = tuple(verdicts)
    for each in _PRECEDENCE:
        if each in seen:
            return each
    return Verdict.INCONCLUSIVE
