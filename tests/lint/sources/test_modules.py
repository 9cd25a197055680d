"""Tools of a Python object, described by a child process: whatever its module does stays in the child."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

import pytest
from callproof.adapters.deadlines import Deadlines
from callproof.lint.sources.listing import NotListed
from callproof.lint.sources.live import from_module
from callproof.lint.sources.modules import listed_from_module

PLAIN = '''
from collections.abc import Callable
from typing import Annotated, Literal
from pydantic import BaseModel, Field

print("noise while it is imported")


class Count(BaseModel):
    """Count what there is."""

    text: str = Field(description="What to count in.")
    mode: Literal["plain", "regex"] = "plain"


class Hook(BaseModel):
    then: Callable[[int], int]


class RunContext: ...


class Toolbox:
    @property
    def tools(self):
        return {"one": count}


class Server:
    name = "a server"

    async def list_tools(self):
        return [Offered()]


class Offered:
    """Documented as LangChain, OpenAI Agents and pydantic-ai document theirs."""

    name, description = "offered", "Offer it."
    params_json_schema = {"type": "object", "description": "Offer it."}
    output_schema = {"type": "array"}


class Defined:
    tool_def = Offered()


class Called:
    name, description, tool_call_schema = "called", "", Count


class Sent:
    name, inputSchema = "sent", {}

    def model_dump(self, **asked):
        assert asked == {"mode": "json", "by_alias": True, "exclude_none": True}
        return {"name": "sent", "inputSchema": {"type": "object"}}


Text = Annotated[str, Field(description="What to count in.")]


def count(context: RunContext, text: Text, most: int = 5) -> dict[str, int]:
    """Count the words of a text."""
    return {}


def says_nothing(text): ...


def cannot_be(text: "Nope"): ...


ENTRIES = {"text.count": count, "text.model": Count, "text.bare": {"description": "Nothing."}, "text.own": Offered()}
ROW = (count, Count, {"name": "own", "inputSchema": Count, "tags": {"b", "a"}}, says_nothing)
HOLDERS = [Toolbox(), Server(), Defined(), Called(), Sent()]
WRAPPED = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
EMPTY, NUMBER, ENDLESS = [], 5, [float("inf")]
HOOKS = [Count, Hook]
INFINITE = [{"name": "w"}, {"name": "x", "most": float("inf")}]
def by_place(text, /): ...


def all_more(*texts): ...


WITH_ODD = [count, all_more, Count, by_place, 5, "x"]
NAMED_ODD = {"a": count, "b": 5, "c": [Count, all_more]}
ALL_ODD = [5, cannot_be]
OBJECT = {"name": "o", "inputSchema": {"properties": {"a": {"default": object()}}}}
TEXTS = [{"name": "t", "inputSchema": {"default": {"a": b"x"}}}, Count, {"name": "u", "inputSchema": {"enum": [1j]}}]
LOOP = []
LOOP.append(LOOP)
'''


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with modules in it."""
    (tmp_path / "plain.py").write_text(PLAIN, encoding="utf-8")
    for name, text in {
        "ends": "import os; os._exit(0)",
        "leaves": "raise SystemExit(0)",
        "fails": "raise RuntimeError('no key')",
        "hangs": "import time; time.sleep(600)",
        "wants": "import a_module_that_nobody_has",
    }.items():
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tools(target: str) -> list[dict]:
    (page,) = listed_from_module(target).pages
    assert page.name == f"module:{target}"
    return json.loads(page.text)["tools"]


def refusal(target: str, **more: object) -> str:
    with pytest.raises(NotListed) as caught:
        listed_from_module(target, **more)
    return str(caught.value)


def test_a_function_is_its_annotations_and_its_docstring() -> None:
    """Parameters that a framework fills in are left out, and the input is closed, as functions are."""
    tool = tools("plain:ROW")[0]
    assert tool["name"] == "count"
    assert tool["description"] == "Count the words of a text."
    assert {*tool["inputSchema"]["properties"]} == {"text", "most"}
    assert tool["inputSchema"]["required"] == ["text"]
    assert tool["inputSchema"]["additionalProperties"] is False
    assert tool["outputSchema"]["additionalProperties"] == {"type": "integer"}


def test_a_model_is_its_fields() -> None:
    """It may also be a schema inside a dict, beside values that JSON does not have."""
    _, model, own, bare = tools("plain:ROW")
    assert model["name"] == "Count"
    assert model["description"] == "Count what there is."
    assert own["inputSchema"]["properties"]["text"]["description"] == "What to count in."
    assert own["tags"] == ["a", "b"]
    assert "outputSchema" not in bare


def test_a_registry_names_its_entries() -> None:
    """It names those that have no name of their own."""
    assert [each["name"] for each in tools("plain:ENTRIES")] == ["text.count", "text.model", "text.bare", "offered"]


def test_tools_of_frameworks_are_known_by_what_they_document() -> None:
    """None of the frameworks is imported."""
    found = tools("plain:HOLDERS")
    assert [each["name"] for each in found] == ["count", "offered", "offered", "called", "sent"]
    assert found[1] == {
        "name": "offered",
        "description": "Offer it.",
        "inputSchema": {"type": "object"},
        "outputSchema": {"type": "array"},
    }
    assert found[3]["inputSchema"]["title"] == "Count"


def test_arrays_of_providers_stay_as_they_are() -> None:
    """They are read like arrays in a file."""
    assert tools("plain:WRAPPED") == [{"type": "function", "function": {"name": "f", "parameters": {}}}]
    assert from_module("plain:WRAPPED", None).found[0].form.name == "openai"


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("plain:NUMBER", "an object of the class 'int' is not a tool; permitted: dicts with a name"),
        ("plain:cannot_be", "no schema can be made of the annotations of 'cannot_be'"),
        ("plain:ALL_ODD", "number 1: an object of the class 'int' is not a tool; permitted: dicts with a name"),
        ("plain:ALL_ODD", "; number 2: no schema can be made of the annotations"),
        ("plain:OBJECT", "that of 'o' cannot be written: an object of the class 'object' is no value of JSON"),
        ("plain:OBJECT", "(at /inputSchema/properties/a/default)"),
        ("plain:LOOP", "nested too deeply"),
        ("plain:ROWS", "did you mean 'ROW'?"),
        ("plain:zzz", "name one of"),
        ("plain", "it names a module, but no object in it; name one of ENTRIES"),
        ("plane:ROW", "there is no module 'plane'"),
        ("not a module", "it names no object"),
        ("ends:ROW", "exited with status 0 before it had described the tools"),
        ("leaves:ROW", "exited with status 0 before it had described the tools"),
        ("fails:ROW", "RuntimeError: no key"),
        ("wants:ROW", "a_module_that_nobody_has"),
    ],
)
def test_what_is_no_tool_is_told(target: str, says: str) -> None:
    """The message says what stands in the way, and shows the last lines of the module."""
    assert says in refusal(target)


@pytest.mark.parametrize(
    ("target", "judged", "says"),
    [
        (
            "plain:WITH_ODD",
            ["count", "Count"],
            [
                "number 2: 'all_more' takes 'texts' by position, but a call of a tool gives arguments by name",
                "number 4: 'by_place' takes 'text' by position",
                "number 5: an object of the class 'int' is not a tool",
                "number 6: an object of the class 'str' is not a tool",
            ],
        ),
        (
            "plain:NAMED_ODD",
            ["a", "Count"],
            ["'b': an object of the class 'int' is not a tool", "number 2: 'all_more' takes 'texts' by position"],
        ),
        ("plain:HOOKS", ["Count"], ["number 2: no schema can be made of 'Hook': Cannot generate a JsonSchema for"]),
        ("plain:INFINITE", ["w"], ["its definitions are not JSON: that of 'x' cannot be written: "]),
        (
            "plain:TEXTS",
            ["Count"],
            [
                "that of 't' cannot be written: an object of the class 'bytes' is no value of JSON"
                " (at /inputSchema/default/a)",
                "that of 'u' cannot be written: an object of the class 'complex' is no value of JSON"
                " (at /inputSchema/enum/0)",
            ],
        ),
        ("plain:ROW", ["count", "Count", "own", "says_nothing"], []),
    ],
)
def test_the_other_tools_of_a_list_are_judged(target: str, judged: list[str], says: list[str]) -> None:
    """Each entry that cannot be read is reported, so that the run is no success; a set and a model are readable."""
    told = from_module(target, None)
    assert [each.value["name"] for each in told.found if isinstance(each.value, dict)] == judged
    assert len(told.problems) == len(says)
    for problem, part in zip(told.problems, says):
        assert problem.startswith(f"`{target}`: ")
        assert part in problem
        assert problem.endswith("; it was not judged")


def test_a_module_with_a_dash_in_its_name_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No import statement can name it, but its file exists."""
    (tmp_path / "my-tools.py").write_text("TOOL = {'name': 'count', 'inputSchema': {}}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert [each["name"] for each in tools("my-tools:TOOL")] == ["count"]
    assert "there is no module 'your-tools'" in refusal("your-tools:TOOL")


def test_a_module_that_asks_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No user is there to type an answer."""
    (tmp_path / "asks.py").write_text("import sys\nTOOL = {'name': sys.stdin.read() or 'none'}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert [each["name"] for each in tools("asks:TOOL")] == ["none"]


def test_a_module_that_hangs_is_ended() -> None:
    """It is ended when its time is up."""
    assert "not imported and described within 0.5 s" in refusal("hangs:ROW", deadlines=Deadlines(start=0.5))


def test_another_interpreter_is_asked() -> None:
    """The user's packages are installed in that one."""
    assert [each["name"] for each in json.loads(listed_from_module("plain:ROW", sys.executable).pages[0].text)["tools"]]
    assert "cannot be run: no such program" in refusal("plain:ROW", python="no-such-python")
    assert "cannot be run: it is not executable" in refusal("plain:ROW", python=__file__)


def test_an_object_without_tools_is_never_clean() -> None:
    """Nothing was found in it."""
    gathered = from_module("plain:EMPTY", None)
    assert gathered.found == ()
    assert [each.name for each in gathered.documents] == ["module:plain:EMPTY"]
    assert from_module("plain:NUMBER", None).problems != ()


def test_descriptions_are_seen_where_python_leaves_docstrings_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``PYTHONOPTIMIZE=2`` strips docstrings from a program in service; that is no fault of the tool."""
    made = 'def count(text: str) -> int:\n    """Count what there is."""\n    return 0\n\nTOOLS = [count]\n'
    (tmp_path / "stripped.py").write_text(made, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONOPTIMIZE", "2")
    assert "Count what there is." in listed_from_module("stripped:TOOLS").pages[0].text
