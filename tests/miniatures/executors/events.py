"""EVT: event streams that do not agree with the results."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from callproof_reference import steps, wire
from callproof_reference.turns import rfc3339

from miniatures.miniature import miniature
from miniatures.points import (
    DONE,
    EACH,
    INVOKED,
    RECORD_EVENT,
    RECORD_RESULT,
    SAVE,
    WRITE,
    Patch,
    Record,
)


@miniature("run-started-twice", breaks="EVT-03")
def _(patch: Patch) -> None:
    """The run announces its start two times."""

    def event(original: Any, records: Any, kind: str, *rest: Any, **more: Any) -> None:
        original(records, kind, *rest, **more)
        if kind == "run.started":
            original(records, kind, *rest, **more)

    patch.around(RECORD_EVENT, event)


@miniature("run-finished-untold", breaks="EVT-04")
def _(patch: Patch) -> None:
    """The run ends without the event that says so."""
    _leave_out(patch, "run.finished")


@miniature("run-finished-before-its-last-step", breaks="EVT-05")
def _(patch: Patch) -> None:
    """The end of the run is recorded before the end of its last step."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        run_id = record["runId"]
        if kind == "event" and record["type"] == "run.finished":
            last = held.pop(run_id, record)  # each gets the number of its new place
            original(journal, kind, {**record, "seq": last["seq"]})
            if last is not record:
                original(journal, kind, {**last, "seq": record["seq"]})
            return
        if run_id in held:
            original(journal, "event", held.pop(run_id))
        if kind == "event" and record["type"] in ("step.finished", "step.failed"):
            held[run_id] = record
        else:
            original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("tool-entered-before-the-event-says-so", breaks="EVT-06")
def _(patch: Patch) -> None:
    """The tool is entered first and step.started written afterwards."""
    waiting: dict[str, Any] = {}

    def event(original: Any, records: Any, kind: str, message: str, about: Any = None, *rest: Any, **more: Any) -> None:
        if kind == "step.started":
            waiting[about.call_id] = lambda: original(records, kind, message, about, *rest, **more)
        else:
            original(records, kind, message, about, *rest, **more)

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer = original(run, subject, args, started)
        waiting.pop(subject.call_id)()
        return answer

    patch.around(RECORD_EVENT, event)
    patch.around(INVOKED, invoked)


@miniature("empty-loop-said-to-start", breaks="EVT-07", seen_in="SC-05/none")
def _(patch: Patch) -> None:
    """A loop over no items is said to start."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if how.get("reason") == "empty":
            records.event("step.started", "it starts", subject)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("failures-are-finished-too", breaks="EVT-09")
def _(patch: Patch) -> None:
    """A failed call is closed with step.finished."""

    def change(record: Record) -> None:
        if record["type"] == "step.failed":
            record["type"] = "step.finished"

    patch.record("event", change)


@miniature("closed-before-the-result-is-there", breaks="EVT-10")
def _(patch: Patch) -> None:
    """The closing event of a call is written before its result."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "result":
            held[record["callId"]] = record
            return
        original(journal, kind, record)
        if kind == "event" and record.get("callId") in held and record["type"] in ("step.finished", "step.failed"):
            original(journal, "result", held.pop(record["callId"]))

    patch.around(WRITE, write)


@miniature("started-before-scheduled", breaks="EVT-11", also=("EVT-15",))
def _(patch: Patch) -> None:
    """A call is said to be scheduled only after it has started."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "event" and record["type"] == "step.scheduled":
            held[record["callId"]] = record
            return
        original(journal, kind, record)
        if kind == "event" and record["type"] == "step.started" and record["callId"] in held:
            original(journal, kind, held.pop(record["callId"]))

    patch.around(WRITE, write)


@miniature("progress-of-the-dead", breaks="EVT-12")
def _(patch: Patch) -> None:
    """Every successful call reports progress once more after it is closed."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        original(records, subject, ending, **how)
        if ending.status == "ok":
            records.event("step.progress", "almost there", subject)

    patch.around(RECORD_RESULT, result)


@miniature("listens-to-the-dead", breaks="EVT-12", seen_in="SC-09")
def _(patch: Patch) -> None:
    """The progress that a tool reports is recorded, whether its call is open or closed."""
    _listening(patch)


def _listening(patch: Patch) -> None:
    called: dict[str, Any] = {}

    def invoked(original: Any, run: Any, subject: Any, *rest: Any) -> Any:
        called[subject.call_id] = (run, subject)
        return original(run, subject, *rest)

    def done(original: Any, conversation: Any, method: str, params: Record) -> Any:
        if method == "tool/progress" and params["callId"] in called:
            run, subject = called[params["callId"]]
            run.open.setdefault(subject.call_id, subject)
        return original(conversation, method, params)

    patch.around(INVOKED, invoked)
    patch.around(DONE, done)


@miniature("waits-long-and-listens-to-the-dead", breaks="EVT-12", seen_in="SC-09")
def _(patch: Patch) -> None:
    """An aborted tool has 400 ms to say what it changed, and its progress after that is recorded too."""
    for room in (steps, wire):
        vars(room)["ABORT_GRACE_MS"] = 400
    _listening(patch)


@miniature("events-name-the-step-as-the-tool", breaks="EVT-13")
def _(patch: Patch) -> None:
    """Events about a call name its step where its tool belongs."""

    def change(record: Record) -> None:
        if "tool" in record:
            record["tool"] = record["stepId"]

    patch.record("event", change)


@miniature("retries-start-silently", breaks="EVT-14")
def _(patch: Patch) -> None:
    """Of the attempts of a read-only tool, only the first has a step.started."""

    def event(original: Any, records: Any, kind: str, message: str, about: Any = None, *rest: Any, **more: Any) -> None:
        if kind != "step.started" or about.attempt == 1 or about.step.tool.risk_level != "read-only":
            original(records, kind, message, about, *rest, **more)

    patch.around(RECORD_EVENT, event)


@miniature("failures-in-a-calm-voice", breaks="EVT-16")
def _(patch: Patch) -> None:
    """Failures are recorded at level info."""
    patch.record("event", lambda record: record.update(level="info"))


@miniature("every-run-ends-well", breaks="EVT-18")
def _(patch: Patch) -> None:
    """run.finished says ok, whatever the results say."""

    def change(record: Record) -> None:
        if record["type"] == "run.finished":
            record["payload"]["status"] = "ok"

    patch.record("event", change)


@miniature("log-leaves-out-what-was-shown", breaks="EVT-20")
def _(patch: Patch) -> None:
    """Some events are shown live that the log does not hold."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        if '"type":"step.scheduled"' not in line:
            original(path, line, **how)

    patch.around(SAVE, save)


@miniature("payload-is-a-list", breaks="EVT-17")
def _(patch: Patch) -> None:
    """The payload of an event is an array."""

    def change(record: Record) -> None:
        if record["type"] == "step.scheduled":
            record["payload"] = []

    patch.record("event", change)


@miniature("closing-event-lost-under-load", breaks="EVT-21", also=("EVT-08",))
def _(patch: Patch) -> None:
    """If several calls are open at once, the closing events of all but the last are lost."""
    open_calls: dict[str, set[str]] = defaultdict(set)

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        now_open = open_calls[record["runId"]]
        if kind == "event" and record["type"] == "step.started":
            now_open.add(record["callId"])
        if kind == "event" and record["type"] in ("step.finished", "step.failed"):
            now_open.discard(record["callId"])
            if now_open:
                return
        original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("every-loop-ends-as-one-over-nothing", breaks="EVT-13", seen_in="SC-05")
def _(patch: Patch) -> None:
    """When a loop is done, an event without a call says that there was nothing to do."""

    async def each(original: Any, run: Any, step: Any, loop: Any) -> Any:
        ending = await original(run, step, loop)
        if ending.data:
            untied = {"runId": run.id, "timestamp": rfc3339(run.clock.now()), "level": "info", "stepId": step.id}
            run.records.write("event", {"type": "step.finished", "message": "nothing to do", **untied})
        return ending

    patch.around(EACH, each)


def _leave_out(patch: Patch, kind: str) -> None:
    def event(original: Any, records: Any, told: str, *rest: Any, **more: Any) -> None:
        if told != kind:
            original(records, told, *rest, **more)

    patch.around(RECORD_EVENT, event)
