"""``callproof lint``, ``rules`` and ``explain RULE``: options, exit codes, and what is printed."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from callproof.cli import cli
from callproof.commands import rules
from callproof.lint.page import pages
from click.testing import CliRunner, Result
from rich.console import Console
from tool_catalogues import closed, reading

CLEAN = reading(
    "text.countWords",
    closed({"text": {"type": "string", "description": "The text to count in."}}),
    closed({"words": {"type": "integer", "description": "How many words there are."}}),
    description="Tell how many words stand in a text, with blanks between them.",
)
OPEN = {**CLEAN, "inputSchema": {**CLEAN["inputSchema"], "additionalProperties": True}}
HOSTILE = {**OPEN, "name": "x\x1b[31m\u202ey"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without settings, so that file names are short."""
    monkeypatch.chdir(tmp_path)
    for name, value in (("clean.json", CLEAN), ("open.json", OPEN), ("hostile.json", [HOSTILE]), ("none.json", {})):
        (tmp_path / name).write_text(json.dumps(value, indent=2))
    return tmp_path


def ran(*arguments: str, stdin: Any = None) -> Result:
    """The result of a command."""
    return CliRunner().invoke(cli, [*arguments], input=None if stdin is None else json.dumps(stdin))


def test_a_clean_definition_ends_with_0() -> None:
    """The output says how many tools there were."""
    told = ran("lint", "clean.json")
    assert (told.exit_code, told.stdout) == (0, "1 tool, no findings\n")


def test_a_finding_ends_with_1() -> None:
    """The finding shows its place, with the text underlined, and names the fix."""
    told = ran("lint", "open.json")
    assert told.exit_code == 1
    assert "open.json:5:29: error IN002 text.countWords: the input is open" in told.stdout
    assert '    "additionalProperties": true' in told.stdout
    assert "= fix: close the input (--fix)" in told.stdout


@pytest.mark.parametrize("paths", [["none.json"], ["missing.json"], ["clean.json", "missing.json"], ["."], []])
def test_what_could_not_be_checked_ends_with_2(paths: list[str], folder: Path) -> None:
    """No tool, no file, or no source at all: that is never a success."""
    if paths == ["."]:
        for each in folder.glob("*.json"):
            each.unlink()
    told = ran("lint", *paths)
    assert told.exit_code == 2
    assert told.stderr.startswith("callproof: ")


LONG = "1" + "0" * 1_024


@pytest.mark.parametrize(
    ("number", "says"),
    [(LONG, "has more than 1024 digits (limit: digits)"), ("-1e999", "is larger than a double can hold")],
)
@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_a_number_that_nobody_can_hold_is_told_and_the_other_tools_are_judged(
    folder: Path, name: str, number: str, says: str
) -> None:
    """The message has the number's place; because one tool was not judged, the exit code is 2."""
    tools = json.dumps([{**CLEAN, "name": "text.grow", "inputSchema": {"minimum": 42}}, OPEN], indent=2)
    (folder / name).write_text(tools.replace("42", number))
    told = ran("lint", name)
    assert told.exit_code == 2
    assert told.stderr == (
        f"callproof: {name}:5:18: the number at /0/inputSchema/minimum {says}; text.grow was not judged\n"
    )
    assert "IN002 text.countWords" in told.stdout
    assert "text.grow" not in told.stdout
    assert "1 tool: 1 error; 1 thing could not be checked" in told.stdout


def test_a_long_number_where_nothing_is_judged_harms_nothing(folder: Path) -> None:
    """The number stands outside of every definition, or is a text."""
    (folder / "a.json").write_text(f'{{"build": {LONG}, "tools": [{json.dumps({**CLEAN, "title": LONG})}]}}')
    assert ran("lint", "a.json").exit_code == 0
    (folder / "a.json").write_text(f'{{"build": {LONG}}}')
    assert "no tool was found in a.json" in ran("lint", "a.json").stderr


def test_a_tool_with_a_long_number_is_not_called_missing(folder: Path) -> None:
    """This holds for the only tool of a file, for a comparison, and for a plan."""
    (folder / "a.json").write_text(f'{{"name": "a.b", "inputSchema": {{"minimum": {LONG}}}}}')
    (folder / "plan.json").write_text(f'{{"steps": [{{"args": {{"n": {LONG}}}}}]}}')
    assert ran("lint", "a.json").stderr.count("callproof: ") == 1
    assert ran("lint", "clean.json", "--plan", "plan.json").stderr.count("callproof: ") == 1
    told = ran("breaking", "clean.json", "a.json", "--for", "plan")
    assert (told.exit_code, told.stderr.count("callproof: "), "a.b was not judged" in told.stderr) == (2, 1, True)
    assert "gone" not in told.stdout


def test_a_file_with_a_long_number_is_mended_where_it_was_judged(folder: Path) -> None:
    """The number stays as it was."""
    broken = json.dumps({**OPEN, "name": "text.grow", "inputSchema": {"minimum": 42}})
    (folder / "a.json").write_text(f"[{json.dumps(OPEN)}, {broken.replace('42', LONG)}]")
    assert ran("lint", "a.json", "--fix").exit_code == 2
    after = (folder / "a.json").read_text()
    assert after == f"[{json.dumps(CLEAN)}, {broken.replace('42', LONG)}]"


@pytest.mark.parametrize("member", ["openapi", "swagger"])
def test_a_description_of_an_interface_is_called_one(folder: Path, member: str) -> None:
    """A user who makes tools from such a description may expect lint to find them in it."""
    (folder / "pets.yaml").write_text(f"{member}: 3.1.0\npaths: {{}}\n")
    told = ran("lint", "pets.yaml")
    assert told.exit_code == 2
    assert "no tool was found in pets.yaml; expected" in told.stderr
    assert "pets.yaml is an OpenAPI description: lint the tools made of it" in told.stderr
    assert "OpenAPI" not in ran("lint", "pets.yaml", "clean.json").stderr


def test_a_file_of_another_form_is_told_which_are_read(folder: Path) -> None:
    """The message says by which ending of a name lint reads a file in another form than JSON."""
    (folder / "tools.toml").write_text('[[tools]]\nname = "a"\n')
    told = ran("lint", "tools.toml")
    assert told.exit_code == 2
    assert "tools.toml: not JSON: " in told.stderr
    assert "a file is read as JSON unless its name ends in .yaml or .yml" in told.stderr


def test_a_folder_in_which_nothing_was_found_is_named(folder: Path) -> None:
    """The message says which folder holds no tool."""
    (folder / "tools").mkdir()
    assert "no tool was found in tools; expected" in ran("lint", "tools").stderr


def test_a_folder_that_cannot_be_opened_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This also holds if another source has tools, because the folder's content was not checked."""
    (folder / "tools").mkdir()

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", refuse)
    told = ran("lint", "clean.json", "tools")
    assert (told.exit_code, told.stderr) == (2, "callproof: tools: cannot be read: Permission denied\n")


def test_standard_input_is_a_source() -> None:
    """It may be JSON or YAML."""
    assert ran("lint", "-", stdin=[CLEAN]).exit_code == 0
    told = CliRunner().invoke(cli, ["lint", "-"], input="name: a\ninputSchema: {}\n")
    assert "-:1:7: error" in told.stdout


def test_nothing_from_outside_acts_on_a_terminal() -> None:
    """A name is shown with its control characters as escapes."""
    told = ran("lint", "hostile.json")
    assert "x\\x1b[31m\\u202ey" in told.stdout
    assert "\x1b" not in told.output


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user can turn them off on a terminal too."""
    assert "\x1b[31m" in CliRunner().invoke(cli, ["lint", "open.json"], color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(cli, ["lint", "open.json"], color=True).stdout


@pytest.mark.parametrize(
    ("options", "exit_code"),
    [
        (["--ignore", "IN002"], 0),
        (["--ignore", "IN"], 0),
        (["--select", "TD"], 0),
        (["--select", "in002"], 1),
        (["--fail-on", "never"], 0),
        (["--profile", "openai", "--ignore", "PORT"], 0),
    ],
)
def test_rules_are_chosen_by_id_and_by_group(options: list[str], exit_code: int) -> None:
    """The names match in either letter case."""
    assert ran("lint", "open.json", *options).exit_code == exit_code


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--select", "IN02"], "--select: no rule or group is called 'IN02'; did you mean IN002?"),
        (["--profile", "opnai"], "openai"),
        (["--report", "a.sarf"], "--report 'a.sarf': permitted"),
        (["--config", "none.toml"], "none.toml cannot be read: No such file or directory"),
        (["--config", "x" * 300], "cannot be read: File name too long"),
        (["--config", "opnai.toml"], "opnai.toml: profiles: no profile is called 'opnai'; did you mean 'openai'?"),
        (["--config", "bytes.toml"], "bytes.toml is not TOML: it is not UTF-8 at byte 1"),
        (["--report", "none/a.json"], "none/a.json is not a file in an existing folder"),
        (["--report", f"{'x' * 300}.json"], "cannot be written: File name too long"),
    ],
)
def test_a_wrong_word_gets_the_permitted_ones(options: list[str], says: str) -> None:
    """The exit code is 2, because nothing was checked."""
    Path("bytes.toml").write_bytes(b"#\xff")
    Path("opnai.toml").write_text('[lint]\nprofiles = ["opnai"]', encoding="utf-8")
    told = ran("lint", "open.json", *options)
    assert told.exit_code == 2
    assert says in told.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--header", "A: b"], "--header is for --url, and none is given"),
        (["--python", "python3"], "--python is for --module, and none is given"),
        (["--timeout", "5"], "--timeout is for --stdio or --url or --module, and none is given"),
        (["--diff", "--report", "a.json"], "--diff prints one thing and nothing else; drop it or --report"),
        (["--diff", "--format", "json"], "drop it or --format"),
        (["--diff", "--statistics"], "--diff prints one thing and nothing else; drop it or --statistics"),
        (["--statistics", "--format", "json"], "--statistics prints one thing and nothing else; drop it or --format"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(options: list[str], says: str) -> None:
    """Otherwise a user would wait for a report that is never written."""
    told = ran("lint", "open.json", *options)
    assert (told.exit_code, told.stdout) == (2, "")
    assert says in told.stderr
    assert ran("lint", "open.json", "--statistics", "--report", "a.json").exit_code == 1


@pytest.mark.parametrize("chosen", [["--select", "TD", "--ignore", "TD"], ["--ignore", "ALL"], ["--config", "c.toml"]])
def test_a_choice_that_leaves_no_rule_is_refused(folder: Path, chosen: list[str]) -> None:
    """If no rule ran, the absence of findings is not a success."""
    (folder / "c.toml").write_text('[lint]\nselect = ["TD"]\nignore = ["TD"]\n')
    told = ran("lint", "open.json", *chosen)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "no rule is left of " in told.stderr


_PROFILE = "choose a provider or a protocol, as in --profile openai"


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        (["--select", "PORT"], f"for PORT {_PROFILE}"),
        (["--select", "PORT001,PORT003"], f"for PORT001, PORT003 {_PROFILE}"),
        (["--select", "BRK"], "for BRK use `callproof breaking`"),
        (["--select", "PRE"], "for PRE give a plan with --plan"),
        (["--select", "REF005,IN009"], "for IN009, REF005 give a plan with --plan"),
        (["--select", "SUP"], "for SUP write suppressions into the settings"),
        (["--select", "BRK,PORT", "--diff"], f"for BRK use `callproof breaking`; for PORT {_PROFILE}"),
        (["--config", "c.toml"], f"for PORT {_PROFILE}"),
        (["--plan", "plan.json", "--select", "TD"], "for TD give a file with tools"),
    ],
)
def test_a_choice_of_rules_that_can_find_nothing_is_refused(folder: Path, chosen: list[str], says: str) -> None:
    """A run in which nothing was judged is no success; the message says what the rules need."""
    (folder / "c.toml").write_text('[lint]\nselect = ["PORT"]\n')
    (folder / "plan.json").write_text(json.dumps({"steps": [{"id": "a", "tool": "b", "args": {}}]}))
    told = ran("lint", *(() if "--plan" in chosen else ("open.json",)), *chosen)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr == f"callproof: none of the chosen rules can find anything here: {says}\n"


@pytest.mark.parametrize(
    "chosen",
    [
        ["--select", "PORT,SCH"],
        ["--select", "PORT", "--profile", "gemini"],
        ["--select", "PORT", "--profile", "seed", "--profile", "all-providers"],
        ["--select", "REF"],
        ["--select", "REF005,IN009", "--plan", "plan.json"],
        ["--select", "PRE", "held.json"],
        ["--select", "SCH020", "--plan", "plan.json"],
        ["--extend-select", "PORT"],
        ["--config", "c.toml"],
    ],
)
def test_a_choice_with_one_rule_that_can_find_something_is_none_of_these(folder: Path, chosen: list[str]) -> None:
    """A project may choose groups of which some need more than this run gives them."""
    (folder / "c.toml").write_text('[lint]\nselect = ["PORT", "SCH"]\n')
    plan = {"steps": [{"id": "a", "tool": CLEAN["name"], "args": {"text": "x"}, "preview": "Count the words of x."}]}
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "held.json").write_text(json.dumps({"tools": [CLEAN], "plan": plan}))
    told = ran("lint", "clean.json", *chosen)
    assert told.exit_code in (0, 1)
    assert "none of the chosen rules" not in told.stderr


@pytest.mark.parametrize("given", [("open.json",), (".",), ("./open.json",)])
def test_a_report_is_not_written_over_what_it_is_about(folder: Path, given: tuple[str, ...]) -> None:
    """The definitions would be lost; a report may replace a file that is not judged."""
    before = (folder / "open.json").read_bytes()
    told = ran("lint", *given, "--report", "open.json")
    assert (told.exit_code, told.stdout, (folder / "open.json").read_bytes()) == (2, "", before)
    assert "--report open.json is one of the judged files; give it another path" in told.stderr
    assert ran("lint", "open.json", "--report", "clean.json").exit_code == 1


def test_warnings_fail_only_where_somebody_says_so() -> None:
    """Findings of a heavier level than the chosen one fail as well."""
    advised = json.loads(json.dumps(CLEAN))
    advised["inputSchema"]["properties"]["range"] = {
        "type": "object",
        "description": "The part to count in.",
        "properties": {"start": {"type": "integer", "description": "The first character."}},
    }
    assert ran("lint", "-", stdin=advised).exit_code == 0
    assert ran("lint", "-", "--fail-on", "warning", stdin=advised).exit_code == 1
    assert ran("lint", "-", "--fail-on", "note", stdin=advised).exit_code == 1


def test_a_file_of_settings_is_read(folder: Path) -> None:
    """It is the one of the working folder, or the one that an option names."""
    (folder / "callproof.toml").write_text('[lint]\nignore = ["IN002"]\n')
    assert ran("lint", "open.json").exit_code == 0
    (folder / "other.toml").write_text('[lint.levels]\nIN002 = "note"\n')
    told = ran("lint", "open.json", "--config", "other.toml")
    assert (told.exit_code, "note IN002" in told.stdout) == (0, True)


def test_an_override_holds_where_it_says(folder: Path) -> None:
    """An override applies to the tools that it names."""
    (folder / "callproof.toml").write_text('[[lint.overrides]]\ntools = ["text.*"]\nlevels = { IN002 = "warning" }\n')
    assert ran("lint", "open.json").exit_code == 0
    assert ran("lint", "hostile.json").exit_code == 1
    (folder / "callproof.toml").write_text('[[lint.overrides]]\ntools = ["text.*"]\nignore = ["IN"]\n')
    assert ran("lint", "open.json").exit_code == 0


def test_fixes_are_made_in_the_file(folder: Path) -> None:
    """The fix changes one word, and then the file is clean."""
    before = (folder / "open.json").read_text()
    told = ran("lint", "open.json", "--fix")
    assert told.exit_code == 0
    assert told.stderr == "callproof: 1 fix in 1 file\n"
    after = (folder / "open.json").read_text()
    assert after == before.replace('"additionalProperties": true', '"additionalProperties": false', 1)


def test_a_fixed_file_keeps_its_mode_and_a_link_leads_on(folder: Path) -> None:
    """The file is replaced as a whole, and nothing else is left beside it."""
    file = folder / "open.json"
    file.chmod(0o640)
    (folder / "link.json").symlink_to(file)
    names = {each.name for each in folder.iterdir()}
    assert ran("lint", "link.json", "--fix").exit_code == 0
    assert (folder / "link.json").is_symlink()
    assert (file.stat().st_mode & 0o777, json.loads(file.read_text())["inputSchema"]) == (0o640, CLEAN["inputSchema"])
    assert {each.name for each in folder.iterdir()} == names


def test_a_file_that_cannot_be_replaced_stays_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is reported, and no draft is left."""
    names, text = {each.name for each in folder.iterdir()}, (folder / "open.json").read_text()

    def refuse(*_: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    told = ran("lint", "open.json", "--fix")
    assert told.exit_code == 2
    assert told.stderr == "callproof: open.json cannot be written: Permission denied\n"
    assert (folder / "open.json").read_text() == text
    assert {each.name for each in folder.iterdir()} == names


def test_a_file_with_the_longest_name_is_mended(folder: Path) -> None:
    """The draft beside it must not need a longer name."""
    name = f"{'n' * 250}.json"
    (folder / "open.json").rename(folder / name)
    assert ran("lint", name, "--fix").exit_code == 0


def test_a_difference_changes_nothing(folder: Path) -> None:
    """The command shows it and ends with 1 if there is one."""
    before = (folder / "open.json").read_text()
    told = ran("lint", "open.json", "--diff")
    assert told.exit_code == 1
    assert '+    "additionalProperties": false,' in told.stdout.splitlines()
    assert (folder / "open.json").read_text() == before
    assert ran("lint", "clean.json", "--diff").exit_code == 0
    assert ran("lint", "none.json", "--diff").exit_code == 2


def test_a_difference_tells_of_unsafe_fixes_that_it_leaves_out(folder: Path) -> None:
    """If only unsafe fixes are left, nothing is printed, which would look as if nothing could be fixed."""
    mistyped = json.loads(json.dumps(CLEAN))
    mistyped["inputSchema"]["properties"]["text"]["maxLenght"] = 5
    (folder / "mistyped.json").write_text(json.dumps(mistyped, indent=2))
    told = ran("lint", "mistyped.json", "--diff")
    assert (told.exit_code, told.stdout) == (0, "")
    assert told.stderr == "callproof: 1 fix is unsafe, and not shown; add --unsafe-fixes to see what would change\n"
    shown = ran("lint", "mistyped.json", "--diff", "--unsafe-fixes")
    assert (shown.exit_code, shown.stderr) == (1, "")
    assert '+        "maxLength": 5' in shown.stdout.splitlines()
    assert ran("lint", "clean.json", "open.json", "--diff").stderr == ""


def test_yaml_is_not_edited_and_that_is_said(folder: Path) -> None:
    """Otherwise a user would wonder why nothing changed."""
    (folder / "a.yaml").write_text(
        "name: text.countWords\ninputSchema: {type: object, additionalProperties: true, properties: {text: {}}}\n"
    )
    for option in ("--diff", "--fix"):
        told = ran("lint", "a.yaml", "open.json", option)
        assert "callproof: a.yaml: YAML is not edited; 2 fixes are left to make by hand: " in told.stderr
        assert (told.exit_code, "open.json: " in told.stderr) == (1, False)
    assert told.stdout.count("= fix: ") == 2


def test_what_is_no_file_is_not_edited_either() -> None:
    """Standard input has its own message; if there is nothing to fix, there is no message."""
    told = ran("lint", "-", "--fix", stdin=OPEN)
    assert "-: it is not a file, and is not edited; 1 fix is left to make by hand" in told.stderr
    assert ran("lint", "-", "--fix", stdin=CLEAN).stderr == ""


def test_statistics_count_by_rule() -> None:
    """The command prints nothing else."""
    told = ran("lint", "open.json", "--statistics")
    assert told.stdout == "1\tIN002\tMUST\tdecided\tThe input is closed\n1 tool: 1 error\n"


def test_several_reports_of_one_run(folder: Path) -> None:
    """Each has the form of its suffix, beside what is printed."""
    told = ran("lint", "open.json", "--report", "a.sarif", "--report", "gitlab=b.json", "--format", "jsonl")
    assert told.exit_code == 1
    assert json.loads((folder / "a.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((folder / "b.json").read_text())[0]["check_name"] == "IN002"
    assert [json.loads(each)["kind"] for each in told.stdout.splitlines()] == ["finding", "run"]


def test_the_rules_are_listed() -> None:
    """The list is a table or JSON; each rule has the words of its page."""
    listed = json.loads(ran("rules", "--format", "json").stdout)["rules"]
    assert [each["id"] for each in listed] == [*pages()]
    table = ran("rules").stdout.splitlines()
    assert any(line.startswith("TD003\terror\tdecided\ton\tunsafe\t") for line in table)
    assert table[-1].startswith(f"{len(listed)} rules, ")


def test_the_rules_stand_in_columns_on_a_terminal() -> None:
    """Tabs are for scripts; people read columns."""
    shown = io.StringIO()
    rules.write(Console(file=shown, force_terminal=True, color_system=None, width=100))
    heading, *rows = shown.getvalue().splitlines()
    (place,) = (match.start() for match in re.finditer("title", heading))
    assert "\t" not in shown.getvalue()
    assert {row[place - 1] for row in rows if row.startswith("PRE")} == {" "}
    assert all(pages()[row.split()[0]].title.startswith(row[place:].strip()) for row in rows if row.startswith("PRE0"))


@pytest.mark.parametrize("name", ["IN002", "in002"])
def test_a_rule_is_explained(name: str) -> None:
    """The explanation is the page of the rule."""
    assert ran("explain", name).stdout == pages()["IN002"].text


@pytest.mark.parametrize(("name", "says"), [("IN2", "IN002"), ("IN999", "IN00"), ("PORT", "PORT001")])
def test_a_wrong_rule_gets_the_nearest(name: str, says: str) -> None:
    """The name of a group gets its members."""
    told = ran("explain", name)
    assert told.exit_code == 2
    assert says in told.stderr
