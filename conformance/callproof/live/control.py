"""The control case: one tool that answers at once, which every system survives that can be judged at all.

A death proves something about a case only if the system outlives this one (A78).
"""

from __future__ import annotations

from callproof.live.behaviours import returns
from callproof.live.case import Case
from callproof.live.scenarios.building import closed, hosted, plan, policy, step
from callproof.trace.run import Run

CONTROL = Case(
    id="control",
    says="One call of a tool that answers at once, which needs no feature and provokes nothing",
    plan=plan(step("s1", "witness.source")),
    policy=policy(),
    tools=(hosted("witness.source", returns({}), takes=closed(), gives=closed()),),
)


def outlived(run: Run) -> bool:
    """Whether the system ended this run after one of its tools had answered."""
    return run.finished and has_answered(run)


def has_answered(run: Run) -> bool:
    """Whether a tool of the suite was called in this run, and answered."""
    return any(deed.answer is not None for deed in run.deeds or ())
