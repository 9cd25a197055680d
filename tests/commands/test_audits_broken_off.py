"""Audits that break off: the report shows what was read, says that it is a part, and removes no entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Auditable, Engine, EngineFailed
from callproof.auditing.known_failures import BaselineFile
from callproof.auditing.one_run import audit_run
from callproof.commands.audit import Audit, audit
from callproof.commands.follow import follow
from callproof.judge.baseline import Baseline, Entry, Failure
from callproof.judge.judgement import Outcome
from log_edits import copy_of

KNOWN = Baseline((Entry(Failure("RES-05", "*", "…"), "issue 12"),), of_logs=True)


def breaking(error: BaseException, after: int) -> Engine:
    """An engine that raises an error after it audited this many runs."""

    def engine(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
        for number, run in enumerate(runs):
            if number == after:
                raise error
            yield audit_run(run.captured(), rules)

    return engine


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two logs."""
    for name in ("a", "b"):
        copy_of("linear", tmp_path / "logs" / name)
    return tmp_path / "logs"


def test_an_interruption_is_told_and_makes_no_entry_stale(logs: Path) -> None:
    """The failure that an entry lists may be in what was not read."""
    wanted = Audit((logs,), baseline=BaselineFile(logs / "known.json", KNOWN), engine=breaking(KeyboardInterrupt(), 1))
    judged = audit(wanted)
    assert (judged.outcome, len(judged.runs), judged.stale) == (Outcome.INTERRUPTED, 1, ())
    assert judged.errors == ("interrupted after 1 run; the rest was not read",)


def test_an_engine_that_fails_on_the_way_is_an_error_and_what_it_judged_is_told(logs: Path) -> None:
    """There is no verdict on the whole, but no verdict that was reached is lost."""
    judged = audit(Audit((logs,), engine=breaking(EngineFailed("the cluster was lost"), 1)))
    assert (judged.outcome, judged.exit_code, len(judged.runs)) == (Outcome.ERROR, 3, 1)
    assert judged.errors == ("the cluster was lost; 1 run had been judged, and the rest was not",)


def test_an_engine_that_fails_at_once_leaves_nothing_to_tell(logs: Path) -> None:
    """The caller gets the error with its reason."""
    with pytest.raises(EngineFailed, match="the cluster was lost"):
        audit(Audit((logs,), engine=breaking(EngineFailed("the cluster was lost"), 0)))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), EngineFailed("lost")], ids=["interrupted", "failed"])
def test_an_update_refuses_what_came_to_no_end(logs: Path, error: BaseException) -> None:
    """The update would remove entries of failures that the audit did not reach."""
    file = BaselineFile(logs / "known.json", KNOWN, update=True)
    judged = audit(Audit((logs,), baseline=file, engine=breaking(error, 1)))
    assert "the baseline was not updated: only a complete audit without errors updates it" in judged.errors
    assert not file.path.exists()


def test_breaking_off_while_following_is_told(logs: Path) -> None:
    """The second Ctrl-C breaks off at once, and the report says that there was more to read."""
    told: list[str] = []

    def tell(run: AuditedRun) -> None:
        told.append(run.run.name)
        raise KeyboardInterrupt

    judged = follow(Audit((logs,)), lambda: True, tell)
    assert (told, judged.outcome, judged.exit_code) == (["a"], Outcome.INTERRUPTED, 130)
    assert judged.errors == ("stopped after 1 run; there was more to read",)
