"""``callproof show`` of logs with something wrong in them: it leaves out no record and no finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from auditing.mutations import mutated
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.auditlog.reader import read_run
from callproof.commands.show import show
from callproof.report.story_text import lines
from log_edits import BASES

VALUES = Rules(show_values=True)
LOGS = sorted(each.parent for each in BASES.glob("*/run.json"))

Told = list[tuple[str, list[str]]]


def written(captured: CapturedRun, folder: Path) -> Path:
    """Write the text of a run as a folder, and return it."""
    folder.mkdir()
    held = (captured.record, *captured.files.values())
    for file in (each for each in held if each is not None):
        (folder / file.name).write_bytes(file.text)
    return folder


def told(findings: Sequence[Mapping[str, Any]]) -> Told:
    """The findings of a story by law and witness."""
    rows = [(each["requirement"], [f"{one['file']}:{one['line']}" for one in each["witness"]]) for each in findings]
    return sorted(rows)


@pytest.mark.many
@pytest.mark.parametrize("seed", [*range(1, 1400, 20), 1157])
def test_a_story_tells_every_record_and_every_finding_that_is_about_it(seed: int, tmp_path: Path) -> None:
    """A run's story has each record once and the audit's findings; a call's story has all that bears its name."""
    folder = written(mutated(captured_in(LOGS[seed % len(LOGS)]), seed), tmp_path / "log")
    run, audited = read_run(folder), audit_run(captured_in(folder), VALUES)
    found: Told = sorted(
        (name, [str(one.source) for one in each.finding.witness])
        for name, result in audited.broken.items()
        for each in result.findings
    )
    shown = show(folder, None, None, VALUES)
    rows = [line.plain for line in lines(shown.story, (), shown.verdict)]
    for record in run.records:
        assert len([row for row in rows if f" {record.source} " in row]) == 1
    assert told(shown.findings) == found
    for call in {each.call_id for each in run.calls if each.call_id is not None}:
        mine = {str(each.source) for each in run.records if each.call_id == call}
        shown = show(folder, None, call, VALUES)
        text = "\n".join(line.plain for line in lines(shown.story, (), shown.verdict))
        assert [each for each in mine if f" {each} " not in text] == []
        assert told(shown.findings) == [each for each in found if mine & set(each[1])]
