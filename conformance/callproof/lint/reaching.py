"""Where the references of a plan lead, as far as the output schemas of its tools say.

The envelope defines the grammar of references.  What a schema leaves open decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.lint.plan import Plan, Step
from callproof.lint.value_forms import Form, forms
from callproof.lint.wording import listed, nearest
from callproof.trace.references import Bindings, Reference, bindings_of, parse, sole_reference
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_LOOPS = 16  # loops over the items of loops; beyond them nothing is known
_SCHEMAS = 64  # schemas of one member in the several forms of a value; beyond them nothing is known
_OPTIONAL = "may be missing there"
_ANY = -1  # a place that stands for any element of the list


@dataclass(frozen=True, slots=True)
class Reached:
    """
    What a reference leads to: a value of a schema, or, if there is no schema, the index of a loop.

    ``others`` are the schemas that it has instead if the value around it has another form.  ``lists`` counts the lists
    around it, which loops make of their outputs; ``sometimes`` names the first member on the way that may be missing,
    and ``because`` completes a sentence that begins with that member.
    """

    schema: Schema | None
    lists: int = 0
    sometimes: str = ""
    because: str = _OPTIONAL
    others: tuple[Schema, ...] = ()

    @property
    def apart(self) -> tuple[Reached, ...]:
        """The same for each of its schemas alone."""
        return (replace(self, others=()), *(replace(self, schema=each, others=()) for each in self.others))

    @property
    def types(self) -> frozenset[str] | None:
        """The types that it can have by its first schema; None if that leaves them open."""
        if self.lists:
            return frozenset({"array"})
        return frozenset({"integer"}) if self.schema is None else declared.types(self.schema)


@dataclass(frozen=True, slots=True)
class Nowhere:
    """
    A reference leads to nothing.

    ``because`` completes a sentence that begins with the reference; the rest says what it may lead to, and what to do.
    """

    because: str
    permitted: str = "a member that the output of the step can have"
    help: str = "refer to such a member, or declare this one in the output of the tool"


# None if the schemas do not say.
Reach: TypeAlias = "Reached | Nowhere | None"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A reference in a step: where, what it feeds, whether that is required, and whether it is the whole string."""

    at: Pointer
    reference: Reference
    feeds: Schema | None
    needed: bool
    alone: bool


def bindings(step: Step) -> Bindings | None:
    """The names that the loop of a step gives to its item and its index."""
    return bindings_of(step.raw) if is_object(step.raw) else None


def source_of(step: Step) -> Json:
    """What the loop of a step runs over; None if it has no loop."""
    loop = step.get("foreach")
    return loop.get("from") if is_object(loop) else None


def occurrences(step: Step) -> Iterator[Occurrence]:
    """Every reference in the source of a step's loop and in its arguments."""
    source = sole_reference(source_of(step))
    if source is not None:
        yield Occurrence(("foreach", "from"), source, None, needed=True, alone=True)
    tool = step.tool
    yield from _inside(step.args, ("args",), None if tool is None else tool.input, bindings(step), needed=True)


def _inside(
    value: Json, at: Pointer, feeds: Schema | None, names: Bindings | None, *, needed: bool
) -> Iterator[Occurrence]:
    if isinstance(value, str):
        parts = parse(value, names)
        for part in parts:
            if isinstance(part, Reference):
                yield Occurrence(at, part, feeds, needed, alone=len(parts) == 1)
    elif is_object(value):
        members, always = declared.members(feeds), declared.required(feeds)
        for name, inner in value.items():
            yield from _inside(inner, (*at, name), members.get(name), names, needed=name in always)
    elif is_array(value):
        element = declared.elements(feeds)
        for place, inner in enumerate(value):
            yield from _inside(inner, (*at, place), element, names, needed=needed)


def reach(step: Step, reference: Reference, loops: int = _LOOPS) -> Reach:
    """Where a reference in a step leads."""
    if reference.root == "index":
        return Reached(None)
    start = _item(step, loops) if reference.root == "item" else _output(step, reference)
    for segment in reference.path:
        if not isinstance(start, Reached):
            return start
        start = _into(start, segment)
    return start


def step_behind(step: Step, reference: Reference) -> Step | None:
    """The step whose output a reference in another step reads; None for a loop's item, and if there is no such step."""
    if reference.root == "vars":
        return _captures(step.plan).get(reference.name)
    return step.plan.by_id.get(reference.name) if reference.root == "steps" else None


def _output(step: Step, reference: Reference) -> Reach:
    source = step_behind(step, reference)
    if source is None and reference.root == "vars":
        return None  # an executor may have variables of its own
    if source is None:
        steps = step.plan.by_id
        near = nearest(reference.name, steps)
        hint = f"; did you mean {near}?" if near else ""
        says, known = f"names a step that the plan does not have{hint}", f"a step of the plan: {listed(steps)}"
        return Nowhere(says, known, "correct the id of the step, or add the step")
    if source.place == step.place:
        return Nowhere("refers to its own step", "another step of the plan", "name the step whose output is meant")
    if source.tool is None or source.tool.output is None:
        return None
    return Reached(source.tool.output, lists=int(is_object(source.get("foreach"))))


@lru_cache(maxsize=4)
def _captures(plan: Plan) -> Mapping[str, Step]:
    """The first step that captures each variable."""
    named: dict[str, Step] = {}
    for each in plan.steps:
        if isinstance(name := each.get("captureAs"), str):
            named.setdefault(name, each)
    return named


def _item(step: Step, loops: int) -> Reach:
    source = sole_reference(source_of(step))
    if source is None or not loops:
        return None
    found = reach(step, source, loops - 1)
    # If a source leads nowhere or is not a list, that is a fault of the loop, not of the references inside it.
    inner = _into(found, _ANY) if isinstance(found, Reached) else None
    return replace(inner, sometimes="") if isinstance(inner, Reached) else None


def _into(here: Reached, segment: str | int) -> Reach:
    if here.lists:
        if isinstance(segment, int):
            return replace(here, lists=here.lists - 1)
        says = f"asks for the member {segment} of the list that a loop gives"
        return Nowhere(says, "an index of the list, such as [0]", "put an index before the member")
    if here.schema is None:
        return Nowhere(f"asks for {segment} of a number", "the number itself", f"take {segment} away")
    ways = ((each, form) for each in here.apart if each.schema is not None for form in forms(each.schema))
    return _of_all([_into_one(each, form, segment) for each, form in ways], segment)


def _of_all(told: list[Reach], segment: str | int) -> Reach:
    """Where a segment leads in a value that has one of several forms, some of which may lack it or leave it open."""
    if None in told:
        return None
    reached = sorted((each for each in told if isinstance(each, Reached)), key=lambda each: each.because != _OPTIONAL)
    if not reached:
        return next(iter(told), None)
    schemas = {each.schema.pointer: each.schema for each in reached if each.schema is not None}
    if len(schemas) > _SCHEMAS:
        return None
    found = replace(reached[0], others=tuple(schemas.values())[1:])
    if len(reached) == len(told) and not any(each.sometimes for each in reached):
        return found
    return replace(found, sometimes=found.sometimes or str(segment))


def _into_one(here: Reached, form: Form, segment: str | int) -> Reach:
    types = declared.types(form[-1])
    wanted, says = ("array", f"[{segment}]") if isinstance(segment, int) else ("object", f"the member {segment}")
    if types is not None and wanted not in types:
        return Nowhere(f"asks for {says} of a value of the type {listed(sorted(types))}")
    if isinstance(segment, str):
        return _member(here, form, segment)
    element = next((found for each in form if (found := declared.element(each, segment)) is not None), None)
    return None if element is None else replace(here, schema=element)


def _member(here: Reached, form: Form, name: str) -> Reach:
    members = {known: each for schema in form for known, each in declared.members(schema).items()}
    sometimes = "" if any(name in declared.required(each) for each in form) else name
    patterns = [declared.by_pattern(schema, name) for schema in form]
    told = [named[name] for schema in form if name in (named := declared.members(schema))]
    told += [each for found in patterns for each in found or ()]
    if told:
        return _at(here, min(reversed(told), key=_breadth), sometimes)
    if None in patterns:
        return None
    others = form[-1].get("additionalProperties")
    if is_object(others) and others:
        return _at(here, form[-1].below(("additionalProperties",), others), sometimes)
    near = nearest(name, members)
    hint = f"; did you mean {near}?" if near else ""
    passing = [declared.lets_pass(each, name) for each in form]
    if False in passing:
        says = f"asks for {name}, which the output does not declare{hint}"
        return Nowhere(says, f"a member that is declared there: {listed(members)}") if members else Nowhere(says)
    if None in passing or not members:
        return None
    # A member that is left open may be missing, like an optional one (REF-03 and REF-04 of the envelope).
    anything = form[-1].below(("additionalProperties",), True)
    return _at(here, anything, sometimes, f"the output does not declare and may lack{hint}")


def _breadth(schema: Schema) -> tuple[bool, int, bool]:
    """How many types a schema accepts: if several apply to one member together, the narrowest says most."""
    types = declared.types(schema)
    return types is None, len(types or ()), "number" in (types or ())


def _at(here: Reached, schema: Schema, sometimes: str, because: str = _OPTIONAL) -> Reached:
    """What a member leads to; it may be missing if something on the way to it may be missing."""
    first = here if here.sometimes else Reached(schema, sometimes=sometimes, because=because)
    return replace(first, schema=schema, lists=0)
