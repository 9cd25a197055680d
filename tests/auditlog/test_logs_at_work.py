"""Logs that are read while a system is at work: what is written meanwhile is not part of what is judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from callproof.auditing.one_run import audit_run
from callproof.auditlog import folder, looking
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.layout import FILES
from callproof.auditlog.looking import Looking, in_turn
from callproof.judge.judgement import RunOutcome
from callproof.trace.records import Kind
from log_edits import BASES, copy_of
from mixed_logs import lines_of, share, stream


def told(run: CapturedRun) -> tuple[str, RunOutcome, Sequence[str]]:
    """What a run came to, and the laws that it broke."""
    audited = audit_run(run)
    return run.name, audited.run.outcome, sorted(audited.broken)


@pytest.mark.parametrize("by", [None, in_turn], ids=["whole", "in stretches"])
@pytest.mark.parametrize("form", [share, stream])
def test_runs_that_begin_while_files_are_looked_through_are_of_another_day(
    form: Any, by: Looking | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event that was written after its call had been looked for does not show a call without a record (CALL-21)."""
    if by is not None:
        monkeypatch.setattr(looking, "LARGE_BYTES", 1)
        monkeypatch.setattr(looking, "STRETCH_BYTES", 500)
    path = form(lines_of(BASES / "linear"), tmp_path / "log")
    later = form(lines_of(BASES / "retried"), tmp_path / "later")
    begun = iter([True])
    look = looking._look

    def looks(*arguments: Any) -> int:
        if next(begun, False):
            for file in [path] if path.is_file() else path.iterdir():
                more = later if path.is_file() else later / file.name
                with file.open("ab") as grows:
                    grows.write(more.read_bytes())
        return look(*arguments)

    monkeypatch.setattr(looking, "_look", looks)
    (found,) = inputs_at([path])
    runs = [told(run.captured()) for run in found.runs(by)]
    assert runs == [("run-linear", RunOutcome.CONSISTENT, [])]
    assert next(begun, None) is None


@pytest.mark.parametrize("base", ["linear", "retried", "foreach"])
def test_records_that_come_while_a_folder_is_read_are_no_part_of_the_run(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its calls were read before they came, so its results and events do not count either (RES-02, CALL-21)."""
    log = copy_of(base, tmp_path / "log")
    for name in FILES.values():
        (log / name).write_bytes(b"")
    read = folder._plain_text

    def meanwhile(path: str, size: int) -> bytes | None:
        if path.endswith(FILES[Kind.RESULT]):
            copy_of(base, tmp_path / "whole")
            for name in FILES.values():
                (log / name).write_bytes((tmp_path / "whole" / name).read_bytes())
        return read(path, size)

    monkeypatch.setattr(folder, "_plain_text", meanwhile)
    assert told(captured_in(log)) == ("log", RunOutcome.INCOMPLETE, [])
    monkeypatch.undo()
    assert told(captured_in(log)) == ("log", RunOutcome.CONSISTENT, [])
