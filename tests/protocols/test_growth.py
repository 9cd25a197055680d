"""The work of a protocol's laws grows with the length of the log, not with the square of it.

Work is counted in executed lines of Python, as for runs (``tests/judge/test_growth.py``).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import pipeline_logs as pipes
import pytest
from callproof.protocols.entries import Entries, Entry
from callproof.protocols.judging import results_of
from callproof.protocols.known import PROTOCOLS
from callproof.spec.registry import protocol_named
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from protocols import driven_pipelines as pipeline
from protocols import loops

pytestmark = pytest.mark.many

SHORT, LONG = 20, 80
# A law with less work than this is ignored; a law whose work grows by more than this costs too much.
FEW_LINES = 4_000
MOST = 2 * LONG / SHORT

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
Records = list[Mapping[str, Any]]
Shape = Callable[[int], Records]


def base(name: str) -> Records:
    """The records of a base log."""
    return [json.loads(line) for line in (BASES / name / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def a_long_night(number: int) -> Records:
    """The base log of an agent loop, repeated, each time with new ids."""
    text = (BASES / "looped" / "log.jsonl").read_text(encoding="utf-8")
    return [
        json.loads(line) for each in range(number // 4) for line in text.replace("call_", f"call_{each}_").splitlines()
    ]


def the_same_night_again(number: int) -> Records:
    """The base log of an agent loop, repeated with the same ids."""
    return base("looped") * (number // 4)


def a_long_session(number: int) -> Records:
    """A session file in which each message is the parent of the next."""
    told = [each for at in range(number) for each in (loops.reply(loops.call(f"c{at}")), loops.result(f"c{at}"))]
    return loops.session(*((f"m{at}", f"m{at - 1}" if at else None, each) for at, each in enumerate(told)))


def a_session_of_branches(number: int) -> Records:
    """A session file in which the first message is the parent of all others."""
    told = [each for at in range(number) for each in (loops.reply(loops.call(f"c{at}")), loops.result(f"c{at}"))]
    return loops.session(*((f"m{at}", "m0" if at else None, each) for at, each in enumerate(told)))


def calls_at_once(number: int) -> Records:
    """One reply asks for all calls; all begin before the first one ends, and they end in reverse order."""
    names = [f"c{at}" for at in range(number)]
    begun = [each for name in names for each in (loops.start(name), loops.probe("before_hook", toolCallId=name))]
    ended = [each for name in names[::-1] for each in (loops.update(name), loops.end(name), loops.result(name))]
    return loops.run(loops.reply(*map(loops.call, names)), *begun, *ended)


def calls_of_one_id(number: int) -> Records:
    """One reply whose calls all have one id; all of them are carried out."""
    calls = [loops.call("c1")] * number
    return loops.run(loops.reply(*calls), *(each for _ in calls for each in loops.carried_out("c1")))


def one_call_told_again_and_again(number: int) -> Records:
    """One call that starts, goes on, ends and has its result many times; hooks see it each time."""
    told = [
        *(loops.start("c1"), loops.update("c1"), loops.end("c1"), loops.result("c1", "write")),
        *(loops.probe(name, toolCallId="c1", tool="bash", block=True, result={}) for name in PROBES),
    ]
    return loops.run(loops.reply(loops.call("c1")), *told * number)


def results_that_are_put_off(number: int) -> Records:
    """Many results of one call, all of them pending."""
    put_off = loops.result("c1", **loops.envelope("pending", "read", ref="r-1"))
    return loops.run(loops.reply(loops.call("c1")), *[put_off] * number)


def replies_without_results(number: int) -> Records:
    """Calls without results; results of unknown calls come instead."""
    replies = [each for at in range(number) for each in (loops.reply(loops.call(f"c{at}")), loops.result(f"x{at}"))]
    return loops.run(*replies)


def streams_in_small_pieces(number: int) -> Records:
    """One call whose arguments are streamed one letter at a time, and many starts of the same stream."""

    def told(what: str, **members: Any) -> Mapping[str, Any]:
        return loops.event("message_update", assistantMessageEvent={"type": what, "contentIndex": 0, **members})

    pieces = [told("toolcall_delta", delta=each) for each in '{"a": "' + "x" * number + '"}']
    ended = told("toolcall_end", toolCall=loops.call("c1", a="x" * number))
    begun = [told("toolcall_start")] * number
    return loops.run(*begun, *pieces, ended, loops.reply(loops.call("c1", a="x" * number)), *loops.carried_out("c1"))


def contexts_of_the_model(number: int) -> Records:
    """A context of the model with many results that belong to no call, and as many declared tools."""
    messages = [{"role": "toolResult", "toolCallId": f"c{at}"} for at in range(number)]
    schema = {"type": "object", "required": ["path"]}
    tools = [{"name": f"t{at}", "parameters": schema} for at in range(number)]
    calls = [loops.call(f"c{at}", f"t{at}") for at in range(number)]
    done = [each for at in range(number) for each in loops.carried_out(f"c{at}", f"t{at}")]
    told = loops.probe("model_context", messages=messages)
    return [{"kind": "meta", "tools": tools}, *loops.wrapped(loops.run(told, loops.reply(*calls), *done))]


PROBES = ("before_hook", "tool_called", "tool_threw", "after_hook", "persist_hook")
NAMES = ("i-1", "i-2")


def many_invocations(number: int) -> Records:
    """The base log of the pipeline, repeated, each time with new ids."""
    text = (BASES / "piped" / "log.jsonl").read_text(encoding="utf-8")
    return [
        json.loads(line)
        for each in range(number // 4)
        for line in text.replace('"invocation_id":"i-', f'"invocation_id":"i-{each}-').splitlines()
    ]


def the_same_invocations_again(number: int) -> Records:
    """The base log of the pipeline, repeated with the same ids."""
    return base("piped") * (number // 4)


def phases_of_one_invocation(number: int) -> Records:
    """The phases of one invocation, repeated, each time with a change of the input and of the output."""
    again = [
        *(pipes.mutation("/a", "b.c"), pipes.phase("parse_schema"), pipes.decision("allow"), pipes.phase("permission")),
        *(pipes.phase("map_result"), pipes.changing_hook(), pipes.phase("post_hooks")),
    ]
    return [pipes.invocation(), *again * number, pipes.result()]


def phases_before_an_execution(number: int) -> Records:
    """Phases that are repeated for changed inputs, as is permitted, and outputs that are mapped again."""
    before = [pipes.mutation("/a"), pipes.phase("parse_schema"), pipes.phase("permission")] * number
    after = [pipes.phase("map_result"), pipes.changing_hook(), pipes.phase("post_hooks")] * number
    return [pipes.invocation(), *before, pipes.phase("execute"), *after, pipes.phase("map_result"), pipes.result()]


def changes_after_one_yes(number: int) -> Records:
    """Many changes of the input after many yeses, with one more yes at the end."""
    yes = [pipes.decision("allow")] * number
    return [pipes.invocation(), *yes, *[pipes.mutation("/a")] * number, pipes.decision("allow"), pipes.phase("execute")]


def an_input_of_many_members(number: int) -> Records:
    """All members differ, some are marked as redacted, and a separate mutation reports each change."""
    one, other = ({f"m{at}": value for at in range(number)} for value in (1, 2))
    marked = [f"/call_input/n{at}" for at in range(number)]
    told = pipes.invocation(model_input=one, permission_input=one, call_input=other, redacted=marked)
    return [told, *(pipes.mutation(f"/n{at}") for at in range(number)), pipes.result()]


def an_input_told_again(number: int) -> Records:
    """One invocation that is recorded many times, each time with another input."""
    return [pipes.invocation(model_input={"a": at}, redacted=["/x"]) for at in range(number)]


def a_large_input_and_small_ones_after_it(number: int) -> Records:
    """One large input, then small ones; one large result, then small ones."""
    large = {f"m{at}": at for at in range(10 * number)}
    inputs = [pipes.invocation(model_input=large), *[pipes.invocation(model_input={})] * number]
    return [*inputs, pipes.result(structured_content=large), *[pipes.result(structured_content={})] * number]


def output_in_many_parts(number: int) -> Records:
    """Each part is stored separately, and the result refers to most of them."""
    stored = [{**pipes.persistence("preview_and_persist"), "decision_id": f"k-{at}"} for at in range(number)]
    return [pipes.invocation(), *stored, pipes.result(persistence_refs=[f"k-{at + 9}" for at in range(number)])]


def executions_at_once(number: int) -> Records:
    """All calls are running at the same time, and each changes the context."""
    names = [f"i-{at}" for at in range(number)]
    told = pipes.policy(context_modifier_policy="defer_until_batch_complete", ordering_policy="serial")
    ended = [each for name in names for each in pipes.modified(name, "applied")]
    return [told, *pipes.running("i-x", *names), *ended]


def siblings_that_were_cancelled(number: int) -> Records:
    """Many cancelled siblings, each under its own policy."""
    policies = [pipes.policy(scheduler_policy_id=f"p-{at}", sibling_failure_policy="ignore") for at in range(number)]
    told = [pipes.invocation(f"i-{at}", scheduler_policy_ref=f"p-{at}") for at in range(number)]
    return [*policies, *told, *(pipes.failure("sibling_canceled", name=f"i-{at}") for at in range(number))]


def a_surface_of_many_tools(number: int) -> Records:
    """A surface of many tools, with executions of tools that it offers and of tools that it does not offer."""
    tools = [f"t-{at}" for at in range(number)]
    told = [
        each
        for at in range(number)
        for each in (
            pipes.invocation(f"i-{at}", tool_id=f"t-{at * 2}", surface_id="s-1"),
            pipes.phase("execute", name=f"i-{at}"),
            pipes.result(name=f"i-{at}"),
        )
    ]
    return [pipes.surface(*tools), *told]


def surfaces_told_again(number: int) -> Records:
    """A surface before each execution."""
    return [
        each
        for at in range(number)
        for each in (
            pipes.surface("notes.read"),
            pipes.invocation(f"i-{at}", surface_id="s-1"),
            pipes.phase("execute", name=f"i-{at}"),
        )
    ]


def decisions_of_one_invocation(number: int) -> Records:
    """Each decision is about another tool in another surface, with progress and events between them."""
    told = [
        each
        for at in range(number)
        for each in (
            pipes.decision("ask", tool_id=f"t-{at}", surface_id=f"s-{at}"),
            pipes.record("progress", sequence=number - at),
            pipes.created(),
            pipes.result(content=[at]),
        )
    ]
    return [pipes.invocation(), *told]


def a_driven_batch_of_many_calls(number: int) -> Records:
    """Each call is asked about, executed, and has its result; at the end, all are aborted one by one."""
    ids = [f"i-{at}" for at in range(number)]
    asks = ("pre_hooks", "permission", "map_result", "post_hooks")
    told = [each for name in ids for each in (pipeline.asked("pre_hook", name), *pipeline.done(name))]
    aborts = [pipeline.seen("abort_called", name) for name in ids]
    return [*pipeline.case(*ids, asks=asks), *told, *aborts, pipeline.FINISHED]


def driven_calls_that_all_fail(number: int) -> Records:
    """In a serial batch, each call fails under a policy that cancels siblings; all begin before the first one ends."""
    ids = [f"i-{at}" for at in range(number)]
    told = [*map(pipeline.executed, ids), *map(pipeline.threw, ids)]
    rules: dict[str, Any] = {"ordering_policy": "serial", **pipeline.SIBLINGS}
    return [*pipeline.case(*ids, **rules), *told, pipeline.FINISHED]


def one_driven_call_again_and_again(number: int) -> Records:
    """One call that is asked about, permitted, executed, mapped, changed and stored many times."""
    once = [
        pipeline.asked("pre_hook", updated_input=pipeline.OTHER),
        *pipeline.YES,
        pipeline.executed(),
        pipeline.returned(),
        pipeline.mapped(),
        pipeline.CHANGED,
        pipeline.STORED,
    ]
    told = [each for _ in range(number) for each in once]
    return [*pipeline.case("i-1", ordering_policy="serial"), *told, *pipeline.ended(), pipeline.FINISHED]


def an_output_of_which_a_hook_leaves_the_beginnings(number: int) -> Records:
    """A tool gives many texts, a hook takes the end of each away, and the result has as many others."""
    given = [f"the beginning of {at} and its end" for at in range(number)]
    left = [f"the beginning of {at}" for at in range(number)]
    shown: list[Any] = [{"type": "text", "text": f"another text {at}"} for at in range(number)]
    hook = pipeline.seen("post_hook", output=given, updated_output=left)
    told = [pipeline.executed(), pipeline.returned(output=given), hook, *pipeline.ended(content=shown)]
    return [*pipeline.case("i-1"), *told, pipeline.FINISHED]


def responses_of_a_night(number: int) -> Records:
    """The base log of the invocation contract, repeated, each time with new ids."""
    return [{**each, "responseId": f"r-{at}"} for at in range(number) for each in base("searched")]


def one_response_again_and_again(number: int) -> Records:
    """The base log of the invocation contract, repeated with the same id."""
    return base("searched") * number


def a_record_of_many_events(number: int) -> Records:
    """One response with very many events in its metadata."""
    first = base("searched")[0]
    events = [{"kind": "tool", "toolName": "web_search", "status": "x", "durationMs": -1}, {"kind": "generation"}]
    return [{**first, "execution": events * number}]


def driven_responses_of_a_night(number: int) -> Records:
    """The base log of driven responses, repeated, each time with new ids."""
    return [_renamed(each, f"r-{at}") for at in range(number) for each in base("asked")]


def _renamed(line: Any, response: str) -> Any:
    return {**line, "record": {**line["record"], "responseId": response}} if line["kind"] == "record" else line


def one_driven_response_of_many_lines(number: int) -> Records:
    """Uses, answers and records of one tool, repeated."""
    note, *middle, end = base("asked")[:6]
    return [note, *middle * number, end]


def one_driven_response_of_many_tools(number: int) -> Records:
    """One response with many required tools, all of which are used."""
    note, _, used, generated, record, end = base("asked")[:6]
    names = [f"tool-{at}" for at in range(number)]
    wanted = [{"toolName": each, "requested": True} for each in names]
    told = {**note, "tools": [{"toolName": each, "optional": False} for each in names], "intents": wanted}
    uses = [{**used, "toolName": each} for each in names]
    results = [{"toolName": each, "output": 1} for each in names]
    answers = [{**generated, "results": results, "text": f"answer {at}"} for at in range(3)]
    records = [{**record, "record": {**record["record"], "intent": each}} for each in wanted]
    return [told, *uses, *answers, *records, {**end, "text": "answer 1"}]


SHAPES: tuple[tuple[str, Shape], ...] = (
    *(
        ("agent-loop", each)
        for each in (
            a_long_night,
            the_same_night_again,
            a_long_session,
            a_session_of_branches,
            calls_at_once,
            calls_of_one_id,
            one_call_told_again_and_again,
            results_that_are_put_off,
            replies_without_results,
            streams_in_small_pieces,
            contexts_of_the_model,
        )
    ),
    *(
        ("pipeline", each)
        for each in (
            many_invocations,
            the_same_invocations_again,
            phases_of_one_invocation,
            phases_before_an_execution,
            changes_after_one_yes,
            an_input_of_many_members,
            an_input_told_again,
            a_large_input_and_small_ones_after_it,
            output_in_many_parts,
            executions_at_once,
            siblings_that_were_cancelled,
            a_surface_of_many_tools,
            surfaces_told_again,
            decisions_of_one_invocation,
            a_driven_batch_of_many_calls,
            driven_calls_that_all_fail,
            one_driven_call_again_and_again,
            an_output_of_which_a_hook_leaves_the_beginnings,
        )
    ),
    *(
        ("invocation", each)
        for each in (
            responses_of_a_night,
            one_response_again_and_again,
            a_record_of_many_events,
            driven_responses_of_a_night,
            one_driven_response_of_many_lines,
            one_driven_response_of_many_tools,
        )
    ),
)


def log_of(records: Iterable[Mapping[str, Any]], flaws: tuple[Flaw, ...] = ()) -> Entries:
    """The records as a log."""
    entries = tuple(Entry(each, Source("log.jsonl", at)) for at, each in enumerate(records, 1))
    return Entries("log.jsonl", entries, flaws)


def work_on(protocol: str, log: Entries) -> Counter[str]:
    """The number of executed lines to recognise a log, to link it up, and to judge it by each law."""
    lines: Counter[str] = Counter()
    name = ""

    def trace(_frame: FrameType, event: str, _value: object) -> Callable[..., Any]:
        lines[name] += event == "line"
        return trace

    judged = PROTOCOLS[protocol]
    ids = list(protocol_named(protocol).requirements)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        name = "recognising"
        for each in PROTOCOLS.values():
            each.recognises(log)
        name = "linking"
        linked = judged.trace(log)
        for name in ids:
            results_of(judged, linked, frozenset(ids) - {name})
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("flawed", [False, True], ids=["whole", "flawed"])
@pytest.mark.parametrize(("protocol", "shape"), SHAPES, ids=lambda each: getattr(each, "__name__", str(each)))
def test_four_times_the_records_are_about_four_times_the_work(protocol: str, shape: Shape, flawed: bool) -> None:
    """This holds for logs of any shape, even with as many lines that are not records."""
    short, long = (
        work_on(protocol, log_of(shape(number), flaws(number) if flawed else ())) for number in (SHORT, LONG)
    )
    steep = {name: (short[name], lines) for name, lines in long.items() if lines > MOST * max(short[name], 1)}
    assert {name: each for name, each in steep.items() if each[1] > FEW_LINES} == {}


def flaws(number: int) -> tuple[Flaw, ...]:
    """A number of lines that are not records."""
    return tuple(Flaw(FlawKind.UNREADABLE, Source("log.jsonl", at), "no record") for at in range(number))
