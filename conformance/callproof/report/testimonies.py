"""The three testimonies of one live run, lined up call by call: what its records claim, what the tools
witnessed, what the folder shows.  Data in the shape ``testimony``; verdicts play no part.

Times are relative, and given only if the clock is virtual; ids that the system made up
are replaced by names of ours: so two runs of one case give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from callproof import limits
from callproof.checks.changes import Change, changes_of
from callproof.checks.check import excerpt
from callproof.checks.world_changes import changed_paths
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Act, ActKind, AnswerKind, Deed, Entry, Witnessed
from callproof.values.jsontext import Json
from callproof.values.vaultpaths import is_normal, normalise

_MILLISECOND = 1_000_000
_ACTS = {
    ActKind.START: "the suite starts the run",
    ActKind.APPROVE: "the suite approves",
    ActKind.REJECT: "the suite rejects",
    ActKind.CANCEL: "the suite cancels the run",
    ActKind.TURN_AWAY: "the suite reads nothing for a moment",
    ActKind.KILL: "the suite kills the system",
}
_NOWHERE = float("inf")


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the trace: its place among all messages, who says it, what it says, on which call, and when."""

    place: float
    by: str
    says: str
    call: str | None = None
    at_ms: float | None = None

    def told(self) -> dict[str, Json]:
        row: dict[str, Json] = {"by": self.by, "says": self.says}
        if self.call is not None:
            row["call"] = self.call
        if self.at_ms is not None:
            row["atMs"] = round(self.at_ms)
        return {**row, "line": int(self.place)} if self.place.is_integer() else row


def lined_up(run: Run) -> dict[str, Json]:
    """The testimonies on a live run, in the shape ``testimony``; without rows for a captured log, which only claims."""
    if run.witnessed is None:
        return {"run": run.name, "clock": "real", "rows": [], "left": 0}
    told = _Testimonies(run, run.witnessed)
    rows = sorted(told.rows(), key=lambda row: row.place)
    shown = [row.told() for row in rows[: limits.TESTIMONY_ROWS]]
    clock = "virtual" if run.witnessed.virtual_clock else "real"
    return {"run": run.name, "clock": clock, "rows": [*shown], "left": len(rows) - len(shown)}


@dataclass(frozen=True)
class _Testimonies:
    """One run while its rows are made."""

    run: Run
    witnessed: Witnessed

    def rows(self) -> Iterator[_Row]:
        """Every row, not in order."""
        records = (*((self.run.run_record,) if self.run.run_record is not None else ()), *self.run.records)
        for record in records:
            if record.arrival is not None:
                says = self._named(_claim(record))
                yield _Row(float(record.arrival), "claim", says, self._call(record), self._claimed_ms(record))
        for deed in self.witnessed.deeds:
            yield from self._deed(deed)
        for act in self.witnessed.acts:
            yield self._act(act)
        if self.witnessed.refusal is not None:
            told = f"refuses the run: {self.witnessed.refusal.code}: {self.witnessed.refusal.message}"
            yield _Row(float(self.witnessed.refusal.arrival), "claim", self._named(told))
        if self.witnessed.finished_arrival is not None:
            yield _Row(float(self.witnessed.finished_arrival), "claim", "run/finished")
        yield from self._folder()

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Our names for the ids of the system."""
        found: dict[str, str] = {}
        for logical in self.run.logical_calls:
            for place, attempt in enumerate(logical.attempts, start=1):
                if attempt.call.call_id is not None:
                    name = f"{logical.name} attempt {attempt.number or place}"
                    found.setdefault(attempt.call.call_id, _fresh(name, found))
        for result in self.run.unbuilt:
            if result.call_id is not None:
                index = "" if result.iteration_index is None else f"[{result.iteration_index}]"
                found.setdefault(result.call_id, _fresh(f"{result.step_id or 'a step'}{index} without a call", found))
        for event in self.run.events_of("run.confirmationRequested"):
            asked = (event.object("payload") or {}).get("confirmationId")
            if isinstance(asked, str) and asked:
                found.setdefault(asked, _fresh("the confirmation", found))
        if self.run.run_id:
            found.setdefault(self.run.run_id, "the run")
        return found

    @cached_property
    def _ids(self) -> re.Pattern[str] | None:
        longest_first = sorted(self.names, key=len, reverse=True)
        return (
            re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])") if longest_first else None
        )

    def _named(self, says: str) -> str:
        """A sentence with our names instead of the system's ids, cut to a readable length."""
        if self._ids is not None:
            says = self._ids.sub(lambda match: self.names[match[0]], says)
        return says if len(says) <= limits.TESTIMONY_CHARACTERS else f"{says[: limits.TESTIMONY_CHARACTERS - 1]}…"

    def _call(self, record: Record) -> str | None:
        if record.kind is Kind.RUN:
            return None
        return self.names.get(record.call_id or "") or record.step_id

    @cached_property
    def _zero(self) -> int | None:
        """The instant of the first record that has one, in nanoseconds: that record is made when the run is started."""
        dated = [record for record in (self.run.run_record, *self.run.records) if record is not None and record.moment]
        first = min(dated, key=lambda record: record.arrival or 0, default=None)
        return first.moment.nanoseconds if first is not None and first.moment is not None else None

    def _claimed_ms(self, record: Record) -> float | None:
        if not self.witnessed.virtual_clock or record.moment is None or self._zero is None:
            return None
        return (record.moment.nanoseconds - self._zero) / _MILLISECOND

    def _seen_ms(self, at_ms: float) -> float | None:
        return at_ms if self.witnessed.virtual_clock else None

    def _deed(self, deed: Deed) -> Iterator[_Row]:
        call = self.names.get(deed.call_id, "a call without a record")
        told = [(deed.arrival, deed.at_ms, f"{deed.tool} is invoked with {excerpt(deed.args)}")]
        told += [(each.arrival, each.at_ms, f"is told to stop: {each.reason}") for each in deed.aborts]
        if deed.answer is not None:
            words = {
                AnswerKind.OUTPUT: f"answers {excerpt(deed.answer.output)}",
                AnswerKind.FAILURE: f"reports the failure {(deed.answer.error or {}).get('code')}",
                AnswerKind.BROKE: "throws an unstructured exception",
            }
            told.append((deed.answer.arrival, deed.answer.at_ms, words[deed.answer.kind]))
        for path in deed.writes:
            says = self._named(f"writes {path}")
            yield _Row(deed.arrival + 0.5, "deed", says, call)
        for arrival, at_ms, says in told:
            yield _Row(float(arrival), "deed", self._named(says), call, self._seen_ms(at_ms))

    def _act(self, act: Act) -> _Row:
        return _Row(float(act.arrival), "suite", _ACTS[act.kind], None, self._seen_ms(act.at_ms))

    def _folder(self) -> Iterator[_Row]:
        """What the folder shows for each path that a result names, and what changed there though no result says so."""
        world, named = self.run.world, set[str]()
        if world is None:
            return
        for result in self.run.results:
            changes = {_path(change): change for change in changes_of(result)}
            named.update(changes)
            for path in changes:
                says = self._named(_seen(path, world.before.get(path), world.after.get(path)))
                # The folder is looked at after the run, but the row stands beside the claim that it is about.
                yield _Row((result.arrival or 0) + 0.5, "folder", says, self._call(result))
        for path in changed_paths(world):
            if path not in named:
                says = _seen(path, world.before.get(path), world.after.get(path))
                yield _Row(_NOWHERE, "folder", self._named(f"{says}, and no result says so"))


def _fresh(name: str, taken: Mapping[str, str]) -> str:
    """The name, made different from those that are taken: two records may claim to be the same attempt."""
    others = sum(1 for each in taken.values() if each == name or each.startswith(f"{name}, again"))
    return name if others == 0 else f"{name}, again" if others == 1 else f"{name}, again ({others})"


def _claim(record: Record) -> str:
    if record.kind is Kind.CALL:
        return f"calls {record.text('tool')} with {excerpt(record.get('args'))}"
    if record.kind is Kind.RESULT:
        return _result(record)
    if record.kind is Kind.RUN:
        return "run record"
    status = (record.object("payload") or {}).get("status")
    return f"{record.text('type')} ({status})" if isinstance(status, str) else f"{record.text('type')}"


def _result(result: Record) -> str:
    status, error = result.text("status"), result.object("error") or {}
    parts = [f"result {status}"]
    if error:
        parts.append(f"{error.get('code')}: {error.get('message')}")
    if status == "ok":
        parts[0] += f" with {excerpt(result.get('data'))}"
    parts += [f"{change.fate.value.replace('/', ' ')} {change.path}" for change in changes_of(result)]
    return ", ".join(parts)


def _path(change: Change) -> str:
    return change.path if is_normal(change.path) else normalise(change.path)


def _seen(path: str, before: Entry | None, after: Entry | None) -> str:
    if before is None:
        return f"{path} is not there" if after is None else f"{path} is new, a {after.kind}"
    if after is None:
        return f"{path} is gone"
    same = (before.kind, before.content) == (after.kind, after.content)
    return f"{path} is as before" if same else f"{path} has other content"
