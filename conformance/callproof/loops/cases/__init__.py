"""The cases of the suite, a module for each subject."""

from __future__ import annotations

from itertools import chain
from typing import Final

from callproof.loops.case import LoopCase
from callproof.loops.cases import aborts, calls, clients, hooks, order, parameters, progress, replies

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
    )
)
