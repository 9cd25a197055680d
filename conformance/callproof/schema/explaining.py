"""Why one of our own shapes refuses a document, told by jsonschema, the validator of record.

Imported when something was refused, and only then: a system that conforms never pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from jsonschema.validators import Draft202012Validator
from referencing import Registry

from callproof.values.jsontext import Json


def leaves(schema: Mapping[str, Json], instance: Json) -> Iterator[Any]:
    """The errors of an instance that say most, unions opened up; with no reference leaving the schema."""
    registry: Registry[Any] = Registry()
    explaining = Draft202012Validator(cast("dict[str, Any]", schema), registry=registry)
    iterate = cast("Callable[[Json], Iterable[Any]]", explaining.iter_errors)  # pyright: ignore[reportUnknownMemberType]
    for error in iterate(instance):
        yield from _leaves(error)


def _leaves(error: Any) -> Sequence[Any]:
    """The errors that say most: of a union, those of the branch that came furthest."""
    if not error.context:
        return (error,)
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0] if inner.schema_path else 0, []).append(inner)
    nearest = min(branches.values(), key=lambda inner: (_misses_discriminator(inner), len(inner)))
    return tuple(leaf for inner in nearest for leaf in _leaves(inner))


def _misses_discriminator(branch: Sequence[Any]) -> bool:
    return any(error.validator in {"const", "enum"} for error in branch)
