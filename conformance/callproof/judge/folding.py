"""Findings of one run that follow from others of it, each traced back to its root.

Nothing is dropped: a finding that follows from another keeps its place, counts and decides as before.  The data on
what follows from what is in ``consequences``; this module applies it to the records of a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from callproof.checks.check import Finding
from callproof.checks.matters import Matter
from callproof.judge.consequences import CONSEQUENCES
from callproof.judge.judging import Located, Result, Results, Root
from callproof.judge.places import Places
from callproof.judge.sharing import Consequence, Shared
from callproof.trace.records import Source
from callproof.trace.run import Run

_Key = tuple[str, Shared, tuple[Matter, ...], str]


def folded(run: Run, results: Results) -> Results:
    """
    The results of one run, where every finding that follows from another names its root.

    The root is a finding that follows from none.
    """
    failing = {name: result for name, result in results.items() if result.findings}
    if sum(len(result.findings) for result in failing.values()) < 2:
        return results
    found = [(name, each) for name, result in failing.items() for each in result.findings]
    ends = _ends_of(Places(run, results), [(name, each.finding) for name, each in found])
    led_back = iter([replace(each, root=_root(end, found)) for (_, each), end in zip(found, ends)])
    traced = {name: _with(result, led_back) for name, result in failing.items()}
    return {name: traced.get(name, result) for name, result in results.items()}


def folded_beside(run: Run, results: Results, others: Results, same: Mapping[Source, Source]) -> Results:
    """
    The results of another look at a run, folded under those of the first look, which are folded already.

    It is as if one look had given both; ``same`` names the records of the other look as the first one does.
    """
    later = [(name, each) for name, result in others.items() for each in result.findings]
    if not later:
        return others
    first = [(name, each) for name, result in results.items() for each in result.findings]
    renamed = [(name, _renamed(each.finding, same)) for name, each in later]
    ends = _ends_of(Places(run, results), [*((name, each.finding) for name, each in first), *renamed])[len(first) :]
    led_back = iter([replace(each, root=_root(end, [*first, *later])) for (_, each), end in zip(later, ends)])
    return {name: _with(result, led_back) for name, result in others.items()}


def _renamed(finding: Finding, same: Mapping[Source, Source]) -> Finding:
    proof = tuple(replace(each, source=same.get(each.source, each.source)) for each in finding.witness)
    return replace(finding, witness=proof)


def _with(result: Result, led_back: Iterator[Located]) -> Result:
    return replace(result, findings=tuple(next(led_back) for _ in result.findings))


def _ends_of(places: Places, found: list[tuple[str, Finding]]) -> list[tuple[int, str] | None]:
    """The root of each finding, by its number, and why it follows; None for one that follows from nothing."""
    broken = {name for name, _ in found}
    # Only laws that were broken can explain anything, and most rows are about others.
    rows = {name: tuple(row for row in _rows().get(name, ()) if broken & set(row.roots or (name,))) for name in broken}
    wanted = {
        (root, row.shared, row.when): row for name in broken for row in rows[name] for root in row.roots or (name,)
    }
    asked: dict[str, list[Consequence]] = {}
    for (root, *_), row in wanted.items():
        asked.setdefault(root, []).append(row)
    first: dict[_Key, int] = {}
    for number, (name, finding) in enumerate(found):
        for row in asked.get(name, ()) if finding.witness else ():
            for key in places.as_root(finding, row):
                first.setdefault((name, row.shared, row.when, key), number)
    parents = [_parent(places, first, rows[name], number, found) for number, (name, _) in enumerate(found)]
    ends = _ends(parents)
    return [
        None if parent is None or ends[number] == number else (ends[number], parent[1])
        for number, parent in enumerate(parents)
    ]


def _parent(
    places: Places,
    first: Mapping[_Key, int],
    rows: Iterable[Consequence],
    number: int,
    found: list[tuple[str, Finding]],
) -> tuple[int, str] | None:
    """The finding from which this one follows directly, by its number, and why; None if it follows from none."""
    name, finding = found[number]
    for row in rows:
        for key in places.as_consequence(finding, row):
            for root in row.roots or (name,):
                other = first.get((root, row.shared, row.when, key))
                if other is not None and other != number:
                    return other, row.because
    return None


def _ends(parents: list[tuple[int, str] | None]) -> dict[int, int]:
    """
    To which finding each one is traced back, by their numbers: to itself if it follows from none.

    The table has no circle of laws, but findings of one law may still form a circle.  If some are traced back to
    each other, the first of them counts as following from none.
    """
    ends: dict[int, int] = {}
    for number in range(len(parents)):
        way: dict[int, None] = {}
        last = number
        while last not in ends and last not in way and (above := parents[last]) is not None:
            way[last] = None
            last = above[0]
        if last in way:
            passed = list(way)
            last = min(passed[passed.index(last) :])
        ends |= dict.fromkeys((*way, last), ends.get(last, last))
    return ends


def _root(end: tuple[int, str] | None, found: list[tuple[str, Located]]) -> Root | None:
    if end is None:
        return None
    name, located = found[end[0]]
    if located.root is not None:
        return replace(located.root, because=end[1])
    return Root(name, located.finding.witness[0].source, end[1])


@cache
def _rows() -> Mapping[str, tuple[Consequence, ...]]:
    """The rows of the table by what follows."""
    laws: dict[str, tuple[Consequence, ...]] = {}
    for row in CONSEQUENCES:
        laws |= {law: (*laws.get(law, ()), row) for law in row.laws}
    return laws
