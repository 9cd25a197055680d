"""What pytest runs for an adapter: an item for each scenario and each requirement that it aims at.

A scenario runs once in a process, when its first item runs; its items share the
result.  Each scenario has one more item, ``anything-else``, which fails if the same
runs break a law at which the scenario does not aim.
Generated cases are items of a few cases each, which judge every law.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from callproof.judge.baseline import Baseline
from callproof.judge.judging import Result, Results
from callproof.judge.verdicts import Verdict
from callproof.live.case import Scenario
from callproof.live.judged import JudgedScenario, owed
from callproof.live.ran import Ended, Runs
from callproof.plugin.account import note_error
from callproof.plugin.failures import Failures, failures_of
from callproof.plugin.nodes import ENDS, Broken, ToldItem, why_of
from callproof.report.payload import Payload, Ran, payload_of, shared_payload
from callproof.settings import Settings
from callproof.spec.blocks import Level

ANYTHING_ELSE = "anything-else"
BINDING = {Level.MUST: (Level.MUST,), Level.SHOULD: (Level.MUST, Level.SHOULD), Level.MAY: tuple(Level)}


def phase(item: pytest.Item, when: Literal["setup", "call", "teardown"], work: Callable[[], object]) -> bool:
    """Run one phase of an item, and report it to all plugins; whether it passed."""
    broken_off = (KeyboardInterrupt, pytest.exit.Exception)
    call: pytest.CallInfo[object] = pytest.CallInfo.from_call(work, when=when, reraise=broken_off)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    report: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=call)
    item.ihook.pytest_runtest_logreport(report=report)
    return report.passed


class ScenarioNode(pytest.Collector):
    """A scenario, as the parent of its items."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Nothing: its items are made together with it."""
        return []


@dataclass(frozen=True, slots=True)
class Share:
    """
    What an item is about: a scenario, and in ``aims`` the requirements of it that have items of their own.

    ``place`` is that of the first case of the item if the item has generated cases of its own, and otherwise 0.
    """

    scenario: Scenario
    aims: frozenset[str] = frozenset()
    place: int = 0


class RequirementItem(ToldItem):
    """One requirement in one scenario, or all other requirements that the scenario's runs broke."""

    def __init__(self, *, share: Share, runs: Runs, settings: Settings, baseline: Baseline, **given: Any) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]  pytest leaves it untyped
        self._scenario, self._aims, self._place = share.scenario, share.aims, share.place
        self._runs, self._settings, self._baseline = runs, settings, baseline
        self.user_properties.append(("scenario", self._scenario.id))
        self._is_remainder = self._place > 0 or self.name == ANYTHING_ELSE
        if not self._is_remainder:
            self.user_properties.append(("requirement", self.name))

    def runtest(self) -> None:
        """
        Judge the scenario's runs by this item's requirement.  Raises Broken, or skips with what was missing.

        An error in the suite itself goes to the report as well.
        """
        # Some systems look for this name to detect a test; a system must behave as it does elsewhere.
        os.environ.pop("PYTEST_CURRENT_TEST", None)
        try:
            self._judge()
        except Ended:
            pytest.skip(f"the runs of {self._scenario.id} were ended, as reported before")
        except ENDS:
            raise
        except BaseException as error:
            note_error(self.config, f"{self._scenario.id}: {why_of(error)}")
            raise

    def _judge(self) -> None:
        judged = self._judged
        mine = self._mine(judged.results)
        failures = self._failures(mine, judged)
        chosen = failures.results
        required = {self.name} & owed(self._scenario, chosen, self._runs.claims, self._runs.lacks)
        told = payload_of(self._scenario.id, self._place, chosen, required)
        self.payload = {**told, **failures.payload}
        self.user_properties.append(("verdict", self._verdict(judged, chosen).value))
        if judged.errors:
            self._tell_once("\n".join(judged.errors))
        if judged.tally is not None and not judged.tally.cases:
            pytest.skip("so many earlier cases broke or failed that these would show nothing new")
        broken = [result for result in chosen.values() if self._breaks(result)]
        surprising = [result for result in broken if not self._is_known(result)]
        if surprising:
            raise Broken("\n".join(line for result in surprising for line in failures.told(result)))
        if broken:
            # Raised here, since with --runxfail pytest.xfail does nothing.
            raise pytest.xfail.Exception(
                f"known: the baseline lists {', '.join(result.requirement.id for result in broken)}"
            )
        undecided = chosen.get(self.name)
        if undecided is None or undecided.verdict in {Verdict.INCONCLUSIVE, Verdict.INAPPLICABLE}:
            self._skip_unless_a_remainder(undecided)

    @property
    def origin(self) -> str:
        """The origin of its runs: the scenario that it shares with other items, or a part of its own."""
        return f"{self._scenario.id}::{self.name}" if self._place else self._scenario.id

    @property
    def shared(self) -> Payload:
        """What this item and the others of the same origin share."""
        judged, runs = self._judged, self._runs
        return shared_payload(
            Ran(judged.runs, judged.errors, judged.tally, runs.implementation, runs.claims, runs.notes, runs.lacks)
        )

    @property
    def _judged(self) -> JudgedScenario:
        return self._runs.judged(self._scenario, self.name if self._place else "")

    def reportinfo(self) -> tuple[Path, None, str]:
        """The place of the item, as pytest shows it."""
        return self.path, None, f"{self._scenario.id} {self.name}"

    def _mine(self, results: Results) -> Results:
        """The results that this item is about: one, or all those that no other item of the scenario is about."""
        if not self._is_remainder:
            return {self.name: results[self.name]} if self.name in results else {}
        binding = BINDING[self._settings.level]
        others = {name: each for name, each in results.items() if name not in self._aims}
        return {name: each for name, each in others.items() if each.requirement.level in binding}

    def _breaks(self, result: Result) -> bool:
        binding = {Level.MUST, Level.SHOULD} if self._settings.strict else {Level.MUST}
        if result.verdict is Verdict.FAIL:
            return result.requirement.level in binding
        return result.verdict is Verdict.ERROR

    def _is_known(self, result: Result) -> bool:
        """Whether the baseline lists every finding; a baseline that is being written lists them all."""
        if result.verdict is not Verdict.FAIL:
            return False
        known = (self._baseline.reason(result.requirement.id, each) is not None for each in result.findings)
        return self._settings.update_baseline or all(known)

    def _tell_once(self, errors: str) -> None:
        """Fail once for each fault of the adapter; the recorder makes the session an error in any case."""
        if errors in self._runs.told:
            pytest.skip("the adapter failed, as reported before")
        self._runs.told.add(errors)
        raise Broken(errors)

    def _failures(self, mine: Results, judged: JudgedScenario) -> Failures:
        return failures_of(mine, judged, self._scenario.id, self._settings)

    def _verdict(self, judged: JudgedScenario, chosen: Mapping[str, Result]) -> Verdict:
        if judged.errors:
            return Verdict.ERROR
        mine = chosen.get(self.name)
        if mine is not None:
            return mine.verdict
        return Verdict.FAIL if any(self._breaks(each) for each in chosen.values()) else Verdict.PASS

    @property
    def _why_no_case(self) -> str:
        unclaimed = self._scenario.unclaimed(self._runs.claims)
        return f"claim of {', '.join(unclaimed)}" if unclaimed else "any case of the scenario"

    def _skip_unless_a_remainder(self, undecided: Result | None) -> None:
        if self._is_remainder:
            return
        missing = ", ".join(undecided.missing) if undecided is not None else self._why_no_case
        verdict = undecided.verdict.value if undecided is not None else "inapplicable"
        # A skip alone never makes a session green: the recorder fails it for what no scenario could show.
        pytest.skip(f"{verdict}: {self._scenario.id} lacks {missing}")
