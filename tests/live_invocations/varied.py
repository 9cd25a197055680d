"""Systems that differ from the reference in what the contract leaves open: none of them breaks anything."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, cast

from callproof_reference.invocations.orchestrator import Requested
from callproof_reference.invocations.runtime import Response
from callproof_reference.peers.peer import Failed, Peer
from callproof_reference.values import Object

from live_invocations.kinds import Kind, Record, telling, with_outcome


class FindsOut(Response):
    """The orchestrator lets every wanted tool through, and the runtime finds that the tool is not there."""

    def _requested(self, intent: Object) -> Requested:
        made = super()._requested(intent)
        if made.wanted and not made.request["eligible"] and self._profile == self._setting.chosen:
            made.request = {"toolName": made.tool, "requested": True, "eligible": True}
            made.outcome = {"toolName": made.tool, "status": "skipped", "reasonCode": "tool_unavailable"}
            made.by = "runtime"
        return made


class Stubborn(Response):
    """A tool that failed is tried up to three times."""

    def _called(self, one: Requested) -> Object:
        answer: Object = {}
        for _ in range(3):
            answer = super()._called(one)
            if "error" not in answer:
                break
        return answer


class Revising(Response):
    """If the provider uses no tools, it is asked for a draft, and then for another one, which may fail."""

    def _asked(self, params: Object) -> Object:
        answer = super()._asked(params)
        with suppress(Failed):
            answer = answer if self._setting.by_provider else super()._asked(params)
        return answer


class Apologetic(Response):
    """The text for the user mentions sources and failures."""

    def _answer(self, tools: list[Requested]) -> str | None:
        text = super()._answer(tools)
        return "I am sorry." if text is None else f"Here you are: {text}\n\nSources: none."


class AsksForEach(Response):
    """The planner is asked again for each tool, and the runtime reports failures to the provider."""

    def _requested(self, intent: Object) -> Requested:
        plan = self._peer.ask("planner/plan", {"question": self._start["question"]})
        return super()._requested(next(each for each in plan["intents"] if each["toolName"] == intent["toolName"]))

    def _use(self, one: Requested) -> None:
        super()._use(one)
        if one.outcome["status"] == "failed":
            self._results.append({"toolName": one.tool, "output": {"error": one.outcome["reasonCode"]}})


class HalfMoved(Response):
    """The tool is used under another profile, and the chosen one makes the answer."""

    def _asked(self, params: Object) -> Object:
        profile = params["profile"] if self._setting.by_provider else self._setting.chosen
        return super()._asked({**params, "profile": profile})


class OnceAsked(Response):
    """A provider is asked once, and the tool gets defaults beside the planner's input."""

    attempts = 1

    def _called(self, one: Requested) -> Object:
        given = {"x-region": "world", **one.intent.get("input", {})}
        call = {"profile": self._profile, "toolName": one.tool, "input": given}
        return self._peer.begin("tool/call", call).result()


class _Marking:
    """A peer that adds members with the suite's own names to the message of the end."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def tell(self, method: str, params: Object) -> None:
        own = {"kind": "meta", "probe": "gave_up", "tookMs": "soon"} if method == "invocation/finished" else {}
        self._peer.tell(method, {**params, **own})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._peer, name)


class OwnEnd(Response):
    """The message of the end has members of the system's own, with names that the suite uses too."""

    def __init__(self, peer: Peer, start: Object) -> None:
        super().__init__(cast("Peer", _Marking(peer)), start)


def of_few_words(record: Record) -> Record:
    """Everything optional is left out: the outcome beside the event, reports, durations and input."""
    told = {name: each for name, each in record.items() if name not in ("outcome", "reported")}
    events = [{name: each for name, each in event.items() if name != "durationMs"} for event in record["execution"]]
    wanted = record["intent"]["requested"]
    tool = record["intent"]["toolName"]
    left = [each for each in events if wanted or each.get("toolName") != tool]
    return {**told, "execution": left, "intent": {"toolName": tool, "requested": wanted}}


def of_many_words(record: Record) -> Record:
    """Every part has members of the system's own, and another source infers a different outcome."""
    guess = {"toolName": record["intent"]["toolName"], "status": "executed"}
    parts: dict[str, Any] = {name: {**record[name], "x-at": 1} for name in ("intent", "request", "outcome")}
    events = [{**each, "x-cost": 0.1} for each in record["execution"]]
    events.insert(0, {"kind": "planner", "status": "executed"})
    reported = {"runtime": record["outcome"], "inferred": guess} if record["intent"]["requested"] else {}
    return {**record, **parts, "reported": reported, "execution": events, "x-trace": "t-1"}


def eligible_although_unwanted(record: Record) -> Record:
    """Under the later contract a tool that nobody wants is eligible, since it is there."""
    if record["intent"]["requested"] or record["contract"] == "v1":
        return record
    return {**record, "request": {**record["request"], "eligible": True}}


def never_sure(record: Record) -> Record:
    """A failure without a kind, and a tool that the model did not use, get no more precise code."""
    unsure = record["outcome"].get("reasonCode") in ("tool_not_used", "tool_execution_error")
    if record["outcome"]["status"] == "failed" and record["contract"] == "v1":
        return record
    return with_outcome(record, reasonCode="unspecified_tool_outcome") if unsure else record


VARIED: Final = (
    Kind("finds-out", "The runtime finds out what is there.", FindsOut),
    Kind("stubborn", "What failed is tried again.", Stubborn),
    Kind("revising", "The answer is asked for twice.", Revising),
    Kind("apologetic", "Something is added to the answer, and takes its place where there is none.", Apologetic),
    Kind("asks-for-each", "The planner is asked again for each tool.", AsksForEach),
    Kind("half-moved", "The chosen profile answers, another one searches.", HalfMoved),
    Kind("once-asked", "A provider is asked once, and defaults are filled in.", OnceAsked),
    Kind("of-few-words", "What may be left out is.", telling(of_few_words), features="byRuntime byProvider v1 2026-05"),
    Kind("of-many-words", "There are members of the system's own.", telling(of_many_words)),
    Kind("eligible-although-unwanted", "What is there is eligible.", telling(eligible_although_unwanted)),
    Kind("own-end", "The end has members of the system's own.", OwnEnd),
    Kind("never-sure", "Nobody says more than that.", telling(never_sure)),
    Kind(
        "first-only", "Only the first contract is spoken, and no contract is claimed.", Response, features="byRuntime"
    ),
    Kind("by-provider", "Only providers use tools, under the later contract.", Response, features="byProvider 2026-05"),
)
