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


def test_a_file_to_which_a_link_leads_is_there_once(tmp_path: Path) -> None:
    """The link may be in the same folder, or named itself; a file elsewhere is read through a link."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "tool.json").write_text(json.dumps(TOOL), "utf-8")
    (tmp_path / "tools" / "latest.json").symlink_to("tool.json")
    for given in (["tools"], ["tools/tool.json", "tools/latest.json"], ["tools", "tools/tool.json"]):
        read = joined([from_files([str(tmp_path / each) for each in given])])
        assert (len(read.found), len(read.documents), read.problems) == (1, 1, ())
    (tmp_path / "elsewhere.json").write_text(json.dumps(TOOL), "utf-8")
    (tmp_path / "tools" / "other.json").symlink_to("../elsewhere.json")
    assert len(joined([from_files([str(tmp_path / "tools")])]).found) == 2


def test_a_link_that_leads_nowhere_is_reported(tmp_path: Path) -> None:
    """A folder does not seem complete without it; links of other names, and those of editors, are no definitions."""
    (tmp_path / "tool.json").write_text(json.dumps(TOOL), "utf-8")
    for name in ("read.txt", ".#tool.json"):
        (tmp_path / name).symlink_to("anna@desk.4711")
    assert from_files([str(tmp_path)]).problems == ()
    (tmp_path / "more.json").symlink_to("gone.json")
    (tmp_path / "round.yaml").symlink_to("round.yaml")
    (tmp_path / "folder.json").symlink_to(tmp_path)
    gone, circle = from_files([str(tmp_path)]).problems
    assert gone.startswith(f"{tmp_path / 'more.json'}: cannot be read: ")
    assert gone.endswith("(it is a link to gone.json)")
    assert circle.startswith(f"{tmp_path / 'round.yaml'}: cannot be read: ")
    assert len(from_files([str(tmp_path)]).found) == 1
