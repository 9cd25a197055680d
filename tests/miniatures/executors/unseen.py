"""EFF, POL: changes that effects do not report or report wrongly, and calls that the policy should stop."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import HOOKED, OUTPUT, OWN_TOOL, RECORD_RESULT, START, VAULT_FACTS, Patch, Record


@miniature("reading-tools-have-no-effects", breaks="EFF-01")
def _(patch: Patch) -> None:
    """What the host saw a read-only tool change is left out, since such a tool should change nothing."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        reads = subject.step.tool.risk_level == "read-only"
        original(records, subject, ending._replace(effects=None) if reads else ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("one-look-before-the-whole-run", breaks="EFF-16")
def _(patch: Patch) -> None:
    """The first call of the run's own tools is reported to have changed all that changed since the run began."""
    from callproof_reference.vault import effects, snapshot

    looks: dict[Path, Any] = {}

    def start(original: Any, run: Any, plan: Any, setting: Any, *more: Any) -> None:
        original(run, plan, setting, *more)
        if setting.root is not None:
            looks[setting.root] = snapshot(setting.root)

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        answer, before = original(tool, args, root, *more), looks.pop(root, None)
        return answer if before is None else answer._replace(effects=effects(before, snapshot(root)))

    patch.around(START, start)
    patch.around(OWN_TOOL, own)


@miniature("keeps-a-copy-for-later", breaks="EFF-18", also=("EFF-08",))
def _(patch: Patch) -> None:
    """A while after a file was created, the executor writes a copy of it, and no effect reports that."""
    runs: dict[Path, Any] = {}

    def start(original: Any, run: Any, plan: Any, setting: Any, *more: Any) -> None:
        original(run, plan, setting, *more)
        if setting.root is not None:
            runs[setting.root] = run

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        answer = original(tool, args, root, *more)
        made = (answer.effects or {}).get("created", [])
        if tool.name == "vault.createFile" and made:
            copied = root / "copy-of-a-note"
            runs[root].clock.after(200).when_kept(lambda: _write(copied, args["content"]))
        return answer

    patch.around(START, start)
    patch.around(OWN_TOOL, own)


@miniature("checked-here-and-opened-there", breaks="POL-08", also=("EFF-08",))
def _(patch: Patch) -> None:
    """The policy checks where a path leads, but the tool follows the links that are there when its turn comes."""
    from callproof_reference import vault

    patch.around(VAULT_FACTS, lambda original, folder, name: os.stat(name, dir_fd=folder))
    for name in ("_FOLDER", "_FILE"):
        setattr(vault, name, getattr(vault, name) & ~os.O_NOFOLLOW)


@miniature("a-broken-hook-is-no-hook", breaks="POL-20")
def _(patch: Patch) -> None:
    """A call whose hook fails goes on as if no hook had been asked."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, new, extra = await original(run, subject, args)
        failed = refusal is not None and refusal["details"]["reason"] == "hook_failed"
        return (None if failed else refusal), new, extra

    patch.around(HOOKED, hooked)


@miniature("tools-may-bring-a-policy", breaks="POL-12", also=("CALL-17", "LOG-10", "POL-01", "POL-02", "POL-21"))
def _(patch: Patch) -> None:
    """As soon as a tool answers with a policy, the run obeys that policy."""
    runs: dict[str, Any] = {}

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        runs["now"] = run

    def output(original: Any, tool: Any, told: Any) -> Any:
        problem, data = original(tool, told)
        if problem is None and "policy" in data and "sandbox" in data["policy"]:
            runs["now"].plan.policy.update(data["policy"])
        return problem, data

    patch.around(START, start)
    patch.around(OUTPUT, output)


def _write(path: Path, content: str) -> None:
    if path.parent.is_dir():
        path.write_text(content, encoding="utf-8")
