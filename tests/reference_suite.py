"""A small suite, only for these tests, that drives the reference executor, one message after the other.

It shares nothing with the conformance suite: values written by hand judge what the executor does.
"""

from __future__ import annotations

import queue
import threading
from typing import Any

from callproof_reference.wire import serve

OPEN = {"type": "object"}
POLICY = {"confirmationsRequired": False, "sandbox": {}, "limits": {"maxConcurrency": 4}}


def tool(name: str = "echo", **more: Any) -> dict[str, Any]:
    """A tool that the suite hosts."""
    return {"name": name, "inputSchema": OPEN, "outputSchema": OPEN, "riskLevel": "read-only", "host": "suite", **more}


def step(name: str, tool: str = "echo", /, **more: Any) -> dict[str, Any]:
    """A step without arguments, unless they are given."""
    return {"id": name, "tool": tool, "args": {}, **more}


def plan(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A plan of these steps."""
    return {"version": "1.0", "goal": "a test", "riskLevel": "read-only", "steps": list(steps), **more}


def policy(*, confirm: bool = False, sandbox: dict[str, Any] | None = None, **limits: int) -> dict[str, Any]:
    """A policy with these limits, and with four slots unless the limits say otherwise."""
    return {"confirmationsRequired": confirm, "sandbox": sandbox or {}, "limits": {"maxConcurrency": 4, **limits}}


class Suite:
    """One conversation with the executor, in a thread; after each message, everything that follows has happened."""

    def __init__(self) -> None:
        self._to_system: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._from_system: queue.Queue[dict[str, Any]] = queue.Queue()
        self._asked = 0
        self.heard: list[dict[str, Any]] = []
        self.run_id = ""
        threading.Thread(target=serve, args=(self,), daemon=True).start()

    def receive(self) -> dict[str, Any] | None:
        """The executor's side of the wire."""
        return self._to_system.get()

    def send(self, message: dict[str, Any]) -> None:
        """The executor's side of the wire."""
        self._from_system.put(message)

    def close(self) -> None:
        """End the executor's input."""
        self._to_system.put(None)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; everything else that comes is kept in ``heard``."""
        self._asked += 1
        identity = f"s{self._asked}"
        self._to_system.put({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})
        while True:
            message = self._from_system.get(timeout=30)
            if message.get("id") == identity and "method" not in message:
                return message
            self.heard.append(message)

    def barrier(self) -> None:
        """Wait until the executor has handled everything that was sent."""
        self.ask("clock/advance", ms=0)

    def advance(self, ms: int) -> None:
        """Let virtual time pass."""
        self.ask("clock/advance", ms=ms)

    def start(self, plan: dict[str, Any], *tools: dict[str, Any], **more: Any) -> str:
        """Start a run that is expected to be accepted."""
        params = {"plan": plan, "policy": POLICY, "tools": list(tools) or [tool()], **more}
        self.run_id = self.ask("run/start", **params)["result"]["runId"]
        self.barrier()
        return self.run_id

    def refusal(self, plan: Any, *tools: dict[str, Any], **more: Any) -> dict[str, Any]:
        """The data of the refusal of a run."""
        answer = self.ask("run/start", **{"plan": plan, "policy": POLICY, "tools": list(tools) or [tool()], **more})
        assert answer["error"]["code"] == -32001
        return answer["error"]["data"]

    def sent(self, method: str) -> list[dict[str, Any]]:
        """The messages of the executor with this method, in order."""
        return [message for message in self.heard if message.get("method") == method]

    def records(self, kind: str) -> list[dict[str, Any]]:
        """The records of one kind, in order."""
        return [m["params"]["record"] for m in self.sent("record") if m["params"]["kind"] == kind]

    def statuses(self) -> list[tuple[str, str]]:
        """Step and status of each result, in order."""
        return [(result["stepId"], result["status"]) for result in self.records("result")]

    def events(self) -> list[str]:
        """The types of all events, in order."""
        return [event["type"] for event in self.records("event")]

    def invocation(self, number: int = -1) -> dict[str, Any]:
        """One invocation of a hosted tool; the last one unless told otherwise."""
        return self.sent("tool/invoke")[number]

    def answer(self, request: dict[str, Any], **result: Any) -> None:
        """Answer an invocation or a hook."""
        self._to_system.put({"jsonrpc": "2.0", "id": request["id"], "result": result})
        self.barrier()

    def fail(self, request: dict[str, Any], code: str = "INTERNAL_ERROR", **data: Any) -> None:
        """Let an invocation fail with an error of the tool."""
        self.error(request, -32010, {"code": code, "message": "no luck", **data})

    def error(self, request: dict[str, Any], code: int, data: Any = None) -> None:
        """Answer a request with an error."""
        error = {"code": code, "message": "it broke: secret", **({"data": data} if data else {})}
        self._to_system.put({"jsonrpc": "2.0", "id": request["id"], "error": error})
        self.barrier()

    def echo_all(self) -> None:
        """Answer every invocation, and those that follow, with its own arguments."""
        answered = 0
        while answered < len(self.sent("tool/invoke")):
            request = self.invocation(answered)
            self.answer(request, output=request["params"]["args"])
            answered += 1
