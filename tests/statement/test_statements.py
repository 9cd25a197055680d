"""Conformance statements: a run can be restored from its lines, and every change is found."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callproof.adapters.deadlines import Deadlines
from callproof.commands.verify import NotVerified, verified
from callproof.judge.baseline import Entry as Known
from callproof.judge.baseline import Failure
from callproof.live.folders import scratch
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.replay.codec import Misfit
from callproof.schema.validator import shape_validator
from callproof.statement import executors
from callproof.statement.executors import case_text, runs_in, statement_files
from callproof.statement.matter import STATEMENT, Files, NoStatement, System, this_suite
from callproof.statement.records import lines_of, run_of
from callproof.statement.same_case import AnotherCase, refuse_another_case
from callproof.statement.store import Unreadable, read_files, write_files
from callproof.trace.run import Run
from callproof.trace.witnesses import Entry, World
from callproof.values.jsontext import read_json
from callproof.values.jsonvalue import is_object
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

# Together the chosen scenarios give every kind of line: a folder, invocations, aborts, acts, and runs in company.
CHOSEN = tuple(each for each in SCENARIOS if each.id in {"SC-10", "SC-18", "SC-30"})


@pytest.fixture(scope="module")
def ran() -> tuple[System, dict[str, list[CaseOutcome]]]:
    """The reference in some scenarios: what it said of itself, and the outcomes of each case."""
    found: dict[str, list[CaseOutcome]] = {}
    runs = Runs(
        "python:callproof_reference.wire:serve",
        Deadlines(),
        on_case=lambda scenario, outcome: found.setdefault(scenario.id, []).append(outcome),
    )
    for scenario in CHOSEN:
        assert runs.judged(scenario).errors == ()
    system = System(this_suite(), str(runs.implementation), tuple(sorted(runs.claims)))
    assert runs.close() is None
    return system, found


@pytest.fixture(autouse=True)
def _a_small_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement tells of the whole suite, which is a small one in these tests."""
    monkeypatch.setattr(executors, "SCENARIOS", CHOSEN)


@pytest.fixture(scope="module")
def made() -> list[Files]:
    """The place in which the first statement is kept, because making one judges every case."""
    return []


@pytest.fixture
def files(ran: tuple[System, dict[str, list[CaseOutcome]]], made: list[Files]) -> Files:
    """The files of a statement."""
    system, found = ran
    if not made:
        texts = {name: "".join(map(case_text, outcomes)) for name, outcomes in found.items()}
        made.append(statement_files(system, texts))
    return dict(made[0])


def back(run: Run) -> Run:
    """A run after it was written as lines of text and read back."""
    read = (read_json(json.dumps(line).encode()) for line in lines_of(run))
    return run_of(line for line in read if is_object(line))


@pytest.mark.many
def test_a_statement_with_known_failures_is_worked_out_again(
    ran: tuple[System, dict[str, list[CaseOutcome]]], tmp_path: Path
) -> None:
    """The entries of the baseline are part of the records from which a statement is verified."""
    system, found = ran
    entry = Known(Failure("RES-05", "SC-18", "the result of … had ok true"), "issue 12", "anna", "2027-01-31")
    listed = replace(system, known=(entry,))
    files = statement_files(listed, {name: "".join(map(case_text, outcomes)) for name, outcomes in found.items()})
    write_files(files, tmp_path / "proof")
    assert verified(tmp_path / "proof").faults == ()
    assert json.loads(files[STATEMENT])["outcome"] == "stale baseline"


def test_what_is_known_to_fail_without_a_reason_is_not_stated(
    ran: tuple[System, dict[str, list[CaseOutcome]]],
) -> None:
    """People write the reasons: a baseline that was just updated has none yet."""
    system, found = ran
    listed = replace(system, known=(Known(Failure("RES-05", "SC-18", "the result of … had ok true"), " "),))
    with pytest.raises(NoStatement, match="RES-05 in SC-18 is a known failure without a reason"):
        statement_files(listed, {name: "".join(map(case_text, outcomes)) for name, outcomes in found.items()})


def test_nobody_lacks_what_no_case_needs(ran: tuple[System, dict[str, list[CaseOutcome]]]) -> None:
    """Otherwise a statement could excuse itself from anything it likes."""
    with pytest.raises(NoStatement, match="lists under lacks what no case needs: time"):
        statement_files(replace(ran[0], lacks=("time",)), {})


@pytest.mark.parametrize("end", ["died", "garbled"])
def test_of_a_case_that_ends_the_system_its_own_run_is_all_that_there_is(
    ran: tuple[System, dict[str, list[CaseOutcome]]], end: str
) -> None:
    """Neither its company nor its log exists (A78); and only a case that tempts a system to die may be recorded so."""
    outcome = next(each for each in ran[1]["SC-30"] if each.run is not None and each.run.siblings)
    assert outcome.run is not None
    assert outcome.run.witnessed is not None
    deadly, claims = replace(outcome.case, death_proves=("VAL-12",)), ran[0].features
    facts = {**deadly.facts, end: ["VAL-12"]}
    alone = replace(outcome.run, siblings=(), audit=None, witnessed=replace(outcome.run.witnessed, expectations=facts))
    refuse_another_case(deadly, alone, claims)
    for case, run in ((outcome.case, alone), (deadly, replace(alone, audit=outcome.run.audit))):
        with pytest.raises(AnotherCase):
            refuse_another_case(case, run, claims)


@pytest.mark.many
def test_cases_may_stand_in_any_order(ran: tuple[System, dict[str, list[CaseOutcome]]], tmp_path: Path) -> None:
    """A run may shuffle the cases (``--seed``)."""
    system, found = ran
    files = statement_files(system, {name: "".join(map(case_text, reversed(each))) for name, each in found.items()})
    write_files(files, tmp_path / "proof")
    assert verified(tmp_path / "proof").faults == ()


def test_a_run_comes_back_whole(ran: tuple[System, dict[str, list[CaseOutcome]]]) -> None:
    """Records, invocations, acts, the folder, the log and the runs beside it: a check sees no difference."""
    for outcomes in ran[1].values():
        for outcome in outcomes:
            if outcome.run is not None:
                assert back(outcome.run) == outcome.run


def test_names_of_files_that_are_no_text_come_back(ran: tuple[System, dict[str, list[CaseOutcome]]]) -> None:
    """A name is bytes, and so is the target of a link."""
    run = next(each.run for each in ran[1]["SC-18"] if each.run is not None)
    assert run.witnessed is not None
    tree = {"caf\udce9 100%/\u00e9\n": Entry("link", "..\udcff%20", 7)}
    odd = replace(run, witnessed=replace(run.witnessed, world=World(tree, {}, tree, {}, tree)))
    assert back(odd) == odd


@pytest.mark.parametrize("held", ["\ud800", float("inf"), float("-inf"), float("nan")])
def test_what_no_document_can_hold_comes_back(
    ran: tuple[System, dict[str, list[CaseOutcome]]], held: str | float
) -> None:
    """A witness tool may answer a lone surrogate, or a number that JSON does not have (RES-22)."""
    outcome = ran[1]["SC-18"][0]
    assert outcome.run is not None
    assert outcome.run.witnessed is not None
    first = next(each for each in outcome.run.witnessed.deeds if each.answer is not None)
    assert first.answer is not None
    answer = replace(first.answer, output={"a": held})
    odd = replace(outcome.run, witnessed=replace(outcome.run.witnessed, deeds=(replace(first, answer=answer),)))
    text = case_text(replace(outcome, run=odd)).encode("ascii")
    (again,) = runs_in("x", text).values()
    assert repr(again) == repr(odd)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [{"record": {}}],
        [{"run": {}, "log": {}}],
        [{"run": {"name": "x"}}, {"deed": {}}],
        [{"run": {"name": "x"}}, {"x": 1}],
    ],
)
def test_lines_that_are_no_run_are_refused(lines: list[dict[str, object]]) -> None:
    """A statement may come from anywhere."""
    with pytest.raises(Misfit):
        run_of(lines)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["proof", "proof.zip"])
def test_a_statement_verifies(files: Files, tmp_path: Path, name: str) -> None:
    """It verifies as a folder and as a zip file, and it has the shape of the specification."""
    write_files(files, tmp_path / name)
    found = verified(tmp_path / name)
    assert found.faults == ()
    assert found.outcome == "conforms"
    assert shape_validator("statement").errors(read_json(files["statement.json"])) == ()


def test_the_same_records_are_the_same_bytes(
    files: Files, ran: tuple[System, dict[str, list[CaseOutcome]]], tmp_path: Path
) -> None:
    """No part of a statement tells when it was made, not even in a zip file."""
    for name in ("one.zip", "two.zip"):
        write_files(files, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def changed(files: Files, path: str, old: bytes, new: bytes) -> Files:
    """The files with the first occurrence of some bytes in one of them replaced."""
    assert old in files[path]
    return {**files, path: files[path].replace(old, new, 1)}


def rehashed(files: Files) -> Files:
    """The files as a forger who knows hashes would leave them: the hashes in the statement fit again."""
    statement = json.loads(files["statement.json"])
    for each in statement["files"]:
        content = files[each["path"]]
        each.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
    return {**files, "statement.json": (json.dumps(statement, indent=2) + "\n").encode()}


def altered(path: str, old: bytes, new: bytes) -> Callable[[Files], Files]:
    """A change at one place."""
    return lambda files: changed(files, path, old, new)


def forged(path: str, old: bytes, new: bytes) -> Callable[[Files], Files]:
    """A change at one place, with hashes that fit."""
    return lambda files: rehashed(changed(files, path, old, new))


def without(path: str) -> Callable[[Files], Files]:
    """A change that removes one file."""
    return lambda files: {name: content for name, content in files.items() if name != path}


Lines = list[dict[str, Any]]


def forged_lines(path: str, change: Callable[[Lines], Lines]) -> Callable[[Files], Files]:
    """A change to the lines of one file of records, with hashes that fit."""

    def alter(files: Files) -> Files:
        lines = change([json.loads(line) for line in files[path].splitlines()])
        text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
        return rehashed({**files, path: text.encode()})

    return alter


def part(lines: Lines, word: str) -> tuple[int, int]:
    """The places at which the first run, sibling or log begins, and at which the next such part begins."""
    first = next(place for place, line in enumerate(lines) if word in line)
    rest = range(first + 1, len(lines))
    return first, next((each for each in rest if {"case", "run", "sibling", "log"} & set(lines[each])), len(lines))


def without_the(word: str) -> Callable[[Lines], Lines]:
    """A change of lines that removes the first part of a kind."""
    return lambda lines: [*lines[: part(lines, word)[0]], *lines[part(lines, word)[1] :]]


def twice_the(word: str) -> Callable[[Lines], Lines]:
    """A change of lines that doubles the first part of a kind."""
    return lambda lines: [*lines[: part(lines, word)[1]], *lines[part(lines, word)[0] :]]


def companion_first(lines: Lines) -> Lines:
    """The lines with the records of another run of the case in place of its own."""
    other, end = part(lines, "sibling")
    own = max(place for place, line in enumerate(lines[:other]) if "run" in line)
    return [*lines[:own], {"run": lines[other]["sibling"]}, *lines[other + 1 : end], *lines[other:]]


def with_run(**members: object) -> Callable[[Lines], Lines]:
    """The first run with some members changed; a value of None removes the member."""

    def change(lines: Lines) -> Lines:
        place, _ = part(lines, "run")
        head = {**lines[place]["run"], **members}
        return [*lines[:place], {"run": {n: v for n, v in head.items() if v is not None}}, *lines[place + 1 :]]

    return change


def with_seen(**members: object) -> Callable[[Lines], Lines]:
    """The first run with changes in what the suite saw of it."""
    return lambda lines: with_run(witnessed={**lines[part(lines, "run")[0]]["run"]["witnessed"], **members})(lines)


def without_the_last_look(lines: Lines) -> Lines:
    """The first run without the view of the folder at the moment of its end."""
    world = lines[part(lines, "run")[0]]["run"]["world"]
    return with_run(world={name: tree for name, tree in world.items() if name != "at_the_end"})(lines)


def without_events(lines: Lines) -> Lines:
    """The first run as if the system had told no events."""
    first, end = part(lines, "run")
    kept = [line for line in lines[first:end] if line.get("record", {}).get("kind") != "event"]
    return with_run(events=False)([*lines[:first], *kept, *lines[end:]])


def killed(lines: Lines) -> Lines:
    """The first run as if the suite had killed it, since a killed run may lack much."""
    place, _ = part(lines, "act")
    return [*lines[: place + 1], {"act": {"kind": "kill", "atMs": 0, "arrival": 2}}, *lines[place + 1 :]]


def named_twice(lines: Lines) -> Lines:
    """The lines with a member twice in a record, so that two readers may see different values."""
    place, _ = part(lines, "record")
    return [*lines[:place], {"text": '{"record":{},' + json.dumps(lines[place])[1:]}, *lines[place + 1 :]]


def too_deep(lines: Lines) -> Lines:
    """The lines with a record nested too deeply for any decoder of the standard library."""
    place, _ = part(lines, "record")
    return [*lines[:place], {"text": '{"record":' + "[" * 2_000 + "]" * 2_000 + "}"}, *lines[place + 1 :]]


def sorted_lines(lines: Lines) -> Lines:
    """The lines with the records of the first run in another order than on the wire."""
    first, end = part(lines, "run")
    return [*lines[: first + 1], *sorted(lines[first + 1 : end], key=json.dumps), *lines[end:]]


STATED, SYSTEM = "statement.json", "records/system.json"
ONE, TWO = "records/SC-18.jsonl", "records/SC-30.jsonl"
TAMPERED: dict[str, tuple[Callable[[Files], Files], str]] = {
    "a verdict": (altered(STATED, b'"verdict": "pass"', b'"verdict": "fail"'), "is stated as fail"),
    "a count": (altered(STATED, b'"exercised": ', b'"exercised": 1'), "is stated as pass"),
    "the outcome": (altered(STATED, b'"conforms"', b'"not proven"'), "outcome is stated"),
    "the name": (altered(STATED, b"callproof-reference", b"callproof-excellent"), "system is stated"),
    "a space": (altered(STATED, b'": "', b'":  "'), "byte for byte"),
    "the text": (altered("statement.md", b"pass", b"Pass"), "statement.md is not"),
    "a byte of a record": (altered(ONE, b"ok", b"oK"), "has other bytes"),
    "a record, with its hash": (forged(ONE, b'"status":"ok"', b'"status":"error"'), "is stated as pass"),
    "a plan, with its hash": (forged(ONE, b'"plan":{', b'"plan":{"x":1,'), "not those that the suite gives"),
    "a claim, with its hash": (forged(SYSTEM, b'    "retry",\n', b""), "does not run with these claims|records give"),
    "a run of a case fewer": (forged_lines(TWO, without_the("sibling")), "but the case has"),
    "a run of a case twice": (forged_lines(TWO, twice_the("sibling")), "but the case has"),
    "a run in the place of another": (forged_lines(TWO, companion_first), "but the case has"),
    "nothing that the suite saw": (forged_lines(ONE, with_run(witnessed=None)), "what the suite saw is missing"),
    "a log fewer": (forged_lines(ONE, without_the("log")), "its log is missing"),
    "a look at the folder fewer": (forged_lines(ONE, with_run(world=None)), "a snapshot of the folder is missing"),
    "the last look fewer": (forged_lines(ONE, without_the_last_look), "a snapshot of the folder is missing"),
    "no events": (forged_lines(ONE, without_events), "its events are missing"),
    "another clock": (forged(ONE, b'"virtualClock":true', b'"virtualClock":false'), "its clock is not"),
    "no secrets": (forged_lines(ONE, with_seen(canaries=[])), "secrets are not those"),
    "a fact more": (forged(ONE, b'"refused":false', b'"refused":false,"fileBytes":1'), "what the case expects"),
    "an act more": (forged_lines(ONE, killed), "acts of the suite are not"),
    "a case twice": (forged_lines(ONE, lambda lines: [*lines, *lines]), "not as the suite writes"),
    "a member that nobody reads": (forged_lines(ONE, with_run(remark="well done")), "not as the suite writes"),
    "a name twice in a line": (forged_lines(ONE, named_twice), "not as the suite writes"),
    "another order of lines": (forged_lines(ONE, sorted_lines), "not as the suite writes"),
    "a line that is too deep": (forged_lines(ONE, too_deep), "nested deeper"),
    "a setting written otherwise": (forged(SYSTEM, b"{", b"{ "), "not as the suite writes"),
    "something that is lacking": (forged(SYSTEM, b'"features"', b'"lacks": ["time"],\n  "features"'), "system.json"),
    "a case fewer": (lambda files: {**files, ONE: b""}, "has no records of the case"),
    "a file fewer": (without("records/SC-10.jsonl"), "does not exist"),
    "a file more": (lambda files: {**files, "records/more.jsonl": b""}, "is not listed"),
    "no text": (without("statement.md"), "statement.md is not"),
    "no record": (altered("records/SC-10.jsonl", b"{", b"["), "is not a record"),
}


@pytest.mark.many
@pytest.mark.parametrize("change", TAMPERED)
def test_whatever_was_changed_is_found(files: Files, change: str, tmp_path: Path) -> None:
    """A byte, a verdict, or a record with all its hashes: the records do not give the stated result."""
    alter, says = TAMPERED[change]
    write_files(alter(files), tmp_path / "proof")
    faults = "\n".join(verified(tmp_path / "proof").faults)
    assert any(each in faults for each in says.split("|")), faults


def test_the_first_line_that_is_written_otherwise_is_named(files: Files, tmp_path: Path) -> None:
    """The author of the records looks there first; if all lines are right, the first surplus line is named."""
    lines = files[ONE].splitlines(keepends=True)
    spaced = b"".join([*lines[:2], lines[2].replace(b'":', b'": ', 1), *lines[3:]])
    for records, number in ((spaced, 3), (files[ONE] * 2, len(lines) + 1)):
        write_files(rehashed({**files, ONE: records}), tmp_path / str(number))
        told = f"{ONE}, line {number} is not as the suite writes it"
        assert any(told in each for each in verified(tmp_path / str(number)).faults)


@pytest.mark.parametrize(
    ("records", "says"),
    [
        (b"7\n", "records/SC-10.jsonl has a line that is not a record: it holds no object"),
        (b'{"text":"7"}\n', "records/SC-10.jsonl has a line that is not a record: it holds no object"),
        (b'{"text":"run"}\n', "records/SC-10.jsonl has a line that is not a record: it holds text that is not a line"),
        (b'{"case":"SC-10/a"}\n{"run":7}\n', "records/SC-10.jsonl, case SC-10/a: "),
    ],
)
def test_records_that_cannot_be_read_say_which_and_why(records: bytes, says: str) -> None:
    """A statement may come from anybody, so it may hold any bytes."""
    with pytest.raises(NoStatement, match=f"^{re.escape(says)}"):
        runs_in("records/SC-10.jsonl", records)


NO_STATEMENTS: list[tuple[str, Files]] = [
    ("statement.json does not exist; expected what", {"x": b""}),
    ("is not a statement", {"statement.json": b"{}"}),
    ("is not a statement", {"statement.json": b"["}),
]


@pytest.mark.parametrize(("says", "given"), NO_STATEMENTS)
def test_what_is_no_statement_is_refused(says: str, given: Files, tmp_path: Path) -> None:
    """No statement could be judged, which is neither a pass nor a fault."""
    write_files(given, tmp_path / "proof")
    with pytest.raises(NotVerified, match=says):
        verified(tmp_path / "proof")


def test_another_version_of_the_suite_is_named(files: Files, tmp_path: Path) -> None:
    """Laws and cases differ between versions, so only the same version can verify a statement."""
    write_files(changed(files, "statement.json", this_suite().encode(), b"callproof 9.9"), tmp_path / "proof")
    with pytest.raises(NotVerified, match=r"made by callproof 9\.9"):
        verified(tmp_path / "proof")


def test_a_path_that_holds_nothing_to_read_is_told(tmp_path: Path) -> None:
    """There is no such path, or a file that is no zip file, or a link in the folder."""
    (tmp_path / "text.zip").write_text("no zip")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "statement.json").symlink_to("/etc/hostname")
    for name in ("nowhere", "text.zip", "linked"):
        with pytest.raises(Unreadable):
            read_files(tmp_path / name)


def test_a_folder_may_be_deeper_than_the_stack() -> None:
    """All files in it are found."""
    with scratch() as folder:
        deep = folder
        for _ in range(1_200):
            deep += "/a"
            os.mkdir(deep)
        Path(deep, "b").write_bytes(b"c")
        assert read_files(Path(folder)) == {f"{'a/' * 1_200}b": b"c"}


def test_a_pipe_is_not_waited_for_and_a_link_is_followed(tmp_path: Path) -> None:
    """An archive must be a regular file, but its name may be a link."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="is a named pipe, not a regular file"):
        read_files(tmp_path / "pipe")
    write_files({"a": b"b"}, tmp_path / "proof.zip")
    (tmp_path / "link").symlink_to(tmp_path / "proof.zip")
    assert read_files(tmp_path / "link") == {"a": b"b"}


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip file of a few bytes can hold more than the memory can."""
    monkeypatch.setattr("callproof.limits.STATEMENT_BYTES", 1_000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("statement.json", b" " * 1_000_000)
    with pytest.raises(Unreadable, match="larger than"):
        read_files(tmp_path / "bomb.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("second", ["statement.md", "./statement.md", "statement.md/"])
def test_an_archive_that_holds_a_file_twice_is_not_read(tmp_path: Path, second: str) -> None:
    """Programs differ in which of the two they unpack: one could be verified, and the other one read."""
    with zipfile.ZipFile(tmp_path / "proof.zip", "w") as archive:
        archive.writestr("statement.md", "It was broken.")
        archive.writestr(second, "It conforms.")
    with pytest.raises(Unreadable, match=r"holds 'statement\.md' twice"):
        read_files(tmp_path / "proof.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(wrong=st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=4), kept=st.integers(0, 400))
def test_an_archive_with_wrong_bytes_is_unreadable_or_read(
    tmp_path: Path, method: int, wrong: list[tuple[int, int]], kept: int
) -> None:
    """A statement may come from anywhere, and its reader must not raise any other exception."""
    file = tmp_path / "proof.zip"
    with zipfile.ZipFile(file, "w", method) as archive:
        for name in ("statement.json", "runs/\u00fc.jsonl"):
            archive.writestr(name, "{}" * 40)
    raw = bytearray(file.read_bytes())
    for place, byte in wrong:
        raw[place % len(raw)] = byte
    file.write_bytes(raw[: len(raw) - kept] if kept < 40 else raw)
    with suppress(Unreadable):
        assert all(isinstance(each, bytes) for each in read_files(file).values())


@pytest.mark.parametrize("name", ["proof", "proof.zip"])
def test_a_statement_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    """Half of a statement could be taken for a whole one, and a folder that is not empty is refused the next time."""
    files = {"runs/a.json": b"{}", "statement.json": b"{}"}
    if name == "proof":
        files["x" * 300] = b"longer than a name may be"
    else:
        (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"No space left|too long"):
        write_files(files, tmp_path / name)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["proof", "proof.zip"])
def test_an_older_statement_that_cannot_be_written_over_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Nothing of it was touched, so it is as good as it was."""

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    files = {"statement.json": b"{}"}
    write_files(files, tmp_path / name)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refused)
        with pytest.raises(PermissionError):
            write_files({"statement.json": b"other"}, tmp_path / name)
    assert read_files(tmp_path / name) == files
