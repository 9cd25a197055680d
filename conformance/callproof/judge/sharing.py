"""What a row of the table of consequences is: which findings follow from which, and what the two must share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from callproof.checks.matters import Matter


class Shared(Enum):
    """What two findings of one run must have in common."""

    RECORD = "a record of their witnesses"
    SUBJECT = "the record that stands first in the witness of the one, and anywhere in that of the other"
    FIRST = "the record that stands first in the witness"
    CALL = "the callId of a witness"
    STEP = "the step of a witness"
    TEMPLATE = "the step of the record that stands first in the witness"
    LAST = "the record that stands last in the witness of the one, and anywhere in that of the other"
    STRAY = (
        "the record that stands first in the witness of the one, where its call has others that are of the call's step"
    )
    MISNAMED = "one of the two steps of a call which all its other records give to another step than it does itself"
    FROM_MISNAMED = "one of two such steps, which the other finding's step reads from or waits for"
    MISNAMED_OUTCOME = (
        "one of two such steps, if it alone gives the run an outcome which the end of the run does not tell"
    )
    MISFILED = "one of two calls of which a record names the one and is the other's"
    FROM_MISFILED = "a step of one of two such calls, which the other finding's step reads from or waits for"
    SOURCE = "a step: the one is of it, the other of a step that reads from it or waits for it"
    CIRCLE = "the plan, where all steps of the other's witness wait for each other in a circle"
    PLAN = "the plan, of which no other one would explain all calls of a step"
    RUN = "the run"
    ON_RECORD = "the run, where records show the other, and no invocation that the suite saw"
    LOGGED = "the run: the one is about how its log differs from the wire, and the other is about the log alone"
    NO_CALL = "the run, where an event of the one names no call"
    NO_RESULT = "the run, where no call of the one has a result"
    PATH = "a path that a result of the one says was changed, or one above it"
    OUTCOME = "a step that alone gives the run an outcome which the end of the run does not tell"


@dataclass(frozen=True, slots=True)
class Consequence:
    """
    One row: findings of ``laws`` follow from findings of ``roots`` with which they share something, and why.

    ``ITSELF`` for the roots means that the first finding of each law explains the later ones.  If a law has findings
    about several matters and not all of them follow, ``only`` names those that do.  ``when`` does so for the roots,
    if not all of them explain.  An empty tuple means every matter.
    """

    laws: tuple[str, ...]
    roots: tuple[str, ...]
    shared: Shared
    because: str
    only: tuple[Matter, ...] = ()
    when: tuple[Matter, ...] = ()


ITSELF: tuple[str, ...] = ()
