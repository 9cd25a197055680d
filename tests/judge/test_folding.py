"""Which findings follow from which, shown with the broken logs of the specification's examples."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from callproof.auditlog.reader import read_run
from callproof.checks.check import Finding, witness
from callproof.checks.matters import Matter
from callproof.judge.consequences import CONSEQUENCES
from callproof.judge.folding import folded
from callproof.judge.judging import Located, Result, Results, judge
from callproof.judge.verdicts import Verdict
from callproof.spec.blocks import Example
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import examples_of
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Answer, AnswerKind, Deed, Entry
from callproof.values.canonical import canonical
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, live, patched, run_record_patched
from live_runs import witnessed, world
from log_edits import BASES, Edit, apply, copy_of

REQUIREMENTS = specification().requirements
EXAMPLES = {each.name: each for requirement in REQUIREMENTS.values() for each in examples_of(requirement)}
# One line that breaks two laws, neither of which explains the other: somebody put a wrong value there, and the policy
# wrongly passed or denied it.
TWOFOLD = {
    "a-path-outside-the-roots",
    "a-folder-whose-name-begins-like-the-root",
    "a-detour-through-the-parent",
    "an-absolute-path",
    "a-uri-for-a-path",
    "a-denied-folder-was-read",
    "two-dots-inside-a-name",
    "only-the-first-iteration-was-judged",
}
# The most records that prove one finding: a call, the plan, and the results from which its arguments were made.
MOST_RECORDS = 5


def broken(example: Example, folder: Path) -> Path:
    """The log of an example, with its line in the form that breaks the law."""
    copy_of(example.base, folder)
    if example.conforms is not None and not isinstance(example.violates, str):
        apply(Edit(example.line, example.conforms), folder)
    apply(Edit(example.line, example.violates), folder)
    return folder


def judged(folder: Path) -> tuple[Results, Results]:
    """The results of a log before and after folding."""
    run = read_run(folder)
    results = judge(run)
    return results, folded(run, results)


def found(results: Results) -> list[tuple[str, Located]]:
    """Every finding with its requirement."""
    return [(name, each) for name, result in results.items() for each in result.findings]


def roots(results: Results) -> list[str]:
    """The requirements of the findings that follow from no other finding."""
    return [name for name, each in found(results) if each.root is None]


@pytest.mark.many
@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_one_broken_line_has_one_root_proved_by_few_records(example: Example, tmp_path: Path) -> None:
    """
    However many laws a line breaks, one finding explains the others; for the lines in TWOFOLD there are two.

    A root is in the same report and follows from nothing itself.  No finding is lost.  Each is proved by records that
    exist, and by no more of them than a reader takes in at once.
    """
    results, after = judged(broken(example, tmp_path / "log"))
    assert len(roots(after)) == (2 if example.name in TWOFOLD else 1), roots(after)
    before = [(name, each.finding) for name, each in found(results)]
    assert before == [(name, each.finding) for name, each in found(after)]
    known = {(name, each.finding.witness[0].source) for name, each in found(after) if each.root is None}
    for name, each in found(after):
        assert each.root is None or (each.root.requirement, each.root.source) in known
        assert each.root is None or each.root.because in {row.because for row in CONSEQUENCES if name in row.laws}
        assert 1 <= len(each.finding.witness) <= MOST_RECORDS
        assert len({witness.name for witness in each.finding.witness}) == len(each.finding.witness)
        assert all((tmp_path / "log" / witness.source.file).exists() for witness in each.finding.witness)


def test_a_wrong_argument_is_proved_by_its_call_the_plan_and_the_results_that_it_was_made_of(tmp_path: Path) -> None:
    """A reader who doubts the finding has to look at these lines only."""
    run = read_run(broken(EXAMPLES["a-count-that-became-text"], tmp_path / "log"))
    (located,) = judge(run)["REF-11"].findings
    assert [str(each.source) for each in located.finding.witness] == ["calls.jsonl:3", "run.json:1", "results.jsonl:2"]


def matters_of(law: str) -> set[Matter | None]:
    """The matters of a law that the table distinguishes, and None for all its other matters."""
    following = (each for row in CONSEQUENCES if law in row.laws for each in row.only)
    explaining = (each for row in CONSEQUENCES if law in row.roots for each in row.when)
    return {None, *following, *explaining}


def test_nothing_follows_from_itself_in_a_circle() -> None:
    """The table has no circle, so every search for a root ends."""
    above: dict[tuple[str, Matter | None], set[tuple[str, Matter | None]]] = {}
    for row in CONSEQUENCES:
        roots = {(root, matter) for root in row.roots for matter in row.when or matters_of(root)}
        for law in row.laws:
            for matter in row.only or matters_of(law):
                above.setdefault((law, matter), set()).update(roots)
    settled: set[tuple[str, Matter | None]] = set()
    while above:
        ends = {law for law, roots in above.items() if roots - settled <= roots - set(above)}
        assert ends, f"a circle among {sorted(map(str, above))}"
        settled |= ends
        above = {law: roots for law, roots in above.items() if law not in ends}


@pytest.mark.parametrize("entered", [0, 1])
def test_of_findings_that_lead_back_to_each_other_the_first_follows_from_none(entered: int) -> None:
    """
    The table cannot exclude that in some log two findings of one law explain each other; the search must still end.

    The first finding of the circle is the root, whichever of the two a finding outside the circle leads to.
    """
    run = base("linear")
    one, other, third = (witness(f"A{number}", each) for number, each in enumerate(run.calls, 1))
    circle = (one, other)
    pairs = ((third, circle[entered]), (one, other), (other, one))
    told = [Located(run.name, Finding("an attempt had other args", "those before it", each)) for each in pairs]
    before = {"RETRY-09": Result(REQUIREMENTS["RETRY-09"], Verdict.FAIL, tuple(told), 3)}
    by = [each.root.source if each.root else None for each in folded(run, before)["RETRY-09"].findings]
    assert by == [run.calls[0].source, None, run.calls[0].source]


def pair(
    run: Run,
    root: str,
    law: str,
    proofs: tuple[Iterable[Record], Iterable[Record | Deed]],
    matter: Matter | None = None,
) -> list[str | None]:
    """The laws from which a finding of each of two laws follows, if these records of a run prove the findings."""
    told: dict[str, Result] = {}
    for name, records in zip((root, law), proofs):
        proof = tuple(witness(f"A{number}", each) for number, each in enumerate(records, 1))
        finding = Located(run.name, Finding("it was", "another", proof, matter=matter))
        told[name] = Result(REQUIREMENTS[name], Verdict.FAIL, (finding,), 3)
    after = folded(run, told)
    return [each.root.requirement if each.root else None for name in (root, law) for each in after[name].findings]


@pytest.mark.parametrize(("root", "law"), [("HASH-04", "HASH-07"), ("TIME-06", "EVT-10"), ("CALL-02", "RES-02")])
def test_what_is_of_the_whole_run_makes_no_two_findings_one(root: str, law: str) -> None:
    """Many proofs contain the run record, and events without a call or a step; these do not connect two findings."""
    run = base("linear")
    assert run.run_record is not None
    (first,), (last,) = run.events_of("run.started"), run.events_of("run.finished")
    one, other = (run.run_record, run.calls[0], first), (run.run_record, run.calls[1], last)
    assert pair(run, root, law, (one, other)) == [None, None]
    assert pair(run, root, law, (one, one)) == [None, root]


def test_an_event_of_no_known_type_is_one_of_the_run_where_it_names_no_call() -> None:
    """EVT-01, EVT-03: an event of an unknown type may be the missing start of the run, but not if it names a call."""
    run = base("linear")
    (last,) = run.events_of("run.finished")
    explains = {each.text("type"): pair(run, "EVT-01", "EVT-03", ([each], [last]))[1] for each in run.events or ()}
    assert explains["run.started"] == "EVT-01"
    assert explains["step.started"] is None


def test_a_result_that_is_missing_may_be_of_any_file() -> None:
    """RES-01, EFF-05: a call without a result may have changed any file; another result says which files it changed."""
    run = base("interrupted")
    answered = {each.call_id for each in run.results}
    explains = {each.call_id: pair(run, "RES-01", "EFF-05", ([each], [run.calls[0]]))[1] for each in run.calls}
    assert {name for name, root in explains.items() if root is None} == answered
    assert answered < explains.keys()


def test_a_change_is_told_in_another_place_where_it_is_of_the_same_path() -> None:
    """TIME-06, EFF-05: only the path counts, whatever other records prove that a result stands in a wrong place."""
    run = base("effects")
    writes, again, deletes = run.results[2], run.results[3], run.results[7]
    assert pair(run, "TIME-06", "EFF-05", ([run.calls[2], writes], [again])) == [None, "TIME-06"]
    assert pair(run, "TIME-06", "EFF-05", ([run.calls[2], writes], [deletes])) == [None, None]


@pytest.mark.parametrize(
    ("deleted", "explains"),
    [("A/B/C/d.md", True), ("A/B/C", True), ("A/B", True), ("A", True), ("A/B/C/d", False)],
)
def test_a_change_of_a_folder_is_one_of_what_lies_in_it_at_any_depth(deleted: str, explains: bool) -> None:
    """TIME-06, EFF-05: every folder above a path counts, and nothing else that its name begins with."""
    effects = {"deleted": [{"path": deleted, "kind": "folder", "trashed": True}]}
    run = patched(base("effects"), "results", 2, {"effects": {"created": None, "modified": None, **effects}})
    made = {"created": [{"path": "A/B/C/d.md", "kind": "file"}]}
    run = patched(run, "results", 3, {"effects": {"modified": None, **made}})
    told = pair(run, "TIME-06", "EFF-05", ([run.calls[2], run.results[2]], [run.results[3]]))
    assert told == [None, "TIME-06" if explains else None]


def test_a_call_that_began_too_early_explains_no_other_call_of_its_step() -> None:
    """REF-22, DEP-01: each iteration has a start of its own."""
    run = base("foreach")
    one, other = next((one, other) for one, other in pairwise(run.calls) if one.step_id == other.step_id)
    assert pair(run, "REF-22", "DEP-01", ([one], [one])) == [None, "REF-22"]
    assert pair(run, "REF-22", "DEP-01", ([one], [other])) == [None, None]


@pytest.mark.parametrize(
    ("root", "records", "patch"),
    [
        ("RES-03", "calls", {"stepId": "s1"}),
        ("RES-20", "results", {"callId": "c1"}),
    ],
)
def test_a_record_under_another_name_explains_later_steps_where_all_other_records_show_its_own(
    root: str, records: str, patch: dict[str, Json]
) -> None:
    """DEP-02: the third step depends on the second, whose call or result has the name of the first."""
    run = base("linear")
    mixed = patched(run, records, 1, patch)
    told = [
        pair(each, root, "DEP-02", ([each.calls[1], each.results[1]], [each.calls[2]]), Matter.STEP_ID)
        for each in (mixed, run)
    ]
    assert told == [[None, root], [None, None]]


SAME_RECORD = [
    ("RES-21", "RETRY-11"),
    ("RES-21", "RETRY-12"),
    ("EFF-10", "TIME-05"),
    ("EFF-10", "CANC-04"),
    ("EFF-12", "EFF-02"),
    ("EFF-12", "EFF-03"),
    ("CALL-07", "CALL-20"),
    ("ERR-10", "POL-01"),
    ("ERR-10", "POL-02"),
    ("ERR-10", "POL-04"),
    ("TIME-13", "DEP-06"),
    ("CANC-10", "EVT-05"),
    ("CANC-10", "EVT-20"),
    ("EVT-05", "EVT-20"),
]


@pytest.mark.parametrize(("root", "law"), SAME_RECORD)
def test_what_one_record_breaks_besides_is_its_consequence(root: str, law: str) -> None:
    """Two laws on the same record have one fault; on two records they have two."""
    run = base("linear")
    one, other = run.results[:2]
    assert pair(run, root, law, ([one], [one])) == [None, root]
    assert pair(run, root, law, ([one], [other])) == [None, None]


@pytest.mark.parametrize("law", ["ERR-01", "ERR-02", "ERR-03", "ERR-06", "ERR-09", "POL-14", "TIME-04"])
def test_what_is_of_two_calls_with_one_name_belongs_to_neither_for_sure(law: str) -> None:
    """CALL-02: an answer, a denial or an abort of the one looks like the other's."""
    deed = deed_of(base("linear").calls[0])
    run = live(base("linear"), (deed,))
    assert pair(run, "CALL-02", law, ([run.calls[0]], [deed])) == [None, "CALL-02"]
    assert pair(run, "CALL-02", law, ([run.calls[1]], [deed])) == [None, None]


@pytest.mark.parametrize(
    ("root", "law", "matter"),
    [
        ("CALL-04", "LOG-13", Matter.RUN_ID),
        ("CALL-04", "LOOP-07", Matter.RUN_ID),
        ("ERR-06", "DEP-12", Matter.NO_RESULT),
        ("ERR-06", "DEP-12", Matter.DEATH),
        ("RES-22", "DEP-12", Matter.DEATH),
        ("VAL-12", "DEP-12", Matter.DEATH),
        ("DEP-15", "DEP-12", Matter.DEATH),
    ],
)
def test_what_befell_the_whole_run_explains_what_shows_anywhere_in_it(root: str, law: str, matter: Matter) -> None:
    """
    CALL-04: the records of two runs at once are mixed up.  A78: a run whose system died does not end.

    Two runs one after the other mix nothing up, and a call that ended ok keeps no run waiting.
    """
    run = base("linear")
    assert pair(run, root, law, ([run.calls[0]], [run.calls[1]]), matter) == [None, root]
    assert pair(run, root, law, ([run.calls[0]], [run.calls[1]])) == [None, None]


def test_results_of_calls_that_are_not_on_record_are_one_fault_each() -> None:
    """CALL-21, LOG-23: the calls of a run were made, and calls.jsonl is missing or empty."""
    run = replace(base("linear"), calls=())
    results = folded(run, judge(run))
    assert [each.root for each in results["CALL-21"].findings] == [None] * len(run.results)
    follows = [each.root.requirement if each.root else None for each in results["LOG-23"].findings]
    assert follows == ["CALL-21"] * len(run.results)


def test_a_change_in_the_folder_may_be_the_one_under_another_path() -> None:
    """EFF-12, EFF-08: an absolute path is listed, and the path in the folder is not."""
    run = base("linear")
    assert pair(run, "EFF-12", "EFF-08", ([run.results[0]], [run.calls[1]])) == [None, "EFF-12"]


@pytest.mark.parametrize("root", ["CANC-10", "EVT-05"])
def test_what_comes_after_the_end_is_not_counted(root: str) -> None:
    """EVT-18: the run told its end, and a result came later."""
    run = base("linear")
    proofs = [run.results[0]], run.events_of("run.finished")
    assert pair(run, root, "EVT-18", proofs, Matter.COUNT) == [None, root]
    assert pair(run, root, "EVT-18", proofs, Matter.NO_COUNT) == [None, None]


@pytest.mark.parametrize(("root", "law"), [("EVT-20", "EVT-03"), ("EVT-20", "EVT-08"), ("LOG-13", "LOG-07")])
def test_what_a_log_lacks_and_the_wire_has_is_missing_in_the_log_only(root: str, law: str) -> None:
    """EVT-20, LOG-13: what is missing on the wire is no consequence of how the log differs from it."""
    run = base("linear")
    assert pair(run, root, law, ([run.calls[0]], [run.calls[1]])) == [None, root]
    assert pair(live(run), root, law, ([run.calls[0]], [run.calls[1]])) == [None, None]


def deciding(run: Run) -> set[str | None]:
    """The steps whose faulty result explains that ``run.finished`` tells another outcome."""
    (last,) = run.events_of("run.finished")
    proofs = {each.step_id: (each, *([run.run_record] if run.run_record else [])) for each in run.results}
    told = {step: pair(run, "RES-05", "EVT-18", (each, [last]), Matter.OUTCOME)[1] for step, each in proofs.items()}
    return {step for step, root in told.items() if root is not None}


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("linear", {"s1", "s2", "s3"}),
        ("retried", {"s3"}),
        ("budget", {"s2"}),
        ("recovered", {"s1", "s2"}),
        ("references", {"s6"}),
        ("refused", set[str]()),
        ("diamond", set[str]()),
        ("stopped", set[str]()),
        ("cancelled", set[str]()),
    ],
)
def test_an_outcome_follows_from_the_steps_of_which_one_alone_decides_it(name: str, steps: set[str]) -> None:
    """EVT-18: the step that failed; if several failed or the run was cancelled, none; if none failed, any step."""
    assert deciding(base(name)) == steps


def test_no_step_decides_the_outcome_of_a_cancelled_run_or_of_one_without_a_plan() -> None:
    """EVT-18: the end of a cancelled run is told by its cancelling, whatever its steps did."""
    run = base("linear")
    assert deciding(patched(run, "events", 3, {"type": "run.cancelled"})) == set()
    assert deciding(replace(run, run_record=None)) == set()


def test_an_outcome_may_follow_from_a_call_of_no_step_of_the_plan() -> None:
    """DEP-14, EVT-18: it is unknown to which step such a call belongs."""
    run = patched(base("retried"), "calls", 3, {"stepId": "s9"})
    (last,) = run.events_of("run.finished")
    assert run.calls[3].step_id == "s9"
    assert pair(run, "DEP-14", "EVT-18", ([run.calls[3]], [last]), Matter.OUTCOME) == [None, "DEP-14"]
    assert pair(run, "DEP-14", "EVT-18", ([run.calls[0]], [last]), Matter.OUTCOME) == [None, None]


def test_a_finding_that_no_record_proves_explains_nothing_and_follows_from_nothing() -> None:
    """Two findings without a common record stay two findings, also if one of them has no record at all."""
    run = base("linear")
    told = [Located(run.name, Finding("it was", "another", proof)) for proof in ((), (witness("A", run.calls[0]),))]
    before = {"RETRY-09": Result(REQUIREMENTS["RETRY-09"], Verdict.FAIL, tuple(told), 3)}
    assert [each.root for each in folded(run, before)["RETRY-09"].findings] == [None, None]


def test_two_calls_that_wait_for_each_other_began_too_early_both_of_them(tmp_path: Path) -> None:
    """REF-22: two calls that were open when the log broke off do not explain each other, whichever reads from which."""
    folder = copy_of("linear", tmp_path / "log")
    document = json.loads((folder / "run.json").read_bytes())
    first, second, _ = document["plan"]["steps"]
    document["plan"]["steps"] = [{**first, "args": {**first["args"], "as": "$steps.s2.as"}}, second]
    (folder / "run.json").write_text(json.dumps(document), encoding="utf-8")
    _keep(folder / "results.jsonl", lambda _: False)
    _keep(folder / "calls.jsonl", lambda each: each["callId"] != "c3")
    left = ("step.finished", "run.finished")
    _keep(folder / "events.jsonl", lambda each: each.get("callId") != "c3" and each["type"] not in left)
    early = judged(folder)[1]["REF-22"].findings
    assert [str(each.finding.witness[0].source) for each in early] == ["calls.jsonl:1", "calls.jsonl:2"]
    assert [each.root for each in early] == [None, None]


def _keep(file: Path, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Remove the lines of a file that are not wanted."""
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("".join(f"{each}\n" for each in lines if wanted(json.loads(each))), encoding="utf-8")


@pytest.mark.parametrize("told", ["run-other", None, 7])
def test_a_run_record_of_another_id_is_one_finding_whatever_the_number_of_its_records(
    told: Json, tmp_path: Path
) -> None:
    """CALL-03: if all other records agree, the run record is the wrong one."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("run", {"runId": told}), folder)
    _, after = judged(folder)
    assert [(name, str(each.finding.witness[0].source)) for name, each in found(after) if each.root is None] == [
        ("CALL-03", "run.json:1")
    ]
    assert len(after["CALL-03"].findings) > 5


def test_the_table_speaks_of_requirements_only() -> None:
    """Every name in it is a requirement, and every row says why."""
    named = {name for row in CONSEQUENCES for name in (*row.laws, *row.roots)}
    assert named <= set(REQUIREMENTS)
    assert all(row.laws and row.because for row in CONSEQUENCES)


@pytest.mark.parametrize(("member", "root"), [("planHash", "CONF-10"), ("otherHash", "REF-16")])
def test_a_changed_plan_is_one_finding_whatever_the_number_of_its_calls(member: str, root: str, tmp_path: Path) -> None:
    """
    If a step of the plan is changed afterwards, each of its calls differs, and one finding explains all of these.

    If the confirmation holds the hash of the plan, the root is that this hash differs; else it is the first call's.
    """
    run = copy_of("foreach", tmp_path / "log") / "run.json"
    text = run.read_text(encoding="utf-8").replace("Bullet {position}", "Item {position}").replace("planHash", member)
    run.write_text(text, encoding="utf-8")
    _, after = judged(tmp_path / "log")
    assert [name for name, _ in found(after)].count("LOG-06") == 3
    assert roots(after) == [root]


@pytest.mark.parametrize("hidden", [(), (Edit("calls 3", {"redacted": ["/args/content"]}),)], ids=["none", "one"])
def test_a_changed_plan_explains_its_calls_also_where_one_of_them_is_not_shown(
    hidden: tuple[Edit, ...], tmp_path: Path
) -> None:
    """CONF-10: a call whose arguments are left out of the log is not one that is as the plan has it."""
    run = copy_of("foreach", tmp_path / "log") / "run.json"
    run.write_text(run.read_text(encoding="utf-8").replace("Bullet {position}", "Item {position}"), encoding="utf-8")
    for edit in hidden:
        apply(edit, tmp_path / "log")
    _, after = judged(tmp_path / "log")
    assert [name for name, _ in found(after)].count("LOG-06") == 3 - len(hidden)
    assert roots(after) == ["CONF-10"]


def test_a_changed_plan_explains_a_call_also_where_few_laws_were_chosen() -> None:
    """CONF-10, REF-16: all calls of the step differ from the plan by what was chosen, or another one does not."""
    run = base("foreach")
    assert run.run_record is not None
    alone, one_of_three = (([run.run_record], [each]) for each in run.calls[:2])
    assert pair(run, "CONF-10", "REF-16", alone, Matter.CONFIRMED_PLAN) == [None, "CONF-10"]
    assert pair(run, "CONF-10", "REF-16", one_of_three, Matter.CONFIRMED_PLAN) == [None, None]


RESULTS = [
    (base.name, number)
    for base in sorted(BASES.iterdir())
    if (base / "results.jsonl").exists()
    for number in range(1, 1 + (base / "results.jsonl").read_text(encoding="utf-8").count("\n"))
]


@pytest.mark.parametrize(("base", "number"), RESULTS)
def test_a_status_that_is_none_is_one_fault_whatever_rests_on_it(base: str, number: int, tmp_path: Path) -> None:
    """These follow from it: steps that read from it, the outcome of the run, and laws about a status that it lacks."""
    folder = copy_of(base, tmp_path / "log")
    apply(Edit(f"results {number}", {"status": "done"}), folder)
    assert roots(judged(folder)[1]) == ["RES-04"]


def test_two_faults_that_share_nothing_are_two_roots(tmp_path: Path) -> None:
    """Findings that share nothing are not folded."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("calls 1", {"riskLevel": "commands"}), folder)
    apply(Edit("results 2", {"ok": False}), folder)
    assert sorted(roots(judged(folder)[1])) == ["CALL-13", "RES-05"]


@pytest.mark.parametrize(
    ("name", "other", "both"),
    [
        ("an-argument-that-got-lost", Edit("calls 1", {"args": {"path": "other.md"}}), {"LOG-06", "VAL-04"}),
        ("data-with-an-undeclared-member", Edit("calls 2", {"stepId": "s9"}), {"RES-07", "DEP-14"}),
        ("an-absolute-path", Edit("results 1", {"ok": False}), {"POL-05", "RES-05"}),
        ("a-break-in-the-chain-of-etags", Edit("results 1", "twice"), {"EFF-04", "RES-01"}),
        ("decided-before-anybody-was-asked", Edit("events 7", {"type": "step.begun"}), {"CONF-04", "EVT-01"}),
        ("an-end-that-flatters", Edit("events 7", {"stepId": "a"}), {"EVT-18", "EVT-13"}),
        (
            "only-the-first-iteration-was-judged",
            Edit("calls 2", {"iteration": {"itemValue": None}}),
            {"REF-08", "LOOP-11"},
        ),
    ],
)
def test_a_fault_is_no_consequence_of_another_one_nearby(
    name: str, other: Edit, both: set[str], tmp_path: Path
) -> None:
    """
    A fault stays a root if a related record is at fault in another matter: its source, its step, its call or its run.

    A wrong argument of another step; data of a call of no step; the ``ok`` of a call that should never have reached its
    tool; a second result of another file's call; the type of an event of a call; the step of an event; an iteration.
    """
    folder = broken(EXAMPLES[name], tmp_path / "log")
    apply(other, folder)
    assert both <= set(roots(judged(folder)[1])), roots(judged(folder)[1])


@pytest.mark.parametrize(("made", "roots_of"), [(("Notes/later.md",), ["POL-11"]), (("a.md",), ["EFF-23", "POL-11"])])
def test_the_deed_of_a_dry_run_explains_what_its_effects_list(made: tuple[str, ...], roots_of: list[str]) -> None:
    """POL-11, EFF-23: if the folder shows the listed change, it was made; another listed path is a fault of its own."""
    run = base("effects")
    dry = replace(run, calls=run.calls[10:], results=run.results[10:], events=(run.events or ())[33:])
    dry = patched(dry, "results", 0, {"effects": {"created": [{"path": "Notes/later.md", "kind": "file"}]}})
    seen = witnessed(dry, world=world({}, {each: Entry("file", "sha256:1", 1) for each in made}))
    wanted = {name: each for name, each in judge(seen).items() if name in ("POL-11", "EFF-23")}
    after = folded(seen, wanted)
    assert [len(after[name].findings) for name in ("POL-11", "EFF-23")] == [2, 1]
    assert sorted(roots(after)) == roots_of


def test_a_skip_that_stands_for_a_refusal_is_told_by_the_law_that_wants_the_refusal() -> None:
    """POL-01, POL-02, POL-04, DEP-05: nobody is told to run a call that has to be refused."""
    run = base("refused")
    for at in (0, 1, 5):
        run = patched(run, "results", at, {"status": "skipped", "error": None, "userMessage": "Not permitted"})
    wanted = ("POL-01", "POL-02", "POL-04", "DEP-05")
    after = folded(run, {name: each for name, each in judge(run).items() if name in wanted})
    led_back = [each.root and each.root.requirement for each in after["DEP-05"].findings]
    assert sorted(str(each) for each in led_back) == ["POL-01", "POL-02", "POL-04"]


def test_the_mark_that_a_hooks_change_lacks_explains_why_the_arguments_differ_from_the_plan() -> None:
    """POL-17, VAL-04, LOG-06: the arguments are the hook's; the system is not told to send what the plan holds."""
    run = base("linear")
    call, other = run.calls[:2]
    for law in ("VAL-04", "LOG-06"):
        assert pair(run, "POL-17", law, ([call], [call]), Matter.ARGS_MODIFIED_BY) == [None, "POL-17"]
        assert pair(run, "POL-17", law, ([call], [other]), Matter.ARGS_MODIFIED_BY) == [None, None]
        assert pair(run, "POL-17", law, ([call], [call])) == [None, None]


def test_an_invocation_without_an_approval_does_not_follow_from_what_the_records_lack() -> None:
    """CONF-01: a missing decision in run.json (LOG-18) is not the reason why a tool was entered without an approval."""
    run = run_record_patched(base("eventless"), {"confirmation": {"decision": None}})
    seen = live(run, tuple(deed_of(each) for each in run.calls))
    after = folded(seen, judge(seen))
    entered = [each for each in after["CONF-01"].findings if "was entered before" in each.finding.observed]
    assert after["LOG-18"].findings
    assert entered
    assert entered[0].root is None
    assert seen.run_record is not None
    (deed, *_), (call, *_) = seen.deeds or (), seen.calls
    proofs: list[list[Record | Deed]] = [[call], [deed], [call, deed]]
    explained = [pair(seen, "LOG-18", "CONF-01", ([seen.run_record], each))[1] for each in proofs]
    assert explained == ["LOG-18", None, None]


def test_a_tool_that_was_entered_after_a_cancellation_is_told_once_with_the_attempt_that_entered_it() -> None:
    """RETRY-07, CANC-01: what the suite saw of a call belongs to it as its records do."""
    run = base("linear")
    seen = live(run, tuple(deed_of(each, arrival=at) for at, each in enumerate(run.calls)))
    again = [([run.calls[1]], [each]) for each in seen.deeds or ()]
    told = [pair(seen, "RETRY-07", "CANC-01", each, Matter.STATUS) for each in again]
    assert told == [[None, None], [None, "RETRY-07"], [None, None]]
    told = [pair(seen, "CANC-01", "RETRY-07", each, Matter.CANCELLED_RUN) for each in again]
    assert told == [[None, None], [None, "CANC-01"], [None, None]]


def test_what_was_read_too_early_is_told_once_also_of_the_tool_that_was_given_it(tmp_path: Path) -> None:
    """REF-21, REF-22: the value to which a path leads is not known before the path's source has ended."""
    run = read_run(broken(EXAMPLES["a-reader-that-began-before-its-source-ended"], tmp_path / "log"))
    answers = [Answer(AnswerKind.OUTPUT, each.get("data"), None, None, 0.0, 9) for each in run.results]
    seen = live(run, tuple(deed_of(*each, arrival=at) for at, each in enumerate(zip(run.calls, answers))))
    after = folded(seen, judge(seen))
    led_back = [each.root for each in after["REF-21"].findings]
    assert [each and each.requirement for each in led_back] == ["REF-22"]


@pytest.mark.parametrize(("text", "root"), [("Beta", "LOOP-03"), ("Gamma", None)])
def test_an_iteration_over_the_item_of_another_index_is_told_once(text: str, root: str | None) -> None:
    """LOOP-07: the source did not change if each value is an item of it; one that is no item at all may be a change."""
    item: Json = {"text": text, "raw": f"- {text}", "depth": 0}
    args: Json = {
        "path": f"Notes/0-{text}.md",
        "content": f"# {text}\n\nBullet 0 of 3, {{index}} and {{}} stay\n",
        "frontmatter": {"bullet": item},
    }
    run = patched(base("foreach"), "calls", 1, {"args": args, "iteration": {"itemValue": item}})
    answers = (Answer(AnswerKind.OUTPUT, run.results[0].get("data"), None, None, 0.0, 9), None)
    seen = live(run, tuple(deed_of(*each, arrival=10 * at) for at, each in enumerate(zip(run.calls, answers))))
    after = folded(seen, judge(seen))
    assert [each.root for each in after["LOOP-03"].findings] == [None]
    assert [each.root and each.root.requirement for each in after["LOOP-07"].findings] == [root]
    assert root is None or {each.root and each.root.requirement for each in after["LOOP-13"].findings} == {root}


def test_what_was_rounded_on_its_way_into_the_log_is_told_once_also_of_who_reads_it() -> None:
    """REF-01, REF-21, LOG-11: the path leads to the right place, but the number there lost its digits in the log."""
    run = base("references")
    whole = {**run.results[0].value["data"], "half": 12345678901234567890}
    answers = (Answer(AnswerKind.OUTPUT, whole, None, None, 0.0, 9), *(None for _ in run.calls[1:]))
    run = patched(run, "results", 0, {"data": {"half": 1.2345678901234567e19}})
    run = patched(run, "calls", 1, {"args": {"half": 1.2345678901234567e19}})
    seen = live(run, tuple(deed_of(*each, arrival=10 * at) for at, each in enumerate(zip(run.calls, answers))))
    after = folded(seen, judge(seen))
    led_back = {each.root.requirement for each in after["REF-21"].findings if each.root is not None}
    assert after["REF-21"].findings
    assert led_back == {"LOG-11"}


def test_hashes_that_meet_over_characters_that_were_lost_are_told_by_the_encoding() -> None:
    """HASH-03, HASH-05: if the encoding turns all letters of two names into question marks, both have one hash."""
    run = base("linear")
    for at, name in enumerate(("é", "ü")):
        run = patched(run, "calls", at, {"args": {**dict.fromkeys(run.calls[at].value["args"]), "path": name}})
        digest = hashlib.sha256(canonical(run.calls[at].get("args")).replace(name.encode(), b"?")).hexdigest()
        run = patched(run, "calls", at, {"argsHash": f"sha256:{digest}"})
    after = folded(run, judge(run))
    assert len(after["HASH-05"].findings) == 2
    assert [each.root and each.root.requirement for each in after["HASH-03"].findings] == ["HASH-05"]


def test_a_line_that_cannot_be_read_explains_what_its_file_lacks_and_no_other(tmp_path: Path) -> None:
    """An unreadable line of calls.jsonl does not explain why events.jsonl has no end of another call."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("calls 1", {"text": "[]"}), folder)
    apply(Edit("events 12", "absent"), folder)
    assert sorted(roots(judged(folder)[1])) == ["EVT-08", "LOG-02"]


def test_a_line_that_cannot_be_read_explains_no_start_that_came_too_early(tmp_path: Path) -> None:
    """Two readable records in the wrong order stay wrong, whatever the unreadable line held."""
    folder = copy_of("diamond", tmp_path / "log")
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    first, _, third, _ = run["plan"]["steps"]
    first["dependsOn"], third["dependsOn"] = [third["id"]], []
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    apply(Edit("calls 2", {"text": "[]"}), folder)
    results = judged(folder)[1]
    assert results["DEP-01"].findings
    assert {"DEP-01", "LOG-02"} <= set(roots(results))


@pytest.mark.parametrize(
    ("deleted", "explains"),
    [("Notes/2026/plan.md", True), ("Notes/2026", True), ("Notes", True), ("Notes/20", False), ("Archive", False)],
)
def test_what_happened_to_a_folder_happened_to_what_lies_in_it(deleted: str, explains: bool, tmp_path: Path) -> None:
    """RES-01, EFF-02: if a second result deletes a folder, that explains why a note in it is new, but no other note."""
    folder = copy_of("effects", tmp_path / "log")
    apply(Edit("results 9", "twice"), folder)
    apply(Edit("results 9", {"effects": {"deleted": None}}), folder)
    apply(Edit("results 10", {"effects": {"deleted": [{"path": deleted, "kind": "folder", "trashed": True}]}}), folder)
    apply(Edit("calls 11", {"args": {"dryRun": None}}), folder)
    apply(Edit("results 12", {"effects": {"created": [{"path": "Notes/2026/plan.md", "kind": "file"}]}}), folder)
    (created,) = judged(folder)[1]["EFF-02"].findings
    assert (created.root and created.root.requirement) == ("RES-01" if explains else None)


def test_a_start_that_is_told_after_the_end_has_one_root(tmp_path: Path) -> None:
    """The start stands at a wrong place with the stamp of that place; the wrong stamp is no second root."""
    folder = copy_of("timeout", tmp_path / "log")
    events = folder / "events.jsonl"
    lines = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
    start = next(at for at, line in enumerate(lines) if line["type"] == "step.started")
    end = next(at for at, line in enumerate(lines) if line.get("callId") == lines[start]["callId"] and at > start)
    moved = {**lines[start], "timestamp": lines[end]["timestamp"]}
    lines[start : end + 1] = [*lines[start + 1 : end + 1], moved]
    events.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    results = judged(folder)[1]
    assert results["EVT-06"].findings
    assert roots(results) == ["EVT-11"]


def test_an_equal_item_that_was_left_out_is_one_fault(tmp_path: Path) -> None:
    """``run.finished`` still counts the missing result (EVT-18); that follows from the missing iteration (LOOP-12)."""
    folder = copy_of("foreach", tmp_path / "log")
    for file in ("calls", "results", "events"):
        path = folder / f"{file}.jsonl"
        kept = [line for line in path.read_text(encoding="utf-8").splitlines() if '"c2"' not in line]
        path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    results = judged(folder)[1]
    assert results["EVT-18"].findings
    assert roots(results) == ["LOOP-12"]


def dependent(tmp_path: Path, **needs: list[str]) -> Results:
    """The folded results of the base `timeout`, whose plan makes steps depend on others."""
    folder = copy_of("timeout", tmp_path / "log")
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    steps = [{**each, "dependsOn": needs.get(each["id"], [])} for each in record["plan"]["steps"]]
    apply(Edit("run", {"plan": {"steps": steps}, "confirmation": {"planHash": None}}), folder)
    return judged(folder)[1]


def test_steps_that_depend_on_each_other_are_one_fault(tmp_path: Path) -> None:
    """DEP-09: the step that runs first has not waited (DEP-01), or the other runs without it (DEP-02)."""
    results = dependent(tmp_path, s1=["s2"], s2=["s1"])
    assert {"DEP-01", "DEP-02", "DEP-09", "VAL-15"} <= {name for name, _ in found(results)}
    assert roots(results) == ["DEP-09"]


def test_a_circle_elsewhere_explains_no_step_that_did_not_wait(tmp_path: Path) -> None:
    """DEP-02, DEP-09: a step outside the circle can wait, and a dependency on no step is another fault."""
    assert sorted(roots(dependent(tmp_path / "one", s2=["s1"], s3=["s3"]))) == ["DEP-02", "DEP-09"]
    assert sorted(roots(dependent(tmp_path / "two", s1=["s2"], s2=["s1"], s3=["s7"]))) == ["DEP-09", "DEP-09"]


def add(folder: Path, file: str, record: Record | None, **members: Json) -> None:
    """Append a record to a file before its last line if that is the end of the run."""
    path = folder / f"{file}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    at = len(lines) - (1 if file == "events" else 0)
    lines[at:at] = [json.dumps({**(record.value if record is not None else {}), **members})]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_a_step_that_ran_and_is_also_recorded_as_skipped_is_one_fault(tmp_path: Path) -> None:
    """DEP-07: the record as skipped is one too many, so nobody is told to run the step (DEP-05)."""
    folder = copy_of("timeout", tmp_path / "log")
    run = read_run(folder)
    skipped: dict[str, Json] = {"callId": "c9", "stepId": "s2", "tool": "vault.readFile"}
    when = "2026-01-05T09:00:37.000Z"
    result = next(each for each in run.results if each.text("status") == "skipped")
    (event,) = (each for each in run.events or () if each.call_id == result.call_id)
    add(folder, "results", result, **skipped, startedAt=when, endedAt=when)
    add(folder, "events", event, **skipped, timestamp=when)
    apply(Edit(f"events {len(run.events or ()) + 1}", {"payload": {"results": {"skipped": 2}}}), folder)
    results = judged(folder)[1]
    assert results["DEP-05"].findings
    assert roots(results) == ["DEP-07"]


def test_a_loop_over_nothing_that_is_skipped_for_no_reason_is_one_fault(tmp_path: Path) -> None:
    """LOOP-06, DEP-05: a loop without items need not run, it only has to say so."""
    folder = copy_of("foreach", tmp_path / "log")
    events = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    (at,) = (number for number, line in enumerate(events, 1) if '"c7"' in line)
    apply(Edit("results 7", {"userMessage": "Skipped"}), folder)
    apply(Edit(f"events {at}", {"payload": {"reason": None}}), folder)
    results = judged(folder)[1]
    assert results["DEP-05"].findings
    assert roots(results) == ["LOOP-06"]


@pytest.mark.parametrize("law", ["REF-02", "DEP-02"])
def test_a_loop_that_is_wrongly_told_as_empty_explains_the_step_that_rests_on_it(law: str) -> None:
    """LOOP-10: the record says that the loop had nothing to do; iterations that were cut off explain nothing."""
    run = base("foreach")
    call, (told, other) = run.calls[0], run.results[:2]
    assert pair(run, "LOOP-10", law, ([told], [call, told]), Matter.AS_EMPTY) == [None, "LOOP-10"]
    assert pair(run, "LOOP-10", law, ([told], [call, other]), Matter.AS_EMPTY) == [None, None]
    assert pair(run, "LOOP-10", law, ([told], [call, told])) == [None, None]


@pytest.mark.parametrize("root", ["DEP-07", "LOOP-06"])
def test_another_record_explains_no_step_that_was_skipped_for_nothing(root: str) -> None:
    """DEP-05: a step that was left out stays a finding beside a step that was called twice and a loop over nothing."""
    run = base("foreach")
    one, other = run.results[:2]
    assert pair(run, root, "DEP-05", ([one], [one])) == [None, root]
    assert pair(run, root, "DEP-05", ([one], [other])) == [None, None]
