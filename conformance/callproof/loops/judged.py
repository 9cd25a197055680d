"""What cases of a loop came to: each log held against the chapter, and one judgement on all of them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from callproof.adapters.claims import Claims, Implementation
from callproof.judge.judgement import JudgedRun, Judgement, RunOutcome, Subject, outcome_of
from callproof.judge.judging import Results, gather
from callproof.judge.selection import EVERYTHING, Selection
from callproof.loops.case import FEATURES
from callproof.loops.session import Played
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.judging import results_of
from callproof.spec.blocks import Level
from callproof.spec.registry import protocols
from callproof.values.counts import counted


@dataclass(slots=True)
class Hearing:
    """What the cases of a loop have come to so far; ``judgement`` may be asked for at any time."""

    address: str
    selection: Selection = EVERYTHING
    strict: bool = False
    results: list[Results] = field(default_factory=list[Results])
    runs: list[JudgedRun] = field(default_factory=list[JudgedRun])
    errors: list[str] = field(default_factory=list[str])
    aimed: set[str] = field(default_factory=set[str])
    not_run: list[Played] = field(default_factory=list[Played])

    def look(self, played: Played, claimed: frozenset[str]) -> Results:
        """What the log of a case comes to; nothing where there is none."""
        if played.log is None:
            return {}
        left_out = frozenset(self.selection.left_out).union(played.case.excused)
        return results_of(PROTOCOL, PROTOCOL.trace(played.log.entries), left_out, claimed)

    def take(self, played: Played, claimed: frozenset[str]) -> frozenset[str]:
        """Judge a case for good; the requirements that it was seen to break."""
        name = played.case.id
        if played.error is not None:
            self.errors.append(f"{name}: {played.error}")
            self.runs.append(JudgedRun(name, RunOutcome.ERROR))
        if played.log is None:
            self.not_run += [] if played.error is not None else [played]
            return frozenset()
        results = self.look(played, claimed)
        self.runs.append(JudgedRun(name, outcome_of(results, (), finished=True, strict=self.strict)))
        self.results.append(results)
        self.aimed.update(played.case.aims)
        return broken_in(results)

    def judgement(self, claims: Claims, told: Implementation, *, interrupted: bool = False) -> Judgement:
        """The judgement on all that was played."""
        laws = protocols()[PROTOCOL.name].requirements
        owed = (each for each in self.aimed if laws[each].level is Level.MUST and each not in self.selection.left_out)
        return Judgement(
            Subject(
                "system",
                self.address,
                implementation=f"{told.name} {told.version} ({told.language})" if told.name else None,
                claims=claims.features,
                notes=tuple(_notes(claims, self.not_run)),
            ),
            gather(self.results),
            self.runs,
            frozenset(owed),
            tuple(self.errors),
            strict=self.strict,
            selection=self.selection,
            interrupted=interrupted,
        )


def broken_in(results: Results) -> frozenset[str]:
    """The requirements in which something was found, advice among them."""
    return frozenset(name for name, each in results.items() if each.findings)


def _notes(claims: Claims, not_run: Iterable[Played]) -> Iterator[str]:
    yield "is judged as an agent loop"
    for name in claims.features:
        if name not in FEATURES:
            nearest = difflib.get_close_matches(name, FEATURES, n=1)
            hint = f"did you mean {nearest[0]!r}?" if nearest else f"permitted: {', '.join(FEATURES)}"
            yield f"claims {name!r}, which is no feature; {hint}"
    lacking: dict[str, list[str]] = {}
    for each in not_run:
        lacking.setdefault(" and ".join(each.lacks), []).append(each.case.id)
    for what, cases in lacking.items():
        yield f"was not shown {counted(len(cases), 'case')} for want of {what}: {', '.join(cases)}"
