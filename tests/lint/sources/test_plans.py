"""Plans from files of their own, judged with tools from anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.lint.sources.files import from_plans
from click.testing import CliRunner
from tool_catalogues import canonical, plan, step


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """A file with one tool."""
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([canonical("vault.readFile")]), encoding="utf-8")
    return str(file)


def written(folder: Path, *steps: object) -> str:
    """A file with a plan of these steps."""
    file = folder / "plan.json"
    file.write_text(json.dumps(plan(*steps)), encoding="utf-8")
    return str(file)


def test_a_plan_is_held_against_the_tools_that_it_calls(tools: str, tmp_path: Path) -> None:
    """The finding has its place in the plan."""
    steps = [
        step("read", "vault.readFile", {"path": "a.md"}, "Read a.md"),
        step("again", "vault.readFile", {"path": "$steps.read.contents"}, "Read what it names"),
    ]
    found = CliRunner().invoke(cli, ["lint", tools, "--plan", written(tmp_path, *steps)])
    assert found.exit_code == 1
    assert "REF005" in found.output
    assert "plan.json" in found.output
    assert "did you mean content?" in found.output


def test_a_plan_that_keeps_the_conventions_is_clean(tools: str, tmp_path: Path) -> None:
    """It is judged with the tools that it needs."""
    file = written(tmp_path, step("read", "vault.readFile", {"path": "a.md"}, "Read a.md"))
    assert CliRunner().invoke(cli, ["lint", tools, "--plan", file]).exit_code == 0


def test_a_plan_alone_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    """Its previews can be judged without tools."""
    file = written(tmp_path, step("read", "vault.readFile", {"path": "a.md"}, "Read {item.path}"))
    found = CliRunner().invoke(cli, ["lint", "--plan", file])
    assert found.exit_code == 1
    assert "PRE005" in found.output


def test_a_file_without_a_plan_is_told(tools: str) -> None:
    """A user who mixes up the two files must not read that the plan is clean."""
    read = from_plans([tools])
    assert (read.found, read.plans, read.documents) == ((), (), ())
    assert [each.partition(": ")[2] for each in read.problems] == ["holds no plan; expected an object with steps"]
    assert CliRunner().invoke(cli, ["lint", tools, "--plan", tools]).exit_code == 2


def test_the_tools_beside_a_plan_are_left_alone(tmp_path: Path) -> None:
    """A run record may contain both, and the user named it only for its plan."""
    file = tmp_path / "run.json"
    file.write_text(json.dumps({"plan": plan(step("a", "b", {})), "tools": [{"name": "c", "inputSchema": {}}]}))
    read = from_plans([str(file)])
    assert (len(read.found), len(read.plans)) == (0, 1)
