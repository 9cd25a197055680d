"""PIPE-08: a result tells which phase failed, and tells the truth."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from callproof.checks.check import Finding
from callproof.protocols.parts import excerpt, text_of
from callproof.protocols.pipeline.phases import (
    EMIT,
    EXECUTE,
    FAILED_STATUSES,
    LATE,
    RANK,
    SCHEDULE,
    UNTRIED_STATUSES,
    VALIDATE,
    in_words,
    is_class,
    phases_of,
)
from callproof.protocols.pipeline.trace import FAILED, LAWS, Invocation, Line, Mark, Pipeline, with_result

_SIBLING = "sibling_canceled"
# The phases in which an invocation may end that a decision denied, for any reason, or that was cancelled meanwhile.
_OF_A_DENIAL = frozenset(phase for phase, rank in RANK.items() if RANK[VALIDATE] <= rank <= RANK[SCHEDULE])


def _failed(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Results of invocations that failed, as they or the phases tell it."""
    for one, result in with_result(log):
        if one.error or result.get("is_error") is True or one.failed or result.text("status") in FAILED_STATUSES:
            yield one, result


@LAWS.check("PIPE-08", each=_failed)
def a_failure_has_a_class(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """The error names a class of the tables, or a system's own under a namespace."""
    one, result = found
    name = one.error_class
    if name is None or not is_class(name):
        yield Finding(
            f"{one.named} failed, but its result names "
            + ("no error_class" if name is None else f"the error_class {excerpt(name)}"),
            "a class of the chapter's tables, or one with a namespace",
            (*((one.failed.line.witness("F"),) if one.failed else ()), result.witness("R")),
        )


def _classified(log: Pipeline) -> Iterator[tuple[Invocation, Line, str]]:
    """Results whose error names a valid class."""
    for one, result in _failed(log):
        if one.error_class is not None and is_class(one.error_class):
            yield one, result, one.error_class


@LAWS.check("PIPE-08", each=_classified)
def a_failure_names_its_phase(_log: Pipeline, found: tuple[Invocation, Line, str]) -> Iterator[Finding]:
    """The class belongs to one phase alone, or the error names the phase, which is one of its class."""
    one, result, name = found
    phases, named = phases_of(name), text_of(one.error, "phase")
    if named is None and len(phases) > 1:
        yield Finding(
            f"{one.named} failed with {name}, but its result does not name the phase",
            f"the phase, since {name} can end several phases",
            (result.witness("R"),),
        )
    if named is not None and named not in phases:
        yield Finding(
            f"the result of {one.named} says that {name} ended {excerpt(named)}",
            f"{name} ends {in_words(phases)}",
            (result.witness("R"),),
        )


@LAWS.check("PIPE-08", each=_classified)
def the_phase_of_a_failure_is_the_one_that_failed(
    _log: Pipeline, found: tuple[Invocation, Line, str]
) -> Iterator[Finding]:
    """The result tells of the phase that is told to have failed, with its class, and of none that went well."""
    one, result, name = found
    if one.failed is not None:
        marked = one.failed.line.text("error_class")
        other_phase = (one.error_phase or one.failed.phase) != one.failed.phase or one.failed.phase not in phases_of(
            name
        )
        if other_phase or marked not in (None, name):
            with_class = f" with {excerpt(marked)}" if marked not in (None, name) else ""
            yield Finding(
                f"{one.failed.phase} of {one.named} failed{with_class}, but its result reports {name}"
                + (f" in {one.error_phase}" if one.error_phase else ""),
                "the phase and the class of the first failure",
                (one.failed.line.witness("F"), result.witness("R")),
            )
    elif one.error_phase is not None and (later := _later(one, one.error_phase)):
        yield Finding(
            f"the result of {one.named} says that {one.error_phase} failed, but {later.phase} {later.status}",
            "after the phase that failed, only post_hooks, persist_result and emit_terminal",
            (later.line.witness("P"), result.witness("R")),
        )


def _later(one: Invocation, phase: str) -> Mark | None:
    """A phase that came after another one, and would not have come if that one had failed."""
    return next((mark for mark in one.marks if mark.rank > RANK[phase] and mark.phase not in LATE), None)


def _marked(log: Pipeline) -> Iterator[tuple[Invocation, Mark]]:
    """Every phase that is told to have failed."""
    yield from ((each, mark) for each in log.invocations for mark in each.marks if mark.status == FAILED)


@LAWS.check("PIPE-08", each=_marked)
def a_failed_phase_has_a_class_of_its_own(_log: Pipeline, found: tuple[Invocation, Mark]) -> Iterator[Finding]:
    """The class of a phase that failed belongs to it, and emit_terminal never fails."""
    one, mark = found
    name = mark.line.text("error_class")
    if mark.phase == EMIT:
        yield Finding(
            f"{EMIT} of {one.named} failed",
            "no failure: errors are handed out as results",
            (mark.line.witness("F"),),
        )
    elif name is not None and (not is_class(name) or mark.phase not in phases_of(name)):
        yield Finding(
            f"{mark.phase} of {one.named} failed with {excerpt(name)}",
            f"{name} ends {in_words(phases_of(name))}" if is_class(name) else "a class of the chapter's tables",
            (mark.line.witness("F"),),
        )


def _untried(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Results that say that nothing was executed."""
    yield from ((one, result) for one, result in with_result(log) if result.text("status") in UNTRIED_STATUSES)


@LAWS.check("PIPE-08", each=_untried, needs=("phases",))
def what_was_executed_was_not_denied(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """If a result says denied or rejected, nothing was executed."""
    one, result = found
    if one.executed is not None:
        yield Finding(
            f"{one.named} was executed, but its result is {result.text('status')}",
            "a status that does not hide that the tool has run",
            (one.executed.line.witness("X"), result.witness("R")),
        )


@LAWS.check("PIPE-08", each=_untried)
def a_denial_has_a_class_of_what_came_before(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """A result that says denied or rejected names no failure of the execution, or of what follows it."""
    one, result = found
    # If a phase is told to have failed, another law compares the result with that phase.
    if one.failed is None and one.error_phase is not None and RANK[one.error_phase] >= RANK[EXECUTE]:
        yield Finding(
            f"the result of {one.named} is {result.text('status')}, but reports {one.error_class} in {one.error_phase}",
            f"a failure before {EXECUTE}",
            (result.witness("R"),),
        )


def _denied(log: Pipeline) -> Iterator[tuple[Invocation, Line, Line, str]]:
    """Invocations that a decision denied, if no phase is told to have failed and nothing was executed."""
    for one, result, name in _classified(log):
        deny = next((line for line in one.of("decision") if line.text("behavior") == "deny"), None)
        if deny is not None and one.failed is None and one.ran is None:
            yield one, deny, result, name


@LAWS.check("PIPE-08", each=_denied)
def a_denial_is_told_as_one(_log: Pipeline, found: tuple[Invocation, Line, Line, str]) -> Iterator[Finding]:
    """The result of what a decision denied tells of no phase that was over by then, and of none that came later."""
    one, deny, result, name = found
    phases = frozenset({one.error_phase}) if one.error_phase is not None else phases_of(name)
    if phases.isdisjoint(_OF_A_DENIAL):
        yield Finding(
            f"{one.named} was denied by a decision, but its result reports {excerpt(name)}",
            f"a failure of {in_words(_OF_A_DENIAL)}",
            (deny.witness("D"), result.witness("R")),
        )


def _called_off(log: Pipeline) -> Iterator[tuple[Siblings, Invocation, Line]]:
    """Invocations that were cancelled because of a sibling, and all that may have been the cause."""
    cancelled = [(one, result) for one, result in with_result(log) if one.error_class == _SIBLING]
    if cancelled:
        siblings = Siblings(tuple(each for each in log.invocations if _went_wrong(each)))
        yield from ((siblings, one, result) for one, result in cancelled)


@LAWS.check("PIPE-08", each=_called_off)
def a_sibling_was_the_cause(log: Pipeline, found: tuple[Siblings, Invocation, Line]) -> Iterator[Finding]:
    """If a call was cancelled because of a sibling, a sibling failed by itself, and the policy does not ignore that."""
    siblings, one, result = found
    policy = log.policy_of(one)
    if policy is not None and policy.text("sibling_failure_policy") == "ignore":
        yield Finding(
            f"{one.named} was cancelled because of a sibling, but its policy ignores the failures of siblings",
            "no cancellation under sibling_failure_policy ignore",
            (policy.witness("S"), result.witness("R")),
        )
    if not siblings.include_one_of(one) and not log.torn:
        yield Finding(
            f"{one.named} was cancelled because of a sibling, but no sibling of it failed",
            "a sibling that failed, was denied or was cancelled for a reason of its own",
            (result.witness("R"),),
        )


def _went_wrong(one: Invocation) -> bool:
    """Whether it failed, and not because of a sibling."""
    result = one.result
    if one.error_class == _SIBLING or (one.failed is not None and one.failed.line.text("error_class") == _SIBLING):
        return False
    denied = any(line.text("behavior") == "deny" for line in one.of("decision"))
    return denied or one.failed is not None or (result is not None and result.get("is_error") is True)


def _cause_of(one: Invocation) -> int:
    """Where it is first told to have gone wrong; its beginning if only its result tells it."""
    told = [one.failed.at] if one.failed is not None else []
    told += [line.at for line in one.of("decision") if line.text("behavior") == "deny"][:1]
    return min(told, default=one.begin)


@dataclass(frozen=True)
class Siblings:
    """Invocations that went wrong, searchable by their batches and by the time in which they were under way."""

    wrong: tuple[Invocation, ...]

    @cached_property
    def _batches(self) -> dict[str | None, int]:
        """Where each batch first went wrong."""
        found: dict[str | None, int] = {}
        for each in self.wrong:
            batch, cause = each.last_text("batch_id"), _cause_of(each)
            found[batch] = min(found.get(batch, cause), cause)
        return found

    @cached_property
    def _causes(self) -> list[tuple[int, int]]:
        """Where each went wrong and where it ended, sorted by where it went wrong."""
        return sorted((_cause_of(each), each.end) for each in self.wrong)

    @cached_property
    def _ends(self) -> list[int]:
        """The latest end of those that went wrong so far."""
        return list(accumulate((end for _, end in self._causes), max))

    def include_one_of(self, one: Invocation) -> bool:
        """Whether one of them went wrong before ``one`` was cancelled, in its batch or, if it has none, beside it."""
        until = one.failed.at if one.failed is not None else one.end
        batch = one.last_text("batch_id")
        if batch is not None:
            return batch in self._batches and self._batches[batch] <= until
        gone = bisect_right(self._causes, until, key=lambda cause: cause[0])
        return gone > 0 and self._ends[gone - 1] >= one.begin
