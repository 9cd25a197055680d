"""Reports as annotations in the log of a workflow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from callproof.report.github import workflow_commands
from callproof.spec.registry import specification
from hypothesis import given
from hypothesis import strategies as st
from reports import HOSTILE, finding, hostile_report, log_report

# A command as the runner reads it: its name, its properties, its words.
_COMMAND = re.compile(r"::(error|warning|notice) ([a-z]+=[^:,]*(?:,[a-z]+=[^:,]*)*)::(.*)")


def commands(made: dict[str, Any]) -> list[tuple[str, dict[str, str], str]]:
    """The commands of a report; each must have its own line, and there must be no other lines."""
    found = []
    for line in workflow_commands(made, specification(), Path("/work")).split("\n")[:-1]:
        match = _COMMAND.fullmatch(line)
        assert match is not None, line
        found.append((match[1], dict(each.split("=", 1) for each in match[2].split(",")), match[3]))
    return found


def test_a_finding_is_told_at_its_line() -> None:
    """The outcome comes last."""
    first, last = commands(log_report())
    assert first[:2] == (
        "error",
        {"file": "logs/night/one/calls.jsonl", "line": "3", "title": "RETRY-03 Attempts stay within the limit"},
    )
    assert first[2] == "s1 was attempted 3 times; permitted: 2 attempts; in night/one"
    assert (last[0], last[2]) == ("error", "violations were found; 2 runs judged")


def test_what_fails_comes_first_and_what_is_known_last() -> None:
    """A workflow shows only the first few."""
    made = log_report(
        findings=[finding(known="yes"), finding(level="SHOULD", requirement="EVT-15"), finding(requirement="RES-03")]
    )
    assert [each[0] for each in commands(made)] == ["error", "warning", "notice", "error"]
    assert [each[0] for each in commands({**made, "failOn": "should"})][:2] == ["error", "error"]
    assert [each[0] for each in commands({**made, "failOn": "never", "exitCode": 0})][-1] == "notice"


def test_findings_that_are_alike_are_told_once_and_kinds_are_counted() -> None:
    """Even ten thousand findings give only fifty lines and a number."""
    alike = commands(log_report(findings=[finding(run=f"r{number}") for number in range(30)]))
    assert len(alike) == 2
    assert "(29 more like this)" in alike[0][2]
    kinds = [finding(**{"class": f"kind {number}"}) for number in range(70)]
    told = commands(log_report(findings=kinds))
    assert len(told) == 51
    assert "20 more kinds of findings" in told[-1][2]


def test_what_follows_from_another_finding_is_left_to_the_report() -> None:
    """A fix of the first finding probably fixes both."""
    cause = {"requirement": "RES-01", "file": "calls.jsonl", "line": 1, "because": "the result is missing"}
    assert len(commands(log_report(findings=[finding(), finding(requirement="RES-03", followsFrom=cause)]))) == 2


def test_hostile_text_begins_no_command() -> None:
    """Every line is a command of the suite."""
    told = commands(hostile_report())
    assert all("\n" not in words for _, _, words in told)
    assert any("::error::" in words for _, _, words in told)  # as words, within a line


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_leaves_its_command(text: str, folder: str) -> None:
    """The runner acts on line breaks, colons, commas and per cent signs, so these must be escaped."""
    made = log_report(findings=[finding(run="night/one", observed=text or HOSTILE)], errors=[text])
    made["runs"][0]["folder"] = folder
    made["findings"][0]["witness"][0]["file"] = folder
    assert len(commands(made)) == 3
