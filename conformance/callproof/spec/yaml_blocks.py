"""
The blocks of YAML in a chapter: shapes, descriptions and examples.

They are read only on demand, since most readers of a law need none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import yaml

from callproof.spec.blocks import BrokenChapter, Chapter, Description, Example, Fence, Place, Requirement, Shape
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_EXAMPLE_MEMBERS = {"name", "says", "base", "line", "conforms", "violates", "also", "tools"}


def shapes_in(chapter: Chapter) -> tuple[Shape, ...]:
    """The shapes of a chapter.  Raises BrokenChapter for a block that is no YAML, or no object."""
    return tuple(Shape(*block) for block in named_blocks(chapter.fences, "shape"))


def descriptions_in(chapter: Chapter) -> tuple[Description, ...]:
    """The OpenAPI descriptions of a chapter.  Raises BrokenChapter for a block that is no YAML, or no object."""
    return tuple(Description(*block) for block in named_blocks(chapter.fences, "openapi"))


def examples_of(requirement: Requirement) -> tuple[Example, ...]:
    """The examples in the block of a requirement.  Raises BrokenChapter for a block that is no example."""
    return tuple(_examples(requirement))


def _examples(requirement: Requirement) -> Iterator[Example]:
    for fence in requirement.fences:
        if fence.words != ("yaml", "example"):
            continue
        value, place = _yaml_object(fence), fence.place
        unknown = value.keys() - _EXAMPLE_MEMBERS
        missing = {"name", "says", "base", "line", "violates"} - value.keys()
        if unknown or missing:
            raise BrokenChapter(place, f"an example lacks {sorted(missing)} and has unknown {sorted(unknown)}")
        also = value.get("also") or ()
        yield Example(
            name=str(value["name"]),
            says=str(value["says"]),
            base=str(value["base"]),
            line=str(value["line"]),
            conforms=value.get("conforms"),
            violates=value["violates"],
            also=tuple(str(each) for each in also) if isinstance(also, list) else (),
            tools=value.get("tools") is not False,
            requirement=requirement.id,
            place=place,
        )


def named_blocks(fences: Iterable[Fence], kind: str) -> Iterator[tuple[str, Mapping[str, Json], Place]]:
    """
    The name, the value and the place of every block of YAML whose fence says ``kind=name``.

    Raises BrokenChapter for a block that is no YAML, or no object.
    """
    for fence in fences:
        if len(fence.words) == 2 and fence.words[0] == "yaml" and fence.words[1].startswith(f"{kind}="):
            yield fence.words[1].removeprefix(f"{kind}="), _yaml_object(fence), fence.place


def _yaml_object(fence: Fence) -> Mapping[str, Json]:
    try:
        value: Json = yaml.load(fence.text, Loader=_JsonLoader)  # noqa: S506  a SafeLoader without dates
    except yaml.YAMLError as error:
        raise BrokenChapter(fence.place, f"the block is not YAML: {error}") from None
    if not is_object(value):
        raise BrokenChapter(fence.place, "the block must hold an object")
    return value


class _JsonLoader(yaml.CSafeLoader):
    """YAML limited to what JSON has: text that looks like a date or like yes and no stays text."""


_JsonLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag.rpartition(":")[2] not in {"timestamp", "bool"}]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first in "tf":
    _JsonLoader.yaml_implicit_resolvers[_first].append(("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$")))
