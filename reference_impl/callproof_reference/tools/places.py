"""Tools for what stands where: make a folder, list what is in one, give things another place, take theirs away."""

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
    if not flag(args, "dryRun"):
        vault.make_folder(path)
    return {"path": path, "created": entry is None}


def list_files(vault: Vault, args: Args) -> Data:
    """TOOL-02, TOOL-03. Links and devices are left out, since no tool opens them."""
    prefix, offset, limit = normal(text(args, "prefix")), number(args, "offset"), number(args, "limit", 1000)
    vault.get(prefix, "folder")
    endings = tuple(f".{name.removeprefix('.')}".casefold() for name in strings(args.get("extensions")))
    found = (
        _listed(entry)
        for entry in (vault.walk(prefix) if flag(args, "recursive") else vault.children(prefix))
        if entry.kind == "file" or (entry.kind == "folder" and not endings)
        if not endings or entry.path.casefold().endswith(endings)
    )
    items = list(islice(found, offset, offset + limit))
    more: Data = {} if next(found, None) is None else {"nextOffset": offset + len(items)}
    return {"items": items, "truncated": bool(more), **more}


def rename(vault: Vault, args: Args) -> Data:
    """TOOL-10. A name that differs in case or form only is no collision with itself (EFF-24)."""
    source, target = normal(text(args, "fromPath")), normal(text(args, "toPath"))
    if not source or f"{target}/".startswith(f"{source}/"):
        raise ToolFailure("VALIDATION_ERROR", f"{source!r} cannot become {target!r}")
    moved, taken, strategy = vault.find(source), vault.find(target), text(args, "collisionStrategy", "error")
    if moved is None:
        raise ToolFailure("NOT_FOUND", f"there is nothing at {source!r}")
    if taken is not None and taken.inode != moved.inode:
        if strategy == "create-unique":
            target = vault.unique(target)
        elif strategy == "error" or not moved.kind == taken.kind == "file":
            raise ToolFailure("CONFLICT", f"there is already something at {target!r}")
    if not flag(args, "dryRun"):
        vault.move(source, target)
    return {"fromPath": source, "toPath": target}


def delete(vault: Vault, args: Args) -> Data:
    """TOOL-11. A folder goes with all that it holds."""
    path, trash = normal(text(args, "path")), flag(args, "trash", default=True)
    if not path:
        raise ToolFailure("POLICY_DENIED", "the vault itself is not deleted")
    if vault.find(path) is None:
        if flag(args, "requireExists", default=True):
            raise ToolFailure("NOT_FOUND", f"there is nothing at {path!r}")
        return {"path": path, "deleted": False}
    if not flag(args, "dryRun"):
        vault.trash(path) if trash else vault.remove(path)
    return {"path": path, "deleted": True, "trashed": trash}


def _listed(entry: Entry) -> Json:
    more: Data = {"sizeBytes": entry.size, "mtimeMs": entry.modified_ms} if entry.kind == "file" else {}
    return {"path": entry.path, "kind": entry.kind, **more}
