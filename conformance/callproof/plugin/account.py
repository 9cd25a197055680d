"""
The account of a session: which items of ours were to run, what was reported of them, and how the session ended.

An item that was expected and never reported is an error, so that a session which was ended early can never look green.
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
# What pytest reports of an item; of one that ended a worker pytest-xdist reports something else.
_PHASES = {"setup", "call", "teardown"}
# How pytest-xdist says that somebody broke off one of its workers.
_KEY_IN_WORKER = "received keyboard-interrupt"


def note_error(config: pytest.Config, error: str) -> None:
    """Have an error reported that no item can report any more; from a worker it travels with the worker's output."""
    output: dict[str, Any] | None = getattr(config, "workeroutput", None)
    recorder: object = config.pluginmanager.get_plugin(_RECORDER)
    if output is not None:
        output[_ERROR] = error
    elif isinstance(recorder, Account):
        recorder.note(error)


def _why_stopped(error: BaseException) -> str:
    """Why a plugin ended a session, as ``--stepwise`` does, or ``-x`` among workers; empty where a person did."""
    if type(error) is KeyboardInterrupt or not isinstance(error, KeyboardInterrupt):
        return ""
    why = str(error)
    return "" if why.endswith(_KEY_IN_WORKER) else why or "stopped"


def _with_lines(traceback: TracebackType) -> TracebackType:
    """
    A traceback with the function's first line where the interpreter has no line for an instruction.

    It may have none for the one at which a signal came, and pytest counts on one.
    """
    entries = [traceback]  # as many as a stack is deep, so that no recursion would do
    while (below := entries[-1].tb_next) is not None:
        entries.append(below)
    for each in reversed(entries):
        line = cast("int | None", each.tb_lineno)  # which the stubs do not know to be none
        code = each.tb_frame.f_code
        below = TracebackType(below, each.tb_frame, each.tb_lasti, code.co_firstlineno if line is None else line)
    assert below is not None  # noqa: S101  there was one entry
    return below


class Account:
    """What was expected of a session whose items' ids begin with ``prefix``, and what came, here or from workers."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._interrupted = False
        # Why a plugin ended the session in the way in which a person does; empty where none did.
        self._broken_off = ""
        # How pytest left out the rest at a failure, as it was told to; empty where it did not.
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
        """Take over an item's payload, or that the worker which had the item died, and perhaps another has it again."""
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
        """Somebody broke off: what was decided until then is still worth telling.  Or a plugin stopped at a failure."""
        # Before pytest looks at it, which would fail and end the session without a word of what it was.
        told = (excinfo.type, excinfo.value, _with_lines(excinfo.tb))
        excinfo.traceback = pytest.ExceptionInfo[BaseException].from_exc_info(told).traceback
        self._broken_off = _why_stopped(excinfo.value)
        self._interrupted = not self._broken_off

    def _note_the_stop(self, session: pytest.Session, besides: str = "") -> None:
        """Tell of what ``-x`` left out.  Beside a broken law that is no error; without one, nothing was shown."""
        if not (session.shouldfail or self._broken_off):
            return
        why = f"({safe(self._broken_off)})" if self._broken_off else "at a failure (-x, --maxfail)"
        self._stopped = f"was judged in part: {self._never_judged}, since pytest stopped {why}{besides}"
        if not self._unheard or self.judgement.outcome is not Outcome.VIOLATIONS:
            self._stopped = ""

    def _write_reports(self, judged: Judgement, targets: tuple[Target, ...]) -> None:
        """Write what was asked for; what cannot be written is an error, which those that can be written may lack."""
        told = document(judged) if targets else {}
        for target in targets:
            try:
                write_report(told, target)
            except OSError as error:
                self.note(f"the report {target.path} cannot be written: {error.strerror}")

    def _end(self, session: pytest.Session, judged: Judgement) -> None:
        """Let the session's exit status say what the report says."""
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
        """The items that were to run and that nobody reported."""
        return sorted(each for each in self._expected if each.partition("@")[0] not in self._reported)

    @property
    def _never_judged(self) -> str:
        unheard = len(self._unheard)
        return f"{unheard} of {counted(len(self._expected), 'item')} {was(unheard)} never judged"

    def _told_of_unheard(self) -> list[str]:
        """The error of what nobody reported, unless pytest was told to stop."""
        unheard = self._unheard
        if not unheard or self._stopped:
            return []
        shown = ", ".join(each.removeprefix(self._prefix) for each in unheard[:_MISSING_SHOWN])
        more = f" and {len(unheard) - _MISSING_SHOWN} more" if len(unheard) > _MISSING_SHOWN else ""
        return [f"{self._never_judged}: {shown}{more}"]
