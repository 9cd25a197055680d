"""What a comparison of two catalogues means for one purpose: its changes by weight, and an exit code.

``spec/tools/reports.md`` has its shape as data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from callproof import __version__
from callproof.lint.breaking.changes import Change, Effect, Purpose, effect
from callproof.lint.document import pointer_text
from callproof.lint.wording import shown
from callproof.values.counts import counted

NOTHING_BREAKS, BREAKS, NOT_CHECKED = 0, 1, 2
REPORT_VERSION = "1.0"
_OUTCOMES = {NOTHING_BREAKS: "nothing breaks", BREAKS: "breaks", NOT_CHECKED: "not checked"}


@dataclass(frozen=True, eq=False)
class Compared:
    """
    Changes in the order of their weight, and sentences about what could not be checked.

    ``reviewed`` says that the user has looked at what was not decided, so that it no longer counts.
    """

    purpose: Purpose
    changes: tuple[Change, ...]
    problems: tuple[str, ...] = ()
    reviewed: bool = False

    @property
    def weighed(self) -> tuple[tuple[Effect, Change], ...]:
        """The changes that matter for the purpose, the heaviest first."""
        told = ((effect(change.rule, self.purpose), change) for change in self.changes)
        return tuple(sorted(((weight, each) for weight, each in told if weight), key=lambda pair: -pair[0]))

    @property
    def counts(self) -> Mapping[Effect, int]:
        """How many changes there are of each weight."""
        weights = [weight for weight, _ in self.weighed]
        return {weight: weights.count(weight) for weight in reversed(Effect) if weight in weights}

    @property
    def exit_code(self) -> int:
        """1 if something breaks, 2 if something could not be checked, 0 otherwise."""
        if Effect.BREAK in self.counts:
            return BREAKS
        if self.problems or (Effect.REVIEW in self.counts and not self.reviewed):
            return NOT_CHECKED
        return NOTHING_BREAKS

    def as_json(self) -> dict[str, Any]:
        """The outcome as data."""
        return {
            "breakingVersion": REPORT_VERSION,
            "suite": f"callproof {__version__}",
            "purpose": self.purpose,
            "outcome": _OUTCOMES[self.exit_code],
            "exitCode": self.exit_code,
            "reviewed": self.reviewed,
            "counts": {weight.word: count for weight, count in self.counts.items()},
            "changes": [_as_json(weight, change) for weight, change in self.weighed],
            "problems": [*self.problems],
        }


def _as_json(weight: Effect, change: Change) -> dict[str, Any]:
    place = change.document.place(change.pointer)
    told: dict[str, Any] = {
        "rule": change.rule,
        "effect": weight.word,
        "tool": change.tool,
        "at": change.at,
        "says": change.says,
        "file": change.document.name,
        "line": place.line,
        "column": place.column,
        "pointer": pointer_text(change.pointer),
    }
    if change.sample is not None:
        told["sample"] = change.sample.value
    if change.limit:
        told["limit"] = change.limit
    return told


def lines(compared: Compared, *, everything: bool = False) -> Sequence[str]:
    """The outcome as lines of text, not escaped; changes without consequence only if ``everything`` is asked for."""
    told: list[str] = []
    for weight, change in compared.weighed:
        if weight is Effect.OK and not everything:
            continue
        place = change.document.place(change.pointer)
        told.append(f"{weight.word:<6} {change.rule} {change.tool}: {change.at}: {change.says}")
        told.append(f"       {change.document.name}:{place.line}:{place.column}")
        if change.sample is not None and weight is not Effect.OK:
            told.append(f"       for instance {shown(change.sample.value)}")
    return told


def closing_line(compared: Compared) -> str:
    """How many changes of each weight, in one line."""
    counts = ", ".join(f"{count} {weight.word}" for weight, count in compared.counts.items())
    nothing = "not compared" if compared.problems else "no change"
    beside = (
        f"; {counted(len(compared.problems), 'thing')} could not be compared" if counts and compared.problems else ""
    )
    return f"for {compared.purpose}: {counts or nothing}{beside}"
