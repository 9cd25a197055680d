"""Confirmation: what reached the tools and when, in cases beyond the examples of the chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Act, ActKind, Deed
from callproof.values.jsontext import Json
from edited_runs import base, findings, look, patched, run_record_patched, verdict
from live_runs import act, arriving, invoked, witnessed


def approved(arrival: int, confirmation_id: str | None = "confirm-effects") -> Run:
    """The run of the effects base, live, approved at an arrival."""
    run = arriving(base("effects"))
    return witnessed(run, invoked(run), (act(ActKind.APPROVE, arrival, confirmation_id),))


def test_tools_that_are_entered_after_the_approval_are_fine() -> None:
    """The approval came first on the wire (CONF-01)."""
    assert verdict(approved(250), "CONF-01") is Verdict.PASS


def test_a_tool_that_is_entered_before_the_approval_is_found() -> None:
    """Whatever the records say, the invocation came before the approval (CONF-01)."""
    assert findings(approved(850), "CONF-01") == [
        "vault.ensureFolder was entered before the run was approved",
        "vault.createFile was entered before the run was approved",
    ]


def test_a_read_before_the_approval_is_advised_against() -> None:
    """CONF-02 is about read-only tools, CONF-01 about writing ones (A10)."""
    run = arriving(base("timeout"))
    early = witnessed(run, invoked(run), (act(ActKind.APPROVE, 10_000, "confirm-timeout"),))
    assert len(findings(early, "CONF-02")) == 2
    assert not findings(early, "CONF-01")


def test_an_approval_with_an_old_id_confirms_nothing() -> None:
    """An approval under another run's id starts nothing (CONF-05)."""
    run = approved(250, "confirm-yesterday")
    assert len(findings(run, "CONF-05")) == 11
    assert verdict(approved(250), "CONF-05") is Verdict.INCONCLUSIVE


def test_without_events_the_run_record_decides() -> None:
    """A log without events is judged by decidedAt (CONF-01, LOG-18)."""
    run = replace(base("effects"), events=None)
    assert verdict(run, "CONF-01") is Verdict.PASS
    late = run_record_patched(run, {"confirmation": {"decidedAt": "2026-01-05T09:00:33.000Z"}})
    assert findings(late, "CONF-01") == [
        "call c1 began at 2026-01-05T09:00:21.000Z, before the decision",
        "call c2 began at 2026-01-05T09:00:29.000Z, before the decision",
    ]


@pytest.mark.parametrize("decided", ["2026-01-05T09:00:21Z", "2026-01-05T09:00:22Z", "2026-01-05T10:00:21.900+01:00"])
def test_a_decision_within_the_resolution_settles_nothing(decided: str) -> None:
    """Whole seconds that seem late by a second, or stamps within the tolerance, are no proof (B-67, A34)."""
    run = run_record_patched(base("effects"), {"confirmation": {"decidedAt": decided}})
    assert not findings(run, "CONF-01")


def test_a_silent_run_that_runs_all_the_same_is_found() -> None:
    """Nobody answered, and the tools were entered (CONF-07)."""
    run = arriving(base("effects"))
    assert len(findings(witnessed(run, invoked(run)), "CONF-07")) == 12
    assert verdict(witnessed(arriving(base("expired"))), "CONF-07") is Verdict.PASS


def expiring(run: Run, expires_ms: float | None, watched_ms: float = 30_000) -> Run:
    """The run, whose time for an answer was up at an instant of the suite's clock, which it watched so long."""
    assert run.witnessed is not None
    return replace(run, witnessed=replace(run.witnessed, expires_ms=expires_ms, watched_ms=watched_ms))


def open_for_ever(*acts: Act) -> Run:
    """A live run that asked and went on asking."""
    run = arriving(base("expired"))
    waiting = replace(run, events=(run.events or ())[:2], calls=(), results=())
    seen = witnessed(waiting, (), acts)
    assert seen.witnessed is not None
    return replace(seen, witnessed=replace(seen.witnessed, finished_arrival=None))


UNANSWERED = "nobody answered, and the run was not cancelled"


@pytest.mark.parametrize(
    ("expires_ms", "watched_ms", "found"),
    [(1_000, 30_000, True), (1_000, 2_000, True), (1_000, 1_999, False), (None, 30_000, False)],
    ids=["long-past", "just-past", "within-the-grace", "a-time-of-its-own"],
)
def test_a_question_that_stays_open_is_found(expires_ms: float | None, watched_ms: float, *, found: bool) -> None:
    """CONF-07: nobody answered, the time is over, and the run asks on; that it never finishes follows (DEP-12)."""
    run = expiring(open_for_ever(), expires_ms, watched_ms)
    results = folded(run, judge(run))
    assert [each.finding.observed for each in results["CONF-07"].findings] == [UNANSWERED] * found
    (endless,) = results["DEP-12"].findings
    assert endless.finding.because == ("its question confirm-expired of 2026-01-05T09:00:05.000Z is still open",)
    assert (endless.root.requirement if endless.root else None) == ("CONF-07" if found else None)


def test_a_question_that_was_answered_or_cut_off_did_not_stay_open() -> None:
    """CONF-07: an approval answers it, but not one of another run; and the suite may have ended the system itself."""
    told = {
        name: findings(expiring(open_for_ever(each), 1_000), "CONF-07")
        for name, each in {
            "approved": act(ActKind.APPROVE, 250, "confirm-expired"),
            "killed": act(ActKind.KILL, 250),
            "foreign": act(ActKind.APPROVE, 250, "confirm-yesterday"),
        }.items()
    }
    assert told == {"approved": [], "killed": [], "foreign": [UNANSWERED]}
    run = open_for_ever(act(ActKind.CANCEL, 250))
    assert [each.finding.because for each in look(run, "DEP-12").findings] == [
        ("its question confirm-expired of 2026-01-05T09:00:05.000Z is still open",)
    ]
    over = replace(run, events=(run.events or ())[:1])
    assert [each.finding.because for each in look(over, "DEP-12").findings] == [()]


@pytest.mark.parametrize(
    ("expires_ms", "broken"), [(900, "CONF-07"), (1_002, "CONF-07"), (1_003, "CONF-05"), (None, "CONF-05")]
)
def test_what_begins_when_the_time_is_up_was_not_started_by_another_runs_approval(
    expires_ms: float | None, broken: str
) -> None:
    """CONF-05, CONF-07: the first tool was entered a second after the question, whose only approval is of another."""
    run = arriving(base("effects"))
    deeds = invoked(run, at_ms=lambda place: 1_000.0 + place)
    seen = expiring(witnessed(run, deeds, (act(ActKind.APPROVE, 250, "confirm-yesterday"),)), expires_ms)
    results = folded(seen, judge(seen))
    assert {law for law in ("CONF-05", "CONF-07") if results[law].findings} == {broken}
    entered = [each for each in results["CONF-01"].findings if "was entered" in each.finding.observed]
    assert {each.root.requirement if each.root else None for each in entered} == (
        {"CONF-07"} if broken == "CONF-07" else {None}
    )


def test_a_late_approval_revives_nothing() -> None:
    """The suite rejected, then approved, and the tools were entered (CONF-12)."""
    run = arriving(base("effects"))
    acts = (act(ActKind.REJECT, 210), act(ActKind.APPROVE, 220, "confirm-effects"))
    assert len(findings(witnessed(run, invoked(run), acts), "CONF-12")) == 11


@pytest.mark.parametrize(("end", "found"), [(850, 0), (250, 2)])
@pytest.mark.parametrize("law", ["CONF-06", "CONF-12", "CANC-06"])
def test_what_was_read_before_the_end_was_decided_is_a_matter_of_advice(law: str, end: int, found: int) -> None:
    """CONF-02, A10: an early read cannot know that the run will be rejected or cancelled; later nothing is read."""
    run = arriving(base("timeout"))
    answers = {
        "CONF-06": (act(ActKind.REJECT, end),),
        "CONF-12": (act(ActKind.REJECT, end), act(ActKind.APPROVE, end + 10, "confirm-timeout")),
        "CANC-06": (act(ActKind.CANCEL, end),),
    }
    seen = witnessed(run, invoked(run), answers[law])
    assert len([each for each in findings(seen, law) if "was entered" in each]) == found
    assert len(findings(seen, "CONF-02")) == 2 or law == "CONF-12"


@pytest.mark.parametrize(("at_ms", "found"), [(0.0, 0), (5_000.0, 1)])
def test_what_was_read_while_the_cancellation_was_under_way_was_read_before_it(at_ms: float, found: int) -> None:
    """CANC-06: at one moment of the clock the system entered the tool and had not yet read of the end."""
    run = arriving(base("timeout"))
    events = run.events or ()
    told: dict[str, Json] = {"type": "run.cancelled", "payload": {"reason": "user"}}
    ended = replace(events[-1], value={**events[-1].value, **told})
    run = replace(run, events=(*events[:2], *events[3:-1], ended, events[-1]))
    deed = replace(invoked(run)[0], at_ms=at_ms)
    seen = witnessed(run, (deed,), (act(ActKind.CANCEL, 210),))
    assert len([each for each in findings(seen, "CANC-06") if "was entered" in each]) == found


def test_a_run_that_only_read_until_it_was_cancelled_owes_no_decision() -> None:
    """CONF-04, A83: nobody had decided, and its reads had to wait for a decision only by advice (CONF-02)."""
    run = base("timeout")
    cancelled: Json = {"type": "run.cancelled", "payload": {"reason": "user"}}
    events = run.events or ()
    undecided = run_record_patched(replace(run, events=(*events[:2], *events[3:])), {"confirmation": None})
    assert len(findings(undecided, "CONF-04")) == 1
    last = replace(events[-1], value={**events[-1].value, **cancelled})
    ended = replace(undecided, events=(*(undecided.events or ())[:-1], last, events[-1]))
    assert findings(ended, "CONF-04") == []


def test_an_approval_that_nobody_waits_for_starts_nothing_either() -> None:
    """If no confirmation is required, the calls began without one and were cancelled later (CONF-12)."""
    run = arriving(base("unconfirmed"))
    acts = (act(ActKind.CANCEL, 700), act(ActKind.APPROVE, 710))
    assert findings(witnessed(run, invoked(run), acts), "CONF-12") == []


def test_a_double_click_that_runs_a_call_twice_is_found() -> None:
    """One call reached its tool twice after two approvals (CONF-11)."""
    run = arriving(base("effects"))
    clicks = (act(ActKind.APPROVE, 210, "confirm-effects"), act(ActKind.APPROVE, 220, "confirm-effects"))
    deeds = invoked(run)
    assert not findings(witnessed(run, deeds, clicks), "CONF-11")
    twice = witnessed(run, (*deeds, replace(deeds[0], arrival=90_000)), clicks)
    assert findings(twice, "CONF-11") == ["call c1 ran twice in a run that was approved twice"]


def test_a_confirmation_that_expired_before_it_was_given_is_found() -> None:
    """An approval after expiresAt comes too late (CONF-10)."""
    late = run_record_patched(base("linear"), {"confirmation": {"expiresAt": "2026-01-05T09:00:10.000Z"}})
    assert findings(late, "CONF-10") == ["the run was approved at 2026-01-05T09:00:15.000Z"]


@pytest.mark.parametrize(
    ("decided", "expires", "late"),
    [
        ("2026-01-05T09:00:15.200Z", "2026-01-05T09:00:15.000Z", True),
        ("2026-01-05T09:00:15.040Z", "2026-01-05T09:00:15.000Z", False),
        ("2026-01-05T09:00:15.900Z", "2026-01-05T09:00:15Z", False),
        ("2026-01-05T09:00:15.200Z", "2026-01-05T09:00:15.200Z", False),
    ],
)
def test_two_stamps_of_one_record_are_compared_closely(decided: str, expires: str, late: bool) -> None:
    """An expiry and a decision in one record differ by their resolution and 50 ms at most (CONF-10, A6)."""
    run = run_record_patched(base("linear"), {"confirmation": {"decidedAt": decided, "expiresAt": expires}})
    assert bool(findings(run, "CONF-10")) is late


@pytest.mark.parametrize("stated", [None, "md5:abc", "blake3:0"])
def test_a_hash_that_cannot_be_recomputed_is_passed_over(stated: Json) -> None:
    """A missing hash, or one of another algorithm, is no fault (CONF-10, A50)."""
    run = run_record_patched(base("linear"), {"confirmation": {"planHash": stated}})
    assert not findings(run, "CONF-10")


@pytest.mark.parametrize("name", ["planHash", "policyHash"])
@pytest.mark.parametrize(
    ("stated", "told"), [(5, "5"), (False, "false"), ({"sha256": "0"}, '{"sha256":"0"}'), ("", '""')]
)
def test_what_is_no_text_is_no_hash_of_what_was_shown(name: str, stated: Json, told: str) -> None:
    """Such a value is neither absent nor of another algorithm (CONF-10)."""
    run = run_record_patched(base("linear"), {"confirmation": {name: stated}})
    assert findings(run, "CONF-10") == [f"the confirmation had {name} {told}"]


def test_another_id_on_a_read_is_found() -> None:
    """No call may carry another run's confirmation (CONF-03)."""
    run = patched(base("linear"), "calls", 0, {"confirmationId": "confirm-other"})
    assert findings(run, "CONF-03") == ['call c1 had confirmationId "confirm-other"']


def test_without_events_the_run_record_tells_the_id() -> None:
    """A call under the id of another confirmation is found also without events (CONF-03, B-36)."""
    run = base("eventless")
    assert findings(run, "CONF-03") == []
    assert len(findings(patched(run, "calls", 2, {"confirmationId": "confirm-yesterday"}), "CONF-03")) == 1


@pytest.mark.parametrize("named", [5, ["confirm-linear"], {}, False])
def test_an_id_that_is_no_text_is_another_one(named: Json) -> None:
    """No call, not even one that reads, may carry another confirmation than the run's (CONF-03)."""
    run = patched(base("linear"), "calls", 0, {"confirmationId": named})
    assert len(findings(run, "CONF-03")) == 1
    assert not findings(patched(base("linear"), "calls", 0, {"confirmationId": None}), "CONF-03")


@pytest.mark.parametrize("decision", ["expired", "Rejected", "", None, 0])
@pytest.mark.parametrize("name", ["expired", "rejected"])
def test_a_run_that_was_not_approved_was_rejected(name: str, decision: Json) -> None:
    """A decision is one of two words, and an expired request counts as rejected (CONF-04, A72)."""
    run = run_record_patched(base(name), {"confirmation": {"decision": decision}})
    assert len(findings(run, "CONF-04")) == 1


def test_a_question_after_the_cancellation_was_asked_too_late() -> None:
    """The request comes before its answer, even if that is a rejection (CONF-08)."""
    run = base("rejected")
    started, asked, cancelled, *rest = run.events or ()
    turned = replace(
        run, events=(started, replace(cancelled, source=asked.source), replace(asked, source=cancelled.source), *rest)
    )
    assert findings(turned, "CONF-08") == ["the run was cancelled before confirmation was requested"]


def test_a_decision_that_the_events_deny_is_found() -> None:
    """The run record says rejected, the events say confirmed (CONF-04)."""
    run = run_record_patched(base("linear"), {"confirmation": {"decision": "rejected"}})
    assert findings(run, "CONF-04") == ["the events answered the request with run.confirmed"]


def test_an_unrecorded_write_in_a_rejected_run_is_found() -> None:
    """No record shows the invocation, but it arrived (CONF-01, CONF-06)."""
    run = arriving(base("rejected"))
    secret = Deed("c99", "vault.writeFile", {"path": "Notes/log.md"}, 1.0, 450)
    seen = witnessed(run, (secret,), (act(ActKind.REJECT, 250, "confirm-rejected"),))
    assert findings(seen, "CONF-06") == ["vault.writeFile was entered in a run that was rejected"]
    assert findings(seen, "CONF-01") == ["vault.writeFile was entered before the run was approved"]


def test_a_run_that_died_right_after_the_answer_owes_no_record() -> None:
    """Between run.confirmed and the first call the run record may not have been written yet (CONF-04, B-57)."""
    run = base("incomplete")
    died = replace(run_record_patched(run, {"confirmation": None}), calls=(), results=(), events=(run.events or ())[:3])
    assert not findings(died, "CONF-04")
    assert findings(run_record_patched(run, {"confirmation": None}), "CONF-04")


def test_a_decision_without_its_moment_is_found() -> None:
    """run.json holds the id of a decision, what was decided, and when (CONF-04)."""
    run = run_record_patched(base("linear"), {"confirmation": {"decidedAt": None}})
    assert findings(run, "CONF-04") == ["the confirmation in run.json had no decidedAt"]


@pytest.mark.parametrize(("name", "told"), [("", '""'), (None, "null"), (7, "7")])
def test_a_decision_without_its_id_is_found_where_no_event_tells_another(name: Json, told: str) -> None:
    """run.json holds the id of a decision, which is not an empty text, also in a log without events (CONF-04)."""
    run = replace(run_record_patched(base("linear"), {"confirmation": {"confirmationId": name}}), events=None)
    assert findings(run, "CONF-04") == [f"the confirmation in run.json had the confirmationId {told}"]


def test_an_answer_to_a_question_that_nobody_asked_is_found() -> None:
    """A rejected run was asked about; a run that a person cancelled before it asked was not (CONF-08)."""
    run = base("rejected")
    unasked = replace(run, events=tuple(e for e in run.events or () if e.text("type") != "run.confirmationRequested"))
    assert findings(unasked, "CONF-08") == ["confirmation was never requested"]
    at = next(n for n, each in enumerate(unasked.events or ()) if each.text("type") == "run.cancelled")
    assert not findings(patched(unasked, "events", at, {"payload": {"reason": "user"}}), "CONF-08")


@pytest.mark.parametrize(("moment", "found"), [("07:00:00", 1), ("08:59:59", 1), ("09:00:04.5", 0), ("09:00:05", 0)])
def test_nobody_decides_before_being_asked(moment: str, found: int) -> None:
    """CONF-04: the instant in the run record agrees with the events, within the tolerance between files."""
    run = run_record_patched(base("linear"), {"confirmation": {"decidedAt": f"2026-01-05T{moment}Z"}})
    assert len(findings(run, "CONF-04")) == found


@pytest.mark.parametrize(("moment", "found"), [("09:00:15", 0), ("09:00:16", 0), ("09:00:18", 1), ("10:00:00", 1)])
def test_nobody_tells_of_a_rejection_before_it(moment: str, found: int) -> None:
    """CONF-04: what the events say in second 15 was decided by then, within the tolerance between files."""
    run = run_record_patched(base("rejected"), {"confirmation": {"decidedAt": f"2026-01-05T{moment}.000Z"}})
    assert len(findings(run, "CONF-04")) == found


def test_a_decision_after_its_event_is_told_once() -> None:
    """CONF-04: if a call began before the decision, CONF-01 and CONF-02 report it instead."""
    late: Json = {"confirmation": {"decidedAt": "2026-01-05T09:00:25.000Z"}}
    began = run_record_patched(base("effects"), late)
    assert (findings(began, "CONF-04"), len(findings(began, "CONF-01"))) == ([], 1)
    soon: Json = {"confirmation": {"decidedAt": "2026-01-05T09:00:19.000Z"}}
    assert findings(run_record_patched(base("effects"), soon), "CONF-04") == [
        "the event run.confirmed was stamped 2026-01-05T09:00:15.000Z, but reports a decision made at "
        "2026-01-05T09:00:19.000Z"
    ]


def test_a_cancellation_names_the_confirmation_of_the_run_or_none() -> None:
    """CONF-04: the events give the same decision under the same id."""
    run = base("rejected")
    assert findings(patched(run, "events", 2, {"payload": {"confirmationId": None}}), "CONF-04") == []
    for name in ("confirm-other", "", 7):
        assert len(findings(patched(run, "events", 2, {"payload": {"confirmationId": name}}), "CONF-04")) == 1


@pytest.mark.parametrize("reason", ["confirmation_rejected", "confirmation_expired"])
def test_an_approval_is_not_taken_back(reason: str) -> None:
    """CONF-08: a confirmed run may be cancelled, but not for lack of the confirmation that it has (A72)."""
    run = patched(base("cancelled"), "events", 9, {"payload": {"reason": reason}})
    assert findings(run, "CONF-08") == [f"the run was confirmed, and then cancelled with the reason {reason}"]
    assert findings(patched(run, "events", 9, {"redacted": ["/payload/reason"]}), "CONF-08") == []  # A42
    assert findings(base("cancelled"), "CONF-08") == []


def test_nobody_refuses_what_was_not_asked_for() -> None:
    """CONF-09: a run that needs no confirmation was not rejected, and needs no record of a decision (LOG-01)."""
    run = run_record_patched(base("rejected"), {"policy": {"confirmationsRequired": False}, "confirmation": None})
    run = replace(run, events=tuple(e for e in run.events or () if e.text("type") != "run.confirmationRequested"))
    assert findings(run, "CONF-09") == ["the run was cancelled with the reason confirmation_rejected"]
    assert findings(run, "LOG-01") == []
    assert findings(patched(run, "events", 1, {"redacted": ["/payload/reason"]}), "CONF-09") == []  # A42
    assert findings(patched(run, "events", 1, {"payload": {"reason": "user"}}), "CONF-09") == []


def test_an_answer_after_which_nothing_ran_is_on_record_too() -> None:
    """The run was confirmed and finished without entering a tool; run.json has to hold the decision (CONF-04)."""
    run = run_record_patched(base("linear"), {"confirmation": None})
    events = tuple(each for each in run.events or () if (each.text("type") or "").startswith("run."))
    assert findings(replace(run, calls=(), results=(), events=events), "CONF-04") == [
        "the run was confirmed, and run.json holds no confirmation"
    ]


def test_where_no_confirmation_is_on_record_no_call_has_another_one() -> None:
    """The missing decision is reported once, not for each call that names it (CONF-03)."""
    run = run_record_patched(base("eventless"), {"confirmation": None})
    assert findings(run, "CONF-03") == []
    assert findings(run, "CONF-04")


def test_a_call_that_does_not_tell_the_setting_tells_no_other_one() -> None:
    """CALL-16, not CONF-13, reports that the setting is missing."""
    run = patched(base("linear"), "calls", 0, {"policy": {"confirmationsRequired": None}})
    assert findings(run, "CONF-13") == []
    assert findings(run, "CALL-16")


def test_a_second_question_is_found() -> None:
    """One request, then its answer (CONF-08)."""
    run = base("linear")
    asked = next(each for each in run.events or () if each.text("type") == "run.confirmationRequested")
    events = tuple(twice for each in run.events or () for twice in ((each, each) if each is asked else (each,)))
    assert findings(replace(run, events=events), "CONF-08") == ["confirmation was requested twice"]


def test_without_events_a_read_needs_no_proof() -> None:
    """A call that only reads may begin before the decision (LOG-18, A10); the write came after it."""
    run = run_record_patched(base("eventless"), {"confirmation": {"decidedAt": "2026-01-05T09:00:40.000Z"}})
    assert findings(run, "LOG-18") == []
    late = run_record_patched(run, {"confirmation": {"decidedAt": "2026-01-05T09:00:50.000Z"}})
    assert len(findings(late, "LOG-18")) == 1


@pytest.mark.parametrize(("absent", "found"), [((1,), 1), ((1, 2), 0), ((2,), 0), ((), 0)])
def test_who_was_confirmed_has_asked_also_where_the_run_broke_off(absent: tuple[int, ...], found: int) -> None:
    """CONF-08: the request comes before the answer; a run that died may have neither, or wait for its answer."""
    events = base("linear").events or ()
    left = tuple(each for place, each in enumerate(events[:4]) if place not in absent)
    run = replace(base("linear"), calls=(), results=(), events=left)
    assert not run.finished
    assert len(findings(run, "CONF-08")) == found


def confirmed_behind(name: str, place: int) -> Run:
    """A base whose approval stands further down among its events, which its timestamps do not show."""
    events = list(base(name).events or ())
    sources = [each.source for each in events]
    approval = next(at for at, each in enumerate(events) if each.text("type") == "run.confirmed")
    events.insert(place, events.pop(approval))
    return replace(base(name), events=tuple(replace(each, source=at) for each, at in zip(events, sources)))


@pytest.mark.parametrize(("place", "writes"), [(3, 0), (4, 1), (7, 2)])
def test_the_lines_of_the_events_tell_what_began_before_the_approval(place: int, writes: int) -> None:
    """CONF-01: the start of a call comes after run.confirmed, whatever the clocks say."""
    run = confirmed_behind("effects", place)
    assert findings(run, "CONF-01") == [f"call c{n} began before the run was confirmed" for n in range(1, writes + 1)]
    assert findings(run, "CONF-02") == []


def test_a_read_that_began_above_the_approval_is_advised_against() -> None:
    """CONF-02: the order of the events' lines shows it."""
    run = confirmed_behind("timeout", 4)
    assert findings(run, "CONF-02") == ["call c1 began before the run was confirmed"]
    assert findings(run, "CONF-01") == []


def test_only_what_comes_after_a_foreign_approval_was_set_off_by_it() -> None:
    """CONF-05: not a tool that was entered before it, nor one that was entered after the run's own approval."""
    run = arriving(base("effects"))
    foreign = act(ActKind.APPROVE, 850, "confirm-yesterday")
    assert len(findings(witnessed(run, invoked(run), (foreign,)), "CONF-05")) == 9
    own = act(ActKind.APPROVE, 1_450, "confirm-effects")
    assert len(findings(witnessed(run, invoked(run), (foreign, own)), "CONF-05")) == 2
    first = act(ActKind.APPROVE, 250, "confirm-effects")
    assert findings(witnessed(run, invoked(run), (first, foreign)), "CONF-05") == []


@pytest.mark.parametrize("reason", ["confirmation_rejected", "confirmation_expired"])
def test_a_reason_alone_shows_that_a_run_was_rejected(reason: str) -> None:
    """CONF-06: such a run dispatches nothing, whatever run.json says; CONF-04 reports two answers to one question."""
    run = patched(base("cancelled"), "events", 9, {"payload": {"reason": reason}})
    assert findings(run, "CONF-06") == []
    events = run.events or ()
    unconfirmed = replace(run, events=(*events[:2], *events[3:]))
    assert len(findings(unconfirmed, "CONF-06")) == 1  # a command; CONF-02 reports what was only read
    assert len(findings(patched(unconfirmed, "events", 8, {"payload": {"reason": "user"}}), "CONF-06")) == 0


def test_a_rejected_run_that_broke_off_may_not_have_come_to_its_cancellation() -> None:
    """CONF-06: a rejected run that finished has been cancelled, and for that reason."""
    run = base("rejected")
    events = run.events or ()
    assert findings(replace(run, events=events[:2]), "CONF-06") == []
    uncancelled = replace(run, events=(*events[:2], *events[3:]))
    assert findings(uncancelled, "CONF-06") == ["the run was rejected and was not cancelled"]


@pytest.mark.parametrize(("on_error", "found"), [("stop", False), ("skip", True)])
def test_a_failed_read_may_end_a_run_before_the_time_for_an_answer_is_up(on_error: str, *, found: bool) -> None:
    """CONF-07, CONF-02: such a run did not wait too long for an answer."""
    run = arriving(base("timeout"))
    steps: Json = [{**each.value, "onError": on_error} for each in (run.plan.steps if run.plan else ())]
    run = run_record_patched(run, {"plan": {"steps": steps}, "confirmation": None})
    events = run.events or ()
    told: dict[str, Json] = {"type": "run.cancelled", "payload": {"reason": "step_failed"}}
    ended = replace(events[-1], value={**events[-1].value, **told})
    seen = witnessed(replace(run, events=(*events[:2], *events[3:-1], ended, events[-1])), ())
    assert bool(findings(seen, "CONF-07")) is found


def test_a_run_that_somebody_answered_or_ended_was_not_met_with_silence() -> None:
    """CONF-07: the same holds for a run that asked nobody, or that has not come to its end."""
    run = arriving(base("effects"))
    for kind in (ActKind.APPROVE, ActKind.REJECT, ActKind.CANCEL):
        assert findings(witnessed(run, invoked(run), (act(kind, 250),)), "CONF-07") == []
    events = run.events or ()
    unasked = replace(run, events=(events[0], *events[2:]))
    assert findings(witnessed(unasked, invoked(run)), "CONF-07") == []
    begun = witnessed(replace(run, events=events[:-1]), invoked(run))
    assert begun.witnessed is not None
    assert findings(begun, "CONF-07")
    assert findings(replace(begun, witnessed=replace(begun.witnessed, finished_arrival=None)), "CONF-07") == []


def test_what_was_approved_before_it_was_ended_may_have_run() -> None:
    """CONF-12: a cancellation after the approval takes nothing back."""
    run = arriving(base("effects"))
    acts = (act(ActKind.APPROVE, 210, "confirm-effects"), act(ActKind.CANCEL, 3_000))
    assert findings(witnessed(run, invoked(run), acts), "CONF-12") == []


def test_what_runs_twice_after_one_click_is_no_double_click() -> None:
    """CONF-11: other laws count the invocations of a call."""
    run = arriving(base("effects"))
    deeds = invoked(run)
    clicks = (act(ActKind.APPROVE, 210, "confirm-effects"), act(ActKind.APPROVE, 220, "confirm-effects"))
    assert findings(witnessed(run, (*deeds, deeds[0]), clicks[:1]), "CONF-11") == []
    assert len(findings(witnessed(run, (*deeds, deeds[0]), clicks), "CONF-11")) == 1


def test_an_approval_of_another_run_is_none_of_this_one() -> None:
    """CONF-01: an approval under the id of another run permits nothing; one without an id is for the current run."""
    assert len(findings(approved(250, "confirm-yesterday"), "CONF-01")) == 11
    assert findings(approved(250, None), "CONF-01") == []


def test_a_run_that_asks_nobody_may_read_at_once() -> None:
    """CONF-02: the law is about runs that require a confirmation."""
    run = arriving(base("unconfirmed"))
    assert findings(witnessed(run, invoked(run)), "CONF-02") == []


@pytest.mark.parametrize(
    ("acts", "found"),
    [
        ((act(ActKind.REJECT, 250),), 11),
        ((act(ActKind.REJECT, 250), act(ActKind.APPROVE, 260, "confirm-effects")), 0),
        ((act(ActKind.APPROVE, 250, "confirm-effects"),), 0),
    ],
    ids=["rejected", "approved-afterwards", "approved"],
)
def test_a_tool_that_is_entered_in_a_run_that_the_suite_rejected_is_found(acts: tuple[Act, ...], found: int) -> None:
    """CONF-06: whatever the records say; CONF-12 reports an approval that came too late."""
    run = arriving(base("effects"))
    assert len(findings(witnessed(run, invoked(run), acts), "CONF-06")) == found


def _expired(expires: Json, cancelled: str = "2026-01-05T09:01:05.000Z") -> Run:
    """The expired base with another expiry and another moment at which it was cancelled for it."""
    run = patched(base("expired"), "events", 2, {"timestamp": cancelled})
    return run_record_patched(run, {"confirmation": {"expiresAt": expires}})


@pytest.mark.parametrize(
    ("expires", "cancelled", "found"),
    [
        ("2026-01-05T10:00:00.000Z", "2026-01-05T09:01:05.000Z", 1),
        ("2026-01-05T09:01:06.200Z", "2026-01-05T09:01:05.000Z", 1),
        ("2026-01-05T09:01:05.900Z", "2026-01-05T09:01:05.000Z", 0),
        ("2026-01-05T09:01:06.900Z", "2026-01-05T09:01:05Z", 0),
        ("2026-01-05T09:00:05.000Z", "2026-01-05T09:01:05.000Z", 0),
        ("2026-01-05T11:01:05.000+02:00", "2026-01-05T09:01:05.000Z", 0),
        ("at ten", "2026-01-05T09:01:05.000Z", 0),
        ("2026-01-05T10:00:00.000Z", "nine", 0),
        (None, "2026-01-05T09:01:05.000Z", 0),
    ],
)
def test_nobody_failed_to_answer_before_the_time_was_up(expires: Json, cancelled: str, found: int) -> None:
    """CONF-06: no run is cancelled as expired before expiresAt, within a second and what coarse stamps leave open."""
    assert len(findings(_expired(expires, cancelled), "CONF-06")) == found


def test_what_gives_another_reason_or_none_that_can_be_read_did_not_expire() -> None:
    """CONF-06: a rejection comes before the expiry, and a redacted reason may be one (A42)."""
    run = _expired("2026-01-05T10:00:00.000Z")
    for patch in ({"payload": {"reason": "confirmation_rejected"}}, {"redacted": ["/payload/reason"]}):
        assert findings(patched(run, "events", 2, patch), "CONF-06") == []


def test_which_of_several_requests_expired_is_open() -> None:
    """CONF-06: after a second request, or beside another id, the expiry on record may be that of another request."""
    run = _expired("2026-01-05T10:00:00.000Z")
    events = run.events or ()
    assert findings(replace(run, events=(*events[:2], *events[1:])), "CONF-06") == []
    assert findings(patched(run, "events", 2, {"payload": {"confirmationId": "another"}}), "CONF-06") == []
    assert len(findings(patched(run, "events", 2, {"payload": {"confirmationId": None}}), "CONF-06")) == 1


def test_an_expiry_of_an_approved_run_is_reported_as_a_second_answer() -> None:
    """CONF-08 reports an approval that was taken back, and CONF-04 records that do not agree."""
    run = patched(base("cancelled"), "events", 9, {"payload": {"reason": "confirmation_expired"}})
    run = run_record_patched(run, {"confirmation": {"expiresAt": "2026-01-05T10:00:00.000Z"}})
    assert (len(findings(run, "CONF-08")), findings(run, "CONF-06")) == (1, [])


def test_a_run_without_events_does_not_tell_when_it_expired() -> None:
    """CONF-06: only the event of the cancellation has the reason and the moment."""
    assert findings(replace(_expired("2026-01-05T10:00:00.000Z"), events=None), "CONF-06") == []


@pytest.mark.parametrize("named", [[], {}, {"id": "confirm-expired"}, 7])
def test_a_confirmation_that_is_named_by_no_text_makes_no_check_throw(named: Json) -> None:
    """CONF-06: the id of a decision may be any JSON in a broken log, and then it is open what expired."""
    run = run_record_patched(base("expired"), {"confirmation": {"confirmationId": named}})
    assert findings(run, "CONF-06") == []
