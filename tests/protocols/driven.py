"""Logs of a driven loop, made by hand, that break the laws of deeds and of the course of a run."""

from __future__ import annotations

from typing import Any

from protocols.loops import (
    Line,
    Lines,
    call,
    carried_out,
    end,
    event,
    probe,
    reply,
    result,
    run,
    start,
    text,
    update,
    user,
)

NEEDS_PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
DONE = reply({"type": "text", "text": "done"}, stop="stop")


def meta(mode: str = "parallel", *hooks: str, **tool: Any) -> Line:
    """The note of a driver: its mode, the hooks that are set, and the tool `read`."""
    declared = {"name": "read", "parameters": NEEDS_PATH, **tool}
    return {"kind": "meta", "driven": True, "mode": mode, "hooks": list(hooks), "tools": [declared]}


def wrap(lines: Lines) -> Lines:
    """The lines, with every event wrapped."""
    return [each if "kind" in each else {"kind": "event", "event": each} for each in lines]


def driven(*lines: Line, mode: str = "parallel", hooks: tuple[str, ...] = (), **tool: Any) -> Lines:
    """A driven run, from its first event to its last."""
    return [meta(mode, *hooks, **tool), *wrap(run(*lines))]


def ending(*lines: Line) -> Lines:
    """A driven run that ends with these lines and its end event."""
    return [meta(), *wrap([event("agent_start"), user(), *lines, event("agent_end")])]


def entered(name: str, path: Any = "p", **members: Any) -> Line:
    """The tool `read` is entered."""
    return probe("tool_called", toolCallId=name, tool="read", params={"path": path}, **members)


def hook(name: str, kind: str = "before_hook", **members: Any) -> Line:
    """A hook is asked."""
    return probe(kind, toolCallId=name, **members)


def context(*results: str, more: Lines | None = None) -> Line:
    """The model is called with some results."""
    told = [{"role": "toolResult", "toolCallId": each, "content": text("ok")} for each in results]
    return probe("model_context", messages=[{"role": "assistant", "content": [P, Q]}, *told, *(more or [])])


def done(name: str, *within: Line) -> Lines:
    """A call of `read` that is carried out, with these lines between its start and its end."""
    return [start(name), entered(name), *within, end(name), result(name)]


def lost(name: str) -> Lines:
    """The end and the message of a call of `read` that failed because the run was aborted."""
    members: dict[str, Any] = {"said": "the run was aborted", "failed": True}
    return [end(name, **members), result(name, **members)]


def said(words: str) -> Line:
    """A message of the user, as the model gets it."""
    return {"role": "user", "content": text(words)}


def told(words: str) -> Line:
    """The tool of the call `a` reports its progress."""
    return probe("tool_told", toolCallId="a", content=text(words))


def updated(words: str) -> Line:
    """An update of the call `a`."""
    return {**update("a"), "partialResult": {"content": text(words)}}


IMAGE: Line = {"type": "image", "data": "R0lGODlhAQABAAAAACw=", "mimeType": "image/gif"}
P, Q = call("a", path="p"), call("b", path="p")
FAILED = {"failed": True}
AFTER = {"result": {"content": text("ok")}, "isError": False}
STOPPED = [probe("abort_called"), probe("tool_aborted", toolCallId="a")]
PENDING: Any = {"details": {"status": "pending", "tool": "read", "message": "soon"}}
AT_WORK = [reply(P), start("a"), entered("a")]
STEERED = [probe("steer_called", text="and now?")]
TWICE = [*AT_WORK, *STEERED, probe("steer_called", text="in August?"), end("a"), result("a")]
# A before-hook that blocks a call, and thinks before it says so.
SLOW = hook("a", block=True, slow=True)


def renamed(asked: Line) -> Line:
    """The model is called with the result of the call `a`, and with another name of its tool."""
    told = {"role": "toolResult", "toolCallId": "a", "content": text("ok")}
    return probe("model_context", messages=[{"role": "assistant", "content": [{**asked, "name": "another"}]}, told])


def gave(told: Line) -> Lines:
    """A reply as the model gave it, and as the loop reports it."""
    return [probe("model_replied", message=told["message"]), told]


KEPT = {"content": text("ok")}
RETURNED = probe("tool_returned", toolCallId="a", **KEPT)

# For each check, by its name: the requirement, and a log that breaks only this requirement.
DRIVEN: dict[str, tuple[str, Lines]] = {
    "what_succeeded_was_carried_out": ("HOST-13", [*wrap(run(reply(P, Q), *done("a"), *carried_out("b")))]),
    "a_call_is_carried_out_once": ("HOST-13", driven(reply(P), *done("a", entered("a")))),
    "the_tool_is_given_what_was_asked_for": (
        "HOST-14",
        driven(reply(P), start("a"), entered("a", "q"), end("a"), result("a")),
    ),
    "the_tool_is_given_what_its_schema_accepts": (
        "HOST-14",
        driven(reply(call("a", path=[])), start("a"), entered("a", []), end("a"), result("a")),
    ),
    "the_hook_is_shown_what_was_asked_for": (
        "HOST-14",
        driven(
            reply(P),
            start("a"),
            hook("a", args={"path": "q"}),
            entered("a"),
            end("a"),
            result("a"),
            hooks=("before",),
        ),
    ),
    "what_a_client_carries_out_is_not_entered": ("HOST-08", driven(reply(P), *done("a"), host="client")),
    "a_call_ends_with_what_its_tool_returned": (
        "HOST-24",
        driven(reply(P), *done("a", probe("tool_returned", toolCallId="a", content=text("no")))),
    ),
    "what_was_returned_is_no_failure": (
        "HOST-24",
        driven(reply(P), start("a"), entered("a"), RETURNED, end("a", failed=True), result("a", failed=True)),
    ),
    "what_may_be_carried_out_is": ("HOST-15", driven(reply(P, Q), *done("a"), *carried_out("b", **FAILED))),
    "a_hook_that_is_set_is_asked": (
        "HOST-16",
        driven(
            reply(P),
            start("a"),
            entered("a"),
            hook("a", "after_hook", **AFTER),
            end("a"),
            result("a"),
            hooks=("before", "after"),
        ),
    ),
    "what_the_persist_hook_makes_is_kept": (
        "HOST-17",
        driven(reply(P), *done("a", hook("a", "persist_hook", message={"content": text("no")})), hooks=("persist",)),
    ),
    "an_abort_reaches_what_is_at_work": (
        "HOST-18",
        ending(*AT_WORK, probe("abort_called"), end("a"), result("a")),
    ),
    "an_aborted_run_asks_for_nothing_more": (
        "HOST-18",
        ending(*AT_WORK, *STOPPED, end("a"), result("a"), context("a"), DONE),
    ),
    "one_by_one_is_one_by_one": (
        "HOST-19",
        driven(
            reply(P, Q),
            start("a"),
            start("b"),
            entered("a"),
            entered("b"),
            end("a"),
            end("b"),
            result("a"),
            result("b"),
            mode="sequential",
        ),
    ),
    "side_by_side_is_at_once": (
        "HOST-20",
        driven(
            reply(P, Q),
            start("a"),
            entered("a", waits="siblings"),
            probe("tool_waited", toolCallId="a"),
            end("a"),
            result("a"),
            *done("b"),
        ),
    ),
    "the_model_is_given_every_result": ("HOST-21", driven(reply(P, Q), *done("a"), *done("b"), context("a"))),
    "the_model_is_given_results_as_they_are": (
        "HOST-21",
        driven(
            reply(P),
            *done("a"),
            probe(
                "model_context",
                messages=[
                    {"role": "assistant", "content": [P]},
                    {"role": "toolResult", "toolCallId": "a", "content": text("no"), "isError": False},
                ],
            ),
        ),
    ),
    "the_model_is_given_its_calls_as_they_were": (
        "HOST-21",
        driven(
            reply(P),
            *done("a"),
            probe(
                "model_context",
                messages=[
                    {"role": "assistant", "content": [call("a", path="q")]},
                    {"role": "toolResult", "toolCallId": "a", "content": text("ok")},
                ],
            ),
        ),
    ),
    "the_model_is_given_the_prompt": (
        "HOST-21",
        [{**meta(), "prompt": "go on"}, *wrap(run(reply(P), *done("a")))[:-1], context("a")],
    ),
    "the_model_is_given_what_the_user_wrote": (
        "HOST-21",
        driven(*AT_WORK, *STEERED, end("a"), result("a"), context("a", more=[said("something else")])),
    ),
    "a_run_goes_on_while_there_are_results": ("HOST-22", ending(reply(P), *done("a"))),
    "what_the_model_replied_is_told": (
        "HOST-23",
        ending(probe("model_replied", message=reply(Q)["message"]), reply(P), *done("a"), context("a"), DONE),
    ),
    "what_came_in_pieces_is_told_in_pieces": (
        "HOST-06",
        ending(
            probe("model_replied", message=reply(P)["message"], streamed=True),
            *(reply(P), *done("a"), context("a"), *gave(DONE)),
        ),
    ),
    "a_reply_is_told": (
        "HOST-23",
        ending(*gave(reply(P)), *done("a"), context("a"), probe("model_replied", message=DONE["message"])),
    ),
    "no_tool_is_entered_that_there_is_not": (
        "HOST-14",
        driven(
            reply(call("a", "list")),
            start("a", "list"),
            probe("tool_called", toolCallId="a", tool="list", params={}),
            end("a", "list"),
            result("a", "list"),
        ),
    ),
    "no_reply_is_made_up": (
        "HOST-23",
        ending(
            probe("model_failed"), {"type": "message_end", "message": {"role": "assistant", "content": text("Hi.")}}
        ),
    ),
    "nothing_of_a_broken_reply_is_carried_out": ("HOST-01", ending(reply(P, stop="error"), *done("a"))),
    "a_hook_is_asked_once_and_where_it_is_set": (
        "HOST-16",
        driven(
            reply(P), *done("a", hook("a", "after_hook", **AFTER), hook("a", "after_hook", **AFTER)), hooks=("after",)
        ),
    ),
    "the_persist_hook_sees_what_the_call_ends_with": (
        "HOST-17",
        driven(
            reply(P),
            *done("a", RETURNED, hook("a", "persist_hook", shown={"content": text("no")}, message=KEPT)),
            hooks=("persist",),
        ),
    ),
    "a_message_has_what_its_call_ended_with": (
        "HOST-24",
        driven(reply(P), start("a"), entered("a"), RETURNED, end("a"), result("a", said="no")),
    ),
    "a_run_begins_without_results": ("HOST-21", [meta(), *wrap([event("agent_start"), context("a"), DONE])]),
    "a_run_that_was_told_to_begin_is_told_to_end": (
        "HOST-22",
        [meta(), *wrap([event("agent_start"), user(), DONE, probe("loop_finished")])],
    ),
    "progress_is_what_the_tool_told": (
        "HOST-25",
        driven(reply(P), *done("a", told("half"), told("most"), updated("most"), updated("half"))),
    ),
    "what_a_tool_tells_is_told": (
        "HOST-25",
        driven(
            reply(P),
            start("a"),
            entered("a", waits="act"),
            told("half"),
            updated("half"),
            told("most"),
            RETURNED,
            end("a"),
            result("a"),
        ),
    ),
    "a_run_comes_to_its_end": ("HOST-22", [meta(), *wrap([event("agent_start"), user(), DONE]), probe("gave_up")]),
}

GIVEN = {"type": "toolCall", "id": "a", "name": "read", "arguments": {"path": "p"}}
ENDED = ending(*gave(DONE))
ANOTHER = wrap([event("agent_start"), user(), *gave(DONE), event("agent_end"), probe("loop_finished")])

# What a driven loop may not do beside that; each log breaks one requirement.
UNLAWFUL: dict[str, tuple[str, Lines]] = {
    f"{kind} names a call that no reply has": ("HOST-07", driven(reply(P), *done("a", probe(kind, toolCallId="z"))))
    for kind in ("tool_returned", "tool_threw", "tool_aborted", "tool_waited", "tool_told")
} | {
    "a run is told to end twice, and another one begins": ("HOST-22", [*ENDED, *ENDED[-1:], *ANOTHER]),
    "a run is not told to end, and another one begins": ("HOST-22", [*ENDED[:-1], *ANOTHER]),
    "a tool is entered while its hook still thinks": (
        "HOST-03",
        driven(reply(P), start("a"), SLOW, entered("a"), end("a"), result("a"), hooks=("before",)),
    ),
    "what a slow hook blocked is told as done": (
        "HOST-03",
        driven(reply(P), start("a"), SLOW, end("a"), result("a"), hooks=("before",)),
    ),
    "what a hook blocked at once is told as any other failure": (
        "HOST-03",
        driven(reply(P), start("a"), hook("a", block=True), *carried_out("a", **FAILED)[1:], hooks=("before",)),
    ),
    "of two messages, the model is given the last": (
        "HOST-21",
        driven(*TWICE, context("a", more=[said("in August?")]), DONE, context(more=[said("in August?")])),
    ),
    "of two messages, the model is given the first": (
        "HOST-21",
        driven(*TWICE, context("a", more=[said("and now?")]), DONE, context(more=[said("and now?")])),
    ),
    "of two messages, the model is given the second in the third call": (
        "HOST-21",
        driven(
            *TWICE,
            context("a", more=[said("and now?")]),
            DONE,
            context(more=[said("and now?")]),
            DONE,
            context(more=[said("and now?"), said("in August?")]),
        ),
    ),
    "a tool that there is has another name in what the model is given": (
        "HOST-21",
        driven(reply(P), *done("a"), renamed(P)),
    ),
}

# What a driven loop may do; no finding may come of it.
LAWFUL: dict[str, Lines] = {
    "a loop gives up waiting for a hook, and the call fails": driven(
        reply(P), start("a"), SLOW, *carried_out("a", **FAILED)[1:], hooks=("before",)
    ),
    "of two messages, the model is given one with each call": driven(
        *TWICE,
        context("a", more=[said("and now?")]),
        DONE,
        context(more=[said("and now?"), said("in August?")]),
    ),
    "two messages are one for the model": driven(*TWICE, context("a", more=[said("and now?\nin August?")])),
    "a tool that there is not has another name in what the model is given": driven(
        reply(call("a", "Read")), *carried_out("a", "Read", **FAILED), renamed(call("a", "Read"))
    ),
    "a tool returns when its run is over and another one has replied": [
        *ending(*gave(reply(P)), *AT_WORK[1:], *STOPPED, *lost("a")),
        *ANOTHER[:-2],
        RETURNED,
        *ANOTHER[-2:],
    ],
    "two runs come one after the other": [*ENDED, *ANOTHER],
    "a log stops in its last run": [*ENDED, *ANOTHER[:-2]],
    "runs are told neither to begin nor to end": [
        *(each for each in (*ENDED, *ANOTHER) if each.get("event", {}).get("type") not in ("agent_start", "agent_end"))
    ],
    "a reply whose calls share an id is refused": [
        {**meta(), "excused": ["HOST-11"]},
        *ending(*gave(reply(call("a", path="p"), call("a", path="q"), Q)))[1:],
    ],
    "it is refused without a word": ending(
        probe("model_replied", message=reply(call("a", path="p"), call("a", path="q"))["message"])
    ),
    "a reply is let go, and the model asked again": ending(
        probe("model_replied", message=reply(P)["message"]), context(), *gave(DONE)
    ),
    "a reply that says nothing is not told": ending(
        probe("model_replied", message=reply({"type": "text", "text": " "}, stop="stop")["message"])
    ),
    "a reply that came after an abort is not told": ending(
        probe("abort_called"), probe("model_replied", message=reply(P)["message"])
    ),
    "a reply is told with members of the loop's own": ending(
        probe("model_replied", message={"role": "assistant", "content": [GIVEN], "stopReason": "toolUse"}),
        reply({**GIVEN, "x-cost": 1}),
        *done("a"),
        context("a"),
        *gave(DONE),
    ),
    "a blank text and the call of a reply that was cut are left out": ending(
        probe("model_replied", message={"content": [{"type": "text", "text": " "}, GIVEN], "stopReason": "length"}),
        reply(stop="length"),
    ),
    "a call that the schema refuses is a failure": driven(reply(call("a", path=7)), *carried_out("a", **FAILED)),
    "what the schema refuses may be converted": driven(
        reply(call("a", path=7)), start("a"), entered("a", "7"), end("a"), result("a")
    ),
    "what is not there is filled in": driven(
        reply(P),
        start("a"),
        probe("tool_called", toolCallId="a", tool="read", params={"path": "p", "lines": 9}),
        end("a"),
        result("a"),
    ),
    "a number is the same however it is written": driven(
        reply(call("a", path="p", lines=1)),
        start("a"),
        probe("tool_called", toolCallId="a", tool="read", params={"path": "p", "lines": 1.0}),
        end("a"),
        result("a"),
    ),
    "what a hook leaves out is left out": driven(
        reply(call("a", path="p", lines=1)),
        start("a"),
        hook("a", block=False, params={"path": "q"}),
        entered("a", "q"),
        end("a"),
        result("a"),
        hooks=("before",),
    ),
    "a hook that fails hinders": driven(
        reply(P),
        start("a"),
        hook("a", block=False, failed=True),
        end("a", **FAILED),
        result("a", **FAILED),
        hooks=("before",),
    ),
    "what a hook made is refused": driven(
        reply(P),
        start("a"),
        hook("a", block=False, params={"path": 7}),
        end("a", **FAILED),
        result("a", **FAILED),
        hooks=("before",),
    ),
    "what a hook made lacks what the model gave": driven(
        reply(P),
        start("a"),
        hook("a", block=False, params={"lines": 1}),
        end("a", **FAILED, said="path required"),
        result("a", **FAILED, said="path required"),
        hooks=("before",),
    ),
    "a call of a reply that was cut is refused": driven(reply(P, stop="length"), *carried_out("a", **FAILED)),
    "what has not begun is skipped when the user writes": driven(
        reply(P, Q), *done("a", *STEERED), *carried_out("b", **FAILED), context("a", "b", more=[said("and now?")])
    ),
    "what has not begun is skipped when the user aborts": ending(
        reply(P, Q), start("a"), entered("a"), *STOPPED, end("a"), result("a"), *carried_out("b", **FAILED)
    ),
    "what has not begun begins when the user aborts, and is told": ending(
        reply(P, Q),
        start("a"),
        entered("a"),
        *STOPPED,
        end("a"),
        result("a"),
        *done("b", probe("tool_aborted", toolCallId="b")),
    ),
    "a model that failed is asked again": ending(
        *gave(reply(P)), *done("a"), context("a"), probe("model_failed"), context("a"), *gave(DONE)
    ),
    "a run ends when the model has failed": ending(*gave(reply(P)), *done("a"), context("a"), probe("model_failed")),
    "what the user writes waits for the next run where the model failed": ending(
        *gave(reply(P)), *done("a"), context("a"), *STEERED, probe("model_failed")
    ),
    "a model that failed is asked the same again, though the user wrote something": ending(
        context(),
        probe("model_failed"),
        *STEERED,
        context(),
        *gave(DONE),
        context(more=[said("and now?")]),
        *gave(DONE),
    ),
    "a failure of the model is told, and it is asked again": ending(
        *gave(reply(P)),
        *done("a"),
        context("a"),
        probe("model_failed"),
        reply({"type": "text", "text": "overloaded"}, stop="error"),
        probe(
            "model_context",
            messages=[
                {"role": "assistant", "content": [P]},
                {"role": "toolResult", "toolCallId": "a", "content": text("ok")},
                {"role": "assistant", "content": text("overloaded"), "stopReason": "error"},
            ],
        ),
        *gave(DONE),
    ),
    "a reply that came after an abort is told as an aborted one": ending(
        probe("model_context", messages=[]),
        probe("abort_called"),
        probe("model_replied", message={"content": [*text("I look."), GIVEN], "stopReason": "toolUse"}),
        reply({"type": "text", "text": "(aborted)"}, stop="aborted"),
    ),
    "a run of which neither the begin nor the end is told": [meta(), *wrap([user(), DONE]), probe("loop_finished")],
    "progress is told in one": driven(
        reply(P), *done("a", told("half"), told("most"), updated("half, and most"), update("a"))
    ),
    "what a tool returned is lost in an abort that came with it": ending(
        *AT_WORK, RETURNED, probe("abort_called"), probe("tool_aborted", toolCallId="a"), *lost("a")
    ),
    "what a tool returned is its last progress": driven(
        reply(P), *done("a", told("half"), updated("half"), RETURNED, updated("ok"))
    ),
    "what a tool told when it was about to return is not told": driven(reply(P), *done("a", told("half"), RETURNED)),
    "a persist hook is shown more than there was": driven(
        reply(P),
        *done("a", RETURNED, hook("a", "persist_hook", shown={"content": text("here: ok")}, message=KEPT)),
        hooks=("persist",),
    ),
    "a persist hook that fails changes what it likes": driven(
        reply(P),
        start("a"),
        entered("a"),
        RETURNED,
        hook("a", "persist_hook", shown=KEPT, failed=True),
        end("a"),
        result("a", said="(the hook failed)"),
        hooks=("persist",),
    ),
    "a persist hook fails, and the loop lets the call fail": driven(
        *(reply(P), start("a"), entered("a"), RETURNED, hook("a", "persist_hook", shown=KEPT, failed=True)),
        *(end("a", failed=True, said="the hook failed"), result("a", failed=True, said="the hook failed")),
        hooks=("persist",),
    ),
    "the persist hook makes a failure of it": driven(
        reply(P),
        *done("a", RETURNED, hook("a", "persist_hook", shown=KEPT, message={**KEPT, "isError": True}))[:-1],
        result("a", failed=True),
        hooks=("persist",),
    ),
    "two calls that share an id end in the opposite order": [
        {**meta(), "excused": ["HOST-11"]},
        *wrap(
            run(
                reply(P, P),
                start("a"),
                start("a"),
                entered("a"),
                end("a", failed=True),
                end("a"),
                result("a"),
                result("a", failed=True),
            )
        ),
    ],
    "a number beyond what doubles can hold is rounded": driven(
        reply(call("a", path="p", lines=2**53 + 1)),
        start("a"),
        probe("tool_called", toolCallId="a", tool="read", params={"path": "p", "lines": 2**53}),
        end("a"),
        result("a"),
    ),
    "a tool that returned is not asked to stop": ending(
        *AT_WORK, probe("tool_returned", toolCallId="a"), probe("abort_called"), end("a"), result("a")
    ),
    "a refused call goes past the hooks before it": driven(
        reply(call("a", path=7)),
        start("a"),
        hook("a", "persist_hook"),
        end("a", **FAILED),
        result("a", **FAILED),
        hooks=("before", "after", "persist"),
    ),
    "a hook is shown what was filled in": driven(
        reply(P),
        start("a"),
        hook("a", args={"path": "p", "lines": 9}),
        entered("a"),
        end("a"),
        result("a"),
        hooks=("before",),
    ),
    "a hook is shown what the schema refuses as it was converted": driven(
        reply(call("a", path=7)),
        start("a"),
        hook("a", args={"path": "7"}),
        entered("a", "7"),
        end("a"),
        result("a"),
        hooks=("before",),
    ),
    "details have members of the loop's own": driven(
        reply(P),
        start("a"),
        entered("a"),
        probe("tool_returned", toolCallId="a", content=text("ok"), details={"lines": 1}),
        end("a", details={"lines": 1, "seconds": 2}),
        result("a", details={"lines": 1, "seconds": 2}),
    ),
    "an image is told of in words": driven(
        reply(P), *done("a", probe("tool_returned", toolCallId="a", content=[IMAGE]))
    ),
    "what a tool returns when its call has ended is lost": driven(
        reply(P), *done("a"), probe("tool_returned", toolCallId="a", content=text("no"))
    ),
    "the model is given what the user wrote in other words around it": driven(
        *AT_WORK, *STEERED, end("a"), result("a"), context("a", more=[said("The user writes: and now?")])
    ),
    "results stand in any order": driven(reply(P, Q), *done("a"), *done("b"), context("b", "a")),
    "ids are rewritten for a provider": driven(
        reply(P, Q),
        *done("a"),
        *done("b"),
        probe(
            "model_context",
            messages=[
                {"role": "assistant", "content": [{**P, "id": "x1"}, {**Q, "id": "x2"}]},
                {"role": "toolResult", "toolCallId": "x1"},
                {"role": "toolResult", "toolCallId": "x2"},
            ],
        ),
    ),
    "a run ends with a call that a client carries out": ending(
        reply(P),
        start("a"),
        end("a", **PENDING),
        result("a", **PENDING),
    ),
    "what the user writes waits for the next run where a client carries a call out": ending(
        reply(P, Q),
        start("a"),
        entered("a"),
        *STEERED,
        end("a"),
        result("a"),
        *carried_out("b", **PENDING),
    ),
    "it waits too where a hook made what it liked of the note": [
        meta("parallel", "persist", host="client"),
        *ending(
            reply(P),
            start("a"),
            hook(
                "a",
                "persist_hook",
                shown={"toolCallId": "a", "content": text("ok"), **PENDING},
                message={"content": text("(taken out)")},
            ),
            end("a", **PENDING),
            *STEERED,
            result("a", said="(taken out)"),
        )[1:],
    ],
    "a tool that the loop asked to stop is not asked again when the run is aborted": ending(
        *AT_WORK, *STEERED, *reversed(STOPPED), *lost("a")
    ),
    "a run that was aborted ends": ending(*AT_WORK, *STOPPED, end("a"), result("a")),
    "one by one in another order": driven(reply(P, Q), *done("b"), *done("a"), mode="sequential"),
    "a text that the user wrote is a message of text": driven(
        *AT_WORK, *STEERED, end("a"), result("a"), context("a", more=[{"role": "user", "content": "and now?"}])
    ),
}
