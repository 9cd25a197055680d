"""JSON in and out: what a record may hold, and what it may not (RES-22, LOG-03, LOG-11). Knows no record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NoReturn, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Object: TypeAlias = "dict[str, Json]"

# Deeper values make recursive readers fall over. The suite reads 128 levels, and a record adds some (VAL-12).
NESTING = 100
# With its args and its item a call has to fit into one frame of the wire, and so has a result (VAL-12).
LONGEST = 4 * 1024 * 1024


class NotJson(ValueError):
    """A value that JSON cannot hold, or a text that is not JSON; the message says why in a clause."""


def write(value: object) -> str:
    """Compact JSON text, numbers and strings exact. Raises NotJson: nothing is ever changed silently (A28)."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotJson("holds a lone surrogate") from None
    except (TypeError, ValueError, RecursionError):
        raise NotJson("holds what JSON does not have") from None
    return text


def size(value: Json) -> int:
    """How many bytes the text of a value from outside has. Raises NotJson, also for what is nested too deeply."""
    if _too_deep(value, NESTING):
        raise NotJson(f"is nested deeper than {NESTING} levels")
    return len(write(value).encode("utf-8"))


def read_strictly(path: Path) -> Json:
    """The one JSON value in a file. Raises NotJson for anything else, duplicate members and NaN included."""
    try:
        text = path.read_bytes().decode("utf-8")
        value: Json = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except OSError as error:
        raise NotJson(f"cannot be read: {error.strerror}") from None
    except NotJson:
        raise
    except ValueError as error:
        raise NotJson(f"is not JSON: {error}") from None
    except RecursionError:
        raise NotJson(f"is nested deeper than {NESTING} levels") from None
    size(value)  # for what the parser lets through: lone surrogates, infinities, depth
    return value


def objects(value: Json) -> list[Object]:
    """The objects in what may be an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def strings(value: Json) -> list[str]:
    """The strings in what may be an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def as_object(value: Json) -> Object:
    """An object as it is, and nothing for anything else."""
    return value if isinstance(value, dict) else {}


def _too_deep(value: Json, left: int) -> bool:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return left < 0 or any(_too_deep(each, left - 1) for each in inner)


def _unique(pairs: list[tuple[str, Json]]) -> Object:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise NotJson(f"names the member {next(name for name in names if names.count(name) > 1)!r} twice")
    return value


def _refuse(name: str) -> NoReturn:
    raise NotJson(f"holds {name}, which JSON does not have")
