"""A document that holds definitions: its text, its value, and where in the text each value is.

It works out positions only when a caller asks for them.  It knows nothing about tools.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

from callproof import limits
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import escape_token, is_array, is_object
from callproof.values.positions import JsonPositions, Member, Positions, Reached, Span, repeated_members, unheld_number

# The names and numbers that lead from a value to one inside it.
Pointer: TypeAlias = tuple[str | int, ...]
Dialect: TypeAlias = Literal["json", "yaml", "toml"]


class Place(NamedTuple):
    """A part of a text as people count it: lines and columns from 1, columns in characters, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


ONE_VALUE = "a file holds one value: put several definitions into one array"


class NotReadable(ValueError):
    """A document cannot be read: which, and why; ``limit`` names the limit that it passed, if that is the reason."""

    def __init__(self, name: str, reason: str, limit: str | None = None) -> None:
        super().__init__(f"{name}: {reason}")
        self.limit = limit


@dataclass(frozen=True, eq=False)
class Document:
    """
    A text and the value that it represents.

    ``name`` is the path as it was given, ``-``, or the address of a live source; ``on_disk`` is true only of a path.
    ``editable`` is false of YAML, and of a text that no person wrote, such as an answer of a server.
    ``repeated`` says that some object names a member twice, ``unheld`` that null stands for some number that is too
    long or too large to hold; ``registry`` is the source that several documents have in common.
    """

    name: str
    text: str
    value: Json
    dialect: Dialect = "json"
    editable: bool = True
    repeated: bool = False
    unheld: bool = False
    registry: str = ""
    on_disk: bool = False

    def span(self, pointer: Pointer) -> Span:
        """Where the value at a pointer is; if there is none, where the nearest value around it is."""
        return self._member(pointer).value

    def label_span(self, pointer: Pointer) -> Span:
        """The few characters that point out a value: a scalar itself, the key of an object or array, or its name."""
        member = self._member(pointer)
        inside = self.members(member.value)
        opening = self.text[member.value.start : member.value.start + 1]
        if self.dialect == "toml" or (not inside and opening not in {"{", "["}):
            return member.value
        if member.key is not None:
            return member.key
        named = next((each for each in inside if each.name == "name"), None)
        if named is not None:
            return named.value
        return Span(member.value.start, min(member.value.start + 1, member.value.end))

    def place(self, pointer: Pointer) -> Place:
        """Line and column of the characters that point out the value at a pointer."""
        return self.place_of(self.label_span(pointer))

    def place_of(self, span: Span) -> Place:
        """A part of the text, in lines and columns."""
        line, column = self._line_and_column(span.start)
        return Place(line, column, *self._line_and_column(span.end))

    def line(self, number: int) -> str:
        """One line of the text, counted from 1, without its end."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def members(self, container: Span) -> Sequence[Member]:
        """What is inside the object or array at a span."""
        return self._positions.members(container)

    @cached_property
    def duplicates(self) -> tuple[Reached, ...]:
        """Members that have the same name as an earlier member of their object."""
        return tuple(repeated_members(self._positions)) if self.repeated else ()

    def unheld_number(self, pointer: Pointer) -> Reached | None:
        """A number inside the value at a pointer, if null replaces it in the value; None if there is none."""
        if not self.unheld:  # nearly always, and then no position has to be worked out
            return None
        return unheld_number(self._positions, self.text, Reached(pointer, self._member(pointer)))

    def _member(self, pointer: Pointer) -> Member:
        member = Member("", None, self._positions.root())
        for token in pointer:
            named = self._named.get(member.value)
            if named is None:
                # If members share a name, the last one counts.
                named = {each.name: each for each in self._positions.members(member.value)}
                self._named[member.value] = named
            inner = named.get(token)
            if inner is None:
                break
            member = inner
        return member

    @cached_property
    def _named(self) -> dict[Span, dict[str | int, Member]]:
        """The members of the objects and arrays that were looked up so far, by name."""
        return {}

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        while (end := self.text.find("\n", starts[-1])) >= 0:
            starts.append(end + 1)
        return starts

    @cached_property
    def _positions(self) -> Positions:
        if self.dialect == "yaml":
            from callproof.lint.yaml_text import YamlPositions  # noqa: PLC0415  which most documents do without

            return YamlPositions(self.text)
        if self.dialect == "toml":
            from callproof.lint.toml_text import TomlPositions  # noqa: PLC0415  which findings rarely are about

            return TomlPositions(self.text)
        return JsonPositions(self.text)


def read_document(name: str, raw: bytes, dialect: Dialect = "json") -> Document:
    """The document that some bytes represent.  Raises NotReadable."""
    if len(raw) > limits.LINT_DOCUMENT_BYTES:
        most = limits.LINT_DOCUMENT_BYTES // limits.MIB
        raise NotReadable(name, f"is larger than {most} MiB; permitted: less", "document size")
    if dialect == "yaml":
        from callproof.lint.yaml_text import read_yaml  # noqa: PLC0415  which most documents do without

        read = read_yaml(name, raw)
        return Document(name, read.text, read.value, "yaml", False, read.repeated, read.unheld)
    repeated: list[str] = []
    unheld: list[str] = []
    try:
        value = read_json(raw, repeated=repeated, unheld=unheld)
    except NotStrictJson as error:
        raise NotReadable(name, _why_unread(name, error), error.limit) from None
    return Document(name, raw.decode("utf-8"), value, repeated=bool(repeated), unheld=bool(unheld))


def _why_unread(name: str, error: NotStrictJson) -> str:
    """Why a text is not a JSON document, in a clause, with a hint."""
    if error.limit:
        return f"the text {error} (limit: {error.limit})"
    if error.fault == "empty":
        return str(error)
    helps = f"; {ONE_VALUE}" if str(error).startswith("Extra data") else ""
    if name.endswith(".py"):
        helps = "; name a Python module with --module package.module:TOOLS"
    elif not helps and PurePath(name).suffix.lower() not in {"", ".json"}:
        helps = "; a file is read as JSON unless its name ends in .yaml or .yml"
    return f"not JSON: {error}{helps}"


def document_of(name: str, value: Json) -> Document:
    """A document made from a value that came from no file, so that findings in it have a place too."""
    return Document(name, json.dumps(value, indent=2, ensure_ascii=False) + "\n", value, editable=False)


def value_at(value: Json, pointer: Pointer) -> Json:
    """The value at a pointer; None if there is none."""
    for token in pointer:
        if is_object(value) and isinstance(token, str):
            value = value.get(token)
        elif is_array(value) and isinstance(token, int) and 0 <= token < len(value):
            value = value[token]
        else:
            return None
    return value


def pointer_text(pointer: Pointer) -> str:
    """A pointer as RFC 6901 writes it."""
    return "".join(f"/{escape_token(str(token))}" for token in pointer)
