"""Captured logs written differently, in ways that mean nothing: what is wrong with them stays wrong the same way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from auditing.mutations import Place, Records

Rewriting: TypeAlias = Callable[[Records, random.Random], None]

_IDS = ("callId", "runId", "loopId", "confirmationId")
_INSTANTS = ("createdAt", "startedAt", "endedAt", "timestamp", "deadlineAt", "decidedAt", "expiresAt")
_UTC = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)?Z")
_DOUBLE = 2**53


def _deeply(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return change({name: _deeply(inner, change) for name, inner in value.items()})
    if isinstance(value, list):
        return [_deeply(inner, change) for inner in value]
    return change(value)


def _each(records: Records, change: Callable[[Any], Any]) -> None:
    for name, group in records.items():
        records[name] = [change(record) for record in group]


def members_in_another_order(records: Records, dice: random.Random) -> None:
    """The members of every object in any order (B-01)."""

    def shuffled(value: Any) -> Any:
        return dict(dice.sample(list(value.items()), len(value))) if isinstance(value, dict) else value

    _each(records, lambda record: _deeply(record, shuffled))


def integers_as_decimals(records: Records, dice: random.Random) -> None:
    """Some integers with a fraction of zero, wherever they stand (B-48)."""

    def spelt(value: Any) -> Any:
        return float(value) if type(value) is int and abs(value) < _DOUBLE and dice.random() < 0.5 else value

    _each(records, lambda record: _deeply(record, spelt))


def other_names(records: Records, dice: random.Random) -> None:
    """Every id with the same word before it (B-03, B-04)."""
    word = dice.choice(("urn:x:", "Z-", "9", "ü"))

    def renamed(holder: Any) -> Any:
        if not isinstance(holder, dict):
            return holder
        return {name: f"{word}{each}" if name in _IDS and _is_id(each) else each for name, each in holder.items()}

    def whole(record: Any) -> Any:
        told: Any = renamed(record)
        inner = ("confirmation", "payload") if isinstance(told, dict) else ()
        return told | {name: renamed(told[name]) for name in inner if name in told}

    _each(records, whole)


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def members_of_its_own(records: Records, dice: random.Random) -> None:
    """Members that no shape knows (B-02, B-58)."""
    number = dice.random()
    _each(records, lambda record: {"x-trace": {"of": [number]}, **record, "acme.cost": number})


def another_zone(records: Records, dice: random.Random) -> None:
    """The same instants with another offset (B-05)."""
    minutes = dice.choice((330, -570, 60))
    sign = "-" if minutes < 0 else "+"
    offset = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    for holder, name in list(_stamps(records)):
        if _is_plain(holder[name]):
            holder[name] = f"{_moved(holder[name], timedelta(minutes=minutes))}{offset}"


def another_day(records: Records, dice: random.Random) -> None:
    """Every instant some days and seconds later or earlier (B-65)."""
    by = timedelta(days=dice.choice((-3000, 1, 3000)), seconds=dice.randrange(100))
    stamps = list(_stamps(records))
    if all(_is_plain(holder[name]) for holder, name in stamps):
        for holder, name in stamps:
            holder[name] = f"{_moved(holder[name], by)}Z"


def _stamps(records: Records) -> Iterator[Place]:
    for record in (each for group in records.values() for each in group):
        for holder in (record, record.get("confirmation"), record.get("payload")):
            if isinstance(holder, dict):
                yield from ((holder, name) for name in _INSTANTS if name in holder)


def _is_plain(value: Any) -> bool:
    """Whether a value is an instant in UTC that can be moved by years."""
    found = _UTC.fullmatch(value) if isinstance(value, str) else None
    try:
        return found is not None and 1950 < datetime.fromisoformat(found[1]).year < 2150
    except ValueError:
        return False


def _moved(stamp: str, by: timedelta) -> str:
    """The instant later by whole seconds, without its Z, its fraction as it was written."""
    whole, dot, fraction = stamp[:-1].partition(".")
    return f"{(datetime.fromisoformat(whole) + by).isoformat()}{dot}{fraction}"


REWRITINGS: Mapping[str, Rewriting] = {
    each.__name__: each
    for each in (
        members_in_another_order, integers_as_decimals, other_names, members_of_its_own, another_zone, another_day,
    )
}  # fmt: skip
