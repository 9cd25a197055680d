"""JSON text of reports that every reader accepts: names of files need not be valid text, and are written as escapes."""

from __future__ import annotations

import json
import re
from typing import Any

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The surrogates that stand in a string for bytes of a name that are not UTF-8; they never form pairs.
_LONE = re.compile("[\ud800-\udfff]")
# JSON text of such a string contains this; that of a few other strings does too.
_SUSPECT = "\\ud"


def dumped(value: Any, indent: int | None = None) -> str:
    """The value as JSON text: every character outside ASCII escaped, and a lone surrogate as the text ``\\udc80``."""
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    return json.dumps(_whole(value), indent=indent, ensure_ascii=True) if _SUSPECT in text else text


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", value)
    if is_object(value):
        return {str(_whole(name)): _whole(member) for name, member in value.items()}
    return [_whole(each) for each in value] if is_array(value) else value
