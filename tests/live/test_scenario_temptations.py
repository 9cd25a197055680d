"""Laws that a scenario tempts a system to break: a finding if broken, none if kept, no subject in captured logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from callproof.checks import all_checks, scenario_temptations
from callproof.checks.check import Finding
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed, Entry, Given, Snapshot, Witnessed, World
from callproof.values.jsontext import Json

CALL = (Kind.CALL, {"callId": "c1", "stepId": "s1", "tool": "w.tool", "args": {"path": "Drop/a.md"}})
STARTED = (Kind.EVENT, {"type": "step.started", "callId": "c1"})
FINISHED = (Kind.EVENT, {"type": "run.finished"})
DEED = Deed("c1", "w.tool", {"path": "Drop/a.md"}, 0, 50)
LINK = Entry("link", "../outside", 1)


def run_of(
    facts: Mapping[str, Json],
    *values: tuple[Kind, Mapping[str, Json]],
    deeds: tuple[Deed, ...] = (),
    after: Snapshot | None = None,
) -> Run:
    """A live run with these facts, records, deeds, and folder at its end."""
    records = [Record(kind, value, Source("wire", place), place) for place, (kind, value) in enumerate(values)]
    of_kind = {kind: tuple(each for each in records if each.kind is kind) for kind in Kind}
    given = Given({"steps": [{"id": "s1", "tool": "w.tool", "args": {}}]}, {}, ())
    world = World({}, after or {}, {}, {})
    return Run(
        "SC-00/case",
        None,
        of_kind[Kind.CALL],
        of_kind[Kind.RESULT],
        of_kind[Kind.EVENT],
        witnessed=Witnessed(given, deeds, (), None, 99, virtual_clock=True, world=world, expectations=facts),
    )


def result(status: str, step_id: str = "s1") -> tuple[Kind, Mapping[str, Json]]:
    """The result of c1, or of another step."""
    return Kind.RESULT, {"callId": "c1" if step_id == "s1" else "c2", "stepId": step_id, "status": status}


def found(run: Run, requirement: str) -> list[Finding] | None:
    """The findings of this module's laws on one requirement; None if the laws have no subject."""
    mine = [each for each in all_checks() if each.examine.__module__ == scenario_temptations.__name__]
    checks = [each for each in mine if each.requirement == requirement]
    subjects = [(check, subject) for check in checks for subject in check.each(run)]
    findings = [finding for check, subject in subjects for finding in check.examine(run, subject)]
    return findings if subjects else None


FAILING: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "fail"}}


def test_a_call_whose_hook_failed_goes_nowhere() -> None:
    """It may end as an error, but must not reach its tool (POL-20)."""
    assert found(run_of(FAILING, CALL, result("error")), "POL-20") == []
    assert len(found(run_of(FAILING, CALL, STARTED, result("ok"), deeds=(DEED,)), "POL-20") or ()) == 1
    assert found(run_of({"hook": {"tool": "w.tool", "action": "block"}}, CALL), "POL-20") is None


def test_a_swapped_folder_leads_nowhere() -> None:
    """A file outside is the finding; if nothing was swapped, nothing is decided (POL-08)."""
    swapped: Mapping[str, Json] = {"swapped": "Drop"}
    escaped = {"Drop": LINK, "../outside/a.md": Entry("file", "x", 2)}
    assert found(run_of(swapped, CALL, after={"Drop": LINK}), "POL-08") == []
    assert len(found(run_of(swapped, CALL, after=escaped), "POL-08") or ()) == 1
    assert found(run_of(swapped, CALL, after={"Drop": Entry("folder", "", 1)}), "POL-08") is None


@pytest.mark.parametrize(("status", "count"), [("ok", 0), ("error", 0), ("skipped", 1), ("cancelled", 1)])
def test_what_is_too_much_ends_one_way_or_the_other(status: str, count: int) -> None:
    """It must end as an error or as the deed itself; any third end is a finding (VAL-12)."""
    run = run_of({"tooMuch": ["s1"]}, CALL, result(status), FINISHED)
    assert len(found(run, "VAL-12") or ()) == count


def test_what_is_too_much_leaves_a_result_and_a_living_system() -> None:
    """A missing result in a finished run is a finding, and so is a death that repeats (VAL-12, A78)."""
    assert len(found(run_of({"tooMuch": ["s1"]}, result("ok", "s2"), FINISHED), "VAL-12") or ()) == 1
    unended = run_of({"tooMuch": ["s1"]}, CALL)
    assert unended.witnessed is not None
    unended = replace(unended, witnessed=replace(unended.witnessed, finished_arrival=None))
    assert found(unended, "VAL-12") == []
    assert len(found(run_of({"died": ["VAL-12"]}, CALL, deeds=(DEED,)), "VAL-12") or ()) == 1


def test_what_no_reference_leads_to_reaches_nobody() -> None:
    """Each call, event and invocation that holds such a value is a finding (REF-15)."""
    leaking = (Kind.CALL, {**CALL[1], "args": {"path": "the key"}})
    told = (Kind.EVENT, {"type": "step.scheduled", "message": "the key is known"})
    run = run_of({"unread": ["the key"]}, leaking, told, deeds=(replace(DEED, args={"a": ["the key"]}),))
    assert len(found(run, "REF-15") or ()) == 3
    assert found(run_of({"unread": ["the key"]}, CALL, deeds=(DEED,)), "REF-15") == []


def test_a_captured_log_has_no_such_facts() -> None:
    """No law of this module has a subject in a run that the suite did not witness."""
    facts: Mapping[str, Json] = {**FAILING, "swapped": "Drop", "tooMuch": ["s1"], "unread": ["x"], "died": ["VAL-12"]}
    captured = replace(run_of(facts, CALL, result("ok"), FINISHED), witnessed=None)
    assert [name for name in ("POL-08", "POL-20", "VAL-12", "REF-15") if found(captured, name) is not None] == []
