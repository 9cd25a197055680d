"""References in a plan's templates: what is one, and what stands in its place.

The grammar of A18, A19, A57, A60 to A62. Pure: the same template and values give the same result (REF-14).
Knows no steps; what a reference's root is worth is told by whoever resolves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeAlias

from callproof_reference.jsontext import Json, Object, write

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_QUOTED = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
_SEGMENT = rf"\.{_NAME}|\[[0-9]{{1,15}}\]|\[{_QUOTED}\]"
_GLOBAL = re.compile(rf"\$(steps|vars)\.({_NAME})((?:{_SEGMENT})*)")
_BOUND = re.compile(rf"\{{({_NAME})((?:{_SEGMENT})*)\}}")
_SEGMENTS = re.compile(_SEGMENT)

Path: TypeAlias = "tuple[str | int, ...]"
# The names that references in braces may begin with, and whether each is an `item` or an `index` (A60).
Bindings: TypeAlias = "Mapping[str, str]"


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference: as written, its root (`steps`, `vars`, `item`, `index`), a name, a path into its value."""

    text: str
    root: str
    name: str
    path: Path


class Missing(Exception):
    """A reference that leads to nothing. It names the reference and never a value (REF-24)."""

    def __init__(self, reference: Reference, why: str) -> None:
        super().__init__(f"{reference.text}: {why}")
        self.reference = reference


def parts(text: str, bindings: Bindings) -> Iterator[str | Reference]:
    """A string as literal text and references, in one pass from the left, escapes undone (A61, REF-15, REF-16)."""
    literal, here = "", 0
    while here < len(text):
        sign = text[here]
        escaped = _at(text, here + 1, bindings) if text[here + 1 : here + 2] == sign else None
        found = None if escaped else _at(text, here, bindings)
        if escaped:
            literal, here = literal + escaped.text, here + 1 + len(escaped.text)
        elif found:
            if literal:
                yield literal
            yield found
            literal, here = "", here + len(found.text)
        else:
            end = _next_sign(text, here + 1)
            literal, here = literal + text[here:end], end
    if literal:
        yield literal


def references(template: Json, bindings: Bindings, pointer: str = "") -> Iterator[tuple[str, Reference]]:
    """Every reference in a template with the pointer of its string; member names hold none (REF-25)."""
    if isinstance(template, str):
        yield from ((pointer, part) for part in parts(template, bindings) if isinstance(part, Reference))
    elif isinstance(template, dict):
        for name, member in template.items():
            yield from references(member, bindings, f"{pointer}/{token(name)}")
    elif isinstance(template, list):
        for index, element in enumerate(template):
            yield from references(element, bindings, f"{pointer}/{index}")


def sole(text: str, bindings: Bindings) -> Reference | None:
    """The reference that a string consists of entirely; its value keeps its type (REF-11)."""
    found = list(parts(text, bindings))
    return found[0] if len(found) == 1 and isinstance(found[0], Reference) else None


def resolve(template: Json, bindings: Bindings, root: Callable[[Reference], Json]) -> Json:
    """
    The template with values for its references, sharing nothing with them (REF-10 to REF-13).

    `root` gives the value of a reference before its path. Raises Missing.
    """
    if isinstance(template, str):
        return _resolved(template, bindings, root)
    if isinstance(template, dict):
        return {name: resolve(member, bindings, root) for name, member in template.items()}
    if isinstance(template, list):
        return [resolve(element, bindings, root) for element in template]
    return template


def token(name: str) -> str:
    """A member name as a token of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _resolved(text: str, bindings: Bindings, root: Callable[[Reference], Json]) -> Json:
    reference = sole(text, bindings)
    if reference:
        return deepcopy(_value(reference, root))
    return "".join(part if isinstance(part, str) else _text_form(_value(part, root)) for part in parts(text, bindings))


def _text_form(value: Json) -> str:
    return value if isinstance(value, str) else write(value)  # A62


def _value(reference: Reference, root: Callable[[Reference], Json]) -> Json:
    value = root(reference)
    for segment in reference.path:
        # Members of objects and elements of arrays, nothing else of either (REF-17).
        members: Object = value if isinstance(value, dict) else {}
        elements: list[Json] = value if isinstance(value, list) else []
        if isinstance(segment, str) and segment in members:
            value = members[segment]
        elif isinstance(segment, int) and segment < len(elements):
            value = elements[segment]
        else:
            raise Missing(reference, f"nothing is at {segment!r}")
    return value


def _next_sign(text: str, start: int) -> int:
    ends = [end for end in (text.find("$", start), text.find("{", start)) if end >= 0]
    return min(ends, default=len(text))


def _at(text: str, here: int, bindings: Bindings) -> Reference | None:
    """The reference that begins exactly here; segments match greedily (A57)."""
    enclosed = text.startswith("{", here)
    match = _GLOBAL.match(text, here + enclosed)
    if match:
        if enclosed and not text.startswith("}", match.end()):
            return None
        return Reference(text[here : match.end() + enclosed], match[1], match[2], _path(match[3]))
    match = _BOUND.match(text, here)
    root = bindings.get(match[1], "") if match else ""
    if match and (root == "item" or (root == "index" and not match[2])):  # an index has no members
        return Reference(match[0], root, match[1], _path(match[2]))
    return None


def _path(text: str) -> Path:
    return tuple(_segment(match[0]) for match in _SEGMENTS.finditer(text))


def _segment(text: str) -> str | int:
    if text.startswith("."):
        return text[1:]
    inner = text[1:-1]
    return str(json.loads(inner)) if inner.startswith('"') else int(inner)
