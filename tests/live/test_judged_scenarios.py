"""How cases are judged: plans that were refused, and logs beside what went over the wire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.judgement import Judgement, Outcome, RunOutcome, Subject
from callproof.live.judged import judge_scenario
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.trace.witnesses import Given, Refusal, Witnessed
from edited_runs import live, patched
from log_edits import BASES

LAWFUL = next(case for scenario in SCENARIOS for case in scenario.cases if scenario.id == "SC-01")
UNLAWFUL = next(case for scenario in SCENARIOS for case in scenario.cases if case.expects_refusal)

WITNESSED = Witnessed(Given({}, {}, ()), (), (), None, None, True)


def refused(case_id: str) -> Run:
    """A run that the system refused to begin."""
    given = Given({}, {}, ())
    refusal = Refusal("VALIDATION_ERROR", "not today", {}, 2)
    return Run(case_id, None, (), (), (), witnessed=Witnessed(given, (), (), refusal, None, True))


def test_a_system_that_refuses_a_lawful_plan_proves_nothing() -> None:
    """That breaks no law, but nothing is proven; the run's note has the system's own reason."""
    judged = judge_scenario([CaseOutcome(LAWFUL, refused(LAWFUL.id))], frozenset())
    (run,) = judged.runs
    assert (run.outcome, run.notes) == (
        RunOutcome.REFUSED,
        ("refused a lawful plan: VALIDATION_ERROR: not today",),
    )
    assert Judgement(Subject("system", "x"), {}, judged.runs).outcome is Outcome.NOT_PROVEN


def test_a_refusal_that_is_due_or_permitted_is_no_refusal_to_be_judged() -> None:
    """A system may refuse an unlawful plan, and also one that the law leaves to the system."""
    permitted = replace(LAWFUL, may_refuse=True)
    for case in (UNLAWFUL, permitted):
        judged = judge_scenario([CaseOutcome(case, refused(case.id))], frozenset())
        assert RunOutcome.REFUSED not in {run.outcome for run in judged.runs}


def with_its_log(base: str, **changed: object) -> Run:
    """A run with the records of a log of the specification, and beside it that log with one call changed."""
    log = read_run(BASES / base)
    first = log.calls[0]
    calls = (replace(first, value={**first.value, **changed}), *log.calls[1:])
    return replace(log, witnessed=replace(WITNESSED, finished_arrival=9), audit=replace(log, calls=calls))


def test_a_log_that_retells_the_run_is_held_against_the_laws_on_logs_alone() -> None:
    """Its records were judged on the wire, where the suite knows more; its lines and files were not."""
    judged = judge_scenario([CaseOutcome(LAWFUL, with_its_log("linear"))], frozenset({"auditLog"}))
    calls = len(read_run(BASES / "linear").calls)
    assert judged.results["CALL-02"].exercised == calls
    assert judged.results["LOG-02"].exercised > 0


def on_the_wire(run: Run) -> Run:
    """A run whose records came over the wire, each in its place."""
    arrivals = count(1)
    record, calls, results, events = (
        tuple(replace(each, source=Source("wire", next(arrivals))) for each in records)
        for records in ((run.run_record,) if run.run_record else (), run.calls, run.results, run.events or ())
    )
    return replace(run, run_record=record[0], calls=calls, results=results, events=events)


@pytest.mark.parametrize(
    ("base", "law", "root", "changed"),
    [
        ("linear", "LOG-07", "RES-01", lambda run: replace(run, results=(run.results[0], *run.results))),
        ("linear", "LOG-06", "REF-11", lambda run: patched(run, "calls", 2, {"args": {"frontmatter": {"count": "3"}}})),
    ],
)
def test_what_a_log_repeats_follows_from_what_went_over_the_wire(
    base: str, law: str, root: str, changed: Callable[[Run], Run]
) -> None:
    """LOG-07, RES-01, LOG-06, REF-11: the wire and the log are two looks at one run, and the fault is one."""
    log = changed(read_run(BASES / base))
    run = replace(on_the_wire(log), witnessed=replace(WITNESSED, finished_arrival=9), audit=log)
    results = judge_scenario([CaseOutcome(LAWFUL, run)], frozenset({"auditLog", "references"})).results
    (cause,) = (each for each in results[root].findings if each.root is None)
    of_log = [each for each in results[law].findings if each.run == f"{run.name} log"]
    assert of_log
    for each in of_log:
        assert all(its.source.file != "wire" for its in each.finding.witness)
        assert each.root is not None
        assert (each.root.requirement, each.root.source) == (root, cause.finding.witness[0].source)


def test_what_a_log_lacks_follows_from_what_it_does_not_repeat() -> None:
    """LOG-13, EVT-20: the first lines of two files are missing, and the wire has them."""
    log = read_run(BASES / "linear")
    cut = replace(log, results=log.results[1:], events=(log.events or ())[1:])
    run = replace(on_the_wire(log), witnessed=replace(WITNESSED, finished_arrival=9), audit=cut)
    results = judge_scenario([CaseOutcome(LAWFUL, run)], frozenset({"auditLog", "events"})).results
    told = {
        name: each.root for name, result in results.items() for each in result.findings if each.run.endswith(" log")
    }
    assert {"EVT-03", "LOG-07"} <= told.keys()
    assert {root.requirement if root else None for root in told.values()} == {"EVT-20", "LOG-13"}


def test_what_the_wire_explains_of_a_log_has_the_root_that_it_has_on_the_wire() -> None:
    """EVT-05, EVT-20, EVT-08: the log ends with the run, and the wire told of the end of a call after that."""
    log = read_run(BASES / "linear")
    *others, closing, end = log.events or ()
    late, early = (replace(each, source=other.source) for each, other in ((closing, end), (end, closing)))
    run = replace(
        on_the_wire(replace(log, events=(*others, early, late))),
        witnessed=replace(WITNESSED, finished_arrival=9),
        audit=replace(log, events=(*others, early)),
    )
    results = judge_scenario([CaseOutcome(LAWFUL, run)], frozenset({"auditLog", "events"})).results
    (shown,) = results["EVT-20"].findings
    (missing,) = results["EVT-08"].findings
    assert shown.root is not None
    assert missing.root is not None
    assert (shown.root.requirement, missing.root.requirement) == ("EVT-05", "EVT-05")
    assert shown.root.source == missing.root.source


def test_a_log_that_tells_otherwise_is_held_against_every_law() -> None:
    """This holds even if Python takes the two for equal: 1 is neither 1.0 nor true."""
    for attempt in (1.0, True, 2):
        judged = judge_scenario([CaseOutcome(LAWFUL, with_its_log("linear", attempt=attempt))], frozenset())
        assert judged.results["CALL-02"].exercised == 2 * len(read_run(BASES / "linear").calls)


def test_a_log_that_could_not_be_read_in_full_is_never_called_good() -> None:
    """The verdicts from the wire stay as they are, and the whole is not proven (LOG-21)."""
    log = read_run(BASES / "linear")
    flaw = Flaw(FlawKind.UNREADABLE, Source("results.jsonl", 1), "is a named pipe, not a regular file", Kind.RESULT)
    partly_read = replace(live(log), audit=replace(log, results=(), flaws=(flaw,)))
    unasked = replace(LAWFUL, excused=("VAL-05",))  # that law needs the registry, and the log has none
    judged = judge_scenario([CaseOutcome(unasked, partly_read)], frozenset({"auditLog"}))
    (told,) = judged.runs
    assert (told.outcome, told.notes) == (
        RunOutcome.UNREAD,
        ("results.jsonl:1: is a named pipe, not a regular file",),
    )
    assert Judgement(Subject("system", "x"), judged.results, judged.runs).outcome is Outcome.NOT_PROVEN
