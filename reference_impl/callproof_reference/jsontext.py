"""JSON in and out: what a record may hold, and what it may not (RES-22, LOG-03, LOG-11).

Knows no record and no schema. Numbers and strings leave as they came.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import NoReturn, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Object: TypeAlias = "dict[str, Json]"

# Deeper values make recursive readers fall over; the suite reads no deeper either (VAL-12).
NESTING = 128


class NotJson(ValueError):
    """A value that JSON cannot hold, or a text that is not JSON; the message says why in a clause."""


def read_strictly(path: Path) -> Json:
    """The one JSON value in a file. Raises NotJson for anything else, duplicate members and NaN included."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise NotJson(f"cannot be read: {error.strerror}") from None
    try:
        value: Json = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise NotJson(f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise NotJson("is nested too deeply") from None
    write(value)
    return value


def write(value: object) -> str:
    """Compact JSON text of a value. Raises NotJson for what JSON cannot hold: never a silent change (A28)."""
    refuse_unwritable(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def refuse_unwritable(value: object, depth: int = 0) -> None:
    """Raise NotJson unless every part of the value is strict JSON."""
    if depth > NESTING:
        raise NotJson(f"is nested deeper than {NESTING} levels")
    if isinstance(value, str):
        _refuse_surrogates(value)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise NotJson("holds a number that JSON does not have")
    elif isinstance(value, dict):
        for name, member in value.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(name, str):
                raise NotJson("has a member whose name is not a string")
            _refuse_surrogates(name)
            refuse_unwritable(member, depth + 1)  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(value, list):
        for element in value:  # pyright: ignore[reportUnknownVariableType]
            refuse_unwritable(element, depth + 1)  # pyright: ignore[reportUnknownArgumentType]
    elif value is not None and not isinstance(value, int):
        raise NotJson(f"holds a {type(value).__name__}, which JSON does not have")


def copied(value: Json) -> Json:
    """The same value, sharing nothing that can change with the one given (REF-13)."""
    if isinstance(value, dict):
        return {name: copied(member) for name, member in value.items()}
    if isinstance(value, list):
        return [copied(element) for element in value]
    return value


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotJson("holds a lone surrogate") from None


def _unique(pairs: list[tuple[str, Json]]) -> Object:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson(f"names the member {twice!r} twice")
    return value


def _refuse(name: str) -> NoReturn:
    raise NotJson(f"holds {name}, which JSON does not have")
