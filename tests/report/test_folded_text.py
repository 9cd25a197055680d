"""What follows from a finding, as the text of a report shows it."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.auditlog.layout import ALL_MARKS
from callproof.report.payload import results_in
from callproof.report.text import lines
from callproof.spec.registry import specification
from reports import finding, report, requirement

SPEC = specification()
ROOT = {"requirement": "RETRY-03", "file": "wire", "line": 2, "because": "it is the same call"}
LOGS = {"kind": "log", "name": "logs"}


def following(number: int, **more: Any) -> dict[str, Any]:
    """A finding that follows from the one in every report."""
    witness = [{"name": "E", "says": "event", "file": "events.jsonl", "line": number}]
    return finding(requirement="EVT-18", witness=witness, followsFrom=ROOT, **more)


def text_of(*findings: dict[str, Any], **more: Any) -> str:
    """The text of a report with these findings."""
    counts = {each["requirement"]: 0 for each in findings}
    for each in findings:
        counts[each["requirement"]] += 1
    rows = [requirement(name, "fail", findings=count) for name, count in counts.items()]
    return "\n".join(line.plain for line in lines(report(findings=list(findings), requirements=rows, **more), SPEC))


def test_what_follows_is_one_line_below_its_root() -> None:
    """The reader sees the whole root, and the other places where it shows."""
    text = text_of(finding(), following(7), following(9))
    assert "  hence  EVT-18 at events.jsonl:7, EVT-18 at events.jsonl:9" in text
    assert text.count("permitted") == 1
    assert "more finding" not in text


def test_laws_stand_before_advice() -> None:
    """This holds whatever the order of their chapters is."""
    advice = finding(requirement="EVT-16", level="SHOULD")
    text = text_of(advice, finding())
    assert text.index("RETRY-03  fail") < text.index("EVT-16  advice")


def test_what_follows_names_the_first_record_of_its_root() -> None:
    """This holds however many records prove the root."""
    root = finding(witness=[*finding()["witness"], {"name": "P", "says": "plan", "file": "run.json", "line": 1}])
    assert "  hence  EVT-18 at events.jsonl:7" in text_of(root, following(7))
    elsewhere = following(7) | {"followsFrom": ROOT | {"file": "run.json", "line": 1}}
    assert "EVT-18  fail" in text_of(root, elsewhere)


def test_what_the_log_of_a_run_repeats_stands_below_what_went_over_the_wire() -> None:
    """The wire and the log of a run are judged under two names, and what goes wrong in both is told once."""
    name = finding()["run"]
    assert "  hence  EVT-18 at events.jsonl:7" in text_of(finding(), following(7, run=f"{name} log"))
    assert "EVT-18  fail" in text_of(finding(), following(7, run=f"{name} copy"))


def test_advice_stands_behind_advice_and_what_is_known_behind_what_is_known() -> None:
    """If neither makes the whole fail, one entry shows both."""
    for more in ({"level": "SHOULD"}, {"known": "issue 12"}):
        assert "  hence  EVT-18 at events.jsonl:7" in text_of(finding(**more), following(7, **more))


def test_a_finding_that_no_record_proves_is_told_like_any_other() -> None:
    """A finding that something is missing may have no line as its proof; nothing follows from such a finding."""
    run = {"name": "monday", "outcome": "violations", "notes": [], "folder": "monday"}
    text = text_of(finding(witness=[], run="monday", call="c2"), following(7, run="monday"), runs=[run])
    assert "RETRY-03  fail" in text
    assert "EVT-18  fail" in text
    assert "  next " not in text


def test_two_consequences_at_one_place_are_named_once() -> None:
    """The name has their number behind it; the number of the rest counts findings, not names."""
    assert "  hence  EVT-18 at events.jsonl:7 (2), EVT-18 at events.jsonl:9" in text_of(
        finding(), following(7), following(7), following(9)
    )
    many = [following(number) for number in range(1, 9) for _ in range(2)]
    assert "EVT-18 at events.jsonl:6 (2) and 4 more findings" in text_of(finding(), *many)


def test_a_long_list_of_consequences_is_counted() -> None:
    """The list stays one line, with the exact number of the rest."""
    text = text_of(finding(), *(following(number) for number in range(1, 11)))
    assert "EVT-18 at events.jsonl:6 and 4 more findings; the JSON report lists them" in text


def test_what_follows_from_a_finding_that_is_not_there_stands_for_itself() -> None:
    """A user who chose to see only one law sees all of its findings."""
    text = text_of(following(7))
    assert "EVT-18  fail" in text


def test_what_follows_from_a_finding_that_is_not_shown_is_counted() -> None:
    """The text shows three findings of a law; what follows from the others is counted with its own law."""
    others = [
        finding(witness=[{"name": "A", "says": "call", "file": "wire", "line": number}]) for number in range(10, 14)
    ]
    hidden = following(7) | {"followsFrom": ROOT | {"line": 13}}
    text = text_of(*others, hidden)
    assert "… and 1 more finding of RETRY-03" in text
    assert "  1 finding of EVT-18, not shown here; the JSON report lists them" in text


def test_what_follows_from_two_findings_of_one_place_is_counted_once() -> None:
    """It is shown below the first of them; what follows from a finding that is not shown counts as not shown."""
    twice = [finding(observed=f"s1 was attempted {number} times") for number in (3, 4)]
    others = [
        finding(witness=[{"name": "A", "says": "call", "file": "wire", "line": number}]) for number in range(10, 14)
    ]
    hidden = following(9) | {"followsFrom": ROOT | {"line": 13}}
    text = text_of(*twice, *others, following(7), hidden)
    assert text.count("  hence  EVT-18 at events.jsonl:7") == 1
    assert "  1 finding of EVT-18, not shown here; the JSON report lists them" in text


def test_hostile_names_do_nothing_in_the_line_either() -> None:
    """A file name of a log is text from outside."""
    hostile = following(7)
    hostile["witness"][0]["file"] = "a\x1b[31m\n.jsonl"
    assert "\x1b" not in text_of(finding(), hostile)


def test_a_root_crosses_from_one_process_to_another() -> None:
    """The results that a test item hands to the recorder keep which finding follows from which."""
    told = {
        "results": [
            {
                "id": "EVT-18",
                "verdict": "fail",
                "exercised": 1,
                "runs": 1,
                "missing": [],
                "errors": [],
                "findings": [following(7)],
            }
        ]
    }
    (located,) = results_in(told, SPEC)["EVT-18"].findings
    assert located.root is not None
    assert (located.root.requirement, str(located.root.source)) == ("RETRY-03", "wire:2")


def in_a_file(file: str, **more: Any) -> dict[str, Any]:
    """A finding in a captured log whose witness is in this file."""
    return finding(witness=[{"name": "R", "says": "result", "file": file, "line": 2}], **more)


def test_the_next_step_is_a_command_that_somebody_can_type() -> None:
    """After a finding in a captured log, a user next reads its call."""
    run = {"name": "night/monday", "outcome": "violations", "notes": [], "folder": "my logs/monday"}
    found = in_a_file("results.jsonl", run="night/monday", call="c2")
    assert "  next   callproof show 'my logs/monday' --call=c2" in text_of(found, runs=[run])
    shared = run | {"folder": "logs"}
    assert "callproof show logs --run=night/monday --call=c2" in text_of(found, runs=[shared])


@pytest.mark.parametrize("file", ["night.jsonl", "night.jsonl.gz", "night.zst"])
@pytest.mark.parametrize(("folder", "before"), [(".", ""), ("logs", "logs/")])
def test_of_a_stream_the_next_step_names_its_file(file: str, folder: str, before: str) -> None:
    """A folder may hold many streams, so the folder alone does not name one."""
    run = {"name": "run-1", "outcome": "violations", "notes": [], "folder": folder}
    text = text_of(in_a_file(file, run="run-1", call="c2"), runs=[run])
    assert f"  next   callproof show {before}{file} --run=run-1 --call=c2" in text


def test_of_a_stream_the_run_is_named_though_its_folder_is_called_like_it() -> None:
    """The stream in the folder may hold other runs."""
    run = {"name": "run-1", "outcome": "violations", "notes": [], "folder": "run-1"}
    text = text_of(in_a_file("night.jsonl", run="run-1", call="c2"), runs=[run])
    assert "  next   callproof show run-1/night.jsonl --run=run-1 --call=c2" in text


def test_a_finding_on_a_whole_run_has_no_call_to_show() -> None:
    """A command that shows another call would mislead the user."""
    run = {"name": "monday", "outcome": "violations", "notes": [], "folder": "monday"}
    assert "  next " not in text_of(in_a_file("run.json", run="monday"), runs=[run])


@pytest.mark.parametrize("file", sorted(ALL_MARKS))
def test_every_file_in_the_folder_of_a_log_leads_to_the_folder(file: str) -> None:
    """This holds for a packed file too, and for every kind of record."""
    run = {"name": "monday", "outcome": "violations", "notes": [], "folder": "monday"}
    assert "callproof show monday --call=c2" in text_of(in_a_file(file, run="monday", call="c2"), runs=[run])


def test_no_command_is_made_of_names_that_somebody_could_not_type() -> None:
    """A name that a shell or a terminal would misread is quoted, or there is no command."""
    run = {"name": "monday", "outcome": "violations", "notes": [], "folder": "monday"}

    def told(**more: Any) -> str:
        return text_of(in_a_file("results.jsonl", **{"run": "monday", "call": "c2", **more}), runs=[run])

    assert "'--call=c2; rm -rf ~'" in told(call="c2; rm -rf ~")
    assert "  next " not in told(call="c\u202e2")
    assert "  next " not in told(run="tuesday")
    run["folder"] = "-rf"
    assert "  next " not in told()


def test_what_could_not_be_decided_is_told_with_what_was_missing() -> None:
    """A reader learns what to capture the next time."""
    rows = [
        requirement("CALL-20", "inconclusive", missing=["deeds"]),
        requirement("EVT-05", "inconclusive", missing=["events"]),
        requirement("EVT-08", "inconclusive", missing=["events", "deeds"]),
    ]
    text = "\n".join(line.plain for line in lines(report(findings=[], requirements=rows, subject=LOGS), SPEC))
    assert "    missing: what only a live run shows\n      CALL-20\n    missing: events\n      EVT-05 EVT-08\n" in text
