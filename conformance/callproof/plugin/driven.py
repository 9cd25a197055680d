"""
What pytest runs for a live system of another protocol: an item for each written case and each part of generated cases.

A process plays all its items with one system, which it starts for the first of its cases.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from callproof.adapters.address import read_address
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, AdapterNotFound, BadAdapterName
from callproof.auditing.known_failures import Holding, baseline_file
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing
from callproof.driven.session import Played, Session
from callproof.driven.suite import Case, Suite
from callproof.interruption import as_ctrl_c
from callproof.judge.judging import Result
from callproof.judge.selection import EVERYTHING
from callproof.judge.verdicts import Verdict
from callproof.plugin.account import note_error
from callproof.plugin.driven_report import SystemRecorder, error_payload, holding_of, payload_of
from callproof.plugin.nodes import ENDS, Broken, ToldItem, node, why_of
from callproof.plugin.workers import Sending, Workers
from callproof.replay.saving import CannotBeKept, prepare
from callproof.report.baselines import BadBaseline
from callproof.report.escape import safe_lines
from callproof.settings import SystemSettings, WrongSetting, in_pytest, system_from_options
from callproof.spec.blocks import Level
from callproof.suites import SUITES
from callproof.values.parts import parts_of


def register(config: pytest.Config, word: str, adapter: str, options: Mapping[str, Any]) -> None:
    """Register what collects the cases and what judges them.  Raises pytest.UsageError."""
    suite = SUITES[word]
    try:
        settings = system_from_options(word, adapter, options, config.rootpath)
        file = baseline_file(settings.baseline, EVERYTHING, update=settings.update_baseline)
        prepare(settings.save_cases)
        with suppress(AdapterNotFound):  # an error of the adapter, which the report shows
            read_address(adapter)
    except (WrongSetting, BadAdapterName, BadBaseline, CannotBeKept) as error:
        raise pytest.UsageError(f"callproof: {in_pytest(str(error))}") from None
    holding = holding_of(suite, file, strict=settings.strict)
    shares = _shares(suite, settings)
    config.pluginmanager.register(Playing(config, suite, settings, shares, holding), "callproof-playing")
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Sending(), "callproof-sending")
    else:
        whole = frozenset(f"callproof-{word}::{each.name}" for each in shares)
        config.pluginmanager.register(Workers(), "callproof-workers")
        config.pluginmanager.register(SystemRecorder(suite, settings, whole, file), "callproof-recorder")


@dataclass(frozen=True, slots=True)
class Share:
    """What an item plays: a written case, or the generated cases at some places."""

    name: str
    place: int
    case: Case | None = None
    places: range = range(0)


def _shares(suite: Suite[Any], settings: SystemSettings) -> tuple[Share, ...]:
    """All items to play, in the order of the report."""
    written = [Share(each.id, place, each) for place, each in enumerate(suite.cases)]
    parts = enumerate(parts_of(settings.cases).items(), len(written))
    return (*written, *(Share(f"GEN::{name}", place, places=places) for place, (name, places) in parts))


class CaseItem(ToldItem):
    """One written case, or a part of the generated ones."""

    def __init__(self, *, share: Share, playing: Playing, **given: Any) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]  pytest leaves it untyped
        self.share, self._playing = share, playing

    def runtest(self) -> None:
        """
        Play the cases of the item.  Raises Broken, or skips with what the system does not claim.

        An error in the suite itself goes to the report as well.
        """
        # Some systems look for this name to detect a test; a system must behave as it does elsewhere.
        os.environ.pop("PYTEST_CURRENT_TEST", None)
        try:
            self._playing.play(self)
        except ENDS:
            raise
        except BaseException as error:
            note_error(self.config, f"{self.name}: {why_of(error)}")
            raise

    def reportinfo(self) -> tuple[Path, None, str]:
        """The place of the item, as pytest shows it."""
        return self.path, None, self.name


class Playing:
    """Adds the cases to what pytest collected, and plays those that this process is given."""

    def __init__(
        self,
        config: pytest.Config,
        suite: Suite[Any],
        settings: SystemSettings,
        shares: Sequence[Share],
        holding: Holding | None,
    ) -> None:
        self._config, self._suite, self._settings, self._shares = config, suite, settings, shares
        deadlines = Deadlines(answer=max(Deadlines().answer, settings.timeout))
        self._session = Session(suite, settings.adapter, deadlines=deadlines, patience=settings.timeout)
        self._hearing = Hearing(suite, settings.adapter, strict=settings.strict, holding=holding)
        self._holding = holding
        self._begun = self._ended = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add an item for each case; before ``-k`` selects, so that it can select their ids."""
        prefix = f"callproof-{self._suite.word}::"
        ordered = self._shares
        if hasattr(self._config, "workerinput"):
            # Among workers the longest first, so that no worker starts a long one at the end.
            ordered = sorted(ordered, key=lambda share: share.case is not None)
        made = [
            node(CaseItem, session, name=each.name, nodeid=f"{prefix}{each.name}", share=each, playing=self)
            for each in ordered
        ]
        items.extend(made)
        session.ihook.pytest_collectreport(report=pytest.CollectReport(prefix, "passed", None, [*made]))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """If a CI system ends the session during an item, there is a report; a user's tests run as usual."""
        if not isinstance(item, CaseItem):
            return (yield)
        with as_ctrl_c():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        """Put what an item saw on its report, which may travel to another process."""
        report = yield
        if isinstance(item, CaseItem) and call.when == "call" and item.payload is not None:
            report.callproof = item.payload
        return report

    def play(self, item: CaseItem) -> None:
        """
        Play what an item is about, and say what was seen.

        Raises Broken if a binding requirement was broken or the adapter failed; skips what is not claimed, and fails
        as expected if the baseline lists every failure.
        """
        self._begin(item)
        share = item.share
        played = self._played(share)
        for each in played:
            if each.last_words:
                item.add_report_section("call", "stderr", safe_lines(each.last_words))
        broken = [(each, result) for each in played for result in self._broken(each)]
        left = max(0, len(share.places) - len(played))
        item.payload = payload_of(share.place, played, self._session, broken=bool(broken), left=left)
        named = "" if share.case is not None else "{}: "
        told = [f"{named.format(each.case.id)}{each.error}" for each in played if each.error is not None]
        new = [(each, result) for each, result in broken if self._holding is None or not self._holding.knows(result)]
        told += [line for each, result in new for line in _lines(result, named.format(each.case.id))]
        if told:
            raise Broken("\n".join(told))
        if broken:
            # Raised here, since with --runxfail pytest.xfail does nothing.
            listed = ", ".join(dict.fromkeys(result.requirement.id for _, result in broken))
            raise pytest.xfail.Exception(f"known: the baseline lists {listed}")
        if all(each.log is None for each in played):
            lacks = " and ".join(dict.fromkeys(name for each in played for name in each.lacks))
            pytest.skip(f"the case needs {lacks}" if lacks else f"the system was given up {played[-1].given_up}")

    def _begin(self, item: CaseItem) -> None:
        """Start the system, once.  Raises Broken for the first item if that fails, and skips the others."""
        if not self._begun:
            self._begun = True
            try:
                self._session.__enter__()
            except AdapterError as error:
                self._ended = True
                item.payload = error_payload(item.share.place, str(error))
                raise Broken(str(error)) from None
        if self._ended:
            item.payload = error_payload(item.share.place)
            pytest.skip("the adapter failed, as reported before")

    def _played(self, share: Share) -> list[Played[Any]]:
        session, played = self._session, list[Played[Any]]()
        drawn = Generating(session, self._hearing, self._settings.seed, self._settings.cases).part(share.places)
        for each in [session.play(share.case)] if share.case is not None else drawn:
            played.append(each)
            self._config.hook.pytest_callproof_case(case=each.case.id, heard=each.last_words)
        return played

    def _broken(self, played: Played[Any]) -> list[Result]:
        """The results of a case that fail it."""
        results = self._hearing.look(played, frozenset(self._session.claims.features))
        return [each for name in sorted(results) if self._fails(each := results[name])]

    def _fails(self, result: Result) -> bool:
        if result.verdict is Verdict.FAIL:
            binding = {Level.MUST, Level.SHOULD} if self._settings.strict else {Level.MUST}
            return result.requirement.level in binding
        return result.verdict is Verdict.ERROR

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the system, whatever happened; an adapter may fail even then."""
        if not self._begun or self._ended:
            return
        try:
            self._session.__exit__(None)
        except AdapterError as error:
            note_error(session.config, str(error))


def _lines(result: Result, named: str) -> list[str]:
    """How one case broke a requirement, in a few lines."""
    told = [f"{named}{result.requirement.id} {result.requirement.title}"]
    for each in result.findings:
        told += [f"  {each.finding.observed}", f"  permitted: {each.finding.permitted}"]
    return told + [f"  {each}" for each in result.errors]
