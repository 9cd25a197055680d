"""Calls that share one ``callId``, and which of the records under that name belong to which of them.

Two calls with one name break CALL-02.  Their records are still told apart by the step and the attempt that a
result or an event names, so that one fault does not look like many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from callproof.trace.records import Record

_Names: TypeAlias = tuple[str | None, int | None]
# If more calls than these share a name, each gets only its own records, in order, not all those under the name.
_MANY = 100


def namesakes(calls: Sequence[Record]) -> Mapping[str, tuple[Record, ...]]:
    """The calls of every ``callId`` that more than one call has, by ``callId``."""
    names = {call.call_id for call in calls}
    if len(names) == len(calls):
        return {}
    return {name: tuple(group) for name, group in by_call(calls).items() if len(group) > 1}


def by_call(records: Iterable[Record]) -> Mapping[str, list[Record]]:
    """The records under each ``callId``, in their order; those without one are left out."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        if record.call_id is not None:
            groups.setdefault(record.call_id, []).append(record)
    return groups


class Belonging:
    """
    Which records belong to which call, among all records under each name.

    Under a shared name, calls of one step and attempt cannot be told apart by what a record names.  If each of
    them has one record of a type, they get them in order; else each gets all of them, unless
    there are so many calls that these lists would be far too long.
    """

    def __init__(self, shared: Mapping[str, Sequence[Record]], told: Iterable[Record]) -> None:
        self._told = by_call(told)
        self._apart: dict[int, tuple[Record, ...]] = {}
        for name, calls in shared.items():
            self._apart |= _told_apart(calls, self._told.get(name, ()))

    def of(self, call: Record) -> tuple[Record, ...]:
        """The records of a call, in their order."""
        apart = self._apart.get(id(call)) if self._apart else None
        return tuple(self._told.get(call.call_id or "", ())) if apart is None else apart


class _ByNames:
    """Records in order, by the step and the attempt that they name; a record that names neither may be of any call."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._groups: dict[_Names, list[tuple[int, Record]]] = {}
        for place, each in enumerate(records):
            self._groups.setdefault(_names(each), []).append((place, each))

    def of(self, names: _Names) -> list[tuple[int, Record]]:
        """The records that may belong to a call with these names, with their places among all records."""
        return sorted((each for key in _alike(names) for each in self._groups.get(key, ())), key=lambda each: each[0])


def _told_apart(calls: Sequence[Record], told: Sequence[Record]) -> dict[int, tuple[Record, ...]]:
    """The records of each of the calls of one name, by the identity of the call."""
    if len(calls) > _MANY:
        return _in_their_order(calls, told)
    found: dict[int, tuple[Record, ...]] = {}
    every, records = _ByNames(calls), _ByNames(told)
    for names in dict.fromkeys(map(_names, calls)):
        peers, mine = [each for _, each in every.of(names)], records.of(names)
        types: dict[str | None, list[tuple[int, Record]]] = {}
        for place, each in mine:
            types.setdefault(each.text("type"), []).append((place, each))
        for place, call in enumerate(peers):
            if _names(call) == names:
                own = (_share(each, place, len(peers)) for each in types.values())
                found[id(call)] = tuple(each for _, each in sorted(chain.from_iterable(own), key=lambda each: each[0]))
    return found


def _in_their_order(calls: Sequence[Record], told: Sequence[Record]) -> dict[int, tuple[Record, ...]]:
    """The same for very many calls: of the records that many calls may have, each call gets one, in order."""
    records: dict[_Names, dict[str | None, list[tuple[int, Record]]]] = {}
    for place, each in enumerate(told):
        records.setdefault(_names(each), {}).setdefault(each.text("type"), []).append((place, each))
    peers = Counter(key for call in calls for key in _alike(_names(call)))
    before: Counter[_Names] = Counter()
    found: dict[int, tuple[Record, ...]] = {}
    for call in calls:
        keys = _alike(_names(call))
        shares = (_share(each, before[key], peers[key]) for key in keys for each in records.get(key, {}).values())
        found[id(call)] = tuple(each for _, each in sorted(chain.from_iterable(shares), key=lambda each: each[0]))
        before.update(keys)
    return found


def _alike(names: _Names) -> set[_Names]:
    """The names that a record of a call with these names may have."""
    step, attempt = names
    return {(step, attempt), (step, None), (None, attempt), (None, None)}


def _share(records: list[tuple[int, Record]], place: int, peers: int) -> list[tuple[int, Record]]:
    """What the call at this place among its peers has of the records of one type."""
    in_order = peers > 1 and (len(records) == peers or peers > _MANY)
    return records[place : place + 1] if in_order else records


def _names(record: Record) -> _Names:
    return record.step_id, record.integer("attempt")
