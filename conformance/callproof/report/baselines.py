"""Baselines as files: read without trust, written so that two of the same failures are the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from callproof import limits
from callproof.judge.baseline import Baseline, Entry, Failure
from callproof.report.stored import NotStored, stored


class BadBaseline(ValueError):
    """A file is no baseline that can be used: which, where in it, and what to do."""


def read_baseline(path: Path, *, unfinished: bool = False) -> Baseline:
    """
    The baseline in a file; ``unfinished`` lets reasons be empty.

    Raises BadBaseline.
    """
    entries = tuple(
        Entry(Failure(each["requirement"], each["scenario"], each["class"]), each["reason"].strip())
        for each in _document(path)["known"]
    )
    seen: set[Failure] = set()
    for place, entry in enumerate(entries):
        named = f"{path}: entry {place + 1}, {entry.failure.requirement} in {entry.failure.scenario},"
        if entry.failure in seen:
            raise BadBaseline(f"{named} stands there twice; keep one")
        if not entry.reason and not unfinished:
            raise BadBaseline(f"{named} has no reason; write why it may stand for now, or where it is being mended")
        seen.add(entry.failure)
    return Baseline(entries)


def baseline_text(baseline: Baseline) -> str:
    """A baseline as text for a file."""
    known = [
        {
            "requirement": each.failure.requirement,
            "scenario": each.failure.scenario,
            "class": each.failure.message,
            "reason": each.reason,
        }
        for each in sorted(baseline.entries, key=lambda each: each.failure)
    ]
    return json.dumps({"baselineVersion": "1.0", "known": known}, indent=2, ensure_ascii=True) + "\n"


def _document(path: Path) -> Mapping[str, Any]:
    try:
        return stored(path, "baseline", limits.BASELINE_BYTES)
    except NotStored as error:
        hint = "; --update-baseline writes one" if error.missing else ""
        raise BadBaseline(f"{error}{hint}") from None
