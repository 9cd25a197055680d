"""Captured logs with edits from files: the examples of the specification, and variations that it means to permit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from auditing.mutations import compact
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from log_edits import Edit, apply, copy_of

_BENIGN = sorted((Path(__file__).parents[1] / "benign").glob("*.yaml"))


def edited_log(base: str, edits: Iterable[Edit]) -> CapturedRun:
    """A base log with these edits, one after another; written compactly if its lines can be read."""
    with tempfile.TemporaryDirectory() as where:
        folder = copy_of(base, Path(where) / "log")
        for edit in edits:
            apply(edit, folder)
        captured = captured_in(folder, name=base)
    try:
        return compact(captured)
    except ValueError:
        return captured


def violating_logs() -> Iterator[tuple[str, CapturedRun]]:
    """Each example of the specification in the form that breaks its law, by name."""
    for requirement in specification().requirements.values():
        for each in examples_of(requirement) if requirement.excluded is None else ():
            edits = [Edit(each.line, each.violates)]
            if each.conforms is not None and not isinstance(each.violates, str):
                edits.insert(0, Edit(each.line, each.conforms))
            yield f"{each.requirement}-{each.name}", edited_log(each.base, edits)


@cache
def lawful_logs() -> Sequence[tuple[str, CapturedRun]]:
    """The examples in their lawful form and the benign variations, by name."""
    return [*_lawful()]


def _lawful() -> Iterator[tuple[str, CapturedRun]]:
    for requirement in specification().requirements.values():
        for each in examples_of(requirement) if requirement.excluded is None else ():
            if each.conforms is not None:
                yield f"{each.requirement}-{each.name}", edited_log(each.base, [Edit(each.line, each.conforms)])
    for path in _BENIGN:
        told: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        yield path.stem, edited_log(told["base"], [Edit(each["line"], each["merge"]) for each in told.get("edits", ())])
