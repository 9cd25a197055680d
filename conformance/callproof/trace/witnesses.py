"""What the suite itself saw of a live run: deeds, the world, and its own acts.

Claims are what the system wrote.  These are the other two testimonies; a captured log
does not have them.  This module holds plain values; other modules collect them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from callproof.trace.records import Source
from callproof.values.jsontext import Json


class AnswerKind(Enum):
    """How a hosted tool ended an invocation."""

    OUTPUT = "output"  # it returned
    FAILURE = "failure"  # it reported a failure: -32010
    BROKE = "broke"  # an unstructured exception: -32011


@dataclass(frozen=True, slots=True)
class Answer:
    """What a hosted tool answered, when (milliseconds of the suite's clock), and as which message."""

    kind: AnswerKind
    output: Json
    error: Mapping[str, Json] | None
    observed: Mapping[str, Json] | None
    at_ms: float
    arrival: int

    @property
    def data(self) -> Json:
        """The output as it belongs into a result: an empty object if the tool has no output (A24)."""
        return {} if self.output is None else self.output


@dataclass(frozen=True, slots=True)
class Abort:
    """One ``tool/abort`` as it reached the suite."""

    reason: str
    at_ms: float
    arrival: int


@dataclass(frozen=True, slots=True)
class Deed:
    """
    One invocation that reached a tool hosted by the suite, as it came over the wire.

    Times are milliseconds of the suite's clock since the run was started; ``arrival``
    is the index among all messages of the conversation, both directions counted.
    ``answer`` is None if the scenario never answers.  ``writes`` are the paths that the tool itself put into the
    folder, whether it reported them or not.
    """

    call_id: str
    tool: str
    args: Json
    at_ms: float
    arrival: int
    answer: Answer | None = None
    aborts: tuple[Abort, ...] = ()
    writes: tuple[str, ...] = ()

    @property
    def source(self) -> Source:
        """The deed's place on the wire."""
        return Source("wire", self.arrival)


class ActKind(Enum):
    """What the suite itself does in the course of a run."""

    START = "start"
    APPROVE = "approve"
    REJECT = "reject"
    CANCEL = "cancel"
    TURN_AWAY = "turn away"  # for a moment it reads nothing that the system sends
    KILL = "kill"  # it ends the system's processes without warning


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the suite: when it was sent, as which message, and for which confirmation."""

    kind: ActKind
    at_ms: float
    arrival: int
    confirmation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in the folder: its kind (``file``, ``folder`` or ``link``), content hash or link target, and inode."""

    kind: str
    content: str
    inode: int


# The tree below the root by path bytes, decoded with surrogateescape; forward slashes.
Snapshot = Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class World:
    """The folder tree seen from outside the system's process, before the run and after its end."""

    before: Snapshot
    after: Snapshot
    # The trash below the root, which is not part of effects (A69).
    trash_before: Snapshot
    trash_after: Snapshot
    # The tree at the moment at which the run said that it was over; None if it never did.
    at_the_end: Snapshot | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What the suite handed to the system in ``run/start``, before the system could touch it."""

    plan: Json
    policy: Json
    tools: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer -32001 to ``run/start``: the run did not begin."""

    code: str
    message: str
    details: Mapping[str, Json]
    arrival: int


@dataclass(frozen=True, slots=True)
class Witnessed:
    """
    Everything that only a live run has.  ``finished_arrival`` is the arrival of ``run/finished``, if it came.

    ``expires_ms`` is when the time for an answer was up, counted from the moment at which the suite was asked: None if
    it was not asked, or gave no time.  ``watched_ms`` is when the suite stopped watching.
    """

    given: Given
    deeds: tuple[Deed, ...]
    acts: tuple[Act, ...]
    refusal: Refusal | None
    finished_arrival: int | None
    virtual_clock: bool
    world: World | None = None
    # Secrets that the scenario planted and that no record may hold.
    canaries: tuple[str, ...] = ()
    # The scenario's own laws, which only it can know, e.g. "this call must be denied"; checks decide them.
    expectations: Mapping[str, Json] | None = None
    expires_ms: float | None = None
    watched_ms: float | None = None
