"""Captured logs whose calls changed paths at random, few enough that one call finds what another one left there.

In half of them the data of calls name paths and etags too, and two calls may have run at the same time.
"""

from __future__ import annotations

import random
from typing import Any

from auditing.mutations import Records, changed_in
from auditing.other_logs import one_after_another
from callproof.auditlog.captured import CapturedRun

_PATHS = ("A", "B", "C", "a", "F", "F/A")
_ETAGS = ("e1", "e2", "W/e1", "")
CALLS = 4


def with_a_history(captured: CapturedRun, seed: int) -> CapturedRun:
    """The log with four calls that changed these paths, the same for the same seed."""
    dice, touched = random.Random(seed), [random.Random(seed).choice(_PATHS)]
    told = [_told(dice, touched) for _ in range(CALLS)]
    changed = one_after_another(captured, *told)
    return changed if seed % 2 else changed_in(changed, lambda records: _tell_more(records, dice))


def _tell_more(records: Records, dice: random.Random) -> None:
    """Let data name paths and etags, and let one call begin before the one before it was closed."""
    _, *told = records["result"]
    with_data(records, *(_data(dice, each["effects"]) for each in told))
    for record in (*records["run"], *records["call"]):
        record["policy"]["limits"]["maxConcurrency"] = CALLS
    if dice.random() < 0.5:
        _begin_early(records["event"], f"c{dice.randint(3, CALLS)}")


def with_data(records: Records, *told: dict[str, str]) -> None:
    """Give each result its data, but for the first one, whose data the second call was given."""
    names = {name: {"type": "string"} for name in ("path", "fromPath", "toPath", "etag")}
    for tool in records["run"][0]["tools"]:
        if tool["name"] == records["result"][1]["tool"]:
            tool["outputSchema"] = {"type": "object", "properties": names, "additionalProperties": False}
    for result, data in zip(records["result"][1:], told, strict=True):
        result.pop("dataHash", None)
        result["data"] = data


def _begin_early(events: list[Any], call_id: str) -> None:
    """Move what precedes the end of a call before the end of the call before it."""
    own = [each for each in events if each.get("callId") == call_id and each["type"] != "step.finished"]
    first = events.index(own[0])
    before = max(at for at in range(first) if events[at]["type"] == "step.finished")
    events[before:first] = [*own, *events[before:first]]
    del events[first + len(own) : first + 2 * len(own)]


def _data(dice: random.Random, effects: dict[str, Any]) -> dict[str, str]:
    """Data of a call that had these effects, or that wrote a file again with the same bytes."""
    etag = dice.choice(({}, {"etag": dice.choice(_ETAGS[:2])}))
    for each in effects.get("renamed", ()):
        return etag | dice.choice(({"path": each["to"]}, {"fromPath": each["from"], "toPath": each["to"]}, {}))
    named = [each["path"] for entries in effects.values() for each in entries] or [*_PATHS]
    return etag | dice.choice(({}, {"path": dice.choice(named)}))


def _told(dice: random.Random, touched: list[str]) -> dict[str, Any]:
    """The effects of one call; what a rename moved or replaced may be reported as deleted, too."""
    effects: dict[str, Any] = {}
    for _ in range(dice.choice((0, 1, 1, 1, 2))):
        name = dice.choice(("created", "modified", "deleted", "renamed", "renamed"))
        path, other = (dice.choice(touched[-2:]) if dice.random() < 0.7 else dice.choice(_PATHS) for _ in "ab")
        if name != "renamed":
            effects.setdefault(name, []).append(_entry(dice, path, name))
        else:
            other = other if other != path else dice.choice([each for each in _PATHS if each != path])
            effects.setdefault(name, []).append({"from": path, "to": other})
            if dice.random() < 0.5:
                effects.setdefault("deleted", []).append(_entry(dice, dice.choice((path, other)), name))
        touched += [path] if name != "renamed" else [other]
    return effects


def _entry(dice: random.Random, path: str, name: str) -> dict[str, Any]:
    entry = {"path": path, "kind": "file" if name == "modified" else dice.choice(("file", "file", "folder"))}
    for member in ("beforeEtag", "afterEtag"):
        if dice.random() < 0.5:
            entry[member] = dice.choice(_ETAGS)
    return entry
