"""References in a plan's templates: what is one, and what stands in its place (A18, A19, A57, A60 to A62, REF-14)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias, cast

from callproof_reference.values import Failure, Json, write

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_QUOTED = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
_SEGMENT = rf"\.{_NAME}|\[[0-9]{{1,15}}\]|\[{_QUOTED}\]"
_PATH = rf"(?:{_SEGMENT})*+"  # greedy (A57)
_GLOBAL = rf"(?P<brace>\{{)?\$(?P<root>steps|vars)\.(?P<name>{_NAME})(?P<path>{_PATH})(?(brace)\}})"
_ESCAPE = r"(?P<escape>(?P<sign>[${])(?=(?P=sign)))"
Bindings: TypeAlias = Mapping[str, str]  # names that begin references in braces, each `item` or `index` (A60)


class Reference(NamedTuple):
    """One reference: as written, its root (`steps`, `vars`, `item`, `index`), a name, a path into its value."""

    text: str
    root: str
    name: str
    path: tuple[str | int, ...]


def parts(text: str, bindings: Bindings) -> Iterator[str | Reference]:
    """A string as literal text and references, in one pass from the left, escapes undone (A61, REF-15, REF-16)."""
    names = ([re.escape(n) for n in bindings if bindings[n] == root] for root in ("item", "index"))
    item, index = ("|".join(each) or "(?!)" for each in names)
    bound = rf"\{{(?:(?P<item>{item})(?P<inner>{_PATH})|(?P<index>{index}))\}}"  # an index has no members (A60)
    literal, here = "", 0
    for found in re.finditer(rf"{_ESCAPE}?(?P<reference>{_GLOBAL}|{bound})", text):
        literal += text[here : found.start()]
        here = found.end()
        if found["escape"]:
            literal += found["reference"]
            continue
        if literal:
            yield literal
        literal, path = "", re.findall(_SEGMENT, found["path"] or found["inner"] or "")
        root = found["root"] or ("item" if found["item"] else "index")
        name = found["name"] or found["item"] or found["index"]
        yield Reference(found["reference"], root, name, tuple(map(_segment, path)))
    if literal := literal + text[here:]:
        yield literal


def references(template: Json, bindings: Bindings, pointer: str = "") -> Iterator[tuple[str, Reference]]:
    """Every reference in a template with the pointer of its string; member names hold none (REF-25)."""
    if isinstance(template, str):
        yield from ((pointer, part) for part in parts(template, bindings) if isinstance(part, Reference))
    elif isinstance(template, dict | list):
        for name, member in template.items() if isinstance(template, dict) else enumerate(template):
            yield from references(member, bindings, f"{pointer}/{token(str(name))}")


def sole(text: Json, bindings: Bindings) -> Reference | None:
    """The reference that a string consists of entirely; its value keeps its type (REF-11)."""
    found = list(parts(text, bindings)) if isinstance(text, str) else []
    return found[0] if len(found) == 1 and isinstance(found[0], Reference) else None


def resolve(template: Json, bindings: Bindings, root: Callable[[Reference], Json]) -> Json:
    """The template with values for its references, which `root` gives before their paths (REF-10 to REF-13)."""
    if isinstance(template, str):
        if reference := sole(template, bindings):
            return deepcopy(_value(reference, root))
        found = [part if isinstance(part, str) else _value(part, root) for part in parts(template, bindings)]
        return "".join(each if isinstance(each, str) else write(each) for each in found)  # A62
    if isinstance(template, dict):
        return {name: resolve(member, bindings, root) for name, member in template.items()}
    if isinstance(template, list):
        return [resolve(element, bindings, root) for element in template]
    return template


def token(name: str) -> str:
    """A member name as a token of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def _value(reference: Reference, root: Callable[[Reference], Json]) -> Json:
    value: Json = root(reference)
    for segment in reference.path:  # members of objects and elements of arrays, nothing else of either (REF-17)
        member = isinstance(value, dict) and isinstance(segment, str) and segment in value
        element = isinstance(value, list) and isinstance(segment, int) and segment < len(value)
        if not (member or element):
            why = f"{reference.text}: nothing is at {segment!r}"  # the reference, and never a value (REF-24)
            raise Failure("VALIDATION_ERROR", why, "missing_reference")
        value = cast("Any", value)[segment]
    return value


def _segment(text: str) -> str | int:
    if text.startswith("."):
        return text[1:]
    return str(json.loads(text[1:-1])) if text.startswith('["') else int(text[1:-1])
