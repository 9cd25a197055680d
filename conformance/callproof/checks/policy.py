"""Checks for the requirements in ``spec/policy.md`` about calls and what they leave behind.

``policy_paths`` has the laws of paths, ``policy_limits`` those of what nothing may loosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.changes import changes_by_attempt, is_dry, listed_effects
from callproof.checks.check import ANYTHING, Finding, check, witness
from callproof.checks.code_names import baseline_of
from callproof.checks.dispatching import (
    ended_before_the_policy,
    proof_of,
    ran_out_waiting,
    ruling_policy,
    seen_of,
    took_place,
    was_denied,
    was_dispatched,
    was_held_back,
)
from callproof.checks.failures import ended_early
from callproof.checks.matters import Matter
from callproof.checks.members import owner, told
from callproof.checks.policy_paths import canonical_name, canonical_tool, is_of_a_denied_tool, offends, sandbox_of
from callproof.checks.references_of_steps import needs_failed
from callproof.checks.subjects import deeds
from callproof.checks.world_changes import changed_paths
from callproof.trace.records import Kind, Record
from callproof.trace.registry import HIGHEST_RISK, RISKS
from callproof.trace.run import Attempt, Run, finer_kind
from callproof.trace.witnesses import AnswerKind, Deed
from callproof.values.vaultpaths import Breach, breach


def _calls_of_denied_tools(run: Run) -> Iterator[Attempt]:
    return (attempt for attempt in run.attempts if is_of_a_denied_tool(run, attempt))


@check("POL-01", each=_calls_of_denied_tools, needs=("policy",))
def a_denied_tool_is_not_dispatched(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call of a denied tool ends as POLICY_DENIED and reaches no tool."""
    if was_denied(attempt) or (ended_before_the_policy(attempt) and not _was_passed_over(run, attempt)):
        return
    if attempt.result is None and not was_dispatched(attempt):
        return
    tool = canonical_tool(run, attempt)
    yield Finding(
        f"{owner(attempt.call)} of {tool} {seen_of(attempt)}",
        "no dispatch, and a result with status error and the code POLICY_DENIED",
        (witness("C", attempt.call), *proof_of(attempt)),
        (f"the policy's deniedTools names {tool}",),
        misses=ANYTHING if ended_before_the_policy(attempt) else (),  # another call may be the reason for its skip
    )


def _was_passed_over(run: Run, attempt: Attempt) -> bool:
    """Whether a call was skipped without a stop, a need that failed (DEP-02) or a deadline (TIME-12) as the reason."""
    step = run.step(attempt.call.step_id)
    for_a_need = step is not None and needs_failed(run, step)
    return attempt.status == "skipped" and not (for_a_need or ended_early(run) or ran_out_waiting(attempt))


@check("POL-01", each=deeds, needs=("policy", "deeds"))
def a_denied_tool_is_not_entered(run: Run, deed: Deed) -> Iterator[Finding]:
    """No invocation of a denied tool arrives, recorded or not."""
    policy = ruling_policy(run)
    tool = canonical_name(run, deed.tool)
    if policy is not None and tool in policy.denied_tools and deed.call_id not in run.attempt_by_call_id:
        yield Finding(
            f"{tool} was entered for call {deed.call_id}, which is not on record",
            "no invocation of a tool that the policy denies",
            (witness("D", deed),),
        )


def _calls_without_a_declared_risk(run: Run) -> Iterator[Record]:
    for call in run.calls:
        tool = run.registry.resolve(call.text("tool") or "") if run.registry is not None else None
        if tool is not None and tool.value.get("riskLevel") not in RISKS:
            yield call


@check("POL-19", each=_calls_without_a_declared_risk, needs=("registry",))
def an_undeclared_risk_is_the_highest(_run: Run, call: Record) -> Iterator[Finding]:
    """A tool that declares no risk level counts as one that runs commands."""
    if call.text("riskLevel") != HIGHEST_RISK:
        yield Finding(
            f"{owner(call)} {told(call, 'riskLevel')}",
            f"riskLevel {HIGHEST_RISK}",
            (witness("C", call),),
            (f"the descriptor of {call.text('tool')} declares no risk level",),
        )


def _judged_again(run: Run) -> Iterator[tuple[Attempt, str]]:
    """Later iterations and attempts that break the policy although an earlier one of their step did not."""
    clean: set[str] = set()
    for attempt in run.attempts:
        step, why = attempt.call.step_id or "", offends(run, attempt)
        if why is None:
            clean.add(step)
        elif step in clean:
            yield attempt, why


@check("POL-13", each=_judged_again, needs=("policy", "registry"))
def every_call_is_judged(_run: Run, subject: tuple[Attempt, str]) -> Iterator[Finding]:
    """An iteration or attempt that breaks the policy is refused although an earlier one passed."""
    attempt, why = subject
    if was_dispatched(attempt):
        yield Finding(
            f"{owner(attempt.call)}, a later call of step {attempt.call.step_id}, was dispatched",
            "the policy judges every iteration and every attempt",
            (witness("C", attempt.call),),
            (why, "an earlier call of the step gave no reason to refuse it"),
        )


def _denials(run: Run) -> Iterator[Attempt]:
    return (each for each in run.attempts if each.status == "error" and each.code == "POLICY_DENIED")


@check("POL-14", each=_denials)
def a_denial_leaves_no_trace(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A denied call has no effects."""
    effects = listed_effects(attempt.result)
    if effects and attempt.result is not None:
        yield Finding(
            f"{owner(attempt.call)} was denied and had effects: {', '.join(effects)}",
            "a denied call changes nothing",
            (witness("R", attempt.result),),
        )


@check("POL-14", each=_denials, needs=("deeds",))
def a_denial_calls_no_tool(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """No tool is entered for a call that the system denied; a denial by the tool itself does not count."""
    for deed in attempt.deeds or ():
        answer = deed.answer
        own = (answer.error or {}).get("code") if answer is not None and answer.kind is AnswerKind.FAILURE else None
        if not isinstance(own, str) or baseline_of(own) != "POLICY_DENIED":
            yield Finding(
                f"{deed.tool} was entered for {owner(attempt.call)}, which was denied",
                "a denied call reaches no tool",
                (witness("D", deed), *((witness("R", attempt.result),) if attempt.result is not None else ())),
            )


def _of_denials_alone(run: Run) -> Iterator[Run]:
    """The run, if every call was held back; if there is none, a run that broke off might have had one."""
    is_over = run.finished or (run.witnessed is not None and run.witnessed.refusal is not None)
    # EVT-14 reports a call that went well and has no step.started: nobody denied it.
    if (run.attempts or is_over) and all(was_held_back(each) and not took_place(each) for each in run.attempts):
        yield run


@check("POL-14", each=_of_denials_alone, needs=("world",))
def denials_alone_change_no_folder(run: Run, _subject: Run) -> Iterator[Finding]:
    """A run in which every call was held back leaves the folder as it was."""
    changed = changed_paths(run.world) if run.world is not None else ()
    if changed:
        yield Finding(
            f"the folder changed at {', '.join(changed[:5])} though no call was dispatched",
            "a denied call leaves no trace in the folder",
            tuple(witness("C", attempt.call) for attempt in run.attempts[:3]),
        )


def _effects_outside(run: Run) -> Iterator[tuple[Attempt, tuple[str, ...]]]:
    sandbox = sandbox_of(ruling_policy(run))
    if sandbox is None:
        return
    for attempt, changes in changes_by_attempt(run):
        if not run.finished and not attempt.events_of("step.finished", "step.failed"):
            continue  # the log broke off before the event that would have flagged them
        outside = tuple([each.path for each in changes if breach(each.path, sandbox) is Breach.OUTSIDE])
        if outside:
            yield attempt, outside


@check("POL-15", each=_effects_outside, needs=("policy", "events"))
def effects_outside_are_flagged(_run: Run, subject: tuple[Attempt, tuple[str, ...]]) -> Iterator[Finding]:
    """A call with effects outside the sandbox has an event that is not of level info."""
    attempt, outside = subject
    if all(event.text("level") == "info" for event in attempt.events or ()):
        yield Finding(
            f"{owner(attempt.call)} changed {', '.join(outside)}, and all its events are of level info",
            "an event of level warn or error for effects outside the allowed roots",
            tuple(witness("E", event) for event in (attempt.events or ())[-1:]) or (witness("C", attempt.call),),
            misses=(Kind.EVENT,),
        )


def _dry_runs(run: Run) -> Iterator[Attempt]:
    return filter(is_dry, run.attempts)


@check("POL-11", each=_dry_runs)
def a_dry_run_changes_nothing(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call with dryRun true has no effects."""
    effects = listed_effects(attempt.result)
    if effects and attempt.result is not None:
        yield Finding(
            f"{owner(attempt.call)} was a dry run and had effects: {', '.join(effects)}",
            "a dry run has no side effects",
            (witness("C", attempt.call), witness("R", attempt.result)),
            matter=Matter.EFFECTS,
        )


def _of_dry_runs_alone(run: Run) -> Iterator[tuple[Attempt, ...]]:
    """The dispatched calls, if there are any and all are dry runs."""
    dispatched = tuple(attempt for attempt in run.attempts if was_dispatched(attempt))
    if dispatched and all(map(is_dry, dispatched)):
        yield dispatched


@check("POL-11", each=_of_dry_runs_alone, needs=("world",))
def dry_runs_alone_change_no_folder(run: Run, dispatched: tuple[Attempt, ...]) -> Iterator[Finding]:
    """A run whose dispatched calls are all dry runs leaves the folder as it was."""
    changed = changed_paths(run.world) if run.world is not None else ()
    if changed:
        yield Finding(
            f"the folder changed at {', '.join(changed[:5])} in a run of dry runs alone",
            "a dry run has no side effects",
            tuple(witness("C", attempt.call) for attempt in dispatched[:3]),
            matter=Matter.FOLDER,
        )


def _blocked_by_a_hook(run: Run) -> Iterator[Attempt]:
    return (each for each in run.attempts if finer_kind(each.error) == "hook_blocked")


@check("POL-16", each=_blocked_by_a_hook)
def a_block_is_a_denial(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that a hook blocked is a POLICY_DENIED error and was not dispatched."""
    if not was_denied(attempt):
        yield Finding(
            f"{owner(attempt.call)} was blocked by a hook and {seen_of(attempt)}",
            "no dispatch, and a result with status error and the code POLICY_DENIED",
            (witness("C", attempt.call), *((witness("R", attempt.result),) if attempt.result is not None else ())),
        )


def _modified_by_a_hook(run: Run) -> Iterator[Attempt]:
    return (each for each in run.attempts if each.call.hooked != ())


@check("POL-17", each=_modified_by_a_hook, needs=("policy", "registry"))
def what_a_hook_changed_is_judged(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """Args that a hook changed are valid and permitted, or the call is not dispatched."""
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
    validator = tool.input_validator if tool is not None else None
    why = offends(run, attempt)
    whole = not attempt.call.is_redacted_in("args")  # the schema does not apply to a placeholder for a secret (A42)
    if why is None and whole and validator is not None and not validator.accepts(attempt.call.get("args")):
        why = "its args break the tool's inputSchema"
    if why is not None and was_dispatched(attempt):
        yield Finding(
            f"{owner(attempt.call)} was dispatched with args that a hook had changed",
            "changed args are validated and judged again before dispatch",
            (witness("C", attempt.call),),
            (why,),
        )
