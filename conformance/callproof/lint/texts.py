"""Every text of a definition that a model may read, with its place: values and names of members alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from callproof.lint.definition import Definition
from callproof.lint.document import Pointer
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Members that hold prose for the model, wherever they are.
PROSE = frozenset({"$comment", "description", "instructions", "summary", "title"})
_TOGETHER: WeakKeyDictionary[Definition, str] = WeakKeyDictionary()


class Text(NamedTuple):
    """One text: ``at`` is relative to the definition; ``is_name`` says that it is the name of the member there."""

    at: Pointer
    text: str
    is_name: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether it consists of sentences for the model."""
        return not self.is_name and bool(self.at) and self.at[-1] in PROSE


def together(tool: Definition) -> str:
    """All texts of a definition in one, each on its own line: what is not in it need not be looked for in each text."""
    kept = _TOGETHER.get(tool)
    if kept is None:
        found: list[str] = []
        _collect(tool.raw, found)
        kept = _TOGETHER[tool] = "\n".join(found)
    return kept


def texts(tool: Definition) -> Iterator[Text]:
    """All texts of a definition in their order: names, descriptions, enums, defaults, examples, ``_meta`` and more."""
    waiting: list[tuple[Pointer, Json]] = [((), tool.raw)]
    while waiting:
        at, here = waiting.pop()
        if isinstance(here, str):
            yield Text(at, here)
        elif is_object(here):
            yield from (Text((*at, name), name, is_name=True) for name in here)
            waiting += [((*at, name), each) for name, each in reversed(_listed(here))]
        elif is_array(here):
            waiting += [((*at, place), each) for place, each in reversed([*enumerate(here)])]


def _collect(value: Json, found: list[str]) -> None:
    waiting: list[Json] = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            found.append(here)
        elif is_object(here):
            found += here
            waiting += here.values()
        elif is_array(here):
            waiting += here


def _listed(value: Mapping[str, Json]) -> list[tuple[str, Json]]:
    return [*value.items()]
