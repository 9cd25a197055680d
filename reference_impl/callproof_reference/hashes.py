"""Hashes that anybody can recompute from the log: sha256 over RFC 8785 (HASH-01 to HASH-06, A21, A64)."""

from __future__ import annotations

import hashlib

import rfc8785

from callproof_reference.jsontext import Json


def digest(value: Json) -> str:
    """The hash of a JSON value, with the name of its algorithm before a colon (HASH-04)."""
    return f"sha256:{hashlib.sha256(canonical(value).encode('utf-8')).hexdigest()}"


def canonical(value: Json) -> str:
    """The canonical text of a JSON value: members by UTF-16 order, numbers by value (RFC 8785)."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool) and value == int(value):
        return str(int(value))  # the one extension: integral values keep all digits, and -0.0 is 0 (HASH-05, A64)
    return rfc8785.dumps(value).decode("utf-8")
