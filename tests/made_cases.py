"""Cases made from the definitions of their dataclasses: any case, and the one that has every member."""

from __future__ import annotations

import dataclasses
from enum import Enum
from functools import cache
from typing import Any, get_type_hints

from callproof.live.case import Case
from callproof.values.jsontext import Json
from hypothesis import strategies as st

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)


def hints_of(kind: type) -> dict[str, Any]:
    """The types of a dataclass's members; free JSON is any value."""
    return get_type_hints(kind, localns={"Json": Any})


@cache
def any_of(kind: type) -> st.SearchStrategy[Any]:
    """Instances of a dataclass of cases, each member of its own type."""
    hints = hints_of(kind)
    return st.builds(kind, **{each.name: _member(hints[each.name]) for each in dataclasses.fields(kind)})


def _member(hint: Any) -> st.SearchStrategy[Any]:
    told = str(hint)
    if hint is Any:
        return VALUES
    if told.endswith("| None") or told.startswith("typing.Optional"):
        return st.none() | _member(hint.__args__[0])
    if told.startswith("tuple"):
        return st.lists(_member(hint.__args__[0]), max_size=1).map(tuple)
    if "Mapping" in told:
        return OBJECTS
    if dataclasses.is_dataclass(hint):
        return st.deferred(lambda: any_of(hint))  # a case may hold cases
    plain = {str: TEXTS, int: st.integers(), bool: st.booleans()}
    return plain[hint] if hint in plain else st.sampled_from(list(hint))


def full(kind: type, depth: int = 0) -> Any:
    """An instance in which no member has its default; a case within a case has only its required members."""
    hints = hints_of(kind)
    fields = [each for each in dataclasses.fields(kind) if kind is not Case or depth == 0 or _is_required(each)]
    return kind(**{each.name: _other(hints[each.name], each.default, depth + 1) for each in fields})


def _is_required(each: dataclasses.Field[Any]) -> bool:
    return each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING


def _other(hint: Any, default: Any, depth: int) -> Any:
    told = str(hint)
    if told.endswith("| None") or told.startswith("typing.Optional"):
        return _other(hint.__args__[0], default, depth)
    if told.startswith("tuple"):
        return (_other(hint.__args__[0], dataclasses.MISSING, depth),)
    if dataclasses.is_dataclass(hint):
        return full(hint, depth)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(each for each in hint if each is not default)
    plain: dict[Any, Any] = {Any: "x", str: "x", int: 7, bool: default is not True}
    return plain.get(hint, {"x": 1})
