"""PIPE-15 and PIPE-16: an abort and the failure of a sibling reach what is at work and what has not begun."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, is_of, policy
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline


def _aborted(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls that the user aborted, with the abort."""
    acts = log.seen(probes.ABORT_CALLED)
    for call in calls(log) if acts else ():
        yield from ((call, act) for act in acts[:1] if is_of(act, call))


@LAWS.check("PIPE-15", each=_aborted, needs=("driver",))
def an_abort_reaches_what_is_at_work(log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A tool at work when its call is aborted is asked to stop, unless it comes back before the abort is taken."""
    call, act = found
    taken = next((line.at for line in log.seen(probes.ABORT_TAKEN) if line.at > act.at), act.at)
    came_back = any(act.at < line.at < taken and line.text("error_class") != "canceled" for line in call.ends)
    if came_back or log.torn:
        return
    if not call.is_at_work(act.at):
        return
    entered = [line for line in call.executed if line.at < act.at][-1]
    if not any(line.at > entered.at for line in call.seen(probes.TOOL_ABORTED)):
        yield Finding(
            f"{call.named} was aborted while its tool was at work, but the tool was not asked to stop",
            "tool/abort for a tool that is at work",
            (entered.witness("X"), act.witness("A")),
        )


@LAWS.check("PIPE-15", each=_aborted, needs=("driver",))
def what_was_aborted_does_not_begin(log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """No tool is entered for a call after its abort was taken."""
    call, act = found
    taken = next((line for line in log.seen(probes.ABORT_TAKEN) if line.at > act.at), None)
    entered = next((line for line in call.executed if taken is not None and line.at > taken.at), None)
    if taken is not None and entered is not None:
        yield Finding(
            f"{call.named} was executed after its abort had been taken",
            "no execution of a call that was aborted",
            (taken.witness("A"), entered.witness("X")),
        )


def _left_alone(log: Pipeline) -> Iterator[Call]:
    """Executed calls that were not to be stopped: the user did not abort them, and siblings have to be ignored."""
    aborted = {act.text("invocation_id") for act in log.seen(probes.ABORT_CALLED)}
    if policy(log, "sibling_failure_policy") == "ignore" and None not in aborted:
        yield from (call for call in calls(log) if call.executed and call.id not in aborted)


def _left_alone_by_an_abort(log: Pipeline) -> Iterator[Call]:
    """Of these calls, those of a log in which the user aborted another one."""
    yield from (call for call in _left_alone(log) if log.seen(probes.ABORT_CALLED))


@LAWS.check("PIPE-15", each=_left_alone_by_an_abort, needs=("driver",))
def an_abort_of_one_stops_no_other(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """If one call is aborted, the tools of others are not asked to stop."""
    for line in call.seen(probes.TOOL_ABORTED)[:1]:
        yield Finding(
            f"another call was aborted, but the tool of {call.named} was asked to stop",
            "tool/abort only for a call that was aborted",
            (call.executed[0].witness("X"), line.witness("A")),
        )


def _failing(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls whose tool threw last and was not cancelled, if the policy cancels siblings, with that throw."""
    if policy(log, "sibling_failure_policy") != "cancel_siblings" or log.seen(probes.ABORT_CALLED):
        return
    for call in calls(log):
        last = call.ends[-1:]
        if last and last[0].text("probe") == probes.TOOL_THREW and last[0].text("error_class") != "canceled":
            yield call, last[0]


def _siblings_of_a_failure(log: Pipeline) -> Iterator[tuple[Call, Line, Call]]:
    """The siblings of the call whose tool threw first, with that call and the throw."""
    first = min(_failing(log), key=lambda found: found[1].at, default=None)
    if first is not None:
        failed, threw = first
        yield from ((failed, threw, call) for call in calls(log) if call.id != failed.id)


@LAWS.check("PIPE-16", each=_siblings_of_a_failure, needs=("driver",))
def a_failure_reaches_siblings_at_work(log: Pipeline, found: tuple[Call, Line, Call]) -> Iterator[Finding]:
    """A tool that waits to be asked to stop is asked when a sibling failed, before it waited in vain or all is over."""
    failed, threw, call = found
    waited = [line for line in call.seen(probes.TOOL_WAITED) if line.text("waits") == "stop" and line.at > threw.at]
    if not call.seen(probes.TOOL_ABORTED):
        waited += [line for line in log.seen(probes.FINISHED) if call.is_at_work(line.at)]
    if waited and call.is_at_work(threw.at):
        yield Finding(
            f"{failed.named} failed, but the tool of {call.named}, which was at work, was not asked to stop",
            "tool/abort for the siblings of a call that failed, under cancel_siblings",
            (threw.witness("F"), waited[0].witness("W")),
        )


@LAWS.check("PIPE-16", each=_siblings_of_a_failure, needs=("driver",))
def siblings_of_a_failure_do_not_begin(log: Pipeline, found: tuple[Call, Line, Call]) -> Iterator[Finding]:
    """No tool is entered for a sibling of what failed: after the failure if serial, else after its result was told."""
    failed, threw, call = found
    if policy(log, "ordering_policy") == "serial":
        since: Line | None = threw
    else:
        # A call that was permitted earlier may already have been on its way.
        told = failed.result
        yes = call.seen(probes.PERMISSION_ANSWERED)[-1:]
        since = yes[0] if yes and told is not None and told.at < yes[0].at else None
    entered = next((line for line in call.executed if since is not None and line.at > since.at), None)
    if entered is not None:
        yield Finding(
            f"{call.named} was executed after {failed.named} had failed",
            "no execution of siblings of a call that failed, under cancel_siblings",
            (threw.witness("F"), entered.witness("X")),
        )


def _left_alone_by_siblings(log: Pipeline) -> Iterator[Call]:
    """Calls beside one that failed, if siblings have to be ignored and the user aborted nothing."""
    if not log.seen(probes.ABORT_CALLED) and log.seen(probes.TOOL_THREW):
        yield from _left_alone(log)


@LAWS.check("PIPE-16", each=_left_alone_by_siblings, needs=("driver",))
def a_failure_is_ignored_where_it_is_to_be(_log: Pipeline, call: Call) -> Iterator[Finding]:
    """If the policy ignores siblings, no tool is asked to stop."""
    for line in call.seen(probes.TOOL_ABORTED)[:1]:
        yield Finding(
            f"the policy ignores siblings and {call.named} was not aborted, but its tool was asked to stop",
            "no tool/abort under sibling_failure_policy ignore",
            (call.executed[0].witness("X"), line.witness("A")),
        )
