"""Verdicts: how findings, missing evidence, checks that raise and claims become one of five words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from callproof.auditlog.reader import read_run
from callproof.checks.check import Check, Finding, Witness, check, witness
from callproof.checks.subjects import calls, whole_run
from callproof.judge import judging
from callproof.judge.coverage import coverage
from callproof.judge.judgement import JudgedRun, Judgement, Outcome, RunOutcome, Subject
from callproof.judge.judging import Results, gather, judge
from callproof.judge.verdicts import Verdict, combined
from callproof.spec.blocks import Chapter, Level, Need, Place, Requirement
from callproof.spec.registry import Specification, specification
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Flaw, FlawKind, Run
from edited_runs import live
from hypothesis import given
from hypothesis import strategies as st
from log_edits import BASES

PLACE = Place("spec/toy.md", 1)
LAW = Requirement("TOY-01", "A toy", Level.MUST, (Need.L,), ("retry",), "", "A system MUST.", None, (), "", PLACE)
TOY = Specification((Chapter("toy", "Toy", (LAW,), (), ""),))
RUN = read_run(BASES / "linear")


def kept(run: Run, call: Record) -> Iterator[Finding]:
    """A law that the run keeps."""
    return iter(())


def broken_as_one(run: Run, call: Record) -> Iterator[Finding]:
    """A law that all calls break with one common finding."""
    yield Finding("the calls were seen", "none", ())


def broken(run: Run, call: Record) -> Iterator[Finding]:
    """A law that every call breaks."""
    yield Finding(f"{call.call_id} was seen", "none", ())


def thrown(run: Run, call: Record) -> Iterator[Finding]:
    """A check that raises."""
    raise KeyError("oops")


def toy(examine: object, *, needs: tuple[str, ...] = (), each: object = calls) -> Check[Record]:
    """A check that is not registered."""
    return Check("TOY-01", getattr(examine, "__name__", "toy"), "", each, examine, needs)  # type: ignore[arg-type]


def verdict_of(
    monkeypatch: pytest.MonkeyPatch, *checks: Check[Record], run: Run = RUN, claimed: object = None
) -> Results:
    """The results of a toy specification with these checks."""
    monkeypatch.setattr(judging, "checks_by_requirement", lambda: {"TOY-01": checks})
    return judge(run, claimed, TOY)  # type: ignore[arg-type]


def test_a_law_that_is_kept_passes_and_counts_its_subjects(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass says how many subjects were examined."""
    result = verdict_of(monkeypatch, toy(kept))["TOY-01"]
    assert (result.verdict, result.exercised) == (Verdict.PASS, 3)


def test_a_broken_law_fails_with_every_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings outweigh other checks that passed."""
    result = verdict_of(monkeypatch, toy(kept), toy(broken))["TOY-01"]
    assert (result.verdict, len(result.findings)) == (Verdict.FAIL, 3)


def test_what_several_subjects_come_to_alike_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second finding that is equal in every member is dropped; all subjects are counted."""
    result = verdict_of(monkeypatch, toy(broken_as_one))["TOY-01"]
    assert (result.verdict, result.exercised, len(result.findings)) == (Verdict.FAIL, 3, 1)


def test_no_subject_is_no_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the run holds nothing that the law is about, the verdict is inconclusive."""
    result = verdict_of(monkeypatch, toy(broken, each=lambda run: ()))["TOY-01"]
    assert result.verdict is Verdict.INCONCLUSIVE


def test_missing_evidence_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that needs deeds cannot judge a captured log; the result names the missing evidence."""
    result = verdict_of(monkeypatch, toy(broken, needs=("deeds",)))["TOY-01"]
    assert (result.verdict, result.missing) == (Verdict.INCONCLUSIVE, ("deeds",))


def test_a_check_that_throws_is_our_error_and_never_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the check and the exception are told; another check that passed does not hide the error."""
    result = verdict_of(monkeypatch, toy(kept), toy(thrown))["TOY-01"]
    assert result.verdict is Verdict.ERROR
    assert "thrown threw KeyError" in result.errors[0]


def test_a_requirement_without_a_check_is_never_green(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a check, nothing is known about the law."""
    result = verdict_of(monkeypatch)["TOY-01"]
    assert (result.verdict, result.missing) == (Verdict.INCONCLUSIVE, ("a check",))


def test_inapplicable_comes_from_the_claims_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the feature is not claimed, nothing is judged, not even what would fail."""
    claimed = verdict_of(monkeypatch, toy(broken), claimed=frozenset({"retry"}))["TOY-01"]
    unclaimed = verdict_of(monkeypatch, toy(broken), claimed=frozenset())["TOY-01"]
    assert (claimed.verdict, unclaimed.verdict) == (Verdict.FAIL, Verdict.INAPPLICABLE)


def test_what_was_not_read_in_full_is_not_called_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a line is over a limit, each pass of its run becomes inconclusive and names the limit (LOG-21)."""
    flaw = Flaw(FlawKind.LIMIT, Source("calls.jsonl", 1), "line 1 is too long")
    result = verdict_of(monkeypatch, toy(kept), run=replace(RUN, flaws=(flaw,)))["TOY-01"]
    assert (result.verdict, result.missing) == (Verdict.INCONCLUSIVE, ("line 1 is too long",))


def about_itself(_run: Run, call: Record) -> Iterator[Finding]:
    """A law that looks only at its subject."""
    yield Finding(f"{call.call_id} was seen", "none", ())


def of_the_run_itself(_run: Run, run: Run) -> Iterator[Finding]:
    """A law whose subject is everything that was read."""
    yield Finding(f"{len(run.calls)} calls were seen", "none", ())


def proved_by_a_line_and_a_record(run: Run, call: Record) -> Iterator[Finding]:
    """A law whose proof is a record that was read and a line that is no record."""
    yield Finding("seen", "none", (witness("C", call), Witness("L", "no JSON", Source("calls.jsonl", 9))))


def proved_by_a_line(run: Run, call: Record) -> Iterator[Finding]:
    """A law whose proof is only a line that is no record."""
    yield Finding("seen", "none", (Witness("L", "no JSON", Source("calls.jsonl", 9)),))


@pytest.mark.parametrize(
    ("law", "each", "found"),
    [
        (about_itself, calls, 3),
        (broken, calls, 0),
        (of_the_run_itself, whole_run, 0),
        (proved_by_a_line, calls, 1),
        (proved_by_a_line_and_a_record, calls, 0),
    ],
)
def test_nobody_is_accused_of_lacking_what_we_did_not_read(
    monkeypatch: pytest.MonkeyPatch, law: object, each: object, found: int
) -> None:
    """A finding about one record, or about a line, stays; one that unread records might refute does not (LOG-21)."""
    unread = Flaw(FlawKind.LIMIT, Source("calls.jsonl", 1), "line 1 is too long")
    broken_line = Flaw(FlawKind.NOT_JSON, Source("calls.jsonl", 9), "no JSON")
    looking = replace(toy(law, each=each), by_itself=law in (about_itself, of_the_run_itself))
    result = verdict_of(monkeypatch, looking, run=replace(RUN, flaws=(unread, broken_line)))["TOY-01"]
    assert len(result.findings) == found


def missing_an_event(run: Run, call: Record) -> Iterator[Finding]:
    """A law that every call breaks because an event of it is missing."""
    yield Finding(f"{call.call_id} never ended", "an end", (witness("C", call),), misses=(Kind.EVENT,))


@pytest.mark.parametrize("of", [Kind.EVENT, None])
def test_what_may_stand_on_a_line_that_is_no_record_is_not_known_to_be_missing(
    monkeypatch: pytest.MonkeyPatch, of: Kind | None
) -> None:
    """The verdict is inconclusive and names the lack; another check without findings makes it no pass (LOG-21)."""
    no_record = Flaw(FlawKind.NOT_JSON, Source("events.jsonl", 9), "no JSON", of)
    result = verdict_of(monkeypatch, toy(missing_an_event), toy(kept), run=replace(RUN, flaws=(no_record,)))["TOY-01"]
    assert (result.verdict, result.missing) == (Verdict.INCONCLUSIVE, ("events on lines that cannot be read",))


def missing_a_beginning(run: Run, call: Record) -> Iterator[Finding]:
    """A law that misses an event before the seventh line of its file."""
    place = Source("events.jsonl", 7)
    yield Finding("it never began", "a start", (witness("C", call),), misses=(Kind.EVENT,), before=place)


@pytest.mark.parametrize(("file", "line", "found"), [("events.jsonl", 6, 0), ("events.jsonl", 8, 3), ("stream", 8, 0)])
def test_what_has_to_precede_a_line_stands_on_none_behind_it(
    monkeypatch: pytest.MonkeyPatch, file: str, line: int, found: int
) -> None:
    """The order of lines is known within one file, but not between two files (A34, LOG-21)."""
    no_record = Flaw(FlawKind.TORN, Source(file, line), "cut off", Kind.EVENT)
    result = verdict_of(monkeypatch, toy(missing_a_beginning), run=replace(RUN, flaws=(no_record,)))["TOY-01"]
    assert len(result.findings) == found


def test_a_line_of_another_file_holds_nothing_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """No system writes an event into calls.jsonl."""
    no_record = Flaw(FlawKind.NOT_JSON, Source("calls.jsonl", 9), "no JSON", Kind.CALL)
    result = verdict_of(monkeypatch, toy(missing_an_event), run=replace(RUN, flaws=(no_record,)))["TOY-01"]
    assert (result.verdict, len(result.findings)) == (Verdict.FAIL, 3)


def test_a_run_counts_once_whatever_it_comes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count depends neither on the number of checks nor on their findings."""
    assert verdict_of(monkeypatch, toy(kept), toy(broken))["TOY-01"].runs == 1
    assert verdict_of(monkeypatch, toy(kept), toy(kept))["TOY-01"].runs == 1
    assert verdict_of(monkeypatch, toy(kept, each=lambda run: ()))["TOY-01"].runs == 0


@given(st.lists(st.sampled_from(Verdict)), st.sampled_from(Verdict))
def test_a_fail_is_never_lost(verdicts: list[Verdict], another: Verdict) -> None:
    """The order of verdicts does not matter, and another verdict never makes something green of a fail or an error."""
    whole = combined([*verdicts, another])
    assert whole is combined([another, *verdicts])
    if Verdict.FAIL in verdicts:
        assert whole is Verdict.FAIL
    if Verdict.ERROR in verdicts:
        assert whole in {Verdict.FAIL, Verdict.ERROR}


def test_gathering_keeps_findings_in_the_order_of_the_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings of both runs are kept, those of the first run first."""
    one = verdict_of(monkeypatch, toy(broken), run=replace(RUN, name="a"))
    two = verdict_of(monkeypatch, toy(broken), run=replace(RUN, name="b"))
    assert [located.run for located in gather([one, two])["TOY-01"].findings] == ["a"] * 3 + ["b"] * 3


@pytest.mark.parametrize(
    ("level", "strict", "outcome"),
    [
        (Level.MUST, False, Outcome.VIOLATIONS),
        (Level.SHOULD, False, Outcome.CONFORMS),
        (Level.SHOULD, True, Outcome.VIOLATIONS),
        (Level.MAY, True, Outcome.CONFORMS),
    ],
)
def test_the_level_decides_what_a_fail_costs(
    monkeypatch: pytest.MonkeyPatch, level: Level, strict: bool, outcome: Outcome
) -> None:
    """A failed MUST fails the run, a failed SHOULD only a strict run, a failed MAY no run."""
    (result,) = verdict_of(monkeypatch, toy(broken)).values()
    results = {"TOY-01": replace(result, requirement=replace(LAW, level=level))}
    judged = Judgement(Subject("system", "x"), results, (JudgedRun("r", RunOutcome.CONSISTENT),), strict=strict)
    assert judged.outcome is outcome


def test_what_had_to_be_shown_and_was_not_makes_a_run_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """A required requirement that stays inconclusive gives exit code 1."""
    results = verdict_of(monkeypatch)
    runs = (JudgedRun("r", RunOutcome.CONSISTENT),)
    asked = Judgement(Subject("system", "x"), results, runs, required=frozenset({"TOY-01"}))
    assert (asked.outcome, asked.outcome.exit_code) == (Outcome.NOT_PROVEN, 1)
    assert Judgement(Subject("system", "x"), results, runs).outcome is Outcome.NOTHING_JUDGED


def test_a_run_in_which_no_law_was_held_against_anything_is_never_green(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a system claims nothing, every requirement is inapplicable; this must not count as conforming."""
    results = verdict_of(monkeypatch, toy(kept), claimed=frozenset())
    judged = Judgement(Subject("system", "x"), results, (JudgedRun("r", RunOutcome.CONSISTENT),))
    assert (judged.outcome, judged.outcome.exit_code) == (Outcome.NOTHING_JUDGED, 2)


def test_nothing_judged_and_errors_have_codes_of_their_own() -> None:
    """No run at all gives exit code 2; a failure of the adapter gives exit code 3."""
    assert Judgement(Subject("log", "x"), {}, ()).outcome.exit_code == 2
    assert Judgement(Subject("system", "x"), {}, (), errors=("it died",)).outcome.exit_code == 3


def test_a_check_that_asks_for_unknown_evidence_is_refused() -> None:
    """A misspelt need would make a law inconclusive in every run."""
    with pytest.raises(ValueError, match="evidence is one of"):
        check("TOY-01", each=whole_run, needs=("dedes",))


def test_every_requirement_is_checked_or_excluded_with_a_reason() -> None:
    """No requirement is forgotten: each one without a check has a reason."""
    assert [row.requirement.id for row in coverage(specification()) if row.open] == []


def test_a_run_does_not_lack_what_one_look_at_it_had() -> None:
    """A log holds no deeds, but the suite saw those of the same run: it lacks a subject of the law, and no deeds."""
    looks = [judge(live(RUN)), judge(RUN)]
    apart, together = gather(looks)["TIME-05"], gather(looks, one_run=True)["TIME-05"]
    assert (apart.verdict, together.verdict) == (Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE)
    assert set(apart.missing) == {*together.missing, "deeds"}
    assert together.missing
