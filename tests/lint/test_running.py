"""Rules run over catalogues: order, overrides, rules that break, sources that are not files, and limits."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.commands.lint import lint, linter
from callproof.lint import running
from callproof.lint.configuring import Configured
from callproof.lint.definition import Catalogue, Definition
from callproof.lint.document import NotReadable, document_of, read_document
from callproof.lint.forms.report import report
from callproof.lint.forms.text import finding_lines
from callproof.lint.forms.writing import rendered
from callproof.lint.page import Severity
from callproof.lint.rule import Fault, Rule, all_rules, definitions, rule
from callproof.lint.settings import Override, Settings, Where
from callproof.lint.sources.files import Gathered, from_files, gathered
from suppressions import TODAY
from tool_catalogues import closed, reading

TOOL = reading("text.countWords", {"type": "object", "required": []}, closed({}))


def breaking(_tool: Definition) -> Iterator[Fault]:
    """A law that finds one thing and then fails."""
    yield Fault((), "one", "none", unknown="patience")
    raise ZeroDivisionError("of no use")


def homeless(_held: Catalogue) -> Iterator[Fault]:
    """A law about the whole catalogue that does not say what its fault is on."""
    yield Fault((), "one", "none")


def only(monkeypatch: pytest.MonkeyPatch, law: Any, each: Any) -> None:
    """Make this the only rule, under an id that has a page."""
    monkeypatch.setattr(running, "all_rules", lambda: (Rule("TD003", "A law.", each, law),))


def judged(start: Gathered, settings: Settings | None = None) -> running.Linted:
    """What the linter says about what a source gave."""
    return lint(start, linter(Configured(settings or Settings(select=("TD", "IN"))), TODAY))


def live(*tools: Any) -> Gathered:
    """Tools as a server would give them."""
    return gathered([document_of("stdio:server", {"tools": list(tools)})])


def test_a_rule_that_breaks_is_told_and_nothing_is_called_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rule found before it broke is kept."""
    only(monkeypatch, breaking, definitions)
    linted = judged(live(TOOL))
    assert linted.exit_code == 2
    assert linted.problems == ("TD003 itself failed on text.countWords: ZeroDivisionError: of no use",)
    (finding,) = linted.outcome.findings
    assert any("unknown: not decided (limit: patience)" in each for each in finding_lines(finding))
    assert report(linted)["findings"][0]["unknown"] == "patience"
    assert "patience" in rendered(report(linted), "markdown")


def test_a_rule_that_names_no_place_is_a_rule_that_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding without a place would help no user."""
    only(monkeypatch, homeless, lambda held: [held])
    assert "names nothing that its fault is on" in judged(live(TOOL)).problems[0]


def test_two_rules_never_share_an_id() -> None:
    """A second rule with an id that is taken is refused."""
    assert len({each.id for each in all_rules()}) == len(all_rules())
    with pytest.raises(ValueError, match="TD003 is taken by"):
        rule("TD003", each=definitions)(breaking)


def test_findings_come_in_the_order_of_the_documents() -> None:
    """Within a document they come in the order of its text."""
    first, second = document_of("b", [TOOL, TOOL]), document_of("a", [TOOL])
    found = judged(gathered([first, second])).outcome.findings
    assert [each.document.name for each in found] == sorted((each.document.name for each in found), reverse=True)
    starts = [each.document.span(each.pointer).start for each in found if each.document is first]
    assert starts == sorted(starts)


def test_what_is_no_file_has_a_name_and_no_region() -> None:
    """This holds in SARIF and in the annotations of a workflow."""
    told = report(judged(live(TOOL)))
    (one,) = json.loads(rendered(told, "sarif"))["runs"]
    assert all("physicalLocation" not in place for each in one["results"] for place in each["locations"])
    assert "file=" not in rendered(told, "github")


def test_an_override_selects_and_weighs_where_it_holds() -> None:
    """A pointer into the document says where it holds; of several overrides the last one counts."""
    here, there = Where(pointers=("/tools/0*",)), Where(tools=("text.*",))
    settings = Settings(
        select=("IN002",),
        overrides=(
            Override(there, select=("IN001",), levels={"IN": Severity.NOTE}),
            Override(here, ignore=("IN002",)),
        ),
    )
    other = {**TOOL, "inputSchema": {"properties": {}, "required": []}}
    found = judged(live(TOOL, other), settings).outcome.findings
    assert [(each.rule, each.severity.value, each.pointer[1]) for each in found] == [
        ("IN001", "note", 1),
        ("IN002", "note", 1),
    ]


def test_many_findings_of_a_tool_are_cut_in_junit_and_in_markdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON report has the whole list."""

    def talking(tool: Definition) -> Iterator[Fault]:
        yield from (Fault((), f"fault {each} of {tool.name}", "none") for each in range(60))

    only(monkeypatch, talking, definitions)
    told = report(judged(live(TOOL)))
    assert len(told["findings"]) == 60
    assert "and 40 more" in rendered(told, "junit")
    assert "and 10 more" in rendered(told, "markdown")
    assert "10 more in the JSON report" in rendered(told, "github")


def test_limits_of_sources_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is over a limit is not judged, and a problem says so."""
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.json").write_text(json.dumps([TOOL]))
    (tmp_path / "one" / "two" / "three").mkdir(parents=True)
    monkeypatch.setattr(limits, "LINT_FOLDERS", 2)
    assert any("two: lies below 2 folders (limit: folders)" in each for each in from_files([str(tmp_path)]).problems)
    monkeypatch.setattr(limits, "LINT_FILES", 2)
    read = from_files([str(tmp_path)])
    assert (len(read.found), "limit: files" in read.problems[0]) == (2, True)
    monkeypatch.setattr(limits, "LINT_TOOLS", 1)
    assert "limit: tools" in from_files([str(tmp_path / "a.json"), str(tmp_path / "b.json")]).problems[0]
    monkeypatch.setattr(limits, "LINT_DOCUMENT_BYTES", 5)
    assert "is larger than" in from_files([str(tmp_path / "a.json")]).problems[0]
    monkeypatch.setattr(limits, "LINT_YAML_BYTES", 1)
    with pytest.raises(NotReadable, match="is YAML of more than"):
        read_document("a.yaml", b"a: 1", "yaml")
    with pytest.raises(NotReadable, match="is not UTF-8"):
        read_document("a.yaml", b"\xff", "yaml")


def test_an_empty_yaml_document_holds_nothing() -> None:
    """It still has a place."""
    document = read_document("a.yaml", b"", "yaml")
    assert document.value is None
    assert document.place(())[:2] == (1, 1)


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it was named or found in a folder."""
    closed_to_us, opened = tmp_path / "a.json", os.open

    def refusing(path: Any, *rest: Any) -> int:
        if path == closed_to_us:
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest)

    closed_to_us.write_text("[]")
    monkeypatch.setattr(os, "open", refusing)
    for path in (tmp_path, closed_to_us):
        assert from_files([str(path)]).problems == (f"{closed_to_us}: cannot be read: Permission denied",)
