"""One schema compared with another: whether the right one takes each value that the left one takes.

It goes through both side by side, member by member and keyword by keyword.  Each condition
of the right one is put to an engine together with the whole left one.  If the engine
says no, or does not know, a search looks for a value that shows the gap.  A gap that was
not decided is not certain; if there is no gap at all, the right one takes every value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from callproof.lint.schemas.alike import Alike
from callproof.lint.schemas.conditions import (
    EVALUATING,
    ITEMS,
    MEMBERS,
    alone,
    closed,
    has_same,
    is_nested,
    members_of,
    mentions_format,
    names_in,
    same_patterns,
)
from callproof.lint.schemas.gaps import Gap
from callproof.lint.schemas.holding import of_items, of_member, of_others
from callproof.lint.schemas.patterns.inclusion import included, text_not_matched
from callproof.lint.schemas.sides import LEFT, RIGHT, TEXTS, Node, Sides
from callproof.lint.schemas.unions import branches, conditions
from callproof.lint.schemas.walk import Place
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array

Within = tuple[str, ...]
_STEPS = 4_000
_MOST = 500
# Keywords that belong together: the ones on the right say what the first one means.
_WITH = {"contains": ("minContains", "maxContains"), "if": ("then", "else")}
_PART_OF_ANOTHER = frozenset({"minContains", "maxContains", "then", "else"})


def gaps(left: Json, right: Json) -> tuple[Gap, ...]:
    """
    Where the left schema takes values that the right one refuses; both in draft 2020-12, with references by address.

    Without a gap, the right one takes every value that the left one takes.
    """
    if write_json(left).replace(LEFT, RIGHT) == write_json(right):
        return ()
    comparing = _Comparing(Sides(left, right))
    found = comparing.between((), (comparing.sides.node(LEFT, ()),), comparing.sides.node(RIGHT, ()))
    different = {(gap.kind, gap.keyword, gap.within, gap.left, gap.right): gap for gap in reversed(found)}
    return tuple(reversed(different.values()))[:_MOST]


class _Comparing:
    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self._alike = Alike(sides)
        self._met: set[tuple[tuple[Place, ...], Place]] = set()
        self._steps = 0

    def between(self, within: Within, left: tuple[Node, ...], right: Node) -> list[Gap]:
        """The gaps between what some nodes take together and what one node takes."""
        key = (tuple(node.place for node in left), right.place)
        if key in self._met or right.schema in (True, {}) or any(node.schema is False for node in left):
            return []
        self._met.add(key)
        self._steps += 1
        gap = Gap("narrowed", "false", within, left[0].place, right.place)
        if self._steps > _STEPS:
            return [replace(gap, keyword="", certain=False, limit="steps of a comparison")]
        if right.schema is False:
            return [*self._settled(gap, left, False)]
        left = conditions(self.sides, left)
        if not mentions_format(right.schema) and self.sides.within(left, right.address) is True:
            return []
        divided = branches(self.sides, left) if is_nested(right) or not right.plain else None
        if divided is not None:
            return [gap for branch in divided for gap in self.between(within, branch, right)]
        return [*self._conditions(within, left, right)]

    def _conditions(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        for keyword, value in right.conditions.items():
            if keyword in TEXTS | _PART_OF_ANOTHER | MEMBERS | ITEMS or keyword.startswith("x-"):
                continue
            if keyword == "$ref":
                yield from self.between(within, left, self.sides.referred(right))
            elif keyword == "allOf" and is_array(value):
                for number in range(len(value)):
                    yield from self.between(within, left, self.sides.node(RIGHT, right.below("allOf", number)))
            elif keyword in {"anyOf", "oneOf"} and is_array(value):
                yield from self._union(within, left, right, keyword)
            elif keyword == "required" and is_array(value):
                yield from self._required(within, left, right)
            elif keyword == "format":
                yield from self._format(within, left, right)
            else:
                yield from self._condition(within, left, right, keyword)
        yield from self._members(within, left, right)
        yield from self._items(within, left, right)

    def _condition(self, within: Within, left: tuple[Node, ...], right: Node, keyword: str) -> Iterator[Gap]:
        fragment = {name: right.get(name) for name in (keyword, *_WITH.get(keyword, ())) if right.has(name)}
        if any(has_same(self._alike, node, fragment) for node in left):
            return
        if keyword == "propertyNames" and self._takes_names(within, left, right):
            return
        before = next((node.get(keyword) for node in left if node.has(keyword)), None)
        gap = Gap("narrowed", keyword, within, left[0].place, right.place, before, right.get(keyword))
        yield from self._pattern(gap, left) if keyword == "pattern" else self._settled(gap, left, fragment)

    def _takes_names(self, within: Within, left: tuple[Node, ...], right: Node) -> bool:
        """Whether the right node takes each name that the left nodes take, by comparing both schemas for names."""
        there = tuple(self.sides.node(LEFT, node.below("propertyNames")) for node in left if node.has("propertyNames"))
        if not there:
            return False
        # A pair that was compared before gives no gaps again, so the names are compared without that memory.
        met, self._met = self._met, set()
        found = self.between(within, there, self.sides.node(RIGHT, right.below("propertyNames")))
        self._met = met
        return not found

    def _pattern(self, gap: Gap, left: tuple[Node, ...]) -> Iterator[Gap]:
        """The gap of a pattern, which automata decide if the engine does not."""
        pattern = gap.after
        patterns = [each for node in left if isinstance(each := node.get("pattern"), str)]
        if not isinstance(pattern, str) or any(included(each, pattern) for each in patterns):
            return
        texts = [text for each in patterns if (text := text_not_matched(each, pattern)) is not None]
        yield from self._settled(gap, left, {"pattern": pattern}, texts)

    def _settled(self, gap: Gap, left: tuple[Node, ...], fragment: Json, first: Iterable[Json] = ()) -> Iterator[Gap]:
        """The gap, if there is one: certain if a value shows it, if the engine decides it, or by plain structure."""
        answer = self.sides.within(left, fragment)
        if answer is True:
            return
        sample = self.sides.sample(left, fragment, first)
        structural = gap.kind != "narrowed" and all(node.plain for node in left)
        certain = sample is not None or answer is False or structural
        yield replace(gap, certain=certain, sample=sample, limit="" if certain else self.sides.limit)

    def _required(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        kept = {name for node in left for name in names_in(node.get("required"))}
        for name in names_in(right.get("required")):
            if name not in kept:
                gap = Gap("required", "required", (*within, name), left[0].place, right.place, None, name)
                yield from self._settled(gap, left, {"required": [name]})

    def _format(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        before = next((node.get("format") for node in left if node.has("format")), None)
        if before != right.get("format") and self.sides.within(left, {"not": {"type": "string"}}) is not True:
            after = right.get("format")
            yield Gap("format", "format", within, left[0].place, right.place, before, after, certain=False)

    def _union(self, within: Within, left: tuple[Node, ...], right: Node, keyword: str) -> Iterator[Gap]:
        listed = right.get(keyword)
        fragment = {keyword: listed}
        if any(has_same(self._alike, node, fragment) for node in left) or self.sides.within(left, fragment) is True:
            return
        count = len(listed) if is_array(listed) else 0
        there = [self.sides.node(RIGHT, right.below(keyword, number)) for number in range(count)]
        tried = [self._tried(within, left, branch) for branch in there]
        if keyword == "anyOf" and [] in tried:
            return
        before = next((node.get(keyword) for node in left if node.has(keyword)), left[0].schema)
        gap = Gap("narrowed", keyword, within, left[0].place, right.place, before, listed)
        whole = [*self._settled(gap, left, fragment)]
        meant = _meant(tried, within)
        # If a value may match another branch, which does not have these gaps, the gap of the union is reported.
        others = [branch for number, branch in enumerate(there) if number != meant]
        told = meant is not None and all(self.sides.within((*left, each), False) is not False for each in others)
        yield from tried[meant] if meant is not None and told and all(gap.certain for gap in whole) else whole

    def _tried(self, within: Within, left: tuple[Node, ...], branch: Node) -> list[Gap]:
        """The gaps to one of several branches; none of them affects what is found for another."""
        met, self._met = self._met, set(self._met)
        found = self.between(within, left, branch)
        self._met = met
        return found

    def _members(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        if not MEMBERS & right.conditions.keys():
            return
        if self.sides.within(left, {"not": {"type": "object"}}) is True:
            return
        named = members_of(right.get("properties"))
        for name in named:
            yield from self._member(within, left, right, name)
        alike = next((node for node in left if same_patterns(self._alike, node, right)), None)
        if alike is not None:
            for pattern in members_of(right.get("patternProperties")):
                there, here = (node.below("patternProperties", pattern) for node in (alike, right))
                pair = (self.sides.node(LEFT, there),), self.sides.node(RIGHT, here)
                yield from self.between((*within, "*"), *pair)
            return
        if right.has("patternProperties") or (right.has("unevaluatedProperties") and not alone(right)):
            yield from self._together(within, left, right)
            return
        rest = "additionalProperties" if right.has("additionalProperties") else "unevaluatedProperties"
        if right.has(rest):
            yield from self._rest(within, left, right, rest)

    def _member(self, within: Within, left: tuple[Node, ...], right: Node, name: str) -> Iterator[Gap]:
        inner = self.sides.node(RIGHT, right.below("properties", name))
        there = of_member(self.sides, left, name)
        if there:
            yield from self.between((*within, name), there, inner)
        elif inner.schema not in (True, {}) and not any(closed(node) for node in left):
            gap = Gap("described", "properties", (*within, name), left[0].place, inner.place, None, inner.schema)
            yield from self._settled(gap, left, {"properties": {name: inner.address}})

    def _together(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        """The gaps of members by pattern, or of those that no other schema evaluated, as one condition."""
        names = MEMBERS | EVALUATING if right.has("unevaluatedProperties") else MEMBERS
        fragment = {name: value for name, value in right.conditions.items() if name in names}
        if any(has_same(self._alike, node, fragment) for node in left):
            return
        same = any(has_same(self._alike, node, {"patternProperties": right.get("patternProperties")}) for node in left)
        told = ("patternProperties", "unevaluatedProperties")
        # If the patterns are unchanged, the change is in the schema for all other members.
        keyword = next(name for name in (("additionalProperties",) * same + told) if right.has(name))
        gap = Gap("narrowed", keyword, within, left[0].place, right.place, None, right.get(keyword))
        yield from self._settled(gap, left, fragment)

    def _rest(self, within: Within, left: tuple[Node, ...], right: Node, keyword: str) -> Iterator[Gap]:
        """The gaps of members that the right node does not name."""
        named = members_of(right.get("properties"))
        inner = self.sides.node(RIGHT, right.below(keyword))
        for node in left:
            for name, schema in members_of(node.get("properties")).items():
                if name in named or schema is False:
                    continue
                if inner.schema is False:
                    gap = Gap("removed", keyword, (*within, name), node.below("properties", name), right.place, schema)
                    yield from self._settled(gap, left, {"properties": {name: False}})
                else:
                    yield from self.between((*within, name), of_member(self.sides, left, name), inner)
        if inner.schema in (True, {}) or any(closed(node) for node in left):
            return
        others = of_others(self.sides, left)
        if others and inner.schema is not False:
            yield from self.between((*within, "*"), others, inner)
            return
        known = {name: True for node in left for name in members_of(node.get("properties"))}
        fragment = {"properties": {**known, **dict.fromkeys(named, True)}, keyword: inner.schema}
        before = next((node.get(keyword) for node in left if node.has(keyword)), None)
        gap = Gap("closed", keyword, (*within, "*"), left[0].place, right.place, before, inner.schema)
        yield from self._settled(gap, left, fragment)

    def _items(self, within: Within, left: tuple[Node, ...], right: Node) -> Iterator[Gap]:
        if not ITEMS & right.conditions.keys():
            return
        # Other keywords evaluate items too; beside one schema for all further items, no item is left unevaluated.
        unevaluated = right.has("unevaluatedItems") and not right.has("items")
        names = ITEMS | EVALUATING if unevaluated else ITEMS - {"unevaluatedItems"}
        fragment = {name: value for name, value in right.conditions.items() if name in names}
        if any(has_same(self._alike, node, fragment) for node in left) or self.sides.within(left, fragment) is True:
            return
        there = of_items(self.sides, left)
        lists = right.has("prefixItems") or unevaluated or any(node.has("prefixItems") for node in left)
        if there and not lists:
            yield from self.between((*within, "[]"), there, self.sides.node(RIGHT, right.below("items")))
            return
        keyword = next(name for name in ("prefixItems", "items", "unevaluatedItems") if right.has(name))
        before = next((node.get(keyword) for node in left if node.has(keyword)), None)
        gap = Gap("narrowed", keyword, (*within, "[]"), left[0].place, right.place, before, right.get(keyword))
        yield from self._settled(gap, left, fragment)


def _meant(tried: list[list[Gap]], within: Within) -> int | None:
    """
    The branch that was meant: the nearest, if all its gaps lie inside; None if the union itself is to be reported.

    A branch with another type or constant is not meant, and of two that are equally near, neither is.
    """
    far = sorted((_distance(found, within), number) for number, found in enumerate(tried))
    if not far or far[0][0][0] or any(distance == far[0][0] for distance, _ in far[1:]):
        return None
    nearest = tried[far[0][1]]
    return far[0][1] if nearest and all(gap.within != within for gap in nearest) else None


def _distance(found: list[Gap], within: Within) -> tuple[bool, int]:
    """How far a branch is from the value: one with another type or constant is furthest, then the number of gaps."""
    return any(_tells_apart(gap, within) for gap in found), len(found)


def _tells_apart(gap: Gap, within: Within) -> bool:
    """Whether a gap is about what tells branches apart: the type of the value, or the only value of a member."""
    alone = gap.keyword == "enum" and is_array(gap.after) and len(gap.after) == 1
    return gap.keyword == "const" or alone or (gap.keyword == "type" and gap.within == within)
