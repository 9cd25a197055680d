"""Statements of the live suites of other protocols: real runs make them, they are verified, and changes are found."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from callproof.adapters.claims import Claims
from callproof.checks.check import Finding
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.commands.usage import WrongUsage
from callproof.commands.verify import NotVerified, verified
from callproof.driven.again import AnotherLog, refuse_another_log
from callproof.judge.baseline import Baseline, Entry, Failure
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.judging import Located
from callproof.judge.verdicts import Verdict
from callproof.schema.validator import shape_validator
from callproof.statement.driven import case_path
from callproof.statement.matter import Files
from callproof.statement.stating import Stating
from callproof.statement.store import read_files, write_files
from callproof.suites import SUITES
from callproof.values.jsontext import read_json
from driven_systems import TESTS, served
from hypothesis import given, settings
from hypothesis import strategies as st

Made = Mapping[str, tuple[Judgement, Files]]
Lines = list[dict[str, Any]]
Change = Callable[[Files], Files]
STATED, TEXT, SYSTEM = "statement.json", "statement.md", "records/system.json"
BAD: Final = TESTS / "commands" / "bad_loops.py"
PROTOCOLS: Final = {"loop": "agent-loop", "pipeline": "pipeline", "invocation": "invocation"}


def judged(word: str, address: str, folder: Path, **wanted: Any) -> Judgement:
    """The judgement of the command, which leaves a statement in a folder."""
    return judge_system(SUITES[word], Wanted(address, statements=(folder,), **wanted), Watching(None))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The reference judged by each suite, with its statement."""
    found: dict[str, tuple[Judgement, Files]] = {}
    for word in SUITES:
        folder = tmp_path_factory.mktemp(word)
        judgement = judged(word, f"stdio:callproof-reference {word}", folder)
        found[word] = judgement, read_files(folder)
    return found


def rehashed(files: Files) -> Files:
    """The files as a forger who knows hashes would leave them: the list of hashes fits again."""
    statement = json.loads(files[STATED])
    records = {path: each for path, each in files.items() if path not in {STATED, TEXT}}
    statement["files"] = [
        {"path": path, "bytes": len(each), "sha256": hashlib.sha256(each).hexdigest()}
        for path, each in sorted(records.items())
    ]
    return {**files, STATED: (json.dumps(statement, indent=2) + "\n").encode()}


def altered(path: str, old: bytes, new: bytes) -> Change:
    """A change at one place."""

    def change(files: Files) -> Files:
        assert old in files[path]
        return {**files, path: files[path].replace(old, new, 1)}

    return change


def forged(path: str, old: bytes, new: bytes) -> Change:
    """A change at one place, with hashes that fit."""
    return lambda files: rehashed(altered(path, old, new)(files))


def forged_lines(path: str, change: Callable[[Lines], Lines]) -> Change:
    """A change to the lines of one log, with hashes that fit."""

    def alter(files: Files) -> Files:
        lines = change([json.loads(line) for line in files[path].splitlines()])
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        return rehashed({**files, path: text.encode()})

    return alter


def without(word: str) -> Callable[[Lines], Lines]:
    """A change of lines that removes the first probe with this name."""

    def change(lines: Lines) -> Lines:
        place = next(at for at, line in enumerate(lines) if line.get("probe") == word)
        return [*lines[:place], *lines[place + 1 :]]

    return change


def twice(word: str) -> Callable[[Lines], Lines]:
    """A change of lines that doubles the first probe with this name."""

    def change(lines: Lines) -> Lines:
        place = next(at for at, line in enumerate(lines) if line.get("probe") == word)
        return [*lines[:place], lines[place], *lines[place:]]

    return change


def without_file(path: str) -> Change:
    """A change that removes one file from the files and from the list."""
    return lambda files: rehashed({name: each for name, each in files.items() if name != path})


def faults(files: Files, folder: Path) -> str:
    """The faults that verifying some files finds."""
    write_files(files, folder / "proof")
    return "\n".join(verified(folder / "proof").faults)


@pytest.mark.many
@pytest.mark.parametrize("word", SUITES)
@pytest.mark.parametrize("name", ["proof", "proof.zip"])
def test_a_statement_verifies_and_says_of_which_suite_it_is(made: Made, word: str, name: str, tmp_path: Path) -> None:
    """It has the shape of the specification, one log for each case, and the outcome of its run."""
    judgement, files = made[word]
    write_files(files, tmp_path / name)
    found = verified(tmp_path / name)
    assert (found.faults, found.outcome, found.run_outcome) == ((), "conforms", None)
    statement = json.loads(files[STATED])
    assert shape_validator("statement").errors(read_json(files[STATED])) == ()
    assert (statement["protocol"], judgement.outcome.says) == (PROTOCOLS[word], statement["outcome"])
    assert set(files) == {STATED, TEXT, SYSTEM, *(case_path(each) for each in SUITES[word].cases)}


def test_a_system_without_a_name_is_stated_by_its_address_wherever_a_statement_is_wanted(
    made: Made, tmp_path: Path
) -> None:
    """Each of several places gets the same one, which says how strict the judging was, and the claims in order."""
    judgement, files = made["loop"]
    claims = tuple(sorted(judgement.subject.claims or (), reverse=True))
    nameless = replace(judgement.subject, implementation=None, claims=claims)
    paths = (tmp_path / "proof", tmp_path / "proof.zip")
    stating = Stating(SUITES["loop"], paths)
    stating._records.update({path: each for path, each in files.items() if path not in {STATED, TEXT, SYSTEM}})
    stated = stating.stated(replace(judgement, subject=nameless, strict=True))
    assert (stated.errors, stated.subject.notes) == ((), judgement.subject.notes)
    for path in paths:
        statement = json.loads(read_files(path)[STATED])
        assert (statement["system"], statement["strict"]) == (judgement.subject.name, True)
        assert statement["claims"] == sorted(claims)
        assert verified(path).faults == ()


def test_a_run_that_nobody_wants_a_statement_of_is_told_as_it_was(made: Made) -> None:
    """Nothing is written, and the report does not mention a statement."""
    judgement, _ = made["loop"]
    stating = Stating(SUITES["loop"], ())
    assert stating.stated(judgement) is judgement


@pytest.mark.parametrize("word", SUITES)
def test_no_two_cases_have_one_file(word: str) -> None:
    """Otherwise one of two cases with the same file would not be judged."""
    cases = SUITES[word].cases
    assert len({case_path(each) for each in cases}) == len(cases)


@pytest.mark.many
@pytest.mark.parametrize(
    ("word", "folder", "name", "law"),
    [
        ("loop", "live_loops", "unheeded", "HOST-03"),
        ("pipeline", "live_pipelines", "shortened", "PIPE-17"),
        ("invocation", "live_invocations", "ashamed", "INT-14"),
    ],
)
def test_a_system_that_breaks_a_law_has_a_statement_that_says_so(
    word: str, folder: str, name: str, law: str, tmp_path: Path
) -> None:
    """With a reason for each failure it states known failures, and a change of the reasons is found."""
    proof, listed, known = tmp_path / "proof", tmp_path / "listed", tmp_path / "known.json"
    judgement = judged(word, served(folder, name), proof)
    assert (judgement.outcome, verified(proof).faults, verified(proof).outcome) == (
        Outcome.VIOLATIONS,
        (),
        "violations",
    )
    verdicts = {each["id"]: each["verdict"] for each in json.loads((proof / STATED).read_bytes())["requirements"]}
    assert verdicts[law] == "fail"
    judge_system(SUITES[word], Wanted(served(folder, name), baseline=known, update_baseline=True), Watching(None))
    known.write_text(known.read_text(encoding="utf-8").replace('"reason": ""', '"reason": "issue 12"'), "utf-8")
    assert judged(word, served(folder, name), listed, baseline=known).outcome is Outcome.KNOWN_FAILURES
    assert (verified(listed).faults, verified(listed).outcome) == ((), "known failures")
    assert {each["runs"] for each in json.loads((listed / STATED).read_bytes())["known"]} == {"*"}
    assert "in \\*: " in (listed / TEXT).read_text(encoding="utf-8")
    files = read_files(listed)
    changed = forged(SYSTEM, b"issue 12", b"issue 13")(files)
    assert "known is stated" in faults(changed, tmp_path)


@pytest.mark.many
def test_advice_that_fails_a_strict_run_fails_in_its_statement(tmp_path: Path) -> None:
    """The setting is part of the records from which the statement is verified."""
    address = served("live_loops", "one-by-one")
    assert judged("loop", address, tmp_path / "strict", strict=True).outcome is Outcome.VIOLATIONS
    assert (verified(tmp_path / "strict").faults, verified(tmp_path / "strict").outcome) == ((), "violations")
    lenient = forged(SYSTEM, b'  "strict": true,\n', b"")(read_files(tmp_path / "strict"))
    found = faults(lenient, tmp_path)
    assert "strict is stated as True" in found
    assert "outcome is stated as 'violations', but the records give 'conforms'" in found


def test_what_is_known_to_fail_without_a_reason_is_not_stated(tmp_path: Path) -> None:
    """A baseline that was just written has no reasons: no statement is written, and the run says so."""
    known = tmp_path / "known.json"
    address = served("live_loops", "unheeded")
    judgement = judged("loop", address, tmp_path / "proof", baseline=known, update_baseline=True)
    assert judgement.outcome is Outcome.ERROR
    assert "no statement was written: HOST-03 in * is a known failure without a reason" in judgement.errors[-1]
    assert not (tmp_path / "proof").exists()


def test_a_system_of_few_claims_states_the_cases_that_these_call_for(tmp_path: Path) -> None:
    """The other cases have no log, and a statement with a log of one of them does not verify."""
    judged("invocation", served("live_invocations", "by-provider"), tmp_path / "few")
    files = read_files(tmp_path / "few")
    assert verified(tmp_path / "few").faults == ()
    path = next(case_path(each) for each in SUITES["invocation"].cases if case_path(each) not in files)
    more = rehashed({**files, path: next(each for name, each in files.items() if name.endswith("jsonl"))})
    assert "is the log of a case that the suite does not play with these claims" in faults(more, tmp_path)


def test_a_failure_in_generated_cases_alone_is_told_beside_the_statement(made: Made, tmp_path: Path) -> None:
    """The statement rests on the written cases and leaves out the entry for the failure; both outcomes are told."""
    judgement, files = made["loop"]
    found = judgement.results["HOST-03"]
    entry = Entry(Failure("HOST-03", "*", "it was done"), "issue 12")
    broken = replace(found, verdict=Verdict.FAIL, findings=(Located("GEN/0-7", Finding("it was done", "nothing", ())),))
    run = replace(
        judgement, results={**judgement.results, "HOST-03": broken}, baseline=Baseline((entry,), of_logs=True)
    )
    assert run.outcome is Outcome.KNOWN_FAILURES
    stating = Stating(SUITES["loop"], (tmp_path / "proof",))
    stating._records.update({path: each for path, each in files.items() if path not in {STATED, TEXT, SYSTEM}})
    told = stating.stated(run)
    assert any("but conforms in the statement proof, which rests on the written" in each for each in told.subject.notes)
    statement = json.loads((tmp_path / "proof" / STATED).read_bytes())
    assert (statement["outcome"], statement["runOutcome"], statement["known"]) == ("conforms", "known failures", [])
    assert (verified(tmp_path / "proof").faults, verified(tmp_path / "proof").run_outcome) == ((), "known failures")


@pytest.mark.many
@pytest.mark.parametrize(
    ("listed", "runs", "stays"),
    [
        (Failure("HOST-03", "*", "it was done"), ("GEN/0-7",), False),
        (Failure("HOST-03", "GEN/0-7", "it was done"), ("GEN/0-7",), False),
        (Failure("HOST-03", "*", "it was done"), ("GEN/0-7", "AL-01/one"), True),
        (Failure("HOST-03", "AL-01/one", "it was done"), ("GEN/0-7", "AL-01/one"), True),
        (Failure("HOST-03", "AL-01/one", "it was done"), ("GEN/0-7",), True),
        (Failure("HOST-03", "*", "it was left"), ("GEN/0-7",), True),
        (Failure("HOST-04", "*", "it was done"), ("GEN/0-7",), True),
        (Failure("HOST-03", "*", "it was done"), (), True),
    ],
)
def test_an_entry_is_left_out_of_a_statement_where_generated_cases_alone_have_it(
    made: Made, tmp_path: Path, listed: Failure, runs: tuple[str, ...], stays: bool
) -> None:
    """Another message, law or case is another failure; an entry without any failure is stale in the statement too."""
    judgement, files = made["loop"]
    found = judgement.results["HOST-03"]
    findings = tuple(Located(each, Finding("it was done", "nothing", ())) for each in runs)
    broken = replace(found, verdict=Verdict.FAIL if runs else Verdict.PASS, findings=findings)
    baseline = Baseline((Entry(listed, "issue 12"),), of_logs=True)
    run = replace(judgement, results={**judgement.results, "HOST-03": broken}, baseline=baseline)
    stating = Stating(SUITES["loop"], (tmp_path / "proof",))
    stating._records.update({path: each for path, each in files.items() if path not in {STATED, TEXT, SYSTEM}})
    assert stating.stated(run).errors == ()
    known = json.loads((tmp_path / "proof" / STATED).read_bytes())["known"]
    assert [each["class"] for each in known] == ([listed.message] if stays else [])


ONE, BLOCKED, ABORTED = "records/AL-01-one.jsonl", "records/AL-05-blocked.jsonl", "records/AL-07-aborted.jsonl"
OTHER, FAILS = "records/AL-01-throws.jsonl", "records/AL-09-once.jsonl"
ASKED, DENIED = "records/PL-05-asked.jsonl", "records/PL-05-rejected.jsonl"
WANTED = "records/IV-01-wanted.jsonl"
GIVEN_UP: Final = {"kind": "probe", "probe": "gave_up"}
TAMPERED: dict[str, tuple[str, Change, str]] = {
    "a verdict": ("loop", altered(STATED, b'"verdict": "pass"', b'"verdict": "fail"'), "is stated as fail"),
    "a count": ("loop", altered(STATED, b'"exercised": ', b'"exercised": 1'), "HOST-01 is stated as pass"),
    "the outcome": ("loop", altered(STATED, b'"conforms"', b'"not proven"'), "outcome is stated"),
    "the name": ("loop", altered(STATED, b"callproof-reference", b"another"), "system is stated"),
    "what it claims": ("loop", altered(STATED, b'    "persistHook",\n', b""), "claims is stated as"),
    "what was left out": (
        "loop",
        altered(STATED, b'"leftOut": []', b'"leftOut": [{"feature": "parallel", "requirements": 1}]'),
        "leftOut is stated as",
    ),
    "what the run came to": (
        "loop",
        altered(STATED, b'"runOutcome": "conforms"', b'"runOutcome": "not proven"'),
        "runOutcome is stated as",
    ),
    "what is not proven": (
        "loop",
        altered(STATED, b'"notProven": []', b'"notProven": ["HOST-01"]'),
        "notProven is stated as",
    ),
    "what was refused": (
        "loop",
        altered(STATED, b'"refused": []', b'"refused": ["AL-01/one"]'),
        "refused is stated as",
    ),
    "another suite": ("loop", altered(STATED, b'"agent-loop"', b'"pipeline"'), "system.json belongs to another suite"),
    "no suite": ("loop", altered(STATED, b'"protocol": "agent-loop",', b""), "system.json belongs to another suite"),
    "the text": ("loop", altered(TEXT, b"pass", b"Pass"), "statement.md is not"),
    "a byte of a log": ("loop", altered(ONE, b"call_1", b"call_7"), "has other bytes"),
    "what the system told": ("loop", forged(ONE, b'"isError":false', b'"isError":true'), "is stated as pass"),
    "what the model replied": (
        "loop",
        forged(ONE, b'"stopReason":"toolUse"', b'"stopReason":"stop"'),
        "differs from what",
    ),
    "what a tool gave": ("loop", forged(BLOCKED, b'"text":"done"', b'"text":"gone"'), "differs from what"),
    "what a hook said": ("loop", forged(BLOCKED, b'"block":true', b'"block":false'), "differs from what"),
    "a failing model": (
        "loop",
        forged_lines(FAILS, without("model_failed")),
        "the suite writes there: a line 'model_failed'",
    ),
    "what the user did": ("loop", forged_lines(ABORTED, without("abort_called")), "is not the log of AL-07/aborted"),
    "a user who does more": ("loop", forged_lines(ABORTED, twice("abort_called")), "is not the log of AL-07/aborted"),
    "a tool that gives twice": ("loop", forged_lines(ONE, twice("tool_returned")), "not a line that the suite writes"),
    "the note": ("loop", forged(ONE, b'"mode":"parallel"', b'"mode":"sequential"'), "line 1 is a line 'meta', which"),
    "a tool of the case": ("loop", forged(ONE, b'"required":["path"]', b'"required":[]'), "line 1 is a line 'meta'"),
    "another case": ("loop", lambda files: rehashed({**files, ONE: files[OTHER]}), "is not the log of AL-01/one"),
    "a log that breaks off": ("loop", forged_lines(ONE, lambda lines: lines[:-3]), "before the end of the case"),
    "a case given up": ("loop", forged_lines(ONE, lambda lines: [*lines[:-1], GIVEN_UP]), "HOST-22 is stated as pass"),
    "a case given up when it was over": (
        "loop",
        forged_lines(ONE, lambda lines: [*lines, GIVEN_UP]),
        "not a line that the suite writes",
    ),
    "a case given up before its end": (
        "loop",
        forged_lines(ONE, lambda lines: [*lines[:-1], GIVEN_UP, lines[-1]]),
        "not a line that the suite writes",
    ),
    "an answer out of shape": (
        "loop",
        forged(ONE, b'"tool":"read","params"', b'"tool":[],"params"'),
        "a valid tool/call",
    ),
    "nothing": ("loop", lambda files: rehashed({**files, ONE: b""}), "holds no line"),
    "a case fewer": ("loop", without_file(ONE), "there is no log of the case AL-01/one"),
    "a file fewer": (
        "loop",
        lambda files: {name: each for name, each in files.items() if name != ONE},
        "does not exist",
    ),
    "a file more": ("loop", lambda files: {**files, "records/AL-99-more.jsonl": b""}, "exists but is not listed"),
    "a file more in the list": ("loop", lambda files: rehashed({**files, "records/x.jsonl": b""}), "byte for byte"),
    "no text": ("loop", lambda files: {name: each for name, each in files.items() if name != TEXT}, "statement.md is"),
    "a claim": ("loop", forged(SYSTEM, b'    "persistHook",\n', b""), "does not play with these claims"),
    "a way to carry out calls": ("loop", forged(SYSTEM, b'    "parallel",\n', b""), "not the log of|does not give"),
    "strict": (
        "loop",
        forged(SYSTEM, b'"runOutcome"', b'"strict": true,\n  "runOutcome"'),
        "strict is stated as False",
    ),
    "a setting written otherwise": ("loop", forged(SYSTEM, b"{", b"{ "), "not as the suite writes"),
    "a setting that there is not": (
        "loop",
        forged(SYSTEM, b'"suite"', b'"suit": 1, "suite"'),
        "'suit' is not a member",
    ),
    "something that is lacking": (
        "loop",
        forged(SYSTEM, b'"runOutcome"', b'"lacks": ["time"], "runOutcome"'),
        "system",
    ),
    "a blank": ("loop", forged(ONE, b'{"kind":"event"', b'{"kind": "event"'), "not as the suite writes"),
    "another end of a line": ("loop", forged(ONE, b"\n", b"\r\n"), "not as the suite writes"),
    "a name twice": (
        "loop",
        forged(ONE, b'{"kind":"event",', b'{"kind":"probe","kind":"event",'),
        "line 2 is not a record",
    ),
    "no object": ("loop", forged(ONE, b'{"kind"', b"[]\n" + b'{"kind"'), "line 1 is not a record: it holds no object"),
    "no number": ("loop", forged(ONE, b'"isError":false', b'"isError":NaN'), "is not a record"),
    "half a character": ("loop", forged(ONE, b'"agent_start"', b'"\\ud800"'), "is not a record"),
    "depth": ("loop", forged(ONE, b'"agent_start"', b"[" * 5_000 + b"]" * 5_000), "nested deeper"),
    "a member more": (
        "loop",
        forged(ONE, b'"probe":"tool_called"', b'"probe":"tool_called","x":1'),
        "differs from what",
    ),
    "who permits": ("pipeline", forged(DENIED, b'"behavior":"deny"', b'"behavior":"allow"'), "differs from what"),
    "a permission": ("pipeline", forged_lines(ASKED, without("permission_answered")), "is not the log of PL-05/asked"),
    "a surface": ("pipeline", forged(ASKED, b'"surface_id":"s-1"', b'"surface_id":"s-2"'), "differs from what"),
    "an output": ("pipeline", forged(ASKED, b"this is what", b"this is that"), "differs from what"),
    "an abort that nobody asked for": (
        "pipeline",
        forged_lines(ASKED, lambda lines: [*lines, {"record": "probe", "probe": "abort_taken"}]),
        "reports an answer, but",
    ),
    "the end twice": ("pipeline", forged_lines(ASKED, twice("finished")), "the case was already over"),
    "what a provider answered": ("invocation", forged(WANTED, b"Swifts leave in July", b"Swifts stay"), "differs from"),
    "what the planner wants": ("invocation", forged(WANTED, b'"requested":true', b'"requested":false'), "line 1 is"),
    "no time": ("invocation", forged(WANTED, b'"tookMs":', b'"tookMs":-1'), "differs from what"),
    "words for a time": (
        "invocation",
        forged(WANTED, b'"tookMs":', b'"tookMs":"it conforms","x":'),
        "differs from what",
    ),
}


@pytest.mark.many
@pytest.mark.parametrize("change", TAMPERED)
def test_whatever_was_changed_is_found(made: Made, change: str, tmp_path: Path) -> None:
    """A byte, a verdict, a setting, a case, or whatever the suite did in a case, even if all hashes fit."""
    word, alter, says = TAMPERED[change]
    found = faults(alter(made[word][1]), tmp_path)
    assert any(each in found for each in says.split("|")), found


@pytest.mark.parametrize("word", SUITES)
def test_no_line_of_the_suite_may_say_anything_else(made: Made, word: str) -> None:
    """If a line of the suite in a log has one member more, the log is not one of the case."""
    suite, files = SUITES[word], made[word][1]
    claims = Claims(features=tuple(json.loads(files[STATED])["claims"]))
    for case in suite.cases:
        lines: Lines = [json.loads(line) for line in files[case_path(case)].splitlines()]
        refuse_another_log(suite, case, claims, lines)
        own = [at for at, line in enumerate(lines) if at == 0 or suite.heard(line) is None]
        for at in own:
            with pytest.raises(AnotherLog, match=f"line {at + 1} is"):
                refuse_another_log(suite, case, claims, [*lines[:at], {**lines[at], "remark": 1}, *lines[at + 1 :]])


@pytest.mark.parametrize("word", SUITES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_a_log_ends_no_judging(made: Made, word: str, data: st.DataObject) -> None:
    """A statement may come from anywhere: lines and members that are moved, lost or made up are found, or judged."""
    suite, files = SUITES[word], made[word][1]
    claims = Claims(features=tuple(json.loads(files[STATED])["claims"]))
    case = data.draw(st.sampled_from(suite.cases))
    lines: Lines = [json.loads(line) for line in files[case_path(case)].splitlines()]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        line = data.draw(st.sampled_from(lines))
        name = data.draw(st.sampled_from(sorted(line)))
        value = data.draw(st.sampled_from([None, True, -1, "", "call_1", [], [[]], {}, {"role": 1}, line[name]]))
        lines[at : at + data.draw(st.integers(0, 1))] = [{**line, name: value}]
    with suppress(AnotherLog):
        refuse_another_log(suite, case, claims, lines)


def test_a_flood_in_a_log_is_not_listened_to(made: Made, tmp_path: Path) -> None:
    """No suite takes so many messages in one case, and a log of them must not keep the verifier busy."""
    entered = b'{"kind":"probe","probe":"tool_aborted","toolCallId":"call_1"}\n'
    found = faults(rehashed({**made["loop"][1], ONE: made["loop"][1][ONE] + entered * 20_000}), tmp_path)
    assert "when the suite no longer listens" in found


def test_a_system_that_is_given_up_has_no_statement(tmp_path: Path) -> None:
    """Not all cases were run, and a part is not stated: the run says so, and leaves nothing behind."""
    judgement = judged("loop", f"stdio:{sys.executable} {BAD} silent", tmp_path / "proof", timeout=0.1)
    assert judgement.outcome is Outcome.ERROR
    assert "no statement was written: there is no log of the case AL-01/" in judgement.errors[-1]
    assert not (tmp_path / "proof").exists()


@pytest.mark.parametrize("chosen", [{"cases": ("AL-01",)}, {"select": ("HOST-01",)}, {"ignore": ("HOST-01",)}])
def test_a_part_states_nothing(chosen: dict[str, tuple[str, ...]], tmp_path: Path) -> None:
    """A part is refused before any case is played."""
    with pytest.raises(WrongUsage, match="statement=… covers all cases and every requirement, but --"):
        judged("loop", "stdio:no-such-program", tmp_path / "proof", **chosen)


def test_an_adapter_that_fails_states_nothing(tmp_path: Path) -> None:
    """The error is told once, and no statement is written."""
    judgement = judged("loop", "stdio:no-such-program-anywhere", tmp_path / "proof")
    assert (judgement.outcome, len(judgement.errors)) == (Outcome.ERROR, 1)
    assert not (tmp_path / "proof").exists()


def test_a_run_that_was_interrupted_states_nothing_and_says_why_once(made: Made, tmp_path: Path) -> None:
    """The run has no second error for its missing statement."""
    interrupted = replace(made["loop"][0], errors=("interrupted after 3 cases",), interrupted=True)
    assert interrupted.outcome is Outcome.INTERRUPTED
    assert Stating(SUITES["loop"], (tmp_path / "proof",)).stated(interrupted) == interrupted
    assert not (tmp_path / "proof").exists()


def test_a_statement_that_cannot_be_written_is_an_error_of_the_run(made: Made, tmp_path: Path) -> None:
    """All other output of the run is kept."""
    judgement, files = made["loop"]
    (tmp_path / "full.zip").symlink_to("/dev/full")
    stating = Stating(SUITES["loop"], (tmp_path / "full.zip",))
    stating._records.update({path: each for path, each in files.items() if path not in {STATED, TEXT, SYSTEM}})
    assert "no statement was written: No space left on device, in" in stating.stated(judgement).errors[-1]


def test_a_link_in_a_statement_is_not_followed(made: Made, tmp_path: Path) -> None:
    """This holds whatever the target of the link is."""
    write_files(made["invocation"][1], tmp_path / "proof")
    (tmp_path / "proof" / WANTED).unlink()
    (tmp_path / "proof" / WANTED).symlink_to("/etc/hostname")
    with pytest.raises(NotVerified, match="cannot be read"):
        verified(tmp_path / "proof")
