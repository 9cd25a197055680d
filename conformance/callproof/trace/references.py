"""The suite's own reading of references: find them in a template, put values in their place.

Written from ``spec/references.md`` alone.  The reference executor has a resolver of
its own, and the two meet only in the tests.  This module handles templates and
values; ``outputs`` says where the values of a run come from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, TypeGuard

from callproof import limits
from callproof.values.counts import counted
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import as_integer, is_array, is_object

Root: TypeAlias = Literal["steps", "vars", "item", "index"]
Part: TypeAlias = "str | Reference"
TextForm: TypeAlias = Callable[[Json], str]

# The grammar (A57).  Segments match greedily: the possessive `*+` says so.
_NAME = r"[A-Za-z_][A-Za-z0-9_-]*+"
_STRING = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+"'
_SEGMENT = rf"\.{_NAME}|\[[0-9]+\]|\[{_STRING}\]"
_PATH = rf"(?:{_SEGMENT})*+"
# A step id does not begin with an underscore; a variable's name may.
_FREE = rf"\$(?!steps\._)(?:steps|vars)\.{_NAME}{_PATH}"
_SEGMENTS = re.compile(rf"\.(?P<member>{_NAME})|\[(?P<index>[0-9]+)\]|\[(?P<quoted>{_STRING})\]")
_ROOTED = re.compile(rf"\$(?P<root>steps|vars)\.(?P<name>{_NAME})(?P<path>{_PATH})")


@dataclass(frozen=True, slots=True)
class Bindings:
    """The names that a foreach gives to the element and the position of an iteration (REF-09)."""

    item: str
    index: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference as it stands in a template: ``text`` as written, the rest as read."""

    text: str
    root: Root
    name: str
    path: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The values that references are resolved from; ``item`` and ``index`` exist only inside a foreach."""

    steps: Mapping[str, Json]
    variables: Mapping[str, Json]
    bindings: Bindings | None = None
    item: Json = None
    index: int = 0


class Unresolved(Exception):
    """A reference leads to nothing; ``reason`` says where it ends, and contains no value (REF-24)."""

    def __init__(self, reference: Reference, reason: str) -> None:
        super().__init__(f"{reference.text} cannot be resolved: {reason}")
        self.reference = reference
        self.reason = reason


def bindings_of(step: Mapping[str, Json]) -> Bindings | None:
    """The bindings that a plan step declares; None without a foreach that names its item (A60)."""
    loop = step.get("foreach")
    if not is_object(loop):
        return None
    item, index = loop.get("itemName"), loop.get("indexName", "index")
    return Bindings(item, index) if _is_name(item) and _is_name(index) else None


def parse(template: str, bindings: Bindings | None = None) -> tuple[Part, ...]:
    """
    A template as literal text and references, in order; escapes are already undone (A61).

    A template without references gives one literal; an empty one gives nothing.
    """
    # Laws ask for the same few templates again and again, so short ones are cached; long ones are not.
    return _remembered(template, bindings) if len(template) <= _SHORT else _parsed(template, bindings)


def _parsed(template: str, bindings: Bindings | None) -> tuple[Part, ...]:
    if not _holds_a_sign(template, bindings):
        return (template,) if template else ()
    parts: list[Part] = []
    end = 0
    for match in _grammar(bindings).finditer(template):
        _append_text(parts, template[end : match.start()])
        if match["escape"]:
            _append_text(parts, match["reference"])
        else:
            parts.append(_reference(match["reference"], bindings))
        end = match.end()
    _append_text(parts, template[end:])
    return tuple(parts)


def _holds_a_sign(template: str, bindings: Bindings | None) -> bool:
    """Whether a text holds the beginning of a reference; in a long text this is faster to look for than the grammar."""
    if "$steps." in template or "$vars." in template:
        return True
    return bindings is not None and (f"{{{bindings.item}" in template or f"{{{bindings.index}}}" in template)


_SHORT = 256
_remembered = lru_cache(maxsize=1024)(_parsed)


def may_refer(text: str) -> bool:
    """Whether a text holds ``$`` or ``{``, one of which begins every reference and every escape."""
    return "$" in text or "{" in text


def references_in(template: Json, bindings: Bindings | None = None) -> Iterator[Reference]:
    """Every reference in the strings of a value, at any depth; member names hold none (REF-25)."""
    if isinstance(template, str):
        if may_refer(template):
            yield from (part for part in parse(template, bindings) if isinstance(part, Reference))
    elif is_object(template):
        for inner in template.values():
            yield from references_in(inner, bindings)
    elif is_array(template):
        for inner in template:
            yield from references_in(inner, bindings)


def sole_reference(template: Json, bindings: Bindings | None = None) -> Reference | None:
    """The reference, if the string is one reference and nothing else; such a string keeps its value's type (REF-11)."""
    if not isinstance(template, str):
        return None
    parts = parse(template, bindings)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Reference) else None


def compact_text(value: Json) -> str:
    """The text form of a value inside longer text: a string as it is, anything else as compact JSON text (A62)."""
    return value if isinstance(value, str) else write_json(value)


def integral_text(value: Json) -> str:
    """The same, but with 1.0 spelt 1, as in languages with only one kind of number (B-48, B-49)."""
    return value if isinstance(value, str) else write_json(_integral(value))


def resolve(template: Json, scope: Scope, text: TextForm = compact_text) -> Json:
    """
    The template with every reference replaced by its value, in one pass (REF-15).

    Raises Unresolved for the first reference that leads to nothing, or puts in more text than the limit allows.
    """
    return _resolved(template, scope, text, [limits.RESOLVED_CHARACTERS])


def put_together(parts: tuple[Part, ...], scope: Scope, text: TextForm = compact_text) -> Json:
    """The same for a text that ``parse`` has already read."""
    return _put_together(parts, scope, text, [limits.RESOLVED_CHARACTERS])


def value_of(reference: Reference, scope: Scope) -> Json:
    """The value that a reference leads to.  Raises Unresolved if it leads to nothing."""
    value = _root_value(reference, scope)
    for segment in reference.path:
        value = _member(reference, value, segment)
    return value


@lru_cache(maxsize=256)
def _grammar(bindings: Bindings | None) -> re.Pattern[str]:
    forms = [rf"\{{{_FREE}\}}", _FREE]
    if bindings is not None:
        forms.append(rf"\{{{re.escape(bindings.item)}{_PATH}\}}")
        forms.append(rf"\{{{re.escape(bindings.index)}\}}")
    # A doubled first sign escapes, but only where a reference would begin (A61).
    escape = r"(?P<escape>\$(?=\$)|\{(?=\{))?"
    return re.compile(rf"{escape}(?P<reference>{'|'.join(forms)})", re.DOTALL)


def _reference(text: str, bindings: Bindings | None) -> Reference:
    body = text[1:-1] if text.startswith("{") else text
    rooted = _ROOTED.fullmatch(body)
    if rooted is not None:
        root: Root = "steps" if rooted["root"] == "steps" else "vars"
        return Reference(text, root, rooted["name"], _path(rooted["path"]))
    names = bindings or Bindings("", "")
    if body == names.index and body != names.item:
        return Reference(text, "index", body, ())
    return Reference(text, "item", names.item, _path(body[len(names.item) :]))


def _path(text: str) -> tuple[str | int, ...]:
    return tuple(map(_segment, _SEGMENTS.finditer(text)))


def _segment(match: re.Match[str]) -> str | int:
    if match["member"] is not None:
        return match["member"]
    if match["quoted"] is not None:
        return str(json.loads(match["quoted"]))
    return int(match["index"].lstrip("0")[:18] or 0)  # 18 digits are already past the end of every array


def _integral(value: Json) -> Json:
    if is_object(value):
        return {name: _integral(inner) for name, inner in value.items()}
    if is_array(value):
        return [_integral(inner) for inner in value]
    whole = as_integer(value)
    return value if whole is None else whole


def _is_name(text: Json) -> TypeGuard[str]:
    return isinstance(text, str) and re.fullmatch(_NAME, text) is not None


def _append_text(parts: list[Part], text: str) -> None:
    if not text:
        return
    last = parts[-1] if parts else None
    if isinstance(last, str):
        parts[-1] = last + text
    else:
        parts.append(text)


def _resolved(template: Json, scope: Scope, text: TextForm, left: list[int]) -> Json:
    if isinstance(template, str):
        return _resolved_text(template, scope, text, left)
    if is_object(template):
        return {name: _resolved(inner, scope, text, left) for name, inner in template.items()}
    if is_array(template):
        return [_resolved(inner, scope, text, left) for inner in template]
    return template


def _resolved_text(template: str, scope: Scope, text: TextForm, left: list[int]) -> Json:
    if not may_refer(template):
        return template
    return _put_together(parse(template, scope.bindings), scope, text, left)


def _put_together(parts: tuple[Part, ...], scope: Scope, text: TextForm, left: list[int]) -> Json:
    if len(parts) == 1 and isinstance(parts[0], Reference):
        return value_of(parts[0], scope)
    return "".join(part if isinstance(part, str) else _put_in(part, scope, text, left) for part in parts)


def _put_in(reference: Reference, scope: Scope, text: TextForm, left: list[int]) -> str:
    put = text(value_of(reference, scope))
    left[0] -= len(put)
    if left[0] < 0:
        raise Unresolved(reference, f"the resolved template is longer than {limits.RESOLVED_CHARACTERS} characters")
    return put


def _root_value(reference: Reference, scope: Scope) -> Json:
    if reference.root == "item":
        return scope.item
    if reference.root == "index":
        return scope.index
    known = scope.steps if reference.root == "steps" else scope.variables
    if reference.name not in known:
        raise Unresolved(reference, "no output with that name is known")
    return known[reference.name]


def _member(reference: Reference, value: Json, segment: str | int) -> Json:
    # Only members of objects and elements of arrays, not a length or the characters of a text (REF-17).
    if isinstance(segment, int):
        if not is_array(value):
            raise Unresolved(reference, f"[{segment}] is read from a value that is not an array")
        if segment >= len(value):
            raise Unresolved(reference, f"[{segment}] is past the end of an array of {counted(len(value), 'element')}")
        return value[segment]
    if not is_object(value):
        raise Unresolved(reference, f"member {segment!r} is read from a value that is not an object")
    if segment not in value:
        raise Unresolved(reference, f"there is no member {segment!r}")
    return value[segment]
