"""SC-10: a cancel in every phase of a run: unconfirmed, with calls waiting, open, backing off, ending, and ended."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, fails, returns, script, sleeper, stubborn
from callproof.live.case import Case, Cue, Move, Scenario
from callproof.live.scenarios.aims import ENVELOPE, EVENTS, FAILURE, LOG, RESULTS, SCHEDULE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_DONE: Json = {"done": True}
_CANCELLED = ("CANC-01", "CANC-05", "CANC-10", "EVT-04", "EVT-05", "EVT-18", "DEP-08")
_TOOL = "witness.work"
_STEPS = (step("s1", _TOOL), step("s2", _TOOL), step("s3", _TOOL, dependsOn=["s1"]))


def _cancelled(
    name: str, says: str, does: Reply | Behaviour, *moves: Move, aims: tuple[str, ...] = (), cancellable: bool = True
) -> Case:
    return Case(
        id=f"SC-10/{name}",
        says=says,
        plan=plan(*_STEPS),
        policy=policy(),
        tools=(hosted(_TOOL, does, takes=closed(), gives=schema_of(_DONE), cancellable=cancellable),),
        timeline=moves,
        requires=("cancellation",),
        provokes=(*ENVELOPE, *FAILURE, *_CANCELLED, *aims),
    )


def _cancel(cue: Cue, after_ms: int = 0, *, tool: str = _TOOL, count: int = 1, first: bool = False) -> Move:
    aimed = tool if cue in {Cue.INVOCATION, Cue.ANSWER} else ""
    return Move(ActKind.CANCEL, cue, after_ms, tool=aimed, count=count, first=first)


def _with_plan(case: Case, *steps: Object, **limits: Json) -> Case:
    return replace(case, plan=plan(*steps), policy=policy(limits))


def _before_confirmation() -> Case:
    case = _cancelled(
        "unconfirmed", "Cancelled before the user confirms", returns(_DONE), _cancel(Cue.CONFIRMATION, 100)
    )
    later = Move(ActKind.APPROVE, Cue.CONFIRMATION, 200)
    return replace(
        case,
        policy=policy(confirm=True),
        timeline=(*case.timeline, later),
        requires=("cancellation", "confirmation"),
        provokes=(*RESULTS, *EVENTS, *LOG, *SCHEDULE, *_CANCELLED, "CANC-06", "CONF-08", "CONF-12", "RES-11", "LOG-23"),
    )


def _never_confirmed() -> Case:
    """No decision comes, neither before the cancellation nor after it: the run still has to end."""
    case = _before_confirmation()
    says = "Cancelled while it waits for a decision that never comes"
    aims = (*case.provokes, "DEP-12")
    return replace(case, id="SC-10/never-confirmed", says=says, timeline=case.timeline[:1], provokes=aims)


_STUBBORN = ("CANC-02", "RES-20")
_RETRY: Json = {"maxAttempts": 3, "backoffMs": 500}
_LOOP: Object = {
    **step("each", "witness.each", {"value": "{item}"}),
    "foreach": {"from": "$steps.s1.items", "itemName": "item"},
}
_ITEMS: Json = {"items": [1, 2, 3]}


def _in_a_loop() -> Case:
    case = _cancelled("loop", "Cancelled in the second iteration of three", sleeper(300, {}))
    return replace(
        case,
        plan=plan(step("s1", "witness.items"), _LOOP),
        tools=(
            hosted("witness.items", returns(_ITEMS), takes=closed(), gives=schema_of(_ITEMS)),
            hosted("witness.each", sleeper(300, {}), takes=closed(value={}), gives=closed()),
        ),
        timeline=(_cancel(Cue.INVOCATION, 100, tool="witness.each", count=2),),
        requires=("cancellation", "foreach", "references"),
        provokes=(*case.provokes, "CANC-02", "RES-11", "RES-19", "LOOP-02"),
    )


def _loop_that_cannot_be_aborted() -> Case:
    """The open iteration fails long after the cancellation: no other attempt of it and no other iteration follows."""
    fails_late = fails("INTERNAL_ERROR", retryable=True, after_ms=300)
    case = _in_a_loop()
    each = hosted("witness.each", fails_late, takes=closed(value={}), gives=closed(), cancellable=False)
    moves = (_cancel(Cue.INVOCATION, ms, tool="witness.each") for ms in (100, 200))
    return replace(
        case,
        id="SC-10/loop-not-cancellable",
        says="Cancelled twice during an iteration that cannot be aborted and fails in the end",
        plan=plan(step("s1", "witness.items"), {**_LOOP, "retry": {"maxAttempts": 3, "backoffMs": 0}}),
        tools=(case.tools[0], each),
        timeline=tuple(moves),
        requires=(*case.requires, "retry"),
        provokes=(*ENVELOPE, *FAILURE, *_CANCELLED, "CANC-03", "CANC-07", "RETRY-07", "RES-11", "LOOP-02"),
    )


def _runs_out_of_time() -> Case:
    """A call cannot be aborted, but its time limit still ends it after the run is cancelled."""
    case = _cancelled(
        "not-cancellable-late",
        "The open call cannot be aborted and times out after the cancel",
        stubborn(2500, _DONE),
        _cancel(Cue.INVOCATION, 100),
        aims=("CANC-03", "CALL-09", "TIME-01", "RES-12"),
        cancellable=False,
    )
    slow = plan({**_STEPS[0], "timeoutMs": 300}, *_STEPS[1:])
    return replace(case, plan=slow, requires=("cancellation", "timeout", "virtualClock"))


def _waits_past_its_limit() -> Case:
    """Cancelled when a call has waited for its turn for longer than its limit and the grace together."""
    case = _cancelled(
        "waits-past-its-limit",
        "Cancelled when a call has waited for its turn much longer than its time limit",
        sleeper(3000, _DONE),
        _cancel(Cue.INVOCATION, 2500),
        aims=("CANC-02", "CANC-11", "TIME-02"),
    )
    steps = plan(_STEPS[0], {**_STEPS[1], "timeoutMs": 300})
    return replace(case, plan=steps, requires=("cancellation", "timeout"))


def _talkative() -> Case:
    """
    A tool that was told to stop goes on reporting progress, while another call keeps the run from its end.

    Both go on longer than most systems wait for a tool that they aborted (A58), but no longer than a cancellation may.
    """
    talks = replace(stubborn(950, _DONE), progress_ms=(50, 150, 250, 700, 900))
    case = _cancelled(
        "talkative",
        "A call ignores its abort and reports progress while another runs to its end",
        talks,
        _cancel(Cue.INVOCATION, 100, tool="witness.slow"),
        aims=(*_STUBBORN, "CANC-03", "EVT-12"),
    )
    slow = hosted("witness.slow", sleeper(1000, _DONE), takes=closed(), gives=schema_of(_DONE), cancellable=False)
    return replace(
        case,
        plan=plan(step("s1", _TOOL), step("slow", "witness.slow")),
        policy=policy({"maxConcurrency": 2}),
        tools=(*case.tools, slow),
        requires=("cancellation", "concurrency"),
    )


SCENARIO = Scenario(
    "SC-10",
    "A cancel in every phase of a run",
    (
        _before_confirmation(),
        _never_confirmed(),
        _cancelled("at-start", "Cancelled as soon as it was accepted", sleeper(200, _DONE), _cancel(Cue.START)),
        _cancelled(
            "in-flight",
            "Cancelled during a call that can be aborted",
            sleeper(300, _DONE),
            _cancel(Cue.INVOCATION, 100),
            aims=("CANC-02", "CALL-09", "RES-12", "RES-11", "RES-19"),
        ),
        _cancelled(
            "stubborn",
            "The open call ignores its abort and answers afterwards",
            stubborn(300, _DONE),
            _cancel(Cue.INVOCATION, 100),
            aims=_STUBBORN,
        ),
        _cancelled(
            "not-cancellable",
            "The open call cannot be aborted: it runs to its end",
            sleeper(300, _DONE),
            _cancel(Cue.INVOCATION, 100),
            aims=("CANC-03", "CALL-09", "CANC-11"),
            cancellable=False,
        ),
        _with_plan(
            _cancelled(
                "queue",
                "Cancelled while two calls are open and two wait for a turn",
                sleeper(300, _DONE),
                _cancel(Cue.INVOCATION, 100, count=2),
                aims=("CANC-02", "CANC-11", "RES-12"),
            ),
            *(step(f"s{n}", _TOOL) for n in (1, 2, 3, 4)),
            maxConcurrency=2,
        ),
        _with_plan(
            _cancelled(
                "backoff",
                "Cancelled between two attempts",
                script(fails("INTERNAL_ERROR", True)),
                _cancel(Cue.ANSWER, 200),
                aims=("RETRY-07", "CANC-01"),
            ),
            step("s1", _TOOL, retry=_RETRY),
            step("s2", _TOOL, dependsOn=["s1"]),
        ),
        _cancelled(
            "race-cancel-first",
            "The cancel is sent at the instant of the answer, just before it",
            sleeper(200, _DONE),
            _cancel(Cue.INVOCATION, 200, first=True),
            aims=("CANC-08",),
        ),
        _cancelled(
            "race-answer-first",
            "The cancel is sent at the instant of the answer, just after it",
            sleeper(200, _DONE),
            _cancel(Cue.INVOCATION, 200),
            aims=("CANC-08",),
        ),
        _cancelled(
            "twice",
            "Cancelled twice",
            sleeper(300, _DONE),
            _cancel(Cue.INVOCATION, 100),
            _cancel(Cue.INVOCATION, 100),
            _cancel(Cue.INVOCATION, 150),
            aims=("CANC-02", "CANC-07"),
        ),
        _cancelled(
            "after-end", "Cancelled after the run has ended", returns(_DONE), _cancel(Cue.FINISH, 50), aims=("CANC-07",)
        ),
        _with_plan(
            _cancelled(
                "second-attempt",
                "Cancelled while a second attempt is open",
                script(fails("INTERNAL_ERROR", True), sleeper(300, _DONE)),
                _cancel(Cue.INVOCATION, 100, count=2),
                aims=("CANC-02", "RETRY-07"),
            ),
            step("s1", _TOOL, retry={"maxAttempts": 3, "backoffMs": 0}),
            step("s2", _TOOL, dependsOn=["s1"]),
        ),
        _with_plan(
            _cancelled(
                "last-cannot-be-aborted",
                "Cancelled during the last call, which cannot be aborted and succeeds",
                sleeper(300, _DONE),
                _cancel(Cue.INVOCATION, 100),
                aims=("CANC-03",),
                cancellable=False,
            ),
            step("s1", _TOOL),
        ),
        _in_a_loop(),
        _loop_that_cannot_be_aborted(),
        _runs_out_of_time(),
        _waits_past_its_limit(),
        _talkative(),
    ),
    spared=("RETRY-07",),
)
