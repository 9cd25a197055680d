"""What the steps of a run do: wait for what they need, run once or for each item, retry, and say how they ended."""

from collections.abc import Awaitable
from functools import partial
from uuid import uuid4

from callproof_reference.attempts import attempt, refused
from callproof_reference.errors import Failure, never_ran
from callproof_reference.jsontext import Object, as_object, unfit
from callproof_reference.plan import Loop, Step
from callproof_reference.references import resolve
from callproof_reference.run import Ending, Run, Subject
from callproof_reference.turns import Promise, Slots, first, kept


async def carry_out(run: Run) -> None:
    """A run from its first record to its last, which always comes (DEP-12)."""
    await run.begin()
    for step in run.plan.steps:
        run.outcomes[step.id] = run.clock.spawn(_ended(run, Subject(step), _performed(run, step)))
    outcomes = [await outcome for outcome in run.outcomes.values()]
    run.finish(all(outcome.ok for outcome in outcomes))


async def _ended(run: Run, subject: Subject, work: Awaitable[Ending]) -> Ending:
    """What the work on a step or an item comes to, whatever happens inside the executor (DEP-15)."""
    try:
        return await work
    except Exception as flaw:  # noqa: BLE001 - what breaks us still ends, and so does the run
        ending = refused(run, subject, never_ran(flaw))
        run.records.result(subject.fresh(), ending)
        _on_error(run, subject.step)
        return ending


async def _performed(run: Run, step: Step) -> Ending:
    failed = [name for name in step.needs if not (await run.outcomes[name]).ok]  # DEP-01, REF-02, REF-22
    if failed:
        return _skip(run, Subject(step), f"skipped, since {', '.join(failed)} did not end ok", "dependency")  # DEP-02
    if run.halted.kept:
        return _stopped(run, Subject(step))
    return await (_each(run, step, step.loop) if step.loop else _logical_call(run, Subject(step)))


async def _each(run: Run, step: Step, loop: Loop) -> Ending:
    """One logical call for each item, in index order, a few at a time (LOOP-01 to LOOP-13, REF-20)."""
    items = resolve(loop.source.text, step.bindings, lambda reference: run.root_value(reference, None))
    if not isinstance(items, list):
        raise Failure("VALIDATION_ERROR", f"{loop.source.text} is not an array", "foreach_source")  # REF-26
    if not items:
        skipped = _skip(run, Subject(step), "empty: the source has no items", "empty")
        return skipped._replace(status="ok", data=[])  # for those that depend on it (A32, A81)
    loop_id, gate = str(uuid4()), Slots(loop.concurrency)
    endings: list[Promise[Ending]] = []
    for index, value in enumerate(items):  # `items` is our own copy: the source is fixed here (LOOP-07)
        subject = Subject(step, {"index": index, "itemName": loop.item, "itemValue": value}, loop_id)
        turn = gate.ask()
        await first(turn, run.halted)
        if run.halted.kept:
            endings.append(kept(_stopped(run, subject)))
        else:
            endings.append(run.clock.spawn(_ended(run, subject, _logical_call(run, subject))))
            endings[-1].when_kept(partial(gate.leave, turn))
    finished = [await ending for ending in endings]
    status, now = "ok" if all(ending.ok for ending in finished) else "error", run.clock.now()
    return Ending(status, now, now, "", [ending.data for ending in finished])


async def _logical_call(run: Run, subject: Subject) -> Ending:
    """Attempts until one ends well or no other is due; then onError (RETRY-01 to RETRY-19, DEP-06)."""
    step, number = subject.step, 0
    args = _resolved(run, subject)  # the same for all attempts (RETRY-09, HASH-07)
    while True:
        number += 1
        call = subject.fresh(number)
        ending = await attempt(run, call, args)
        again = _retry_due(run, step, args, number, ending)
        run.records.result(call, ending, retry_due=again)
        if again:
            await first(run.clock.after(step.backoff_ms), run.halted)  # holds no slot (RETRY-18)
        if not again or run.halted.kept:  # RETRY-07
            break
    if not ending.ok:
        _on_error(run, step)
    return ending


def _resolved(run: Run, subject: Subject) -> Object:
    step = subject.step
    args = resolve(step.args, step.bindings, lambda reference: run.root_value(reference, subject.iteration))
    if flaw := unfit(args):
        raise Failure("VALIDATION_ERROR", f"the resolved value {flaw[1]}", "too_big")
    return as_object(args)


def _retry_due(run: Run, step: Step, args: Object, number: int, ending: Ending) -> bool:
    if run.halted.kept or number >= step.attempts or ending.error is None or ending.status == "cancelled":
        return False
    code, retryable = ending.error["code"], ending.error.get("retryable")
    if code in ("VALIDATION_ERROR", "POLICY_DENIED"):
        return False  # RETRY-06
    if retryable is not None:
        return bool(retryable)  # RETRY-04
    guards = ("expectedEtag" in args, args.get("ifNotExists") is True, args.get("collisionStrategy") == "error")
    unguarded = step.tool.risk_level != "read-only" and not any(guards)
    if code == "TIMEOUT" and ending.effects is None and not step.retry_is_own and unguarded:
        return False  # RETRY-15: nobody knows what it wrote, and only the plan's defaults speak of retries
    return code not in ("NOT_FOUND", "CONFLICT")  # A5, A46, A66


def _on_error(run: Run, step: Step) -> None:
    if step.on_error != "skip":
        run.halted.keep(f"{step.id} failed")  # A33: stop, and retry once that is used up


def _stopped(run: Run, subject: Subject) -> Ending:
    return _skip(run, subject, "skipped, since the run was stopped before", run.halted.value)  # A73


def _skip(run: Run, subject: Subject, message: str, reason: str) -> Ending:
    now = run.clock.now()
    ending = Ending("skipped", now, now, message)
    run.records.result(subject.fresh(), ending, reason=reason)
    return ending
