"""POL: policies that are asked and not obeyed."""

from __future__ import annotations

from typing import Any, ClassVar

from miniatures.miniature import miniature
from miniatures.points import (
    ATTEMPT,
    BREACH,
    HOOKED,
    INVALID,
    LOAD,
    MALFORMED,
    MATCHES,
    OUTSIDE,
    VAULT_FACTS,
    Patch,
    Record,
    changed,
)


@miniature("denied-tool-called", breaks="POL-01")
def _(patch: Patch) -> None:
    """A tool that the policy denies is called."""

    def breach(original: Any, *given: Any) -> Any:
        found = original(*given)
        return None if found and found["details"]["reason"] == "denied_tool" else found

    patch.around(BREACH, breach)


@miniature("allowed-roots-not-looked-at", breaks="POL-02", also=("POL-03", "POL-15"))
def _(patch: Patch) -> None:
    """Any path within the vault is let through, whatever roots the policy allows."""

    def outside(original: Any, *given: Any) -> Any:
        found = original(*given)
        return None if found == "lies outside the allowed roots" else found

    patch.around(OUTSIDE, outside)


@miniature("roots-compared-by-their-first-letters", breaks="POL-03")
def _(patch: Patch) -> None:
    """The root notes also allows paths in notesx."""

    def outside(original: Any, path: str, sandbox: Record, root: Any) -> Any:
        found = original(path, sandbox, root)
        near = any(path.startswith(each.strip("/")) for each in sandbox.get("allowedRoots", []) if each.strip("/"))
        return None if near and found and "roots" in found else found

    patch.around(OUTSIDE, outside)


@miniature("parents-seen-at-the-start-only", breaks="POL-04")
def _(patch: Patch) -> None:
    """A path with a parent segment somewhere inside is let through."""

    def malformed(original: Any, path: str) -> Any:
        found = original(path)
        return None if found == "has a parent segment" and not path.startswith("..") else found

    patch.around(MALFORMED, malformed)


@miniature("absolute-paths-pass", breaks="POL-05")
def _(patch: Patch) -> None:
    """Absolute paths and drives are not refused."""
    patch.around(MALFORMED, lambda original, path: None if original(path) == "is absolute" else original(path))


@miniature("addresses-pass-for-paths", breaks="POL-06")
def _(patch: Patch) -> None:
    """A URI in the place of a path is not refused."""
    patch.around(MALFORMED, lambda original, path: None if original(path) == "is a URI" else original(path))
    patch.around(MATCHES, lambda original, pattern, *rest: pattern != "://" and original(pattern, *rest))


@miniature("links-followed-out-of-the-vault", breaks="POL-07", also=("EFF-08", "EFF-14", "EFF-15"))
def _(patch: Patch) -> None:
    """A symbolic link is followed wherever it points."""
    import os

    from callproof_reference import vault

    patch.around(OUTSIDE, lambda original, path, sandbox, root: original(path, sandbox, None))
    patch.around(VAULT_FACTS, lambda original, folder, name: os.stat(name, dir_fd=folder))
    for name in ("_FOLDER", "_FILE"):
        setattr(vault, name, getattr(vault, name) & ~os.O_NOFOLLOW)


@miniature("deny-patterns-not-looked-at", breaks="POL-09")
def _(patch: Patch) -> None:
    """No pattern of the policy denies anything."""
    patch.around(MATCHES, lambda original, *given: False)


@miniature("deny-patterns-match-anywhere", breaks="POL-10")
def _(patch: Patch) -> None:
    """The pattern .. denies a..b.md as well."""
    patch.around(
        MATCHES, lambda original, pattern, path, segments: pattern in path or original(pattern, path, segments)
    )


@miniature("every-prefix-is-a-path", breaks="POL-10", seen_in="SC-14/no-paths")
def _(patch: Patch) -> None:
    """An argument called prefix is judged as a path, whatever tool it is for."""

    def breach(original: Any, tool: Any, args: Record, *given: Any) -> Any:
        return original(changed(tool, name="vault.listFiles") if "prefix" in args else tool, args, *given)

    patch.around(BREACH, breach)


@miniature("policy-asked-once-a-loop", breaks="POL-13", also=("POL-01", "POL-02", "POL-04"))
def _(patch: Patch) -> None:
    """Only the first iteration of a loop is checked against the policy."""

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        later = subject.iteration is not None and subject.iteration["index"] > 0
        return await original(_Lawless(run) if later else run, subject, args)

    def breach(original: Any, tool: Any, args: Record, policy: Record, root: Any) -> Any:
        return None if policy is _Lawless.policy else original(tool, args, policy, root)

    patch.around(ATTEMPT, attempt)
    patch.around(BREACH, breach)


@miniature(
    "policy-asked-at-first-attempts-alone",
    breaks="POL-13",
    also=("POL-02", "POL-04", "POL-17", "RETRY-16"),
    seen_in="SC-15/rewrites-the-second-attempt-outwards",
)
def _(patch: Patch) -> None:
    """Only the first attempt of a call is checked against the policy."""

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        return await original(_Lawless(run) if subject.attempt > 1 else run, subject, args)

    def breach(original: Any, tool: Any, args: Record, policy: Record, root: Any) -> Any:
        return None if policy is _Lawless.policy else original(tool, args, policy, root)

    patch.around(ATTEMPT, attempt)
    patch.around(BREACH, breach)


class _Lawless:
    """A run, and the plan of a run, that has no policy to ask."""

    policy: ClassVar[Record] = {}

    def __init__(self, run: Any) -> None:
        self._run, self.plan = run, self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)


@miniature("dry-run-writes", breaks="POL-11", also=("EFF-23",))
def _(patch: Patch) -> None:
    """A dry run makes the changes that it should only describe."""
    from callproof_reference.tools import WORK

    for name, each in list(WORK.items()):

        def work(vault: Any, args: Record, original: Any = each) -> Any:
            return original(vault, {member: value for member, value in args.items() if member != "dryRun"})

        WORK[name] = work


@miniature("block-of-a-hook-ignored", breaks="POL-16")
def _(patch: Patch) -> None:
    """A call goes out although a hook blocks it."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, new, extra = await original(run, subject, args)
        blocked = refusal is not None and refusal["details"]["reason"] == "hook_blocked"
        return (None if blocked else refusal), new, extra

    patch.around(HOOKED, hooked)


@miniature("what-a-hook-changed-is-trusted", breaks="POL-17", also=("POL-02", "POL-04", "POL-13", "RETRY-16", "VAL-01"))
def _(patch: Patch) -> None:
    """Arguments that a hook has changed are not checked again."""
    trusted: list[Record] = []

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, new, extra = await original(run, subject, args)
        if extra:
            trusted.append(new)
        return refusal, new, extra

    def breach(original: Any, tool: Any, args: Record, *given: Any) -> Any:
        return None if args in trusted else original(tool, args, *given)

    patch.around(INVALID, lambda original, tool, args: None if args in trusted else original(tool, args))
    patch.around(HOOKED, hooked)
    patch.around(BREACH, breach)


@miniature("unknown-risk-is-no-risk", breaks="POL-19")
def _(patch: Patch) -> None:
    """A tool that declares no risk level is taken for read-only."""

    def load(original: Any, descriptor: Record) -> Any:
        return original({"riskLevel": "read-only", **descriptor})

    patch.around(LOAD, load)


@miniature("sandbox-off-in-the-records", breaks="POL-21", also=("CALL-17", "LOG-10"))
def _(patch: Patch) -> None:
    """Calls say that the sandbox is off, although the run's policy does not say so."""

    def change(record: Record) -> None:
        record["policy"]["sandbox"]["enabled"] = False

    patch.record("call", change)
