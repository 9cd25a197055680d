"""What a conformance session came to: every item's payload brought together, and nothing missing.

The recorder knows which items were to run.  An item that was expected and never
reported is an error, so that a session which was ended early can never look green.
"""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from callproof.judge.judgement import JudgedRun, Judgement, Outcome, Subject
from callproof.judge.judging import gather
from callproof.report.document import document, json_text
from callproof.report.payload import Payload, results_in, runs_in
from callproof.report.text import write
from callproof.settings import Settings
from callproof.spec.registry import specification

_PREFIX = "callproof::"
_MISSING_SHOWN = 5
_RECORDER = "callproof-recorder"
_ERROR = "callproof-error"


def note_error(config: pytest.Config, error: str) -> None:
    """Have an error reported that no item can report any more; from a worker it travels with the worker's output."""
    output: dict[str, Any] | None = getattr(config, "workeroutput", None)
    recorder: object = config.pluginmanager.get_plugin(_RECORDER)
    if output is not None:
        output[_ERROR] = error
    elif isinstance(recorder, Recorder):
        recorder.note(error)


class Recorder:
    """Collects payloads from items, here or in workers, and makes one judgement of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._expected: set[str] = set()
        self._reported: set[str] = set()
        self._payloads: list[Payload] = []
        self._noted: list[str] = []

    def note(self, error: str) -> None:
        """Add an error to the judgement."""
        self._noted.append(error)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over the error that a worker left behind."""
        error = getattr(node, "workeroutput", {}).get(_ERROR)
        if error is not None:
            self.note(error)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what is going to run in this process."""
        if not session.config.option.collectonly:
            self._expected.update(item.nodeid for item in session.items if item.nodeid.startswith(_PREFIX))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Note what a worker is going to run."""
        self._expected.update(each for each in ids if each.startswith(_PREFIX))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take over an item's payload."""
        if report.when != "call" or not report.nodeid.startswith(_PREFIX):
            return
        payload: Payload | None = getattr(report, "callproof", None)
        if payload is not None:
            self._reported.add(report.nodeid.partition("@")[0])
            self._payloads.append(payload)

    @property
    def judgement(self) -> Judgement:
        """The judgement on everything that was reported."""
        spec = specification()
        # Workers report in any order; a report has one.
        payloads = sorted(self._payloads, key=lambda payload: str(payload["scenario"]))
        gathered = gather(results_in(payload, spec) for payload in payloads)
        return Judgement(
            subject=self._subject(),
            results={name: gathered[name] for name in spec.requirements if name in gathered},
            runs=self._runs(),
            required=frozenset(name for payload in self._payloads for name in payload["required"]),
            errors=self._errors(),
            strict=self._settings.strict,
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let the session's exit status say what the report says, and write the document where asked to."""
        if not self._expected and not self._payloads:
            return
        judged = self.judgement
        if judged.outcome is not Outcome.CONFORMS and session.exitstatus in {0, 1, 5}:
            session.exitstatus = judged.outcome.exit_code
        if self._settings.report is not None:
            self._settings.report.write_text(json_text(document(judged)), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report below pytest's own."""
        if not self._expected and not self._payloads:
            return
        terminalreporter.section("callproof")
        console = Console(file=terminalreporter._tw._file, width=terminalreporter._tw.fullwidth)
        write(document(self.judgement), specification(), console)

    def _subject(self) -> Subject:
        met = next((payload for payload in self._payloads if payload["implementation"]), None)
        if met is None:
            return Subject("system", self._settings.adapter)
        claims, notes = tuple(met["claims"]), tuple(met["notes"])
        return Subject("system", self._settings.adapter, met["implementation"], claims, notes)

    def _runs(self) -> tuple[JudgedRun, ...]:
        by_scenario = {payload["scenario"]: runs_in(payload) for payload in self._payloads}
        return tuple(run for name in sorted(by_scenario) for run in by_scenario[name])

    def _errors(self) -> tuple[str, ...]:
        told = dict.fromkeys(error for payload in self._payloads for error in payload["errors"])
        told.update(dict.fromkeys(self._noted))
        unheard = sorted(each for each in self._expected if each.partition("@")[0] not in self._reported)
        if unheard:
            shown = ", ".join(each.removeprefix(_PREFIX) for each in unheard[:_MISSING_SHOWN])
            more = f" and {len(unheard) - _MISSING_SHOWN} more" if len(unheard) > _MISSING_SHOWN else ""
            told[f"{len(unheard)} of {len(self._expected)} items were never judged: {shown}{more}"] = None
        return tuple(told)
