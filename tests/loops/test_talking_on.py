"""A tool that reports progress after its call has ended, on a wire that only remembers what it has to send."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.adapters.messages import Notification, Request, RequestHandle, RequestId
from callproof.loops.case import Answer, Asked, LoopCase, Reply
from callproof.loops.performance import Performance
from callproof.values.jsontext import Json

CASE = LoopCase(
    "AL-00/late",
    "A tool says one thing before it returns, and one when its call has ended.",
    (Reply((Asked("call_1", "clock", {}),)),),
    (),
    answers={"call_1": Answer(progress=("in time",), late=("too late",))},
)
ENTERED: Mapping[str, Json] = {"toolCallId": "call_1", "toolName": "clock", "params": {}}


class Remembering:
    """A wire without a listener; the progress of a tool is in ``told``."""

    def __init__(self) -> None:
        self.told: list[Json] = []

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """Never called: no case here sends a request to the loop."""
        raise AssertionError(method, params)

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Remember the progress."""
        assert method == "tool/update"
        self.told.append(params["partialResult"])

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Forget it."""

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Forget it."""


def ended(call: str) -> Notification:
    """The end event of a call."""
    event: Json = {"type": "tool_execution_end", "toolCallId": call, "toolName": "clock", "isError": False}
    return Notification(1, "event", {"event": event})


def test_a_tool_is_late_when_its_call_has_ended_and_not_before() -> None:
    """Progress between the return of a tool and the end event of its call is in time (HOST-09)."""
    wire = Remembering()
    performance = Performance(CASE, "parallel", wire)
    said = [{"content": [{"type": "text", "text": text}]} for text in ("in time", "too late")]
    performance.take(Request(0, 1, "tool/call", ENTERED))
    assert wire.told == said[:1]
    performance.take(ended("call_2"))
    assert wire.told == said[:1]
    performance.take(ended("call_1"))
    assert wire.told == said
