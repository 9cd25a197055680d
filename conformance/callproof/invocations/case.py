"""Cases as data: what the planner wants, what each profile has, what tools give, and what providers answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from callproof.protocols.invocation.codes import V1
from callproof.values.jsontext import Json

# What the user asks.
QUESTION: Final = "when do swifts leave?"
LATER: Final = "2026-05"
CONTRACTS: Final = (V1, LATER)
# Who uses tools, by the feature that claims it; a system claims at least one of them.
USERS: Final = {"byRuntime": "runtime", "byProvider": "provider"}
FEATURES: Final = (*USERS, *CONTRACTS, "rerouting", "requiredTools", "severalTools", "reports")
# The ways in which a tool fails.
FAILURES: Final = ("execution_error", "timeout", "http_error", "network_error", "invalid_response")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the response, and whether the response can do without it."""

    name: str
    optional: bool = True


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile, and the tools that it has."""

    name: str
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which profile is chosen, by whom, and whether another one may be used."""

    profile: str
    by: str = "default"
    may_reroute: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """What the planner wants of a tool."""

    tool: str
    requested: bool = True
    input: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Gives:
    """What a tool gives, or how it ``fails``; a tool that its provider does without is not ``used``."""

    output: Json = None
    fails: str | None = None
    used: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What a provider answers: ``text`` (None for a text that no other case has), or that it fails.

    A provider that does not ``tell`` says nothing about the tools that it used.
    """

    text: str | None = None
    fails: str | None = None
    tells: bool = True
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InvocationCase:
    """
    One case: ``answers`` are those of the providers in turn; the last one is repeated.

    If ``contract`` or ``user`` (who uses tools) is None, it is one that the system claims.  ``needs`` are features
    without which the case is not run; ``aims`` are the requirements that every lawful system shows in it.
    """

    id: str
    says: str
    aims: tuple[str, ...]
    intents: tuple[Intent, ...]
    tools: tuple[Tool, ...]
    profiles: tuple[Profile, ...]
    chosen: Chosen
    gives: Mapping[str, Gives] = field(default_factory=dict[str, Gives])
    answers: tuple[Answer, ...] = (Answer(),)
    contract: str | None = None
    user: str | None = None
    needs: tuple[str, ...] = ()
