"""Every broken loop, by what it breaks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from altered_wire import Message, Tells, every
from callproof_reference.loops import calls as carrying
from callproof_reference.loops.calls import Calls, Refused
from callproof_reference.loops.loop import Loop
from callproof_reference.peers.peer import Failed
from callproof_reference.values import Json, Object, as_object

from live_loops.failing import MORE
from live_loops.hurried import HASTY
from live_loops.kinds import Kind, carrying_out, event_of, kept, with_event, with_kept
from live_loops.limited import LIMITED, Unheeded

# HOST-01, HOST-07: results.


def no_result_of_failures(message: Message) -> Iterator[Message]:
    if kept(message).get("isError") is not True:
        yield message


def results_twice(message: Message) -> Iterator[Message]:
    yield message
    if kept(message):
        yield message


def nameless_results(message: Message) -> Iterator[Message]:
    yield with_kept(message, toolName="tool") if kept(message) else message


def neighbours_results() -> Tells:
    """Two results of one reply swap their contents."""
    held: list[Message] = []

    def tells(message: Message) -> Iterator[Message]:
        if kept(message):
            held.append(message)
            return
        if held:
            told = [{name: kept(each).get(name) for name in ("content", "details", "isError")} for each in held]
            yield from (with_kept(each, **other) for each, other in zip(held, told[::-1], strict=True))
            held.clear()
        yield message

    return tells


def late_results() -> Tells:
    """The results are reported only after the model has been called again."""
    held: list[Message] = []

    def tells(message: Message) -> Iterator[Message]:
        if kept(message):
            held.append(message)
            return
        yield message
        if held and (message.get("method") == "model/call" or event_of(message).get("type") == "agent_end"):
            yield from held
            held.clear()

    return tells


# HOST-02: the order inside one call.


def without_starts(message: Message) -> Iterator[Message]:
    if event_of(message).get("type") != "tool_execution_start":
        yield message


def without_ends(message: Message) -> Iterator[Message]:
    if event_of(message).get("type") != "tool_execution_end":
        yield message


def late_starts() -> Tells:
    """The start of a call is reported after its tool is entered."""
    held: dict[str, Message] = {}

    def tells(message: Message) -> Iterator[Message]:
        told = event_of(message)
        if told.get("type") == "tool_execution_start":
            held[told["toolCallId"]] = message
            return
        call = (message.get("params") or {}).get("toolCallId") or told.get("toolCallId")
        if message.get("method") == "tool/call":
            yield message
        if call in held:
            yield held.pop(call)
        if message.get("method") != "tool/call":
            yield message

    return tells


def other_starts(message: Message) -> Iterator[Message]:
    told = event_of(message)
    if told.get("type") == "tool_execution_start":
        message = with_event(message, args={"redacted": len(json.dumps(told["args"]))})
    yield message


def an_end_without_its_flag(message: Message) -> Iterator[Message]:
    told = event_of(message)
    if told.get("type") == "tool_execution_end":
        message = {**message, "params": {"event": {name: each for name, each in told.items() if name != "isError"}}}
    yield message


# HOST-03, HOST-14, HOST-16: the before-hook.


class InProse(Calls):
    """A call that a hook blocks is reported in prose."""

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        if envelope["status"] == "blocked":
            return {"content": [{"type": "text", "text": str(envelope["reason"])}]}
        return Calls._in_words(envelope)


class FailsOpen(Calls):
    """A hook that fails counts as permission, and the call is reported as done without being carried out."""

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        try:
            return super()._entered_or_put_off(named, arguments)
        except Refused as refused:
            if "the hook failed" not in str(refused.envelope.get("error")):
                raise
            return {"content": [{"type": "text", "text": "done"}]}, False


class Deaf(Calls):
    """The arguments that a hook changes are ignored."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        super()._permitted(named, tool, arguments)
        return as_object(arguments)


class Trusting(Calls):
    """The arguments that a hook changes are not validated."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        return super()._permitted(named, {**tool, "parameters": {}}, self._lawful(tool, arguments))

    @staticmethod
    def _lawful(tool: Object, arguments: Json) -> Json:
        carrying._validate(tool, arguments)
        return arguments


class Trimming(Calls):
    """Texts for a tool lose the blanks around them."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        given = super()._permitted(named, tool, arguments)
        return {name: each.strip() if isinstance(each, str) else each for name, each in given.items()}


class Rounding(Calls):
    """Numbers for a tool become texts."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        given = super()._permitted(named, tool, arguments)
        return {name: str(each) if isinstance(each, int | float) else each for name, each in given.items()}


class OneByOneUnasked(Calls):
    """The before-hook is asked only about the first call of a run."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        given = super()._permitted(named, tool, arguments)
        self._hooks = [each for each in self._hooks if each != "before"]
        return given


class UnaskedAfterFailures(Calls):
    """The after-hook is asked only about successes."""

    def _observed(self, told: Object) -> None:
        if not told["isError"]:
            super()._observed(told)


class UnaskedAboutRefusals(Calls):
    """The persist hook is asked only about the messages of calls that did not fail."""

    def _rewritten(self, message: Object) -> Object:
        return {} if message["isError"] else super()._rewritten(message)


class Persistent(Calls):
    """The message that the persist hook rewrites is ignored."""

    def _rewritten(self, message: Object) -> Object:
        super()._rewritten(message)
        return {}


class Hoarding(Calls):
    """The persist hook rewrites the content, but the old details stay."""

    def _rewritten(self, message: Object) -> Object:
        made = super()._rewritten(message)
        return {"content": made["content"]} if made else {}


# HOST-04: the after-hook.


class Obedient(Calls):
    """The after-hook's answer replaces the result."""

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        self._answers: Object = self.__dict__.get("_answers", {})
        result, failed = super()._entered_or_put_off(named, arguments)
        answer = self._answers.get(named["toolCallId"], {})
        return {**result, **{n: answer[n] for n in ("content", "details") if n in answer}}, answer.get(
            "isError", failed
        )

    def _observed(self, told: Object) -> None:
        with suppress(Failed):
            self._answers[told["toolCallId"]] = self._peer.ask("hook/after", told)


class Touchy(Calls):
    """A failure of the after-hook makes the call fail."""

    def _observed(self, told: Object) -> None:
        try:
            self._peer.ask("hook/after", told)
        except Failed as failed:
            raise Refused("error", error=str(failed)) from None


class Gloomy(Calls):
    """A call counts as failed although its tool returned."""

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        result, failed = super()._entered_or_put_off(named, arguments)
        return result, failed or as_object(result.get("details")).get("status") != "pending"


# HOST-05: content and failures.


def failures_as_successes(message: Message) -> Iterator[Message]:
    told = event_of(message)
    if kept(message).get("isError"):
        message = with_kept(message, isError=False)
    elif told.get("type") == "tool_execution_end":
        message = with_event(message, isError=False)
    yield message


def unstamped(message: Message) -> Iterator[Message]:
    yield with_kept(message, timestamp=None) if kept(message) else message


class Speechless(Calls):
    """What a tool returned is reported unchanged, even if it is empty."""

    def _returned(self, named: Object, given: Object) -> Object:
        result = super()._returned(named, given)
        return _Nothing(result) if not result["content"] else result


class _Nothing(dict[str, Any]):
    """An empty content that looks like a full one."""

    def get(self, name: str, otherwise: Any = None) -> Any:
        return [{}] if name == "content" else super().get(name, otherwise)


class Soft(Calls):
    """The envelope of a failure that a tool returns counts as output, not as a failure."""

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        result, failed = super()._entered_or_put_off(named, arguments)
        thrown = as_object(result.get("details")).get("error") in ("no such file", "the tool was asked to stop")
        return result, failed and thrown


# HOST-06: pieces.


def pieces_untold(message: Message) -> Iterator[Message]:
    if event_of(message).get("type") != "message_update":
        yield message


class Mending(Loop):
    """Half of an object is completed with a guess of the rest."""

    def _put_together(self, content: list[Object], pieces: list[Object]) -> set[object]:
        texts: dict[int, str] = {}
        for piece in pieces:
            texts[piece["contentIndex"]] = texts.get(piece["contentIndex"], "") + piece.get("delta", "")
        halves = super()._put_together(content, pieces)
        for index, block in enumerate(content):
            if block.get("id") in halves and texts[index].startswith("{"):
                block["arguments"] = {"text": "the te"}
        return set()


class Improving(Loop):
    """The call that the model asked for is changed before it is reported and carried out."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        changed = json.loads(json.dumps(reply))
        for block in changed["content"]:
            if "path" in block.get("arguments", {}):
                block["arguments"]["path"] = f"./{block['arguments']['path']}"
        return changed, halves


class Talking(Loop):
    """Every reply is reported with a text of the loop's own."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        return {**reply, "content": [*reply["content"], {"type": "text", "text": "(checked)"}]}, halves


class LastPiece(Loop):
    """An empty piece ends the arguments."""

    def _put_together(self, content: list[Object], pieces: list[Object]) -> set[object]:
        halves = super()._put_together(content, pieces)
        for block in content:
            if block.get("type") == "toolCall" and "path" in block["arguments"]:
                block["arguments"] = {"path": block["arguments"]["path"][:1]}
        return halves


class Listless(Loop):
    """Arguments that are not an object count as an empty object."""

    def _put_together(self, content: list[Object], pieces: list[Object]) -> set[object]:
        super()._put_together(content, pieces)
        return set()


# HOST-08, HOST-09, HOST-10, HOST-11, HOST-12.


def pending_fails(message: Message) -> Iterator[Message]:
    told = event_of(message)
    details = kept(message).get("details") or (told.get("result") or {}).get("details") or {}
    if details.get("status") == "pending":
        message = with_kept(message, isError=True) if kept(message) else with_event(message, isError=True)
    yield message


class Talkative(Calls):
    """Progress after a tool has returned is passed on."""

    def progress(self, call: str, partial: Object) -> None:
        time.sleep(0.02)
        self._emit("update", {"toolCallId": call, "toolName": "read", "partialResult": partial})


def cut_short(message: Message) -> Iterator[Message]:
    content = kept(message).get("content") or [{}]
    if len(content[0].get("text", "")) > 12 and not (kept(message).get("details") or {}).get("status"):
        message = with_kept(message, content=[{"type": "text", "text": content[0]["text"][:12]}])
    yield message


def ids_of_results_alone(message: Message) -> Iterator[Message]:
    if message.get("method") == "model/call":
        told = [
            {**each, "toolCallId": "".join(filter(str.isalnum, each["toolCallId"]))} if "toolCallId" in each else each
            for each in message["params"]["messages"]
        ]
        message = {**message, "params": {"messages": told}}
    yield message


class Lax(Calls):
    """Arguments that a schema requires may be missing."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        schema = {name: each for name, each in tool["parameters"].items() if name != "required"}
        return super()._permitted(named, {**tool, "parameters": schema}, arguments)


class Demanding(Calls):
    """An empty text counts as missing."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        for name, each in as_object(arguments).items():
            if each == "":
                raise Refused("error", error=f"{name} required")
        return super()._permitted(named, tool, arguments)


# HOST-13, HOST-15: deeds.


class Remembering(Calls):
    """A call that equals an earlier one gets the earlier result."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._known: dict[str, Object] = {}

    def _returned(self, named: Object, given: Object) -> Object:
        key = json.dumps([named["toolName"], given])
        if key not in self._known:
            self._known[key] = {}
            try:
                self._known[key] = super()._returned(named, given)
            finally:
                self._known[key] = self._known[key] or {"content": [{"type": "text", "text": "(failed)"}]}
        while not self._known[key]:
            time.sleep(0.01)
        return self._known[key]


class Stubborn(Calls):
    """A tool that throws is entered again."""

    def _returned(self, named: Object, given: Object) -> Object:
        try:
            return super()._returned(named, given)
        except Failed:
            return super()._returned(named, given)


class Rehearsing(Calls):
    """Calls are not carried out, but reported as done."""

    def _returned(self, named: Object, given: Object) -> Object:
        return {"content": [{"type": "text", "text": "(dry run)"}]}


class Tired(Calls):
    """Calls after the first ten of a run are refused."""

    def _returned(self, named: Object, given: Object) -> Object:
        self.__dict__["_many"] = self.__dict__.get("_many", 0) + 1
        if self.__dict__["_many"] > 10:
            raise Refused("error", error="too many calls")
        return super()._returned(named, given)


class Choosy(Calls):
    """A null is refused although the schema accepts it."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        if None in as_object(arguments).values():
            raise Refused("error", error="no null, please")
        return super()._permitted(named, tool, arguments)


# HOST-18 to HOST-22: the course of a run.


class Unabortable(Calls):
    """Tools do not learn of an abort."""

    def abort(self) -> None:
        self.aborted = True


class HalfAborted(Calls):
    """Only one tool learns of an abort."""

    def abort(self) -> None:
        with self._lock:
            self.aborted = True
            for call in sorted(self._entered)[:1]:
                self._peer.tell("tool/abort", {"toolCallId": call})


class Insistent(Loop):
    """The model is called once more after the abort."""

    def run(self) -> None:
        tell, ended = self._peer.tell, {}

        def told(method: str, params: Object) -> None:
            if self.calls.aborted and not ended and (params.get("event") or {}).get("type") == "agent_end":
                ended["once"] = True
                self._turn()
            tell(method, params)

        self._peer.tell = told  # type: ignore[method-assign]
        try:
            super().run()
        finally:
            self._peer.tell = tell  # type: ignore[method-assign]


class SideBySide(Loop):
    """Calls are carried out in parallel, whatever the mode is."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self._width = 32


class OneByOne(Loop):
    """Calls are carried out one by one, whatever the mode is."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self._width = 1


def without_the_last_result(message: Message) -> Iterator[Message]:
    if message.get("method") == "model/call" and message["params"]["messages"][-1]["role"] == "toolResult":
        message = {**message, "params": {"messages": message["params"]["messages"][:-1]}}
    yield message


def blunt_results(message: Message) -> Iterator[Message]:
    """The model gets "ok" as every result, whatever was kept."""
    if message.get("method") == "model/call":
        told = [
            {**each, "content": [{"type": "text", "text": "ok"}]} if each["role"] == "toolResult" else each
            for each in message["params"]["messages"]
        ]
        message = {**message, "params": {"messages": told}}
    yield message


def promptless(message: Message) -> Iterator[Message]:
    if message.get("method") == "model/call":
        message = {**message, "params": {"messages": message["params"]["messages"][1:]}}
    yield message


def other_words(message: Message) -> Iterator[Message]:
    """Ends and messages report the outputs of tools in capitals, but a hook gets them unchanged."""
    told = event_of(message)
    if told.get("type") == "tool_execution_end":
        message = with_event(message, result={**told["result"], "content": _in_capitals(told["result"]["content"])})
    elif kept(message):
        message = with_kept(message, content=_in_capitals(kept(message)["content"]))
    yield message


def last_words_untold(message: Message) -> Iterator[Message]:
    """Replies without calls are not reported."""
    told = event_of(message).get("message", {})
    if told.get("role") != "assistant" or told.get("stopReason") != "stop":
        yield message


def _in_capitals(content: list[Any]) -> list[Any]:
    return [{**each, "text": each["text"].upper()} if each["type"] == "text" else each for each in content]


def without_details(message: Message) -> Iterator[Message]:
    """Ends are reported without details."""
    told = event_of(message)
    if told.get("type") == "tool_execution_end" and "status" not in (told["result"].get("details") or {}):
        message = with_event(message, result={"content": told["result"]["content"]})
    yield message


def masked_arguments(message: Message) -> Iterator[Message]:
    """The before-hook does not see the arguments."""
    if message.get("method") == "hook/before":
        message = {**message, "params": {**message["params"], "params": {}}}
    yield message


class Impatient(Calls):
    """The loop itself carries out the calls of a client."""

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        super().__init__(peer, [{name: tool[name] for name in tool if name != "host"} for tool in tools], hooks)


class Unsteered(Loop):
    """Messages that the user writes during the run are lost."""

    def _turn(self) -> bool:
        asked = super()._turn()
        self.steered.clear()
        return asked


class ThreeTurns(Loop):
    """A run has two turns at most."""

    def _turn(self) -> bool:
        self.__dict__["_turns"] = self.__dict__.get("_turns", 0) + 1
        return super()._turn() and self.__dict__["_turns"] < 2


class Hanging(Loop):
    """A run that was aborted does not end."""

    def _turn(self) -> bool:
        asked = super()._turn()
        while self.calls.aborted:
            time.sleep(1)
        return asked


BROKEN: Final = (
    Kind(
        "no-result-of-failures",
        "A call that failed has no result.",
        "HOST-01",
        ("HOST-05",),
        every(no_result_of_failures),
    ),
    Kind("results-twice", "Each result is kept twice.", "HOST-01", ("HOST-08",), tells=every(results_twice)),
    Kind("nameless-results", "Results do not name their tool.", "HOST-01", ("HOST-05",), every(nameless_results)),
    Kind("late-results", "Results are kept only after the model was called again.", "HOST-01", (), late_results),
    Kind(
        "neighbours-results",
        "Two results of a reply swap places.",
        "HOST-07",
        ("HOST-03", "HOST-05", "HOST-06", "HOST-08", "HOST-10", "HOST-13", "HOST-17", "HOST-21", "HOST-24"),
        neighbours_results,
    ),
    Kind("without-starts", "No call has a start.", "HOST-02", ("HOST-09",), every(without_starts)),
    Kind("without-ends", "No call has an end.", "HOST-02", ("HOST-19",), every(without_ends)),
    Kind("late-starts", "A start is reported after its tool was entered.", "HOST-02", ("HOST-13",), late_starts),
    Kind("other-starts", "Starts have other arguments than the call.", "HOST-02", (), every(other_starts)),
    Kind("flagless-ends", "Ends do not say whether the call failed.", "HOST-02", (), every(an_end_without_its_flag)),
    Kind("unheeded", "A call that a hook blocks is carried out.", "HOST-03", (), None, carrying_out(Unheeded)),
    Kind(
        "in-prose",
        "The result of a blocked call is prose without an envelope.",
        "HOST-03",
        (),
        None,
        carrying_out(InProse),
    ),
    Kind(
        "fails-open",
        "A call that a failing hook stopped is reported as done.",
        "HOST-03",
        (),
        None,
        carrying_out(FailsOpen),
    ),
    Kind("obedient", "The after-hook replaces the result.", "HOST-04", ("HOST-05",), None, carrying_out(Obedient)),
    Kind("touchy", "A failing after-hook makes the call fail.", "HOST-04", (), None, carrying_out(Touchy)),
    Kind(
        "failures-as-successes",
        "Failures have isError false.",
        "HOST-05",
        ("HOST-03", "HOST-04", "HOST-06", "HOST-12", "HOST-13", "HOST-17", "HOST-21"),
        every(failures_as_successes),
    ),
    Kind("unstamped", "Results have no timestamp.", "HOST-05", (), every(unstamped)),
    Kind(
        "speechless", "A result without content is given to the model.", "HOST-05", (), None, carrying_out(Speechless)
    ),
    Kind("soft", "An envelope that says failure counts as a success.", "HOST-05", (), None, carrying_out(Soft)),
    Kind("mending", "A broken-off object is completed and used.", "HOST-06", (), None, Mending),
    Kind("last-piece", "The arguments are cut at their end.", "HOST-06", ("HOST-14", "HOST-23"), None, LastPiece),
    Kind("pieceless", "Streamed replies are reported without their pieces.", "HOST-06", (), every(pieces_untold)),
    Kind(
        "listless",
        "Arguments that are not an object are replaced by an empty one.",
        "HOST-06",
        ("HOST-12",),
        None,
        Listless,
    ),
    Kind("pending-fails", "A pending result has isError true.", "HOST-08", ("HOST-05",), every(pending_fails)),
    Kind(
        "impatient",
        "A tool that a client carries out is entered by the loop.",
        "HOST-08",
        (),
        None,
        carrying_out(Impatient),
    ),
    Kind(
        "talkative",
        "Progress is reported after the end of the call.",
        "HOST-09",
        ("HOST-07",),
        None,
        carrying_out(Talkative),
    ),
    Kind("cut-short", "Long texts are cut without saying so.", "HOST-10", ("HOST-17", "HOST-24"), every(cut_short)),
    Kind(
        "ids-of-results-alone",
        "The ids of results are rewritten, and the ids of calls are not.",
        "HOST-11",
        ("HOST-21",),
        every(ids_of_results_alone),
    ),
    Kind("lax", "A tool is entered without what its schema requires.", "HOST-12", (), None, carrying_out(Lax)),
    Kind("demanding", "An empty text counts as missing.", "HOST-12", ("HOST-15",), None, carrying_out(Demanding)),
    Kind(
        "remembering",
        "A call like an earlier one is not carried out.",
        "HOST-13",
        ("HOST-03", "HOST-15", "HOST-16"),
        None,
        carrying_out(Remembering),
    ),
    Kind(
        "stubborn",
        "A tool that throws is entered again.",
        "HOST-13",
        ("HOST-04", "HOST-16", "HOST-18"),
        None,
        carrying_out(Stubborn),
    ),
    Kind(
        "rehearsing",
        "No call is carried out, and all are reported as done.",
        "HOST-13",
        ("HOST-03", "HOST-15"),
        None,
        carrying_out(Rehearsing),
    ),
    Kind("deaf", "Arguments that a hook changed are ignored.", "HOST-14", (), None, carrying_out(Deaf)),
    Kind("trusting", "Arguments that a hook changed are not validated.", "HOST-14", (), None, carrying_out(Trusting)),
    Kind("trimming", "Texts lose the blanks at their ends.", "HOST-14", (), None, carrying_out(Trimming)),
    Kind("rounding", "Numbers become texts.", "HOST-14", (), None, carrying_out(Rounding)),
    Kind("masking", "The before-hook does not see the arguments.", "HOST-14", (), every(masked_arguments)),
    Kind("tired", "Calls after the tenth of a run are refused.", "HOST-15", (), None, carrying_out(Tired)),
    Kind("choosy", "A null that the schema accepts is refused.", "HOST-15", (), None, carrying_out(Choosy)),
    Kind(
        "one-by-one-unasked",
        "The before-hook is asked only once a run.",
        "HOST-16",
        ("HOST-03", "HOST-14"),
        None,
        carrying_out(OneByOneUnasked),
    ),
    Kind(
        "unasked-after-failures",
        "The after-hook sees only successes.",
        "HOST-16",
        (),
        None,
        carrying_out(UnaskedAfterFailures),
    ),
    Kind(
        "unasked-about-refusals",
        "The persist hook does not see failures.",
        "HOST-16",
        (),
        None,
        carrying_out(UnaskedAboutRefusals),
    ),
    Kind("persistent", "What the persist hook rewrites is ignored.", "HOST-17", (), None, carrying_out(Persistent)),
    Kind("hoarding", "Details that the persist hook removes stay.", "HOST-17", (), None, carrying_out(Hoarding)),
    Kind("unabortable", "An abort reaches no tool.", "HOST-18", (), None, carrying_out(Unabortable)),
    Kind("half-aborted", "An abort reaches only one tool.", "HOST-18", (), None, carrying_out(HalfAborted)),
    Kind("insistent", "The model is called again after an abort.", "HOST-18", (), None, Insistent),
    Kind("side-by-side", "Calls are never carried out one by one.", "HOST-19", (), None, SideBySide),
    Kind("one-by-one", "Calls are never carried out side by side.", "HOST-20", (), None, OneByOne),
    Kind(
        "without-the-last-result",
        "The model is not given the last result.",
        "HOST-21",
        (),
        every(without_the_last_result),
    ),
    Kind("blunt", "The model gets the text ok as every result.", "HOST-21", (), every(blunt_results)),
    Kind("promptless", "The model is not given the prompt.", "HOST-21", (), every(promptless)),
    Kind("unsteered", "What the user writes during the run is lost.", "HOST-21", (), None, Unsteered),
    Kind("improving", "Paths are changed before they are reported.", "HOST-23", ("HOST-06",), None, Improving),
    Kind("talking", "The loop adds a text of its own to replies.", "HOST-23", (), None, Talking),
    Kind("wordless", "The last reply of the model is not reported.", "HOST-23", (), every(last_words_untold)),
    Kind("two-turns", "A run ends after two turns.", "HOST-22", ("HOST-21",), None, ThreeTurns),
    Kind(
        "shouting",
        "What tools return is reported in capitals.",
        "HOST-24",
        ("HOST-03", "HOST-04", "HOST-05", "HOST-17", "HOST-21"),
        every(other_words),
    ),
    Kind("gloomy", "Every call is reported as failed.", "HOST-24", ("HOST-04",), None, carrying_out(Gloomy)),
    Kind("bare", "The ends of calls have no details.", "HOST-24", ("HOST-04",), every(without_details)),
    Kind("hanging", "A run that was aborted does not end.", "HOST-22", ("HOST-18",), None, Hanging),
    *MORE,
    *LIMITED,
    *HASTY,
)
