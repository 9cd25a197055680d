"""Laws that only the scenario itself can decide: what its hook answered, what it planted, what a death proves.

The facts stand in ``Witnessed.expectations``; a captured log has none, so these laws decide nothing about one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from callproof.checks.check import STARTED, Finding, Witness, check, excerpt, witness
from callproof.checks.dispatching import ending_of, was_denied
from callproof.checks.matters import Matter
from callproof.checks.members import told
from callproof.trace.records import Record, Source
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.trace.witnesses import Deed, Refusal
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import equal, is_array, is_object


def fact(run: Run, name: str) -> Json:
    """What the scenario knows under this name; None in a captured log."""
    facts = run.witnessed.expectations if run.witnessed is not None else None
    return facts.get(name) if facts else None


def _hook(run: Run, action: str) -> Mapping[str, Json] | None:
    """The scenario's hook, if it answers with this action."""
    hook = fact(run, "hook")
    return hook if is_object(hook) and hook.get("action") == action else None


def _blocked(run: Run) -> Iterator[Attempt]:
    hook = _hook(run, "block")
    if hook is not None:
        yield from (attempt for attempt in run.attempts if attempt.call.text("tool") == hook.get("tool"))


@check("POL-16", each=_blocked, needs=("deeds",))
def what_the_hook_blocked_is_denied(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that the scenario's hook blocks does not reach its tool and ends POLICY_DENIED."""
    if not was_denied(attempt):
        ended = "reached its tool" if attempt.deeds else ending_of(attempt)
        yield Finding(
            f"call {attempt.call.call_id} was blocked by the hook and {ended}",
            "no dispatch, and a result with status error and the code POLICY_DENIED",
            (witness("C", attempt.call), *(witness("D", deed) for deed in attempt.deeds or ())),
        )


def _blocked_later(run: Run) -> Iterator[tuple[LogicalCall, Attempt]]:
    """Attempts that the scenario's hook blocks, if it is asked, after it let the first one pass."""
    hook = _hook(run, "block-later")
    for logical in run.logical_calls if hook is not None else ():
        for attempt in logical.attempts[1:]:
            if hook is not None and attempt.call.text("tool") == hook.get("tool"):
                yield logical, attempt


@check("RETRY-16", each=_blocked_later, needs=("deeds",))
def the_hook_is_asked_about_each_attempt(_run: Run, subject: tuple[LogicalCall, Attempt]) -> Iterator[Finding]:
    """A later attempt does not reach its tool because of what the hook said about the first one."""
    logical, attempt = subject
    if attempt.deeds:
        yield Finding(
            f"attempt {attempt.number} of {logical.name} reached {attempt.deeds[0].tool}, and its hook blocks it",
            "the hook, a part of the policy, is asked about every attempt",
            (witness("C", attempt.call), *(witness("D", deed) for deed in attempt.deeds)),
        )


def _rewritten(run: Run) -> Iterator[tuple[Json, Deed]]:
    hook = _hook(run, "modify")
    if hook is not None:
        yield from ((hook.get("args"), deed) for deed in run.deeds or () if deed.tool == hook.get("tool"))


def _changed_once(run: Run) -> Iterator[tuple[Json, Attempt, bool]]:
    """The attempts of a call of which the hook changed only the first, with whether each of them is that one."""
    hook = _hook(run, "modify-first")
    for logical in run.logical_calls if hook is not None else ():
        for attempt in logical.attempts:
            if hook is not None and attempt.call.text("tool") == hook.get("tool") and attempt.deeds:
                yield hook.get("args"), attempt, attempt is logical.attempts[0]


@check("POL-17", each=_changed_once, needs=("deeds",))
def what_the_hook_changed_once_is_sent_once(_run: Run, subject: tuple[Json, Attempt, bool]) -> Iterator[Finding]:
    """The arguments that the hook gave for the first attempt are sent with that one, and with no later one."""
    args, attempt, is_first = subject
    for deed in attempt.deeds or ():
        if equal(deed.args, args) is not is_first:
            word = (
                "changed the arguments to"
                if is_first
                else "let the call go on, and had changed the arguments only for the first attempt, to"
            )
            yield Finding(
                f"{deed.tool} was entered with {excerpt(deed.args)} for attempt {attempt.number}",
                f"the hook {word} {excerpt(args)}",
                (witness("C", attempt.call), witness("D", deed)),
            )


@check("POL-17", each=_rewritten, needs=("deeds",))
def what_the_hook_changed_is_sent_and_logged(run: Run, subject: tuple[Json, Deed]) -> Iterator[Finding]:
    """The arguments that the hook gave are what the tool receives and what the call record holds."""
    args, deed = subject
    attempt = run.attempt_by_call_id.get(deed.call_id)
    logged = attempt.call.get("args") if attempt is not None else None
    if not equal(deed.args, args):
        yield Finding(
            f"{deed.tool} was entered with {excerpt(deed.args)}",
            f"the hook changed the arguments to {excerpt(args)}",
            (witness("D", deed),),
        )
    elif attempt is not None and not equal(logged, args):
        yield Finding(
            f"call {deed.call_id} was recorded with {excerpt(logged)}",
            f"the arguments that the hook gave and the tool received: {excerpt(args)}",
            (witness("C", attempt.call), witness("D", deed)),
        )


def _recorded_as_changed(run: Run) -> Iterator[Record]:
    """Call records with the arguments that the scenario's hook gave for this attempt."""
    for _, args, attempt in _changed_attempts(run):
        if equal(attempt.call.get("args"), args):
            yield attempt.call


def _changed_attempts(run: Run) -> Iterator[tuple[str, Json, Attempt]]:
    """The attempts that the scenario's hook changes if it is asked, with its action and the arguments that it gives."""
    for action, chosen in (("modify", slice(None)), ("modify-first", slice(1)), ("modify-later", slice(1, None))):
        hook = _hook(run, action)
        for logical in run.logical_calls if hook is not None else ():
            for each in logical.attempts[chosen]:
                if hook is not None and each.call.text("tool") == hook.get("tool"):
                    yield action, hook.get("args"), each


@check("POL-17", each=_recorded_as_changed, needs=("deeds",))
def what_the_hook_changed_is_marked(_run: Run, call: Record) -> Iterator[Finding]:
    """A call that is recorded with the arguments that the hook gave says that a hook changed them (A49)."""
    if call.hooked == ():
        yield Finding(
            f"call {call.call_id} held the arguments that the hook gave and {told(call, 'argsModifiedBy')}",
            "argsModifiedBy, with who changed the arguments or which of their members were changed",
            (witness("C", call),),
            matter=Matter.ARGS_MODIFIED_BY,
        )


def _rewritten_and_kept_back(run: Run) -> Iterator[tuple[Json, Attempt]]:
    """Attempts whose arguments the scenario's hook changed, and that did not reach their tool."""
    for action, args, attempt in _changed_attempts(run):
        if action != "modify-first" and not attempt.deeds:
            yield args, attempt


@check("POL-17", each=_rewritten_and_kept_back, needs=("deeds",))
def what_the_hook_changed_is_logged_where_it_is_refused(_run: Run, subject: tuple[Json, Attempt]) -> Iterator[Finding]:
    """A call that did not reach its tool has the arguments that the hook gave on record, too."""
    args, attempt = subject
    logged = attempt.call.get("args")
    if not attempt.call.is_redacted_in("args") and not equal(logged, args):
        yield Finding(
            f"call {attempt.call.call_id} was recorded with {excerpt(logged)}, and {ending_of(attempt)}",
            f"the arguments that the hook gave: {excerpt(args)}",
            (witness("C", attempt.call), *((witness("R", attempt.result),) if attempt.result is not None else ())),
        )


def _with_expected_code(code: str) -> Callable[[Run], Iterator[LogicalCall]]:
    """Calls of the steps that must fail with a code, because of how the scenario made the folder."""

    def doomed(run: Run) -> Iterator[LogicalCall]:
        codes = fact(run, "codes")
        if is_object(codes):
            yield from (each for each in run.logical_calls if codes.get(each.step_id) == code)

    return doomed


def _other_code(logical: LogicalCall, code: str) -> Iterator[Finding]:
    last = logical.last
    if last.code != code:
        yield Finding(
            f"{logical.name} ended {last.status}" + (f" with the code {last.code}" if last.code else ""),
            f"an error with the code {code}, as the folder stood",
            (witness("C", last.call), *((witness("R", last.result),) if last.result is not None else ())),
        )


@check("ERR-01", each=_with_expected_code("NOT_FOUND"), needs=("deeds",))
def what_is_not_there_is_not_found(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """A tool of the system's own that does not find a file ends NOT_FOUND."""
    yield from _other_code(logical, "NOT_FOUND")


@check("ERR-02", each=_with_expected_code("CONFLICT"), needs=("deeds",))
def what_is_in_the_way_is_a_conflict(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """A tool of the system's own that meets another file or etag than it was told to expect ends CONFLICT."""
    yield from _other_code(logical, "CONFLICT")


def _failed_beside_private_data(run: Run) -> Iterator[tuple[str, Record]]:
    private = fact(run, "private")
    for text in private if is_array(private) else ():
        for result in run.unbuilt:
            if isinstance(text, str) and (result.object("error") or {}).get("code") == "VALIDATION_ERROR":
                yield text, result


@check("REF-24", each=_failed_beside_private_data, needs=("deeds",))
def a_failed_resolution_quotes_no_data(_run: Run, subject: tuple[str, Record]) -> Iterator[Finding]:
    """The result of a failed resolution does not quote the data that the reference was followed through."""
    text, result = subject
    if text in write_json(result.value):
        yield Finding(
            f"the result of step {result.step_id} quoted {excerpt(text)}, which no reference led to",
            "the failure names the reference and not the data",
            (witness("R", result),),
        )


def _must_not_be_asked(run: Run) -> Iterator[Run]:
    policy = run.given.policy if run.given is not None else None
    if fact(run, "refused") is True and is_object(policy) and policy.get("confirmationsRequired") is True:
        yield run


@check("VAL-15", each=_must_not_be_asked, needs=("deeds", "events"))
def nobody_is_asked_about_a_refused_plan(run: Run, _subject: Run) -> Iterator[Finding]:
    """A plan that cannot run is refused before anybody is asked to confirm it."""
    for asked in run.events_of("run.confirmationRequested")[:1]:
        yield Finding(
            "the user was asked to confirm a plan that cannot pass validation",
            "validation comes before the question",
            (witness("E", asked),),
        )


def _lawful_with_aliases(run: Run) -> Iterator[tuple[Refusal | None, str]]:
    if run.given is None or run.registry is None or run.witnessed is None or fact(run, "refused") is not False:
        return
    steps = run.given.plan.get("steps") if is_object(run.given.plan) else None
    for step in steps if is_array(steps) else ():
        name = step.get("tool") if is_object(step) else None
        if isinstance(name, str) and name not in run.registry.by_name and run.registry.resolve(name) is not None:
            yield run.witnessed.refusal, name


@check("VAL-06", each=_lawful_with_aliases, needs=("deeds",))
def an_alias_is_a_name(_run: Run, subject: tuple[Refusal | None, str]) -> Iterator[Finding]:
    """A lawful plan that calls a tool by a declared alias is not refused."""
    refusal, name = subject
    if refusal is not None:
        yield Finding(
            f"the run was refused: {refusal.message}",
            f"{name} is a declared alias of a tool of the registry",
            (Witness("R", "the refusal of the run", Source("wire", refusal.arrival)),),
        )


def deaths(requirement: str) -> Callable[[Run], Iterator[Run]]:
    """Runs in which the system died twice in the way that this requirement forbids."""

    def killed(run: Run) -> Iterator[Run]:
        proved = fact(run, "died")
        if is_array(proved) and requirement in proved:
            yield run

    return killed


_OUTLIVES = "a system keeps running, whatever its tools do"


def died(run: Run) -> Iterator[Finding]:
    """The finding that the system died twice of one case (A78)."""
    last = (run.deeds or ())[-1:]
    yield Finding(
        "the system died in this case, and again after a restart",
        "a system keeps running even if it cannot write its log" if fact(run, "fileBytes") is not None else _OUTLIVES,
        (*(witness("D", deed) for deed in last), STARTED),
        ("a death that repeats is evidence, not an accident of the adapter (A78)",),
        matter=Matter.DEATH,
    )


@check("ERR-06", each=deaths("ERR-06"), needs=("deeds",))
def a_tool_that_breaks_kills_nobody(_run: Run, subject: Run) -> Iterator[Finding]:
    """A system does not die of what a tool throws."""
    yield from died(subject)


@check("RES-22", each=deaths("RES-22"), needs=("deeds",))
def output_that_json_cannot_hold_kills_nobody(_run: Run, subject: Run) -> Iterator[Finding]:
    """A system does not die of a tool's output."""
    yield from died(subject)


@check("DEP-12", each=deaths("DEP-12"), needs=("deeds",))
def a_run_ends_and_not_the_system(_run: Run, subject: Run) -> Iterator[Finding]:
    """A system does not die instead of ending its run."""
    yield from died(subject)
