"""Captured logs as other systems would have written them of the same runs."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from auditing.mutations import Place, Records, changed_in, moved
from callproof.auditlog.captured import CapturedRun
from callproof.trace.records import Kind
from callproof.values.jsontext import Json

_NOON = "2026-01-05T12:00:00.000Z"
_INSTANTS = ("createdAt", "startedAt", "endedAt", "timestamp", "deadlineAt", "decidedAt", "expiresAt")
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: text[:-1].rstrip("0").rstrip(".") + "Z",
    lambda text: text[:-1] + "000Z",
    lambda text: text[:-1] + "000000+00:00",
    lambda text: text.lower(),
    lambda text: (datetime.fromisoformat(text) + timedelta(minutes=330)).isoformat()[:-6] + "+05:30",
)


def hurried(captured: CapturedRun) -> CapturedRun:
    """The same run forty times as fast, in tenths of seconds: so close that a trimmed zero makes order uncertain."""

    def hurry(records: Records) -> None:
        stamps = list(_stamps_in(records))
        began = min([datetime.fromisoformat(holder[name]) for holder, name in stamps])
        for holder, name in stamps:
            tenths = (datetime.fromisoformat(holder[name]) - began) // timedelta(seconds=4)
            holder[name] = moved(_NOON, 100 * tenths)
        for result in records["result"]:
            lasted = datetime.fromisoformat(result["endedAt"]) - datetime.fromisoformat(result["startedAt"])
            result["durationMs"] = lasted // timedelta(milliseconds=1)

    return changed_in(captured, hurry)


def spelt_variously(captured: CapturedRun, seed: int) -> CapturedRun:
    """The same instants in the spellings that RFC 3339 has for them: zeros trimmed or added, other zones and cases."""
    dice = random.Random(seed)

    def respell(records: Records) -> None:
        for container, key in list(_stamps_in(records)):
            container[key] = dice.choice(_SPELLINGS)(container[key])

    return changed_in(captured, respell)


def _stamps_in(records: Records) -> Iterator[Place]:
    """The instants of records; a text in args or data that looks like an instant is not one."""
    for each in (*records["run"], *records["call"], *records["result"], *records["event"]):
        for holder in (each, each.get("confirmation", {})):
            yield from ((holder, key) for key in _INSTANTS if key in holder)


def attempted_again(captured: CapturedRun) -> CapturedRun:
    """The same run, whose first call is the second attempt of a call that failed a moment before."""

    def attempt(records: Records) -> None:
        call, result, run = records["call"][0], records["result"][0], records["run"][0]
        own = [each for each in records["event"] if each.get("callId") == call["callId"]][:2]
        step = next(each for each in run["plan"]["steps"] if each["id"] == call["stepId"])
        step["retry"] = {"maxAttempts": 2}
        earlier = dict.fromkeys(("createdAt", "startedAt", "endedAt", "timestamp"), records["event"][0]["timestamp"])
        earlier |= {"callId": "earlier", "attempt": 1}
        events = [_with_own(each, earlier) for each in own]
        closing = {"type": "step.failed", "level": "warn", "message": "It failed", "payload": {"status": "error"}}
        records["event"][1:1] = [*events, events[-1] | closing]
        records["call"].insert(0, _with_own(call, earlier))
        error = {"code": "INTERNAL_ERROR", "message": "The disk did not answer", "retryable": True}
        records["result"].insert(0, _with_own(result, earlier) | {"durationMs": 0, "error": error, "status": "error"})
        call["attempt"] = result["attempt"] = 2
        counts = records["event"][-1]["payload"]["results"]
        counts["error"] = counts.get("error", 0) + 1

    return changed_in(captured, attempt)


def _with_own(record: Any, members: dict[str, Any]) -> Any:
    """A copy of a record with these of its members changed."""
    return record | {name: value for name, value in members.items() if name in record}


def without_events(captured: CapturedRun) -> CapturedRun:
    """The same run without its events, which a system need not keep (A36)."""
    files = {kind: file for kind, file in captured.files.items() if kind is not Kind.EVENT}
    return replace(captured, files=files)


def with_effects(captured: CapturedRun, *told: Json) -> CapturedRun:
    """The same calls, with writing tools outside of the canon, which had these effects."""

    def change(records: Records) -> None:
        for name in records:
            text = json.dumps(records[name]).replace('"read-only"', '"writes"')
            records[name] = json.loads(text.replace('"vault.', '"lab.').replace('"util.', '"lab.'))
        for result, effects in zip(records["result"], told):
            result["effects"] = effects

    return changed_in(captured, change)


_OF_A_CALL = ("createdAt", "startedAt", "endedAt", "timestamp")


def one_after_another(captured: CapturedRun, *told: Json) -> CapturedRun:
    """Calls of one step after another, each a copy of the second one, which had these effects."""

    def change(records: Records) -> None:
        own = {name: copy.deepcopy([each for each in records[name] if each.get("callId") == "c2"]) for name in records}
        moment = own["event"][-1]["timestamp"]
        steps = records["run"][0]["plan"]["steps"]
        for number in range(3, len(told) + 1):
            steps.append(steps[1] | {"id": f"s{number}"})
            named = {"callId": f"c{number}", "stepId": f"s{number}"}
            for name, those in own.items():
                records[name] += [each | named | {key: moment for key in _OF_A_CALL if key in each} for each in those]
            records["result"][-1]["durationMs"] = 0
            records["event"].append(records["event"].pop(-1 - len(own["event"])))
        records["event"][-1]["payload"]["results"]["ok"] = len(told)

    return with_effects(changed_in(captured, change), *told)


def told_by_an_alias(captured: CapturedRun, most: int | None = None) -> CapturedRun:
    """The same run of a plan that gives its attempts by ``maxRetries`` alone; the policy permits ``most``, if given."""

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(each) for each in value]
        if not isinstance(value, dict):
            return value
        told = {name: renamed(inner) for name, inner in value.items()}
        return told | {"maxRetries": told.pop("maxAttempts") - 1} if "maxAttempts" in told else told

    def change(records: Records) -> None:
        (record,) = records["run"]
        record["plan"] = renamed(record["plan"])
        (record.get("confirmation") or {}).pop("planHash", None)
        (record.get("confirmation") or {}).pop("policyHash", None)
        for each in (record, *records["call"]) if most is not None else ():
            each["policy"].setdefault("limits", {})["maxAttempts"] = most

    return changed_in(captured, change)


def kinds_of(captured: CapturedRun) -> Iterator[CapturedRun]:
    """The log, and what other systems would have written of the same run."""
    for run in (captured, spelt_variously(captured, 1), spelt_variously(hurried(captured), 2)):
        yield run
        yield without_events(run)
    if b'"maxAttempts"' in (captured.record.text if captured.record is not None else b""):
        yield told_by_an_alias(captured)
    if captured.name == "stopped":
        yield attempted_again(captured)
