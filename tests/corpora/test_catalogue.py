"""The catalogue of requirements, rulings and benign variations, compared with the specification."""

from __future__ import annotations

import re

import pytest
from callproof.spec.registry import specification
from shared import SHARED

GROUPS = [
    "CALL",
    "RES",
    "EVT",
    "REF",
    "HASH",
    "VAL",
    "POL",
    "CONF",
    "RETRY",
    "TIME",
    "CANC",
    "LOOP",
    "DEP",
    "ERR",
    "EFF",
    "LOG",
    "MSG",
]
CATALOGUE = (SHARED / "design" / "requirements.md").read_text(encoding="utf-8")
ROWS = {
    match[1]: (match[2], set(match[3].split()))
    for match in re.finditer(r"^\| ([A-Z]+-\d\d) \| (MUST|SHOULD|MAY) \|.*\| ([A-Z ]+) \|$", CATALOGUE, re.MULTILINE)
    if match[1].rpartition("-")[0] in GROUPS
}
# Requirements that need other evidence in the specification than in the catalogue, and why.
CHANGED = {
    "REF-23": {"S", "T", "L"},  # a run that began under a plan with a cycle shows it in run.json
    "DEP-09": {"S", "T", "L"},  # the same for a dependency that cannot be met
    "DEP-10": {"S", "T", "L"},  # the same for a limit of no slots
    "REF-24": {"L", "K"},  # a log shows whether the failure names its reference; secrets show what it must not hold
    "LOG-09": {"R"},  # only the caller that gave the plan can compare; what a log shows of it is CONF-10
}
# What the specification asks for beyond the catalogue, and why.
ADDED = {
    "EFF-26": "a tool of the system's own may ignore a guard and tell so truthfully, and no law held it to the guard",
    "LOOP-14": "a plan says how many iterations may be open at once, and above one no law held anybody to it",
}
SPECIFICATION = specification()
TEXT = "\n".join(chapter.text for chapter in SPECIFICATION.chapters)


def test_every_requirement_of_the_catalogue_stands_in_the_specification() -> None:
    """Every requirement of the core groups is there, and each one beyond them has its reason."""
    assert len(ROWS) == 291
    assert set(SPECIFICATION.requirements) == {*ROWS, *ADDED}
    assert ROWS.keys().isdisjoint(ADDED)


@pytest.mark.parametrize("name", ROWS)
def test_level_and_needs_are_those_of_the_catalogue(name: str) -> None:
    """A level never changes; the evidence that a requirement needs changes only with a stated reason."""
    requirement = SPECIFICATION.requirements[name]
    level, needs = ROWS[name]
    assert requirement.level.value == level
    assert {need.name for need in requirement.needs} == CHANGED.get(name, needs)


@pytest.mark.parametrize("ruling", [f"A{number}" for number in range(1, 92)])
def test_every_ruling_is_settled_in_the_text(ruling: str) -> None:
    """Each of the 91 rulings is cited where a reader looks for it, and not only as an origin in a table."""
    prose = "\n".join(line for line in TEXT.splitlines() if not line.startswith("| M") and not line.startswith("| S"))
    assert re.search(rf"\b{ruling}\b", prose)


@pytest.mark.parametrize("variation", [f"B-{number:02}" for number in range(1, 70)])
def test_every_benign_variation_is_settled_in_the_text(variation: str) -> None:
    """Each of the 69 benign variations is named where its subject is treated."""
    assert variation in TEXT
