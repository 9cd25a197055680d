"""What a pattern is made of, once it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from callproof.lint.schemas.patterns.characters import Ranges


@dataclass(frozen=True, slots=True)
class Characters:
    """One character out of a set; if the set is not exact, it holds every character."""

    ranges: Ranges
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after the other; the empty text if there are none."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, several times; ``most`` is None if there is no bound.  A lazy one tries fewer times first."""

    part: Pattern
    least: int
    most: int | None
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters: the start, the end, or a boundary of a word."""

    kind: Literal["start", "end", "word"]


@dataclass(frozen=True, slots=True)
class Look:
    """A part that is looked for and not consumed."""

    part: Pattern


@dataclass(frozen=True, slots=True)
class Backreference:
    """The text of an earlier group again."""


Pattern: TypeAlias = Characters | Sequence | Choice | Repeat | Edge | Look | Backreference
