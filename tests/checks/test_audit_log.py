"""The audit log: its bytes, its lines and its values, in cases beyond the examples of the chapter."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Source
from callproof.trace.run import UNREAD, Flaw, FlawKind, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from edited_runs import (
    base,
    content_of,
    deed_of,
    findings,
    live,
    log_of,
    look,
    output,
    patched,
    run_record_patched,
    verdict,
)

FILES = ("calls.jsonl", "results.jsonl", "events.jsonl")


def _blamed(run: Run) -> set[str]:
    return {name for name, each in judge(run).items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}


def _text(files: dict[str, str | bytes], name: str) -> str:
    text = files[name]
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize(
    "habit",
    [lambda t: t.replace("\n", "\r\n"), lambda t: t.removesuffix("\n"), lambda t: t + "\n", lambda t: t + " \n"],
)
def test_line_ends_are_a_matter_of_habit(habit: object) -> None:
    """CRLF, a missing last line feed, and a blank line at the end are passed over (B-47)."""
    assert callable(habit)
    files = content_of("linear")
    assert _blamed(log_of(files | {name: habit(_text(files, name)) for name in FILES})) == set()


@pytest.mark.parametrize("name", FILES)
def test_an_empty_line_between_two_others_holds_no_object(name: str) -> None:
    """Only the last line may be blank (LOG-02, B-47)."""
    files = content_of("linear")
    assert _blamed(log_of(files | {name: _text(files, name).replace("\n", "\n\n", 1)})) == {"LOG-02"}


def test_escapes_and_spellings_of_numbers_are_a_matter_of_habit() -> None:
    """The same values in ASCII only, with escaped slashes and numbers in other spellings (B-48, B-49)."""
    files = content_of("linear")
    respelt = {
        name: "".join(
            json.dumps(json.loads(line)).replace("/", "\\/").replace(": 4000,", ": 4E3,") + "\n"
            for line in _text(files, name).splitlines()
        )
        for name in FILES
    }
    assert _blamed(log_of(files | respelt)) == set()


def test_other_files_and_sibling_folders_are_nobodys_business() -> None:
    """A folder may hold more than the four files (B-59)."""
    files = content_of("linear") | {"notes.txt": "hello", "calls.jsonl.bak": "{broken", ".DS_Store": b"\x00\x01"}
    assert _blamed(log_of(files)) == set()


@pytest.mark.parametrize("year", ["1999", "2099"])
def test_a_clock_far_from_ours_is_as_good_as_any(year: str) -> None:
    """Nothing is compared with the time of the audit (B-65)."""
    files = {name: _text(content_of("linear"), name).replace("2026-", f"{year}-") for name in ("run.json", *FILES)}
    assert _blamed(log_of({**files})) == set()


def test_a_line_of_half_a_megabyte_is_a_line() -> None:
    """Lines may be long (B-50)."""
    run = patched(base("unconfirmed"), "results", 0, {"dataHash": None, "data": {"content": "x" * 500_000}})
    files = content_of("unconfirmed")
    files["results.jsonl"] = "".join(json.dumps(each.value) + "\n" for each in run.results)
    assert _blamed(log_of(files)) == set()


@pytest.mark.parametrize(
    ("line", "requirement"),
    [
        (b"\xef\xbb\xbf{}", "LOG-02"),
        (b"\xff\xfe{}", "LOG-02"),
        (b"[]", "LOG-02"),
        (b"{}{}", "LOG-02"),
        (b"null", "LOG-02"),
        (b'{"a": NaN}', "LOG-03"),
        (b'{"a": 1, "a": 1}', "LOG-03"),
        (b'{"a": "\\ud800"}', "LOG-03"),
        (b'{"a": "line\nbreak"}', "LOG-04"),
        (b'{"a": "tab\tstop"}', "LOG-04"),
    ],
)
def test_a_line_of_the_wrong_kind_is_found_as_one_requirement(line: bytes, requirement: str) -> None:
    """Wrong bytes, ambiguous JSON and unescaped control characters are told apart."""
    files = content_of("incomplete")
    files["calls.jsonl"] = _text(files, "calls.jsonl").splitlines()[0].encode() + b"\n" + line + b"\n"
    assert _blamed(log_of(files)) & {"LOG-02", "LOG-03", "LOG-04", "LOG-05"} == {requirement}


def test_every_cut_of_an_unfinished_log_is_incomplete_and_nothing_worse() -> None:
    """Whatever byte the process died at, no line of the log is a violation (A35, B-57)."""
    files = content_of("incomplete")
    whole = _text(files, "results.jsonl").encode()
    for cut in range(0, len(whole), 37):
        blamed = _blamed(log_of(files | {"results.jsonl": whole[:cut]}))
        assert blamed & {"LOG-02", "LOG-03", "LOG-04", "LOG-05", "LOG-07", "RES-01"} == set(), cut


@pytest.mark.many
@pytest.mark.parametrize("others", [{}, {"calls.jsonl": "", "events.jsonl": ""}])
def test_a_run_may_break_off_in_its_record(others: dict[str, str]) -> None:
    """As in every other file of a log, what a process that died left unfinished is no violation (LOG-05, A35)."""
    whole = _text(content_of("linear"), "run.json")
    for record in (whole, json.dumps(json.loads(whole), indent=1)):
        for length in range(0, len(record) - 2, 37):
            run = log_of({"run.json": record[:length], **others})
            assert [flaw.kind for flaw in run.flaws] == [FlawKind.TORN], length
            assert {verdict(run, each) for each in ("LOG-01", "LOG-02", "LOG-04", "LOG-05")}.isdisjoint({Verdict.FAIL})


def test_a_run_that_finished_had_the_time_to_write_its_record() -> None:
    """LOG-01 and LOG-05."""
    files = content_of("linear")
    run = log_of(files | {"run.json": _text(files, "run.json")[:-20]})
    assert {verdict(run, each) for each in ("LOG-01", "LOG-05")} == {Verdict.FAIL}


@pytest.mark.parametrize("files", [{}, {"run.json": "{]"}, {"run.json": "[1]"}, {"calls.jsonl": "{}\n"}])
def test_a_folder_without_a_run_record_is_found(files: dict[str, str | bytes]) -> None:
    """No run record, a broken one, and one that is not an object (LOG-01)."""
    assert verdict(log_of(files), "LOG-01") is Verdict.FAIL


def test_a_run_record_that_cannot_be_read_is_told_at_its_own_place() -> None:
    """The finding names run.json, not the file of the first call."""
    (located,) = look(log_of(content_of("linear") | {"run.json": b"\xef\xbb\xbf{}"}), "LOG-01").findings
    assert [str(each.source) for each in located.finding.witness] == ["run.json:1"]
    assert located.finding.observed == "run.json:1: starts with a byte order mark"


@pytest.mark.parametrize("tools", ["abc", {}, 5])
def test_a_registry_that_is_no_array_is_found(tools: Json) -> None:
    """Otherwise every law that needs the descriptors would be left undecided without notice."""
    assert len(findings(run_record_patched(base("linear"), {"tools": tools}), "LOG-01")) == 1


def test_a_log_of_nothing_but_its_run_record_is_incomplete() -> None:
    """Its plan has steps, nobody rejected the run, and no record says what became of the steps."""
    nothing = {"run.json": content_of("linear")["run.json"]}
    assert not log_of(nothing).finished
    assert run_record_patched(log_of(nothing), {"confirmation": {"decision": "rejected"}}).finished
    assert run_record_patched(log_of(nothing), {"plan": {"steps": []}}).finished


def test_a_decision_without_a_confirmation_on_record_is_found() -> None:
    """Somebody rejected the run; the record has to say under which confirmation and when (A83)."""
    assert len(findings(run_record_patched(base("rejected"), {"confirmation": None}), "LOG-01")) == 1
    assert findings(run_record_patched(base("unconfirmed"), {"confirmation": None}), "LOG-01") == []


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        ({"decision": "rejected"}, 'the run record had the decision "rejected"'),
        ({"confirmationId": None}, "the run record had a confirmation without a usable confirmationId"),
        ({"decidedAt": "yesterday"}, "the run record had a confirmation without a usable decidedAt"),
        ({"decidedAt": "2026-01-05T10:00:00Z"}, "after the dispatch"),
    ],
)
def test_without_events_the_run_record_alone_proves_the_confirmation(patch: Json, says: str) -> None:
    """The confirmation is an approval, has an id, and comes before the dispatch (LOG-18)."""
    assert findings(base("eventless"), "LOG-18") == []
    assert says in findings(run_record_patched(base("eventless"), {"confirmation": patch}), "LOG-18")[0]


def test_with_events_the_confirmation_is_proved_elsewhere() -> None:
    """LOG-18 applies only to runs without events."""
    assert verdict(base("linear"), "LOG-18") is Verdict.INCONCLUSIVE


def test_calls_that_wait_are_not_open() -> None:
    """A log may hold more calls than may run at once, as long as no more of them were started (B-68)."""
    run = base("incomplete")
    assert run.events is not None
    waiting = replace(run.calls[1], value={**run.calls[1].value, "callId": "c3", "stepId": "s3"})
    assert findings(replace(run, calls=(*run.calls, waiting)), "LOG-08") == []


def test_a_witness_is_no_greater_than_it_has_to_be() -> None:
    """One open call too many proves LOG-08, and two results of one call prove LOG-07, however many there are."""
    run = base("incomplete")
    last = run.calls[-1]
    began = next(each for each in run.events or () if each.text("type") == "step.started")
    names = [f"d{n}" for n in range(40)]
    calls = [replace(last, value={**last.value, "callId": each}) for each in names]
    events = [replace(began, value={**began.value, "callId": each}) for each in names]
    lost = replace(run, calls=(*run.calls, *calls), events=(*(run.events or ()), *events))
    (found,) = look(lost, "LOG-08").findings
    assert found.finding.observed.startswith("41 calls were started")
    assert len(found.finding.witness) == 2
    twice = base("linear")
    twice = replace(twice, results=(*twice.results, *twice.results[:1] * 40))
    assert {len(each.finding.witness) for each in look(twice, "LOG-07").findings} == {3}
    assert {len(each.finding.witness) for each in look(twice, "RES-01").findings} == {2}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("line", [0, 1, -1])
@pytest.mark.parametrize("broken", ["\ufeff", "{"])
def test_a_line_that_cannot_be_read_stands_where_its_record_was_written(name: str, line: int, broken: str) -> None:
    """LOG-02 and LOG-05 report it; it is neither another record nor a missing one (LOG-13, EVT-20, LOG-21)."""
    files = content_of("linear")
    lines = _text(files, name).splitlines(keepends=True)
    lines[line] = broken + lines[line]
    run = replace(live(base("linear")), audit=log_of(files | {name: "".join(lines)}))
    assert [findings(run, law) for law in ("LOG-13", "EVT-20")] == [[], []]
    other = "LOG-13" if name != "events.jsonl" else "EVT-20"
    moved = [*lines[1:], lines[0]]
    assert findings(replace(run, audit=log_of(files | {name: "".join(moved)})), other)
    assert findings(replace(run, audit=log_of(files | {name: "".join(lines[:-2])})), other)


@pytest.mark.parametrize(("name", "law"), [("events.jsonl", "EVT-20"), ("results.jsonl", "LOG-13")])
def test_a_file_without_line_feeds_is_said_to_have_several_records_on_its_line(name: str, law: str) -> None:
    """EVT-20, LOG-13: "six were shown and one was logged" is no help to somebody who sees all six in the file."""
    files = content_of("linear")
    lines = _text(files, name).splitlines()
    texts = {
        " ".join(lines): "holds several JSON values and no line feed (Extra data at column ",
        "\n".join([*lines[:-2], lines[-2][:-9]]): "is cut off (",
    }
    for text, says in texts.items():
        (found,) = look(replace(live(base("linear")), audit=log_of(files | {name: text})), law).findings
        (clause,) = found.finding.because
        assert clause.startswith(f"{name}: the last line {says}")


def test_the_events_that_are_left_out_to_see_what_proves_a_confirmation_are_not_missing() -> None:
    """LOG-18: a live run has events, and its log has to prove the confirmation if they are lost."""
    run = run_record_patched(base("linear"), {"confirmation": None})
    says = "was dispatched, {}, and the run record had the decision null"
    (found,) = findings(replace(live(run), audit=run), "LOG-18")
    assert found.endswith(says.format("the events were set aside"))
    (found,) = findings(replace(run, events=None), "LOG-18")
    assert found.endswith(says.format("no events are on record"))


def test_a_copy_that_differs_shows_both_values() -> None:
    """A reader of the report without the log sees what was changed (LOG-09, LOG-10, LOG-11, LOG-12)."""
    run = live(base("linear"))
    assert run.run_record is not None

    def shown(changed: Run, law: str) -> list[tuple[str, ...]]:
        return [each.finding.because for each in look(changed, law).findings]

    given: Json = {**run.run_record.object("plan"), "assumptions": ["none"], "tags": None}
    assert shown(live(base("linear"), plan=given), "LOG-09") == [
        ('at /assumptions it has nothing, and not ["none"]', "at /tags it has nothing, and not null")
    ]
    policy: Json = {"limits": {"maxConcurrency": 7}}
    (because,) = shown(patched(base("linear"), "calls", 0, {"policy": policy}), "LOG-10")
    assert because[0].startswith("at /limits/maxConcurrency it has 7, and not ")
    deed = deed_of(run.calls[1], args={"id": 12345678901234567890, "name": "e\u0301"})
    call = patched(run, "calls", 1, {"args": {"id": 12345678901234567000, "name": "\xe9"}})
    call = live(call, (replace(deed, args={**call.calls[1].value["args"], **deed.args}),))
    assert shown(call, "LOG-11") == [("at /id it has 12345678901234567000, and not 12345678901234567890",)]
    assert shown(call, "LOG-12") == [('at /name it has "\xe9", and not "e\u0301"',)]


def test_a_redaction_mark_takes_its_place_out_of_the_comparison() -> None:
    """A marked argument is neither wrong nor right (A42)."""
    patch: Json = {"args": {"title": "[REDACTED]"}, "redacted": ["/args/title"], "argsHash": None}
    run = patched(base("unconfirmed"), "calls", 1, patch)
    assert _blamed(run) == set()


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "/args/paths/7",
        "/policy/sandbox/allowedRoots/00",
        "/policy/sandbox/allowedRoots/\u0660",
        "/args/nothing",
        "args",
        "/policy/sandbox/allowedRoots/x",
    ],
)
def test_a_redaction_mark_that_leads_nowhere_is_found(pointer: str) -> None:
    """A mark has to point to a place that exists (LOG-17)."""
    assert len(findings(patched(base("unconfirmed"), "calls", 1, {"redacted": [pointer]}), "LOG-17")) == 1


def _live(plan_value: Json) -> Run:
    run = base("unconfirmed")
    assert run.run_record is not None
    plan = run.run_record.get("plan")
    assert isinstance(plan, dict)
    return live(run, (deed_of(run.calls[0]),), plan={**plan, "goal": plan_value})


@pytest.mark.parametrize(
    ("given", "requirement"),
    [("Another goal", "LOG-09"), (" Read a note and name it", "LOG-12"), ("Read a note and name it", None)],
)
def test_a_plan_that_is_not_the_given_one_is_found_as_what_became_of_it(given: str, requirement: str | None) -> None:
    """LOG-09 reports another plan, LOG-12 a plan with altered texts."""
    blamed = _blamed(_live(given)) & {"LOG-09", "LOG-11", "LOG-12"}
    assert blamed == ({requirement} if requirement else set())


@pytest.mark.parametrize("law", ["LOG-06", "REF-16"])
def test_a_finding_about_long_texts_shows_where_they_part(law: str) -> None:
    """A reader who sees only the common beginning of two texts cannot mend the difference."""
    step: Json = {"id": "s1", "tool": "vault.readFile", "args": {"path": f"{'a' * 400}{{1, 2}}.md"}}
    run = run_record_patched(base("unconfirmed"), {"plan": {"steps": [step]}})
    run = patched(run, "calls", 0, {"args": {"path": f"{'a' * 400}{{2, 1}}.md"}, "argsHash": None})
    (located,) = look(run, law).findings
    alike = "a" * 19
    assert (
        f'they differ after 401 characters: "{alike}{{2, 1}}.md", and not "{alike}{{1, 2}}.md"'
        in located.finding.because
    )


@pytest.mark.parametrize(("marks", "blamed"), [(["/plan/goal"], set()), ([], {"LOG-09"})])
def test_a_place_of_the_plan_that_is_marked_is_not_compared(marks: Json, blamed: set[str]) -> None:
    """A system that redacts what a person gave redacts it in the plan as well, and marks it (LOG-09, LOG-17)."""
    run = run_record_patched(_live("Read a note and name it"), {"plan": {"goal": "[REDACTED]"}, "redacted": marks})
    assert _blamed(run) & {"LOG-09"} == blamed


@pytest.mark.parametrize(
    ("returned", "logged", "requirement"),
    [
        (9007199254740993, 9007199254740992, "LOG-11"),
        (0.1, 0.1000000001, "LOG-11"),
        (1767600000000, 1767600000000.0, None),
    ],
)
def test_a_number_that_lost_digits_is_found(returned: Json, logged: Json, requirement: str | None) -> None:
    """Numbers are exact, however they are spelt (LOG-11, B-49)."""
    run = patched(base("unconfirmed"), "results", 0, {"data": {"mtimeMs": logged}, "dataHash": None})
    data = run.results[0].get("data")
    assert isinstance(data, dict)
    witnessed = live(run, (deed_of(run.calls[0], output({**data, "mtimeMs": returned})),))
    assert _blamed(witnessed) & {"LOG-11", "RES-21"} == ({requirement} if requirement else set())


@pytest.mark.parametrize(
    ("returned", "logged"),
    [("cafe\u0301", "caf\u00e9"), ("x ", "x"), ("a\u0000b", "a\ufffdb"), ("a long line of text", "a long line of …")],
)
def test_a_string_that_lost_code_points_is_found(returned: str, logged: str) -> None:
    """LOG-12 reports strings that were normalised, trimmed, replaced or cut."""
    run = patched(base("unconfirmed"), "results", 0, {"data": {"content": logged}, "dataHash": None})
    data = run.results[0].get("data")
    assert isinstance(data, dict)
    witnessed = live(run, (deed_of(run.calls[0], output({**data, "content": returned})),))
    assert _blamed(witnessed) & {"LOG-12", "RES-21"} == {"LOG-12"}


def test_a_record_that_was_changed_in_the_file_is_found() -> None:
    """A written record stays unchanged and in its place (LOG-13)."""
    run = base("unconfirmed")
    assert findings(replace(live(run), audit=run), "LOG-13") == []
    touched = patched(run, "results", 0, {"userMessage": "Read it"})
    assert "differ at /userMessage" in findings(replace(live(run), audit=touched), "LOG-13")[0]
    swapped = replace(run, calls=run.calls[::-1])
    assert len(findings(replace(live(run), audit=swapped), "LOG-13")) == 2
    shorter = replace(run, calls=run.calls[:1])
    assert findings(replace(live(run), audit=shorter), "LOG-13") == [
        "2 call records were written, and calls.jsonl has 1"
    ]


def test_a_planted_secret_in_the_log_is_found() -> None:
    """Secrets of the environment stay out of every record (LOG-16)."""
    run = patched(base("unconfirmed"), "results", 0, {"error": {"details": {"env": "TOKEN=hush-7"}}})
    assert findings(live(run, canaries=("hush-7",)), "LOG-16") == [
        "the result of c1 held a planted secret at /error/details/env"
    ]
    assert findings(live(base("unconfirmed"), canaries=("hush-7",)), "LOG-16") == []


@pytest.mark.parametrize(
    ("records", "patch", "found"),
    [
        ("calls", {"preview": "Read the note with hush-7"}, "call c1 held a planted secret at /preview"),
        ("calls", {"userMessage": "hush-7"}, "call c1 held a planted secret at /userMessage"),
        ("results", {"data": {"hush-7": True}}, "the result of c1 held a planted secret at /data"),
        ("results", {"userMessage": "hush-7"}, None),
        ("results", {"error": {"message": "hush-7"}}, None),
        ("results", {"error": {"hush-7": "x"}}, "the result of c1 held a planted secret at /error"),
    ],
)
def test_a_secret_is_found_wherever_no_other_law_looks_for_it(records: str, patch: Json, found: str | None) -> None:
    """LOG-16: previews and names count too; secrets in messages are reported by MSG-01 and MSG-07."""
    run = live(patched(base("unconfirmed"), records, 0, patch), canaries=("hush-7",))
    assert findings(run, "LOG-16") == ([found] if found is not None else [])
    assert found is not None or _blamed(run) & {"MSG-01", "MSG-07"}


@pytest.mark.parametrize("secret", ['a"b\\c', "line\nfeed\x00", "schlüssel-🔑", "half \ud83d", "\u2028</script>"])
def test_a_secret_is_found_whatever_its_characters_are_in_json(secret: str) -> None:
    """LOG-16: neither an escaped character nor half a surrogate pair hides a secret."""
    told = patched(base("unconfirmed"), "calls", 0, {"preview": f"before {secret} after"})
    assert findings(live(told, canaries=(secret,)), "LOG-16") == ["call c1 held a planted secret at /preview"]
    assert findings(live(base("unconfirmed"), canaries=(secret,)), "LOG-16") == []


@pytest.mark.parametrize("name", ["linear", "refused", "incomplete"])
def test_the_same_log_gets_the_same_verdict(name: str) -> None:
    """Nothing but the log decides: not the clock, not the order of a set (LOG-20)."""
    files = content_of(name) | {"results.jsonl": '{"callId": "c1", "status": "odd"}\n' * 3}
    assert judge(log_of(files)) == judge(log_of(files))


@pytest.mark.parametrize("kind", sorted(UNREAD, key=lambda each: each.value))
def test_a_log_that_was_not_read_in_full_is_called_good_in_nothing(kind: FlawKind) -> None:
    """Over a limit, every law is inconclusive at best (LOG-21)."""
    unread = Flaw(kind, Source("events.jsonl", 14), "line 14 is longer than 16777216 bytes")
    verdicts = {each.verdict for each in judge(replace(base("linear"), flaws=(unread,))).values()}
    assert Verdict.PASS not in verdicts


def test_a_stray_record_is_not_also_a_mislabelled_one() -> None:
    """A record that shares no call with this run strayed in; one that shares one is mislabelled (CALL-03, LOG-22)."""
    stray = patched(base("unconfirmed"), "events", 1, {"runId": "run-x", "callId": "x1"})
    assert _blamed(stray) & {"CALL-03", "LOG-22"} == {"LOG-22"}
    mislabelled = patched(base("unconfirmed"), "events", 1, {"runId": "run-x"})
    assert _blamed(mislabelled) & {"CALL-03", "LOG-22"} == {"CALL-03"}


def test_another_run_in_the_folder_is_told_of_once_and_judged_by_no_other_law() -> None:
    """The records evidently belong to the other run, and what they break is no fault of this run (LOG-22)."""
    files = content_of("linear")
    for name, lines in content_of("retried").items():
        if name != "run.json":
            files[name] += lines.replace('"run-retried"', '"another"').replace('"callId": "', '"callId": "x')
    run = log_of(files)
    findings = [each.finding for result in judge(run).values() for each in result.findings]
    assert _blamed(run) == {"LOG-22"}
    assert [each.observed for each in findings] == [
        f'among the records of run "run-linear" were {len(run.strays)} of run "another"'
    ]


def test_records_of_a_wrong_id_stay_with_the_run_whose_steps_they_are() -> None:
    """A call that only such records show, in its place in the plan, belongs to this run: it is mislabelled (LOG-22)."""
    files = content_of("linear")
    for name in ("calls.jsonl", "results.jsonl", "events.jsonl"):
        lines = files[name].splitlines(keepends=True)
        files[name] = "".join(
            line.replace('"run-linear"', '"another"') if '"callId": "c3"' in line else line for line in lines
        )
    run = log_of(files)
    assert run.strays == ()
    assert _blamed(run) == {"LOG-22"}


def test_a_call_that_makes_itself_smaller_needs_the_confirmation_all_the_same() -> None:
    """If there is a descriptor, it says what a tool may do, not the call (LOG-18, POL-19)."""
    run = run_record_patched(base("eventless"), {"confirmation": {"decidedAt": None}})
    written = next(number for number, call in enumerate(run.calls) if call.text("riskLevel") == "writes")
    assert findings(patched(run, "calls", written, {"riskLevel": "read-only"}), "LOG-18") == findings(run, "LOG-18")
    assert findings(run, "LOG-18")


def test_a_call_without_a_result_may_have_waited_still() -> None:
    """Without events it is unknown whether the call was dispatched when the log broke off (B-57, B-68)."""
    run = run_record_patched(base("eventless"), {"confirmation": {"decidedAt": "2026-01-05T10:00:00Z"}})
    left = replace(run, results=())
    assert findings(run, "LOG-18")
    assert findings(left, "LOG-18") == []
    refused = patched(left, "calls", 0, {"args": {"path": 7}})
    assert findings(refused, "VAL-01") == []


def test_two_broken_lines_in_a_row_are_two() -> None:
    """LOG-02: a line is the rest of a broken one only if that one broke within a text (A89)."""
    files = content_of("linear")
    lines = _text(files, "events.jsonl").split("\n")
    broken = log_of({**files, "events.jsonl": "\n".join([*lines[:3], "[]", "{]", *lines[3:]])})
    assert len(findings(broken, "LOG-02")) == 2


def redacted(run: Run, records: str, at: int, pointer: str) -> Run:
    """The run with three stars instead of a secret in one record, marked as such (A42)."""
    patch: Json = "***"
    for name in reversed(pointer.split("/")[1:]):
        patch = {name: patch}
    return patched(patched(run, records, at, patch), records, at, {"redacted": [pointer]})


@pytest.mark.parametrize(
    ("name", "records", "at", "pointer"),
    [
        ("budget", "results", 0, "/data/items"),
        ("linear", "results", 1, "/data/count"),
        ("effects", "results", 0, "/data/path"),
        ("effects", "results", 2, "/data/etag"),
        ("effects", "results", 5, "/data/toPath"),
        ("effects", "results", 5, "/data/fromPath"),
        ("foreach", "results", 5, "/data/items"),
        ("cancelled", "calls", 2, "/args/path"),
        ("cancelled", "calls", 1, "/args/id"),
        ("budget", "calls", 1, "/args/path"),
        ("budget", "calls", 2, "/preview"),
    ],
)
def test_what_is_redacted_is_compared_with_nothing(name: str, records: str, at: int, pointer: str) -> None:
    """LOG-17, A42: a redacted value is unknown, not wrong."""
    run = redacted(base(name), records, at, pointer)
    assert {law: findings(run, law) for law in _blamed(run)} == {}


@pytest.mark.many
@pytest.mark.parametrize("law", ["EFF-04", "EFF-14", "EFF-22", "POL-15"])
@pytest.mark.parametrize("member", ["path", "afterEtag", "beforeEtag", "kind"])
def test_an_effect_that_is_redacted_is_compared_with_nothing(law: str, member: str) -> None:
    """LOG-17, A42: neither with data, nor with earlier or later changes, nor with the sandbox."""
    for name in ("effects", "recovered"):
        run = base(name)
        for at, result in enumerate(run.results):
            for listed, entries in (result.object("effects") or {}).items():
                for place, entry in enumerate(entries if is_array(entries) else ()):
                    if is_object(entry) and member in entry:
                        hidden: Json = [
                            {**each, member: "***"} if is_object(each) and each is entry else each
                            for each in (entries if is_array(entries) else ())
                        ]
                        marked: Json = [f"/effects/{listed}/{place}/{member}"]
                        told = patched(run, "results", at, {"effects": {listed: hidden}, "redacted": marked})
                        assert findings(told, law) == [], (name, at)


def test_behind_a_redacted_effect_nobody_knows_what_is_where() -> None:
    """A note is deleted, a redacted path created, the note changed: that path may be the note (EFF-02, A42)."""
    run = base("effects")
    entries: Json = [{"path": "Notes/log.md", "kind": "file"}]
    gone: Json = {"effects": {"deleted": entries, "modified": None}}
    made: Json = {"effects": {"created": [{"path": "***", "kind": "file"}], "modified": None}}
    changed: Json = {"effects": {"deleted": entries, "created": None, "modified": None, "renamed": None}}
    run = patched(patched(patched(run, "results", 2, gone), "results", 3, made), "results", 4, changed)
    assert any("Notes/log.md" in each for each in findings(run, "EFF-05"))
    marked: Json = {"redacted": ["/effects/created/0/path"]}
    assert not any("Notes/log.md" in each for each in findings(patched(run, "results", 3, marked), "EFF-05"))


@pytest.mark.parametrize(
    ("records", "patch"),
    [
        ("results", {"data": None}),
        ("results", {"data": {"content": None}, "redacted": ["/data"]}),
        ("results", {"callId": "c9"}),
    ],
)
def test_an_argument_that_is_not_there_is_missing_whatever_it_would_have_been(records: str, patch: Json) -> None:
    """LOG-06: a missing argument is found without knowledge of the value that the step gave."""
    run = patched(base("linear"), records, 0, patch)
    assert not any("/args/note" in each for each in findings(run, "LOG-06"))
    lacking = patched(run, "calls", 1, {"args": {"note": None}})
    assert "call c2 had nothing at /args/note" in findings(lacking, "LOG-06")


@pytest.mark.parametrize(("law", "found"), [("LOG-06", False), ("REF-04", True)])
def test_a_call_of_nothing_that_was_dispatched_is_found_as_that(law: str, found: bool) -> None:
    """LOG-06: an undispatched call of which a reference leads to nothing is this law's, a dispatched one REF-04's."""
    run = patched(base("linear"), "results", 1, {"data": {"count": None}})
    assert any("cannot be resolved" in each for each in findings(run, law)) is found


def test_a_result_that_was_torn_may_be_that_of_an_open_call() -> None:
    """LOG-08, LOG-05: half a line of a result is a result that was being written, not a lost call."""
    files = content_of("incomplete")
    (first,) = _text(files, "results.jsonl").splitlines()
    assert len(findings(log_of(files | {"results.jsonl": ""}), "LOG-08")) == 1
    assert findings(log_of(files | {"results.jsonl": first[:40]}), "LOG-08") == []


@pytest.mark.parametrize(
    ("effects", "pointer"),
    [
        ({"created": [{"path": "a.md", "kind": "***"}]}, "/effects/created/0/kind"),
        ({"created": [{"path": 7, "kind": "file"}]}, "/effects/created/0/path"),
        ({"created": ["***"]}, "/effects/created/0"),
        ({"created": "***"}, "/effects/created"),
        ("***", "/effects"),
    ],
)
def test_effects_that_are_redacted_have_no_shape(effects: Json, pointer: str) -> None:
    """LOG-17, A42: what stands in for a secret fits no schema and does not have to (EFF-21)."""
    run = patched(patched(base("effects"), "results", 0, {"effects": None}), "results", 0, {"effects": effects})
    assert len(findings(run, "EFF-21")) == 1
    assert findings(patched(run, "results", 0, {"redacted": [pointer]}), "EFF-21") == []
    assert len(findings(patched(run, "results", 0, {"redacted": ["/userMessage"]}), "EFF-21")) == 1
