"""
The outcome of the cases of a live system of another protocol, played in any process: one judgement of their logs.

A worker sends the log of each case, and what the system said of itself.  This module judges the logs in the order of
the cases, like the command.  The same function decided whether the item failed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.errors import AdapterError
from callproof.auditing.known_failures import BaselineFile, Holding
from callproof.driven.hearing import Hearing
from callproof.driven.log import Log
from callproof.driven.session import Played, Session
from callproof.driven.suite import Case, Suite
from callproof.judge.judgement import Judgement
from callproof.plugin.account import Account
from callproof.replay.codec import from_json, to_json
from callproof.replay.keeping import keep_broken
from callproof.report.payload import Payload
from callproof.settings import SystemSettings
from callproof.spec.registry import protocol_named
from callproof.statement.stating import WHOLE_ONLY, Stating, with_error
from callproof.values.counts import counted, was


@dataclass(unsafe_hash=True)
class Failed(AdapterError):
    """An error of the adapter, as another process told it."""

    told: str

    def __str__(self) -> str:
        return self.told


def payload_of(
    place: int, played: Iterable[Played[Any]], session: Session[Any], *, broken: bool, left: int = 0
) -> Payload:
    """What an item saw, as plain JSON; ``place`` is its own among the items, and ``left`` counts cases not played."""
    told = session.implementation
    cases = [_sent(each) for each in played]
    failed = any("error" in each for each in cases)
    return {
        "place": place,
        # If several workers played the same item, the worst payload counts.
        "trouble": 2 if failed else int(broken),
        "cases": cases,
        "left": left,
        "claims": list(session.claims.features),
        "garbled": session.garbled,
        "implementation": [told.name, told.version, told.language],
    }


def error_payload(place: int, error: str = "") -> Payload:
    """The payload of an item that could not be played; the first such item carries the error."""
    return {"place": place, "trouble": 3 if error else 0, "cases": [], "left": 0, "error": error}


def holding_of(suite: Suite[Any], file: BaselineFile | None, *, strict: bool) -> Holding | None:
    """The comparison with a baseline, without any failure yet; None if there is no baseline."""
    return None if file is None else Holding(file, strict=strict, spec=protocol_named(suite.protocol.name))


class SystemRecorder(Account):
    """
    Collects what items saw, here or in workers, and makes one judgement of it.

    ``whole`` are the ids of the items of a session without any selection, ``file`` lists the known failures.
    """

    def __init__(
        self, suite: Suite[Any], settings: SystemSettings, whole: frozenset[str], file: BaselineFile | None
    ) -> None:
        super().__init__(f"callproof-{suite.word}::")
        self._suite, self._settings, self._whole, self._file = suite, settings, whole, file
        self._payloads: dict[str, Payload] = {}
        self._failures: dict[str, None] = {}
        # Items that several workers played, each with its own system.
        self._twice: list[str] = []

    def _take(self, item: str, payload: Payload) -> None:
        if error := payload.get("error"):
            self._failures[error] = None
        known = self._payloads.get(item)
        if known is not None:
            self._twice.append(item)
        if known is None or (payload["trouble"], len(payload["cases"])) > (known["trouble"], len(known["cases"])):
            self._payloads[item] = payload

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """
        Note what is going to run in this process.

        Raises pytest.UsageError if a statement about a part of the suite is wanted; workers select for themselves.
        """
        super().pytest_collection_finish(session)
        if self._settings.statements and self._expected and not self._expected >= self._whole:
            some = f"{len(self._expected)} of {counted(len(self._whole), 'item')} {was(len(self._expected))} selected"
            raise pytest.UsageError(f"callproof: a statement {WHOLE_ONLY}, but {some}")

    @property
    def judgement(self) -> Judgement:
        """The judgement on everything that was reported; does not change the baseline."""
        return self._judged(None if self._file is None else replace(self._file, update=False), None)

    def _judged(self, file: BaselineFile | None, folder: Path | None) -> Judgement:
        """
        The judgement beside a baseline, which it writes again if that is wanted.

        If there is a folder, it keeps the cases that broke something there.  One process does this in the order of the
        cases, so that the files do not depend on which process played them.
        """
        strict = self._settings.strict
        hearing = Hearing(
            self._suite,
            self._settings.adapter,
            strict=strict,
            holding=holding_of(self._suite, file, strict=strict),
            in_part=not self._reported >= self._whole,
        )
        payloads = sorted(self._payloads.values(), key=lambda each: each["place"])
        for payload in payloads:
            for played in _played_in(payload, self._kind):
                broken = sorted(hearing.take(played, frozenset(payload["claims"])))
                if folder is not None:
                    keep_broken(folder, broken, played, hearing)
            hearing.leave(payload["left"])
        hearing.garbled = next((told for payload in payloads if (told := payload.get("garbled"))), "")
        hearing.errors += [*self._failures, *dict.fromkeys(self._noted), *self._told_of_unheard()]
        met = next((each for each in payloads if "claims" in each), None)
        claims = Claims() if met is None else Claims(features=tuple(met["claims"]))
        told = Implementation(*(("", "", "") if met is None else met["implementation"]))
        judged = hearing.judgement(claims, told, interrupted=self._interrupted)
        return replace(judged, subject=replace(judged.subject, notes=(*judged.subject.notes, *self._stops)))

    @property
    def _kind(self) -> type[Case]:
        """The type of the cases of the suite."""
        first: Case = self._suite.cases[0]
        return type(first)

    @property
    def _stops(self) -> list[str]:
        return [self._stopped] if self._stopped else []

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Set the session's exit status to what the report says, and write the reports that are wanted."""
        if not self._has_anything:
            return
        if not self._settings.update_baseline:
            # If a baseline is written, what was left out stays an error, since a baseline covers all cases.
            self._note_the_stop(session, ", and no statement was written" if self._settings.statements else "")
        judged = self._stated(self._judged(self._file, self._settings.save_cases))
        self._write_reports(judged, self._settings.reports)
        self._end(session, replace(judged, errors=tuple(dict.fromkeys((*judged.errors, *self._noted)))))

    def _stated(self, judged: Judgement) -> Judgement:
        """The judgement after the wanted statements are written; a statement needs a whole session."""
        if not self._settings.statements or self._interrupted or self._stopped:
            return judged
        if not self._reported >= self._whole:
            return with_error(judged, f"it {WHOLE_ONLY}; run it without a selection")
        if self._twice:
            return with_error(judged, f"two workers ran {min(self._twice)}; run it without --dist each")
        stating = Stating(self._suite, self._settings.statements)
        for payload in self._payloads.values():
            for played in _played_in(payload, self._kind):
                stating.take(played)
        return stating.stated(judged)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the report below pytest's own."""
        self._print(terminalreporter, protocol_named(self._suite.protocol.name))


def _sent(played: Played[Any]) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "case": json.dumps(to_json(played.case)),
        "lacks": list(played.lacks),
        "givenUp": played.given_up,
    }
    if played.error is not None:
        told["error"] = str(played.error)
    if played.log is not None:
        told["log"] = played.log.written.decode("utf-8", "surrogatepass")
    return told


def _played_in(payload: Payload, kind: type[Case]) -> Iterator[Played[Case]]:
    for each in payload["cases"]:
        case = from_json(kind, json.loads(each["case"]))
        error = Failed(each["error"]) if "error" in each else None
        log = _log(case.id, each["log"]) if "log" in each else None
        yield Played(case, log, error, tuple(each["lacks"]), each["givenUp"])


def _log(case: str, text: str) -> Log:
    """The log that was sent as JSON lines."""
    first, *rest = (json.loads(line) for line in text.split("\n")[:-1])
    log = Log(case, first)
    for line in rest:
        log.line(line)
    return log
