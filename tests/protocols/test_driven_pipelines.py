"""What a driven pipeline may do without a finding, and what it may not do, law by law."""

from __future__ import annotations

import json

import pytest
from callproof.judge.verdicts import Verdict
from callproof.protocols.known import protocol_of
from callproof.protocols.pipeline import PROTOCOL
from callproof.values.jsontext import Json
from pipeline_logs import BASES, entries, found, read, results
from protocols.driven_pipelines import DRIVEN, FINISHED, LAWFUL, SIGNS, case, ended, executed, returned, seen

DRIVEN_BASES = sorted(each.name for each in BASES.iterdir() if read(each.name)[0].get("record") == "case")
OF_DRIVERS = [f"PIPE-{number}" for number in range(10, 24)]


@pytest.mark.parametrize("name", sorted(DRIVEN))
def test_what_a_driven_pipeline_may_not_do_is_found_by_its_check_and_breaks_no_other_law(name: str) -> None:
    """Each check finds the log that breaks its law, and that log breaks no other requirement."""
    requirement, lines = DRIVEN[name]
    assert set(found(lines)) == {requirement}, found(lines)
    (check,) = (each for each in PROTOCOL.laws.by_requirement[requirement] if each.name == name)
    trace = PROTOCOL.trace(entries(lines))
    assert [finding for subject in check.each(trace) for finding in check.examine(trace, subject)]


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_what_a_driven_pipeline_may_do_is_no_finding(name: str) -> None:
    """What the protocol leaves open is not a violation."""
    assert found(LAWFUL[name]) == {}


def test_half_of_an_output_that_is_stored_as_json_is_half_of_it() -> None:
    """The check decodes the escapes of the text before it compares the text with the output."""
    lines = LAWFUL["what is too large is stored as JSON in a text, with escapes"]
    for kept, told in ((len(SIGNS) // 2, f"the first {len(SIGNS) // 2}"), (0, "not even the first")):
        part = [{"type": "text", "text": json.dumps({"text": SIGNS[:kept]})}]
        read = [{**each, "data": part} if each.get("probe") == "output_stored" else each for each in lines]
        (finding,) = results(read)["PIPE-20"].findings
        assert finding.finding.observed.endswith(
            f"not stored whole: of its longest text, of {len(SIGNS)} characters, the store got {told}"
        )


WHOLE, LEFT, GONE = "swifts leave in July; the key is under the mat", "swifts leave in July", "the key is under the mat"


@pytest.mark.parametrize(
    ("told", "is_found"),
    [
        ({"content": [{"type": "text", "text": GONE}]}, True),
        ({"content": [{"type": "text", "text": f"Note: {GONE}."}]}, True),
        ({"model_facing_content": [{"type": "text", "text": WHOLE}]}, True),
        ({"resource_refs": [{"uri": "store:1", "title": WHOLE}]}, True),
        ({"content": [{"type": "text", "text": LEFT}]}, False),
        ({"content": [{"type": "text", "text": "the key is elsewhere"}]}, False),
        # Who makes references may name what is there, since the hook was not asked about them.
        ({"resource_refs": [{"uri": "store:1", "title": GONE}]}, False),
    ],
)
def test_a_part_that_a_hook_took_out_of_a_text_is_not_shown_either(told: Json, is_found: bool) -> None:
    """PIPE-17: what stood around the text that the hook left is gone as well."""
    hook = seen("post_hook", output={"text": WHOLE}, updated_output={"text": LEFT})
    lines = [*case("i-1"), executed(), returned(output={"text": WHOLE}), hook, *ended(**told), FINISHED]
    assert found(lines).get("PIPE-17", []) == (
        ["the hook took something out of the output of i-1 of notes.read, but it is in the result"] * is_found
    )


@pytest.mark.parametrize("base", DRIVEN_BASES)
def test_without_the_note_of_a_driver_its_laws_are_not_decided(base: str) -> None:
    """A probe counts only if the note says that a driver saw it."""
    note, *lines = read(base)
    told = results([{**note, "driven": False}, *lines])
    assert {told[each].verdict for each in OF_DRIVERS} == {Verdict.INCONCLUSIVE}


def test_a_driven_log_is_known_by_its_note() -> None:
    """This holds even if the pipeline writes nothing."""
    assert protocol_of(entries(LAWFUL["a call is executed"][:1])) is PROTOCOL
    assert not PROTOCOL.recognises(entries([{"record": "case", "invocation_id": "i-1"}]))


def test_findings_of_a_driver_tell_nothing_of_inputs_and_outputs() -> None:
    """No finding contains the input or the output of a tool."""
    for requirement, lines in DRIVEN.values():
        told = results(lines)[requirement].findings
        assert not any(word in repr([each.finding for each in told]) for word in ("a.md", "b.md", "under the mat"))
