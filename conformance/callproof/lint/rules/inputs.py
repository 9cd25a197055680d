"""IN: what an input schema accepts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from callproof.lint import declared
from callproof.lint.closing import open_inside, open_root
from callproof.lint.common_members import META
from callproof.lint.definition import Definition, Schema
from callproof.lint.plan import Step
from callproof.lint.property_edits import can_be_named, is_named_elsewhere, without_property, without_required
from callproof.lint.rule import Drop, Fault, Fix, Put, definitions, inputs, rule, steps, subschemas
from callproof.lint.schemas.drafts import DRAFT_04, SPEAKS_OF, draft_of
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsonvalue import is_array, is_object

_DRY_RUN = {"type": "boolean", "description": "Say what would be done, and do nothing."}


@rule("IN001", each=inputs)
def the_input_is_an_object(schema: Schema) -> Iterator[Fault]:
    """The root of an input schema has the type object, as that one word."""
    yield from root_type(schema, "input")


def root_type(schema: Schema, what: str) -> Iterator[Fault]:
    """The fault of a root whose type is not the word ``object``."""
    root = schema.resolved
    if not is_object(root.value):
        yield Fault(
            at=root.within,
            observed=f"the {what} schema is {shown(root.value)}",
            permitted='an object with "type": "object"',
            help="write a schema whose properties are the members",
        )
    elif root.type != "object":
        told = f"is {shown(root.type)}" if root.has("type") else "is missing"
        named = is_object(root.get("properties")) and not root.has("type") and declared.takes_objects(root)
        yield Fault(
            at=(*root.within, "type") if root.has("type") else root.within,
            observed=f"the type of the {what} {told}",
            permitted='"type": "object"',
            help=_object_at_the_root(root),
            fix=Fix((Put(root.within, "type", "object"),), safe=True, says='add "type": "object"') if named else None,
        )


def _object_at_the_root(root: Schema) -> str:
    if not root.has("type"):
        return 'add "type": "object"'
    if not declared.takes_objects(root):
        return "put the value into a member of an object"
    return 'write "object" alone' if is_array(root.type) else 'write "object"'


@rule("IN002", each=inputs)
def the_input_is_closed(schema: Schema) -> Iterator[Fault]:
    """The root of an input schema has `additionalProperties` false."""
    yield from open_root(schema, "input")


@rule("IN003", each=subschemas)
def objects_within_the_input_are_closed(schema: Schema) -> Iterator[Fault]:
    """An object inside an input is closed, unless it is a map."""
    if schema.role == "input" and not schema.is_root:
        yield from open_inside(schema, "input")


@rule("IN004", each=inputs)
def the_input_has_a_required_list(schema: Schema) -> Iterator[Fault]:
    """The root of an input schema has `required`."""
    root = schema.resolved
    may_be_empty = draft_of(schema.value) is not DRAFT_04
    if is_object(root.value) and not (root.has("required") or schema.has("required")) and declared.takes_objects(root):
        yield Fault(
            at=root.within,
            observed="the input has no required list",
            permitted='"required", an empty list if no argument is required',
            fix=Fix((Put(root.within, "required", []),), safe=True, says='add "required": []')
            if may_be_empty
            else None,
            help='add "required": []'
            if may_be_empty
            else "draft-04 permits no empty list: name a later draft in $schema",
        )


@rule("IN005", each=inputs)
def every_name_in_required_is_a_property(schema: Schema) -> Iterator[Fault]:
    """Every name in `required` is among the properties, at the root and in its alternatives."""
    known = declared.names(schema.resolved) if declared.takes_objects(schema) else None
    always = {part.within for part in declared.parts(schema)}
    closed = schema.resolved.get("additionalProperties") is False
    for part in declared.everywhere(schema):
        for place, name in enumerate(part.required):
            if known is None or name in known:
                continue
            near = nearest(name, sorted(known))
            dead = "no call is valid" if part.within in always else "no call can use this alternative"
            yield Fault(
                at=(*part.within, "required", place),
                observed=f"{shown(name)} is required but is not a property" + (f", so {dead}" if closed else ""),
                permitted=f"only names of properties{': ' if known else ''}{listed(sorted(known))}",
                help=f"did you mean {near}?" if near else "add it to the properties, or remove it from required",
            )


@rule("IN006", each=inputs)
def common_members_have_the_right_type(schema: Schema) -> Iterator[Fault]:
    """A `dryRun` is a boolean, a `note` and a `requestId` are strings."""
    for name, wanted in META.items():
        told = _of_another_type(schema, name, wanted)
        if told is None:
            continue
        at = told.within
        typed = Fix((Put(at, "type", wanted),), safe=False, says=f"make it a {wanted}")
        yield Fault(
            at=at,
            observed=f"the type of {name} is {', '.join(sorted(declared.named_types(told))) or 'anything'}",
            permitted=f"{name} of type {wanted}, as in every tool",
            help=f"declare it as a {wanted}, or rename it if it is something else",
            fix=typed if _may_be(told, wanted) else None,
        )


def _of_another_type(schema: Schema, name: str, wanted: str) -> Schema | None:
    """The schema of a member that is not exactly of a type: in the root if the root has it, else in an alternative."""
    always = declared.members(schema).get(name)
    told = [always] if always is not None else [part.properties[name] for part in _naming(schema, name)]
    types = {each: declared.named_types(each) for each in told}
    # If a member has several schemas, some may leave the type to the others.
    said = [each for each in told if types[each]] or told
    return next((each for each in said if types[each] != frozenset({wanted})), None)


def _naming(schema: Schema, name: str) -> list[Schema]:
    """The parts of an input, and of its alternatives, that have a property; empty if the root refuses it."""
    known = declared.names(schema.resolved)
    if known is not None and name not in known:
        return []
    return [part for part in declared.everywhere(schema) if name in part.properties]


def _may_be(told: Schema, wanted: str) -> bool:
    """Whether nothing in a schema, apart from its type, contradicts the wanted type."""
    if not is_object(told.value) or {"$ref", "anyOf", "oneOf", "allOf", "enum", "const"} & told.members.keys():
        return False
    examples = told.get("examples")
    # A default of null means an absent argument; SCH008n judges it.
    default = [] if told.get("default") is None else [told.get("default")]
    shown_values = [*(examples if is_array(examples) else ()), *default]
    fits = all(declared.type_of(each) == wanted for each in shown_values)
    return fits and all(wanted in SPEAKS_OF.get(keyword, (wanted,)) for keyword in told.members)


@rule("IN007", each=inputs)
def common_members_are_optional(schema: Schema) -> Iterator[Fault]:
    """The members `dryRun`, `note` and `requestId` are not required."""
    known = declared.names(schema.resolved) or ()
    for name in META:
        for together in _requiring(schema, name):
            told = together[0].get("required")
            edits = chain.from_iterable(without_required(part, name) for part in together)
            yield Fault(
                at=(*together[0].within, "required", [*told].index(name) if is_array(told) else 0),
                observed=f"{name} is required",
                permitted=f"{name} as an optional member",
                help=f"{'' if name in known else f'add {name} to the properties, and '}take it out of required",
                # If the name is no property, every caller gives it, and a closed root would refuse it.
                fix=Fix((*edits,), safe=True, says=f"take {name} out of required") if name in known else None,
            )


def _requiring(schema: Schema, name: str) -> list[list[Schema]]:
    """The parts that require a member, each alone; if there are none, those of alternatives that all require it."""
    always = [[part] for part in declared.parts(schema) if name in part.required]
    found: list[list[Schema]] = []
    for branches in (each for part in declared.parts(schema) for each in declared.branchings(part)):
        told = [[part for part in declared.parts(branch) if name in part.required] for branch in branches]
        if all(told):
            found.append([*{part.within: part for parts in told for part in parts}.values()])
    return always or found


@rule("IN008", each=definitions)
def a_tool_that_changes_something_takes_dry_run(tool: Definition) -> Iterator[Fault]:
    """A tool that changes something takes `dryRun`."""
    if tool.get("riskLevel") not in ("writes", "commands") or tool.input is None:
        return
    root = tool.input.resolved
    if not is_object(root.value) or not declared.takes_objects(root):
        return
    if "dryRun" in (declared.names(root) or ("dryRun",)):
        return
    at = (*tool.input.pointer, *root.within)
    there = is_object(root.get("properties"))
    fix = Fix(
        (Put((*at, "properties"), "dryRun", _DRY_RUN),), safe=False, says="add dryRun, which the tool has to obey"
    )
    yield Fault(
        at=(*at, "properties") if there else at,
        observed=f"riskLevel is {tool.get('riskLevel')}, but the input has no dryRun",
        permitted="an optional dryRun of type boolean",
        help="declare dryRun beside the other members of the input, and let no other keyword refuse it",
        fix=fix if there and can_be_named(root, "dryRun") else None,
    )


@rule("IN009", each=steps)
def a_step_of_a_plan_does_not_set_request_id(step: Step) -> Iterator[Fault]:
    """A step of a plan does not set `requestId`."""
    if "requestId" in step.args:
        at = ("args", "requestId")
        yield Fault(
            at=at,
            observed=f"the step {shown(step.id)} sets requestId",
            permitted="no requestId in a plan: the executor sets it",
            fix=Fix((Drop(at),), safe=True, says="take requestId out of the step"),
        )


@rule("IN010", each=definitions)
def a_read_only_tool_takes_no_dry_run(tool: Definition) -> Iterator[Fault]:
    """A tool that is read-only takes no `dryRun`."""
    if tool.get("riskLevel") != "read-only" or tool.input is None:
        return
    naming = _naming(tool.input, "dryRun")
    if naming:
        first, pointer = naming[0], tool.input.pointer
        edits = chain.from_iterable(without_property(part, "dryRun", pointer) for part in naming)
        yield Fault(
            at=(*pointer, *first.within, "properties", "dryRun"),
            observed="the tool is read-only, but the input has dryRun",
            permitted="no dryRun: a tool that changes nothing has no use for it",
            help="take dryRun out, wherever the schema names it",
            fix=None if is_named_elsewhere(first, "dryRun") else Fix((*edits,), safe=False, says="take dryRun out"),
        )
