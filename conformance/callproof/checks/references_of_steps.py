"""Checks for the requirements in ``spec/references.md`` that ask when a step with references may run at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.divergence import diverging, is_left_standing, made_of
from callproof.checks.failures import ended_early, is_unsettled
from callproof.checks.forms import is_in_another_form, is_its_text
from callproof.checks.precedence import not_awaited
from callproof.checks.unbuilt import lost_calls
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.once import once_a_run
from callproof.trace.outputs import (
    Fate,
    Output,
    finished_without_a_call,
    recorded_outputs,
    skipped_because_empty,
    skipped_without_its_tool,
)
from callproof.trace.plan import Step
from callproof.trace.plangraph import Need, needs_by_step
from callproof.trace.records import Kind, Record
from callproof.trace.references import Scope, Unresolved, references_in, resolve, value_of
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import depth, is_array

_EMPTY_TEXTS = ("", 0)
# Characters of resolved text, and levels of resolved args, beyond which a refusal may be about the size (VAL-12).
TOO_BIG = 1_000_000
TOO_DEEP = 64
# How many references a finding names.
_TOLD = 5


def dispatched_needs(run: Run, *roots: str | None) -> Iterator[tuple[Attempt, Need, Output]]:
    """Dispatched calls, each with one thing that it waited for and the outcome of that."""
    return (each for each in _all_dispatched_needs(run) if _root_of(each[1]) in roots)


@once_a_run
def _all_dispatched_needs(run: Run) -> tuple[tuple[Attempt, Need, Output], ...]:
    needs, outputs = needs_by_step(run), recorded_outputs(run)
    return tuple(
        (attempt, need, outputs.of(need.step_id))
        for attempt in run.attempts
        if attempt.dispatched or attempt.deeds
        for need in needs.get(attempt.call.step_id or "", ())
    )


def _root_of(need: Need) -> str | None:
    return need.reference.root if need.reference else None


def needed_too_early(run: Run, attempt: Attempt, need: Need, output: Output) -> Iterator[Finding]:
    """The finding that a call began before something that it needs had ended."""
    early = not_awaited(run, attempt, output.ends) if output.fate is Fate.OK else None
    if early is not None:
        through = f" through {need.reference.text}" if need.reference else ""
        yield Finding(
            f"call {attempt.call.call_id} of step {attempt.call.step_id} began before step {need.step_id} had ended",
            f"step {attempt.call.step_id} waits for step {need.step_id}{through}",
            (witness("C", attempt.call), witness("R", early)),
        )


def needed_in_vain(attempt: Attempt, need: Need, output: Output) -> Iterator[Finding]:
    """The finding that a call was dispatched although something that it needs had not ended ok."""
    if output.fate is Fate.FAILED:
        through = f" through {need.reference.text}" if need.reference else ""
        yield Finding(
            f"call {attempt.call.call_id} of step {attempt.call.step_id} was dispatched, "
            f"and step {need.step_id} did not end ok",
            f"step {attempt.call.step_id} needs step {need.step_id}{through}, and is skipped without it",
            (witness("C", attempt.call), *(witness(f"R{n}", end) for n, end in enumerate(output.ends[-2:], 1))),
            misses=(Kind.CALL, Kind.RESULT),
        )


def needs_failed(run: Run, step: Step) -> bool:
    """Whether something that the step waits for did not end ok."""
    needs = needs_by_step(run).get(step.id, ())
    return any(recorded_outputs(run).of(need.step_id).fate is Fate.FAILED for need in needs)


@check("REF-02", each=lambda run: dispatched_needs(run, "steps"), needs=("plan",))
def only_steps_that_ended_ok_are_referenced(_run: Run, subject: tuple[Attempt, Need, Output]) -> Iterator[Finding]:
    """A call whose arguments ask for a step that did not end ok is not dispatched."""
    yield from needed_in_vain(*subject)


@check("REF-22", each=lambda run: dispatched_needs(run, "steps"), needs=("plan",))
def a_reference_waits_for_its_source(run: Run, subject: tuple[Attempt, Need, Output]) -> Iterator[Finding]:
    """The source of a reference ends before the dependent starts."""
    yield from needed_too_early(run, *subject)


@check("REF-06", each=lambda run: dispatched_needs(run, "vars"), needs=("plan",))
def a_variable_is_set_by_an_ok_result_only(run: Run, subject: tuple[Attempt, Need, Output]) -> Iterator[Finding]:
    """A variable is set by the ok result of its step's final attempt and is not visible before."""
    yield from needed_in_vain(*subject)
    yield from needed_too_early(run, *subject)


def _unresolved(run: Run, *, wrong_kind: bool) -> Iterator[tuple[Materialised, Site]]:
    for each in materialised(run):
        attempt = run.attempt_by_call_id.get(each.call.call_id or "")
        if attempt is not None and attempt.dispatched:
            for site in each.sites:
                if site.unresolved is not None and (" is read from a value " in site.unresolved.reason) is wrong_kind:
                    yield each, site


def _dispatched_without(run: Run, found: Materialised, site: Site) -> Iterator[Finding]:
    reason = str(site.unresolved)
    yield Finding(
        f"{found.name} was dispatched, although {reason}",
        "the step fails with VALIDATION_ERROR before its dispatch",
        made_of(run, found, site),
    )


@check("REF-04", each=lambda run: _unresolved(run, wrong_kind=False), needs=("plan",))
def an_absent_field_stops_its_step(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A call that asks for a field which is not there is not dispatched."""
    yield from _dispatched_without(run, *subject)


@check("REF-17", each=lambda run: _unresolved(run, wrong_kind=True), needs=("plan",))
def only_members_and_elements_are_reachable(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A path leads through members of objects and elements of arrays, and through nothing else."""
    yield from _dispatched_without(run, *subject)


def never_built(run: Run) -> Iterator[tuple[Record, Step, Scope, Unresolved | None]]:
    """
    Never-built results whose sources all ended ok, with the scope of their args and what in these leads to nothing.

    Of a loop these are the iterations that a result names; a result that stands for the whole loop is left out.
    """
    for result in run.unbuilt:
        step = run.step(result.step_id)
        scope = _scope_of(run, result, step) if step is not None else None
        if step is None or scope is None:
            continue
        try:
            resolve(step.args, scope)
        except Unresolved as unresolved:
            yield result, step, scope, unresolved
        else:
            yield result, step, scope, None


def _scope_of(run: Run, result: Record, step: Step) -> Scope | None:
    """The scope from which the args of a step, or of an iteration of it, are resolved; None if it is not known."""
    outputs = recorded_outputs(run)
    scope, fate = outputs.args_of(step)
    if fate is not Fate.OK or step.foreach is None:
        return scope if fate is Fate.OK else None
    source, index = outputs.source_of(step), result.iteration_index
    if source.fate is not Fate.OK or not is_array(source.value) or index is None or not 0 <= index < len(source.value):
        return None
    return replace(scope, bindings=step.bindings, item=source.value[index], index=index)


def _code(result: Record) -> object:
    return (result.object("error") or {}).get("code")


def _was_not_reached(run: Run, result: Record, step: Step) -> bool:
    """Whether a step was skipped for another reason, before the system came to resolve its references (DEP-05)."""
    elsewhere = ended_early(run) or is_unsettled(run) or skipped_without_its_tool(result, run)
    return result.text("status") == "skipped" and (
        elsewhere or any(recorded_outputs(run).of(each).fate is not Fate.OK for each in step.depends_on)
    )


def _built_of_nothing(run: Run) -> Iterator[tuple[Record, Unresolved]]:
    for result, step, _, unresolved in never_built(run):
        # DEP-05 checks iterations that were skipped in silence, as it checks steps.
        if unresolved is not None and step.foreach is None and not _was_not_reached(run, result, step):
            yield result, unresolved


@check("REF-04", each=_built_of_nothing, needs=("plan",))
def an_absent_field_is_a_validation_error(_run: Run, subject: tuple[Record, Unresolved]) -> Iterator[Finding]:
    """A step whose reference leads to nothing at run time has an error result with VALIDATION_ERROR."""
    result, unresolved = subject
    skipped, failed = (result.text("status") == each for each in ("skipped", "error"))
    if skipped or (failed and _code(result) != "VALIDATION_ERROR"):
        seen = "was skipped" if skipped else f"failed with {_code(result)!r}"
        yield Finding(
            f"step {result.step_id} {seen}, and {unresolved}",
            "a reference that leads to nothing fails its step with VALIDATION_ERROR",
            (witness("R", result),),
            misses=ANYTHING,
        )


def _asked_of_no_container(run: Run) -> Iterator[tuple[Record, Unresolved]]:
    return (each for each in _built_of_nothing(run) if " is read from a value " in each[1].reason)


@check("REF-17", each=_asked_of_no_container, needs=("plan",))
def what_is_no_member_is_a_validation_error(_run: Run, subject: tuple[Record, Unresolved]) -> Iterator[Finding]:
    """A step that asks a text or a number for a member has an error result with VALIDATION_ERROR."""
    result, unresolved = subject
    if result.text("status") != "error" or _code(result) != "VALIDATION_ERROR":
        yield Finding(
            f"step {result.step_id} ended {result.text('status')} with {_code(result)!r}, and {unresolved}",
            "a path that leads through no member fails its step with VALIDATION_ERROR",
            (witness("R", result),),
            misses=ANYTHING,
        )


def _refused_with_falsy(run: Run) -> Iterator[tuple[Record, str]]:
    """Refused results whose references all lead to values, some of them falsy, and where those lead."""
    for result, values in _refused_in_spite(run):
        if falsy := [(text, value) for text, value in values.items() if _is_falsy(value)]:
            (text, value), *others = falsy
            yield result, _some([f"{text} leads to {excerpt(value)}", *(f"{t} to {excerpt(v)}" for t, v in others)])


def _refused_with_values(run: Run) -> Iterator[tuple[Record, str]]:
    """Refused results whose references all lead to values, none of them falsy, and a clause that says so."""
    for result, values in _refused_in_spite(run):
        if not any(map(_is_falsy, values.values())):
            yield result, f"{_some(list(values))} {'leads to a value' if len(values) == 1 else 'lead to values'}"


def _some(clauses: list[str]) -> str:
    """The first few clauses: only the system knows which of its references it took to lead to nothing."""
    left = len(clauses) - _TOLD
    return ", ".join(clauses[:_TOLD]) + (f" and {left} more" if left > 0 else "")


def _refused_in_spite(run: Run) -> Iterator[tuple[Record, Mapping[str, Json]]]:
    """Refused results whose references all lead to values, and those values by the references' texts."""
    if lost_calls(run):
        return
    for result, step, scope, unresolved in never_built(run):
        # A skipped step lacked something else, whatever the code of its error: DEP-05 asks what that was.
        if unresolved is None and result.text("status") == "error" and _code(result) == "VALIDATION_ERROR":
            found = [(each.text, value_of(each, scope)) for each in references_in(step.args, step.bindings)]
            # Values that are too big or too deep for one record may be refused for that (VAL-12).
            modest = sum(len(write_json(value)) for _, value in found) < TOO_BIG
            if found and modest and depth(resolve(step.args, scope)) <= TOO_DEEP:
                yield result, dict(found)


def _is_falsy(value: Json) -> bool:
    return value is None or value is False or value in _EMPTY_TEXTS or (is_array(value) and not value)


@check("REF-18", each=_refused_with_falsy, needs=("plan",))
def a_falsy_value_is_not_a_missing_one(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """A step is not refused for a reference that leads to false, 0, the empty string, null or an empty array."""
    result, told = subject
    yield Finding(
        f"step {result.step_id} was never built, although {told}",
        "false, 0, the empty string, null and the empty array are values",
        (witness("R", result),),
        misses=(Kind.CALL,),
    )


@check("REF-21", each=_refused_with_values, needs=("plan",))
def what_a_path_leads_to_is_found(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """A step is not refused for references that all lead to a value."""
    result, told = subject
    yield Finding(
        f"step {result.step_id} was never built, although {told}",
        "what dots, quoted members and indices lead to is reachable",
        (witness("R", result),),
        misses=(Kind.CALL,),
    )


def _loops_over(run: Run) -> Iterator[tuple[Step, Output]]:
    for step in run.plan.steps if run.plan is not None else ():
        if step.foreach is not None:
            source = recorded_outputs(run).source_of(step)
            if source.fate is Fate.OK and not is_array(source.value):
                yield step, source


@check("REF-26", each=_loops_over, needs=("plan",))
def a_loop_runs_over_an_array_only(run: Run, subject: tuple[Step, Output]) -> Iterator[Finding]:
    """A foreach whose source is no array fails before any of its calls is dispatched."""
    step, _ = subject
    dispatched = next((each for each in run.attempts_of(step.id) if each.dispatched), None)
    if dispatched is not None:
        yield Finding(
            f"call {dispatched.call.call_id} of step {step.id} was dispatched, "
            f"and {step.foreach.source if step.foreach else ''} is not an array",
            "the step fails with VALIDATION_ERROR before its dispatch",
            (witness("C", dispatched.call),),
        )


def _told_as_complete(run: Run) -> Iterator[tuple[Step, Record]]:
    """Loops whose source is no array, each with a record that reports it as a loop over nothing (A81)."""
    if ended_early(run):
        return
    for step, _ in _loops_over(run):
        of_step = run.unbuilt_of(step.id)
        said = [each for each in of_step if each.text("status") == "skipped" and skipped_because_empty(each, run)]
        closed = finished_without_a_call(run).get(step.id)
        if not of_step and closed is not None:
            said = [closed]
        if said and not needs_failed(run, step):
            yield step, said[0]


@check("REF-26", each=_told_as_complete, needs=("plan",))
def what_is_no_array_is_no_empty_one(_run: Run, subject: tuple[Step, Record]) -> Iterator[Finding]:
    """A foreach whose source is no array is not recorded as one without elements."""
    step, record = subject
    source = step.foreach.source if step.foreach is not None else ""
    yield Finding(
        f"step {step.id} was recorded as a loop over nothing, but {source} is not an array",
        "the step fails with VALIDATION_ERROR",
        (witness("R", record),),
        misses=ANYTHING,
    )


def _deed_sites(run: Run, *, retried: bool) -> Iterator[tuple[Materialised, Site]]:
    """Sites in what reached a tool: those that refer to steps with several attempts, or those with any path."""
    twice = {each.step_id for each in run.logical_calls if len(each.attempts) > 1}
    for each in materialised(run):
        if isinstance(each.subject, Deed):
            for site in each.sites:
                of_retried = any(its.root == "steps" and its.name in twice for its in site.references)
                if site.wanted and (of_retried if retried else any(its.path for its in site.references)):
                    yield each, site


def _not_as_wanted(run: Run, found: Materialised, site: Site, permitted: str) -> Iterator[Finding]:
    # REF-11 reports the form of what was put into a text, and a sole value that became one.  REF-10 reports a reference
    # that was not resolved at all.
    if site.differs and not is_in_another_form(site) and not is_its_text(site) and not is_left_standing(run, site):
        yield diverging(run, found, site, permitted)


@check("REF-19", each=lambda run: _deed_sites(run, retried=True), needs=("plan", "deeds"))
def a_retried_step_is_known_by_its_final_attempt(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """References to a retried step give the output of its final attempt."""
    yield from _not_as_wanted(run, *subject, "the output of the final attempt")


@check("REF-21", each=lambda run: _deed_sites(run, retried=False), needs=("plan", "deeds"))
def paths_lead_where_they_say(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Members, quoted members and indices of a path are followed in order."""
    yield from _not_as_wanted(run, *subject, "the value at the end of the path")
