"""What a pipeline that somebody drives may do, and is never accused of; and what it may not, law by law."""

from __future__ import annotations

import json

import pytest
from callproof.judge.verdicts import Verdict
from callproof.protocols.known import protocol_of
from callproof.protocols.pipeline import PROTOCOL
from pipeline_logs import BASES, entries, found, read, results
from protocols.driven_pipelines import DRIVEN, LAWFUL, SIGNS

DRIVEN_BASES = sorted(each.name for each in BASES.iterdir() if read(each.name)[0].get("record") == "case")
OF_DRIVERS = [f"PIPE-{number}" for number in range(10, 24)]


@pytest.mark.parametrize("name", sorted(DRIVEN))
def test_what_a_driven_pipeline_may_not_do_is_found_by_its_check_and_breaks_no_other_law(name: str) -> None:
    """Each check finds the log that breaks its law, and no other requirement is broken by it."""
    requirement, lines = DRIVEN[name]
    assert set(found(lines)) == {requirement}, found(lines)
    (check,) = (each for each in PROTOCOL.laws.by_requirement[requirement] if each.name == name)
    trace = PROTOCOL.trace(entries(lines))
    assert [finding for subject in check.each(trace) for finding in check.examine(trace, subject)]


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_what_a_driven_pipeline_may_do_is_no_finding(name: str) -> None:
    """What the protocol leaves open breaks nothing."""
    assert found(LAWFUL[name]) == {}


def test_half_of_an_output_that_is_stored_as_json_is_half_of_it() -> None:
    """The escapes of a text are read, and nothing else is made of it."""
    lines = LAWFUL["what is too large is stored as JSON in a text, with escapes"]
    for kept, told in ((len(SIGNS) // 2, f"the first {len(SIGNS) // 2}"), (0, "not even the first")):
        part = [{"type": "text", "text": json.dumps({"text": SIGNS[:kept]})}]
        read = [{**each, "data": part} if each.get("probe") == "output_stored" else each for each in lines]
        (finding,) = results(read)["PIPE-20"].findings
        assert finding.finding.observed.endswith(
            f"not all of it: of its longest text, of {len(SIGNS)} characters, {told}"
        )


@pytest.mark.parametrize("base", DRIVEN_BASES)
def test_without_the_note_of_a_driver_its_laws_are_not_decided(base: str) -> None:
    """What was seen counts only where somebody says that he saw it."""
    note, *lines = read(base)
    told = results([{**note, "driven": False}, *lines])
    assert {told[each].verdict for each in OF_DRIVERS} == {Verdict.INCONCLUSIVE}


def test_a_driven_log_is_known_by_its_note() -> None:
    """Also where the pipeline tells nothing at all."""
    assert protocol_of(entries(LAWFUL["a call is executed"][:1])) is PROTOCOL
    assert not PROTOCOL.recognises(entries([{"record": "case", "invocation_id": "i-1"}]))


def test_findings_of_a_driver_tell_nothing_of_inputs_and_outputs() -> None:
    """What went in and what came out is in no finding."""
    for requirement, lines in DRIVEN.values():
        told = results(lines)[requirement].findings
        assert not any(word in repr([each.finding for each in told]) for word in ("a.md", "b.md", "under the mat"))
