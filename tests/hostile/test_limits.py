"""Every limit on what is read, at the limit and one past it: past it, no input passes and none gives a traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.auditlog.reader import captured_in, run_of
from callproof.checks.check import excerpt
from callproof.commands.audit import read_tools
from callproof.commands.usage import WrongUsage
from callproof.judge.judgement import Judgement, RunOutcome, Subject, judged_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.report.document import document
from callproof.schema.bounds import UnusableSchema, refuse_unbounded
from callproof.trace.references import Scope, Unresolved, resolve
from callproof.trace.run import FlawKind
from callproof.values.jsontext import Json, NotStrictJson, read_json, write_json
from hostile.hostile_logs import laughs
from log_edits import Edit, apply, copy_of


def _nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def _members(number: int) -> bytes:
    return write_json({f"m{each}": 0 for each in range(number)}).encode()


def _nested_schema(levels: int) -> dict[str, Json]:
    schema: dict[str, Json] = {}
    for _ in range(levels - 1):
        schema = {"not": schema}
    return schema


# The name of a limit, a small value for it, a text of a given size, and the message for one past the limit.
TEXTS: tuple[tuple[str, int, Callable[[int], bytes], str], ...] = (
    ("NESTING", limits.NESTING, _nested, "nested deeper"),
    ("DIGITS", limits.DIGITS, lambda size: b"7" * size, "digits"),
    ("DIGITS", limits.DIGITS, lambda size: b"0." + b"7" * (size - 1), "digits"),
    ("STRING_CHARACTERS", 100, lambda size: b'"' + b"s" * size + b'"', "a string of more"),
    ("STRING_CHARACTERS", 100, lambda size: b'{"' + b"s" * size + b'": 1}', "a string of more"),
    ("STRING_CHARACTERS", limits.STRING_CHARACTERS, lambda size: b'["' + b"s" * size + b'"]', "a string of more"),
    ("MEMBERS_PER_OBJECT", limits.MEMBERS_PER_OBJECT, _members, "members"),
)
SCHEMAS: tuple[tuple[str, int, Callable[[int], dict[str, Json]], str], ...] = (
    ("SCHEMA_DEPTH", limits.SCHEMA_DEPTH, _nested_schema, "nested deeper"),
    ("SCHEMA_NODES", limits.SCHEMA_NODES, lambda size: {"enum": [0] * (size - 2)}, "nodes"),
    ("SCHEMA_BYTES", limits.SCHEMA_BYTES, lambda size: {"title": "t" * (size - len('{"title":""}'))}, "larger than"),
    ("SCHEMA_REFERENCE_EXPANSIONS", 83, lambda size: laughs(4 if size <= 83 else 5), "references"),
    ("PATTERN_CHARACTERS", limits.PATTERN_CHARACTERS, lambda size: {"pattern": "a" * size}, "a pattern of more"),
    ("PATTERN_CHARACTERS", 10, lambda size: {"patternProperties": {"a" * size: {}}}, "a pattern of more"),
)


@pytest.mark.parametrize(("name", "limit", "made", "says"), TEXTS)
def test_a_document_at_a_limit_is_read_and_one_past_it_is_not(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: int, made: Callable[[int], bytes], says: str
) -> None:
    """Depth, digits, strings, names and members (SEC-02): past it, the message and the exception name the limit."""
    monkeypatch.setattr(limits, name, limit)
    read_json(made(limit))
    with pytest.raises(NotStrictJson, match=says) as refused:
        read_json(made(limit + 1))
    assert refused.value.limit is not None


@pytest.mark.parametrize(("name", "limit", "made", "says"), SCHEMAS)
def test_a_schema_at_a_limit_is_measured_and_one_past_it_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, limit: int, made: Callable[[int], dict[str, Json]], says: str
) -> None:
    """Depth, nodes, bytes, references and patterns (SEC-04, SEC-05)."""
    monkeypatch.setattr(limits, name, limit)
    refuse_unbounded(made(limit))
    with pytest.raises(UnusableSchema, match=says):
        refuse_unbounded(made(limit + 1))


@pytest.mark.parametrize(("name", "file"), [("LINE_BYTES", "run.json"), ("LINE_BYTES", "calls.jsonl")])
def test_a_file_at_the_limit_of_a_line_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, file: str
) -> None:
    """With one byte more, a part of the log is unread, and no law passes (SEC-06, LOG-21)."""
    log = copy_of("linear", tmp_path / "log")
    size = (log / "run.json").stat().st_size
    longest = max(len(line) for line in (log / file).read_bytes().split(b"\n")) if file != "run.json" else size
    monkeypatch.setattr(limits, "LINE_BYTES", max(longest, size))
    assert not run_of(captured_in(log)).flaws
    monkeypatch.setattr(limits, "LINE_BYTES", longest - 1)
    run = run_of(captured_in(log))
    assert {flaw.kind for flaw in run.flaws} == {FlawKind.LIMIT}
    results = judge(run)
    assert judged_run(run, results).outcome is RunOutcome.UNREAD
    assert Verdict.PASS not in {each.verdict for each in results.values()}


def test_text_that_references_put_in_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A template that repeats a value gives no more text than fits into a line (SEC-05, SEC-15)."""
    scope = Scope({"s1": "x" * 10}, {})
    template: dict[str, Any] = {"a": ["{$steps.s1} {$steps.s1}"], "b": "{$steps.s1}."}
    monkeypatch.setattr(limits, "RESOLVED_CHARACTERS", 30)
    assert resolve(template, scope) == {"a": ["x" * 10 + " " + "x" * 10], "b": "x" * 10 + "."}
    monkeypatch.setattr(limits, "RESOLVED_CHARACTERS", 29)
    with pytest.raises(Unresolved, match="longer than 29 characters"):
        resolve(template, scope)


def test_a_file_of_descriptors_is_read_to_its_limit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With one byte more it is refused, and the rest is not read (SEC-06)."""
    file = tmp_path / "tools.json"
    file.write_text("[ ]")
    monkeypatch.setattr(limits, "LINT_DOCUMENT_BYTES", 3)
    assert read_tools(file) == ()
    file.write_text("[  ]")
    with pytest.raises(WrongUsage, match="longer than 3 bytes"):
        read_tools(file)


def test_an_excerpt_at_the_limit_is_whole_and_one_past_it_is_cut() -> None:
    """The limit is 200 characters, including the quotes (SEC-12)."""
    fits = "s" * (limits.EXCERPT_CHARACTERS - 2)
    assert excerpt(fits) == f'"{fits}"'
    assert (len(excerpt(fits + "s")), excerpt(fits + "s")[-1]) == (limits.EXCERPT_CHARACTERS, "…")


@pytest.mark.parametrize("more", [0, 1])
def test_findings_are_listed_to_the_limit_and_counted_beyond(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, more: int
) -> None:
    """Under a limit of two, two findings are both listed; of three, two are listed with the exact count (SEC-12)."""
    monkeypatch.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", 2)
    log = copy_of("linear", tmp_path / "log")
    for line in range(1, 3 + more):
        apply(Edit(f"results {line}", {"ok": False}), log)
    run = run_of(captured_in(log))
    results = judge(run)
    told: Any = document(Judgement(Subject("log", "a log"), results, (judged_run(run, results),)))
    listed = [each for each in told["findings"] if each["requirement"] == "RES-05"]
    row = next(each for each in told["requirements"] if each["id"] == "RES-05")
    assert (len(listed), row["findings"]) == (2, 2 + more)
