"""Traces of real loops: one scenario each, with what it breaks, written by hand from what the loop was seen to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof.judge.judging import Results
from callproof.judge.verdicts import Verdict
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.entries import read_entries
from callproof.protocols.judging import results_of
from callproof.protocols.known import protocol_of
from protocols import loops
from shared import SHARED

TRACES = SHARED / "traces"
LOOP = TRACES / "pi-agent-core"
SESSION = TRACES / "pi-coding-agent-session"
ADAPTER = TRACES / "openclaw-adapter" / "envelopes-and-ids.jsonl"

# Every scenario with the requirements that it breaks, and why.
EXPECTED: dict[str, set[str]] = {
    "abort-honoured": set(),
    "abort-ignored-by-tool": set(),
    "abort-parallel-two": set(),
    # The second call begins after the abort, and has its result: no law forbids it.
    "abort-sequential-two": set(),
    # The hook replaced the content and turned a success into a failure.
    "after-hook-overrides": {"HOST-04"},
    # The failure of the hook became the failure of the call.
    "after-hook-throws": {"HOST-04"},
    # The tool was given a number instead of its text, and returned it as a number.
    "before-hook-mutates-args": {"HOST-05"},
    "before-hook-returns-params": set(),
    "before-hook-throws": set(),
    "blocked-no-reason": set(),
    "blocked-with-reason": set(),
    "coerced-args": set(),
    # Both calls were carried out, and both results have the id.
    "duplicate-call-ids": {"HOST-11"},
    "empty-content": {"HOST-05"},
    "id-reused-next-turn": set(),
    "image-result": set(),
    "invalid-args-extra-property": set(),
    "invalid-args-missing": set(),
    "invalid-args-uncoercible": set(),
    # The tool reported progress after it had returned, and the loop passed it on.
    "late-update-in-run": {"HOST-09"},
    "mixed-batch": set(),
    "no-content": {"HOST-05"},
    "ok-result": set(),
    "progress-updates": set(),
    # The end event has no result, no message was made, and the run ended.
    "returns-undefined": {"HOST-01", "HOST-05"},
    "sequential-by-one-tool": set(),
    "sibling-failure": set(),
    # The error envelope, returned and not thrown: isError is false.
    "soft-error-result": {"HOST-05"},
    "steer-during-sequential-two": set(),
    "steer-during-tool": set(),
    "terminate-hint": set(),
    "terminate-needs-all": set(),
    "tool-throws": set(),
    "tool-throws-string": set(),
    # The call stays without a result, which is permitted.
    "toolcall-with-stop-reason-error": set(),
    # All of the arguments had been streamed.
    "toolcall-with-stop-reason-length": set(),
    "toolcall-with-stop-reason-stop": set(),
    "two-parallel-slow-first": set(),
    "two-sequential-mode": set(),
    "unknown-tool": set(),
}
# What events, streams and the model's input show of every run with a call; and what only some scenarios show.
ALWAYS = {"HOST-01", "HOST-02", "HOST-05", "HOST-06", "HOST-07", "HOST-11"}
SHOWN: dict[str, set[str]] = {
    "after-hook-overrides": {"HOST-04"},
    "after-hook-throws": {"HOST-04"},
    "before-hook-throws": {"HOST-03"},
    "blocked-no-reason": {"HOST-03"},
    "blocked-with-reason": {"HOST-03"},
    "mixed-batch": {"HOST-03"},
    "progress-updates": {"HOST-09"},
    "late-update-in-run": {"HOST-09"},
}
# A reply that ended in an error: there is a call, and it was not carried out.
NOTHING_DONE = {"toolcall-with-stop-reason-error": {"HOST-01", "HOST-06", "HOST-11"}}
WITNESSED = {
    "late-update-in-run": ("HOST-09", [17, 33]),
    "returns-undefined": ("HOST-01", [11, 16]),
    "after-hook-overrides": ("HOST-04", [16, 17]),
    "duplicate-call-ids": ("HOST-11", [14]),
    "soft-error-result": ("HOST-05", [17]),
}


def judged(path: Path) -> Results:
    """The results of a trace, judged by the protocol that is recognised in it."""
    entries = read_entries(path)
    assert entries.flaws == ()
    assert protocol_of(entries) is PROTOCOL
    return results_of(PROTOCOL, PROTOCOL.trace(entries))


def failed(results: Results) -> set[str]:
    """The broken requirements; a check that throws fails the test."""
    assert [each.errors for each in results.values() if each.errors] == []
    return {name for name, each in results.items() if each.verdict is Verdict.FAIL}


def decided(results: Results) -> set[str]:
    """The requirements that the log was enough to decide."""
    return {name for name, each in results.items() if each.verdict in (Verdict.FAIL, Verdict.PASS)}


def test_every_scenario_has_an_expectation() -> None:
    """No trace lacks an expectation, and no expectation lacks its trace."""
    assert {path.stem for path in LOOP.glob("*.jsonl")} == set(EXPECTED)


@pytest.mark.parametrize("scenario", sorted(EXPECTED))
def test_a_scenario_breaks_what_the_loop_did_wrong(scenario: str) -> None:
    """Events and probes together show exactly what the loop was seen to do wrong."""
    assert failed(judged(LOOP / f"{scenario}.jsonl")) == EXPECTED[scenario]


@pytest.mark.parametrize("scenario", sorted(EXPECTED))
def test_a_scenario_decides_what_it_shows(scenario: str) -> None:
    """A requirement is decided only if the trace shows enough for it; the others stay open."""
    told = (LOOP / f"{scenario}.jsonl").read_text(encoding="utf-8")
    wanted = NOTHING_DONE.get(scenario, ALWAYS | SHOWN.get(scenario, set()))
    # HOST-13 needs a tool that was entered, HOST-21 a model that was called again after its first reply.
    entered = '"probe":"tool_called"' in told and scenario != "duplicate-call-ids"  # both calls have the same id
    wanted = wanted | {"HOST-13"} if entered else wanted
    wanted = wanted | {"HOST-21"} if told.count('"probe":"model_context"') > 1 else wanted
    assert decided(judged(LOOP / f"{scenario}.jsonl")) == wanted


@pytest.mark.parametrize("scenario", sorted(WITNESSED))
def test_a_finding_points_to_the_lines_that_prove_it(scenario: str) -> None:
    """The lines of a finding are those that show what the loop did."""
    requirement, lines = WITNESSED[scenario]
    (found,) = judged(LOOP / f"{scenario}.jsonl")[requirement].findings
    assert [each.source.line for each in found.finding.witness] == lines


@pytest.mark.parametrize("scenario", sorted(EXPECTED))
def test_bare_events_break_the_same_as_far_as_they_show_it(scenario: str, tmp_path: Path) -> None:
    """Without probes nothing is known about hooks; all other findings stay the same."""
    told = (json.loads(line) for line in (LOOP / f"{scenario}.jsonl").read_text(encoding="utf-8").splitlines())
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(json.dumps(each["event"]) + "\n" for each in told if each["kind"] == "event"), "utf-8")
    assert failed(judged(bare)) == EXPECTED[scenario] - {"HOST-03", "HOST-04"}


def test_an_agent_with_real_tools_keeps_every_law() -> None:
    """Files are read and missing, commands fail or are stopped, a tool is unknown, and a text is cut."""
    results = judged(SESSION / "tools.events.jsonl")
    assert failed(results) == set()
    assert decided(results) == ALWAYS | {"HOST-09", "HOST-10"}


def test_the_session_of_the_same_run_shows_what_messages_show() -> None:
    """A session file has no events and no streams, and shows as much about results."""
    results = judged(SESSION / "tools.session.jsonl")
    assert failed(results) == set()
    assert decided(results) == {"HOST-01", "HOST-05", "HOST-06", "HOST-10", "HOST-11"}


def adapted() -> Iterator[dict[str, Any]]:
    """The recorded outputs of a host's adapter."""
    yield from map(json.loads, ADAPTER.read_text(encoding="utf-8").splitlines())


ENVELOPES = [each for each in adapted() if isinstance(each.get("result"), dict) and "details" in each["result"]]


@pytest.mark.parametrize("made", ENVELOPES, ids=lambda each: str(each.get("case", each.get("args"))))
def test_what_an_adapter_makes_of_a_failure_is_known_as_one(made: dict[str, Any]) -> None:
    """An error envelope reported as a success breaks HOST-05; a pending one and any other output break nothing."""
    details = made["result"]["details"]
    status = details.get("status") if isinstance(details, dict) else None
    tool = details["tool"] if status in ("error", "pending", "ok") else made["case"]
    told = loops.result("c", tool)
    message = {**told["message"], "content": made["result"]["content"], "details": details}
    lines = loops.run(
        loops.reply(loops.call("c", tool)),
        loops.start("c", tool),
        loops.event("tool_execution_end", toolCallId="c", toolName=tool, result=made["result"], isError=False),
        {**told, "message": message},
    )
    results = loops.judged(lines)
    assert failed(results) == ({"HOST-05"} if status == "error" else set())
    assert ("HOST-08" in decided(results)) is (status == "pending")


VECTORS = [each for each in adapted() if each.get("area") == "call-id" and "call" in each and "result" in each]
LISTS = [each for each in adapted() if "calls" in each]


def context(calls: list[str], results: list[str]) -> list[dict[str, Any]]:
    """What a model is given: a reply with calls, and their results."""
    reply = {"role": "assistant", "content": [loops.call(each) for each in calls]}
    return [reply, *({"role": "toolResult", "toolCallId": each} for each in results)]


@pytest.mark.parametrize("vector", [*VECTORS, *LISTS], ids=lambda each: f"{each['mode']}-{each['in']}")
def test_ids_that_a_host_rewrites_pair_up(vector: dict[str, Any]) -> None:
    """A call and its result that were rewritten alike keep HOST-11, and a result that was not rewritten breaks it."""
    raw = vector["in"] if "calls" in vector else [vector["in"]]
    calls = vector["calls"] if "calls" in vector else [vector["call"]]
    results = vector["results"] if "results" in vector else [vector["result"]]
    for given, kept in ((results, True), (raw, set(raw) <= set(calls))):
        found = loops.judged([loops.probe("model_context", messages=context(calls, given)), *loops.run()])
        assert (failed(found) == set()) is kept
