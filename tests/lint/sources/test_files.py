"""Files that several sources name: each is judged once."""

from __future__ import annotations

import json
from pathlib import Path

from callproof.lint.sources.files import from_files, from_plans, joined

TOOL = {"name": "count_words", "inputSchema": {"type": "object"}}
PLAN = {"steps": [{"id": "a", "tool": "count_words", "args": {}}]}


def test_a_file_that_is_named_twice_is_there_once(tmp_path: Path) -> None:
    """It may be named as itself, by another path, and by its folder; a copy is a file of its own."""
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(TOOL), "utf-8")
    again = [str(file), str(tmp_path / "." / "tool.json"), f"{tmp_path}/../{tmp_path.name}/tool.json", str(tmp_path)]
    read = joined([from_files(again)])
    assert [each.document.name for each in read.found] == [str(file)]
    assert len(read.documents) == 1
    (tmp_path / "copy.json").write_text(json.dumps(TOOL), "utf-8")
    assert len(joined([from_files(again)]).found) == 2


def test_a_plan_that_stands_in_a_folder_of_tools_is_held_against_them_once(tmp_path: Path) -> None:
    """It is judged once even if `--plan` names it, too."""
    for name, value in (("tool", TOOL), ("plan", PLAN)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    read = joined([from_files([str(tmp_path)]), from_plans([str(tmp_path / "plan.json")])])
    assert (len(read.found), len(read.plans), len(read.documents)) == (1, 1, 2)
