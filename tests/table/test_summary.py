"""``callproof audit --summary``: one Parquet file that DuckDB, pandas and the like can ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from callproof.cli import cli
from callproof.commands.audit import Audit, audit
from callproof.commands.summary import COLUMNS, summarised
from callproof.report import parquet
from callproof.report.parquet import CannotWriteTable, Table
from callproof.resources import SPEC
from click.testing import CliRunner
from pyarrow import parquet as reader

EXAMPLES = Path(str(SPEC)) / "examples"


def logs(folder: Path) -> Path:
    """Three runs, one of them with a wrong number of an attempt."""
    for name in ("one", "two", "three"):
        shutil.copytree(EXAMPLES / "retried", folder / name)
    calls = folder / "two" / "calls.jsonl"
    calls.write_text(calls.read_text(encoding="utf-8").replace('"attempt": 2', '"attempt": 7'), encoding="utf-8")
    return folder


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a table."""
    return reader.read_table(file).to_pylist()


def test_a_row_for_each_run_and_each_finding(tmp_path: Path) -> None:
    """The rows have the columns of the specification, and the order of the report."""
    table = tmp_path / "night.parquet"
    ran = CliRunner().invoke(cli, ["audit", str(logs(tmp_path / "logs")), "--summary", str(table)])
    assert ran.exit_code == 1
    told = rows(table)
    assert [*told[0]] == [*COLUMNS]
    runs = [each for each in told if each["kind"] == "run"]
    assert [(each["run"], each["outcome"]) for each in runs] == [
        ("one", "consistent"),
        ("three", "consistent"),
        ("two", "violations"),
    ]
    assert [each["calls"] for each in runs] == [5, 5, 5]
    findings = [each for each in told if each["kind"] == "finding"]
    assert runs[2]["findings"] == len(findings) >= 2
    assert {(each["run"], each["tool"], each["executor"]) for each in findings} == {("two", "vault.readFile", "1.0.0")}
    assert all(each["file"] and each["line"] and each["folder"] for each in findings)


def test_duckdb_answers_questions_of_it(tmp_path: Path) -> None:
    """The documentation shows such questions."""
    table = tmp_path / "night.parquet"
    CliRunner().invoke(cli, ["audit", str(logs(tmp_path / "logs")), "--summary", str(table)])
    question = (
        "SELECT requirement, count(*), count(DISTINCT run) FROM read_parquet(?) WHERE kind = 'finding' GROUP BY 1"
    )
    found = duckdb.execute(question, [str(table)]).fetchall()
    assert {name: runs for name, _, runs in found}["RETRY-01"] == 1


def test_the_columns_are_those_of_the_specification() -> None:
    """The chapter lists them, each in its place."""
    chapter = (Path(str(SPEC)) / "report-forms.md").read_text(encoding="utf-8")
    listed = [
        word.strip("` ")
        for line in chapter[chapter.index("| column |") :].splitlines()[2:]
        if line.startswith("| `")
        for word in line.split("|")[1].split(",")
    ]
    assert sorted(listed) == sorted(COLUMNS)


def test_there_is_no_table_where_there_was_no_audit(tmp_path: Path) -> None:
    """Half a table could be taken for a whole one."""
    table = tmp_path / "night.parquet"
    ran = CliRunner().invoke(cli, ["audit", str(tmp_path / "nothing"), "--summary", str(table)])
    assert ran.exit_code == 2
    assert [*tmp_path.iterdir()] == []


def test_a_table_needs_a_name(tmp_path: Path) -> None:
    """A script may pass an empty variable as the name."""
    ran = CliRunner().invoke(cli, ["audit", str(logs(tmp_path / "logs")), "--summary", ""])
    assert ran.exit_code == 2
    assert "names no file; permitted: the path of one" in ran.stderr


@pytest.mark.parametrize("name", ["-", "pipe", "null"])
def test_a_table_goes_into_a_regular_file_alone(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there stays as it is: a pipe or a device is no file that could be replaced by one."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("null").symlink_to(os.devnull)
    before = {each.name: each.lstat().st_mode for each in tmp_path.iterdir()}
    with pytest.raises(CannotWriteTable, match=r"names no file|is not a regular file"):
        Table(Path(name), {"run": str})
    assert {each.name: each.lstat().st_mode for each in tmp_path.iterdir()} == before


def test_a_table_is_written_to_where_a_link_leads(tmp_path: Path) -> None:
    """The link stays, as with a report."""
    (tmp_path / "link.parquet").symlink_to("table.parquet")
    with Table(tmp_path / "link.parquet", {"run": str}) as table:
        table.add([{"run": "a"}])
    assert (tmp_path / "link.parquet").is_symlink()
    assert reader.read_table(tmp_path / "table.parquet").num_rows == 1


def test_an_audit_that_is_broken_off_leaves_the_runs_that_were_judged(tmp_path: Path) -> None:
    """The report of the audit has these runs too."""
    table = tmp_path / "night.parquet"

    def breaking(runs: Any, rules: Any) -> Any:
        from callproof.auditing.engines import in_this_process

        for number, audited in enumerate(in_this_process(runs, rules)):
            if number == 2:
                raise KeyboardInterrupt
            yield audited

    with summarised(Audit((logs(tmp_path / "logs"),), engine=breaking), table) as wanted:
        judged = audit(wanted)
    assert judged.interrupted
    assert [each["run"] for each in rows(table) if each["kind"] == "run"] == ["one", "three"]


def test_rows_are_written_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Therefore a long audit takes no more memory than a short one."""
    monkeypatch.setattr(parquet, "_ROWS_IN_A_BLOCK", 10)
    file = tmp_path / "x.parquet"
    with Table(file, {"a": str, "b": int}) as table:
        for number in range(25):
            table.add([{"a": "\udce9 \x1b", "b": number}, {"b": None}])
    told = rows(file)
    assert len(told) == 50
    assert told[0] == {"a": "\\udce9 \x1b", "b": 0}
    assert reader.ParquetFile(file).num_row_groups > 1


def test_a_table_that_fails_on_the_way_costs_no_report(tmp_path: Path) -> None:
    """On a full disk the judged runs are reported, the message names the missing table, and no part of it is left."""
    limited = f"ulimit -f 1; {sys.executable} -m callproof audit {EXAMPLES} --summary night.parquet"
    # Under such a limit Python would write truncated bytecode, and read it in every later run.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["bash", "-c", limited], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    told = " ".join((done.stdout + done.stderr).split())
    assert (done.returncode, "Traceback" in told) == (3, False), told
    assert "the table night.parquet cannot be written: " in told
    assert "runs judged" in told
    assert [*tmp_path.iterdir()] == []


def test_a_place_that_cannot_be_written_is_told_before_anything_is_judged(tmp_path: Path) -> None:
    """An audit takes long, so the user must learn of the fault before it."""
    with pytest.raises(CannotWriteTable, match="cannot be written"):
        Table(tmp_path / "nowhere" / "x.parquet", COLUMNS)
