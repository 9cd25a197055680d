"""How long the suite waits, in seconds of real time."""

from __future__ import annotations

import time
from dataclasses import dataclass

from callproof import limits


@dataclass(frozen=True, slots=True)
class Deadlines:
    """
    How long a system may take before the suite ends it and reports an error.

    ``start`` to answer ``initialize``, ``answer`` to answer anything else, ``shutdown`` to be gone
    after it; ``term`` is the time between the signals TERM and KILL.
    """

    start: float = limits.START_SECONDS
    answer: float = limits.ANSWER_SECONDS
    shutdown: float = limits.SHUTDOWN_SECONDS
    term: float = limits.TERM_GRACE_SECONDS


def after(seconds: float) -> float:
    """The instant of the monotonic clock that is that many seconds away."""
    return time.monotonic() + seconds


def seconds_left(until: float) -> float:
    """How many seconds are left until an instant of the monotonic clock; never negative."""
    return max(until - time.monotonic(), 0.0)
