"""What the suite covers: every requirement, how it is decided, and what proves that its check can fail."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from callproof.checks.check import Check
from callproof.judge.judging import checks_by_requirement
from callproof.resources import SPEC
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification
from callproof.spec.yaml_blocks import examples_of


@dataclass(frozen=True, slots=True)
class Coverage:
    """One row of the table: the requirement, its checks, and the miniatures that its checks must catch."""

    requirement: Requirement
    checks: tuple[str, ...]
    decided: str
    miniatures: tuple[str, ...]

    @property
    def open(self) -> bool:
        """Whether no check decides the requirement and no reason is given: a gap in the suite."""
        return not self.checks and self.requirement.excluded is None


def coverage(
    spec: Specification, by_requirement: Mapping[str, Sequence[Check[Any]]] | None = None
) -> tuple[Coverage, ...]:
    """The table, in the order of the chapters; the checks are those of runs unless others are given."""
    checks = checks_by_requirement() if by_requirement is None else by_requirement
    executors = executor_miniatures()
    return tuple(
        Coverage(
            requirement=each,
            checks=tuple(check.name for check in checks.get(each.id, ())),
            decided=_decided(each, bool(checks.get(each.id))),
            miniatures=(*(example.name for example in examples_of(each)), *executors.get(each.id, ())),
        )
        for each in spec.requirements.values()
    )


@cache
def executor_miniatures() -> Mapping[str, tuple[str, ...]]:
    """The broken executors by the requirement that must catch them, as published with the specification."""
    published = SPEC / "miniatures.json"
    if not published.is_file():
        return {}
    listed: Iterable[Mapping[str, str]] = json.loads(published.read_text(encoding="utf-8"))
    found: dict[str, tuple[str, ...]] = {}
    for each in listed:
        found[each["requirement"]] = (*found.get(each["requirement"], ()), each["name"])
    return found


def _decided(requirement: Requirement, checked: bool) -> str:
    if requirement.excluded is not None:
        return "excluded"
    if not checked:
        return "open"
    letters = {need.name for need in requirement.needs}
    if "L" in letters:
        return "log and live run" if letters - {"L", "S"} else "log"
    return "live run" if letters - {"S"} else "suite"
