"""Finds paths that lead to the same runs, because what is found there would be counted twice."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from pathlib import Path

from callproof.auditlog.inputs import Form, Input


def overlap(inputs: Iterable[Input]) -> str | None:
    """What is wrong with the first two inputs that lead to the same runs, links followed; None if none do."""
    every = tuple(inputs)
    trees = {each.path for each in every if each.form is Form.TREE}
    # A stream is read only if its own path is given.
    return twice([each.path for each in every], trees, {each.path for each in every if each.form is Form.STREAM})


def twice(paths: Iterable[Path], trees: Collection[Path], apart: Collection[Path] = ()) -> str | None:
    """
    What is wrong with the first two paths that are the same, or of which one lies in another; None if none do.

    A path in ``trees`` includes what lies below it.  A path in ``apart`` is never included by a path above it.
    """
    given: dict[Path, Path] = {}
    for path in paths:
        real = Path(os.path.realpath(path))
        if real in given:
            return _same(given[real], path)
        given[real] = path
    for real, path in given.items():
        for above in real.parents if path not in apart else ():
            if given.get(above) in trees:
                return f"{path} lies in {given[above]}, so its runs would be counted twice; give one of the two"
    return None


def _same(before: Path, after: Path) -> str:
    if before == after:
        return f"{after} is given twice, so its runs would be counted twice; give it once"
    return f"{before} and {after} are the same log, so its runs would be counted twice; give one of the two"
