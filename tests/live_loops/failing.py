"""Loops that are broken in model failures, in aborts, in what hooks see, in progress, and across runs."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import Any, ClassVar, Final

from altered_wire import Message, Tells, every
from callproof_reference.loops.calls import Calls, Refused, _validate
from callproof_reference.loops.loop import Loop
from callproof_reference.peers.peer import Failed
from callproof_reference.values import Json, Object, as_object, objects

from live_loops.kinds import Kind, carrying_out, event_of, with_event

# Failures of the model, and aborts of the user.


class Replaying(Loop):
    """If the model fails, its last reply is used again."""

    def _reply(self) -> tuple[Object, set[object]]:
        try:
            self.__dict__["_last"] = super()._reply()
        except Failed:
            if "_last" not in self.__dict__ or self.__dict__.pop("_again", False):
                raise
            self.__dict__["_again"] = True
        return self.__dict__["_last"]


class Insisting(Loop):
    """A model that fails is asked again until it replies."""

    def _reply(self) -> tuple[Object, set[object]]:
        while True:
            try:
                return super()._reply()
            except Failed:
                continue


class Forgetful(Loop):
    """A model that fails is asked once more, without the last message."""

    def _reply(self) -> tuple[Object, set[object]]:
        try:
            return super()._reply()
        except Failed:
            left_out = self._messages.pop()
            try:
                return super()._reply()
            finally:
                self._messages.append(left_out)


def _with_messages(message: Message, change: Any) -> Message:
    """The message with what the model gets, changed message by message."""
    if message.get("method") != "model/call":
        return message
    told = [other for each in message["params"]["messages"] for other in change(each)]
    return {**message, "params": {"messages": told}}


def results_given_twice(message: Message) -> Iterator[Message]:
    """The model gets each result twice."""
    yield _with_messages(message, lambda each: [each] * (2 if each["role"] == "toolResult" else 1))


def calls_without_arguments(message: Message) -> Iterator[Message]:
    """The model gets its calls without their arguments, to save space."""

    def change(each: Message) -> list[Message]:
        content = [{**block, "arguments": {}} if "arguments" in block else block for block in each["content"]]
        return [{**each, "content": content}]

    yield _with_messages(message, change)


def ends_twice(message: Message) -> Iterator[Message]:
    """The end of a run is reported twice."""
    yield message
    if event_of(message).get("type") == "agent_end":
        yield message


class OneBuffer(Loop):
    """All pieces of arguments go to the block that began last."""

    def _put_together(self, content: list[Object], pieces: list[Object]) -> set[object]:
        begun, mixed = 0, list[Object]()
        for piece in pieces:
            begun = piece["contentIndex"] if piece["type"] == "toolcall_start" else begun
            mixed.append({**piece, "contentIndex": begun} if piece["type"] == "toolcall_delta" else piece)
        return super()._put_together(content, mixed)


def silent_ends() -> Tells:
    """No event reports the end of a run in which the model failed."""
    failed: list[bool] = []

    def tells(message: Message) -> Iterator[Message]:
        told = event_of(message)
        if told.get("type") == "agent_start":
            failed.clear()
        if "errorMessage" in told.get("message", {}):
            failed.append(True)
        elif not (failed and told.get("type") == "agent_end"):
            yield message

    return tells


class Unstopped(Calls):
    """A call that has not begun at an abort still begins, and its tool does not learn of the abort."""

    def _returned(self, named: Object, given: Object) -> Object:
        begun = self._peer.begin("tool/call", {**named, "params": given})
        self._entered[named["toolCallId"]] = begun
        return self._peer.answer_to(begun)


class Told(Calls):
    """A call that has not begun at an abort still begins, and its tool learns of the abort at once."""

    def _returned(self, named: Object, given: Object) -> Object:
        with self._lock:
            begun: Future[Object] = self._peer.begin("tool/call", {**named, "params": given})
            self._entered[named["toolCallId"]] = begun
            if self.aborted:
                self._peer.tell("tool/abort", {"toolCallId": named["toolCallId"]})
        return self._peer.answer_to(begun)


class CarryingOn(Loop):
    """A reply that comes after an abort is reported as aborted, but carried out."""

    how = Told

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        return ({**reply, "stopReason": "aborted"} if self.calls.aborted else reply), halves


# Hooks.


class AskingTwice(Calls):
    """The before-hook is asked twice."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        super()._permitted(named, tool, arguments)
        return super()._permitted(named, tool, arguments)


class PersistingTwice(Calls):
    """The persist hook is asked again about its own answer."""

    def _rewritten(self, message: Object) -> Object:
        made = super()._rewritten(message)
        return {**made, **super()._rewritten({**message, **made})}


class AskingLate(Calls):
    """The tool is entered before the hook is asked, so the hook's answer comes too late."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        _validate(tool, arguments)
        return as_object(arguments)

    def _returned(self, named: Object, given: Object) -> Object:
        with self._lock:
            if self.aborted:
                raise Refused("error", error="the run was aborted")
            begun = self._peer.begin("tool/call", {**named, "params": given})
            self._entered[named["toolCallId"]] = begun
        if "before" in self._hooks:
            with suppress(Failed):
                self._peer.ask("hook/before", {**named, "params": given})
        return self._peer.answer_to(begun)


def blurred_for_the_persist_hook(message: Message) -> Iterator[Message]:
    """The persist hook sees only the first ten characters of each text."""
    if message.get("method") == "hook/persist":
        shown = message["params"]["message"]
        content = [{**each, "text": each["text"][:10]} if "text" in each else each for each in shown["content"]]
        message = {**message, "params": {"message": {**shown, "content": content}}}
    yield message


class Annotating(Calls):
    """After the persist hook has seen a message, a text is added to the message."""

    def _rewritten(self, message: Object) -> Object:
        made = super()._rewritten(message)
        more = {"type": "text", "text": "(took 2 s)"}
        return made or ({"content": [*message["content"], more]} if "persist" in self._hooks else {})


def hooks_of_a_tool(message: Message) -> Iterator[Message]:
    """The hooks around calls get `tool` as the name of every tool."""
    if message.get("method") in ("hook/before", "hook/after"):
        message = {**message, "params": {**message["params"], "toolName": "tool"}}
    yield message


class Merging(Calls):
    """Empty values that a hook gives are ignored."""

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        super().__init__(_Full(peer), tools, hooks)  # type: ignore[arg-type]


class _Full:
    """The other side of the wire, without the empty values that its hooks give."""

    def __init__(self, peer: Any) -> None:
        self._peer = peer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._peer, name)

    def ask(self, method: str, params: Object) -> Object:
        """The answer to a request."""
        says = self._peer.ask(method, params)
        if says.get("params"):
            says["params"] = {name: each for name, each in says["params"].items() if each}
        return says


class Uninvited(Calls):
    """A hook that was set in one run is asked in all later runs."""

    known: ClassVar[set[str]] = set()

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        self.known.update(hooks)
        super().__init__(peer, tools, sorted(self.known))


class Overlapping(Loop):
    """In sequential mode, the next call begins when the tool of the previous call has returned, even if hooks run."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        if self._width == 1:
            self._width, self.calls._returned = 32, self._in_turn  # type: ignore[method-assign]
        self._turn_of = Lock()

    def _in_turn(self, named: Object, given: Object) -> Object:
        with self._turn_of:
            return Calls._returned(self.calls, named, given)


# Progress.


def _updates(change: Any) -> Any:
    def tells(message: Message) -> Iterator[Message]:
        told = event_of(message)
        if told.get("type") == "tool_execution_update":
            content = [{**each, "text": change(each["text"])} for each in told["partialResult"]["content"]]
            message = with_event(message, partialResult={"content": content})
        yield message

    return every(tells)


def without_updates(message: Message) -> Iterator[Message]:
    """Progress is never reported, whatever is claimed."""
    if event_of(message).get("type") != "tool_execution_update":
        yield message


def delayed_updates() -> Tells:
    """An update of a call is reported when the next one comes."""
    held: dict[str, Message] = {}

    def tells(message: Message) -> Iterator[Message]:
        told = event_of(message)
        if told.get("type") != "tool_execution_update":
            yield message
            return
        if told["toolCallId"] in held:
            yield held[told["toolCallId"]]
        held[told["toolCallId"]] = message

    return tells


class Confused(Calls):
    """Progress is reported for the call that began last."""

    def progress(self, call: str, partial: Object) -> None:
        super().progress(list(self._entered)[-1] if self._is_at_work(call) else call, partial)


# What a tool gets, and what it returned.


def _given(change: Any) -> type[Loop]:
    """The loop that changes every value for a tool."""

    def permitted(self: Calls, named: Object, tool: Object, arguments: Json) -> Object:
        return as_object(_changed(Calls._permitted(self, named, tool, arguments), change))

    return carrying_out(type("Changing", (Calls,), {"_permitted": permitted}))


def _changed(value: Any, change: Any) -> Any:
    if isinstance(value, dict):
        return change({name: _changed(each, change) for name, each in value.items()})
    return change([_changed(each, change) for each in value] if isinstance(value, list) else value)


def _without_odd_names(value: Any) -> Any:
    odd = ("", "__proto__")
    return {name: each for name, each in value.items() if name not in odd} if isinstance(value, dict) else value


def _guessed(value: Any) -> Any:
    return {"true": True, "null": None, "1": 1}.get(value, value) if isinstance(value, str) else value


def _in_six_digits(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _composed(value: Any) -> Any:
    return value.replace("e\u0301", "\u00e9") if isinstance(value, str) else value


def _returning(change: Any) -> type[Loop]:
    """The loop that changes the content that a tool returned."""

    def returned(self: Calls, named: Object, given: Object) -> Object:
        result = Calls._returned(self, named, given)
        return {**result, "content": change(objects(result["content"]))}

    return carrying_out(type("Changing", (Calls,), {"_returned": returned}))


class Thrifty(Calls):
    """Details that are empty are left out."""

    def _returned(self, named: Object, given: Object) -> Object:
        result = super()._returned(named, given)
        return {name: each for name, each in result.items() if name != "details" or each}


def _sorted(content: list[Object]) -> list[Object]:
    return sorted(content, key=lambda each: str(each.get("text")))


def _with_line_feeds(content: list[Object]) -> list[Object]:
    return [{**each, "text": each["text"].replace("\r\n", "\n")} if "text" in each else each for each in content]


def _blank_images(content: list[Object]) -> list[Object]:
    return [{**each, "data": "R0lGODlhAQABAAAAACw="} if each["type"] == "image" else each for each in content]


class Plain(Calls):
    """A call ends with what its tool returned, but its message only says that it is done."""

    def _rewritten(self, message: Object) -> Object:
        if "persist" in self._hooks or message["isError"] or as_object(message.get("details")).get("status"):
            return super()._rewritten(message)
        return {"content": [{"type": "text", "text": "done"}]}


class Credulous(Calls):
    """A tool that does not exist is entered."""

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        if named["toolName"] not in self._tools:
            return self._returned(named, as_object(arguments)), False
        return super()._entered_or_put_off(named, arguments)


# One run after another.


class Recalling(Calls):
    """A call that comes again with the same id, in any run, returns what it returned first."""

    known: ClassVar[dict[str, Object]] = {}

    def _returned(self, named: Object, given: Object) -> Object:
        key = f"{named} {given}"
        if key not in self.known:
            self.known[key] = super()._returned(named, given)
        return self.known[key]


class OnceOnly(Calls):
    """An id that comes again in a run is refused."""

    def _returned(self, named: Object, given: Object) -> Object:
        if named["toolCallId"] in self._entered:
            raise Refused("error", error="this call was carried out already")
        return super()._returned(named, given)


class Hoarding(Loop):
    """The model gets messages of earlier runs."""

    ever: ClassVar[list[Object]] = []

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self._messages = self.ever


class OldTools(Calls):
    """A tool keeps the definition that its name had first."""

    known: ClassVar[dict[str, Object]] = {}

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        for each in tools:
            self.known.setdefault(str(each["name"]), each)
        super().__init__(peer, list(self.known.values()), hooks)


MORE: Final = (
    Kind("carrying-on", "An aborted reply is carried out.", "HOST-01", (), None, CarryingOn),
    Kind(
        "asking-late",
        "The before-hook is asked when the tool was entered.",
        "HOST-02",
        ("HOST-03", "HOST-14"),
        None,
        carrying_out(AskingLate),
    ),
    Kind("hooks-of-a-tool", "Hooks are told another tool.", "HOST-07", (), every(hooks_of_a_tool)),
    Kind("without-odd-names", "Arguments with odd names are lost.", "HOST-14", (), None, _given(_without_odd_names)),
    Kind("guessing", "Texts that look like other values become these.", "HOST-14", (), None, _given(_guessed)),
    Kind("six-digits", "Numbers have six digits.", "HOST-14", (), None, _given(_in_six_digits)),
    Kind("composing", "Letters in two parts become one.", "HOST-14", (), None, _given(_composed)),
    Kind("credulous", "A tool that there is not is entered.", "HOST-14", (), None, carrying_out(Credulous)),
    Kind("once-only", "An id that comes again is refused.", "HOST-15", (), None, carrying_out(OnceOnly)),
    Kind(
        "recalling",
        "Results of an earlier run come again.",
        "HOST-13",
        ("HOST-03", "HOST-15", "HOST-16", "HOST-20"),
        None,
        carrying_out(Recalling),
    ),
    Kind(
        "old-tools",
        "A tool is what it was in an earlier run.",
        "HOST-14",
        ("HOST-12", "HOST-15"),
        None,
        carrying_out(OldTools),
    ),
    Kind("asking-twice", "The before-hook is asked twice.", "HOST-16", (), None, carrying_out(AskingTwice)),
    Kind("persisting-twice", "The persist hook is asked twice.", "HOST-16", (), None, carrying_out(PersistingTwice)),
    Kind("uninvited", "Hooks that are not set are asked.", "HOST-16", (), None, carrying_out(Uninvited)),
    Kind("blurring", "The persist hook is shown the beginning.", "HOST-17", (), every(blurred_for_the_persist_hook)),
    Kind(
        "annotating", "A message is changed when the hook has seen it.", "HOST-17", (), None, carrying_out(Annotating)
    ),
    Kind("overlapping", "Calls overlap while hooks are at work.", "HOST-19", (), None, Overlapping),
    Kind("unstopped", "What begins after an abort is not told.", "HOST-18", (), None, carrying_out(Unstopped)),
    Kind("forgetful", "A model that failed is asked again without the last message.", "HOST-21", (), None, Forgetful),
    Kind("hoarding-runs", "The model is given earlier runs.", "HOST-21", (), None, Hoarding),
    Kind("silent-ends", "A run whose model failed ends unsaid.", "HOST-22", (), silent_ends),
    Kind("insisting", "A model that fails is asked for ever.", "HOST-22", (), None, Insisting),
    Kind("replaying", "Where the model fails, an earlier reply is taken.", "HOST-23", (), None, Replaying),
    Kind("sorting", "Texts of a result are sorted.", "HOST-24", (), None, _returning(_sorted)),
    Kind("line-feeds", "Ends of lines are made alike.", "HOST-24", (), None, _returning(_with_line_feeds)),
    Kind("blank-images", "Images lose what they show.", "HOST-24", (), None, _returning(_blank_images)),
    Kind("plain-messages", "Messages say that all is done.", "HOST-24", (), None, carrying_out(Plain)),
    Kind("vague", "Progress is told in other words.", "HOST-25", (), _updates(lambda _: "working")),
    Kind("without-updates", "Progress is not told.", "HOST-25", (), every(without_updates)),
    Kind("delayed", "Progress is told when there is more of it.", "HOST-25", (), delayed_updates),
    Kind("confused", "Progress is told of another call.", "HOST-25", (), None, carrying_out(Confused)),
    Kind("given-twice", "The model is given each result twice.", "HOST-21", (), every(results_given_twice)),
    Kind("bare-calls", "The model is given its calls bare.", "HOST-21", (), every(calls_without_arguments)),
    Kind("ends-twice", "The end of a run is told twice.", "HOST-22", (), every(ends_twice)),
    Kind("one-buffer", "Pieces go to the block begun last.", "HOST-23", ("HOST-06", "HOST-14"), None, OneBuffer),
    Kind("merging", "What is little is not taken from a hook.", "HOST-14", (), None, carrying_out(Merging)),
    Kind("thrifty", "Details that are little are left out.", "HOST-24", (), None, carrying_out(Thrifty)),
)
