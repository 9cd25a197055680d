"""What a schema declares, with local references followed and the parts of an `allOf` taken together.

If a schema leaves something open, the answer is None, and no rule treats None as an answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence

from callproof import limits
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.lint.references import target
from callproof.lint.schemas.patterns.naming import matches, misses
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

_ALTERNATIVES = ("anyOf", "oneOf")
_OTHER_TYPES = frozenset({"null", "boolean", "array", "number", "string", "integer"})
# Beside one of these keywords, a member may be described in a place that `members` does not read.
_CONDITIONS = ("if", "then", "else", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef")
_ELSEWHERE = (*_CONDITIONS, "patternProperties")
_LEVELS = 64  # levels of anyOf inside anyOf; below them nothing is known


def parts(schema: Schema) -> Iterator[Schema]:
    """The schemas that apply together: itself, what it refers to, and the branches of its `allOf`, each once."""
    if not (schema.has("$ref") or schema.has("allOf")):
        yield schema
        return
    waiting, seen = [schema], set[Pointer]()
    while waiting and len(seen) < limits.SCHEMA_NODES:
        here = waiting.pop()
        if here.within in seen:
            continue
        seen.add(here.within)
        yield here
        waiting += _together(here)


def _together(here: Schema) -> list[Schema]:
    """What applies together with a schema: what it refers to, and the branches of its `allOf`."""
    reference = here.get("$ref")
    found = target(here.references, here.within, reference) if isinstance(reference, str) else None
    leads = [] if found is None else [Schema(here.tool, here.role, (*here.root.pointer, *found[0]), found[1], found[0])]
    return leads + _listed_below(here, "allOf")


def everywhere(schema: Schema) -> Iterator[Schema]:
    """The schemas that say something about its value: its parts, and those of its alternatives, each once."""
    waiting, seen = deque([schema]), set[Pointer]()
    while waiting and len(seen) < limits.SCHEMA_NODES:
        here = waiting.popleft()
        if here.within not in seen:
            seen.add(here.within)
            yield here
            waiting += _together(here)
            waiting += [each for word in _ALTERNATIVES for each in _listed_below(here, word)]


def description(schema: Schema) -> str:
    """The description of it, from itself or one of its parts; empty if there is none."""
    told = (part.get("description") for part in parts(schema))
    return next((text for text in told if isinstance(text, str) and text.strip()), "")


def members(schema: Schema | None) -> Mapping[str, Schema]:
    """The properties by name; if two have one name, the first that says anything.  Empty if there is no schema."""
    found: dict[str, Schema] = {}
    for part in parts(schema) if schema is not None else ():
        for name, each in part.properties.items():
            # An object that is closed over its parts only names the members of the parts, with empty schemas.
            if name not in found or found[name].value is True or found[name].value == {}:
                found[name] = each
    return found


def names(schema: Schema) -> frozenset[str] | None:
    """
    The names of all members that it describes, in its alternatives too; None if they cannot be determined.

    A closed object refuses all names but those of its own properties.
    """
    if schema.get("additionalProperties") is False and not schema.has("patternProperties"):
        return frozenset(schema.properties)
    all_parts = [*everywhere(schema)]
    if len(all_parts) >= limits.SCHEMA_NODES or any(map(_leads_nowhere, all_parts)):
        return None
    if any(part.has(word) for part in all_parts for word in _ELSEWHERE):
        return None
    return frozenset(name for part in all_parts for name in part.properties)


def may_have(schema: Schema, *wanted: str) -> bool:
    """Whether a member of one of these names is described anywhere, or it cannot be determined that none is."""
    known = names(schema)
    return known is None or not known.isdisjoint(wanted)


def required(schema: Schema | None) -> frozenset[str]:
    """The names of the properties that are always there; empty if there is no schema."""
    return frozenset(name for part in parts(schema) for name in part.required) if schema is not None else frozenset()


def is_closed(schema: Schema) -> bool:
    """Whether it refuses members that it does not declare."""
    words = ("additionalProperties", "unevaluatedProperties")
    return any(part.get(word) is False for part in parts(schema) for word in words)


def elements(schema: Schema | None) -> Schema | None:
    """The schema of the elements of a list; None if it does not describe them, or if there is no schema."""
    return next((part.items for part in parts(schema) if part.items is not None), None) if schema is not None else None


def kinds_of_elements(schema: Schema) -> list[Schema]:
    """The schemas of all elements that a list may have: those of a tuple, and those of the others."""
    found: list[Schema] = []
    for part in parts(schema):
        for word in ("prefixItems", "items"):
            found += _listed_below(part, word)
        found += [part.items] if part.items is not None else []
    return found


def element(schema: Schema, place: int) -> Schema | None:
    """The schema of the element at a place, or of any element if that is below 0; None if it says nothing."""
    for part in parts(schema):
        first = part.get("prefixItems")
        if not is_array(first):
            found = part.items
        elif place < 0:
            return None
        else:
            found = part.below(("prefixItems", place), first[place]) if place < len(first) else part.items
        if found is not None:
            return found
    return None


def by_pattern(schema: Schema, name: str) -> list[Schema] | None:
    """What the patterns of its parts say about a member of this name; None if it is unclear whether one matches."""
    told = [(part, part.get("patternProperties")) for part in parts(schema)]
    every = [(part, pattern, each) for part, found in told if is_object(found) for pattern, each in found.items()]
    if not all(matches(pattern, name) or misses(pattern, name) for _, pattern, _ in every):
        return None
    return [part.below(("patternProperties", pattern), each) for part, pattern, each in every if matches(pattern, name)]


def lets_pass(schema: Schema, name: str | None = None) -> bool | None:
    """
    Whether an object may have a member that is not among `members`; None if this cannot be determined here.

    Without a name, this is about any such member; with a name, about that member, which no pattern matches.
    """
    here = [*parts(schema)]
    unsaid = ("patternProperties",) if name is None else ()
    closing = (each for each in here if not any(map(each.has, unsaid)))
    if any(each.get("additionalProperties") is False for each in closing):
        return False
    branching = [word for each in here for word in _ALTERNATIVES if each.has(word)]
    if (
        len(branching) > 1
        or any(each.has(word) for each in here for word in (*_CONDITIONS, *unsaid))
        or any(map(_leads_nowhere, here))
    ):
        return None
    return all(each.get("unevaluatedProperties") is not False for each in here)


def alternatives(schema: Schema) -> list[Schema]:
    """The schemas of which a value must match one: the branches of `anyOf` and `oneOf`, or itself; each once."""
    found: list[Schema] = []
    waiting, seen = [schema], set[Pointer]()
    while waiting and len(seen) < limits.SCHEMA_NODES:
        here = waiting.pop(0).resolved
        if here.within in seen:
            continue
        seen.add(here.within)
        inner = [each for part in parts(here) for each in _branches(part)]
        waiting += inner
        found += [] if inner else [here]
    return found


def types(schema: Schema) -> frozenset[str] | None:
    """The types that a value can have; None if the schema leaves them open."""
    return _types(schema, {}, _LEVELS)


def named_types(schema: Schema) -> frozenset[str]:
    """The types that a value can have; empty if the schema leaves them open."""
    return types(schema) or frozenset()


def takes_objects(schema: Schema) -> bool:
    """Whether an object may be a value, as far as is known; a word that is not a type, such as dict, says nothing."""
    told = types(schema)
    return told is None or not told <= _OTHER_TYPES


def is_text(schema: Schema) -> bool:
    """Whether it takes only texts, or texts and null."""
    return named_types(schema) - {"null"} == frozenset({"string"})


def _types(schema: Schema, known: dict[Pointer, frozenset[str] | None], levels: int) -> frozenset[str] | None:
    here = schema.resolved.within
    if here in known or not levels:
        return known.get(here)
    known[here] = None  # the answer for a schema that leads back to itself
    for part in parts(schema):
        for told in (_stated(part), _of_values(part), _of_branches(part, known, levels - 1)):
            if told is not None:
                before = known[here]
                known[here] = told if before is None else common(before, told)
    return known[here]


def values(schema: Schema) -> tuple[Json, ...] | None:
    """The values that are listed, by `enum`, by `const`, or by each of its branches; None if there is no list."""
    told = next((told for part in parts(schema) if (told := _listed(part)) is not None), None)
    if told is not None:
        return told
    branches = alternatives(schema)
    lists = [_listed(each) for each in branches if each.within != schema.resolved.within]
    if not lists or None in lists or len(lists) != len(branches):
        return None
    return tuple(value for each in lists if each is not None for value in each)


def beyond(given: Sequence[Json], permitted: Sequence[Json]) -> tuple[Json, ...]:
    """The given values that are not among the permitted ones, by the equality of JSON."""
    known = set(map(_identity, permitted))
    return tuple(each for each in given if _identity(each) not in known)


def default(schema: Schema) -> tuple[Json] | None:
    """The default in a tuple; None if there is none."""
    part = holding(schema, "default")
    return None if part is None else (part.get("default"),)


def holding(schema: Schema, keyword: str) -> Schema | None:
    """The first of its parts that has a keyword; None if none has it."""
    return next((part for part in parts(schema) if part.has(keyword)), None)


def branchings(part: Schema) -> list[list[Schema]]:
    """The branches of its `anyOf` and of its `oneOf`, for each that has any."""
    return [told for word in _ALTERNATIVES if (told := _listed_below(part, word))]


def common(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """The types in both; a type that is number in one and integer in the other counts as integer."""
    integers = (
        {"integer"} if ("integer" in one and "number" in other) or ("number" in one and "integer" in other) else ()
    )
    return (one & other) | frozenset(integers)


def type_of(value: Json) -> str:
    """The name that JSON Schema has for the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if is_number(value):
        return "integer" if isinstance(value, int) or value.is_integer() else "number"
    return "array" if is_array(value) else "object"


def _stated(part: Schema) -> frozenset[str] | None:
    if part.types:
        return frozenset(part.types)
    if "type" in part.members:
        return None
    # Strictly, neither keyword says which type a value has, but an author who writes one means the type it is about.
    named = (("object", is_object(part.get("properties"))), ("array", part.items is not None))
    return next((frozenset({name}) for name, is_said in named if is_said), None)


def _of_values(part: Schema) -> frozenset[str] | None:
    told = _listed(part)
    return None if not told else frozenset(map(type_of, told))


def _of_branches(part: Schema, known: dict[Pointer, frozenset[str] | None], levels: int) -> frozenset[str] | None:
    told = [_types(each, known, levels) for each in _branches(part)]
    return None if not told or None in told else frozenset(name for each in told if each is not None for name in each)


def _listed(part: Schema) -> tuple[Json, ...] | None:
    if part.has("const"):
        return (part.get("const"),)
    told = part.get("enum")
    return tuple(told) if is_array(told) else None


def _branches(part: Schema) -> list[Schema]:
    return next(iter(branchings(part)), list[Schema]())


def _listed_below(part: Schema, word: str) -> list[Schema]:
    told = part.get(word)
    return [part.below((word, place), each) for place, each in enumerate(told)] if is_array(told) else []


def _leads_nowhere(part: Schema) -> bool:
    reference = part.get("$ref")
    return part.has("$ref") and (
        not isinstance(reference, str) or target(part.references, part.within, reference) is None
    )


def _identity(value: Json) -> Hashable:
    """A key that is the same for two values exactly if they are equal in JSON."""
    if is_object(value):
        return "object", frozenset((name, _identity(each)) for name, each in value.items())
    if is_array(value):
        return "array", tuple(map(_identity, value))
    return "number" if is_number(value) else type(value).__name__, value
