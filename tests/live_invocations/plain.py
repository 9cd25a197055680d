"""A system written only from the two chapters, without the reference: one loop that reads, asks and records.

The orchestrator does not know about profiles.  It lets every wanted tool through, and the runtime finds out which tools
are there; it learns the outcome of a tool by trying it, and leaves out everything optional.
"""

from __future__ import annotations

import json
import sys
from typing import Any

FEATURES = ["byRuntime", "byProvider", "v1", "2026-05", "requiredTools", "severalTools", "rerouting"]
CODES = {"timeout": "tool_timeout", "http_error": "tool_http_error", "network_error": "tool_network_error"}


class Refused(Exception):
    """An answer that is an error."""


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(method: str, **params: Any) -> dict[str, Any]:
    """Ask, and wait for the answer: no other message comes during a case."""
    send(id=method, method=method, params=params)
    answer = json.loads(sys.stdin.readline())
    if "error" in answer:
        raise Refused((answer["error"].get("data") or {}).get("kind"))
    result: dict[str, Any] = answer["result"]
    return result


def serve() -> None:
    """Serve until `shutdown`."""
    number = 0
    for line in sys.stdin:
        message = json.loads(line)
        method = message["method"]
        if method == "initialize":
            names = {"protocol": "invocation", "protocolVersion": "1.0"}
            mine = {"name": "plain", "version": "1", "language": "python"}
            send(id=message["id"], result={**names, "implementation": mine, "claims": {"features": FEATURES}})
            continue
        send(id=message["id"], result={})
        if method == "shutdown":
            return
        number += 1
        respond(f"response {number}", **message["params"])


def respond(  # noqa: PLR0917  the members of the start as they come
    name: str, question: str, contract: str, toolsBy: str, tools: Any, profiles: Any, selected: Any, **_more: Any
) -> None:
    """Make one response, from start to end."""
    later = contract != "v1"
    intents = {each["toolName"]: each for each in ask("planner/plan", question=question)["intents"]}
    needed = {each["toolName"] for each in tools if not each["optional"]}
    having = {each["name"]: set(each["tools"]) for each in profiles}
    wanted, profile = [tool for tool, each in intents.items() if each["requested"]], selected["profile"]
    if later and selected["mayReroute"] and not having[profile].intersection(wanted):
        profile = capable(having, sorted(wanted, key=lambda tool: tool not in needed)) or profile
    moved = {"reasonCode": "search_rerouted_to_fallback_profile"} if profile != selected["profile"] else {}
    events = {tool: {"status": "skipped", "reasonCode": "tool_unavailable"} for tool in wanted}
    here = [tool for tool in wanted if tool in having[profile]]
    gave, generation, text, closed = [], None, None, bool(needed.intersection(wanted).difference(here))
    for tool in [] if closed or toolsBy == "provider" else here:
        try:
            with_what = {"input": intents[tool]["input"]} if "input" in intents[tool] else {}
            gave.append({"toolName": tool, **ask("tool/call", profile=profile, toolName=tool, **with_what)})
            events[tool] = {"status": "executed", **moved}
        except Refused as how:
            events[tool] = failed(str(how), later)
            closed = closed or tool in needed
    if not closed:
        offered = [intents[tool] for tool in here] if toolsBy == "provider" else []
        try:
            answer = ask("provider/generate", profile=profile, offered=offered, results=gave)
            generation, text = "executed", answer["text"]
            events.update(heard(answer, offered, moved, later))
        except Refused:
            generation = "failed"
    if any(events[tool]["status"] != "executed" for tool in needed.intersection(wanted)):
        generation, text = None, None
    others = (("generation", generation), ("evaluator", "executed"))
    told = [{"kind": "tool", "toolName": tool, **each} for tool, each in events.items()]
    told += [{"kind": kind, "status": status} for kind, status in others if status]
    for tool in reversed([each["toolName"] for each in tools]):
        record = {"responseId": name, "contract": contract, "optional": tool not in needed, "execution": told}
        send(method="record", params={"record": {**record, **asked(tool, intents[tool], bool(moved))}})
    send(method="invocation/finished", params={"text": f"{text}\n\nAsk again any time."} if text else {})


def capable(having: dict[str, set[str]], wanted: list[str]) -> str | None:
    """The first profile with the first of these tools that any profile has."""
    return next((profile for tool in wanted for profile in having if tool in having[profile]), None)


def asked(tool: str, intent: Any, moved: bool) -> dict[str, Any]:
    """The intent, without its input, and the request that was made of it."""
    request = {"toolName": tool, "requested": intent["requested"], "eligible": intent["requested"]}
    if not intent["requested"]:
        request["reasonCode"] = "tool_not_requested"
    return {"intent": {"toolName": tool, "requested": intent["requested"]}, "request": request, "x-moved": moved}


def failed(how: str, later: bool) -> dict[str, str]:
    """The outcome of a tool that failed."""
    code = CODES.get(how, "unspecified_tool_outcome") if later else "tool_execution_error"
    return {"status": "failed", "reasonCode": "tool_invalid_response" if later and how == "invalid_response" else code}


def heard(answer: Any, offered: Any, moved: dict[str, str], later: bool) -> dict[str, dict[str, str]]:
    """The outcomes that the provider reports for the offered tools; a tool that it does not name was not used."""
    used = {each["toolName"]: each for each in answer.get("used", [])}
    found: dict[str, dict[str, str]] = {}
    for each in offered:
        tool = each["toolName"]
        if tool not in used:
            found[tool] = {"status": "skipped", "reasonCode": "unspecified_tool_outcome"}
        elif used[tool]["status"] == "executed":
            found[tool] = {"status": "executed", **moved}
        else:
            found[tool] = failed(used[tool]["failure"], later)
    return found
