"""A log of the pipeline, linked up: its invocations with their records, the surfaces and the policies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from callproof.checks.check import Witness, excerpt
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.laws import Laws
from callproof.protocols.parts import brief, object_of, place, text_of
from callproof.protocols.pipeline.phases import EXECUTE, RANK, RESOLVE, phases_of
from callproof.protocols.pipeline.probes import CASE, PROBE, PROBES
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

STARTED, COMPLETED, FAILED = "started", "completed", "failed"
OWNED: Final = ("invocation", "phase", "decision", "mutation", "hook", "progress", "persistence", "result", "event")
KINDS: Final = ("surface", "policy", *OWNED)
# Kinds that are no records of a pipeline; the driver writes them.
_SEEN: Final = (CASE, PROBE)
SUCCEEDED: Final = frozenset({"succeeded", "partial_succeeded"})
# Statuses and events that say that an invocation is being executed.
_AT_WORK: Final = frozenset({"running", "partial_result", "tool.invocation.started", "tool.invocation.partial_result"})
# The members by which a record without the name of its kind is known, first match first: Agent Tool's own have no name.
_KNOWN_BY: Final = (
    ("mutation", ("mutation_id",)),
    ("hook", ("hook_id",)),
    ("progress", ("progress_id",)),
    ("event", ("event_id",)),
    ("decision", ("decision_id", "behavior")),
    ("persistence", ("decision_id", "strategy")),
    ("result", ("result_id",)),
    ("phase", ("invocation_id", "phase")),
    ("invocation", ("invocation_id", "tool_id")),
)
_KNOWN_BY_WITHOUT_INVOCATION: Final = (
    ("policy", ("scheduler_policy_id",)),
    ("surface", ("surface_id",)),
)
_IDS: Final = ("invocation_id", "surface_id", "scheduler_policy_id", "hook_id", "event_type")
_TELLING: Final = (
    "phase",
    "status",
    "behavior",
    "strategy",
    "event_type",
    "hook_event",
    "error_class",
    "is_error",
)


@dataclass(frozen=True, slots=True)
class Line:
    """One record: its place in the order of the log, its kind, and what it says."""

    at: int
    kind: str
    entry: Entry

    @property
    def source(self) -> Source:
        """Its place in the log."""
        return self.entry.source

    def get(self, name: str) -> Json:
        """A member; None if it is absent or null."""
        return self.entry.value.get(name)

    def text(self, name: str) -> str | None:
        """A member that is a text."""
        return self.entry.text(name)

    def witness(self, name: str) -> Witness:
        """The record as a named witness, by the members that decide; never the input or the output."""
        parts = [
            f"{member} {excerpt(value)}" for member in _TELLING if isinstance(value := self.get(member), str | bool)
        ]
        error_class = object_of(self.get("error")).get("error_class")
        parts += [f"error_class {excerpt(error_class)}"] if isinstance(error_class, str) else []
        return Witness(name, f"{self._what} {', '.join(parts)}".strip() or self.kind, self.source)

    @property
    def _what(self) -> str:
        if self.kind == "phase":
            return ""  # it already begins with the phase's name
        probe = self.text("probe") if self.kind == PROBE else None
        return f"{PROBE} {probe}" if probe in PROBES else self.kind


@dataclass(frozen=True, slots=True)
class Mark:
    """A phase of an invocation, and its status."""

    phase: str
    status: str
    line: Line

    @property
    def at(self) -> int:
        """Its place in the order of the log."""
        return self.line.at

    @property
    def rank(self) -> int:
        """The place of its phase among the phases."""
        return RANK[self.phase]


@dataclass(frozen=True)
class Invocation:
    """All records of one invocation, in their order."""

    id: str
    lines: tuple[Line, ...]

    @cached_property
    def by_kind(self) -> Mapping[str, tuple[Line, ...]]:
        """Its records by their kinds."""
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            found.setdefault(line.kind, []).append(line)
        return {kind: tuple(lines) for kind, lines in found.items()}

    def of(self, kind: str) -> tuple[Line, ...]:
        """Its records of one kind."""
        return self.by_kind.get(kind, ())

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """Its phases, as far as they and their statuses are those of the chapter."""
        told = ((line.text("phase"), line.text("status"), line) for line in self.of("phase"))
        return tuple(
            Mark(phase, status, line)
            for phase, status, line in told
            if phase in RANK and status in (STARTED, COMPLETED, FAILED)
        )

    def marks_of(self, phase: str) -> tuple[Mark, ...]:
        """The marks of one phase."""
        return tuple(mark for mark in self.marks if mark.phase == phase)

    @cached_property
    def failed(self) -> Mark | None:
        """The first phase that is told to have failed."""
        return next((mark for mark in self.marks if mark.status == FAILED), None)

    @cached_property
    def executed(self) -> Mark | None:
        """The first mark of its execution."""
        return next(iter(self.marks_of(EXECUTE)), None)

    @cached_property
    def ran(self) -> Line | None:
        """The first record that tells of its execution: a phase, a status or event, or else a result that succeeded."""
        told = [self.executed.line] if self.executed is not None else []
        told += [self.at_work] if self.at_work is not None else []
        if not told and self.result is not None and self.result.text("status") in SUCCEEDED:
            return self.result
        return min(told, key=lambda line: line.at, default=None)

    @cached_property
    def at_work(self) -> Line | None:
        """The first record, other than a phase, that says that it is being executed."""
        told = (self.of("invocation"), "status"), (self.of("event"), "event_type")
        said = (line for lines, member in told for line in lines if line.text(member) in _AT_WORK)
        return min(said, key=lambda line: line.at, default=None)

    @property
    def result(self) -> Line | None:
        """Its terminal result: the first one."""
        return next(iter(self.of("result")), None)

    @property
    def error(self) -> Mapping[str, Json]:
        """The error of its result; empty if there is none."""
        return object_of(self.result.get("error") if self.result is not None else None)

    @property
    def error_class(self) -> str | None:
        """The class of its failure, by its result."""
        return text_of(self.error, "error_class")

    @property
    def error_phase(self) -> str | None:
        """The phase that failed, by its result: the one that it names, or the only one of its class."""
        named = text_of(self.error, "phase")
        if named in RANK:
            return named
        phases = phases_of(self.error_class) if self.error_class is not None else frozenset[str]()
        return next(iter(phases)) if len(phases) == 1 else None

    @property
    def failed_phase(self) -> str | None:
        """The phase that failed, by the phases, or by its result if they tell none."""
        return self.failed.phase if self.failed is not None else self.error_phase

    def told(self, name: str) -> tuple[Json, ...]:
        """A member each time that the invocation tells it; null counts as not told."""
        return tuple(value for line in self.of("invocation") if (value := line.get(name)) is not None)

    def last_text(self, name: str) -> str | None:
        """The last text that the invocation told for a member."""
        return next((each for each in reversed(self.told(name)) if isinstance(each, str)), None)

    @cached_property
    def tool(self) -> str | None:
        """The tool: the one that was resolved, or the one that was asked for."""
        resolved = (mark.line.text("tool_id") for mark in self.marks_of(RESOLVE) if mark.status != FAILED)
        return next((each for each in resolved if each is not None), None) or self.last_text("tool_id")

    @property
    def named(self) -> str:
        """The name of the invocation in findings."""
        return f"{brief(self.id)} of {brief(self.tool or '?')}"

    @property
    def begin(self) -> int:
        """The place of its first record."""
        return self.lines[0].at

    @property
    def end(self) -> int:
        """The place of its result, or of its last record if it has none."""
        return self.result.at if self.result is not None else self.lines[-1].at

    def between(self, kind: str, after: int, before: int) -> Iterator[Line]:
        """Its records of a kind between two places."""
        lines = self.of(kind)
        yield from lines[bisect_right(lines, after, key=_place) : bisect_left(lines, before, key=_place)]

    @property
    def first(self) -> Witness:
        """Its first record as a witness."""
        return self.lines[0].witness("I")


@dataclass(frozen=True)
class Pipeline:
    """A log as a whole.  It may end anywhere; if it is torn, nothing is reported for what is missing."""

    name: str
    flaws: tuple[Flaw, ...]
    lines: tuple[Line, ...]
    finished: bool = True

    @cached_property
    def torn(self) -> bool:
        """Whether its last line was cut off."""
        return any(flaw.kind is FlawKind.TORN for flaw in self.flaws)

    def of(self, kind: str) -> Iterator[Line]:
        """Its records of one kind."""
        yield from (line for line in self.lines if line.kind == kind)

    @cached_property
    def invocations(self) -> tuple[Invocation, ...]:
        """The invocations in the order in which they began; those with only events are left out."""
        found: dict[str, list[Line]] = {}
        for line in self.lines:
            name = line.text("invocation_id")
            if name and line.kind in OWNED:
                found.setdefault(name, []).append(line)
        return tuple(
            Invocation(name, tuple(lines))
            for name, lines in found.items()
            if any(line.kind != "event" for line in lines)
        )

    @cached_property
    def by_id(self) -> Mapping[str, Invocation]:
        """The invocations by their ids."""
        return {each.id: each for each in self.invocations}

    @cached_property
    def case(self) -> Line | None:
        """The note of the driver; None if the pipeline was not driven."""
        return next((line for line in self.of(CASE) if line.get("driven") is True), None)

    @cached_property
    def probes(self) -> Mapping[str, Mapping[str, tuple[Line, ...]]]:
        """What was seen of each call, by its id and the names of the probes; probes about no call have an empty id."""
        found: dict[str, dict[str, list[Line]]] = {}
        for line in self.of(PROBE):
            of_it = found.setdefault(line.text("invocation_id") or "", {})
            of_it.setdefault(line.text("probe") or "", []).append(line)
        return {name: {probe: tuple(lines) for probe, lines in of_it.items()} for name, of_it in found.items()}

    @cached_property
    def _probes_by_name(self) -> Mapping[str, tuple[Line, ...]]:
        found: dict[str, list[Line]] = {}
        for line in self.of(PROBE):
            found.setdefault(line.text("probe") or "", []).append(line)
        return {name: tuple(lines) for name, lines in found.items()}

    def seen(self, probe: str) -> tuple[Line, ...]:
        """Every probe of a name, for any call."""
        return self._probes_by_name.get(probe, ())

    @cached_property
    def policies(self) -> Mapping[str, Line]:
        """The scheduler's policies by their ids, each as it was last told."""
        return {name: line for line in self.of("policy") if (name := line.text("scheduler_policy_id"))}

    def policy_of(self, one: Invocation) -> Line | None:
        """The policy that an invocation names, or the only one of the log if it names none."""
        named = one.last_text("scheduler_policy_ref")
        if named is not None:
            return self.policies.get(named)
        return next(iter(self.policies.values())) if len(self.policies) == 1 else None

    @property
    def lacking(self) -> frozenset[str]:
        """The evidence that no record of the log gives."""
        return frozenset(name for name, is_there in EVIDENCE.items() if not any(map(is_there, self.lines)))


EVIDENCE: Final[Mapping[str, Callable[[Line], bool]]] = {
    "phases": lambda line: line.kind == "phase",
    "call_input": lambda line: line.kind == "invocation" and line.get("call_input") is not None,
    "events": lambda line: line.kind == "event" and line.text("invocation_id") is not None,
    "persistence": lambda line: line.kind == "persistence",
    "surfaces": lambda line: line.kind == "surface",
    "driver": lambda line: line.kind == CASE and line.get("driven") is True,
}
LAWS: Final[Laws[Pipeline]] = Laws(EVIDENCE)


def kind_of(entry: Entry) -> str | None:
    """The kind of a record; None for a system's own record."""
    value = entry.value
    if "record" in value:
        told = entry.text("record")
        return told if told in (*KINDS, *_SEEN) else None
    forms = _KNOWN_BY if "invocation_id" in value else (*_KNOWN_BY[:4], *_KNOWN_BY_WITHOUT_INVOCATION)
    return next((kind for kind, members in forms if all(member in value for member in members)), None)


def is_of_the_pipeline(entry: Entry) -> bool:
    """Whether an object is one of these records, by its kind and an id that such records have."""
    kind = kind_of(entry)
    if kind in _SEEN:
        return kind == CASE and entry.value.get("driven") is True
    return kind is not None and any(name in entry.value for name in _IDS)


def pipeline(log: Entries) -> Pipeline:
    """The pipeline that a log tells of."""
    told = ((at, kind_of(entry), entry) for at, entry in enumerate(log.entries))
    lines = tuple(Line(at, kind, entry) for at, kind, entry in told if kind is not None)
    return Pipeline(log.name, log.flaws, lines)


def _place(line: Line) -> int:
    return line.at


def every(log: Pipeline) -> Iterator[Invocation]:
    """Every invocation of a log."""
    yield from log.invocations


def with_result(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Every invocation that has a terminal result, and that result."""
    yield from ((each, each.result) for each in log.invocations if each.result is not None)


def texts_of(value: Json) -> tuple[str, ...]:
    """The texts in an array; none for everything else."""
    return tuple(each for each in value if isinstance(each, str)) if is_array(value) else ()


def listed(pointers: Iterable[str], most: int = 5) -> str:
    """Places for a finding, by their pointers, cut if there are many."""
    every_one = tuple(pointers)
    more = len(every_one) - most
    return ", ".join(map(place, every_one[:most])) + (f" and {more} more" if more > 0 else "")
