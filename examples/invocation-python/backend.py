"""A small backend that answers questions, of the kind that many teams have.  It does not know about callproof.

It asks a planner which tools are wanted, uses them itself or lets a provider use them, has a provider make the answer,
and leaves a record of each tool.  An optional tool may fail; if any other tool fails, there is no answer.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from contract import SECOND, Account, Intent, Outcome, Request, failure_code, records

Json = dict[str, Any]
_ATTEMPTS = 2  # to get an answer from a provider
_SORRY = "There is no answer just now; please ask again later."
_NOBODY_SAID_WHY = "unspecified_tool_outcome"


class ToolFailed(Exception):
    """A tool was used and failed; ``kind`` is the kind of failure."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class ProviderFailed(Exception):
    """A provider gave no answer."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of a response, and whether the response can do without it."""

    name: str
    optional: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """A model with its settings, and the tools that it can use."""

    name: str
    tools: frozenset[str]


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a response.  The chosen profile is the first; the others follow in order of preference."""

    contract: str
    by_runtime: bool
    tools: Sequence[Tool]
    profiles: Sequence[Profile]
    may_reroute: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What a provider says, and which of the offered tools it used; None if the provider does not report that."""

    text: str
    used: dict[str, str | None] | None
    """For each tool that it used how that failed, or None."""


@dataclass(frozen=True, slots=True)
class Around:
    """The functions that a backend calls; they raise ToolFailed and ProviderFailed."""

    plan: Callable[[str], Awaitable[Sequence[Intent]]]
    use: Callable[[str, Intent], Awaitable[Any]]
    generate: Callable[[str, Sequence[Intent], Sequence[tuple[str, Any]]], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Response:
    """The text for the user, and the records."""

    text: str
    records: list[Json]


class Backend:
    """One response in the making."""

    def __init__(self, around: Around, terms: Terms) -> None:
        self._around, self._terms = around, terms
        self._intents: dict[str, Intent] = {}
        self._requests: dict[str, Request] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._outputs: list[tuple[str, Any]] = []
        self._chosen = self._answering = terms.profiles[0]
        self._offered: list[Intent] = []
        self._generation = "skipped"

    async def respond(self, question: str) -> Response:
        """The answer to a question, or why there is none, with a record of what happened to each tool."""
        await self._decide(question)
        if self._terms.by_runtime:
            await self._use_tools()
        text = await self._answer()
        missed = [each.intent.tool for each in self._accounts() if each.is_missed]
        text = f"There is no answer without {', '.join(missed)}." if missed else text or _SORRY
        told = records(str(uuid.uuid4()), self._terms.contract, self._accounts(), self._generation)
        return Response(text, told)

    async def _decide(self, question: str) -> None:
        """Ask the planner, and decide for each tool whether it may be used, and under which profile."""
        planned = {each.tool: each for each in await self._around.plan(question)}
        self._intents = {each.name: planned.get(each.name, Intent(each.name)) for each in self._terms.tools}
        self._answering = self._best_profile()
        for name, intent in self._intents.items():
            request = self._requests[name] = self._request(intent)
            if request.profile is None:
                self._outcomes[name] = Outcome("skipped", "orchestrator", request.reason or _NOBODY_SAID_WHY)

    def _best_profile(self) -> Profile:
        """The profile that answers: the chosen one, or, if the provider uses the tools, one that can use more."""
        wanted = [each for each in self._terms.tools if self._intents[each.name].requested]
        needed = {each.name for each in wanted if not each.optional}
        permitted = (
            self._terms.profiles if self._may_reroute and not self._terms.by_runtime else self._terms.profiles[:1]
        )
        # max() takes the first of equals, so the chosen profile wins a tie.
        return max(
            permitted, key=lambda each: (len(needed & each.tools), sum(tool.name in each.tools for tool in wanted))
        )

    @property
    def _may_reroute(self) -> bool:
        return self._terms.may_reroute and self._terms.contract == SECOND

    def _request(self, intent: Intent) -> Request:
        if not intent.requested:
            return Request(None, "tool_not_requested")
        elsewhere = self._terms.profiles if self._may_reroute and self._terms.by_runtime else ()
        able = [each for each in (self._answering, *elsewhere) if intent.tool in each.tools]
        return Request(able[0].name) if able else Request(None, self._why_not(intent.tool))

    def _why_not(self, tool: str) -> str | None:
        """Why a wanted tool cannot be used."""
        if tool in self._chosen.tools:
            return None  # the chosen profile could use it, but another profile answers
        if self._terms.contract != SECOND:
            return "tool_unavailable"
        if not self._terms.may_reroute:
            return "search_reroute_not_permitted_by_selection_source"
        if not any(tool in each.tools for each in self._terms.profiles):
            return "search_reroute_no_tool_capable_fallback_available"
        return "search_not_supported_by_selected_profile"

    async def _use_tools(self) -> None:
        """Use the tools, required ones first: if one of those fails, the others are of no use."""
        for tool in sorted(self._terms.tools, key=lambda each: each.optional):
            profile = self._requests[tool.name].profile
            if profile is not None and not self._misses():
                await self._use(profile, self._intents[tool.name])

    async def _use(self, profile: str, intent: Intent) -> None:
        began = time.monotonic()
        failure: str | None = None
        try:
            self._outputs.append((intent.tool, await self._around.use(profile, intent)))
        except ToolFailed as failed:
            failure = failed.kind
        self._came_of(intent.tool, profile, failure, int((time.monotonic() - began) * 1000))

    async def _answer(self) -> str | None:
        """The provider's text; None if no attempt succeeds, or if a required tool is missing before it is asked."""
        if self._misses():
            return None
        if not self._terms.by_runtime:
            self._offered = [self._intents[name] for name, request in self._requests.items() if request.profile]
        for _ in range(_ATTEMPTS):
            try:
                answer = await self._around.generate(self._answering.name, self._offered, self._outputs)
            except ProviderFailed:
                self._generation = "failed"
                continue
            self._hear(answer)
            self._generation = "skipped" if self._misses() else "executed"
            return answer.text
        return None

    def _hear(self, answer: Answer) -> None:
        """Note which of the offered tools the provider used, if it reports that."""
        if answer.used is None:
            return
        for intent in self._offered:
            if intent.tool in answer.used:
                self._came_of(intent.tool, self._answering.name, answer.used[intent.tool])
            else:
                self._outcomes[intent.tool] = Outcome("skipped", "runtime", "tool_not_used")

    def _came_of(self, tool: str, profile: str, failure: str | None, duration_ms: int | None = None) -> None:
        """Note that a tool was used under a profile, and how it failed; ``failure`` is None if it did not."""
        code = None if profile == self._chosen.name else "search_rerouted_to_fallback_profile"
        if failure is not None:
            code = failure_code(self._terms.contract, failure)
        status = "executed" if failure is None else "failed"
        self._outcomes[tool] = Outcome(status, "runtime", code, duration_ms)

    def _misses(self) -> bool:
        """Whether it is already known that the response lacks a required tool."""
        return any(each.is_missed for each in self._accounts() if each.intent.tool in self._outcomes)

    def _accounts(self) -> list[Account]:
        named = [(self._intents[each.name], each) for each in self._terms.tools]
        return [
            Account(intent, tool.optional, self._requests[tool.name], self._outcome(intent)) for intent, tool in named
        ]

    def _outcome(self, intent: Intent) -> Outcome:
        """The outcome of a tool, as far as it is known."""
        was_there = intent in self._offered or intent.tool in self._chosen.tools
        why = _NOBODY_SAID_WHY if was_there else "search_not_supported_by_selected_profile"
        return self._outcomes.get(intent.tool, Outcome("skipped", "runtime", why))
