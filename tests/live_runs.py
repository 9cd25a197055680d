"""Live runs made from base runs: invocations, aborts, acts of the suite, and folders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Abort, Act, ActKind, Answer, AnswerKind, Deed, Entry, World
from callproof.values.jsontext import Json
from edited_runs import live


def arriving(run: Run, gap: int = 100) -> Run:
    """The run with an arrival for every record: events at 100, 200 and so on, each result before its closing event."""
    at = {event.source: (place + 1) * gap for place, event in enumerate(run.events or ())}
    ends = {
        event.call_id: at[event.source]
        for event in run.events or ()
        if event.text("type") in ("step.finished", "step.failed")
    }
    starts = {event.call_id: at[event.source] for event in run.events or () if event.text("type") == "step.started"}
    return replace(
        run,
        calls=tuple(replace(each, arrival=starts.get(each.call_id, gap) - 20) for each in run.calls),
        results=tuple(replace(each, arrival=ends.get(each.call_id, gap) - 10) for each in run.results),
        events=tuple(replace(each, arrival=at[each.source]) for each in run.events or ()),
    )


def start_of(run: Run, call: Record) -> int:
    """The arrival of a call's step.started."""
    events = (each for each in run.events or () if each.call_id == call.call_id and each.text("type") == "step.started")
    return next((each.arrival or 0 for each in events), 0)


def invoked(run: Run, *, at_ms: Callable[[int], float] = lambda place: place * 10_000.0) -> tuple[Deed, ...]:
    """One invocation for each started call, answered with the data or the error of its result after a second."""
    deeds: list[Deed] = []
    for place, call in enumerate(run.calls):
        result = next((each for each in run.results if each.call_id == call.call_id), None)
        arrival = start_of(run, call)
        if not arrival:
            continue
        answer = None if result is None else _answer(result, at_ms(place) + 1_000, arrival + 5)
        deeds.append(
            Deed(call.call_id or "", call.text("tool") or "", call.get("args"), at_ms(place), arrival + 1, answer)
        )
    return tuple(deeds)


def _answer(result: Record, at_ms: float, arrival: int) -> Answer | None:
    effects, data = result.object("effects"), result.get("data")
    if result.text("status") == "ok":
        return Answer(AnswerKind.OUTPUT, data, None, effects, at_ms, arrival)
    if result.text("status") == "error":
        return Answer(AnswerKind.FAILURE, None, result.object("error"), effects, at_ms, arrival)
    return None


def changed(deeds: tuple[Deed, ...], call_id: str, change: Callable[[Deed], Deed]) -> tuple[Deed, ...]:
    """The deeds with those of one call changed."""
    return tuple(change(each) if each.call_id == call_id else each for each in deeds)


def aborted(reason: str, after_ms: float, arrival: int) -> Callable[[Deed], Deed]:
    """A change that adds an abort to an invocation."""
    return lambda deed: replace(deed, aborts=(Abort(reason, deed.at_ms + after_ms, arrival),))


def act(kind: ActKind, arrival: int, confirmation_id: str | None = None) -> Act:
    """One act of the suite."""
    return Act(kind, 0.0, arrival, confirmation_id)


def witnessed(
    run: Run,
    deeds: tuple[Deed, ...] = (),
    acts: tuple[Act, ...] = (),
    world: World | None = None,
    policy: Json = None,
) -> Run:
    """A live run with these witnesses; it ended at arrival 100 000."""
    made = live(run, deeds)
    assert made.witnessed is not None
    given = made.witnessed.given if policy is None else replace(made.witnessed.given, policy=policy)
    return replace(
        made, witnessed=replace(made.witnessed, given=given, acts=acts, world=world, finished_arrival=100_000)
    )


def folder(**files: str) -> dict[str, Entry]:
    """A folder of files by path (two underscores stand for a slash, one before the suffix for a dot) and content."""
    return {_path(name): Entry("file", content, place) for place, (name, content) in enumerate(sorted(files.items()))}


def _path(name: str) -> str:
    return f"{name.replace('__', '/').removesuffix('_md')}.md" if name.endswith("_md") else name.replace("__", "/")


def world(before: dict[str, Entry], after: dict[str, Entry], trash: dict[str, Entry] | None = None) -> World:
    """A folder before and after, with what lies in the trash at the end."""
    return World(before, after, {}, trash or {})
