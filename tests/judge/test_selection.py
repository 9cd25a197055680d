"""Which requirements a selection judges: the same for every suite, and never one that no check decides."""

from __future__ import annotations

import pytest
from callproof.judge.selection import UnknownName, ids_meant, selection
from callproof.spec.registry import protocols, specification

EXCLUDED = {each.id for each in specification().requirements.values() if each.excluded is not None}


@pytest.mark.parametrize("name", ["RES-05", "res-05", " RES-05\n"])
def test_a_name_means_the_same_however_it_was_pasted(name: str) -> None:
    """Upper or lower case and surrounding white space do not matter."""
    assert ids_meant([name]) == {"RES-05"}


def test_a_group_means_each_of_its_requirements_and_those_of_no_other() -> None:
    """The group RES has exactly the requirements with names that begin with RES-."""
    assert ids_meant(["RES"]) == {each for each in specification().requirements if each.startswith("RES-")}


@pytest.mark.parametrize(("select", "ignore"), [(["RES"], []), ([], ["RES"]), (["LOG"], ["LOG-01"]), ([], ["LOG"])])
def test_what_is_excluded_is_neither_judged_nor_left_out(select: list[str], ignore: list[str]) -> None:
    """A report names the requirements that the user left out; excluded ones would not have been decided anyway."""
    assert EXCLUDED
    chosen = selection(select, ignore)
    assert chosen.left_out
    assert not EXCLUDED.intersection(chosen.left_out)


@pytest.mark.parametrize("name", sorted(protocols()))
def test_the_requirements_of_a_protocol_are_chosen_by_its_own_names(name: str) -> None:
    """A requirement for executors is refused as one of other records, with the command that judges these."""
    spec = protocols()[name]
    decided = [each.id for each in spec.requirements.values() if each.excluded is None]
    chosen = selection(decided[:1], [], spec)
    assert chosen.left_out == tuple(decided[1:])
    assert selection([], decided[:1], spec).left_out == tuple(decided[:1])
    with pytest.raises(UnknownName, match="'RETRY-03' is about other records; `callproof audit` judges those"):
        selection(["RETRY-03"], [], spec)


def test_who_leaves_out_every_group_is_told_that_nothing_is_left() -> None:
    """An empty selection would judge nothing and so give a run without any failure."""
    groups = sorted({each.group for each in specification().requirements.values()})
    with pytest.raises(UnknownName, match=f"nothing is left to judge: all without {groups[0]}, "):
        selection([], groups)
