"""Benign variations two at a time: what is permitted alone is permitted together.

Two variations of one base run are composed if they do not alter the same member of the same line; a variation that
moves lines comes last.  ``AT_ODDS`` lists a pair that contradicts itself about one fact, with the reason.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from benign_sweeps import SWEEPS, swept
from callproof.auditlog.reader import read_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from log_edits import BASES, Edit, apply, copy_of

pytestmark = pytest.mark.many

T = TypeVar("T")

# Of the pairs that contain a style of writing, each run tries one in this many.
_ONE_OF = 3

FILES = sorted((Path(__file__).parent / "benign").glob("*.yaml"))


@dataclass(frozen=True)
class Variation:
    """One file of tests/benign."""

    name: str
    base: str
    edits: tuple[Edit, ...]
    removed: tuple[str, ...]

    @property
    def moves_lines(self) -> bool:
        """Whether it changes line numbers."""
        return bool(self.removed) or any(edit.becomes in ("absent", "twice") for edit in self.edits)

    def touched(self) -> Iterator[tuple[str, ...]]:
        """Every place that it alters: the line, and the path of the member if it alters no more than that."""
        for edit in self.edits:
            place = (edit.file, str(edit.number))
            if isinstance(edit.becomes, dict) and edit.becomes.keys() != {"text"}:
                yield from ((*place, *path) for path in _paths(edit.becomes))
            else:
                yield place


@cache
def variations() -> tuple[Variation, ...]:
    """All of them, by name."""
    read = ((file.stem, yaml.safe_load(file.read_text(encoding="utf-8"))) for file in FILES)
    return tuple(
        Variation(
            name,
            each["base"],
            tuple(Edit(edit["line"], edit["merge"]) for edit in each.get("edits") or ()),
            tuple(each.get("remove") or ()),
        )
        for name, each in read
    )


def _paths(patch: Any) -> Iterator[tuple[str, ...]]:
    if not isinstance(patch, dict) or not patch:
        yield ()
        return
    for name, value in patch.items():
        yield from ((name, *rest) for rest in _paths(value))


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(a == b for a, b in zip(one, other))


def _together(one: Variation, other: Variation) -> bool:
    if one.base != other.base or (one.moves_lines and other.moves_lines):
        return False
    return not any(_meet(a, b) for a in one.touched() for b in other.touched())


# Pairs that are not permitted together although each variation is permitted alone, with the reasons.
AT_ODDS: dict[frozenset[str], str] = {}


def pairs() -> list[tuple[Variation, Variation]]:
    """Every two variations that can be combined."""
    return [pair for pair in combinations(variations(), 2) if _together(*pair)]


def two_sweeps() -> list[tuple[str, str, str]]:
    """Every base run with every two sweeps."""
    bases = sorted(path.name for path in BASES.iterdir() if path.is_dir())
    return [(base, *two) for base in bases for two in combinations(SWEEPS, 2)]


def swept_variations() -> list[tuple[Variation, str]]:
    """Every variation under every sweep."""
    return [(each, sweep) for each in variations() for sweep in SWEEPS]


def _some(everything: Sequence[T]) -> list[T]:
    """One in every ``_ONE_OF``, the same ones each time; all of them if CALLPROOF_ALL_PAIRS is set."""
    step = 1 if "CALLPROOF_ALL_PAIRS" in os.environ else _ONE_OF
    return list(everything)[::step]


def _composed(folder: Path, *those: Variation) -> None:
    for each in sorted(those, key=lambda each: each.moves_lines):
        for edit in each.edits:
            apply(edit, folder)
        for name in each.removed:
            (folder / name).unlink()


def _blamed(folder: Path) -> dict[str, list[str]]:
    results = judge(read_run(folder))
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


def test_two_variations_of_one_run_are_spotless(tmp_path: Path) -> None:
    """Two variations that are permitted alone are permitted together."""
    told: dict[str, object] = {}
    for number, (one, other) in enumerate(pairs()):
        if frozenset((one.name, other.name)) in AT_ODDS:
            continue
        folder = copy_of(one.base, tmp_path / str(number))
        _composed(folder, one, other)
        if blamed := _blamed(folder):
            told[f"{one.name} {other.name}"] = blamed
    assert told == {}


def test_a_variation_of_a_run_is_spotless_whoever_writes_it(tmp_path: Path) -> None:
    """A variation stays permitted if the whole log is written in another style."""
    told: dict[str, object] = {}
    for number, (one, sweep) in enumerate(_some(swept_variations())):
        if frozenset((one.name, sweep)) in AT_ODDS:
            continue
        folder = copy_of(one.base, tmp_path / str(number))
        _composed(folder, one)
        swept(folder, SWEEPS[sweep])
        if blamed := _blamed(folder):
            told[f"{one.name} {sweep}"] = blamed
    assert told == {}


def test_two_styles_of_writing_are_spotless(tmp_path: Path) -> None:
    """Every base run may be written in any two styles at once."""
    told: dict[str, object] = {}
    for number, (base, *names) in enumerate(_some(two_sweeps())):
        folder = copy_of(base, tmp_path / str(number))
        swept(folder, *(SWEEPS[name] for name in names))
        if blamed := _blamed(folder):
            told[f"{base} {names}"] = blamed
    assert told == {}


def test_there_are_thousands_of_pairs() -> None:
    """There are enough pairs to be worth trying, and ``AT_ODDS`` lists only pairs that exist."""
    assert len(pairs()) + len(two_sweeps()) + len(swept_variations()) > 2_000
    names = {frozenset((one.name, other.name)) for one, other in pairs()}
    names |= {frozenset((one.name, sweep)) for one, sweep in swept_variations()}
    assert set(AT_ODDS) <= names
