"""Texts instead of values, and values instead of texts: arguments that a model wrote, and content that is JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object


def arguments_in(given: Json) -> Json:
    """The object in a text; a text without one, or another value, is left as it is."""
    if not isinstance(given, str):
        return given
    try:
        # An empty text stands for an object without members.
        value = read_json((given.strip() or "{}").encode("utf-8", "surrogatepass"), repeated=[], unheld=[])
    except NotStrictJson:
        return given
    return value if is_object(value) else given


def arguments_or_none(given: Json) -> Json:
    """The same, for a form that leaves arguments out if there are none."""
    nothing: dict[str, Json] = {}
    return nothing if given is None else arguments_in(given)


def as_texts(content: Sequence[Json]) -> Json:
    """Content as the text blocks that a loop would make of it: a value that is no text is written as JSON."""
    told = (each if isinstance(each, str) else json.dumps(each) for each in content if each is not None)
    return [{"type": "text", "text": each} for each in told]
