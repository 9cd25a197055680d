"""Error codes in cases beyond the examples of their chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.checks.code_names import BASELINE, MAPPED, UNCODED
from callproof.checks.matters import Matter
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Answer, AnswerKind
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, failure, findings, live, look, patched, run_record_patched, verdict
from live_runs import act, witnessed


def answered(code: str, result: dict[str, Json]) -> Run:
    """A run whose tool reported a code, and whose result has this error."""
    run = patched(base("diamond"), "results", 1, {"error": result})
    return live(run, (deed_of(run.calls[1], failure({"code": code, "message": "no"})),))


@pytest.mark.parametrize(
    ("law", "code"), [("ERR-01", "NOT_FOUND"), ("ERR-02", "CONFLICT"), ("ERR-03", "PRECONDITION_FAILED")]
)
def test_a_tools_own_baseline_code_is_passed_on(law: str, code: str) -> None:
    """What the tool says is what the result says."""
    assert verdict(answered(code, {"code": code}), law) is Verdict.PASS
    assert verdict(answered(code, {"code": "INTERNAL_ERROR"}), law) is Verdict.FAIL


def test_an_unknown_code_is_passed_on_or_kept() -> None:
    """ERR-09."""
    assert verdict(answered("acme.QUOTA", {"code": "acme.QUOTA"}), "ERR-09") is Verdict.PASS
    kept: dict[str, Json] = {"code": "INTERNAL_ERROR", "details": {"toolCode": "acme.QUOTA"}}
    assert verdict(answered("acme.QUOTA", kept), "ERR-09") is Verdict.PASS
    assert verdict(answered("acme.QUOTA", {"code": "INTERNAL_ERROR"}), "ERR-09") is Verdict.FAIL


@pytest.mark.parametrize(
    ("error", "found"),
    [
        ({"code": "INTERNAL_ERROR", "message": "acme.QUOTA: no more today"}, 1),
        ({"code": "INTERNAL_ERROR", "message": "x", "details": {"text": "said acme.QUOTA, and no more"}}, 1),
        ({"code": "INTERNAL_ERROR", "message": "x", "details": {"cause": {"codes": ["acme.QUOTA"]}}}, 0),
        ({"code": "ACME_ERROR", "message": "x", "details": {"toolCode": "acme.QUOTA"}}, 1),
    ],
    ids=["in-the-message", "among-words", "deep-in-details", "mapped-to-no-baseline-code"],
)
def test_an_unknown_code_is_kept_in_details_and_nowhere_else(error: dict[str, Json], found: int) -> None:
    """ERR-09: in a member of its own, beside a baseline code."""
    assert len(findings(answered("acme.QUOTA", error), "ERR-09")) == found


@pytest.mark.parametrize("name", ["permission_denied", "sibling_canceled"])
def test_a_tools_own_name_of_another_layer_is_kept_beside_the_reason(name: str) -> None:
    """ERR-09, ERR-10: it may be mapped like any unknown code; as the reason it needs the code that it maps to."""
    aside: dict[str, Json] = {"code": "INTERNAL_ERROR", "details": {"toolCode": name}}
    told: dict[str, Json] = {"code": "INTERNAL_ERROR", "details": {"reason": name}}
    for error, law, found in ((aside, "ERR-09", 0), (aside, "ERR-10", 0), (told, "ERR-09", 0), (told, "ERR-10", 1)):
        assert len(findings(answered(name, error), law)) == found


def test_a_broken_tool_is_an_internal_error_with_a_result() -> None:
    """ERR-05 and ERR-06."""
    run = base("diamond")
    broke = Answer(AnswerKind.BROKE, None, {"message": "boom"}, None, 0.0, 10)
    broken = live(run, (deed_of(run.calls[1], broke),))
    assert verdict(broken, "ERR-05") is Verdict.PASS
    assert verdict(broken, "ERR-06") is Verdict.PASS
    assert verdict(patched(broken, "results", 1, {"error": {"code": "CONFLICT"}}), "ERR-05") is Verdict.FAIL
    (lost,) = look(replace(broken, results=(broken.results[0], *broken.results[2:])), "ERR-06").findings
    (swallowed,) = look(patched(broken, "results", 1, {"status": "ok"}), "ERR-06").findings
    assert (lost.finding.matter, swallowed.finding.matter) == (Matter.NO_RESULT, None)


def test_a_system_that_was_killed_owes_no_result_of_a_broken_tool() -> None:
    """ERR-06: it was ended between the answer of the tool and the record of it."""
    run = base("diamond")
    broke = Answer(AnswerKind.BROKE, None, {"message": "boom"}, None, 0.0, 10)
    lost = replace(run, results=(run.results[0], *run.results[2:]))
    deeds = (deed_of(run.calls[1], broke),)
    assert findings(witnessed(lost, deeds), "ERR-06")
    assert findings(witnessed(lost, deeds, (act(ActKind.KILL, 11),)), "ERR-06") == []


@pytest.mark.parametrize("name", MAPPED)
def test_every_name_of_another_layer_has_its_one_code(name: str) -> None:
    """ERR-10: as a reason it stands beside that code; as a code that nobody mapped it is wrong (A51, A52)."""
    assert MAPPED[name] in BASELINE
    right = patched(base("diamond"), "results", 1, {"error": {"code": MAPPED[name], "details": {"reason": name}}})
    assert findings(right, "ERR-10") == []
    assert len(findings(patched(base("diamond"), "results", 1, {"error": {"code": name}}), "ERR-10")) == 1


@pytest.mark.parametrize(
    ("status", "name", "told"),
    [
        ("error", "timeout", "status timeout, or INTERNAL_ERROR with timeout in details, and not as the reason"),
        ("error", "canceled", "status cancelled, or INTERNAL_ERROR with canceled in details, and not as the reason"),
        ("error", "blocked", "blocked maps to POLICY_DENIED"),
        ("cancelled", "canceled", "canceled maps to CANCELLED"),
    ],
)
def test_a_name_whose_code_needs_another_status_is_not_told_to_have_it(status: str, name: str, told: str) -> None:
    """ERR-10: an error cannot have the codes TIMEOUT and CANCELLED (RES-13, ERR-09)."""
    run = patched(base("diamond"), "results", 1, {"status": status, "error": {"code": name}})
    assert [each.finding.permitted for each in judge(run)["ERR-10"].findings] == [told]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("acme.QUOTA", "the tool's own code, or a baseline code, with the tool's own in details"),
        ("timeout", "INTERNAL_ERROR, with the tool's own in details"),
        ("permission_denied", "POLICY_DENIED or INTERNAL_ERROR, with the tool's own in details"),
    ],
)
def test_an_unknown_code_is_told_with_what_it_may_become(code: str, told: str) -> None:
    """ERR-09: a name of another layer is no extension, and an error cannot have TIMEOUT (RES-13)."""
    run = answered(code, {"code": "INTERNAL_ERROR"})
    assert [each.finding.permitted for each in judge(run)["ERR-09"].findings] == [told]


@pytest.mark.parametrize(
    ("args", "undone"),
    [({}, True), ({"requireExists": False}, False), ({"dryRun": True}, False)],
)
def test_a_deletion_of_nothing_is_an_error_unless_it_was_asked_for_so(args: dict[str, Json], undone: bool) -> None:
    """ERR-11: A44."""
    run = patched(base("effects"), "results", 7, {"data": {"deleted": False}})
    assert bool(findings(patched(run, "calls", 7, {"args": args}), "ERR-11")) is undone


def test_a_command_that_ran_may_have_something_to_say() -> None:
    """ERR-11: a text is not a flag (question 4); that it did not run is one, with or without a text."""
    said: dict[str, Json] = {"executed": True, "errorMessage": "3 notes could not be indexed"}
    run = patched(base("cancelled"), "results", 3, {"data": said})
    assert findings(run, "ERR-11") == []
    assert len(findings(patched(run, "results", 3, {"data": {"executed": False}}), "ERR-11")) == 1


@pytest.mark.parametrize("code", ["not_found", "NotFound", "NOT-FOUND", "NOTFOUND", "Internal Error", "Cancelled"])
def test_another_spelling_of_a_baseline_code_is_another_name(code: str) -> None:
    """ERR-10: case and the signs between words count (A52)."""
    assert len(findings(patched(base("diamond"), "results", 1, {"error": {"code": code}}), "ERR-10")) == 1


@pytest.mark.parametrize("name", MAPPED)
def test_a_name_of_another_layer_is_the_same_reason_in_any_case(name: str) -> None:
    """ERR-10: a name in details.reason has its one code however it is spelt (A51)."""
    for reason in (name, name.upper(), name.title()):
        for code in sorted(BASELINE):
            error: Json = {"code": code, "details": {"reason": reason}}
            found = [] if code == MAPPED[name] else [f'the result of c2 reported {reason} with the code "{code}"']
            assert findings(patched(base("diamond"), "results", 1, {"error": error}), "ERR-10") == found


@pytest.mark.parametrize("reason", ["UNKNOWN-TOOL", "UnknownTool", "acme.UNKNOWN_TOOL", "UNKNOWN_TOOLS", 7, None])
def test_what_is_no_name_of_the_table_is_a_reason_of_its_own(reason: Json) -> None:
    """ERR-10: only the case is free; other signs make another name."""
    error: Json = {"code": "INTERNAL_ERROR", "details": {"reason": reason}}
    assert findings(patched(base("diamond"), "results", 1, {"error": error}), "ERR-10") == []


@pytest.mark.parametrize(
    ("law", "reason", "code"),
    [
        ("ERR-01", "File_Not_Found", "NOT_FOUND"),
        ("ERR-02", "ETAG_MISMATCH", "CONFLICT"),
        ("ERR-03", "NO_SELECTION", "PRECONDITION_FAILED"),
        ("ERR-05", "OUTPUT_SCHEMA", "INTERNAL_ERROR"),
    ],
)
def test_a_reason_with_a_fixed_code_has_it_in_any_case(law: str, reason: str, code: str) -> None:
    """ERR-01, ERR-02, ERR-03 and ERR-05: the name is the same name in capitals."""
    for told in ("VALIDATION_ERROR", code):
        error: Json = {"code": told, "details": {"reason": reason}}
        assert bool(findings(patched(base("diamond"), "results", 1, {"error": error}), law)) is (told != code)


def test_output_against_the_schema_is_final_in_any_case() -> None:
    """ERR-05, RETRY-04: a reason in capitals rules out another attempt as well (A16)."""
    error: Json = {"code": "INTERNAL_ERROR", "details": {"reason": "OUTPUT_SCHEMA"}, "retryable": True}
    assert len(findings(patched(base("diamond"), "results", 1, {"error": error}), "ERR-05")) == 1
    assert len(findings(patched(base("retried"), "results", 0, {"error": error}), "RETRY-04")) == 1


@pytest.mark.parametrize("code", ["NOT_FOUND", "vault.NOT_FOUND", "FOUND", "QUOTA_EXCEEDED"])
def test_an_extension_is_no_misspelling(code: str) -> None:
    """ERR-10: a name of its own is not another spelling of a baseline code (B-29)."""
    assert findings(patched(base("diamond"), "results", 1, {"error": {"code": code}}), "ERR-10") == []


@pytest.mark.parametrize(("word", "found"), [(True, 1), (False, 0), (None, 0)])
def test_bad_output_is_final(word: bool | None, found: int) -> None:
    """ERR-05: a system neither says that output against its schema is retryable nor tries again (A16, RETRY-04)."""
    error: Json = {"code": "INTERNAL_ERROR", "details": {"reason": "output_schema"}, "retryable": word}
    assert len(findings(patched(base("diamond"), "results", 1, {"error": error}), "ERR-05")) == found
    assert len(findings(patched(base("retried"), "results", 0, {"error": error}), "RETRY-04")) == 1


def test_a_denied_tool_has_its_code_under_its_alias_too() -> None:
    """The policy names the tool as the registry spells it, and the call names it by an alias (ERR-04, A88)."""
    failed: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": {"code": "NOT_FOUND"}}
    run = patched(patched(base("references"), "calls", 0, {"tool": "util.make"}), "results", 0, failed)
    denying = run_record_patched(run, {"policy": {"deniedTools": ["util.compose"]}})
    said = 'call c1 of the denied tool util.compose ended with the code "NOT_FOUND"'
    assert said in findings(denying, "ERR-04")
    assert verdict(run, "ERR-04") is Verdict.INCONCLUSIVE


def test_whether_the_args_of_a_denied_tool_fit_is_known_from_its_schema_alone() -> None:
    """ERR-04: without it a VALIDATION_ERROR may have come first (POL-01, A76)."""
    run = patched(base("refused"), "results", 5, {"error": {"code": "VALIDATION_ERROR"}})
    assert len(findings(run, "ERR-04")) == 1
    assert findings(replace(run, registry=None), "ERR-04") == []
    assert findings(patched(run, "calls", 4, {"redacted": ["/args/id"]}), "ERR-04") == []


@pytest.mark.parametrize("name", UNCODED)
def test_a_name_that_stands_for_no_code_is_none(name: str) -> None:
    """ERR-10: it is not the code of a failure; a skipped result may give it as its reason (A51)."""
    for code in (name, name.upper()):
        assert len(findings(patched(base("diamond"), "results", 1, {"error": {"code": code}}), "ERR-10")) == 1
        assert (
            findings(patched(base("diamond"), "results", 3, {"error": {"code": code, "message": "no"}}), "ERR-10") == []
        )
    own: dict[str, Json] = {"code": "acme.QUOTA", "details": {"reason": name}}
    assert findings(patched(base("diamond"), "results", 1, {"error": own}), "ERR-10") == []


def _failed_thrice(*errors: dict[str, Json]) -> Run:
    """The retried base, in which all attempts of the first step failed, each in its own way."""
    run = base("retried")
    for at, error in enumerate(errors):
        failed: Json = {"status": "error", "ok": False, "data": None, "error": None}
        run = patched(patched(run, "results", at, failed), "results", at, {"error": error})
    return run


@pytest.mark.parametrize(
    ("messages", "details", "found"),
    [
        ("busy gone gone", (1, 1, 1), 1),
        ("busy gone busy", (1, 1, 1), 1),
        ("busy gone busy", (1, 1, 2), 0),
        ("busy gone busy", (1, 1, 1.0), 1),
        ("busy gone lost", (1, 1, 1), 0),
    ],
)
def test_any_two_attempts_that_fail_alike_have_one_code(messages: str, details: tuple[float, ...], found: int) -> None:
    """ERR-08: the first attempt may have failed for another reason; one value has many spellings (B-48)."""
    errors: list[dict[str, Json]] = [
        {"code": code, "message": message, "details": {"part": part}}
        for code, message, part in zip(("acme.A", "acme.B", "acme.C"), messages.split(), details)
    ]
    run = _failed_thrice(*errors)
    assert len(findings(run, "ERR-08")) == found
    hidden = run
    for at in range(3):
        hidden = patched(hidden, "results", at, {"redacted": ["/error/message"]})
    assert findings(hidden, "ERR-08") == []  # two marks may hide two failures (A42)


@pytest.mark.parametrize(
    ("reported", "found"), [("QUOTA CONFLICT", 0), ("QUOTA QUOTA", 1), ("QUOTA -", 0), ("- CONFLICT", 0), ("- -", 1)]
)
def test_one_safe_message_may_stand_for_all_failures_that_a_tool_told_apart(reported: str, found: int) -> None:
    """ERR-08: where the tool reported two codes, or reported one and broke, there were two failures (B-27)."""
    broke = Answer(AnswerKind.BROKE, None, None, None, 0.0, 10)
    answers = [broke if code == "-" else failure({"code": code, "message": "no"}) for code in reported.split()]
    errors: list[dict[str, Json]] = [{"code": code, "message": "It failed"} for code in ("QUOTA", "CONFLICT")]
    run = _failed_thrice(*errors)
    said = 's1 failed twice with the same message, but with the codes "QUOTA" and "CONFLICT"'
    assert findings(run, "ERR-08") == [said]
    deeds = tuple(deed_of(call, answer) for call, answer in zip(run.calls, answers))
    assert findings(live(run, deeds), "ERR-08") == [said] * found


@pytest.mark.parametrize(("law", "code"), [("ERR-01", "NOT_FOUND"), ("ERR-09", "acme.QUOTA")])
@pytest.mark.parametrize("status", ["timeout", "cancelled"])
def test_what_a_tool_says_of_a_call_that_was_closed_is_too_late(law: str, code: str, status: str) -> None:
    """ERR-01, ERR-09: the call had timed out or was cancelled, and has the code for that (RES-13)."""
    run = answered(code, {"code": {"timeout": "TIMEOUT", "cancelled": "CANCELLED"}[status]})
    assert findings(run, law)
    assert findings(patched(run, "results", 1, {"status": status}), law) == []
