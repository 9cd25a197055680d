"""The conventions for tool definitions, as data: their laws, their shapes, and the canonical tools.

They stand in ``spec/tools/`` and have a registry of their own.  The requirements of the
envelope judge what an executor did; these judge what the author of a tool wrote, and the
rules of ``callproof lint`` carry their ids.  This room does not know how a rule decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property

from callproof.resources import SPEC
from callproof.spec.blocks import BrokenChapter, Level, Place, Shape, by_name
from callproof.spec.chapters import (
    Section,
    fences_in,
    law,
    level,
    sections,
    table,
    tokens_of,
)
from callproof.spec.yaml_blocks import named_blocks
from callproof.values.jsontext import Json

_HEADING = re.compile(r"^([A-Z]+\d{3}) · (\S.*)$")
_COLUMNS = ("level", "decided by", "origin")


class DecidedBy(Enum):
    """What is needed to decide a convention."""

    DEFINITION = "definition"
    REGISTRY = "registry"
    PLAN = "plan"
    RUNNING = "only by running"


@dataclass(frozen=True, slots=True)
class Convention:
    """One law of the conventions; ``text`` is the block's Markdown as written."""

    id: str
    title: str
    level: Level
    decided_by: DecidedBy
    origin: str
    sentence: str
    text: str
    place: Place

    @property
    def group(self) -> str:
        """The letters before the number: ``IDEM`` of ``IDEM001``."""
        return self.id.rstrip("0123456789")


@dataclass(frozen=True, slots=True)
class CanonicalTool:
    """What is said of a canonical tool; its schemas are the shapes ``<name>.input`` and ``….output``."""

    name: str
    said: Mapping[str, Json]
    place: Place


@dataclass(frozen=True, slots=True)
class ToolChapter:
    """One Markdown file under ``spec/tools/``."""

    name: str
    conventions: tuple[Convention, ...]
    shapes: tuple[Shape, ...]
    tools: tuple[CanonicalTool, ...]
    text: str


@dataclass(frozen=True)
class Conventions:
    """All chapters of the conventions, by name in alphabetical order."""

    chapters: tuple[ToolChapter, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Convention]:
        """Every convention by its id.  Raises BrokenChapter for an id used twice."""
        return by_name((each.id, each) for chapter in self.chapters for each in chapter.conventions)

    @cached_property
    def shapes(self) -> Mapping[str, Shape]:
        """Every shape by its name.  Raises BrokenChapter for a name used twice."""
        return by_name((each.name, each) for chapter in self.chapters for each in chapter.shapes)

    @cached_property
    def tools(self) -> Mapping[str, CanonicalTool]:
        """Every canonical tool by its name.  Raises BrokenChapter for a name used twice."""
        return by_name((each.name, each) for chapter in self.chapters for each in chapter.tools)


def read_tool_chapter(name: str, text: str) -> ToolChapter:
    """The chapter in a Markdown text.  Raises BrokenChapter if the text does not follow the grammar."""
    path = f"spec/tools/{name}.md"
    tokens = tokens_of(text)
    fences = fences_in(path, tokens)
    return ToolChapter(
        name=name,
        conventions=tuple(_conventions(sections(path, tokens, text, _HEADING))),
        shapes=tuple(Shape(*block) for block in named_blocks(fences, "shape")),
        tools=tuple(CanonicalTool(*block) for block in named_blocks(fences, "tool")),
        text=text,
    )


def _conventions(blocks: Iterable[Section]) -> Iterator[Convention]:
    for block in blocks:
        cells = table(block, _COLUMNS)
        yield Convention(
            id=block.id,
            title=block.title,
            level=level(block, cells[0]),
            decided_by=_decided_by(block, cells[1]),
            origin=cells[2],
            sentence=" ".join(law(block)[0].split()),
            text=block.text,
            place=block.place,
        )


def _decided_by(block: Section, text: str) -> DecidedBy:
    try:
        return DecidedBy(text)
    except ValueError:
        permitted = ", ".join(each.value for each in DecidedBy)
        raise BrokenChapter(block.place, f"{block.id} is decided by {text!r}; permitted: {permitted}") from None


@cache
def conventions() -> Conventions:
    """The conventions that this installation carries."""
    texts = {
        entry.name.removesuffix(".md"): entry.read_text(encoding="utf-8")
        for entry in (SPEC / "tools").iterdir()
        if entry.name.endswith(".md")
    }
    return Conventions(tuple(read_tool_chapter(name, texts[name]) for name in sorted(texts)))
