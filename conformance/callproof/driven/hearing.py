"""The results of a system's cases: each log judged by the chapter, and one judgement on all of them."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Generic

from callproof.adapters.claims import Claims, Implementation
from callproof.auditing.audited import summed_up
from callproof.auditing.known_failures import Holding
from callproof.driven.session import Played
from callproof.driven.suite import GENERATED, C, Suite
from callproof.judge.judgement import JudgedRun, Judgement, RunOutcome, Subject, outcome_of
from callproof.judge.judging import Results, gather
from callproof.judge.selection import EVERYTHING, Selection
from callproof.protocols.judging import results_of
from callproof.spec.blocks import Level
from callproof.spec.registry import protocol_named
from callproof.values.counts import counted, was
from callproof.values.shell import quoted

# The end of the name of a log that breaks off because the adapter failed; the suite does not judge such a log.
PART: Final = ".part"


@dataclass(slots=True)
class Hearing(Generic[C]):
    """The results of a system's cases so far; ``judgement`` may be called at any time."""

    suite: Suite[C]
    address: str
    kept: str | None = None
    selection: Selection = EVERYTHING
    strict: bool = False
    # Known failures, and whether only some of the cases are played.
    holding: Holding | None = None
    in_part: bool = False
    results: list[Results] = field(default_factory=list[Results])
    runs: list[JudgedRun] = field(default_factory=list[JudgedRun])
    errors: list[str] = field(default_factory=list[str])
    aimed: set[str] = field(default_factory=set[str])
    lacking: list[Played[C]] = field(default_factory=list[Played[C]])
    given_up: list[Played[C]] = field(default_factory=list[Played[C]])
    # How many generated cases were not played because the system had failed in enough of them.
    left: int = 0
    # How the system garbles text beyond ASCII, as a phrase that follows *the system*.
    garbled: str = ""
    # The commands that play a case again, by requirement and run.
    replays: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def look(self, played: Played[C], claimed: frozenset[str]) -> Results:
        """The results of a case's log; empty if it has none or the adapter failed."""
        if played.log is None or played.error is not None:
            return {}
        protocol, left_out = self.suite.protocol, frozenset(self.selection.left_out)
        return results_of(protocol, protocol.trace(played.log.entries), left_out, claimed)

    def take(self, played: Played[C], claimed: frozenset[str]) -> frozenset[str]:
        """Record the judgement of a case, and return the requirements that it broke."""
        name = played.case.id
        if played.error is not None:
            self.errors.append(f"{name}: {played.error}")
            self.runs.append(JudgedRun(name, RunOutcome.ERROR))
            self._miss()
            return frozenset()
        if played.lacks:
            self.lacking.append(played)
            return frozenset()
        # The aims of a case that was given up are still owed: nothing has shown that the system keeps them.
        self.aimed.update(played.case.aims)
        if played.log is None:
            self.given_up.append(played)
            self._miss()
            return frozenset()
        results = self.look(played, claimed)
        outcome = outcome_of(results, (), finished=True, strict=self.strict)
        run = JudgedRun(name, outcome, folder=self.kept)
        self.runs.append(run)
        if self.holding is not None:
            self.holding.add(summed_up(run, results))
        self.results.append(results)
        broken = broken_in(results)
        if name.startswith(f"{GENERATED}/"):
            again = f"{self.suite.dialect.command} {quoted(self.address)} --case {name}"
            self.replays.update(((each, name), again) for each in broken)
        return broken

    def fails(self, results: Results) -> bool:
        """Whether a case broke a binding law in a way that the baseline does not list."""
        binding = {Level.MUST, Level.SHOULD} if self.strict else {Level.MUST}
        broken = (each for each in results.values() if each.findings and each.requirement.level in binding)
        return any(self.holding is None or not self.holding.knows(each) for each in broken)

    def leave(self, count: int) -> None:
        """Count generated cases that are not played; so the baseline drops none of its known failures."""
        if count:
            self.left += count
            self._miss()

    def _miss(self) -> None:
        if self.holding is not None:
            self.holding.missed()

    def judgement(self, claims: Claims, told: Implementation, *, interrupted: bool = False) -> Judgement:
        """The judgement on all cases played; it also rewrites the baseline if that was asked for."""
        laws = protocol_named(self.suite.protocol.name).requirements
        owed = (each for each in self.aimed if laws[each].level is Level.MUST and each not in self.selection.left_out)
        judged = Judgement(
            Subject(
                "system",
                self.address,
                implementation=f"{told.name} {told.version} ({told.language})" if told.name else None,
                claims=claims.features,
                notes=tuple(self._notes(claims)),
            ),
            gather(self.results),
            self.runs,
            frozenset(owed),
            tuple(self.errors),
            strict=self.strict,
            selection=self.selection,
            interrupted=interrupted,
            replays=self.replays,
        )
        if self.holding is None:
            return judged
        if self.in_part:
            self._miss()
        return self.holding.applied(judged)

    def _notes(self, claims: Claims) -> Iterator[str]:
        """Further notes, each as a phrase that follows *the system*."""
        yield f"is judged as {self.suite.kind}"
        if self.garbled:
            yield self.garbled
        yield from self._odd_claims(claims)
        yield from self._not_shown()
        if self.kept is not None:
            yield f"left a log of each case that was judged in {self.kept}; findings name these logs"
            if any(each.outcome is RunOutcome.ERROR for each in self.runs):
                yield f"also left there what was seen until the adapter failed, in files that end with {PART}"
        elif any(map(broken_in, self.results)):
            command = f"{self.suite.dialect.command} --keep FOLDER"
            yield f"left no logs with the lines that findings name; `{command}` writes them there"

    def _odd_claims(self, claims: Claims) -> Iterator[str]:
        features = self.suite.features
        for name in claims.features:
            if name not in features:
                nearest = difflib.get_close_matches(name, features, n=1)
                hint = f"did you mean {nearest[0]!r}?" if nearest else f"permitted: {', '.join(features)}"
                yield f"claims {name!r}, which is not a feature; {hint}"

    def _not_shown(self) -> Iterator[str]:
        lacking: dict[str, list[str]] = {}
        for each in self.lacking:
            lacking.setdefault(" and ".join(each.lacks), []).append(each.case.id)
        for what, cases in lacking.items():
            told = f"was not shown {counted(len(cases), 'case')}, because it does not claim {what}: "
            yield f"{told}{', '.join(cases)}"
        for after, count in Counter(each.given_up for each in self.given_up).items():
            yield f"was given up {after}, and was not shown {counted(count, 'more case')}"
        if self.left:
            yield f"failed in so many generated cases that {self.left} more {was(self.left)} not made"


def broken_in(results: Results) -> frozenset[str]:
    """The requirements with findings, advice included."""
    return frozenset(name for name, each in results.items() if each.findings)
