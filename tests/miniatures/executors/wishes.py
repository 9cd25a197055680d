"""ERR, POL: dry runs that change something, or that do not fail where the real call would."""

from __future__ import annotations

from typing import Any

from miniatures.miniature import miniature
from miniatures.points import OWN_TOOL, Patch, Record


@miniature("a-dry-move-moves", breaks="POL-11", also=("EFF-23",), seen_in="SC-29")
def _(patch: Patch) -> None:
    """Of all writing tools, only vault.rename ignores dryRun."""
    from callproof_reference.tools import WORK

    rename = WORK["vault.rename"]

    def work(vault: Any, args: Record) -> Any:
        return rename(vault, {name: value for name, value in args.items() if name != "dryRun"})

    WORK["vault.rename"] = work


@miniature("dry-runs-find-everything", breaks="ERR-01", seen_in="SC-29")
def _(patch: Patch) -> None:
    """A dry run that does not find its file ends ok."""

    def own(original: Any, tool: Any, args: Record, *more: Any) -> Any:
        answer = original(tool, args, *more)
        if args.get("dryRun") is not True or not answer.error or answer.error["code"] != "NOT_FOUND":
            return answer
        names = {"vault.rename": ("fromPath", "toPath"), "vault.delete": ("path",)}.get(tool.name, ("path",))
        more_data = {"deleted": True, "trashed": True} if tool.name == "vault.delete" else {}
        return answer._replace(error=None, output={**{name: args[name] for name in names}, **more_data})

    patch.around(OWN_TOOL, own)
