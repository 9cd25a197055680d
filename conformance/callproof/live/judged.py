"""A scenario's runs, judged: the results of all its cases, and what failed on the way."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from callproof.judge.folding import folded, folded_beside
from callproof.judge.judgement import JudgedRun, RunOutcome, judged_run, notes_of
from callproof.judge.judging import Results, checks_by_requirement, gather, judge
from callproof.judge.tally import Tally
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case, Scenario
from callproof.live.session import CaseOutcome
from callproof.spec.blocks import Level, Requirement
from callproof.spec.registry import specification
from callproof.trace.records import Record, Source
from callproof.trace.run import UNREAD, Run
from callproof.values.jsontext import shortest_text

# Evidence that a feature gives: a system that does not claim it need not show what only this evidence shows.
_EVIDENCE_OF = {"events": "events", "audit log": "auditLog"}


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest case of a scenario that broke a requirement, and the run of it that shows that."""

    case: Case
    run: Run


@dataclass(frozen=True, slots=True)
class JudgedScenario:
    """
    What a scenario came to: results over all its cases, one line per case, and adapter errors.

    ``smallest`` is the case to look at, by the id of the requirement that it broke.  ``tally`` is there for generated
    cases, which are reported as one line.
    """

    results: Results
    runs: tuple[JudgedRun, ...]
    errors: tuple[str, ...]
    smallest: Mapping[str, Smallest] = field(default_factory=dict[str, Smallest])
    tally: Tally | None = None


def judge_scenario(outcomes: Iterable[CaseOutcome], claimed: frozenset[str], *, strict: bool = False) -> JudgedScenario:
    """
    Judge every case by every requirement, its live trace and its log folder alike.

    ``claimed`` are the features that the system claims.
    """
    results: list[Results] = []
    runs: list[JudgedRun] = []
    errors: list[str] = []
    smallest: dict[str, Smallest] = {}
    for outcome in outcomes:
        if outcome.error is not None:
            errors.append(f"{outcome.case.id}: {outcome.error}")
            runs.append(JudgedRun(outcome.case.id, RunOutcome.ERROR))
        for run in (outcome.run, *outcome.run.siblings) if outcome.run is not None else ():
            judged = _judged(run, claimed, outcome.case.excused)
            results.append(judged)
            _note_smallest(smallest, judged, Smallest(outcome.case, run))
            runs.append(_refused(outcome, run) or _with_its_log(judged_run(run, judged, strict=strict), run))
    return JudgedScenario(gather(results), tuple(runs), tuple(errors), smallest)


def owed(scenario: Scenario, results: Results, claimed: frozenset[str], lacks: tuple[str, ...] = ()) -> frozenset[str]:
    """
    The requirements that a scenario has to decide for a system of these claims: without a verdict it is not proven.

    Left out are what only cases beyond the claims aim at, what only cases aim at that need what the suite ``lacks``,
    advice, and what only evidence can decide that the system does not claim to give.
    """
    laws = specification().requirements
    unclaimed = {each for each, feature in _EVIDENCE_OF.items() if feature not in claimed}
    return frozenset(
        name
        for name in scenario.aims_within(claimed, lacks)
        if laws[name].level is Level.MUST and (name not in results or unclaimed.isdisjoint(results[name].missing))
    )


def _note_smallest(smallest: dict[str, Smallest], judged: Results, candidate: Smallest) -> None:
    for name, result in judged.items():
        if result.verdict is Verdict.FAIL and (name not in smallest or _size(candidate) < _size(smallest[name])):
            smallest[name] = candidate


def _size(candidate: Smallest) -> tuple[int, int]:
    """How much a reader has to read: by the plan and the tools, then by everything."""
    case = candidate.case
    return len(repr((case.plan, case.tools, case.timeline, case.company))), len(repr(case))


def _refused(outcome: CaseOutcome, run: Run) -> JudgedRun | None:
    """The outcome for a lawful plan that the system refused: this breaks no law, but shows nothing either."""
    refusal = run.witnessed.refusal if run.witnessed else None
    case = next((each.case for each in outcome.case.company if each.case.id == run.name), outcome.case)
    if refusal is None or case.expects_refusal or case.may_refuse:
        return None
    told = f"refused a lawful plan: {refusal.code}: {refusal.message}"
    return JudgedRun(run.name, RunOutcome.REFUSED, (told,))


def _with_its_log(judged: JudgedRun, run: Run) -> JudgedRun:
    """What a run came to; if its log could not be read in full, it cannot count as good (LOG-21)."""
    log = run.audit
    unread = tuple(notes_of(log.flaws, UNREAD)) if log else ()
    if log is None or not unread or _could_write_nothing(run, log):
        return judged
    better = judged.outcome in {RunOutcome.CONSISTENT, RunOutcome.INCOMPLETE}
    outcome = RunOutcome.UNREAD if better else judged.outcome
    return replace(judged, outcome=outcome, notes=(*judged.notes, *unread))


def _could_write_nothing(run: Run, audit: Run) -> bool:
    """Whether the suite left the system no time or no room for the first record of its log (SC-25)."""
    return run.cut_short and audit.run_record is None and not audit.calls


def _judged(run: Run, claimed: frozenset[str], excused: tuple[str, ...]) -> Results:
    on_the_wire = folded(run, judge(run, claimed))
    looks = [on_the_wire]
    if run.audit is not None and not _could_write_nothing(run, run.audit):
        log = replace(run.audit, name=f"{run.name} log")
        if _retells(log, run):
            # The records were judged above, where more is known; laws on logs are left.
            of_logs = judge(log, claimed, only=_is_of_logs)
            looks.append(folded_beside(run, on_the_wire, of_logs, _sources(log, run)))
        else:
            # What the log lacks is told by the laws that compare it with the wire.
            compared = {name: on_the_wire[name] for name in ("LOG-13", "EVT-20")}
            looks.append(folded_beside(log, compared, judge(log, claimed), {}))
    results = gather(looks, one_run=True)
    return {name: result for name, result in results.items() if name not in excused}


def _retells(log: Run, run: Run) -> bool:
    """Whether a log holds exactly the records of the wire, all of them, in their order."""
    written, told = _records(log), _records(run)
    return not log.flaws and log.finished and len(written) == len(told) and all(map(_is_same, written, told))


def _sources(log: Run, run: Run) -> dict[Source, Source]:
    """Where the wire has each record of a log that retells it."""
    pairs = zip(_records(log), _records(run))
    return {one.source: other.source for one, other in pairs if one is not None and other is not None}


def _records(run: Run) -> list[Record | None]:
    return [run.run_record, *run.calls, None, *run.results, None, *(run.events or ())]


def _is_same(written: Record | None, told: Record | None) -> bool:
    if written is None or told is None:
        return written is told
    one, other = written.value, told.value
    # Compared as text, since 1, 1.0 and true are equal in Python; members may stand in another order.
    text = shortest_text(one)
    if text is not None and text == shortest_text(other):
        return True
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _is_of_logs(requirement: Requirement) -> bool:
    return requirement.id in _laws_of_logs()


@cache
def _laws_of_logs() -> frozenset[str]:
    """The laws on logs themselves: those of their chapter, and those that only a captured log can show."""
    needing = {
        name for name, checks in checks_by_requirement().items() if any("captured log" in each.needs for each in checks)
    }
    return frozenset(needing | {each.id for each in specification().requirements.values() if each.group == "LOG"})
