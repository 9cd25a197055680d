"""Checks for the requirements in ``spec/validation.md`` that compare calls with the tools' schemas.

Laws about plans that can never pass are in ``plan_faults``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.changes import listed_effects
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import place_of_end, was_closed_unseen
from callproof.checks.divergence import Reason, divergence, holds_no_reference, sites
from callproof.checks.policy_paths import offends
from callproof.checks.references_of_steps import TOO_BIG, TOO_DEEP
from callproof.schema.validator import SchemaFault
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.once import once_a_run
from callproof.trace.outputs import recorded_outputs
from callproof.trace.plangraph import Need, needs_by_step
from callproof.trace.records import Kind, Record
from callproof.trace.registry import Tool
from callproof.trace.run import Attempt, Run
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import depth, is_array, is_object


def _tool(run: Run, record: Record) -> Tool | None:
    return run.registry.resolve(record.text("tool") or "") if run.registry is not None else None


@once_a_run
def _entered(run: Run) -> tuple[tuple[Attempt, Tool], ...]:
    """Dispatched calls of tools with a usable schema."""
    return tuple(_all_entered(run))


def _all_entered(run: Run) -> Iterator[tuple[Attempt, Tool]]:
    for attempt in run.attempts:
        tool = _tool(run, attempt.call)
        whole = attempt.call.object("args") is not None and not attempt.call.is_redacted_in("args")
        if (attempt.dispatched or attempt.deeds) and tool is not None and tool.input_validator is not None and whole:
            yield attempt, tool


def schema_faults(attempt: Attempt, tool: Tool) -> tuple[SchemaFault, ...]:
    """The faults that the tool's schema finds in a call's args."""
    return tool.input_validator.errors(attempt.call.get("args")) if tool.input_validator is not None else ()


def _invalid(attempt: Attempt, tool: Tool, faults: tuple[SchemaFault, ...], *because: str) -> Iterator[Finding]:
    if faults:
        yield Finding(
            f"call {attempt.call.call_id} of {tool.name} was dispatched with args that break its schema {faults[0]}",
            "args that fail the inputSchema are never dispatched; the call ends with VALIDATION_ERROR",
            (witness("C", attempt.call),),
            because=because,
        )


@once_a_run
def _faults(run: Run) -> Mapping[int, tuple[SchemaFault, ...]]:
    """The faults that the tools' schemas find in the args of dispatched calls, by the identity of the attempt."""
    return {id(attempt): schema_faults(attempt, tool) for attempt, tool in _entered(run)}


@check("VAL-01", each=_entered, needs=("registry",))
def only_valid_args_are_dispatched(run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """Args are valid against the tool's inputSchema before the call is dispatched."""
    yield from _invalid(*subject, _faults(run)[id(subject[0])])


@check("VAL-01", each=_entered, needs=("registry", "deeds"))
def only_valid_args_reach_a_tool(_run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """What reaches a tool is valid against its inputSchema."""
    attempt, tool = subject
    for deed in attempt.deeds or ():
        faults = tool.input_validator.errors(deed.args) if tool.input_validator is not None else ()
        if faults:
            yield Finding(
                f"{tool.name} received args that break its schema {faults[0]}",
                "args that fail the inputSchema never reach the tool",
                (witness("D", deed),),
            )


def _entered_with_references(run: Run) -> Iterator[tuple[Attempt, Tool, Materialised]]:
    laid_out = {id(each.subject): each for each in materialised(run)}
    for attempt, tool in _entered(run):
        found = laid_out.get(id(attempt.call))
        if found is not None and any(site.references for site in found.sites):
            yield attempt, tool, found


@check("VAL-02", each=_entered_with_references, needs=("registry", "plan"))
def the_resolved_args_are_validated(run: Run, subject: tuple[Attempt, Tool, Materialised]) -> Iterator[Finding]:
    """The resolved args of this iteration and attempt are validated, not the template."""
    attempt, tool, found = subject
    arrived = [site.pointer for site in found.sites if site.references]
    faults = tuple(
        fault
        for fault in _faults(run)[id(attempt)]
        if any(fault.pointer == each or fault.pointer.startswith(f"{each}/") for each in arrived)
    )
    yield from _invalid(attempt, tool, faults, "the value arrived through a reference")


@check("VAL-03", each=_entered, needs=("registry",))
def the_whole_schema_counts(run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """Nested keywords, enumerations, bounds, patterns and compositions count like the rest."""
    plain = {"type", "required", "additionalProperties"}
    faults = _faults(run)[id(subject[0])]
    deeper = tuple(each for each in faults if each.keyword not in plain or each.pointer.count("/") > 1)
    yield from _invalid(*subject, deeper)


@check("VAL-04", each=sites(holds_no_reference), needs=("plan",))
def validation_changes_no_args(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Args are dispatched as the plan has them: nothing coerced, trimmed, filled in or dropped."""
    literal = not subject[1].references
    permitted = (
        "the literal that the plan holds" if literal else "what the plan holds, with the values of its references"
    )
    return divergence(run, *subject, Reason.LITERAL_CHANGED, permitted)


@check("VAL-10", each=sites(lambda site: site.pointer != ""), needs=("plan",))
def parameters_are_not_renamed(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A parameter keeps the name that the plan gives it."""
    return divergence(run, *subject, Reason.RENAMED, "the member's name as the plan has it")


def _named(run: Run) -> Iterator[tuple[Record, str]]:
    for call in run.calls:
        step = run.step(call.step_id)
        if step is not None and step.tool and call.text("tool"):
            yield call, step.tool


@check("VAL-06", each=_named, needs=("registry", "plan"))
def names_resolve_exactly_or_by_alias(run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """A tool is found by its exact name or a declared alias, and logged by its canonical name."""
    call, asked = subject
    named = call.text("tool") or ""
    meant = run.registry.resolve(asked) if run.registry is not None else None
    known = run.registry.resolve(named) if run.registry is not None else None
    if meant is None and known is not None:
        observed = f"the plan's {excerpt(asked)} was taken for the tool {excerpt(named)}"
        because = f"{asked} is neither a name nor an alias in the registry"
    elif meant is not None and known is meant and named != meant.name:  # CALL-06 reports another tool
        observed = f"call {call.call_id} logged the tool as {excerpt(named)}"
        because = f"the canonical name of {asked} is {meant.name}"
    else:
        return
    permitted = "names match exactly or through a declared alias, and the canonical name is logged"
    yield Finding(observed, permitted, (witness("C", call),), because=(because,))


def _needs(run: Run, attempt: Attempt) -> tuple[Need, ...]:
    return needs_by_step(run).get(attempt.call.step_id or "", ())


_Refused = tuple[Record, Tool, str]


def _readers_of_outputs(run: Run) -> Iterator[tuple[Attempt, _Refused | None]]:
    """Dispatched calls, with the first refused result (and why) or None for each step whose output they refer to."""
    outputs = _outputs(run)
    for attempt in run.attempts:
        if attempt.dispatched or attempt.deeds:
            # A step that refers to another one many times reads one output.
            for source in dict.fromkeys(need.step_id for need in _needs(run, attempt) if need.reference):
                if source in outputs:
                    yield attempt, outputs[source]


@once_a_run
def _outputs(run: Run) -> Mapping[str, _Refused | None]:
    """For each referenced step whose ok results have schemas: the first refused one; a loop may have thousands."""
    found: dict[str, _Refused | None] = {}
    for source in dict.fromkeys(
        each.step_id for needs in needs_by_step(run).values() for each in needs if each.reference
    ):
        ends = ((end, _tool(run, end)) for end in recorded_outputs(run).of(source).ends if end.text("status") == "ok")
        known = [(end, tool) for end, tool in ends if tool is not None and tool.output_validator is not None]
        if known:
            judged = ((end, tool, _refusal(end, tool)) for end, tool in known)
            found[source] = next(((end, tool, why) for end, tool, why in judged if why is not None), None)
    return found


def _refusal(end: Record, tool: Tool) -> str | None:
    if tool.output_validator is None or end.is_redacted_in("data"):
        return None
    return next((str(fault) for fault in tool.output_validator.errors(end.get("data"))), None)


@check("VAL-07", each=_readers_of_outputs, needs=("registry", "plan"))
def only_valid_output_is_referenced(_run: Run, subject: tuple[Attempt, _Refused | None]) -> Iterator[Finding]:
    """A reference never sees output that its tool's outputSchema refuses."""
    attempt, refused = subject
    if refused is not None:
        end, tool, why = refused
        yield Finding(
            f"call {attempt.call.call_id} was given output of {tool.name} that breaks its schema {why}",
            "output is validated before anything can refer to it",
            (witness("R", end), witness("C", attempt.call)),
        )


def _refused_by_validation(run: Run) -> Iterator[tuple[Attempt, Tool]]:
    for attempt in run.attempts:
        tool = _tool(run, attempt.call)
        refused = run.events is not None and not attempt.dispatched and not attempt.deeds
        if attempt.call.is_redacted_in("args"):
            continue  # the schema may have refused the value that is redacted now (A42)
        if refused and attempt.code == "VALIDATION_ERROR" and tool is not None and tool.input_validator is not None:
            yield attempt, tool


@check("VAL-11", each=_refused_by_validation, needs=("registry", "events"))
def emptiness_is_judged_by_the_schema(_run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """An empty string, 0, null or an empty list is refused only where the schema refuses it."""
    attempt, tool = subject
    args = attempt.call.get("args")
    empty = tuple(_empty_places(args))
    if _is_for_emptiness(attempt) and not schema_faults(attempt, tool):
        yield Finding(
            f"call {attempt.call.call_id} was refused with VALIDATION_ERROR, and its schema accepts its args",
            "the tool's schema decides whether a value may be empty",
            (witness("C", attempt.call),),
            because=tuple(f"{each} is empty" for each in empty),
            misses=(Kind.EVENT,),
            before=place_of_end(attempt),
        )


def _is_for_emptiness(attempt: Attempt) -> bool:
    """Whether a refusal blames an empty value, or blames no place while some value is empty."""
    details, args = attempt.error.get("details"), attempt.call.get("args")
    blamed = details.get("pointer") if is_object(details) else None
    empty = tuple(_empty_places(args))
    return blamed in empty or (blamed is None and bool(empty) and not _is_too_much(args))


def _refused_before_the_suite(run: Run) -> Iterator[tuple[Attempt, Tool]]:
    """
    Refused calls of tools that the suite hosts, so that it knows that the tools were not asked themselves.

    VAL-11 reports calls that were refused for an empty value, and ERR-04 calls that the policy forbids.  Args that
    are too much to be judged may be refused (VAL-12).
    """
    for attempt, tool in _refused_by_validation(run):
        hosted = attempt.deeds is not None and tool.hosted_by_suite and offends(run, attempt) is None
        if hosted and not _is_for_emptiness(attempt) and not _is_too_much(attempt.call.get("args")):
            yield attempt, tool


@check("VAL-03", each=_refused_before_the_suite, needs=("registry",))
def what_the_schema_accepts_is_not_refused(_run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """A call is not refused as invalid where every keyword of the schema accepts its args."""
    attempt, tool = subject
    if not schema_faults(attempt, tool):
        yield Finding(
            f"call {attempt.call.call_id} was refused as invalid, and the schema of {tool.name} accepts its args",
            "a keyword refuses only what the dialect says",
            (witness("C", attempt.call),),
        )


def _is_too_much(args: Json) -> bool:
    """Whether args may have been refused for their size (VAL-12)."""
    return depth(args) > TOO_DEEP or len(write_json(args)) >= TOO_BIG


def _empty_places(value: Json, pointer: str = "") -> Iterator[str]:
    if value is None or (not isinstance(value, bool) and value in ("", 0)):
        yield pointer
    elif is_object(value):
        for name, inner in value.items():
            yield from _empty_places(inner, f"{pointer}/{name}")
    elif is_array(value):
        if not value:
            yield pointer
        for index, inner in enumerate(value):
            yield from _empty_places(inner, f"{pointer}/{index}")


def _asked_for_by_the_planner(run: Run) -> Iterator[tuple[Record, str]]:
    for step in run.plan.steps if run.plan is not None else ():
        if run.run_record is not None:
            yield run.run_record, step.id if "requestId" in step.args else ""


@check("VAL-13", each=_asked_for_by_the_planner, needs=("plan",))
def the_planner_sets_no_request_id(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """Only the executor sets requestId; no plan does."""
    record, step_id = subject
    if step_id:
        yield Finding(
            f"the args of step {step_id} held a requestId",
            "a requestId is added by the executor, one for each call",
            (witness("P", record, "the plan"),),
        )


def _ended_by_a_precheck(run: Run) -> Iterator[Record]:
    codes = ("VALIDATION_ERROR", "PRECONDITION_FAILED")  # a tuple, for a code may be any JSON value
    return (each for each in run.results if (each.object("error") or {}).get("code") in codes)


@check("VAL-14", each=_ended_by_a_precheck)
def a_failed_precheck_changes_nothing(run: Run, result: Record) -> Iterator[Finding]:
    """A call that a check of its arguments or of the situation ended has had no effects."""
    changed, attempt = listed_effects(result), run.attempt_by_call_id.get(result.call_id or "")
    # EFF-19 reports side effects without a change, listed for a call that no tool has seen.
    unseen = changed == ("sideEffectsObserved",) and attempt is not None and was_closed_unseen(attempt)
    if changed and not unseen:
        yield Finding(
            f"the result of {result.call_id} lists {', '.join(changed)} and has the code "
            f"{excerpt((result.object('error') or {}).get('code'))}",
            "such checks are made before the first side effect",
            (witness("R", result),),
        )
