"""Hostile logs, and logs that are cut off: no traceback, no false finding, and no value in a report."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pipeline_logs as pipes
import pytest
from callproof import limits
from callproof.auditing.audited import AuditedRun
from callproof.cli import cli
from callproof.judge.judgement import RunOutcome
from callproof.protocols.entries import Entries, Entry, entries_in
from callproof.protocols.judging import audit_log
from callproof.protocols.known import protocol_of
from callproof.trace.records import Source
from click.testing import CliRunner
from log_edits import Edit, apply
from protocols import loops
from protocols.test_examples import EXAMPLES, edited

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
NAMES = sorted(each.name for each in BASES.iterdir() if each.is_dir())
CANARY = "canary-4711"
FORMS = ("json", "jsonl", "html", "md", "sarif", "xml", "svg")


def whole(base: str) -> bytes:
    """The text of a base log."""
    return (BASES / base / "log.jsonl").read_bytes()


def read(text: bytes) -> Entries:
    """A text as a log."""
    return entries_in(io.BytesIO(text), "log.jsonl", "log.jsonl")


def log_of(records: list[Any]) -> Entries:
    """Records as a log."""
    told = tuple(Entry(each, Source("log.jsonl", at)) for at, each in enumerate(records, 1))
    return Entries("log.jsonl", told)


def said(audited: AuditedRun) -> set[tuple[str, str]]:
    """What was found, by requirement; a check that threw ends the test."""
    assert [each.errors for each in audited.broken.values() if each.errors] == []
    return {(name, each.finding.observed) for name, one in audited.broken.items() for each in one.findings}


@pytest.mark.many
@pytest.mark.parametrize("base", NAMES)
def test_a_log_that_is_cut_off_within_a_line_is_incomplete_and_accuses_nobody(base: str) -> None:
    """No cut causes a finding: the missing part may contain everything that is required."""
    text = whole(base)
    protocol = protocol_of(read(text))
    ends = {at for at, sign in enumerate(text) if sign == ord("\n")}
    for cut in range(1, len(text), 17):
        # After the last character of a record, or after its line end, nothing shows that something is missing.
        if cut not in ends and cut - 1 not in ends:
            audited = audit_log(protocol, read(text[:cut]))
            assert (audited.run.outcome, said(audited)) == (RunOutcome.INCOMPLETE, set()), cut


@pytest.mark.many
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: f"{each.requirement}-{each.name}")
def test_what_is_found_in_the_beginning_of_a_log_is_found_in_all_of_it(example: Any, tmp_path: Path) -> None:
    """Every broken log is cut off within every line: the rest of a log never takes a finding back."""
    log = edited(example, tmp_path, example.conforms)
    apply(Edit(example.line, example.violates), log.parent)
    text = log.read_bytes()
    protocol = protocol_of(read(text))
    found, at = said(audit_log(protocol, read(text))), 0
    for line in text.splitlines(keepends=True):
        assert said(audit_log(protocol, read(text[: at + len(line) // 2]))) <= found
        at += len(line)


def places(value: Any, *way: str | int) -> Iterator[tuple[str | int, ...]]:
    """The path to every member and every element inside a value."""
    for name, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*way, name)
        yield from places(each, *way, name)


def replaced(value: Any, way: tuple[str | int, ...], odd: Any) -> Any:
    """A value with the odd value in one place."""
    if not way:
        return odd
    copy = value.copy()
    copy[way[0]] = replaced(value[way[0]], way[1:], odd)
    return copy


@pytest.mark.many
@pytest.mark.parametrize("base", NAMES)
def test_what_stands_where_a_name_is_due_is_never_told(base: str) -> None:
    """An object or an array in place of any member of any record may hold a tool's arguments, so no report shows it."""
    odd: itertools.cycle[Any] = itertools.cycle([{"secret": CANARY}, [CANARY]])
    records = [json.loads(line) for line in whole(base).splitlines()]
    protocol = protocol_of(log_of(records))
    for at, record in enumerate(records):
        for way in places(record):
            audited = audit_log(protocol, log_of([*records[:at], replaced(record, way, next(odd)), *records[at + 1 :]]))
            said(audited)
            assert CANARY not in repr(audited), (at, way)


def test_names_inside_inputs_and_outputs_are_told_by_their_length() -> None:
    """Exceptions are parameter names, words of the specification, and indexes: all other names may be private."""
    one, other = ({"notes": {CANARY: each, "path": each}, "bob@x.org": [{"text": each}]} for each in (1, 2))
    found = pipes.found([pipes.asked(permission_input=one, call_input=other), pipes.created(), pipes.result()])
    told = "the call_input of i-1 of notes.read differs from its permission_input at"
    assert found == {
        "PIPE-03": [f"{told} /notes/[11 characters], /notes/path, /[9 characters]/0/text"],
    }


def test_findings_do_not_grow_with_the_names_in_them() -> None:
    """An id of a megabyte is once in a log, but would be in every finding about it."""
    long = "x" * limits.MIB
    changes: list[Any] = [pipes.decision("allow"), *[pipes.mutation("/a")] * 200]
    records = [pipes.invocation(tool_id=long, call_input={long: 1}, model_input={long: 2}), *changes]
    looped = loops.run(loops.reply(loops.call("c", long)), *[loops.update("c")] * 200, loops.result("c"))
    for log in (log_of(records), log_of(list(looped))):
        found = said(audit_log(protocol_of(log), log))
        assert found
        assert max(len(observed) for _, observed in found) < 3 * limits.EXCERPT_CHARACTERS + 200


def test_the_words_of_a_refusal_are_looked_through_once() -> None:
    """For a long text, trying each beginning with each end would take hours."""
    tools = [{"name": "read", "parameters": {"type": "object", "required": ["path"]}}]
    said = "Missing required parameter: " + "a" * limits.MIB + "\n"
    told = loops.run(loops.reply(loops.call("c", path="a")), *loops.carried_out("c", failed=True, said=said))
    assert loops.broken(loops.judged([{"kind": "meta", "tools": tools}, *told])) == {}


HOSTILE = (
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    b'{"record":"phase","invocation_id":"i-1","phase":"\\u001b[2J'
    + CANARY.encode()
    + b'","status":'
    + b"9" * 5_000
    + b"}",
    b'{"type":"message_end","message":{"role":"toolResult","toolCallId":"\\ud800","content":"'
    + CANARY.encode()
    + b'"}}',
    b'{"intent":{"toolName":"\\u202e\\u001b]0;x\\u0007"},"request":'
    + b"[" * 100
    + b"]" * 100
    + b',"outcome":{"status":7}}',
    b'{"a":1,"a":"' + CANARY.encode() + b'"}',
    b"\xff\xfe" + CANARY.encode(),
    b"\xef\xbb\xbf{}",
    b"\x00\x1b[31m" + CANARY.encode(),
    b'"' + CANARY.encode() + b'"',
    b"1e999",
    b"{}",
)


@pytest.mark.parametrize("base", NAMES)
def test_hostile_lines_are_told_without_what_they_hold(base: str, tmp_path: Path) -> None:
    """Every form of the report has no value, no terminal control, no traceback, and never calls such a log good."""
    lines = whole(base).splitlines()
    log = tmp_path / "\x1b[2Jnight.jsonl"
    log.write_bytes(b"\n".join([*lines[:3], *HOSTILE, *lines[3:]]) + b"\n")
    options = [f"--report={tmp_path / f'r.{form}'}" for form in FORMS]
    ran = CliRunner().invoke(cli, ["records", str(log), *options])
    assert (ran.exit_code, ran.stderr) == (1, "")
    assert json.loads((tmp_path / "r.json").read_bytes())["errors"] == []
    for text in (ran.stdout, *((tmp_path / f"r.{form}").read_text(encoding="utf-8") for form in FORMS)):
        assert CANARY not in text
        assert not {"\x1b", "\x07", "\u202e", "\x00"}.intersection(text)
