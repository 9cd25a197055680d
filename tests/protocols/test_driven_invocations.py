"""What a driven system may do without a finding, and what it may not do, law by law."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.invocation import PROTOCOL
from callproof.protocols.invocation.codes import NO_FALLBACK, NOT_PERMITTED, REROUTED
from callproof.protocols.invocation.log import LAWS, Invocations, invocations
from callproof.protocols.judging import results_of
from callproof.trace.records import Source
from callproof.values.jsonvalue import merge_patch

LOG = Path(__file__).parents[2] / "spec" / "protocols" / "examples" / "asked" / "log.jsonl"
Lines = list[dict[str, Any]]


def responses() -> dict[str, Lines]:
    """The responses of the base log by the name of their case."""
    found: dict[str, Lines] = {}
    for line in map(json.loads, LOG.read_text("utf-8").splitlines()):
        if line["kind"] == "meta":
            lines = found.setdefault(line["case"].partition("/")[2], [])
        lines.append(line)
    return found


ASKED = responses()
SMALL = {"profile": "small"}
GENERATED = {"kind": "probe", "probe": "generated", "profile": "large", "offered": [], "results": [], "text": "Two."}
HANDED = {"text": "Two."}


def log(lines: Lines) -> Invocations:
    """The lines as a log, linked up."""
    return invocations(entries(lines))


def entries(lines: Lines) -> Entries:
    """The lines as they are read."""
    return Entries("log", tuple(Entry(each, Source("log.jsonl", at)) for at, each in enumerate(lines, 1)))


def judged(lines: Lines) -> Results:
    """The results of a log."""
    return results_of(PROTOCOL, PROTOCOL.trace(entries(lines)))


def broken(lines: Lines) -> dict[str, list[str]]:
    """What was found, by requirement, with errors of checks among it."""
    return {
        name: [each.finding.observed for each in result.findings] or list(result.errors)
        for name, result in judged(lines).items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


def with_(name: str, **patches: Any) -> Lines:
    """A response with patches for its lines, by their kind or probe."""
    lines = ASKED[name]
    assert set(patches) <= {each.get("probe", each["kind"]) for each in lines}
    return [merge_patch(each, patches.get(each.get("probe", each["kind"]), {})) for each in lines]  # type: ignore[misc]


def without(name: str, what: str) -> Lines:
    """A response without its lines of one kind or probe."""
    return [each for each in ASKED[name] if each.get("probe", each["kind"]) != what]


def before(name: str, what: str, *more: Mapping[str, Any]) -> Lines:
    """A response with more lines before its first line of one kind or probe."""
    lines = ASKED[name]
    at = next(at for at, each in enumerate(lines) if each.get("probe", each["kind"]) == what)
    return [*lines[:at], *map(dict, more), *lines[at:]]


def told(status: str, code: str | None = None, **more: Any) -> dict[str, Any]:
    """A patch that gives a record another outcome in every place that states it."""
    part = {"status": status, "reasonCode": code}
    event = {"kind": "tool", "toolName": "web_search", "status": status, **({"reasonCode": code} if code else {})}
    generation = {"kind": "generation", "status": "executed"}
    return {"record": {"outcome": part, "reported": {"runtime": part}, "execution": [event, generation], **more}}


def clock(response: str) -> dict[str, Any]:
    """A record of a tool that the start of the response did not name."""
    request = {"requested": False, "eligible": False, "reasonCode": "tool_not_requested"}
    parts = {"intent": {"toolName": "clock", "requested": False}, "request": {"toolName": "clock", **request}}
    return {"kind": "record", "record": {"responseId": response, **parts}}


TOOL_AGAIN = {"kind": "probe", "probe": "tool_used", "profile": "large", "toolName": "web_search"}
USED = {**TOOL_AGAIN, "input": {"query": "when do swifts leave"}, "output": {"sources": []}}
FAILED = {**TOOL_AGAIN, "input": {"query": "when do swifts leave"}, "failure": "timeout"}

BROKEN: dict[str, tuple[str, Lines]] = {
    "a_response_comes_to_an_end": ("INT-10", [*without("failed", "finished"), {"kind": "probe", "probe": "gave_up"}]),
    "each_tool_has_its_record": ("INT-10", without("executed", "record")),
    "its_records_are_of_one_response": ("INT-10", before("executed", "finished", clock("r-0"))),
    "the_intent_on_record_is_the_planners": (
        "INT-11",
        with_("executed", record={"record": {"intent": {"input": {"query": "swifts"}}}}),
    ),
    "the_record_is_under_the_contract": ("INT-11", with_("executed", record={"record": {"contract": "2026-05"}})),
    "what_nobody_asked_for_is_left_alone": ("INT-12", before("unwanted", "generated", USED)),
    "a_tool_is_used_where_it_is": ("INT-12", with_("rerouted", tool_used={"profile": "medium"})),
    "no_other_profile_is_used_than_may_be": ("INT-12", with_("executed", generated=SMALL)),
    "what_may_be_used_is": (
        "INT-13",
        [
            each if each["kind"] != "record" else merge_patch(each, told("skipped", "unspecified_tool_outcome"))
            for each in without("timeout", "tool_used")
        ],
    ),
    "it_is_used_with_what_the_planner_gave": ("INT-13", with_("executed", tool_used={"input": None})),
    "what_gave_something_is_not_used_again": ("INT-13", before("executed", "generated", USED)),
    "what_came_of_it_is_what_is_told": ("INT-14", with_("executed", record=told("failed", "tool_execution_error"))),
    "the_code_is_true": ("INT-14", with_("left", record=told("skipped", "tool_unavailable"))),
    "the_code_of_the_request_is_true": (
        "INT-14",
        with_("rerouted", record={"record": {"request": {"reasonCode": NO_FALLBACK}}}),
    ),
    "an_answer_is_asked_for": (
        "INT-15",
        [
            each
            if each["kind"] != "record"
            else merge_patch(each, {"record": {"execution": each["record"]["execution"][:1]}})
            for each in without("unwanted", "generated")
        ],
    ),
    "the_user_is_given_what_the_provider_answered": ("INT-15", with_("timeout", finished={"text": "Sorry."})),
    "what_a_tool_gave_reaches_the_provider": ("INT-16", with_("executed", generated={"results": []})),
    "the_provider_is_told_nothing_of_what_was_not_used": (
        "INT-16",
        with_("absent", generated={"results": [{"toolName": "web_search", "output": 1}]}),
    ),
    "without_what_it_needs_no_answer_is_asked_for": ("INT-17", before("failed", "record", GENERATED)),
    "without_what_it_needs_no_answer_is_handed_on": (
        "INT-17",
        [
            merge_patch(each, HANDED if each.get("probe") == "finished" else {})
            for each in before("failed", "tool_used", GENERATED)
        ],
    ),
    "where_another_profile_can_it_does": (
        "INT-18",
        with_(
            "absent",
            meta={"contract": "2026-05", "selected": {"mayReroute": True}},
            record={"record": {"contract": "2026-05"}},
        ),
    ),
    "what_was_sent_elsewhere_says_so": (
        "INT-18",
        with_("rerouted", record=told("executed", request={"eligible": True, "reasonCode": None})),
    ),
    "what_is_told_of_the_generation_is_true": (
        "INT-19",
        with_("left", generated={"text": None, "used": None}, finished={"text": None}),
    ),
    "a_failure_is_told_by_its_kind": ("INT-20", with_("timeout", record=told("failed", "tool_execution_error"))),
    "nothing_took_longer_than_the_response": (
        "INT-21",
        with_(
            "executed",
            finished={"tookMs": 2, "x": 1},
            record={"record": {"reported": {"runtime": {"durationMs": 1003}}}},
        ),
    ),
}

NOT_MOVED = {"contract": "2026-05", "selected": {"mayReroute": False}}
# More ways to break a law, all found by its check.
MORE_BROKEN: dict[str, tuple[str, Lines]] = {
    "the runtime uses what the provider would": (
        "INT-12",
        with_("timeout", meta={"toolsBy": "provider"}),
    ),
    "the metadata were not captured": ("INT-10", with_("executed", record={"record": {"execution": None}})),
    "nobody says what came of it": (
        "INT-10",
        with_(
            "executed",
            record={
                "record": {
                    "outcome": None,
                    "reported": None,
                    "execution": [{"kind": "generation", "status": "executed"}],
                }
            },
        ),
    ),
    "the record says that the response can do without": (
        "INT-11",
        with_("executed", record={"record": {"optional": False}}),
    ),
    "what is not there is called left alone": (
        "INT-14",
        with_("absent", record=told("skipped", "tool_not_used")),
    ),
    "there is another profile": (
        "INT-14",
        with_("absent", meta=NOT_MOVED, record=told("skipped", NO_FALLBACK, contract="2026-05")),
    ),
    "no other profile was used": (
        "INT-14",
        with_("left", meta={"contract": "2026-05"}, record=told("skipped", REROUTED, contract="2026-05")),
    ),
}

LAWFUL: dict[str, Lines] = {
    "another profile has it and may not be used": with_(
        "absent", meta=NOT_MOVED, record=told("skipped", NOT_PERMITTED, contract="2026-05")
    ),
    "another profile may be used and none has it": with_(
        "absent",
        meta={"contract": "2026-05", "selected": {"mayReroute": True}, "profiles": [{"name": "small", "tools": []}]},
        record=told("skipped", NO_FALLBACK, contract="2026-05"),
    ),
    "under v1 nobody is sent elsewhere": with_("absent", meta={"selected": {"mayReroute": True}}),
    "the provider was asked to use what is needed, and its answer is thrown away": with_(
        "left",
        meta={"tools": [{"toolName": "web_search", "optional": False}]},
        record={
            "record": {
                "optional": False,
                "execution": [
                    {"kind": "tool", "toolName": "web_search", "status": "skipped", "reasonCode": "tool_not_used"},
                    {"kind": "generation", "status": "skipped"},
                ],
            }
        },
        finished={"text": "I cannot look that up."},
    ),
    "what failed is tried again": before("timeout", "generated", FAILED),
    "what failed is tried again, and works": [
        merge_patch(each, told("executed") if each["kind"] == "record" else {})
        if each.get("probe") != "generated"
        else {**each, "results": [{"toolName": "web_search", "output": {"sources": []}}]}
        for each in before("timeout", "generated", USED)
    ],
    "the provider is told that a tool failed": with_(
        "timeout", generated={"results": [{"toolName": "web_search", "output": {"error": "timeout"}}]}
    ),
    "numbers are rounded to doubles": with_(
        "executed",
        meta={"intents": [{"toolName": "web_search", "requested": True, "input": {"since": 2**53 + 1}}]},
        tool_used={"input": {"since": 2**53}, "output": {"sources": None, "found": 2**53 + 1}},
        generated={"results": [{"toolName": "web_search", "output": {"found": 2**53}}]},
        record={"record": {"intent": {"input": {"query": None, "since": 2.0**53}}}},
    ),
    "an input is filled in": with_("executed", tool_used={"input": {"limit": 5}}),
    "an input is left out of the record": with_("executed", record={"record": {"intent": {"input": None}}}),
    "something is added to the answer": with_("executed", finished={"text": "Well. Swifts leave in July. [1]"}),
    "a draft comes before the answer": before("left", "record", {**GENERATED, "used": []}),
    "an answer is made without a search, and another one with it": before("executed", "tool_used", GENERATED),
    "the user is told that there is no answer": with_("failed", finished={"text": "I cannot look that up."}),
    "a draft from before the failure is thrown away": before("failed", "tool_used", GENERATED),
    "a provider that does not tell what it used": with_("left", generated={"used": None}, record=told("executed")),
    "a provider that fails": with_(
        "left",
        generated={"text": None, "used": None},
        record={
            "record": {
                "execution": [*ASKED["left"][-2]["record"]["execution"][:1], {"kind": "generation", "status": "failed"}]
            }
        },
        finished={"text": None},
    ),
    "records of tools that the response did not begin with": before("executed", "finished", clock("r-1")),
    "what nobody wanted has no outcome": with_("unwanted", record={"record": {"outcome": None, "reported": None}}),
    "a clock that is off by less than a second": with_(
        "executed", record={"record": {"reported": {"runtime": {"durationMs": 1005}}}}
    ),
    "a failure of which nobody can say more": with_(
        "timeout", tool_used={"failure": "execution_error"}, record=told("failed", "unspecified_tool_outcome")
    ),
    "a probe of tomorrow": before("executed", "finished", {"kind": "probe", "probe": "tasted", "profile": "large"}),
    "what was rerouted and left alone keeps the code": with_(
        "rerouted",
        meta={"toolsBy": "provider"},
        tool_used={"probe": "planned"},
        generated={
            "offered": [{"toolName": "web_search", "input": {"query": "when do swifts leave"}}],
            "used": [],
            "results": [],
        },
        record=told("skipped", "search_rerouted_to_fallback_profile"),
    ),
    "nothing is over yet": ASKED["executed"][:3],
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_what_a_driven_system_may_not_do_is_found_by_its_check_and_breaks_no_other_law(name: str) -> None:
    """Each check finds the log that breaks its law, and that log breaks no other requirement."""
    requirement, lines = BROKEN[name]
    assert set(broken(lines)) == {requirement}
    (check,) = (each for each in LAWS.by_requirement[requirement] if each.name == name)
    heard = log(lines)
    assert [finding for subject in check.each(heard) for finding in check.examine(heard, subject)]


@pytest.mark.parametrize("name", sorted(MORE_BROKEN))
def test_what_a_driven_system_may_not_do_is_found_in_every_way(name: str) -> None:
    """This requirement is broken, and no other."""
    requirement, lines = MORE_BROKEN[name]
    assert set(broken(lines)) == {requirement}


def test_every_check_of_a_driven_system_has_a_log_that_breaks_it() -> None:
    """Every check that needs the evidence of a driver has such a log."""
    driven = {each.name for checks in LAWS.by_requirement.values() for each in checks if "driver" in each.needs}
    assert driven == set(BROKEN)


def test_a_code_that_is_not_so_is_told_beside_those_that_are() -> None:
    """If a use was to be rerouted and never was, the outcome may say that the chosen profile does not have the tool."""
    lines = [each for each in without("rerouted", "tool_used") if each.get("probe") != "generated"]
    lines = [merge_patch(each, told("skipped", REROUTED)) if each["kind"] == "record" else each for each in lines]  # type: ignore[misc]
    (code,) = (each.finding for each in judged(lines)["INT-14"].findings if "reasonCode" in each.finding.observed)
    assert code.permitted.endswith(": search_not_supported_by_selected_profile or tool_unavailable")


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_what_a_driven_system_may_do_is_no_finding(name: str) -> None:
    """What the contract leaves open is not a violation."""
    assert broken(LAWFUL[name]) == {}


def test_what_stands_before_a_note_was_driven_by_nobody() -> None:
    """Records before a note are judged only by what records show, and their probes only by their shapes."""
    record = ASKED["executed"][-2]["record"]
    results = judged([record])
    assert results["INT-14"].verdict is Verdict.INCONCLUSIVE
    assert "driver" in results["INT-14"].missing
    assert "INT-07" in broken([*ASKED["executed"][1:], *ASKED["unwanted"]])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (None, "without the query that the planner gave"),
        ({"query": "swifts"}, "with another query than the planner gave"),
        ({"query": None, "limit": 3}, "without the query that the planner gave"),
    ],
)
def test_what_did_not_reach_the_tool_is_told_from_what_was_changed(given: object, says: str) -> None:
    """INT-13: the finding says whether to look for the code that drops the input, or for the code that rewrites it."""
    assert broken(with_("executed", tool_used={"input": given}))["INT-13"] == [f"web_search was used {says}"]


def test_a_record_of_a_system_is_no_probe() -> None:
    """A system cannot say what the suite saw: everything that it writes is a record."""
    forged = {"kind": "record", "record": {"kind": "probe", "probe": "tool_used", **USED}}
    assert "INT-13" in broken([*without("executed", "tool_used")[:-1], forged, ASKED["executed"][-1]])


GARBAGE: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    [None],
    [[]],
    {},
    {"toolName": []},
    [{"toolName": "web_search"}],
]


@pytest.mark.many
@pytest.mark.parametrize("name", sorted(ASKED))
def test_no_check_falls_over_garbage_in_any_member(name: str) -> None:
    """Every check comes to a result for any value in any member of any line."""
    lines = ASKED[name]
    for at, line in enumerate(lines):
        for member in (*line, "selected", "used", "offered", "results", "profile", "tookMs"):
            for value in GARBAGE:
                changed = [*lines[:at], {**line, member: value}, *lines[at + 1 :]]
                assert [each.errors for each in judged(changed).values() if each.errors] == []


@pytest.mark.parametrize(
    "change",
    [lambda lines: lines[::-1], lambda lines: lines[1:], lambda lines: lines * 2, lambda lines: lines[:1] * 3],
    ids=["backwards", "without its note", "twice", "notes alone"],
)
def test_no_check_falls_over_lines_in_another_order(change: Callable[[Lines], Lines]) -> None:
    """Every check comes to a result for any order of the lines."""
    for lines in ASKED.values():
        assert [each.errors for each in judged(change(lines)).values() if each.errors] == []
