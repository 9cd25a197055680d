"""Whether a call is allowed: its tool, and every path among its arguments (POL-01 to POL-15).

Asked for every attempt (POL-13). Knows the run's policy and the folder, and answers in one word why not.
"""

from __future__ import annotations

import os
import re
import unicodedata
from fnmatch import fnmatchcase
from pathlib import Path

from callproof_reference.jsontext import Object, as_object, strings
from callproof_reference.registry import Tool
from callproof_reference.schemapaths import paths

_DRIVE = re.compile(r"[A-Za-z]:")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[/\\]")
# A volume that is blind to case has patterns that are (A13).
_CASE_BLIND = os.path.normcase("A") != "A"


def breach(tool: Tool, args: Object, policy: Object, root: Path | None) -> tuple[str, str] | None:
    """The first reason to deny a call, in a word and in words; the values of args are not repeated (MSG-07)."""
    if tool.names & set(strings(policy.get("deniedTools"))):
        return "denied_tool", f"the policy denies {tool.name}"
    sandbox = _Sandbox(as_object(policy.get("sandbox")), root)
    for pointer, path in paths(tool.name, args, tool.descriptor["inputSchema"]):
        if why := sandbox.breach(path):
            return "sandbox", f"the path at {pointer} {why}"
    return None


class _Sandbox:
    """The allowed roots and deny patterns of a run over one folder (A12, A13, A71)."""

    def __init__(self, sandbox: Object, root: Path | None) -> None:
        self._enabled = sandbox.get("enabled") is not False
        self._roots = [_segments(each) for each in strings(sandbox.get("allowedRoots", ["/"]))]
        self._patterns = strings(sandbox.get("denyPatterns"))
        self._root = root

    def breach(self, path: str) -> str | None:
        """What is wrong with a path, as the end of a sentence."""
        return _malformed(path) or (self._outside(path) if self._enabled else None)

    def _outside(self, path: str) -> str | None:
        segments = _segments(path)
        if not self._within(segments):
            return "lies outside the allowed roots"
        if any(_matches(pattern, path, segments) for pattern in self._patterns):
            return "matches a deny pattern"
        real = self._real(path)
        if real is None or not self._within(real):
            return "leads out of the allowed roots through a link"  # POL-07
        return None

    def _within(self, segments: tuple[str, ...]) -> bool:
        """Whole segments are compared, so that `notesx` is not inside `notes` (POL-03)."""
        return any(segments[: len(root)] == root for root in self._roots)

    def _real(self, path: str) -> tuple[str, ...] | None:
        """Where a path leads once links are followed; None for out of the folder."""
        if self._root is None:
            return _segments(path)
        root = os.path.realpath(self._root)
        real = os.path.realpath(os.path.join(root, *path.replace("\\", "/").split("/")))
        inside = os.path.commonpath([root, real]) == root
        return _segments(os.path.relpath(real, root).replace(os.sep, "/")) if inside else None


def _malformed(path: str) -> str | None:
    """What no policy allows, in every spelling that some host understands (POL-04 to POL-06)."""
    if _URI.match(path):
        return "is a URI"
    if path.startswith(("/", "\\")) or _DRIVE.match(path):
        return "is absolute"
    if "\0" in path:
        return "holds a NUL"
    spellings = (path, unicodedata.normalize("NFKC", path))
    if any(".." in spelling.replace("\\", "/").split("/") for spelling in spellings):
        return "has a parent segment"
    return None


def _segments(path: str) -> tuple[str, ...]:
    text = _folded(path).replace("\\", "/")
    return tuple(part for part in text.split("/") if part not in ("", "."))


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
