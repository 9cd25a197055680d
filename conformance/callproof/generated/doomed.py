"""Work on files that has to fail as the folder is: with NOT_FOUND if a path is missing, CONFLICT if it is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from callproof.checks.changes import folded
from callproof.live.case import Case, Item, ItemKind
from callproof.live.scenarios.building import policy
from callproof.trace.plan import Plan, Policy, Step
from callproof.trace.registry import registry_of
from callproof.values.jsontext import Json

# These rules deny no path that lies in the folder.
_PLAIN = policy()["sandbox"]
_PATHS = ("path", "fromPath", "toPath")
# Tools whose first path must exist; tools that refuse a path that is taken if their collision strategy says so; and
# both these and the tool that refuses it because of an etag.
_MISSES = frozenset({"vault.readFile", "vault.patchFile", "vault.rename", "vault.delete"})
_COLLIDES = frozenset({"vault.createFile", "vault.rename"})
_MEETS = _COLLIDES | {"vault.writeFile"}


def with_codes(case: Case) -> Case:
    """The case with the codes with which its steps have to end added to its expectations."""
    due = codes_due(case)
    others = {name: each for name, each in case.expectations.items() if name != "codes"}
    return replace(case, expectations={**others, "codes": due} if due else others)


def codes_due(case: Case) -> dict[str, Json]:
    """
    By step, the code with which one of the system's own tools has to refuse its work.

    Only if nothing else can play a part: the policy is the plain one and the arguments fit, no other step is given
    the same path or one above or below it, no step refers to another, and the step depends on none.
    """
    rules, steps = Policy(case.policy), Plan(case.plan).steps
    if not case.system_tools or case.tools or rules.sandbox != _PLAIN or rules.denied_tools:
        return {}
    if any(step.references for step in steps):
        return {}
    paths = {step.id: tuple(map(folded, _paths(step))) for step in steps}
    there = _there(case.folder)
    due: dict[str, Json] = {}
    for step in steps:
        others = [path for name, each in paths.items() if name != step.id for path in each]
        alone = not any(_meet(own, other) for own in paths[step.id] for other in others)
        code = _code(step, there) if alone and not step.depends_on and _fits(case, step) else None
        if code is not None:
            due[step.id] = code
    return due


def _fits(case: Case, step: Step) -> bool:
    """Whether the arguments of a step fit the schema of its tool."""
    tool = registry_of(case.descriptors).resolve(step.tool)
    return tool is not None and tool.input_validator is not None and tool.input_validator.accepts(step.args)


def folders_above(path: str) -> list[str]:
    """The folders in which a path lies, the nearest first."""
    return [str(each) for each in PurePosixPath(path).parents][:-1]


def _paths(step: Step) -> Iterable[str]:
    return (each for name in _PATHS if isinstance(each := step.args.get(name), str))


def _there(folder: Iterable[Item]) -> Mapping[str, ItemKind]:
    """What the folder holds, by path in the spelling by which a case-insensitive disk compares."""
    found: dict[str, ItemKind] = {}
    for item in folder:
        found |= dict.fromkeys(map(folded, folders_above(item.path)), ItemKind.FOLDER)
        found[folded(item.path)] = item.kind
    return found


def _meet(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


def _code(step: Step, there: Mapping[str, ItemKind]) -> str | None:
    """The one code, or None if the work may succeed or two codes would be right."""
    args = step.args
    found = [there.get(folded(path)) for path in _paths(step)]
    if step.tool in _MISSES and found[:1] == [None] and found[1:] in ([], [None]):
        return "NOT_FOUND" if args.get("requireExists") is not False else None
    refuses = args.get("collisionStrategy") == "error" if step.tool in _COLLIDES else "expectedEtag" in args
    in_the_way = step.tool in _MEETS and set(found) == {ItemKind.FILE} and len(set(_paths(step))) == len(found)
    return "CONFLICT" if in_the_way and refuses else None
