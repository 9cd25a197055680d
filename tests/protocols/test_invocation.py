"""The invocation contract beyond its examples: what is lawful, what is not, and input that no check may fail on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.invocation import PROTOCOL
from callproof.protocols.judging import results_of
from callproof.trace.records import Source
from callproof.values.jsonvalue import merge_patch

LOG = Path(__file__).parents[2] / "spec" / "protocols" / "examples" / "searched" / "log.jsonl"
EXECUTED, UNREQUESTED, UNAVAILABLE, FAILED, NEEDED, REROUTED = map(json.loads, LOG.read_text("utf-8").splitlines())
ODD: list[Any] = [None, True, 0, -1, 1.5, 10**30, "", "x", "\ud800", [], [None], {}, {"status": []}, {"": {}}]


def judged(*records: Mapping[str, Any]) -> Results:
    """The results of a log of these records."""
    entries = tuple(Entry(each, Source("log.jsonl", line)) for line, each in enumerate(records, start=1))
    return results_of(PROTOCOL, PROTOCOL.trace(Entries("log", entries)))


def failed(results: Results) -> set[str]:
    """The requirements that are broken, with errors of checks among them."""
    return {name for name, each in results.items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}


def changed(record: Any, patch: Any) -> Any:
    """A record with a merge patch."""
    return merge_patch(record, patch)


GENERATED = {"kind": "generation", "status": "executed"}
SKIPPED = {"kind": "generation", "status": "skipped"}
REROUTE = "search_rerouted_to_fallback_profile"


def event(status: str, code: str | None = None) -> dict[str, str]:
    """An execution event of the search."""
    told = {"kind": "tool", "toolName": "web_search", "status": status}
    return told if code is None else {**told, "reasonCode": code}


def outcome(status: str, code: str | None = None) -> dict[str, str]:
    """An outcome of the search."""
    return {name: value for name, value in event(status, code).items() if name != "kind"}


def told_by_its_event(record: Any) -> Any:
    """The record without its outcome, which the metadata still contain."""
    return changed(record, {"outcome": None, "execution": [{"kind": "tool", **record["outcome"]}, GENERATED]})


LAWFUL = {
    "nothing is told of what nobody asked for": changed(UNREQUESTED, {"outcome": None, "execution": None}),
    "the metadata were not captured": changed(EXECUTED, {"execution": None}),
    "only the outcome is told": changed(EXECUTED, {"execution": None, "reported": None}),
    "members of a system's own": changed(
        EXECUTED, {"traceId": 7, "outcome": {"clarification": {"question": "which one"}}, "intent": {"why": []}}
    ),
    "no duration": changed(EXECUTED, {"outcome": {"durationMs": None}}),
    "the generation failed for a reason of its own": changed(
        UNAVAILABLE,
        {
            "execution": [
                {"kind": "tool", "toolName": "web_search", "status": "skipped", "reasonCode": "tool_unavailable"},
                {"kind": "generation", "status": "failed", "reasonCode": "generation_runtime_error"},
            ]
        },
    ),
    "what is needed was executed": changed(EXECUTED, {"optional": False}),
    "what is needed was not asked for": changed(UNREQUESTED, {"optional": False}),
    "the orchestrator is believed before the runtime": changed(
        FAILED,
        {
            "reported": {
                "orchestrator": {"toolName": "web_search", "status": "failed", "reasonCode": "tool_execution_error"},
                "runtime": {"status": "executed"},
            }
        },
    ),
    "a code of what was executed is left out under v1": changed(
        EXECUTED, {"reported": {"runtime": {"reasonCode": "tool_not_used"}}}
    ),
    "available, and not requested, under the later contract": changed(
        UNREQUESTED, {"contract": "2026-05", "request": {"eligible": True}}
    ),
    "an event of another tool": changed(
        EXECUTED,
        {
            "execution": [
                {"kind": "tool", "toolName": "web_search", "status": "executed"},
                {"kind": "tool", "toolName": "weather_forecast", "status": "skipped", "reasonCode": "tool_not_used"},
                GENERATED,
            ]
        },
    ),
    "the later contract has codes for failures of the network": changed(
        FAILED,
        {
            "contract": "2026-05",
            "reported": {"runtime": {"reasonCode": "tool_timeout"}},
            "outcome": {"reasonCode": "tool_timeout"},
            "execution": None,
        },
    ),
    "an evaluator had its say": changed(
        EXECUTED, {"execution": [{"kind": "evaluator", "status": "executed"}, event("executed"), GENERATED]}
    ),
    "the event of the tool alone tells that it was executed": told_by_its_event(EXECUTED),
    "the event of the tool alone tells of a failure": told_by_its_event(FAILED),
    "the event of the tool alone tells of what is not there": told_by_its_event(UNAVAILABLE),
    "the user is asked instead": changed(
        FAILED,
        {
            "outcome": {"clarification": {"question": "which one"}},
            "execution": [event("failed", "tool_execution_error"), SKIPPED],
        },
    ),
    "the user is asked instead, beside the outcome and in a word": changed(
        UNAVAILABLE,
        {"clarification": "Which year?", "execution": [event("skipped", "tool_unavailable"), SKIPPED]},
    ),
    "nothing was generated, and nothing was asked for": changed(
        UNREQUESTED, {"execution": [event("skipped", "tool_not_requested"), SKIPPED]}
    ),
    "sent to another profile, and not used there": changed(
        REROUTED,
        {
            "reported": {"runtime": outcome("skipped", "tool_not_used") | {"durationMs": None}},
            "outcome": outcome("skipped", REROUTE),
            "execution": None,
        },
    ),
    "sent to another profile, and not used there, with the runtime's code": changed(
        REROUTED,
        {
            "reported": {"runtime": outcome("skipped", "tool_not_used") | {"durationMs": None}},
            "outcome": outcome("skipped", "tool_not_used"),
            "execution": None,
        },
    ),
    "sent to another profile, and failed there": changed(
        REROUTED,
        {
            "reported": {"runtime": outcome("failed", "tool_timeout")},
            "outcome": outcome("failed", "tool_timeout"),
            "execution": None,
        },
    ),
    "a failure of which nobody can say more, under the later contract": changed(
        FAILED,
        {
            "contract": "2026-05",
            "reported": {"runtime": {"reasonCode": "unspecified_tool_outcome"}},
            "outcome": {"reasonCode": "unspecified_tool_outcome"},
            "execution": None,
        },
    ),
    "refused without a code": changed(
        UNAVAILABLE, {"request": {"eligible": False}, "execution": None, "reported": None}
    ),
    "nothing is told yet of what was requested": changed(
        EXECUTED, {"outcome": None, "reported": None, "execution": None}
    ),
}
UNLAWFUL: dict[str, tuple[Any, set[str]]] = {
    "eligible, and nobody asked": (changed(UNREQUESTED, {"request": {"eligible": True}}), {"INT-01"}),
    "requested by the orchestrator alone": (changed(UNREQUESTED, {"request": {"requested": True}}), {"INT-01"}),
    "a code that the contract does not have": (
        changed(
            FAILED,
            {
                "outcome": {"reasonCode": "tool_timeout"},
                "reported": {"runtime": {"reasonCode": "tool_timeout"}},
                "execution": None,
            },
        ),
        {"INT-03"},
    ),
    "a failure without a code that was given another": (
        changed(FAILED, {"outcome": {"reasonCode": "tool_not_used"}, "execution": None}),
        {"INT-03"},
    ),
    "failed for want of the tool": (
        changed(
            UNAVAILABLE,
            {"outcome": {"status": "failed"}, "reported": {"runtime": {"status": "failed"}}, "execution": None},
        ),
        {"INT-04"},
    ),
    "a tool that the answer needs was not there, and failed": (
        changed(
            NEEDED,
            {
                "outcome": {"status": "failed", "reasonCode": "tool_unavailable"},
                "reported": None,
                "execution": None,
            },
        ),
        {"INT-03"},
    ),
    "no generation is told of": (
        changed(
            UNAVAILABLE,
            {
                "execution": [
                    {"kind": "tool", "toolName": "web_search", "status": "skipped", "reasonCode": "tool_unavailable"}
                ]
            },
        ),
        {"INT-04"},
    ),
    "another code than the runtime's": (
        changed(UNAVAILABLE, {"outcome": {"reasonCode": "tool_not_used"}, "execution": None}),
        {"INT-05"},
    ),
    "executed, and not eligible": (
        changed(EXECUTED, {"request": {"eligible": False, "reasonCode": "tool_unavailable"}}),
        {"INT-06"},
    ),
    "rerouted before there was such a thing": (changed(REROUTED, {"contract": None}), {"INT-06"}),
    "no tool": (changed(EXECUTED, {"intent": {"toolName": None}}), {"INT-07"}),
    "no request": (changed(EXECUTED, {"request": None}), {"INT-07"}),
    "a contract that is none": (changed(EXECUTED, {"contract": "v9"}), {"INT-07"}),
    "two events of a tool": (
        changed(
            EXECUTED,
            {"execution": [{"kind": "tool", "toolName": "web_search", "status": "executed"}] * 2 + [GENERATED]},
        ),
        {"INT-07"},
    ),
    "the event alone tells that nobody asked and it was executed": (
        changed(UNREQUESTED, {"outcome": None, "execution": [event("executed"), GENERATED]}),
        {"INT-01"},
    ),
    "the runtime alone reports that nobody asked and it was executed": (
        changed(UNREQUESTED, {"outcome": None, "execution": None, "reported": {"runtime": outcome("executed")}}),
        {"INT-01"},
    ),
    "the event alone tells of a failure without a reason": (
        changed(FAILED, {"outcome": None, "reported": None, "execution": [event("failed"), GENERATED]}),
        {"INT-03"},
    ),
    "skipped, with a code of what was used": (
        changed(UNAVAILABLE, {"outcome": {"reasonCode": "tool_execution_error"}, "reported": None, "execution": None}),
        {"INT-03"},
    ),
    "failed, with a code of what was not used": (
        changed(FAILED, {"outcome": {"reasonCode": "unspecified_tool_outcome"}, "reported": None, "execution": None}),
        {"INT-03"},
    ),
    "a request with a code that is none": (
        changed(UNAVAILABLE, {"request": {"eligible": False, "reasonCode": "no_luck"}}),
        {"INT-03"},
    ),
    "a report with a code that is none": (
        changed(FAILED, {"reported": {"runtime": {"reasonCode": "ECONNRESET"}}}),
        {"INT-03"},
    ),
    "a failure of an optional tool that takes the answer along": (
        changed(FAILED, {"execution": [event("failed", "tool_execution_error"), SKIPPED]}),
        {"INT-04"},
    ),
    "refused for want of availability, and no answer": (
        changed(
            UNAVAILABLE,
            {
                "request": {"eligible": False, "reasonCode": "tool_unavailable"},
                "outcome": None,
                "reported": None,
                "execution": [SKIPPED],
            },
        ),
        {"INT-04"},
    ),
    "reported, and left out of the metadata": (
        changed(EXECUTED, {"outcome": None, "execution": [GENERATED]}),
        {"INT-05"},
    ),
    "the event alone tells something else than the runtime": (
        changed(FAILED, {"outcome": None, "execution": [event("executed"), GENERATED]}),
        {"INT-05"},
    ),
    "sent to another profile, and called executed although it failed there": (
        changed(REROUTED, {"reported": {"runtime": outcome("failed", "tool_timeout")}}),
        {"INT-05"},
    ),
    "sent to another profile, and not told": (
        changed(
            REROUTED,
            {"outcome": {"reasonCode": None}, "request": {"eligible": True, "reasonCode": None}} | {"execution": None},
        ),
        {"INT-05"},
    ),
    "failed, and not eligible": (
        changed(FAILED, {"request": {"eligible": False, "reasonCode": "search_not_supported_by_selected_profile"}}),
        {"INT-06"},
    ),
    "requested, and called not requested": (
        changed(EXECUTED, {"request": {"requested": False}}),
        {"INT-07"},
    ),
    "requested, and skipped since nobody requested it": (
        changed(UNAVAILABLE, {"outcome": {"reasonCode": "tool_not_requested"}, "reported": None, "execution": None}),
        {"INT-07"},
    ),
    "eligible, and not there": (
        changed(EXECUTED, {"request": {"reasonCode": "tool_unavailable"}}),
        {"INT-07"},
    ),
    "an outcome without its event": (
        changed(EXECUTED, {"execution": [GENERATED]}),
        {"INT-07"},
    ),
    "an event of no tool": (
        changed(EXECUTED, {"execution": [{"kind": "tool", "status": "executed"}, event("executed"), GENERATED]}),
        {"INT-07"},
    ),
    "a planner with the code of a tool": (
        changed(
            EXECUTED,
            {
                "execution": [
                    {"kind": "planner", "status": "failed", "reasonCode": "tool_execution_error"},
                    event("executed"),
                    GENERATED,
                ]
            },
        ),
        {"INT-07"},
    ),
    "needed and refused, and answered all the same": (
        changed(
            NEEDED,
            {
                "request": {"eligible": False, "reasonCode": "tool_unavailable"},
                "outcome": None,
                "reported": None,
                "execution": [GENERATED],
            },
        ),
        {"INT-08"},
    ),
    "a duration with a fraction": (
        changed(EXECUTED, {"outcome": {"durationMs": 0.5}, "execution": None}),
        {"INT-09"},
    ),
}


@pytest.mark.parametrize("name", LAWFUL)
def test_what_the_contract_leaves_open_is_not_flagged(name: str) -> None:
    """A lawful record breaks no law, no matter what else it says or leaves out."""
    assert failed(judged(LAWFUL[name])) == set()


@pytest.mark.parametrize("name", UNLAWFUL)
def test_each_fault_is_told_by_its_law_alone(name: str) -> None:
    """One fault breaks exactly one law."""
    record, broken = UNLAWFUL[name]
    assert failed(judged(record)) == broken


def test_a_tool_has_one_record_in_a_response_and_may_have_one_in_each() -> None:
    """Two records of one response and tool are one too many; two tools, or two responses, are not."""
    other = changed(UNREQUESTED, {"responseId": "r-1", "execution": None})
    forecast = {part: {"toolName": "weather_forecast"} for part in ("intent", "request", "outcome")}
    assert failed(judged(EXECUTED, changed(EXECUTED, {"responseId": "r-9"}))) == set()
    assert failed(judged(EXECUTED, changed(other, forecast))) == set()
    assert failed(judged(EXECUTED, other)) == {"INT-07"}


def test_what_no_line_tells_is_not_decided() -> None:
    """Without reports, it is unknown which source counted; without metadata, whether there was an answer."""
    results = judged(changed(UNAVAILABLE, {"reported": None, "execution": None, "optional": False}))
    assert results["INT-05"].verdict is Verdict.INCONCLUSIVE
    assert results["INT-05"].missing == ("reported",)
    assert results["INT-08"].missing == ("execution",)


def test_where_nothing_tells_what_came_of_a_tool_statuses_and_durations_are_not_decided() -> None:
    """INT-02, INT-09: a log in which no part could have a wrong one shows nothing about them."""
    results = judged(changed(EXECUTED, {"outcome": None, "reported": None, "execution": None}))
    assert {results[each].verdict for each in ("INT-02", "INT-09")} == {Verdict.INCONCLUSIVE}
    untimed = {"outcome": {"durationMs": None}, "reported": None, "execution": [event("executed"), GENERATED]}
    results = judged(changed(EXECUTED, untimed))
    assert (results["INT-02"].verdict, results["INT-09"].verdict) == (Verdict.PASS, Verdict.INCONCLUSIVE)


def places(value: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every member of a record, at any depth."""
    for name, inner in value.items():
        yield (*path, name)
        if isinstance(inner, dict):
            yield from places(cast("dict[str, Any]", inner), (*path, name))


@pytest.mark.many
@pytest.mark.parametrize("place", list(places(EXECUTED)), ids="/".join)
def test_no_odd_value_makes_a_check_fall_over(place: tuple[str, ...]) -> None:
    """A record may hold any value in any place: there may be a finding, but never an error of a check."""
    for odd in ODD:
        record = json.loads(json.dumps(EXECUTED))
        inner = record
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = odd
        for other in (record, changed(FAILED, {}), changed(NEEDED, {place[0]: odd})):
            results = judged(other, record)
            assert [each.errors for each in results.values() if each.errors] == []
