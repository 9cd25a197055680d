"""The work of the laws on a run grows with the length of the run, not with the square of its length.

The unit of work is a line of Python that is run, which is the same on every machine; no clock is used.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from callproof.auditlog.reader import captured_in, run_of
from callproof.judge.folding import folded
from callproof.judge.judging import checks_by_requirement, held, judge
from callproof.spec.registry import specification
from callproof.trace.run import EVIDENCE, Run
from log_edits import BASES

pytestmark = pytest.mark.many

SHORT, LONG = 20, 80
# Below FEW_LINES a law is not worth a look; a law whose work grows by more than MOST does too much.
FEW_LINES = 4_000
MOST = 2 * LONG / SHORT

Records = list[dict[str, Any]]
Log = dict[str, Any]
FILES = ("calls", "results", "events")
STAMPS = ("createdAt", "startedAt", "endedAt", "timestamp")


def base(name: str) -> Log:
    """A base log as documents."""
    folder = BASES / name
    told: Log = {each: [*map(json.loads, (folder / f"{each}.jsonl").read_text().splitlines())] for each in FILES}
    return {**told, "run": json.loads((folder / "run.json").read_bytes())}


def read(log: Log, folder: Path) -> Run:
    """The run that the reader finds in a folder with these documents."""
    folder.mkdir()
    for name in FILES:
        if log[name] is not None:
            (folder / f"{name}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in log[name]))
    (folder / "run.json").write_text(json.dumps(log["run"]))
    return run_of(captured_in(folder))


def again(log: Log, call_id: str, number: int, **changes: Any) -> None:
    """Add one more call like another, with its result and its events; ``changes`` apply to all of them."""
    for name in FILES:
        for each in [each for each in log[name] if each.get("callId") == call_id]:
            log[name].append({**each, "callId": f"{call_id}-{number}", **changes})


def attempts_of_one_step(number: int) -> Log:
    """Calls of one step, of which each is a first attempt and each created the same file."""
    log = base("linear")
    for each in range(number):
        again(log, "c3", each)
    return log


def calls_of_one_name(number: int) -> Log:
    """Calls with the same id, and as many results and events with that id."""
    log = base("linear")
    for _ in range(number):
        again(log, "c1", 0)
    return log


def calls_at_once(number: int) -> Log:
    """Calls that are all open before the first one ends."""
    log = attempts_of_one_step(number)
    log["events"].sort(key=lambda each: each["type"] not in {"step.scheduled", "step.started"})
    return log


def _loop(number: int) -> Log:
    """A loop over so many elements, and all of its iterations."""
    log = base("foreach")
    log["results"][0]["data"]["items"] = [{"text": f"t{each}", "raw": "", "depth": 0} for each in range(number)]
    for each in range(number):
        again(log, "c2", each, iteration={"index": each, "loopId": "s2"})
    return log


def a_loop_after_a_loop(number: int) -> Log:
    """The second loop waits for the first, so each of its iterations waits for all iterations of the first."""
    log = _loop(number)
    second = {**log["run"]["plan"]["steps"][1], "id": "s7", "dependsOn": ["s2"]}
    log["run"]["plan"]["steps"].append(second)
    for each in range(number):
        again(log, "c4", each, stepId="s7", iteration={"index": each, "loopId": "s7"})
    return log


def a_loop_that_was_cut_off(number: int) -> Log:
    """A loop with half of its iterations missing."""
    log = _loop(number)
    kept = {f"c2-{each}" for each in range(number // 2)}
    for name in FILES:
        log[name] = [
            each for each in log[name] if not each.get("callId", "").startswith("c2-") or each["callId"] in kept
        ]
    return log


def failures_that_stop_nothing(number: int) -> Log:
    """Failures of iterations, each of which should have ended the loop."""
    log = _loop(number)
    for each in log["results"]:
        if each["callId"].startswith("c2-"):
            each.pop("data")
            error = {"code": "INTERNAL_ERROR", "message": "no", "retryable": False}
            each.update(status="error", ok=False, error=error)
    return log


def failures_without_events(number: int) -> Log:
    """The same failures, but only stamps say what began when."""
    return {**failures_that_stop_nothing(number), "events": None}


def steps_in_a_row(number: int) -> Log:
    """Steps of which each waits for the one before it; none of them was reached."""
    log = base("linear")
    steps = log["run"]["plan"]["steps"]
    for each in range(number):
        steps.append({**steps[0], "id": f"z{each}", "dependsOn": [f"z{each - 1}" if each else "s1"]})
    return log


def a_long_list_of_effects(number: int) -> Log:
    """One call with many effects."""
    log = base("linear")
    listed = next(each["effects"] for each in log["results"] if each.get("effects", {}).get("created"))
    listed["created"] += [{"path": f"Notes/{each}.md", "kind": "file"} for each in range(number)]
    return log


def loops_side_by_side(number: int) -> Log:
    """Loops over the same elements.  Loops with names of their own, and steps with braces, were not reached."""
    log = base("foreach")
    steps = log["run"]["plan"]["steps"]
    for each in range(number):
        named = {**steps[1]["foreach"], "itemName": f"item{each}", "indexName": f"index{each}"}
        steps += [{**steps[1], "id": f"z{each}"}, {**steps[1], "id": f"x{each}", "foreach": named}]
        steps.append({**steps[0], "id": f"y{each}", "args": {"text": f"{{item{each}.text}} and {{x}}"}})
        for call_id in ("c2", "c3", "c4"):
            again(log, call_id, each, stepId=f"z{each}")
    return log


def a_loop_after_a_loop_told_backwards(number: int) -> Log:
    """The events stand in reverse order, and every stamp says that the second loop waited for the first."""
    log = a_loop_after_a_loop(number)
    for record in (each for name in FILES for each in log[name] if each.get("callId", "").startswith("c4-")):
        record |= {name: f"2026-01-06{told[10:]}" for name, told in record.items() if name in STAMPS}
    log["events"].reverse()
    return log


def steps_left_out_beside_retries(number: int) -> Log:
    """Steps in a row that were all retried; beside each, a step that waits for it and was skipped."""
    log = base("retried")
    steps = log["run"]["plan"]["steps"]
    first, ended = steps[0], "2026-01-06T09:00:00.000Z"
    calls = [each["callId"] for each in log["calls"] if each["stepId"] == first["id"]]
    for each in range(number):
        steps.append({**first, "id": f"z{each}", "dependsOn": [f"z{each - 1}"] if each else []})
        steps.append({**first, "id": f"y{each}", "dependsOn": [f"z{each}"]})
        for call_id in calls:
            again(log, call_id, each, stepId=f"z{each}")
        result = {name: told for name, told in log["results"][0].items() if name != "error"}
        skipped = {"status": "skipped", "ok": False, "startedAt": ended, "endedAt": ended, "durationMs": 0}
        log["results"].append({**result, **skipped, "callId": f"y{each}", "stepId": f"y{each}"})
    return log


def lines_that_are_no_records(number: int) -> Log:
    """The lines stand below one that is nested too deeply to be read; they must not cause accusations."""
    log = base("linear")
    log["events"] += [json.loads("[" * 500 + "]" * 500), *[7] * number]
    return log


def results_that_were_lost(number: int) -> Log:
    """Broken lines, each of which may hold any call's result, beside an etag that the last change did not leave."""
    log = base("effects")
    for each in range(number):
        again(log, "c2", each)
    log["results"] = [each for each in log["results"] if not each["callId"].startswith("c2-")]
    changed = next(each["effects"]["modified"] for each in log["results"] if each["effects"].get("modified"))
    changed[0]["afterEtag"] = "another"
    log["results"] += [7] * number
    return log


def events_that_were_lost(number: int) -> Log:
    """Broken lines, each of which may hold the start or the end of any call."""
    log = base("linear")
    for each in range(number):
        again(log, "c1", each)
    kept = ("step.scheduled", "step.progress")
    log["events"] = [each for each in log["events"] if "callId" not in each or each["type"] in kept]
    log["events"] += [7] * (4 * number)
    return log


SHAPES: tuple[Callable[[int], Log], ...] = (
    attempts_of_one_step,
    calls_of_one_name,
    calls_at_once,
    a_loop_after_a_loop,
    a_loop_after_a_loop_told_backwards,
    loops_side_by_side,
    steps_left_out_beside_retries,
    a_loop_that_was_cut_off,
    failures_that_stop_nothing,
    failures_without_events,
    steps_in_a_row,
    a_long_list_of_effects,
    lines_that_are_no_records,
    results_that_were_lost,
    events_that_were_lost,
)


def work_on(run: Run) -> Counter[str]:
    """The number of lines that each law, and folding, runs for one run."""
    lines: Counter[str] = Counter()
    checks, lacking = checks_by_requirement(), frozenset(filter(run.lacks, EVIDENCE))
    name = ""

    def trace(_frame: FrameType, event: str, _value: object) -> Callable[..., Any]:
        lines[name] += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for law in specification().requirements.values():
            name = law.id
            held((law,), checks, run, lacking)  # the first law does the work that many laws share
        name = "folding"
        folded(run, judge(run))
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_four_times_the_records_are_about_four_times_the_work(shape: Callable[[int], Log], tmp_path: Path) -> None:
    """A night's log may hold a run of thousands of calls, and an even larger log is possible."""
    short, long = (work_on(read(shape(number), tmp_path / str(number))) for number in (SHORT, LONG))
    steep = {name: (short[name], lines) for name, lines in long.items() if lines > MOST * max(short[name], 1)}
    assert {name: each for name, each in steep.items() if each[1] > FEW_LINES} == {}
