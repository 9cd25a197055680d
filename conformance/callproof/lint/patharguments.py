"""Values that stand for paths in a schema, and patterns for paths, judged by the texts that they accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof import limits
from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

HOUSE_PATTERN = r"^(?![/~])(?![A-Za-z]:)(?!.*(?:\\|://))(?!(?:.*/)?\.\.(?:/|$)).+$"
_OUTSIDE = re.compile(r"[/~]|[A-Za-z]:[\\/]|\\\\|[A-Za-z][A-Za-z0-9+.-]+://|file:")
# A pattern that begins like an absolute path or a URI.
_ABSOLUTE = re.compile(r"\^(?:\\?/(?![^\w]*\))|~|\[[a-zA-Z-]+\]:|[A-Z]:|file:|https?:)")
_PROSE = re.compile(
    r"\b(?:absolute|full(?:y[- ]qualified)?) (?:file ?|folder |directory |local )?paths?\b|\bfile://", re.I
)
# A path into a folder of an operating system, a home folder or a drive: no author means a path inside the vault.
_SHOWN = re.compile(
    r"(?<![\w./~:<>{}-])(?:/(?:home|Users|tmp|etc|var|usr|opt|mnt|root|private)/[\w.]|[A-Za-z]:[\\/](?!/)\w|~/\w)"
)
_DENIED = re.compile(
    r"\b(?:not|never|no|non|without|instead of|rather than|relative|refuse[sd]?|reject(?:s|ed)?|forbidden)\b", re.I
)
_PROBES = {"absolute paths": "/a.md", "parent segments": "a/../b.md", "URIs": "file://a.md", "backslashes": "a\\b.md"}
_SENTENCE = re.compile(r"[^.!?\n]*(?:\.\w[^.!?\n]*)*")


def is_outside(value: str) -> bool:
    """Whether a value is an absolute path, a path from a home folder, or a URI."""
    return _OUTSIDE.match(value) is not None


def asks_for_absolute(text: str, *, prose: bool = False) -> bool:
    """Whether a pattern, or the prose of a description, asks for an absolute path or a URI."""
    if not prose:
        return _ABSOLUTE.match(text) is not None
    sentences = (match[0] for match in _SENTENCE.finditer(text))
    return any(_PROSE.search(each) and not _DENIED.search(each) for each in sentences)


def shows_absolute(text: str) -> bool:
    """Whether the prose of a description shows an absolute path of an operating system."""
    spans = (match.span() for match in _SENTENCE.finditer(text))
    return any(_SHOWN.search(text, *span) and not _DENIED.search(text, *span) for span in spans)


def shown_values(schema: Schema) -> Iterator[tuple[Schema, Pointer, str]]:
    """The texts that a schema shows as values, each with the part that shows it and the place in that part."""
    for part in declared.everywhere(schema):
        yield from ((part, at, value) for at, value in _shown(part))
        for inner in declared.everywhere(part.items) if part.items is not None else ():
            yield from ((inner, at, value) for at, value in _shown(inner))


def _shown(schema: Schema) -> Iterator[tuple[Pointer, str]]:
    for keyword in ("default", "const", "example"):
        value = schema.get(keyword)
        if isinstance(value, str):
            yield (keyword,), value
        elif is_array(value):
            yield from (((keyword, place), each) for place, each in enumerate(value) if isinstance(each, str))
    for keyword in ("examples", "enum"):
        listed = schema.get(keyword)
        for place, value in enumerate(listed if is_array(listed) else ()):
            if isinstance(value, str):
                yield (keyword, place), value
            elif is_array(value):  # an example of several paths is a list of them
                yield from (
                    ((keyword, place, inner), each) for inner, each in enumerate(value) if isinstance(each, str)
                )


def shown_objects(schema: Schema) -> Iterator[tuple[Schema, Pointer, Mapping[str, Json]]]:
    """
    The objects that a schema shows as its examples or its default, and the objects inside them.

    Each comes with the schema that names its members, and the place in the schema that shows it.
    """
    listed = schema.get("examples")
    shown: list[tuple[Schema, Pointer, Json]] = [
        *((schema, (keyword,), schema.get(keyword)) for keyword in ("default", "example")),
        *((schema, ("examples", place), each) for place, each in enumerate(listed if is_array(listed) else ())),
    ]
    while shown:
        told, at, value = shown.pop()
        known = told.resolved
        if is_object(value):
            yield known, at, value
            shown += ((known.properties[name], (*at, name), value[name]) for name in known.properties if name in value)
        elif is_array(value) and known.items is not None:
            shown += ((known.items, (*at, place), each) for place, each in enumerate(value))


def shown_as(at: Pointer) -> str:
    """What a value at such a place is of its member, in words that go before the member's name."""
    words = {"const": "the constant value of", "default": "the default of", "enum": "a value of the enum of"}
    return words.get(str(at[0]), "an example of")


def lets_pass(pattern: str) -> tuple[str, ...]:
    """The kinds of wrong paths that a pattern for paths accepts; empty if it accepts none, or cannot be tried."""
    if len(pattern) > limits.PATTERN_CHARACTERS:
        return ()
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return ()
    return tuple(name for name, probe in _PROBES.items() if compiled.search(probe))
