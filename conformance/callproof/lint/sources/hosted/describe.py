"""``python describe.py package.module:NAME``: the tools that a Python object represents, as JSON on standard output.

Runs in a child, in the user's interpreter, and imports nothing from callproof: whatever the
user's module prints, does or ends stays there.  Frameworks are recognised by the attributes that
they document, and none is imported.  Only functions need pydantic.
"""

from __future__ import annotations

import asyncio
import difflib
import enum
import importlib
import inspect
import json
import os
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

REFUSED = 2
# A registry inside a registry inside an agent is deep enough, and so is a place that is told of a schema.
_DEPTH, _LEVELS = 6, 20
# What an annotation raises if it cannot be read, or is not an annotation.
_ANNOTATION_ERRORS = (AttributeError, NameError, SyntaxError, TypeError, ValueError)
_SCHEMAS = ("inputSchema", "outputSchema", "input_schema", "output_schema", "parameters", "parametersJsonSchema")
# What frameworks pass to a function in addition to the arguments of a call, by the names of the classes.
_CONTEXTS = frozenset({"Context", "RunContext", "RunContextWrapper", "RunnableConfig", "ToolContext", "ToolRuntime"})
# The mark in Annotated beside the type of such a parameter; other marks of this kind are subclasses of it.
_INJECTED = "InjectedToolArg"
_BY_PLACE = frozenset({inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL})
# What LangChain sends for a tool that takes one text, whatever the signature of its function.
_ONE_TEXT = {"type": "object", "properties": {"__arg1": {"title": "__arg1", "type": "string"}}, "required": ["__arg1"]}

Definitions = Iterator[dict[str, Any]]


class NotDescribed(Exception):
    """An object represents no tool; the text says which object, and what would represent one."""


class TooDeep(NotDescribed):
    """A registry contains others more deeply than any author means, or contains itself."""


def find(target: str) -> object:
    """The object that ``package.module:NAME`` names.  Raises NotDescribed, with the nearest name."""
    module_name, _, path = target.partition(":")
    try:
        module: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise
        hint = f"; write {module_name.removesuffix('.py')}:NAME" if module_name.endswith(".py") else ""
        raise NotDescribed(f"there is no module {error.name!r} on {os.pathsep.join(sys.path)}{hint}") from None
    if not path:
        raise NotDescribed(f"it names a module, but no object in it; {_candidates(module_name, module)}")
    found, owner = module, module_name
    for name in path.split("."):
        if not hasattr(found, name):
            near = difflib.get_close_matches(name, dir(found), n=1)
            # The object may have no similar names of its own; a dict, for example, has none.
            hint = f"did you mean {near[0]!r}?" if near else _candidates(module_name, module)
            raise NotDescribed(f"{owner!r} has no {name!r}; {hint}")
        found, owner = getattr(found, name), f"{owner}{':' if found is module else '.'}{name}"
    return found


def described(thing: object, name: str | None = None, depth: int = 0, unread: list[str] | None = None) -> Definitions:
    """
    The definitions that an object represents; ``name`` is that of its entry in a registry, if it has one.

    Raises NotDescribed for an object that represents none; if it is in a registry, ``unread`` gets the reason instead.
    """
    if depth > _DEPTH:
        raise TooDeep("its registries are nested too deeply")
    if (one := _one(thing, name)) is not None:
        yield one
        return
    inner = _inner(thing)
    if inner is None:
        raise NotDescribed(
            f"{_called(thing)} is not a tool; permitted: dicts with a name, pydantic models, functions, tools of"
            " LangChain, OpenAI Agents, pydantic-ai and MCP, and lists, dicts and agents of these"
        )
    for number, (entry, each) in enumerate(inner, 1):
        try:
            # A tool that the provider runs itself has no definition to judge, just as in an array for the provider.
            if not _is_hosted(each):
                yield from described(each, entry, depth + 1, unread)
        except NotDescribed as error:
            if unread is None or isinstance(error, TooDeep):
                raise
            unread.append(f"number {number}: {error}" if entry is None else f"{entry!r}: {error}")


def _one(thing: object, entry: str | None) -> dict[str, Any] | None:
    """The one definition that an object is; None if it is none, or holds several."""
    if _is_mapping(thing):
        return _of_mapping(thing, entry)
    found = _of_attributes(thing)
    if found is not None:
        return found
    made = _of_model(thing) or _of_function(thing)
    # The registry says what such a tool is called; the function's own name does not matter.
    return {**made, "name": entry} if made is not None and entry is not None else made


def _of_mapping(thing: Mapping[Any, Any], entry: str | None) -> dict[str, Any] | None:
    """A dict that is a definition, or one that is an entry of a registry by name."""
    members = {str(key): value for key, value in thing.items()}
    if "function" in members or "functionDeclarations" in members or "function_declarations" in members:
        return members
    schemas = {key: _schema(value) for key, value in members.items() if key in _SCHEMAS}
    if isinstance(members.get("name"), str):
        return {**members, **schemas}
    if entry is not None and (schemas or isinstance(members.get("description"), str)):
        return {"name": entry, **members, **schemas}
    return None


def _of_model(thing: object) -> dict[str, Any] | None:
    """A pydantic class: its fields are the parameters."""
    if not isinstance(thing, type) or not callable(getattr(thing, "model_json_schema", None)):
        return None
    schema = dict(_schema(thing))
    # A model that contains itself is one of its own definitions, and its docstring is there.
    definition = schema.get("$defs", {}).get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    description = schema.pop("description", definition.get("description"))
    return {"name": thing.__name__, **({"description": description} if description else {}), "inputSchema": schema}


def _of_attributes(thing: object) -> dict[str, Any] | None:
    """A tool of a framework, by the attributes that the framework documents."""
    if isinstance(thing, type):
        return None
    of_pydantic_ai = getattr(thing, "tool_def", None)
    tool = thing if of_pydantic_ai is None else of_pydantic_ai
    name = getattr(tool, "name", None)
    if not isinstance(name, str):
        return None
    if any(_is_mapping(getattr(tool, attribute, None)) for attribute in ("inputSchema", "input_schema")):
        return _dumped(tool)
    if _takes_one_text(tool):
        return _assembled(tool, name, _ONE_TEXT)
    for attribute in ("params_json_schema", "parameters_json_schema", "tool_call_schema", "parameters"):
        schema = getattr(tool, attribute, None)
        if schema is not None:
            return _assembled(tool, name, _schema(schema))
    return None


def _takes_one_text(tool: object) -> bool:
    """Whether it is the oldest kind of LangChain's tools, whose own schema is not the one that LangChain sends."""
    kinds = {(each.__module__, each.__name__) for each in type(tool).__mro__}
    return ("langchain_core.tools.simple", "Tool") in kinds and getattr(tool, "args_schema", None) is None


def _is_hosted(thing: object) -> bool:
    """Whether it is an object of OpenAI Agents for a tool that the provider runs."""
    known = isinstance(getattr(thing, "name", None), str) and not hasattr(thing, "params_json_schema")
    return known and type(thing).__module__ == "agents.tool"


def _assembled(tool: object, name: str, schema: Any) -> dict[str, Any]:
    description = getattr(tool, "description", None)
    output = getattr(tool, "output_schema", None) or getattr(tool, "return_schema", None)
    if _is_mapping(schema) and schema.get("description") == description:
        schema = {key: value for key, value in schema.items() if key != "description"}
    return {
        "name": name,
        **({"description": description} if description else {}),
        "inputSchema": schema,
        **({"outputSchema": output} if _is_mapping(output) else {}),
    }


def _dumped(model: Any) -> dict[str, Any] | None:
    """A pydantic object as JSON data; None for an object of another kind."""
    dump = getattr(model, "model_dump", None)
    dumped: Any = dump(mode="json", by_alias=True, exclude_none=True) if callable(dump) else None
    return dict(dumped) if _is_mapping(dumped) else None


def _of_function(thing: object) -> dict[str, Any] | None:
    """A function: its annotations are the schemas, its docstring is the description."""
    if not inspect.isroutine(thing):
        return None
    try:
        import pydantic  # noqa: PLC0415  only here, since the user's interpreter may have none
        import pydantic_core  # noqa: PLC0415
    except ImportError:
        raise NotDescribed(f"{_called(thing)} is a function, but its interpreter has no pydantic to read it") from None
    function: Any = thing
    try:
        hints = typing.get_type_hints(function, include_extras=True)
        adapter: Any = pydantic.TypeAdapter
        schema = adapter(_called_by_model(function, hints)).json_schema()
        returned = hints.get("return", Any)
        answers = returned not in (Any, None, type(None))
        output = adapter(returned).json_schema(mode="serialization") if answers else None
    except (*_ANNOTATION_ERRORS, pydantic.errors.PydanticUserError, pydantic_core.SchemaError) as error:
        reason = _reason(error)
        raise NotDescribed(f"no schema can be made of the annotations of {_called(thing)}: {reason}") from None
    told = inspect.getdoc(function)
    return {
        "name": function.__name__,
        **({"description": told} if told else {}),
        "inputSchema": schema,
        **({"outputSchema": output} if output is not None else {}),
    }


def _called_by_model(function: Callable[..., Any], hints: dict[str, Any]) -> Callable[..., Any]:
    """The function as a model calls it: without ``self``, and without what a framework passes in."""

    def stands_in() -> None:
        """Never called: it only carries a signature."""

    signature = inspect.signature(function)
    # Annotations are resolved where they were written: older pydantics would resolve their text in another module.
    kept = [
        each.replace(annotation=hints.get(each.name, each.annotation))
        for each in signature.parameters.values()
        if each.name not in {"self", "cls"} and not _is_handed_in(hints.get(each.name))
    ]
    by_place = [each.name for each in kept if each.kind in _BY_PLACE]
    if by_place:
        reason = f"{_called(function)} takes {by_place[0]!r} by position, but a call of a tool gives arguments by name"
        raise NotDescribed(reason)
    carrier: Any = stands_in
    carrier.__name__ = function.__name__
    carrier.__signature__ = signature.replace(parameters=kept, return_annotation=inspect.Signature.empty)
    carrier.__annotations__ = {each.name: hints[each.name] for each in kept if each.name in hints}
    return stands_in


def _is_handed_in(hint: Any) -> bool:
    """Whether a framework fills a parameter with such an annotation, whatever the model sends."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _is_handed_in(parts[0]) or any(map(_is_injected, parts[1:]))
    if origin is typing.Union or origin is types.UnionType:
        return any(map(_is_handed_in, parts))
    return getattr(origin or hint, "__name__", "") in _CONTEXTS


def _is_injected(mark: object) -> bool:
    made_of = mark if isinstance(mark, type) else type(mark)
    return any(each.__name__ == _INJECTED for each in made_of.__mro__)


def _reason(error: Exception) -> str:
    """The text of an error in one line: pydantic adds an address, or, if a part is wrong, a line about that part."""
    lines = [line.strip() for line in str(error).splitlines()] or [type(error).__name__]
    return " ".join(lines) if type(error).__name__ == "SchemaError" else lines[0]


def _inner(thing: object) -> Iterable[tuple[str | None, object]] | None:
    """What a registry, a toolset or an agent holds; None for anything else."""
    if _is_mapping(thing):
        return [(str(name), each) for name, each in thing.items()]
    if _is_row(thing):
        return [(None, each) for each in thing]
    if isinstance(thing, type):
        return None
    for attribute in ("toolsets", "tools"):
        held = getattr(thing, attribute, None)
        if _is_mapping(held) or _is_row(held):
            return [(None, each) for each in (held.values() if _is_mapping(held) else held)]
    for method in ("get_tools", "list_tools"):
        ask = getattr(thing, method, None)
        if callable(ask) and not _required(ask):
            return [(None, each) for each in _awaited(ask())]
    return None


def _required(function: Callable[..., Any]) -> bool:
    parameters = inspect.signature(function).parameters.values()
    return any(
        each.default is each.empty and each.kind not in {each.VAR_POSITIONAL, each.VAR_KEYWORD} for each in parameters
    )


def _awaited(value: Any) -> Any:
    async def wait() -> Any:
        return await value

    return asyncio.run(wait()) if inspect.isawaitable(value) else value


def _schema(value: Any) -> Any:
    """A schema as data: made by a pydantic class, or as it is.  Raises NotDescribed for a class that can make none."""
    make = getattr(value, "model_json_schema", None)
    if not callable(make):
        return value
    try:
        return make()
    except Exception as error:
        # pydantic is not imported here; an error of the class's own code keeps its traceback.
        if type(error).__module__.partition(".")[0] not in {"pydantic", "pydantic_core"}:
            raise
        raise NotDescribed(f"no schema can be made of {_called(value)}: {_reason(error)}") from None


def _called(thing: object) -> str:
    name = getattr(thing, "__qualname__", None)
    return f"{name!r}" if isinstance(name, str) else f"an object of the class {type(thing).__name__!r}"


def _candidates(module_name: str, module: object) -> str:
    held = [name for name in vars(module) if not name.startswith("_") and _holds_tools(getattr(module, name, None))]
    return f"name one of {', '.join(held[:8])}" if held else f"write {module_name}:NAME"


def _holds_tools(thing: object) -> bool:
    if inspect.ismodule(thing):
        return False
    if _is_mapping(thing) or _is_row(thing):
        return bool(thing)
    return (
        not isinstance(thing, str)
        and not isinstance(thing, type)
        and (hasattr(thing, "tools") or hasattr(thing, "list_tools"))
    )


def _plain(value: object) -> object:
    """The nearest JSON value for a value that JSON does not have."""
    if isinstance(value, enum.Enum):
        return value.value
    if _is_row(value):
        return sorted(value, key=repr)
    if isinstance(value, type):
        return _schema(value) if hasattr(value, "model_json_schema") else value.__name__
    if (dumped := _dumped(value)) is None:
        raise TypeError(f"{_called(value)} is no value of JSON")
    return dumped


def _text(tool: dict[str, Any]) -> str:
    """A definition as JSON.  Raises NotDescribed, with its name, for one that holds values that JSON does not have."""
    try:
        return json.dumps(tool, default=_plain, allow_nan=False)
    except (TypeError, ValueError) as error:
        named = f" of {tool['name']!r}" if isinstance(tool.get("name"), str) else ""
        at = f"{error} (at {_unwritten(tool) or '/'})"
        raise NotDescribed(f"its definitions are not JSON: that{named} cannot be written: {at}") from None


def _unwritten(value: object, depth: int = 0) -> str:
    """Where in a value the first part is that cannot be written, as a pointer."""
    items = value.items() if _is_mapping(value) else enumerate(value) if _is_row(value) else ()
    for key, each in items if depth < _LEVELS else ():
        try:
            json.dumps(each, default=_plain, allow_nan=False)
        except (TypeError, ValueError):
            return f"/{key}{_unwritten(each, depth + 1)}"
    return ""


def _is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_row(value: object) -> TypeGuard[Sequence[Any] | set[Any] | frozenset[Any]]:
    return isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes)


def main(arguments: Sequence[str]) -> int:
    """Describe one object; 2 if it represents no tool."""
    sys.path[0] = os.getcwd()
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # A module that prints while it is imported must not spoil the answer.
    os.dup2(2, 1)
    # A module that reads input must not wait for it: no user types here.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        unread, texts = list[str](), list[str]()
        for tool in described(find(arguments[0]), unread=unread):
            try:
                texts.append(_text(tool))
            except NotDescribed as error:
                unread.append(str(error))
        if unread and not texts:
            raise NotDescribed("; ".join(unread))
        more = f', "unread": {json.dumps(unread)}' if unread else ""
        text, status = f'{{"tools": [{", ".join(texts)}]{more}}}', 0
    except NotDescribed as error:
        text, status = json.dumps({"refused": str(error)}), REFUSED
    with answer:
        answer.write(text + "\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
