"""What the prover accepts, and that it says of a run what the checks say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from auditing.mutations import Records, changed_in, compact
from callproof.auditing.audited import NO_RULES, Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import coverage, prove, proving
from callproof.auditing.prover.outcome import LIVE_EVIDENCE
from callproof.auditing.prover.unproved import Unproved
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.cli.audit import audit_command
from callproof.judge.judgement import RunOutcome
from callproof.judge.judging import checks_by_requirement
from callproof.resources import SPEC
from callproof.spec.registry import specification
from callproof.trace.records import Kind
from callproof.trace.run import EVIDENCE
from click.testing import CliRunner

BY_CHECKS = Rules(fast_path=False)
FOLDERS = sorted(Path(str(SPEC / "examples")).glob("*/run.json"))
BASES = {each.parent.name: captured_in(each.parent) for each in FOLDERS}
PROVED = {name: compact(each) for name, each in BASES.items() if prove(each) is not None}


def test_every_check_of_a_log_is_covered_by_the_prover_or_can_never_be_met() -> None:
    """A requirement that a log can decide stands in the prover's table, and no other does."""
    spec = specification()
    decided = {
        name
        for name, checks in checks_by_requirement().items()
        if spec.requirements[name].excluded is None and any(LIVE_EVIDENCE.isdisjoint(check.needs) for check in checks)
    }
    assert decided == {*coverage.EXERCISED, *coverage.NEVER}
    assert not coverage.EXERCISED.keys() & coverage.NEVER
    assert EVIDENCE.keys() > LIVE_EVIDENCE


def test_most_example_runs_are_proved() -> None:
    """A prover that accepts nothing is sound, but useless."""
    assert PROVED.keys() >= {"budget", "cancelled", "diamond", "effects", "recovered", "rejected", "retried", "stopped"}


@pytest.mark.parametrize("name", BASES)
def test_a_run_is_audited_the_same_with_and_without_the_prover(name: str) -> None:
    """Whether a run is proved or not, the audit says the same of it."""
    assert audit_run(BASES[name]) == audit_run(BASES[name], BY_CHECKS)


@pytest.mark.parametrize("rules", [NO_RULES, BY_CHECKS])
def test_another_version_of_the_specification_is_told(rules: Rules) -> None:
    """A log of a later version is judged by this version, and the report says so."""
    run = PROVED["effects"]
    assert run.record is not None
    later = run.record.text.replace(b'"specVersion":"1.0"', b'"specVersion":"2.0"')
    assert later != run.record.text
    audited = audit_run(replace(run, record=replace(run.record, text=later)), rules)
    (note,) = audited.run.notes
    assert note == "run.json:1: the run names another version of the specification; it was judged by 1.0"
    assert audit_run(run, rules).run.notes == ()


def test_left_out_requirements_are_left_out_of_a_proof() -> None:
    """A requirement that is not judged is neither kept nor undecided."""
    left_out = frozenset({"CALL-01", "LOOP-08"})
    run = BASES["effects"]
    rules = Rules(left_out=left_out)
    assert audit_run(run, rules) == audit_run(run, replace(rules, fast_path=False))


def test_the_report_is_the_same_without_the_fast_path() -> None:
    """--no-fast-path takes longer, and prints the same bytes."""
    log = str(SPEC / "examples")
    told = [CliRunner().invoke(audit_command, [log, "--format", "json", *more]) for more in ((), ("--no-fast-path",))]
    assert told[0].stdout_bytes == told[1].stdout_bytes
    assert told[0].stdout_bytes
    assert told[0].exit_code == told[1].exit_code


def edited(run: CapturedRun, name: str, old: bytes, new: bytes) -> CapturedRun:
    """A run with the first of these bytes in one file changed."""
    if run.record is not None and run.record.name == name:
        assert old in run.record.text
        return replace(run, record=replace(run.record, text=run.record.text.replace(old, new, 1)))
    kind, file = next((kind, file) for kind, file in run.files.items() if file.name == name)
    assert old in file.text
    return replace(run, files={**run.files, kind: replace(file, text=file.text.replace(old, new, 1))})


# What a quick reader may misread: the file, the bytes, and what replaces them.
TRAPS: dict[str, tuple[str, bytes, bytes]] = {
    "a member twice": ("calls.jsonl", b'"attempt":1', b'"attempt":1,"attempt":1'),
    "a member twice in args": ("calls.jsonl", b'"args":{', b'"args":{"x":1,"x":1,'),
    "an escaped name": ("events.jsonl", b'"type":', b'"t\\u0079pe":'),
    "a blank for a line feed": ("events.jsonl", b"}\n{", b"} {"),
    "a line feed inside a record": ("events.jsonl", b":", b":\n"),
    "a line feed inside a record for one between": ("events.jsonl", b'}\n{"', b'}{\n"'),
    "a line feed inside a policy": ("calls.jsonl", b'"limits":{', b'"limits":\n{'),
    "a line feed inside an error": ("results.jsonl", b'"error":{"', b'"error":{\n"'),
    "a line feed inside args": ("calls.jsonl", b'"args":{"', b'"args":{\n"'),
    "an empty line": ("events.jsonl", b"}\n", b"}\n\n"),
    "a carriage return": ("results.jsonl", b"}\n", b"}\r\n"),
    "a byte order mark": ("results.jsonl", b"{", b"\xef\xbb\xbf{"),
    "bytes that are not text": ("events.jsonl", b'"message":"', b'"message":"\xff'),
    "a surrogate in bytes": ("events.jsonl", b'"message":"', b'"message":"\xed\xa0\x80'),
    "a lone surrogate": ("events.jsonl", b'"message":"', b'"message":"\\ud800'),
    "a zero byte": ("events.jsonl", b'"message":"', b'"message":"\\u0000'),
    "a delete character": ("events.jsonl", b'"message":"', b'"message":"\x7f'),
    "an integer as a decimal": ("calls.jsonl", b'"attempt":1', b'"attempt":1.0'),
    "an integer with an exponent": ("calls.jsonl", b'"attempt":1', b'"attempt":1e0'),
    "a negative zero": ("results.jsonl", b'"durationMs":', b'"durationMs":-0.'),
    "a number of many digits": ("results.jsonl", b'"durationMs":', b'"durationMs":' + b"9" * 1100),
    "a number beyond a double": ("results.jsonl", b'"durationMs":', b'"durationMs":1e999,"x":'),
    "a blank in an instant": ("results.jsonl", b"T09:", b" 09:"),
    "an instant without an offset": ("results.jsonl", b'Z","endedAt"', b'","endedAt"'),
    "an offset without a colon": ("results.jsonl", b'Z","endedAt"', b'+0000","endedAt"'),
    "a fraction of many digits": ("results.jsonl", b'Z","endedAt"', b'0000000000001Z","endedAt"'),
    "a payload that is not an object": ("events.jsonl", b'"payload":{', b'"payload":[],"y":{'),
    "a payload that is null": ("events.jsonl", b'"payload":{', b'"payload":null,"y":{'),
    "a payload that is deep": ("events.jsonl", b'"payload":{', b'"payload":{"x":' + b"[" * 200 + b"]" * 200 + b","),
    "a path with a line separator": ("results.jsonl", b'"path":"', b'"path":"a\xe2\x80\xa8b'),
    "a policy with a member twice": ("run.json", b'"limits":{', b'"limits":{"maxAttempts":9,"maxAttempts":9,'),
    "a plan with a member twice": ("run.json", b'"steps":[', b'"steps":[],"steps":['),
    "a plan that permits no attempt": ("run.json", b'"maxAttempts":2', b'"maxAttempts":0'),
    "a step that depends on itself": ("run.json", b'"tool":', b'"dependsOn":["s1"],"tool":'),
    "a step that refers to itself": ("run.json", b'"args":{"', b'"args":{"note":"$steps.s1","'),
    "a run record with a member twice": ("run.json", b'"runId":', b'"runId":"x","runId":'),
    "a member twice, evened out by a number": (
        "events.jsonl", b'"payload":{', b'"payload":{"n":1e5,"n":1e5,'),
    "a member of another spelling": ("calls.jsonl", b'"attempt":1', b'"attempt":1,"call_id":"x"'),
}  # fmt: skip


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_for_quick_readers_is_judged_as_by_the_checks(trap: str) -> None:
    """Two readers may read such bytes differently: with and without the prover the audit says the same."""
    name, old, new = TRAPS[trap]
    for base in PROVED.values():
        file = base.record if name == "run.json" else next(each for each in base.files.values() if each.name == name)
        if file is not None and old in file.text:
            changed = edited(base, name, old, new)
            assert audit_run(changed) == audit_run(changed, BY_CHECKS)
            return
    pytest.fail(f"no example has {old!r} in {name}")


def test_a_log_of_hashes_that_are_only_believed_is_judged_as_by_the_checks() -> None:
    """HASH-01: what the suite cannot compute proves nothing, by the prover neither."""
    for base in PROVED.values():
        believed = {
            kind: replace(file, text=file.text.replace(b'"sha256:', b'"x-corp:')) for kind, file in base.files.items()
        }
        told = audit_run(replace(base, files=believed))
        assert told == audit_run(replace(base, files=believed), BY_CHECKS)
        assert "HASH-01" in told.missing
        assert "HASH-01" not in told.kept


def skipped_though_it_had_begun(records: Records) -> None:
    """The first call, which was open when the run was cancelled, says that it was skipped."""
    result, closing = records["result"][0], next(each for each in records["event"] if each["type"] == "step.failed")
    del result["error"]
    result.update(status="skipped", userMessage="Skipped")
    closing.update(type="step.finished", payload={"status": "skipped"})
    records["event"][-1]["payload"]["results"] = {"cancelled": 1, "skipped": 2, "ok": 1}


def skipped_with_a_duration(records: Records) -> None:
    """A call that waited was skipped, and that took twenty milliseconds."""
    waiting = next(each for each in records["result"] if each["callId"] == "c3")
    del waiting["error"]
    waiting.update(status="skipped", userMessage="Skipped", durationMs=20)
    closing = next(each for each in records["event"] if each.get("callId") == "c3" and each["type"] == "step.failed")
    closing.update(type="step.finished", payload={"status": "skipped"})
    records["event"][-1]["payload"]["results"] = {"cancelled": 1, "skipped": 2, "ok": 1}


def a_loop_over_nothing_untold(records: Records) -> None:
    """No record tells that the loop over an empty list took place."""
    records["result"] = [each for each in records["result"] if each["stepId"] != "s5"]
    records["event"] = [each for each in records["event"] if each.get("stepId") != "s5"]
    records["event"][-1]["payload"]["results"] = {"ok": 7}


def two_events_of_one_number(records: Records) -> None:
    """Events are numbered, and the last one has the number of the one before it."""
    for number, event in enumerate(records["event"]):
        event["seq"] = min(number, len(records["event"]) - 2)


def an_item_that_cannot_have_the_member(records: Records) -> None:
    """The loop over nothing refers to a member that its items' schema rules out; the user approved that plan."""
    run = records["run"][0]
    run["plan"]["steps"][4]["args"]["content"] = "{item.none}"
    del run["confirmation"]["planHash"]


@pytest.mark.parametrize(
    ("name", "change", "broken"),
    [
        ("foreach", an_item_that_cannot_have_the_member, {"REF-03"}),
        ("stopped", two_events_of_one_number, {"EVT-15"}),
        ("cancelled", skipped_though_it_had_begun, {"RES-19", "EVT-07"}),
        ("cancelled", skipped_with_a_duration, {"RES-19"}),
        ("foreach", a_loop_over_nothing_untold, {"DEP-08"}),
    ],
)
def test_what_breaks_a_law_in_several_records_is_not_proved(
    name: str, change: Callable[[Records], None], broken: set[str]
) -> None:
    """Changes of several records that go together, which a random change of one of them never makes."""
    run = changed_in(BASES[name], change)
    audited = audit_run(run)
    assert audited.broken.keys() >= broken
    assert audited == audit_run(run, BY_CHECKS)


def test_a_number_that_is_written_longer_hides_no_member_that_stands_twice() -> None:
    """The length of a file proves nothing if any number in it may be written in another way."""
    base = next(each for each in PROVED.values() if b'"payload":{"' in each.files[Kind.EVENT].text)
    # 1e5 is written again as 100000.0, five characters more, which can hide the length of a member that stands twice.
    longer = edited(base, "events.jsonl", b'"payload":{"', b'"payload":{"n":1e5,"')
    changed = edited(longer, "events.jsonl", b"}\n{", b'}\n{"type":"",')
    evened = edited(changed, "events.jsonl", b'"n":1e5', b'"n":1e5,"m":1e5,"o":1e5')
    for run in (longer, changed, evened):
        assert audit_run(run) == audit_run(run, BY_CHECKS)
    assert prove(changed) is None
    assert prove(evened) is None


def test_progress_alone_shows_that_a_tool_was_entered() -> None:
    """If no result took time or had effects, CALL-21 is checked by an event of progress."""

    def change(records: Records) -> None:
        for result in records["result"]:
            result.update(startedAt=result["endedAt"], durationMs=0)
        started = next(place for place, each in enumerate(records["event"]) if each["type"] == "step.started")
        records["event"].insert(started + 1, records["event"][started] | {"type": "step.progress"})

    run = changed_in(PROVED["stopped"], change)
    assert prove(run) is not None
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert "CALL-21" in audited.kept


@pytest.mark.parametrize("name", PROVED)
def test_a_run_of_which_shared_files_hold_no_calls_is_proved(name: str) -> None:
    """A run that was declined has no line in shared files of calls, and is still proved."""
    run = PROVED[name]
    run = replace(run, files={kind: file for kind, file in run.files.items() if file.text})
    assert prove(run) is not None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


def test_calls_may_not_be_without_their_results() -> None:
    """A run without the results of its calls is handed over to the checks."""
    run = PROVED["effects"]
    less = replace(run, files={each: file for each, file in run.files.items() if each is not Kind.RESULT})
    assert prove(less) is None
    assert audit_run(less) == audit_run(less, BY_CHECKS)


def test_a_prover_that_breaks_hands_the_run_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the prover's own costs time, but never the audit."""

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(proving, "joined", breaks)
    audited = audit_run(BASES["linear"])
    assert audited.run.outcome is RunOutcome.CONSISTENT


ONE_TOOL = {
    name: run for name, run in PROVED.items() if run.record and len(json.loads(run.record.text).get("tools", [])) == 1
}


@pytest.mark.parametrize("name", ["calls.jsonl", "results.jsonl", "run.json"])
def test_a_record_names_its_tool_even_where_there_is_only_one(name: str) -> None:
    """If the registry has only one tool, a record that names none is still judged as by the checks."""
    for base in ONE_TOOL.values():
        tool = json.loads(base.record.text if base.record else b"")["tools"][0]["name"]
        changed = edited(base, name, b'"tool":' + json.dumps(tool).encode() + b",", b"")
        assert prove(changed) is None
        assert audit_run(changed) == audit_run(changed, BY_CHECKS)
    assert ONE_TOOL


@pytest.mark.parametrize("name", ["", "\x00"])
def test_a_tool_of_a_name_that_stands_for_none_is_handed_over(name: str) -> None:
    """In the code that tells tools apart by their names, such a name would mean that there is no tool."""
    for base in ONE_TOOL.values():
        tool = json.loads(base.record.text if base.record else b"")["tools"][0]["name"]
        named, renamed = (b'"name":' + json.dumps(each).encode() for each in (tool, name))
        changed = edited(base, "run.json", named, renamed)
        with pytest.raises(Unproved):
            proving.proved_case(changed)
        assert audit_run(changed) == audit_run(changed, BY_CHECKS)


def with_digits(run: CapturedRun, digits: int) -> CapturedRun:
    """The run with this number of digits in every fraction of a second."""

    def spelt(text: bytes) -> bytes:
        return re.sub(rb"(:\d\d)\.(\d{3})Z", lambda found: found[1] + _fraction(found[2], digits) + b"Z", text)

    assert run.record is not None
    files = {kind: replace(file, text=spelt(file.text)) for kind, file in run.files.items()}
    return replace(run, record=replace(run.record, text=spelt(run.record.text)), files=files)


def _fraction(milliseconds: bytes, digits: int) -> bytes:
    return b"." + (milliseconds + b"012345")[:digits] if digits else b""


@pytest.mark.many
@pytest.mark.parametrize("digits", range(11))
@pytest.mark.parametrize("name", PROVED)
def test_instants_of_one_precision_are_proved(name: str, digits: int) -> None:
    """Instants from milliseconds to nanoseconds are proved; whatever the precision, the audit is the same."""
    run = with_digits(PROVED[name], digits)
    assert audit_run(run) == audit_run(run, BY_CHECKS)
    assert prove(run) is not None or not 3 <= digits <= 9


@pytest.mark.parametrize("digits", [7, 8, 9])
def test_what_is_finer_than_a_microsecond_counts(digits: int) -> None:
    """A call may end a tenth of a microsecond before it began, and a deadline may be as much too early."""
    run = with_digits(PROVED["effects"], digits)

    def backwards(records: Records) -> None:
        result = records["result"][0]
        result["endedAt"] = result["startedAt"]
        result["startedAt"] = result["startedAt"].replace(".", ".", 1)[:-2] + "9Z"

    def early(records: Records) -> None:
        call = records["call"][0]
        call["timeoutMs"] = 1000
        moment = datetime.fromisoformat(call["createdAt"]) + timedelta(seconds=1)
        call["deadlineAt"] = f"{moment.isoformat(timespec='microseconds').removesuffix('+00:00')}{'0' * (digits - 6)}Z"

    for change in (backwards, early):
        changed = changed_in(run, change)
        assert prove(changed) is None
        assert audit_run(changed).broken.keys() == audit_run(changed, BY_CHECKS).broken.keys() != set()
