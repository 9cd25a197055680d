"""ERR: the codes that a definition declares, and failures that its output reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from callproof.checks import code_names
from callproof.resources import SPEC
from callproof.schema.validator import permitted, shape_schema
from callproof.trace.registry import RISKS
from tool_catalogues import Tool, canonical, catalogue, closed, faults, ids, reading, writing

CHAPTER = Path(str(SPEC), "error-codes.md")
TEXT = {"type": "string"}
BASELINE = shape_schema("tools/error-code")["anyOf"][0]["enum"]


def declaring(*codes: Any, takes: Tool | None = None, **more: Any) -> Tool:
    """A tool that declares these errors."""
    return reading("notes.look", closed(takes or {}), closed({}), errors=list(codes), **more)


@pytest.mark.parametrize("code", [*BASELINE, "vault.QUOTA_EXCEEDED", "acme:E42"])
@pytest.mark.parametrize("as_object", [False, True])
def test_a_baseline_code_and_an_extension_are_known(code: str, as_object: bool) -> None:
    """A code may stand alone, or with the situation in which the tool gives it."""
    assert ids(catalogue(declaring({"code": code, "when": "It is so."} if as_object else code)), "ERR001") == []


@pytest.mark.parametrize(
    ("code", "near"),
    [
        ("NOTFOUND", "NOT_FOUND"),
        ("not_found", "NOT_FOUND"),
        ("CANCELED", "CANCELLED"),
        ("QUOTA_EXCEEDED", ""),
        ("vault.quota", ""),
        ("vault.QUOTA_EXCEEDED in the vault", ""),
        (404, ""),
        ({"when": "It is so."}, ""),
        (None, ""),
    ],
)
def test_another_code_is_told_with_the_nearest(code: Any, near: str) -> None:
    """Without a namespace, a code of the author's own cannot be told from a slip (question 15)."""
    (fault,) = faults("ERR001", catalogue(declaring(code)))
    assert fault.help == f"did you mean {near}?" if near else "namespace" in fault.help
    assert (fault.fix is None) == (not near)
    assert fault.fix is None or not fault.fix.safe


def test_a_definition_without_a_list_declares_nothing() -> None:
    """The rules on errors report nothing about it."""
    tool = reading("notes.look", closed({"path": TEXT}), closed({}), errors=None)
    assert ids(catalogue(tool), "ERR") == []


@pytest.mark.parametrize("told", [{}, "NOT_FOUND", 7])
def test_what_is_declared_is_a_list(told: Any) -> None:
    """A code without a list is never read, so that is reported, and codes missing from the list are not."""
    tool = reading("notes.look", closed({"path": TEXT}), closed({}), errors=told)
    assert ids(catalogue(tool), "ERR") == ["ERR001"]
    assert [fault.at for fault in faults("ERR001", catalogue(tool))] == [("errors",)]


@pytest.mark.parametrize(
    ("tool", "missing"),
    [
        (declaring(takes={"path": TEXT}), {"POLICY_DENIED", "NOT_FOUND"}),
        (declaring("NOT_FOUND", {"code": "POLICY_DENIED"}, takes={"paths": TEXT}), set()),
        (declaring(takes={"expectedEtag": TEXT}), {"CONFLICT"}),
        (declaring(availability={"requires": ["selection"]}), {"PRECONDITION_FAILED"}),
        (declaring(availability={"requires": "selection"}), set()),
        (writing("notes.make", closed({"path": TEXT}), closed({}), "create-file", errors=[]), {"POLICY_DENIED"}),
        (declaring(takes={"prefix": TEXT}), set()),
        *((declaring(takes={name: TEXT}), {"POLICY_DENIED", "NOT_FOUND"}) for name in ("paths", "fromPath", "toPath")),
        (canonical("vault.listFiles", lambda tool: tool.update(errors=[])), {"POLICY_DENIED", "NOT_FOUND"}),
        (
            writing("notes.copy", closed({"fromPath": TEXT, "toPath": TEXT}), closed({}), "create-file", errors=[]),
            {"POLICY_DENIED", "NOT_FOUND"},
        ),
        *(
            (declaring(availability={"requires": [need]}), {"PRECONDITION_FAILED"})
            for need in ("activeEditor", "activeFile")
        ),
        (declaring(availability={"requires": ["network"]}), set()),
        (declaring(availability="selection"), set()),
        (declaring([], {"code": {}}, takes={"expectedEtag": TEXT}), {"CONFLICT"}),
    ],
)
def test_the_common_codes_are_expected_where_they_follow(tool: Tool, missing: set[str]) -> None:
    """For example, a tool that creates a file does not fail because the file is missing."""
    found = [fault.permitted.split()[0] for fault in faults("ERR002", catalogue(tool))]
    assert set(found) == missing


@pytest.mark.parametrize(
    "name", ["errorMessage", "error_message", "exception", "stackTrace", "errors", "failure", "errMsg", "traceback"]
)
def test_a_failure_in_the_output_is_told(name: str) -> None:
    """The member stands at the root, in any casing."""
    assert ids(catalogue(reading("notes.look", closed({}), closed({name: TEXT}))), "ERR003") == ["ERR003"]


def test_a_tool_without_an_output_tells_no_failure_there() -> None:
    """Another rule reports that the output is missing."""
    tool = reading("notes.look", closed({}), closed({}))
    del tool["outputSchema"]
    assert ids(catalogue(tool), "ERR") == []


def test_a_member_that_a_canon_has_tells_no_failure() -> None:
    """A user who keeps a canon of their own has decided what the member means."""
    own = reading("notes.look", closed({}), closed({"exception": TEXT}))
    assert ids(catalogue(own), "ERR003") == ["ERR003"]
    assert ids(catalogue(own, canons=[own]), "ERR003") == []


def test_an_unknown_code_is_told_where_it_stands() -> None:
    """A code stands alone in the list, or in an object beside its situation."""
    tool = declaring("NOT_FOUND", {"code": "LOST", "when": "It is so."}, "GONE")
    assert [fault.at for fault in faults("ERR001", catalogue(tool))] == [("errors", 1, "code"), ("errors", 2)]


@pytest.mark.parametrize(("when", "told"), [(3, True), (["It is so."], True), ("It is so.", False), (None, False)])
def test_the_situation_of_a_code_is_a_text(when: Any, told: bool) -> None:
    """ERR001: the shape demands a text; null states nothing."""
    tool = declaring("TIMEOUT", {"code": "NOT_FOUND", "when": when})
    assert [fault.at for fault in faults("ERR001", catalogue(tool))] == [("errors", 1, "when")] * told


def test_the_canonical_command_keeps_its_message() -> None:
    """A command that ran may have a message to give (question 4)."""
    assert ids(catalogue(canonical("commands.run")), "ERR003", "OUT005") == []


def test_the_codes_of_definitions_are_those_of_results() -> None:
    """Two chapters and the checks name the same baseline codes, and two chapters the same levels of risk."""
    table = CHAPTER.read_text(encoding="utf-8").partition("## The baseline codes")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE) == BASELINE
    assert set(BASELINE) == code_names.BASELINE
    assert permitted("tools/tool-definition", "riskLevel") == permitted("tool-call", "riskLevel") == RISKS
