"""The records of a run of executors, one file per scenario, and the judgement on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, cast

from callproof.judge.baseline import Baseline
from callproof.judge.judgement import Judgement, Subject
from callproof.judge.judging import gather
from callproof.live.case import OWN_PROCESS, Scenario
from callproof.live.judged import judge_scenario, owed
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.replay.codec import Misfit
from callproof.spec.registry import Specification, specification
from callproof.statement.bundle import files_of
from callproof.statement.matter import Files, NoStatement, System
from callproof.statement.records import Line, lines_of, run_of
from callproof.statement.same_case import AnotherCase, refuse_another_case
from callproof.trace.run import Run
from callproof.values.jsontext import Json, NotStrictJson, read_json, refuse_depth
from callproof.values.jsonvalue import is_object

# What JSON text may hold but strict JSON may not: lone surrogates, and NaN and the infinities.
_SUSPECTS = ("\\ud", "NaN", "Infinity")


@dataclass(frozen=True, slots=True)
class Executors:
    """The suite of executors."""

    protocol: None = None
    judged_as: None = None
    rests_on: str = "the scenarios"
    dispensable: tuple[str, ...] = (OWN_PROCESS,)
    place: str = "scenario"

    @property
    def spec(self) -> Specification:
        """The requirements."""
        return specification()

    @property
    def paths(self) -> frozenset[str]:
        """One file for each scenario."""
        return frozenset(scenario_path(each.id) for each in SCENARIOS)

    def judged(self, system: System, records: Files) -> Judgement:
        """The judgement on the records.  Raises NoStatement if they are not what the suite would write."""
        return _judged(system, records)


EXECUTORS: Final = Executors()


def statement_files(system: System, records: Mapping[str, str]) -> Files:
    """Every file of a statement; ``records`` holds the output of ``case_text`` by scenario.  Raises NoStatement."""
    told = {scenario_path(scenario): text.encode("ascii") for scenario, text in records.items() if text}
    return files_of(EXECUTORS, system, told)


def case_text(outcome: CaseOutcome) -> str:
    """What was seen of one case, as lines of JSON; empty if the case was not run."""
    if outcome.run is None:
        return ""
    lines: Iterable[Line] = ({"case": outcome.case.id}, *lines_of(outcome.run))
    return "".join(_line_text(line) + "\n" for line in lines)


def _line_text(line: Line) -> str:
    text = _compact(line)
    if any(each in text for each in _SUSPECTS):
        try:
            read_json(text.encode("ascii"))
        except NotStrictJson:
            # A witness tool may answer what no JSON document can hold (RES-22): such a line is stored as a string.
            return _compact({"text": text})
    return text


def _compact(line: Line) -> str:
    return json.dumps(line, ensure_ascii=True, separators=(",", ":"))


def _line(raw: bytes) -> Line:
    """A line as it was written.  Raises NotStrictJson if the text is not such a line."""
    line = read_json(raw)
    inner = line.get("text") if is_object(line) else None
    if isinstance(inner, str):
        refuse_depth(inner.encode("ascii", "replace"))
        try:
            line = cast("Json", json.loads(inner))
        except ValueError:
            raise NotStrictJson("holds text that is not a line", fault="strict") from None
    if not is_object(line):
        raise NotStrictJson("holds no object", fault="strict")
    return line


def scenario_path(scenario: str) -> str:
    """The path of the records of a scenario."""
    return f"records/{scenario}.jsonl"


def _judged(system: System, records: Files) -> Judgement:
    claimed = frozenset(system.features)
    scenarios = [(each, _outcomes(each, records.get(scenario_path(each.id), b""), system)) for each in SCENARIOS]
    found = [(each, judge_scenario(outcomes, claimed, strict=system.strict)) for each, outcomes in scenarios]
    gathered = gather(each.results for _, each in found)
    spec = specification().requirements
    plain = Judgement(
        subject=Subject("system", system.name, system.name, tuple(sorted(claimed))),
        results={name: gathered[name] for name in spec if name in gathered},
        runs=tuple(run for _, each in found for run in each.runs),
        required=frozenset(name for each, one in found for name in owed(each, one.results, claimed, system.lacks)),
        strict=system.strict,
    )
    binding = plain.binding
    pairs = {(name, each.id) for each, one in found for name in one.results if name in binding}
    baseline = Baseline(system.known)
    stale = baseline.stale(plain.failures, pairs, {each.id for each in SCENARIOS})
    return replace(plain, baseline=baseline, stale=stale)


def _outcomes(scenario: Scenario, raw: bytes, system: System) -> tuple[CaseOutcome, ...]:
    """The cases of a scenario as they were run, all that the suite gives, and unchanged.  Raises NoStatement if not."""
    path = scenario_path(scenario.id)
    runs = runs_in(path, raw)
    given = {case.id: case for case in scenario.cases if not case.missing(system.features, system.lacks)}
    if left := [each for each in given if each not in runs]:
        raise NoStatement(f"{path} has no records of the case {left[0]}")
    if strange := [each for each in runs if each not in given]:
        raise NoStatement(f"{path} has a case that the suite does not run with these claims: {strange[0]}")
    try:
        for name, run in runs.items():
            refuse_another_case(given[name], run, system.features)
    except AnotherCase as error:
        raise NoStatement(f"{path}, {error}") from None
    _refuse_another_text(path, raw, [CaseOutcome(given[name], run) for name, run in runs.items()])
    return tuple(
        CaseOutcome(case, runs[case.id])
        if case.id in given
        else CaseOutcome(case, skipped_features=case.missing(system.features, system.lacks))
        for case in scenario.cases
    )


def _refuse_another_text(path: str, raw: bytes, read: Iterable[CaseOutcome]) -> None:
    """
    Refuse a file that is not written exactly as the suite writes what it reads there: it must hold only what is judged.

    Otherwise a case could stand there twice, or a member that only people read.
    """
    written = "".join(map(case_text, read)).encode("ascii")
    if written != raw:
        lines = zip_longest(raw.splitlines(keepends=True), written.splitlines(keepends=True))
        number = next((each for each, (found, meant) in enumerate(lines, start=1) if found != meant), 1)
        raise NoStatement(f"{path}, line {number} is not as the suite writes it")


def runs_in(path: str, raw: bytes) -> dict[str, Run]:
    """The runs in a file of records, by the id of their case.  Raises NoStatement."""
    lines: dict[str, list[Line]] = {}
    case = ""
    try:
        for text in raw.splitlines():
            line = _line(text)
            if "case" in line:
                case = str(line["case"])
                lines[case] = []
            else:
                lines.setdefault(case, []).append(line)
        return {name: run_of(each) for name, each in lines.items()}
    except NotStrictJson as error:
        raise NoStatement(f"{path} has a line that is not a record: it {error.clause}") from None
    except Misfit as error:
        raise NoStatement(f"{path}, case {case}: {error}") from None
