"""One run of a log on a time line, as data in the shape ``timeline``: names, kinds and instants, and no values.

Instants are in milliseconds after the first one of the run, so that two audits of one log say the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from callproof import limits
from callproof.trace.records import Record, Source
from callproof.trace.run import Attempt, Run
from callproof.values.instants import Instant, parse_instant
from callproof.values.jsontext import Json
from callproof.values.names import as_name

_MILLISECOND = 1_000_000
_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,63}")


def timeline(run: Run, marked: Collection[Source] = ()) -> dict[str, Json]:
    """
    The timeline of a run.

    Of a long run the first calls and moments are kept, and those that contain a ``marked`` record.
    """
    told = _Timeline(run, frozenset(marked))
    calls, moments = told.calls, told.moments
    left = len(run.attempts) - len(calls) + len(told.every_moment) - len(moments)
    return {"run": run.name, "calls": [told.call(each) for each in calls], "moments": moments, "left": left}


@dataclass(frozen=True)
class _Timeline:
    """One run while its timeline is made."""

    run: Run
    marked: frozenset[Source]

    @cached_property
    def calls(self) -> tuple[Attempt, ...]:
        """The calls that are kept, in their order."""
        keeping = _Keeping(limits.TIMELINE_CALLS, len(self.run.attempts))
        return tuple(each for each in self.run.attempts if keeping.keeps(important=self._is_marked(each)))

    @property
    def moments(self) -> list[Json]:
        """The moments that are kept, in their order."""
        keeping = _Keeping(limits.TIMELINE_MOMENTS, len(self.every_moment))
        return [told for source, told in self.every_moment if keeping.keeps(important=source in self.marked)]

    def call(self, attempt: Attempt) -> dict[str, Json]:
        """One call as data."""
        call, result = attempt.call, attempt.result
        started = next((each.moment for each in attempt.events_of("step.started")), None)
        told: dict[str, Json] = {
            "name": self._name(call),
            "tool": as_name(call.get("tool")),
            "status": as_name(attempt.status),
            "code": attempt.code if attempt.code is not None and _CODE.fullmatch(attempt.code) else None,
            "madeMs": self._ms(call.moment),
            "fromMs": self._ms(result.began if result is not None else started),
            "toMs": self._ms(result.ended if result is not None else None),
        }
        sources: list[Json] = [str(each.source) for each in (call, *attempt.results)]
        return {**{name: value for name, value in told.items() if value is not None}, "sources": sources}

    @cached_property
    def every_moment(self) -> tuple[tuple[Source, dict[str, Json]], ...]:
        """The moments of the run record, of results of calls that were never made, and of the events."""
        return tuple(self._all_moments())

    def _all_moments(self) -> Iterator[tuple[Source, dict[str, Json]]]:
        record = self.run.run_record
        if record is not None:
            yield record.source, self._moment("run record", record.moment, record)
            confirmation = record.object("confirmation") or {}
            decision = confirmation.get("decision")
            if decision in ("approved", "rejected"):  # not a set: the value may be of any JSON type, also unhashable
                yield record.source, self._moment(str(decision), self._decided, record)
        for result in self.run.unbuilt:
            says = f"{self._name(result)}: {as_name(result.text('status')) or 'a result'} without a call"
            yield result.source, self._moment(says, result.moment, result)
        for event in self.run.events or ():
            yield event.source, self._moment(as_name(event.text("type")) or "an event", event.moment, event)

    def _moment(self, says: str, at: Instant | None, record: Record) -> dict[str, Json]:
        told: dict[str, Json] = {"says": says}
        if at is not None:
            told["atMs"] = self._ms(at)
        if (call := self._places.get(record.call_id or "")) is not None:
            told["call"] = call
        return {**told, "source": str(record.source)}

    @cached_property
    def _places(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for place, attempt in enumerate(self.calls):
            found.setdefault(attempt.call.call_id or "", place)
        found.pop("", None)
        return found

    @cached_property
    def _zero(self) -> int:
        moments = [self._decided, *(each.began for each in self.run.results)]
        moments += [each.moment for each in (self.run.run_record, *self.run.records) if each is not None]
        return min((each.nanoseconds for each in moments if each is not None), default=0)

    @cached_property
    def _decided(self) -> Instant | None:
        record = self.run.run_record
        confirmation = record.object("confirmation") if record is not None else None
        return parse_instant((confirmation or {}).get("decidedAt"))

    def _ms(self, at: Instant | None) -> int | float | None:
        if at is None:
            return None
        exact = round((at.nanoseconds - self._zero) / _MILLISECOND, 3)
        return int(exact) if exact.is_integer() else exact

    def _name(self, record: Record) -> str:
        index, number = record.iteration_index, record.integer("attempt")
        step = as_name(record.step_id) or "a call"
        return f"{step}{'' if index is None else f'[{index}]'}{'' if number is None else f' attempt {number}'}"

    def _is_marked(self, attempt: Attempt) -> bool:
        records = (attempt.call, *attempt.results, *(attempt.events or ()))
        return bool(self.marked) and any(each.source in self.marked for each in records)


class _Keeping:
    """Which of many to keep: all if there is room, otherwise the first ones and the important ones, in their order."""

    def __init__(self, most: int, there_are: int) -> None:
        self._spare = most if there_are <= most else most // 2
        self._important = most - self._spare

    def keeps(self, *, important: bool) -> bool:
        if self._spare:
            self._spare -= 1
            return True
        if important and self._important:
            self._important -= 1
            return True
        return False
