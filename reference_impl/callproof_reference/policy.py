"""Whether a call is allowed: its tool, and every path among its arguments (POL-01 to POL-15)."""

from __future__ import annotations

import os
import unicodedata
from fnmatch import fnmatchcase
from pathlib import Path

from callproof_reference.jsontext import Object, objects, strings
from callproof_reference.registry import Tool, paths
from callproof_reference.vault import malformed

_CASE_BLIND = os.path.normcase("A") != "A"  # a volume that is blind to case has patterns that are (A13)


def breach(tool: Tool, args: Object, policy: Object, root: Path | None) -> tuple[str, str] | None:
    """The first reason to deny a call, in a word and in words; the values of args are not repeated (MSG-07)."""
    if {tool.name, *strings(tool.descriptor.get("aliases"))} & set(strings(policy.get("deniedTools"))):
        return "denied_tool", f"the policy denies {tool.name}"
    for pointer, path in paths(tool.name, args, tool.descriptor["inputSchema"]):
        if why := malformed(path) or _outside(path, policy["sandbox"], root):
            return "sandbox", f"the path at {pointer} {why}"
    return None


def strays(effects: Object, policy: Object) -> bool:
    """Whether something was seen to change outside the sandbox (POL-15)."""
    seen = [entry.get(name) for kind in effects.values() for entry in objects(kind) for name in ("path", "from", "to")]
    return any(_outside(path, policy["sandbox"], None) for path in strings(seen))


def _outside(path: str, sandbox: Object, root: Path | None) -> str | None:
    """What the allowed roots and the deny patterns have against a path, as the end of a sentence (A12, A13)."""
    if sandbox.get("enabled") is False:
        return None  # A43
    roots = [_segments(each) for each in strings(sandbox.get("allowedRoots", ["/"]))]
    segments, real = _segments(path), _real(path, root)
    if not any(segments[: len(each)] == each for each in roots):  # `notesx` is not inside `notes` (POL-03)
        return "lies outside the allowed roots"
    if any(_matches(pattern, path, segments) for pattern in strings(sandbox.get("denyPatterns"))):
        return "matches a deny pattern"
    if real is None or not any(real[: len(each)] == each for each in roots):
        return "leads out of the allowed roots through a link"  # POL-07
    return None


def _real(path: str, root: Path | None) -> tuple[str, ...] | None:
    if root is None:
        return _segments(path)
    top = os.path.realpath(root)
    real = os.path.realpath(os.path.join(top, *path.replace("\\", "/").split("/")))
    return _segments(os.path.relpath(real, top)) if os.path.commonpath([top, real]) == top else None


def _segments(path: str) -> tuple[str, ...]:
    return tuple(part for part in _folded(path).replace("\\", "/").split("/") if part not in ("", "."))


def _matches(pattern: str, path: str, segments: tuple[str, ...]) -> bool:
    folded = _folded(pattern)
    if "*" in pattern or "?" in pattern:
        whole = "/".join(segments)
        glob = folded.replace("[", "[[]")  # only * and ? are signs of a pattern
        return any(fnmatchcase(each, glob) for each in (*segments, *([whole] if "/" in glob else [])))
    if "/" in pattern:
        return pattern in path or folded in "/".join(segments)
    # A word or dots is a whole segment, so that `..` does not refuse `a..b.md` (POL-10); odd signs match anywhere.
    odd = not any(sign.isalnum() or sign in " ._-" for sign in pattern)
    return folded in segments or (odd and pattern in path)


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", text.casefold()) if _CASE_BLIND else text
