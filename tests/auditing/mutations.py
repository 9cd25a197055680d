"""Captured logs changed at random: in their bytes, their lines or their values, often with hashes that still hold.

Every change comes from one seed.  Some are harmless, which is intended: an audit that calls a changed
log consistent must be right about it.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.trace.records import Kind
from callproof.values.canonical import sha256_of

Records = dict[str, list[Any]]
Place = tuple[Any, Any]
_NAMES = {"run": None, "call": Kind.CALL, "result": Kind.RESULT, "event": Kind.EVENT}

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 1.0, 0.5, -0.0, 2**53, 2**53 + 1, 10**30, 1e300, "", " ", "x", "é", "é", "🚀",
    "\x7f", "\x00", "..", "../a.md", "/etc/passwd", "Notes/../../a", "C:\\a", "https://a.example/b", "a//b", "ok",
    "error", "timeout", "cancelled", "skipped", "$steps.s1.path", "{item.path}", "$$steps.s1", "File \"x\", line 3",
    [], {}, [1], {"a": 1}, "commands", "read-only", "writes", "VALIDATION_ERROR", "POLICY_DENIED", "TIMEOUT",
    "NOT_FOUND",
)  # fmt: skip
_STAMPS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace("T", " "),
    lambda text: text.replace("T", "t").replace("Z", "z"),
    lambda text: text.replace("Z", "+00:00"),
    lambda text: text.replace("Z", "+0000"),
    lambda text: text.replace("Z", "-00:00"),
    lambda text: text.replace("Z", ""),
    lambda text: text.replace("Z", "+02:00"),
    lambda text: text[:-1] + "0000000Z",
    lambda text: text[:17] + "60.000Z",
    lambda text: text[:17] + "61.000Z",
    lambda text: "0000" + text[4:],
    lambda text: text[:5] + "02-30" + text[10:],
    lambda text: text.replace(".", ","),
    lambda text: text + "\n",
    lambda text: "２" + text[1:],
    lambda text: text[:19] + "Z",
    lambda text: text[:21] + "Z",
)
_PIECES = (b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\n", b"\r\n", b"\xff", b"\x00", b"\xef\xbb\xbf",
           b"\\u0000", b"\\ud800", b"\\u0061", b"\\/", b"1e3", b"1.0", b"-0", b"NaN", b"\xed\xa0\x80")  # fmt: skip


def mutated(captured: CapturedRun, seed: int) -> CapturedRun:
    """The log with one to three changes, the same for the same seed."""
    dice = random.Random(seed)
    if dice.random() < 0.25:
        return _with_bytes(captured, dice)
    records = records_of(captured)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        another_change(records, dice)
    if dice.random() < 0.7:
        hash_again(records)
    return _written(captured, records, spaced=dice.random() < 0.05)


def another_change(records: Records, dice: random.Random) -> None:
    """One change to the records, as ``mutated`` makes them."""
    dice.choice(_CHANGES)(records, dice)


def compact(captured: CapturedRun) -> CapturedRun:
    """The same records without blanks between their tokens, as most systems write them."""
    return _written(captured, records_of(captured), spaced=False)


def changed_in(captured: CapturedRun, change: Callable[[Records], None]) -> CapturedRun:
    """The log with one change to its records, which are named run, call, result and event."""
    records = records_of(captured)
    change(records)
    return _written(captured, records, spaced=False)


def records_of(captured: CapturedRun) -> Records:
    def lines(file: CapturedFile | None) -> list[Any]:
        return [json.loads(line) for _, line, _ in file.lines()] if file is not None else []

    run = [json.loads(captured.record.text)] if captured.record is not None else []
    return {"run": run} | {name: lines(captured.files.get(kind)) for name, kind in _NAMES.items() if kind is not None}


def _written(captured: CapturedRun, records: Records, *, spaced: bool) -> CapturedRun:
    def text(value: Any) -> bytes:
        separators = (", ", ": ") if spaced else (",", ":")
        return json.dumps(value, ensure_ascii=False, separators=separators).encode("utf-8", "surrogatepass")

    record = captured.record
    if record is not None and records["run"]:
        record = replace(record, text=text(records["run"][0]))
    files = {
        kind: replace(captured.files[kind], text=b"".join(text(each) + b"\n" for each in records[name]))
        for name, kind in _NAMES.items()
        if kind is not None and kind in captured.files
    }
    return replace(captured, record=record, files=files)


def hash_again(records: Records) -> None:
    """Let the hashes of args, data, plan and policy be right again, so that other laws are reached."""
    try:
        for call in records["call"]:
            if "argsHash" in call:
                call["argsHash"] = sha256_of(call["args"])
        for result in records["result"]:
            if "dataHash" in result:
                result["dataHash"] = sha256_of(result["data"])
        for run in records["run"]:
            for name in ("plan", "policy"):
                if f"{name}Hash" in run.get("confirmation", {}):
                    run["confirmation"][f"{name}Hash"] = sha256_of(run[name])
    except (KeyError, TypeError, ValueError, AttributeError):
        return


def _with_bytes(captured: CapturedRun, dice: random.Random) -> CapturedRun:
    """A change of a few bytes in one file."""
    kinds = list(captured.files)
    chosen = dice.randrange(len(kinds) + 1)
    file = captured.record if chosen == len(kinds) or captured.record is None else captured.files[kinds[chosen]]
    if file is None or not file.text:
        return captured
    at, raw = dice.randrange(len(file.text)), file.text
    match dice.randrange(5):
        case 0:
            raw = raw[:at] + dice.choice(_PIECES) + raw[at:]
        case 1:
            raw = raw[:at] + raw[at + dice.randrange(1, 4) :]
        case 2:
            raw = raw[:at] + bytes([dice.randrange(256)]) + raw[at + 1 :]
        case 3:
            raw = _with_twin(raw, dice)
        case _:
            raw = _with_other_white_space(raw, dice)
    changed = replace(file, text=raw)
    if file is captured.record:
        return replace(captured, record=changed)
    return replace(captured, files={**captured.files, kinds[chosen]: changed})


def _with_twin(raw: bytes, dice: random.Random) -> bytes:
    """One member twice, with the same value or another one."""
    places = [place for place, sign in enumerate(raw) if sign == ord("{") and raw[place + 1 : place + 2] == b'"']
    if not places:
        return raw
    at = dice.choice(places) + 1
    name = raw[at : raw.index(b'"', at + 1) + 1]
    value = dice.choice((b"1", b'""', b"null", b"{}", b'"' + b"x" * dice.randrange(8) + b'"'))
    return raw[:at] + name + b":" + value + b"," + raw[at:]


def _with_other_white_space(raw: bytes, dice: random.Random) -> bytes:
    """Blanks and line feeds in other places, the length kept."""
    lines = raw.split(b"\n")
    match dice.randrange(4):
        case 0:
            return raw.replace(b"\n", b" ", 1)
        case 1:
            return raw.replace(b"}\n{", b"}{", 1).replace(b":", b":\n", 1)
        case 2:
            return b"\n".join((*lines[:1], b"", *lines[1:]))
        case _:
            return raw.rstrip(b"\n")


def _places(value: Any) -> Iterator[Place]:
    """Every place in a value that holds something: the container, and the key or index."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield value, key
        yield from _places(each)


def _record(records: Records, dice: random.Random) -> Any:
    name = dice.choice(("run", "call", "call", "result", "result", "event", "event"))
    if not records[name]:
        return {"": 0}
    return dice.choice(records[name])


def _place(records: Records, dice: random.Random) -> Place:
    """A place in some record: at the top as often as further in; in a run record, seldom among the tools."""
    record = _record(records, dice)
    if dice.random() < 0.5:
        return record, dice.choice(list(record))
    plan = record.get("plan")
    places = list(_places(plan if plan and dice.random() < 0.8 else record))
    return dice.choice(places) if places else (record, next(iter(record)))


def _replace_value(records: Records, dice: random.Random) -> None:
    container, key = _place(records, dice)
    container[key] = copy.deepcopy(dice.choice(_VALUES))


def _remove(records: Records, dice: random.Random) -> None:
    container, key = _place(records, dice)
    del container[key]


def _add(records: Records, dice: random.Random) -> None:
    record = _record(records, dice)
    names = ("x", "call_id", "redacted", "argsModifiedBy", "seq", "debugMessage", "error", "data", "effects", "payload",
             "deadlineAt", "confirmationId", "iteration", "loopId", "category", "unknownLimits", "dryRun")  # fmt: skip
    record[dice.choice(names)] = copy.deepcopy(dice.choice(_VALUES))


def _borrow(records: Records, dice: random.Random) -> None:
    """Give a record a member of another record of the kind."""
    name = dice.choice(("call", "result", "event"))
    if len(records[name]) > 1:
        one, other = dice.sample(records[name], 2)
        member = dice.choice(list(other))
        one[member] = copy.deepcopy(other[member])


def _swap_members(records: Records, dice: random.Random) -> None:
    name = dice.choice(("call", "result", "event"))
    if len(records[name]) > 1:
        one, other = dice.sample(records[name], 2)
        member = dice.choice(list(other))
        if member in one:
            one[member], other[member] = other[member], one[member]


def _nudge(records: Records, dice: random.Random) -> None:
    """Move a number or an instant by a little or by much."""
    record = _record(records, dice)
    places = [(each, key) for each, key in _places(record) if type(each[key]) is int or is_stamp(each[key])]
    if places:
        container, key = dice.choice(places)
        held = container[key]
        by = dice.choice((-100_000, -3_000, -1_100, -60, -1, 1, 2, 60, 1_100, 3_000, 100_000))
        container[key] = held + dice.choice((-1, 1, by)) if type(held) is int else moved(held, by)


def is_stamp(value: Any) -> bool:
    return (
        isinstance(value, str) and len(value) >= 20 and value[4:5] == "-" and value[10:11] == "T" and value[-1] == "Z"
    )


def moved(text: str, milliseconds: int) -> str:
    try:
        moment = datetime.fromisoformat(text) + timedelta(milliseconds=milliseconds)
    except (ValueError, OverflowError):
        return text
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _respell_stamp(records: Records, dice: random.Random) -> None:
    record = _record(records, dice)
    places = [(each, key) for each, key in _places(record) if is_stamp(each[key])]
    if places:
        container, key = dice.choice(places)
        container[key] = dice.choice(_STAMPS)(container[key])


def _edit_text(records: Records, dice: random.Random) -> None:
    record = _record(records, dice)
    places = [(each, key) for each, key in _places(record) if isinstance(each[key], str)]
    if places:
        container, key = dice.choice(places)
        text = container[key]
        at = dice.randrange(len(text) + 1)
        piece = dice.choice(("", "x", " ", "/", "\n", "é", "\u2028", "$", "{", "}", "..", "\x85", "(a.py:3)", "\ud800"))
        container[key] = text[:at] + piece + text[at + dice.choice((0, 0, 1)) :]


def _everywhere(records: Records, dice: random.Random) -> None:
    """One text replaced by another wherever it stands as a value."""
    record = _record(records, dice)
    texts = [each[key] for each, key in _places(record) if isinstance(each[key], str) and each[key]]
    if texts:
        old = dice.choice(texts)
        new = dice.choice((old + "2", "x", old.upper(), "a.b", "Zoë", dice.choice(texts)))
        for each in (*records["run"], *records["call"], *records["result"], *records["event"]):
            for container, key in list(_places(each)):
                if container[key] == old and isinstance(container[key], str):
                    container[key] = new


def _reorder(records: Records, dice: random.Random) -> None:
    """Members in another order, which is harmless."""
    record = _record(records, dice)
    members = list(record.items())
    dice.shuffle(members)
    record.clear()
    record.update(members)


def _lines(records: Records, dice: random.Random) -> None:
    """Remove a line, repeat it, move it, or swap it with another one."""
    lines = records[dice.choice(("call", "result", "event"))]
    if not lines:
        return
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    match dice.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, copy.deepcopy(lines[one]))
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines.insert(other, lines.pop(one))


def _forget_call(records: Records, dice: random.Random) -> None:
    """Remove everything of one call from one or more files."""
    if records["call"]:
        name = dice.choice(records["call"]).get("callId")
        for kind in dice.sample(("call", "result", "event"), dice.randrange(1, 4)):
            records[kind] = [each for each in records[kind] if each.get("callId") != name]


def _end_otherwise(records: Records, dice: random.Random) -> None:
    """Give a result another status, in all its members and its event."""
    if not records["result"]:
        return
    result = dice.choice(records["result"])
    status = dice.choice(("ok", "error", "timeout", "cancelled", "skipped"))
    result.update(status=status, ok=status == "ok")
    if status == "ok":
        result.pop("error", None)
        result.setdefault("data", {})
    else:
        result.pop("data", None)
        code = {"timeout": "TIMEOUT", "cancelled": "CANCELLED"}.get(
            status, dice.choice(("NOT_FOUND", "INTERNAL_ERROR"))
        )
        result["error"] = {"code": code, "message": "It failed"} | dice.choice(({}, {"retryable": dice.random() < 0.5}))
    for event in records["event"]:
        if event.get("callId") == result.get("callId") and event.get("type") in ("step.finished", "step.failed"):
            event["type"] = "step.finished" if status in ("ok", "skipped") else "step.failed"
            event["level"] = "info" if status == "ok" else "error"
            event["payload"] = {"status": status}


_CHANGES: tuple[Callable[[Records, random.Random], None], ...] = (
    _replace_value, _replace_value, _remove, _add, _borrow, _borrow, _swap_members, _nudge, _nudge, _nudge,
    _respell_stamp, _edit_text, _edit_text, _everywhere, _reorder, _lines, _forget_call, _end_otherwise,
)  # fmt: skip
