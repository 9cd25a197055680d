"""The tool that finds text. Its engine is RE2, whose time is linear: no expression can hang a run.

Plain queries go through the same engine as literals, so that ignoring case never moves an offset.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from callproof_reference.tools.contract import Args, Data, Json, ToolFailure, flag, number, strings, text
from callproof_reference.vault import Vault, normal

_re2: Any = import_module("re2")  # it ships no types


def search_text(vault: Vault, args: Args) -> Data:
    """TOOL-12. Files in order of their paths, matches in order of their places; empty matches are none."""
    pattern, matches, width = _pattern(args), list[Json](), number(args, "snippetLength", 120)
    for path in _scope(vault, strings(args.get("paths"))):
        try:
            content = vault.read(path).decode()
        except UnicodeDecodeError:
            continue
        for start, end in (match.span() for match in pattern.finditer(content)):
            vault.checkpoint()
            if start == end:
                continue
            if len(matches) == number(args, "limit", 50):
                return {"matches": matches, "truncated": True}
            line = content.count("\n", 0, start) + 1
            snippet = _snippet(content, start, end, width)
            matches.append({"path": path, "line": line, "start": start, "end": end, "snippet": snippet})
    return {"matches": matches, "truncated": False}


def _pattern(args: Args) -> Any:
    options = _re2.Options()
    options.case_sensitive, options.log_errors = flag(args, "caseSensitive"), False
    options.literal = text(args, "mode", "plain") == "plain"
    query = text(args, "query")
    try:
        return _re2.compile(query if options.literal else f"(?m){query}", options)
    except _re2.error as error:
        raise ToolFailure("VALIDATION_ERROR", f"the regular expression is refused: {error}") from error


def _scope(vault: Vault, paths: list[str]) -> Iterator[str]:
    found: set[str] = set()
    for path in map(normal, paths or [""]):
        entry = vault.find(path)
        if entry is None:
            raise ToolFailure("NOT_FOUND", f"there is nothing at {path!r}")
        below = vault.walk(path) if entry.kind == "folder" else (entry,)
        found |= {entry.path for entry in below if entry.kind == "file"}
    yield from sorted(found)


def _snippet(content: str, start: int, end: int, width: int) -> str:
    """The line on which the match begins, or as much around the match as the width allows."""
    first, last = content.rfind("\n", 0, start) + 1, content.find("\n", start)
    line_end = len(content) if last < 0 else last
    begin = max(first, min(start - max(width - (end - start), 0) // 2, line_end - width))
    return content[begin : min(begin + width, line_end)]
