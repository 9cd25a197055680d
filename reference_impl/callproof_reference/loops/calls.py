"""One call of a reply, from its start event to the message that the model is given (HOST-02)."""

import json
import time
from concurrent.futures import Future
from threading import RLock

from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator

from callproof_reference.peers.peer import Failed, Peer
from callproof_reference.values import Json, Object, as_object, objects


class Refused(Exception):
    """A call is not carried out, or failed; carries the envelope that says so."""

    def __init__(self, status: str, **members: str) -> None:
        self.envelope: Object = {"status": status, **members}
        super().__init__(status)


class Calls:
    """The calls of one run: their settings, which of them are at work, and whether the run was aborted."""

    def __init__(self, peer: Peer, tools: list[Object], hooks: list[str]) -> None:
        self._peer, self._hooks = peer, hooks
        self._tools = {str(tool["name"]): tool for tool in tools}
        self._lock = RLock()  # the calls at work, and what is told of them, change together
        self._names, self._entered = dict[str, str](), dict[str, Future[Object]]()
        self.aborted = False

    def abort(self) -> None:
        """Ask the entered tools to stop; no other tool is entered (HOST-18)."""
        with self._lock:
            self.aborted = True
            for call in filter(self._is_at_work, sorted(self._entered)):
                self._peer.tell("tool/abort", {"toolCallId": call})

    def progress(self, call: str, partial: Object) -> None:
        """Tell the progress of a tool, unless the tool has returned (HOST-09)."""
        with self._lock:
            if self._is_at_work(call):
                self._emit("update", {"toolCallId": call, "toolName": self._names[call], "partialResult": partial})

    def _is_at_work(self, call: str) -> bool:
        return call in self._entered and not self._entered[call].done()

    def carry_out(self, call: Object, *, whole: bool) -> Object:
        """The result message of a call; one whose arguments did not come ``whole`` is refused (HOST-06)."""
        identity, tool = str(call["id"]), str(call["name"])
        named = {"toolCallId": identity, "toolName": tool}
        self._names[identity] = tool
        self._emit("start", {**named, "args": call["arguments"]})
        try:
            if not whole:
                raise Refused("error", error="the arguments are not a whole JSON object")
            result, failed = self._entered_or_put_off(named, call["arguments"])
        except Refused as refused:
            result, failed = self._told(refused, tool), True
        message: Object = {"role": "toolResult", **named, **result, "isError": failed}
        message["timestamp"] = int(time.time() * 1000)
        message |= self._rewritten(message)
        self._emit("end", {**named, "result": result, "isError": failed})
        return message

    def _entered_or_put_off(self, named: Object, arguments: Json) -> tuple[Object, bool]:
        """What a tool returned or threw, in the loop's words, and whether the call failed."""
        tool = self._tools.get(named["toolName"])
        if tool is None:
            raise Refused("error", error="there is no such tool")
        given = self._permitted(named, tool, arguments)
        if tool.get("host") == "client":
            says = {"status": "pending", "tool": named["toolName"], "message": "a client carries it out"}
            return self._in_words(says), False
        try:
            result, failed = _with_content(self._returned(named, given)), False
        except Failed as thrown:
            result, failed = self._told(Refused("error", error=str(thrown)), named["toolName"]), True
        failed = failed or _says_error(result)
        if "after" in self._hooks:
            self._observed({**named, "result": result, "isError": failed})
        return result, failed

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        """The arguments that its schema, the before-hook, and again its schema permit for a tool (HOST-03, HOST-14)."""
        _validate(tool, arguments)
        if "before" not in self._hooks:
            return as_object(arguments)
        try:
            says = self._peer.ask("hook/before", {**named, "params": arguments})
        except Failed as failed:
            raise Refused("error", error=f"the hook failed: {failed}") from None
        if says.get("block") is True:
            raise Refused("blocked", reason=str(says.get("reason", "an operator's hook forbids it")))
        given = {**as_object(arguments), **as_object(says.get("params"))}
        _validate(tool, given)
        return given

    def _returned(self, named: Object, given: Object) -> Object:
        with self._lock:
            if self.aborted:
                raise Refused("error", error="the run was aborted before the call began")
            begun = self._peer.begin("tool/call", {**named, "params": given})
            self._entered[named["toolCallId"]] = begun
        return self._peer.answer_to(begun)

    def _observed(self, told: Object) -> None:
        """The after-hook observes: neither its answer nor its failure counts (HOST-04)."""
        try:
            self._peer.ask("hook/after", told)
        except Failed:
            return

    def _rewritten(self, message: Object) -> Object:
        """What the persist hook makes of a message; nothing if the hook fails (HOST-17)."""
        if "persist" not in self._hooks:
            return {}
        try:
            made = as_object(self._peer.ask("hook/persist", {"message": message}).get("message"))
        except Failed:
            return {}
        return {"content": made["content"], "details": made.get("details")} if made else {}

    def _told(self, refused: Refused, tool: str) -> Object:
        return self._in_words({**refused.envelope, "tool": tool})

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        return {"content": [{"type": "text", "text": json.dumps(envelope)}], "details": envelope}

    def _emit(self, kind: str, members: Object) -> None:
        self._peer.tell("event", {"event": {"type": f"tool_execution_{kind}", **members}})


def _validate(tool: Object, arguments: Json) -> None:
    """Refuse what the schema of a tool refuses (HOST-12, HOST-14)."""
    try:
        faults = SchemaValidator(as_object(tool["parameters"])).errors(arguments)
    except (UnusableSchema, BeyondTheEngine):
        raise Refused("error", error="the schema of the tool cannot be used") from None
    if faults:
        where = "; ".join(f"{each.pointer or 'the top'}: {each.keyword}" for each in faults)
        raise Refused("error", error=f"the arguments break the schema of the tool: {where}")


def _with_content(result: Object) -> Object:
    """A result with at least one block of content (HOST-05)."""
    nothing: Object = {"type": "text", "text": "(no output)"}
    return result if objects(result.get("content")) else {**result, "content": [nothing]}


def _says_error(result: Object) -> bool:
    """Whether a tool returned the envelope of a failure as its own output (HOST-05)."""
    details = as_object(result.get("details"))
    return details.get("status") == "error" and isinstance(details.get("error"), str) and bool(details.get("tool"))
