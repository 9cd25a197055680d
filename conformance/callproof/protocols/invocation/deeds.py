"""Laws of deeds in a driven response: which tools were used, where, with what input, and which must not be used."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.invocation.codes import V1
from callproof.protocols.invocation.driven import Came, Probe, Response, Use
from callproof.protocols.invocation.log import LAWS, Invocations, ended
from callproof.protocols.parts import brief, object_of, some
from callproof.values.doubles import alike


def _uses(log: Invocations) -> Iterator[tuple[Response, Use]]:
    """Every use and every offer of a tool."""
    for response in log.responses:
        for uses in response.uses.values():
            yield from ((response, each) for each in uses)


@LAWS.check("INT-12", each=_uses, needs=("driver",))
def what_nobody_asked_for_is_left_alone(_log: Invocations, pair: tuple[Response, Use]) -> Iterator[Finding]:
    """A tool is used, or offered, only if the planner requested it."""
    response, use = pair
    if not response.requested(use.tool):
        yield Finding(
            f"{brief(use.tool)} was {_done(use)}, but the planner did not request it",
            "a tool that the planner did not request is neither used nor offered",
            (response.noted(), use.probe.witness("P")),
        )


@LAWS.check("INT-12", each=_uses, needs=("driver",))
def a_tool_is_used_where_it_is(_log: Invocations, pair: tuple[Response, Use]) -> Iterator[Finding]:
    """A tool is used under a profile that has it, and by the party that the start names."""
    response, use = pair
    if use.by_runtime is response.by_provider:
        user = "the provider" if response.by_provider else "the runtime"
        yield Finding(
            f"{brief(use.tool)} was {_done(use)}, but in this response only {user} uses tools",
            f"a tool that {user} uses",
            (response.noted(), use.probe.witness("P")),
        )
    elif use.profile not in response.having.get(use.tool, frozenset()):
        yield Finding(
            f"{brief(use.tool)} was {_done(use)} under a profile that does not have it",
            "a profile that has the tool, or none",
            (response.noted(), use.probe.witness("P")),
        )


def _asked(log: Invocations) -> Iterator[tuple[Response, Probe]]:
    """Every deed under a profile, if no other profile than the chosen one may be used."""
    for response in log.responses:
        if not response.may_reroute:
            yield from ((response, each) for each in response.probes if "profile" in each.value)


@LAWS.check("INT-12", each=_asked, needs=("driver",))
def no_other_profile_is_used_than_may_be(_log: Invocations, pair: tuple[Response, Probe]) -> Iterator[Finding]:
    """If no other profile than the chosen one is permitted, no other is used."""
    response, probe = pair
    if probe.value["profile"] != response.selected:
        yield Finding(
            f"{'a tool was used' if probe.name == 'tool_used' else 'an answer was asked for'}"
            " under another profile than the chosen one, but no other may be used",
            "the chosen profile",
            (response.noted(), probe.witness("P")),
        )


def _due(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Tools that were requested, that the chosen profile has, and whose use nothing prevented."""
    for response in ended(log):
        # If a tool that is needed failed, or is not there, the system need not try another one.
        closed = any(response.uses.get(each) or not response.is_there(each) for each in response.missed)
        if not closed and not response.moved:
            yield from ((response, each) for each in response.tools if _is_due(response, each))


def _is_due(response: Response, tool: str) -> bool:
    return response.requested(tool) and response.is_there(tool)


@LAWS.check("INT-13", each=_due, needs=("driver",))
def what_may_be_used_is(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """A tool that was requested, and that is there, is used."""
    response, tool = pair
    if not response.uses.get(tool):
        done = "offered to the provider" if response.by_provider else "used"
        yield Finding(
            f"the planner requested {brief(tool)}, and the chosen profile has it, but it was never {done}",
            "a tool that is requested and available is used",
            (response.noted(),),
        )


@LAWS.check("INT-13", each=_uses, needs=("driver",))
def it_is_used_with_what_the_planner_gave(_log: Invocations, pair: tuple[Response, Use]) -> Iterator[Finding]:
    """Every member of the planner's input reaches the tool unchanged."""
    response, use = pair
    wanted = object_of(response.intents.get(use.tool, {}).get("input"))
    missing = [name for name in wanted if name not in use.given]
    other = [name for name, value in wanted.items() if name in use.given and not alike(use.given[name], value)]
    if missing or other:
        lacks = f"without the {some(list(map(brief, missing)), ', ')} that the planner gave"
        differs = f"with another {some(list(map(brief, other)), ', ')} than the planner gave"
        how = " and ".join([lacks] * bool(missing) + [differs] * bool(other))
        yield Finding(
            f"{brief(use.tool)} was {_done(use)} {how}",
            "the input of the intent; absent members may be filled in",
            (response.noted(), use.probe.witness("P")),
        )


def _used(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Tools that were used or offered."""
    for response in log.responses:
        yield from ((response, each) for each in response.uses)


@LAWS.check("INT-13", each=_used, needs=("driver",))
def what_gave_something_is_not_used_again(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """A tool is not used again after a use that gave something; a use that failed may be repeated."""
    response, tool = pair
    uses = response.uses[tool]
    first = next((at for at, each in enumerate(uses) if each.came is Came.EXECUTED), None)
    if first is not None and first + 1 < len(uses):
        yield Finding(
            f"{brief(tool)} was {_done(uses[first + 1])} again after it had been executed",
            "once: the planner asked for it once",
            (uses[first].probe.witness("P1"), uses[first + 1].probe.witness("P2")),
        )


def _closed(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Tools that were requested, that the response cannot do without, and that were not executed."""
    for response in ended(log):
        yield from ((response, each) for each in response.missed)


@LAWS.check("INT-17", each=_closed, needs=("driver",))
def without_what_it_needs_no_answer_is_asked_for(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """When a tool that is needed has failed, or is not there, no provider is asked."""
    response, tool = pair
    uses = response.uses.get(tool, ())
    if uses and not uses[-1].by_runtime:
        return  # asking the provider is the way to use the tool
    since = uses[-1].probe.at if uses else -1
    if response.generations and response.generations[-1].at > since:
        yield Finding(
            f"the response needs {brief(tool)}, which was {'used and failed' if uses else 'never used'},"
            " but an answer was asked for",
            "no generation, since only optional tools may be missing",
            (response.noted(), response.generations[-1].witness("G")),
        )


@LAWS.check("INT-17", each=_closed, needs=("driver",))
def without_what_it_needs_no_answer_is_handed_on(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """The user is not given what a provider answered without the tool."""
    response, tool = pair
    if response.handed_an_answer and response.end is not None:
        yield Finding(
            f"the response needs {brief(tool)}, which was not executed, but the user was given an answer",
            "the answer of the provider is not given to the user",
            (response.noted(), response.end.witness("F")),
        )


def _to_be_moved(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Responses with requested tools that the chosen profile lacks, and that another one has and may use."""
    for response in ended(log):
        if response.contract == V1 or not response.may_reroute:
            continue
        wanted = [each for each in response.tools if response.requested(each)]
        lacking = [each for each in wanted if response.elsewhere(each) and not response.is_there(each)]
        # If another tool needs the chosen profile, the system decides by its own rule which tool to go without.
        divided = any(response.is_there(each) for each in wanted)
        if lacking and not divided and set(response.missed) <= set(lacking):
            yield response, next((each for each in lacking if response.uses.get(each)), lacking[0])


@LAWS.check("INT-18", each=_to_be_moved, needs=("driver",))
def where_another_profile_can_it_does(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """A call is sent to another profile that has the tool, if that is permitted."""
    response, tool = pair
    if not response.uses.get(tool):
        yield Finding(
            f"the chosen profile does not have {brief(tool)}, another one does and may be used, but none was",
            "the call is sent to the other profile",
            (response.noted(),),
        )


def _done(use: Use) -> str:
    return "used" if use.by_runtime else "offered"
