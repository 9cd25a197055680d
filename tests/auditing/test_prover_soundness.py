"""The prover over twenty thousand logs that differ a little from a log that is well, each from its own seed."""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing.mutations import compact, mutated
from auditing.other_logs import kinds_of
from callproof.auditing.one_run import NO_RULES, Rules, audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC

pytestmark = pytest.mark.many

BY_CHECKS = Rules(fast_path=False)
FOLDERS = sorted(each.parent for each in Path(str(SPEC / "examples")).glob("*/run.json"))
KINDS = [run for folder in FOLDERS for run in kinds_of(compact(captured_in(folder)))]
PROVED = [run for run in KINDS if prove(run) is not None]
MUTATIONS = 20_000
SHARES = 20


@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_proved_of_a_changed_log_is_what_the_checks_say(share: int) -> None:
    """Whatever is changed in a log: the prover accepts it only where the checks find nothing, and counts the same."""
    for seed in range(share, MUTATIONS, SHARES):
        changed = mutated(PROVED[seed % len(PROVED)], seed)
        if prove(changed) is not None:
            assert audit_run(changed, NO_RULES) == audit_run(changed, BY_CHECKS), f"seed {seed}"
