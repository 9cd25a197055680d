"""Tools that only read and shape text: the bullets of a Markdown note, a title as a file name. They touch no disk."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from callproof_reference.tools.contract import Args, Data, Json, flag, number, text
from callproof_reference.vault import Vault

_BULLET = re.compile(r"(?P<indent> *)(?P<marker>[-*+] +)\S.*")
_RULE = re.compile(r" *([-*])( *\1){2,} *")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`]*$)|~{3,})")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")


def parse_markdown_bullets(vault: Vault, args: Args) -> Data:
    """TOOL-16. A bullet is nested if it begins where the text of the bullet above it begins, or further right."""
    items: list[Json] = []
    around: list[int] = []  # the columns in which the texts of the bullets around this line begin
    for raw in _outside_fences(text(args, "text")):
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
        if not around or flag(args, "allowNested"):
            items.append({"text": raw.strip(" \t")[1:].strip(" \t"), "raw": raw, "depth": len(around)})
        around.append(column + len(bullet["marker"]))
    return {"items": items, "count": len(items)}


def _outside_fences(markdown: str) -> Iterator[str]:
    """The lines of the text, without the code in fences; the opening fence stays, since it can end a list."""
    fence = ""
    for line in (line.removesuffix("\r") for line in markdown.split("\n")):
        mark = line.strip(" \t")
        if not fence:
            yield line
            fence = opening["fence"] if (opening := _FENCE.match(line)) else ""
        elif mark.startswith(fence) and not mark.strip(fence[0]):
            fence = ""


def slugify_title(_vault: Vault, args: Args) -> Data:
    """TOOL-17. Letters and digits of every script in lower case, without accents; a hyphen for all that is between."""
    longest = number(args, "maxLength", 60)
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text(args, "title")).casefold())
    kept = unicodedata.normalize("NFC", "".join(sign for sign in plain if not unicodedata.combining(sign)))
    words = "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in kept).split()
    slug = "-".join(words)[:longest].rstrip("-")
    if not slug or _DEVICES.fullmatch(slug):  # no name at all, or one that some systems keep for devices
        slug = f"note-{slug}"[:longest].rstrip("-")
    return {"slug": slug}
