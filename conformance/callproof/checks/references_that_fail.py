"""Checks for what ``spec/references.md`` asks of the result of a resolution that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.members import strings_in
from callproof.checks.references_of_steps import never_built
from callproof.trace.records import Record
from callproof.trace.references import Reference, Scope, Unresolved, references_in, value_of
from callproof.trace.run import Run
from callproof.values.jsontext import write_json

# A message may cut a long reference short: this many characters of it are enough.
_ENOUGH = 32
# Members of a result that may name the reference, in `error` by its message or its details.
_TELLING = ("error", "userMessage", "debugMessage")


def _code(result: Record) -> object:
    return (result.object("error") or {}).get("code")


def _failed_resolutions(run: Run) -> Iterator[Record]:
    if run.witnessed is not None and run.witnessed.canaries:
        yield from (each for each in run.unbuilt if _code(each) == "VALIDATION_ERROR")


@check("REF-24", each=_failed_resolutions, needs=("deeds",))
def a_failed_resolution_names_no_values(run: Run, result: Record) -> Iterator[Finding]:
    """The result of a failed resolution holds none of the data around the reference."""
    text = write_json(result.value)
    if run.witnessed is not None and any(canary in text for canary in run.witnessed.canaries):
        yield Finding(
            f"the result of step {result.step_id} held data that no reference leads to",
            "the failure names the reference and not the data",
            (witness("R", result),),
        )


def _lost(run: Run) -> Iterator[tuple[Record, tuple[Reference, ...]]]:
    """Results of failed resolutions, each with the references that lead to nothing."""
    for result, step, scope, unresolved in never_built(run):
        if unresolved is not None and result.text("status") == "error" and _code(result) == "VALIDATION_ERROR":
            found = tuple(each for each in references_in(step.args, step.bindings) if _leads_nowhere(each, scope))
            if found:  # else the resolved text was too long
                yield result, found


def _leads_nowhere(reference: Reference, scope: Scope) -> bool:
    try:
        value_of(reference, scope)
    except Unresolved:
        return True
    return False


@check("REF-24", each=_lost, needs=("plan",))
def a_failed_resolution_names_its_reference(
    _run: Run, subject: tuple[Record, tuple[Reference, ...]]
) -> Iterator[Finding]:
    """The result of a failed resolution names a reference that leads to nothing."""
    result, lost = subject
    hidden = any(map(result.is_redacted_in, _TELLING))  # it may be named there (A42)
    told = _told(result)
    if not hidden and not any(_names(told, each) for each in lost):
        message = (result.object("error") or {}).get("message")
        yield Finding(
            f"the result of step {result.step_id} had the message {excerpt(message)} and did not name {lost[0].text}",
            "the failure names the reference that leads to nothing, in its message or in its details",
            (witness("R", result),),
            help=f"put {lost[0].text} into the message, or into a member of details",
            misses=ANYTHING,
        )


def _told(result: Record) -> str:
    """Everything that a result says about its failure, besides the code, both as text and as JSON text."""
    error = result.object("error") or {}
    said = {"message": error.get("message"), **{name: result.get(name) for name in _TELLING[1:]}}
    details = error.get("details")
    return "\n".join([text for _, text in strings_in([*said.values(), details])] + [write_json(details)])


def _names(told: str, reference: Reference) -> bool:
    """Whether a text holds a reference in any spelling, or the name at its root and the last segment of its path."""
    text = reference.text[1:-1] if reference.text.startswith("{") else reference.text
    if text.removeprefix("$")[:_ENOUGH] in told:
        return True
    return all(_holds(told, str(each)) for each in (reference.name, *reference.path[-1:]))


def _holds(told: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", told) is not None
