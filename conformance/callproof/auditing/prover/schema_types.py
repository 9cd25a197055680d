"""Tools' schemas as types that msgspec decodes, for the part of JSON Schema in which both say the same.

A value that decodes as the type is valid against the schema, except for the strings that
``Texts`` names: the validator itself judges their patterns, once for each distinct string.
A schema outside that part has no type, and its values go to the validator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, TypeAlias, cast

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from callproof.schema.bounds import UnusableSchema
from callproof.schema.validator import SchemaValidator
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The largest integer up to which doubles tell neighbours apart and integers hash as they are written (A21).
EXACT: Final = 2**53 - 1

# How to reach a member: attributes one after another, None for every element of an array.
Chain: TypeAlias = "tuple[str | None, ...]"

_SILENT: Final = frozenset(
    {"title", "description", "default", "examples", "$comment", "deprecated", "format", "$schema"}
)
_ONE_PATH: Final = frozenset({"path", "fromPath", "toPath"})
_STRINGS_KEPT: Final = 512  # at each place of each tool


class Unsupported(Exception):
    """A schema says something that no type here can express."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The strings at one place, judged by the validator and remembered."""

    chain: Chain
    validator: SchemaValidator | None
    is_path: bool
    known: set[str] = field(default_factory=set[str], compare=False)
    # The attribute that holds the one string; None if the place is deeper.
    attr: str | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attr", self.chain[0] if len(self.chain) == 1 else None)

    def found_in(self, value: Any) -> list[str]:
        """The strings that a value holds at the place."""
        if self.attr is not None:
            text = getattr(value, self.attr)
            return [] if text is UNSET else [text]
        if len(self.chain) == 3 and self.chain[1] is None and None not in (self.chain[0], self.chain[2]):
            outer, _, inner = cast("tuple[str, None, str]", self.chain)
            found = getattr(value, outer)
            return [] if found is UNSET else [text for each in found if (text := getattr(each, inner)) is not UNSET]
        return list(strings_at(value, self.chain))

    def found_in_all(self, values: Sequence[Any]) -> set[str]:
        """The strings that these values hold at the place."""
        found: set[Any] = set()
        if self.attr is not None:
            found.update(map(attrgetter(self.attr), values))
            found.discard(UNSET)
        else:
            for value in values:
                found.update(self.found_in(value))
        return found

    def accept_all(self, values: Sequence[Any]) -> bool:
        """Whether the schema of the place accepts the strings of all these values."""
        if self.validator is None:
            return True
        found = self.found_in_all(values)
        return self.known.issuperset(found) or all(map(self.accepts, found))

    def accepts(self, text: str) -> bool:
        """Whether the schema of the place accepts a string."""
        if text in self.known or self.validator is None:
            return True
        if not self.validator.accepts(text):
            return False
        if len(self.known) >= _STRINGS_KEPT:
            self.known.clear()
        self.known.add(text)
        return True


@dataclass(frozen=True, slots=True)
class ValueType:
    """
    A schema as a type.

    ``free`` is true if part of a value may be any JSON, ``strokes`` if the name of a member may hold a "/".
    """

    type: Any
    texts: tuple[Texts, ...]
    free: bool
    strokes: bool


@dataclass(slots=True)
class _Work:
    texts: list[Texts] = field(default_factory=list[Texts])
    free: bool = False
    strokes: bool = False


# For each generated structure: the attribute that holds each member.
_ATTRIBUTES: dict[type[Struct], Mapping[str, str]] = {}


def attribute(kind: type, name: str) -> str | None:
    """The attribute of a generated structure that holds a member; None if it has no such member."""
    return _ATTRIBUTES.get(kind, {}).get(name)


def attributes_of(kind: type[Struct]) -> Mapping[str, str]:
    """The attributes of a generated structure by the names of the members that they hold."""
    return _ATTRIBUTES[kind]


def shallow(levels: int) -> Any:
    """The type of JSON values that have at most this many levels and only whole numbers."""
    leaf: Any = str | bool | None | Annotated[int, Meta(ge=-EXACT, le=EXACT)]
    return leaf | list[shallow(levels - 1)] | dict[str, shallow(levels - 1)] if levels else leaf  # type: ignore[misc]


# An object of any JSON, up to this depth: deeper ones are left to the validator and to the strict reader.
FREE: Final[Any] = dict[str, shallow(8)]  # type: ignore[misc]


def remember(kind: type[Struct], attributes: Mapping[str, str]) -> type[Struct]:
    """Record which attribute of a structure holds which member, and return the structure."""
    _ATTRIBUTES[kind] = attributes
    return kind


def value_type(schema: Mapping[str, Json], name: str) -> ValueType | None:
    """The type of the objects that a schema accepts; None if the schema says what no type can express."""
    work = _Work()
    try:
        made = _object_type(schema, name, (), work)
    except (Unsupported, UnusableSchema):
        return None
    return ValueType(made, tuple(work.texts), work.free, work.strokes or work.free)


def _type(node: Json, name: str, chain: Chain, work: _Work) -> Any:
    if not is_object(node):
        raise Unsupported
    said = {word: value for word, value in node.items() if word not in _SILENT}
    match said.get("type"):
        case "object":
            return _object_type(node, name, chain, work)
        case "array":
            return _array_type(said, name, chain, work)
        case "string":
            return _string_type(said, node, chain, work)
        case "integer":
            return _integer_type(said)
        case "boolean" if set(said) == {"type"}:
            return bool
        case _:
            raise Unsupported


def _object_type(node: Mapping[str, Json], name: str, chain: Chain, work: _Work) -> Any:
    said = {word: value for word, value in node.items() if word not in _SILENT}
    if said == {"type": "object"} and chain:
        work.free = True
        return FREE
    properties, required = said.get("properties", {}), said.get("required", ())
    known = said.keys() <= {"type", "properties", "required", "additionalProperties"}
    if not known or said.get("type") != "object" or said.get("additionalProperties") is not False:
        raise Unsupported
    if not is_object(properties) or not is_array(required) or not all(each in properties for each in required):
        raise Unsupported
    return _struct(properties, frozenset(cast("tuple[str, ...]", tuple(required))), name, chain, work)


def _struct(properties: Mapping[str, Json], required: frozenset[str], name: str, chain: Chain, work: _Work) -> Any:
    """A structure with its fields in the order of their names, so that its plain encoding is the canonical one."""
    if not all(map(str.isascii, properties)):
        raise Unsupported
    work.strokes = work.strokes or any("/" in each for each in properties)
    attributes = {member: f"m{place}" for place, member in enumerate(sorted(properties))}
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for member, attr in attributes.items():
        inner = _type(properties[member], f"{name}_{attr}", (*chain, attr), work)
        _note_paths(member, properties[member], (*chain, attr), work)
        fields.append((attr, inner) if member in required else (attr, inner | UnsetType, UNSET))
    made = defstruct(
        name,
        fields,
        rename={attr: member for member, attr in attributes.items()},
        kw_only=True,
        forbid_unknown_fields=True,
        gc=False,
    )
    return remember(made, attributes)


def _note_paths(member: str, node: Json, chain: Chain, work: _Work) -> None:
    """Mark the places that hold vault paths (A70)."""
    kind = node.get("type") if is_object(node) else None
    if member == "paths":
        items = node.get("items") if is_object(node) else None
        if kind != "array" or not is_object(items) or items.get("type") != "string":
            raise Unsupported
        _mark(work, (*chain, None))
    elif member in _ONE_PATH and kind == "string":
        _mark(work, chain)


def _mark(work: _Work, chain: Chain) -> None:
    own = [each for each in work.texts if each.chain == chain]
    work.texts = [each for each in work.texts if each.chain != chain]
    work.texts.append(Texts(chain, own[0].validator if own else None, is_path=True))


def _array_type(said: Mapping[str, Json], name: str, chain: Chain, work: _Work) -> Any:
    if set(said) != {"type", "items"}:
        raise Unsupported
    return list[_type(said["items"], f"{name}_i", (*chain, None), work)]  # type: ignore[misc]


def _string_type(said: Mapping[str, Json], node: Mapping[str, Json], chain: Chain, work: _Work) -> Any:
    if set(said) == {"type", "enum"}:
        words = said["enum"]
        if not is_array(words) or not words or not all(isinstance(each, str) for each in words):
            raise Unsupported
        return Literal[tuple(words)]
    if not said.keys() <= {"type", "minLength", "maxLength", "pattern"}:
        raise Unsupported
    if "pattern" in said:
        work.texts.append(Texts(chain, SchemaValidator(node), is_path=False))
        return str
    if set(said) == {"type"}:
        return str
    least = _bound(said["minLength"]) if "minLength" in said else 0
    most = _bound(said["maxLength"]) if "maxLength" in said else None
    return Annotated[str, Meta(min_length=least, max_length=most)]


def _integer_type(said: Mapping[str, Json]) -> Any:
    if not said.keys() <= {"type", "minimum", "maximum"}:
        raise Unsupported
    low, high = (_bound(said[word]) if word in said else default for word, default in _RANGE)
    return Annotated[int, Meta(ge=max(low, -EXACT), le=min(high, EXACT))]


_RANGE: Final = (("minimum", -EXACT), ("maximum", EXACT))


def _bound(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > EXACT:
        raise Unsupported
    return value


def strings_at(value: Any, chain: Chain, at: int = 0) -> Iterator[str]:
    """The strings that a value holds at a place; none if an optional member on the way is absent."""
    if at == len(chain):
        yield value
        return
    step = chain[at]
    if step is None:
        for each in value:
            yield from strings_at(each, chain, at + 1)
    else:
        inner = getattr(value, step)
        if inner is not UNSET:
            yield from strings_at(inner, chain, at + 1)
