"""Faults that show in a single place, so that each breaks one law alone."""

from __future__ import annotations

import json
from typing import Any

from callproof_reference import steps, turns
from callproof_reference.run import Ending

from miniatures.executors.at_scale import follow_lists
from miniatures.executors.traces import composed
from miniatures.miniature import miniature
from miniatures.points import FINISH, HOOKED, INVOKED, LOGICAL_CALL, OUTPUT, RECORD_RESULT, Patch, Record
from miniatures.variations import claim_without, without_events


@miniature("made-up-and-no-event-tells", breaks="CALL-20", seen_in="SC-01")
def _(patch: Patch) -> None:
    """In a log without events, calls of witness.echo are recorded as ok, with an answer that nobody gave."""

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        if subject.step.tool.name == "witness.echo":
            return turns.Promise[Any]().keep(steps.Answer(args))
        return original(run, subject, args, started)

    without_events(patch)
    patch.around(INVOKED, invoked)


@miniature("a-code-of-its-own-for-rubbish", breaks="RES-22", seen_in="SC-13")
def _(patch: Patch) -> None:
    """A call whose output JSON cannot hold ends with a code that only this executor uses."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if problem is not None and problem.get("details", {}).get("reason") == "unserialisable":
            problem = {"code": "NOT_SERIALISABLE", "message": problem["message"]}
        return problem, data

    patch.around(OUTPUT, judged)


@miniature("asks-the-hook-and-does-not-listen", breaks="POL-17", seen_in="SC-15")
def _(patch: Patch) -> None:
    """A call goes out with the arguments of the plan, and not with those that its hook gave."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, _, _ = await original(run, subject, args)
        return refusal, args, {}

    patch.around(HOOKED, hooked)


@miniature("stopped-when-all-is-over", breaks="CANC-10")
def _(patch: Patch) -> None:
    """When a run has ended ok, its first tool is told to stop, although it ended long ago."""
    first: dict[str, Any] = {}

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        first.setdefault(run.id, subject)
        return original(run, subject, args, started)

    def finish(original: Any, run: Any, ok: bool) -> None:
        original(run, ok)
        subject = first.get(run.id)
        if run.status == "ok" and subject is not None and not subject.step.tool.own:
            run.host.tell("tool/abort", run.about(subject, reason="cancelled"))

    patch.around(INVOKED, invoked)
    patch.around(FINISH, finish)


@miniature("an-item-between-others-passed-over", breaks="LOOP-01")
def _(patch: Patch) -> None:
    """The second item of a loop is never called if it is not the last and no other item equals it."""

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        if subject.iteration is not None and subject.iteration["index"] == 1 and _between_others(run, subject):
            return Ending("ok", run.clock.now(), run.clock.now(), "Nothing to do.", {})
        return await original(run, subject)

    patch.around(LOGICAL_CALL, logical_call)


def _between_others(run: Any, subject: Any) -> bool:
    """Whether the source of a loop has more than two items, and no other one equals this."""
    outcome: Any = run.outcomes.get(subject.step.loop.name)
    data: Any = outcome.value.data if outcome is not None else []
    items: Any = data if isinstance(data, list) else data.get("items", [])
    return len(items) > 2 and items.count(subject.iteration["itemValue"]) == 1


@miniature("knocks-twice-where-it-may-try-again", breaks="DEP-07")
def _(patch: Patch) -> None:
    """A call that is done in time and has attempts left enters its tool once more under the same call id."""

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer = original(run, subject, args, started)

        def again() -> None:
            if answer.value.error is None and subject.call_id in run.open and not run.confirmed:
                original(run, subject, args, started)

        if subject.attempt < subject.step.attempts:
            answer.when_kept(again)
        return answer

    patch.around(INVOKED, invoked)


@miniature("the-last-word-in-composed-letters", breaks="LOG-12", seen_in="SC-01/exact")
def _(patch: Patch) -> None:
    """Data that no later step refers to is recorded in another Unicode form."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        plan = json.dumps(records._run.plan.source)
        captured = subject.step.id in records._run.plan.captures.values()
        if ending.ok and f"$steps.{subject.step.id}" not in plan and not captured:
            ending = ending._replace(data=composed(ending.data))
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("follows-a-list-that-the-log-keeps-secret", breaks="LOOP-07")
def _(patch: Patch) -> None:
    """A loop also runs over items that are added to its list while it runs; the log holds the list as redacted."""

    def change(record: Record) -> None:
        if isinstance(record.get("data", {}).get("items"), list):
            record["data"]["items"] = []
            record["redacted"] = ["/data/items"]

    follow_lists(patch)
    patch.record("result", change)


@miniature("the-dead-answer-first", breaks="RETRY-14", seen_in="SC-09/late-in-between")
def _(patch: Patch) -> None:
    """If calls run one at a time, a tool's late answer to an attempt that ran out of time closes the next attempt."""
    asked: dict[tuple[str, str, int], Any] = {}

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer, step = original(run, subject, args, started), subject.step
        before: Any = asked.get((run.id, step.id, subject.attempt - 1))

        def close() -> None:
            if before.value.error is None and before.value.effects is None:
                answer.keep(before.value)

        if before is not None:
            before.when_kept(close)
        if step.loop is None:
            asked[run.id, step.id, subject.attempt] = answer
        return answer

    claim_without(patch, "concurrency")
    patch.around(INVOKED, invoked)


@miniature("asks-the-hook-once-a-step", breaks="RETRY-16", seen_in="SC-15")
def _(patch: Patch) -> None:
    """A hook's answer for the first attempt of a call holds for all its attempts, unless it gave other arguments."""
    said: dict[tuple[str, str, int], Any] = {}

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        place = run.id, subject.step.id, -1 if subject.iteration is None else subject.iteration["index"]
        if place in said:
            return said[place]
        told = await original(run, subject, args)
        if not told[2]:  # POL-17 is about what a hook changes
            said[place] = told
        return told

    patch.around(HOOKED, hooked)
