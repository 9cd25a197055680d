"""What had to happen to every step and iteration, derived step by step from what the tools answered.

A logical call is *due*, or it is *refused* for its arguments or by the policy, or it is *skipped*
because something that it needs did not end ok.  If an outcome is not settled, nothing that
depends on it is settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from callproof.generated.oracle.chains import Chain, Place
from callproof.generated.oracle.sight import Sight
from callproof.trace.plan import Step
from callproof.trace.references import Scope, Unresolved, bindings_of, references_in, resolve
from callproof.trace.registry import Tool
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array
from callproof.values.patharguments import path_arguments
from callproof.values.vaultpaths import Sandbox, breach, is_innocent

# If arguments have more characters or brackets than this, a system may have a limit of its own for them.
_HUGE = 10_000
_DEEP = 60


class Way(Enum):
    """What had to happen to a logical call if nothing stopped the run."""

    DUE = "due"
    REFUSED = "refused"
    SKIPPED = "skipped"
    EMPTY = "empty"  # a loop without elements
    UNSETTLED = "unsettled"


@dataclass(frozen=True, slots=True)
class Course:
    """
    One logical call, or a step whose calls cannot be determined: what had to happen to it, and why.

    ``law`` is the requirement that asks for a refusal or a skip; ``codes`` are the codes that a refusal may have.
    """

    step: Step
    index: int | None
    way: Way
    because: str = ""
    law: str = ""
    codes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the call in a finding."""
        return self.step.id if self.index is None else f"{self.step.id}[{self.index}]"


@dataclass(frozen=True, slots=True)
class _Came:
    """The outcome of a step: ok with its output, not ok, or unsettled (None)."""

    ok: bool | None
    value: Json = None


def courses_of(sight: Sight, chains: Mapping[Place, Chain]) -> Iterator[Course]:
    """The courses of every logical call of the plan, each step after those that it needs."""
    came: dict[str, _Came] = {}
    for step in _in_order(sight):
        courses = tuple(_courses(sight, step, came))
        yield from courses
        came[step.id] = _what_came(step, courses, chains)


def _in_order(sight: Sight) -> Iterator[Step]:
    """The steps, each after everything that it needs."""
    left = list(sight.plan.steps)
    known: set[str] = set()
    while left:
        ready = [step for step in left if all(need.step_id in known for need in sight.needs.get(step.id, ()))]
        if not ready:
            return  # a circle; no run begins with such a plan
        yield from ready
        known |= {step.id for step in ready}
        left = [step for step in left if step not in ready]


def _courses(sight: Sight, step: Step, came: Mapping[str, _Came]) -> Iterator[Course]:
    needs = sight.needs.get(step.id, ())
    lost = next((need for need in needs if came[need.step_id].ok is False), None)
    if lost is not None:
        law = "DEP-02" if lost.reference is None else "REF-02"
        why = f"step {lost.step_id}, which it needs, did not end ok"
        yield Course(step, None, Way.SKIPPED, why, law, _codes_beside(sight, step, came))
    elif any(came[need.step_id].ok is None for need in needs):
        yield Course(step, None, Way.UNSETTLED)
    elif step.foreach is None:
        yield _course(sight, step, None, _scope(sight, step, came))
    else:
        yield from _iterations(sight, step, _scope(sight, step, came))


def _codes_beside(sight: Sight, step: Step, came: Mapping[str, _Came]) -> tuple[str, ...]:
    """The codes for refusing a step that is normally skipped: those of checks that come before its need (DEP-02)."""
    if step.foreach is None and not any(True for _ in references_in(step.args)):
        return _course(sight, step, None, _scope(sight, step, came)).codes
    tool = sight.tool(step)
    denied = tool is not None and tool.name in sight.policy.denied_tools
    return ("VALIDATION_ERROR", *(("POLICY_DENIED",) if denied else ()))


def _scope(sight: Sight, step: Step, came: Mapping[str, _Came]) -> Scope:
    steps = {name: each.value for name, each in came.items() if each.ok}
    variables = {each.capture_as: steps[each.id] for each in sight.plan.steps if each.capture_as and each.id in steps}
    return Scope(steps, variables, bindings_of(step.value))


def _iterations(sight: Sight, step: Step, scope: Scope) -> Iterator[Course]:
    source = step.foreach.source if step.foreach is not None else ""
    try:
        items = resolve(source, Scope(scope.steps, scope.variables))
    except Unresolved as unresolved:
        yield Course(step, None, Way.REFUSED, str(unresolved), "REF-04", ("VALIDATION_ERROR",))
        return
    if not is_array(items):
        yield Course(step, None, Way.REFUSED, f"{source} is not an array", "REF-26", ("VALIDATION_ERROR",))
        return
    if not items:
        yield Course(step, None, Way.EMPTY)
    for index, item in enumerate(items):
        yield _course(sight, step, index, Scope(scope.steps, scope.variables, scope.bindings, item, index))


def _course(sight: Sight, step: Step, index: int | None, scope: Scope) -> Course:
    tool = sight.tool(step)
    try:
        args = resolve(step.args, scope)
    except Unresolved as unresolved:
        return Course(step, index, Way.REFUSED, str(unresolved), "REF-04", ("VALIDATION_ERROR",))
    if tool is None or tool.name not in sight.hosted or tool.input_validator is None:
        return Course(step, index, Way.UNSETTLED)
    if _is_huge(write_json(args)):
        return Course(step, index, Way.UNSETTLED)  # a system may refuse arguments that are too big for it (VAL-12)
    invalid = not tool.input_validator.accepts(args)
    denied = tool.name in sight.policy.denied_tools
    if invalid:
        codes = ("VALIDATION_ERROR", *(("POLICY_DENIED",) if denied else ()))
        return Course(step, index, Way.REFUSED, "its arguments break the tool's schema", "VAL-01", codes)
    if denied:
        return Course(step, index, Way.REFUSED, "the policy denies its tool", "POL-01", ("POLICY_DENIED",))
    return _by_its_paths(sight, step, index, tool, args)


def _is_huge(text: str) -> bool:
    return len(text) > _HUGE or text.count("[") + text.count("{") > _DEEP


def _by_its_paths(sight: Sight, step: Step, index: int | None, tool: Tool, args: Json) -> Course:
    paths = [path for _, path in path_arguments(tool.name, args, tool.input_schema)]
    rules = sight.sandbox
    offence = next((why for path in paths if rules is not None and (why := breach(path, rules)) is not None), None)
    if offence is not None:
        return Course(step, index, Way.REFUSED, f"its path {offence.value}", "ERR-04", ("POLICY_DENIED",))
    # With the sandbox off neither roots nor patterns apply (A43), but a path with parent segments may still be refused.
    plain = all(is_innocent(path, rules or Sandbox()) for path in paths)
    return Course(step, index, Way.DUE if plain else Way.UNSETTLED)


def _what_came(step: Step, courses: tuple[Course, ...], chains: Mapping[Place, Chain]) -> _Came:
    if any(course.way is Way.UNSETTLED for course in courses):
        return _settled_by_its_calls(step, chains)
    if all(course.way is Way.EMPTY for course in courses):
        return _Came(ok=True, value=[])
    ends = [_of_call(course, chains) for course in courses]
    if any(each.ok is False for each in ends):
        return _Came(ok=False)
    if any(each.ok is None for each in ends):
        return _Came(ok=None)
    return _Came(ok=True, value=[each.value for each in ends] if step.foreach is not None else ends[0].value)


def _settled_by_its_calls(step: Step, chains: Mapping[Place, Chain]) -> _Came:
    """The outcome of an unsettled step, if its own call shows it."""
    chain = chains.get((step.id, None)) if step.foreach is None else None
    return _Came(ok=None) if chain is None else _of_chain(chain)


def _of_call(course: Course, chains: Mapping[Place, Chain]) -> _Came:
    chain = chains.get((course.step.id, course.index))
    if chain is None or course.way is not Way.DUE:
        return _Came(ok=False)
    return _of_chain(chain)


def _of_chain(chain: Chain) -> _Came:
    ended, answer = chain.last.ended, chain.last.deed.answer
    if ended is None:
        return _Came(ok=None)
    return _Came(ok=True, value=answer.data) if ended.status == "ok" and answer is not None else _Came(ok=False)
