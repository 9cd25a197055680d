"""What reading the chapters gave, kept in ``spec/index.jsonl``: no command has to read Markdown when it starts.

The index has what was found, and on which lines it stands; the texts are taken from the
chapters.  It names the digest of each chapter, and a chapter that was edited since is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from callproof.resources import SPEC
from callproof.spec.blocks import Chapter, Fence, Implied, Level, Need, Place, Requirement

NAME = "index.jsonl"


class _Fence(msgspec.Struct, array_like=True):
    words: list[str]
    # The line of the fence, and the line of the one that closes it.
    first: int
    last: int


class _Requirement(msgspec.Struct, omit_defaults=True):
    id: str
    title: str
    level: Level
    needs: str
    origin: str
    sentence: str
    # The lines of the whole block.
    first: int
    last: int
    features: list[str] = []
    excluded: str | None = None
    implied_by: tuple[str, str] | None = None
    fences: list[_Fence] = []


class _Chapter(msgspec.Struct, omit_defaults=True):
    name: str
    sha256: str
    title: str
    requirements: list[_Requirement] = []
    fences: list[_Fence] = []


def indexed(name: str, text: str) -> Chapter | None:
    """A chapter by its name and its text; None if the index was made of another text."""
    entry = _entries().get(name)
    return None if entry is None or entry.sha256 != _digest(text) else _chapter(entry, text)


def index_of(chapters: Iterable[Chapter]) -> str:
    """The text of the index of some chapters.  One that would not come back as it is stays out, and is always read."""
    entries = ((_entry(each), each) for each in chapters)
    kept = (entry for entry, each in entries if _chapter(entry, each.text) == each)
    return msgspec.json.Encoder().encode_lines(kept).decode()


@cache
def _entries() -> Mapping[str, _Chapter]:
    file = SPEC / NAME
    try:
        entries = msgspec.json.Decoder(_Chapter).decode_lines(file.read_bytes())
    except (FileNotFoundError, msgspec.DecodeError):  # then every chapter is read, and the index can be made again
        return {}
    return {each.name: each for each in entries}


def _chapter(entry: _Chapter, text: str) -> Chapter:
    path, lines = f"spec/{entry.name}.md", text.splitlines()
    return Chapter(
        name=entry.name,
        title=entry.title,
        requirements=tuple(_requirement(each, path, lines) for each in entry.requirements),
        fences=_fences(entry.fences, path, lines),
        text=text,
    )


def _requirement(entry: _Requirement, path: str, lines: Sequence[str]) -> Requirement:
    return Requirement(
        id=entry.id,
        title=entry.title,
        level=entry.level,
        needs=tuple(Need[letter] for letter in entry.needs.split()),
        features=tuple(entry.features),
        origin=entry.origin,
        sentence=entry.sentence,
        excluded=entry.excluded,
        fences=_fences(entry.fences, path, lines),
        text="\n".join(lines[entry.first - 1 : entry.last]),
        place=Place(path, entry.first),
        implied_by=Implied(*entry.implied_by) if entry.implied_by else None,
    )


def _fences(entries: Iterable[_Fence], path: str, lines: Sequence[str]) -> tuple[Fence, ...]:
    return tuple(
        Fence(tuple(each.words), _inside(lines, each.first, each.last), Place(path, each.first)) for each in entries
    )


def _inside(lines: Sequence[str], first: int, last: int) -> str:
    return "".join(f"{line}\n" for line in lines[first : last - 1])


def _entry(chapter: Chapter) -> _Chapter:
    return _Chapter(
        name=chapter.name,
        sha256=_digest(chapter.text),
        title=chapter.title,
        requirements=[_requirement_entry(each) for each in chapter.requirements],
        fences=[_fence_entry(each) for each in chapter.fences],
    )


def _requirement_entry(one: Requirement) -> _Requirement:
    return _Requirement(
        id=one.id,
        title=one.title,
        level=one.level,
        needs=" ".join(need.name for need in one.needs),
        origin=one.origin,
        sentence=one.sentence,
        first=one.place.line,
        last=one.place.line + one.text.count("\n"),
        features=list(one.features),
        excluded=one.excluded,
        implied_by=(one.implied_by.requirement, one.implied_by.reason) if one.implied_by else None,
        fences=[_fence_entry(each) for each in one.fences],
    )


def _fence_entry(fence: Fence) -> _Fence:
    return _Fence(list(fence.words), fence.place.line, fence.place.line + fence.text.count("\n") + 1)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
