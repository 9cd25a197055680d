"""CANC: runs that go on after a cancellation, or claim to have stopped."""

from __future__ import annotations

from typing import Any

from callproof_reference.turns import rfc3339
from callproof_reference.values import error

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    ASK,
    ASKING_CANCEL,
    ATTEMPT,
    CANCEL,
    DISPATCHED,
    DONE,
    FINISH,
    GIVEN_UP,
    HOOKED,
    RECORD_RESULT,
    REFUSED,
    SKIP,
    Patch,
    Record,
    changed,
)


@miniature("what-is-queued-still-goes-out", breaks="CANC-01", also=("DEP-04",))
def _(patch: Patch) -> None:
    """Calls that waited for a slot are dispatched after the cancellation."""

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        return await original(run if run.cancelled.kept else _Unstoppable(run), subject, args)

    patch.around(ATTEMPT, attempt)


class _Unstoppable:
    """A run whose stop is hidden from everything that waits for it."""

    def __init__(self, run: Any) -> None:
        self._run, self.halted = run, type(run.halted)()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)


@miniature("open-calls-are-not-told", breaks="CANC-02")
def _(patch: Patch) -> None:
    """An open call ends cancelled, and its tool is never told."""

    async def given_up(original: Any, run: Any, subject: Any, answer: Any, reason: str) -> Any:
        if reason == "cancelled":
            return answer.value.effects if answer.kept else None
        return await original(run, subject, answer, reason)

    patch.around(GIVEN_UP, given_up)


@miniature("non-cancellable-cut-off", breaks="CANC-03")
def _(patch: Patch) -> None:
    """A call that cannot be cancelled is reported as cancelled while its tool works on."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        tool = changed(subject.step.tool, cancellable=True)
        return await original(run, subject._replace(step=changed(subject.step, tool=tool)), args)

    patch.around(DISPATCHED, dispatched)


@miniature("half-done-is-not-done", breaks="CANC-04", also=("EFF-10",))
def _(patch: Patch) -> None:
    """What a cancelled call had already changed is left out of its result."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        ending = ending._replace(effects=None) if ending.status == "cancelled" else ending
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("cancelled-twice", breaks="CANC-05")
def _(patch: Patch) -> None:
    """The cancellation of a run is recorded two times."""

    def cancel(original: Any, run: Any, reason: str, more: Record) -> None:
        original(run, reason, more)
        original(run, reason, more)

    patch.around(ASKING_CANCEL, cancel)


@miniature("stops-at-the-first-word-of-a-tool", breaks="CANC-05", seen_in="SC-09")
def _(patch: Patch) -> None:
    """A tool that reports progress cancels the run."""

    def done(original: Any, conversation: Any, method: str, params: Record) -> Any:
        if method == "tool/progress":
            conversation._runs[params["runId"]].cancel()
        return original(conversation, method, params)

    patch.around(DONE, done)


@miniature("cannot-be-cancelled-while-it-asks", breaks="RES-02", seen_in="SC-15")
def _(patch: Patch) -> None:
    """When a run is cancelled while a hook decides, its call ends as if the executor had broken."""

    async def hooked(original: Any, run: Any, *given: Any) -> Any:
        decided = await original(run, *given)
        if run.cancelled.kept:
            raise RuntimeError("nobody is there to decide")
        return decided

    patch.around(HOOKED, hooked)


@miniature("waits-for-an-answer-even-so", breaks="DEP-12", seen_in="SC-10")
def _(patch: Patch) -> None:
    """A run that is cancelled while it waits for a decision goes on waiting for it."""

    async def ask(original: Any, run: Any) -> None:
        await original(run)
        await run._decision

    patch.around(ASK, ask)


@miniature("cancel-changes-what-is-over", breaks="CANC-07", also=("EVT-05",))
def _(patch: Patch) -> None:
    """A cancellation after the end is recorded as if it had cancelled something."""

    def cancel(original: Any, run: Any, comment: str | None = None) -> None:
        if run.status == "running":
            original(run, comment)
        elif not run.cancelled.kept:
            run.records.event("run.cancelled", "the run is cancelled", None, {"reason": "requested"}, "warn")

    patch.around(CANCEL, cancel)


@miniature("cancelled-with-its-data", breaks="CANC-08", also=("RES-08",))
def _(patch: Patch) -> None:
    """A cancelled call has data as if it had succeeded."""

    def change(record: Record) -> None:
        if record["status"] == "cancelled":
            record["data"] = {}

    patch.record("result", change)


@miniature("works-on-after-the-end", breaks="CANC-10", also=("CALL-21",))
def _(patch: Patch) -> None:
    """When a run has ended ok, one of its tools is entered once more."""

    def finish(original: Any, run: Any, ok: bool) -> None:
        original(run, ok)
        step = run.plan.steps[0]
        if run.status == "ok" and not step.tool.own:
            run.host.ask("tool/invoke", {"runId": run.id, "callId": "late", "tool": step.tool.name, "args": {}})

    patch.around(FINISH, finish)


@miniature("waiting-took-its-time", breaks="CANC-11", also=("EVT-14",))
def _(patch: Patch) -> None:
    """A call that was cancelled before it began is recorded as having lasted a while."""

    def refused(original: Any, run: Any, subject: Any, why: Record) -> Any:
        ending = original(run, subject, why)
        return ending._replace(ended=ending.ended + 40) if ending.status == "cancelled" else ending

    patch.around(REFUSED, refused)


@miniature("deaf-while-it-asks", breaks="CANC-06", also=("CONF-02", "CONF-12"))
def _(patch: Patch) -> None:
    """A cancellation that comes while the user is being asked is taken for a yes."""

    def cancel(original: Any, run: Any, comment: str | None = None) -> None:
        if run.asking is None:
            original(run, comment)
        else:
            run.confirm(run.asking, "approved")

    patch.around(CANCEL, cancel)


@miniature("builds-what-is-left-to-withdraw-it", breaks="CANC-11", seen_in="SC-10")
def _(patch: Patch) -> None:
    """A call that was not yet built when the run was cancelled is built after all, and recorded as cancelled."""

    def skip(original: Any, run: Any, subject: Any, message: str, reason: str) -> Any:
        if not run.cancelled.kept or reason != run.halted.value or subject.step.loop:
            return original(run, subject, message, reason)
        call = subject.fresh()
        args = ARGS.now(run, call)
        created = {"createdAt": rfc3339(run.clock.now()), "confirmationId": run.confirmation_id}
        run.records.call(call, args, run.preview(call), created)
        ending = REFUSED.now(run, call, error("CANCELLED", "the run was stopped before this call", reason))
        run.records.result(call, ending)
        return ending

    patch.around(SKIP, skip)
