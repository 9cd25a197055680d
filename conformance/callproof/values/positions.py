"""Where the values of a text stand: the offsets of each member of a JSON text, computed on request.

The standard library's scanner skips each value that is not asked for, so a thousand tools cost
little.  Does not know about tools, and assumes that the text is JSON: its reader has checked that before.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from callproof import limits

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_BLANK = re.compile(r"[ \t\n\r]*")
# Digits stay text: the number is not needed, and converting a long one costs time.
_SCAN = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode


class Span(NamedTuple):
    """A part of a text: offsets in characters, the end exclusive."""

    start: int
    end: int


class Member(NamedTuple):
    """One value inside another one: its name or index, and where the name and the value stand."""

    name: str | int
    key: Span | None
    value: Span


class Reached(NamedTuple):
    """A member and the names that lead to it."""

    pointer: tuple[str | int, ...]
    member: Member


class Positions(Protocol):
    """Where things stand in a text."""

    def root(self) -> Span:
        """The whole value."""
        ...

    def members(self, container: Span) -> Sequence[Member]:
        """The members of the object or array that stands there, in order, repeated names included."""
        ...


class JsonPositions:
    """Where things stand in a JSON text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[int, tuple[Member, ...]] = {}
        self._root = Span(self._blank(0), len(text.rstrip()))

    def root(self) -> Span:
        """The whole value."""
        return self._root

    def members(self, container: Span) -> tuple[Member, ...]:
        """The members of the object or array that stands there, in order, repeated names included."""
        known = self._known.get(container.start)
        if known is None:
            opening = self._text[container.start]
            read = self._of_object if opening == "{" else self._of_array if opening == "[" else None
            known = self._known[container.start] = () if read is None else tuple(read(container.start))
        return known

    def _of_object(self, start: int) -> list[Member]:
        text, found, at = self._text, list[Member](), self._blank(start + 1)
        while text[at] == '"':
            name, key_end = _SCAN(text, at)
            value = self._blank(self._blank(key_end) + 1)
            end = _SCAN(text, value)[1]
            found.append(Member(name, Span(at, key_end), Span(value, end)))
            at = self._blank(end)
            if text[at] == ",":
                at = self._blank(at + 1)
        return found

    def _of_array(self, start: int) -> list[Member]:
        text, found, at = self._text, list[Member](), self._blank(start + 1)
        while text[at] != "]":
            end = _SCAN(text, at)[1]
            found.append(Member(len(found), None, Span(at, end)))
            at = self._blank(end)
            if text[at] == ",":
                at = self._blank(at + 1)
        return found

    def _blank(self, at: int) -> int:
        if self._text[at : at + 1] > " ":  # true for most calls: the character is not a blank
            return at
        match = _BLANK.match(self._text, at)
        return at if match is None else match.end()


def repeated_members(positions: Positions, most: int = limits.FINDINGS_SHOWN_PER_REQUIREMENT) -> list[Reached]:
    """Members that have the same name as an earlier member of their object, as paths to them."""
    found: list[Reached] = []
    waiting: list[Reached] = [Reached((), Member("", None, positions.root()))]
    while waiting and len(found) < most:
        path = waiting.pop()
        seen: set[str | int] = set()
        for member in positions.members(path.member.value):
            inner = Reached((*path.pointer, member.name), member)
            if member.name in seen:
                found.append(inner)
            seen.add(member.name)
            waiting.append(inner)
    return sorted(found, key=lambda each: each.member.value.start)


def unheld_number(positions: Positions, text: str, within: Reached) -> Reached | None:
    """Some number inside a value that is too long or too large to hold, as the path to it; None if there is none."""
    waiting = [within]
    while waiting:
        path = waiting.pop()
        for member in positions.members(path.member.value):
            inner = Reached((*path.pointer, member.name), member)
            if _is_unheld(text, member.value):
                return inner
            waiting.append(inner)
    return None


def _is_unheld(text: str, span: Span) -> bool:
    if not _NUMBER.fullmatch(text, span.start, span.end):
        return False
    return span.end - span.start > limits.DIGITS or math.isinf(float(text[span.start : span.end]))
