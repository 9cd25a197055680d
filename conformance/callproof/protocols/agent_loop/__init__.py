"""The invocation protocol of an agent loop: what becomes of every tool call that a model asks for."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.protocols.agent_loop import (
    arguments,
    contexts,
    courses,
    deeds,
    executions,
    hooks,
    ids,
    outcomes,
    progress,
    replies,
    results,
    schemas,
)
from callproof.protocols.agent_loop.calls import EVIDENCE, LAWS, Loop
from callproof.protocols.agent_loop.reading import is_known
from callproof.protocols.agent_loop.trace import loop_of
from callproof.protocols.parts import some
from callproof.protocols.protocol import LoggedProtocol

__all__ = [
    "PROTOCOL",
    "arguments",
    "contexts",
    "courses",
    "deeds",
    "executions",
    "hooks",
    "ids",
    "outcomes",
    "progress",
    "replies",
    "results",
    "schemas",
]


def noted(loop: Loop) -> str | None:
    """What a report notes about a form that is not the loop's own, and about calls that wait for results, or None."""
    return "; ".join((*_form_of(loop), *_still_to_come(loop))) or None


def _form_of(loop: Loop) -> Iterator[str]:
    """The form, and the evidence that it lacks, which a verdict does not list."""
    if loop.form is not None:
        lacks = ", ".join(name for name in EVIDENCE if name in loop.lacking)
        yield f"read as {loop.form}, without {lacks}"


def _still_to_come(loop: Loop) -> Iterator[str]:
    """Why a log that reaches its end is still incomplete; the reason may be a pending call (HOST-08)."""
    if loop.open_calls:
        told = [f"{each.named}, which is pending" if each.waits else each.named for each in loop.open_calls]
        yield f"no result yet for {some(told, '; ')}"


PROTOCOL = LoggedProtocol(
    "agent-loop", "events, a session or messages of an agent loop", is_known, loop_of, LAWS, noted
)
