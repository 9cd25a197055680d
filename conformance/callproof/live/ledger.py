"""Writing down what passes in one run, in the order of the wire, and making a trace of it.

Every message in either direction gets one number, so that a record, a deed and an
act can be put in order without trusting any clock.  Runs that share a wire share the
count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from callproof.adapters.messages import Refusal as RefusedAnswer
from callproof.trace.records import Kind, Record, Source
from callproof.trace.witnesses import Abort, Act, ActKind, Answer, Deed, Refusal
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object


@dataclass(slots=True)
class OpenDeed:
    """One invocation while the run lasts; ``deed`` is its frozen form."""

    call_id: str
    tool: str
    args: Json
    at_ms: float
    arrival: int
    answer: Answer | None = None
    aborts: list[Abort] = field(default_factory=list[Abort])
    writes: list[str] = field(default_factory=list[str])

    @property
    def deed(self) -> Deed:
        """The deed as it stands now."""
        aborts, writes = tuple(self.aborts), tuple(self.writes)
        return Deed(self.call_id, self.tool, self.args, self.at_ms, self.arrival, self.answer, aborts, writes)


@dataclass(slots=True)
class Tally:
    """How many messages have passed on one wire, and how many of the suite's the system may react to."""

    passed: int = 0
    sent: int = 0

    def next_arrival(self) -> int:
        """The number of the message that passes now."""
        number = self.passed
        self.passed += 1
        return number

    def next_sent(self) -> int:
        """The number of a message of the suite that the system may react to."""
        self.sent += 1
        return self.next_arrival()


@dataclass(slots=True)
class Ledger:
    """Everything that passed in one run so far."""

    tally: Tally = field(default_factory=Tally)
    records: list[Record] = field(default_factory=list[Record])
    deeds: list[OpenDeed] = field(default_factory=list[OpenDeed])
    acts: list[Act] = field(default_factory=list[Act])
    refusal: Refusal | None = None
    finished_arrival: int | None = None

    def next_sent(self) -> int:
        """The number of a message of the suite that the system may react to."""
        return self.tally.next_sent()

    def enter_record(self, params: Mapping[str, Json], arrival: int) -> Record | None:
        """Write down a record; None if the message holds none."""
        kind, value = params.get("kind"), params.get("record")
        if not is_object(value) or kind not in {each.value for each in Kind}:
            return None
        record = Record(Kind(kind), value, Source("wire", arrival), arrival)
        self.records.append(record)
        return record

    def enter_act(self, kind: ActKind, at_ms: float, arrival: int, confirmation_id: str | None = None) -> None:
        """Write down an act of the suite."""
        self.acts.append(Act(kind, at_ms, arrival, confirmation_id))

    def enter_refusal(self, answer: RefusedAnswer, arrival: int) -> None:
        """Write down that the run was refused, and for what reasons."""
        data: Mapping[str, Json] = answer.data if is_object(answer.data) else {}
        code, message, details = data.get("code"), data.get("message"), data.get("details")
        self.refusal = Refusal(
            code=code if isinstance(code, str) else "",
            message=message if isinstance(message, str) else answer.message,
            details=details if is_object(details) else {},
            arrival=arrival,
        )

    def of_kind(self, kind: Kind) -> tuple[Record, ...]:
        """The records of a kind, in the order in which they were sent."""
        return tuple(record for record in self.records if record.kind is kind)
