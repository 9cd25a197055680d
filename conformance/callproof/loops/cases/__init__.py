"""The cases of the suite; each module has one subject."""

from __future__ import annotations

from itertools import chain
from typing import Final

from callproof.loops.case import LoopCase
from callproof.loops.cases import aborts, calls, clients, failures, hooks, order, parameters, progress, replies, runs

CASES: Final[tuple[LoopCase, ...]] = tuple(
    chain(
        calls.CASES,
        parameters.CASES,
        replies.CASES,
        order.CASES,
        hooks.CASES,
        progress.CASES,
        aborts.CASES,
        clients.CASES,
        failures.CASES,
        runs.CASES,
    )
)

SUBJECTS: Final = {
    "AL-01": "Calls and their results",
    "AL-02": "Arguments",
    "AL-03": "Replies in pieces, and replies that were cut off",
    "AL-04": "Calls in parallel and in sequence",
    "AL-05": "Hooks",
    "AL-06": "Progress",
    "AL-07": "Acts of the user during a run",
    "AL-08": "Tools of a client",
    "AL-09": "A model that fails",
    "AL-10": "Several runs in a row",
}
