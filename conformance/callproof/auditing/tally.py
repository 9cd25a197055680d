"""Combines many audited runs, one after the other.

Memory does not grow with the number of kept requirements, nor with how often a law was broken: the first findings of
each law are kept, and the others are counted.

The order of the runs is the order in which they were given, whichever engine audited them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from callproof.auditing.audited import AuditedRun
from callproof.auditing.counting import Counting
from callproof.auditing.prover.outcome import LawsKept, Met, counted
from callproof.judge.capping import Kept
from callproof.judge.judged_runs import JudgedRuns
from callproof.judge.judging import Result, Results
from callproof.judge.verdicts import Verdict, combined
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification

_KINDS_KEPT = 4_096


class Tally:
    """The combined result of the runs so far."""

    def __init__(self, spec: Specification) -> None:
        self._spec = spec
        self._met: Counter[str] = Counter()
        self._kept: set[str] = set()
        self._broken: set[tuple[str, Verdict]] = set()
        self._findings: dict[str, Kept] = {}
        self._errors: dict[str, dict[str, None]] = {}
        self._missing: dict[str, dict[str, None]] = {}
        # Proved runs that are not counted in yet, by what was met in them.
        self._proved: Counter[Met] = Counter()
        self.runs = JudgedRuns()
        self.counting = Counting()

    def add(self, audited: AuditedRun) -> None:
        """Add one more run."""
        self.runs.append(audited.run)
        self.counting.add(audited)
        if isinstance(audited.kept, LawsKept):
            self._proved[audited.kept.met] += 1
            if len(self._proved) >= _KINDS_KEPT:
                self._bring_in()
            return
        self._bring_in()  # keeps the order of the runs
        self._met.update(audited.kept)
        self._kept |= audited.kept
        for name, words in audited.missing.items():
            self._missing.setdefault(name, {}).update(dict.fromkeys(words))
        for name, result in audited.broken.items():
            self._met[name] += bool(result.exercised)
            self._broken.add((name, result.verdict))
            self._findings.setdefault(name, Kept()).add(result.findings)
            self._errors.setdefault(name, {}).update(dict.fromkeys(result.errors))

    def _bring_in(self) -> None:
        """Count in the proved runs: for each law the runs in which it had a subject."""
        if self._proved:
            for name, held, words in counted(self._proved):
                if held:
                    self._met[name] += held
                    self._kept.add(name)
                if words:
                    self._missing.setdefault(name, {}).update(dict.fromkeys(words))
            self._proved.clear()

    def results(self) -> Results:
        """Every requirement over all runs; for logs ``exercised`` counts runs."""
        self._bring_in()
        wanted = (each for each in self._spec.requirements.values() if each.excluded is None)
        return {each.id: self._result(each) for each in wanted} if self.runs else {}

    def _result(self, requirement: Requirement) -> Result:
        name = requirement.id
        verdict = combined(self._verdicts(name))
        undecided = verdict not in {Verdict.PASS, Verdict.FAIL}
        kept = self._findings.get(name, Kept())
        return Result(
            requirement,
            verdict,
            tuple(kept.findings),
            self._met[name],
            tuple(self._missing.get(name, ())) if undecided else (),
            tuple(self._errors.get(name, ())),
            self._met[name],
            kept.more,
        )

    def _verdicts(self, name: str) -> Iterable[Verdict]:
        if name in self._kept:
            yield Verdict.PASS
        yield from (verdict for other, verdict in self._broken if other == name)
