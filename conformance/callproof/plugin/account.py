"""
The account of a session: which of our items should run, what was reported about them, and how the session ended.

An item that was expected but never reported is an error, so that a session that ended early never looks green.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, cast

import pytest

from callproof.judge.judgement import Judgement, Outcome
from callproof.report.console import console_in
from callproof.report.document import document
from callproof.report.escape import safe
from callproof.report.files import write_report
from callproof.report.payload import Payload
from callproof.report.targets import Target
from callproof.report.text import write
from callproof.spec.registry import Specification
from callproof.values.counts import counted, was

_MISSING_SHOWN = 5
_RECORDER = "callproof-recorder"
_ERROR = "callproof-error"
# The phases that pytest reports of an item; for an item that ended its worker, pytest-xdist reports another one.
_PHASES = {"setup", "call", "teardown"}
# How pytest-xdist says that a worker was interrupted.
_KEY_IN_WORKER = "received keyboard-interrupt"


def note_error(config: pytest.Config, error: str) -> None:
    """Report an error that no item can report any more; from a worker it travels with the worker's output."""
    output: dict[str, Any] | None = getattr(config, "workeroutput", None)
    recorder: object = config.pluginmanager.get_plugin(_RECORDER)
    if output is not None:
        output[_ERROR] = error
    elif isinstance(recorder, Account):
        recorder.note(error)


def _why_stopped(error: BaseException) -> str:
    """Why a plugin ended a session, as ``--stepwise`` does, or ``-x`` among workers; empty if a person ended it."""
    if type(error) is KeyboardInterrupt or not isinstance(error, KeyboardInterrupt):
        return ""
    why = str(error)
    return "" if why.endswith(_KEY_IN_WORKER) else why or "stopped"


def _with_lines(traceback: TracebackType) -> TracebackType:
    """
    A traceback with the function's first line for each instruction that has no line in the interpreter.

    The instruction at which a signal came may have no line, but pytest needs one.
    """
    entries = [traceback]  # one for each level of the stack, which may be too deep for recursion
    while (below := entries[-1].tb_next) is not None:
        entries.append(below)
    for each in reversed(entries):
        line = cast("int | None", each.tb_lineno)  # the stubs do not say that it may be None
        code = each.tb_frame.f_code
        below = TracebackType(below, each.tb_frame, each.tb_lasti, code.co_firstlineno if line is None else line)
    assert below is not None  # noqa: S101  there was one entry
    return below


class Account:
    """What a session must report on items whose ids begin with ``prefix``, and what it reported, here or in workers."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._interrupted = False
        # Why a plugin ended the session in the way that a person does; empty if no plugin did.
        self._broken_off = ""
        # How pytest left out the rest after a failure, as an option asked; empty if it did not.
        self._stopped = ""
        self._expected: set[str] = set()
        self._reported: set[str] = set()
        self._noted: list[str] = []
        self._document: dict[str, Any] | None = None

    def note(self, error: str) -> None:
        """Add an error to the judgement."""
        self._noted.append(error)

    def _take(self, item: str, payload: Payload) -> None:
        """Keep what an item found."""
        raise NotImplementedError

    @property
    def judgement(self) -> Judgement:
        """The judgement on everything that was reported."""
        raise NotImplementedError

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the error that a worker left behind."""
        error = getattr(node, "workeroutput", {}).get(_ERROR)
        if error is not None:
            self.note(error)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what is going to run in this process; workers select for themselves."""
        if not session.config.option.collectonly:
            self._expected.update(item.nodeid for item in session.items if item.nodeid.startswith(self._prefix))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Note what a worker is going to run."""
        self._expected.update(each for each in ids if each.startswith(self._prefix))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take over an item's payload, or note that the item's worker died; another worker may run the item again."""
        if not report.nodeid.startswith(self._prefix):
            return
        if report.failed and report.when not in _PHASES:
            self.note(str(report.longrepr))
        if report.when != "call":
            return
        payload: Payload | None = getattr(report, "callproof", None)
        if payload is not None:
            item = report.nodeid.partition("@")[0]
            self._reported.add(item)
            self._take(item, payload)

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note an interruption; what was decided until then is still reported.  Or a plugin stopped at a failure."""
        # Before pytest looks at the traceback, which would fail and end the session without saying why.
        told = (excinfo.type, excinfo.value, _with_lines(excinfo.tb))
        excinfo.traceback = pytest.ExceptionInfo[BaseException].from_exc_info(told).traceback
        self._broken_off = _why_stopped(excinfo.value)
        self._interrupted = not self._broken_off

    def _note_the_stop(self, session: pytest.Session, besides: str = "") -> None:
        """Tell what ``-x`` left out.  That is no error beside a broken law; without one, the session showed nothing."""
        if not (session.shouldfail or self._broken_off):
            return
        why = f"({safe(self._broken_off)})" if self._broken_off else "at a failure (-x, --maxfail)"
        self._stopped = f"was judged in part: {self._never_judged}, since pytest stopped {why}{besides}"
        if not self._unheard or self.judgement.outcome is not Outcome.VIOLATIONS:
            self._stopped = ""

    def _write_reports(self, judged: Judgement, targets: tuple[Target, ...]) -> None:
        """Write the reports that are wanted; a failure to write one is an error, which the other reports may lack."""
        told = document(judged) if targets else {}
        for target in targets:
            try:
                write_report(told, target)
            except OSError as error:
                self.note(f"the report {target.path} cannot be written: {error.strerror}")

    def _end(self, session: pytest.Session, judged: Judgement) -> None:
        """Set the session's exit status to what the report says."""
        if judged.outcome.exit_code and (self._interrupted or self._broken_off or session.exitstatus in {0, 1, 5}):
            session.exitstatus = judged.outcome.exit_code
        self._document = document(judged)

    def _print(self, terminalreporter: Any, spec: Specification) -> None:
        """Print the report below pytest's own."""
        if self._document is None:
            return
        terminalreporter.section("callproof")
        console = console_in(terminalreporter._tw._file, terminalreporter._tw.fullwidth)
        write(self._document, spec, console)

    @property
    def _has_anything(self) -> bool:
        return bool(self._expected or self._reported or self._interrupted)

    @property
    def _unheard(self) -> list[str]:
        """The items that should run and were never reported."""
        return sorted(each for each in self._expected if each.partition("@")[0] not in self._reported)

    @property
    def _never_judged(self) -> str:
        unheard = len(self._unheard)
        return f"{unheard} of {counted(len(self._expected), 'item')} {was(unheard)} never judged"

    def _told_of_unheard(self) -> list[str]:
        """The error about items that were never reported, unless pytest was told to stop."""
        unheard = self._unheard
        if not unheard or self._stopped:
            return []
        shown = ", ".join(each.removeprefix(self._prefix) for each in unheard[:_MISSING_SHOWN])
        more = f" and {len(unheard) - _MISSING_SHOWN} more" if len(unheard) > _MISSING_SHOWN else ""
        return [f"{self._never_judged}: {shown}{more}"]
