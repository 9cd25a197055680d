"""Strangers' schemas in the draft that each is written in: the second half of the door to the validators.

Decides whether a schema is valid itself, whether a value is valid for a part of it, which
parts nothing can satisfy, and whether one schema accepts all that another accepts.  The
answer is None if it cannot be decided; it is never guessed.  Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from urllib.parse import quote

import jsonschema_rs

from callproof.schema.bounds import DIALECT, refuse_unbounded
from callproof.schema.validator import SchemaFault
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import escape_token

_SUBJECT = "urn:callproof:schema"
_MASK = "the value"
_BACKTRACKS = 10_000
_NAMES = ("$id", "id", "$schema")
# If an engine raises one of these over a stranger's schema, the answer is that it was not decided.
_UNDECIDED = (
    jsonschema_rs.canonical.CanonicalizationError,
    jsonschema_rs.ReferencingError,
    UnicodeEncodeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """
    A subschema that nothing satisfies, and the parts of the schema that cause this: their pointers and keywords.

    A single part is empty by itself; several parts exclude each other; without parts the subschema is ``false``.
    """

    pointer: str
    causes: tuple[tuple[str, tuple[str, ...]], ...]


class DraftSchema:
    """
    A schema in its own draft.

    Raises UnusableSchema for a schema that is over a limit, or leaves its document by a reference.
    """

    def __init__(self, schema: Mapping[str, Json], draft: str = DIALECT) -> None:
        refuse_unbounded(schema)
        self._schema = schema
        self._draft = draft
        self._known: jsonschema_rs.Registry | None = None

    def faults(self) -> tuple[SchemaFault, ...]:
        """The faults that the metaschema of the draft finds in the schema, each place and keyword once."""
        meta = _metaschema(self._draft)
        try:
            found = [] if meta.is_valid(self._schema) else [*meta.iter_errors(self._schema)]
        except _UNDECIDED:
            return ()
        faults = [SchemaFault(_pointer(each.instance_path), str(each.schema_path[-1]), each.message) for each in found]
        return tuple({(each.pointer, each.keyword): each for each in faults}.values())

    def accepts(self, pointer: str, instance: Json) -> bool | None:
        """Whether a value is valid for the subschema at a pointer."""
        validator = self._validator(pointer)
        try:
            return None if validator is None else validator.is_valid(instance)
        except _UNDECIDED:
            return None

    def errors(self, pointer: str, instance: Json) -> tuple[SchemaFault, ...] | None:
        """Why a value is not valid for the subschema at a pointer; empty if it is valid."""
        validator = self._validator(pointer)
        try:
            found = None if validator is None else [*validator.iter_errors(instance)]
        except _UNDECIDED:
            return None
        if found is None or any(each.kind.name == "backtrackLimitExceeded" for each in found):
            return None
        return tuple(SchemaFault(_pointer(e.instance_path), str(e.schema_path[-1]), e.message) for e in found)

    def unsatisfiable(self) -> tuple[Unsatisfiable, ...] | None:
        """The subschemas that nothing satisfies, in the order of their pointers."""
        try:
            found = jsonschema_rs.canonical.find_unsatisfiable(self._compilable(), offline=True)
        except _UNDECIDED:
            return None
        return tuple(Unsatisfiable(pointer, _causes(reason)) for pointer, reason in found.items())

    def _validator(self, pointer: str) -> jsonschema_rs.Validator | None:
        try:
            if self._known is None:
                self._known = jsonschema_rs.Registry([(_SUBJECT, self._compilable())])
            return jsonschema_rs.validator_for(
                {"$schema": self._draft, "$ref": f"{_SUBJECT}#{_fragment(pointer)}"},
                mask=_MASK,
                registry=self._known,
                offline=True,
                validate_formats=False,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
            )
        except _UNDECIDED:
            return None

    def _compilable(self) -> dict[str, Any]:
        # Its own address would become its base; no name that the schema gives itself matters here.
        kept = {name: value for name, value in self._schema.items() if name not in _NAMES}
        return cast("dict[str, Any]", {"$schema": self._draft, **kept})


@cache
def _metaschema(draft: str) -> jsonschema_rs.Validator:
    # A schema that is only a reference to the metaschema, which every validator brings along.
    return jsonschema_rs.validator_for({"$schema": draft, "$ref": draft}, mask=_MASK, validate_formats=False)


class Containing:
    """Schemas of draft 2020-12 that refer to each other by address; which of them accepts all that another accepts."""

    def __init__(self, documents: Mapping[str, Mapping[str, Json]]) -> None:
        self._documents = [(address, cast("dict[str, Any]", document)) for address, document in documents.items()]
        self._registry = jsonschema_rs.Registry(self._documents)
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._canonicals: dict[str, jsonschema_rs.CanonicalSchema] = {}

    def within(self, one: Json, other: Json) -> bool | None:
        """Whether every value that is valid for one is valid for the other."""
        try:
            return _ANSWERS[str(self._canonical(other).covers(self._canonical(one)))]
        except _UNDECIDED:
            return None

    def refused(self, one: Json, other: Json, values: Iterable[Json]) -> Iterator[Json]:
        """The values that are valid for one schema and not for the other; none if that was not decided."""
        try:
            taking, refusing = self._validator(one), self._validator(other)
        except _UNDECIDED:
            return
        for value in values:
            try:
                is_one = not refusing.is_valid(value) and taking.is_valid(value)
            except _UNDECIDED:
                continue
            if is_one:
                yield value

    def _validator(self, schema: Json) -> jsonschema_rs.Draft202012Validator:
        text = write_json(schema)
        if text not in self._validators:
            self._validators[text] = jsonschema_rs.Draft202012Validator(
                cast("dict[str, Any]", schema),
                registry=self._registry,
                offline=True,
                mask=_MASK,
                validate_formats=False,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
            )
        return self._validators[text]

    def _canonical(self, schema: Json) -> jsonschema_rs.CanonicalSchema:
        # The same schema is compared again and again, and making its canonical form costs most.
        text = write_json(schema)
        if text not in self._canonicals:
            self._canonicals[text] = jsonschema_rs.canonicalize(
                cast("dict[str, Any]", schema),
                registry=self._registry,
                draft=jsonschema_rs.Draft202012,
                offline=True,
                validate_formats=False,
            )
        return self._canonicals[text]


_ANSWERS = {"yes": True, "no": False, "unknown": None}


def _causes(reason: jsonschema_rs.canonical.UnsatisfiableReason) -> tuple[tuple[str, tuple[str, ...]], ...]:
    match reason:
        case jsonschema_rs.canonical.UnsatisfiableReason.Conflict(causes):
            return tuple((cause.pointer, tuple(cause.keywords)) for cause in causes)
        case jsonschema_rs.canonical.UnsatisfiableReason.Empty(cause):
            return ((cause.pointer, tuple(cause.keywords)),)
        case _:
            return ()


def _pointer(path: Iterable[str | int]) -> str:
    return "".join(f"/{escape_token(str(token))}" for token in path)


def _fragment(pointer: str) -> str:
    return quote(pointer, safe="/~$")
