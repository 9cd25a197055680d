"""A log that is one JSON document, an array or an object with one: written all at once, not line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from callproof import limits
from callproof.auditlog.files import Line, is_blank
from callproof.values.jsontext import Json, NotStrictJson, read_json, refuse_depth
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.positions import JsonPositions, Span

# The members in which a document that is an object has its elements: the common name, and those of Gemini's interface
# and of Responses.
ELEMENTS: Final = ("messages", "contents", "input")
# Members of an object that is a message, an event or a record by itself.
OF_ONE: Final = frozenset({"role", "type", "kind"})
# How a document begins, but no line of JSON lines: with an array, or with an object that continues in the next line.
_BEGINS: Final = re.compile(rb"[ \t\r]*(?:\[|\{[ \t\r]*$)")
# The beginning of the clause about a document whose writer stopped in the middle of it.
BROKEN_OFF: Final = "the document breaks off"
# What may follow the place where a reader stopped in a cut-off text: nothing, or the beginning of a string or a word.
_CUT: Final = re.compile(r'\s*(?:"(?:[^"\\]|\\.)*+\\?|[-+.\w\\]*\s*)', re.DOTALL)


class BreaksOff(ValueError):
    """A document whose writer stopped in the middle of it, in the line ``line``."""

    def __init__(self, line: int) -> None:
        super().__init__(f"{BROKEN_OFF} in line {line}")
        self.line = line


class Element(NamedTuple):
    """One element of a document: its value, and the line in which it begins."""

    value: Json
    line: int


def read_document(lines: Iterator[Line]) -> tuple[list[Element] | None, Iterator[Line]]:
    """
    The elements of a log that is one document; None for any other log, with all its lines given back.

    Raises NotStrictJson if the document is JSON but not strict JSON, and BreaksOff if it was cut off.
    """
    begun: list[Line] = []
    for line in lines:
        begun.append(line)
        if line.too_long or not is_blank(line.raw):
            break
    if not begun or not _BEGINS.match(begun[-1].raw):
        return None, chain(begun, lines)
    size = sum(len(each.raw) for each in begun)
    for line in lines:
        begun.append(line)
        size += len(line.raw)
        if line.too_long or size > limits.RUN_FILE_BYTES:
            return None, chain(begun, lines)
    return _elements(b"\n".join(each.raw for each in begun)), iter(begun)


def _elements(raw: bytes) -> list[Element] | None:
    try:
        whole = read_json(raw)
    except NotStrictJson:
        if _is_read_leniently(raw):
            raise
        if _is_cut(raw):
            raise BreaksOff(raw.rstrip().count(b"\n") + 1) from None
        return None  # JSON lines, the first of which begins like a document
    text = raw.decode()
    positions = JsonPositions(text)
    root = positions.root()
    if is_array(whole):
        return list(_placed(text, positions, root, whole))
    name = elements_of(whole) if is_object(whole) else None
    if name is None or not is_object(whole):
        return [Element(whole, text.count("\n", 0, root.start) + 1)]
    span = next(each.value for each in positions.members(root) if each.name == name)
    values = whole[name]
    return [*_tools(whole), *_placed(text, positions, span, values if is_array(values) else ())]


def elements_of(whole: Mapping[str, Json]) -> str | None:
    """The member in which an object has a conversation; None for any other object."""
    name = next((each for each in ELEMENTS if is_array(whole.get(each))), None)
    return None if name == "input" and not whole.keys().isdisjoint(OF_ONE) else name


def _tools(whole: Mapping[str, Json]) -> Iterator[Element]:
    """The tools that a request to a model lists, in the form in which a capture notes them."""
    tools = whole.get("tools")
    if is_array(tools):
        yield Element({"kind": "meta", "tools": tools}, 1)


def _placed(text: str, positions: JsonPositions, array: Span, values: Sequence[Json]) -> Iterator[Element]:
    line, at = 1, 0
    for member, value in zip(positions.members(array), values, strict=True):
        line += text.count("\n", at, member.value.start)
        at = member.value.start
        yield Element(value, line)


def _is_read_leniently(raw: bytes) -> bool:
    """Whether a lenient reader takes a text as JSON, for example one that accepts a repeated member."""
    try:
        read_json(raw, repeated=[], unheld=[])
    except NotStrictJson:
        return False
    return True


def _is_cut(raw: bytes) -> bool:
    """Whether a text is the beginning of a JSON document: the reader found no error before the end of the text."""
    text = raw.decode(errors="ignore")
    try:
        refuse_depth(raw)
        json.JSONDecoder().raw_decode(text, len(text) - len(text.lstrip()))
    except json.JSONDecodeError as error:
        return _CUT.fullmatch(text, error.pos) is not None
    except ValueError:
        return False  # a bound was exceeded before the end was reached
    return False
