"""Changes of JSON as a hostile writer would make them: nearly all changes of bytes by a fuzzer are syntax errors.

One value becomes another: a value from elsewhere in the log, garbage, or nothing.  A line is lost, doubled or moved.
"""

from __future__ import annotations

import json
import random
from typing import Any

from fuzz.targets import PART

_GARBAGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**53 + 1, 10**30, 1e308, -0.0, 0.1, "", "\u0000", "\ud800"[:0], "\u2028", "a" * 300,
    [], {}, [[]], {"": ""}, "$steps.s1", "{$vars.v}", "{item}", "$$", "../x", "/etc/passwd", "%2e%2e/x", "C:\\x",
    "2025-01-01T00:00:00Z", "2025-01-01T00:00:60Z", "9999-12-31T23:59:59.999999999-23:59", "sha256:", "sha256:00",
    {"$ref": "#"}, {"$ref": "http://127.0.0.1/x"}, {"pattern": "^(a+)+$"},
    {"type": "object", "properties": {"a": {"$ref": "#"}}},
    ["a", "a"], "ok", "error", "skipped", "run.finished", "step.started", "POLICY_DENIED", "TIMEOUT",
)  # fmt: skip
_SIGNS = ("", "$", "{", "}", "0", ".", "/", "\x1b", "\n", "<b>", '"', "é")


def mutated(data: bytes, seed: int) -> bytes:
    """The log with a few changes; the same seed makes the same changes."""
    chance = random.Random(seed)
    parts = data.split(PART)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        place = chance.randrange(len(parts))
        parts[place] = _changed(parts[place], parts, chance)
    return PART.join(parts)


def _changed(part: bytes, parts: list[bytes], chance: random.Random) -> bytes:
    lines = part.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(chance.randrange(len(lines) + 1), lines[at])
        case 2:
            lines.insert(chance.randrange(len(lines) + 1), chance.choice(parts).split(b"\n")[0])
        case _:
            whole = len(lines) > 1 and not part.lstrip().startswith(b"{\n") and part.count(b"\n{") > 0
            if not whole:
                return _of_text(part, parts, chance)
            lines[at] = _of_text(lines[at], parts, chance)
    return b"\n".join(lines)


def _of_text(text: bytes, parts: list[bytes], chance: random.Random) -> bytes:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    places = list(_places(value))
    if not places:
        return text
    holder, key = chance.choice(places)
    match chance.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = chance.choice(_GARBAGE)
        case 2:
            other, its = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[its])) if len(text) < 20_000 and its in range_of(other) else None
        case _:
            holder[key] = _nudged(holder[key], chance)
    return json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def range_of(holder: Any) -> Any:
    """The keys of an object, or the places of an array."""
    return holder.keys() if isinstance(holder, dict) else range(len(holder))


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict | list):
            for key in range_of(node):
                found.append((node, key))
                waiting.append(node[key])
    return found


def _nudged(value: Any, chance: random.Random) -> Any:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value + chance.choice((-1, 1, 0.5, 10**6))
    if isinstance(value, str):
        at = chance.randrange(len(value) + 1)
        return value[:at] + chance.choice(_SIGNS) + value[at + 1 :]
    if isinstance(value, list):
        return value + value[:1] if chance.random() < 0.5 else value[:-1]
    return {**value, "added": chance.choice(_GARBAGE)}
