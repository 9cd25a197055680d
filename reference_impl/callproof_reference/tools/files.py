"""Tools for the content of files: read, create, write, patch. Where text is counted, it is counted in code points."""

from __future__ import annotations

import base64
import json

from callproof_reference.tools.contract import Args, Data, ToolFailure, as_object, flag, number, text
from callproof_reference.vault import Vault, etag, normal

_MOST_BYTES = 1 << 20  # a guard for the log and the wire: every byte that is read is written there again


def read_file(vault: Vault, args: Args) -> Data:
    """TOOL-04. `truncated` is about what was asked for: it tells that `maxBytes` cut it short."""
    path, most = normal(text(args, "path")), number(args, "maxBytes", _MOST_BYTES)
    content, modified = vault.read(path), vault.get(path, "file").modified_ms
    data: Data = {"path": path, "etag": etag(content), "mtimeMs": modified}
    if text(args, "as", "text") == "base64":
        asked = content[_range(args)]
        return {**data, "content": base64.b64encode(asked[:most]).decode(), "truncated": len(asked) > most}
    asked = _as_text(path, content)[_range(args)].encode()
    whole = asked[:most].decode(errors="ignore")  # a character that is cut in two is left out
    return {**data, "content": whole, "truncated": len(asked) > most, "encoding": "utf-8"}


def create_file(vault: Vault, args: Args) -> Data:
    """TOOL-05, TOOL-06. `ifNotExists` outranks the strategy: with it, nothing that exists is replaced."""
    path, content = normal(text(args, "path")), _with_frontmatter(args).encode()
    strategy = text(args, "collisionStrategy", "error")
    if strategy == "create-unique":
        path = vault.unique(path)
    replace = strategy == "overwrite" and not flag(args, "ifNotExists")
    taken = vault.find(path)
    if taken is not None and (not replace or taken.kind != "file"):
        raise ToolFailure("CONFLICT", f"there is already something at {path!r}")
    return {**_written(vault, path, content, args, replace=replace), "created": taken is None}


def write_file(vault: Vault, args: Args) -> Data:
    """TOOL-07, TOOL-08. A file that is not there is created (A69), unless an etag was expected of it."""
    path, added = normal(text(args, "path")), text(args, "content").encode()
    content = vault.read(path) if vault.find(path) is not None else None
    _expect(args, path, content)
    whole = (content or b"") + added if text(args, "mode") == "append" else added
    return {**_written(vault, path, whole, args, replace=True), "bytesWritten": len(added)}


def patch_file(vault: Vault, args: Args) -> Data:
    """TOOL-09. The range is that of `start` and `end` in the matches of vault.searchText."""
    path = normal(text(args, "path"))
    content = vault.read(path)
    _expect(args, path, content)
    old, patch = _as_text(path, content), as_object(as_object(args.get("patch")).get("replaceRange"))
    start, end = number(patch, "start"), number(patch, "end")
    if not start <= end <= len(old):
        raise ToolFailure("PRECONDITION_FAILED", f"{path!r} has {len(old)} characters, no range {start} to {end}")
    new = old[:start] + text(patch, "text") + old[end:]
    return {**_written(vault, path, new.encode(), args, replace=True), "applied": new != old}


def _written(vault: Vault, path: str, content: bytes, args: Args, *, replace: bool) -> Data:
    data: Data = {"path": path, "etag": etag(content)}
    if flag(args, "dryRun"):
        return data
    return {**data, "mtimeMs": vault.write(path, content, replace=replace).modified_ms}


def _expect(args: Args, path: str, content: bytes | None) -> None:
    expected = args.get("expectedEtag")
    if expected is not None and (content is None or etag(content) != expected):
        raise ToolFailure("CONFLICT", f"{path!r} is not what it was when its etag was taken")


def _range(args: Args) -> slice:
    if "range" not in args:
        return slice(None)
    start, end = (number(as_object(args.get("range")), edge) for edge in ("start", "end"))
    if start > end:
        raise ToolFailure("VALIDATION_ERROR", f"the range begins at {start}, after its end at {end}")
    return slice(start, end)


def _as_text(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ToolFailure("PRECONDITION_FAILED", f"{path!r} is no UTF-8 text; it can be read as base64") from error


def _with_frontmatter(args: Args) -> str:
    content, frontmatter = text(args, "content"), as_object(args.get("frontmatter"))
    if not frontmatter:
        return content
    if content.startswith("---\n"):
        raise ToolFailure("VALIDATION_ERROR", "the content begins with a frontmatter of its own")
    # Every JSON value is a YAML value, so the frontmatter needs no writer of its own.
    lines = (f"{json.dumps(name)}: {json.dumps(value)}\n" for name, value in frontmatter.items())
    return f"---\n{''.join(lines)}---\n{content}"
