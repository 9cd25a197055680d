"""Tools for folders: make one, list what is in one."""

from __future__ import annotations

from itertools import islice

from callproof_reference.tools.contract import Args, Data, Json, ToolFailure, flag, number, strings, text
from callproof_reference.vault import Entry, Vault, normal


def ensure_folder(vault: Vault, args: Args) -> Data:
    """TOOL-01."""
    path = normal(text(args, "path"))
    entry = vault.find(path)
    if entry is not None and entry.kind != "folder":
        raise ToolFailure("CONFLICT", f"there is something at {path!r} that is no folder")
    return {"path": path, "created": entry is None if flag(args, "dryRun") else vault.make_folder(path)}


def list_files(vault: Vault, args: Args) -> Data:
    """TOOL-02, TOOL-03. Links and devices are left out, since no tool opens them."""
    prefix, offset, limit = normal(text(args, "prefix")), number(args, "offset"), number(args, "limit", 1000)
    vault.get(prefix, "folder")
    endings = tuple(f".{name.removeprefix('.')}".casefold() for name in strings(args, "extensions"))
    found = (
        _file_entry(entry)
        for entry in (vault.walk(prefix) if flag(args, "recursive") else vault.children(prefix))
        if entry.kind == "file" or (entry.kind == "folder" and not endings)
        if not endings or entry.path.casefold().endswith(endings)
    )
    items = list(islice(found, offset, offset + limit))
    if next(found, None) is None:
        return {"items": items, "truncated": False}
    return {"items": items, "truncated": True, "nextOffset": offset + len(items)}


def _file_entry(entry: Entry) -> Json:
    if entry.kind == "folder":
        return {"path": entry.path, "kind": "folder"}
    return {"path": entry.path, "kind": "file", "sizeBytes": entry.size, "mtimeMs": entry.modified_ms}
