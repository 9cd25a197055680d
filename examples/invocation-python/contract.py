"""The records of the invocation contract: each tool's intent, the request made of it, and the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
FIRST, SECOND = "v1", "2026-05"
# The codes of failures under the second contract; the first contract has one code for all of them.
_FAILURES: Mapping[str, str] = {
    "timeout": "tool_timeout",
    "http_error": "tool_http_error",
    "network_error": "tool_network_error",
    "invalid_response": "tool_invalid_response",
}


@dataclass(frozen=True, slots=True)
class Intent:
    """What the planner wants of a tool."""

    tool: str
    requested: bool = False
    input: Json | None = None

    def told(self) -> Json:
        """The intent in the form of the record."""
        given = {} if self.input is None else {"input": self.input}
        return {"toolName": self.tool, "requested": self.requested, **given}


@dataclass(frozen=True, slots=True)
class Request:
    """What the orchestrator makes of an intent: the profile under which the tool may be used, or a code for why not."""

    profile: str | None
    reason: str | None = None

    def told(self, intent: Intent) -> Json:
        """The request in the form of the record."""
        about = {"toolName": intent.tool, "requested": intent.requested, "eligible": self.profile is not None}
        return {**about, **_known(reasonCode=self.reason)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to a tool, who reports it, and a code, unless the tool was executed under the chosen profile."""

    status: str
    source: str
    reason: str | None = None
    duration_ms: int | None = None

    def told(self, tool: str) -> Json:
        """The outcome in the form of the record; a report has the same form."""
        more = _known(reasonCode=self.reason, durationMs=self.duration_ms)
        return {"toolName": tool, "status": self.status, **more}


def failure_code(contract: str, kind: str) -> str:
    """The reason code for a failure of this kind under this contract."""
    return _FAILURES.get(kind, "tool_execution_error") if contract == SECOND else "tool_execution_error"


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that a record says of one tool in one response."""

    intent: Intent
    optional: bool
    request: Request
    outcome: Outcome

    @property
    def is_missed(self) -> bool:
        """Whether the response lacks this tool although it needs it."""
        return self.intent.requested and not self.optional and self.outcome.status != "executed"


def records(response: str, contract: str, accounts: Iterable[Account], generation: str) -> list[Json]:
    """One record for each tool, each with the metadata of the response; ``generation`` is the status of the answer."""
    told = [(each, each.outcome.told(each.intent.tool)) for each in accounts]
    execution = [{"kind": "tool", **outcome} for _, outcome in told]
    execution.append({"kind": "generation", "status": generation})
    return [
        {
            "responseId": response,
            "contract": contract,
            "optional": each.optional,
            "intent": each.intent.told(),
            "request": each.request.told(each.intent),
            "reported": {each.outcome.source: outcome},
            "outcome": outcome,
            "execution": execution,
        }
        for each, outcome in told
    ]


def _known(**members: Any) -> Json:
    return {name: member for name, member in members.items() if member is not None}
