"""Records as read: raw JSON objects with their source, and accessors that survive any garbage.

A record is a claim by the system under test.  Nothing here trusts it: an accessor
gives the member if it is there with that type, else None.  So a check can decide one
law, and leave the shape of records to the checks whose law is the shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from callproof.values.instants import Instant, parse_instant
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, is_array, is_number, is_object, leads


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a record stands: a file and a 1-based line, or ``wire`` and the index of its arrival."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Kind(Enum):
    """The kind of a record, named as on the wire."""

    # Each member exists once; hashing an Enum by its name, the default, takes as long as many a law.
    __hash__ = object.__hash__

    RUN = "run"
    CALL = "call"
    RESULT = "result"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Record:
    """
    One record of a run.

    ``arrival`` is its index among all messages of a live conversation, in both
    directions, and is evidence of order; None in a captured log.

    ``call_id`` is the ``callId`` if it is a non-empty string, ``step_id`` the ``stepId`` if it is a string.
    ``redacted`` are the JSON pointers in the member of that name that lead to a place in the record; others mark
    nothing (LOG-17).  ``moment`` is the instant at which the record says that it was made.  ``began`` and ``ended`` are
    those of its ``startedAt`` and ``endedAt``; of the records of a run, only results have them.
    """

    kind: Kind
    value: Mapping[str, Json]
    source: Source
    arrival: int | None = None
    # Nearly every law asks for these, so they are computed once.
    call_id: str | None = field(init=False, repr=False, compare=False)
    step_id: str | None = field(init=False, repr=False, compare=False)
    redacted: tuple[str, ...] = field(init=False, repr=False, compare=False)
    moment: Instant | None = field(init=False, repr=False, compare=False)
    began: Instant | None = field(init=False, repr=False, compare=False)
    ended: Instant | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute what nearly every law asks for."""
        put, value, kind = object.__setattr__, self.value, self.kind
        call_id, step_id = value.get("callId"), value.get("stepId")
        made = "timestamp" if kind is Kind.EVENT else "endedAt" if kind is Kind.RESULT else "createdAt"
        put(self, "call_id", call_id if isinstance(call_id, str) and call_id else None)
        put(self, "step_id", step_id if isinstance(step_id, str) else None)
        put(self, "redacted", _leading(value.get("redacted"), value) if "redacted" in value else ())
        put(self, "moment", parse_instant(value.get(made)))
        put(self, "began", parse_instant(value["startedAt"]) if "startedAt" in value else None)
        put(self, "ended", parse_instant(value["endedAt"]) if "endedAt" in value else None)

    def has(self, name: str) -> bool:
        """Whether the member is present, null included."""
        return name in self.value

    def get(self, name: str) -> Json:
        """The member as read, or None if it is absent (see ``has``)."""
        return self.value.get(name)

    def text(self, name: str) -> str | None:
        """The member if it is a string."""
        value = self.value.get(name)
        return value if isinstance(value, str) else None

    def flag(self, name: str) -> bool | None:
        """The member if it is a boolean."""
        value = self.value.get(name)
        return value if isinstance(value, bool) else None

    def integer(self, name: str) -> int | None:
        """The member if it is a number equal to an integer, ``1.0`` included (B-10)."""
        return as_integer(self.value.get(name))

    def number(self, name: str) -> int | float | None:
        """The member if it is a number."""
        value = self.value.get(name)
        return value if is_number(value) else None

    def object(self, name: str) -> Mapping[str, Json] | None:
        """The member if it is an object."""
        value = self.value.get(name)
        return value if isinstance(value, dict) else None  # the same as is_object, without another call per record

    def array(self, name: str) -> Sequence[Json] | None:
        """The member if it is an array."""
        value = self.value.get(name)
        return value if is_array(value) else None

    def instant(self, name: str) -> Instant | None:
        """The member if it is an RFC 3339 instant (TIME-09)."""
        return parse_instant(self.value.get(name))

    @property
    def iteration_index(self) -> int | None:
        """The ``index`` of the ``iteration`` member, if both are there."""
        iteration = self.value.get("iteration")
        return None if iteration is None or not is_object(iteration) else as_integer(iteration.get("index"))

    @property
    def hooked(self) -> tuple[str, ...] | None:
        """
        Pointers into the args that a hook changed; None if it may have changed all of them (A49).

        An ``argsModifiedBy`` that says neither who changed them nor which they are marks nothing (CALL-24).
        """
        mark = self.value.get("argsModifiedBy")
        if mark is None:
            return ()
        members = mark.get("members") if is_object(mark) else None
        if is_array(members):
            return tuple(each for each in members if isinstance(each, str))
        who = mark.get("by") if is_object(mark) else mark
        return None if isinstance(who, str) and who else ()

    def is_redacted_in(self, name: str) -> bool:
        """Whether a redaction mark leads to a member or into it (A42)."""
        marks = self.redacted
        return bool(marks) and any(f"{mark}/".startswith(f"/{name}/") for mark in marks)


def _leading(marks: Json, value: Mapping[str, Json]) -> tuple[str, ...]:
    """The pointers among the marks that lead to a place in the record."""
    return tuple(each for each in marks if isinstance(each, str) and leads(each, value)) if is_array(marks) else ()


# Two records in different files that lie no further apart have no certain order; their log does not settle it (A34).
CROSS_FILE_TOLERANCE_NS = 1_000_000_000


def order(one: Record, other: Record) -> int | None:
    """
    -1 when the first record certainly came first, 1 when it certainly came second, None when nothing settles it.

    Arrival on one wire settles it; so does the line within one file, and the ``seq`` of two events, which no
    other record has (CALL-23).  Else the instants settle it, if they are further apart than their resolutions and
    the tolerance (A34).
    """
    if one.arrival is not None and other.arrival is not None:
        return _sign(one.arrival - other.arrival)
    if one.kind is other.kind and one.source.file == other.source.file:
        return _sign(one.source.line - other.source.line)
    if one.kind is Kind.EVENT and other.kind is Kind.EVENT:
        first, second = one.integer("seq"), other.integer("seq")
        if first is not None and second is not None and first != second:
            return _sign(first - second)
    return order_of_instants(one.moment, other.moment)


def order_of_instants(
    one: Instant | None, other: Instant | None, tolerance: int = CROSS_FILE_TOLERANCE_NS
) -> int | None:
    """-1, 1, or None if the instants are within tolerance (nanoseconds) and resolution of each other."""
    if one is None or other is None:
        return None
    apart = other.nanoseconds - one.nanoseconds
    doubt = tolerance + max(one.resolution, other.resolution)
    if abs(apart) <= doubt:
        return None
    return -1 if apart > 0 else 1


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
