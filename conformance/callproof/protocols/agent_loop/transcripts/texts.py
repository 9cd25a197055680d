"""Texts in the place of values and values in the place of texts: arguments that a model wrote, content that is JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object


def arguments_in(given: Json) -> Json:
    """The object that a text holds; what holds none, or is no text, is left as it is."""
    if not isinstance(given, str):
        return given
    try:
        # Nothing at all stands for an object without members.
        value = read_json((given.strip() or "{}").encode("utf-8", "surrogatepass"), repeated=[], unheld=[])
    except NotStrictJson:
        return given
    return value if is_object(value) else given


def arguments_or_none(given: Json) -> Json:
    """The same in a form that leaves arguments out where there are none."""
    nothing: dict[str, Json] = {}
    return nothing if given is None else arguments_in(given)


def as_texts(content: Sequence[Json]) -> Json:
    """Content as the blocks of text that a loop would make of it: a value that is no text stands there as JSON."""
    told = (each if isinstance(each, str) else json.dumps(each) for each in content if each is not None)
    return [{"type": "text", "text": each} for each in told]
