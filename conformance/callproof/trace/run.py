"""One run, linked up: claims, and in a live run deeds and the world.

The checks see this type alone, whether it comes from a captured log or a live
conversation: both give the same ``Run``; the live one holds more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from callproof.trace.lazy import Lazy
from callproof.trace.namesakes import Belonging, namesakes
from callproof.trace.plan import Plan, Policy, Step
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import Registry
from callproof.trace.witnesses import Act, ActKind, Deed, Given, Witnessed, World
from callproof.values.jsonvalue import is_object

# Codes of results whose call was never handed to its tool (A2).
REFUSAL_CODES = frozenset({"VALIDATION_ERROR", "POLICY_DENIED"})
# The reason with which an INTERNAL_ERROR is a refusal too (A51, POL-20).
HOOK_FAILED = "hook_failed"


def finer_kind(error: Mapping[str, object]) -> str | None:
    """The finer kind of a failure: its `details.reason`, in lower case since it is the same in any case (ERR-10)."""
    details = error.get("details")
    reason = details.get("reason") if is_object(details) else None
    return reason.lower() if isinstance(reason, str) else None


class FlawKind(Enum):
    """What the reader found that is no record, and which law it touches."""

    NOT_JSON = "not-json"
    NOT_AN_OBJECT = "not-an-object"
    NOT_STRICT = "not-strict"  # duplicate member, NaN, lone surrogate: LOG-03
    BYTES = "bytes"  # BOM, not UTF-8: LOG-02
    TORN = "torn"  # the last line, without its LF, is no JSON: LOG-05
    BLANK = "blank"  # an empty line before the last: a note
    LIMIT = "limit"  # over a limit of the suite: never judged
    MISSING = "missing"  # run.json is not there: LOG-01
    UNREADABLE = "unreadable"  # no regular file, or no permission: never judged
    NAMELESS = "nameless"  # lines of files that runs share, without a run's name: they may be of any run


# Flaws that leave part of the log unread.
UNREAD = frozenset({FlawKind.LIMIT, FlawKind.UNREADABLE})


@dataclass(frozen=True, slots=True)
class Flaw:
    """
    One line that gave no record, or only with a note: the place, the kind, and a clause that says what is wrong.

    ``of`` is the kind of record that the line would have held; None if it may have been any.  ``lines`` is the number
    of such lines, this one included.
    """

    kind: FlawKind
    source: Source
    says: str
    of: Kind | None = None
    lines: int = 1

    def may_hold(self, kind: Kind) -> bool:
        """Whether there is something that may have been a record of this kind."""
        return self.of in (kind, None) and self.kind is not FlawKind.MISSING


@dataclass(frozen=True)
class Attempt:
    """One call record with everything that belongs to it by ``callId``."""

    call: Record
    results: tuple[Record, ...]
    # None if no events were captured.
    events: tuple[Record, ...] | None
    # None in a captured log; empty if the call never reached a hosted tool.
    deeds: tuple[Deed, ...] | None

    @Lazy
    def result(self) -> Record | None:
        """The first result; only this one counts (RES-20)."""
        return self.results[0] if self.results else None

    @Lazy
    def number(self) -> int | None:
        """The attempt's number as claimed."""
        return self.call.integer("attempt")

    @Lazy
    def status(self) -> str | None:
        """The status of the result."""
        return self.result.text("status") if self.result else None

    @Lazy
    def error(self) -> Mapping[str, object]:
        """The error of the result; empty if there is none."""
        return (self.result.object("error") or {}) if self.result else {}

    @Lazy
    def code(self) -> str | None:
        """The error code of the result."""
        code = self.error.get("code")
        return code if isinstance(code, str) else None

    @Lazy
    def hook_failed(self) -> bool:
        """Whether the call was refused because a hook failed, before anything else was checked (POL-20, A76)."""
        return self.code == "INTERNAL_ERROR" and finer_kind(self.error) == HOOK_FAILED

    @property
    def was_called_refused(self) -> bool:
        """Whether the result says that the call was refused, by its code or by a hook that failed."""
        return self.code in REFUSAL_CODES or self.hook_failed

    def events_of(self, *types: str) -> tuple[Record, ...]:
        """Its events of these types, in order; empty if none were captured."""
        if len(types) == 1:
            return self._events_by_type.get(types[0], ())
        return tuple([event for event in self.events or () if event.value.get("type") in types])

    @Lazy
    def _events_by_type(self) -> Mapping[str | None, tuple[Record, ...]]:
        groups: dict[str | None, list[Record]] = {}
        for event in self.events or ():
            groups.setdefault(event.text("type"), []).append(event)
        return {name: tuple(group) for name, group in groups.items()}

    @Lazy
    def dispatched(self) -> bool:
        """
        Whether the records claim that the tool was entered (A2).

        With events, ``step.started`` says so.  Without them, the result does: a refusal code, a hook that
        failed, or a cancellation that took no time means that the tool was not entered.  So does a missing
        result: the call may still have been waiting when the log broke off (B-68).
        """
        if self.events is not None:
            return bool(self.events_of("step.started"))
        result = self.result
        if result is None:
            return False
        if self.status == "skipped" or self.was_called_refused:
            return False
        return not (self.status == "cancelled" and result.number("durationMs") == 0)


@dataclass(frozen=True)
class LogicalCall:
    """All attempts of one step, or of one iteration of a loop, in the order in which they were recorded."""

    step_id: str
    index: int | None
    step: Step | None
    attempts: tuple[Attempt, ...]

    @property
    def last(self) -> Attempt:
        """The last attempt, whose outcome is the step's (RETRY-10)."""
        return self.attempts[-1]

    @property
    def name(self) -> str:
        """How a finding calls it: ``s3`` or ``s3[2]``."""
        return self.step_id if self.index is None else f"{self.step_id}[{self.index}]"


@dataclass(frozen=True)
class Run:
    """
    Everything that is known of one run.

    ``events`` is None if none were captured (A36).  ``witnessed`` is None in a captured log.
    ``flaws`` are the reader's notes.  Linked views are computed once.
    """

    name: str
    run_record: Record | None
    calls: tuple[Record, ...]
    results: tuple[Record, ...]
    events: tuple[Record, ...] | None
    registry: Registry | None = None
    flaws: tuple[Flaw, ...] = ()
    witnessed: Witnessed | None = None
    # The log folder that the same run left behind, if the system claims ``auditLog``.
    audit: Run | None = None
    # Records of other runs that lie among its own, in the order of the files.
    strays: tuple[Record, ...] = ()
    # The other runs of its case, as they were started.  Laws across runs are checked once, where these are known.
    siblings: tuple[Run, ...] = ()

    @Lazy
    def plan(self) -> Plan | None:
        """The plan of the run record; None if there is none."""
        plan = self.run_record.object("plan") if self.run_record else None
        return Plan(plan) if plan is not None else None

    @Lazy
    def policy(self) -> Policy | None:
        """The policy of the run record; None if there is none."""
        policy = self.run_record.object("policy") if self.run_record else None
        return Policy(policy) if policy is not None else None

    @Lazy
    def run_id(self) -> str | None:
        """The ``runId`` of the run record, else of the first record that has one."""
        if self.run_record is not None:
            return self.run_record.text("runId")
        return next((text for each in self.records if (text := each.text("runId"))), None)

    @Lazy
    def records(self) -> tuple[Record, ...]:
        """Calls, results and events, file by file."""
        return (*self.calls, *self.results, *(self.events or ()))

    @property
    def deeds(self) -> tuple[Deed, ...] | None:
        """What reached hosted tools; None in a captured log."""
        return self.witnessed.deeds if self.witnessed else None

    @property
    def acts(self) -> tuple[Act, ...] | None:
        """What the suite did; None in a captured log."""
        return self.witnessed.acts if self.witnessed else None

    @property
    def given(self) -> Given | None:
        """What the suite handed over; None in a captured log."""
        return self.witnessed.given if self.witnessed else None

    @property
    def world(self) -> World | None:
        """The folder before and after; None if the suite watched none."""
        return self.witnessed.world if self.witnessed else None

    @Lazy
    def finished(self) -> bool:
        """Whether the run ended: ``run.finished`` was recorded, or, in a live run, ``run/finished`` arrived."""
        if any(event.text("type") == "run.finished" for event in self.events or ()):
            return True
        if self.witnessed is not None:
            return self.witnessed.finished_arrival is not None
        # A log without events cannot say; it counts as finished if every call has its result.
        answered = {result.call_id for result in self.results}
        begun = bool(self.results) or not self._is_to_do_something
        return self.events is None and begun and all(call.call_id in answered for call in self.calls)

    @property
    def _is_to_do_something(self) -> bool:
        """Whether the plan has steps and was not rejected: then a log without results is not complete."""
        confirmation = (self.run_record.object("confirmation") if self.run_record else None) or {}
        return self.plan is not None and bool(self.plan.steps) and confirmation.get("decision") != "rejected"

    def is_unread(self, kind: Kind) -> bool:
        """Whether something that may have held records of a kind could not be read, so that some may be missing."""
        return any(flaw.kind in UNREAD and flaw.of in (kind, None) for flaw in self.flaws)

    @Lazy
    def killed(self) -> bool:
        """Whether the suite ended the system in the middle of the run (SC-25)."""
        return any(act.kind is ActKind.KILL for act in self.acts or ())

    @Lazy
    def cut_short(self) -> bool:
        """Whether its log may end before the wire does: the system was killed, or its files could not grow (SC-25)."""
        facts = self.witnessed.expectations if self.witnessed is not None else None
        return self.killed or "fileBytes" in (facts or {})

    def events_of(self, *types: str) -> tuple[Record, ...]:
        """The run's events of these types, in order; empty if none were captured."""
        # Laws ask this for each call; with thousands of calls, a scan each time would be too slow.
        known = self._events_of_types.get(types)
        if known is None:
            found = {place: event for name in types for place, event in self._events_by_type.get(name, ())}
            known = self._events_of_types[types] = tuple(found[place] for place in sorted(found))
        return known

    @Lazy
    def _events_of_types(self) -> dict[tuple[str, ...], tuple[Record, ...]]:
        return {}

    @Lazy
    def _events_by_type(self) -> Mapping[str | None, tuple[tuple[int, Record], ...]]:
        groups: dict[str | None, list[tuple[int, Record]]] = {}
        for place, event in enumerate(self.events or ()):
            groups.setdefault(event.text("type"), []).append((place, event))
        return {name: tuple(group) for name, group in groups.items()}

    @Lazy
    def attempts(self) -> tuple[Attempt, ...]:
        """Every call record with what belongs to it, in the order of the calls."""
        shared = namesakes(self.calls)
        results, events = Belonging(shared, self.results), Belonging(shared, self.events or ())
        deeds: dict[str, list[Deed]] = {}
        for deed in self.deeds or ():
            deeds.setdefault(deed.call_id, []).append(deed)
        return tuple(
            Attempt(
                call=call,
                results=results.of(call),
                events=None if self.events is None else events.of(call),
                deeds=None if self.deeds is None else tuple(deeds.get(call.call_id or "", ())),
            )
            for call in self.calls
        )

    @Lazy
    def attempt_by_call_id(self) -> Mapping[str, Attempt]:
        """The attempts by ``callId``; the first of two with one id."""
        found: dict[str, Attempt] = {}
        for attempt in self.attempts:
            if attempt.call.call_id is not None:
                found.setdefault(attempt.call.call_id, attempt)
        return found

    @Lazy
    def unbuilt(self) -> tuple[Record, ...]:
        """Results without a call record: steps and iterations that were never built (A2, A73)."""
        return tuple(each for each in self.results if each.call_id not in self.attempt_by_call_id)

    def attempts_of(self, step_id: str | None) -> tuple[Attempt, ...]:
        """The attempts whose call names this step."""
        return self._attempts_by_step.get(step_id, ())

    def unbuilt_of(self, step_id: str | None) -> tuple[Record, ...]:
        """The results without a call record that name this step."""
        return self._unbuilt_by_step.get(step_id, ())

    @Lazy
    def _attempts_by_step(self) -> Mapping[str | None, tuple[Attempt, ...]]:
        groups: dict[str | None, list[Attempt]] = {}
        for attempt in self.attempts:
            groups.setdefault(attempt.call.step_id, []).append(attempt)
        return {step_id: tuple(group) for step_id, group in groups.items()}

    @Lazy
    def _unbuilt_by_step(self) -> Mapping[str | None, tuple[Record, ...]]:
        groups: dict[str | None, list[Record]] = {}
        for result in self.unbuilt:
            groups.setdefault(result.step_id, []).append(result)
        return {step_id: tuple(group) for step_id, group in groups.items()}

    @Lazy
    def logical_calls(self) -> tuple[LogicalCall, ...]:
        """
        The attempts grouped by step and iteration, in the order of their first record.

        A step without a loop has no iterations, whatever its calls say (LOOP-02).
        """
        groups: dict[tuple[str, int | None], list[Attempt]] = {}
        for attempt in self.attempts:
            step_id = attempt.call.step_id
            if step_id is not None:
                step = self.step(step_id)
                index = attempt.call.iteration_index if step is None or step.foreach is not None else None
                groups.setdefault((step_id, index), []).append(attempt)
        return tuple(
            LogicalCall(step_id, index, self.step(step_id), tuple(attempts))
            for (step_id, index), attempts in groups.items()
        )

    def step(self, step_id: str | None) -> Step | None:
        """The plan's step with this id."""
        return self._steps.get(step_id)

    @Lazy
    def _steps(self) -> Mapping[str | None, Step]:
        steps: dict[str | None, Step] = {}
        if self.plan is not None:
            steps.update(self.plan.by_id)
        return steps

    def lacks(self, evidence: str) -> bool:
        """Whether a kind of evidence (a name of ``EVIDENCE``) is missing from what was captured."""
        return EVIDENCE[evidence](self)


# What a check may need, and how a run shows that it was not captured.
EVIDENCE: Mapping[str, Callable[[Run], bool]] = {
    "run record": lambda run: run.run_record is None,
    "plan": lambda run: run.plan is None,
    "policy": lambda run: run.policy is None,
    "events": lambda run: run.events is None,
    "registry": lambda run: run.registry is None,
    "deeds": lambda run: run.deeds is None,
    "world": lambda run: run.world is None,
    "audit log": lambda run: run.audit is None,
    "other runs": lambda run: not run.siblings,
    "captured log": lambda run: run.witnessed is not None,
}
