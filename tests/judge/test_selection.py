"""Which requirements are judged where somebody chose: whatever the suite, and nothing that nothing decides."""

from __future__ import annotations

import pytest
from callproof.judge.selection import UnknownName, ids_meant, selection
from callproof.spec.registry import protocols, specification

EXCLUDED = {each.id for each in specification().requirements.values() if each.excluded is not None}


@pytest.mark.parametrize("name", ["RES-05", "res-05", " RES-05\n"])
def test_a_name_means_the_same_however_it_was_pasted(name: str) -> None:
    """In any case, and with what stood around it."""
    assert ids_meant([name]) == {"RES-05"}


def test_a_group_means_each_of_its_requirements_and_those_of_no_other() -> None:
    """RES is no part of another name."""
    assert ids_meant(["RES"]) == {each for each in specification().requirements if each.startswith("RES-")}


@pytest.mark.parametrize(("select", "ignore"), [(["RES"], []), ([], ["RES"]), (["LOG"], ["LOG-01"]), ([], ["LOG"])])
def test_what_is_excluded_is_neither_judged_nor_left_out(select: list[str], ignore: list[str]) -> None:
    """A report names what it was told to leave out, and nothing was ever going to decide these."""
    assert EXCLUDED
    chosen = selection(select, ignore)
    assert chosen.left_out
    assert not EXCLUDED.intersection(chosen.left_out)


@pytest.mark.parametrize("name", sorted(protocols()))
def test_the_requirements_of_a_protocol_are_chosen_by_its_own_names(name: str) -> None:
    """And what executors are judged by is told to be of other records, with the command that judges these."""
    spec = protocols()[name]
    decided = [each.id for each in spec.requirements.values() if each.excluded is None]
    chosen = selection(decided[:1], [], spec)
    assert chosen.left_out == tuple(decided[1:])
    assert selection([], decided[:1], spec).left_out == tuple(decided[:1])
    with pytest.raises(UnknownName, match="'RETRY-03' is of other records, which `callproof audit` judges"):
        selection(["RETRY-03"], [], spec)


def test_who_leaves_out_every_group_is_told_that_nothing_is_left() -> None:
    """No selection judges nothing: that would be a run without any failure."""
    groups = sorted({each.group for each in specification().requirements.values()})
    with pytest.raises(UnknownName, match=f"nothing is left of all without {groups[0]}, "):
        selection([], groups)
