"""The tree that the lines of a session form, and the ways through it that are conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from callproof.protocols.agent_loop.transcripts.telling import Result
from callproof.protocols.entries import Entry

_PARENT: Final = "parentUuid"
_BEFORE_COMPACTION: Final = "logicalParentUuid"
_SPOKEN: Final = ("user", "assistant")


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """
    One line of a session, and its number.

    ``reply`` is the reply that it belongs to, ``calls`` the ids of the calls in it, and ``results`` the results in it.
    """

    entry: Entry
    at: int
    reply: str | None
    calls: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def is_spoken(self) -> bool:
        """Whether the line is a message, as opposed to a note of a program."""
        return self.entry.value.get("type") in _SPOKEN

    @property
    def is_of_a_sub_agent(self) -> bool:
        """Whether it belongs to a conversation that another conversation began."""
        return self.entry.value.get("isSidechain") is True

    @property
    def parent(self) -> str | None:
        """The parent of the line; for the first line after a compaction, the last one before it."""
        return self.entry.text(_PARENT) or self.entry.text(_BEFORE_COMPACTION)

    @property
    def is_behind_a_compaction(self) -> bool:
        """Whether a compaction summed up what came before the line, so that the model is no longer given it."""
        if self.entry.text(_PARENT) is None and self.entry.text(_BEFORE_COMPACTION) is not None:
            return True
        return self.entry.value.get("subtype") == "compact_boundary"


@dataclass(frozen=True, slots=True)
class Way:
    """Some lines one after the other; ``goes_on`` if the conversation may continue after the last of them."""

    lines: tuple[Line, ...]
    goes_on: bool


def ways_of(lines: Sequence[Line]) -> Iterator[Way]:
    """
    The ways that are judged: in each tree of the lines the way to what was written last, cut at compactions.

    Without parents, lines are in the order of their conversation; those of a sub-agent name the call they serve.
    """
    if not any(_PARENT in each.entry.value for each in lines):
        groups: dict[str | None, list[Line]] = {}
        for each in lines:
            groups.setdefault(each.entry.text("parent_tool_use_id"), []).append(each)
        for group in groups.values():
            yield from _cut(group, goes_on=True)
        return
    by_id = {name: each for each in lines if (name := each.entry.text("uuid")) is not None}
    trees = [tree for tree in _trees(by_id) if any(each.is_spoken for each in tree)]
    users = [tree for tree in trees if not tree[0].is_of_a_sub_agent]
    # Of several conversations of the user, all but the last one were abandoned, unless lines between them are missing.
    last = max(users, key=lambda tree: _last_spoken(tree).at, default=None)
    has_holes = any(each.parent is not None and each.parent not in by_id for tree in users[1:] for each in tree)
    for tree in trees:
        goes_on = has_holes or tree[0].is_of_a_sub_agent or tree is last
        yield from _cut(_way_to_the_leaf(tree, by_id), goes_on=goes_on)


def _cut(way: Sequence[Line], *, goes_on: bool) -> Iterator[Way]:
    begins = [0, *(at for at, each in enumerate(way) if at and each.is_behind_a_compaction), len(way)]
    for first, end in pairwise(begins):
        yield Way(tuple(way[first:end]), goes_on and end == len(way))


def _trees(by_id: Mapping[str, Line]) -> list[list[Line]]:
    """The lines of each tree, in their order; a line whose parent is missing is the root of a tree."""
    roots: dict[int, int] = {}
    trees: dict[int, list[Line]] = {}
    for line in by_id.values():
        trail: dict[int, None] = {}
        here, parent = line, _parent_of(line, by_id)
        while here.at not in roots and parent is not None and here.at not in trail:
            trail[here.at] = None
            here, parent = parent, _parent_of(parent, by_id)
        root = roots.setdefault(here.at, here.at)
        roots.update(dict.fromkeys(trail, root))
        trees.setdefault(root, []).append(line)
    return list(trees.values())


def _parent_of(line: Line, by_id: Mapping[str, Line]) -> Line | None:
    parent = by_id.get(line.parent) if line.parent is not None else None
    is_of_another = parent is not None and parent.is_of_a_sub_agent is not line.is_of_a_sub_agent
    return None if is_of_another else parent


def _way_to_the_leaf(tree: Sequence[Line], by_id: Mapping[str, Line]) -> Sequence[Line]:
    """
    The way from the root to what was said last.

    A result may lie beside the way: if a result was written last, what was said before it is the leaf.
    """
    way = _upwards(_last_spoken(tree), by_id)
    said = next((each for each in reversed(tree) if each.is_spoken and not each.results), None)
    if said is not None and not any(each is said for each in way):
        way = _upwards(said, by_id)
    return way[::-1]


def _last_spoken(tree: Sequence[Line]) -> Line:
    return next(each for each in reversed(tree) if each.is_spoken)


def _upwards(leaf: Line, by_id: Mapping[str, Line]) -> list[Line]:
    way: dict[int, Line] = {}
    here: Line | None = leaf
    while here is not None and here.at not in way:
        way[here.at] = here
        here = _parent_of(here, by_id)
    return list(way.values())
