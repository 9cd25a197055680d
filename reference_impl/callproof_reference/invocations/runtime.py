"""One response: it uses or offers tools, asks for an answer, and tells the outcome of all that (INT-10)."""

import time
from itertools import count
from typing import ClassVar

from callproof_reference.invocations.orchestrator import REROUTED, V1, Requested, Setting, profile_for, requested
from callproof_reference.peers.peer import Failed, Peer
from callproof_reference.values import Object, as_object, objects

_FAILURE = "tool_execution_error"
_IDS = count(1)


class Response:
    """One response, from the plan to the last record."""

    attempts: ClassVar[int] = 2  # how often a provider is asked for an answer

    def __init__(self, peer: Peer, start: Object) -> None:
        self._peer, self._start = peer, start
        self._setting = Setting(start)
        self._results = list[Object]()
        self._generation = "skipped"
        self._id = f"r-{next(_IDS)}"

    def run(self) -> None:
        """Give the response, and leave its records."""
        plan = self._peer.ask("planner/plan", {"question": self._start["question"]})
        intents = objects(plan["intents"])
        self._profile = self._profile_for(intents)
        tools = [self._requested(each) for each in intents]
        text = self._answer(tools)
        for each in tools:
            self._peer.tell("record", {"record": self._record(each, tools)})
        self._peer.tell("invocation/finished", {} if text is None else {"text": text})

    def _profile_for(self, intents: list[Object]) -> str:
        return profile_for(self._setting, intents)

    def _requested(self, intent: Object) -> Requested:
        return requested(self._setting, intent, self._profile)

    def _answer(self, tools: list[Requested]) -> str | None:
        """The answer, or None: without a needed tool no provider is asked (INT-08, INT-17)."""
        ready = [each for each in tools if self._may_use(each)]
        if any(self._is_missed(each) for each in tools if each not in ready):
            return None
        if not self._setting.by_provider:
            for each in ready:
                self._use(each)
                if self._is_missed(each):
                    return None
        text = self._generated(ready)
        if not any(map(self._is_missed, tools)):
            return text
        # An answer that a provider gave without a needed tool is thrown away, and is no response (INT-08, INT-17).
        self._generation = "skipped"
        return None

    def _may_use(self, one: Requested) -> bool:
        return one.wanted and self._setting.has(self._profile, one.tool)

    def _is_missed(self, one: Requested) -> bool:
        needed = one.wanted and not self._setting.optional(one.tool)
        return needed and one.outcome["status"] != "executed"

    def _use(self, one: Requested) -> None:
        """Use a tool; what it gives goes to the provider (INT-13, INT-16)."""
        begun = time.monotonic()
        answer = self._called(one)
        if "error" in answer:
            kind = str(as_object(as_object(answer["error"]).get("data")).get("kind"))
            self._came(one, "failed", kind)
        else:
            self._results.append({"toolName": one.tool, "output": as_object(answer["result"])["output"]})
            self._came(one, "executed")
        one.outcome["durationMs"] = int((time.monotonic() - begun) * 1000)

    def _called(self, one: Requested) -> Object:
        given = {"input": one.intent["input"]} if "input" in one.intent else {}
        return self._peer.begin("tool/call", {"profile": self._profile, "toolName": one.tool, **given}).result()

    def _generated(self, ready: list[Requested]) -> str | None:
        """What a provider answers; also notes the tools that it used itself (INT-15)."""
        offered: list[Object] = []
        if self._setting.by_provider:
            offered = [{k: each.intent[k] for k in ("toolName", "input") if k in each.intent} for each in ready]
        for _ in range(self.attempts):
            try:
                answer = self._asked({"profile": self._profile, "offered": offered, "results": self._results})
            except Failed:
                self._generation = "failed"
                continue
            self._generation = "executed"
            if offered:
                self._heard(ready, answer)
            return str(answer["text"])
        return None

    def _asked(self, params: Object) -> Object:
        return self._peer.ask("provider/generate", params)

    def _heard(self, ready: list[Requested], answer: Object) -> None:
        """Take what the provider says of the offered tools; if it says nothing, no outcome changes (INT-14)."""
        used = {each["toolName"]: each for each in objects(answer.get("used", []))}
        for one in ready:
            if one.tool in used:
                told = used[one.tool]
                self._came(one, str(told["status"]), str(told.get("failure")))
            elif "used" in answer:
                self._came(one, "skipped", code="tool_not_used")

    def _came(self, one: Requested, status: str, failure: str = "", code: str | None = None) -> None:
        """Set the outcome: its code says why, or that another profile was used (INT-03, INT-06, INT-18)."""
        if status == "failed":
            code = _FAILURE if self._setting.contract == V1 or failure not in _KINDS else f"tool_{failure}"
        elif status == "executed" and self._profile != self._setting.chosen:
            code = REROUTED
        one.by = "runtime"
        one.outcome = {"toolName": one.tool, "status": status, **({} if code is None else {"reasonCode": code})}

    def _record(self, one: Requested, tools: list[Requested]) -> Object:
        """The record of the contract about one tool and this response."""
        events = [{"kind": "tool", **each.outcome} for each in tools]
        record: Object = {"responseId": self._id, "contract": self._setting.contract}
        record |= {"optional": self._setting.optional(one.tool), "intent": one.intent, "request": one.request}
        record |= {"reported": {one.by: one.outcome}, "outcome": one.outcome}
        return {**record, "execution": [*events, {"kind": "generation", "status": self._generation}]}


_KINDS = ("timeout", "http_error", "network_error", "invalid_response")
