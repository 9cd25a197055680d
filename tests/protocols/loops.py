"""Logs of an agent loop, made by hand line by line, and the findings in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.agent_loop.calls import Loop
from callproof.protocols.agent_loop.trace import loop_of
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.judging import results_of
from callproof.trace.records import Source

Line = Mapping[str, Any]
Lines = list[Line]


def log_of(lines: Iterable[Line]) -> Entries:
    """A log that holds some lines; a start made without arguments gets the arguments of its call."""
    told = enumerate(_with_arguments(lines), 1)
    return Entries("log.jsonl", tuple(Entry(each, Source("log.jsonl", at)) for at, each in told))


def _with_arguments(lines: Iterable[Line]) -> Iterator[Line]:
    asked: dict[str, Any] = {}
    for line in lines:
        is_wrapped = isinstance(line.get("event"), dict)
        told = line["event"] if is_wrapped else line
        message = told.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        calls = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
        asked |= {each["id"]: each.get("arguments") for each in calls if isinstance(each.get("id"), str)}
        if (
            told.get("type") == "tool_execution_start"
            and told.get("args") == {}
            and isinstance(told["toolCallId"], str)
        ):
            made = {**told, "args": asked.get(told["toolCallId"], {})}
            yield {**line, "event": made} if is_wrapped else made
        else:
            yield line


def loop(lines: Iterable[Line]) -> Loop:
    """The lines, linked up as a trace of a loop."""
    return loop_of(log_of(lines))


def judged(lines: Iterable[Line]) -> Results:
    """The results of the lines, judged as a log of an agent loop."""
    return results_of(PROTOCOL, loop(lines))


def broken(results: Results) -> dict[str, list[str]]:
    """What was observed, by requirement, with a check that threw among it."""
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


def event(kind: str, **members: Any) -> Line:
    """One event."""
    return {"type": kind, **members}


def text(said: str) -> list[Line]:
    """Content that is one text."""
    return [{"type": "text", "text": said}]


def call(name: str, tool: str = "read", **arguments: Any) -> Line:
    """A call, as a block of a reply."""
    return {"type": "toolCall", "id": name, "name": tool, "arguments": arguments}


def reply(*blocks: Line, stop: str = "toolUse") -> Line:
    """A reply with some blocks."""
    return event("message_end", message={"role": "assistant", "content": list(blocks), "stopReason": stop})


def user(said: str = "go on") -> Line:
    """A message of the user."""
    return event("message_end", message={"role": "user", "content": text(said)})


def start(name: str, tool: str = "read") -> Line:
    """The start event of a call."""
    return event("tool_execution_start", toolCallId=name, toolName=tool, args={})


def update(name: str, tool: str = "read") -> Line:
    """An update event of a call."""
    return event("tool_execution_update", toolCallId=name, toolName=tool, args={}, partialResult={"content": []})


def end(name: str, tool: str = "read", *, failed: bool = False, said: str = "ok", details: Any = None) -> Line:
    """The end event of a call."""
    result = {"content": text(said), **({} if details is None else {"details": details})}
    return event("tool_execution_end", toolCallId=name, toolName=tool, result=result, isError=failed)


def result(name: str, tool: str = "read", *, failed: bool = False, said: str = "ok", details: Any = None) -> Line:
    """The result message of a call."""
    message = {"role": "toolResult", "toolCallId": name, "toolName": tool, "content": text(said), "timestamp": 1}
    return event(
        "message_end", message={**message, "isError": failed, **({} if details is None else {"details": details})}
    )


def carried_out(name: str, tool: str = "read", **how: Any) -> Lines:
    """A call from its start to its result."""
    return [start(name, tool), end(name, tool, **how), result(name, tool, **how)]


def run(*lines: Line) -> Lines:
    """A run that ends with a reply without calls."""
    done = reply({"type": "text", "text": "done"}, stop="stop")
    return [event("agent_start"), user(), *lines, done, event("agent_end")]


def probe(name: str, **members: Any) -> Line:
    """One probe."""
    return {"kind": "probe", "probe": name, **members}


def wrapped(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, with every event wrapped."""
    for each in lines:
        yield each if "kind" in each else {"kind": "event", "event": each}


def envelope(status: str, tool: str, **members: Any) -> dict[str, Any]:
    """The envelope of a result, as details and as text."""
    told = {"status": status, "tool": tool, **members}
    return {"said": json.dumps(told), "details": told}


def session(*messages: tuple[str, str | None, Line]) -> Lines:
    """A session file with messages; each has its id, the id of its parent, and the event that ends the message."""
    header: Line = {"type": "session", "version": 3, "id": "s", "cwd": "/project"}
    entries = ({"type": "message", "id": n, "parentId": p, "message": e["message"]} for n, p, e in messages)
    return [header, *entries]
