"""Reports of the linter in every form: valid, with places, and safe whatever a definition contains."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from callproof.commands.lint import lint, linter
from callproof.lint.configuring import Configured
from callproof.lint.document import document_of
from callproof.lint.forms.report import report
from callproof.lint.forms.sarif import rendered as sarif
from callproof.lint.forms.text import alike, finding_lines
from callproof.lint.forms.words import closing, statistics
from callproof.lint.forms.writing import BadTarget, read_target, rendered, write
from callproof.lint.running import Linted
from callproof.lint.settings import Settings
from callproof.lint.sources.files import from_files, gathered
from jsonschema import Draft7Validator
from markdown_it import MarkdownIt
from suppressions import LATER, TODAY, suppressing

FORMS = ("json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")
SARIF = Path(__file__).parents[2] / "report" / "sarif" / "sarif-schema-2.1.0.json"
HOSTILE = "x\x1b[31m\u202e]]>\r\n::error::<b>[a](http://x)|`\ud800 %0A{0}"
TOOL: dict[str, Any] = {
    "name": "text.countWords",
    "inputSchema": {"type": "object", "properties": {}},
    "riskLevel": "dangerous",
}


def linted(folder: Path, *tools: Any, settings: Settings | None = None, name: str = "tools.json") -> Linted:
    """What the linter says about a file with these tools."""
    file = folder / name
    file.write_text(json.dumps({"tools": tools}, indent=2))
    return lint(from_files([str(file)]), linter(Configured(settings or Settings(select=("TD", "IN"))), TODAY))


def hostile(folder: Path) -> Linted:
    """A run over names and values that try to break out of the report."""
    tool = {**TOOL, "name": HOSTILE.replace("\ud800", ""), "riskLevel": HOSTILE.replace("\ud800", "")}
    return linted(folder, tool, tool, 7, name="a b#1.json")


def nothing(folder: Path) -> Linted:
    """A run over a file without tools."""
    return linted(folder)


def let_pass(folder: Path) -> Linted:
    """A run in which the user lets one finding pass."""
    return linted(folder, TOOL, settings=Settings(select=("TD",), suppressions=(suppressing("TD004", LATER),)))


def plain(folder: Path) -> Linted:
    """A run with findings."""
    return linted(folder, TOOL)


RUNS = (plain, hostile, nothing, let_pass)


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("form", FORMS)
def test_no_form_lets_anything_through_that_acts(tmp_path: Path, form: str, run: Any) -> None:
    """No control character and no bidi mark comes through, whatever a name contains."""
    text = rendered(report(run(tmp_path)), form)
    assert text.endswith("\n")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)


@pytest.mark.parametrize("run", RUNS)
def test_sarif_is_valid_against_the_published_schema(tmp_path: Path, run: Any) -> None:
    """Each finding has its region, relative to the folder in which the linter runs."""
    told = json.loads(sarif(report(run(tmp_path)), tmp_path))
    assert [*Draft7Validator(json.loads(SARIF.read_text(encoding="utf-8"))).iter_errors(told)] == []
    (one,) = told["runs"]
    for each in one["results"]:
        assert one["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
        place = each["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] in {"tools.json", "a%20b%231.json"}
        assert place["region"]["startLine"] >= 1
        assert each["locations"][0]["logicalLocations"]


def test_the_region_of_a_finding_is_the_value_that_is_wrong(tmp_path: Path) -> None:
    """Lines and columns; the end is exclusive."""
    run = plain(tmp_path)
    told = report(run)
    (level,) = (each for each in told["findings"] if each["rule"] == "TD004")
    lines = (tmp_path / "tools.json").read_text().split("\n")
    spot = lines[level["line"] - 1][level["column"] - 1 : level["endColumn"] - 1]
    assert spot == '"dangerous"'
    assert level["pointer"] == "/tools/0/riskLevel"


def test_json_lines_hold_a_finding_each_and_the_run_last(tmp_path: Path) -> None:
    """A program can then read the findings as they come."""
    lines = [json.loads(each) for each in rendered(report(plain(tmp_path)), "jsonl").splitlines()]
    assert [each["kind"] for each in lines] == ["finding"] * (len(lines) - 1) + ["run"]
    assert lines[-1]["record"]["exitCode"] == 1


def test_annotations_stand_at_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is a command, and the outcome comes last."""
    monkeypatch.chdir(tmp_path)
    lines = rendered(report(hostile(tmp_path)), "github").splitlines()
    assert all(re.match(r"::(?:error|warning|notice) ", each) for each in lines)
    assert any("file=a b#1.json,line=" in each and "col=" in each for each in lines)


def test_gitlab_tells_each_issue_by_a_fingerprint_of_its_own(tmp_path: Path) -> None:
    """A thing that could not be checked is an issue, too."""
    issues = json.loads(rendered(report(hostile(tmp_path)), "gitlab"))
    assert len({each["fingerprint"] for each in issues}) == len(issues)
    assert {each["severity"] for each in issues} <= {"major", "minor", "info"}
    (problem,) = json.loads(rendered(report(nothing(tmp_path)), "gitlab"))
    assert problem["severity"] == "critical"


@pytest.mark.parametrize("run", RUNS)
def test_junit_fails_exactly_where_the_run_does(tmp_path: Path, run: Any) -> None:
    """It has a case for each tool, and one for each thing that could not be checked."""
    told = report(run(tmp_path))
    suites = ElementTree.fromstring(rendered(told, "junit"))
    broken = int(suites.get("failures", "")) + int(suites.get("errors", ""))
    assert bool(broken) == bool(told["exitCode"])
    assert int(suites.get("tests", "")) >= 1


def test_markdown_has_a_table_of_rules_and_the_findings(tmp_path: Path) -> None:
    """Nothing in it is a link."""
    text = rendered(report(hostile(tmp_path)), "markdown")
    assert "| TD004 | 2 |" in text
    assert "](http" not in text.replace("\\]", "")


def test_markdown_names_the_tool_of_a_finding_as_it_is_called(tmp_path: Path) -> None:
    """Markdown is not read inside an HTML element, so a backslash there would be shown."""
    shown = MarkdownIt("commonmark").render(
        rendered(report(linted(tmp_path, {**TOOL, "name": "read_file*"})), "markdown")
    )
    heading = html.unescape(shown.partition("<summary>")[2].partition("</summary>")[0])
    assert " read_file* · " in heading
    assert heading.endswith("tools.json:4:15")


@pytest.mark.parametrize("form", sorted({*FORMS} - {"json", "jsonl"}))
def test_a_form_tells_the_tool_what_is_permitted_and_the_next_step(tmp_path: Path, form: str) -> None:
    """Whoever reads only this form knows what to do."""
    run = linted(tmp_path, {**TOOL, "riskLevel": "write"}, settings=Settings(select=("TD004", "IN002")))
    text = rendered(report(run), form).replace("\\", "")  # which Markdown puts before signs
    assert "text.countWords" in text
    assert "one of read-only, writes, commands" in text
    assert "help: did you mean writes?" in text
    assert re.search(r"fix: close the input .{0,2}(--fix|safe)", text)


def test_a_long_message_of_sarif_keeps_its_next_step(tmp_path: Path) -> None:
    """What several providers say of one name is long; what stands last would be cut off first."""
    named = {**TOOL, "name": f"notes.{'b' * 130} c"}
    told = report(linted(tmp_path, named, settings=Settings(select=("PORT001",), profiles=("all-providers",))))
    (result,) = json.loads(sarif(told, tmp_path))["runs"][0]["results"]
    assert len(result["message"]["text"]) > 800
    assert result["message"]["text"].endswith(told["findings"][0]["help"][-60:])


def test_an_annotation_without_a_file_says_in_words_where_it_is() -> None:
    """What a server answers is in no file, so no line is annotated."""
    document = document_of("http://localhost/mcp", {"tools": [TOOL]})
    run = lint(gathered([document]), linter(Configured(Settings(select=("TD004",))), TODAY))
    first, *_ = rendered(report(run), "github").splitlines()
    where, _, _ = first.partition("text.countWords: ")
    assert where.endswith("::http://localhost/mcp: /tools/0/riskLevel: ")


def test_statistics_count_by_rule(tmp_path: Path) -> None:
    """The most frequent rule comes first, and a sentence ends the table."""
    rows = statistics(report(plain(tmp_path))).splitlines()
    numbers = [int(each.split("\t")[0]) for each in rows[:-1]]
    assert numbers == sorted(numbers, reverse=True)
    assert rows[-1].startswith("1 tool: ")


def test_what_is_let_pass_is_told(tmp_path: Path) -> None:
    """It is in the closing sentence, in the report with its reason, and in SARIF as a suppression."""
    told = report(let_pass(tmp_path))
    assert "1 more finding suppressed" in closing(told)
    assert told["suppressed"][0]["reason"] == "Later."
    results = json.loads(sarif(told, tmp_path))["runs"][0]["results"]
    assert sum("suppressions" in each for each in results) == 1


def test_the_text_underlines_the_spot(tmp_path: Path) -> None:
    """The place comes first, in the form that editors and terminals recognise."""
    run = plain(tmp_path)
    (level,) = (each for each in run.outcome.findings if each.rule == "TD004")
    first, line, marks, *_ = finding_lines(level)
    assert first.startswith(f"{tmp_path / 'tools.json'}:{level.place.line}:{level.place.column}: error TD004")
    assert line[marks.index("^") : marks.rindex("^") + 1] == '"dangerous"'


def test_the_text_tells_what_is_the_same_about_a_tool_once(tmp_path: Path) -> None:
    """The other places are listed, the first twenty of them; another tool has a finding of its own."""
    many = {"properties": {f"p{each}": {"type": "string", "default": None} for each in range(23)}}
    one = {"properties": {"p": {"type": "string", "default": None}}}
    tools = [{**TOOL, "inputSchema": many}, {**TOOL, "name": "text.other", "inputSchema": one}]
    run = linted(tmp_path, *tools, settings=Settings(select=("SCH008n",)))
    (first, others), (second, none) = alike(run.outcome.findings)
    assert (len(others), none) == (22, [])
    *_, last = finding_lines(first, others=others)
    places = [f"{each.place.line}:{each.place.column}" for each in others]
    assert last == f"   = the same at {', '.join(places[:20])} and 2 more; --format json lists them"
    assert not any("the same at" in each for each in finding_lines(second, others=none))


def test_findings_come_in_the_order_of_their_places(tmp_path: Path) -> None:
    """A finding about a whole definition is at its name, which may come after its other members."""
    tool = {"inputSchema": {"type": "object", "required": []}, **TOOL}
    del tool["riskLevel"]
    moved = {**{name: each for name, each in tool.items() if name != "name"}, "name": "text.countWords"}
    found = linted(tmp_path, moved).outcome.findings
    places = [(each.place.line, each.place.column) for each in found]
    assert places == sorted(places)
    assert [each.rule for each in found][-1] == "TD006"


@pytest.mark.parametrize("length", [10, 90, 95, 5_000])
def test_a_long_line_is_shown_around_the_spot(tmp_path: Path, length: int) -> None:
    """Captured definitions often consist of one long line."""
    file = tmp_path / "one.json"
    file.write_text(json.dumps([{"description": "\x07é" * length, **TOOL, "after": "y" * length}], ensure_ascii=False))
    run = lint(from_files([str(file)]), linter(Configured(Settings(select=("TD004",))), TODAY))
    (found,) = run.outcome.findings
    _, line, marks, *_ = finding_lines(found)
    assert line[marks.index("^") : marks.rindex("^") + 1] == '"dangerous"'
    assert len(line) < 250


@pytest.mark.parametrize(
    ("text", "form"),
    [("a.sarif", "sarif"), ("a.json", "json"), ("a.xml", "junit"), ("gitlab=a.json", "gitlab"), ("x=y.md", "markdown")],
)
def test_a_report_is_written_in_the_form_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, form: str
) -> None:
    """The suffix decides the form, or the word before the path."""
    monkeypatch.chdir(tmp_path)
    target = read_target(text)
    assert target.form == form
    told = report(plain(tmp_path))
    write(told, target)
    assert target.path.read_text(encoding="utf-8") == rendered(told, form)


@pytest.mark.parametrize("text", ["a.txt", "gitlb=a", "a", "none/a.json", "json=", "."])
def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """It is refused before anything is read."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadTarget, match="--report"):
        read_target(text)


def test_a_mistyped_form_gets_the_nearest_one() -> None:
    """This is so for every name."""
    with pytest.raises(BadTarget, match="did you mean gitlab=a"):
        read_target("gitlb=a")
