"""The one door to the JSON Schema validators.

jsonschema-rs judges every instance: offline, patterns in linear time, values kept out
of the messages.  If it refuses one of our own documents, jsonschema, the validator of
record, explains the refusal over an explicit registry.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, cast

import jsonschema_rs

from callproof.resources import SCHEMAS
from callproof.schema.bounds import DIALECT, BeyondTheEngine, UnusableSchema, refuse_foreign, refuse_unbounded
from callproof.schema.points import engine_is_exact, with_points, without_points
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token

_MASK = "the value"
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One way in which an instance breaks a schema: where, by which keyword, and a clause that says how."""

    pointer: str
    keyword: str
    message: str

    def __str__(self) -> str:
        return f"at {self.pointer or 'the top'}: {self.message}"


class SchemaValidator:
    """
    A stranger's schema, bounded and compiled once.

    Raises UnusableSchema if it is no schema of draft 2020-12, names another draft, passes a limit, or leaves the
    document by a reference (VAL-09).  Raises BeyondTheEngine if a pattern has a lookaround or a backreference, or is
    large, as ``^(?:.b){1,10000}$`` is: a system may use such a schema, but the suite judges nothing by it.
    Its messages never quote the instance.
    """

    __slots__ = ("_compiled",)

    def __init__(self, schema: Mapping[str, Json]) -> None:
        refuse_foreign(schema)
        refuse_unbounded(schema)
        self._compiled = _compile(schema)

    def accepts(self, instance: Json) -> bool:
        """Whether the instance is valid."""
        try:
            return self._compiled.is_valid(instance)
        except UnicodeEncodeError:
            return False

    def errors(self, instance: Json) -> tuple[SchemaFault, ...]:
        """Every fault of the instance, in the validator's order; empty when it is valid."""
        if self.accepts(instance):  # nearly always, and in a third of the time
            return ()
        try:
            found = list(self._compiled.iter_errors(instance))
        except UnicodeEncodeError:
            return (SchemaFault("", "type", "a string holds a lone surrogate"),)
        return tuple(
            SchemaFault(
                _pointer(each.instance_path),
                _keyword(each.schema_path),
                with_points(each.message)[:_LONGEST_MESSAGE],
            )
            for each in found
        )


class ShapeValidator:
    """One of our own shapes: fast if it accepts an instance, and with a full explanation if it refuses one."""

    __slots__ = ("_compiled", "_schema")

    def __init__(self, schema: Mapping[str, Json]) -> None:
        self._compiled = _compile(schema)
        self._schema = schema

    def accepts(self, instance: Json) -> bool:
        """Whether the instance is valid."""
        try:
            return self._compiled.is_valid(instance)
        except UnicodeEncodeError:
            return False

    def errors(self, instance: Json, most: int | None = None) -> tuple[SchemaFault, ...]:
        """Every fault of the instance, or the first ``most`` of them, unions opened up; empty when it is valid."""
        if self.accepts(instance):
            return ()
        from callproof.schema.explaining import leaves, told  # noqa: PLC0415  half the start of a process that never refuses

        faults = tuple(
            SchemaFault(_pointer(leaf.absolute_path), str(leaf.validator), told(leaf)[:_LONGEST_MESSAGE])
            for leaf in islice(leaves(self._schema, instance), most)
        )
        return faults or (SchemaFault("", "type", "a string holds a lone surrogate"),)


def _compile(schema: Mapping[str, Json]) -> jsonschema_rs.Draft202012Validator:
    read = schema if engine_is_exact() else without_points(schema)
    try:
        return jsonschema_rs.Draft202012Validator(
            cast("dict[str, Any]", read),
            mask=_MASK,
            offline=True,
            pattern_options=jsonschema_rs.RegexOptions(),
            validate_formats=False,
        )
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        kind = BeyondTheEngine if _is_a_schema(schema) else UnusableSchema
        raise kind(f"is not a usable schema: {_in_one_line(error)[:_LONGEST_MESSAGE]}") from None


def _in_one_line(error: Exception) -> str:
    """What is wrong with a schema, and where; the engine uses several lines, and a finding has one."""
    if isinstance(error, jsonschema_rs.ValidationError):
        at = _pointer(error.instance_path)
        return " ".join(f"{f'at {at}, ' if at else ''}{with_points(error.message)}".split())
    return " ".join(with_points(str(error)).split())


def _is_a_schema(schema: Mapping[str, Json]) -> bool:
    """Whether a schema is right, and an engine that matches more than ours, or holds more, could read it."""
    try:
        jsonschema_rs.Draft202012Validator(
            cast("dict[str, Any]", schema),
            offline=True,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=1),
            validate_formats=False,
        )
    except jsonschema_rs.ValidationError as error:
        # A pattern is refused for its size as for its syntax, but the format is about the syntax alone.
        return error.kind.name == "format" and _metaschema().is_valid(schema)
    except (ValueError, jsonschema_rs.ReferencingError):
        return False
    return True


@cache
def _metaschema() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$schema": DIALECT, "$ref": DIALECT}, validate_formats=True)


def _pointer(path: Iterable[str | int]) -> str:
    return "".join(f"/{escape_token(str(token))}" for token in path)


def _keyword(path: Sequence[str | int]) -> str:
    return str(path[-1]) if path else ""


class UnknownSchema(LookupError):
    """No generated schema has this name; names the nearest."""


@cache
def shape_schema(name: str) -> Mapping[str, Json]:
    """
    The generated schema of a shape, for instance ``tool-call`` or ``adapter/record``.

    Raises UnknownSchema.
    """
    resource = SCHEMAS
    for part in f"{name}.json".split("/"):
        resource = resource / part
    if not resource.is_file():
        nearest = difflib.get_close_matches(name, shape_names(), n=1)
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        raise UnknownSchema(f"no schema is called {name!r}{hint}")
    return cast("Mapping[str, Json]", json.loads(resource.read_text(encoding="utf-8")))


def required(name: str) -> tuple[str, ...]:
    """The members that an object of a shape has to have."""
    return tuple(cast("Sequence[str]", shape_schema(name).get("required", ())))


def permitted(name: str, member: str) -> tuple[str, ...]:
    """The words that a shape permits for a member, so that the code need not repeat a list of a chapter."""
    properties = cast("Mapping[str, Mapping[str, Json]]", shape_schema(name)["properties"])
    return tuple(cast("Sequence[str]", properties[member]["enum"]))


@cache
def shape_validator(name: str) -> ShapeValidator:
    """The validator of a generated schema.  Raises UnknownSchema."""
    return ShapeValidator(shape_schema(name))


def shape_names() -> tuple[str, ...]:
    """The names of all generated schemas of the specification, without descriptions of interfaces."""
    top = [entry.name[:-5] for entry in SCHEMAS.iterdir() if entry.name.endswith(".json")]
    below = (name for folder in ("adapter", "loop", "pipeline", "invocation") for name in _names_below(folder))
    found = [*top, *below]
    return tuple(sorted(name for name in found if not name.endswith(".openapi")))


def protocol_shape_names() -> tuple[str, ...]:
    """The names of the generated schemas of the protocols beside the specification."""
    return tuple(sorted(_names_below("protocols")))


def _names_below(folder: str) -> list[str]:
    inner = SCHEMAS / folder
    return [f"{folder}/{entry.name[:-5]}" for entry in inner.iterdir()] if inner.is_dir() else []
