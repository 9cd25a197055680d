"""Reads RFC 3339 texts as instants, in all the forms that ruling A20 allows.

An instant is a number of nanoseconds and the resolution of its spelling: `18:12:01Z` and `18:12:01.000Z` are the
same instant, but the first says nothing about what happened within its second, and laws that compare instants
need to know that (A6, B-67). This module does not know about clocks, tolerances and records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

SECOND = 1_000_000_000
_MINUTE = 60 * SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR

# The proleptic calendar repeats every 400 years; `date` begins at year 1 and RFC 3339 at year 0.
_DAYS_IN_400_YEARS = 146_097

_RFC_3339 = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]"
    r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)


@dataclass(frozen=True, slots=True, order=True)
class Instant:
    """A point in time: nanoseconds since 1970-01-01T00:00:00Z, compared by them in any spelling (TIME-09).

    `resolution` is the width in nanoseconds of what the spelling leaves open: a second without a fraction, a
    millisecond with three digits, at least one nanosecond.
    """

    nanoseconds: int
    resolution: int = field(compare=False)


def parse_instant(text: object) -> Instant | None:
    """The instant of an RFC 3339 text; None for anything else, such as a local time without offset (TIME-09, A20).

    A fraction may have any length; digits beyond nanoseconds are read and dropped. Lower-case `t` and `z` are read.
    """
    if not isinstance(text, str):
        return None
    return _parse_once(text) if len(text) <= _COMMON_LENGTH else _parse(text)


def _parse(text: str) -> Instant | None:
    parts = _RFC_3339.fullmatch(text)
    if parts is None:
        return None
    year, month, day, hour, minute, second, fraction, sign, ahead, ahead_minutes = parts.groups()
    try:
        days = _days_since_1970(year, month, day)
    except ValueError:
        return None
    offset = (int(ahead) * _HOUR + int(ahead_minutes) * _MINUTE) * (-1 if sign == "-" else 1) if sign else 0
    start = days * _DAY + int(hour) * _HOUR + int(minute) * _MINUTE - offset
    if second == "60":
        return _leap_second(start)
    nanoseconds, resolution = _fraction(fraction or "")
    return Instant(start + int(second) * SECOND + nanoseconds, resolution)


# Many laws ask for the same stamp, so it is cached; but not a hostile one of megabytes.
_COMMON_LENGTH = 40
_parse_once = lru_cache(maxsize=4_096)(_parse)


@lru_cache(maxsize=64)  # the stamps of a run lie on one day or two
def _days_since_1970(year: str, month: str, day: str) -> int:
    """Days from the epoch to a date of years 0 to 9999. Raises ValueError for a date that does not exist."""
    number = int(year)
    ordinal = date(number or 400, int(month), int(day)).toordinal() - (0 if number else _DAYS_IN_400_YEARS)
    return ordinal - date(1970, 1, 1).toordinal()


def _fraction(digits: str) -> tuple[int, int]:
    """Nanoseconds of a fraction's digits, and the width that they leave open."""
    kept = digits[:9]
    return int(kept.ljust(9, "0")), 10 ** (9 - len(kept))


def _leap_second(start_of_minute: int) -> Instant | None:
    """A leap second as the midnight after it, with a resolution of a second, so that no time runs backwards (B-07)."""
    midnight = start_of_minute + _MINUTE
    return Instant(midnight, SECOND) if midnight % _DAY == 0 else None
