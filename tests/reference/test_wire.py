"""The adapter protocol over the pipes of a real process."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reference_suite import POLICY, plan, step, tool

COMMAND = [str(Path(sysconfig.get_path("scripts"), "callproof-reference")), "stdio"]


class Process:
    """The executor in a process of its own."""

    def __init__(self) -> None:
        self.child = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line: bytes) -> None:
        """Send one line."""
        assert self.child.stdin
        self.child.stdin.write(line + b"\n")
        self.child.stdin.flush()

    def tell(self, **message: Any) -> None:
        """Send one message."""
        self.send(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def hear(self) -> dict[str, Any]:
        """The next message."""
        assert self.child.stdout
        heard = json.loads(self.child.stdout.readline())
        assert heard["jsonrpc"] == "2.0"
        return dict(heard)

    def end(self) -> int:
        """End the input, and return the exit code; no further message may come."""
        rest, _ = self.child.communicate(timeout=30)
        assert rest == b""
        return self.child.returncode


@pytest.fixture
def process() -> Iterator[Process]:
    """A process that is killed at the end, whatever happens."""
    process = Process()
    yield process
    process.child.kill()
    process.child.communicate()


def test_a_whole_conversation(process: Process) -> None:
    """The handshake, the messages of a run in their order, and the end."""
    process.tell(id=1, method="initialize", params={"protocolVersion": "1.0"})
    answer = process.hear()["result"]
    assert answer["claims"]["profiles"] == ["envelope"]
    assert "virtualClock" in answer["claims"]["features"]
    process.tell(id=2, method="run/start", params={"plan": plan(step("a")), "policy": POLICY, "tools": [tool()]})
    run = process.hear()["result"]["runId"]
    kinds = []
    while (heard := process.hear())["method"] == "record":
        kinds.append(heard["params"]["kind"])
    assert kinds == ["run", "event", "call", "event", "event"]
    assert heard["method"] == "tool/invoke"
    process.tell(id=heard["id"], result={"output": {"n": 1}})
    assert process.hear()["params"]["record"]["data"] == {"n": 1}
    assert [process.hear()["params"]["record"]["type"] for _ in range(2)] == ["step.finished", "run.finished"]
    assert process.hear() == {"jsonrpc": "2.0", "method": "run/finished", "params": {"runId": run}}
    process.tell(id=3, method="clock/advance", params={"ms": 250})
    assert process.hear()["result"] == {"now": "2026-01-01T00:00:00.250Z"}
    process.tell(id=4, method="shutdown", params={})
    assert process.hear()["result"] == {}
    assert process.end() == 0


def test_the_end_of_input_ends_the_process_in_the_middle_of_a_run(process: Process) -> None:
    """Framing: the end of input means that the process stops."""
    process.tell(id=1, method="run/start", params={"plan": plan(step("a")), "policy": POLICY, "tools": [tool()]})
    while process.hear().get("method") != "tool/invoke":
        pass
    assert process.end() == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", -32700),
        (b"[]", -32700),
        (b"\xff", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"clock/advance","params":{"ms":-1}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"run/confirm","params":{"decision":"maybe"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"run/cancel","params":{"runId":"r","reason":5}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"run/cancel","params":{"reason":"\\ud800"}}', -32602),
    ],
)
def test_what_is_no_request_is_answered_and_passed_over(process: Process, line: bytes, code: int) -> None:
    """The conversation goes on afterwards."""
    process.send(line)
    assert process.hear()["error"]["code"] == code
    process.tell(id=2, method="clock/advance", params={"ms": 0})
    assert process.hear()["id"] == 2


def test_a_line_over_the_limit_is_refused_whole(process: Process) -> None:
    """Framing: the limit is 16 MiB, and the bytes behind it are not read as a message of their own."""
    process.send(b" " * (16 * 1024 * 1024 + 1) + b'{"jsonrpc":"2.0","id":1,"method":"initialize"}')
    assert process.hear()["error"]["code"] == -32700
    process.tell(id=2, method="clock/advance", params={"ms": 0})
    assert process.hear()["id"] == 2


def test_notifications_and_strangers_are_ignored(process: Process) -> None:
    """Unknown notifications, answers to no request, and unknown runs."""
    process.tell(method="no/such", params={})
    process.tell(id=77, result={})
    process.tell(method="tool/progress", params={"runId": "none", "callId": "none"})
    process.tell(id=1, method="run/cancel", params={"runId": "none"})
    assert process.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    process.tell(id=2, method="run/confirm", params={"runId": "none", "confirmationId": "x", "decision": "approved"})
    assert process.hear() == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_output_that_is_no_strict_json_ends_its_call(process: Process) -> None:
    """RES-22: NaN on the wire is read and reported, but never passed on."""
    process.tell(id=1, method="run/start", params={"plan": plan(step("a")), "policy": POLICY, "tools": [tool()]})
    while (heard := process.hear()).get("method") != "tool/invoke":
        pass
    process.send(b'{"jsonrpc":"2.0","id":%d,"result":{"output":{"n":NaN}}}' % heard["id"])
    assert process.hear()["params"]["record"]["error"]["details"]["reason"] == "unserialisable"
