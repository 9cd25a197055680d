"""Laws of progress: when it is told, and that it is what the tool told."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import interfered
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop
from callproof.protocols.agent_loop.envelopes import hold, texts_of
from callproof.protocols.agent_loop.forms import TOOL_CALLED, TOOL_RETURNED, TOOL_THREW, TOOL_TOLD, Moment
from callproof.values.jsontext import Json


def _progress(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Every progress event with its call."""
    yield from ((call, each) for call in loop.calls for each in call.updates)


@LAWS.check("HOST-09", each=_progress, needs=("executions",))
def progress_lies_between_start_and_end(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """An update comes after the start of its call and before its end."""
    call, update = pair
    begun, ended = call.starts[:1], call.ends[:1]
    if not begun or update.at < begun[0].at:
        yield Finding(
            f"an update of {call.named} came before its start",
            "updates between start and end",
            (update.witness("U"), *(each.witness("S") for each in begun)),
        )
    elif ended and update.at > ended[0].at:
        yield Finding(
            f"an update of {call.named} came after its end",
            "updates between start and end",
            (ended[0].witness("E"), update.witness("U")),
        )


def _of_driven(loop: Loop) -> Iterator[Call]:
    """Calls with an id of their own and updates, in a log that tells what tools told."""
    yield from (each for each in loop.calls if each.updates and not each.shares_its_id)


@LAWS.check("HOST-25", each=_of_driven, needs=("probes", "executions", "driver"))
def progress_is_what_the_tool_told(_loop: Loop, call: Call) -> Iterator[Finding]:
    """Each update holds something that the tool of its call told before, in the tool's order, or what it returned."""
    # Content without texts would count as contained in every update.
    returned = [each for each in call.probes(TOOL_RETURNED)[:1] if any(texts_of(each.value.get("content")))]
    told, at = sorted([*call.probes(TOOL_TOLD), *returned], key=lambda each: each.at), 0
    for update in call.updates:
        said = update.inner("partialResult").get("content")
        if not any(texts_of(said)):
            continue
        found = next((n for n in range(at, len(told)) if told[n].at < update.at and _holds(said, told[n])), None)
        if found is None:
            yield Finding(
                f"an update of {call.named} holds nothing that its tool reported, or holds it out of order",
                "what the tool reported, in its order, or what it returned",
                (*(each.witness("T") for each in told[:1]), update.witness("U")),
            )
            return
        at = found


def _holds(said: Json, told: Moment) -> bool:
    return hold(said, told.value.get("content"))


def _talking(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls whose tool stays at work until nothing more happens, with what it told last; the user did not interfere."""
    for call in loop.calls:
        waits = any(each.text("waits") == "act" for each in call.probes(TOOL_CALLED)[:1])
        left = [*call.probes(TOOL_RETURNED), *call.probes(TOOL_THREW)][:1]
        if waits and left and not call.shares_its_id and not interfered(loop, call):
            yield from ((call, each) for each in call.probes(TOOL_TOLD)[-1:] if each.at < left[0].at)


@LAWS.check("HOST-25", each=_talking, needs=("probes", "executions", "driver"))
def what_a_tool_tells_is_told(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """If a tool stays at work, the last thing that it told is in an update of its call."""
    call, told = pair
    if not any(each.at > told.at and _holds(each.inner("partialResult").get("content"), told) for each in call.updates):
        yield Finding(
            f"the tool of {call.named} reported progress while it was at work, but no update holds it",
            "an update with what the tool reported",
            (call.probes(TOOL_CALLED)[0].witness("T1"), told.witness("T2")),
        )
