"""The check of CALL-14: what a call's preview shows.  It does not judge the wording; ``messages`` does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from callproof.checks.check import Finding, check, excerpt
from callproof.checks.members import member_finding, owner, strings_in
from callproof.trace.plan import Step
from callproof.trace.records import Record
from callproof.trace.references import Scope, Unresolved, may_refer, references_in, resolve
from callproof.trace.run import Run

# How many calls of one loop a preview is compared with: enough to find a mix-up, few enough for loops of any length.
_LOOKED_AT = 200


def _previewed(run: Run) -> Iterator[tuple[Record, Step]]:
    for call in run.calls:
        step = run.step(call.step_id)
        if step is not None and call.text("preview"):
            yield call, step


@check("CALL-14", each=_previewed, needs=("plan",))
def a_preview_shows_no_reference(_run: Run, subject: tuple[Record, Step]) -> Iterator[Finding]:
    """No reference of the step stands unresolved in a preview."""
    call, step = subject
    shown = call.text("preview") or ""
    standing = [each for each in _texts_of_references(step) if each in shown] if may_refer(shown) else []
    if not standing or shown == _resolved_preview(step, call):
        return
    data = " ".join(text for _, text in strings_in(call.get("args")))
    for text in (text for text in standing if text not in data):  # a text that came from data is data (B-45)
        because = f"{text} is a reference of step {step.id}"
        yield member_finding(call, "preview", "the values of this call instead of references", because)
        return


def _texts_of_references(step: Step) -> list[str]:
    return sorted({each.text for each in (*references_in(step.preview, step.bindings), *step.references)})


def _looped(run: Run) -> Iterator[tuple[Record, Step]]:
    return ((call, step) for call, step in _previewed(run) if any(references_in(step.preview, step.bindings)))


@check("CALL-14", each=_looped, needs=("plan",))
def a_preview_is_of_its_own_iteration(run: Run, subject: tuple[Record, Step]) -> Iterator[Finding]:
    """A preview made from the step's preview holds the values of its own iteration."""
    call, step = subject
    shown, wanted = call.text("preview"), _resolved_preview(step, call)
    if wanted is None or shown == wanted or call.is_redacted_in("iteration"):
        return  # the preview may have been made from the redacted value (A42)
    loop = (each for each, its in _looped(run) if its is step and each.iteration_index != call.iteration_index)
    others = islice(loop, _LOOKED_AT)
    other = next((each for each in others if _resolved_preview(step, each) == shown), None)
    if other is not None:
        because = f"it is the preview of {owner(other)}"
        yield member_finding(call, "preview", f"the preview of this iteration is {excerpt(wanted)}", because)


def _resolved_preview(step: Step, call: Record) -> str | None:
    """The step's preview with this iteration's values; None if it has none, or refers to values that no call holds."""
    iteration = call.object("iteration") or {}
    scope = Scope({}, {}, step.bindings, iteration.get("itemValue"), call.iteration_index or 0)
    try:
        preview = resolve(step.preview, scope)
    except Unresolved:
        return None
    return preview if isinstance(preview, str) else None
