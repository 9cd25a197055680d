"""
How the workers of pytest-xdist share the items, and how they send what became of one: a worker has all of a scenario,
and with it the scenario's runs.  Generated cases, and the cases of the other protocols, are shared out item by item,
since each item has cases of its own.

Refuses to know what an item does.
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

# Which of its schedulers makes what a user asked for by ``--dist``; one that goes test by test is one that has groups
# of one.  ``each`` and ``no`` part nothing.
_SCHEDULERS = {
    "load": "LoadGroupScheduling",
    "worksteal": "LoadGroupScheduling",
    "loadgroup": "LoadGroupScheduling",
    "loadfile": "LoadFileScheduling",
    "loadscope": "LoadScopeScheduling",
}

# How the id of every item of a scenario begins, and with a dash and a word the ids of the cases of another protocol.
PREFIX = "callproof::"
_OURS = re.compile(r"callproof(?:-[a-z]+)?::")

# Where a report that is on its way says what it is.
_KIND = "$report_type"
_LETTER = "callproof-letter"
# The newest format that every Python from 3.4 on reads: a worker may run on another one.
_EVERY_PYTHON = 4
# The item that a worker has in hand, and the next one.
_TWO = 2


class Workers:
    """Keeps the items of a scenario together, however the other tests are shared out, and reads what workers send."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: object) -> Any:
        """The scheduler that was asked for, except that it parts no scenario; None where it would part nothing."""
        name = _SCHEDULERS.get(str(config.getoption("dist")))
        if name is None:
            return None
        # Workers collect the longest scenarios first; by itself xdist begins with those of most items.
        config.option.loadscopereorder = False
        scheduler: Any = getattr(import_module("xdist.scheduler"), name)(config, log)
        unit_of: Callable[[str], str] = scheduler._split_scope

        def unit(nodeid: str) -> str:
            return shared_as(nodeid) or unit_of(nodeid)

        # The one thing in which its schedulers differ, and made to be replaced.
        scheduler._split_scope = unit
        _let_the_last_item_run(scheduler)
        return scheduler

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Where others run the items, whatever asks this process to end is told by a report, as Ctrl-C is."""
        shares = session.config.pluginmanager.has_plugin("dsession")
        with as_ctrl_c() if shares else nullcontext():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_from_serializable(self, data: dict[str, Any]) -> None:
        """Put back what a worker of ours sent, for pytest to make a report of."""
        if data.get(_KIND) == _LETTER:
            data.update(marshal.loads(data.pop(_LETTER)))  # noqa: S302  from a worker of this session


def _let_the_last_item_run(scheduler: Any) -> None:
    """
    Have a worker end once it was given all there is.

    It begins an item when it has the next one or hears that there is none.  One that takes the place of a worker that
    died is given one group of items by xdist, perhaps of such as were run already, and both would wait for ever.
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
    Has a worker send the report on an item as one string of bytes.

    What carries reports between processes takes nested values apart one by one, which was most of what it took to
    send one.  Both keep the same types.  Only workers send: elsewhere plugins store what a report comes to.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_report_to_serializable(self, report: object) -> Generator[None, Any, Any]:
        """In place of a report of ours, the bytes of it."""
        data = yield
        if not _OURS.match(str(getattr(report, "nodeid", ""))):
            return data
        return {_KIND: _LETTER, _LETTER: marshal.dumps(data, _EVERY_PYTHON)}


def shared_as(nodeid: str) -> str:
    """What an item of ours goes to a worker with: its scenario, or nothing but itself; empty for every other test."""
    if not nodeid.startswith(PREFIX):
        return nodeid if _OURS.match(nodeid) else ""
    scenario = nodeid.rpartition("::")[0]
    return nodeid if scenario == f"{PREFIX}{GENERATED}" else scenario
