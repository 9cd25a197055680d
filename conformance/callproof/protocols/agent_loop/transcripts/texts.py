"""Arguments that a form has as a text, which is JSON where the model wrote it to its end."""

from __future__ import annotations

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
