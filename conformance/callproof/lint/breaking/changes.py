"""A change between two versions of a tool, and its effect on each purpose.

The table says once what each kind of change means for a stored log, a stored plan and a running agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, TypeAlias, get_args

from callproof.lint.document import Document, Pointer
from callproof.lint.schemas.gaps import Sample

# replay  the calls of a stored log, made again exactly as they are there
# plan    a stored plan, whose steps name tools, arguments and members of outputs
# agent   an agent that reads the definitions anew in each conversation
Purpose: TypeAlias = Literal["replay", "plan", "agent"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


class Effect(IntEnum):
    """The effect of a change, the lightest first."""

    NONE = 0
    OK = 1
    NOTE = 2
    WARN = 3
    REVIEW = 4
    BREAK = 5

    @property
    def word(self) -> str:
        """The word for it in reports."""
        return self.name.lower()


_TABLE: Mapping[str, tuple[Effect, Effect, Effect]] = {
    "BRK001": (Effect.BREAK, Effect.BREAK, Effect.WARN),
    "BRK002": (Effect.BREAK, Effect.BREAK, Effect.WARN),
    "BRK003": (Effect.BREAK, Effect.BREAK, Effect.WARN),
    "BRK004": (Effect.BREAK, Effect.BREAK, Effect.WARN),
    "BRK005": (Effect.OK, Effect.OK, Effect.OK),
    "BRK006": (Effect.OK, Effect.BREAK, Effect.BREAK),
    "BRK007": (Effect.OK, Effect.BREAK, Effect.BREAK),
    "BRK008": (Effect.NOTE, Effect.NOTE, Effect.OK),
    "BRK009": (Effect.WARN, Effect.WARN, Effect.WARN),
    "BRK010": (Effect.BREAK, Effect.BREAK, Effect.BREAK),
    "BRK011": (Effect.NONE, Effect.NONE, Effect.NOTE),
    "BRK012": (Effect.REVIEW, Effect.REVIEW, Effect.REVIEW),
}
RULES = tuple(_TABLE)


def effect(rule: str, purpose: Purpose) -> Effect:
    """The effect of a kind of change on a purpose."""
    return _TABLE[rule][PURPOSES.index(purpose)]


def purpose_of(text: str) -> Purpose:
    """The purpose with a name.  Raises ValueError for any other name."""
    if text not in PURPOSES:
        raise ValueError(f"{text!r} is not a purpose; permitted: {', '.join(PURPOSES)}")
    return text


@dataclass(frozen=True, eq=False)
class Change:
    """
    One change of one tool.

    ``at`` says where in words: ``input.limit``, ``output.items[].path``, ``riskLevel``.  ``says`` is what changed, in a
    clause; values are shortened and never escaped.  It is at ``pointer`` in ``document``: in the new version, or in the
    old one if the new one has nothing there.
    """

    rule: str
    tool: str
    at: str
    says: str
    document: Document
    pointer: Pointer
    sample: Sample | None = None
    limit: str = ""
