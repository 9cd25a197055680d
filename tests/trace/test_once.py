"""What is computed once a run, and forgotten with the run."""

from __future__ import annotations

import gc
from pathlib import Path

from callproof.auditing.audited import NO_RULES, Rules
from callproof.auditing.one_run import audit_run
from callproof.auditlog.folder import captured_in
from callproof.auditlog.reader import read_run
from callproof.trace.once import forget, once_a_run
from callproof.trace.run import Run

LINEAR = Path(__file__).parents[2] / "spec" / "examples" / "linear"


def test_work_is_done_once_a_run_until_it_is_forgotten() -> None:
    """Only the last run is remembered; after ``forget`` its name is computed again."""
    asked: list[str] = []

    @once_a_run
    def name_of(run: Run) -> str:
        asked.append(run.name)
        return run.name

    run = read_run(LINEAR)
    assert (name_of(run), name_of(run)) == ("linear", "linear")
    assert asked == ["linear"]
    forget()
    assert name_of(run) == "linear"
    assert asked == ["linear", "linear"]


def test_an_audit_leaves_no_run_behind() -> None:
    """An audit of thousands of runs keeps none in memory, whether the checks judged them or a proof stood for them."""
    for rules in (NO_RULES, Rules(fast_path=False)):
        audit_run(captured_in(LINEAR, name="left behind"), rules)
        # It compares types, because any other access makes some objects of other packages import a module.
        assert not [each for each in gc.get_objects() if type(each) is Run and each.name == "left behind"]
