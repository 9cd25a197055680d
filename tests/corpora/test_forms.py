"""Generated logs, with and without faults, in every form of a log: the same findings, except for places in files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from callproof.auditing.audited import AuditedRun
from callproof.auditing.one_run import audit_run
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.layout import SHARED_FILES
from mixed_logs import compress
from shared import SHARED

_PLACE = re.compile(
    r"Source\(file='[^']*', line=\d+\)|\b(runs?|calls|results|events|stream)\.jsonl?(\.gz|\.zst)?(:\d+)?"
)
_ARGUMENTS = ["--runs", "16", "--window", "7", "--fault-rate", "0.02"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same runs as folders, as shared files, as a stream, and compressed."""
    where = tmp_path_factory.mktemp("forms")
    for form in ("dirs", "fleet", "stream"):
        command = [sys.executable, str(SHARED / "bench" / "gen.py"), str(where / form), "--form", form, *_ARGUMENTS]
        subprocess.run(command, check=True, capture_output=True)
        (where / form / "faults.jsonl").unlink()
        for suffix in (".gz", ".zst"):
            copy = shutil.copytree(where / form, where / (form + suffix))
            for folder in copy.iterdir() if form == "dirs" else [copy]:
                compress(folder, suffix)
    return where


def told(path: Path) -> dict[str, str]:
    """What was found in each run, without the places in files."""
    (found,) = inputs_at([path])
    return {run.name: _PLACE.sub("(place)", _words(audit_run(run.captured()))) for run in found.runs()}


@cache
def _expected(logs: Path) -> dict[str, str]:
    return told(logs / "dirs")


def _words(audited: AuditedRun) -> str:
    findings = [f"{name}: {each.finding}" for name, result in audited.broken.items() for each in result.findings]
    return "\n".join([str(audited.run.outcome), *sorted(audited.kept), *findings])


@pytest.mark.many
@pytest.mark.parametrize("form", ["fleet", "stream/stream.jsonl", "dirs.gz", "fleet.zst", "stream.gz/stream.jsonl.gz"])
def test_the_findings_are_the_same_in_every_form(logs: Path, form: str) -> None:
    """The form of a log changes only the names and lines of files in its findings."""
    expected = _expected(logs)
    assert len(expected) == 16
    assert any("(place)" in words for words in expected.values())
    assert told(logs / form) == expected


def test_the_form_is_found_out(logs: Path) -> None:
    """The input says what was recognised at a path."""
    names = ", ".join(f"{name}.gz" for name in SHARED_FILES.values())
    (fleet,) = inputs_at([logs / "fleet.gz"])
    assert fleet.says == f"{logs / 'fleet.gz'} is files that many runs share: {names}"
