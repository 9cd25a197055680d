"""What a finding is about, to see whether two findings share it: records, steps, files, an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from callproof.checks.changes import changes_of
from callproof.checks.check import Finding
from callproof.checks.matters import Matter
from callproof.judge.consequences import CONSEQUENCES
from callproof.judge.judging import Results
from callproof.judge.mixups import Mixup, misfiled_records, misnamed_calls
from callproof.judge.sharing import Consequence, Shared
from callproof.trace.outputs import Fate, recorded_outputs, skipped_because_empty
from callproof.trace.plangraph import ancestors, needs_by_step
from callproof.trace.records import Record, Source
from callproof.trace.run import Run

# What all findings of a run share, if the one is of a kind that explains others, and the other of a kind that follows.
_OF_THE_RUN = frozenset(
    {
        Shared.RUN,
        Shared.PLAN,
        Shared.CIRCLE,
        Shared.ON_RECORD,
        Shared.LOGGED,
        Shared.NO_CALL,
        Shared.NO_RESULT,
    }
)

_RECORDS = frozenset({Shared.RECORD, Shared.SUBJECT, Shared.LAST, Shared.STRAY})
_MISNAMED = frozenset({Shared.MISNAMED, Shared.FROM_MISNAMED, Shared.MISNAMED_OUTCOME})
_MIXED_UP = _MISNAMED | {Shared.MISFILED, Shared.FROM_MISFILED}
_OF_SOURCES = frozenset({Shared.SOURCE, Shared.FROM_MISNAMED, Shared.FROM_MISFILED})


def _is_about(finding: Finding, matters: tuple[Matter, ...]) -> bool:
    return not matters or finding.matter in matters


def _with_those_above(path: str) -> Iterator[str]:
    """A path and the folders that it lies in."""
    parts = path.split("/")
    return ("/".join(parts[:number]) for number in range(len(parts), 0, -1))


class Places:
    """What the findings of one run are about."""

    def __init__(self, run: Run, found: Results) -> None:
        self._run = run
        self._found = found
        self._needs = needs_by_step(run)
        self._run_record = str(run.run_record.source) if run.run_record is not None else None
        self._results = {each.source: each for each in run.results}
        self._answered = {each.call_id for each in run.results}
        self._calls: dict[Source, str] = {}
        self._steps: dict[Source, str] = {}
        self._in_place: dict[str, set[Source]] = {}
        for record in run.records:
            if record.call_id is not None:
                self._calls[record.source] = record.call_id
            if record.step_id is not None:
                self._steps[record.source] = record.step_id
        of_call = {call.call_id: call.step_id for call in run.calls}
        self._deeds = {each.source for each in run.deeds or ()}
        for deed in run.deeds or ():
            self._calls[deed.source] = deed.call_id
            if (step := of_call.get(deed.call_id)) is not None:
                self._steps[deed.source] = step

    def as_root(self, finding: Finding, row: Consequence) -> Iterable[str]:
        """The keys of which a finding that follows from this one must share one."""
        first, shared = finding.witness[0].source, row.shared
        if not _is_about(finding, row.when) or not self._explains(finding, shared):
            return ()
        if shared in {Shared.SUBJECT, Shared.STRAY}:
            return [str(first)]
        if shared is Shared.LAST:
            return [str(finding.witness[-1].source)]
        if shared in _MIXED_UP:
            return self._mixed_up(finding, shared)
        return self._keys(finding, shared)

    def _explains(self, finding: Finding, shared: Shared) -> bool:
        """Whether a finding is of the kind that explains others that share this with it."""
        if shared is Shared.STRAY:
            own = {each.source for each in finding.witness}
            return any(self._of_its_step(call) - own for call in self._keys(finding, Shared.CALL))
        if shared is Shared.NO_CALL:
            return not any(each.source in self._calls for each in finding.witness)
        return shared is not Shared.NO_RESULT or not self._answered.intersection(self._keys(finding, Shared.CALL))

    def as_consequence(self, finding: Finding, row: Consequence) -> Iterable[str]:
        """The keys of which a finding that this one follows from must share one."""
        if not _is_about(finding, row.only) or not self._follows(finding, row.shared):
            return ()
        if row.shared in _RECORDS and row.roots:
            # Many witnesses include the run record, so it does not connect findings, except those of the same law.
            return [key for key in self._keys(finding, row.shared) if key != self._run_record]
        if row.shared in {Shared.PATH, Shared.CIRCLE}:
            return self._changed(finding) if row.shared is Shared.PATH else self._in_a_circle(finding)
        if row.shared in {Shared.OUTCOME, Shared.MISNAMED_OUTCOME}:
            return self._deciding
        if row.shared not in _OF_SOURCES:
            return self._keys(finding, row.shared)
        steps = self._keys(finding, Shared.STEP)
        return sorted({each for step in steps for each in ancestors(self._needs, step)})

    def _follows(self, finding: Finding, shared: Shared) -> bool:
        """Whether a finding is of the kind that can follow from others that share this with it."""
        if shared is Shared.ON_RECORD:
            return not any(each.source in self._deeds for each in finding.witness)
        if shared is Shared.LOGGED:
            return self._run.witnessed is None
        return shared is not Shared.PLAN or not self._is_as_planned_elsewhere(finding)

    def _keys(self, finding: Finding, shared: Shared) -> Iterable[str]:
        sources = [each.source for each in finding.witness]
        if shared in _OF_THE_RUN:
            return ("",)
        if shared is Shared.PATH:
            results = (self._results[each] for each in sources if each in self._results)
            return dict.fromkeys(change.path for result in results for change in changes_of(result))
        if shared in {Shared.FIRST, Shared.TEMPLATE}:
            del sources[1:]
        if shared in _RECORDS or shared is Shared.FIRST:
            return [str(each) for each in sources]
        known = self._calls if shared in {Shared.CALL, Shared.MISFILED} else self._steps
        if shared is Shared.OUTCOME:
            named = (known.get(each, "") for each in sources if each in self._calls)
            return dict.fromkeys(each if self._run.step(each) is not None else "" for each in named)
        return dict.fromkeys(known[each] for each in sources if each in known)

    def _changed(self, finding: Finding) -> Iterable[str]:
        """The changed paths, in their order, each followed by the folders above it."""
        return dict.fromkeys(above for path in self._keys(finding, Shared.PATH) for above in _with_those_above(path))

    def _in_a_circle(self, finding: Finding) -> Iterable[str]:
        """What a finding shares with a circle of steps, if its witness names some steps, and each waits for all."""
        steps = set(self._keys(finding, Shared.STEP))
        return ("",) if steps and all(steps <= ancestors(self._needs, each) for each in steps) else ()

    def _is_as_planned_elsewhere(self, finding: Finding) -> bool:
        """Whether another call of the step is as the plan has it: then no other plan explains both of them."""
        step = self._steps.get(finding.witness[0].source)
        calls = [each.call for each in self._run.attempts_of(step)]
        return any(each.source not in self._unplanned and not each.is_redacted_in("args") for each in calls)

    def _mixed_up(self, finding: Finding, shared: Shared) -> Iterator[str]:
        """The calls, or their steps, that were mixed up in the calls of a finding."""
        for call_id in self._keys(finding, Shared.CALL):
            if shared in _MISNAMED:
                yield from self._misnamed.get(call_id, ())
            elif (mixup := self._misfiled.get(call_id)) is not None:
                yield from mixup.calls if shared is Shared.MISFILED else mixup.steps

    def _of_its_step(self, call_id: str) -> set[Source]:
        """Results and events of a call that name the same step as it does, three of them at most."""
        if call_id not in self._in_place:
            attempt = self._run.attempt_by_call_id.get(call_id)
            records = (*attempt.results, *(attempt.events or ())) if attempt is not None else ()
            same = (each.source for each in records if attempt and each.step_id == attempt.call.step_id)
            self._in_place[call_id] = set(islice(same, 3))
        return self._in_place[call_id]

    @cached_property
    def _misnamed(self) -> Mapping[str, frozenset[str]]:
        return misnamed_calls(self._run)

    @cached_property
    def _misfiled(self) -> Mapping[str, Mixup]:
        return misfiled_records(self._run)

    @cached_property
    def _unplanned(self) -> frozenset[Source]:
        """The calls that differ from the plan."""
        laws = (self._found.get(law) for row in CONSEQUENCES if row.shared is Shared.PLAN for law in row.laws)
        return frozenset(each.finding.witness[0].source for law in laws if law for each in law.findings)

    @cached_property
    def _deciding(self) -> Sequence[str]:
        """
        The steps of which each alone may have decided the outcome of the run, and "" for one not in the plan.

        If one step failed, it is that step.  If two did, there is none, since the run would fail without either too.
        A loop that was skipped as empty does not count: if it failed at all, then with its source.
        """
        run = self._run
        if run.plan is None or run.events_of("run.cancelled"):
            return ()
        ends = {each.id: its for each in run.plan.steps if (its := _failures(run, each.id))}
        failed = [step for step, its in ends.items() if not all(skipped_because_empty(each, run) for each in its)]
        return (*(failed or run.plan.by_id), "") if len(failed) <= 1 else ()


def _failures(run: Run, step: str) -> tuple[Record, ...]:
    """The results that decided that a step failed; none if it did not fail."""
    output = recorded_outputs(run).of(step)
    return output.ends if output.fate is Fate.FAILED else ()
