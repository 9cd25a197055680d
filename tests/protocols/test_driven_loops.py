"""What a driven loop may do without a finding, and what it may not do, law by law."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.agent_loop.calls import LAWS
from callproof.protocols.agent_loop.trace import loop_of
from callproof.protocols.judging import results_of
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from callproof.values.jsontext import Json
from protocols.driven import (
    ANOTHER,
    DONE,
    DRIVEN,
    ENDED,
    LAWFUL,
    RETURNED,
    UNLAWFUL,
    P,
    context,
    done,
    driven,
    ending,
    entered,
    lost,
    updated,
    wrap,
)
from protocols.loops import broken, call, carried_out, end, judged, log_of, loop, probe, reply, result, run, start, text

UNREAD = Flaw(FlawKind.NOT_JSON, Source("log.jsonl", 4), "it is no JSON")


@pytest.mark.parametrize("name", sorted(DRIVEN))
def test_what_a_driven_loop_may_not_do_is_found_by_its_check_and_breaks_no_other_law(name: str) -> None:
    """Each check finds the log that breaks its law, and that log breaks no other requirement."""
    requirement, lines = DRIVEN[name]
    assert set(broken(judged(lines))) == {requirement}
    (check,) = (each for each in LAWS.by_requirement[requirement] if each.name == name)
    heard = loop(lines)
    assert [finding for subject in check.each(heard) for finding in check.examine(heard, subject)]


@pytest.mark.parametrize("name", sorted(UNLAWFUL))
def test_what_a_driven_loop_may_not_do_beside_that_breaks_one_law(name: str) -> None:
    """HOST-07, HOST-22: deeds after the entry of a tool, and the end of a run that another one follows."""
    requirement, lines = UNLAWFUL[name]
    assert set(broken(judged(lines))) == {requirement}


@pytest.mark.parametrize("stop", [["stop"], {"stop": 1}, 3, None])
def test_a_stop_reason_that_is_no_word_is_compared_like_any_other(stop: Json) -> None:
    """HOST-23: the text of such a reply must not be left out, and no kind of value makes the law throw."""
    given = {**reply(P)["message"], "content": [*reply(P)["message"]["content"], *text("Wait.")], "stopReason": stop}
    results = judged(ending(probe("model_replied", message=given), reply(P), *done("a"), context("a"), DONE))
    assert results["HOST-23"].errors == ()
    assert results["HOST-23"].verdict is Verdict.FAIL


def test_what_a_tool_does_after_an_entry_for_no_call_is_told_once() -> None:
    """HOST-07: the entry is the fault; that the tool also returned is no news."""
    strays = [entered("z"), {**RETURNED, "toolCallId": "z"}]
    assert len(broken(judged(driven(reply(P), *done("a", *strays))))["HOST-07"]) == 1


def test_what_a_tool_does_for_no_call_is_not_judged_where_the_log_may_begin_later_than_its_run() -> None:
    """HOST-07: without a driver, the tool may have been entered before the log begins."""
    lines = driven(reply(P), *done("a", {**RETURNED, "toolCallId": "z"}))[1:]
    assert broken(judged(lines)) == {}


def test_a_run_that_was_given_up_or_whose_end_may_be_lost_is_not_told_to_lack_it() -> None:
    """HOST-22: a run that was given up is one finding; a line that cannot be read may be the end."""
    given_up = [*ENDED[:-1], probe("gave_up"), *ANOTHER]
    assert len(broken(judged(given_up))["HOST-22"]) == 1
    torn = replace(log_of([*ENDED[:-1], *ANOTHER]), flaws=(UNREAD,))
    assert broken(results_of(PROTOCOL, loop_of(torn))) == {}


@pytest.mark.parametrize("name", sorted(LAWFUL))
def test_what_a_driven_loop_may_do_is_no_finding(name: str) -> None:
    """What the protocol leaves open is not a violation."""
    assert broken(judged(LAWFUL[name])) == {}


def test_what_a_tool_returned_may_be_lost_in_an_abort_and_in_nothing_else() -> None:
    """If a tool returned but its call ends as the loop's own failure, the output was lost, unless the user aborted."""
    assert set(broken(judged(driven(reply(P), start("a"), entered("a"), RETURNED, *lost("a"))))) == {"HOST-24"}


def test_what_a_tool_has_not_returned_yet_is_none_of_its_progress() -> None:
    """An update with the tool's result is made up if it comes before the tool has returned."""
    assert set(broken(judged(driven(reply(P), *done("a", updated("ok"), RETURNED))))) == {"HOST-25"}


def test_without_the_word_of_a_driver_nothing_is_refused_for_no_reason() -> None:
    """A log that was not driven does not say what the user did, so any refusal may have a reason."""
    lines = [
        {"kind": "meta", "tools": [{"name": "read", "parameters": {}}]},
        *wrap(run(reply(call("a"), call("b")), start("a"), entered("a"), end("a"), result("a"))),
    ]
    told = [*lines[:-2], *wrap(carried_out("b", failed=True)), *lines[-2:]]
    results = judged(told)
    assert broken(results) == {}
    assert results["HOST-15"].verdict is Verdict.INCONCLUSIVE
    assert "driver" in results["HOST-15"].missing


def test_what_a_hook_was_seen_to_be_asked_and_not_to_say_compares_nothing() -> None:
    """A capture without the hook's answer does not show how the hook changed the arguments."""
    lines = [
        {"kind": "meta", "tools": [{"name": "read", "parameters": {}}]},
        *wrap(
            run(
                reply(call("a", path="p")),
                start("a"),
                probe("before_hook", toolCallId="a"),
                entered("a", "q"),
                end("a"),
                result("a"),
            )
        ),
    ]
    assert broken(judged(lines)) == {}


def test_calls_that_share_an_id_are_not_told_apart() -> None:
    """For two calls with one id, entered in the opposite order, no log shows which of them got which arguments."""
    twins = (call("a", path="p"), call("a", path="q"))
    lines = driven(
        reply(*twins),
        start("a"),
        start("a"),
        entered("a", "q"),
        entered("a", "p"),
        end("a"),
        end("a"),
        result("a"),
        result("a"),
    )
    assert set(broken(judged(lines))) == {"HOST-11"}


def test_of_what_was_not_streamed_a_driven_loop_shows_nothing() -> None:
    """HOST-06: only pieces decide, or arguments that are told as no object, because a driver gives them as one."""
    whole = driven(reply(P), *done("a"))
    assert judged(whole)["HOST-06"].verdict is Verdict.INCONCLUSIVE
    bare = {**reply(P)["message"], "content": [{**P, "arguments": "p"}]}
    assert "HOST-06" in broken(judged(driven({**reply(P), "message": bare}, *done("a"))))
    pieces = [
        {"type": "message_update", "assistantMessageEvent": {"type": what, "contentIndex": 0, **members}}
        for what, members in (("toolcall_start", {}), ("toolcall_delta", {"delta": '{"path": "p"}'}))
    ]
    assert judged(driven(*pieces, reply(P), *done("a")))["HOST-06"].verdict is Verdict.PASS
    assert judged(whole[1:])["HOST-06"].verdict is Verdict.PASS
