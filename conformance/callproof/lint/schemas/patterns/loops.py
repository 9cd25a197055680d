"""Loops of an automaton on which a backtracking engine has more than one way to take the same text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from callproof.lint.schemas.patterns.automaton import Automaton
from callproof.lint.schemas.patterns.components import Graph, components, way
from callproof.lint.schemas.patterns.reading import TooMuch

_STEPS = 60_000
# Letters on a way round a loop, as masks; any bit of a mask will do.
Word: TypeAlias = tuple[int, ...]
# The positions of the first loop and of the second.
_Inside: TypeAlias = tuple[frozenset[int], frozenset[int]]


class Budget:
    """Steps that may still be taken."""

    def __init__(self) -> None:
        self._left = _STEPS

    def spend(self, steps: int = 1) -> None:
        """Take steps.  Raises TooMuch when none is left."""
        self._left -= steps
        if self._left < 0:
            raise TooMuch("steps over a pattern")


def _graph(made: Automaton) -> Graph[int]:
    return {position: dict.fromkeys(after.ways, made.reads[position]) for position, after in enumerate(made.after)}


def double_loops(made: Automaton, budget: Budget) -> Iterator[tuple[int, Word]]:
    """Positions to which two different ways with the same text lead back, each with that text."""
    graph = _graph(made)
    for component in components(graph):
        inside = frozenset(component)
        for position in component:
            for each, ways in made.after[position].ways.items():
                if ways > 1 and each in inside:
                    back = way(graph, each, frozenset({position}), inside)
                    if back is not None:
                        yield position, (made.reads[position], *back)
        yield from _split_loops(made, inside, budget)


def _split_loops(made: Automaton, inside: frozenset[int], budget: Budget) -> Iterator[tuple[int, Word]]:
    pairs = _pairs(made, inside, budget)
    for component in components(pairs):
        same = [pair for pair in component if pair[0] == pair[1]]
        apart = next((pair for pair in component if pair[0] != pair[1]), None)
        if not same or apart is None:
            continue
        within = frozenset(component)
        for pair in same:
            out = way(pairs, pair, frozenset({apart}), within)
            back = way(pairs, apart, frozenset({pair}), within)
            if out is not None and back is not None:
                yield pair[0], (*out, *back)


def _pairs(made: Automaton, inside: frozenset[int], budget: Budget) -> Graph[tuple[int, int]]:
    """The pairs of positions that two ways with the same text reach from one position without leaving the part."""
    pairs: Graph[tuple[int, int]] = {}
    waiting = [(position, position) for position in sorted(inside)]
    following = {position: [each for each in made.after[position].ways if each in inside] for position in inside}
    while waiting:
        pair = waiting.pop()
        if pair in pairs:
            continue
        shared = made.reads[pair[0]] & made.reads[pair[1]]
        after = [(one, other) for one in following[pair[0]] for other in following[pair[1]]] if shared else []
        budget.spend(len(after))
        pairs[pair] = dict.fromkeys(after, shared)
        waiting += after
    return pairs


def chained_loops(made: Automaton, budget: Budget) -> Iterator[tuple[int, Word]]:
    """Positions that a text leads back to; it also leads on to another position, and from there back to that one."""
    graph = _graph(made)
    loops = components(graph)
    for first in loops:
        reached = _reached(graph, first)
        for second in loops:
            if second is not first and second[0] in reached:
                for ends in _shared_loops(made, first, second, budget):
                    word = _chain(made, ends, (frozenset(first), frozenset(second)), budget)
                    if word is not None:
                        yield ends[0], word


def _reached(graph: Graph[int], start: list[int]) -> frozenset[int]:
    met = set(start)
    waiting = list(start)
    while waiting:
        for each in graph[waiting.pop()]:
            if each not in met:
                met.add(each)
                waiting.append(each)
    return frozenset(met)


def _shared_loops(made: Automaton, first: list[int], second: list[int], budget: Budget) -> Iterator[tuple[int, int]]:
    """Pairs of positions such that some text leads each of them back to itself."""
    inside_first, inside_second = frozenset(first), frozenset(second)
    pairs: Graph[tuple[int, int]] = {}
    for one in first:
        for other in second:
            budget.spend()
            shared = made.reads[one] & made.reads[other]
            pairs[one, other] = (
                {
                    (a, b): shared
                    for a in made.after[one].ways
                    if a in inside_first
                    for b in made.after[other].ways
                    if b in inside_second
                }
                if shared
                else {}
            )
    for component in components(pairs):
        yield from component


# Where three ways of the same text are: the first goes round, the second goes on, the third goes round further on.
Triple: TypeAlias = tuple[int, int, int]


def _chain(made: Automaton, ends: tuple[int, int], inside: _Inside, budget: Budget) -> Word | None:
    """A text that leads from the start to itself, from the start to the end, and from the end to itself."""
    start, end = ends
    begin, goal = (start, start, end), (start, end, end)
    came: dict[Triple, tuple[Triple, int]] = {}
    waiting = [begin]
    while waiting:
        following: list[Triple] = []
        for here in waiting:
            for there, shared in _triples(made, here, inside, budget):
                if there in came or there == begin:
                    continue
                came[there] = (here, shared)
                if there == goal:
                    return _word_back(came, goal, begin)
                following.append(there)
        waiting = following
    return None


def _triples(made: Automaton, here: Triple, inside: _Inside, budget: Budget) -> Iterator[tuple[Triple, int]]:
    shared = made.reads[here[0]] & made.reads[here[1]] & made.reads[here[2]]
    if not shared:
        return
    lasts = [each for each in made.after[here[2]].ways if each in inside[1]]
    for first in made.after[here[0]].ways:
        if first in inside[0]:
            for second in made.after[here[1]].ways:
                budget.spend(len(lasts))
                yield from (((first, second, last), shared) for last in lasts)


def _word_back(came: dict[Triple, tuple[Triple, int]], goal: Triple, start: Triple) -> Word:
    word: list[int] = []
    while goal != start:
        goal, shared = came[goal]
        word.append(shared)
    return tuple(reversed(word))
