"""Which records in a run's files are the run's own, and which strayed in from another run (CALL-03, LOG-22).

A record with another ``runId`` is still the run's own if something ties it to the
run: a ``callId`` that records with the right id have too.  Without any tie it is a stray.
"""

from __future__ import annotations

from callproof.trace.records import Kind, Record
from callproof.trace.run import Run


def strays(run: Run) -> tuple[Record, ...]:
    """Records of other runs: their ``runId`` is another one and no record of this run shares their call."""
    foreign = tuple(each for each in run.records if each.text("runId") not in (None, "", run.run_id))
    if not foreign:
        return ()
    own = tuple(each for each in run.records if each.text("runId") == run.run_id)
    ties = {each.call_id for each in own}
    return tuple(each for each in foreign if own and not _tied(each, ties))


def own_records(run: Run) -> tuple[Record, ...]:
    """The run record and every call, result and event that is not a stray."""
    away = set(map(id, strays(run)))
    head = (run.run_record,) if run.run_record is not None else ()
    return (*head, *(each for each in run.records if id(each) not in away))


def _tied(record: Record, ties: set[str | None]) -> bool:
    return record.call_id is not None and record.call_id in ties if record.kind is not Kind.RUN else True
