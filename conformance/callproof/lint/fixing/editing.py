"""Edits of a JSON text by pointer: everything else stays unchanged, blanks, order and line ends included."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from callproof.lint.document import Document, Pointer
from callproof.lint.fixing.style import style_of
from callproof.lint.rule import Drop, Edit, Fix, Put, Rename, Replace
from callproof.values.jsontext import Json
from callproof.values.positions import Member, Span


class Change(NamedTuple):
    """A part of a text, and its replacement."""

    span: Span
    text: str


class Putting(NamedTuple):
    """A member that an object gets: where the object ends, the object, the name and the value."""

    end: int
    container: Span
    name: str
    value: Json


@dataclass
class Editing:
    """
    Fixes gathered for one document, as long as none touches what another one changes.

    Changes never overlap and are kept in order, so that a new one is compared only with its neighbours.
    """

    document: Document
    changes: list[Change] = field(default_factory=list[Change])
    puts: list[Putting] = field(default_factory=list[Putting])
    # The names that objects get, from a new member or a renamed one.
    names: set[tuple[Span, str]] = field(default_factory=set[tuple[Span, str]])

    def accept(self, base: Pointer, fix: Fix) -> bool:
        """Take a fix whose pointers begin at ``base``; False, with nothing taken, if it must wait or cannot be made."""
        changes: list[Change] = []
        puts: list[Putting] = []
        names: list[tuple[Span, str]] = []
        if not all(self._translated(base, edit, changes, puts, names) for edit in fix.edits):
            return False
        if len({*names}) < len(names) or not self.names.isdisjoint(names):
            return False
        if _collide(each.span for each in changes) or any(_touches(each.span, put) for each in changes for put in puts):
            return False
        if not all(self._is_free(each.span) for each in changes) or not all(self._can_put(each) for each in puts):
            return False
        for change in changes:
            insort(self.changes, change)
        for put in puts:
            insort(self.puts, put, key=lambda each: each.end)
        self.names.update(names)
        return True

    def _is_free(self, span: Span) -> bool:
        """Whether no accepted change alters a part of the text, and no accepted member is put where it ends."""
        place = bisect_left(self.changes, span.start, key=lambda each: each.span.start)
        if _collide(each.span for each in (*self.changes[max(place - 1, 0) : place + 1], Change(span, ""))):
            return False
        first = bisect_left(self.puts, span.start, key=lambda each: each.end)
        last = bisect_right(self.puts, span.end, key=lambda each: each.end)
        return not any(_touches(span, each) for each in self.puts[first:last])

    def _can_put(self, put: Putting) -> bool:
        """Whether an object can get a member in addition to everything that was accepted."""
        place = bisect_right(self.changes, put.end, key=lambda each: each.span.start)
        return not any(_touches(each.span, put) for each in self.changes[max(place - 1, 0) : place])

    def text(self) -> str:
        """The text with everything that was accepted."""
        members: dict[Span, dict[str, Json]] = {}
        for put in self.puts:
            members.setdefault(put.container, {})[put.name] = put.value
        inserted = [self._inserted(container, told) for container, told in members.items()]
        parts: list[str] = []
        done = 0
        for change in sorted((*self.changes, *inserted)):
            parts += (self.document.text[done : change.span.start], change.text)
            done = change.span.end
        return "".join((*parts, self.document.text[done:]))

    def _translated(
        self,
        base: Pointer,
        edit: Edit,
        changes: list[Change],
        puts: list[Putting],
        names: list[tuple[Span, str]],
    ) -> bool:
        """Add the changes that an edit makes, and the names that it gives; False if it cannot be made in this text."""
        match edit:
            case Put(at, key, value):
                container = self._exactly((*base, *at))
                if container is None or self.document.text[container.value.start] != "{":
                    return False
                if self._exactly((*base, *at, key)) is not None:
                    return self._translated(base, Replace((*at, key), value), changes, puts, names)
                names.append((container.value, key))
                puts.append(Putting(self._end(container.value), container.value, key, value))
            case Replace(at, value):
                member = self._exactly((*base, *at))
                if member is None:
                    return False
                changes.append(Change(member.value, self._written((*base, *at), value)))
            case Rename(at, name):
                member = self._exactly((*base, *at))
                if member is None or member.key is None or self._exactly((*base, *at[:-1], name)) is not None:
                    return False
                names.append((self.document.span((*base, *at[:-1])), name))
                changes.append(Change(member.key, json.dumps(name, ensure_ascii=self.document.text.isascii())))
            case Drop(at):
                span = self._without((*base, *at))
                if span is None:
                    return False
                changes.append(Change(span, ""))
        return True

    def _exactly(self, pointer: Pointer) -> Member | None:
        """The member at a pointer; None if there is none, or if its name occurs twice."""
        member = Member("", None, self.document.span(()))
        for token in pointer:
            named = [each for each in self.document.members(member.value) if each.name == token]
            if len(named) != 1:
                return None
            member = named[0]
        return member

    def _written(self, pointer: Pointer, value: Json) -> str:
        container = self.document.span(pointer[:-1])
        return style_of(self.document.text, container, self.document.members(container)).value(value)

    def _without(self, pointer: Pointer) -> Span | None:
        """The part to remove for a member: the member itself with the comma before or after it."""
        gone = self._exactly(pointer)
        if gone is None or not pointer:
            return None
        container = self.document.span(pointer[:-1])
        members = [*self.document.members(container)]
        place = members.index(gone)
        if place + 1 < len(members):
            return Span(_start(gone), _start(members[place + 1]))
        if place:
            return Span(members[place - 1].value.end, gone.value.end)
        return Span(container.start + 1, container.end - 1)

    def _end(self, container: Span) -> int:
        """Where new members of an object are put."""
        there = self.document.members(container)
        return there[-1].value.end if there else container.start + 1

    def _inserted(self, container: Span, members: dict[str, Json]) -> Change:
        """The members that an object gets, at its end."""
        there = self.document.members(container)
        style = style_of(self.document.text, container, there)
        told = [style.member(name, value) for name, value in members.items()]
        if not there:
            return Change(Span(container.start + 1, container.end - 1), style.between.join(told))
        end = there[-1].value.end
        return Change(Span(end, end), "".join(style.between + each for each in told))


def _start(member: Member) -> int:
    return member.value.start if member.key is None else member.key.start


def _collide(spans: Iterable[Span]) -> bool:
    """Whether two of some spans have a character in common."""
    ordered = sorted(spans)
    return any(first.end > second.start for first, second in pairwise(ordered))


def _touches(span: Span, put: Putting) -> bool:
    """Whether a change and a member that an object gets at its end cannot both be made."""
    container = put.container
    whole = span.start <= container.start and container.end <= span.end
    emptied = span == Span(container.start + 1, container.end - 1)
    return whole or emptied or span.start <= put.end < span.end
