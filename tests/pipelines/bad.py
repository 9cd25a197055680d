"""Adapters of pipelines that get the wire wrong: ``python bad.py HOW``."""

from __future__ import annotations

import json
import sys
from typing import Any

Message = dict[str, Any]
CLAIMS = {"features": ["serial", "abort"]}
INTRODUCTION = {"protocol": "pipeline", "protocolVersion": "1.0", "claims": CLAIMS}
NAME = {"name": "bad", "version": "1", "language": "python"}
FINISHED = {"method": "pipeline/finished", "params": {}}


def send(*messages: Message) -> None:
    """Send messages, all at once: after the end of a case, the suite looks for more messages only briefly."""
    sys.stdout.write("".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in messages))
    sys.stdout.flush()


def executes(number: int, call: str = "i-1") -> Message:
    """The request to execute a tool."""
    params = {"invocation_id": call, "tool_id": "notes.read", "input": {"path": "Birds.md"}}
    return {"id": f"t{number}", "method": "tool/execute", "params": params}


def told(kind: str, **members: Any) -> Message:
    """The message with a record."""
    return {"method": "record", "params": {"record": {"record": kind, **members}}}


def play(how: str) -> None:
    """Play a case in the bad way."""
    if how == "garbage":
        sys.stdout.write("executing\n")
        sys.stdout.flush()
    elif how == "finishes-twice":
        send(FINISHED, FINISHED)
    elif how == "no-record":
        send({"method": "record", "params": {"record": {"kind": "result"}}})
    elif how == "executes-for-ever":
        number = 0
        while True:
            send(executes(number))
            number += 1
            while "result" not in json.loads(sys.stdin.readline()):
                pass
    elif how == "floods":
        while True:
            send(told("progress", invocation_id="i-1", sequence=1))
    elif how == "forges":
        send(told("probe", probe="tool_executed", invocation_id="i-1", input={"path": "Birds.md"}))
        send(told("invocation", invocation_id="i-1", tool_id="notes.read"))
        send(told("result", invocation_id="i-1", result_id="r", status="succeeded"))
        send(FINISHED)


def main(how: str) -> None:
    """Serve until the end of input."""
    for line in iter(sys.stdin.readline, ""):
        message: Message = json.loads(line)
        method = message.get("method")
        if method == "pipeline/start" and how == "begins-too-early":
            send(FINISHED)
        if method == "pipeline/start" and how == "dies":
            sys.exit("out of memory")
        if "id" in message and method is not None:
            send(
                {
                    "id": message["id"],
                    "result": {**INTRODUCTION, "implementation": NAME} if method == "initialize" else {},
                }
            )
        if method == "pipeline/start":
            play(how)
        if method == "shutdown":
            return


if __name__ == "__main__":
    main(sys.argv[1])
