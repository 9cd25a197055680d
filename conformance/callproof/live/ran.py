"""The scenarios as they ran in this process: over one connection, each scenario once, with its results kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from callproof.adapters.claims import NEEDED_BY
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError
from callproof.auditlog.reader import read_run
from callproof.checks.timeouts_deeds import REAL_CLOCK_MS
from callproof.live.case import Case, Scenario
from callproof.live.judged import JudgedScenario, judge_scenario
from callproof.live.session import CaseOutcome, LiveSession
from callproof.values.counts import counted, was

# A system that fails this often in a row is not asked again, so that the report comes in bounded time.
_PATIENCE = 3
_ON_REAL_TIME = (
    "was judged on real time, because it does not claim virtualClock: "
    f"instants are compared with a margin of {REAL_CLOCK_MS:g} ms, and cases that need an exact clock were not run"
)


class Ended(Exception):
    """The runs of a scenario were ended from outside, or by a fault of the suite, which was reported at that time."""


Made: TypeAlias = Callable[[LiveSession, Callable[[CaseOutcome], None]], JudgedScenario]


class Runs:
    """
    Scenarios against one address, each run and judged when it is first asked for.

    ``seed`` shuffles the cases of a scenario, so that a verdict that depends on their order shows.  ``on_case`` gets
    every case as it ends.
    """

    def __init__(
        self,
        address: str,
        deadlines: Deadlines,
        *,
        seed: int | None = None,
        strict: bool = False,
        on_case: Callable[[Scenario, CaseOutcome], None] | None = None,
    ) -> None:
        self._open = LiveSession(address, deadlines=deadlines, read_audit=read_run)
        self._session: LiveSession | None = None
        self._failure: AdapterError | None = None
        self._failures_in_a_row = 0
        self._given_up = ""
        self._seed = seed
        self._strict = strict
        self._on_case = on_case
        # Parts of scenarios whose cases are made while they run, by id and name.  A function runs and judges each part;
        # it gets the session and a callback for every case.
        self.made: dict[tuple[str, str], Made] = {}
        self._judged: dict[tuple[str, str], JudgedScenario] = {}
        self._begun: set[tuple[str, str]] = set()
        # The failures of the adapter that were reported already: each is reported once.
        self.told: set[str] = set()

    def judged(self, scenario: Scenario, part: str = "") -> JudgedScenario:
        """
        What a scenario came to, or a part of one whose cases are made; runs it the first time.

        An adapter that cannot be spoken to is asked once.  Raises Ended if the first time did not come to its end: each
        item of a scenario would take as long again.
        """
        wanted = (scenario.id, part)
        if wanted not in self._judged:
            if wanted in self._begun:
                raise Ended
            self._begun.add(wanted)
            make = self.made.get(wanted)
            self._judged[wanted] = self._run(scenario) if make is None else self._run_made(scenario, make)
        return self._judged[wanted]

    @property
    def implementation(self) -> str | None:
        """Name and version that the system reported; None before the first scenario."""
        told = self._session.implementation if self._session is not None else None
        return None if told is None else f"{told.name} {told.version}"

    @property
    def claims(self) -> frozenset[str]:
        """The features and postures that the system claims; none before the first scenario."""
        return self._session.claims.words if self._session is not None else frozenset()

    @property
    def lacks(self) -> tuple[str, ...]:
        """What cases may need, but this way to the system does not offer."""
        return self._session.lacks if self._session is not None else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """
        What a reader of the verdicts has to know: lost characters, verdicts on real time, what the suite
        lacked, claims that count for nothing.

        Such a claim is of no profile or feature, since a typo would hide what was meant; or of one that needs another.
        """
        if self._session is None:
            return ()
        on_real_time = () if "virtualClock" in self.claims else (_ON_REAL_TIME,)
        claims = self._session.claims
        misspelt = {"profile of this suite": claims.unknown_profiles, "feature": claims.unknown_features}
        unknown = (
            f"claims {name!r}, which is not a {kind}" + (f"; did you mean {nearest!r}?" if nearest else "")
            for kind, names in misspelt.items()
            for name, nearest in names
        )
        unfounded = (
            f"claims {name} but not {NEEDED_BY[name]}, which is needed to show it: it counts as not claimed"
            for name in claims.unfounded
        )
        lacking = (f"was judged without {each}: cases that need it were not run" for each in self.lacks)
        garbled = filter(None, (self._session.garbled,))
        return (*garbled, *on_real_time, *lacking, *unknown, *unfounded)

    def close(self) -> AdapterError | None:
        """End the system under test; return what the adapter got wrong at the very end."""
        if self._session is None:
            return None
        try:
            self._session.__exit__(None, None, None)
        except AdapterError as error:
            return error
        return None

    def _run(self, scenario: Scenario) -> JudgedScenario:
        outcomes: list[CaseOutcome] = []
        try:
            session = self._connected()
            for case in self._ordered(scenario):
                outcome = session.run_case(case)
                outcomes.append(outcome)
                if self._on_case is not None:
                    self._on_case(scenario, outcome)
                self._count(outcome)
        except AdapterError as error:
            self._failure = self._failure or error
        judged = judge_scenario(outcomes, self.claims, strict=self._strict)
        if self._failure is None:
            return judged
        if outcomes:
            left = len(scenario.cases) - len(outcomes)
            too_often = f"the adapter failed {_PATIENCE} times in a row and was given up"
            why = too_often if self._failures_in_a_row >= _PATIENCE else f"{self._failure}"
            rest = f"{counted(left, 'more case')} of {scenario.id} {was(left)} not run, nor was anything after it"
            self._given_up = f"{scenario.id}: {why}; {rest}"
        return replace(judged, errors=(*judged.errors, self._why_nothing_runs))

    def _run_made(self, scenario: Scenario, make: Made) -> JudgedScenario:
        try:
            return make(self._connected(), partial(self._on_case or _nothing, scenario))
        except AdapterError as error:
            self._failure = self._failure or error
            return JudgedScenario({}, (), (self._why_nothing_runs,))

    @property
    def _why_nothing_runs(self) -> str:
        # In the same words for every scenario that is left out, so that it is reported once.
        return self._given_up or f"{self._failure}"

    def _connected(self) -> LiveSession:
        if self._failure is not None:
            raise self._failure
        if self._session is None:
            self._session = self._open.__enter__()
        return self._session

    def _count(self, outcome: CaseOutcome) -> None:
        """Count the errors in a row, and raise the one too many; a case that was not run does not count."""
        if outcome.skipped_features:
            return
        self._failures_in_a_row = 0 if outcome.error is None else self._failures_in_a_row + 1
        if outcome.error is not None and self._failures_in_a_row >= _PATIENCE:
            self._failure = outcome.error
            raise outcome.error

    def _ordered(self, scenario: Scenario) -> Iterator[Case]:
        cases = list(scenario.cases)
        if self._seed is not None:
            random.Random(self._seed).shuffle(cases)  # noqa: S311  an order, and no secret
        return iter(cases)


def _nothing(_scenario: Scenario, _outcome: CaseOutcome) -> None:
    """Used without a callback: ignores the case."""
