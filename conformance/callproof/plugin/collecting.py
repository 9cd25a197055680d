"""What pytest collects for an adapter, and what it tells the recorder about each item."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from callproof.adapters.deadlines import Deadlines
from callproof.garbage import keep
from callproof.generated.wanted import NAME as GENERATED
from callproof.generated.wanted import Wanted
from callproof.interruption import as_ctrl_c
from callproof.judge.baseline import NO_BASELINE, Baseline
from callproof.live.case import Scenario
from callproof.live.judged import JudgedScenario
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import MOST_HEARD, CaseOutcome, LiveSession
from callproof.plugin.account import note_error
from callproof.plugin.items import (
    ANYTHING_ELSE,
    BINDING,
    RequirementItem,
    ScenarioNode,
    Share,
    phase,
)
from callproof.plugin.nodes import node
from callproof.plugin.report import Recorder
from callproof.plugin.workers import PREFIX, Sending, Workers
from callproof.replay.saving import CannotBeKept, prepare
from callproof.report.baselines import BadBaseline, read_baseline, refuse_unwritable
from callproof.report.escape import safe_lines
from callproof.report.payload import Payload
from callproof.report.targets import Form
from callproof.settings import Settings, in_pytest
from callproof.spec.registry import specification
from callproof.statement.executors import case_text
from callproof.values.parts import parts_of

if TYPE_CHECKING:
    from callproof.generated.running import Generating

# By wall-clock time in `tests/benchmarks/suite.py`: generating, many ends and starts, many cases, many calls.
_LONGEST = (GENERATED, "SC-25", "SC-21", "SC-07", "SC-24", "SC-12", "SC-26", "SC-05", "SC-13")


def register_rest(config: pytest.Config, settings: Settings) -> None:
    """Register the collecting and the recording plugin.  Raises pytest.UsageError."""
    try:
        baseline = _baseline(settings)
        prepare(settings.save_cases)
    except (BadBaseline, CannotBeKept) as error:
        raise pytest.UsageError(f"callproof: {in_pytest(str(error))}") from None
    config.pluginmanager.register(Collecting(config, settings, baseline), "callproof-collecting")
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Sending(), "callproof-sending")
    else:
        config.pluginmanager.register(Workers(), "callproof-workers")
        config.pluginmanager.register(Recorder(settings, _whole(settings), baseline), "callproof-recorder")


def _baseline(settings: Settings) -> Baseline:
    file = settings.baseline
    if file is not None and settings.update_baseline:
        refuse_unwritable(file)
    if file is None or (settings.update_baseline and not file.exists()):
        return NO_BASELINE
    return read_baseline(file, unfinished=settings.update_baseline)


def _names(scenario: Scenario, settings: Settings) -> tuple[str, ...]:
    """The names of the items of a scenario."""
    if scenario.id == GENERATED:
        return (*parts_of(settings.cases),)
    binding = BINDING[settings.level]
    aims = (each for each in specification().requirements.values() if each.id in scenario.provokes)
    return (*(each.id for each in aims if each.level in binding and each.excluded is None), ANYTHING_ELSE)


def _whole(settings: Settings) -> frozenset[str]:
    """The ids of all items."""
    return frozenset(
        f"{PREFIX}{scenario.id}::{name}" for scenario in _scenarios(settings) for name in _names(scenario, settings)
    )


def _scenarios(settings: Settings) -> tuple[Scenario, ...]:
    """What is run: the scenarios of the specification, and after them the generated cases."""
    return SCENARIOS if not settings.cases else (*SCENARIOS, Scenario(GENERATED, "Generated cases", ()))


class Collecting:
    """Adds the conformance items to what pytest collected."""

    def __init__(self, config: pytest.Config, settings: Settings, baseline: Baseline) -> None:
        self._config = config
        self._settings = settings
        self._baseline = baseline
        self._keeps_records = any(each.form is Form.STATEMENT for each in settings.reports)
        self._records: dict[str, str] = {}
        # What the system said before cases that came to no end, by scenario.
        self._heard: dict[str, list[str]] = {}
        self._told: set[str] = set()
        self._is_worker = hasattr(config, "workerinput")
        # In a worker the name of each item costs a message, and pytest shows it only in a list of all items.
        self._names_each_item = not self._is_worker or config.get_verbosity() > 0
        deadlines = Deadlines(start=settings.timeout, answer=settings.timeout)
        self._runs = Runs(
            settings.adapter, deadlines, seed=settings.seed, strict=settings.strict, on_case=self._on_case
        )
        self._parts = parts_of(settings.cases)
        self._generating: Generating | None = None
        self._runs.made.update({(GENERATED, name): partial(self._generated, name) for name in self._parts})

    def _generated(self, part: str, session: LiveSession, on_case: Callable[[CaseOutcome], None]) -> JudgedScenario:
        # The import takes half of the start of a process, and not every process needs it.
        from callproof.generated.running import Generating  # noqa: PLC0415

        if self._generating is None:
            settings = self._settings
            self._generating = Generating(Wanted(settings.cases, settings.seed or 0, settings.strict))
        return self._generating.had(session, self._parts[part], on_case)

    def _on_case(self, scenario: Scenario, outcome: CaseOutcome) -> None:
        self._config.hook.pytest_callproof_case(case=outcome.case.id, heard=outcome.last_words)
        heard = self._heard.setdefault(scenario.id, [])
        if outcome.last_words and len(heard) < MOST_HEARD:
            heard.append(safe_lines(outcome.last_words))
        # Everybody must be able to recompute a statement, so it is made of fixed cases only.
        if self._keeps_records and scenario.id != GENERATED:
            self._records[scenario.id] = self._records.get(scenario.id, "") + case_text(outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add an item for each requirement of each scenario; before ``-k`` selects, so that it can select their ids."""
        for scenario in sorted(_scenarios(self._settings), key=self._turn):
            parent = node(ScenarioNode, session, name=scenario.id, nodeid=f"{PREFIX}{scenario.id}")
            given = {"runs": self._runs, "settings": self._settings, "baseline": self._baseline}
            made = [
                node(RequirementItem, parent, name=name, share=share, **given) for name, share in self._shares(scenario)
            ]
            items.extend(made)
            # From these reports pytest counts what is collected; what is not deselected counts as selected.
            session.ihook.pytest_collectreport(report=pytest.CollectReport(parent.nodeid, "passed", None, [*made]))

    def _shares(self, scenario: Scenario) -> Iterator[tuple[str, Share]]:
        """What the items of a scenario are about, by their names."""
        if scenario.id == GENERATED:
            yield from ((name, Share(scenario, place=places[0])) for name, places in self._parts.items())
            return
        names = _names(scenario, self._settings)
        share = Share(scenario, frozenset(names) - {ANYTHING_ELSE})
        yield from ((name, share) for name in names)

    def _turn(self, scenario: Scenario) -> int:
        """The turn of a scenario: in the specification's order; among workers longest first, so that none ends late."""
        if self._is_worker and scenario.id in _LONGEST:
            return _LONGEST.index(scenario.id)
        return len(_LONGEST)

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        """
        Run the phases of an item of ours, and report each like pytest's own: other plugins keep their account by them,
        and after the last item pytest tears down the fixtures that a user's tests share.  If a CI system ends the
        session during an item, there is a report; during a user's tests, its signals keep their meaning.
        """
        if not isinstance(item, RequirementItem):
            return None
        with as_ctrl_c():
            self._have(item, nextitem)
        return True

    def _have(self, item: RequirementItem, nextitem: pytest.Item | None) -> None:
        if self._names_each_item:
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        hook = item.ihook
        if phase(item, "setup", partial(hook.pytest_runtest_setup, item=item)):
            phase(item, "call", partial(hook.pytest_runtest_call, item=item))
        phase(item, "teardown", partial(hook.pytest_runtest_teardown, item=item, nextitem=nextitem))
        if self._names_each_item:
            item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
        """Put what an item found on its report, which may travel to another process."""
        outcome = yield
        if isinstance(item, RequirementItem) and call.when == "call" and item.payload is not None:
            report = outcome.get_result()
            report.callproof = {**item.payload, **self._of_scenario(item)}
            heard = self._heard.get(item.payload["scenario"])
            if heard and report.failed:
                report.sections.append(("Captured stderr call", "\n".join(heard)))

    def _of_scenario(self, item: RequirementItem) -> Payload:
        """What only the first item of an origin carries in this process."""
        name = item.payload["scenario"] if item.payload is not None else ""
        if item.origin in self._told:
            return {}
        self._told.add(item.origin)
        shipped = {"records": self._records.pop(name)} if name in self._records else {}
        return {**item.shared, **shipped}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the system under test, whatever happened; an adapter may fail even then."""
        error = self._runs.close()
        if error is not None:
            note_error(session.config, str(error))
        if all(isinstance(each, RequirementItem) for each in session.items):
            # No test of a user ran, so pytest, or Python at its end, finds no fault in the garbage that is left.
            keep()
