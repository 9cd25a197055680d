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
    """One call with everything that belongs to it; ``call`` is None for a result of a call that was never built."""

    call_id: str
    step: StepFacts
    tool: ToolFacts
    call: Any
    index: int | None
    # What is asked for often, of its call and of its result.
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
    # The line of the result, and the lines of its events, -1 where there is none.  Of runs without events they are
    # places in the order of the results' instants, ends before beginnings where these are equal.
    line: int = -1
    started: int = -1
    closed: int = -1
    # The step.started event and the closing event.
    beginning: Event | None = None
    closing: Event | None = None
    shown: bool = False
    error: ErrorFacts = NO_ERROR
    # Its data: like its args a structure of the tool's type, or plain JSON where it has none.
    data: Any = None
    # The canonical form of its args.
    form: bytes = b""
    valid: bool = True
    refused_path: bool = False

    @property
    def dispatched(self) -> bool:
        """Whether its step.started is on record; without events, whether its result says that it began."""
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
    # Events of the run itself by type, each with its line; and events of steps without a call.
    events: dict[str, list[tuple[int, Event]]] = field(default_factory=dict[str, list[tuple[int, Event]]])
    untied: list[Event] = field(default_factory=list[Event])
    scheduled: list[Event] = field(default_factory=list[Event])
    texts: list[str] = field(default_factory=list[str])
    # Where instants are spelt in several ways, those of each result, by its line.
    stamps: Stamps = ()

    def first(self, kind: str) -> tuple[int, Event] | None:
        """The first event of the run of this type, with its line."""
        found = self.events.get(kind)
        return found[0] if found else None
