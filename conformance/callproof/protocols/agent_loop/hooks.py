"""Laws of hooks: what they may prevent, and what they may not change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import is_let_go
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import envelope_of, is_pending
from callproof.protocols.agent_loop.forms import AFTER_HOOK, BEFORE_HOOK, PERSIST_HOOK, TOOL_CALLED, Moment
from callproof.protocols.agent_loop.outcomes import lost_of, returned_in_time
from callproof.protocols.parts import first_listed
from callproof.values.doubles import alike
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_object


def _blocked(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls that a hook blocked, as the hook or the result tells, with the moment that tells it."""
    for call in loop.calls:
        hooks = [each for each in call.probes(BEFORE_HOOK) if each.value.get("block") is True]
        results = [each for each in call.results if _says_blocked(each, call)]
        yield from ((call, each) for each in (hooks or results)[:1])


@LAWS.check("HOST-03", each=_blocked, needs=("probes",))
def what_is_blocked_is_not_carried_out(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The tool of a call that was blocked was not entered."""
    call, block = pair
    for entered in call.probes(TOOL_CALLED)[:1]:
        yield Finding(
            f"{call.named} was blocked, but its tool was entered",
            "no execution of what a hook blocked",
            (block.witness("B"), entered.witness("T")),
        )


def _blocked_in_time(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """The same, without calls whose hook was slow: a loop may give it up, and the call then fails."""
    yield from (pair for pair in _blocked(loop) if pair[1].value.get("slow") is not True)


@LAWS.check("HOST-03", each=_blocked_in_time, needs=("probes",))
def what_is_blocked_says_so(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The result of a call that was blocked has an envelope that says so, and is an error."""
    call, block = pair
    for result in [] if call.is_rewritten else call.results[:1]:
        if not _says_blocked(result, call) or message_of(result).get("isError") is not True:
            yield Finding(
                f"a hook blocked {call.named}, but its result does not say blocked, or is not an error",
                "isError true, and an envelope of the status blocked",
                (block.witness("B"), result.witness("R")),
            )


def _hooked(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose hook was asked, and whose tool was then not entered, with hook and result."""
    for call in loop.calls:
        if not call.probes(TOOL_CALLED) and not call.is_rewritten:
            hooks = call.probes(BEFORE_HOOK)[:1]
            results = [each for each in call.results[:1] if not is_pending(each, call.tool)]
            yield from ((call, hook, result) for hook in hooks for result in results)


@LAWS.check("HOST-03", each=_hooked, needs=("probes",))
def what_was_not_carried_out_is_no_success(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """A call whose tool was not entered after its hook was asked has an error result."""
    call, hook, result = told
    if message_of(result).get("isError") is False:
        yield Finding(
            f"the hook of {call.named} was asked and its tool was never entered, but the result has isError false",
            "isError true",
            (hook.witness("H"), result.witness("R")),
        )


def _observed(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls with what the after-hook was given, and with what came of it: the end, or else the message."""
    for call in (each for each in loop.calls if not each.shares_its_id):
        # A message that the persist hook made does not tell what the call ended with.
        hooks, after = call.probes(AFTER_HOOK)[:1], (call.ends or ([] if call.is_rewritten else call.results))[:1]
        yield from ((call, hook, each) for hook in hooks for each in after)


@LAWS.check("HOST-04", each=_observed, needs=("probes",))
def an_after_hook_changes_nothing(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """What the after-hook was given is what the call ended with."""
    call, hook, after = told
    given, became = hook.inner("result"), _outcome(after)
    changed = [name for name in ("content", "details") if not equal(given.get(name), became.get(name))]
    flags = hook.value.get("isError"), message_of(after).get("isError")
    if all(isinstance(each, bool) for each in flags) and flags[0] is not flags[1]:
        changed.append("isError")
    if changed:
        yield Finding(
            f"{call.named} ended with other {', '.join(changed)} than the after-hook was given",
            "the result as it was, since an after-hook only observes",
            (hook.witness("H"), after.witness("E")),
        )


def _set(loop: Loop) -> Iterator[tuple[Call, str, str, Moment]]:
    """Calls with each hook that is set and must be asked about them, its probe, and the moment that requires it."""
    hooks = loop.driving.hooks if loop.driving is not None else frozenset[str]()
    for call in loop.calls:
        entered = call.probes(TOOL_CALLED)[:1]
        yield from ((call, "before", BEFORE_HOOK, each) for each in entered if "before" in hooks)
        # If the loop did not wait for a tool's answer, no hook is asked about it.
        if call.ends and "after" in hooks and not is_let_go(loop, call, call.ends[0]):
            yield from ((call, "after", AFTER_HOOK, each) for each in entered)
        yield from ((call, "persist", PERSIST_HOOK, each) for each in call.results[:1] if "persist" in hooks)


@LAWS.check("HOST-16", each=_set, needs=("probes", "driver"))
def a_hook_that_is_set_is_asked(_loop: Loop, due: tuple[Call, str, str, Moment]) -> Iterator[Finding]:
    """If a hook is set, no tool is entered, no call ends and no message is kept without asking that hook."""
    call, hook, probe, deed = due
    if not call.probes(probe):
        yield Finding(
            f"the {hook}-hook is set, but was not asked about {call.named}",
            f"the {hook}-hook asked about every call",
            (call.asked(), deed.witness("D")),
        )


def _asked(loop: Loop) -> Iterator[tuple[Call, str, Sequence[Moment]]]:
    """Calls with an id of their own, with each hook that was asked about them, and each time it was asked."""
    for call in loop.calls:
        for hook, probe in (("before", BEFORE_HOOK), ("after", AFTER_HOOK), ("persist", PERSIST_HOOK)):
            if not call.shares_its_id and (told := call.probes(probe)):
                yield call, hook, told


@LAWS.check("HOST-16", each=_asked, needs=("probes", "driver"))
def a_hook_is_asked_once_and_where_it_is_set(
    loop: Loop, asked: tuple[Call, str, Sequence[Moment]]
) -> Iterator[Finding]:
    """No hook is asked twice about a call, and none is asked that is not set."""
    call, hook, told = asked
    if loop.driving is not None and hook not in loop.driving.hooks:
        yield Finding(
            f"the {hook}-hook is not set, but was asked about {call.named}",
            "no question to a hook that is not set",
            (call.asked(), told[0].witness("H")),
        )
    elif len(told) > 1:
        yield Finding(
            f"the {hook}-hook was asked {len(told)} times about {call.named}",
            "one question about each call",
            (told[0].witness("H1"), told[1].witness("H2")),
        )


def _kept(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls with what the persist hook was shown or made of their message, and with the message that was kept."""
    for call in loop.calls:
        hooks = [] if call.shares_its_id else call.probes(PERSIST_HOOK)[:1]
        yield from ((call, hook, result) for hook in hooks for result in call.results[:1])


@LAWS.check("HOST-17", each=_kept, needs=("probes", "driver"))
def what_the_persist_hook_makes_is_kept(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """The message of a call has what the persist hook gave it, or else what the hook was shown."""
    call, hook, result = told
    kept = message_of(result)
    made, members = hook.value.get("message"), ["content", "details"]
    if made is None:
        made, members = hook.value.get("shown"), [*members, "isError"]
    if not is_object(made) or hook.value.get("failed") is True:
        return
    other = [name for name in members if not alike(made.get(name), kept.get(name))]
    if other:
        says = "gave it" if "message" in hook.value else "was shown"
        yield Finding(
            f"the message of {call.named} was kept with other {' and '.join(other)} than the persist hook {says}",
            "what the hook made of it, or else what it was shown",
            (hook.witness("H"), result.witness("R")),
        )


def _shown(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool returned in time, with what the persist hook was shown, and with their end."""
    for call in loop.calls:
        hooks = [each for each in call.probes(PERSIST_HOOK)[:1] if is_object(each.value.get("shown"))]
        if not call.shares_its_id and returned_in_time(call) and not call.is_left_to_the_loop(call.ends[0]):
            yield from ((call, each, call.ends[0]) for each in hooks)


@LAWS.check("HOST-17", each=_shown, needs=("probes", "executions", "driver"))
def the_persist_hook_sees_what_the_call_ends_with(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """What the persist hook is shown has every text and the details that the call ends with."""
    call, hook, end = told
    lost = lost_of(end.inner("result"), hook.inner("shown"))
    if lost:
        yield Finding(
            f"the persist hook was not shown {first_listed(lost)} of what {call.named} ended with",
            "the message as it is going to be kept",
            (hook.witness("H"), end.witness("E")),
        )


def _outcome(after: Moment) -> Mapping[str, Json]:
    return after.inner("result") if "result" in after.value else message_of(after)


def _says_blocked(result: Moment, call: Call) -> bool:
    found = envelope_of(result, call.tool)
    return found is not None and found.status == "blocked"
