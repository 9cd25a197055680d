"""Etags as several laws about effects compare them.  Does not know about findings."""

from __future__ import annotations

from callproof.checks.members import under_any
from callproof.trace.records import Record


def differ(one: str, other: str) -> bool:
    """Whether two etags name different versions: a weak etag names the same version as the strong one (B-41)."""
    return one.removeprefix("W/") != other.removeprefix("W/")


def etag_in_data(result: Record, path: str, named: str = "path") -> str | None:
    """The etag that a result's data gives for the path ``named``; a placeholder for a secret does not count (A42)."""
    data = result.object("data") or {}
    etag = data.get("etag") if data.get(named) == path else None
    return etag if isinstance(etag, str) and not under_any("/data/etag", result.redacted) else None


def is_another_in_data(result: Record, path: str, after: str | None) -> bool:
    """Whether a result's data gives a path another etag than ``after``, which its effects give (EFF-04)."""
    said = etag_in_data(result, path)
    return after is not None and said is not None and differ(after, said)
