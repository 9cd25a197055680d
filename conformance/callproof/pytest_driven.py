"""What pytest runs of a live system of another protocol: one item a case, and one judgement of all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from callproof.adapters.address import read_address
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, AdapterNotFound, BadAdapterName
from callproof.auditing.known_failures import Holding, baseline_file
from callproof.commands.audit import WrongUsage, refuse_own_input
from callproof.commands.suites import SUITES
from callproof.driven.hearing import Hearing
from callproof.driven.playing import PATIENCE
from callproof.driven.session import Session
from callproof.driven.suite import Case, Suite
from callproof.judge.judging import Result
from callproof.judge.selection import EVERYTHING
from callproof.judge.verdicts import Verdict
from callproof.report.baselines import BadBaseline
from callproof.report.console import console_in
from callproof.report.document import document
from callproof.report.files import write_report
from callproof.report.targets import BadTarget, Form, Target, read_target
from callproof.report.text import write
from callproof.spec.blocks import Level
from callproof.spec.registry import protocols, whole_specification

_LONGEST_SECONDS = 3600.0


class Broken(Exception):
    """A case broke a requirement, or the adapter failed in it; carries the lines that pytest shows."""


def register(config: pytest.Config, word: str, adapter: str, options: Mapping[str, Any]) -> None:
    """Register what collects the cases and judges them.  Raises pytest.UsageError."""
    suite = SUITES[word]
    if hasattr(config, "workerinput") or config.getoption("numprocesses", None):
        raise pytest.UsageError(f"callproof: {suite.kind} is played by one process; leave -n out, or give -n 0")
    try:
        read_address(adapter)
        targets = [read_target(each, config.rootpath, without=(Form.STATEMENT,)) for each in options["report"] or ()]
        holding = _holding(suite, config.rootpath, options)
        refuse_own_input((each.path for each in targets), [config.rootpath / (options["baseline"] or "")])
    except AdapterNotFound as error:
        raise pytest.UsageError(f"callproof: {error}") from None
    except (BadAdapterName, BadBaseline, BadTarget, WrongUsage) as error:
        raise pytest.UsageError(f"callproof: {error}") from None
    hearing = Hearing(suite, adapter, strict=bool(options["strict"]), holding=holding)
    playing = Playing(hearing, targets, patience=_seconds(options["timeout"]))
    config.pluginmanager.register(playing, "callproof-playing")


def _holding(suite: Suite[Any], root: Path, options: Mapping[str, Any]) -> Holding | None:
    """What is known to fail, by the file that was named, which lies below the root.  Raises BadBaseline."""
    named = options["baseline"]
    file = baseline_file(None if named is None else root / named, EVERYTHING, update=bool(options["update_baseline"]))
    spec = protocols()[suite.protocol.name]
    return None if file is None else Holding(file, strict=bool(options["strict"]), spec=spec)


def _seconds(given: str | None) -> float:
    """How long a case may be silent.  Raises pytest.UsageError for what is no such time."""
    try:
        seconds = PATIENCE if given is None else float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST_SECONDS:
        told = f"--callproof-timeout {given} is no time"
        raise pytest.UsageError(f"callproof: {told}; permitted: seconds, more than 0 and at most {_LONGEST_SECONDS:g}")
    return seconds


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, playing: Playing, **given: Any) -> None:
        super().__init__(**given)  # pyright: ignore[reportUnknownMemberType]  pytest leaves it untyped
        self._case, self._playing = case, playing

    def runtest(self) -> None:
        """Play the case.  Raises Broken, or skips with what the system does not claim."""
        self._playing.play(self._case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The findings, and no traceback."""
        if isinstance(excinfo.value, Broken | pytest.xfail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where pytest says that the item stands."""
        return self.path, None, self.name


_Node = TypeVar("_Node", bound=pytest.Item)


def _node(kind: type[_Node], parent: pytest.Session, **given: Any) -> _Node:
    make = cast("Callable[..., _Node]", kind.from_parent)  # pyright: ignore[reportUnknownMemberType]
    return make(parent, **given)


class Playing:
    """Adds the cases to what pytest collected, plays those that are run, and judges what was played."""

    def __init__(self, hearing: Hearing[Any], targets: Sequence[Target], *, patience: float) -> None:
        self._suite = hearing.suite
        self._targets = targets
        deadlines = Deadlines(answer=max(Deadlines().answer, patience))
        self._session = Session(hearing.suite, hearing.address, deadlines=deadlines, patience=patience)
        self._hearing = hearing
        self._begun = self._ended = False
        self._document: Mapping[str, Any] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """One item a case; before selection by ``-k``, so that ids can be selected."""
        prefix = f"callproof-{self._suite.word}::"
        made = [
            _node(CaseItem, session, name=each.id, nodeid=f"{prefix}{each.id}", case=each, playing=self)
            for each in self._suite.cases
        ]
        items.extend(made)
        session.ihook.pytest_collectreport(report=pytest.CollectReport(prefix, "passed", None, [*made]))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Where some were left out, nothing that the baseline lists is gone for that."""
        left = sum(isinstance(each, CaseItem) for each in session.items)
        self._hearing.in_part = left < len(self._suite.cases)

    def play(self, case: Case) -> None:
        """
        Play a case and judge what was seen.

        Raises Broken where a binding requirement was broken or the adapter failed; skips what is not claimed, and fails
        as expected where the baseline lists it all.
        """
        if not self._begun:
            self._begun = True
            try:
                self._session.__enter__()
            except AdapterError as error:
                self._ended = True
                self._hearing.errors.append(str(error))
                raise Broken(str(error)) from None
        if self._ended:
            pytest.skip("the adapter failed, as told before")
        played = self._session.play(case)
        found = self._hearing.take(played, frozenset(self._session.claims.features))
        if played.error is not None:
            raise Broken(str(played.error))
        if played.lacks:
            pytest.skip(f"it is not run without {' and '.join(played.lacks)}")
        if played.log is None:
            pytest.skip("the system was given up before it")
        broken = [each for name in sorted(found) if self._binds(each := self._hearing.results[-1][name])]
        holding = self._hearing.holding
        if told := [line for each in broken if holding is None or not holding.knows(each) for line in _lines(each)]:
            raise Broken("\n".join(told))
        if broken:
            # Raised, since --runxfail has pytest.xfail do nothing.
            listed = ", ".join(each.requirement.id for each in broken)
            raise pytest.xfail.Exception(f"known: the baseline lists {listed}")

    def _binds(self, result: Result) -> bool:
        return result.verdict is Verdict.ERROR or self._hearing.strict or result.requirement.level is Level.MUST

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the loop, whatever happened, and let the session fail with the judgement."""
        if not self._begun:
            return
        try:
            if not self._ended:
                self._session.__exit__(None)
        except AdapterError as error:
            self._hearing.errors.append(str(error))
        interrupted = session.exitstatus == pytest.ExitCode.INTERRUPTED
        claims, told = self._session.claims, self._session.implementation
        judged = self._hearing.judgement(claims, told, interrupted=interrupted)
        self._document = document(judged, in_full=bool(self._targets))
        for target in self._targets:
            write_report(self._document, target)
        if judged.exit_code and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report below pytest's own."""
        if self._document is not None:
            terminalreporter.section("callproof")
            console = console_in(terminalreporter._tw._file, terminalreporter._tw.fullwidth)
            write(self._document, whole_specification(), console)


def _lines(result: Result) -> list[str]:
    """What one case broke of a requirement, in a few lines."""
    told = [f"{result.requirement.id} {result.requirement.title}"]
    for each in result.findings:
        told += [f"  {each.finding.observed}", f"  permitted: {each.finding.permitted}"]
    return told + [f"  {each}" for each in result.errors]
