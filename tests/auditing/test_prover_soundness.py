"""The prover over thirty thousand logs, each from its own seed, that differ a little from a sound log."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing.courses import on_another_course
from auditing.edited_logs import lawful_logs, violating_logs
from auditing.histories import with_a_history
from auditing.mutations import compact, mutated
from auditing.other_logs import kinds_of, without_events
from callproof.auditing.audited import NO_RULES, Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC

pytestmark = pytest.mark.many

BY_CHECKS = Rules(fast_path=False)
FOLDERS = sorted(each.parent for each in Path(str(SPEC / "examples")).glob("*/run.json"))
KINDS = [run for folder in FOLDERS for run in kinds_of(compact(captured_in(folder)))]
PROVED = [run for run in KINDS if prove(run) is not None]
LAWFUL = [run for _, run in lawful_logs()]
VARIOUS = [*PROVED, *(run for run in LAWFUL if prove(run) is not None)]
MUTATIONS = 20_000
COURSES = 5_000
HISTORIES = 5_000
SHARES = 20


@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_proved_of_a_changed_log_is_what_the_checks_say(share: int) -> None:
    """Whatever is changed in a log: the prover accepts it only if the checks find nothing, and counts the same."""
    for seed in range(share, MUTATIONS, SHARES):
        changed = mutated(PROVED[seed % len(PROVED)], seed)
        if prove(changed) is not None:
            assert audit_run(changed, NO_RULES) == audit_run(changed, BY_CHECKS), f"seed {seed}"


@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_proved_of_a_run_on_another_course_is_what_the_checks_say(share: int) -> None:
    """The same if calls failed, were tried again or given up, and all that depends on it was changed as well."""
    for seed in range(share, COURSES, SHARES):
        changed = on_another_course(VARIOUS[seed % len(VARIOUS)], seed)
        if prove(changed) is not None:
            assert audit_run(changed, NO_RULES) == audit_run(changed, BY_CHECKS), f"seed {seed}"


@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_proved_of_what_calls_changed_is_what_the_checks_say(share: int) -> None:
    """The same if calls changed a few paths one after another, and each found what the others had left."""
    base = compact(captured_in(Path(str(SPEC / "examples" / "unconfirmed"))))
    for seed in range(share, HISTORIES, SHARES):
        changed = with_a_history(base, seed)
        if prove(changed) is not None:
            assert audit_run(changed, NO_RULES) == audit_run(changed, BY_CHECKS), f"seed {seed}"


def test_the_examples_of_the_specification_are_audited_the_same_both_ways() -> None:
    """Each in the form that breaks its law, and the lawful examples and benign variations, with events and without."""
    violating = [run for _, run in violating_logs()]
    for run in (*violating, *LAWFUL):
        for each in (run, without_events(run)):
            assert audit_run(each, NO_RULES) == audit_run(each, BY_CHECKS)
    assert len(violating) > 200
