"""SC-07: tools that fail one to four times, under every pair of limits, with all they may say about retrying."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from callproof.live.behaviours import Behaviour, Reply, breaks, fails, flaky, returns, script, silent
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, TROUBLE
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_RETRIES = ("RETRY-01", "RETRY-02", "RETRY-03", "RETRY-10", "RES-16", "ERR-08")
_DONE: Json = {"done": True}
_CODES = (
    *("INTERNAL_ERROR", "NOT_FOUND", "CONFLICT", "PRECONDITION_FAILED", "VALIDATION_ERROR", "POLICY_DENIED"),
    "QUOTA_EXCEEDED",
)
_WORDS = {"true": True, "false": False, "absent": None}  # what a tool says about retrying


def _case(
    name: str, says: str, does: Behaviour | Reply, *aims: str, requires: tuple[str, ...] = ("retry",), **members: Json
) -> Case:
    tool = hosted("witness.flaky", does, takes=closed(), gives=schema_of(_DONE))
    limits: dict[str, Json] = {"maxAttempts": members.pop("limit")} if "limit" in members else {}
    return Case(
        id=f"SC-07/{name}",
        says=says,
        plan=plan({**step("s1", "witness.flaky"), **members}),
        policy=policy(limits),
        tools=(tool,),
        requires=requires,
        provokes=(*TROUBLE, *_RETRIES, *aims),
    )


def _grid(failures: int, wanted: int, allowed: int) -> Case:
    """One step for each thing that the tool may say about retrying; the outcome of one does not affect the others."""
    limit = min(wanted, allowed)
    retries = ("RETRY-11", "RETRY-09", "RETRY-16", "RETRY-18", "HASH-02", "HASH-07", "RETRY-08", "CALL-02")
    aims = (
        "RETRY-04",
        *(retries if limit > 1 else ()),
        *(("RETRY-05",) if failures < limit else ()),
        *(("RETRY-17",) if allowed < wanted else ()),
    )
    tools = {
        word: hosted(
            f"witness.flaky-{word}",
            flaky(failures, "INTERNAL_ERROR", said, _DONE),
            takes=closed(),
            gives=schema_of(_DONE),
        )
        for word, said in _WORDS.items()
    }
    how: dict[str, Json] = {"retry": {"maxAttempts": wanted, "backoffMs": 0}, "onError": "skip"}
    return Case(
        id=f"SC-07/fails{failures}-plan{wanted}-policy{allowed}",
        says=f"Failures: {failures}, with retryable true, false or absent; attempts: the plan wants {wanted}, the "
        f"policy allows {allowed}",
        plan=plan(*({**step(f"s-{word}", tool.name), **how} for word, tool in tools.items())),
        policy=policy({"maxAttempts": allowed}),
        tools=tuple(tools.values()),
        requires=("retry",),
        provokes=(*TROUBLE, *_RETRIES, *aims),
    )


def _every_code(name: str, says: str, *before: Reply) -> Case:
    """A step for each code with each word about retrying; its tool fails so once, at once or after ``before``."""
    tools = {
        f"s-{code.lower()}-{word}": hosted(
            f"witness.{code.lower()}-{word}",
            script(*before, fails(code, said), returns(_DONE)),
            takes=closed(),
            gives=schema_of(_DONE),
        )
        for code in _CODES
        for word, said in _WORDS.items()
    }
    how: dict[str, Json] = {"retry": {"maxAttempts": 4, "backoffMs": 0}, "onError": "skip"}
    return Case(
        id=f"SC-07/{name}",
        says=says,
        plan=plan(*({**step(step_id, tool.name), **how} for step_id, tool in tools.items())),
        policy=policy(),
        tools=tuple(tools.values()),
        requires=("retry",),
        provokes=(*TROUBLE, *_RETRIES, "RETRY-04", "RETRY-05", "RETRY-06", "RETRY-11"),
    )


def _ten_attempts() -> Case:
    """As many attempts as a plan may ask for: one tool works at the last of them, the other one never."""
    case = _case("ten-attempts", "Ten attempts: one tool works at the last, another never", returns(_DONE), "RETRY-11")
    often: Json = {"maxAttempts": 10, "backoffMs": 0}
    last = hosted("witness.last", flaky(9, "INTERNAL_ERROR", True, _DONE), takes=closed(), gives=schema_of(_DONE))
    never = hosted("witness.never", fails("INTERNAL_ERROR", None), takes=closed(), gives=schema_of(_DONE))
    return replace(
        case,
        plan=plan(*(step(each.name[8:], each.name, retry=often, onError="skip") for each in (last, never))),
        tools=(last, never),
    )


def _unknown_limit() -> Case:
    case = _case("unknown-limit", "The policy has an unknown limit", returns(_DONE))
    limits: dict[str, Json] = {"maxAttempts": 2, "maxMoonPhases": 3}
    return replace(case, policy=policy(limits), requires=(), provokes=(*ENVELOPE, "POL-18"), may_refuse=True)


_FLAKY = flaky(1, "INTERNAL_ERROR", True, _DONE)
_ALWAYS: Json = {"maxAttempts": 3, "backoffMs": 0}

SCENARIO = Scenario(
    "SC-07",
    "Flaky tools under every pair of limits",
    (
        *(_grid(*each) for each in product(range(1, 5), repeat=3)),
        _every_code("every-code", "Every error code with every value of retryable"),
        _every_code(
            "every-code-later",
            "Every error code with every value of retryable, after a failure that may be retried",
            fails("INTERNAL_ERROR", True),
        ),
        _ten_attempts(),
        _case("no-word", "Neither plan nor policy mentions retries", _FLAKY, "RETRY-19"),
        _unknown_limit(),
        _case("policy-only", "Only the policy has a limit, which asks for no retry", _FLAKY, "RETRY-19", limit=3),
        _case("on-error-alone", "onError is retry, but nothing says how often", _FLAKY, "RETRY-19", onError="retry"),
        _case(
            "on-error-retry",
            "onError is retry, and the attempts of the retry policy are used up",
            script(fails("INTERNAL_ERROR", True)),
            *("RETRY-11", "DEP-06"),
            onError="retry",
            retry=_ALWAYS,
        ),
        _case("not-found", "NOT_FOUND without retryable", flaky(1, "NOT_FOUND", None, _DONE), retry=_ALWAYS),
        _case(
            "found-later",
            "NOT_FOUND with retryable true",
            flaky(1, "NOT_FOUND", True, _DONE),
            "RETRY-11",
            retry=_ALWAYS,
        ),
        _case(
            "invalid", "VALIDATION_ERROR is final", flaky(1, "VALIDATION_ERROR", True, _DONE), "RETRY-06", retry=_ALWAYS
        ),
        _case("denied", "POLICY_DENIED is final", flaky(1, "POLICY_DENIED", True, _DONE), "RETRY-06", retry=_ALWAYS),
        _case(
            "broken", "The tool breaks, then works", script(breaks(), returns(_DONE)), "ERR-05", "ERR-06", retry=_ALWAYS
        ),
        _case(
            "backoff",
            "Three attempts with a quarter of a second between them",
            flaky(2, "INTERNAL_ERROR", True, _DONE),
            *("RETRY-18", "RETRY-11"),
            retry={"maxAttempts": 3, "backoffMs": 250},
        ),
        _case(
            "other-codes",
            "A different error code at each failure",
            script(fails("INTERNAL_ERROR", True), fails("CONFLICT", True), returns(_DONE)),
            "RETRY-11",
            retry=_ALWAYS,
        ),
        _case(
            "own-code",
            "The tool fails with its own error code",
            script(fails("QUOTA_EXCEEDED", retryable=False)),
            *("ERR-09", "ERR-10", "RETRY-04"),
            retry=_ALWAYS,
        ),
        _case(
            "timeout-anew",
            "Each attempt has the whole time limit",
            script(silent(), returns(_DONE, after_ms=150)),
            *("RETRY-13", "RETRY-14", "RES-12", "TIME-01", "TIME-04"),
            requires=("retry", "timeout"),
            timeoutMs=200,
            retry=_ALWAYS,
        ),
    ),
    spared=("VAL-10", "LOG-06", "DEP-06", "RETRY-13"),
)
