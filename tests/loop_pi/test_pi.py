"""The agent loop of pi, in the two releases that the example pins: what is found, and nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from example_commands import ROOT, run

FOLDER = Path(os.environ["LOOP_PI"])
EXAMPLE = ROOT / "examples" / "loop-pi"
EXPECTED: dict[str, dict[str, list[str]]] = json.loads((EXAMPLE / "findings.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("release", EXPECTED)
def test_what_is_found_in_pi_is_what_its_example_lists(release: str) -> None:
    """Each requirement that it breaks, with the written cases in which it does, and no error beside them."""
    scope = release.split("/", maxsplit=1)[0]
    done = run(f'callproof loop "stdio:node {FOLDER}/adapter.mjs {scope}" --cases 0 --format json')
    assert done.returncode == 1, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["subject"]["implementation"] == f"{release} (typescript)"
    assert report["errors"] == []
    found: dict[str, set[str]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["requirement"], set()).add(finding["run"])
    # A case is told by the name of its log.
    listed = {law: {case.replace("/", "-") for case in cases} for law, cases in EXPECTED[release].items()}
    assert found == listed


def test_the_readme_tells_of_each_law_which_release_breaks_it() -> None:
    """A row for each law that one of them breaks, and no other."""
    rows = [line for line in (EXAMPLE / "README.md").read_text(encoding="utf-8").splitlines() if line[:6] == "| HOST"]
    told = {row.split(" | ")[0].strip("| "): row.split(" | ")[1:3] for row in rows}
    laws = sorted({law for laws in EXPECTED.values() for law in laws})
    assert told == {law: ["broken" if law in EXPECTED[each] else "kept" for each in EXPECTED] for law in laws}
