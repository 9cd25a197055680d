"""One run, or one call of it, in the order of time: what the plan says, what happened, and how it ended.

Data: sections of lines, each with its place in the log, and bars on a time line.  The texts hold the values of the
log; a caller that must not show them replaces them with ``retold`` before it prints anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from callproof import limits
from callproof.checks.check import excerpt
from callproof.report.argument_sources import lines_of_arguments, step_line
from callproof.report.story_lines import Line, moment_ms
from callproof.trace.outputs import recorded_outputs
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Attempt, FlawKind, LogicalCall, Run
from callproof.values.counts import counted
from callproof.values.instants import Instant
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.spans import in_ms

# The order of records of the same instant: a call comes before its events, and its result before the closing event.
_ORDER = {Kind.RUN: 0, Kind.CALL: 1, Kind.EVENT: 2, Kind.RESULT: 3}
_CLOSING = frozenset({"step.finished", "step.failed", "run.finished"})
_CHANGES = ("created", "modified", "deleted", "renamed")


@dataclass(frozen=True, slots=True)
class Bar:
    """
    One call on the time line, in milliseconds after the first instant of the run: made, begun, ended.

    An instant that is not on record is None; ``status`` is None if there is no result.
    """

    name: str
    made: float | None
    start: float | None
    end: float | None
    status: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a story, with its heading."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a run or of a call; ``about`` are the records that it is about; None means all of them."""

    title: str
    sections: tuple[Section, ...]
    bars: tuple[Bar, ...] = ()
    about: frozenset[Source] | None = None

    def retold(self, told: Callable[[str], str]) -> Story:
        """The same story with a function applied to every text."""
        sections = tuple(
            replace(each, lines=tuple(replace(line, says=told(line.says)) for line in each.lines))
            for each in self.sections
        )
        bars = tuple(replace(each, name=told(each.name)) for each in self.bars)
        return replace(self, title=told(self.title), sections=sections, bars=bars)


def run_story(run: Run) -> Story:
    """The story of a whole run."""
    zero = _first_instant(run)
    records = (*((run.run_record,) if run.run_record is not None else ()), *run.records)
    happened = tuple(_chronicle(run, records, zero))
    sections = (
        _unread(run),
        Section("the plan", tuple(_plan_lines(run))),
        Section("what happened", _shortened(happened)),
    )
    bars = tuple(_bar(each, zero) for each in run.attempts)
    return Story(f"run {run.run_id or run.name}", sections, bars)


def call_story(run: Run, attempt: Attempt) -> Story:
    """
    The story of one call: the step, where its arguments came from, its attempts, events and effects.

    It includes what happened to other calls of the same name, since they cannot be asked for by another one (CALL-02).
    """
    call, zero = attempt.call, _first_instant(run)
    logical = _logical(run, attempt)
    others = tuple(each for each in run.attempts if each is not attempt and each.call.call_id == call.call_id)
    # If two calls share a name, a record with that name may belong to neither; it is shown nevertheless.
    records = tuple(each for each in run.records if each.call_id == call.call_id)
    namesakes = tuple(each.call for each in others)
    step = run.step(call.step_id)
    planned = (step_line(run, step),) if step is not None else (Line("the plan has no such step"),)
    sections = (
        _unread(run),
        Section("the plan says", planned),
        Section("its arguments", tuple(lines_of_arguments(run, call))),
        Section("attempts", tuple(_attempt_line(each, attempt) for each in logical.attempts)),
        *((Section("other calls with this callId", tuple(_chronicle(run, namesakes, zero))),) if namesakes else ()),
        Section("what happened", tuple(_chronicle(run, records, zero))),
        Section("effects", tuple(_effects(attempt))),
    )
    bars = tuple(_bar(each, zero) for each in logical.attempts)
    about = frozenset(each.source for each in records)
    return Story(f"call {call.call_id} of {logical.name}", sections, bars, about)


def unbuilt_story(run: Run, result: Record) -> Story:
    """The story of a result without a call: its step or iteration was never built, or its call was lost."""
    events = tuple(each for each in run.events or () if each.call_id == result.call_id)
    happened = tuple(_chronicle(run, (result, *events), _first_instant(run)))
    step = run.step(result.step_id)
    planned = (step_line(run, step),) if step is not None else ()
    name = f"call {result.call_id} of {result.step_id}"
    about = {each.source for each in (result, *events)}
    sections = (Section("the plan says", planned), Section("what happened", happened))
    if result.text("status") != "ok" and all(each.text("type") != "step.started" for each in events):
        return Story(f"{name}, which was never made", sections, (), frozenset(about))
    unread = tuple(flaw for flaw in run.flaws if flaw.of is Kind.CALL)
    lines = tuple(Line(flaw.says, flaw.source) for flaw in unread)
    lost = (Section("lines that are not records; one may be the call", lines),) if lines else ()
    about |= {flaw.source for flaw in unread}
    return Story(f"{name}, whose call is not on record", (*lost, *sections), (), frozenset(about))


def _unread(run: Run) -> Section:
    """What is missing from the story for another reason than that nobody recorded it."""
    flaws = [each for each in run.flaws if each.kind is not FlawKind.BLANK]
    lines = [Line(flaw.says, flaw.source) for flaw in flaws[: limits.STORY_LINES]]
    more = len(flaws) - len(lines)
    lines += [Line(f"… and {counted(more, 'more place')}")] if more else []
    return Section("what could not be read, and may hold what is missing below", tuple(lines))


def _logical(run: Run, attempt: Attempt) -> LogicalCall:
    known = next((each for each in run.logical_calls if attempt in each.attempts), None)
    return known or LogicalCall(attempt.call.step_id or "no step", None, None, (attempt,))


def _plan_lines(run: Run) -> Iterator[Line]:
    """Every step, and below it how it ended."""
    if run.plan is None:
        yield Line("no plan is on record")
        return
    outputs = recorded_outputs(run)
    for step in run.plan.steps:
        yield step_line(run, step)
        statuses = [each.last.status or "no result" for each in run.logical_calls if each.step_id == step.id]
        statuses += [f"{each.text('status')} without a call" for each in run.unbuilt if each.step_id == step.id]
        told = ", ".join(f"{statuses.count(name)} {name}" for name in dict.fromkeys(statuses))
        yield Line(f"{outputs.of(step.id).fate.value}: {told or 'nothing is on record'}", depth=1)


def _chronicle(run: Run, records: Collection[Record], zero: int) -> Iterator[Line]:
    """
    The records in the order of their instants.

    A result without one stands where its call was closed, and any other record keeps its place in its file.
    """
    last, closed = zero, None
    keyed: list[tuple[int, int, Record]] = []
    for record in records:
        at = record.moment or _closed(run, record)
        last = at.nanoseconds if at is not None else last
        if record.text("type") in _CLOSING:
            closed = last
        # An event below a closing event is later than it, also within the same instant (A34).
        below = record.kind is Kind.EVENT and closed == last
        keyed.append((last, 4 if below else _ORDER[record.kind], record))
    for _, _, record in sorted(keyed, key=lambda row: row[:2]):
        yield Line(_says(run, record), record.source, moment_ms(record.moment, zero))


def _closed(run: Run, result: Record) -> Instant | None:
    """When the call of a result was closed, by its events."""
    attempt = run.attempt_by_call_id.get(result.call_id or "") if result.kind is Kind.RESULT else None
    events = () if attempt is None else attempt.events_of("step.finished", "step.failed")
    return next((each.moment for each in events), None)


def _says(run: Run, record: Record) -> str:
    attempt = run.attempt_by_call_id.get(record.call_id or "")
    # If two calls share a name, each has its own iteration.
    own = attempt is None or record.kind is Kind.CALL or record.step_id != attempt.call.step_id
    index = (record if attempt is None or own else attempt.call).iteration_index
    whose = f"{record.step_id or ''}{'' if index is None else f'[{index}]'}"
    if record.kind is Kind.RUN:
        return _says_run(record)
    if record.kind is Kind.CALL:
        limit = record.integer("timeoutMs")
        limited = f", at most {limit} ms" if limit is not None else ""
        return f"{whose} is called: {record.text('tool')}, attempt {record.integer('attempt')}{limited}"
    if record.kind is Kind.RESULT:
        return _says_result(record, whose)
    named = f" of {whose}" if whose else ""
    return f"{record.text('type')}{named}"


def _says_run(record: Record) -> str:
    confirmation = record.object("confirmation")
    decided = f"; the user decided: {confirmation.get('decision')}" if confirmation else ""
    return f"the run is recorded, with its plan and policy{decided}"


def _says_result(record: Record, whose: str) -> str:
    error = record.object("error") or {}
    took = record.number("durationMs")
    code = f" with {error.get('code')}" if error else ""
    word = "; it may be tried again" if error.get("retryable") is True else ""
    effects = record.object("effects") or {}
    changes = [f"{kind} {len(entries)}" for kind in _CHANGES if is_array(entries := effects.get(kind)) and entries]
    changed = f"; {', '.join(changes)}" if changes else ""
    lasted = f" after {in_ms(took)} ms" if took is not None else ""
    return f"{whose} ended {record.text('status')}{code}{lasted}{word}{changed}"


def _attempt_line(attempt: Attempt, told: Attempt) -> Line:
    here = ", this one" if attempt is told else ""
    code = f" with {attempt.code}" if attempt.code else ""
    says = f"attempt {attempt.number}: {attempt.status or 'no result'}{code}, call {attempt.call.call_id}{here}"
    return Line(says, attempt.result.source if attempt.result is not None else attempt.call.source)


def _effects(attempt: Attempt) -> Iterator[Line]:
    result = attempt.result
    effects = result.object("effects") if result is not None else None
    if result is None or effects is None:
        yield Line("none are on record")
        return
    for kind in _CHANGES:
        entries = effects.get(kind)
        for entry in entries if is_array(entries) else ():
            if not is_object(entry):
                continue
            path = f"{excerpt(entry.get('from'))} to {excerpt(entry.get('to'))}" if kind == "renamed" else None
            yield Line(f"{kind} {path or excerpt(entry.get('path'))}", result.source)
    if not any(effects.get(kind) for kind in _CHANGES):
        yield Line("nothing was changed", result.source)


def _bar(attempt: Attempt, zero: int) -> Bar:
    result = attempt.result
    began, end = (None, None) if result is None else (result.began, result.ended)
    if began is None:
        began = next((each.moment for each in attempt.events_of("step.started")), None)
    made, start, ended = (moment_ms(each, zero) for each in (attempt.call.moment, began, end))
    index, number = attempt.call.iteration_index, attempt.number
    name = f"{attempt.call.step_id}{'' if index is None else f'[{index}]'} {'' if number is None else f'#{number}'}"
    return Bar(name, made, start, ended, None if result is None else attempt.status or "")


def _first_instant(run: Run) -> int:
    records = (*((run.run_record,) if run.run_record is not None else ()), *run.records)
    moments = [at.nanoseconds for each in records if (at := each.moment) is not None]
    return min(moments, default=0)


def _shortened(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    left = len(lines) - limits.STORY_LINES
    if left <= 0:
        return lines
    return (*lines[: limits.STORY_LINES], Line(f"… and {counted(left, 'more record')}; --call shows one call"))
