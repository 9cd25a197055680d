"""Logs that the prover accepts beside the plain ones: in other spellings, with withdrawn calls, without events."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from auditing.mutations import Records, changed_in, compact
from auditing.other_logs import (
    attempted_again,
    hurried,
    one_after_another,
    spelt_variously,
    told_by_an_alias,
    with_effects,
    without_events,
)
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import coverage, prove
from callproof.auditing.tally import Tally
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC
from callproof.spec.registry import specification
from callproof.values.jsontext import Json

Change = Callable[[Records], None]

BY_CHECKS = Rules(fast_path=False)
FOLDERS = sorted(Path(str(SPEC / "examples")).glob("*/run.json"))
BASES = [compact(captured_in(each.parent)) for each in FOLDERS]
PROVED = {each.name: each for each in BASES if prove(each) is not None}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", PROVED)
def test_instants_of_several_spellings_in_one_run_are_proved(name: str, seed: int) -> None:
    """Systems trim zeros and write offsets, which does not change the instants (TIME-09)."""
    run = spelt_variously(PROVED[name], seed)
    assert prove(run) is not None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize("seed", range(30))
def test_what_coarser_instants_leave_open_is_left_open(seed: int) -> None:
    """A trimmed stamp may lie later or earlier than finer ones, so calls may overlap that otherwise do not (B-06)."""
    run = spelt_variously(hurried(PROVED["effects"]), seed)
    assert prove(run) is not None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


def test_a_call_that_may_have_begun_later_than_told_ran_beside_the_next_one() -> None:
    """A start in whole seconds counts by its latest moment, at which another call ran (EFF-16, B-06)."""
    made: list[Json] = [{"created": [{"path": f"made{number}.md", "kind": "file"}]} for number in range(2)]

    def change(records: Records, started: str) -> None:
        one, other = records["result"]
        one.update(startedAt=started, endedAt="2026-01-05T09:00:10.010Z", durationMs=10)
        other.update(startedAt="2026-01-05T09:00:10.500Z", durationMs=7_500)
        records["call"][1]["createdAt"] = "2026-01-05T09:00:10.020Z"
        for event in records["event"][4:6]:
            event["timestamp"] = "2026-01-05T09:00:10.020Z"

    for started, ran_beside in (("2026-01-05T09:00:10Z", True), ("2026-01-05T09:00:10.000Z", False)):
        run = changed_in(with_effects(PROVED["unconfirmed"], *made), partial(change, started=started))
        assert prove(run) is not None
        audited = audit_run(run)
        assert audited == audit_run(run, BY_CHECKS)
        assert ("EFF-16" in audited.kept) is ran_beside


def _later(text: str, microseconds: int, spelt: str) -> str:
    """An instant so much later, with the end of its spelling replaced."""
    moment = datetime.fromisoformat(text) + timedelta(microseconds=microseconds)
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + spelt


@pytest.mark.parametrize(
    ("member", "microseconds", "spelt"),
    [
        ("endedAt", -1, "999Z"),  # a nanosecond before the beginning
        ("endedAt", 0, "+00:01"),  # a minute before it, as the clock of another zone has it
        ("startedAt", -2_000_000, "000001+00:00"),  # before the call was created
        ("endedAt", 60_000_000, "Z"),  # a minute that the duration does not include
        ("endedAt", 0, "Zz"),
        ("endedAt", 0, "+24:00"),
        ("endedAt", 0, " Z"),
    ],
)
def test_an_instant_of_another_spelling_is_no_excuse(member: str, microseconds: int, spelt: str) -> None:
    """An unusual spelling does not make an unlawful result lawful, or hide a text that is not an instant."""

    def change(records: Records) -> None:
        result = records["result"][0]
        result[member] = _later(result["startedAt"], microseconds, spelt)

    run = changed_in(PROVED["effects"], change)
    assert prove(run) is None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize("most", [None, 1, 2])
@pytest.mark.parametrize("name", ["budget", "halted", "recovered", "retried"])
def test_a_plan_that_tells_its_attempts_by_an_alias_is_proved(name: str, most: int | None) -> None:
    """A system need not accept the alias; only one that does is bound by it (RETRY-11, RETRY-12, RETRY-17, A65)."""
    run = told_by_an_alias(PROVED[name], most)
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert (prove(run) is None) is bool(audited.broken)


def test_a_call_that_was_withdrawn_beside_one_that_was_attempted_again_is_proved() -> None:
    """A waiting call may be withdrawn once a failure is final, but not while an attempt is still to follow (DEP-06)."""

    def too_early(records: Records, moment: str) -> None:
        withdrawn = records["call"][-1]["callId"]
        for each in (*records["call"], *records["result"], *records["event"]):
            if each.get("callId") == withdrawn:
                each |= {key: moment for key in ("createdAt", "startedAt", "endedAt", "timestamp") if key in each}
        # Recorded before the second attempt of the call that stops the run.
        records["call"].insert(1, records["call"].pop())
        moved = [each for each in records["event"] if each.get("callId") == withdrawn]
        rest = [each for each in records["event"] if each.get("callId") != withdrawn]
        records["event"] = rest[:4] + moved + rest[4:]

    run = attempted_again(PROVED["stopped"])
    early = changed_in(run, partial(too_early, moment="2026-01-05T09:00:03.000Z"))
    # It ended before anything had failed, too (RES-17), and says that something had (CANC-09).
    for each, broken in ((run, set[str]()), (early, {"DEP-06", "RES-17", "CANC-09"})):
        assert (prove(each) is None) is bool(broken)
        audited = audit_run(each)
        assert audited == audit_run(each, BY_CHECKS)
        assert audited.broken.keys() == broken


def test_a_step_that_was_skipped_with_the_code_of_a_refusal_is_proved() -> None:
    """It lacks a step that failed, although its references to another step lead to values (REF-21)."""

    def change(records: Records) -> None:
        records["result"][3]["error"] = {"code": "VALIDATION_ERROR", "message": "Step b did not end ok"}

    run = changed_in(PROVED["diamond"], change)
    assert prove(run) is not None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize("name", PROVED)
def test_a_run_without_events_is_proved(name: str) -> None:
    """Events are optional (A36); what is undecided without them is undecided for the same reason."""
    for run in (PROVED[name], spelt_variously(PROVED[name], 1), spelt_variously(hurried(PROVED[name]), 2)):
        if prove(run) is not None:
            bare = without_events(run)
            assert prove(bare) is not None
            assert audit_run(bare) == audit_run(bare, BY_CHECKS)


def test_what_is_unknown_without_events_is_known_with_them() -> None:
    """The table of runs without events leaves some laws out of the other one, and adds laws that only they can meet."""
    assert coverage.EXERCISED.keys() > coverage.UNKNOWN_WITHOUT_EVENTS
    assert coverage.EXERCISED_WITHOUT_EVENTS.keys() < coverage.NEVER


def began(call: int, moment: str) -> Change:
    """A call that began at another moment, and ended just when it did."""

    def change(records: Records) -> None:
        result = records["result"][call]
        result["startedAt"] = moment
        lasted = datetime.fromisoformat(result["endedAt"]) - datetime.fromisoformat(moment)
        result["durationMs"] = lasted // timedelta(milliseconds=1)
        made = next(each for each in records["call"] if each["callId"] == result["callId"])
        made["createdAt"] = min(made["createdAt"], moment)

    return change


def decided(**members: Json) -> Change:
    """Another decision in the run record; a member that is None is left out."""

    def change(records: Records) -> None:
        told = records["run"][0]["confirmation"] | members
        records["run"][0]["confirmation"] = {name: value for name, value in told.items() if value is not None}

    return change


def undecided(records: Records) -> None:
    """No decision in the run record."""
    del records["run"][0]["confirmation"]


def one_at_a_time(records: Records) -> None:
    """A loop that asks for one iteration at a time."""
    for step in records["run"][0]["plan"]["steps"]:
        if "foreach" in step:
            step["foreach"]["concurrency"] = 1


@pytest.mark.parametrize(
    ("name", "change", "broken"),
    [
        ("effects", began(0, "2026-01-05T09:00:10.000Z"), {"CONF-01", "LOG-18"}),
        ("effects", decided(decidedAt="2026-01-05T09:30:00.000Z"), {"CONF-01", "LOG-18"}),
        ("effects", decided(decision="rejected"), {"CONF-06", "LOG-18"}),
        ("effects", decided(decision="perhaps"), {"CONF-04", "LOG-18"}),
        ("effects", undecided, {"CONF-01", "CONF-04", "LOG-18"}),
        ("effects", began(3, "2026-01-05T09:00:37.500Z"), {"DEP-03"}),
        ("linear", began(1, "2026-01-05T09:00:22.000Z"), {"DEP-03", "REF-22"}),
        ("foreach", one_at_a_time, {"LOOP-14"}),
    ],
)
def test_what_stamps_and_decisions_tell_without_events_is_not_passed(
    name: str, change: Change, broken: set[str]
) -> None:
    """Without events, laws are judged by the results and the run record alone, and must still find such faults."""
    run = changed_in(without_events(PROVED[name]), change)
    assert prove(run) is None
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert audited.broken.keys() >= broken


def test_nothing_starts_after_a_failure_of_a_run_without_events() -> None:
    """DEP-04 by the stamps: a call that began long after the failure that stopped the run."""

    def change(records: Records) -> None:
        late = next(each for each in records["result"] if each["status"] == "cancelled" and each["durationMs"])
        late.update(startedAt="2026-01-05T09:00:14.000Z", endedAt="2026-01-05T09:00:15.000Z", durationMs=1000)

    run = changed_in(without_events(PROVED["stopped"]), change)
    assert prove(run) is None
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert "DEP-04" in audited.broken


def test_a_run_of_which_there_are_no_results_and_no_events_is_handed_over() -> None:
    """Nothing shows whether it came to its end."""
    run = changed_in(without_events(PROVED["rejected"]), lambda records: records["result"].clear())
    assert prove(run) is None
    assert audit_run(run) == audit_run(run, BY_CHECKS)


@pytest.mark.parametrize("places", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (1, 1, 0, 2)])
def test_runs_with_and_without_events_are_brought_together_as_by_the_checks(places: tuple[int, ...]) -> None:
    """What each law lacks is reported in the order of the runs."""
    runs = [PROVED["linear"], without_events(PROVED["linear"]), without_events(PROVED["foreach"])]
    by_proof, by_checks = Tally(specification()), Tally(specification())
    for place in places:
        assert prove(runs[place]) is not None
        by_proof.add(audit_run(runs[place]))
        by_checks.add(audit_run(runs[place], BY_CHECKS))
    assert by_proof.results() == by_checks.results()


_FILE_IN_IT: Json = {"created": [{"path": "A/x.md", "kind": "file"}]}


@pytest.mark.parametrize(
    ("told", "broken", "proved"),
    [
        (({"created": [{"path": "A", "kind": "file"}]}, _FILE_IN_IT), {"EFF-11"}, False),
        (({"modified": [{"path": "A", "kind": "file"}]}, _FILE_IN_IT), {"EFF-11"}, False),
        (({"created": [{"path": "A", "kind": "folder"}]}, _FILE_IN_IT), set[str](), True),
        ((_FILE_IN_IT, {"created": [{"path": "A", "kind": "folder"}]}), {"EFF-02"}, False),
        ((_FILE_IN_IT, {"modified": [{"path": "A", "kind": "file"}]}), {"EFF-03"}, False),
        ((_FILE_IN_IT, {"deleted": [{"path": "A", "kind": "file"}]}), {"EFF-11"}, False),
        ((_FILE_IN_IT, {"deleted": [{"path": "A", "kind": "folder"}]}), set[str](), False),
    ],
)
def test_what_lies_below_a_path_is_held_against_its_kind(
    told: tuple[Json, Json], broken: set[str], proved: bool
) -> None:
    """A file holds no files, and a folder that something lies in is there (EFF-02, EFF-03, EFF-11)."""
    run = one_after_another(PROVED["unconfirmed"], *told)
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert set(audited.broken) == broken
    assert (prove(run) is not None) is proved
