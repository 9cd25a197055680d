"""Lawful variations of a whole log: what another executor could write on every line of any run.

A sweep takes one record and its kind and returns what replaces it, as an object or as the text of the line;
None leaves the whole file of that kind out.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]
Sweep: TypeAlias = Callable[[str, Record], "Record | str | None"]

_IDS = ("callId", "runId", "loopId", "confirmationId")
_STAMPS = ("createdAt", "startedAt", "endedAt", "timestamp", "deadlineAt", "decidedAt", "expiresAt")
_ZULU = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z")
_SPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")


def _members(names: tuple[str, ...], change: Callable[[str], str]) -> Sweep:
    """Alter text members of these names, in a record, its confirmation and its payload."""

    def sweep(kind: str, record: Record) -> Record:
        altered = {
            name: change(value) if name in names and isinstance(value, str) else value for name, value in record.items()
        }
        for inner in ("confirmation", "payload"):
            if isinstance(altered.get(inner), dict):
                altered[inner] = sweep(kind, altered[inner])
        return altered

    return sweep


def _elsewhere(stamp: str) -> str:
    found = _ZULU.fullmatch(stamp)
    if found is None:
        return stamp
    there = datetime.fromisoformat(found[1]) + timedelta(hours=5, minutes=30)
    return f"{there.isoformat()}{found[2] or ''}+05:30"


def _later(stamp: str) -> str:
    return f"{int(stamp[:4]) + 28}{stamp[4:]}" if stamp[:4].isdigit() else stamp


def _finer(stamp: str) -> str:
    found = _ZULU.fullmatch(stamp)
    # A whole second is left alone: with a fraction it would claim to be exact (A59).
    return f"{found[1]}{found[2].ljust(10, '0')}Z" if found and found[2] else stamp


def _without(*names: str) -> Sweep:
    return lambda _kind, record: {name: value for name, value in record.items() if name not in names}


def _more(kind: str, record: Record) -> Record:
    return {"x-trace": {"of": kind}, **record, "acme.cost": 0.25, "tags": ["a", None, {"deep": [1]}]}


def _other_words(_kind: str, record: Record) -> Record:
    words = {"userMessage": "Erledigt, oder auch nicht.", "message": "Es geht weiter."}
    return {name: words.get(name, value) if name in words else value for name, value in record.items()}


def _decimals(_kind: str, record: Record) -> Record:
    counted = ("durationMs", "timeoutMs", "attempt", "seq")
    return {
        name: float(value) if name in counted and isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in record.items()
    }


SWEEPS: Mapping[str, Sweep] = {
    "ids-as-urns": _members(_IDS, lambda name: f"urn:example:{name}"),
    "ids-as-uuids": _members(_IDS, lambda name: str(uuid.uuid5(_SPACE, name))),
    "another-time-zone": _members(_STAMPS, _elsewhere),
    "another-century": _members(_STAMPS, _later),
    "nanoseconds": _members(_STAMPS, _finer),
    "more-members": _more,
    "other-words": _other_words,
    "integers-as-decimals": _decimals,
    "no-sequence-numbers": _without("seq"),
    "no-hashes": _without("argsHash", "dataHash"),
    "no-previews": _without("preview", "category"),
    "no-events": lambda kind, record: None if kind == "events" else record,
    "members-backwards": lambda _, record: dict(reversed(record.items())),
    "white-space": lambda _, record: json.dumps(record, ensure_ascii=False, separators=(" ,\t", " : ")),
    "all-escaped": lambda _, record: json.dumps(record, ensure_ascii=True, separators=(",", ":")),
}


def swept(folder: Path, *sweeps: Sweep) -> None:
    """Rewrite a log folder in place; a line that is not an object stays as it is."""
    for path in sorted(folder.iterdir()):
        lines = path.read_bytes().decode("utf-8", "surrogateescape").split("\n")
        if path.name == "run.json":
            lines = ["\n".join(lines)]
        told = [_swept(path.stem, line, sweeps) for line in lines]
        if None in told:
            path.unlink()
        else:
            path.write_bytes("\n".join(line or "" for line in told).encode("utf-8", "surrogateescape"))


def _swept(kind: str, line: str, sweeps: tuple[Sweep, ...]) -> str | None:
    for sweep in sweeps:
        try:
            record = json.loads(line)
        except ValueError:
            return line
        if not isinstance(record, dict):
            return line
        found = sweep(kind, record)
        if found is None:
            return None
        line = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return line
