"""Hashes that anybody can recompute from the log: sha256 over RFC 8785 (HASH-01 to HASH-06, A21, A64)."""

from __future__ import annotations

import hashlib
import json

from callproof_reference.jsontext import Json

_SAFE = 2**53 - 1


def digest(value: Json) -> str:
    """The hash of a JSON value, with the name of its algorithm before a colon (HASH-04)."""
    return f"sha256:{hashlib.sha256(canonical(value).encode('utf-8')).hexdigest()}"


def canonical(value: Json) -> str:
    """
    The canonical text of a JSON value: members by UTF-16 order, numbers by value.

    RFC 8785, with one stated extension: integral values beyond 2^53-1 keep all their digits (A64).
    """
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{_text(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(element) for element in value) + "]"
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return _number(value)


def _text(text: str) -> str:
    # The library escapes exactly what RFC 8785 wants escaped, except that it writes DEL as itself, as it should.
    return json.dumps(text, ensure_ascii=False)


def _number(value: int | float) -> str:
    if isinstance(value, int) or value.is_integer():
        return str(int(value))  # -0.0 becomes 0, 1e21 becomes its 22 digits (HASH-05, A64)
    mantissa, _, power = repr(value).partition("e")  # the fewest digits that read back as the value
    if not power:
        return mantissa
    if int(power) < -6:
        return f"{mantissa}e{int(power)}"
    digits = mantissa.lstrip("-").replace(".", "")  # Python writes 1e-05 where RFC 8785 wants 0.00001
    return f"{'-' * (value < 0)}0.{'0' * (-int(power) - 1)}{digits}"
