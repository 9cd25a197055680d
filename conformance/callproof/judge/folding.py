"""Findings of one run that follow from others of it, each led back to its root.

Nothing is dropped: a finding that follows from another keeps its place, counts and decides as before.  What follows
from what is data, in ``consequences``; this module joins it to the records of a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from callproof.checks.changes import changes_of
from callproof.checks.check import Finding
from callproof.judge.consequences import CONSEQUENCES, Consequence, Shared
from callproof.judge.judging import Located, Result, Results, Root
from callproof.trace.plangraph import ancestors, needs_by_step
from callproof.trace.records import Kind, Source
from callproof.trace.run import Run

_Key = tuple[str, Shared, str]
_LINES = {Shared.CALLS: Kind.CALL, Shared.RESULTS: Kind.RESULT, Shared.EVENTS: Kind.EVENT}


def folded(run: Run, results: Results) -> Results:
    """
    The results of one run in which every finding that follows from another says from which.

    What it names is a finding that follows from none.
    """
    failing = {name: result for name, result in results.items() if result.findings}
    if sum(len(result.findings) for result in failing.values()) < 2:
        return results
    found = [(name, each) for name, result in failing.items() for each in result.findings]
    roots = _roots(_Places(run), [(name, each.finding) for name, each in found])
    led_back = iter([replace(each, root=root) for (_, each), root in zip(found, roots)])
    told = {name: _with(result, led_back) for name, result in failing.items()}
    return {name: told.get(name, result) for name, result in results.items()}


def _with(result: Result, led_back: Iterator[Located]) -> Result:
    return replace(result, findings=tuple(next(led_back) for _ in result.findings))


def _roots(places: _Places, found: list[tuple[str, Finding]]) -> list[Root | None]:
    """The root of each finding; None for one that follows from nothing."""
    broken = {name for name, _ in found}
    # Only what was broken explains anything, and most rows are about something else.
    rows = {name: tuple(row for row in _rows().get(name, ()) if broken & set(row.roots or (name,))) for name in broken}
    wanted = {(root, row.shared) for name in broken for row in rows[name] for root in row.roots or (name,)}
    first: dict[_Key, int] = {}
    for number, (name, finding) in enumerate(found):
        for shared in Shared if finding.witness else ():
            for key in places.as_root(finding, shared) if (name, shared) in wanted else ():
                first.setdefault((name, shared, key), number)
    parents = [_parent(places, first, rows[name], number, found) for number, (name, _) in enumerate(found)]
    return [_root(found, parents, number) for number in range(len(found))]


def _parent(
    places: _Places,
    first: Mapping[_Key, int],
    rows: Iterable[Consequence],
    number: int,
    found: list[tuple[str, Finding]],
) -> tuple[int, str] | None:
    """The finding from which one follows at once, by its number, and why."""
    name, finding = found[number]
    for row in rows:
        for key in places.as_consequence(finding, row):
            for root in row.roots or (name,):
                other = first.get((root, row.shared, key))
                if other is not None and other != number:
                    return other, row.because
    return None


def _root(found: list[tuple[str, Finding]], parents: list[tuple[int, str] | None], number: int) -> Root | None:
    parent = parents[number]
    if parent is None:
        return None
    because = parent[1]
    last = number
    while (above := parents[last]) is not None:
        last = above[0]
    name, finding = found[last]
    return Root(name, finding.witness[0].source, because)


@cache
def _rows() -> Mapping[str, tuple[Consequence, ...]]:
    """The rows of the table by what follows."""
    laws: dict[str, tuple[Consequence, ...]] = {}
    for row in CONSEQUENCES:
        laws |= {law: (*laws.get(law, ()), row) for law in row.laws}
    return laws


def _with_those_above(path: str) -> Iterator[str]:
    """A path and the folders that it lies in."""
    parts = path.split("/")
    return ("/".join(parts[:number]) for number in range(len(parts), 0, -1))


class _Places:
    """What a finding has to do with: its records, their calls, their steps."""

    def __init__(self, run: Run) -> None:
        self._needs = needs_by_step(run)
        self._run_record = str(run.run_record.source) if run.run_record is not None else None
        self._unread = {flaw.source: flaw.of for flaw in run.flaws}
        self._results = {each.source: each for each in run.results}
        self._answered = {each.call_id for each in run.results}
        self._calls: dict[Source, str] = {}
        self._steps: dict[Source, str] = {}
        for record in run.records:
            if record.call_id is not None:
                self._calls[record.source] = record.call_id
            if record.step_id is not None:
                self._steps[record.source] = record.step_id
        of_call = {call.call_id: call.step_id for call in run.calls}
        self._deeds = {each.source for each in run.deeds or ()}
        for deed in run.deeds or ():
            self._calls[deed.source] = deed.call_id
            if (step := of_call.get(deed.call_id)) is not None:
                self._steps[deed.source] = step

    def as_root(self, finding: Finding, shared: Shared) -> Iterable[str]:
        """What has to be met by a finding that follows from this one."""
        if shared is Shared.PLAN and "planHash" not in finding.observed:
            return ()
        if shared is Shared.SUBJECT:
            return [str(finding.witness[0].source)]
        if shared is Shared.NO_CALL and any(each.source in self._calls for each in finding.witness):
            return ()
        if shared is Shared.NO_RESULT and self._answered.intersection(self._keys(finding, Shared.CALL)):
            return ()
        if shared in _LINES:
            # Of a line of a stream nobody can tell what it would have been.
            return [""] if self._unread.get(finding.witness[0].source) in {_LINES[shared], None} else []
        return self._keys(finding, Shared.STEP if shared is Shared.SOURCE else shared)

    def as_consequence(self, finding: Finding, row: Consequence) -> Iterable[str]:
        """What has to be met by a finding that this one follows from."""
        if row.shared in {Shared.RECORD, Shared.SUBJECT} and row.roots:
            # The run record is part of many a proof, and makes no two findings one; of one law it does.
            return [key for key in self._keys(finding, row.shared) if key != self._run_record]
        if row.shared is Shared.ON_RECORD and any(each.source in self._deeds for each in finding.witness):
            return ()
        if row.shared is Shared.PATH:
            return {above for path in self._keys(finding, Shared.PATH) for above in _with_those_above(path)}
        if row.shared is not Shared.SOURCE:
            return self._keys(finding, row.shared)
        steps = self._keys(finding, Shared.STEP)
        return sorted({each for step in steps for each in ancestors(self._needs, step)})

    def _keys(self, finding: Finding, shared: Shared) -> Iterable[str]:
        sources = [each.source for each in finding.witness]
        if shared in {Shared.RUN, Shared.PLAN, Shared.ON_RECORD, Shared.NO_CALL, Shared.NO_RESULT, *_LINES}:
            return ("",)
        if shared is Shared.PATH:
            results = (self._results[each] for each in sources if each in self._results)
            return dict.fromkeys(change.path for result in results for change in changes_of(result))
        if shared is Shared.TEMPLATE:
            return [self._steps[each] for each in sources[:1] if each in self._steps]
        if shared in {Shared.RECORD, Shared.SUBJECT}:
            return [str(each) for each in sources]
        known = self._calls if shared is Shared.CALL else self._steps
        return dict.fromkeys(known[each] for each in sources if each in known)
