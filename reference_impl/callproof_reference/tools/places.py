"""Tools for what stands where: make a folder, list what is in one, give things another place, take theirs away."""

from __future__ import annotations

from itertools import islice

from callproof_reference.errors import ToolFailure
from callproof_reference.jsontext import Object
from callproof_reference.vault import Entry, Vault, normal


def ensure_folder(vault: Vault, args: Object) -> Object:
    """TOOL-01."""
    path = normal(args["path"])
    entry = vault.find(path)
    if entry is not None and entry.kind != "folder":
        raise ToolFailure("CONFLICT", f"there is something at {path!r} that is no folder")
    if not args.get("dryRun"):
        vault.make_folder(path)
    return {"path": path, "created": entry is None}


def list_files(vault: Vault, args: Object) -> Object:
    """TOOL-02, TOOL-03. Links and devices are left out, since no tool opens them."""
    prefix, offset, limit = normal(args.get("prefix", "")), int(args.get("offset", 0)), int(args.get("limit", 1000))
    vault.get(prefix, "folder")
    endings = tuple(f".{name.removeprefix('.')}".casefold() for name in args.get("extensions", ()))
    kinds, entries = ("file",) if endings else ("file", "folder"), vault.walk(prefix, deep=args.get("recursive", False))
    found = (_listed(each) for each in entries if each.kind in kinds and each.path.casefold().endswith(endings or ""))
    items = list(islice(found, offset, offset + limit))
    more = {} if next(found, None) is None else {"nextOffset": offset + len(items)}
    return {"items": items, "truncated": bool(more), **more}


def rename(vault: Vault, args: Object) -> Object:
    """TOOL-10. A name that differs in case or form only is no collision with itself (EFF-24)."""
    source, target = normal(args["fromPath"]), normal(args["toPath"])
    if not source or f"{target}/".startswith(f"{source}/"):
        raise ToolFailure("VALIDATION_ERROR", f"{source!r} cannot become {target!r}")
    strategy, taken, moved = args.get("collisionStrategy", "error"), vault.find(target), vault.get(source)
    if taken is not None and taken.inode != moved.inode:
        if strategy == "create-unique":
            target = vault.unique(target)
        elif strategy == "error" or not moved.kind == taken.kind == "file":
            raise ToolFailure("CONFLICT", f"there is already something at {target!r}")
    if not args.get("dryRun"):
        vault.move(source, target)
    return {"fromPath": source, "toPath": target}


def delete(vault: Vault, args: Object) -> Object:
    """TOOL-11. A folder goes with all that it holds."""
    path, trash = normal(args["path"]), args.get("trash", True)
    if not path:
        raise ToolFailure("POLICY_DENIED", "the vault itself is not deleted")
    if not args.get("requireExists", True) and vault.find(path) is None:
        return {"path": path, "deleted": False}
    vault.get(path)
    if not args.get("dryRun"):
        vault.trash(path) if trash else vault.remove(path)
    return {"path": path, "deleted": True, "trashed": trash}


def _listed(entry: Entry) -> Object:
    more = {"sizeBytes": entry.size, "mtimeMs": entry.modified_ms} if entry.kind == "file" else {}
    return {"path": entry.path, "kind": entry.kind, **more}
