"""References beyond the examples of their chapter: deeds, second readings, one reason for each mistake."""

from __future__ import annotations

import pytest
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, output, patched, run_record_patched, verdict

REFERENCE_LAWS = {f"REF-{number:02d}" for number in range(1, 28)} | {"VAL-04", "VAL-10", "LOOP-13"}


def with_args(name: str, at: int, args: Json) -> Run:
    """A base run in which one call has other args."""
    return patched(base(name), "calls", at, {"args": args})


def reasons(run: Run) -> set[str]:
    """The laws about arguments that a run breaks."""
    return {name for name, each in judge(run).items() if each.verdict is Verdict.FAIL} & REFERENCE_LAWS


@pytest.mark.parametrize(
    ("args", "law"),
    [
        ({"half": "1.5"}, "REF-11"),
        ({"half": 2.5}, "REF-01"),
        ({"list": "[]"}, "REF-11"),
        ({"zero": "$steps.s1.zero"}, "REF-10"),
        ({"none": False}, "REF-11"),
        ({"odd": "dot digit ['bottom']"}, "REF-11"),
        ({"odd": 'dot 0 ["bottom"]'}, "REF-01"),
        ({"odd": 'dot-digit-["bottom"]'}, "REF-16"),
        ({"escaped": "$$steps.s1.title, {$vars.source.title} and $$5"}, "REF-16"),
        ({"escaped": "Plain, Plain and $$5"}, "REF-15"),
        ({"whole": {"text": None}}, "REF-01"),
    ],
)
def test_each_mistake_has_one_reason(args: Json, law: str) -> None:
    """One difference in the arguments is reported as one law."""
    assert reasons(with_args("references", 1, args)) == {law}


@pytest.mark.parametrize("text", ["Plain of 2.0", "Plain of 2"])
def test_numbers_in_text_may_be_spelt_as_integers(text: str) -> None:
    """2.0 inside longer text may be written 2 (B-48, A62)."""
    run = base("references")
    template: Json = {"id": "s2", "tool": "util.compose", "args": {"title": "{$steps.s1.title} of {$steps.s1.half}"}}
    first = run.plan.steps[0].value if run.plan else {}
    run = run_record_patched(run, {"plan": {"steps": [dict(first), template]}})
    run = patched(run, "results", 0, {"data": {"half": 2.0}})
    gone: dict[str, Json] = dict.fromkeys(run.calls[1].object("args") or {})
    run = patched(run, "calls", 1, {"args": gone | {"title": text}})
    assert reasons(run) & {"REF-01", "REF-11", "REF-16"} == set()


def deeds_of(run: Run, changed: dict[int, dict[str, Json]]) -> tuple[Deed, ...]:
    """The deeds of the first calls of the references base, with some args changed on their way to the tool."""
    answers = [output(result.get("data"), arrival=10 * n + 5) for n, result in enumerate(run.results[:2])]
    return tuple(
        deed_of(call, answers[n], arrival=10 * n + 1, args={**(call.object("args") or {}), **changed.get(n, {})})
        for n, call in enumerate(run.calls[:2])
    )


def test_what_reaches_a_tool_is_judged_like_what_is_recorded() -> None:
    """A log that is right in itself does not excuse what was sent."""
    run = base("references")
    assert reasons(live(run, deeds_of(run, {}))) == set()
    assert {"REF-01", "REF-21"} <= reasons(live(run, deeds_of(run, {1: {"half": 3.5}})))


def test_a_recorded_output_does_not_excuse_a_wrong_value() -> None:
    """Deeds are judged by what the tool answered, whatever the result says (REF-01)."""
    run = patched(base("references"), "results", 0, {"data": {"half": 9.5}})
    run = patched(run, "calls", 1, {"args": {"half": 9.5}})
    clean = base("references")
    answers = deeds_of(clean, {1: {"half": 9.5}})
    assert any("half" in each for each in findings(live(run, answers), "REF-01"))


def test_a_reader_that_reached_its_tool_too_early_is_found_by_the_wire() -> None:
    """REF-22: the order of messages is evidence."""
    run = base("linear")
    first = deed_of(run.calls[0], output(run.results[0].get("data"), arrival=30), arrival=10)
    second = deed_of(run.calls[1], output(run.results[1].get("data"), arrival=40), arrival=20)
    assert verdict(live(run, (first, second)), "REF-22") is Verdict.FAIL
    in_order = deed_of(run.calls[1], output(run.results[1].get("data"), arrival=40), arrival=35)
    assert verdict(live(run, (first, in_order)), "REF-22") is not Verdict.FAIL


def test_a_failure_that_shows_data_is_found() -> None:
    """REF-24: canaries stand for the data around a reference."""
    run = patched(base("refused"), "results", 3, {"error": {"message": "no filePath in {secret-canary}"}})
    assert verdict(live(run, canaries=("secret-canary",)), "REF-24") is Verdict.FAIL
    assert verdict(live(base("refused"), canaries=("secret-canary",)), "REF-24") is Verdict.PASS


def test_args_that_a_hook_changed_are_not_held_against_the_plan() -> None:
    """A49: the mark suspends the comparison."""
    run = patched(base("references"), "calls", 1, {"args": {"half": 2.5}, "argsModifiedBy": "guard"})
    assert reasons(run) == set()


def test_redacted_args_are_not_compared() -> None:
    """A42: what is redacted is unknown."""
    run = patched(base("references"), "calls", 1, {"args": {"half": "***"}, "redacted": ["/args/half"]})
    assert reasons(run) == set()


def test_what_rests_on_redacted_data_is_not_decided() -> None:
    """A42: references into redacted data lead to what nobody knows."""
    run = patched(base("references"), "results", 0, {"data": {"title": "***"}, "redacted": ["/data/title"]})
    assert reasons(run) == set()
