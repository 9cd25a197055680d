"""A statement as files by path: made from the raw records alone, so that anybody can make it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import cast

from callproof import __version__
from callproof.judge.baseline import Baseline, Entry
from callproof.judge.judgement import Judgement, Outcome, RunOutcome, Subject
from callproof.judge.judging import gather
from callproof.live.case import OWN_PROCESS, Scenario
from callproof.live.judged import judge_scenario, owed
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.replay.codec import Misfit, to_json
from callproof.report.document import document
from callproof.spec.registry import SPEC_VERSION, specification
from callproof.statement.records import Line, lines_of, run_of
from callproof.statement.same_case import AnotherCase, refuse_another_case
from callproof.statement.text import statement_text
from callproof.trace.run import Run
from callproof.values.jsontext import Json, NotStrictJson, read_json, refuse_depth
from callproof.values.jsonvalue import is_object

STATEMENT, TEXT, SYSTEM = "statement.json", "statement.md", "records/system.json"
Files = Mapping[str, bytes]
# What JSON text may have in it that strict JSON does not: lone surrogates and numbers that are none.
_SUSPECTS = ("\\ud", "NaN", "Infinity")


class NoStatement(ValueError):
    """Records that state nothing: what is wrong with them, and where."""


@dataclass(frozen=True, slots=True)
class System:
    """
    What a system said of itself, and the settings under which it was judged.

    ``run_outcome`` is what its run came to, generated cases and all, by the word of whoever ran it.  ``lacks`` is what
    cases may need and its way of being spoken to does not give.
    """

    suite: str
    name: str
    features: tuple[str, ...]
    strict: bool = False
    known: tuple[Entry, ...] = ()
    run_outcome: str | None = None
    lacks: tuple[str, ...] = ()


def this_suite() -> str:
    """The suite and its version, as a statement names it."""
    return f"callproof {__version__}"


def case_text(outcome: CaseOutcome) -> str:
    """What was seen of one case, as lines of JSON; nothing where it was not run."""
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
            # What a witness tool answered may be what no document can hold (RES-22): it is shipped as text of its own.
            return _compact({"text": text})
    return text


def _compact(line: Line) -> str:
    return json.dumps(line, ensure_ascii=True, separators=(",", ":"))


def _line(raw: bytes) -> Line:
    """A line as it was written.  Raises NotStrictJson."""
    line = read_json(raw)
    inner = line.get("text") if is_object(line) else None
    if isinstance(inner, str):
        refuse_depth(inner.encode("ascii", "replace"))
        try:
            line = cast("Json", json.loads(inner))
        except ValueError:
            raise NotStrictJson("holds text that is no line") from None
    if not is_object(line):
        raise NotStrictJson("holds no object")
    return line


def scenario_path(scenario: str) -> str:
    """Where the records of a scenario stand."""
    return f"records/{scenario}.jsonl"


def statement_files(system: System, records: Mapping[str, str]) -> Files:
    """Every file of a statement; ``records`` has the text of ``case_text`` by scenario.  Raises NoStatement."""
    told = {scenario_path(scenario): text.encode("ascii") for scenario, text in records.items() if text}
    told[SYSTEM] = _system_text(system)
    return {**told, **stated(system, told)}


def _system_text(system: System) -> bytes:
    return (json.dumps(to_json(system), indent=2, ensure_ascii=True) + "\n").encode("ascii")


def stated(system: System, records: Files) -> Files:
    """
    ``statement.json`` and ``statement.md``, worked out from the records.

    ``records`` holds the files of the records by path, ``records/system.json`` among them.  Raises NoStatement.
    """
    if records.get(SYSTEM) != _system_text(system):
        raise NoStatement(f"{SYSTEM} is not as the suite writes what it reads there")
    if system.lacks not in ((), (OWN_PROCESS,)):
        raise NoStatement(f"{SYSTEM} names as lacking what no case needs: {', '.join(system.lacks)}")
    if unreasoned := [each.failure for each in system.known if not each.reason.strip()]:
        unsaid = f"{unreasoned[0].requirement} in {unreasoned[0].place}"
        raise NoStatement(f"{unsaid} is known to fail without a reason; write in the baseline why it may stand for now")
    told = _document(judged(system, records), system, records)
    text = json.dumps(told, indent=2, ensure_ascii=True) + "\n"
    return {STATEMENT: text.encode("ascii"), TEXT: statement_text(told, specification()).encode("utf-8")}


def judged(system: System, records: Files) -> Judgement:
    """The judgement on the records.  Raises NoStatement."""
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
    """The cases of a scenario as they were had; each of them, and as the suite gives it.  Raises NoStatement."""
    path = scenario_path(scenario.id)
    runs = runs_in(path, raw)
    given = {case.id: case for case in scenario.cases if not case.missing(system.features, system.lacks)}
    if left := [each for each in given if each not in runs]:
        raise NoStatement(f"{path} has no records of the case {left[0]}")
    if strange := [each for each in runs if each not in given]:
        raise NoStatement(f"{path} has a case that the suite does not give for these claims: {strange[0]}")
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
    What is judged has to be all that a file holds: it is written in the one way in which the suite writes it.

    Else a case could stand there twice, or a member that only people read.
    """
    written = "".join(map(case_text, read)).encode("ascii")
    if written != raw:
        lines = zip_longest(raw.splitlines(keepends=True), written.splitlines(keepends=True))
        number = next((each for each, (found, meant) in enumerate(lines, start=1) if found != meant), 1)
        raise NoStatement(f"{path}, line {number} is not as the suite writes what it reads there")


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
        raise NoStatement(f"{path} has a line that is no record: it {error.clause}") from None
    except Misfit as error:
        raise NoStatement(f"{path}, case {case}: {error}") from None


def _document(judgement: Judgement, system: System, records: Files) -> dict[str, Json]:
    report = document(judgement)
    if judgement.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
        raise NoStatement("; ".join(judgement.all_errors))
    subject = cast("Mapping[str, Json]", report["subject"])
    return {
        "statementVersion": "1.0",
        "specVersion": SPEC_VERSION,
        "suite": system.suite,
        "system": system.name,
        "claims": subject["claims"],
        "leftOut": subject["leftOut"],
        **({"lacks": list(system.lacks)} if system.lacks else {}),
        "strict": system.strict,
        "outcome": judgement.outcome.says,
        **({} if system.run_outcome is None else {"runOutcome": system.run_outcome}),
        "notProven": [each.requirement.id for each in judgement.unproven],
        "refused": [each.name for each in judgement.runs if each.outcome in {RunOutcome.REFUSED, RunOutcome.UNREAD}],
        "known": [entry_told(each) for each in system.known],
        "requirements": [
            {name: each[name] for name in ("id", "level", "verdict", "runs", "exercised")}
            for each in cast("list[Mapping[str, Json]]", report["requirements"])
        ],
        "files": [
            {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in sorted(records.items())
        ],
    }


def entry_told(entry: Entry) -> dict[str, Json]:
    """One entry of a baseline as a file has it."""
    failure = entry.failure
    told = {"requirement": failure.requirement, "scenario": failure.place}
    return {**told, "class": failure.message, "reason": entry.reason}
