"""What the miniatures prove together: each law that needs a run can be broken, and no law merely repeats another.

A law is *shown alone* if a miniature breaks it and nothing else.  Any other law is marked in the specification as
implied by another one: an executor that breaks it breaks that other one too.
"""

from __future__ import annotations

import pytest
from callproof.spec.blocks import Level, Requirement
from callproof.spec.registry import specification

from miniatures.miniature import beside, miniatures

CORE = frozenset("CALL RES EVT REF HASH VAL POL CONF RETRY TIME CANC LOOP DEP ERR EFF LOG MSG".split())  # noqa: SIM905
RUN_LETTERS = set("RTFOCKX")
DECIDED = [each for each in specification().requirements.values() if each.excluded is None]
NEEDS_A_RUN = [
    each
    for each in DECIDED
    if each.group in CORE and each.level is Level.MUST and RUN_LETTERS & {need.name for need in each.needs}
]
MARKED = [each for each in DECIDED if each.implied_by is not None]


def shadows(requirement: Requirement) -> frozenset[str]:
    """The laws that may fail in every miniature that aims at this one."""
    sets = list(beside(requirement))
    return frozenset.intersection(*sets) if sets else frozenset()


@pytest.mark.parametrize("requirement", NEEDS_A_RUN, ids=lambda each: each.id)
def test_a_law_that_needs_a_run_has_a_broken_executor(requirement: Requirement) -> None:
    """A log alone does not show that such a check can fail; if another law implies this one, its executor shows it."""
    own = [each for each in miniatures() if each.requirement == requirement.id]
    assert own or requirement.implied_by is not None


@pytest.mark.parametrize("requirement", DECIDED, ids=lambda each: each.id)
def test_a_law_is_shown_alone_or_marked_as_implied(requirement: Requirement) -> None:
    """One miniature breaks this law and no other; several that each break another law with it are not enough."""
    sets = list(beside(requirement))
    assert sets or requirement.level is Level.MAY, "no miniature aims at it"
    if sets and requirement.implied_by is None:
        assert frozenset() in sets, "a sharper miniature, or *Implied by.* in its block"


@pytest.mark.parametrize("requirement", MARKED, ids=lambda each: each.id)
def test_what_is_marked_as_implied_is_never_shown_alone(requirement: Requirement) -> None:
    """A mark says that no fault shows this law alone; if one does, the mark is wrong."""
    assert frozenset() not in beside(requirement)


@pytest.mark.parametrize("requirement", MARKED, ids=lambda each: each.id)
def test_what_is_marked_as_implied_is_so_in_every_miniature(requirement: Requirement) -> None:
    """The mark agrees with the miniatures: each one that breaks this law may break the law that the mark names."""
    assert requirement.implied_by is not None
    assert requirement.implied_by.requirement in shadows(requirement)


@pytest.mark.parametrize("requirement", MARKED, ids=lambda each: each.id)
def test_marks_lead_to_a_law_that_stands_by_itself(requirement: Requirement) -> None:
    """Following the marks never goes round in a circle, and ends at a law that is decided."""
    seen: list[str] = []
    here: Requirement = requirement
    while here.implied_by is not None:
        assert here.id not in seen, f"the marks go round: {' '.join(seen)}"
        seen.append(here.id)
        here = specification().requirement(here.implied_by.requirement)
    assert here.excluded is None
