"""The main job on real input: run as its README says, audited clean, and every documented tampering found."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from callproof.cli import cli
from click.testing import CliRunner
from log_edits import Edit, apply

EXAMPLE = Path(__file__).parents[1] / "examples" / "notes"
RUN, AUDIT = re.findall(r"```sh\n(.+)\n```", (EXAMPLE / "README.md").read_text("utf-8"))
TAMPERINGS: list[dict[str, Any]] = json.loads((EXAMPLE / "tamperings.json").read_text("utf-8"))

LINKED = """\
---
tags: [garden, plans]
---

# Ideas for the year

Written in January, with the window open for five minutes and shut again. None of it is decided.

- [[Garden/Projects/Rain barrel by the shed.md]]
- [[Garden/Projects/Tomatoes under glass, not outside.md]]
- [[Garden/Projects/A hedge of dog roses towards Müller’s side.md]]
- [[Garden/Projects/Move the compost out of the sun.md]]
- [[Garden/Projects/Café table under the plum tree.md]]

Costs: nothing above $40 without sleeping on it. The rest of the wish list stays in the drawer.
"""
CAFE = """\
---
"status": "open"
"number": 4
---
# Café table under the plum tree

An idea from [[Garden/Ideas for the year.md]].

## First step

"""


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a documented command as a user would, with this environment's scripts first on the PATH."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the documented command was run: the example, `notes` and `notes-log`."""
    folder = tmp_path_factory.mktemp("job")
    shutil.copytree(EXAMPLE, folder / "examples" / "notes")
    done = shell(RUN, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def test_every_bullet_became_a_note_and_a_link(job: Path) -> None:
    """Each bullet gives one note, and a link replaces it; the draft is in the trash, and nothing else is touched."""
    before, after = contents(EXAMPLE / "vault"), contents(job / "notes")
    assert after["Garden/Ideas for the year.md"] == LINKED
    assert after["Garden/Projects/Café table under the plum tree.md"] == CAFE
    linked = re.findall(r"\[\[(.+)\]\]", LINKED)
    assert set(after) - set(before) == {*linked, ".trash/links.md"}
    untouched = set(before) - {"Garden/Ideas for the year.md"}
    assert {path: after[path] for path in untouched} == {path: before[path] for path in untouched}


def test_the_audit_finds_the_log_clean(job: Path) -> None:
    """The documented audit of the job's log exits with 0 and without one finding, advice included."""
    done = shell(f"{AUDIT} --format json", job)
    report = json.loads(done.stdout)
    assert (done.returncode, report["findings"], report["errors"]) == (0, [], [])


def test_each_tampering_belongs_to_a_group_of_its_own() -> None:
    """Fifteen groups of requirements, one tampering each."""
    groups = [each["breaks"].partition("-")[0] for each in TAMPERINGS]
    assert len(groups) == len(set(groups)) == 15


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda each: each["name"])
def test_a_tampered_log_is_found_out(job: Path, tmp_path: Path, tampering: dict[str, Any]) -> None:
    """Each finding names the requirement that was broken, or one that inevitably breaks with it, and shows where."""
    log = Path(shutil.copytree(job / "notes-log", tmp_path / "log"))
    for edit in tampering["edits"]:
        apply(Edit(edit["line"], edit["becomes"]), log)
    outcome = CliRunner().invoke(cli, ["audit", "--format", "json", str(log)])
    findings = json.loads(outcome.stdout)["findings"]
    assert {each["requirement"] for each in findings} == {tampering["breaks"], *tampering.get("also", [])}
    for found in findings:
        assert tampering["at"] in [f"{each['file']}:{each['line']}" for each in found["witness"]]
    assert outcome.exit_code == 1
