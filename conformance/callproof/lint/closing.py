"""Open and closed objects: which schemas accept members that they do not name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from callproof.lint import declared
from callproof.lint.composed import is_composed, is_condition, is_part_of_another, users_as_part, users_of
from callproof.lint.declared import takes_objects
from callproof.lint.definition import Schema
from callproof.lint.found import strings
from callproof.lint.references import target
from callproof.lint.rule import Fault, Fix, Put
from callproof.lint.schema_facts import facts
from callproof.lint.wording import shown
from callproof.values.jsonvalue import is_array, is_number, is_object

# Beside one of these keywords, a member that the object does not name may be named elsewhere.
_ELSEWHERE = ("$ref", "allOf", "anyOf", "dependencies", "dependentSchemas", "if", "oneOf", "patternProperties")
_NAME_FIRST = 'name every member in the properties of the root, then add "additionalProperties": false'


def open_root(schema: Schema, what: str) -> Iterator[Fault]:
    """The fault of a root that takes objects and does not have ``additionalProperties`` false."""
    root = schema.resolved
    if not is_object(root.value) or root.get("additionalProperties") is False or not takes_objects(root):
        return
    alone = not _is_referred_to(schema, root)
    help_text = _unclosable(root, what)
    yield Fault(
        at=_at(root),
        observed=f"the {what} is open: additionalProperties {_told(root)}",
        permitted='"additionalProperties": false',
        help=help_text or 'add "additionalProperties": false',
        fix=None if help_text else Fix((Put(root.within, "additionalProperties", False),), alone, f"close the {what}"),
    )


def open_inside(schema: Schema, what: str) -> Iterator[Fault]:
    """The fault of an object below the root that names members and accepts others."""
    if schema.pointer == schema.root.resolved.pointer or not takes_objects(schema) or is_condition(schema):
        return
    if is_composed(schema):
        yield from _open_composed(schema, what)
        return
    if not schema.properties or not _is_open(schema) or any(schema.has(keyword) for keyword in _ELSEWHERE):
        return
    as_part, users = users_as_part(schema), users_of(schema)
    if is_part_of_another(schema) or (as_part and len(as_part) == len(users)):
        return
    closed = Fix((Put((), "additionalProperties", False),), safe=False, says="close the object")
    yield Fault(
        at=("additionalProperties",) if schema.has("additionalProperties") else (),
        observed=f"an object inside the {what} is open: additionalProperties {_told(schema)}",
        permitted='"additionalProperties": false, or no properties if the caller chooses the names',
        help='add "additionalProperties": false',
        # An object that is also one part of another object would refuse the members beside it, if it were closed.
        fix=closed if _names_what_it_wants(schema) and not as_part else None,
    )


def _open_composed(schema: Schema, what: str) -> Iterator[Fault]:
    """The fault of an object of several parts, if none of them closes it."""
    if _takes_any_name(schema) or declared.lets_pass(schema) is not True:
        return
    as_part, users = users_as_part(schema), users_of(schema)
    if is_part_of_another(schema) or (as_part and len(as_part) == len(users)):
        return
    named, wanted = declared.members(schema).keys(), {name for part in declared.parts(schema) for name in _wanted(part)}
    known = "unevaluatedProperties" in facts(schema).assumed.keywords
    closed = Fix((Put((), "unevaluatedProperties", False),), safe=False, says="close the object over its parts")
    yield Fault(
        at=(),
        observed=f"an object inside the {what} is open: none of its parts refuses members that the others do not name",
        permitted='"unevaluatedProperties": false beside the parts',
        help='add "unevaluatedProperties": false' if known else "name every member in one object, and close it",
        fix=closed if known and not as_part and wanted <= named else None,
    )


def _takes_any_name(schema: Schema) -> bool:
    """Whether a part is a map, whose names the caller chooses."""
    told = [part.get("additionalProperties") for part in declared.parts(schema)]
    return any(is_object(each) and bool(each) for each in told)


def _unclosable(root: Schema, what: str) -> str:
    """What to do first with a root that, closed as it is, would refuse its intended members; empty for any other."""
    if any(root.has(keyword) for keyword in _ELSEWHERE) and not _takes_names_of_callers(root):
        return "name every member in the properties of the root; let the alternatives say only what is required"
    if _takes_names_of_callers(root):
        return "name every member in properties, or put the map into a member of the root"
    return "" if _names_what_it_wants(root) and (root.properties or what == "input") else _NAME_FIRST


def _names_what_it_wants(schema: Schema) -> bool:
    """Whether an object that takes only the members it names can still have every member that it must have."""
    least = schema.get("minProperties")
    return _wanted(schema) <= schema.properties.keys() and not (is_number(least) and least > len(schema.properties))


def _wanted(schema: Schema) -> frozenset[str]:
    """The names of members that must be there, always or beside others, and of those in the values that it shows."""
    beside = schema.get("dependentRequired")
    lists = [strings(each) for each in beside.values()] if is_object(beside) else []
    listed = [each for keyword in ("examples", "enum") if is_array(each := schema.get(keyword))]
    shown_values = [schema.get("default"), schema.get("const"), *chain.from_iterable(listed)]
    return frozenset(schema.required).union(*lists, *(each for each in shown_values if is_object(each)))


def _takes_names_of_callers(root: Schema) -> bool:
    """Whether a root is a map, or describes members of any name: if closed, it would refuse its intended members."""
    told = root.get("additionalProperties")
    return (is_object(told) and bool(told)) or (root.has("additionalProperties") and not root.properties)


def _is_referred_to(schema: Schema, root: Schema) -> bool:
    """Whether something below the root refers to the same schema, so that closing the root closes that place too."""
    places = [each for each in schema.inside() if not each.is_root and isinstance(each.get("$ref"), str)]
    found = (target(schema.references, each.within, str(each.get("$ref"))) for each in places)
    return any(there is not None and there[0] == root.within for there in found)


def _is_open(schema: Schema) -> bool:
    """Whether other members are accepted unchecked; a schema for them makes it a map, which cannot be closed."""
    if schema.has("additionalProperties"):  # it evaluates every member, so no member is left unevaluated
        return schema.get("additionalProperties") is True or schema.get("additionalProperties") == {}
    return schema.get("unevaluatedProperties") is not False


def _told(schema: Schema) -> str:
    if not schema.has("additionalProperties"):
        return "is missing"
    return f"is {shown(schema.get('additionalProperties'))}"


def _at(root: Schema) -> tuple[str | int, ...]:
    return (*root.within, "additionalProperties") if root.has("additionalProperties") else root.within
