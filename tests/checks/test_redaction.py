"""No value that is redacted and marked leads to a finding: every place of every base run that may hold a secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from callproof.checks.members import strings_in
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_array, is_object
from edited_runs import base, patched, run_record_patched
from log_edits import BASES

STARS = "[redacted]"
# The places of what a tool, a plan or a person gave; an asterisk is any place in an array.  An object stays an object
# and a text a text; inside, and if a value may be of any kind, ``STARS`` replaces everything (LOG-17).
OBJECTS = {
    Kind.RUN: ("/plan/steps/*/args",),
    Kind.CALL: ("/args",),
    Kind.RESULT: ("/data", "/error/details", "/effects"),
    Kind.EVENT: ("/payload/data",),
}
ANYTHING = {
    Kind.RUN: ("/plan/goal", "/plan/steps/*/preview"),
    Kind.CALL: ("/preview", "/iteration/itemValue"),
    Kind.RESULT: ("/error/message", "/userMessage", "/debugMessage"),
    Kind.EVENT: ("/message", "/payload/reason"),
}


def found_at(value: Json, pattern: list[str], pointer: str = "") -> Iterator[tuple[str, Json]]:
    """The places of a record that a pattern names, with what stands there."""
    if not pattern:
        yield pointer, value
        return
    for name, inner in members(value):
        if pattern[0] in (name, "*"):
            yield from found_at(inner, pattern[1:], f"{pointer}/{escape_token(name)}")


def members(value: Json) -> Iterator[tuple[str, Json]]:
    """What an object or an array holds, each with its name or its number."""
    if is_object(value):
        yield from value.items()
    elif is_array(value):
        yield from ((str(index), each) for index, each in enumerate(value))


def below(value: Json, pointer: str) -> Iterator[str]:
    """Every place inside a value, containers and leaves."""
    for name, inner in members(value):
        place = f"{pointer}/{escape_token(name)}"
        yield place
        yield from below(inner, place)


def stand_ins(record: Record) -> Iterator[tuple[str, Json]]:
    """Every place of a record that may hold a secret, with what may stand in for it."""
    for pattern in OBJECTS[record.kind]:
        for pointer, value in found_at(record.value, pattern.split("/")[1:]):
            yield pointer, {}
            yield from ((place, STARS) for place in below(value, pointer))
    for pattern in ANYTHING[record.kind]:
        for pointer, value in found_at(record.value, pattern.split("/")[1:]):
            yield pointer, STARS
            yield from ((place, STARS) for place in below(value, pointer))


def with_stand_in(value: Json, pointer: str, stand_in: Json) -> Json:
    """A value with the stand-in in one place."""
    if not pointer:
        return stand_in
    head, _, rest = pointer[1:].partition("/")
    inner = f"/{rest}" if "/" in pointer[1:] else ""
    if is_object(value):
        named = {name: escape_token(name) == head for name in value}
        return {name: with_stand_in(each, inner, stand_in) if named[name] else each for name, each in value.items()}
    assert is_array(value)
    return [with_stand_in(each, inner, stand_in) if str(i) == head else each for i, each in enumerate(value)]


def redacted(record: Record, pointer: str, stand_in: Json) -> Record:
    """A record with a stand-in for a secret, marked as such."""
    value = with_stand_in(record.value, pointer, stand_in)
    assert is_object(value)
    return replace(record, value={**value, "redacted": [pointer]})


def redactions(run: Run) -> Iterator[tuple[str, Run]]:
    """The run with one place redacted, for every place."""
    if run.run_record is not None:
        for pointer, stand_in in stand_ins(run.run_record):
            yield f"run.json {pointer}", replace(run, run_record=redacted(run.run_record, pointer, stand_in))
    for name, records in (("calls", run.calls), ("results", run.results), ("events", run.events or ())):
        for at, record in enumerate(records):
            for pointer, stand_in in stand_ins(record):
                changed = (*records[:at], redacted(record, pointer, stand_in), *records[at + 1 :])
                yield f"{name} {at + 1} {pointer}", replace(run, **{name: changed})  # type: ignore[arg-type]


def without(record: Record, secret: str) -> Record:
    """A record with stars for the secret in every text that may hold one and does, each place marked."""
    value, marks = record.value, list[Json]()
    for pointer, _ in stand_ins(record):
        held = next(each for place, each in found_at(record.value, tokens(pointer)) if place == pointer)
        if isinstance(held, str) and secret in held:
            changed = with_stand_in(value, pointer, held.replace(secret, STARS))
            assert is_object(changed)
            value = changed
            marks.append(pointer)
    return replace(record, value={**value, "redacted": marks}) if marks else record


def tokens(pointer: str) -> list[str]:
    """The names on the way to a place."""
    return [each.replace("~1", "/").replace("~0", "~") for each in pointer.split("/")[1:]]


def texts(run: Run) -> set[str]:
    """Every text of some length in the args and the data of a run."""
    held = (
        record.get(name) for record, name in [*((c, "args") for c in run.calls), *((r, "data") for r in run.results)]
    )
    return {text for value in held for _, text in strings_in(value) if len(text) > 3}


def accused(run: Run) -> dict[str, list[str]]:
    """What was found, by law."""
    return {
        law: [each.finding.observed for each in result.findings] or list(result.errors)
        for law, result in judge(run).items()
        if result.verdict in (Verdict.FAIL, Verdict.ERROR)
    }


@pytest.mark.many
@pytest.mark.parametrize("name", sorted(path.name for path in BASES.iterdir() if path.is_dir()))
def test_whatever_is_redacted_nobody_is_accused_for_it(name: str) -> None:
    """LOG-17, A42: a marked value is unknown, not wrong."""
    told = {place: accused(run) for place, run in redactions(base(name))}
    assert {place: found for place, found in told.items() if found} == {}
    assert len(told) > 5


@pytest.mark.many
@pytest.mark.parametrize("name", sorted(path.name for path in BASES.iterdir() if path.is_dir()))
def test_a_secret_that_is_redacted_everywhere_accuses_nobody(name: str) -> None:
    """LOG-17, A42: a system that redacts does so by the value, in the plan and in every record that repeats it."""
    run = base(name)
    assert run.run_record is not None
    found: dict[str, dict[str, list[str]]] = {}
    for secret in texts(run):
        calls, results, events = (
            tuple(without(each, secret) for each in group) for group in (run.calls, run.results, run.events or ())
        )
        hidden = replace(run, run_record=without(run.run_record, secret), calls=calls, results=results)
        found[secret] = accused(hidden if run.events is None else replace(hidden, events=events))
    assert {secret: each for secret, each in found.items() if each} == {}


def test_a_reason_that_is_redacted_may_have_been_an_empty_loop() -> None:
    """LOOP-06, DEP-05, A42: the skipped loop gives its reason in neither place."""
    run = base("foreach")
    at = next(at for at, each in enumerate(run.results) if each.step_id == "s5")
    closing = next(at for at, each in enumerate(run.events or ()) if each.call_id == "c7")
    other: Json = {"payload": {"reason": STARS}}
    told = patched(patched(run, "results", at, {"userMessage": f"Skipped: {STARS}"}), "events", closing, other)
    assert {"LOOP-06", "DEP-05"} <= accused(told).keys()
    for group, place, mark in (("results", at, "/userMessage"), ("events", closing, "/payload/reason")):
        assert accused(patched(told, group, place, {"redacted": [mark]})) == {}


@pytest.mark.parametrize(
    ("law", "place", "patch", "mark"),
    [
        ("CANC-09", "stopped results 1", {"error": {"details": None}}, "/error/code"),
        ("CANC-09", "stopped results 1", {"error": {"details": {"reason": STARS}, "code": "X"}}, "/error/details"),
        ("CANC-09", "stopped results 1", {"error": {"details": {"reason": " "}}}, "/error/message"),
        ("CONF-06", "expired events 2", {"payload": {"reason": STARS}}, "/message"),
        ("EFF-14", "effects calls 10", {"args": {"dryRun": STARS}}, "/args/path"),
        ("EFF-15", "effects results 0", {"effects": {"sideEffectsObserved": [STARS]}}, "/effects/created"),
        ("EFF-20", "effects results 1", {"effects": None}, "/data"),
        ("RETRY-15", "recovered results 2", {"effects": None}, "/endedAt"),
    ],
)
def test_a_mark_somewhere_else_excuses_nothing(law: str, place: str, patch: Json, mark: str) -> None:
    """LOG-17: only the marked place is out of the comparison."""
    name, group, at = place.split()
    run = patched(patched(base(name), group, int(at), patch), group, int(at), {"redacted": [mark]})
    assert {law} <= accused(run).keys()
    assert "LOG-17" not in accused(run)


def test_a_plan_that_is_redacted_elsewhere_was_confirmed_as_it_stands() -> None:
    """CONF-10, LOG-06, A42: a mark on the plan's goal excuses neither another policy nor other args."""
    run = run_record_patched(base("refused"), {"plan": {"goal": STARS}, "policy": {"more": 1}})
    assert "CONF-10" in accused(run_record_patched(run, {"redacted": ["/plan/goal"]}))
    run = run_record_patched(patched(base("linear"), "calls", 0, {"args": {"path": "b.md"}}), {"plan": {"goal": STARS}})
    assert "LOG-06" in accused(run_record_patched(run, {"redacted": ["/plan/goal"]}))


def test_a_word_on_retries_that_is_redacted_may_have_been_a_yes() -> None:
    """RETRY-04, A42, A46: NOT_FOUND is final unless the tool said otherwise."""
    run = base("retried")
    hidden = {"error": {"code": "NOT_FOUND", "message": "There is no such note", "retryable": None}}
    told = patched(run, "results", 0, hidden)
    assert "RETRY-04" in accused(told)
    told = patched(run, "results", 0, {"error": {"code": "NOT_FOUND", "retryable": STARS}})
    assert "RETRY-04" not in accused(patched(told, "results", 0, {"redacted": ["/error/retryable"]}))


def test_an_act_on_a_condition_that_is_redacted_may_have_been_asked_for() -> None:
    """ERR-11, A42, A44: nothing was deleted, and whether it had to be is redacted."""
    run = base("effects")
    at = next(at for at, each in enumerate(run.results) if (each.object("data") or {}).get("deleted") is True)
    told = patched(run, "results", at, {"data": {"deleted": False}, "effects": {"deleted": None}})
    assert "ERR-11" in accused(told)
    for member in ("requireExists", "dryRun"):
        asked = patched(told, "calls", at, {"args": {member: STARS}, "redacted": [f"/args/{member}"]})
        assert "ERR-11" not in accused(asked)


@pytest.mark.parametrize("group", ["run", "events"])
def test_a_mark_that_points_nowhere_is_found_in_every_record(group: str) -> None:
    """LOG-17: a run record and an event have marks too."""
    marked: Json = {"redacted": ["/nowhere"]}
    run = base("linear")
    run = run_record_patched(run, marked) if group == "run" else patched(run, group, 0, marked)
    assert list(accused(run)) == ["LOG-17"]
