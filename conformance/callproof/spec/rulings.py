"""The rulings that settle what the sources of the specification leave open, by the ids that its chapters name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from callproof.resources import SPEC
from callproof.spec.registry import whole_specification

_NAME = re.compile(r"(A|B)-?0*([1-9][0-9]{0,2})", re.IGNORECASE)
_ROW = re.compile(r"^\| (A[0-9]+|B-[0-9]+) \| (.+) \| ([^|]+) \|$", re.MULTILINE)
_NAMED = re.compile(r"\b(?:A[0-9]+|B-[0-9]+)\b")
_LINK = re.compile(r"\[[^\]]*\]\(([^)]+)\)")


class UnknownRuling(LookupError):
    """Neither a ruling nor a variation has this id."""

    def __init__(self, wanted: str) -> None:
        known = list(rulings())
        ruled, varied = ([each for each in known if each.startswith(kind)] for kind in "AB")
        super().__init__(
            f"There is no {wanted}. The rulings are {ruled[0]} to {ruled[-1]}; what a correct executor may do"
            f" differently is {varied[0]} to {varied[-1]}. spec/rulings.md lists them all."
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """
    A ruling, or a variation that is never reported.

    ``requirements`` are the ids of the requirements that name it, and ``places`` lists the chapters that do.
    """

    id: str
    sentence: str
    requirements: tuple[str, ...]
    places: str


@cache
def rulings() -> Mapping[str, Ruling]:
    """All of ``spec/rulings.md`` by their ids, in its order."""
    text = (SPEC / "rulings.md").read_text(encoding="utf-8")
    naming = _naming()
    return {
        name: Ruling(name, sentence.replace(r"\|", "|"), tuple(naming.get(name, ())), _LINK.sub(r"spec/\1", places))
        for name, sentence, places in _ROW.findall(text)
    }


def is_name(word: str) -> bool:
    """Whether a word is written like the id of a ruling or a variation."""
    return _NAME.fullmatch(word) is not None


def ruling(wanted: str) -> Ruling:
    """The ruling or the variation with this id, in any case, with or without zeros.  Raises UnknownRuling."""
    told = _NAME.fullmatch(wanted)
    name = "" if told is None else f"A{told[2]}" if told[1].upper() == "A" else f"B-{told[2]:0>2}"
    found = rulings().get(name)
    if found is None:
        raise UnknownRuling(wanted)
    return found


def _naming() -> Mapping[str, list[str]]:
    """The requirements that name each id, in the order of the chapters."""
    found: dict[str, list[str]] = {}
    for each in whole_specification().requirements.values():
        for name in dict.fromkeys(_NAMED.findall(f"{each.text}\n{each.origin}")):
            found.setdefault(name, []).append(each.id)
    return found
