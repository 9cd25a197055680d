"""JSON in and out: what a record may hold, what it may not, and hashes that anybody can recompute. Knows no record."""

import hashlib
from typing import Any, TypeAlias

import rfc8785
from callproof.values.jsontext import NotStrictJson, write_json

Object: TypeAlias = dict[str, Any]
Json: TypeAlias = None | bool | int | float | str | list[Any] | Object

NESTING = 100  # readers fall over what is deeper: the suite reads 128 levels, and a record adds some (VAL-12)
LONGEST = 4 * 1024 * 1024  # bytes; with its args and its item a call has to fit into one frame of the wire (VAL-12)


def write(value: Json) -> str:
    """Compact JSON text, numbers and strings exact. Raises NotStrictJson: nothing is changed silently (A28)."""
    try:
        text = write_json(value)
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotStrictJson("holds a lone surrogate") from None
    except (TypeError, ValueError, RecursionError):
        raise NotStrictJson("holds what JSON does not have") from None
    return text


def size(value: Json) -> int:
    """How many bytes the text of a value from outside has. Raises NotStrictJson, also for what is nested too deeply."""
    if _too_deep(value, NESTING):
        raise NotStrictJson(f"is nested deeper than {NESTING} levels")
    return len(write(value).encode("utf-8"))


def _too_deep(value: Json, left: int) -> bool:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return left < 0 or any(_too_deep(each, left - 1) for each in inner)


def unfit(value: Json) -> tuple[str, str] | None:
    """Why a value from outside fits into no record, in a word and as a clause (VAL-12, RES-22)."""
    try:
        return ("result_too_large", f"is longer than {LONGEST} bytes") if size(value) > LONGEST else None
    except NotStrictJson as flaw:
        return "unserialisable", str(flaw)


def digest(value: Json) -> str:
    """The sha256 of a value's canonical text, with the name of the algorithm before a colon (HASH-01 to HASH-06)."""
    return f"sha256:{hashlib.sha256(canonical(value).encode('utf-8')).hexdigest()}"


def canonical(value: Json) -> str:
    """The canonical text of a value: members by UTF-16 order, numbers by value (RFC 8785, A21)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value))  # the one extension: integral values keep all digits, and -0.0 is 0 (HASH-05, A64)
    return rfc8785.dumps(value).decode("utf-8")


def as_object(value: Json) -> Object:
    """An object as it is, and nothing for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Json) -> list[Object]:
    """The objects in what may be an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def present(record: Object) -> Object:
    """A record without the members that have no value: never null (RES-25, A30)."""
    return {name: value for name, value in record.items() if value is not None}


def strings(value: Json) -> list[str]:
    """The strings in what may be an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
