"""The testimonies on a run: all of them in one order, without anything that differs from run to run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from callproof.report.testimonies import lined_up
from callproof.schema.validator import shape_validator
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Entry
from edited_runs import base
from live_runs import aborted, act, arriving, changed, folder, invoked, witnessed, world


def told(run: Run) -> list[tuple[Any, ...]]:
    """The rows: the call, whose testimony the row is, and what it says."""
    document = lined_up(run)
    assert shape_validator("testimony").errors(document) == ()
    rows: Any = document["rows"]
    return [(row.get("call"), row["by"], row["says"]) for row in rows]


def retried() -> Run:
    """A run in which one call had two attempts, as the suite would have seen it live."""
    run = arriving(base("retried"))
    return witnessed(run, invoked(run), (act(ActKind.START, 0), act(ActKind.CANCEL, 90_000)))


def test_claims_and_deeds_stand_in_the_order_of_the_wire() -> None:
    """Many laws are about which of two messages came first."""
    rows = lined_up(retried())["rows"]
    assert isinstance(rows, list)
    lines = [row["line"] for row in rows]
    assert lines == sorted(lines)
    assert {row["by"] for row in rows} == {"claim", "deed", "suite"}


def test_a_call_is_followed_from_its_record_to_its_end() -> None:
    """The rows show what was asked, what reached the tool, what it answered, and what the record says of that."""
    first = [row[1:] for row in told(retried()) if row[0] == "s1 attempt 1"]
    kinds = [by for by, _ in first]
    assert ("claim", 'calls vault.readFile with {"path":"Inbox/ideas.md"}') in first
    assert ("deed", 'vault.readFile is invoked with {"path":"Inbox/ideas.md"}') in first
    assert kinds.count("deed") == 2
    assert {row[0] for row in told(retried())} >= {"s1 attempt 1", "s1 attempt 2"}


def with_ids(run: Run, prefix: str) -> Run:
    """The same run from a system whose ids have another prefix."""
    text = {each: f"{prefix}-{each}" for each in ("run-retried", *(call.call_id or "" for call in run.calls))}

    def renamed(record: Record) -> Record:
        value = json.loads(json.dumps(record.value))
        for name in ("callId", "runId"):
            if name in value:
                value[name] = text.get(value[name], value[name])
        return replace(record, value=value)

    assert run.run_record is not None
    return replace(
        run,
        run_record=renamed(run.run_record),
        calls=tuple(map(renamed, run.calls)),
        results=tuple(map(renamed, run.results)),
        events=tuple(map(renamed, run.events or ())),
    )


def test_ids_that_the_system_made_up_are_not_shown() -> None:
    """Two runs of one case give the same bytes, whatever ids the system chose."""
    documents = []
    for prefix in ("5f1c", "90ab"):
        run = with_ids(arriving(base("retried")), prefix)
        documents.append(json.dumps(lined_up(witnessed(run, invoked(run)))))
    assert documents[0] == documents[1]
    assert "90ab" not in documents[1]


@pytest.mark.parametrize("virtual", [True, False])
def test_times_are_told_on_a_virtual_clock_only(virtual: bool) -> None:
    """Real time differs from run to run."""
    run = retried()
    assert run.witnessed is not None
    document = lined_up(replace(run, witnessed=replace(run.witnessed, virtual_clock=virtual)))
    rows = document["rows"]
    assert isinstance(rows, list)
    assert document["clock"] == ("virtual" if virtual else "real")
    assert any("atMs" in row for row in rows) is virtual
    assert not virtual or rows[1]["atMs"] == 0


def test_the_folder_speaks_beside_the_result_that_names_a_path() -> None:
    """A result claims a change, and the folder shows what really changed."""
    before = folder(Notes__log_md="a", Notes__old_md="o")
    after = folder(Notes__log_md="b", Notes__stray_md="s")
    rows = told(witnessed(base("effects"), world=world(before, after)))
    seen = [row for row in rows if row[1] == "folder"]
    assert ("Notes/log.md has other content") in [says for _, _, says in seen]
    assert (None, "folder", "Notes/stray.md is new, a file, and no result says so") in seen
    gone = next(row for row in seen if row[2] == "Notes/old.md is gone")
    assert gone[0] is not None


def test_an_abort_and_a_file_that_a_tool_wrote_are_deeds() -> None:
    """The rows have everything that a hosted tool saw or did."""
    run = arriving(base("retried"))
    deeds = changed(invoked(run), "c1", aborted("timeout", 50, 5_000))
    deeds = changed(deeds, "c1", lambda deed: replace(deed, writes=("a.md",)))
    rows = told(witnessed(run, deeds))
    assert ("s1 attempt 1", "deed", "is told to stop: timeout") in rows
    assert ("s1 attempt 1", "deed", "writes a.md") in rows


def test_a_deed_without_a_record_is_told_as_such() -> None:
    """Some laws are about an invocation that has no record."""
    run = arriving(base("retried"))
    (first, *_) = invoked(run)
    rows = told(witnessed(run, (replace(first, call_id="nobody's"),)))
    assert ("a call without a record", "deed") in [row[:2] for row in rows]


def test_two_records_of_one_attempt_are_told_apart() -> None:
    """A second call of the same number is another call."""
    run = arriving(base("retried"))
    twin = replace(run.calls[0], value={**run.calls[0].value, "callId": "c1-twin"}, arrival=9_000)
    rows = told(witnessed(replace(run, calls=(*run.calls, twin))))
    assert "s1 attempt 1, again" in [row[0] for row in rows]


def test_what_json_does_not_have_is_told_too() -> None:
    """A hosted tool may answer NaN on purpose."""
    run = arriving(base("retried"))
    (first, *_) = invoked(run)
    assert first.answer is not None
    odd = replace(first, answer=replace(first.answer, output=float("nan")))
    assert told(witnessed(run, (odd,)))


def test_a_long_run_is_cut_and_the_count_is_not() -> None:
    """The shape states how many rows are left out."""
    run = retried()
    assert run.witnessed is not None
    many = tuple(act(ActKind.CANCEL, 200_000 + number) for number in range(500))
    document = lined_up(replace(run, witnessed=replace(run.witnessed, acts=many)))
    rows, left = document["rows"], document["left"]
    assert isinstance(rows, list)
    assert isinstance(left, int)
    assert len(rows) == 200
    assert len(rows) + left == len(told_in_full(run)) + 500


def told_in_full(run: Run) -> list[tuple[Any, ...]]:
    """The rows of a run without its acts."""
    assert run.witnessed is not None
    return told(replace(run, witnessed=replace(run.witnessed, acts=())))


def test_an_entry_of_the_folder_can_be_of_any_kind() -> None:
    """A link that changed its target has other content."""
    before = {"Notes/log.md": Entry("link", "a", 1)}
    after = {"Notes/log.md": Entry("link", "b", 1)}
    rows = told(witnessed(base("effects"), world=world(before, after)))
    assert "Notes/log.md has other content" in [row[2] for row in rows]


def test_a_captured_log_has_one_testimony_and_no_rows() -> None:
    """No witness saw the run, so only its records speak."""
    assert lined_up(base("retried")) == {"run": base("retried").name, "clock": "real", "rows": [], "left": 0}
