"""Converts frozen dataclasses to JSON and back, guided by their definitions.

Members are named in camel case and left out if they have their default.  Enums are written
by value, tuples as arrays, JSON unchanged.  Does not know about cases; a dataclass that
gains a member needs no change here.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import as_integer, escape_token, is_array, is_number, is_object

_VALUE_SHOWN = 60
_T = TypeVar("_T")


class Misfit(ValueError):
    """A value does not fit: where it stands, what it is, what is permitted there, and the nearest permitted word."""

    def __init__(self, pointer: str, observed: str, permitted: str, nearest: str | None = None) -> None:
        hint = f"; did you mean {nearest!r}?" if nearest is not None else ""
        super().__init__(f"at {pointer or 'the top'}: {observed}; permitted: {permitted}{hint}")
        self.pointer = pointer
        self.observed = observed
        self.permitted = permitted
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class _Member:
    """One member of a dataclass: its names in Python and in JSON, its type, and whether it may be left out."""

    attribute: str
    name: str
    hint: Any
    field: dataclasses.Field[Any]

    @property
    def optional(self) -> bool:
        return not _is_missing(self.field.default) or not _is_missing(self.field.default_factory)

    def is_default(self, value: object) -> bool:
        factory = self.field.default_factory
        default: object = self.field.default if _is_missing(factory) else cast("Callable[[], object]", factory)()
        return type(value) is type(default) and value == default


def to_json(value: Any) -> Json:
    """The JSON of a value that consists of dataclasses, enums, tuples and JSON."""
    if dataclasses.is_dataclass(value):
        given = ((member, getattr(value, member.attribute)) for member in _members(type(value)))
        return {member.name: to_json(inner) for member, inner in given if not member.is_default(inner)}
    if isinstance(value, Enum):
        return cast("Json", value.value)
    if is_object(value):
        return {name: to_json(inner) for name, inner in value.items()}
    return [to_json(inner) for inner in value] if is_array(value) else cast("Json", value)


def from_json(kind: type[_T], value: Json, pointer: str = "") -> _T:
    """
    The dataclass that a JSON value stands for; no value is converted and no member is ignored.

    ``pointer`` is where the value stands.  Raises Misfit if the value does not fit.
    """
    if not is_object(value):
        raise Misfit(pointer, _is(value), "an object")
    members = {member.name: member for member in _members(kind)}
    _refuse_unknown(value, members, pointer)
    for member in members.values():
        if member.name not in value and not member.optional:
            raise Misfit(pointer, f"the member {member.name!r} is missing", f"an object with {member.name!r}")
    read = {
        members[name].attribute: _read(members[name].hint, inner, f"{pointer}/{escape_token(name)}")
        for name, inner in value.items()
    }
    return kind(**read)


def shown(value: Json) -> str:
    """A value as JSON text, cut to a readable length."""
    text = write_json(value)
    return text if len(text) <= _VALUE_SHOWN else f"{text[: _VALUE_SHOWN - 1]}…"


def _members(kind: Any) -> tuple[_Member, ...]:
    return _members_of(kind)


@cache
def _members_of(kind: Any) -> tuple[_Member, ...]:
    # Json is a recursive alias that cannot be resolved at runtime: it stands for any value.
    hints = get_type_hints(kind, localns={"Json": Any})
    # Fields that a dataclass computes itself when it is made are not written.
    made_of = (each for each in dataclasses.fields(kind) if each.init)
    return tuple(_Member(each.name, json_name(each.name), hints[each.name], each) for each in made_of)


def json_name(name: str) -> str:
    """The JSON member for an attribute: ``after_ms`` becomes ``afterMs``."""
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def _read(hint: Any, value: Json, pointer: str) -> Any:
    inner = get_args(hint)
    if hint is Any:
        return value
    if get_origin(hint) in {Union, types.UnionType}:
        (other,) = (each for each in inner if each is not types.NoneType)
        return None if value is None else _read(other, value, pointer)
    if get_origin(hint) is tuple or get_origin(hint) is Mapping:
        return _read_many(hint, value, pointer)
    if dataclasses.is_dataclass(hint):
        return from_json(cast("type[Any]", hint), value, pointer)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _read_word(hint, value, pointer)
    return _read_plain(get_origin(hint) or hint, value, pointer)


def _read_many(hint: Any, value: Json, pointer: str) -> Any:
    """An array of values of one kind, or an object that has such values by name."""
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        if not is_array(value):
            raise Misfit(pointer, _is(value), "an array")
        return tuple(_read(inner[0], each, f"{pointer}/{place}") for place, each in enumerate(value))
    if not is_object(value):
        raise Misfit(pointer, _is(value), "an object")
    return {name: _read(inner[1], each, f"{pointer}/{escape_token(name)}") for name, each in value.items()}


def _read_word(words: type[Enum], value: Json, pointer: str) -> Enum:
    known = {str(each.value): each for each in words}
    if not isinstance(value, str) or value not in known:
        raise Misfit(pointer, _is(value), ", ".join(known), nearest_to(value, known))
    return known[value]


def _read_plain(kind: Any, value: Json, pointer: str) -> Json:
    if kind is int and (whole := as_integer(value)) is not None:
        return whole
    if kind is float and is_number(value):
        return value
    if kind not in {int, float} and isinstance(value, dict if kind is Mapping else kind):
        return value
    words = {str: "a string", bool: "true or false", int: "a whole number", float: "a number", Mapping: "an object"}
    raise Misfit(pointer, _is(value), words[kind])


def _refuse_unknown(value: Mapping[str, Json], known: Mapping[str, object], pointer: str) -> None:
    for name in value:
        if name not in known:
            place = f"{pointer}/{escape_token(name)}"
            raise Misfit(place, f"{name!r} is not a member", ", ".join(known), nearest_to(name, known))


def nearest_to(value: Json, known: Iterable[str]) -> str | None:
    """The known word that is nearest to a value; None if no word is near."""
    return next(iter(difflib.get_close_matches(value, list(known), n=1)), None) if isinstance(value, str) else None


def _is(value: Json) -> str:
    return f"the value is {shown(value)}"


def _is_missing(value: object) -> bool:
    return value is dataclasses.MISSING
