"""Laws of parameters: exactly those are required that the schema of the tool requires."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from callproof.checks.check import Finding, excerpt
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import is_pending, texts_of
from callproof.protocols.agent_loop.forms import BEFORE_HOOK, TOOL_CALLED
from callproof.protocols.parts import object_of
from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

# How a host says that a parameter is missing: in the words of the protocol, or with a list of names.
_WANTING: Final = re.compile(r"(?:(?P<one>\S+) required|Missing required parameters?: (?P<many>[^\n.]+)(?:\.[^\n]*)?)")


def declared(loop: Loop) -> Iterator[tuple[Call, SchemaValidator]]:
    """Calls with the schema of their tool, if the log tells it and it can be used."""
    validators: dict[str, SchemaValidator | None] = {}
    tools = loop.tools
    for call in loop.calls:
        if call.tool is None or call.tool not in tools or not is_object(call.block.get("arguments")):
            continue
        if call.tool not in validators:
            validators[call.tool] = _validator(tools[call.tool])
        found = validators[call.tool]
        if found is not None:
            yield call, found


@LAWS.check("HOST-12", each=declared, needs=("tools", "failures"))
def what_the_schema_requires_is_there(loop: Loop, pair: tuple[Call, SchemaValidator]) -> Iterator[Finding]:
    """No tool is carried out without a parameter that its schema requires."""
    call, schema = pair
    entered = call.probes(TOOL_CALLED)[:1]
    done = [each for each in call.results[:1] if not is_pending(each, call.tool)]
    passed = [each for each in done if message_of(each).get("isError") is False]
    deeds = entered or (passed if "probes" in loop.lacking else [])
    for deed in deeds:
        given = deed.value.get("params") if entered else call.block.get("arguments")
        wanting = [each for each in schema.errors(given) if each.keyword == "required"]
        if is_object(given) and wanting:
            yield Finding(
                f"the arguments of {call.named} lack what the schema requires, but the call was carried out",
                "a failure, and no execution",
                (call.asked(), deed.witness("R")),
            )


@LAWS.check("HOST-12", each=declared, needs=("tools", "failures"))
def nothing_else_is_required(_loop: Loop, pair: tuple[Call, SchemaValidator]) -> Iterator[Finding]:
    """No call is refused as lacking a parameter that it has, if the schema accepts its arguments."""
    call, schema = pair
    arguments = object_of(call.block.get("arguments"))
    if any("params" in each.value for each in call.probes(BEFORE_HOOK)):
        return  # after a hook has changed the arguments, they may lack what they had
    for result in call.results[:1]:
        named = [name for name in _wanting(message_of(result)) if name in arguments]
        if message_of(result).get("isError") is True and named and schema.accepts(arguments):
            yield Finding(
                f"{call.named} was refused as lacking {', '.join(map(excerpt, named))}, which it has,"
                " although its schema accepts the arguments",
                "what the schema accepts, since only the schema says what is empty",
                (call.asked(), result.witness("R")),
            )


def _wanting(message: Mapping[str, Json]) -> tuple[str, ...]:
    """The parameters that a result says are missing."""
    texts = texts_of(message.get("content"))[:1]
    error = object_of(message.get("details")).get("error")
    for text in (error, *texts):
        found = _WANTING.fullmatch(text) if isinstance(text, str) else None
        if found is not None:
            return tuple(name.strip() for name in (found["one"] or found["many"]).split(","))
    return ()


def _validator(schema: Mapping[str, Json]) -> SchemaValidator | None:
    try:
        return SchemaValidator(schema)
    except (UnusableSchema, BeyondTheEngine):
        return None
