"""What a chapter of the specification is made of, as frozen values.

A chapter holds prose, shape blocks, descriptions, requirement blocks and examples.  These are
the values; ``chapters`` and ``yaml_blocks`` read them from Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol, TypeVar

from callproof.values.jsontext import Json


class Level(Enum):
    """How binding a requirement is: a MUST fails the run, a SHOULD is advice, a MAY permits."""

    MUST = "MUST"
    SHOULD = "SHOULD"
    MAY = "MAY"


class Need(Enum):
    """What has to be observed to decide a requirement."""

    L = "the log with its run record and tool registry"
    S = "the plan, schemas or the validator alone, without any run"
    R = "a live run with tools that the suite hosts"
    T = "control of time"
    F = "fault injection in hosted tools"
    O = "an observer of the folder outside the system"  # noqa: E741  the letters are the specification's
    C = "a concurrency barrier"
    K = "planted canary secrets"
    X = "several runs or captures compared"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a chapter, for errors and reports; ``path`` is relative to the root of the project."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class BrokenChapter(ValueError):
    """A chapter breaks the grammar of the specification; says where and what was expected."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(f"{place}: {problem}")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block as written: the words behind its fence, and its text."""

    words: tuple[str, ...]
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Example:
    """One line of a conforming base run, as it may stand and as it breaks the law.

    ``line`` names a file and a 1-based line (``calls 3``), or ``run``.  ``conforms``
    is a merge patch of that line, or None for the line as it stands.  ``violates`` is a
    merge patch, or one of the words ``absent`` and ``twice``, or ``{"text": …}``.
    """

    name: str
    says: str
    base: str
    line: str
    conforms: Json
    violates: Json
    also: tuple[str, ...]
    tools: bool
    requirement: str
    place: Place


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape, written once: JSON Schema 2020-12 with other shapes named in ``$ref``."""

    name: str
    schema: Mapping[str, Json]
    place: Place


@dataclass(frozen=True, slots=True)
class Description:
    """One OpenAPI description; it names shapes by the paths of their files, relative to its own file."""

    name: str
    document: Mapping[str, Json]
    place: Place


@dataclass(frozen=True, slots=True)
class Implied:
    """Another requirement that every fault that breaks this one breaks too, and why."""

    requirement: str
    reason: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative sentence with everything that belongs to it.

    ``excluded`` is the reason why nothing decides it, or None.  ``text`` is the block's
    Markdown as written, which is the page that ``callproof explain`` prints.
    """

    id: str
    title: str
    level: Level
    needs: tuple[Need, ...]
    features: tuple[str, ...]
    origin: str
    sentence: str
    excluded: str | None
    fences: tuple[Fence, ...]
    text: str
    place: Place
    implied_by: Implied | None = None

    @property
    def group(self) -> str:
        """The letters before the number: ``RETRY`` of ``RETRY-03``."""
        return self.id.rpartition("-")[0]

    @property
    def in_a_log(self) -> bool:
        """Whether records alone can decide it."""
        return Need.L in self.needs


@dataclass(frozen=True, slots=True)
class Chapter:
    """One Markdown file under ``spec/``."""

    name: str
    title: str
    requirements: tuple[Requirement, ...]
    fences: tuple[Fence, ...]
    text: str


class Placed(Protocol):
    """A block that knows its place."""

    @property
    def place(self) -> Place: ...


_Block = TypeVar("_Block", bound=Placed)


def by_name(pairs: Iterable[tuple[str, _Block]]) -> Mapping[str, _Block]:
    """The blocks by their names, in their order.  Raises BrokenChapter for a name used twice, with both places."""
    found: dict[str, _Block] = {}
    for name, each in pairs:
        if name in found:
            raise BrokenChapter(each.place, f"{name} is already defined at {found[name].place}")
        found[name] = each
    return found
