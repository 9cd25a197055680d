"""Base runs with edits, and live runs made from them: the input of the tests of the checks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from callproof.auditlog.reader import read_run
from callproof.judge.judging import Result, judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Answer, AnswerKind, Deed, Given, Witnessed
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import merge_patch
from log_edits import BASES


@cache
def base(name: str) -> Run:
    """A base run of the specification, as read from its folder."""
    return read_run(BASES / name)


def log_of(files: dict[str, str | bytes]) -> Run:
    """A run read from files with just this content."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            raw = content.encode("utf-8") if isinstance(content, str) else content
            (Path(folder) / name).write_bytes(raw)
        return read_run(Path(folder), name="log")


def content_of(name: str) -> dict[str, str | bytes]:
    """The files of a base run, to be changed and read again."""
    return {path.name: path.read_text(encoding="utf-8") for path in (BASES / name).iterdir()}


def patched(run: Run, records: str, at: int, patch: Json) -> Run:
    """The run with one record changed by a merge patch: ``patched(run, "calls", 0, {...})``."""
    group: tuple[Record, ...] = getattr(run, records)
    return with_records(run, records, lambda index, each: _merged(each, patch) if index == at else each, group)


def with_records(
    run: Run, records: str, change: Callable[[int, Record], Record], group: tuple[Record, ...] | None = None
) -> Run:
    """The run with every record of one kind changed."""
    old: tuple[Record, ...] = getattr(run, records) if group is None else group
    fields: Any = {records: tuple(change(index, each) for index, each in enumerate(old))}
    return replace(run, **fields)


def run_record_patched(run: Run, patch: Json) -> Run:
    """The run with its run record changed by a merge patch."""
    assert run.run_record is not None
    return replace(run, run_record=_merged(run.run_record, patch))


def _merged(record: Record, patch: Json) -> Record:
    value = merge_patch(record.value, patch)
    assert isinstance(value, dict)
    return replace(record, value=value)


def output(value: Json, *, arrival: int = 10) -> Answer:
    """What a hosted tool returned."""
    return Answer(AnswerKind.OUTPUT, value, None, None, 0.0, arrival)


def failure(error: dict[str, Json], *, arrival: int = 10) -> Answer:
    """What a hosted tool reported as its failure."""
    return Answer(AnswerKind.FAILURE, None, error, None, 0.0, arrival)


def deed_of(call: Record, answer: Answer | None = None, *, arrival: int = 5, **changed: Any) -> Deed:
    """The invocation that a call record describes, with these fields changed."""
    told = Deed(call.call_id or "", call.text("tool") or "", call.get("args"), 0.0, arrival, answer)
    return replace(told, **changed)


def live(run: Run, deeds: tuple[Deed, ...] = (), *, canaries: tuple[str, ...] = (), plan: Json = None) -> Run:
    """The run as a live one: with these deeds, given the plan and the policy that it recorded."""
    assert run.run_record is not None
    given = Given(run.run_record.get("plan") if plan is None else plan, run.run_record.get("policy"), ())
    witnessed = Witnessed(given, deeds, (), None, 1_000, virtual_clock=True, canaries=canaries)
    return replace(run, witnessed=witnessed)


def look(run: Run, requirement: str) -> Result:
    """One requirement, judged on a run."""
    return judge(run)[requirement]


def verdict(run: Run, requirement: str) -> Verdict:
    """The verdict of one requirement on a run."""
    return look(run, requirement).verdict


def findings(run: Run, requirement: str) -> list[str]:
    """What the findings of one requirement observed; a check that throws fails the test."""
    result = look(run, requirement)
    assert not result.errors, result.errors
    return [each.finding.observed for each in result.findings]
