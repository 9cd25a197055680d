"""The loop: call the model, carry out the calls of its reply, and call it again until it asks for nothing more."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import ClassVar, cast

from callproof_reference.loops.calls import Calls
from callproof_reference.peers.peer import Failed, Peer, Pipes
from callproof_reference.run import VERSION
from callproof_reference.values import Json, Object, as_object, objects

_FEATURES = "parallel sequential beforeHook afterHook persistHook streaming progress abort steering clientTools"
_NAME = {"name": "callproof-reference loop", "version": VERSION, "language": "python"}
_NOTHING: Object = {"role": "assistant", "content": [], "stopReason": "error"}


class Loop:
    """One run: its messages, and what the user writes meanwhile."""

    how: ClassVar[type[Calls]] = Calls  # how calls are carried out

    def __init__(self, peer: Peer, start: Object) -> None:
        self._peer, self._streamed = peer, start["streamed"] is True
        self._width = 32 if start["mode"] == "parallel" else 1
        self.calls = self.how(peer, objects(start["tools"]), [*start["hooks"]])
        self.steered = [str(start["prompt"])]
        self._messages = list[Object]()

    def run(self) -> None:
        """Carry the run out, from its first event to `loop/finished`."""
        self._emit("agent_start")
        asked = True
        while not self.calls.aborted and (asked or self.steered):
            self._emit("turn_start")
            while self.steered:
                self._keep({"role": "user", "content": [{"type": "text", "text": self.steered.pop(0)}]})
            asked = self._turn()
            self._emit("turn_end")
        self._emit("agent_end")
        self._peer.tell("loop/finished", {})

    def _turn(self) -> bool:
        """Take one reply and carry out its calls; whether the model is to be told their results."""
        try:
            reply, halves = self._reply()
        except Failed as failed:  # told, but not given to the model if the user goes on
            self._emit("message_end", message={**_NOTHING, "errorMessage": str(failed)})
            return False
        self._keep(reply)
        calls = [block for block in objects(reply["content"]) if block.get("type") == "toolCall"]
        with ThreadPoolExecutor(self._width) as pool:
            carried = [pool.submit(self.calls.carry_out, call, whole=call["id"] not in halves) for call in calls]
        results = [each.result() for each in carried]
        for each in results:
            self._keep(each)
        return bool(calls) and all(as_object(each.get("details")).get("status") != "pending" for each in results)

    def _reply(self) -> tuple[Object, set[object]]:
        """The reply of the model, and the ids of the calls whose arguments are incomplete."""
        answer = self._peer.ask("model/call", {"messages": self._messages})
        if "message" in answer:
            return as_object(answer["message"]), set()
        message: Object = {"role": "assistant", "content": [], "stopReason": answer["stopReason"]}
        self._emit("message_start", message=message)
        halves = self._put_together(message["content"], objects(answer["pieces"]))
        return message, halves

    def _put_together(self, content: list[Object], pieces: list[Object]) -> set[object]:
        """Build the blocks of a reply from its pieces, and tell each piece (HOST-06)."""
        halves, texts = set[object](), dict[int, str]()
        for piece in pieces:
            index, kind = piece["contentIndex"], piece["type"]
            told: Object = {"type": kind, "contentIndex": index}
            if kind == "text":
                content.append({"type": "text", "text": piece["text"]})
                continue
            if kind == "toolcall_start":
                content.append({"type": "toolCall", "id": piece["id"], "name": piece["name"], "arguments": {}})
                texts[index] = ""
            elif kind == "toolcall_delta":
                texts[index] += piece["delta"]
                told["delta"] = piece["delta"]
            else:
                arguments = _object_of(texts[index])
                halves |= {content[index]["id"]} if arguments is None else set()
                content[index]["arguments"] = arguments or {}
                told["toolCall"] = content[index]
            self._emit("message_update", assistantMessageEvent=told)
        return halves

    def _keep(self, message: Object) -> None:
        self._messages.append(message)
        self._emit("message_end", message=message)

    def _emit(self, kind: str, **members: object) -> None:
        self._peer.tell("event", {"event": {"type": kind, **members}})


def _object_of(text: str) -> Object | None:
    """The object that a text holds, and an empty one for an empty text; None for everything else."""
    value: Json = {}
    try:
        value = json.loads(text) if text.strip() else value
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class Service:
    """What the suite may ask of this program: one case after the other."""

    def __init__(self, wire: Pipes, kind: type[Loop] = Loop) -> None:
        self._kind, self._loop = kind, cast("Loop | None", None)
        methods = {"initialize": self._initialize, "loop/start": self._start, "loop/abort": self._abort}
        more = {"loop/steer": self._steer, "tool/update": self._update, "shutdown": self._shutdown}
        self.peer = Peer(wire, {**methods, **more})

    def _initialize(self, _params: Object) -> Object:
        spoken = {"protocol": "agent-loop", "protocolVersion": "1.0"}
        return {**spoken, "implementation": _NAME, "claims": {"features": _FEATURES.split()}}

    def _start(self, params: Object) -> Object:
        self._loop = self._kind(self.peer, params)
        self.peer.begun.append(Thread(target=self._loop.run, daemon=True).start)
        return {}

    def _abort(self, _params: Object) -> Object:
        if self._loop:
            self._loop.calls.abort()
        return {}

    def _steer(self, params: Object) -> Object:
        if self._loop:
            self._loop.steered.append(str(params["text"]))
        return {}

    def _update(self, params: Object) -> Object:
        if self._loop:
            self._loop.calls.progress(str(params["toolCallId"]), as_object(params["partialResult"]))
        return {}

    def _shutdown(self, _params: Object) -> Object:
        return {}


def serve(wire: Pipes) -> None:
    """Speak the adapter protocol of agent loops until `shutdown` or the end of input."""
    Service(wire).peer.serve()
