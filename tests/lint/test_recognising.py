"""What is recognised as a definition or a plan, and in which form."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.sources.files import from_files, gathered

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
MCP = {"name": "a", "inputSchema": SCHEMA}


def definitions(value: Any) -> Any:
    """The definitions in a value."""
    read = gathered([document_of("a.json", value)])
    return Catalogue(read.documents, read.found, read.plans).definitions


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (MCP, "mcp"),
        ([MCP], "mcp"),
        ({"tools": [MCP]}, "mcp"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP], "nextCursor": "x"}}, "mcp"),
        ({"source": {"package": "x"}, "tools": [MCP]}, "mcp"),
        ({"type": "function", "function": {"name": "a", "parameters": SCHEMA}}, "openai"),
        ([{"type": "function", "name": "a", "parameters": SCHEMA, "strict": True}], "openai"),
        ([{"name": "a", "description": "b", "input_schema": SCHEMA}], "anthropic"),
        ([{"functionDeclarations": [{"name": "a", "parameters": SCHEMA}]}], "gemini"),
        ({"tools": [{"function_declarations": [{"name": "a", "parameters": SCHEMA}]}]}, "gemini"),
    ],
)
def test_a_definition_is_known_in_every_form(value: Any, form: str) -> None:
    """Its name, its schema and its place are found."""
    (tool,) = definitions(value)
    assert tool.found.form.name == form
    assert tool.name == "a"
    assert tool.input.value == SCHEMA
    assert tool.input.properties["a"].types == ("string",)
    spot = tool.document.span((*tool.pointer, *tool.input.pointer))
    assert json.loads(tool.document.text[spot.start : spot.end]) == SCHEMA


@pytest.mark.parametrize("value", [7, "tools", None, [], {}, [1, 2], {"a": 1}, {"result": 3}, [{"name": "only"}]])
def test_what_is_no_definition_is_none(value: Any) -> None:
    """Such a value gives no definition and breaks nothing."""
    assert definitions(value) == ()


def test_odd_entries_of_a_list_are_kept() -> None:
    """Their author meant them as tools, so the rules must judge them."""
    assert [each.raw for each in definitions({"tools": [7, MCP, None]})] == [7, MCP, None]


def test_a_plan_stands_beside_its_tools_or_alone() -> None:
    """In both cases its steps are found; with tools beside it, a step knows the tool that it calls."""
    plan = {"steps": [{"id": "one", "tool": "a", "args": {}}, 7]}
    for value in ({"tools": [MCP], "plan": plan}, plan):
        read = gathered([document_of("a.json", value)])
        (found,) = Catalogue(read.documents, read.found, read.plans).plans
        assert [each.id for each in found.steps] == ["one", ""]
        assert (found.steps[0].tool is None) == ("tools" not in value)


def test_a_folder_is_searched_for_files_with_tools(tmp_path: Path) -> None:
    """Other files are left out, unless they mention tools and cannot be read."""
    (tmp_path / "deep").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "deep" / "a.json").write_text(json.dumps(MCP))
    (tmp_path / "b.yaml").write_text("name: b\ninputSchema: {type: object}\n")
    (tmp_path / "c.json").write_text('{"compilerOptions": {}, // a comment\n}')
    (tmp_path / ".hidden" / "d.json").write_text(json.dumps(MCP))
    (tmp_path / "e.json").write_text('{"some": "data"}')
    (tmp_path / "f.txt").write_text(json.dumps(MCP))
    read = from_files([str(tmp_path)])
    assert [Path(each.document.name).name for each in read.found] == ["b.yaml", "a.json"]
    assert read.problems == ()
    (tmp_path / "g.json").write_text('{"tools": [,]}')
    assert "g.json: not JSON" in from_files([str(tmp_path)]).problems[0]


def test_a_path_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    """The problem names it and the reason."""
    (problem,) = from_files([str(tmp_path / "none.json")]).problems
    assert "none.json: cannot be read: No such file" in problem


def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    """If named, it is refused with what to do instead; in a folder it does not count as a file of definitions."""
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    (problem,) = from_files([str(pipe)]).problems
    assert problem.endswith("pipe.json: is not a regular file; what comes through a pipe is given as -")
    assert from_files([str(tmp_path)]).problems == ()
