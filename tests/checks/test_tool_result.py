"""What a tool result says, alone and beside what the tool answered: hard cases beyond the chapter's examples."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.trace.witnesses import Act, ActKind
from callproof.values.jsontext import Json
from edited_runs import (
    base,
    deed_of,
    failure,
    findings,
    live,
    log_of,
    look,
    output,
    patched,
    run_record_patched,
    verdict,
    with_records,
)
from live_runs import aborted, act, arriving, changed, invoked, witnessed


@pytest.mark.parametrize("code", ["QUOTA_EXCEEDED", "vault.QUOTA_EXCEEDED", "acme:E42", "x/y/NO_SPACE", "NOT_FOUND"])
def test_a_code_in_the_style_is_passed(code: str) -> None:
    """Extensions in the style of the baseline are right, with a namespace or without (B-29)."""
    assert findings(patched(base("diamond"), "results", 1, {"error": {"code": code}}), "RES-14") == []


@pytest.mark.parametrize("code", ["notFound", "not-found", "CANCELED", "Quota exceeded", "A__B", "QUOTA_", "ENOENT!"])
def test_a_code_out_of_style_is_found(code: str) -> None:
    """Lower case, blanks, doubled or trailing underscores, and near misses of the baseline are advised against."""
    assert len(findings(patched(base("diamond"), "results", 1, {"error": {"code": code}}), "RES-14")) == 1


def test_an_envelope_member_in_data_is_the_schemas_affair_if_it_is_open() -> None:
    """Under an open schema `status` is the tool's own member (B-60)."""
    run = patched(base("unconfirmed"), "results", 1, {"data": {"status": "ok"}})
    assert run.registry is not None
    opened = [
        {**each.value, "outputSchema": {**each.output_schema, "additionalProperties": True}}
        for each in run.registry.tools
    ]
    assert findings(replace(run, registry=registry_of(opened)), "RES-24") == []
    assert len(findings(run, "RES-24")) == 1


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"patternProperties": {"^st": {}}, "additionalProperties": False}, 0),
        ({"patternProperties": {"^x": {}}, "additionalProperties": False}, 1),
        ({"allOf": [{"properties": {"status": {}}}], "unevaluatedProperties": False}, 0),
        ({"allOf": [{"properties": {"slug": {}}}], "unevaluatedProperties": False}, 1),
        ({"allOf": [{"properties": {"slug": {}}, "additionalProperties": False}]}, 1),
        ({"properties": {"status": {"type": "integer"}}, "additionalProperties": False}, 0),
    ],
)
def test_a_schema_says_in_many_ways_which_members_it_has(schema: dict[str, Json], found: int) -> None:
    """A pattern or a branch declares a member too; a closed branch declares none; RES-07 reports a wrong type."""
    run = patched(base("unconfirmed"), "results", 1, {"data": {"status": "ok"}})
    assert run.registry is not None
    told = [{**each.value, "outputSchema": {"type": "object", **schema}} for each in run.registry.tools]
    assert len(findings(replace(run, registry=registry_of(told)), "RES-24")) == found


def test_without_a_registry_data_cannot_be_judged() -> None:
    """A law that needs schemas is inconclusive without them, and says so."""
    run = replace(base("unconfirmed"), registry=None)
    assert verdict(run, "RES-07") is Verdict.INCONCLUSIVE


def test_an_open_call_of_a_broken_run_owes_no_result() -> None:
    """Only a run that finished needs a result for every call (A35)."""
    assert findings(base("incomplete"), "RES-01") == []


def test_a_line_that_could_not_be_read_may_have_been_the_missing_result() -> None:
    """With two results missing and one line unreadable, a result is missing; with one missing, nobody knows."""
    run = base("linear")
    torn = log_of({"run.json": "{}", "calls.jsonl": "", "results.jsonl": "{]\n"}).flaws
    one = replace(run, results=run.results[:2], flaws=torn)
    two = replace(run, results=run.results[:1], flaws=torn)
    assert findings(one, "RES-01") == []
    assert len(findings(two, "RES-01")) == 2


def _live(answer: Json, **patch: Json) -> Run:
    run = patched(base("unconfirmed"), "results", 1, dict(patch)) if patch else base("unconfirmed")
    return live(run, (deed_of(run.calls[1], output(answer)),))


def test_data_that_is_not_what_the_tool_returned_is_found() -> None:
    """Output is mapped once, and not improved on the way (RES-21)."""
    assert findings(_live({"slug": "notes-garden-md"}), "RES-21") == []
    assert "differs from the tool's output at /slug" in findings(_live({"slug": "other"}), "RES-21")[0]


def test_output_that_breaks_the_schema_and_became_data_is_found() -> None:
    """Output against the outputSchema becomes an INTERNAL_ERROR with its reason (A16)."""
    assert len(findings(_live({"slug": 7}, data={"slug": 7}), "RES-07")) == 2
    error: Json = {"code": "INTERNAL_ERROR", "message": "Broken output", "details": {"reason": "output_schema"}}
    refused = _live({"slug": 7}, status="error", ok=False, data=None, error=error)
    assert findings(refused, "RES-07") == []


@pytest.mark.parametrize("output_", [{"slug": "\ud800"}, {"slug": float("nan")}, {"\udfff": 1}, [float("inf")]])
def test_output_that_json_cannot_hold_and_became_data_is_found(output_: Json) -> None:
    """Output that JSON cannot hold becomes an error; nothing else replaces it (A28)."""
    assert len(findings(_live(output_), "RES-22")) == 1
    refused = _live(output_, status="error", ok=False, data=None, error={"code": "INTERNAL_ERROR", "message": "x"})
    assert findings(refused, "RES-22") == []


def test_a_result_with_another_calls_data_is_found_as_that() -> None:
    """RES-23 reports the data of one call under the name of another; RES-21 does not report it as well."""
    run = base("foreach")
    ours, theirs = run.calls[1], run.calls[2]
    deeds = (deed_of(ours, output(run.results[1].get("data"))), deed_of(theirs, output(run.results[2].get("data"))))
    crossed = live(run, deeds)
    assert findings(crossed, "RES-23") == [
        "the result of c2 carried the output of call c3",
        "the result of c3 carried the output of call c2",
    ]
    assert findings(crossed, "RES-21") == []


@pytest.mark.parametrize(
    ("said", "claimed", "found"),
    [
        (True, True, 0),
        (False, False, 0),
        (None, None, 0),
        (True, False, 1),
        (False, True, 1),
        (None, True, 1),
        (True, None, 1),
    ],
)
def test_retryable_is_passed_on_as_the_tool_said_it(said: bool | None, claimed: bool | None, found: int) -> None:
    """Neither turned round, nor lost, nor invented (RES-16)."""
    run = patched(base("diamond"), "results", 1, {"error": {"retryable": claimed}})
    error: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "x"} | ({} if said is None else {"retryable": said})
    witnessed = live(run, (deed_of(run.calls[1], failure(error)),))
    assert len(findings(witnessed, "RES-16")) == found


def test_a_skipped_call_that_was_entered_is_found() -> None:
    """Skipped means never dispatched, but the tool was entered (RES-19)."""
    run = base("diamond")
    entered = deed_of(run.calls[0], call_id="c4", tool="vault.createFile")
    assert len(findings(live(run, (entered,)), "RES-19")) == 1
    assert findings(live(run, (deed_of(run.calls[0]),)), "RES-19") == []


def test_skipped_with_effects_is_found() -> None:
    """A call that never began changed nothing."""
    effects: Json = {"created": [{"path": "a.md", "kind": "file"}]}
    assert findings(patched(base("diamond"), "results", 3, {"effects": effects}), "RES-19") == [
        "the result of c4 was skipped and had effects: created"
    ]


def test_a_late_answer_that_became_a_second_result_is_found() -> None:
    """After the timeout the tool answered, and the system recorded a second result (RES-20)."""
    run = base("timeout")
    first = replace(run.results[0], arrival=20)
    second = replace(first, value={**first.value, "userMessage": "After all"}, arrival=31)
    deed = deed_of(run.calls[0], output({}, arrival=30))
    assert findings(live(replace(run, results=(first, *run.results[1:])), (deed,)), "RES-20") == []
    assert len(findings(live(replace(run, results=(first, second, *run.results[1:])), (deed,)), "RES-20")) == 2


def test_a_refusal_that_took_time_is_found() -> None:
    """A call that was never dispatched took no time (RES-17, A56)."""
    refused = next(n for n, each in enumerate(base("refused").results) if _is_refusal(each))
    assert not findings(base("refused"), "RES-17")
    assert findings(patched(base("refused"), "results", refused, {"durationMs": 2000}), "RES-17")


def _is_refusal(result: Record) -> bool:
    return (result.object("error") or {}).get("code") == "POLICY_DENIED"


@pytest.mark.parametrize(
    ("name", "line", "at", "found"),
    [
        ("stopped", 2, "09.000", 1),  # a call that waited
        ("stopped", 1, "08.500", 0),  # one that was open: somebody may have cancelled it alone
        ("stopped", 3, "02.000", 1),  # a step that was never built
        ("stopped", 3, "11.500", 0),  # within a second of the failure
        ("diamond", 3, "26.000", 1),  # for a need that failed
        ("cancelled", 1, "25.000", 1),
        ("cancelled", 1, "29.500", 0),
    ],
)
def test_nothing_is_given_up_before_its_reason(name: str, line: int, at: str, found: int) -> None:
    """RES-17: a log limits the moment of a decision from one side only (A56)."""
    moment: Json = f"2026-01-05T09:00:{at}Z"
    run = patched(base(name), "results", line, {"endedAt": moment})
    assert len(findings(run, "RES-17")) == found
    assert findings(base(name), "RES-17") == []


@pytest.mark.parametrize(
    "patch",
    [
        {"error": {"code": "PRECONDITION_FAILED", "message": "no", "details": {"reason": "tool_unavailable"}}},
        {"userMessage": "tool_unavailable"},
    ],
)
def test_a_tool_that_is_not_available_waits_for_no_failure(patch: dict[str, Json]) -> None:
    """RES-17, A51: nobody can tell when that was known."""
    moment: Json = "2026-01-05T09:00:02.000Z"
    run = patched(base("stopped"), "results", 3, {"endedAt": moment})
    assert len(findings(run, "RES-17")) == 1
    assert findings(patched(run, "results", 3, patch), "RES-17") == []
    assert len(findings(live(patched(run, "results", 3, patch)), "RES-17")) == 1


@pytest.mark.parametrize(
    "reason",
    [
        {"status": "cancelled", "error": {"code": "CANCELLED"}},  # alone, while it was open
        {"status": "skipped", "error": None, "userMessage": "tool_unavailable"},
    ],
)
def test_who_waited_for_what_was_given_up_alone_waits_for_no_later_failure(reason: dict[str, Json]) -> None:
    """RES-17: the step that it needs was given up in second 34, and something else failed in second 50."""
    failed: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "NOT_FOUND"}}
    run = patched(patched(base("diamond"), "results", 2, failed), "results", 2, {"endedAt": "2026-01-05T09:00:50.000Z"})
    run = patched(run, "results", 3, {"endedAt": "2026-01-05T09:00:34.000Z"})
    if reason["status"] == "skipped":
        run = replace(
            run, events=tuple(e for e in run.events or () if (e.call_id, e.text("type")) != ("c2", "step.started"))
        )
    assert findings(patched(run, "results", 1, reason), "RES-17") == []
    assert len(findings(patched(run, "results", 1, {"endedAt": "2026-01-05T09:00:49.000Z"}), "RES-17")) == 1


def test_a_reason_that_could_not_be_read_is_none_that_is_lacking() -> None:
    """RES-17: the failure may have stood on the line that is not a record."""
    run = patched(base("diamond"), "results", 3, {"endedAt": "2026-01-05T09:00:26.000Z"})
    flaw = Flaw(FlawKind.NOT_JSON, Source("results.jsonl", 9), "is not JSON", Kind.RESULT)
    assert len(findings(run, "RES-17")) == 1
    assert findings(replace(run, flaws=(flaw,)), "RES-17") == []


def test_a_call_whose_deadline_came_waits_for_no_failure() -> None:
    """RES-17: its deadline is the reason, not a failure elsewhere."""
    run = patched(base("stopped"), "results", 2, {"endedAt": "2026-01-05T09:00:09.000Z"})
    assert findings(patched(run, "calls", 2, {"deadlineAt": "2026-01-05T09:00:09.000Z"}), "RES-17") == []


def test_an_iteration_that_is_null_is_one_that_is_absent() -> None:
    """RES-03: null is tolerated for every optional member but data and error (A30, RES-25)."""
    run = with_records(
        base("foreach"), "results", lambda _, each: replace(each, value={**each.value, "iteration": None})
    )
    assert findings(run, "RES-03") == []


def _returned(answer: Json, status: str = "error", **more: Json) -> Run:
    """A live run whose second tool gave ``answer`` and whose result has ``status``; nothing was cancelled or failed."""
    code = "CANCELLED" if status == "cancelled" else "INTERNAL_ERROR"
    patch: dict[str, Json] = {"status": status, "ok": False, "data": None, "error": {"code": code, "message": "x"}}
    run = arriving(patched(base("unconfirmed"), "results", 1, {**patch, **more}))
    deeds = changed(
        invoked(arriving(base("unconfirmed"))),
        "c2",
        lambda deed: replace(deed, answer=replace(output(answer), at_ms=deed.at_ms, arrival=deed.arrival + 1)),
    )
    return witnessed(run, deeds)


@pytest.mark.parametrize("status", ["error", "cancelled"])
def test_output_that_is_thrown_away_is_found(status: str) -> None:
    """The tool returned what its schema accepts, and the result says that it did not (RES-21)."""
    (found,) = findings(_returned({"slug": "a"}, status), "RES-21")
    assert found == f'util.slugifyTitle returned {{"slug":"a"}}, and the result of c2 had status "{status}"'


@pytest.mark.parametrize("answer", [{"slug": 7}, [], None, {"slug": "\ud800"}, {"slug": "x" * 65_536}])
def test_output_that_a_system_may_refuse_is_none_that_was_thrown_away(answer: Json) -> None:
    """Its schema refuses it, JSON cannot hold it, or it is too large (RES-07, RES-22)."""
    assert findings(_returned(answer), "RES-21") == []


def test_what_was_called_off_was_not_thrown_away() -> None:
    """A user cancelled the run, or the tool was told to stop before it answered (RES-21)."""
    run = _returned({"slug": "a"}, "cancelled")
    assert run.witnessed is not None
    cancel = act(ActKind.CANCEL, 1)
    assert findings(replace(run, witnessed=replace(run.witnessed, acts=(cancel,))), "RES-21") == []
    stopped = changed(run.witnessed.deeds, "c2", aborted("cancelled", 0, 1))
    assert findings(replace(run, witnessed=replace(run.witnessed, deeds=stopped)), "RES-21") == []


@pytest.mark.parametrize(
    ("after_ms", "behind_the_result", "deadline", "found"),
    [
        (500, -1, None, 1),
        (500, 1, None, 0),
        (1_200, -1, None, 0),
        (500, -1, "2026-01-05T09:00:00.000Z", 0),
    ],
    ids=["in time", "behind the result", "beyond the limit", "behind the deadline"],
)
def test_output_that_came_late_was_not_thrown_away(
    after_ms: float, behind_the_result: int, deadline: str | None, found: int
) -> None:
    """RES-21 is about answers before the call was closed and before its limit; TIME-01 covers later ones."""
    run = patched(_returned({"slug": "a"}), "calls", 1, {"timeoutMs": 1_000, "deadlineAt": deadline})
    closed = run.results[1].arrival or 0
    assert run.witnessed is not None
    deeds = changed(
        run.witnessed.deeds,
        "c2",
        lambda deed: replace(
            deed,
            answer=replace(output({"slug": "a"}), at_ms=deed.at_ms + after_ms, arrival=closed + behind_the_result),
        ),
    )
    assert len(findings(replace(run, witnessed=replace(run.witnessed, deeds=deeds)), "RES-21")) == found


def test_a_tool_without_output_may_return_null() -> None:
    """Null on the wire stands for the empty object, which is checked against the schema (RES-06, A24)."""
    run = base("unconfirmed")
    tool: dict[str, Json] = {"name": "util.slugifyTitle", "inputSchema": {}, "outputSchema": {"type": "object"}}
    run = patched(replace(run, registry=registry_of([tool])), "results", 1, {"data": {"slug": None}})
    nothing = live(run, (deed_of(run.calls[1], output(None)),))
    for law in ("RES-07", "RES-21"):
        assert findings(nothing, law) == []


def test_a_line_that_is_no_json_twice_is_evidence() -> None:
    """RES-22: output that JSON cannot hold left the system unchanged, and again after a restart (A78)."""
    run = witnessed(base("linear"), invoked(arriving(base("linear"))))
    assert run.witnessed is not None
    told = replace(run, witnessed=replace(run.witnessed, expectations={"garbled": ["RES-22"]}))
    assert len(findings(told, "RES-22")) == 1
    assert findings(run, "RES-22") == []


def test_an_event_may_show_data_whose_secrets_either_has_redacted() -> None:
    """RES-21, A42: a marked value is compared with nothing, and all others are compared."""
    run = base("linear")
    result = run.results[0]
    (closing,) = (at for at, each in enumerate(run.events or ()) if _closes(each, result))
    shown: dict[str, Json] = {**(result.object("data") or {}), "content": "***"}
    told = patched(run, "events", closing, {"payload": {"data": shown}})
    assert len(findings(told, "RES-21")) == 1
    marked = patched(told, "events", closing, {"redacted": ["/payload/data/content"]})
    assert findings(marked, "RES-21") == []
    assert findings(patched(told, "results", 0, {"redacted": ["/data/content"]}), "RES-21") == []
    assert len(findings(patched(told, "results", 0, {"redacted": ["/data/path", "/dataHash"]}), "RES-21")) == 1
    more = patched(marked, "events", closing, {"payload": {"data": {"path": "elsewhere.md"}}})
    assert len(findings(more, "RES-21")) == 1
    assert findings(patched(more, "events", closing, {"redacted": ["/payload"]}), "RES-21") == []


def _closes(event: Record, result: Record) -> bool:
    return event.call_id == result.call_id and event.text("type") == "step.finished"


def test_an_output_is_not_thrown_away_where_another_failure_stopped_its_call() -> None:
    """RES-21: another failure is a reason to cancel a call, but not a reason for an error."""
    other: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "INTERNAL_ERROR", "message": "x"}}
    for status, found in (("cancelled", 0), ("error", 1)):
        run = patched(_returned({"slug": "a"}, status), "results", 0, other)
        assert len([each for each in findings(run, "RES-21") if "of c2 had status" in each]) == found


@pytest.mark.parametrize(("acts", "permitted"), [((), ""), ((act(ActKind.CANCEL, 1),), ", or status cancelled")])
def test_where_a_run_was_cancelled_an_answer_may_have_come_too_late(acts: tuple[Act, ...], permitted: str) -> None:
    """RES-21: the finding names both of the statuses that the law permits in a race, and one where there was none."""
    run = _returned({"slug": "a"})
    assert run.witnessed is not None
    (found,) = look(replace(run, witnessed=replace(run.witnessed, acts=acts)), "RES-21").findings
    assert found.finding.permitted == f"status ok, with what the tool returned as its data{permitted}"


@pytest.mark.parametrize(
    ("code", "reason", "found"),
    [("INTERNAL_ERROR", "output_schema", 0), ("VALIDATION_ERROR", "output_schema", 1), ("INTERNAL_ERROR", "other", 1)],
)
def test_output_against_its_schema_is_told_as_that(code: str, reason: str, found: int) -> None:
    """RES-07: an INTERNAL_ERROR with its reason, and nothing else (A16)."""
    error: Json = {"code": code, "message": "x", "details": {"reason": reason}}
    assert len(findings(_returned({"slug": 7}, error=error), "RES-07")) == found


def test_output_that_came_too_late_is_no_output_against_its_schema() -> None:
    """RES-07, RES-20: the call had timed out."""
    timed_out: Json = {"code": "TIMEOUT", "message": "x"}
    assert findings(_returned({"slug": 7}, "timeout", error=timed_out), "RES-07") == []


@pytest.mark.parametrize("without", [(), ("events",), ("calls",)])
@pytest.mark.parametrize(
    ("patch", "told"),
    [
        ({"tool": "vault.readFile"}, "had tool"),
        ({"tool": None}, "had no tool"),
        ({"attempt": 2}, "had attempt 2"),
        ({"attempt": None}, "had no attempt"),
        ({"stepId": "s99"}, "had stepId"),
        ({"iteration": {"index": 0, "itemName": "item", "itemValue": 1}}, "had iteration"),
        ({"iteration": "0"}, "had iteration"),
    ],
)
def test_a_result_that_stands_alone_names_what_the_plan_has(patch: Json, told: str, without: tuple[str, ...]) -> None:
    """RES-02, LOG-23, A2: no call and perhaps no event says whose it is."""
    run = base("timeout")
    run = replace(run, events=None) if "events" in without else run
    law = "RES-02"
    if "calls" in without:
        run, law = replace(run, calls=(), results=run.results[2:], events=None), "LOG-23"
    assert findings(run, law) == []
    found = findings(patched(run, "results", len(run.results) - 1, patch), law)
    assert len(found) == 1
    assert told in found[0]


def test_what_a_result_that_stands_alone_need_not_say() -> None:
    """RES-02, B-54: its tool was never resolved, and a loop that was not expanded has no iterations to name."""
    run = base("foreach")
    at = next(at for at, each in enumerate(run.results) if each.step_id == "s5")
    other: Json = {"tool": "vault.other"}
    unlisted = replace(run, registry=None)
    assert len(findings(patched(run, "results", at, other), "RES-02")) == 1
    assert findings(patched(unlisted, "results", at, other), "RES-02") == []
    assert findings(patched(run, "results", at, {"iteration": None}), "RES-02") == []
    unknown = replace(run, registry=registry_of([]))
    assert findings(patched(unknown, "results", at, other), "RES-02") == []  # VAL-05 reports it
    unplanned = run_record_patched(run, {"plan": None})
    assert findings(patched(unplanned, "results", at, {**other, "stepId": "s99"}), "RES-02") == []
    lost = patched(run, "results", at, {"status": "ok", "ok": True, "data": {}, "attempt": 2})
    assert len(findings(lost, "RES-02")) == 1


@pytest.mark.parametrize(
    ("at", "told"),
    [(2, "data is an object, {} where the tool gave nothing (RES-06)"), (0, "data is absent where there is none")],
)
def test_a_null_for_data_is_told_with_what_its_status_asks_for(at: int, told: str) -> None:
    """RES-25: an ok result has an object, and no other result has data (RES-06, RES-08)."""
    run = with_records(
        base("retried"),
        "results",
        lambda index, each: replace(each, value={**each.value, "data": None}) if index == at else each,
    )
    assert [each.finding.permitted for each in judge(run)["RES-25"].findings] == [told]


@pytest.mark.parametrize(("answer", "told"), [(None, "null, so the data is {}"), ({}, "{}")])
def test_a_null_for_data_is_told_once_with_what_the_tool_returned(answer: Json, told: str) -> None:
    """RES-21 follows from RES-25; the finding says whether the tool returned null or an empty object (A24)."""
    run = with_records(
        base("unconfirmed"),
        "results",
        lambda index, each: replace(each, value={**each.value, "data": None}) if index == 1 else each,
    )
    seen = live(run, (deed_of(run.calls[1], output(answer)),))
    (found,) = folded(seen, judge(seen))["RES-21"].findings
    assert found.finding.permitted == f"the tool returned {told}"
    assert found.root is not None
    assert found.root.requirement == "RES-25"


def test_a_null_for_an_error_explains_no_data() -> None:
    """RES-21: the data of the same result was altered for another reason than that its error is null (RES-25)."""
    run = with_records(
        base("unconfirmed"),
        "results",
        lambda index, each: replace(each, value={**each.value, "error": None}) if index == 1 else each,
    )
    seen = live(run, (deed_of(run.calls[1], output({"slug": "another"})),))
    (found,) = folded(seen, judge(seen))["RES-21"].findings
    assert found.root is None
