"""The whole specification: every chapter, and by name what the chapters contain."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from callproof.resources import SPEC
from callproof.spec.blocks import Chapter, Description, Requirement, Shape, by_name
from callproof.spec.index import indexed

# The version of the specification, as logs and statements name it.
SPEC_VERSION = "1.0"
_GROUP_AND_NUMBER = re.compile(r"([A-Z]+)-?0*([0-9]{1,9})")
_LINK = re.compile(r"\]\(([a-z-]+)\.md\)")


class UnknownRequirement(LookupError):
    """No requirement has this id; names the nearest ones."""

    def __init__(self, wanted: str, nearest: tuple[str, ...]) -> None:
        self.wanted = wanted
        self.nearest = nearest
        super().__init__(str(self))

    def __str__(self) -> str:
        hint = f" Did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        return f"No requirement is called {self.wanted!r}.{hint} `callproof coverage` lists them all."


@dataclass(frozen=True)
class Specification:
    """All chapters, in the order of their names."""

    chapters: tuple[Chapter, ...]

    @cached_property
    def requirements(self) -> Mapping[str, Requirement]:
        """Every requirement by id, in chapter order.  Raises BrokenChapter for an id used twice."""
        return by_name((each.id, each) for chapter in self.chapters for each in chapter.requirements)

    @cached_property
    def shapes(self) -> Mapping[str, Shape]:
        """Every shape by name.  Raises BrokenChapter for a name used twice."""
        from callproof.spec.yaml_blocks import shapes_in  # noqa: PLC0415  few commands read shapes, or any YAML

        return by_name((each.name, each) for chapter in self.chapters for each in shapes_in(chapter))

    @cached_property
    def descriptions(self) -> Mapping[str, Description]:
        """Every OpenAPI description by name.  Raises BrokenChapter for a name used twice."""
        from callproof.spec.yaml_blocks import descriptions_in  # noqa: PLC0415  as above

        return by_name((each.name, each) for chapter in self.chapters for each in descriptions_in(chapter))

    def requirement(self, wanted: str) -> Requirement:
        """
        The requirement with this id, whatever its case.

        Raises UnknownRequirement, which names the nearest ids.
        """
        found = self.requirements.get(wanted.strip().upper())
        if found is None:
            raise UnknownRequirement(wanted, self._nearest(wanted.strip().upper()))
        return found

    def _nearest(self, wanted: str) -> tuple[str, ...]:
        if _padded(wanted) in self.requirements:
            return (_padded(wanted),)
        members = tuple(name for name, each in self.requirements.items() if each.group == wanted)
        return members or tuple(difflib.get_close_matches(wanted, self.requirements, n=3, cutoff=0.6))


def _padded(name: str) -> str:
    """``RETRY-3`` and ``RETRY3`` as ``RETRY-03``, which is what they mean."""
    told = _GROUP_AND_NUMBER.fullmatch(name)
    return f"{told[1]}-{told[2]:0>2}" if told else name


@cache
def specification() -> Specification:
    """The specification that this installation carries, in the order in which its introduction names the chapters."""
    texts = {
        entry.name.removesuffix(".md"): entry.read_text(encoding="utf-8")
        for entry in SPEC.iterdir()
        if entry.name.endswith(".md")
    }
    named = ["introduction", *_LINK.findall(texts.get("introduction", ""))]
    order = {name: place for place, name in reversed(list(enumerate(named)))}
    names = sorted(texts, key=lambda name: (order.get(name, len(named)), name))
    return Specification(tuple(_chapter(name, texts[name]) for name in names))


def _chapter(name: str, text: str) -> Chapter:
    known = indexed(name, text)
    if known is not None:
        return known
    from callproof.spec.chapters import read_chapter  # noqa: PLC0415  only for a chapter that was edited

    return read_chapter(name, text)


@cache
def protocol_named(name: str) -> Specification:
    """One of the protocols beside the envelope, by the name of its chapter."""
    text = (SPEC / "protocols" / f"{name}.md").read_text(encoding="utf-8")
    return Specification((_chapter(f"protocols/{name}", text),))


@cache
def protocols() -> Mapping[str, Specification]:
    """All protocols beside the envelope, by their names."""
    files = (entry.name for entry in (SPEC / "protocols").iterdir())
    return {
        name: protocol_named(name)
        for name in sorted(each.removesuffix(".md") for each in files if each.endswith(".md"))
    }


@cache
def whole_specification() -> Specification:
    """The specification and all protocols, for callers that look up a requirement by its id."""
    beside = (chapter for each in protocols().values() for chapter in each.chapters)
    return Specification((*specification().chapters, *beside))
