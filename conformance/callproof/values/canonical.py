"""The canonical bytes of a JSON value, over which hashes are taken.

They follow RFC 8785; the rfc8785 package writes the numbers.  There is one extension: an integral
value outside ±(2^53 − 1) is written with all its digits, in whichever spelling it was read.  The
standard has no form for such integers that keeps them apart (HASH-05, A21, A64).
Handles values, not records: the checks decide which part of a record is hashed.
"""

from __future__ import annotations

import hashlib
import json

import msgspec
import rfc8785

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

# The largest integer that a double, and therefore RFC 8785, can distinguish from its neighbours.
_EXACT = 2**53 - 1
# Escapes exactly what RFC 8785 escapes (the tests check that), and refuses a lone surrogate.
_text = msgspec.json.Encoder().encode
_sorted = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Json) -> bytes:
    """
    The one UTF-8 text that all values equal to this one share (A21).

    A number with a fraction or an exponent is written as the double that it is read as.
    Raises ValueError for what JSON cannot hold: NaN, infinities, lone surrogates.
    """
    return _sorted(value) if _is_plain(value) else _written(value)


def _is_plain(value: Json) -> bool:
    """Whether the sorting encoder suffices for a value: it has no fraction, no long number and no non-ASCII name."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if is_object(node):
            if not all(map(str.isascii, node)):
                return False
            waiting += node.values()
        elif is_array(node):
            waiting += node
        elif not (node is None or isinstance(node, str) or (isinstance(node, int) and abs(node) <= _EXACT)):
            return False
    return True


def _written(value: Json) -> bytes:
    if isinstance(value, str):
        return _text(value)
    if is_object(value):
        members = sorted(value.items(), key=_utf16_units)
        return b"{" + b",".join(_text(name) + b":" + _written(inner) for name, inner in members) + b"}"
    if is_array(value):
        return b"[" + b",".join(_written(inner) for inner in value) + b"]"
    if is_number(value) and abs(value) > _EXACT and value == value // 1:  # false for an infinity
        return str(int(value)).encode("ascii")
    return rfc8785.dumps(value)  # a scalar that the standard can write


def as_a_double(number: float) -> bytes:
    """A number as plain RFC 8785 writes it, as a double.  Raises ValueError if it is beyond every double."""
    try:
        return rfc8785.dumps(float(number))
    except OverflowError as error:
        raise ValueError(str(error)) from None


def form_of(value: Json) -> bytes:
    """Bytes that are the same for exactly the values equal to this one: the canonical bytes if there are any."""
    try:
        return canonical(value)
    except ValueError:  # a lone surrogate: its escape distinguishes it from all other text
        return json.dumps(value, sort_keys=True).encode("ascii")


def sha256_of(value: Json) -> str:
    """The hash of a value's canonical bytes, named for its algorithm: ``sha256:<64 hex digits>`` (HASH-04)."""
    return "sha256:" + hashlib.sha256(canonical(value)).hexdigest()


def _utf16_units(member: tuple[str, Json]) -> bytes:
    # RFC 8785 orders names by UTF-16 code units: an astral character sorts before U+E000 (HASH-05).
    return member[0].encode("utf-16-be")
