"""What pytest collects for an adapter: one item a requirement and scenario that aims at it.

A scenario runs once in a process, when its first item runs; its items share what
came of it.  Next to the requirements that a scenario aims at stands one item,
``anything-else``, which fails when the same runs break a law nobody aimed at.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import pytest

from callproof.adapters.deadlines import Deadlines
from callproof.generated.running import NAME as GENERATED
from callproof.generated.running import Wanted, had
from callproof.judge.baseline import NO_BASELINE, Baseline
from callproof.judge.judging import Result, Results
from callproof.judge.verdicts import Verdict
from callproof.live.case import Scenario
from callproof.live.judged import JudgedScenario
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.pytest_failures import Failures, failures_of
from callproof.pytest_report import Recorder, note_error
from callproof.replay.saving import CannotBeKept, prepare
from callproof.report.baselines import BadBaseline, read_baseline
from callproof.report.payload import Payload, Ran, payload_of, shared_payload
from callproof.report.targets import Form
from callproof.settings import Settings, WrongSetting, from_options
from callproof.spec.blocks import Level
from callproof.spec.registry import specification
from callproof.statement.bundle import case_text

ANYTHING_ELSE = "anything-else"
# The one item of the generated cases, which judges every law.
_ALL_OF_THEM = "generated"
_REMAINDERS = frozenset({ANYTHING_ELSE, _ALL_OF_THEM})
# Evidence that comes of a feature: without its claim nobody owes what only this evidence shows.
_EVIDENCE_OF = {"events": "events", "audit log": "auditLog"}
_BINDING = {Level.MUST: (Level.MUST,), Level.SHOULD: (Level.MUST, Level.SHOULD), Level.MAY: tuple(Level)}


class Broken(Exception):
    """A requirement was broken, or could not be judged; carries the lines that the report shows."""


def register(config: pytest.Config, adapter: str, options: Mapping[str, Any]) -> None:
    """Read the settings and register the collecting and the recording plugin.  Raises pytest.UsageError."""
    try:
        settings = from_options(adapter, options, config.rootpath)
        baseline = _baseline(settings)
        prepare(settings.save_cases)
    except (WrongSetting, BadBaseline, CannotBeKept) as error:
        raise pytest.UsageError(f"callproof: {error}") from None
    # Without pytest-xdist nobody knows the mark by which its workers share the runs of a scenario.
    config.addinivalue_line("markers", "xdist_group(name): items that one worker is to run")
    config.pluginmanager.register(Collecting(config, settings, baseline), "callproof-collecting")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(settings, _whole(settings), baseline), "callproof-recorder")


def _baseline(settings: Settings) -> Baseline:
    file = settings.baseline
    if file is None or (settings.update_baseline and not file.exists()):
        return NO_BASELINE
    return read_baseline(file, unfinished=settings.update_baseline)


def _names(scenario: Scenario, settings: Settings) -> tuple[str, ...]:
    """The names of the items of a scenario."""
    if scenario.id == GENERATED:
        return (_ALL_OF_THEM,)
    binding = _BINDING[settings.level]
    aims = (each for each in specification().requirements.values() if each.id in scenario.provokes)
    return (*(each.id for each in aims if each.level in binding and each.excluded is None), ANYTHING_ELSE)


def _whole(settings: Settings) -> frozenset[str]:
    """The ids of all items."""
    return frozenset(
        f"callproof::{scenario.id}::{name}" for scenario in _scenarios(settings) for name in _names(scenario, settings)
    )


def _scenarios(settings: Settings) -> tuple[Scenario, ...]:
    """What is run: the scenarios of the specification, and after them the cases that nobody wrote."""
    return SCENARIOS if not _cases(settings) else (*SCENARIOS, Scenario(GENERATED, "Generated cases", ()))


def _cases(settings: Settings) -> int:
    """How many cases are generated; none where a statement is wanted, which anybody recomputes from fixed cases."""
    return 0 if any(each.form is Form.STATEMENT for each in settings.reports) else settings.cases


class Collecting:
    """Adds the conformance items to what pytest collected."""

    def __init__(self, config: pytest.Config, settings: Settings, baseline: Baseline) -> None:
        self._config = config
        self._settings = settings
        self._baseline = baseline
        self._keeps_records = any(each.form is Form.STATEMENT for each in settings.reports)
        self._records: dict[str, str] = {}
        self._told: set[str] = set()
        deadlines = Deadlines(start=settings.timeout, answer=settings.timeout)
        wanted = Wanted(_cases(settings), settings.seed or 0, settings.strict)
        self._runs = Runs(
            settings.adapter, deadlines, seed=settings.seed, strict=settings.strict, on_case=self._on_case
        )
        self._runs.made[GENERATED] = lambda session, on_case: had(session, wanted, on_case)

    def _on_case(self, scenario: Scenario, outcome: CaseOutcome) -> None:
        self._config.hook.pytest_callproof_case(case=outcome.case.id)
        if self._keeps_records:
            self._records[scenario.id] = self._records.get(scenario.id, "") + case_text(outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """One item a requirement and scenario; before selection by ``-k``, so that ids can be selected."""
        for scenario in _scenarios(self._settings):
            node = _node(ScenarioNode, session, name=scenario.id, nodeid=f"callproof::{scenario.id}")
            names = _names(scenario, self._settings)
            given = {"scenario": scenario, "aims": frozenset(names) - _REMAINDERS, "runs": self._runs}
            given |= {"settings": self._settings, "baseline": self._baseline}
            items.extend(_node(RequirementItem, node, name=name, **given) for name in names)

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Only call an item of ours: there is nothing to set up or take down, and each phase costs a report."""
        if not isinstance(item, RequirementItem):
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        _report(item, "call", item.runtest)
        if self._config.getoption("xmlpath", None):
            # pytest's JUnit report takes an item's properties when it is taken down.
            _report(item, "teardown", lambda: None)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, None]:
        """Put what an item found on its report, which may travel to another process."""
        outcome = yield
        if isinstance(item, RequirementItem) and item.payload is not None:
            outcome.get_result().callproof = {**item.payload, **self._of_scenario(item)}

    def _of_scenario(self, item: RequirementItem) -> Payload:
        """What goes with the first item of a scenario that this process judged, and with no other."""
        name = item.payload["scenario"] if item.payload is not None else ""
        if name in self._told:
            return {}
        self._told.add(name)
        shipped = {"records": self._records.pop(name)} if name in self._records else {}
        return {**item.shared, **shipped}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the system under test, whatever happened; an adapter may fail even then."""
        error = self._runs.close()
        if error is not None:
            note_error(session.config, str(error))


def _report(item: pytest.Item, when: Literal["call", "teardown"], phase: Callable[[], None]) -> None:
    """Have one phase of an item, and tell everybody of it."""
    broken_off = (KeyboardInterrupt, pytest.exit.Exception)
    call: pytest.CallInfo[None] = pytest.CallInfo.from_call(phase, when=when, reraise=broken_off)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    report = item.ihook.pytest_runtest_makereport(item=item, call=call)
    item.ihook.pytest_runtest_logreport(report=report)


_Node = TypeVar("_Node", bound=pytest.Collector | pytest.Item)


def _node(kind: type[_Node], parent: pytest.Collector, **given: Any) -> _Node:
    """A node of pytest's tree; ``from_parent`` is untyped there, and here in one place."""
    make = cast("Callable[..., _Node]", kind.from_parent)  # pyright: ignore[reportUnknownMemberType]
    return make(parent, **given)


class ScenarioNode(pytest.Collector):
    """A scenario, as the parent of its items."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Nothing of its own: its items are made with it."""
        return []


class RequirementItem(pytest.Item):
    """One requirement in one scenario, or whatever else the scenario's runs broke."""

    def __init__(
        self,
        *,
        scenario: Scenario,
        aims: frozenset[str],
        runs: Runs,
        settings: Settings,
        baseline: Baseline,
        **given: Any,
    ) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]  pytest leaves it untyped
        self._scenario, self._aims, self._runs = scenario, aims, runs
        self._settings, self._baseline = settings, baseline
        self.payload: Payload | None = None
        self.user_properties.append(("scenario", scenario.id))
        if self.name not in _REMAINDERS:
            self.user_properties.append(("requirement", self.name))
        # Under `--dist loadgroup` the items of a scenario share a worker, and so one run of it.
        self.add_marker(pytest.mark.xdist_group(scenario.id))

    def runtest(self) -> None:
        """Judge the scenario's runs by this item's requirement.  Raises Broken, or skips with what was missing."""
        judged = self._runs.judged(self._scenario)
        mine = {name: result for name, result in judged.results.items() if self._is_mine(name)}
        failures = self._failures(mine, judged)
        chosen = failures.results
        told = payload_of(self._scenario.id, chosen, self._mandatory(chosen))
        self.payload = {**told, **failures.payload}
        self.user_properties.append(("verdict", self._verdict(judged, chosen).value))
        if judged.errors:
            self._tell_once("\n".join(judged.errors))
        broken = [result for result in chosen.values() if self._breaks(result)]
        surprising = [result for result in broken if not self._is_known(result)]
        if surprising:
            raise Broken("\n".join(line for result in surprising for line in failures.told(result)))
        if broken:
            pytest.xfail(f"known: the baseline lists {', '.join(result.requirement.id for result in broken)}")
        undecided = chosen.get(self.name)
        if undecided is None or undecided.verdict in {Verdict.INCONCLUSIVE, Verdict.INAPPLICABLE}:
            self._skip_unless_a_remainder(undecided)

    @property
    def shared(self) -> Payload:
        """What this item and the others of its scenario have in common."""
        judged = self._runs.judged(self._scenario)
        return shared_payload(
            Ran(judged.runs, judged.errors, self._runs.implementation, self._runs.claims, self._runs.notes)
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding, and no traceback."""
        if isinstance(excinfo.value, Broken):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where pytest says that the item stands."""
        return self.path, None, f"{self._scenario.id} {self.name}"

    def _mandatory(self, chosen: Mapping[str, Result]) -> tuple[str, ...]:
        # What only cases beyond the claims aim at is no debt of this system, and neither is advice.
        owed = {self.name} & self._scenario.aims_within(self._runs.claims)
        binding = (each for each in owed if specification().requirements[each].level is Level.MUST)
        return tuple(each for each in binding if not self._is_beyond_its_claims(chosen.get(each)))

    def _is_beyond_its_claims(self, undecided: Result | None) -> bool:
        """Whether only evidence that this system does not claim to give could decide it."""
        unclaimed = {each for each, feature in _EVIDENCE_OF.items() if feature not in self._runs.claims}
        return undecided is not None and not unclaimed.isdisjoint(undecided.missing)

    def _is_mine(self, name: str) -> bool:
        if self.name not in _REMAINDERS:
            return name == self.name
        level = specification().requirements[name].level
        return name not in self._aims and level in _BINDING[self._settings.level]

    def _breaks(self, result: Result) -> bool:
        binding = {Level.MUST, Level.SHOULD} if self._settings.strict else {Level.MUST}
        if result.verdict is Verdict.FAIL:
            return result.requirement.level in binding
        return result.verdict is Verdict.ERROR

    def _is_known(self, result: Result) -> bool:
        """Whether a baseline lists every finding; while one is being written, it lists them all."""
        if result.verdict is not Verdict.FAIL:
            return False
        known = (self._baseline.reason(result.requirement.id, each) is not None for each in result.findings)
        return self._settings.update_baseline or all(known)

    def _tell_once(self, errors: str) -> None:
        """One failure for one fault of the adapter; the recorder makes the session an error whatever the others do."""
        if errors in self._runs.told:
            pytest.skip("the adapter failed, as told before")
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

    def _skip_unless_a_remainder(self, undecided: Result | None) -> None:
        if self.name in _REMAINDERS:
            return
        missing = ", ".join(undecided.missing) if undecided is not None else "any case of the scenario"
        verdict = undecided.verdict.value if undecided is not None else "inapplicable"
        # A skip alone never reads as green: the recorder fails the session for what no scenario could show.
        pytest.skip(f"{verdict}: {self._scenario.id} lacks {missing}")
