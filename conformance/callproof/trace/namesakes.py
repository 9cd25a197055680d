"""Calls that share one ``callId``, and which of the records under that name belong to which of them.

Two calls of one name break CALL-02.  What else they did is still told apart by the step and the attempt that a
result or an event names, so that one fault does not look like many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from callproof.trace.records import Record


def namesakes(calls: Sequence[Record]) -> Mapping[str, tuple[Record, ...]]:
    """The calls of every ``callId`` that more than one call has."""
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


def belonging(
    call: Record, shared: Mapping[str, Sequence[Record]], told: Mapping[str, Sequence[Record]]
) -> tuple[Record, ...]:
    """
    The records that are of one call, among all that were told under each name.

    Under a ``shared`` name, calls of one step and attempt cannot be told apart by what a record names.  Where each of
    them has one record of a type, they are taken in their order; else all records are of all of them.
    """
    found = told.get(call.call_id or "", ())
    group = shared.get(call.call_id or "")
    return tuple(found) if group is None else _told_apart(call, group, found)


def _told_apart(call: Record, group: Sequence[Record], told: Sequence[Record]) -> tuple[Record, ...]:
    mine = [each for each in told if _is_of(each, call)]
    peers = [each for each in group if _is_of(each, call)]
    if len(peers) == 1:
        return tuple(mine)
    place = next(number for number, each in enumerate(peers) if each is call)
    types: dict[str | None, list[Record]] = {}
    for each in mine:
        types.setdefault(each.text("type"), []).append(each)
    own = [each[place : place + 1] if len(each) == len(peers) else each for each in types.values()]
    return tuple(sorted((each for group_ in own for each in group_), key=mine.index))


def _is_of(record: Record, call: Record) -> bool:
    same_step = record.step_id is None or record.step_id == call.step_id
    attempt = record.integer("attempt")
    return same_step and (attempt is None or attempt == call.integer("attempt"))
