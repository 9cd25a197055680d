"""A conversation with a well-behaved adapter, from the address to the last process."""

from __future__ import annotations

import json

import pytest
from callproof.adapters.connection import connect
from callproof.adapters.conversation import SuiteFault
from callproof.adapters.messages import Notification, Refusal, Request, Response, Result

TOOL = {"name": "echo", "inputSchema": True, "outputSchema": True, "riskLevel": "read-only", "host": "suite"}
POLICY = {"confirmationsRequired": False, "sandbox": {"enabled": False}, "limits": {}}


def plan(*tools: str) -> dict:
    steps = [{"id": f"s{n}", "tool": tool, "args": {"n": n}} for n, tool in enumerate(tools)]
    return {"version": "1.0", "goal": "g", "riskLevel": "read-only", "steps": steps}


def start(*tools: str) -> dict:
    return {"plan": plan(*tools), "policy": POLICY, "tools": [TOOL]}


@pytest.fixture(params=["stdio", "python"])
def address(request, program, hosted):
    """The same adapter at both kinds of address: the transport is a prefix."""
    return program("minimal.py") if request.param == "stdio" else hosted("minimal:serve")


def test_an_initialized_conversation_knows_the_claims(address, deadlines):
    """The suite reads what the system says of itself once, before any run."""
    with connect(address, deadlines=deadlines) as system:
        assert system.implementation.name == "minimal"
        assert system.claims.profiles == ("envelope",)
        assert "foreach" not in system.claims
        assert system.claims.abort_grace_ms == 0


def test_messages_arrive_in_the_order_of_the_wire(address, deadlines):
    """The order of arrival is the order in which the system did things."""
    seen = []
    with connect(address, deadlines=deadlines) as system:
        handle = system.request("run/start", start("echo", "echo"))
        while not (seen and isinstance(seen[-1], Notification) and seen[-1].method == "run/finished"):
            message = system.receive(60)
            assert message is not None
            seen.append(message)
            if isinstance(message, Request):
                system.answer(message.id, {"output": message.params["args"]})
    assert isinstance(seen[0], Response)
    assert seen[0].handle is handle
    assert handle.result == {"runId": "run-1"}
    kinds = [each.params.get("kind", each.method) for each in seen[1:]]
    once = ["call", "tool/invoke", "result"]
    assert kinds == ["run", *once, *once, "run/finished"]
    arrivals = [each.arrival for each in seen]
    assert arrivals == list(range(arrivals[0], arrivals[0] + len(seen)))


def test_waiting_hands_over_what_comes_in_between(address, deadlines):
    """While it waits for the answer to cancel, the suite still reads and hands over an invocation."""
    seen = []
    with connect(address, deadlines=deadlines) as system:
        started = system.ask("run/start", start("echo"), on_message=seen.append)
        assert isinstance(started, Result)
        answer = system.ask("run/cancel", {"runId": "run-1"}, on_message=seen.append)
        assert answer == Result({})
    assert [each.method for each in seen] == ["record", "record", "tool/invoke"]


def test_a_refused_run_is_an_answer(address, deadlines):
    """Error -32001 is lawful, with its data."""
    with connect(address, deadlines=deadlines) as system:
        answer = system.ask("run/start", start("nobody"), on_message=lambda _: None)
    assert isinstance(answer, Refusal)
    assert answer.code == -32001
    assert answer.data["code"] == "VALIDATION_ERROR"


def test_nothing_within_the_timeout_is_none(address, deadlines):
    """To receive nothing is not an error."""
    with connect(address, deadlines=deadlines) as system:
        assert system.receive(0) is None


def test_a_tool_failure_travels_whole(address, deadlines):
    """The data of error -32010 reaches the system as the tool said it."""
    failure = {"code": "NOT_FOUND", "message": "no such note", "retryable": True}
    seen = []
    with connect(address, deadlines=deadlines) as system:
        system.request("run/start", start("echo"))
        while not seen or seen[-1].params["kind"] != "result":
            message = system.receive(60)
            if isinstance(message, Request):
                system.refuse(message.id, -32010, "failed", failure)
            elif isinstance(message, Notification):
                seen.append(message)
    assert seen[-1].params["record"]["error"] == failure


@pytest.mark.parametrize(
    "act",
    [
        lambda system: system.request("run/cancel", {}),
        lambda system: system.notify("tool/progress", {"runId": "r"}),
        lambda system: system.answer("nobody", {"output": 1}),
        lambda system: system.refuse("nobody", -32010, "m"),
        lambda system: system.request("run/start", {**start("echo"), "plan": {"x": float("nan")}}),
        lambda system: system.request("run/start", {**start("echo"), "plan": {"x": "x" * (16 * 1024 * 1024)}}),
    ],
    ids=["params", "notification", "nobody-asked", "nobody-to-refuse", "nan", "too-long"],
)
def test_the_suite_holds_itself_to_the_protocol(act, program, deadlines):
    """The suite checks both directions; if its own message is wrong, the error says that the suite is at fault."""
    with (
        connect(program("minimal.py"), deadlines=deadlines) as system,
        pytest.raises(SuiteFault, match=r"the (suite|system)"),
    ):
        act(system)


@pytest.mark.parametrize(
    ("code", "data"),
    [(-32010, {"code": "X"}), (-32010, None), (-1, None)],
    ids=["misshapen", "without-data", "unknown-code"],
)
def test_only_lawful_refusals_leave_the_suite(code, data, program, deadlines):
    """An error answer of the suite has a code of the table and data of its shape."""
    with connect(program("minimal.py"), deadlines=deadlines) as system:
        system.ask("run/start", start("echo"), on_message=lambda _: None)
        invocation = next(each for each in iter(lambda: system.receive(60), None) if isinstance(each, Request))
        with pytest.raises(SuiteFault):
            system.refuse(invocation.id, code, "m", data)
        system.refuse(invocation.id, -32011, "m")


def test_an_exception_of_the_user_passes_through_unchanged(program, deadlines, alive):
    """The exception leaves the block as it was raised, and the adapter is still ended."""
    seen = []

    def interrupted() -> None:
        with connect(program("hostile/whereabouts.py"), deadlines=deadlines) as system:
            seen.append(int(system.implementation.version))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not alive(*seen)


def test_a_frame_at_the_limit_passes(program, deadlines):
    """A line may have 16 MiB, in both directions."""
    with connect(program("hostile/echo_size.py"), deadlines=deadlines) as system:
        handle = system.request("run/cancel", {"runId": "r", "reason": str(16 * 1024 * 1024)})
        system.wait(handle, on_message=lambda _: None)
        assert sum(map(len, handle.result["padding"])) > 16 * 1024 * 1024 - 100


def test_a_hook_may_fail_with_any_error(program, deadlines):
    """An error answer to hook/before means that the hook failed, whatever its code."""
    params = {"runId": "r", "callId": "c", "tool": "t", "args": {}}
    line = json.dumps({"jsonrpc": "2.0", "id": "h1", "method": "hook/before", "params": params})
    with connect(program("hostile/says.py", line), deadlines=deadlines) as system:
        system.notify("tool/progress", {"runId": "r", "callId": "c"})
        hook = system.receive(60)
        assert hook == Request(1, "h1", "hook/before", params)
        with pytest.raises(SuiteFault):
            system.answer(hook.id, {"action": "modify"})
        system.refuse(hook.id, -1, "the hook broke")
        system.broken = True


def test_an_open_request_has_neither_result_nor_error(program, deadlines):
    """A handle has a result or an error only after it has arrived."""
    with connect(program("minimal.py"), deadlines=deadlines) as system:
        handle = system.request("run/start", start("nobody"))
        assert (handle.done, handle.result, handle.error) == (False, None, None)
        refusal = system.wait(handle, on_message=lambda _: None)
        assert (handle.done, handle.result, handle.error) == (True, None, refusal)
