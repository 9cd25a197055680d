"""Tools that give a file or folder another place, or take its place away."""

from __future__ import annotations

from callproof_reference.tools.contract import Args, Data, ToolFailure, flag, text
from callproof_reference.vault import Vault, normal


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
