"""
How the workers of pytest-xdist share the items, and how they send results.  One worker gets all items of a scenario,
and so makes the scenario's runs.  Generated cases, and the cases of the other protocols, are distributed item by item,
since each item has its own cases.

Does not know what an item does.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Generator
from contextlib import nullcontext
from importlib import import_module
from typing import Any

import pytest

from callproof.generated.wanted import NAME as GENERATED
from callproof.interruption import as_ctrl_c

# Which scheduler of xdist does what a user asked for by ``--dist``.  To distribute test by test, it makes groups of one
# test each.  ``each`` and ``no`` divide nothing.
_SCHEDULERS = {
    "load": "LoadGroupScheduling",
    "worksteal": "LoadGroupScheduling",
    "loadgroup": "LoadGroupScheduling",
    "loadfile": "LoadFileScheduling",
    "loadscope": "LoadScopeScheduling",
}

# The beginning of the id of every item of a scenario.  Ids of cases of other protocols have a dash and a word in it.
PREFIX = "callproof::"
_OURS = re.compile(r"callproof(?:-[a-z]+)?::")

# The member of a serialised report that says what it is.
_KIND = "$report_type"
_LETTER = "callproof-letter"
# The newest format that every Python from 3.4 on reads: a worker may run on another version.
_EVERY_PYTHON = 4
# The item that a worker is running, and the next one.
_TWO = 2


class Workers:
    """Keeps the items of a scenario together, however other tests are distributed, and reads what workers send."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: object) -> Any:
        """The scheduler that was asked for, except that it divides no scenario; None if it would divide nothing."""
        name = _SCHEDULERS.get(str(config.getoption("dist")))
        if name is None:
            return None
        # Workers collect the longest scenarios first; by default xdist begins with those that have the most items.
        config.option.loadscopereorder = False
        scheduler: Any = getattr(import_module("xdist.scheduler"), name)(config, log)
        unit_of: Callable[[str], str] = scheduler._split_scope

        def unit(nodeid: str) -> str:
            return shared_as(nodeid) or unit_of(nodeid)

        # The one thing in which xdist's schedulers differ; it is meant to be replaced.
        scheduler._split_scope = unit
        _let_the_last_item_run(scheduler)
        return scheduler

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """If workers run the items, every signal that asks this process to end leads to a report, as Ctrl-C does."""
        shares = session.config.pluginmanager.has_plugin("dsession")
        with as_ctrl_c() if shares else nullcontext():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_from_serializable(self, data: dict[str, Any]) -> None:
        """Unpack what a worker of ours sent, so that pytest makes a report from it."""
        if data.get(_KIND) == _LETTER:
            data.update(marshal.loads(data.pop(_LETTER)))  # noqa: S302  from a worker of this session


def _let_the_last_item_run(scheduler: Any) -> None:
    """
    Let a worker end after the last item was handed out.

    A worker begins an item when it has the next one, or hears that there is none.  xdist gives a worker that replaces a
    dead one a single group of items, perhaps of items that already ran; then both would wait for ever.
    """
    hand_out: Callable[[Any], None] = scheduler._reschedule
    assigned: dict[Any, Any] = scheduler.assigned_work

    def reschedule(node: Any) -> None:
        hand_out(node)
        while scheduler.workqueue and not node.shutting_down and scheduler._pending_of(assigned[node]) < _TWO:
            hand_out(node)
        if not scheduler.workqueue and not node.shutting_down:
            node.shutdown()

    scheduler._reschedule = reschedule


class Sending:
    """
    Lets a worker send the report on an item as one string of bytes.

    The channel between processes serialises nested values one by one, which took most of the time to send a report.
    Both ways keep the same types.  Only workers send: in other processes plugins store the serialised report.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(self, report: object) -> Generator[None, Any, Any]:
        """The report as bytes, if it is on an item of ours."""
        data = yield
        if not _OURS.match(str(getattr(report, "nodeid", ""))):
            return data
        return {_KIND: _LETTER, _LETTER: marshal.dumps(data, _EVERY_PYTHON)}


def shared_as(nodeid: str) -> str:
    """The group in which an item of ours goes to a worker: its scenario or itself; empty for every other test."""
    if not nodeid.startswith(PREFIX):
        return nodeid if _OURS.match(nodeid) else ""
    scenario = nodeid.rpartition("::")[0]
    return nodeid if scenario == f"{PREFIX}{GENERATED}" else scenario
