"""The oracle accepts what the law permits, and finds what was altered in a lawful run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest
from callproof.generated.judged import judged_case
from callproof.generated.oracle.judging import consulted, looks_at
from callproof.generated.running import Wanted, generated
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case
from callproof.live.session import LiveSession
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Abort, Answer, AnswerKind, Deed, Witnessed
from callproof.values.jsontext import Json

from generated_plans import making

REFERENCE = "stdio:callproof-reference stdio"

Alter = Callable[[Run], Run]


@pytest.fixture(scope="module")
def session() -> Iterator[LiveSession]:
    """The reference executor, started once."""
    with LiveSession(REFERENCE) as opened:
        yield opened


@pytest.fixture(scope="module")
def runs(session: LiveSession) -> Mapping[str, Run]:
    """One lawful run of each case that was made by hand."""
    found = {case.id: session.run_case(case).run for case in making.CASES}
    assert None not in found.values()
    return {name: run for name, run in found.items() if run is not None}


@pytest.mark.parametrize("case", making.CASES, ids=lambda case: case.id)
def test_a_lawful_run_is_accepted(case: Case, runs: Mapping[str, Run]) -> None:
    """There are looks at the run, and none of them has a finding."""
    looks = list(looks_at(case, runs[case.id]))
    assert looks
    assert [look for look in looks if look.finding is not None] == []


@pytest.mark.many
def test_the_reference_is_never_blamed_for_a_generated_case(session: LiveSession) -> None:
    """Neither a check nor the oracle has a finding."""
    claimed = frozenset(session.claims.features)
    for case in generated(session.claims.features, Wanted(80, seed=11)):
        judged = judged_case(session.run_case(case), claimed)
        failed = {name: result for name, result in judged.results.items() if result.verdict is Verdict.FAIL}
        assert failed == {}, case
        assert judged.errors == ()


def _witnessed(run: Run) -> Witnessed:
    assert run.witnessed is not None
    return run.witnessed


def _with_deeds(run: Run, deeds: tuple[Deed, ...]) -> Run:
    return replace(run, witnessed=replace(_witnessed(run), deeds=deeds))


def _deeds_of(run: Run, step: str) -> tuple[Deed, ...]:
    ids = {call.call_id for call in run.calls if call.step_id == step}
    return tuple(deed for deed in run.deeds or () if deed.call_id in ids)


def _told(step: str, **members: object) -> Alter:
    """Alter the last result of a step to say something else."""

    def alter(run: Run) -> Run:
        last = [each for each in run.results if each.step_id == step][-1]
        changed = replace(last, value={**last.value, **members})
        return replace(run, results=tuple(changed if each is last else each for each in run.results))

    return alter


def _without(step: str, index: int | None = None) -> Alter:
    """Remove what a step, or one iteration, did; its result says that it was skipped."""

    def gone(record: Record) -> bool:
        return record.step_id == step and record.iteration_index == index

    def alter(run: Run) -> Run:
        lost = {call.call_id for call in run.calls if gone(call)}
        calls = tuple(call for call in run.calls if not gone(call))
        results = tuple(_skipped(each, index) if each.call_id in lost else each for each in run.results)
        deeds = tuple(deed for deed in run.deeds or () if deed.call_id not in lost)
        return _with_deeds(replace(run, calls=calls, results=results), deeds)

    return alter


def _skipped(record: Record, index: int | None) -> Record:
    iteration = {} if index is None else {"iteration": {"index": index, "itemName": "row", "itemValue": None}}
    kept = {name: value for name, value in record.value.items() if name not in ("data", "error")}
    return replace(record, value={**kept, "status": "skipped", "ok": False, "userMessage": "left out", **iteration})


def _again(step: str) -> Alter:
    """Make the last attempt of a step once more."""

    def alter(run: Run) -> Run:
        call = [each for each in run.calls if each.step_id == step][-1]
        result = next(each for each in run.results if each.call_id == call.call_id)
        deed = _deeds_of(run, step)[-1]
        more = (call.integer("attempt") or 1) + 1
        extra = replace(call, value={**call.value, "callId": "again", "attempt": more})
        told = replace(result, value={**result.value, "callId": "again", "attempt": more})
        later = replace(deed, call_id="again", at_ms=deed.at_ms + 500, arrival=deed.arrival + 9_000)
        grown = replace(run, calls=(*run.calls, extra), results=(*run.results, told))
        return _with_deeds(grown, (*(run.deeds or ()), later))

    return alter


def _only_first(step: str) -> Alter:
    """Remove all attempts of a step but the first."""

    def alter(run: Run) -> Run:
        lost = {call.call_id for call in run.calls if call.step_id == step and call.integer("attempt") != 1}
        deeds = tuple(deed for deed in run.deeds or () if deed.call_id not in lost)
        calls = tuple(call for call in run.calls if call.call_id not in lost)
        results = tuple(each for each in run.results if each.call_id not in lost)
        return _with_deeds(replace(run, calls=calls, results=results), deeds)

    return alter


def _late(step: str, ms: float) -> Alter:
    """Let a step be entered later."""

    def alter(run: Run) -> Run:
        own = _deeds_of(run, step)
        return _with_deeds(run, tuple(_moved(deed, ms) if deed in own else deed for deed in run.deeds or ()))

    return alter


def _moved(deed: Deed, ms: float) -> Deed:
    answer = deed.answer
    moved = None if answer is None else replace(answer, at_ms=answer.at_ms + ms, arrival=answer.arrival + 9_000)
    return replace(deed, at_ms=deed.at_ms + ms, arrival=deed.arrival + 9_000, answer=moved, aborts=())


def _entered(step: str, tool: str) -> Alter:
    """Let a tool be entered for a step that was not to be carried out."""

    def alter(run: Run) -> Run:
        call = run.calls[0]
        extra = replace(call, value={**call.value, "callId": "extra", "stepId": step, "tool": tool})
        answer = Answer(AnswerKind.OUTPUT, {}, None, None, 0.0, 9_001)
        return _with_deeds(
            replace(run, calls=(*run.calls, extra)),
            (*(run.deeds or ()), Deed("extra", tool, {}, 0.0, 9_000, answer)),
        )

    return alter


def _unheard(step: str) -> Alter:
    """Let a tool never be told to stop, and answer nothing."""
    return lambda run: _with_deeds(
        run,
        tuple(
            replace(deed, aborts=(), answer=None) if deed in _deeds_of(run, step) else deed for deed in run.deeds or ()
        ),
    )


def _hurried(step: str) -> Alter:
    """Let a tool be told too early that its time is up."""

    def alter(run: Run) -> Run:
        own = _deeds_of(run, step)
        early = tuple(
            replace(deed, aborts=(Abort("timeout", deed.at_ms + 50, deed.arrival + 1),)) if deed in own else deed
            for deed in run.deeds or ()
        )
        return _with_deeds(run, early)

    return alter


def _with_a_deadline(step: str, instant: str) -> Alter:
    """Let the calls of a step state a deadline."""

    def alter(run: Run) -> Run:
        dated = (replace(each, value={**each.value, "deadlineAt": instant}) for each in run.calls)
        return replace(run, calls=tuple(new if new.step_id == step else old for old, new in zip(run.calls, dated)))

    return alter


def _withdrawn(step: str) -> Alter:
    """Let a call be recorded but never begun."""

    def alter(run: Run) -> Run:
        (lost,) = {call.call_id for call in run.calls if call.step_id == step}
        deeds = tuple(deed for deed in run.deeds or () if deed.call_id != lost)
        events = tuple(e for e in run.events or () if e.call_id != lost or e.text("type") != "step.started")
        results = tuple(_skipped(each, None) if each.call_id == lost else each for each in run.results)
        return _with_deeds(replace(run, events=events, results=results), deeds)

    return alter


BROKEN: tuple[tuple[Case, str, Alter, str], ...] = (
    (making.CHAIN, "a step left out", _without("b"), "DEP-07"),
    (making.CHAIN, "a success told as an error", _told("a", status="error"), "RES-21"),
    (making.CHAIN, "a success told as a timeout", _told("a", status="timeout"), "TIME-02"),
    (making.CHAIN, "another attempt after a success", _again("a"), "RETRY-19"),
    (making.LOOP, "an iteration left out", _without("b", 1), "LOOP-01"),
    (making.LOOP, "an iteration too many", _entered("b", "t.b"), "LOOP-01"),
    (making.RETRIED, "an attempt too few", _only_first("a"), "RETRY-11"),
    (making.RETRIED, "another attempt after all went well", _again("a"), "RETRY-05"),
    (making.SKIPPED, "a dependent carried out in vain", _entered("b", "t.b"), "REF-02"),
    (making.SKIPPED, "a dependent told as a failure", _told("b", status="error"), "DEP-02"),
    (making.SKIPPED, "an independent step left out", _without("c"), "DEP-05"),
    (making.SKIPPED, "an attempt against the tool's word", _again("a"), "RETRY-19"),
    (making.STOPPED, "a step begun after the end", _late("c", 500), "DEP-04"),
    (making.OUT_OF_TIME, "a timeout told as a success", _told("a", status="ok"), "TIME-01"),
    (making.OUT_OF_TIME, "a tool stopped too early", _hurried("a"), "TIME-02"),
    (making.CANCELLED, "a tool that nobody told", _unheard("a"), "CANC-02"),
    (making.CANCELLED, "a step begun after the cancellation", _late("a", 500), "CANC-01"),
    (making.CANCELLED, "a cancellation told as a success", _told("a", status="ok"), "CANC-02"),
    (making.INVALID, "invalid arguments sent", _entered("a", "t.a"), "VAL-01"),
    (making.INVALID, "invalid arguments told as something else", _told("a", status="skipped"), "VAL-01"),
    (making.EMPTY, "a call for an empty loop", _entered("b", "t.b"), "LOOP-06"),
)


@pytest.mark.parametrize(("case", "alter", "law"), [(c, a, law) for c, _, a, law in BROKEN], ids=[b[1] for b in BROKEN])
def test_what_was_altered_is_found(case: Case, alter: Alter, law: str, runs: Mapping[str, Run]) -> None:
    """A lawful run with one alteration breaks the law about it."""
    features = frozenset(case.requires) | {"events", "retry", "timeout", "cancellation", "references", "foreach"}
    results = consulted(case, alter(runs[case.id]), features)
    failed = {name for name, result in results.items() if result.verdict is Verdict.FAIL}
    assert law in failed, {name: result.findings for name, result in results.items() if result.findings}
    finding = results[law].findings[0].finding
    assert finding.observed
    assert finding.permitted
    assert finding.witness


@pytest.mark.parametrize(
    ("policy", "code", "told"),
    [({}, "VALIDATION_ERROR", 0), ({}, "POLICY_DENIED", 1), ({"deniedTools": ["t.b"]}, "POLICY_DENIED", 0)],
)
def test_a_dependent_may_be_refused_for_its_reference_or_its_tool(
    policy: dict[str, Json], code: str, told: int, runs: Mapping[str, Run]
) -> None:
    """Its record may tell of its unresolved reference (REF-04), or that the policy denies its tool (POL-01, DEP-02)."""
    case = replace(making.SKIPPED, policy={**making.SKIPPED.policy, **policy})
    run = _told("b", status="error", error={"code": code, "message": "no"})(runs["skipped"])
    assert len([look for look in looks_at(case, run) if look.finding is not None]) == told


@pytest.mark.parametrize(("instant", "found"), [("2026-01-01T00:00:00Z", 0), ("2030-01-01T00:00:00Z", 1)])
def test_a_deadline_may_end_a_call_before_its_limit(instant: str, found: int, runs: Mapping[str, Run]) -> None:
    """TIME-02, A27: the tool was stopped after 50 of its 100 milliseconds; its deadline had come, or had not."""
    run = _hurried("a")(_with_a_deadline("a", instant)(runs["out of time"]))
    assert len([look for look in looks_at(making.OUT_OF_TIME, run) if look.finding is not None]) == found


@pytest.mark.parametrize(("instant", "found"), [("2026-01-01T00:00:00Z", 0), ("2030-01-01T00:00:00Z", 1)])
def test_a_call_whose_deadline_came_while_it_waited_is_no_step_left_out(
    instant: str, found: int, runs: Mapping[str, Run]
) -> None:
    """TIME-12: such a call is closed without its dispatch."""
    run = _withdrawn("c")(_with_a_deadline("c", instant)(runs["skipped"]))
    assert len([look for look in looks_at(making.SKIPPED, run) if look.finding is not None]) == found


def test_nothing_is_said_outside_the_claims(runs: Mapping[str, Run]) -> None:
    """A requirement of a feature that is not claimed has no result."""
    results = consulted(making.RETRIED, _only_first("a")(runs["retried"]), frozenset({"references"}))
    assert "RETRY-11" not in results


def test_a_run_that_was_stopped_owes_nothing(runs: Mapping[str, Run]) -> None:
    """After a failure that stops the run, steps are left out rightly."""
    looks = looks_at(making.STOPPED, _without("b")(runs["stopped"]))
    assert [look for look in looks if look.finding is not None] == []
