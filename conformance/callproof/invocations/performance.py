"""Playing one case: answering everything that the system asks, and logging it together with what it tells."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from callproof.adapters.messages import Message, Notification, Request
from callproof.adapters.methods import PROVIDER_FAILED, USE_FAILED
from callproof.driven.wire import Wire
from callproof.invocations.case import Answer, Gives, Intent, InvocationCase
from callproof.invocations.log import InvocationLog
from callproof.protocols.invocation import driven
from callproof.protocols.parts import objects_of
from callproof.values.jsontext import Json

# If a system asks for more than this in one response, the response does not end.
_MOST_ASKED: Final = 40


class Performance:
    """A case that is being played; ``log`` is what was seen so far; ``over`` is true once the system says so."""

    # No player waits for anything but the system.
    waits: float | None = None

    def __init__(self, case: InvocationCase, start: Mapping[str, Json], wire: Wire) -> None:
        self._case = case
        self._wire = wire
        self._intents: Json = [_as_told(each) for each in case.intents]
        self.log = InvocationLog(case.id, start, self._intents)
        self.over = False
        self._having = {each.name: frozenset(each.tools) for each in case.profiles}
        self._provider_uses = start["toolsBy"] == "provider"
        self._asked = 0
        self._recorded = 0
        self._generations = 0
        self._begun = time.monotonic()
        self._does: Mapping[str, Callable[[Request], None]] = {
            "planner/plan": self._plan,
            "tool/call": self._use,
            "provider/generate": self._generate,
        }

    @property
    def unsettled(self) -> bool:
        """Whether the response was over before it had a record of each tool (INT-10)."""
        return self.over and self._recorded < len(self._case.tools)

    @property
    def endless(self) -> bool:
        """Whether the system asked for so much that no end can be expected."""
        return self._asked > _MOST_ASKED

    def take(self, message: Message) -> None:
        """Take one message of the system, and do what follows from it."""
        if isinstance(message, Request):
            self._not_over(message.method)
            self._asked += 1
            self._does[message.method](message)
        elif isinstance(message, Notification) and message.method == "record":
            self._not_over(message.method)
            self._recorded += 1
            self.log.record(message.params["record"])
        elif isinstance(message, Notification):
            self._not_over(message.method)
            took: Json = int((time.monotonic() - self._begun) * 1000)
            # Only the chapter's members: a member of the system's own could be read as the suite's.
            text = {name: message.params[name] for name in ("text",) if name in message.params}
            self.log.probe(driven.FINISHED, {**text, "tookMs": took})
            self.over = True

    def give_way(self) -> None:
        """Do nothing: no player waits."""

    def give_up(self) -> None:
        """Log that the response does not end."""
        self.log.probe(driven.GAVE_UP, {})

    def _not_over(self, what: str) -> None:
        if self.over:
            self._wire.out_of_turn(what, "the response was over, as invocation/finished had said")

    def _plan(self, request: Request) -> None:
        self.log.probe(driven.PLANNED, {})
        self._wire.answer(request.id, {"intents": self._intents})

    def _use(self, request: Request) -> None:
        tool = str(request.params["toolName"])
        gives = self._case.gives.get(tool, Gives())
        # Under a profile that does not have the tool, its use fails.
        fails = gives.fails if tool in self._having.get(str(request.params["profile"]), ()) else "execution_error"
        told: Mapping[str, Json] = {"output": gives.output} if fails is None else {"failure": fails}
        named = {name: request.params[name] for name in ("profile", "toolName", "input") if name in request.params}
        self.log.probe(driven.TOOL_USED, {**named, **told})
        if fails is None:
            self._wire.answer(request.id, told)
        else:
            self._wire.refuse(request.id, USE_FAILED, f"the tool failed: {fails}", {"kind": fails})

    def _generate(self, request: Request) -> None:
        answers = self._case.answers
        answer = answers[min(self._generations, len(answers) - 1)]
        self._generations += 1
        named = {name: request.params[name] for name in ("profile", "offered", "results")}
        if answer.fails is not None:
            self.log.probe(driven.GENERATED, named)
            self._wire.refuse(request.id, PROVIDER_FAILED, answer.fails)
            return
        told = self._answered(answer, request.params)
        self.log.probe(driven.GENERATED, {**named, **told})
        self._wire.answer(request.id, told)

    def _answered(self, answer: Answer, params: Mapping[str, Json]) -> Mapping[str, Json]:
        """What a provider answers: its text, and what it used of the tools that it was offered and has."""
        # The text names the case, so that a text that the system kept from another case is noticed.
        text = f"Swifts leave in July, says {self._case.id}." if answer.text is None else answer.text
        told: dict[str, Json] = {"text": text}
        if answer.links:
            told["links"] = list(answer.links)
        if self._provider_uses and answer.tells:
            having = self._having.get(str(params["profile"]), frozenset())
            offered = dict.fromkeys(str(each.get("toolName")) for each in objects_of(params["offered"]))
            gives = {tool: self._case.gives.get(tool, Gives()) for tool in offered if tool in having}
            told["used"] = [_used(tool, each) for tool, each in gives.items() if each.used]
        return told


def _used(tool: str, gives: Gives) -> Mapping[str, Json]:
    if gives.fails is None:
        return {"toolName": tool, "status": "executed"}
    return {"toolName": tool, "status": "failed", "failure": gives.fails}


def _as_told(intent: Intent) -> Mapping[str, Json]:
    told: dict[str, Json] = {"toolName": intent.tool, "requested": intent.requested}
    return told if intent.input is None else {**told, "input": intent.input}
