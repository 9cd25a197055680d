"""RES-21 for a tool that returned while its result does not say so: the work was done and the output is lost."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from callproof.checks.changes import changes_in
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import ruling_policy
from callproof.checks.members import owner, told
from callproof.checks.policy_paths import sandbox_of
from callproof.checks.timeouts import limit_of, may_cut_earlier
from callproof.checks.timeouts_deeds import clock_slack_ms, may_have_been_stopped
from callproof.trace.records import Record
from callproof.trace.registry import WRITING_RISKS, Tool
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Answer, AnswerKind, Deed
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_number, is_object
from callproof.values.vaultpaths import Breach, breach

# The characters of JSON and the levels of an output that no system may call too large (RES-21).
_NEVER_TOO_LARGE = 65_536
_NEVER_TOO_DEEP = 64

_HALF_OF_A_CHARACTER = re.compile("[\ud800-\udfff]")


def _returned(run: Run) -> Iterator[tuple[Record, Deed, Answer]]:
    """Invocations that ended in time with output that their schema accepts and that no system may object to."""
    for attempt in run.attempts:
        result = attempt.result
        for deed in attempt.deeds or () if result is not None and not run.cut_short else ():
            tool, answer = run.registry.resolve(deed.tool) if run.registry is not None else None, deed.answer
            if tool is None or answer is None or result is None or answer.kind is not AnswerKind.OUTPUT:
                continue
            if _in_time(run, attempt, deed, answer) and _is_good(answer, tool) and not _overreached(run, answer, tool):
                yield result, deed, answer


def _in_time(run: Run, attempt: Attempt, deed: Deed, answer: Answer) -> bool:
    """Whether the answer certainly came before the call was closed, by a result, an abort or its limit."""
    result, limit = attempt.result, limit_of(run, attempt)
    if result is None or result.arrival is None or answer.arrival > result.arrival:
        return False
    if may_cut_earlier(attempt) or any(abort.arrival < answer.arrival for abort in deed.aborts):
        return False
    return limit is None or answer.at_ms - deed.at_ms < limit - clock_slack_ms(run)


def _is_good(answer: Answer, tool: Tool) -> bool:
    if tool.output_validator is None or not is_object(answer.data) or not tool.output_validator.accepts(answer.data):
        return False
    return _is_common(answer.data) and len(write_json(answer.data)) < _NEVER_TOO_LARGE


def _is_common(value: Json, levels: int = _NEVER_TOO_DEEP) -> bool:
    """Whether every system can hold the value: whole characters, and no number too large for a double (RES-22)."""
    if isinstance(value, str):
        return _HALF_OF_A_CHARACTER.search(value) is None
    inner = (*value, *value.values()) if is_object(value) else value if is_array(value) else ()
    if inner and levels == 0:
        return False
    return all(_is_common(each, levels - 1) for each in inner) and (not is_number(value) or _is_double(value))


def _is_double(number: float) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:
        return False


def _overreached(run: Run, answer: Answer, tool: Tool) -> bool:
    """Whether the tool changed what it must not change, which a system may call a failure (EFF-09, POL-15)."""
    paths = [each.path for each in changes_in(answer.observed)]
    sandbox = sandbox_of(ruling_policy(run))
    if paths and tool.risk_level not in WRITING_RISKS:
        return True
    return sandbox is not None and any(breach(each, sandbox) is Breach.OUTSIDE for each in paths)


def _lost(run: Run) -> Iterator[tuple[Record, Deed, Answer]]:
    """The same invocations, except those with a cancelled result in a run where something may have cancelled it."""
    for result, deed, answer in _returned(run):
        if result.text("status") != "cancelled" or not may_have_been_stopped(run, result):
            yield result, deed, answer


@check("RES-21", each=_lost, needs=("deeds", "registry"))
def what_a_tool_returned_is_not_thrown_away(run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """A call whose tool returned what its schema accepts ends ok, or cancelled if something may have stopped it."""
    result, deed, answer = subject
    or_cancelled = ", or status cancelled" if may_have_been_stopped(run, result) else ""
    if result.text("status") in ("error", "cancelled"):
        yield Finding(
            f"{deed.tool} returned {excerpt(answer.output)}, and {owner(result)} {told(result, 'status')}",
            f"status ok, with what the tool returned as its data{or_cancelled}",
            (witness("D", deed), witness("R", result)),
        )
