"""Cases as data: what the model replies, what tools and hooks answer, and what the user does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from callproof.driven.tools import Wait
from callproof.values.jsontext import Json

# What the user says at the beginning.
PROMPT: Final = "go on"
# The ways in which the calls of one reply are carried out; a loop claims at least one of them.
MODES: Final = ("parallel", "sequential")
FEATURES: Final = (
    *MODES,
    "beforeHook",
    "afterHook",
    "persistHook",
    "streaming",
    "progress",
    "abort",
    "steering",
    "clientTools",
)


def text(said: str) -> Mapping[str, Json]:
    """A block of content that is a text."""
    return {"type": "text", "text": said}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call; its ``parameters`` are a JSON Schema."""

    name: str
    parameters: Mapping[str, Json]
    of_client: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One call in a reply; ``pieces`` are the streamed text of its arguments, if it is not the usual division."""

    id: str
    tool: str
    arguments: Mapping[str, Json]
    pieces: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """
    One reply of the model, a text and calls; if it ``fails`` there is no reply, and ``fails`` is the reason.

    If it is ``woven`` and comes in pieces, the pieces of its calls come by turns.
    """

    calls: tuple[Asked, ...] = ()
    said: str | None = None
    stop: str = "toolUse"
    fails: str | None = None
    woven: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What a tool does in one call: it tells ``progress``, waits, and returns or throws.

    After its call has ended it goes on talking and tells ``late``.
    """

    content: tuple[Mapping[str, Json], ...] = (text("done"),)
    details: Json = None
    throws: str | None = None
    progress: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    waits: Wait = Wait.NOTHING
    awaited: str | None = None


@dataclass(frozen=True, slots=True)
class Before:
    """What a before-hook says about one call; a ``slow`` hook says it only after a while."""

    block: bool = False
    reason: str | None = None
    params: Mapping[str, Json] | None = None
    fails: str | None = None
    slow: bool = False


@dataclass(frozen=True, slots=True)
class After:
    """
    What an after-hook says about one call: members that it wants in the result, or that it failed.

    A ``slow`` hook says it only when no more messages come.
    """

    answer: Mapping[str, Json] = field(default_factory=dict[str, Json])
    fails: str | None = None
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Persist:
    """What a persist hook makes of the message of one call, or that it failed."""

    content: tuple[Mapping[str, Json], ...] | None = None
    details: Json = None
    fails: str | None = None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Which hooks are set, each with what it says by the id of the call; about other calls it says nothing."""

    before: Mapping[str, Before] | None = None
    after: Mapping[str, After] | None = None
    persist: Mapping[str, Persist] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the hooks that are set."""
        told = (("before", self.before), ("after", self.after), ("persist", self.persist))
        return tuple(name for name, hook in told if hook is not None)


@dataclass(frozen=True, slots=True)
class Act:
    """
    What the user does when a call has entered its tool: abort the run, or write something (``says``).

    What the user ``adds`` is another message, right after the first.
    If ``reply`` is given, the user does it while the model is at work on the reply of that number, and names no call.
    """

    when: str | None = None
    says: str | None = None
    reply: int | None = None
    adds: str | None = None


@dataclass(frozen=True, slots=True)
class LoopCase:
    """
    One case: ``replies`` are the model's in turn; after them it says that it is done, or goes on failing.

    If ``mode`` is None, it is one that the loop claims.  ``needs`` are features without which the case is not run;
    ``aims`` are the requirements that every lawful loop shows in it; ``excused`` those that the suite breaks.
    """

    id: str
    says: str
    replies: tuple[Reply, ...]
    aims: tuple[str, ...]
    tools: tuple[Tool, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict[str, Answer])
    hooks: Hooks = Hooks()
    act: Act | None = None
    mode: str | None = None
    streamed: bool = False
    needs: tuple[str, ...] = ()
    excused: tuple[str, ...] = ()
