"""
How the workers of pytest-xdist share the items: one worker has all of a scenario, and with it the scenario's runs.

Refuses to know what an item does.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from callproof.pytest_report import PREFIX

# Which of its schedulers makes what a user asked for by ``--dist``; one that goes test by test is one that has groups
# of one.  ``each`` and ``no`` part nothing.
_SCHEDULERS = {
    "load": "LoadGroupScheduling",
    "worksteal": "LoadGroupScheduling",
    "loadgroup": "LoadGroupScheduling",
    "loadfile": "LoadFileScheduling",
    "loadscope": "LoadScopeScheduling",
}


class Workers:
    """Keeps the items of a scenario together, however the other tests are shared out."""

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
            return scenario_of(nodeid) or unit_of(nodeid)

        # The one thing in which its schedulers differ, and made to be replaced.
        scheduler._split_scope = unit
        return scheduler


def scenario_of(nodeid: str) -> str:
    """What stands before the name of an item of ours; empty for every other test."""
    return nodeid.rpartition("::")[0] if nodeid.startswith(PREFIX) else ""
