"""Why a bridge to a system behind HTTP gave up: one line on its standard error, which this module writes and reads.

Text from the system reaches the standard error of a bridge only as a value in this line.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from callproof.adapters.errors import HttpFailed
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_MARK = "callproof.adapters.bridge: "
# Each value is cut here, so that the line is always kept whole, however long the header is that a value quotes.
_CUT = 300


@dataclass(unsafe_hash=True)
class HttpFault(Exception):
    """What went wrong in one request: the request, what came, what is permitted, and what to do about it."""

    request: str
    came: str
    permitted: str
    help: str = ""


def last_words(fault: HttpFault) -> str:
    """The fault as one line, in ASCII: the encoding of the user's standard error is unknown."""
    return _MARK + json.dumps({name: value[:_CUT] for name, value in asdict(fault).items()})


def heard(address: str, stderr: tuple[str, ...]) -> HttpFailed | None:
    """The fault that a bridge to this address reported; None if it reported none."""
    told = stderr[-1] if stderr else ""
    try:
        facts = read_json(told.removeprefix(_MARK).encode("utf-8")) if told.startswith(_MARK) else None
    except NotStrictJson:
        return None
    if not is_object(facts):
        return None
    request, came, permitted, help_text = (str(facts.get(name)) for name in ("request", "came", "permitted", "help"))
    return HttpFailed(address, request, came, permitted, help_text)
