"""Why one of our own shapes refuses a document, told by jsonschema, the validator of record.

This module is imported only after a refusal: a system that conforms never pays for it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from jsonschema.validators import Draft202012Validator
from referencing import Registry

from callproof.values.jsontext import Json

# How many unknown members are checked for a typing error, and how long a checked name may be.
_LOOKED_AT = 5
_LONGEST_NAME = 64
# How many characters of a value are shown.
_LONGEST_VALUE = 100


def leaves(schema: Mapping[str, Json], instance: Json) -> Iterator[Any]:
    """The errors of an instance that say most, with unions opened up; no reference leaves the schema."""
    registry: Registry[Any] = Registry()
    explaining = Draft202012Validator(cast("dict[str, Any]", schema), registry=registry)
    iterate = cast("Callable[[Json], Iterable[Any]]", explaining.iter_errors)  # pyright: ignore[reportUnknownMemberType]
    for error in iterate(instance):
        yield from _leaves(error)


def told(leaf: Any) -> str:
    """What an error says, with the nearest permitted word if the value may be a typing error."""
    message = _in_few_words(str(leaf.message), leaf.instance)
    if leaf.validator == "enum":
        pairs = [(leaf.instance, each) for each in _nearest(leaf.instance, leaf.validator_value)]
    elif leaf.validator == "additionalProperties":
        members: Mapping[str, Json] = leaf.schema.get("properties", {})
        free = [name for name in members if name not in leaf.instance]
        strange = islice((name for name in leaf.instance if name not in members), _LOOKED_AT)
        pairs = [(name, each) for name in strange for each in _nearest(name, free)]
    elif leaf.validator in {"maxItems", "maxProperties"}:
        return f"there are {len(leaf.instance)} entries, and at most {leaf.validator_value} are permitted"
    else:
        return message
    if len(pairs) == 1:
        return f"{message}; did you mean {pairs[0][1]!r}?"
    return "; ".join((message, *(f"for {name!r}, did you mean {each!r}?" for name, each in pairs)))


def _in_few_words(message: str, instance: Any) -> str:
    """
    The message with a long value cut, so that the permitted values behind it are still shown.

    Null and booleans are spelt as in JSON, and not as in Python.
    """
    if instance is None or isinstance(instance, bool):
        return message.replace(repr(instance), "null" if instance is None else str(instance).lower(), 1)
    told = repr(instance) if len(message) > 2 * _LONGEST_VALUE else ""
    return message.replace(told, f"{told[:_LONGEST_VALUE]}…", 1) if len(told) > _LONGEST_VALUE else message


def _nearest(wanted: Any, permitted: Iterable[Any]) -> Sequence[str]:
    words = [each for each in permitted if isinstance(each, str)]
    typed = isinstance(wanted, str) and len(wanted) <= _LONGEST_NAME
    return difflib.get_close_matches(wanted, words, n=1) if typed else ()


def _leaves(error: Any) -> Sequence[Any]:
    """The errors that say most: for a union, those of the branch that matches best."""
    if not error.context:
        return (error,)
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0] if inner.schema_path else 0, []).append(inner)
    nearest = min(branches.values(), key=lambda inner: (_misses_discriminator(inner), len(inner)))
    return tuple(leaf for inner in nearest for leaf in _leaves(inner))


def _misses_discriminator(branch: Sequence[Any]) -> bool:
    return any(error.validator in {"const", "enum"} for error in branch)
