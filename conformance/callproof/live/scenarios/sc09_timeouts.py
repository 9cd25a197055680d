"""SC-09: tools that end under, at and over their time limit, obey the abort or do not, and what depends on them."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, fails, returns, script, silent, sleeper, stubborn
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_DONE: Json = {"done": True}
_LIMIT = 200
# Some thirty thousand years: beyond every calendar, and beyond what many timers can count.
_FAR_LIMIT = 1_000_000_000_000_000
# A call may have a deadline or not (B-13), so CALL-19 and TIME-12 are judged if there is one, but are no aims.
_TIMED_OUT = ("TIME-01", "TIME-04", "RES-12", "RES-08", "EVT-16", "EVT-09")
_DEPENDENT = step("then", "witness.note", {"value": "$steps.s1.done"})
_BESIDE = step("beside", "witness.note", {"value": "independent"})


def _timed(name: str, says: str, does: Reply | Behaviour, *aims: str, **members: Json) -> Case:
    """A step that sleeps, one that needs it, one that does not.  A member that is None is left out."""
    wanted: dict[str, Json] = {"timeoutMs": _LIMIT, "onError": "skip", **members}
    limits: dict[str, Json] = {"maxTimeoutMs": wanted.pop("limit")} if "limit" in wanted else {}
    told = {member: value for member, value in wanted.items() if value is not None}
    return Case(
        id=f"SC-09/{name}",
        says=says,
        plan=plan({**step("s1", "witness.sleep"), **told}, _DEPENDENT, _BESIDE),
        policy=policy(limits),
        tools=(
            hosted("witness.sleep", does, takes=closed(), gives=schema_of(_DONE)),
            hosted("witness.note", returns({"noted": 1}), takes=closed(value={}), gives=schema_of({"noted": 1})),
        ),
        requires=("timeout", "references"),
        provokes=(*ENVELOPE, *aims),
    )


def _over(name: str, says: str, does: Reply | Behaviour, *aims: str, **members: Json) -> Case:
    return _timed(name, says, does, *FAILURE, *_TIMED_OUT, "TIME-11", "DEP-02", "DEP-05", "REF-02", *aims, **members)


def _virtual(case: Case) -> Case:
    """The case on the virtual clock only: on real time its outcome would depend on milliseconds."""
    return replace(case, requires=(*case.requires, "virtualClock"))


def _sibling() -> Case:
    """Two sleepers at once, one of which runs past its limit."""
    case = _over("sibling", "A call goes on while another call times out", silent(), "EVT-21")
    late = {**step("s1", "witness.sleep"), "timeoutMs": _LIMIT, "onError": "skip"}
    slow = hosted("witness.slow", sleeper(400, _DONE), takes=closed(), gives=schema_of(_DONE))
    return replace(
        case,
        plan=plan(late, step("slow", "witness.slow"), _DEPENDENT),
        policy=policy({"maxConcurrency": 2}),
        tools=(*case.tools, slow),
        requires=(*case.requires, "concurrency"),
    )


def _queued() -> Case:
    """Three calls of 150 ms under a limit of 200 ms, one after the other: none of them is late."""
    done = schema_of(_DONE)
    return Case(
        id="SC-09/queued",
        says="Waiting for a turn does not count against the limit",
        plan=plan(*({**step(f"s{n}", "witness.sleep"), "timeoutMs": _LIMIT} for n in (1, 2, 3))),
        policy=policy(),
        tools=(hosted("witness.sleep", sleeper(150, _DONE), takes=closed(), gives=done),),
        requires=("timeout", "virtualClock"),
        provokes=(*ENVELOPE, "TIME-02", "TIME-03"),
    )


def _late_in_between() -> Case:
    """The first attempt answers late, while the second one is at work; no step reads the output."""
    case = _timed(
        "late-in-between",
        "The first attempt answers late, while the second one is still at work",
        script(stubborn(350, {"done": False}), returns(_DONE, after_ms=150)),
        *("RES-20", "RETRY-14"),
    )
    slow = {**step("s1", "witness.sleep"), "timeoutMs": _LIMIT, "retry": {"maxAttempts": 2, "backoffMs": 0}}
    return replace(case, plan=plan(slow, _BESIDE), requires=("retry", "timeout"))


def _late_after_any_grace() -> Case:
    """
    The same, with an answer that comes after the longest grace, 1000 ms, from which a system takes its effects (A58).

    With or without a grace, the second attempt is at work when it comes: from 2000 or 3000 ms on, for 1500 ms.
    """
    case = _timed(
        "late-after-any-grace",
        "The first attempt answers after every grace, while the second one is still at work",
        script(stubborn(3200, {"done": False}), returns(_DONE, after_ms=1500)),
        *("RES-20", "RETRY-14"),
    )
    slow = {**step("s1", "witness.sleep"), "timeoutMs": 2000, "retry": {"maxAttempts": 2, "backoffMs": 0}}
    return replace(case, plan=plan(slow, _BESIDE), requires=("retry", "timeout", "virtualClock"))


def _talkative() -> Case:
    """The call is closed and the run goes on, but its tool still reports progress, for longer than any grace (A58)."""
    talks = replace(stubborn(1450, _DONE), progress_ms=(50, 150, 350, 700, 1300))
    case = _over("talkative", "The tool reports progress before and after its abort", talks, "RES-20", "EVT-12")
    slow = hosted("witness.slow", sleeper(1500, _DONE), takes=closed(), gives=schema_of(_DONE))
    late = {**step("s1", "witness.sleep"), "timeoutMs": _LIMIT, "onError": "skip"}
    return replace(case, plan=plan(late, step("slow", "witness.slow"), _DEPENDENT), tools=(*case.tools, slow))


def _second_hangs() -> Case:
    """The second of two attempts hangs: under the limit of its step, and under the policy's, which lowers it."""
    hangs = script(fails("INTERNAL_ERROR", True, after_ms=50), sleeper(3000, _DONE))
    case = _over("second-hangs", "The first attempt fails in time, and the second one hangs", hangs, "TIME-10")
    retry: Json = {"maxAttempts": 2, "backoffMs": 50}
    first = step("s1", "witness.sleep", onError="skip", timeoutMs=_LIMIT, retry=retry)
    second = step("s2", "witness.more", onError="skip", timeoutMs=2000, retry=retry)
    more = hosted("witness.more", hangs, takes=closed(), gives=schema_of(_DONE))
    return replace(
        case,
        plan=plan(first, second, _DEPENDENT, _BESIDE),
        policy=policy({"maxTimeoutMs": 300}),
        tools=(*case.tools, more),
        requires=(*case.requires, "retry"),
    )


def _long() -> Case:
    """Calls that last up to some seconds, and end at different fractions of a second."""
    lasts = (50, 950, 1050, 2950)
    case = _timed("long", "Calls that last less than a second and several seconds", returns(_DONE), "TIME-02")
    works = [hosted(f"witness.for-{ms}", sleeper(ms, _DONE), takes=closed(), gives=schema_of(_DONE)) for ms in lasts]
    return replace(
        case,
        plan=plan(*(step(f"s{ms}", f"witness.for-{ms}", timeoutMs=5000) for ms in lasts)),
        tools=tuple(works),
        requires=("timeout", "virtualClock"),
    )


_FIRST_SILENT = script(silent(), returns(_DONE))

SCENARIO = Scenario(
    "SC-09",
    "Tools under, at and over their time limit",
    (
        _timed("under", "The tool ends in time", sleeper(100, _DONE), "TIME-02", "CALL-18"),
        _timed("far", "The limit is far beyond any calendar", sleeper(100, _DONE), "TIME-02", timeoutMs=_FAR_LIMIT),
        _virtual(_timed("just-under", "The tool ends just before its limit", sleeper(_LIMIT - 50, _DONE), "TIME-02")),
        _virtual(_timed("at", "The tool ends exactly at its limit", sleeper(_LIMIT, _DONE))),
        _virtual(_over("over", "The tool would end just after its limit", sleeper(_LIMIT + 50, _DONE))),
        _over("far-over", "The tool would take far too long and obeys the abort", sleeper(3000, _DONE)),
        _over("stubborn", "The tool ignores the abort and answers late", stubborn(400, _DONE), "RES-20"),
        _talkative(),
        _over("silent", "The tool never answers", silent(), "DEP-12"),
        _over("stop", "The step that times out stops the run", silent(), "DEP-04", "RES-11", onError="stop"),
        _over(
            "retried",
            "The second attempt ends while the first still works, and the first answers afterwards",
            script(stubborn(450, {"done": False}), returns(_DONE)),
            *("RES-20", "RETRY-14", "RETRY-08", "RETRY-13"),
            retry={"maxAttempts": 2, "backoffMs": 0},
        ),
        _late_in_between(),
        _late_after_any_grace(),
        _virtual(_over("clamped", "The policy's limit is lower", sleeper(150, _DONE), "TIME-10", limit=100)),
        _virtual(_timed("not-clamped", "The policy's limit is higher", sleeper(100, _DONE), "TIME-10", limit=1000)),
        _over("policy-only", "Only the policy has a limit", silent(), "TIME-10", timeoutMs=None, limit=100),
        _sibling(),
        _queued(),
        _second_hangs(),
        _virtual(
            _timed(
                "first-fails-late",
                "The second attempt ends when the limit of the first would have passed",
                script(fails("INTERNAL_ERROR", True, after_ms=150), returns(_DONE, after_ms=150)),
                *("TIME-02", "RETRY-13"),
                retry={"maxAttempts": 2, "backoffMs": 0},
            )
        ),
        _long(),
        _over(
            "used-up",
            "Every attempt times out",
            silent(),
            *("RETRY-01", "RETRY-03", "RETRY-11", "RETRY-13", "EVT-14"),
            retry={"maxAttempts": 3, "backoffMs": 50},
        ),
        _over(
            "then-works", "A timeout is retried", _FIRST_SILENT, "RETRY-11", retry={"maxAttempts": 2, "backoffMs": 0}
        ),
    ),
    spared=("RES-13", "DEP-02", "RETRY-11"),
)
