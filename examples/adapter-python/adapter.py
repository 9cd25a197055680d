"""The adapter around tiny_agent: callproof's messages on one side, the agent's own words on the other."""

from __future__ import annotations

import hashlib
import json
import sys
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from tiny_agent import Agent, Failed, Refused, Tool

Json = dict[str, Any]
_CODES = {"VALIDATION_ERROR", "POLICY_DENIED", "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED", "INTERNAL_ERROR"}
_HELLO: Json = {
    "protocolVersion": "1.0",
    "implementation": {"name": "tiny-agent", "version": "1", "language": "python"},
    "claims": {"profiles": ["envelope"], "features": []},
}


def send(**message: Any) -> None:
    """Send one message as one line."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def listen(until: str | None = None) -> Json:
    """Do what the suite asks until it answers the request with this id; stop at the end of the input."""
    for line in sys.stdin:
        message: Json = json.loads(line)
        if message.get("method") == "run/start":
            start(message["id"], message["params"])
        elif "method" in message and "id" in message:  # this agent cannot ask or stop: it only acknowledges these
            send(id=message["id"], result=_HELLO if message["method"] == "initialize" else {})
        elif message.get("id") == until:
            return message
    sys.exit(0)


def start(number: Any, params: Json) -> None:
    """Give the agent the plan, and the suite's tools as its own tools."""
    run = Run(params["policy"], params["tools"])
    try:
        agent = Agent(params["plan"], params["policy"], [run.tool(each) for each in params["tools"]])
    except Refused as refusal:
        data = {"code": "VALIDATION_ERROR", "message": str(refusal), "details": {"reason": refusal.reason}}
        return send(id=number, error={"code": -32001, "message": "refused", "data": data})
    send(id=number, result={"runId": run.id})
    run.record("run", specVersion="1.0", plan=params["plan"], policy=params["policy"], tools=params["tools"])
    agent.run(run)
    return send(method="run/finished", params={"runId": run.id})


class Run:
    """The agent's watcher: it writes callproof's records of one run."""

    def __init__(self, policy: Json, tools: list[Json]) -> None:
        self.id, self._policy = f"run-{uuid.uuid4()}", policy
        # The name identifies the schemas in use: other schemas give another name (CALL-12).
        self._registry = hashlib.sha256(json.dumps(tools).encode()).hexdigest()
        self._entered: datetime | None = None

    def tool(self, descriptor: Json) -> Tool:
        """A tool of the suite as a tool of the agent."""
        name, aliases = descriptor["name"], descriptor.get("aliases", [])
        risk = descriptor.get("riskLevel", "commands")
        schemas = descriptor["inputSchema"], descriptor["outputSchema"]
        return Tool(name, lambda call, args: self._invoke(call, name, args), *schemas, risk, aliases)

    def calling(self, step: Json, tool: Tool) -> str:
        """Write the record of a call before its tool is entered (CALL-21)."""
        name = str(uuid.uuid4())
        versions = {"executorVersion": "1", "toolRegistryVersion": self._registry, "createdAt": _now().isoformat()}
        risk = {"riskLevel": tool.risk, "cancellable": False, "policy": self._policy}
        self.record("call", **_about(name, step, tool), **versions, **risk, args=step["args"])
        return name

    def ended(self, call: str | None, step: Json, tool: Tool, status: str, **outcome: Any) -> None:
        """Write a result; that of a skipped step stands alone, under its own call id (A2)."""
        ended = _now()
        started, self._entered = self._entered or ended, None
        times = {"startedAt": started.isoformat(), "endedAt": ended.isoformat()}
        duration = (ended - started) / timedelta(milliseconds=1)
        about = _about(call or str(uuid.uuid4()), step, tool)
        self.record("result", **about, **times, **outcome, durationMs=duration, status=status, ok=status == "ok")

    def record(self, kind: str, **members: Any) -> None:
        """Send one record."""
        send(method="record", params={"runId": self.id, "kind": kind, "record": {"runId": self.id, **members}})

    def _invoke(self, call: str, name: str, args: Json) -> Any:
        self._entered = _now()
        send(id=call, method="tool/invoke", params={"runId": self.id, "callId": call, "tool": name, "args": args})
        answer = listen(until=call)
        if "result" in answer:
            return answer["result"]["output"]
        # A failure that the tool reports is quoted; the message of a crash is not: it may contain anything (MSG-07).
        report: Json = answer["error"].get("data") or {"code": "INTERNAL_ERROR", "message": ""}
        report["message"] = report["message"] or "the tool failed"
        if report["code"] not in _CODES:  # keep the tool's own code for its author (ERR-09)
            report["details"] = {**report.get("details", {}), "toolCode": report["code"]}
            report["code"] = "INTERNAL_ERROR"
        raise Failed(**{name: report[name] for name in ("code", "message", "retryable", "details") if name in report})


def _about(call: str, step: Json, tool: Tool) -> Json:
    return {"callId": call, "stepId": step["id"], "tool": tool.name, "attempt": 1}


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    listen()
