"""How to write JSON that is put into a text: its separators, its indent, its line ends."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.positions import Member, Span

_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Style:
    """The text between two members of an object and between a name and its value, and the indent of a level."""

    between: str
    colon: str
    indent: str
    unit: str
    ascii_only: bool

    @property
    def in_lines(self) -> bool:
        """Whether each member has a line of its own."""
        return "\n" in self.between

    def member(self, name: str, value: Json) -> str:
        """A member in the style of this text."""
        return f"{json.dumps(name, ensure_ascii=self.ascii_only)}{self.colon}{self.value(value)}"

    def value(self, value: Json) -> str:
        """A value in the style of this text."""
        inner = value.values() if is_object(value) else value if is_array(value) else ()
        if not self.in_lines or not any(is_object(each) or is_array(each) for each in inner):
            comma = "," if self.colon == ":" else ", "
            return json.dumps(value, ensure_ascii=self.ascii_only, separators=(comma, self.colon))
        lines = json.dumps(value, ensure_ascii=self.ascii_only, indent=self.unit, separators=(",", self.colon))
        end = "\r\n" if "\r\n" in self.between else "\n"
        return f"{end}{self.indent}".join(lines.split("\n"))


def style_of(text: str, container: Span, members: Sequence[Member]) -> Style:
    """The style of an object in a text, taken from its last members; for an empty one, from the text around it."""
    ascii_only = text.isascii()
    if not members:
        return Style(", ", _colon(text), "", "  ", ascii_only)
    last = members[-1]
    start = last.value.start if last.key is None else last.key.start
    colon = ": " if last.key is None else text[last.key.end : last.value.start]
    alone = "," + (text[container.start + 1 : start] or (" " if colon == ": " else ""))
    between = "," + text[members[-2].value.end : start].partition(",")[2] if len(members) > 1 else alone
    indent = between.rpartition("\n")[2] if "\n" in between else ""
    outer = _indent_of_line(text, container.start)
    unit = indent[len(outer) :] if indent.startswith(outer) and len(indent) > len(outer) else "  "
    return Style(between, colon if "\n" not in colon else ": ", indent, unit, ascii_only)


def _indent_of_line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(_BLANKS))]


def _colon(text: str) -> str:
    return ": " if '": ' in text or '"' not in text else ":"
