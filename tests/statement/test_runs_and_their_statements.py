"""A statement beside its run: one outcome if both rest on the same cases, and both outcomes told if not."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from callproof.commands.test import run
from callproof.commands.verify import verified, write
from callproof.judge.judgement import Judgement, Outcome
from callproof.report.targets import Form, Target
from callproof.settings import Settings
from rich.console import Console

# Each test drives the whole suite.
pytestmark = pytest.mark.many
TINY = Path(__file__).parents[2] / "examples" / "adapter-python"


def tried(folder: Path, *, old: str = "", new: str = "", cases: int = 0) -> Judgement:
    """The small example, with one place of its adapter replaced, run through the whole suite and into a statement."""
    for each in TINY.glob("*.py"):
        text = each.read_text(encoding="utf-8")
        (folder / each.name).write_text(text.replace(old, new) if each.name == "adapter.py" else text, encoding="utf-8")
    assert old in (TINY / "adapter.py").read_text(encoding="utf-8")
    address = f"stdio:{sys.executable} {folder / 'adapter.py'}"
    return run(Settings(address, cases=cases, reports=(Target(Form.STATEMENT, folder / "proof"),)))


def stated(folder: Path) -> dict[str, Any]:
    """The content of the statement, which must verify."""
    assert verified(folder / "proof").faults == ()
    found: dict[str, Any] = json.loads((folder / "proof" / "statement.json").read_text(encoding="utf-8"))
    return found


def test_a_statement_comes_to_what_its_run_came_to(tmp_path: Path) -> None:
    """Neither a run nor a statement requires what a system with few claims cannot show."""
    judged = tried(tmp_path)
    statement = stated(tmp_path)
    assert (judged.outcome.says, statement["outcome"]) == ("conforms", "conforms")
    assert statement["notProven"] == []
    assert not any("statement" in each for each in judged.subject.notes)


def test_what_is_not_proven_is_named(tmp_path: Path) -> None:
    """The statement, its text and the verifier name requirements that were not decided and runs that never began."""
    caught = "    except Refused as refusal:"
    picky = f"        if len(params['plan']['steps']) > 1:\n            raise Refused('too many', 'steps')\n{caught}"
    judged = tried(tmp_path, old=caught, new=picky)
    statement = stated(tmp_path)
    assert (judged.outcome, statement["outcome"]) == (Outcome.NOT_PROVEN, "not proven")
    assert statement["notProven"] == [each.requirement.id for each in judged.unproven] != []
    assert statement["refused"] != []
    text = (tmp_path / "proof" / "statement.md").read_text(encoding="utf-8")
    assert f"## Not proven\n\n- {statement['notProven'][0]}\n" in text
    console = Console(record=True, width=200)
    write(verified(tmp_path / "proof"), console)
    assert f"not proven  {', '.join(statement['notProven'])}" in console.export_text()


def test_a_failure_in_generated_cases_alone_is_told_beside_the_statement(tmp_path: Path) -> None:
    """Generated cases are judged as always; if the outcomes differ, both the run and the statement say so."""
    judged = tried(tmp_path, old='f"run-{uuid.uuid4()}"', new='"run-1"', cases=30)
    statement = stated(tmp_path)
    assert judged.outcome is Outcome.VIOLATIONS
    assert {each.run.partition("/")[0] for each in judged.results["CALL-04"].findings} == {"GEN"}
    assert (statement["outcome"], statement["runOutcome"]) == ("conforms", "violations")
    assert any("but conforms in the statement proof" in each for each in judged.subject.notes)
    assert "was *violations*" in (tmp_path / "proof" / "statement.md").read_text(encoding="utf-8")
    assert verified(tmp_path / "proof").run_outcome == "violations"
