"""The types from which the models are built: JSON's own, read as JSON Schema reads them.

Python is more lenient than JSON Schema about booleans and less about numbers such as
``1.0``, and it does not tell an absent member from a null one.  This module closes
these differences, once.  It does not know any shape.
"""

from __future__ import annotations

from typing import Annotated, NoReturn, TypeAlias, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, StringConstraints
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Document(BaseModel):
    """A JSON object whose unknown members are kept and ignored (A29)."""

    model_config = ConfigDict(strict=True, frozen=True, extra="allow", alias_generator=to_camel)


class ClosedDocument(BaseModel):
    """A JSON object that permits no unknown members."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", alias_generator=to_camel)


def _whole(value: object) -> object:
    # JSON Schema counts 1.0 as an integer (B-10); pydantic's strict int does not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _frozen(value: object) -> object:
    return tuple(cast("list[object]", value)) if isinstance(value, list) else value


def _boolean(value: object) -> object:
    # A literal True would also accept 1, which equals it in Python only.
    if isinstance(value, bool):
        return value
    raise ValueError("a boolean is required")


def _not_null(value: object) -> object:
    if value is None:
        raise ValueError("null does not mean absent: leave the member out (A30)")
    return value


def _refused(_: object) -> NoReturn:
    raise ValueError("this member is not permitted here")


def _distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(values)) != len(values):
        raise ValueError("the items must differ from one another")
    return values


JsonObject: TypeAlias = dict[str, JsonValue]
Text: TypeAlias = Annotated[str, StringConstraints(min_length=1)]
Name: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]*$")]
Integer: TypeAlias = Annotated[int, BeforeValidator(_whole)]
Count: TypeAlias = Annotated[Integer, Field(ge=0)]
Positive: TypeAlias = Annotated[Integer, Field(ge=1)]
Number: TypeAlias = int | float
# A JSON array, held as a tuple.
Array: TypeAlias = Annotated[tuple[T, ...], BeforeValidator(_frozen)]
DistinctTexts: TypeAlias = Annotated[Array[T], AfterValidator(_distinct)]
# A literal True or False for which no number passes.
Flag: TypeAlias = Annotated[T, BeforeValidator(_boolean)]
# A member that may be absent, and is not null when it is present.
Given: TypeAlias = Annotated[T | None, BeforeValidator(_not_null)]
# A member that this form of a document does not have.
Refused: TypeAlias = Annotated[None, BeforeValidator(_refused)]
