"""What the user did during a run, as far as a log tells it, and what that leaves open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from callproof.protocols.agent_loop.calls import Call, Loop, message_of
from callproof.protocols.agent_loop.forms import ABORT_CALLED, Moment


def run_of(loop: Loop, moment: Moment) -> tuple[int, int]:
    """The run of a moment: the place of its beginning, and the place of the next run's beginning."""
    place = bisect_right(loop.bounds, moment.at)
    begins = loop.bounds[place - 1] if place else 0
    return begins, loop.bounds[place] if place < len(loop.bounds) else len(loop.moments)


def between(moments: Sequence[Moment], begins: int, ends: int) -> Sequence[Moment]:
    """The moments from place ``begins`` on and before place ``ends``; they must be in their order."""
    first, last = (bisect_left(moments, at, key=lambda each: each.at) for at in (begins, ends))
    return moments[first:last]


def is_over_after(loop: Loop, moment: Moment) -> bool:
    """Whether the log goes on from a moment to the end of its run, so that nothing more can follow."""
    return bool(between(loop.endings, moment.at, run_of(loop, moment)[1]))


def interfered(loop: Loop, call: Call) -> bool:
    """Whether the user had done something in the run of a call before the call had its result."""
    begins, ends = run_of(loop, call.turn.reply)
    if call.results:
        ends = call.results[0].at
    elif call.closed is not None:
        ends = call.closed.moment.at
    return bool(between(loop.acts, begins, ends))


def is_let_go(loop: Loop, call: Call, told: Moment) -> bool:
    """Whether a call failed and the run was aborted before ``told``: the loop may not have seen the tool's answer."""
    begins, _ = run_of(loop, told)
    acts = between(loop.acts, begins, told.at)
    failed = any(message_of(each).get("isError") is True for each in (*call.ends[:1], *call.results[:1]))
    return failed and any(each.text("probe") == ABORT_CALLED for each in acts)
