"""Captured logs whose calls took another course, from one seed: failed, attempted again, given up, under another plan.

All that depends on such a change is changed with it: the counts and the outcome of the run, the levels of events, the
hashes.  So these logs reach laws that a log with a single change never reaches, since that breaks another law first.
Some of the logs are lawful, which is intended.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

from auditing.mutations import Records, another_change, changed_in, hash_again
from callproof.auditlog.captured import CapturedRun

Change: TypeAlias = Callable[[Records, random.Random], None]

_CODES = (
    "INTERNAL_ERROR", "NOT_FOUND", "CONFLICT", "VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED", "TIMEOUT",
    "PRECONDITION_FAILED", "RATE_LIMITED",
)  # fmt: skip
_REASONS = (
    "output_schema", "unserialisable", "collision", "dependency_failed", "user", " ", "hook_failed", "tool_unavailable",
)  # fmt: skip
_GUARDS = (
    ("dryRun", True), ("dryRun", False), ("ifNotExists", True), ("expectedEtag", "e1"), ("collisionStrategy", "error"),
    ("requireExists", False),
)  # fmt: skip
_CLOSING = ("step.finished", "step.failed")


def on_another_course(captured: CapturedRun, seed: int) -> CapturedRun:
    """The log with one to three calls or parts of the plan changed, the same for the same seed."""
    dice = random.Random(seed)

    def change(records: Records) -> None:
        for _ in range(dice.choice((1, 1, 2, 2, 3))):
            dice.choice(_CHANGES)(records, dice)
        if dice.random() < 0.9:
            _settle(records)
        if dice.random() < 0.3:
            another_change(records, dice)
        hash_again(records)

    return changed_in(captured, change)


def _settle(records: Records) -> None:
    """Give the last event the counts and the outcome that follow from the results."""
    results = {each["callId"]: each for each in records["result"]}
    last = {(each["stepId"], str(each.get("iteration"))): each["status"] for each in records["result"]}
    for event in records["event"]:
        payload = event.get("payload")
        if event["type"] == "run.finished" and isinstance(payload, dict) and payload.get("status") != "cancelled":
            payload["results"] = dict(Counter(each["status"] for each in results.values()))
            payload["status"] = "ok" if set(last.values()) <= {"ok"} else "error"


def _own_events(records: Records, call_id: str) -> list[Any]:
    return [each for each in records["event"] if each.get("callId") == call_id]


def _call_of(records: Records, result: Any) -> Any:
    return next((each for each in records["call"] if each["callId"] == result["callId"]), None)


def _step_of(records: Records, record: Any) -> Any:
    return next(each for each in records["run"][0]["plan"]["steps"] if each["id"] == record["stepId"])


def _error(dice: random.Random, code: str | None = None) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code or dice.choice(_CODES), "message": dice.choice(("It failed", "No answer"))}
    if dice.random() < 0.6:
        error["retryable"] = dice.random() < 0.6
    if dice.random() < 0.4:
        error["details"] = {"reason": dice.choice(_REASONS)}
    return error


def _end(records: Records, result: Any, status: str, dice: random.Random) -> None:
    """Let a result end with this status, and its closing event say so."""
    result.update(status=status, ok=status == "ok")
    for name in ("data", "dataHash", "error", *(("effects",) if dice.random() < 0.7 else ())):
        result.pop(name, None)
    if status == "skipped":
        result["userMessage"] = dice.choice(("Skipped", "empty", "tool_unavailable"))
    else:
        code = {"timeout": "TIMEOUT", "cancelled": "CANCELLED"}.get(status)
        result["error"] = _error(dice, code if dice.random() < 0.9 else None)
    for event in _own_events(records, result["callId"]):
        if event["type"] in _CLOSING:
            event["type"] = "step.finished" if status in ("ok", "skipped") else "step.failed"
            event["level"] = dice.choice(("error", "error", "warn")) if status not in ("ok", "skipped") else "info"
            event["payload"] = {"status": status}


def _fail(records: Records, dice: random.Random) -> None:
    """Let a call, half of the time the last one, end differently."""
    if records["result"]:
        result = records["result"][-1] if dice.random() < 0.5 else dice.choice(records["result"])
        status = dice.choice(("error", "error", "error", "timeout", "cancelled", "skipped"))
        _end(records, result, status, dice)
        if status in ("cancelled", "skipped") or dice.random() < 0.3:
            _hold_back(records, result, dice)
        if dice.random() < 0.5:
            _step_of(records, result)["onError"] = "skip"
        if status == "timeout" and dice.random() < 0.7:
            limit = max(1, int(result["durationMs"]) + dice.choice((-1001, -1000, -1, 0, 49, 50, 51)))
            _step_of(records, result)["timeoutMs"] = limit
            call = _call_of(records, result)
            if call is not None:
                call["timeoutMs"] = limit


def _hold_back(records: Records, result: Any, dice: random.Random) -> None:
    """Let a call look as if it never began, in all of its records or only in some."""
    if dice.random() < 0.8:
        result.update(startedAt=result["endedAt"], durationMs=0)
    if dice.random() < 0.8:
        mine = ("step.started", result["callId"])
        records["event"] = [each for each in records["event"] if (each["type"], each.get("callId")) != mine]
    if dice.random() < 0.8:
        result.pop("effects", None)


def _fail_otherwise(records: Records, dice: random.Random) -> None:
    """Give a failed call another error."""
    failed = [each for each in records["result"] if "error" in each]
    if failed:
        result = dice.choice(failed)
        result["error"] = _error(dice, result["error"]["code"] if dice.random() < 0.4 else None)


def _attempt_again(records: Records, dice: random.Random) -> None:
    """Make a call the next attempt of one that failed a moment before."""
    if not records["call"]:
        return
    place = dice.randrange(len(records["call"]))
    call = records["call"][place]
    result = next((each for each in records["result"] if each["callId"] == call["callId"]), None)
    if result is None:
        return
    moment = call["createdAt"] if dice.random() < 0.9 else result["startedAt"]
    own = {"callId": f"{call['callId']}-before"}
    own |= dict.fromkeys(("createdAt", "startedAt", "endedAt", "timestamp"), moment)
    before, failed = _with(call, own), _with(result, own | {"durationMs": 0})
    records["call"].insert(place, before)
    records["result"].insert(records["result"].index(result), failed)
    events = [_with(each, own) for each in _own_events(records, call["callId"])]
    if events:
        at = next(n for n, each in enumerate(records["event"]) if each.get("callId") == call["callId"])
        records["event"][at:at] = events
    for each in (call, result):
        each["attempt"] += 1
    _end(records, failed, dice.choice(("error", "error", "timeout", "cancelled", "ok")), dice)
    if dice.random() < 0.8:
        most = call["attempt"] + dice.choice((-1, 0, 0, 0, 1))
        _step_of(records, call)["retry"] = {dice.choice(("maxAttempts", "maxAttempts", "maxRetries")): most}
    if dice.random() < 0.2:
        failed["userMessage"] = result.get("userMessage", "Read it")


def _with(record: Any, members: dict[str, Any]) -> Any:
    """A copy of a record with these of its members changed."""
    return copy.deepcopy(record) | {name: value for name, value in members.items() if name in record}


def _never_build(records: Records, dice: random.Random) -> None:
    """Make one of the last two first attempts a result of a call that was never built."""
    once = [each for each in records["result"] if each["attempt"] == 1 and _call_of(records, each) is not None]
    if not once:
        return
    result = dice.choice(once[-2:])
    call = _call_of(records, result)
    _end(records, result, dice.choice(("skipped", "skipped", "error")), dice)
    result.pop("effects", None)
    result.update(startedAt=result["endedAt"], durationMs=0)
    if result["status"] == "error" and dice.random() < 0.8:
        result["error"]["code"] = "VALIDATION_ERROR"
    if result["status"] == "skipped" and dice.random() < 0.3:
        result["error"] = _error(dice, dice.choice(("CANCELLED", "tool_unavailable")))
    if "iteration" in call and dice.random() < 0.8:
        result["iteration"] = copy.deepcopy(call["iteration"])
    records["call"].remove(call)
    mine = [each for each in _own_events(records, call["callId"]) if each["type"] not in _CLOSING]
    records["event"] = [each for each in records["event"] if each not in mine]
    if dice.random() < 0.3:
        _step_of(records, result)["dependsOn"] = [records["run"][0]["plan"]["steps"][0]["id"]]


def _forget_last_attempt(records: Records, dice: random.Random) -> None:
    """Remove all of an attempt after the first, which leaves a failure that was not tried again."""
    later = [each["callId"] for each in records["call"] if each["attempt"] > 1]
    if later:
        gone = dice.choice(later)
        for name in ("call", "result", "event"):
            records[name] = [each for each in records[name] if each.get("callId") != gone]


def _plan_otherwise(records: Records, dice: random.Random) -> None:
    """Change a rule of a step, or the default for all steps without one."""
    plan = records["run"][0]["plan"]
    holder = dice.choice((*plan["steps"], plan.setdefault("defaults", {})))
    steps = [each["id"] for each in plan["steps"]]
    if dice.random() < 0.4:
        holder["onError"] = dice.choice(("stop", "skip", "skip", "retry"))
    elif dice.random() < 0.5:
        holder["retry"] = {dice.choice(("maxAttempts", "maxRetries")): dice.choice((1, 2, 3))}
    elif "id" not in holder:
        holder.pop(dice.choice(("onError", "retry")), None)
    elif dice.random() < 0.5:
        holder["dependsOn"] = [dice.choice(steps)]
    elif "foreach" in holder:
        holder["foreach"]["concurrency"] = dice.choice((1, 2))
    else:
        holder["timeoutMs"] = dice.choice((1, 3000, 4000, 30_000))


def _allow_otherwise(records: Records, dice: random.Random) -> None:
    """Change the policy, in every record that has it."""
    name, value = dice.choice(
        (("maxConcurrency", 1), ("maxConcurrency", 2), ("maxAttempts", 1), ("maxAttempts", 2), ("maxTimeoutMs", 4000))
    )
    for each in (*records["run"], *records["call"]):
        each["policy"].setdefault("limits", {})[name] = value


def _tell_otherwise(records: Records, dice: random.Random) -> None:
    """Change the effects: an entry more or less, about a path that some call has changed or read."""
    told = [each for each in records["result"] if each.get("effects")]
    if not told:
        return
    result = dice.choice(told)
    effects, paths = result["effects"], ["New/a.md", "New"]
    for each in records["result"]:
        for name in ("created", "modified", "deleted"):
            paths += [entry["path"] for entry in each.get("effects", {}).get(name, ())]
        if isinstance(each.get("data"), dict) and isinstance(each["data"].get("path"), str):
            paths.append(each["data"]["path"])
    name, path = dice.choice(("created", "modified", "deleted", "renamed")), dice.choice(paths)
    path = dice.choice((path, path, path, path.upper(), f"{path}/b.md", path.rpartition("/")[0] or path))
    entries = effects.setdefault(name, [])
    if entries and dice.random() < 0.3:
        entries.pop()
    elif name == "renamed":
        entries.append({"from": path, "to": dice.choice(paths)})
        if dice.random() < 0.5:  # the target was replaced, or the source is also reported as deleted
            gone = dice.choice(list(entries[-1].values()))
            effects.setdefault("deleted", []).append({"path": gone, "kind": dice.choice(("file", "folder"))})
    else:
        entry = {"path": path, "kind": dice.choice(("file", "file", "folder"))}
        entries.append(entry | dice.choice(({}, {"afterEtag": "e2"}, {"beforeEtag": "e1", "afterEtag": "e2"})))


def _call_otherwise(records: Records, dice: random.Random) -> None:
    """Set an argument that may make a write harmless, in the plan and in its calls."""
    if not records["call"]:
        return
    step = _step_of(records, dice.choice(records["call"]))
    tools = {each["name"]: each for each in records["run"][0].get("tools", ())}
    known = tools.get(step["tool"], {}).get("inputSchema", {}).get("properties", {})
    fitting = [(name, value) for name, value in _GUARDS if name in known]
    if fitting:
        name, value = dice.choice(fitting)
        for each in (step, *(call for call in records["call"] if call["stepId"] == step["id"])):
            each["args"][name] = value


def _at_once(records: Records, dice: random.Random) -> None:
    """Let a call run at the same time as another one."""
    if len(records["result"]) > 1:
        one, other = dice.sample(records["result"], 2)
        for name in ("startedAt", "endedAt", "durationMs"):
            one[name] = other[name]


_CHANGES: tuple[Change, ...] = (
    _fail, _fail, _fail, _fail_otherwise, _attempt_again, _attempt_again, _forget_last_attempt, _never_build,
    _never_build, _plan_otherwise, _plan_otherwise, _allow_otherwise, _tell_otherwise, _tell_otherwise, _call_otherwise,
    _at_once,
)  # fmt: skip
