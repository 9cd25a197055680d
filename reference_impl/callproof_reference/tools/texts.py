"""Tools for what is said in text: find it in files, take bullets out of Markdown, make a file name of a title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from callproof_reference.errors import ToolFailure
from callproof_reference.jsontext import Object
from callproof_reference.vault import Vault, normal

_re2: Any = import_module("re2")  # its time is linear, so that no expression can hang a run; it ships no types
_BULLET = re.compile(r"(?P<indent> *)(?P<marker>[-*+] +)\S.*")
_RULE = re.compile(r" *([-*])( *\1){2,} *")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")


def search_text(vault: Vault, args: Object) -> Object:
    """TOOL-12. Files in order of their paths, matches in order of their places; empty matches are none."""
    pattern, matches, width = _pattern(args), list[Object](), int(args.get("snippetLength", 120))
    for path in _scope(vault, args.get("paths") or [""]):
        try:
            content = vault.read(path).decode()
        except UnicodeDecodeError:
            continue
        for start, end in (match.span() for match in pattern.finditer(content)):
            vault.checkpoint()
            if start == end:
                continue
            if len(matches) == int(args.get("limit", 50)):
                return {"matches": matches, "truncated": True}
            line, snippet = content.count("\n", 0, start) + 1, _snippet(content, start, end, width)
            matches.append({"path": path, "line": line, "start": start, "end": end, "snippet": snippet})
    return {"matches": matches, "truncated": False}


def _pattern(args: Object) -> Any:
    options = _re2.Options()
    options.case_sensitive, options.log_errors = args.get("caseSensitive", False), False
    options.literal = args.get("mode", "plain") == "plain"  # so that ignoring case never moves an offset
    try:
        return _re2.compile(args["query"] if options.literal else f"(?m){args['query']}", options)
    except _re2.error as error:
        raise ToolFailure("VALIDATION_ERROR", f"the regular expression is refused: {error}") from error


def _scope(vault: Vault, paths: list[str]) -> list[str]:
    found: set[str] = set()
    for path in map(normal, paths):
        entry = vault.get(path)
        below = vault.walk(path) if entry.kind == "folder" else (entry,)
        found |= {entry.path for entry in below if entry.kind == "file"}
    return sorted(found)


def _snippet(content: str, start: int, end: int, width: int) -> str:
    first, last = content.rfind("\n", 0, start) + 1, content.find("\n", start)
    line_end = len(content) if last < 0 else last
    begin = max(first, min(start - max(width - (end - start), 0) // 2, line_end - width))
    return content[begin : min(begin + width, line_end)]


def parse_markdown_bullets(vault: Vault, args: Object) -> Object:
    """TOOL-16. A bullet is nested if it begins where the text of the bullet above it begins, or further right."""
    items, around = list[Object](), list[int]()  # the columns in which the texts of the bullets around a line begin
    for raw in _outside_fences(args["text"]):
        vault.checkpoint()
        line = raw.expandtabs(4)
        bullet = None if _RULE.fullmatch(line) else _BULLET.fullmatch(line)
        if bullet is None:
            if line[:1].strip():  # text in the first column ends the list
                around.clear()
            continue
        column = len(bullet["indent"])
        while around and column < around[-1]:
            around.pop()
        if not around and column > 3:  # four blanks outside of a list begin a code block
            continue
        if not around or args.get("allowNested"):
            items.append({"text": raw.strip(" \t")[1:].strip(" \t"), "raw": raw, "depth": len(around)})
        around.append(column + len(bullet["marker"]))
    return {"items": items, "count": len(items)}


def _outside_fences(markdown: str) -> Iterator[str]:
    fence = ""
    for line in (line.removesuffix("\r") for line in markdown.split("\n")):
        mark = line.strip(" \t")
        if not fence:
            yield line  # the opening fence as well, since it can end a list
            fence = opening["fence"] if (opening := _FENCE.match(line)) else ""
        elif mark.startswith(fence) and not mark.strip(fence[0]):
            fence = ""


def slugify_title(_vault: Vault, args: Object) -> Object:
    """TOOL-17. Letters and digits of every script in lower case, without accents; a hyphen for all that is between."""
    longest = int(args.get("maxLength", 60))
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", args["title"]).casefold())
    kept = unicodedata.normalize("NFC", "".join(sign for sign in plain if not unicodedata.combining(sign)))
    words = "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in kept).split()
    slug = "-".join(words)[:longest].rstrip("-")
    if not slug or _DEVICES.fullmatch(slug):  # no name at all, or one that some systems keep for devices
        slug = f"note-{slug}"[:longest].rstrip("-")
    return {"slug": slug}
