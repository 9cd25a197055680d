"""Laws of deeds: what was told as done was done, with what was asked for, and what may be done is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding, excerpt
from callproof.protocols.agent_loop.acts import interfered
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import is_pending
from callproof.protocols.agent_loop.forms import BEFORE_HOOK, TOOL_CALLED, Moment
from callproof.protocols.agent_loop.schemas import declared
from callproof.protocols.parts import object_of
from callproof.schema.validator import SchemaValidator
from callproof.values.doubles import alike
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object


def _succeeded(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls whose first result tells of a success, with the result; HOST-03 handles calls with a hook's question."""
    for call in loop.calls:
        if call.shares_its_id or call.is_rewritten or (call.probes(BEFORE_HOOK) and not call.probes(TOOL_CALLED)):
            continue
        results = [each for each in call.results[:1] if not is_pending(each, call.tool)]
        yield from ((call, each) for each in results if message_of(each).get("isError") is False)


@LAWS.check("HOST-13", each=_succeeded, needs=("probes",))
def what_succeeded_was_carried_out(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The tool of a call whose result is no failure was entered."""
    call, result = pair
    if not call.probes(TOOL_CALLED):
        yield Finding(
            f"the result of {call.named} has isError false, but its tool was never entered",
            "a success only for a call that was carried out",
            (call.asked(), result.witness("R")),
        )


def _entered(loop: Loop) -> Iterator[tuple[Call, list[Moment]]]:
    """Calls with an id of their own whose tool was entered, with each entry."""
    for call in loop.calls:
        if not call.shares_its_id and (told := call.probes(TOOL_CALLED)):
            yield call, told


@LAWS.check("HOST-13", each=_entered, needs=("probes",))
def a_call_is_carried_out_once(_loop: Loop, pair: tuple[Call, list[Moment]]) -> Iterator[Finding]:
    """The tool of a call is entered once at most."""
    call, told = pair
    if len(told) > 1:
        yield Finding(
            f"the tool of {call.named} was entered {len(told)} times",
            "once: the model asked for it once",
            (told[0].witness("T1"), told[1].witness("T2")),
        )


def _of_clients(loop: Loop) -> Iterator[Call]:
    """Calls of tools that a client carries out."""
    for call in loop.calls:
        if loop.declared.get(str(call.tool), {}).get("host") == "client":
            yield call


@LAWS.check("HOST-08", each=_of_clients, needs=("probes", "tools", "driver"))
def what_a_client_carries_out_is_not_entered(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A tool that a client carries out is not entered by the loop."""
    for entered in call.probes(TOOL_CALLED)[:1]:
        yield Finding(
            f"a client carries {call.named} out, but its tool was entered",
            "a pending result, and no execution",
            (call.asked(), entered.witness("T")),
        )


def _given(loop: Loop) -> Iterator[tuple[Call, Moment, SchemaValidator]]:
    """Calls with an id of their own whose tool was entered and has a schema, with what the tool was given."""
    for call, schema in declared(loop):
        if not call.shares_its_id:
            yield from ((call, each, schema) for each in call.probes(TOOL_CALLED)[:1])


@LAWS.check("HOST-14", each=_given, needs=("probes", "tools"))
def the_tool_is_given_what_was_asked_for(loop: Loop, given: tuple[Call, Moment, SchemaValidator]) -> Iterator[Finding]:
    """Every argument of a call, or of what a hook made of it, reaches the tool unchanged."""
    call, entered, schema = given
    wanted = _wanted(loop, call)
    params = object_of(entered.value.get("params"))
    if (
        wanted is None
        or not schema.accepts(wanted)
        or any(each.keyword == "required" for each in schema.errors(params))
    ):
        return  # a loop may convert what the schema refuses; HOST-12 handles required arguments that are missing
    other = [name for name, value in wanted.items() if name not in params or not alike(params[name], value)]
    if other:
        yield Finding(
            f"the tool of {call.named} was not given {', '.join(map(excerpt, other))} as asked for",
            "the arguments of the call, or those of the before-hook; absent ones may be filled in",
            (call.asked(), *(each.witness("H") for each in call.probes(BEFORE_HOOK)[:1]), entered.witness("T")),
        )


@LAWS.check("HOST-14", each=_given, needs=("probes", "tools"))
def the_tool_is_given_what_its_schema_accepts(
    _loop: Loop, given: tuple[Call, Moment, SchemaValidator]
) -> Iterator[Finding]:
    """No tool is entered with what its schema refuses, whatever the cause; HOST-12 handles what is missing."""
    call, entered, schema = given
    faults = [each for each in schema.errors(entered.value.get("params")) if each.keyword != "required"]
    if faults:
        where = ", ".join(dict.fromkeys(f"{each.keyword} at {each.pointer or 'the top'}" for each in faults))
        yield Finding(
            f"the tool of {call.named} was given arguments that its schema refuses: {where}",
            "a failure, and no execution",
            (call.asked(), *(each.witness("H") for each in call.probes(BEFORE_HOOK)[:1]), entered.witness("T")),
        )


def _tried(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls whose tool was entered, in a log of a driver, which tells every tool that exists."""
    yield from ((call, each) for call in loop.calls for each in call.probes(TOOL_CALLED)[:1])


@LAWS.check("HOST-14", each=_tried, needs=("probes", "tools", "driver"))
def no_tool_is_entered_that_there_is_not(loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The tool of a call that is carried out is one that was offered."""
    call, entered = pair
    if call.tool not in loop.declared:
        yield Finding(
            f"there is no tool {excerpt(call.tool)}, but it was entered",
            "a failure, and no execution",
            (call.asked(), entered.witness("T")),
        )


def _shown(loop: Loop) -> Iterator[tuple[Call, Moment, SchemaValidator]]:
    """Calls with an id of their own, with the before-hook's probe if it tells what the hook saw, and the schema."""
    for call, schema in declared(loop):
        if not call.shares_its_id:
            hooks = [each for each in call.probes(BEFORE_HOOK)[:1] if "args" in each.value]
            yield from ((call, each, schema) for each in hooks)


@LAWS.check("HOST-14", each=_shown, needs=("probes", "tools", "driver"))
def the_hook_is_shown_what_was_asked_for(_loop: Loop, shown: tuple[Call, Moment, SchemaValidator]) -> Iterator[Finding]:
    """A before-hook sees every argument of the call unchanged."""
    call, hook, schema = shown
    wanted, args = object_of(call.block.get("arguments")), object_of(hook.value.get("args"))
    if not schema.accepts(wanted):
        return  # the hook may be asked after the arguments were converted, and before they are refused
    other = [name for name, value in wanted.items() if name not in args or not alike(args[name], value)]
    if other:
        yield Finding(
            f"the before-hook was not shown {', '.join(map(excerpt, other))} of {call.named} as asked for",
            "the arguments of the call; absent ones may be filled in",
            (call.asked(), hook.witness("H")),
        )


def _wanted(loop: Loop, call: Call) -> Mapping[str, Json] | None:
    """What a tool should be given; None if a hook may have changed it."""
    hooks = call.probes(BEFORE_HOOK)[:1]
    if not hooks:
        return object_of(call.block.get("arguments"))
    if loop.driving is None:
        return None
    params = hooks[0].value.get("params")
    return params if is_object(params) else object_of(call.block.get("arguments"))


def _permitted(loop: Loop) -> Iterator[Call]:
    """Calls that must be carried out: of a whole reply, lawful, not hindered by a hook or by the user."""
    for call, schema in declared(loop):
        of_client = loop.declared[str(call.tool)].get("host") == "client"
        due = bool(call.results) or (call.closed is not None and not call.turn.is_refused)
        if call.turn.stop != "toolUse" or call.shares_its_id or of_client or not due or not came_whole(call):
            continue
        if call.turn.pieces_are_missing:
            continue  # it is unknown whether the arguments came whole (HOST-06)
        if schema.accepts(call.block.get("arguments")) and not _hindered(call) and not interfered(loop, call):
            yield call


@LAWS.check("HOST-15", each=_permitted, needs=("probes", "tools", "driver"))
def what_may_be_carried_out_is(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A call that is lawful and not hindered is carried out."""
    if not call.probes(TOOL_CALLED):
        yield Finding(
            f"{call.named} is valid and nothing hindered it, but its tool was never entered",
            "an execution",
            (call.asked(), *(each.witness("R") for each in call.results[:1])),
        )


def _hindered(call: Call) -> bool:
    """Whether a hook blocked a call, failed, or changed its arguments."""
    return any(
        each.value.get("block") is True or each.value.get("failed") is True or "params" in each.value
        for each in call.probes(BEFORE_HOOK)
    )
