"""The edits that remove a property of an object schema, or give it another name."""

from __future__ import annotations

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.lint.rule import Drop, Edit, Rename, Replace
from callproof.lint.schemas.drafts import DRAFT_04, draft_of
from callproof.lint.schemas.patterns.naming import matches
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_object


def without_required(schema: Schema, name: str, base: Pointer = ()) -> tuple[Edit, ...]:
    """
    The edits that remove a name from ``required``, for a subject at which ``base`` ends.

    In draft-04, which permits no empty list, the edit for the last name removes the list.
    """
    at = (*base, *schema.within, "required")
    told = schema.get("required")
    if draft_of(schema.root.value) is DRAFT_04 and is_array(told) and all(each == name for each in told):
        return (Drop(at),)
    return tuple(Drop((*at, place)) for place in _required_at(schema, name))


def is_named_elsewhere(schema: Schema, name: str) -> bool:
    """
    Whether a schema mentions a property outside of ``properties`` and the ``required`` beside it.

    In an alternative, a dependency, an example or a reference, the old name would stay; it would then mean
    nothing, or something else.
    """
    pointed = f"/properties/{escape_token(name)}"
    waiting: list[Json] = [schema.root.value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            if here == name or (here.startswith("#") and f"{here}/".find(f"{pointed}/") >= 0):
                return True
        elif is_array(here):
            waiting += here
        elif is_object(here):
            named = here.get("properties")
            if name in here:
                return True
            waiting += named.values() if is_object(named) else (named,)
            beside = {"properties", "required"} if is_object(named) and name in named else {"properties"}
            waiting += (each for keyword, each in here.items() if keyword not in beside)
    return False


def can_be_named(schema: Schema, name: str) -> bool:
    """
    Whether an object may have a member of this name once a schema has it among its ``properties``.

    The other parts of the object may refuse the name, have no room for it, or be closed themselves.
    """
    return all(_has_room_for(part, name, is_edited=part.within == schema.within) for part in declared.parts(schema))


def _has_room_for(part: Schema, name: str, *, is_edited: bool) -> bool:
    told, rest = part.get("propertyNames"), part.get("patternProperties")
    named = (
        is_object(told) and told.keys() <= {"type", "pattern", "description"} and told.get("type") in (None, "string")
    )
    pattern = told.get("pattern") if is_object(told) else None
    if part.has("maxProperties") or (part.has("propertyNames") and told is not True and not named):
        return False
    if named and pattern is not None and not (isinstance(pattern, str) and matches(pattern, name)):
        return False
    known = name in part.properties or (is_object(rest) and any(matches(each, name) for each in rest))
    return is_edited or known or part.get("additionalProperties") is not False


def without_property(schema: Schema, name: str, base: Pointer = ()) -> tuple[Edit, ...]:
    """The edits that remove a property, for a subject at which ``base`` ends."""
    return (Drop((*base, *schema.within, "properties", name)), *without_required(schema, name, base))


def renamed_property(schema: Schema, name: str, better: str) -> tuple[Edit, ...]:
    """The edits that give a property of a subschema another name, for the subschema as the subject."""
    at = (Replace(("required", place), better) for place in _required_at(schema, name))
    return (Rename(("properties", name), better), *at)


def _required_at(schema: Schema, name: str) -> list[int]:
    told = schema.get("required")
    return [place for place, each in enumerate(told) if each == name] if is_array(told) else []
