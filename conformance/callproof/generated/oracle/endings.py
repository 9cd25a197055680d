"""How one invocation may have ended: by its answer, by its limit, by a cancellation, or by any of them if they tie."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from callproof.checks.timeouts import GRACE_MS, limit_of, may_cut_earlier
from callproof.generated.oracle.sight import Sight
from callproof.trace.plan import Step
from callproof.trace.run import Attempt
from callproof.trace.witnesses import Answer, AnswerKind, Deed
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_object

_FAILED = frozenset({"error", "timeout"})


@dataclass(frozen=True, slots=True)
class Ending:
    """
    One way in which a call may have ended.

    ``code`` is the tool's own, or the system's.  ``by_tool`` tells whether the tool itself reported the failure,
    ``retryable`` what the tool said about another attempt.  ``because`` completes "it ended so, since ...".
    """

    status: str
    because: str
    code: str = ""
    by_tool: bool = False
    retryable: bool | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """One attempt that reached its tool: how it may have ended, and how it ended if that is settled."""

    step: Step
    attempt: Attempt
    deed: Deed
    endings: tuple[Ending, ...]

    @property
    def ended(self) -> Ending | None:
        """The one way in which it ended: the only one, or the permitted one that the system recorded."""
        recorded = next((each for each in self.endings if each.status == self.attempt.status), None)
        return recorded or (self.endings[0] if len(self.endings) == 1 else None)

    @property
    def name(self) -> str:
        """The name of the call in a finding."""
        index = self.attempt.call.iteration_index
        return self.step.id if index is None else f"{self.step.id}[{index}]"

    @property
    def failed(self) -> bool | None:
        """Whether it ended with a failure; None if that is not settled."""
        return None if self.ended is None else self.ended.status in _FAILED


def link(sight: Sight, step: Step, attempt: Attempt, deed: Deed) -> Link:
    """An invocation with all ways in which it may have ended."""
    return Link(step, attempt, deed, tuple(_endings(sight, step, attempt, deed)))


def limit_at(sight: Sight, attempt: Attempt, deed: Deed) -> float:
    """The instant at which an invocation runs out of time; infinity if it has no limit."""
    limit = limit_of(sight.run, attempt)
    return math.inf if limit is None else deed.at_ms + limit


def may_end_earlier(sight: Sight, attempt: Attempt) -> bool:
    """Whether a limit that is not in the plan may end a call: its deadline, or one of the system's (TIME-02)."""
    return may_cut_earlier(attempt) or limit_of(sight.run, attempt) is None


def own_answer(deed: Deed) -> Answer | None:
    """The answer that a tool gave before it was told to stop."""
    answer = deed.answer
    if answer is None or any(abort.arrival < answer.arrival for abort in deed.aborts):
        return None
    return answer


def _is_json(data: Json) -> bool:
    """Whether JSON can hold the value (A28)."""
    try:
        write_json(data).encode()
    except ValueError:
        return False
    return True


def _endings(sight: Sight, step: Step, attempt: Attempt, deed: Deed) -> Iterator[Ending]:
    tool, answer, cancel = sight.tool(step), own_answer(deed), sight.cancel
    if attempt.status == "timeout" and may_end_earlier(sight, attempt) and not _was_heard(sight, attempt, answer):
        yield Ending("timeout", "a limit of its own had passed", "TIMEOUT")
        return
    answered = answer.at_ms if answer is not None else math.inf
    limit = limit_at(sight, attempt, deed)
    cancelled = math.inf
    if cancel is not None and tool is not None and tool.cancellable:
        cancelled = max(cancel.at_ms, deed.at_ms)
    first = min(answered, limit, cancelled)
    if first == math.inf:
        if _withdrawn(sight, deed):
            yield Ending("cancelled", "another failure stopped the run")
        return
    # A system has some grace to notice that a limit has passed (TIME-01), and events at the same instant tie.
    reach = GRACE_MS if limit == first else sight.slack_ms
    if answer is not None and answered <= first + reach:
        yield _by_answer(sight, step, answer)
    if limit <= first + sight.slack_ms:
        yield Ending("timeout", f"its limit of {limit_of(sight.run, attempt)} ms had passed", "TIMEOUT")
    if cancelled <= first + sight.slack_ms:
        yield Ending("cancelled", "the run had been cancelled", "CANCELLED")
    elif _withdrawn(sight, deed):
        yield Ending("cancelled", "another failure stopped the run", "CANCELLED")


def _was_heard(sight: Sight, attempt: Attempt, answer: Answer | None) -> bool:
    """Whether a tool had answered when its call was closed; never certain in real time, where both may cross."""
    closed = attempt.result.arrival if attempt.result is not None else None
    return answer is not None and closed is not None and answer.arrival < closed and not sight.slack_ms


def _withdrawn(sight: Sight, deed: Deed) -> bool:
    """Whether the invocation was cancelled after another one failed for good, which is permitted (CANC-09)."""
    aborts = [abort for abort in deed.aborts if abort.reason == "cancelled"]
    for result in sight.run.results if aborts else ():
        step = sight.run.step(result.step_id)
        stops = step is not None and step.on_error != "skip" and result.text("status") in _FAILED
        if stops and result.call_id != deed.call_id:
            return True
    return False


def _by_answer(sight: Sight, step: Step, answer: Answer) -> Ending:
    if answer.kind is AnswerKind.FAILURE and answer.error is not None:
        code, word = str(answer.error.get("code")), answer.error.get("retryable")
        told = word if isinstance(word, bool) else None
        return Ending("error", f"its tool reported {code}", code, by_tool=True, retryable=told)
    if answer.kind is AnswerKind.BROKE:
        return Ending("error", "its tool broke", "INTERNAL_ERROR")
    tool = sight.tool(step)
    validator = tool.output_validator if tool is not None else None
    data = answer.data
    if is_object(data) and _is_json(data) and (validator is None or validator.accepts(data)):
        return Ending("ok", "its tool returned")
    return Ending("error", "its tool's output breaks the schema", "INTERNAL_ERROR", retryable=False)
