"""Why a bridge to a system behind HTTP gave up: one line on its standard error, written there and read here.

Nothing of the system's gets onto the standard error of a bridge but as a value in this line.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from callproof.adapters.errors import HttpFailed
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_MARK = "callproof.adapters.bridge: "
# A line of a few values is always kept, however long the header was that one of them quotes.
_CUT = 300


@dataclass(unsafe_hash=True)
class HttpFault(Exception):
    """What went wrong in one request: what was asked, what came, what is permitted, and what to do about it."""

    request: str
    came: str
    permitted: str
    help: str = ""


def last_words(fault: HttpFault) -> str:
    """The fault as one line, in ASCII: nobody knows what standard error of the user's is written in."""
    return _MARK + json.dumps({name: value[:_CUT] for name, value in asdict(fault).items()})


def heard(address: str, stderr: tuple[str, ...]) -> HttpFailed | None:
    """The fault that a bridge to this address told of; None where it told of none."""
    told = stderr[-1] if stderr else ""
    try:
        facts = read_json(told.removeprefix(_MARK).encode("utf-8")) if told.startswith(_MARK) else None
    except NotStrictJson:
        return None
    if not is_object(facts):
        return None
    request, came, permitted, help_text = (str(facts.get(name)) for name in ("request", "came", "permitted", "help"))
    return HttpFailed(address, request, came, permitted, help_text)
