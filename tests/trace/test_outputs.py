"""The outputs of steps, by the records and by the answers of the tools."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.trace.expansions import expansions
from callproof.trace.materialised import materialised
from callproof.trace.outputs import Fate, answered_outputs, recorded_outputs
from callproof.trace.run import Run
from edited_runs import base, deed_of, failure, live, output, patched, run_record_patched


def fate(run: Run, step: str) -> Fate:
    """The fate of a step by the records."""
    return recorded_outputs(run).of(step).fate


def test_a_step_is_what_its_last_attempt_was() -> None:
    """RETRY-10: two failures and a success are a success."""
    assert fate(base("retried"), "s1") is Fate.OK
    assert fate(base("retried"), "s3") is Fate.FAILED


def test_a_skipped_step_has_failed_and_one_without_any_record_is_unknown() -> None:
    """A2: the result of a call that was never built is an outcome; the absence of records is not."""
    assert fate(base("diamond"), "d") is Fate.FAILED
    assert fate(base("incomplete"), "s2") is Fate.UNKNOWN
    assert fate(base("incomplete"), "s3") is Fate.UNKNOWN
    assert fate(base("linear"), "nowhere") is Fate.UNKNOWN


def test_a_loop_is_the_array_of_its_outputs_in_index_order() -> None:
    """REF-20, A17."""
    loop = recorded_outputs(base("foreach")).of("s2")
    assert loop.fate is Fate.OK
    assert isinstance(loop.value, list)
    assert [each["etag"] for each in loop.value if isinstance(each, dict)] == [f"etag-note-{n}" for n in range(3)]
    assert fate(base("halted"), "s2") is Fate.FAILED


def test_a_loop_over_nothing_is_ok_and_empty() -> None:
    """LOOP-06, A81."""
    assert recorded_outputs(base("foreach")).of("s5").value == []


def test_a_loop_over_what_is_no_array_has_no_outputs() -> None:
    """REF-26."""
    run = patched(base("halted"), "results", 0, {"data": {"rows": "one"}})
    assert fate(run, "s2") is Fate.UNKNOWN
    assert expansions(run) == ()


def test_steps_on_a_cycle_are_unknown_and_do_not_hang() -> None:
    """REF-23: a loop whose source is itself."""
    steps = [{"id": "a", "tool": "t", "args": {}, "foreach": {"from": "$steps.a", "itemName": "i"}}]
    run = run_record_patched(base("unconfirmed"), {"plan": {"steps": list(steps)}})
    assert fate(run, "a") is Fate.UNKNOWN


def test_thousands_of_loops_may_run_over_one_another() -> None:
    """REF-20: all are empty here; the plan lists each loop before the one that it runs over."""
    base_run = base("foreach")
    assert base_run.plan is not None
    loops = [
        {**base_run.plan.by_id["s5"].value, "id": f"z{n}", "foreach": {"from": f"$steps.{source}", "itemName": "i"}}
        for n, source in enumerate([*(f"z{n}" for n in range(1, 2000)), "s5"])
    ]
    run = run_record_patched(
        base_run, {"plan": {"steps": [*(dict(each.value) for each in base_run.plan.steps), *loops]}}
    )
    assert recorded_outputs(run).of("z0").value == []


def test_redacted_data_is_unknown() -> None:
    """A42."""
    assert fate(patched(base("linear"), "results", 0, {"redacted": ["/data/content"]}), "s1") is Fate.UNKNOWN


@pytest.mark.parametrize("mark", ["/userMessage", "/data/nothing", "/dataHash", ""])
def test_a_mark_that_does_not_lead_into_the_data_leaves_it_known(mark: str) -> None:
    """A redaction elsewhere, or nowhere, does not take references to the data out of the comparison (A42, LOG-17)."""
    assert fate(patched(base("linear"), "results", 0, {"redacted": [mark]}), "s1") is Fate.OK


def test_an_ok_result_without_its_call_leaves_the_outcome_open() -> None:
    """A line that could not be read is not a failure of its step (RES-02 reports it)."""
    run = base("retried")
    assert fate(replace(run, calls=(*run.calls[:2], *run.calls[3:])), "s1") is Fate.UNKNOWN
    loop = base("foreach")
    assert fate(replace(loop, calls=(*loop.calls[:2], *loop.calls[3:])), "s2") is Fate.UNKNOWN


def test_answers_are_a_testimony_of_their_own() -> None:
    """The tool's answer counts; a failure or several answers give no value."""
    run = base("linear")
    told = live(run, (deed_of(run.calls[0], output({"content": "other"})),))
    assert answered_outputs(told).of("s1").value == {"content": "other"}
    assert recorded_outputs(told).of("s1").value != {"content": "other"}
    failed = live(run, (deed_of(run.calls[0], failure({"code": "X"})),))
    assert answered_outputs(failed).of("s1").fate is Fate.UNKNOWN
    twice = live(run, (deed_of(run.calls[0], output({})), deed_of(run.calls[0], output({}))))
    assert answered_outputs(twice).of("s1").fate is Fate.UNKNOWN


def test_args_are_laid_beside_their_templates_at_any_depth() -> None:
    """REF-10: one site for each leaf, with the value that it resolves to and the value that is there."""
    (second,) = (each for each in materialised(base("linear")) if each.step.id == "s3")
    sites = {site.pointer: site for site in second.sites}
    assert sites["/frontmatter/bullets/1/0"].sole is not None
    assert sites["/frontmatter/count"].wanted == (3, 3)
    assert not any(site.differs for site in second.sites)
    assert second.added == ()


def test_what_is_added_and_what_is_absent_are_told_by_pointer() -> None:
    """REF-27: members without a template, and templates without a member."""
    run = patched(base("linear"), "calls", 2, {"args": {"extra": 1, "frontmatter": {"more": 2, "count": None}}})
    (third,) = (each for each in materialised(run) if each.step.id == "s3")
    assert set(third.added) == {"/extra", "/frontmatter/more"}
    assert [site.pointer for site in third.sites if not site.present] == ["/frontmatter/count"]


def test_calls_of_unknown_steps_and_args_that_are_no_object_are_passed_over() -> None:
    """Other laws report them (CALL-05, CALL-07)."""
    run = patched(base("unconfirmed"), "calls", 0, {"stepId": "s9"})
    calls = (run.calls[0], replace(run.calls[1], value={**run.calls[1].value, "args": []}))
    assert materialised(replace(run, calls=calls)) == ()
