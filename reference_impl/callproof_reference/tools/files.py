"""Tools for the content of files: read, create, write, patch. Where text is counted, it is counted in code points."""

from __future__ import annotations

import base64
import json

from callproof_reference.errors import ToolFailure
from callproof_reference.jsontext import Object
from callproof_reference.vault import Vault, etag, normal

_MOST_BYTES = 1 << 20  # a guard for the log and the wire: every byte that is read is written there again


def read_file(vault: Vault, args: Object) -> Object:
    """TOOL-04. `truncated` is about what was asked for: it tells that `maxBytes` cut it short."""
    path, most, part = normal(args["path"]), int(args.get("maxBytes", _MOST_BYTES)), slice(None)
    if "range" in args:
        part = slice(int(args["range"]["start"]), int(args["range"]["end"]))
        if part.start > part.stop:
            raise ToolFailure("VALIDATION_ERROR", f"the range begins at {part.start}, after its end at {part.stop}")
    content, modified = vault.read(path), vault.get(path, "file").modified_ms
    data: Object = {"path": path, "etag": etag(content), "mtimeMs": modified}
    if args.get("as") == "base64":
        asked = content[part]
        return {**data, "content": base64.b64encode(asked[:most]).decode(), "truncated": len(asked) > most}
    asked = _as_text(path, content)[part].encode()
    whole = asked[:most].decode(errors="ignore")  # a character that is cut in two is left out
    return {**data, "content": whole, "truncated": len(asked) > most, "encoding": "utf-8"}


def create_file(vault: Vault, args: Object) -> Object:
    """TOOL-05, TOOL-06. `ifNotExists` outranks the strategy: with it, nothing that exists is replaced."""
    path, content = normal(args["path"]), _with_frontmatter(args).encode()
    strategy = args.get("collisionStrategy", "error")
    if strategy == "create-unique":
        path = vault.unique(path)
    replace = strategy == "overwrite" and not args.get("ifNotExists")
    taken = vault.find(path)
    if taken is not None and (not replace or taken.kind != "file"):
        raise ToolFailure("CONFLICT", f"there is already something at {path!r}")
    return {**_written(vault, path, content, args, replace=replace), "created": taken is None}


def write_file(vault: Vault, args: Object) -> Object:
    """TOOL-07, TOOL-08. A file that is not there is created (A69), unless an etag was expected of it."""
    path, added = normal(args["path"]), args["content"].encode()
    content = vault.read(path) if vault.find(path) is not None else None
    _expect(args, path, content)
    whole = (content or b"") + added if args.get("mode") == "append" else added
    return {**_written(vault, path, whole, args, replace=True), "bytesWritten": len(added)}


def patch_file(vault: Vault, args: Object) -> Object:
    """TOOL-09. The range is that of `start` and `end` in the matches of vault.searchText."""
    path, patch = normal(args["path"]), args["patch"]["replaceRange"]
    content = vault.read(path)
    _expect(args, path, content)
    old, start, end = _as_text(path, content), int(patch["start"]), int(patch["end"])
    if not start <= end <= len(old):
        raise ToolFailure("PRECONDITION_FAILED", f"{path!r} has {len(old)} characters, no range {start} to {end}")
    new = old[:start] + patch["text"] + old[end:]
    return {**_written(vault, path, new.encode(), args, replace=True), "applied": new != old}


def _written(vault: Vault, path: str, content: bytes, args: Object, *, replace: bool) -> Object:
    written = {} if args.get("dryRun") else {"mtimeMs": vault.write(path, content, replace=replace).modified_ms}
    return {"path": path, "etag": etag(content), **written}


def _expect(args: Object, path: str, content: bytes | None) -> None:
    expected = args.get("expectedEtag")
    if expected is not None and (content is None or etag(content) != expected):
        raise ToolFailure("CONFLICT", f"{path!r} is not what it was when its etag was taken")


def _as_text(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ToolFailure("PRECONDITION_FAILED", f"{path!r} is no UTF-8 text; it can be read as base64") from error


def _with_frontmatter(args: Object) -> str:
    content, frontmatter = args["content"], args.get("frontmatter")
    if not frontmatter:
        return str(content)
    if content.startswith("---\n"):
        raise ToolFailure("VALIDATION_ERROR", "the content begins with a frontmatter of its own")
    lines = (f"{json.dumps(name)}: {json.dumps(value)}\n" for name, value in frontmatter.items())  # JSON is YAML
    return f"---\n{''.join(lines)}---\n{content}"
