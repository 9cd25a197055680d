"""The leaves of a JSON value: its texts and its numbers at every depth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final, NamedTuple

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_number, is_object

# How JSON text spells the numbers that JSON does not have; a live tool may return them.
_UNUSUAL: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class Leaves(NamedTuple):
    """
    The texts in some values, names of members included, in every way in which a sentence may spell them.

    ``numbers`` has the numbers under their written form.
    """

    texts: frozenset[str]
    numbers: Mapping[str, int | float]


def leaves_of(values: Iterable[Json], but: Set[int | float] = frozenset()) -> Leaves:
    """The texts of some values, and their numbers except those in ``but``."""
    texts: set[str] = set()  # most occur several times
    numbers: dict[str, int | float] = {}
    waiting: list[Iterable[Json]] = [values]
    while waiting:
        for node in waiting.pop():
            if isinstance(node, str):  # checked first, since most nodes are strings
                texts.add(node)
            elif isinstance(node, dict):  # is_object without its call, which costs time for thousands of nodes
                texts.update(node)
                waiting.append(node.values())
            elif is_array(node):
                waiting.append(node)
            elif is_number(node) and node not in but:
                numbers[repr(node)] = node
    spelt: set[str] = set()
    for text in texts:
        if "/" in text or "~" in text or '"' in text or "\\" in text or not text.isprintable():
            spelt.update([each.strip() for each in _spellings(text)])
        else:  # true for most texts: there is one way to spell it
            spelt.add(text.strip())
    return Leaves(frozenset(spelt), {_UNUSUAL.get(text, text): number for text, number in numbers.items()})


def texts_in(value: Json) -> Iterator[str]:
    """The texts in a value, in their order, each as often as it occurs; names of members are not included."""
    if isinstance(value, str):
        yield value
    elif is_object(value) or is_array(value):
        for inner in value.values() if is_object(value) else value:
            yield from texts_in(inner)


def _spellings(text: str) -> Iterable[str]:
    """A text as it is, as JSON and as a pointer escape it; of a path also its parts, since a sentence may name one."""
    plain = '"' not in text and "\\" not in text and text.isprintable()
    found = [text] if plain else [text, json.dumps(text, ensure_ascii=False)[1:-1]]
    if "~" in text or "/" in text:
        found.append(escape_token(text))
    if "/" in text and " " not in text:
        found += (*text.split("/"), text.lstrip("/"))
    return found
