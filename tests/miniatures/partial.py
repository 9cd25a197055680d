"""Executors that can do less than the reference, and claim less: no check fails them for what they do not claim."""

from __future__ import annotations

from typing import Any

from callproof_reference.turns import Slots
from callproof_reference.values import Fault

from miniatures.miniature import lawful
from miniatures.points import (
    ASK,
    CANCEL,
    DONE,
    GIVEN_UP,
    OWN_TOOL,
    PLAN_FAULTS,
    RESOLVE,
    START,
    STEP,
    SUITE_ANSWER,
    Patch,
    Record,
    changed,
)
from miniatures.variations import claim_without, without_events


@lawful("one-call-at-a-time")
def one_call_at_a_time(patch: Patch) -> None:
    """Only one call is open at a time, whatever the plan and the policy permit."""
    claim_without(patch, "concurrency")

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        run.slots = Slots(1)

    patch.around(START, start)


@lawful("no-log")
def no_log(patch: Patch) -> None:
    """Nothing is written to a disk."""
    claim_without(patch, "auditLog")
    _set(patch, audit=None)


@lawful("no-hooks")
def no_hooks(patch: Patch) -> None:
    """No hook is asked."""
    claim_without(patch, "hooks")
    _set(patch, hooks=False)


@lawful("no-effects")
def no_effects(patch: Patch) -> None:
    """The executor neither looks for changes nor records the effects that a tool reports."""
    claim_without(patch, "effects")
    for answered in (OWN_TOOL, SUITE_ANSWER):
        patch.around(answered, lambda original, *given: original(*given)._replace(effects=None))


@lawful("no-retries")
def no_retries(patch: Patch) -> None:
    """Every call has one attempt."""
    claim_without(patch, "retry")
    patch.retry(lambda _due, _of: False)


@lawful("no-time-limits")
def no_time_limits(patch: Patch) -> None:
    """A call has no time limit."""
    claim_without(patch, "timeout")
    patch.around(STEP, lambda original, *given: changed(original(*given), timeout_ms=None))


@lawful("no-cancelling")
def no_cancelling(patch: Patch) -> None:
    """A run cannot be cancelled from outside."""
    claim_without(patch, "cancellation")
    patch.around(CANCEL, lambda _original, _run, *_given: None)


@lawful("no-confirmations")
def no_confirmations(patch: Patch) -> None:
    """The executor asks for no confirmation before a run; policies that require one are for other systems."""
    claim_without(patch, "confirmation")

    async def ask(_original: Any, _run: Any) -> None:
        return None

    patch.around(ASK, ask)


@lawful("no-loops")
def no_loops(patch: Patch) -> None:
    """A plan with a loop is refused."""
    claim_without(patch, "foreach")

    def faults(original: Any, plan: Any, *given: Any) -> Any:
        yield from original(plan, *given)
        for index, step in enumerate(plan.source.get("steps", ())):
            if isinstance(step, dict) and "foreach" in step:
                yield Fault(f"/steps/{index}/foreach", "unsupported", "this executor has no loops")

    patch.around(PLAN_FAULTS, faults)


@lawful("no-references")
def no_references(patch: Patch) -> None:
    """Text that looks like a reference stays text."""
    claim_without(patch, "references", "foreach")
    patch.around(RESOLVE, lambda _original, template, *_given: template)


@lawful("no-last-word-awaited")
def no_last_word_awaited(patch: Patch) -> None:
    """The executor does not wait for a tool that it has aborted (A58)."""

    async def given_up(_original: Any, run: Any, subject: Any, answer: Any, reason: str) -> Any:
        if not answer.kept and subject.step.tool.cancellable:
            run.host.tell("tool/abort", run.about(subject, reason=reason))
        return answer.value.effects if answer.kept else None

    def done(original: Any, conversation: Any, method: str, params: Record) -> Any:
        told = original(conversation, method, params)
        if method == "initialize":
            del told["claims"]["postures"]["abortGraceMs"]
        return told

    patch.around(GIVEN_UP, given_up)
    patch.around(DONE, done)


@lawful("calls-and-results-alone")
def calls_and_results_alone(patch: Patch) -> None:
    """The executor calls tools one after another and records their results; it claims nothing."""
    without_events(patch)
    for less in (one_call_at_a_time, no_log, no_hooks, no_effects, no_retries, no_time_limits, no_cancelling):
        less(patch)
    for less in (no_confirmations, no_loops, no_references, no_last_word_awaited):
        less(patch)
    claim_without(patch, "argsHash", "dataHash", "files")
    patch.record("call", lambda record: record.pop("argsHash", None))
    patch.record("result", lambda record: record.pop("dataHash", None))


def _set(patch: Patch, **members: Any) -> None:
    def start(original: Any, run: Any, plan: Any, setting: Any, *given: Any) -> None:
        original(run, plan, setting._replace(**members), *given)

    patch.around(START, start)
