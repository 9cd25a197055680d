"""Laws of hooks: what they may prevent, and what they may not change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import envelope_of, is_pending
from callproof.protocols.agent_loop.forms import AFTER_HOOK, BEFORE_HOOK, PERSIST_HOOK, TOOL_CALLED, Moment
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal


def _blocked(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls that a hook blocked, as the hook or the result tells, beside what tells it."""
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
            f"{call.named} was blocked, and its tool was entered",
            "no execution of what a hook blocked",
            (block.witness("B"), entered.witness("T")),
        )


@LAWS.check("HOST-03", each=_blocked, needs=("probes",))
def what_is_blocked_says_so(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The result of a call that was blocked has the envelope of that, and is an error."""
    call, block = pair
    for result in [] if call.is_rewritten else call.results[:1]:
        if not _says_blocked(result, call) or message_of(result).get("isError") is not True:
            yield Finding(
                f"a hook blocked {call.named}, and its result does not say blocked, or is no error",
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
            f"the hook of {call.named} was asked, its tool was never entered, and the result has isError false",
            "isError true",
            (hook.witness("H"), result.witness("R")),
        )


def _observed(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls with what the after-hook was given, and with what came of it: the end, or else the message."""
    for call in loop.calls:
        hooks, after = call.probes(AFTER_HOOK)[:1], (call.ends or call.results)[:1]
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
            "the result as it was: an after-hook observes",
            (hook.witness("H"), after.witness("E")),
        )


def _set(loop: Loop) -> Iterator[tuple[Call, str, str, Moment]]:
    """Calls, beside each hook that is set and has to be asked about them, its probe, and what calls for it."""
    hooks = loop.driving.hooks if loop.driving is not None else frozenset[str]()
    for call in loop.calls:
        entered = call.probes(TOOL_CALLED)[:1]
        yield from ((call, "before", BEFORE_HOOK, each) for each in entered if "before" in hooks)
        if call.ends and "after" in hooks:
            yield from ((call, "after", AFTER_HOOK, each) for each in entered)
        yield from ((call, "persist", PERSIST_HOOK, each) for each in call.results[:1] if "persist" in hooks)


@LAWS.check("HOST-16", each=_set, needs=("probes", "driver"))
def a_hook_that_is_set_is_asked(_loop: Loop, due: tuple[Call, str, str, Moment]) -> Iterator[Finding]:
    """No tool is entered, nothing ends and no message is kept past a hook that is set for it."""
    call, hook, probe, deed = due
    if not call.probes(probe):
        yield Finding(
            f"the {hook}-hook is set, and was not asked about {call.named}",
            f"the {hook}-hook asked about every call",
            (call.asked(), deed.witness("D")),
        )


def _rewritten(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls with what the persist hook made of their message, and with the message that was kept."""
    for call in loop.calls:
        hooks = [each for each in call.probes(PERSIST_HOOK)[:1] if "message" in each.value]
        yield from ((call, hook, result) for hook in hooks for result in call.results[:1])


@LAWS.check("HOST-17", each=_rewritten, needs=("probes", "driver"))
def what_the_persist_hook_makes_is_kept(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """The message of a call has the content and the details that the persist hook gave it."""
    call, hook, result = told
    made, kept = hook.inner("message"), message_of(result)
    other = [name for name in ("content", "details") if not equal(made.get(name), kept.get(name))]
    if other:
        yield Finding(
            f"the message of {call.named} was kept with other {' and '.join(other)} than the persist hook gave it",
            "what the hook made of it",
            (hook.witness("H"), result.witness("R")),
        )


def _outcome(after: Moment) -> Mapping[str, Json]:
    return after.inner("result") if "result" in after.value else message_of(after)


def _says_blocked(result: Moment, call: Call) -> bool:
    found = envelope_of(result, call.tool)
    return found is not None and found.status == "blocked"
