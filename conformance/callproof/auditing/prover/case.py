"""One run while it is being proved: its records, joined, and what was met in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from callproof.auditing.prover import features as f
from callproof.auditing.prover.envelopes import Event, RunRecord
from callproof.auditing.prover.failures import NO_ERROR, ErrorFacts
from callproof.auditing.prover.plans import PlanFacts, StepFacts
from callproof.auditing.prover.policies import PolicyFacts
from callproof.auditing.prover.stamps import Stamps
from callproof.auditing.prover.toolset import ToolFacts, Toolset

Logical: TypeAlias = "tuple[str, int | None]"


class Seen(Struct, gc=False, eq=False):
    """One call with everything that belongs to it; ``call`` is None if there is only a result of a call never built."""

    call_id: str
    step: StepFacts
    tool: ToolFacts
    call: Any
    index: int | None
    # Members that are read often, from the call and from its result.
    args: Any = None
    args_hash: str | UnsetType = UNSET
    timeout_ms: int | UnsetType = UNSET
    preview: str | UnsetType = UNSET
    attempt: int = 0
    created_at: str = ""
    status: str = ""
    started_at: str = ""
    ended_at: str = ""
    took: int | float = 0
    result: Any = None
    # The line of the result, and the lines of the call's events, -1 if there is none.  In runs without events these are
    # places in the order of the results' instants, with ends before beginnings that are equal to them.
    line: int = -1
    started: int = -1
    closed: int = -1
    # The step.started event and the closing event.
    beginning: Event | None = None
    closing: Event | None = None
    shown: bool = False
    error: ErrorFacts = NO_ERROR
    # The result's data: like args a structure of the tool's type, or plain JSON if the tool has none.
    data: Any = None
    # The canonical form of args.
    form: bytes = b""
    valid: bool = True
    refused_path: bool = False

    @property
    def dispatched(self) -> bool:
        """Whether its step.started is on record; without events, whether its result says that the call began."""
        return self.started >= 0


@dataclass(slots=True, eq=False)
class Case:
    """One run."""

    run_id: str
    record: RunRecord
    tools: Toolset
    policy: PolicyFacts
    plan: PlanFacts
    met: int = f.ALWAYS
    # Whether events were captured (A36).
    has_events: bool = True
    calls: list[Seen] = field(default_factory=list[Seen])
    unbuilt: list[Seen] = field(default_factory=list[Seen])
    seen: dict[str, Seen] = field(default_factory=dict[str, Seen])
    logical: dict[Logical, list[Seen]] = field(default_factory=dict[Logical, list[Seen]])
    # Events of the run itself by type, each with its line; then events of steps without a call.
    events: dict[str, list[tuple[int, Event]]] = field(default_factory=dict[str, list[tuple[int, Event]]])
    untied: list[Event] = field(default_factory=list[Event])
    scheduled: list[Event] = field(default_factory=list[Event])
    texts: list[str] = field(default_factory=list[str])
    # If instants are spelt in several ways: those of each result, by its line.
    stamps: Stamps = ()

    def first(self, kind: str) -> tuple[int, Event] | None:
        """The first event of the run of this type, with its line."""
        found = self.events.get(kind)
        return found[0] if found else None
