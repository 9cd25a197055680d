"""Unreadable lines: a lawful log is at fault for these lines, but not for what they may have held."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest
from auditing.edited_logs import lawful_logs
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.judge.judgement import RunOutcome
from callproof.trace.records import Kind
from log_edits import BASES, Edit, apply, copy_of
from test_generated_logs import archive, folders

pytestmark = pytest.mark.many

# The replacement of lines of a log, by their place; None cuts a line in half.
Lines: TypeAlias = Mapping[tuple[Kind, int], bytes | None]
RULES = Rules(show_values=True, fast_path=False)
UNREADABLE = (b'{"', None, b"null", b"[]", b'{"runId":1,"runId":2}', b'{"n":NaN}', b"\xff", b'"\\ud800"')
ABOUT_THE_LINE = {"LOG-02", "LOG-03", "LOG-04"}
BY_NAME = sorted(each.name for each in BASES.iterdir() if each.is_dir())
VARIATIONS = dict(lawful_logs())


def places_in(log: CapturedRun) -> list[tuple[Kind, int]]:
    """The places of the lines of a log that hold a record."""
    told = ((kind, file.text.split(b"\n")) for kind, file in log.files.items())
    return [(kind, at) for kind, lines in told for at, line in enumerate(lines) if line.endswith(b"}")]


def unread(log: CapturedRun, lines: Lines) -> CapturedRun:
    """A log in which these lines cannot be read."""
    files = dict(log.files)
    for (kind, at), text in lines.items():
        told = files[kind].text.split(b"\n")
        told[at] = told[at][: len(told[at]) // 2] if text is None else text
        files[kind] = replace(files[kind], text=b"\n".join(told))
    return replace(log, files=files)


def found(log: CapturedRun, rules: Rules = RULES) -> tuple[RunOutcome, set[str]]:
    """The outcome of a log, and its findings except those about the lines that are no records."""
    audited = audit_run(log, rules)
    told = ((name, each.finding) for name, result in audited.broken.items() for each in result.findings)
    return audited.run.outcome, {f"{name}: {each.observed}" for name, each in told if name not in ABOUT_THE_LINE}


def accuse_nobody(log: CapturedRun, damages: Iterable[Lines], rules: Rules = RULES) -> None:
    """Assert that a log is at fault for lines that cannot be read, and has no other new finding."""
    _, before = found(log, rules)
    for lines in damages:
        outcome, after = found(unread(log, lines), rules)
        assert outcome is RunOutcome.VIOLATIONS, lines
        assert after <= before, lines


def one_by_one(log: CapturedRun, every: int = 1) -> Iterator[Lines]:
    """Every ``every``-th line of a log, each made unreadable in the next way."""
    for turn, place in enumerate(places_in(log)[::every]):
        yield {place: UNREADABLE[turn % len(UNREADABLE)]}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_line_that_cannot_be_read_accuses_a_log_of_nothing_that_it_may_have_held(name: str) -> None:
    """LOG-21: a law that rests on the missing record stays undecided, whichever line of an example it is."""
    log = captured_in(BASES / name)
    accuse_nobody(log, one_by_one(log))


@pytest.mark.parametrize("name", BY_NAME)
def test_several_such_lines_accuse_it_of_nothing_either(name: str) -> None:
    """LOG-21: this holds for any lines together, such as a call and its result, or a start and an end."""
    log, dice = captured_in(BASES / name), random.Random(name)
    places = places_in(log)
    chosen = (dice.sample(places, min(len(places), dice.choice((2, 2, 3, 4)))) for _ in range(12))
    accuse_nobody(log, [{place: dice.choice(UNREADABLE) for place in each} for each in chosen])


@pytest.mark.parametrize("name", VARIATIONS)
def test_one_accuses_no_log_that_is_lawful_in_its_own_way(name: str) -> None:
    """LOG-21: every fifth line of the logs that the examples and the benign variations permit is tried."""
    accuse_nobody(VARIATIONS[name], one_by_one(VARIATIONS[name], 5))


@pytest.mark.parametrize("folder", folders("clean.tar.gz"))
def test_one_accuses_no_log_of_another_executor(folder: str, tmp_path: Path) -> None:
    """LOG-21: every seventh line of logs that this project did not write is tried."""
    for path, content in archive("clean.tar.gz").items():
        if path.startswith(f"{folder}/"):
            (tmp_path / path.split("/")[1]).write_bytes(content)
    log = captured_in(tmp_path)
    rules = replace(RULES, tools=tuple(json.loads(archive("clean.tar.gz")["tools.json"])))
    accuse_nobody(log, one_by_one(log, 7), rules)


END = (Kind.EVENT, -2)


@pytest.mark.parametrize(
    ("base", "edits", "lines", "observed"),
    [
        ("linear", [Edit("events 5", "twice")], [END], "EVT-14: call c1 was dispatched and had 2 step.started"),
        ("linear", [Edit("results 3", "twice")], [(Kind.RESULT, 0)], "RES-01: call c3 got 2 results"),
        ("retried", [Edit("calls 2", {"attempt": 1})], [(Kind.CALL, 3)], "RETRY-01: the attempts of s1 were numbered"),
        ("linear", [Edit("events 5", "absent"), Edit("events 7", "absent")], [(Kind.EVENT, 0)], "EVT-14: call c1 was"),
        ("linear", [Edit("events 5", "absent")], [END], "EVT-14: call c1 was dispatched and had no step.started"),
        ("incomplete", [Edit("events 3", "absent")], [END], "CONF-02: call c1 was dispatched in a run that nobody"),
    ],
)
def test_what_no_such_line_would_mend_is_found_beside_it(
    base: str, edits: list[Edit], lines: list[tuple[Kind, int]], observed: str, tmp_path: Path
) -> None:
    """LOG-21: an unread line cannot take away a record, stand for two records, or stand at another place."""
    folder = copy_of(base, tmp_path / "log")
    for edit in edits:
        apply(edit, folder)
    _, told = found(unread(captured_in(folder), dict.fromkeys(lines, b"{")))
    assert any(each.startswith(observed) for each in told), told
