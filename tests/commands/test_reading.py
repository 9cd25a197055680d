"""The line that a terminal shows while logs are read."""

from __future__ import annotations

import threading
from io import StringIO
from pathlib import Path

import pytest
from callproof.auditing.one_run import audit_run
from callproof.auditlog.folder import RunFolder, captured_in
from callproof.auditlog.sizes import bytes_below, bytes_in
from callproof.commands import reading as line
from callproof.commands.reading import reading
from log_edits import copy_of
from rich.console import Console


@pytest.mark.parametrize("alone", [True, False])
def test_a_line_has_a_thread_only_where_nobody_is_forked(
    alone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process with another thread cannot be forked safely; without a thread, each new run redraws the line."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(line, "_PAUSE_SECONDS", -1)
    folder = copy_of("linear", tmp_path / "log")
    before = threading.active_count()
    shown = StringIO()
    console = Console(file=shown, force_terminal=True, width=120)
    with reading(console, lambda: bytes_below([folder]), bytes_in, alone=alone) as watched:
        assert watched is not None
        assert (threading.active_count() == before) is alone
        for run in watched.taken([RunFolder(folder, "log")]):
            watched.judged(audit_run(captured_in(folder, name=run.name)))
    assert not alone or "1 run " in shown.getvalue()
