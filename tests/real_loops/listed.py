"""The findings in a real agent loop, and those that its example lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from example_commands import run

# By release and by requirement, the cases that break the requirement.
Listed = dict[str, dict[str, list[str]]]


def listed_in(example: Path) -> Listed:
    """The findings that an example lists."""
    read: Listed = json.loads((example / "findings.json").read_text(encoding="utf-8"))
    return read


def told_in_readme(example: Path) -> dict[str, list[str]]:
    """Each requirement in the README's table of findings, with what the table says about each release."""
    found = (example / "README.md").read_text(encoding="utf-8").partition("\n## What is found\n")[2]
    rows = [line for line in found.splitlines() if line[:6] == "| HOST"]
    return {row.split(" | ")[0].strip("| "): row.split(" | ")[1:] for row in rows}


def expect_a_row_of_each_law(example: Path) -> None:
    """The table of an example with several releases has a row for each broken law, with the releases that break it."""
    listed = listed_in(example)
    told = {law: cells[: len(listed)] for law, cells in told_in_readme(example).items()}
    laws = sorted({law for broken in listed.values() for law in broken})
    assert told == {law: ["broken" if law in listed[each] else "kept" for each in listed] for law in laws}


def expect_what_is_listed(command: str, release: str, language: str, listed: Listed) -> None:
    """Each requirement that the loop breaks, with the written cases that show it, and no errors."""
    done = run(f'callproof loop "stdio:{command}" --cases 0 --format json')
    assert done.returncode == (1 if listed[release] else 0), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["subject"]["implementation"] == f"{release} ({language})"
    assert report["errors"] == []
    found: dict[str, set[str]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["requirement"], set()).add(finding["run"])
    assert found == {law: set(cases) for law, cases in listed[release].items()}
