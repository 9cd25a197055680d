"""Logs from a generator that is independent of this project: checks find nothing in clean ones, and every fault."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run

GENERATED = Path(__file__).parent / "generated"
# Faults that no check finds as the requirement that they were planted for, and why that is right.
FOUND_OTHERWISE: Mapping[str, str] = {}


@cache
def archive(name: str) -> Mapping[str, bytes]:
    """The files of an archive, by their paths in it."""
    with tarfile.open(GENERATED / name) as tar:
        streams = {member.name: tar.extractfile(member) for member in tar.getmembers()}
        return {path: stream.read() for path, stream in streams.items() if stream is not None}


def folders(name: str) -> list[str]:
    """The log folders of an archive."""
    return sorted({path.split("/")[0] for path in archive(name) if "/" in path})


def planted() -> Mapping[str, str]:
    """The requirement that each fault of the broken logs breaks."""
    notes = map(json.loads, archive("broken.tar.gz")["faults.jsonl"].splitlines())
    return {note["fault"]: note["requirement"] for note in notes}


def unpacked(name: str, folder: str, where: Path) -> Run:
    """One run of an archive, read from a folder as every captured log is."""
    for path, content in archive(name).items():
        if path.startswith(f"{folder}/"):
            (where / path.split("/")[1]).write_bytes(content)
    return read_run(where, tools=json.loads(archive(name)["tools.json"]))


def blamed(run: Run) -> dict[str, list[str]]:
    """What was found in a run, by requirement."""
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in judge(run).items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


@pytest.mark.parametrize("folder", folders("clean.tar.gz"))
def test_a_clean_generated_log_is_spotless(folder: str, tmp_path: Path) -> None:
    """No check blames a correct executor that shares no code with this project."""
    assert blamed(unpacked("clean.tar.gz", folder, tmp_path)) == {}


@pytest.mark.parametrize("fault", folders("broken.tar.gz"))
def test_a_planted_fault_is_found_as_what_it_is(fault: str, tmp_path: Path) -> None:
    """Each fault is found as the requirement that it breaks, or ``FOUND_OTHERWISE`` has the reason why not."""
    found = blamed(unpacked("broken.tar.gz", fault, tmp_path))
    assert (planted()[fault] in found) is not (fault in FOUND_OTHERWISE), (planted()[fault], found)


def test_every_reason_on_record_is_about_a_planted_fault() -> None:
    """A reason for a fault that is not planted is a leftover."""
    assert FOUND_OTHERWISE.keys() <= planted().keys()
