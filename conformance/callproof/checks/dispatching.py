"""Whether and when a call reached its tool, as far as records and witnesses settle it.

If the records leave a call open, such as one that a crashed run without events left behind, this module says
neither dispatched nor refused: no finding may rest on a guess.
"""

from __future__ import annotations

from callproof.checks.check import Witness, witness
from callproof.trace.once import once_a_run
from callproof.trace.plan import Policy
from callproof.trace.records import Record, Source, order_of_instants
from callproof.trace.registry import HIGHEST_RISK, WRITING_RISKS
from callproof.trace.run import Attempt, Run
from callproof.values.instants import Instant
from callproof.values.jsontext import Json, shortest_text
from callproof.values.jsonvalue import equal, is_object

_REFUSED_FOR_ANOTHER_REASON = frozenset({"VALIDATION_ERROR", "CANCELLED"})


def was_dispatched(attempt: Attempt) -> bool:
    """Whether the call certainly reached its tool: a deed, a step.started event, or without events its result."""
    return bool(attempt.deeds) or attempt.dispatched


def was_held_back(attempt: Attempt) -> bool:
    """Whether the call certainly was not dispatched: it has a result and nothing says that it began."""
    return attempt.result is not None and not was_dispatched(attempt)


def took_place(attempt: Attempt) -> bool:
    """Whether the result shows that a tool was entered: it is ok, it ran out of time, or it lasted some time."""
    took = attempt.result.number("durationMs") if attempt.result is not None else None
    if attempt.status in ("ok", "timeout"):
        return True
    return attempt.status in ("error", "cancelled") and not attempt.was_called_refused and bool(took)


def was_closed_unseen(attempt: Attempt) -> bool:
    """Whether the events reach the end of the call and show that no tool has seen it."""
    return was_held_back(attempt) and bool(attempt.events_of("step.finished", "step.failed"))


def seen_of(attempt: Attempt) -> str:
    """What was seen of a call, as a clause: that it was dispatched, or how it ended, without a guess from its code."""
    if attempt.deeds or (attempt.events is not None and attempt.dispatched):
        return "was dispatched"
    uninvoked = ", and no invocation came for it" if attempt.deeds is not None else ""
    return f"{ending_of(attempt)}{uninvoked}"


def proof_of(attempt: Attempt) -> tuple[Witness, ...]:
    """The witnesses of what was seen of a call: its invocations, else the event of its start, else its result."""
    started = beginning(attempt)
    if attempt.deeds:
        return tuple(witness("D", deed) for deed in attempt.deeds)
    if started is not None:
        return (witness("E", started),)
    return (witness("R", attempt.result),) if attempt.result is not None else ()


def ending_of(attempt: Attempt) -> str:
    """How a call ended, as a clause: ``ended ok``, ``ended error with the code NOT_FOUND``."""
    return f"ended {attempt.status}" + (f" with the code {attempt.code}" if attempt.code is not None else "")


def was_denied(attempt: Attempt) -> bool:
    """Whether the system itself refused the call in the way that the policy requires."""
    return was_held_back(attempt) and attempt.status == "error" and attempt.code == "POLICY_DENIED"


def ran_out_waiting(attempt: Attempt) -> bool:
    """Whether the deadline of a call may have come while it waited, which closes it without dispatch (TIME-12)."""
    if attempt.call.get("deadlineAt") is None:
        return False
    return order_of_instants(end_of(attempt), attempt.call.instant("deadlineAt")) != -1


def was_called_off(run: Run, attempt: Attempt) -> bool:
    """
    Whether a captured log says that a person cancelled this one call (CANC-09), and not the run.

    False in a live run, where the suite knows what was cancelled.
    """
    details = attempt.error.get("details")
    said = is_object(details) and details.get("reason") == "user" and not run.events_of("run.cancelled")
    return run.witnessed is None and attempt.code == "CANCELLED" and said


def has_a_reason_of_its_own(run: Run, attempt: Attempt) -> bool:
    """Whether a waiting call may have been given up for a reason of its own: its deadline, or a person's wish."""
    return ran_out_waiting(attempt) or was_called_off(run, attempt)


def ended_before_the_policy(attempt: Attempt) -> bool:
    """Whether the call was held back for a reason that is judged before the policy or beside it (A2, A76, A86)."""
    if not was_held_back(attempt):
        return False
    return attempt.status == "skipped" or attempt.code in _REFUSED_FOR_ANOTHER_REASON or attempt.hook_failed


def beginning(attempt: Attempt) -> Record | None:
    """The step.started event of a call."""
    return next(iter(attempt.events_of("step.started")), None)


def place_of_end(attempt: Attempt) -> Source | None:
    """Where the closing event of a call stands; its step.started, if it has one, stands before that place."""
    return next((event.source for event in attempt.events_of("step.finished", "step.failed")), None)


def start_of(attempt: Attempt) -> Instant | None:
    """The instant at which the result says that the tool was entered."""
    return attempt.result.began if attempt.result is not None else None


def end_of(attempt: Attempt) -> Instant | None:
    """The instant at which the result says that the call was closed."""
    return attempt.result.moment if attempt.result is not None else None


def risk_of(run: Run, attempt: Attempt) -> str:
    """The risk level of a call: that of its tool if the registry is known, else the one that it claims (POL-19)."""
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
    return tool.risk_level if tool is not None else attempt.call.text("riskLevel") or HIGHEST_RISK


def writes(run: Run, attempt: Attempt) -> bool:
    """Whether the call is of a tool that writes or runs commands (A10)."""
    return risk_of(run, attempt) in WRITING_RISKS


def ruling_policy(run: Run) -> Policy | None:
    """The policy that binds the run: the one that the suite gave, else the one on record."""
    given = run.given.policy if run.given is not None else None
    return Policy(given) if is_object(given) else run.policy


@once_a_run
def under_its_policy(run: Run) -> frozenset[int]:
    """The calls, by identity, that carry the policy of the run record; if it has none, the calls without one."""
    own = run.policy.value if run.policy is not None else None
    text = shortest_text(own)
    return frozenset({id(call) for call in run.calls if _is_the_same(call.value.get("policy"), own, text)})


def _is_the_same(policy: Json, own: Json, text: bytes | None) -> bool:
    """Whether two policies are equal; equal ones nearly always have the same text, which is compared faster."""
    return (text is not None and shortest_text(policy) == text) or equal(policy, own)
