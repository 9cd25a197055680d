"""Captured logs whose calls changed paths at random, few enough that one call finds what another one left there."""

from __future__ import annotations

import random
from typing import Any

from auditing.other_logs import one_after_another
from callproof.auditlog.captured import CapturedRun

_PATHS = ("A", "B", "C", "a", "F", "F/A")
_ETAGS = ("e1", "e2", "W/e1", "")
CALLS = 4


def with_a_history(captured: CapturedRun, seed: int) -> CapturedRun:
    """The log with four calls that changed these paths, the same for the same seed."""
    dice, touched = random.Random(seed), [random.Random(seed).choice(_PATHS)]
    return one_after_another(captured, *(_told(dice, touched) for _ in range(CALLS)))


def _told(dice: random.Random, touched: list[str]) -> dict[str, Any]:
    """The effects of one call; what a rename moved or replaced may be reported as deleted, too."""
    effects: dict[str, Any] = {}
    for _ in range(dice.choice((0, 1, 1, 1, 2))):
        name = dice.choice(("created", "modified", "deleted", "renamed", "renamed"))
        path, other = (dice.choice(touched[-2:]) if dice.random() < 0.7 else dice.choice(_PATHS) for _ in "ab")
        if name != "renamed":
            effects.setdefault(name, []).append(_entry(dice, path, name))
        else:
            other = other if other != path else dice.choice([each for each in _PATHS if each != path])
            effects.setdefault(name, []).append({"from": path, "to": other})
            if dice.random() < 0.5:
                effects.setdefault("deleted", []).append(_entry(dice, dice.choice((path, other)), name))
        touched += [path] if name != "renamed" else [other]
    return effects


def _entry(dice: random.Random, path: str, name: str) -> dict[str, Any]:
    entry = {"path": path, "kind": "file" if name == "modified" else dice.choice(("file", "file", "folder"))}
    for member in ("beforeEtag", "afterEtag"):
        if dice.random() < 0.5:
            entry[member] = dice.choice(_ETAGS)
    return entry
