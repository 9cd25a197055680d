"""A system's own members, which envelopes may have and which no law is about (CALL-23)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import msgspec

from callproof.auditing.prover.unproved import demand
from callproof.spec.registry import specification


def without_own_members(line: bytes, record: dict[str, Any], shape: str) -> bytes:
    """
    The text of a record without the members that its shape does not name; unchanged if there are none.

    Raises Unproved if one may be a specified member in another spelling (CALL-22).
    """
    own = _own(frozenset(record), shape)
    return msgspec.json.encode({name: record[name] for name in record if name not in own}) if own else line


@lru_cache(maxsize=1024)  # the records of a system have few sets of names
def _own(names: frozenset[str], shape: str) -> frozenset[str]:
    specified = _specified(shape)
    own = names - specified
    demand(_letters(own).isdisjoint(_letters(specified)), "a member that is spelt almost like a specified one")
    return own


@cache
def _specified(shape: str) -> frozenset[str]:
    members: Any = specification().shapes[shape].schema["properties"]
    return frozenset(members)


def _letters(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.replace("_", "").replace("-", "").lower() for name in names)
