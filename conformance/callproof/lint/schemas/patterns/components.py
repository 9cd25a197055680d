"""Graphs whose edges carry the letters that pass them: the parts that lead back to themselves, and paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TypeAlias, TypeVar

N = TypeVar("N", bound=Hashable)
# Each node with the nodes after it, and the letters of the edge as a mask.
Graph: TypeAlias = dict[N, dict[N, int]]


def components(graph: Graph[N]) -> list[list[N]]:
    """The strongly connected parts that contain a cycle; Tarjan's algorithm without a stack of calls."""
    order: dict[N, int] = {}
    lowest: dict[N, int] = {}
    stack: list[N] = []
    on_stack: set[N] = set()
    found: list[list[N]] = []
    for root in graph:
        if root in order:
            continue
        work: list[tuple[N, Iterator[N]]] = [(root, iter(graph[root]))]
        order[root] = lowest[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            child = next((each for each in rest if each not in order or each in on_stack), None)
            if child is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    found.append(_popped(stack, on_stack, node))
            elif child in order:
                lowest[node] = min(lowest[node], order[child])
            else:
                order[child] = lowest[child] = len(order)
                stack.append(child)
                on_stack.add(child)
                work.append((child, iter(graph[child])))
    return [part for part in found if len(part) > 1 or part[0] in graph[part[0]]]


def _popped(stack: list[N], on_stack: set[N], node: N) -> list[N]:
    part: list[N] = []
    while not part or part[-1] != node:
        part.append(stack.pop())
        on_stack.discard(part[-1])
    return part


def way(graph: Graph[N], start: N, goals: frozenset[N], inside: frozenset[N] | None = None) -> tuple[int, ...] | None:
    """The letters of a shortest path from a node to a goal; empty if it is one, None if there is no path."""
    if start in goals:
        return ()
    came: dict[N, tuple[N, int]] = {}
    waiting = [start]
    while waiting:
        following: list[N] = []
        for node in waiting:
            for each, letters in graph[node].items():
                if each in came or each == start or (inside is not None and each not in inside):
                    continue
                came[each] = (node, letters)
                if each in goals:
                    return _back(came, each, start)
                following.append(each)
        waiting = following
    return None


def _back(came: dict[N, tuple[N, int]], node: N, start: N) -> tuple[int, ...]:
    letters: list[int] = []
    while node != start:
        node, mask = came[node]
        letters.append(mask)
    return tuple(reversed(letters))
