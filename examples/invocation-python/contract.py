"""The words of the invocation contract: what was wanted of a tool, what was made of that, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
FIRST, SECOND = "v1", "2026-05"
# What a failure is called under the second contract; the first one has one word for all of them.
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
        """As the record has it."""
        given = {} if self.input is None else {"input": self.input}
        return {"toolName": self.tool, "requested": self.requested, **given}


@dataclass(frozen=True, slots=True)
class Request:
    """What the orchestrator makes of it: the profile under which the tool may be used, or a code of why not."""

    profile: str | None
    reason: str | None = None

    def told(self, intent: Intent) -> Json:
        """As the record has it."""
        about = {"toolName": intent.tool, "requested": intent.requested, "eligible": self.profile is not None}
        return {**about, **_known(reasonCode=self.reason)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tool, by whose word, with a code unless it was executed where everybody thought it would be."""

    status: str
    source: str
    reason: str | None = None
    duration_ms: int | None = None

    def told(self, tool: str) -> Json:
        """As the record has it, in the outcome and in a report."""
        more = _known(reasonCode=self.reason, durationMs=self.duration_ms)
        return {"toolName": tool, "status": self.status, **more}


def failure_code(contract: str, kind: str) -> str:
    """What a tool that failed in this way is said to have done."""
    return _FAILURES.get(kind, "tool_execution_error") if contract == SECOND else "tool_execution_error"


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that there is to say of one tool and one response."""

    intent: Intent
    optional: bool
    request: Request
    outcome: Outcome

    @property
    def is_missed(self) -> bool:
        """Whether the response has to go without what it cannot do without."""
        return self.intent.requested and not self.optional and self.outcome.status != "executed"


def records(response: str, contract: str, accounts: Iterable[Account], generation: str) -> list[Json]:
    """One for each tool, all with the metadata of the response; ``generation`` is the status of the answer."""
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
