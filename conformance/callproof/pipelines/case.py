"""Cases as data: what the model asks for, what tools, hooks, people and the store answer, and what the user does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from callproof.driven.tools import Wait
from callproof.values.jsontext import Json

# The ways in which the calls of one batch are executed; a pipeline claims at least one of them.
WAYS: Final = ("concurrent", "serial")
FEATURES: Final = (
    *WAYS,
    "ordered",
    "siblings",
    "otherNames",
    "deferred",
    "blocked",
    "validate",
    "preHook",
    "hookDecisions",
    "permission",
    "updatedInput",
    "mapping",
    "postHook",
    "persistence",
    "progress",
    "abort",
    "contextModifiers",
)
SERIAL: Final = "serial"
UNORDERED: Final = "allow_unordered"
ORDERED: Final = "preserve_terminal_order"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of the surface; its ``schema`` is a JSON Schema of its input."""

    id: str
    schema: Mapping[str, Json]
    names: tuple[str, ...] = ()
    state: str = "visible"


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that the model asks for, by the name of a tool."""

    id: str
    name: str
    input: Json


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What a tool does in one call: it tells ``progress``, waits, and returns or throws with a class.

    Without an ``output`` it gives a different one for each call.  After the result of its call it goes on talking and
    tells ``late``.
    """

    output: Json = None
    modifier: Mapping[str, Json] | None = None
    fails: str | None = None
    progress: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    waits: Wait = Wait.NOTHING
    awaited: str | None = None


@dataclass(frozen=True, slots=True)
class Pre:
    """What the hook before a call says about it, at once, or ``held`` back until nothing has come for a while."""

    block: bool = False
    reason: str | None = None
    input: Mapping[str, Json] | None = None
    behavior: str | None = None
    fails: str | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Permit:
    """
    The answer to a question for permission: yes, unless it is denied ``by`` a person or a policy.

    It comes at once, or after the pipeline took the ``act`` of the user, or after another call has its result, or is
    ``held`` back until nothing has come for a while.
    """

    denied_by: str | None = None
    updated_input: Mapping[str, Json] | None = None
    after: str | None = None
    held: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """What the hook after a call says about its output."""

    block: bool = False
    output: Json = None
    fails: str | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """The user aborts a call, or all calls, when a call has entered its tool, or while permission is asked for it."""

    when: str
    at: str = "execute"
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """
    Who is set, and what each says, by the id of the call; for other calls each lets the call go on unchanged.

    ``refused`` are the classes by which a tool refuses the values. Mapping and store only list calls for which they
    fail.
    """

    refused: Mapping[str, str] | None = None
    pre: Mapping[str, Pre] | None = None
    permits: Mapping[str, Permit] | None = None
    unmapped: tuple[str, ...] | None = None
    post: Mapping[str, Post] | None = None
    unstored: tuple[str, ...] | None = None

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases in which somebody has to be asked."""
        told = (
            ("validate_values", self.refused),
            ("pre_hooks", self.pre),
            ("permission", self.permits),
            ("map_result", self.unmapped),
            ("post_hooks", self.post),
            ("persist_result", self.unstored),
        )
        return tuple(phase for phase, said in told if said is not None)


@dataclass(frozen=True, slots=True)
class PipelineCase:
    """
    One case: ``calls`` are a batch of the model, in order.

    If ``ordering`` is None, it is one that the pipeline claims.  ``needs`` are features without which the case is not
    run; ``aims`` are the requirements that every lawful pipeline shows in it.
    """

    id: str
    says: str
    calls: tuple[Asked, ...]
    aims: tuple[str, ...]
    tools: tuple[Tool, ...] = ()
    answers: Mapping[str, Answer] = field(default_factory=dict[str, Answer])
    asking: Asking = Asking()
    result_bytes: int | None = None
    act: Act | None = None
    ordering: str | None = None
    siblings: str = "ignore"
    context: str = "forbid"
    needs: tuple[str, ...] = ()
