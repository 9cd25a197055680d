"""What stands in a JSON value at its ends: its texts and its numbers, wherever they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Final, NamedTuple

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_number, is_object

# What JSON calls the numbers that it does not have, as a live tool may return them.
_UNUSUAL: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class Leaves(NamedTuple):
    """
    The texts in some values, names of members among them, in each way in which a sentence may spell them.

    ``numbers`` are the numbers by the way in which they are written.
    """

    texts: frozenset[str]
    numbers: Mapping[str, int | float]


def leaves_of(values: Iterable[Json], but: Set[int | float] = frozenset()) -> Leaves:
    """The texts of some values, and their numbers without those that nobody asks for."""
    texts: set[str] = set()  # most stand in many places
    numbers: dict[str, int | float] = {}
    waiting: list[Iterable[Json]] = [values]
    while waiting:
        for node in waiting.pop():
            if isinstance(node, str):  # the first, since most are
                texts.add(node)
            elif isinstance(node, dict):  # as is_object has it: of thousands of nodes each call more is felt
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
        else:  # as most are: there is one way to spell it
            spelt.add(text.strip())
    return Leaves(frozenset(spelt), {_UNUSUAL.get(text, text): number for text, number in numbers.items()})


def texts_in(value: Json) -> Iterator[str]:
    """The texts in a value, in their order, each as often as it stands there; names of members are none."""
    if isinstance(value, str):
        yield value
    elif is_object(value) or is_array(value):
        for inner in value.values() if is_object(value) else value:
            yield from texts_in(inner)


def _spellings(text: str) -> Iterable[str]:
    """A text as it is, as JSON has it and as a pointer does; of a path also its parts, of which one may be told."""
    plain = '"' not in text and "\\" not in text and text.isprintable()
    found = [text] if plain else [text, json.dumps(text, ensure_ascii=False)[1:-1]]
    if "~" in text or "/" in text:
        found.append(escape_token(text))
    if "/" in text and " " not in text:
        found += (*text.split("/"), text.lstrip("/"))
    return found
