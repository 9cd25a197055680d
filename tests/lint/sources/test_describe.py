"""The tools that a Python object represents, asked in this process; the child does the same and writes them down."""

from __future__ import annotations

import enum
import sys
from types import SimpleNamespace
from typing import Annotated, Any, Optional

import pytest
from callproof.lint.sources.hosted import describe
from callproof.lint.sources.hosted.describe import NotDescribed, described, find
from pydantic import BaseModel, Field


class Args(BaseModel):
    """Count what there is."""

    text: str


def count(text: str) -> int:
    """Count the words of a text."""
    return len(text)


def tools(thing: object) -> list[dict[str, Any]]:
    return [*described(thing)]


def test_a_function_has_the_schema_of_its_annotations() -> None:
    """A function without a docstring or a result gets no description and no output schema."""
    (told,) = tools(count)
    assert told["description"] == "Count the words of a text."
    assert told["inputSchema"]["required"] == ["text"]
    assert told["outputSchema"] == {"type": "integer"}

    def silent(text: str) -> None: ...

    assert {*tools(silent)[0]} == {"name", "inputSchema"}


def test_a_method_is_called_without_its_object() -> None:
    """A call does not pass `self`."""

    class Box:
        def count(self, text: str) -> None: ...

    for method in (Box.count, Box().count):
        assert [*tools(method)[0]["inputSchema"]["properties"]] == ["text"]


def test_a_registry_names_functions_and_models() -> None:
    """Tools keep their own names."""
    registry = {"a": count, "b": Args, "c": {"inputSchema": Args}, "d": {"name": "own"}, "e": [count]}
    assert [each["name"] for each in tools(registry)] == ["a", "b", "c", "own", "count"]


@pytest.mark.parametrize("attribute", ["tools", "toolsets"])
def test_an_agent_holds_tools(attribute: str) -> None:
    """The tools may be in a list, or in a dict by their names."""
    assert [each["name"] for each in tools(SimpleNamespace(**{attribute: [count]}))] == ["count"]
    assert [each["name"] for each in tools(SimpleNamespace(**{attribute: {"x": Args}}))] == ["Args"]


def test_a_toolkit_is_asked_for_its_tools() -> None:
    """The answer may come at once or from a coroutine; a method that needs arguments is not called."""

    class Kit:
        def get_tools(self) -> list[object]:
            return [count]

    class Later:
        async def list_tools(self) -> list[object]:
            return [Args]

    class Demanding:
        def get_tools(self, where: str) -> list[object]:
            return [where]

    assert [each["name"] for each in (*tools(Kit()), *tools(Later()))] == ["count", "Args"]
    with pytest.raises(NotDescribed):
        tools(Demanding())


def test_tools_of_frameworks_are_known_by_their_attributes() -> None:
    """Each framework is known by the attribute that holds the schema of its tools."""
    schema = {"type": "object"}
    for attribute in ("params_json_schema", "parameters_json_schema", "tool_call_schema", "parameters"):
        tool = SimpleNamespace(name="count", description="", **{attribute: schema}, return_schema={"type": "null"})
        assert tools(tool) == [{"name": "count", "inputSchema": schema, "outputSchema": {"type": "null"}}]
    wrapped = SimpleNamespace(tool_def=SimpleNamespace(name="inner", description="D", parameters_json_schema=schema))
    assert tools(wrapped) == [{"name": "inner", "description": "D", "inputSchema": schema}]


def test_a_tool_that_the_provider_runs_is_passed_over_in_an_agent() -> None:
    """It has no definition; the tools beside it are judged, and an agent with nothing else has no tool."""
    hosted = type("WebSearchTool", (), {"__module__": "agents.tool", "name": "web_search"})()
    assert [each["name"] for each in tools(SimpleNamespace(tools=[hosted, count]))] == ["count"]
    assert tools([hosted]) == []
    with pytest.raises(NotDescribed, match="WebSearchTool"):
        tools(hosted)
    stranger = SimpleNamespace(name="web_search")
    with pytest.raises(NotDescribed, match="SimpleNamespace"):
        tools([stranger])


def test_the_oldest_tools_of_langchain_take_one_text() -> None:
    """Their schema describes the settings of a run; LangChain sends another one, unless they have one of their own."""
    kind = type("Tool", (), {"__module__": "langchain_core.tools.simple", "name": "ask", "description": "Ask it."})
    tool = kind()
    tool.tool_call_schema = {"type": "object", "properties": {"config": {}}}
    assert [*tools(tool)[0]["inputSchema"]["properties"]] == ["__arg1"]
    tool.args_schema = Args
    assert [*tools(tool)[0]["inputSchema"]["properties"]] == ["config"]


def test_a_tool_of_mcp_is_dumped_as_it_goes_over_the_wire() -> None:
    """The dump uses the aliases of the wire."""

    class Tool(BaseModel):
        name: str = "count"
        input_schema: dict[str, Any] = Field({"type": "object"}, serialization_alias="inputSchema")
        title: str | None = None

    assert tools(Tool()) == [{"name": "count", "inputSchema": {"type": "object"}}]


def test_an_object_that_says_to_be_a_tool_and_cannot_be_dumped_is_none() -> None:
    """Nothing else about it is examined."""
    with pytest.raises(NotDescribed, match="SimpleNamespace"):
        tools(SimpleNamespace(name="x", inputSchema={}))


@pytest.mark.parametrize("thing", [5, "text", b"bytes", object(), int, SimpleNamespace(name="x")])
def test_what_is_no_tool_is_refused(thing: object) -> None:
    """The refusal says what would be a tool."""
    with pytest.raises(NotDescribed, match="permitted: dicts with a name"):
        tools(thing)


class Context:
    """What a framework passes to a function."""


class InjectedToolArg:
    """How LangChain marks what it passes to a function."""


class InjectedState(InjectedToolArg):
    """A subclass of that mark."""


def test_what_a_framework_hands_in_is_no_argument() -> None:
    """It may be optional, annotated or marked; an annotation that only looks like the mark makes an argument."""

    def listening(
        *,
        text: str,
        one: Context | None,
        two: Annotated[Context, "of the server"],
        three: Optional[Context] = None,  # noqa: UP045  as many people write it
        four: Annotated[dict[str, int], InjectedState] = {},  # noqa: B006
        five: Annotated[str, InjectedState()] = "",
        six: Annotated[str, "InjectedState"] = "",
    ) -> None: ...

    assert [*tools(listening)[0]["inputSchema"]["properties"]] == ["text", "six"]


def test_an_argument_that_has_only_a_place_is_told() -> None:
    """A call of a tool gives arguments by name, so what such a function takes cannot be described as an array."""

    def by_place(text: str, /) -> None: ...

    def rest(text: str, *more: str) -> None: ...

    for function, name in ((by_place, "text"), (rest, "more")):
        with pytest.raises(NotDescribed, match=f"takes '{name}' by position"):
            tools(function)
    assert [*tools(lambda *, text: None)[0]["inputSchema"]["properties"]] == ["text"]


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        ("list[", "Forward reference must be an expression"),
        ("enum.Nothing", "module 'enum' has no attribute 'Nothing'"),
        ("Nothing", "name 'Nothing' is not defined"),
        (
            "Annotated[int, Field(ge='x')]",
            r"(Parameter 'text': .*'ge' must be|.*int\.ge Input should be) .*an? .*integer",
        ),
        ("Annotated[str, Field(pattern='(')]", "Parameter 'text': .*unclosed group"),
    ],
)
def test_an_annotation_that_cannot_be_read_is_told(annotation: str, said: str) -> None:
    """The message names the function and shows no traceback."""

    def count(text: str) -> None: ...

    count.__annotations__["text"] = annotation
    with pytest.raises(NotDescribed, match=f"no schema can be made of the annotations of '.*count': .*{said}"):
        tools(count)


class Branch(BaseModel):
    """A branch, and what grows on it."""

    branches: list[Branch] = []


def test_a_model_that_holds_itself_has_its_description() -> None:
    """pydantic writes such a model as a root that refers to its definition."""
    assert tools(Branch)[0]["description"] == "A branch, and what grows on it."


def test_a_function_needs_pydantic(monkeypatch: pytest.MonkeyPatch) -> None:
    """pydantic has to be in the interpreter that imports the function."""
    monkeypatch.setitem(sys.modules, "pydantic", None)
    with pytest.raises(NotDescribed, match="has no pydantic"):
        tools(count)


def test_an_object_is_found_by_its_name() -> None:
    """Attributes are followed, and a wrong name gets the nearest one."""
    assert find("json:JSONDecoder.decode").__name__ == "decode"
    for target, says in (
        ("json:JSONDecodr", "did you mean 'JSONDecoder'"),
        ("json", "it names a module, but no object in it"),
        ("jsonn:x", "there is no module 'jsonn'"),
        ("a_package.inner:x", "there is no module 'a_package'"),
        ("a_file.py:x", "there is no module 'a_file'.*; write a_file:NAME"),
    ):
        with pytest.raises(NotDescribed, match=says):
            find(target)


def test_what_json_has_no_word_for_is_written_in_the_nearest_one() -> None:
    """Sets in order, enums as their values, models as their fields, classes by their schemas or names."""

    class Sky(enum.Enum):
        CLEAR = "clear"

    plain = describe._plain
    assert plain({"b", "a"}) == ["a", "b"]
    assert plain(Sky.CLEAR) == "clear"
    assert plain(Args(text="x")) == {"text": "x"}
    assert plain(Args)["title"] == "Args"
    assert plain(int) == "int"
    for value in (1j, object(), b"x", print):
        with pytest.raises(TypeError, match="is no value of JSON"):
            plain(value)


def test_a_child_writes_down_what_it_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Or it writes why there is nothing; the child swaps its streams, so this test replaces the calls for that."""
    written = tmp_path / "answer"
    monkeypatch.setattr(describe.os, "dup", lambda _: 1)
    monkeypatch.setattr(describe.os, "dup2", lambda *_: None)
    monkeypatch.setattr(describe.os, "fdopen", lambda *_, **__: written.open("w", encoding="utf-8"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert describe.main(["json:dumps"]) in {0, describe.REFUSED}
    assert describe.main(["json:JSONDecodr"]) == describe.REFUSED
    assert "did you mean" in written.read_text(encoding="utf-8")
    monkeypatch.setattr(describe, "find", lambda _: {"name": "x", "most": float("nan")})
    assert describe.main(["x:y"]) == describe.REFUSED
    assert "are not JSON" in written.read_text(encoding="utf-8")
    monkeypatch.setattr(describe, "find", lambda _: {"name": "x", "most": {(1, 2): 3}})
    assert describe.main(["x:y"]) == describe.REFUSED
    assert "are not JSON: that of 'x' cannot be written: keys must be" in written.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("string:digits.tools", "'string:digits' has no 'tools'; write string:NAME"),
        ("json:JSONDecoder.decod", "'json:JSONDecoder' has no 'decod'; did you mean 'decode'?"),
        ("os:environ.nothing_there", "'os:environ' has no 'nothing_there'; name one of "),
        ("string:digit", "'string' has no 'digit'; did you mean 'digits'?"),
    ],
)
def test_what_is_not_in_an_object_is_told_of_the_object(target: str, said: str) -> None:
    """A text, for example, has no names of its own to show; the message then leads to the names of the module."""
    with pytest.raises(NotDescribed) as told:
        find(target)
    assert str(told.value).startswith(said)
