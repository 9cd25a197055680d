"""A small pipeline, written only from ``spec/pipeline-adapter.md``: one call after the other, in one thread."""

from __future__ import annotations

import json
import sys
from itertools import count
from typing import Any

import jsonschema

Message = dict[str, Any]
NUMBERS = count(1)


def send(**members: Any) -> None:
    """Send one message as one line."""
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
    sys.stdout.flush()


def record(**members: Any) -> None:
    """Send a record."""
    send(method="record", params={"record": members})


def ask(method: str, **params: Any) -> Message:
    """The answer to a question, with its result or its error."""
    number = f"q{next(NUMBERS)}"
    send(id=number, method=method, params=params)
    while True:
        message: Message = json.loads(sys.stdin.readline())
        if message.get("id") == number and "method" not in message:
            return message


def carry(call: Message, tools: list[Message], asks: list[str]) -> Message:
    """Carry a call through; return the members of its result."""
    tool = next((each for each in tools if each["tool_id"] == call["name"]), None)
    if tool is None:
        return failure("unknown_tool", "synthetic_error")
    if not jsonschema.Draft202012Validator(tool["input_schema"]).is_valid(call["input"]):
        return failure("schema_validation_failed")
    named = {"invocation_id": call["invocation_id"], "tool_id": tool["tool_id"], "input": call["input"]}
    if "permission" in asks and ask("permission/ask", **named)["result"]["behavior"] == "deny":
        return failure("permission_denied", "denied")
    answer = ask("tool/execute", **named)
    if "error" in answer:
        return failure(answer["error"]["data"]["error_class"])
    text = json.dumps(answer["result"]["output"])
    return {"status": "succeeded", "model_facing_content": [{"type": "text", "text": text}]}


def failure(error_class: str, status: str = "failed") -> Message:
    """The members of a result that is an error."""
    return {"status": status, "is_error": True, "error": {"error_class": error_class}}


def play(start: Message) -> None:
    """Play one case."""
    for call in start["calls"]:
        told = {"invocation_id": call["invocation_id"]}
        record(record="invocation", **told, tool_id=call["name"] or "?")
        result = carry(call, start["surface"]["tools"], start["asks"])
        if "error" in result:
            result["error"]["phase"] = PHASES[result["error"]["error_class"]]
        record(record="result", result_id=f"r{next(NUMBERS)}", **told, **result)
    send(method="pipeline/finished", params={})


PHASES = {
    "unknown_tool": "resolve_tool",
    "schema_validation_failed": "parse_schema",
    "permission_denied": "permission",
    "execution_failed": "execute",
    "timeout": "execute",
    "dependency_unavailable": "execute",
}


def main() -> None:
    """Serve until the end of input."""
    for line in iter(sys.stdin.readline, ""):
        message: Message = json.loads(line)
        if message["method"] == "initialize":
            spoken = {"protocol": "pipeline", "protocolVersion": "1.0"}
            name = {"name": "plain", "version": "1", "language": "python"}
            claims = {"features": ["serial", "permission"]}
            send(id=message["id"], result={**spoken, "implementation": name, "claims": claims})
        elif "id" in message:
            send(id=message["id"], result={})
            if message["method"] == "pipeline/start":
                play(message["params"])
            elif message["method"] == "shutdown":
                return


if __name__ == "__main__":
    main()
