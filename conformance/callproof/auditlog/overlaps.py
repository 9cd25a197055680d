"""Paths that lead to the same runs: whatever was found in them would be counted twice."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from callproof.auditlog.inputs import Form, Input


def overlap(inputs: Iterable[Input]) -> str | None:
    """What is wrong with the first two paths that lead to the same runs, links followed; None where none do."""
    given: dict[Path, Path] = {}
    forms: dict[Path, Form] = {}
    for each in inputs:
        real = Path(os.path.realpath(each.path))
        if real in given:
            return _same(given[real], each.path)
        given[real], forms[real] = each.path, each.form
    for real, form in forms.items():
        for above in real.parents if form is not Form.STREAM else ():
            if forms.get(above) is Form.TREE:
                return f"{given[real]} lies in {given[above]}, and its runs would be counted twice; give one of the two"
    return None


def _same(before: Path, after: Path) -> str:
    if before == after:
        return f"{after} is given twice, and its runs would be counted twice; give it once"
    return f"{before} and {after} are the same log, and its runs would be counted twice; give one of the two"
