"""Logs whose records have members of a system's own: proved as quickly as others, since no law is about them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import callproof
import pytest
from auditing.mutations import Records, changed_in, compact
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC
from callproof.values.jsontext import Json

BY_CHECKS = Rules(fast_path=False)
BASES = {name: compact(captured_in(Path(str(SPEC / "examples" / name)))) for name in ("effects", "retried", "stopped")}
KINDS = ("call", "result", "event")
VALUES: tuple[Json, ...] = ("x", 1, None, True, {}, ["/callId", "/args", "/data", "/payload"])


def with_members(run: CapturedRun, kind: str, names: Iterable[str], value: Json) -> CapturedRun:
    """The run with these members in every record of a kind that has none of the name."""

    def add(records: Records) -> None:
        for record in records[kind]:
            record.update({name: value for name in names if name not in record})

    return changed_in(run, add)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BASES)
def test_records_with_members_of_their_own_are_proved(name: str, kind: str) -> None:
    """Such members may be namespaced or not, and may hold anything (CALL-23, B-02)."""
    run = BASES[name]
    for value in ("x", {"args": {"path": "../../etc"}}, [1.5, None]):
        changed = with_members(run, kind, ("traceId", "x-vendor:span", "vendor/cost", ""), value)
        assert prove(changed) == prove(run) is not None
        assert audit_run(changed) == audit_run(changed, BY_CHECKS)


@pytest.mark.parametrize(("kind", "name"), [("call", "timeout_ms"), ("result", "Data_Hash"), ("event", "pay-load")])
def test_a_member_that_may_be_misspelt_is_left_to_the_checks(kind: str, name: str) -> None:
    """A law of its own decides whether it is misspelt (CALL-22)."""
    for run in BASES.values():
        changed = with_members(run, kind, (name,), 1)
        assert prove(changed) is None
        assert audit_run(changed) == audit_run(changed, BY_CHECKS)


@pytest.mark.parametrize("number", [-1, 0, 2**53])
@pytest.mark.parametrize("name", BASES)
def test_a_number_that_only_events_have_is_a_member_of_a_systems_own_elsewhere(name: str, number: int) -> None:
    """Numbers on calls and results are not put in order with the numbers of events (CALL-23)."""

    def counted(records: Records) -> None:
        for place, event in enumerate(records["event"]):
            event["seq"] = place + 1
        for record in (*records["call"], *records["result"]):
            record["seq"] = number

    run = BASES[name]
    changed = changed_in(run, counted)
    assert prove(changed) == prove(run) is not None
    assert audit_run(changed) == audit_run(changed, BY_CHECKS)
    assert not audit_run(changed).broken


def words() -> Iterator[str]:
    """Every text that may name a member of a record, in the code that reads records."""
    for room in ("checks", "judge", "trace"):
        for module in sorted(Path(callproof.__file__).parent.glob(f"{room}/**/*.py")):
            for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and re.fullmatch(r"[\w./-]{1,40}", str(node.value)):
                    yield str(node.value)


def passed_over(run: CapturedRun, kind: str, names: list[str]) -> list[str]:
    """The names of members that the prover ignores."""
    if prove(with_members(run, kind, names, "x")) is not None:
        return names
    if len(names) == 1:
        return []
    half = len(names) // 2
    return passed_over(run, kind, names[:half]) + passed_over(run, kind, names[half:])


@pytest.mark.many
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BASES)
def test_no_member_that_a_check_reads_is_taken_for_a_systems_own(name: str, kind: str) -> None:
    """If the prover ignores a member whose name stands anywhere in the suite's code, the checks ignore it too."""
    run = BASES[name]
    own = passed_over(run, kind, list(dict.fromkeys(words())))
    assert len(own) > 500
    for value in VALUES:
        changed = with_members(run, kind, own, value)
        assert audit_run(changed) == audit_run(changed, BY_CHECKS)
