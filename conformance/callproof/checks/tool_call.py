"""Checks for the requirements in ``spec/tool-call.md``: what a call record says about itself, its step and its tool.

CALL-20, CALL-21 and the live half of CALL-17 compare claims with deeds; they are in ``tool_call_deeds``, and
CALL-14 is in ``tool_call_preview``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from callproof.checks.belonging import own_records
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import under_its_policy
from callproof.checks.matters import Matter
from callproof.checks.members import member_finding, owner, places, present, told
from callproof.checks.subjects import calls, records
from callproof.spec.registry import specification
from callproof.trace.once import once_a_run
from callproof.trace.plan import Step
from callproof.trace.records import Kind, Record
from callproof.trace.registry import RISKS
from callproof.trace.run import Run
from callproof.values.instants import Instant
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import differences, equal, is_array, is_object

_OPTIONAL_TEXTS = ("plannerVersion", "loopId", "category", "preview", "argsHash")
_MILLISECOND = 1_000_000

_MATTERS: Mapping[str, Matter] = {each.value: each for each in Matter}
_SHAPES = {Kind.CALL: "tool-call", Kind.RESULT: "tool-result", Kind.EVENT: "execution-event"}


@check("CALL-01", each=calls)
def a_call_has_a_name(_run: Run, call: Record) -> Iterator[Finding]:
    """The callId of a call is a non-empty string."""
    if call.call_id is None:
        yield member_finding(call, "callId", "a callId is a non-empty string")


def _namesakes(run: Run) -> tuple[tuple[Record, ...], ...]:
    groups: dict[str, list[Record]] = {}
    for call in run.calls:
        if call.call_id is not None:
            groups.setdefault(call.call_id, []).append(call)
    return tuple(tuple(group) for group in groups.values())


@check("CALL-02", each=_namesakes)
def no_two_calls_share_a_name(_run: Run, namesakes: tuple[Record, ...]) -> Iterator[Finding]:
    """A callId stands on one call record of a run."""
    if len(namesakes) > 1:
        yield Finding(
            f"{len(namesakes)} call records had the callId {excerpt(namesakes[0].call_id)}",
            "every call record has its own callId",
            tuple(witness(f"C{n}", call) for n, call in enumerate(namesakes, 1)),
            help="each attempt and each iteration is a separate call",
        )


@once_a_run
def _name_of_all_others(run: Run) -> str | None:
    """The id that all records of a run share if the run record has another one, which is then the wrong one."""
    names = {record.text("runId") for record in run.records}
    (name,) = names if len(names) == 1 else (None,)
    return name if name and run.run_record is not None and name != run.run_id else None


@check("CALL-03", each=own_records)
def all_records_carry_the_run_id(run: Run, record: Record) -> Iterator[Finding]:
    """Every record of a run has the run's id."""
    others, named = _name_of_all_others(run), record.text("runId")
    if others is not None and run.run_record is not None:
        is_head = record is run.run_record
        found = member_finding(record, "runId", f"the id of this run is {excerpt(others if is_head else run.run_id)}")
        yield found if is_head else replace(found, witness=(*found.witness, witness("H", run.run_record)))
        return
    if named is None and record.kind is Kind.EVENT:
        return  # EVT-02 reports an event without a readable runId
    if not named or named != run.run_id:
        yield member_finding(record, "runId", f"the id of this run is {excerpt(run.run_id)}")


@check("CALL-05", each=calls, needs=("plan",))
def a_call_belongs_to_a_step(run: Run, call: Record) -> Iterator[Finding]:
    """The stepId of a call is the id of a step of the plan."""
    if run.step(call.step_id) is None:
        known = ", ".join(step.id for step in run.plan.steps) if run.plan else ""
        yield member_finding(call, "stepId", f"the plan has the steps {known or '(none)'}")


def _steps_called(run: Run) -> Iterator[tuple[Record, Step]]:
    for call in run.calls:
        step = run.step(call.step_id)
        if step is not None:
            yield call, step


def _steps_called_by_name(run: Run) -> Iterator[tuple[Record, Step]]:
    """Calls with their steps; without a registry, not those with another name, which may be an alias (B-54)."""
    for call, step in _steps_called(run):
        if run.registry is not None or not call.text("tool") or call.text("tool") == step.tool:
            yield call, step


@check("CALL-06", each=_steps_called_by_name, needs=("plan",))
def a_call_uses_the_tool_of_its_step(run: Run, subject: tuple[Record, Step]) -> Iterator[Finding]:
    """The tool of a call is the one that its step names."""
    call, step = subject
    named = call.text("tool")
    if named and (named == step.tool or _same_tool(run, named, step.tool)):
        return
    yield member_finding(call, "tool", f"step {step.id} uses the tool {excerpt(step.tool)}")


def _same_tool(run: Run, one: str, other: str) -> bool:
    """Whether two names are of one tool of the registry."""
    tool = run.registry.resolve(one) if run.registry is not None else None
    return tool is not None and run.registry is not None and tool is run.registry.resolve(other)


@check("CALL-07", each=calls)
def arguments_are_an_object(_run: Run, call: Record) -> Iterator[Finding]:
    """The args of a call are a JSON object, also when empty."""
    if call.object("args") is None:
        yield member_finding(call, "args", "args is an object; a call without arguments has {}")


@check("CALL-08", each=calls)
def attempts_are_counted_from_one(_run: Run, call: Record) -> Iterator[Finding]:
    """The attempt of a call is an integer of at least 1."""
    attempt = call.integer("attempt")
    if attempt is None or attempt < 1:
        yield member_finding(call, "attempt", "an attempt is an integer of at least 1")


@check("CALL-09", each=calls)
def cancellable_is_told_truly(run: Run, call: Record) -> Iterator[Finding]:
    """Whether a call can be cancelled is a boolean, and never true where the registry says that its tool cannot."""
    claimed = call.flag("cancellable")
    if claimed is None:
        yield member_finding(call, "cancellable", "cancellable is true or false")
        return
    tool = run.registry.resolve(call.text("tool") or "") if run.registry else None
    if claimed and tool and tool.value.get("cancellable") is False:
        yield member_finding(call, "cancellable", "the registry has cancellable false for this tool")


@check("CALL-10", each=calls)
def a_call_says_when_it_was_made(_run: Run, call: Record) -> Iterator[Finding]:
    """The createdAt of a call is an RFC 3339 instant with an offset."""
    if call.instant("createdAt") is None:
        yield member_finding(
            call, "createdAt", "an RFC 3339 date and time with an offset", help="for example 2026-01-05T09:00:20.000Z"
        )


@check("CALL-11", each=calls)
def the_executor_names_its_version(run: Run, call: Record) -> Iterator[Finding]:
    """The executorVersion is a non-empty string and the same on every call."""
    yield from _one_for_all(run, call, "executorVersion")


@check("CALL-12", each=calls)
def the_registry_is_named(run: Run, call: Record) -> Iterator[Finding]:
    """The toolRegistryVersion is a non-empty string and the same on every call."""
    yield from _one_for_all(run, call, "toolRegistryVersion")


def _one_for_all(run: Run, call: Record, name: str) -> Iterator[Finding]:
    first = next((each for each in run.calls if each.text(name)), call)
    if not call.text(name):
        yield member_finding(call, name, f"{name} is a non-empty string")
    elif call.text(name) != first.text(name):
        yield Finding(
            f"{owner(call)} {told(call, name)}",
            f"{name} is the same on every call of a run",
            (witness("C1", first, told(first, name)), witness("C2", call, told(call, name))),
        )


@check("CALL-13", each=calls)
def the_risk_is_the_one_of_the_registry(run: Run, call: Record) -> Iterator[Finding]:
    """The riskLevel of a call is one of three, and the registry's for the tool."""
    claimed = call.text("riskLevel")
    if claimed not in RISKS:
        yield member_finding(call, "riskLevel", f"a riskLevel is one of {', '.join(RISKS)}")
        return
    tool = run.registry.resolve(call.text("tool") or "") if run.registry else None
    declared = tool.value.get("riskLevel") if tool else None
    if declared in RISKS and declared != claimed:
        yield member_finding(call, "riskLevel", f"the registry gives {call.text('tool')} the level {declared}")


def _filed(run: Run) -> tuple[Record, ...]:
    return tuple(call for call in run.calls if call.text("category") is not None)


@check("CALL-15", each=_filed, needs=("registry",))
def the_category_is_the_one_of_the_registry(run: Run, call: Record) -> Iterator[Finding]:
    """A category on a call is the category of its tool."""
    tool = run.registry.resolve(call.text("tool") or "") if run.registry else None
    if tool is not None and tool.category is not None and tool.category != call.text("category"):
        yield member_finding(call, "category", f"the registry gives {tool.name} the category {tool.category}")


@check("CALL-16", each=calls)
def a_call_carries_its_policy(_run: Run, call: Record) -> Iterator[Finding]:
    """The policy of a call holds a boolean confirmationsRequired and the objects sandbox and limits."""
    policy = call.object("policy")
    if policy is None:
        yield member_finding(call, "policy", "a policy is an object")
        return
    wrong = [name for name in ("sandbox", "limits") if not is_object(policy.get(name))]
    if not isinstance(policy.get("confirmationsRequired"), bool):
        wrong.insert(0, "confirmationsRequired")
    if wrong:
        yield Finding(
            f"{owner(call)} had a policy in which {_told_of(policy, wrong)}",
            "a boolean confirmationsRequired, an object sandbox, an object limits",
            (witness("C", call),),
        )


def _told_of(policy: Mapping[str, object], names: list[str]) -> str:
    return " and ".join(f"{name} was {'of another type' if name in policy else 'absent'}" for name in names)


def _beside_the_model(run: Run) -> Iterator[tuple[Record, Record]]:
    """Each other call with a model: a call that has the run's policy, or else the first call."""
    agreed = under_its_policy(run)
    model = next((call for call in run.calls if id(call) in agreed), None)
    model = model or next(iter(run.calls), None)
    return ((model, call) for call in run.calls if model is not None and call is not model)


@check("CALL-17", each=_beside_the_model)
def every_call_has_the_same_policy(run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """The policy is the same on every call."""
    first, call = subject
    if not under_its_policy(run).issuperset(map(id, subject)) and not equal(first.get("policy"), call.get("policy")):
        where = places(differences(first.get("policy"), call.get("policy")))
        yield Finding(
            f"{owner(call)} was made under another policy than {owner(first)}: they differ at {where}",
            "one policy for all calls of a run",
            (witness("C1", first), witness("C2", call)),
            help="a change of policy needs a new run",
        )


def _limited(run: Run) -> tuple[Record, ...]:
    return tuple(call for call in run.calls if present(call, "timeoutMs"))


@check("CALL-18", each=_limited)
def a_time_limit_is_positive(_run: Run, call: Record) -> Iterator[Finding]:
    """A timeoutMs is an integer of at least 1."""
    limit = call.integer("timeoutMs")
    if limit is None or limit < 1:
        yield member_finding(call, "timeoutMs", "a timeoutMs is an integer of at least 1")


def _with_deadline(run: Run) -> tuple[Record, ...]:
    return tuple(call for call in run.calls if present(call, "deadlineAt"))


@check("CALL-19", each=_with_deadline)
def a_deadline_leaves_the_promised_time(_run: Run, call: Record) -> Iterator[Finding]:
    """A deadlineAt is an instant not before createdAt, nor before createdAt plus timeoutMs."""
    deadline, created = call.instant("deadlineAt"), call.instant("createdAt")
    if deadline is None:
        yield member_finding(call, "deadlineAt", "an RFC 3339 date and time with an offset")
    elif created is not None and _earlier(deadline, created, call.integer("timeoutMs") or 0):
        limit = f" plus {call.integer('timeoutMs')} ms" if call.integer("timeoutMs") else ""
        yield member_finding(call, "deadlineAt", f"not before {call.text('createdAt')}{limit}")


def _earlier(deadline: Instant, created: Instant, milliseconds: int) -> bool:
    doubt = max(deadline.resolution, created.resolution) - 1  # the coarser spelling leaves this much open
    return deadline.nanoseconds + doubt < created.nanoseconds + milliseconds * _MILLISECOND


@cache
def _spellings(shape: str) -> tuple[frozenset[str], Mapping[str, str]]:
    """The members of a shape, and a map from their bare letters, which finds a misspelt member among foreign ones."""
    properties = specification().shapes[shape].schema.get("properties")
    names = frozenset(properties) if is_object(properties) else frozenset[str]()
    return names, {name.lower(): name for name in names}


@cache
def _parts(shape: str) -> tuple[str, ...]:
    """The members of a shape that have a shape of their own."""
    return tuple(each for each in ("error", "effects", "iteration") if each in _spellings(shape)[0])


@check("CALL-22", each=records)
def members_are_spelt_as_specified(_run: Run, record: Record) -> Iterator[Finding]:
    """No member is a specified one in another spelling, in the record or in its error, effects or iteration."""
    shape = _SHAPES[record.kind]
    for part in (shape, *_parts(shape)):
        members = record.value if part is shape else record.object(part) or {}
        if not _spellings(part)[0].issuperset(members):
            yield from _misspelt(record, part, members)


def _misspelt(record: Record, shape: str, members: Mapping[str, Json]) -> Iterator[Finding]:
    specified, known = _spellings(shape)
    for name in members:
        right = known.get(name.replace("_", "").replace("-", "").lower()) if name not in specified else None
        if right is not None and right not in members:
            seen = f"{owner(record)} had the member {excerpt(name)} and no {right}"
            matter = _MATTERS.get(right, Matter.OTHER_MEMBER)
            yield Finding(seen, f"this member is spelt {right}", (witness("R", record),), matter=matter)


def _with_optional_texts(run: Run) -> Iterator[tuple[Record, str]]:
    return ((call, name) for call in run.calls for name in _OPTIONAL_TEXTS if present(call, name))


@check("CALL-24", each=_with_optional_texts)
def optional_members_have_their_type(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """plannerVersion, loopId, category, preview and argsHash are strings where they are present."""
    call, name = subject
    if call.text(name) is None:
        yield member_finding(call, name, f"{name} is a string, or absent")


@check("CALL-24", each=lambda run: (each for each in run.calls if present(each, "argsModifiedBy")))
def the_mark_of_a_hook_has_its_shape(_run: Run, call: Record) -> Iterator[Finding]:
    """argsModifiedBy names who changed the args or which members were changed; any other value marks nothing."""
    mark = call.get("argsModifiedBy")
    members = mark.get("members") if is_object(mark) else None
    listed = is_array(members) and all(isinstance(each, str) for each in members)
    if not listed and not (isinstance(mark, str) and mark):
        permitted = "a text that is not empty, an object with an array of members, or absent"
        yield member_finding(call, "argsModifiedBy", permitted)
