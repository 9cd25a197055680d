"""The logs of a run of another protocol's live suite, one per case, and the judgement on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from callproof.adapters.claims import Claims, Implementation
from callproof.auditing.known_failures import BaselineFile, Holding
from callproof.driven.again import AnotherLog, refuse_another_log
from callproof.driven.hearing import Hearing
from callproof.driven.log import Log, file_name
from callproof.driven.session import Played
from callproof.driven.suite import Case, Suite
from callproof.judge.baseline import Baseline
from callproof.judge.judgement import Judgement
from callproof.spec.registry import Specification, protocol_named
from callproof.statement.matter import SYSTEM, Files, NoStatement, System
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_NOBODY: Final = Implementation("", "", "")


@dataclass(frozen=True, slots=True)
class Driven:
    """The live suite of a protocol."""

    suite: Suite[Any]
    rests_on: str = "the written cases"
    dispensable: tuple[str, ...] = ()
    place: str = "runs"

    @property
    def protocol(self) -> str:
        """The name of the protocol."""
        return self.suite.protocol.name

    @property
    def judged_as(self) -> str:
        """What a system is judged as."""
        return self.suite.kind

    @property
    def spec(self) -> Specification:
        """The requirements."""
        return protocol_named(self.protocol)

    @property
    def paths(self) -> frozenset[str]:
        """One file for each written case."""
        return frozenset(case_path(each) for each in self.suite.cases)

    def judged(self, system: System, records: Files) -> Judgement:
        """The judgement on the logs.  Raises NoStatement if one is missing or is not the log of its case."""
        claims = Claims(features=tuple(sorted(system.features)))
        holding = None
        if system.known:
            known = BaselineFile(Path(SYSTEM), Baseline(system.known, of_logs=True))
            holding = Holding(known, strict=system.strict, spec=self.spec)
        hearing = Hearing(self.suite, system.name, strict=system.strict, holding=holding)
        for case in self.suite.cases:
            hearing.take(self._played(case, claims, records), frozenset(system.features))
        return hearing.judgement(claims, _NOBODY)

    def _played(self, case: Case, claims: Claims, records: Files) -> Played[Case]:
        """A case with its log, which must be of the case that the suite gives for these claims.  Raises NoStatement."""
        path, lacks = case_path(case), self.suite.lacking(case, claims)
        if lacks and path in records:
            raise NoStatement(f"{path} is the log of a case that the suite does not play with these claims: {case.id}")
        if lacks:
            return Played(case, lacks=lacks)
        if path not in records:
            raise NoStatement(f"there is no log of the case {case.id}")
        log = _log(case, records[path])
        try:
            refuse_another_log(self.suite, case, claims, log.lines)
        except AnotherLog as error:
            raise NoStatement(f"{path} is not the log of {case.id}: {error}") from None
        return Played(case, log)


def case_path(case: Case) -> str:
    """The path of the log of a case."""
    return f"records/{file_name(case.id)}"


def _log(case: Case, raw: bytes) -> Log:
    """The log in a file, which must be written exactly as the suite writes it.  Raises NoStatement if it is not."""
    path = case_path(case)
    lines = [_line(path, number, text) for number, text in enumerate(raw.splitlines(), start=1)]
    if not lines:
        raise NoStatement(f"{path} holds no line")
    log = Log(case.id, lines[0])
    for each in lines[1:]:
        log.line(each)
    if log.written != raw:
        raise NoStatement(f"{path} is not as the suite writes it")
    return log


def _line(path: str, number: int, text: bytes) -> Mapping[str, Json]:
    try:
        line = read_json(text)
    except NotStrictJson as error:
        raise NoStatement(f"{path}, line {number} is not a record: it {error.clause}") from None
    if not is_object(line):
        raise NoStatement(f"{path}, line {number} is not a record: it holds no object")
    return line
