"""References inside one schema: what they lead to, and whether they lead anywhere.

No reference ever leaves the document: one that names another document is recognised,
and is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias
from urllib.parse import unquote, urldefrag, urljoin

from callproof.lint.schemas.drafts import DRAFT_2020_12, REFERENCES, draft_of
from callproof.lint.schemas.walk import Place, physical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

Outcome: TypeAlias = Literal["found", "dangling", "external"]


@dataclass(frozen=True, slots=True)
class Target:
    """What one reference leads to; ``place`` and ``schema`` have a meaning only if it was found."""

    keyword: str
    reference: str
    outcome: Outcome
    place: Place = ()
    schema: Json = None

    @property
    def found(self) -> bool:
        """Whether it leads to a subschema of this document."""
        return self.outcome == "found"


class References:
    """The references of one schema, with the names that it gives to its parts."""

    def __init__(self, schema: Json) -> None:
        self._root = schema
        self._known = (draft_of(schema) or DRAFT_2020_12).keywords

    def targets(self, place: Place, schema: Json) -> Iterator[Target]:
        """What each reference of the subschema at a place leads to."""
        if not is_object(schema):
            return
        for keyword in REFERENCES:
            reference = schema.get(keyword)
            if isinstance(reference, str):
                yield self.target(place, keyword, reference)

    def target(self, place: Place, keyword: str, reference: str) -> Target:
        """What one reference at a place leads to."""
        base = self._base(place)
        try:
            address, fragment = urldefrag(urljoin(base, reference) if reference[:1] != "#" else base + reference)
        except ValueError:
            return Target(keyword, reference, "external")
        start = self._documents.get(address)
        if start is None:
            return Target(keyword, reference, "external")
        found = self._inside(address, start, unquote(fragment))
        if found is None:
            return Target(keyword, reference, "dangling")
        return Target(keyword, reference, "found", *found)

    def _inside(self, address: str, start: Place, fragment: str) -> tuple[Place, Json] | None:
        if fragment and not fragment.startswith("/"):
            named = self._anchors.get((address, fragment))
            return None if named is None else (named, pointed(self._root, named))
        steps = [step.replace("~1", "/").replace("~0", "~") for step in fragment.split("/")[1:]]
        return reached(self._root, start, steps)

    def _base(self, place: Place) -> str:
        for length in range(len(place), -1, -1):
            if place[:length] in self._bases:
                return self._bases[place[:length]]
        return ""

    @cached_property
    def _bases(self) -> dict[Place, str]:
        bases: dict[Place, str] = {(): ""}
        for place, node in physical(self._root):
            name = _identifier(node, self._known)
            if name is not None:
                outer = next(bases[place[:length]] for length in range(len(place), -1, -1) if place[:length] in bases)
                bases[place] = urldefrag(urljoin(outer, name))[0]
        return bases

    @cached_property
    def _documents(self) -> dict[str, Place]:
        return {**{address: place for place, address in reversed(self._bases.items())}, "": ()}

    @cached_property
    def _anchors(self) -> dict[tuple[str, str], Place]:
        anchors: dict[tuple[str, str], Place] = {}
        for place, node in physical(self._root):
            for name in _anchor_names(node, self._known):
                anchors.setdefault((self._base(place), name), place)
        return anchors


def pointed(schema: Json, place: Place) -> Json:
    """The value at a place; None if there is none."""
    found = reached(schema, (), place)
    return None if found is None else found[1]


def reached(root: Json, start: Place, steps: Sequence[str | int]) -> tuple[Place, Json] | None:
    """The value to which steps lead from a place, with its own place; a number may be written as text."""
    value = root
    place: Place = ()
    for step in (*start, *steps):
        if is_object(value) and isinstance(step, str) and step in value:
            value, place = value[step], (*place, step)
        elif is_array(value) and _is_index(step) and int(step) < len(value):
            value, place = value[int(step)], (*place, int(step))
        else:
            return None
    return place, value


def _is_index(step: str | int) -> bool:
    return isinstance(step, int) or (step.isascii() and step.isdigit() and len(step) < 10)


def _identifier(node: Json, known: Set[str]) -> str | None:
    """The address that a subschema gives itself; a name that is only a fragment is an anchor."""
    if not is_object(node):
        return None
    name = node.get(_id_in(known))
    return name if isinstance(name, str) and not name.startswith("#") and _is_address(name) else None


def _id_in(known: Set[str]) -> str:
    # Only draft-04 defines `id`; in other drafts it has no meaning, and gives no address.
    return "$id" if "$id" in known else "id"


def _is_address(name: str) -> bool:
    try:
        urldefrag(urljoin("", name))
    except ValueError:
        return False
    return True


def _anchor_names(node: Json, known: Set[str]) -> Iterator[str]:
    if not is_object(node):
        return
    for keyword in ("$anchor", "$dynamicAnchor"):
        name = node.get(keyword) if keyword in known else None
        if isinstance(name, str):
            yield name
    name = node.get(_id_in(known))
    if isinstance(name, str) and name.startswith("#") and len(name) > 1:
        yield name[1:]
