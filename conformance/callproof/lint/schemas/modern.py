"""A schema of any draft written as one of draft 2020-12 that means the same, with every reference by address.

Keywords that the draft ignores are left out, so that two schemas can be compared whatever
draft each was written in.
"""

from __future__ import annotations

from urllib.parse import quote

from callproof.lint.keywords import MANY, NAMED, ONE
from callproof.lint.schemas.drafts import DRAFT_2020_12, Draft
from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_object

_NAMES = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"})
_TEXTS = frozenset({"title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"})
# Characters that may be in the fragment of an address unescaped (RFC 3986).
_IN_A_FRAGMENT = "/~!$&'()*+,;=:@?"
# Definitions are kept in every draft, since references lead to them.
_DEFINITIONS = frozenset({"$defs", "definitions"})


class NotComparable(ValueError):
    """A schema cannot be compared; says why, in a clause."""


def modernised(schema: Json, draft: Draft, address: str) -> Json:
    """
    The same schema in draft 2020-12.  It nests no deeper than ``refuse_unbounded`` permits.

    Raises NotComparable for references that lead nowhere, that lead out of the document, or that are dynamic.
    """
    return _Writing(schema, draft, address).node((), schema)


class _Writing:
    def __init__(self, schema: Json, draft: Draft, address: str) -> None:
        self._references = References(schema)
        self._draft = draft
        self._address = address
        self._root = schema

    def node(self, place: Place, value: Json) -> Json:
        """One subschema."""
        if not is_object(value):
            return value
        if "$dynamicRef" in value or "$recursiveRef" in value:
            raise NotComparable("one of them uses $dynamicRef or $recursiveRef, which have no fixed target")
        written: dict[str, Json] = {}
        alone = self._draft.reference_alone and isinstance(value.get("$ref"), str)
        for keyword, inner in value.items():
            if keyword in _NAMES or (alone and keyword not in _TEXTS | _DEFINITIONS | {"$ref"}):
                continue
            if keyword in self._draft.keywords | _DEFINITIONS or keyword not in DRAFT_2020_12.keywords:
                self._keyword(written, place, keyword, inner)
        return self._older(value, written)

    def _keyword(self, written: dict[str, Json], place: Place, keyword: str, inner: Json) -> None:
        below = (*place, keyword)
        if keyword == "$ref" and isinstance(inner, str):
            written[keyword] = self._reference(place, {"$ref": inner})
        elif keyword == "items" and is_array(inner):
            written["prefixItems"] = [self.node((*below, number), each) for number, each in enumerate(inner)]
        elif keyword == "dependencies" and is_object(inner):
            written["dependentRequired"] = {name: each for name, each in inner.items() if is_array(each)}
            schemas = {name: self.node((*below, name), each) for name, each in inner.items() if not is_array(each)}
            written["dependentSchemas"] = schemas
        elif keyword in NAMED and is_object(inner):
            written[keyword] = {name: self.node((*below, name), each) for name, each in inner.items()}
        elif keyword in MANY and is_array(inner):
            written[keyword] = [self.node((*below, number), each) for number, each in enumerate(inner)]
        elif keyword in ONE:
            written[keyword] = self.node(below, inner)
        else:
            written[keyword] = inner

    def _older(self, value: Json, written: dict[str, Json]) -> dict[str, Json]:
        rest = written.pop("additionalItems", None)
        if is_object(value) and is_array(value.get("items")) and rest is not None:
            written["items"] = rest
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            # In draft-04, this says that the bound beside it is excluded.
            said = written.get(exclusive)
            if isinstance(said, bool):
                del written[exclusive]
            if said is True and bound in written:
                written[exclusive] = written.pop(bound)
        return {name: each for name, each in written.items() if name != "dependencies"}

    def _reference(self, place: Place, node: Json) -> str:
        target = next(self._references.targets(place, node))
        if not target.found:
            where = "nowhere" if target.outcome == "dangling" else "out of the schema"
            raise NotComparable(f"the reference {target.reference!r} leads {where}")
        return address_of(self._address, self._moved(target.place))

    def _moved(self, place: Place) -> Place:
        """Where a place is after lists of items have got their later name."""
        moved: list[str | int] = []
        value: Json = self._root
        for step in place:
            if moved and moved[-1] == "items" and isinstance(step, int) and is_array(value):
                moved[-1] = "prefixItems"
            moved.append(step)
            value = value[step] if is_array(value) and isinstance(step, int) else _member(value, step)
        return tuple(moved)


def _member(value: Json, step: str | int) -> Json:
    return value.get(str(step)) if is_object(value) else None


def address_of(document: str, place: Place) -> str:
    """The address of a place in a document."""
    return f"{document}#" + quote("".join(f"/{escape_token(str(step))}" for step in place), safe=_IN_A_FRAGMENT)
