"""The outcome of a conformance session: every item's payload brought together, and nothing missing.

It includes what the account of a session knows: which items should run, and which were reported.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from callproof.generated.wanted import NAME as GENERATED
from callproof.judge.baseline import NO_BASELINE, NOTHING_DRAWN, Baseline, Drawn
from callproof.judge.judgement import JudgedRun, Judgement, Outcome, Subject
from callproof.judge.judging import gather
from callproof.judge.tally import line_of
from callproof.live.scenarios import SCENARIOS
from callproof.plugin.account import Account
from callproof.plugin.workers import PREFIX
from callproof.report.baselines import baseline_text
from callproof.report.payload import Payload, replays_in, results_in, runs_in, tallies_in, testimonies_in
from callproof.report.targets import Form
from callproof.report.whole import write_whole
from callproof.settings import Settings
from callproof.spec.blocks import Level
from callproof.spec.registry import specification
from callproof.statement.executors import statement_files
from callproof.statement.matter import STATEMENT, NoStatement, System, this_suite
from callproof.statement.store import write_files
from callproof.values.counts import counted, was

# Why a statement about a part is refused: its readers would take it for the whole.
WHOLE_ONLY = "covers the whole suite at every level"
# How many generated cases that broke a law get a line of their own.
_MADE_SHOWN = 10


class Recorder(Account):
    """
    Collects payloads from items, here or in workers, and makes one judgement of them.

    ``whole`` are the ids of the items of a session without any selection, ``baseline`` lists the known failures.
    """

    def __init__(
        self, settings: Settings, whole: Collection[str] = frozenset(), baseline: Baseline = NO_BASELINE
    ) -> None:
        super().__init__(PREFIX)
        self._settings = settings
        self._whole = frozenset(whole)
        self._baseline = baseline
        self._payloads: list[Payload] = []
        self._stated: list[str] = []
        self._records: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """
        Note what is going to run in this process.

        Raises pytest.UsageError if a statement about a part of the suite is wanted; workers select for themselves.
        """
        if session.config.option.collectonly:
            return
        here = frozenset(item.nodeid for item in session.items if item.nodeid.startswith(PREFIX))
        level = self._settings.level
        if here and self._settings.states and (here != self._whole or level is not Level.MAY):
            told = f"{len(here)} of {counted(len(self._whole), 'item')} {was(len(here))} selected"
            raise pytest.UsageError(
                f"callproof: a statement {WHOLE_ONLY}, but {told}, at the level {level.value.lower()}"
            )
        super().pytest_collection_finish(session)

    def _take(self, item: str, payload: Payload) -> None:
        self._payloads.append(payload)
        if "records" in payload:
            self._records.setdefault(payload["scenario"], []).append(payload["records"])

    @property
    def judgement(self) -> Judgement:
        """The judgement on everything that was reported, with the known failures."""
        plain = self._plain_judgement()
        if self._settings.baseline is None:
            return plain
        scenarios = {GENERATED, *(node.split("::")[1] for node in self._whole)}
        binding = plain.binding
        judged = {(name, place) for name, place in self._judged() if name in binding}
        stale = () if self._interrupted else self._baseline.stale(plain.failures, judged, scenarios)
        return replace(plain, baseline=self._baseline, stale=stale)

    def _judged(self) -> set[tuple[str, str]]:
        """Every requirement with every scenario in which it was judged; generated cases count only if all were run."""
        tallies = tallies_in({_turn(payload): payload for payload in self._payloads}.values())
        all_had = sum(each.cases for each in tallies) == self._settings.cases
        has_all = all_had and self._baseline.drawn.within(self._drawn)
        told = [payload for payload in self._payloads if has_all or payload["scenario"] != GENERATED]
        return {(each["id"], payload["scenario"]) for payload in told for each in payload["results"]}

    def _plain_judgement(self) -> Judgement:
        spec = specification()
        # Workers report in any order; a report always has the same one.
        payloads = sorted(self._payloads, key=_turn)
        gathered = gather(results_in(payload, spec) for payload in payloads)
        return Judgement(
            subject=self._subject(),
            results={name: gathered[name] for name in spec.requirements if name in gathered},
            runs=self._runs(),
            required=frozenset(name for payload in self._payloads for name in payload["required"]),
            errors=self._errors(),
            strict=self._settings.strict,
            interrupted=self._interrupted,
            testimonies=testimonies_in(payloads),
            replays=replays_in(payloads),
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the session's exit status to what the report says, and write the reports that are wanted."""
        if not self._has_anything:
            return
        self._note_the_stop(session, ", and no statement was written" if self._settings.states else "")
        if self._settings.update_baseline:
            self._update_baseline()
        self._state()
        self._write_reports(self.judgement, self._settings.reports)
        self._end(session, self.judgement)

    def _state(self) -> None:
        """Write the statements that are wanted.  A statement needs a whole run; if this is none, note an error."""
        wanted = [target.path for target in self._settings.reports if target.form is Form.STATEMENT]
        if not wanted or self._interrupted or self._stopped:
            return
        twice = [name for name, shipped in self._records.items() if len(shipped) > 1]
        if not self._is_whole or self._settings.level is not Level.MAY:
            self.note(f"no statement was written: it {WHOLE_ONLY}; run it without a selection")
        elif twice:
            self.note(f"no statement was written: two workers ran {twice[0]}; run it without --dist each")
        try:
            for path in wanted:
                self._write_statement(self.judgement, path)
        except NoStatement as error:
            self.note(f"no statement was written: {error}")
        except OSError as error:
            self.note(f"no statement was written: {error.strerror}, in {', '.join(map(str, wanted))}")

    def _write_statement(self, judged: Judgement, path: Path) -> None:
        if judged.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
            return
        records = {name: shipped[0] for name, shipped in self._records.items()}
        subject = judged.subject
        system = System(
            this_suite(),
            subject.implementation or subject.name,
            subject.claims or (),
            self._settings.strict,
            tuple(each for each in self._baseline.entries if each.failure.place != GENERATED),
            judged.outcome.says,
            self._lacks,
        )
        files = statement_files(system, records)
        write_files(files, path)
        outcome = json.loads(files[STATEMENT])["outcome"]
        if outcome != judged.outcome.says:
            told = f"has the outcome {judged.outcome.says} in this run, but {outcome} in the statement {path.name}"
            self._stated.append(f"{told}, which rests on the scenarios alone, without generated cases")

    @property
    def _drawn(self) -> Drawn:
        return Drawn(self._settings.seed or 0, self._settings.cases)

    @property
    def _is_whole(self) -> bool:
        return frozenset(each.partition("@")[0] for each in self._expected) == self._whole

    def _update_baseline(self) -> None:
        """Write down what failed, if all items ran; after a part, the baseline would lose failures of the rest."""
        plain, file = self._plain_judgement(), self._settings.baseline
        if plain.outcome in {Outcome.ERROR, Outcome.INTERRUPTED} or self._stopped or file is None:
            self.note("the baseline was not updated: only a run to the end, without errors, may do that")
        elif not self._is_whole:
            told = f"{len(self._expected)} of {counted(len(self._whole), 'item')} {was(len(self._expected))} selected"
            self.note(f"the baseline was not updated: {told}; run them all")
        else:
            made = any(each.place == GENERATED for each in plain.failures)
            drawn = self._drawn if made else NOTHING_DRAWN
            self._baseline = replace(self._baseline.updated(plain.failures, plain.binding), drawn=drawn)
            try:
                write_whole(file, baseline_text(self._baseline).encode("utf-8"))
            except OSError as error:
                self.note(f"the baseline was not updated: {file} cannot be written: {error.strerror}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report below pytest's own."""
        self._print(terminalreporter, specification())

    def _subject(self) -> Subject:
        met = next((payload for payload in self._payloads if payload.get("implementation")), None)
        if met is None:
            return Subject("system", self._settings.adapter)
        stopped = [self._stopped] if self._stopped else []
        claims = tuple(met["claims"])
        # One scenario may show something about a system that earlier scenarios did not.
        seen = dict.fromkeys(each for payload in self._payloads for each in payload.get("notes", ()))
        notes = (*seen, *self._out_of_reach(claims), *self._stated, *stopped)
        return Subject("system", self._settings.adapter, met["implementation"], claims, notes)

    def _out_of_reach(self, claims: Collection[str]) -> tuple[str, ...]:
        """A note on the scenarios of which no case ran, with the missing claims: nothing else in the report tells."""
        without_runs = {each["scenario"] for each in self._payloads if each.get("runs") == [] and not each["errors"]}
        wanted = {each.id: each.unclaimed(claims) for each in SCENARIOS if each.id in without_runs}
        told = ", ".join(f"{name} ({', '.join(features)})" for name, features in wanted.items() if features)
        return (f"does not claim what every case of these scenarios needs: {told}",) if told else ()

    @property
    def _lacks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each for payload in self._payloads for each in payload.get("lacks", ())))

    def _runs(self) -> tuple[JudgedRun, ...]:
        # Each process that ran a scenario tells its runs once, and the runs are the same.
        by_turn = {_turn(payload): payload for payload in self._payloads if "runs" in payload}
        ordered = [by_turn[turn] for turn in sorted(by_turn)]
        made = [run for payload in ordered if "tally" in payload for run in runs_in(payload)]
        written = [run for payload in ordered if "tally" not in payload for run in runs_in(payload)]
        tallies = tallies_in(ordered)
        told = [line_of(tallies, GENERATED, self._settings.cases, self._settings.seed or 0)] if tallies else []
        return (*told, *made[:_MADE_SHOWN], *written)

    def _errors(self) -> tuple[str, ...]:
        kinds = ("errors", "unkept")
        told = dict.fromkeys(each for kind in kinds for payload in self._payloads for each in payload.get(kind, ()))
        told.update(dict.fromkeys(self._noted))
        shared = [payload for payload in self._payloads if "runs" in payload]
        left_out = sorted({each["scenario"] for each in shared if each.get("errors") and not each["runs"]})
        if left_out and any(each["runs"] for each in shared):
            told[f"{counted(len(left_out), 'scenario')} {was(len(left_out))} not run: {', '.join(left_out)}"] = None
        told.update(dict.fromkeys(self._told_of_unheard()))
        return tuple(told)


def _turn(payload: Payload) -> tuple[str, int]:
    """The place of a payload in the order of a report."""
    return payload["scenario"], payload["place"]
