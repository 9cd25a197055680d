"""Which requirements are judged, if the user chose some: by id, or by group.

Does not know about verdicts.  What is left out never counts as kept: it has no result, and the report names it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from callproof.spec.registry import Specification, protocols, specification


class UnknownName(ValueError):
    """A name is neither a requirement nor a group; the text has the name and the nearest known one."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen, as the user wrote it, and the ids that it leaves out, in the order of the chapters."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


EVERYTHING = Selection()


def ids_meant(names: Iterable[str], spec: Specification | None = None) -> frozenset[str]:
    """
    The requirements that ids and groups (``RETRY-03``, ``RETRY``) mean.

    Raises UnknownName for a name that is neither, with the nearest known one.
    """
    known = (spec or specification()).requirements
    groups = {requirement.group for requirement in known.values()}
    found: set[str] = set()
    for name in names:
        wanted = name.strip().upper()
        members = [each.id for each in known.values() if wanted in {each.id, each.group}]
        if not members:
            told = _elsewhere(wanted) or f"is neither a requirement nor a group{_hint(wanted, [*known, *groups])}"
            raise UnknownName(f"{name!r} {told}")
        found.update(members)
    return frozenset(found)


def _hint(wanted: str, known: Iterable[str]) -> str:
    if "," in wanted:
        return "; give the option once for each"
    spelt = re.sub(r"-(\d)$", r"-0\1", wanted)
    nearest = difflib.get_close_matches(spelt, known, n=1, cutoff=0.4)
    return f"; did you mean {nearest[0]}?" if nearest else "; `callproof coverage` lists them all"


def _elsewhere(wanted: str) -> str | None:
    """The text on a name that means something, but for other logs; None if it means nothing."""
    specs = {"audit": specification(), **{f"records --protocol {name}": spec for name, spec in protocols().items()}}
    for command, spec in specs.items():
        if any(wanted in {each.id, each.group} for each in spec.requirements.values()):
            return f"is about other records; `callproof {command}` judges those"
    return None


def ids_decided(names: Iterable[str], spec: Specification | None = None) -> frozenset[str]:
    """
    The requirements meant that are not excluded: a user who asks for one expects a result.

    Raises UnknownName for a name that means nothing, and for one that means only excluded requirements.
    """
    known = (spec or specification()).requirements
    found: set[str] = set()
    for name in names:
        meant = ids_meant([name], spec)
        decided = {each for each in meant if known[each].excluded is None}
        if not decided:
            raise UnknownName(
                f"{name!r} is excluded, and nothing decides it; `callproof explain {min(meant)}` says why"
            )
        found |= decided
    return frozenset(found)


def selection(select: Iterable[str], ignore: Iterable[str], spec: Specification | None = None) -> Selection:
    """
    What is left out if only ``select`` is judged (everything, if it is empty) and not ``ignore``.

    Raises UnknownName for a name that means nothing, and for names that together leave nothing.
    """
    chosen, ignored = tuple(select), tuple(ignore)
    every = [each.id for each in (spec or specification()).requirements.values() if each.excluded is None]
    wanted = (ids_decided(chosen, spec) if chosen else frozenset(every)) - ids_meant(ignored, spec)
    if not wanted:
        raise UnknownName(f"nothing is left to judge: {', '.join(chosen) or 'all'} without {', '.join(ignored)}")
    return Selection(chosen, ignored, tuple(each for each in every if each not in wanted))
