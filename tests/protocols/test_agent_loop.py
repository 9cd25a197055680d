"""What a loop may do without a finding, and what it may not do, law by law."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from callproof.judge.judgement import RunOutcome
from callproof.judge.verdicts import Verdict
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.agent_loop.calls import LAWS
from callproof.protocols.entries import read_entries
from callproof.protocols.judging import audit_log
from callproof.protocols.known import UnknownProtocol, protocol_of
from callproof.spec.registry import specification
from protocols.driven import DRIVEN
from protocols.loops import (
    Line,
    Lines,
    broken,
    call,
    carried_out,
    end,
    envelope,
    event,
    judged,
    log_of,
    loop,
    probe,
    reply,
    result,
    run,
    session,
    start,
    text,
    update,
    user,
    wrapped,
)
from protocols.transcripts import requests, responds, returned

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
LOOPED = [json.loads(line) for line in (BASES / "looped" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
BRANCHED = [json.loads(line) for line in (BASES / "branched" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
NAMES = ("a", "b", "c")
PENDING = envelope("pending", "ask", message="the client answers")
HALF = '{"path":"/etc'


def streamed(index: int, *pieces: str, **whole: Any) -> Lines:
    """The update events of the arguments of one block."""
    told = [("toolcall_start", {}), *(("toolcall_delta", {"delta": each}) for each in pieces)]
    if whole:
        told.append(("toolcall_end", {"toolCall": whole}))
    return [
        event("message_update", assistantMessageEvent={"type": what, "contentIndex": index, **more})
        for what, more in told
    ]


def cut(kept: str, said: str, **record: Any) -> Lines:
    """A run with one call whose output was cut."""
    details = {"truncation": {"truncated": True, "content": kept, **record}}
    return run(reply(call("a")), *carried_out("a", said=said, details=details))


def probed(*lines: Line) -> Lines:
    """A run with one call of the tool `read`, with these lines between its start and its end."""
    return run(reply(call("a")), start("a"), *lines, end("a"), result("a"))


def declared(*lines: Line, schema: Any) -> Lines:
    """A run whose log contains the schema of the tool `read`."""
    return [{"kind": "meta", "tools": [{"name": "read", "parameters": schema}]}, *wrapped(run(*lines))]


NEEDS_PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
THREE = [reply(*map(call, NAMES)), *map(start, NAMES)]
REFUSED = {"failed": True, "said": "path required"}
ONE = run(reply(call("a")), *carried_out("a"))
OBSERVED = probe("after_hook", toolCallId="a", result={"content": text("other")}, isError=False)
SIZED = {"truncated": True, "outputBytes": 1}
BLOCKED = envelope("blocked", "read", reason="no")

# What a loop may do.
LAWFUL: dict[str, Lines] = {
    "a stream begins with the header of its session": [{"type": "session", "id": "s", "version": 3}, *ONE],
    "a probe of a capture's own shows nothing of tools": probed(
        probe("clock"), probe("before_hook"), probe("tool_called", tool="read", toolCallId="a")
    ),
    "an after-hook is not told of failures": probed(
        probe("tool_called", tool="read", toolCallId="a"),
        probe("after_hook", toolCallId="a", result={"content": text("ok")}),
    ),
    "a client is asked with less than the schema wants": [
        {"kind": "meta", "tools": [{"name": "ask", "parameters": {"required": ["question"]}}]},
        *wrapped(run(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING))),
    ],
    "one call after the other": run(
        reply(call("a"), call("b")), *carried_out("a"), *carried_out("b", failed=True, said="no")
    ),
    "a sibling fails, and the other one goes on": run(
        reply(call("a"), call("b")), start("a"), *carried_out("b", failed=True), end("a"), result("a")
    ),
    "the user steers between two calls, and the second one is skipped": run(
        reply(call("a"), call("b")), *carried_out("a"), *carried_out("b", failed=True, said="skipped"), user()
    ),
    "the user writes while a call is at work": run(reply(call("a")), start("a"), user(), end("a"), result("a")),
    "the run is aborted, the call fails, and the next reply is aborted": [
        *run(reply(call("a")), *carried_out("a", failed=True, said="aborted"))[:-2],
        reply(stop="aborted"),
        event("agent_end"),
    ],
    "the tool does not heed the abort, and its result is a success": [
        *run(reply(call("a")), *carried_out("a"))[:-2],
        reply(call("b"), stop="aborted"),
        event("agent_end"),
    ],
    "a reply that ended in an error has a call, and nothing came of it": [
        *run()[:-2],
        reply(call("a"), stop="error"),
        event("agent_end"),
    ],
    "the model is called again after an error, and asks for the same under the same id": [
        *[*run()[:-2], reply(call("a"), stop="error"), event("agent_end")],
        event("auto_retry_start", attempt=1),
        *run(reply(call("a")), *carried_out("a")),
    ],
    "a host answers the calls of a broken reply all the same": [
        *run()[:-2],
        *(reply(call("a"), stop="aborted"), result("a", failed=True), event("agent_end")),
    ],
    "an id comes again in a later turn": run(
        *(reply(call("a")), start("a"), update("a"), end("a"), result("a")),
        *(reply(call("a")), start("a"), update("a"), end("a"), result("a")),
    ),
    "a later turn has the id of an open call for another tool": run(
        *(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING)),
        *(reply(call("a")), *carried_out("a"), result("a", "ask", said="yes")),
    ),
    "a call in a reply that ended otherwise is carried out": run(
        *(reply(call("a"), stop="stop"), *carried_out("a")),
        *(reply(call("b"), stop="length"), *carried_out("b")),
    ),
    "a call stays open": run(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING)),
    "the client answers in a later run": [
        *run(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING)),
        *run(result("a", "ask", said="yes")),
    ],
    "the answer of a client is about an earlier log": [event("agent_start"), result("a", "ask"), *run()[2:]],
    "a tool prints JSON that looks like an envelope": run(
        reply(call("a")), *carried_out("a", said='{"status": "error", "tool": "curl", "error": "404"}')
    ),
    "a tool has a status of its own": run(reply(call("a")), *carried_out("a", details={"status": "error", "code": 3})),
    "a persist hook takes a text out": run(reply(call("a")), start("a"), end("a", said="secret"), result("a", said="")),
    "a persist hook takes a text out of one of two": run(
        reply(call("a"), call("b")),
        *(start("a"), start("b"), end("a", said="1"), end("b", said="2")),
        *(result("a", said="[taken out]"), result("b", said="2")),
    ),
    "a hook says in the message that there was nothing": run(
        reply(call("a")),
        *(start("a"), {**end("a"), "result": {"content": []}}, result("a", said="(no output)")),
    ),
    "every message has its start event too": run(
        event("message_start", message=reply(call("a"))["message"]),
        *(reply(call("a")), start("a"), end("a")),
        *(event("message_start", message=result("a")["message"]), result("a")),
    ),
    "two calls end alike": run(reply(call("a"), call("b")), *carried_out("a"), *carried_out("b")),
    "an output that was cut says so": cut("1\n2", "1\n2\n\n[2 of 9]", outputLines=2, totalLines=9),
    "not even the first line was kept": cut("", "[line 1 is too long]", outputBytes=0),
    "nothing was cut": run(
        reply(call("a")),
        *carried_out(
            "a",
            said="1",
            details={"truncation": {"truncated": False, "content": "1", "outputLines": 1, "totalLines": 1}},
        ),
    ),
    "arguments came in pieces": run(
        *streamed(0, '{"pa', 'th": "x", "n', '": 1.0, "m": 12345678901234567890}'),
        *(reply(call("a", path="x", n=1, m=12345678901234567000)), *carried_out("a")),
    ),
    "arguments came in no piece": run(*streamed(0), reply(call("a", path="x")), *carried_out("a")),
    "an empty piece stands for no arguments": run(*streamed(0, ""), reply(call("a")), *carried_out("a")),
    "a stream is nested deeper than anything is read": run(
        *streamed(0, '{"path":' + "[" * 5000), reply(call("a", path=[])), *carried_out("a")
    ),
    "arguments that are not JSON, refused": run(
        *streamed(0, '{"n": NaN}'), reply(call("a", n=None)), *carried_out("a", failed=True)
    ),
    "a tool prints what begins like an envelope": run(reply(call("a")), *carried_out("a", said='{"status": error}')),
    "half of the arguments, refused": run(
        *streamed(0, HALF), reply(call("a", path="/etc"), stop="length"), *carried_out("a", failed=True)
    ),
    "half of the arguments, in a reply that broke off": [
        *run(*streamed(0, HALF))[:-2],
        reply(call("a", path="/etc"), stop="error"),
        event("agent_end"),
    ],
    "several hooks are asked": probed(
        probe("before_hook", toolCallId="a"),
        probe("before_hook", toolCallId="a"),
        probe("tool_called", toolCallId="a", tool="read"),
        probe("after_hook", toolCallId="a", result={"content": text("ok")}, isError=False),
        probe("persist_hook", toolCallId="a"),
        probe("persist_hook", toolCallId="a"),
    ),
    "a hook fails, and so the call": run(
        reply(call("a")), start("a"), probe("before_hook", toolCallId="a"), *carried_out("a", failed=True)[1:]
    ),
    "a client carries a call out after the hook was asked": run(
        reply(call("a", "ask")),
        *(start("a", "ask"), probe("before_hook", toolCallId="a"), *carried_out("a", "ask", **PENDING)[1:]),
    ),
    "a blocked envelope without its tool": run(
        reply(call("a")),
        *(start("a"), probe("before_hook", toolCallId="a", block=True)),
        *carried_out("a", failed=True, said="no", details={"status": "blocked", "reason": "no", "by": "policy"})[1:],
    ),
    "a host fills in what is missing": declared(
        reply(call("a")),
        start("a"),
        probe("tool_called", toolCallId="a", tool="read", params={"path": "."}),
        *carried_out("a")[1:],
        schema=NEEDS_PATH,
    ),
    "a tool prints the words of a refusal": declared(
        reply(call("a", path="x")), *carried_out("a", said="path required"), schema=NEEDS_PATH
    ),
    "what is missing is refused": declared(reply(call("a")), *carried_out("a", **REFUSED), schema=NEEDS_PATH),
    "what breaks the schema otherwise is refused": declared(
        reply(call("a", path=3)), *carried_out("a", **REFUSED), schema=NEEDS_PATH
    ),
    "a schema that is none decides nothing": declared(
        reply(call("a")), *carried_out("a"), schema={"type": "object", "required": 3}
    ),
}


@pytest.mark.parametrize("what", sorted(LAWFUL))
def test_what_a_loop_may_do_is_not_found(what: str) -> None:
    """A log of a loop that keeps every law breaks none, wrapped or bare."""
    assert broken(judged(LAWFUL[what])) == {}
    assert broken(judged(wrapped(LAWFUL[what]))) == {}


@pytest.mark.parametrize("ends", list(permutations(NAMES)))
def test_calls_may_end_and_be_answered_in_any_order(ends: tuple[str, ...]) -> None:
    """Ids identify the calls of one reply, so their ends and their results may come in any order."""
    for results in permutations(NAMES):
        lines = [*THREE, *(end(each, said=each) for each in ends), *(result(each, said=each) for each in results)]
        assert broken(judged(run(*lines))) == {}


# What a loop may not do: for each check that finds it, the requirement and the log.
UNLAWFUL: dict[str, tuple[str, Lines]] = {
    "a_call_has_one_result_in_time": ("HOST-01", run(reply(call("a")), start("a"), end("a"))),
    "a_result_names_the_tool_of_its_call": ("HOST-01", run(reply(call("a")), start("a"), end("a"), result("a", "run"))),
    "a_result_is_of_a_call": ("HOST-01", run(reply(call("a")), *carried_out("a"), result("b"))),
    "a_call_has_its_shape": ("HOST-01", run(reply({"type": "toolCall", "id": "", "name": "x", "arguments": {}}))),
    "a_call_starts_once_and_ends_once": ("HOST-02", run(reply(call("a")), start("a"), *carried_out("a"))),
    "start_end_and_message_come_in_order": ("HOST-02", run(reply(call("a")), start("a"), result("a"), end("a"))),
    "hooks_and_tool_lie_between_start_and_end": (
        "HOST-02",
        run(reply(call("a")), probe("before_hook", toolCallId="a"), *carried_out("a", failed=True)),
    ),
    "an_event_has_its_shape": (
        "HOST-02",
        run(reply(call("a")), start("a"), {**update("a"), "partialResult": "half"}, end("a"), result("a")),
    ),
    "what_is_blocked_is_not_carried_out": (
        "HOST-03",
        run(
            reply(call("a")),
            *(start("a"), probe("tool_called", toolCallId="a", tool="read")),
            *carried_out("a", failed=True, **BLOCKED)[1:],
        ),
    ),
    "what_is_blocked_says_so": (
        "HOST-03",
        run(
            reply(call("a")),
            *(start("a"), probe("before_hook", toolCallId="a", block=True), *carried_out("a", failed=True)[1:]),
        ),
    ),
    "a_start_tells_what_was_asked_for": (
        "HOST-02",
        run(
            reply(call("a", path="p")),
            {**start("a"), "args": {"path": "q"}},
            end("a"),
            result("a"),
        ),
    ),
    "what_was_not_carried_out_is_no_success": ("HOST-03", probed(probe("before_hook", toolCallId="a"))),
    "an_after_hook_changes_nothing": (
        "HOST-04",
        probed(
            probe("tool_called", toolCallId="a", tool="read"),
            probe("after_hook", toolCallId="a", result={"content": text("ok")}, isError=True),
        ),
    ),
    "a_result_has_its_shape": (
        "HOST-05",
        run(
            reply(call("a")),
            start("a"),
            end("a"),
            event("message_end", message={**result("a")["message"], "content": []}),
        ),
    ),
    "an_end_has_a_result": (
        "HOST-05",
        [reply(call("a")), start("a"), event("tool_execution_end", toolCallId="a", toolName="read", isError=False)],
    ),
    "a_failure_is_told_as_one": (
        "HOST-05",
        run(reply(call("a")), *carried_out("a", **envelope("error", "read", error="no"))),
    ),
    "end_and_message_agree_on_failure": (
        "HOST-05",
        run(reply(call("a")), start("a"), end("a", failed=True), result("a")),
    ),
    "what_was_thrown_is_a_failure": (
        "HOST-05",
        probed(probe("tool_called", toolCallId="a", tool="read"), probe("tool_threw", toolCallId="a")),
    ),
    "arguments_are_what_was_streamed": (
        "HOST-06",
        run(*streamed(0, '{"path":"a"}'), reply(call("a", path="b")), *carried_out("a")),
    ),
    "the_end_of_a_stream_tells_of_its_call": (
        "HOST-06",
        run(*streamed(0, "{}", **call("b")), reply(call("a")), *carried_out("a")),
    ),
    "half_of_the_arguments_are_a_failure": (
        "HOST-06",
        run(*streamed(0, HALF), reply(call("a", path="/etc"), stop="length"), *carried_out("a")),
    ),
    "half_of_a_text_is_a_failure": (
        "HOST-06",
        [responds("a", arguments='{"path": "no'), requests(returned("a")), responds()],
    ),
    "arguments_are_an_object": (
        "HOST-06",
        run(reply({"type": "toolCall", "id": "a", "name": "read", "arguments": "{}"}), *carried_out("a")),
    ),
    "what_tells_of_a_call_names_its_tool": (
        "HOST-07",
        run(reply(call("a")), start("a"), update("a", "run"), end("a"), result("a")),
    ),
    "what_is_carried_out_was_asked_for": ("HOST-07", run(reply(call("a")), *carried_out("a"), start("b"))),
    "no_call_has_the_result_of_its_neighbour": (
        "HOST-07",
        run(
            reply(call("a"), call("b")),
            *(start("a"), start("b"), end("a", said="1"), end("b", said="2")),
            *(result("a", said="2"), result("b", said="1")),
        ),
    ),
    "what_is_pending_is_told_once_and_comes_first": (
        "HOST-08",
        run(reply(call("a", "ask")), *carried_out("a", "ask"), result("a", "ask", **PENDING)),
    ),
    "progress_lies_between_start_and_end": (
        "HOST-09",
        run(reply(call("a")), update("a"), *carried_out("a")),
    ),
    "what_was_cut_says_so": ("HOST-10", cut("1\n2", "1\n2\n")),
    "what_is_cut_on_its_way_to_the_message_says_so": (
        "HOST-10",
        run(reply(call("a")), start("a"), end("a", said="1\n2\n3"), result("a", said="1\n2")),
    ),
    "calls_of_a_reply_have_ids_of_their_own": (
        "HOST-11",
        run(reply(call("a"), call("a")), start("a"), start("a"), end("a"), end("a"), result("a"), result("a")),
    ),
    "what_the_model_is_given_pairs_up": (
        "HOST-11",
        [probe("model_context", messages=[{"role": "toolResult", "toolCallId": "a"}]), *run()],
    ),
    "what_the_schema_requires_is_there": (
        "HOST-12",
        declared(reply(call("a", Path="x")), *carried_out("a"), schema=NEEDS_PATH),
    ),
    "nothing_else_is_required": (
        "HOST-12",
        declared(reply(call("a", path="")), *carried_out("a", **REFUSED), schema=NEEDS_PATH),
    ),
}


# Other ways to break a law.
MORE: list[tuple[str, Lines]] = [
    ("HOST-05", run(reply(call("a")), *carried_out("a", said=envelope("error", "read", error="no")["said"]))),
    ("HOST-05", run(reply(call("a")), *carried_out("a", details=envelope("error", "run", error="no")["details"]))),
    ("HOST-05", run(reply(call("a")), start("a"), end("a"), result("a", failed=True))),
    ("HOST-04", run(reply(call("a")), probe("tool_called", toolCallId="a", tool="read"), OBSERVED, result("a"))),
    ("HOST-02", run(reply(call("a"), call("b")), *carried_out("a"), result("b"))),
    ("HOST-02", run(reply(call("a")), start("a"), result("a"))),
    ("HOST-02", [reply(call("a")), end("a")]),
    ("HOST-02", [*run(reply(call("a")), *carried_out("a"), reply(call("a"), stop="error"), start("a"))]),
    (
        "HOST-02",
        probed(probe("tool_called", toolCallId="a", tool="read"), probe("before_hook", toolCallId="a")),
    ),
    (
        "HOST-02",
        run(
            reply(call("a")),
            *(start("a"), probe("tool_called", toolCallId="a", tool="read"), end("a")),
            *(probe("after_hook", toolCallId="a", result={"content": text("ok")}, isError=False), result("a")),
        ),
    ),
    ("HOST-06", run(*streamed(0, "[]"), reply(call("a")), *carried_out("a"))),
    ("HOST-06", run(*streamed(0, "{} {}"), reply(call("a")), *carried_out("a"))),
    ("HOST-06", run(*streamed(0, "{}", **call("a", path="x")), reply(call("a")), *carried_out("a"))),
    ("HOST-06", run(*streamed(0, ""), reply(call("a", path="x")), *carried_out("a"))),
    (
        "HOST-06",
        run(
            *streamed(0, HALF),
            reply(call("a")),
            *(start("a"), probe("tool_called", toolCallId="a", tool="read"), *carried_out("a", failed=True)[1:]),
        ),
    ),
    ("HOST-08", run(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING), result("a", "ask", **PENDING))),
    ("HOST-08", run(reply(call("a", "ask")), *carried_out("a", "ask", failed=True, **PENDING))),
    ("HOST-09", run(reply(call("a")), *carried_out("a"), update("a"))),
    ("HOST-10", cut("1\n2\n3", "1\n2")),
    ("HOST-10", run(reply(call("a")), *carried_out("a", said="1", details={"truncation": SIZED}))),
    ("HOST-10", cut("1", "1\n[1 of 9]", truncated=False, outputLines=1, totalLines=9)),
    (
        "HOST-12",
        declared(
            reply(call("a", path="")),
            *carried_out("a", failed=True, said="Missing required parameters: text, path. Supply them."),
            schema=NEEDS_PATH,
        ),
    ),
    (
        "HOST-12",
        declared(
            reply(call("a", path="")),
            *carried_out("a", failed=True, **envelope("error", "read", error="path required")),
            schema=NEEDS_PATH,
        ),
    ),
    (
        "HOST-12",
        declared(
            reply(call("a", path="x")),
            *(start("a"), probe("tool_called", toolCallId="a", tool="read", params={})),
            *carried_out("a")[1:],
            schema=NEEDS_PATH,
        ),
    ),
]


@pytest.mark.parametrize(("requirement", "lines"), MORE)
def test_what_breaks_a_law_in_another_way_is_found_too(requirement: str, lines: Lines) -> None:
    """Each way to break a law is found, and breaks no other law."""
    assert set(broken(judged(lines))) == {requirement}


def test_an_update_of_a_call_that_was_never_started_came_before_its_start() -> None:
    """A call that never begins cannot have progress."""
    assert set(broken(judged(run(reply(call("a")), update("a"), end("a"), result("a"))))) == {"HOST-02", "HOST-09"}


def test_a_witness_says_what_it_is() -> None:
    """A finding names each line by its kind, with the name of the probe or the role of the message."""
    told = {
        "an_after_hook_changes_nothing": ["probe after_hook", "tool_execution_end"],
        "a_call_has_one_result_in_time": ["message_end of the role assistant", "message_end of the role assistant"],
        "a_result_is_of_a_call": ["message_end of the role toolResult"],
    }
    for name, says in told.items():
        requirement, lines = UNLAWFUL[name]
        (found,) = judged(lines)[requirement].findings
        assert [each.says for each in found.finding.witness] == says


def test_of_two_calls_with_one_id_the_first_is_told_of_first() -> None:
    """Probes, events and results belong to the calls with one id in the order of these calls."""
    lines = run(
        *(reply(call("a"), call("a")), start("a"), start("a")),
        *(probe("tool_called", toolCallId="a", tool="read"), probe("tool_called", toolCallId="a", tool="read")),
        *(probe("tool_threw", toolCallId="a"), update("a"), end("a", failed=True), update("a"), end("a")),
        *(result("a", failed=True), result("a")),
    )
    assert set(broken(judged(lines))) == {"HOST-11"}


def test_nobody_can_tell_which_of_two_calls_with_one_id_a_result_is_of() -> None:
    """If the results of one id have another order than its ends, that does not prove a result of the wrong call."""
    lines = run(
        *(reply(call("a"), call("a"), call("b")), start("a"), start("a"), start("b")),
        *(end("a", said="1"), end("a", said="2"), end("b", said="3")),
        *(result("a", said="2"), result("a", said="1"), result("b", said="3")),
    )
    assert set(broken(judged(lines))) == {"HOST-11"}


@pytest.mark.parametrize("tools", [[], [{"name": "read"}], [{"name": "run", "parameters": NEEDS_PATH}], "none", [3]])
def test_a_tool_whose_schema_is_not_told_decides_nothing_of_parameters(tools: Any) -> None:
    """If no called tool has a schema, the required parameters are unknown."""
    found = judged([{"kind": "meta", "tools": tools}, *wrapped(ONE)])["HOST-12"]
    assert found.verdict is Verdict.INCONCLUSIVE


# The requirements that need probes.
BY_DEEDS = [f"HOST-{number}" for number in range(13, 26)]


def test_what_a_log_cannot_show_is_not_decided() -> None:
    """Bare events decide neither hooks nor parameters, and a session neither order nor progress."""
    open_of = {
        "bare": [name for name, each in judged(ONE).items() if each.verdict is Verdict.INCONCLUSIVE],
        "session": [name for name, each in judged(BRANCHED).items() if each.verdict is Verdict.INCONCLUSIVE],
    }
    assert open_of == {
        "bare": ["HOST-03", "HOST-04", "HOST-08", "HOST-09", "HOST-10", "HOST-12", *BY_DEEDS],
        "session": ["HOST-02", "HOST-03", "HOST-04", "HOST-07", "HOST-08", "HOST-09", "HOST-10", "HOST-12", *BY_DEEDS],
    }


def test_every_check_has_a_log_that_it_finds_something_in() -> None:
    """A log must prove for each check that the check can fail."""
    names = {each.name for checks in LAWS.by_requirement.values() for each in checks}
    assert names == set(UNLAWFUL) | set(DRIVEN)


@pytest.mark.parametrize("name", sorted(UNLAWFUL))
def test_what_a_loop_may_not_do_is_found_by_its_check_and_breaks_no_other_law(name: str) -> None:
    """Each check finds the log that breaks its law, and that log breaks no other requirement."""
    requirement, lines = UNLAWFUL[name]
    assert set(broken(judged(lines))) == {requirement}
    (check,) = (each for each in LAWS.by_requirement[requirement] if each.name == name)
    heard = loop(lines)
    found = [finding for subject in check.each(heard) for finding in check.examine(heard, subject)]
    assert found
    assert all(each.witness for each in found)


@pytest.mark.parametrize(
    ("lines", "observed"),
    [
        (
            run(reply(call("a")), start("a"), end("a"), reply(), result("a")),
            'call "a" of "read" had no result when the model was called again, and it came later',
        ),
        (run(reply(call("a")), *carried_out("a"), result("a")), 'call "a" of "read" had 2 results'),
        (
            run(reply(call("a", "ask")), *carried_out("a", "ask", **PENDING), result("a", "ask"), result("a", "ask")),
            'call "a" of "ask" had 2 results',
        ),
        (
            [*run(reply(call("a")))[:-2], event("agent_end")],
            'call "a" of "read" had no result when the run ended',
        ),
        (
            [*run(reply(call("a")))[:-2], event("agent_start"), *run()[1:]],
            'call "a" of "read" had no result when the model was called again',
        ),
    ],
)
def test_a_result_that_is_wanting_or_one_too_many_is_told(lines: Lines, observed: str) -> None:
    """The finding names the call whose result is missing, late or there twice."""
    assert broken(judged(lines)) == {"HOST-01": [observed]}


def test_the_model_is_called_where_a_probe_tells_it_to_be() -> None:
    """A result between the call of the model and its reply is too late."""
    entered = probe("tool_called", toolCallId="a", tool="read")
    lines = run(reply(call("a")), start("a"), entered, end("a"), probe("model_context", messages=[]), result("a"))
    assert list(broken(judged(lines))) == ["HOST-01"]


def chain(*events: Line, first: str | None = None, name: str = "m") -> list[tuple[str, str | None, Line]]:
    """Messages, each of them the parent of the next."""
    names = [first, *(f"{name}{at}" for at in range(len(events)))]
    return [(str(names[at + 1]), names[at], each) for at, each in enumerate(events)]


DONE = reply({"type": "text", "text": "done"}, stop="stop")
LEFT = chain(reply(call("a"), call("b")), result("a", said=""), first="m0", name="left")
KEPT = chain(reply(call("a")), result("a"), DONE, first="m0", name="kept")


@pytest.mark.parametrize(
    "lines",
    [
        session(*chain(user()), *LEFT, *KEPT),
        session(*chain(user()), *KEPT[:2], *LEFT, *KEPT[2:]),
        session(*chain(user(), reply(call("a")))),
        [*session(*chain(user()), *LEFT, *KEPT), {"type": "note"}],
        [{"type": "message", "message": each["message"]} for each in (user(), reply(call("a")), result("a"), DONE)],
    ],
)
def test_branches_that_were_left_are_not_judged(lines: Lines) -> None:
    """Only the path to the entry that was written last counts, and a call at its leaf is still open."""
    assert broken(judged(lines)) == {}


def test_the_branch_that_is_kept_is_judged() -> None:
    """The same branch is judged if it is written last."""
    lines = session(*chain(user()), *KEPT, *LEFT, *chain(DONE, first="left1", name="end"))
    assert broken(judged(lines)) == {
        "HOST-01": ['call "b" of "read" had no result when the model was called again'],
    }


def test_a_line_at_the_end_that_is_no_entry_is_not_taken_for_the_leaf() -> None:
    """The path to the root begins at the last line that has a parent."""
    lines = session(*chain(user(), reply(call("a")), DONE))
    assert list(broken(judged([*lines, {"type": "note"}]))) == ["HOST-01"]


def test_a_session_whose_parents_go_in_a_circle_is_read_once() -> None:
    """An entry that is its own ancestor ends the path to the root, and no check throws."""
    lines = session(("m0", "m1", reply(call("a"))), ("m1", "m0", result("a")))
    assert broken(judged(lines)) == {}


@pytest.mark.parametrize("base", [LOOPED, BRANCHED])
def test_a_log_that_begins_or_ends_in_the_middle_accuses_nobody(base: Lines) -> None:
    """No part of a lawful log, from any line to any other one, breaks a law."""
    for first in range(len(base)):
        assert broken(judged(base[first:])) == {}, first
    for last in range(len(base)):
        assert broken(judged(base[:last])) == {}, last
        assert broken(judged(base[last // 2 : last])) == {}, last


def test_what_a_log_holds_besides_changes_nothing() -> None:
    """Events, probes and lines that the protocol does not have are ignored in every place."""
    strangers = [
        event("queue_update", toolCallId="call_1"),
        probe("clock", toolCallId="call_1"),
        {"kind": "event", "event": 3},
        {"kind": "note"},
        {},
    ]
    for stranger in strangers:
        lines = [each for line in LOOPED for each in (stranger, line)]
        assert broken(judged(lines)) == {}
        assert {n: e.verdict for n, e in judged(lines).items()} == {n: e.verdict for n, e in judged(LOOPED).items()}


def test_runs_one_after_another_are_judged_like_one() -> None:
    """A file that goes on with the next run, in which every id comes again, breaks nothing."""
    assert broken(judged([*LOOPED, *LOOPED, *LOOPED])) == {}


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (LOOPED, RunOutcome.CONSISTENT),
        (BRANCHED, RunOutcome.CONSISTENT),
        (LOOPED[:-1], RunOutcome.INCOMPLETE),
        (BRANCHED[:-2], RunOutcome.INCOMPLETE),
        (LAWFUL["a call stays open"], RunOutcome.INCOMPLETE),
        (LAWFUL["the client answers in a later run"], RunOutcome.CONSISTENT),
        (LAWFUL["a reply that ended in an error has a call, and nothing came of it"], RunOutcome.CONSISTENT),
        (UNLAWFUL["what_was_cut_says_so"][1], RunOutcome.VIOLATIONS),
    ],
)
def test_a_log_is_complete_where_it_goes_on_to_an_end_and_nothing_is_open(lines: Lines, outcome: RunOutcome) -> None:
    """A run without its end, and a call without its result, leave a log incomplete."""
    found = audit_log(PROTOCOL, log_of(lines)).run
    assert found.outcome is outcome


def test_a_log_says_which_results_are_still_to_come() -> None:
    """The notes of an incomplete log say which calls are open, and which of them a client has (HOST-08)."""
    lines = run(reply(call("a", "ask"), call("b")), *carried_out("a", "ask", **PENDING), *carried_out("b"))
    told = 'no result yet for call "a" of "ask", which is pending'
    assert audit_log(PROTOCOL, log_of(lines)).run.notes == (told,)
    assert audit_log(PROTOCOL, log_of(lines[:-5])).run.notes == (f'{told}; call "b" of "read"',)
    assert audit_log(PROTOCOL, log_of(LOOPED)).run.notes == ()


def test_a_line_that_is_torn_leaves_a_log_incomplete(tmp_path: Path) -> None:
    """A line that a crash cut off must not cause a finding."""
    log = tmp_path / "log.jsonl"
    whole = (BASES / "looped" / "log.jsonl").read_bytes()
    log.write_bytes(whole[: whole.index(b"\n", 9000) + 40])
    found = audit_log(PROTOCOL, read_entries(log)).run
    assert found.outcome is RunOutcome.INCOMPLETE


@pytest.mark.parametrize(
    ("lines", "is_loop"),
    [
        (LOOPED, True),
        (BRANCHED, True),
        (ONE, True),
        (list(wrapped(ONE)), True),
        ([{"type": "session", "id": "s"}], True),
        ([{"kind": "meta"}, {"kind": "probe", "probe": "clock"}], False),
        ([{"type": "message"}], False),
        ([{"type": "tool_execution"}], False),
        ([{"kind": "event", "event": {"type": "run.started"}}], False),
        ([], False),
    ],
)
def test_a_log_is_known_by_its_first_line(lines: Lines, is_loop: bool) -> None:
    """Events and sessions are recognised, and nothing else is mistaken for them."""
    try:
        assert (protocol_of(log_of(lines)) is PROTOCOL) is is_loop
    except UnknownProtocol:
        assert not is_loop


def test_findings_hold_neither_arguments_nor_contents() -> None:
    """A finding names calls, tools and events, but nothing that they contain."""
    secret = "hunter2"
    for _, lines in UNLAWFUL.values():
        told = json.dumps(lines).replace('"ok"', f'"{secret}"').replace('"path": "', f'"path": "{secret}')
        for found in judged(json.loads(told)).values():
            assert found.verdict is not Verdict.ERROR
            assert secret not in repr(found.findings)


def test_the_conversation_in_the_chapter_on_the_wire_is_one_of_a_lawful_loop() -> None:
    """A copy of it, with the messages reported too, breaks nothing, and every call has its result."""
    chapter = next(each for each in specification().chapters if each.name == "loop-adapter")
    block = chapter.text.split("```conversation\n")[1].split("```")[0]
    sent = [json.loads(line[1:]) for line in block.splitlines() if line.startswith("←")]
    results = judged([each["params"]["event"] for each in sent if each.get("method") == "event"])
    assert broken(results) == {}
    assert {results[each].verdict for each in ("HOST-01", "HOST-02", "HOST-05", "HOST-07")} == {Verdict.PASS}
