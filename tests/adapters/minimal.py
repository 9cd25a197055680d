"""A well-behaved adapter in about sixty lines: steps one after another, literal arguments, no features.

Run as a program it speaks over its pipes; ``python:minimal:serve`` uses only ``serve``.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime

METHODS = {
    "initialize": "_hello",
    "run/start": "_start",
    "shutdown": "_take",
    "run/cancel": "_take",
    "run/confirm": "_take",
}


class Minimal:
    """One conversation; a run is the list of steps that are still to do."""

    def __init__(self, wire):
        self.wire, self.runs, self.policy, self.steps, self.call, self.tools = wire, 0, {}, [], {}, {}

    def serve(self):
        while (message := self.wire.receive()) is not None:
            if "method" not in message:
                self._close(message)
            elif message["method"] in METHODS:
                getattr(self, METHODS[message["method"]])(message["id"], message.get("params", {}))
            elif "id" in message:
                self._send(id=message["id"], error={"code": -32601, "message": "unknown method"})

    def _hello(self, number, _params):
        implementation = {"name": "minimal", "version": "1", "language": "python"}
        claims = {"profiles": ["envelope"], "features": [], "postures": {}}
        self._send(id=number, result={"protocolVersion": "1.0", "implementation": implementation, "claims": claims})

    def _take(self, number, _params):
        self._send(id=number, result={})

    def _start(self, number, params):
        self.tools = {tool["name"]: tool for tool in params["tools"]}
        self.policy, self.steps = params["policy"], list(params["plan"].get("steps", []))
        unknown = [step["tool"] for step in self.steps if step["tool"] not in self.tools]
        if unknown or not self.steps:
            data = {"code": "VALIDATION_ERROR", "message": f"no steps, or unknown tools {unknown}"}
            return self._send(id=number, error={"code": -32001, "message": "refused", "data": data})
        self.runs += 1
        self._send(id=number, result={"runId": f"run-{self.runs}"})
        self._record("run", {"specVersion": "1.0", "plan": params["plan"], "policy": self.policy})
        return self._next()

    def _next(self):
        if not self.steps:
            return self._send(method="run/finished", params={"runId": f"run-{self.runs}"})
        step = self.steps.pop(0)
        self.call = {
            "callId": f"call-{self.runs}-{step['id']}",
            "stepId": step["id"],
            "tool": step["tool"],
            "attempt": 1,
        }
        risk = self.tools[step["tool"]].get("riskLevel", "commands")
        versions = {"executorVersion": "1", "toolRegistryVersion": "1", "policy": self.policy, "riskLevel": risk}
        self._record("call", {**self.call, **versions, "args": step["args"], "cancellable": True, "createdAt": now()})
        params = {
            "runId": f"run-{self.runs}",
            "callId": self.call["callId"],
            "tool": step["tool"],
            "args": step["args"],
        }
        return self._send(id=self.call["callId"], method="tool/invoke", params=params)

    def _close(self, message):
        ok, error = "result" in message, message.get("error", {})
        failure = {"code": "INTERNAL_ERROR", **error.get("data", {"message": error.get("message")})}
        outcome = {"data": message["result"]["output"]} if ok else {"error": failure}
        times = {"startedAt": now(), "endedAt": now(), "durationMs": 0}
        self._record("result", {**self.call, "status": "ok" if ok else "error", "ok": ok, **times, **outcome})
        if not ok:
            self.steps = []
        self._next()

    def _record(self, kind, record):
        run = f"run-{self.runs}"
        self._send(method="record", params={"runId": run, "kind": kind, "record": {"runId": run, **record}})

    def _send(self, **message):
        self.wire.send({"jsonrpc": "2.0", **message})


def now():
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


def serve(wire):
    Minimal(wire).serve()


class Pipes:
    """The wire over standard input and output."""

    def receive(self):
        line = sys.stdin.readline()
        return json.loads(line) if line else None

    def send(self, message):
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(Pipes())
