"""The shapes of what lint, breaking and rules say as data: real output of each is checked by the published schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof.cli import cli
from callproof.schema.validator import SchemaFault, shape_schema, shape_validator
from click.testing import CliRunner

EXAMPLES = Path(__file__).parents[3] / "examples" / "tools"
ENDLESS: dict[str, Any] = {"name": "deep.look", "inputSchema": {"type": "object"}}
for _ in range(60):
    ENDLESS["inputSchema"] = {"type": "object", "properties": {"a": ENDLESS["inputSchema"]}}
PLAN = {"goal": "g", "steps": [{"id": "s1", "tool": "notes.none", "args": {"path": "{{s0.output.path}}"}}]}
HOSTILE = {"name": "x\x1b\u202e\r\n\u2028", "inputSchema": {"type": "strng", "pattern": "(a+)+$", "$ref": "#/none"}}
SETTINGS = """
[lint]
profiles = ["all-providers", "seed"]
extend_select = ["ALL"]
[[lint.suppressions]]
rule = "TD003"
reason = "Later."
owner = "anna"
expires = 2999-12-31
[[lint.suppressions]]
rule = "TD001"
reason = "Once."
owner = "anna"
expires = 2000-01-01
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with definitions of every kind."""
    monkeypatch.chdir(tmp_path)
    files = {"notes": (EXAMPLES / "notes.json").read_text(), "found": (EXAMPLES / "found.json").read_text()}
    files |= {
        "deep": json.dumps([ENDLESS, 7, {}]),
        "hostile": json.dumps([HOSTILE, HOSTILE]),
        "none": "{}",
        "torn": "{",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(text)
    (tmp_path / "a.yaml").write_text("name: text.countWords\ninputSchema: {type: object}\n")
    (tmp_path / "plan.json").write_text(json.dumps(PLAN))
    (tmp_path / "empty.toml").touch()
    (tmp_path / "callproof.toml").write_text(SETTINGS)
    return tmp_path


RUNS = (
    ["notes.json"],
    ["found.json", "--fail-on", "never"],
    ["deep.json", "hostile.json", "a.yaml", "--plan", "plan.json"],
    ["none.json", "torn.json", "missing.json"],
    ["--plan", "plan.json"],
    ["notes.json", "--config", "empty.toml"],
)


def faults(shape: str, told: Any) -> tuple[SchemaFault, ...]:
    """The faults that the published schema finds in some data."""
    return shape_validator(f"tools/{shape}").errors(told)


def members(schema: Any) -> Iterator[str]:
    """The names of a schema's own members and of those in its lists."""
    for name, form in schema.get("properties", {}).items():
        yield name
        yield from members(form.get("items", {}))


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_a_report_of_lint_has_its_shape(arguments: list[str]) -> None:
    """This holds whatever could or could not be judged."""
    told = json.loads(CliRunner().invoke(cli, ["lint", *arguments, "--format", "json"]).stdout)
    assert faults("lint-report", told) == ()
    assert [each for finding in told["findings"] for each in faults("lint-finding", finding)] == []


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
@pytest.mark.usefixtures("folder")
def test_each_line_of_a_report_has_its_shape_and_says_the_same(arguments: list[str]) -> None:
    """The lines are the findings, those that are let pass, the problems, and the run at the end."""
    ran = CliRunner().invoke(cli, ["lint", *arguments, "--report", "r.json", "--format", "jsonl"])
    lines, whole = [json.loads(each) for each in ran.stdout.splitlines()], json.loads(Path("r.json").read_text())
    assert [each for line in lines for each in faults("lint-report-line", line)] == []
    for kind, name in (("finding", "findings"), ("suppressed", "suppressed"), ("problem", "problems")):
        assert [each["record"] for each in lines if each["kind"] == kind] == whole[name]
    assert [each["kind"] for each in lines].index("run") == len(lines) - 1
    assert lines[-1]["record"].items() <= whole.items()


@pytest.mark.usefixtures("folder")
def test_no_member_of_the_shape_of_lint_is_one_that_no_report_has() -> None:
    """The runs of these tests have every member of the shape, so these tests check each of them."""
    runs = [json.loads(CliRunner().invoke(cli, ["lint", *each, "--format", "json"]).stdout) for each in RUNS]
    lists = ("documents", "judged", "rules", "findings", "suppressed")
    met = {name for run in runs for name in run}
    met |= {name for run in runs for told in lists for row in run[told] for name in row}
    assert {*members(shape_schema("tools/lint-report")), *members(shape_schema("tools/lint-finding"))} <= met


@pytest.mark.parametrize("purpose", ["replay", "plan", "agent"])
@pytest.mark.parametrize(
    ("old", "new"), [("found", "notes"), ("notes", "found"), ("hostile", "deep"), ("deep", "none")]
)
@pytest.mark.usefixtures("folder")
def test_a_report_of_breaking_has_its_shape(old: str, new: str, purpose: str) -> None:
    """With changes, without changes, and with sides that cannot be compared."""
    ran = CliRunner().invoke(cli, ["breaking", f"{old}.json", f"{new}.json", "--for", purpose, "--format", "json"])
    assert faults("breaking-report", json.loads(ran.stdout)) == ()
    assert json.loads(ran.stdout)["exitCode"] == ran.exit_code


def test_a_change_is_told_where_the_text_tells_it(folder: Path) -> None:
    """The data have the line and the column, and a sample if there is one."""
    tool = {"name": "a.b", "inputSchema": {"properties": {"n": {"type": "integer", "maximum": 9}}}}
    (folder / "old.json").write_text(json.dumps(tool))
    tool["inputSchema"] = {"properties": {"n": {"type": "integer", "maximum": 5}}}
    (folder / "new.json").write_text(json.dumps(tool, indent=1))
    options = ["breaking", "old.json", "new.json", "--for", "plan"]
    (change,) = json.loads(CliRunner().invoke(cli, [*options, "--format", "json"]).stdout)["changes"]
    assert f"{change['file']}:{change['line']}:{change['column']}\n" in CliRunner().invoke(cli, options).stdout
    assert (change["pointer"], change["sample"]) == ("/inputSchema/properties/n", 9)


def test_the_list_of_rules_has_its_shape() -> None:
    """Each rule has all that its page says about it."""
    assert faults("rule-list", json.loads(CliRunner().invoke(cli, ["rules", "--format", "json"]).stdout)) == ()


def test_every_form_has_the_same_bytes_in_every_run(folder: Path) -> None:
    """No byte depends on the order in which Python keeps a set, on a clock, or on the process."""
    files = {"json": "r.json", "jsonl": "r.jsonl", "sarif": "r.sarif", "junit": "r.xml", "markdown": "r.md"}
    files |= {"github": "r.github", "gitlab": "r.gitlab"}
    reports = [each for form, name in files.items() for each in ("--report", f"{form}={name}")]
    lint = ["lint", "found.json", "deep.json", "hostile.json", "a.yaml", "--plan", "plan.json", *reports]
    breaking = ["breaking", "found.json", "hostile.json", "--for", "agent", "--format", "json"]
    seen: list[list[bytes]] = []
    for seed in ("1", "2"):
        said = [_printed(command, seed) for command in (lint, breaking)]
        seen.append([*said, *((folder / name).read_bytes() for name in files.values())])
    assert seen[0] == seen[1]


def _printed(command: list[str], seed: str) -> bytes:
    """What a command prints in a process of its own."""
    ran = subprocess.run(
        [str(Path(sys.executable).parent / "callproof"), *command],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    return ran.stdout + ran.stderr
