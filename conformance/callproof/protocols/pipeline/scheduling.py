"""PIPE-05 and PIPE-02: what runs at once, and what a policy has to say about that."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from callproof.checks.check import Finding
from callproof.protocols.parts import object_of, text_of
from callproof.protocols.pipeline.phases import EXECUTE
from callproof.protocols.pipeline.trace import (
    LAWS,
    STARTED,
    Invocation,
    Line,
    Pipeline,
    with_result,
)

_SERIAL, _DEFERRED, _FORBIDDEN = "allow_serial_only", "defer_until_batch_complete", "forbid"


@dataclass(frozen=True, slots=True)
class Span:
    """An execution from its beginning to its end, by places in the log."""

    begin: int
    end: int


@dataclass(frozen=True)
class Spans:
    """The executions of a log."""

    spans: tuple[Span, ...]

    @cached_property
    def _begins(self) -> list[int]:
        return sorted(each.begin for each in self.spans)

    @cached_property
    def _ends(self) -> list[int]:
        return sorted(each.end for each in self.spans)

    @cached_property
    def _latest(self) -> list[tuple[Span, ...]]:
        """For each number of spans begun, in the order of their beginnings: the two of them that end last."""
        nobody: tuple[Span, ...] = ()
        ordered = sorted(self.spans, key=lambda each: each.begin)
        return [*accumulate(ordered, _two_latest, initial=nobody)]

    def beside(self, one: Span) -> int:
        """How many others were under way at some moment of a span, which is itself one of the spans."""
        return bisect_right(self._begins, one.end) - bisect_left(self._ends, one.begin) - 1

    def outlasting(self, one: Span, at: int) -> bool:
        """Whether another span that ran beside it is under way at a later place."""
        begun = bisect_right(self._begins, one.end)
        return any(each.end > at for each in self._latest[begun] if each != one)


def _two_latest(latest: tuple[Span, ...], one: Span) -> tuple[Span, ...]:
    return tuple(sorted((*latest, one), key=lambda each: each.end)[-2:])


def _span(one: Invocation, last: int) -> Span | None:
    """The execution of an invocation, if its beginning is told."""
    marks = one.marks_of(EXECUTE)
    begin = next((mark.at for mark in marks if mark.status == STARTED), None)
    if begin is None:
        return None
    ended = next((mark.at for mark in marks if mark.at > begin and mark.status != STARTED), None)
    if ended is None:
        ended = one.result.at if one.result is not None and one.result.at > begin else last
    return Span(begin, ended)


def _modifying(log: Pipeline) -> Iterator[tuple[Spans, Invocation, Line]]:
    """Results with a context modifier, with all executions of the log."""
    found = [(one, result) for one, result in with_result(log) if object_of(result.get("context_modifier"))]
    if found:
        last = log.lines[-1].at + 1
        spans = Spans(tuple(span for each in log.invocations if (span := _span(each, last)) is not None))
        yield from ((spans, one, result) for one, result in found)


@LAWS.check("PIPE-05", each=_modifying)
def a_context_modifier_follows_a_stated_rule(log: Pipeline, found: tuple[Spans, Invocation, Line]) -> Iterator[Finding]:
    """A modifier was applied only if the policy permits that, alone or beside others."""
    spans, one, result = found
    if text_of(object_of(result.get("context_modifier")), "disposition") != "applied":
        return
    policy = log.policy_of(one)
    rule = policy.text("context_modifier_policy") if policy is not None else None
    reason = _objection(rule, spans, _span(one, result.at), result.at)
    if reason is not None:
        yield Finding(
            f"the context modifier of {one.named} was applied {reason}",
            "a modifier that is merged by a stated rule, deferred or refused",
            (*((policy.witness("S"),) if policy is not None else ()), result.witness("R")),
        )


def _objection(rule: str | None, spans: Spans, span: Span | None, at: int) -> str | None:
    """What speaks against a modifier that was applied; None if nothing does."""
    if rule == _FORBIDDEN:
        return f"under the policy {_FORBIDDEN}"
    if span is None or not spans.beside(span):
        return None
    if rule is None:
        return "beside other executions, but no policy states a rule"
    if rule == _SERIAL:
        return f"beside other executions, under the policy {_SERIAL}"
    if rule == _DEFERRED and spans.outlasting(span, at):
        return f"before the executions beside it had ended, under the policy {_DEFERRED}"
    return None


def _one_by_one(log: Pipeline) -> Iterator[tuple[Line, Invocation, Invocation, bool]]:
    """Under a serial policy: each execution, the one before it that ended last, and whether both overlap."""
    latest: dict[tuple[str, str | None], tuple[int, Invocation]] = {}
    spans = [(span, each) for each in log.invocations if (span := _span(each, log.lines[-1].at + 1)) is not None]
    for span, each in sorted(spans, key=lambda found: found[0].begin):
        policy = log.policy_of(each)
        if policy is None or policy.text("ordering_policy") != "serial":
            continue
        group = policy.text("scheduler_policy_id") or "", each.last_text("batch_id")
        end, before = latest.get(group, (0, None))
        if before is not None:
            yield policy, before, each, span.begin < end
        if before is None or end < span.end:
            latest[group] = span.end, each


@LAWS.check("PIPE-02", each=_one_by_one, needs=("phases",))
def what_is_serial_runs_one_by_one(
    _log: Pipeline, found: tuple[Line, Invocation, Invocation, bool]
) -> Iterator[Finding]:
    """Under a serial policy, no execution begins while another one of the same policy and batch is under way."""
    policy, one, other, overlap = found
    if overlap:
        run = other.executed.line if other.executed is not None else other.lines[0]
        yield Finding(
            f"{other.named} was executed while {one.named} was, under the ordering_policy serial",
            "one execution after the other",
            (policy.witness("S"), one.first, run.witness("X")),
        )
