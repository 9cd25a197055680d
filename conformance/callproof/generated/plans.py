"""Generated plans: steps one after another, each of which may refer to those before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from callproof.generated import odd
from callproof.generated.chances import between, chance, in_any_order, one_of, some_of
from callproof.generated.shelves import Known, lists, reference, template
from callproof.generated.styles import Style
from callproof.generated.tools import Kit, Takes, kit
from callproof.live.scenarios.building import plan, step
from callproof.trace.references import Scope, Unresolved, bindings_of, resolve
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

_TIMEOUTS_MS = (150, 100, 200)
_BACKOFFS_MS = (0, 100, 150, 200)
_CAPTURED = 2


@dataclass(slots=True)
class Draft:
    """A plan while it is made: its steps so far, their tools, and what the next step may refer to."""

    steps: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    kits: list[Kit] = field(default_factory=list[Kit])
    shelf: list[Known] = field(default_factory=list[Known])
    # The output of each step if nothing fails, by the id of the step.
    outputs: dict[str, Json] = field(default_factory=dict[str, Json])
    variables: dict[str, Json] = field(default_factory=dict[str, Json])
    # Steps whose schema permits more members in the output than it has.
    open: list[str] = field(default_factory=list[str])
    # References to the outputs of loops.
    loops: list[str] = field(default_factory=list[str])
    # Whether the policy wants the run confirmed.
    asks: bool = False


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop for the next step: its ``foreach`` member, its items, and its bindings with their values."""

    foreach: Mapping[str, Json]
    items: tuple[Json, ...]
    bindings: tuple[Known, ...]


def draft(dice: Random, style: Style) -> Draft:
    """A plan of ``style.least`` to ``style.most`` steps."""
    made = Draft()
    # The first step has nothing to refer to: it is mostly a source for the others.
    for place in range(between(dice, style.least, style.most)):
        _add_step(dice, style if place else style.at_first, made, odd.STEP_IDS[place])
    return made


def finished(dice: Random, style: Style, made: Draft) -> Mapping[str, Json]:
    """The plan of a draft; the order of the list has no meaning, and is sometimes shuffled."""
    steps = made.steps
    if len(steps) > 1 and chance(dice, 20):
        steps = in_any_order(dice, steps)
    more: dict[str, Json] = {}
    if chance(dice, 15):
        more["defaults"] = _defaults(dice, style)
    writes = any(each.tool.descriptor.get("riskLevel") == "writes" for each in made.kits)
    goal = one_of(dice, odd.TEXTS) if chance(dice, 20) else "Do what was drawn"
    return plan(*steps, goal=goal, risk="writes" if writes else "read-only", **more)


def _defaults(dice: Random, style: Style) -> Mapping[str, Json]:
    found: dict[str, Json] = {}
    if chance(dice, style.retry):
        found["retry"] = _retry(dice)
    if chance(dice, style.skip):
        found["onError"] = "skip"
    return found


def _add_step(dice: Random, style: Style, made: Draft, step_id: str) -> None:
    loop = _loop(dice, style, made) if made.shelf and chance(dice, style.loop) else None
    used = _kit(dice, style, made, in_loop=loop is not None)
    args = _args(dice, style, made, used.takes, loop)
    new = dict(step(step_id, _name(dice, used), args))
    if loop is not None:
        new["foreach"] = dict(loop.foreach)
    needed = some_of(dice, [str(each["id"]) for each in made.steps], style.depend)
    if needed:
        new["dependsOn"] = list(needed)
    _add_ways_out(dice, style, new, used)
    made.steps.append(new)
    _shelve(dice, style, made, used, loop)


def _add_ways_out(dice: Random, style: Style, new: dict[str, Json], used: Kit) -> None:
    """Add what the step does about failures: retries, a time limit, and what a failure means for other steps."""
    if chance(dice, style.retry):
        new["retry"] = _retry(dice)
    if used.hangs or chance(dice, style.limit):
        new["timeoutMs"] = one_of(dice, _TIMEOUTS_MS)
    if chance(dice, style.skip):
        new["onError"] = "skip"
    elif chance(dice, 20):
        new["onError"] = one_of(dice, ("stop", "retry"))


def _retry(dice: Random) -> Mapping[str, Json]:
    found: dict[str, Json] = {"maxAttempts": one_of(dice, (2, 3, 4, 2, 3, 1))}
    if chance(dice, 85):
        found["backoffMs"] = one_of(dice, _BACKOFFS_MS)
    return found


def _loop(dice: Random, style: Style, made: Draft) -> _Loop | None:
    found = lists(made.shelf)
    if not found:
        return None
    source = one_of(dice, found)
    if chance(dice, 35):
        source = next((each for each in found if each.text in made.loops), source)
    if chance(dice, style.path):
        source = next((each for each in found if "paths" in each.text), source)
    if chance(dice, style.wrong // 3):
        source = reference(dice, made.shelf)  # most are no arrays, and the step fails (REF-26)
    items: tuple[Json, ...] = tuple(source.values[0]) if is_array(source.values[0]) else ()
    text = f"{{{source.text}}}" if chance(dice, 15) else source.text
    foreach: dict[str, Json] = {"from": text, "itemName": one_of(dice, odd.ITEM_NAMES)}
    if chance(dice, 25):
        foreach["indexName"] = one_of(dice, odd.INDEX_NAMES)
    if chance(dice, style.wide):
        foreach["concurrency"] = between(dice, 2, 3)
    bindings = (
        Known(str(foreach["itemName"]), items, braced=True),
        Known(str(foreach.get("indexName", "index")), tuple(range(len(items))), braced=True),
    )
    return _Loop(foreach, items, bindings)


def _kit(dice: Random, style: Style, made: Draft, *, in_loop: bool) -> Kit:
    if made.kits and chance(dice, 15):
        again = one_of(dice, made.kits)
        if not again.hangs and (again.takes is not Takes.NOTHING or not in_loop):
            return again
    takes = Takes.NOTHING if not made.shelf and chance(dice, 75) else _takes(dice, style)
    names = [each for each in odd.TOOL_NAMES if each not in {used.tool.name for used in made.kits}]
    new = kit(dice, style, names[0] if chance(dice, 60) else one_of(dice, names), takes, in_loop=in_loop)
    made.kits.append(new)
    return new


def _takes(dice: Random, style: Style) -> Takes:
    if chance(dice, style.path):
        return Takes.PATH
    return Takes.TEXT if chance(dice, style.wrong) else Takes.ANY


def _name(dice: Random, used: Kit) -> str:
    aliases = used.tool.descriptor.get("aliases")
    return str(aliases[0]) if is_array(aliases) and chance(dice, 50) else used.tool.name


def _args(dice: Random, style: Style, made: Draft, takes: Takes, loop: _Loop | None) -> Mapping[str, Json]:
    if takes is Takes.NOTHING:
        return {}
    own = loop.bindings if loop is not None else ()
    if takes is Takes.PATH:
        return {"path": _path(dice, own)}
    if takes is Takes.TEXT and own and chance(dice, 70):
        return {"value": f"{{{own[0].text}}}"}  # whatever type the item has
    if chance(dice, style.absent):
        # A reference to what a tool's closed output does not have is refused before the run; one into an item is not.
        loose = loop is not None and ".items" in str(loop.foreach["from"])
        roots = [*(f"$steps.{each}" for each in made.open), *(f"{{{each.text}.missing}}" for each in own[:loose])]
        if roots:
            chosen = one_of(dice, roots)
            return {"value": chosen if chosen.startswith("{") else f"{chosen}.missing"}
    # In a loop most references are to the bindings.
    shelf = [*made.shelf, *own, *own, *own]
    return {"value": template(dice, shelf, style.refer if not own else max(style.refer, 60))}


def _path(dice: Random, own: tuple[Known, ...]) -> str:
    if own and any(each == "Notes/a.md" for each in own[0].values):
        return f"{{{own[0].text}}}"
    return one_of(dice, odd.OFFENDING_PATHS if chance(dice, 12) else odd.INNOCENT_PATHS)


def _shelve(dice: Random, style: Style, made: Draft, used: Kit, loop: _Loop | None) -> None:
    """Let later steps refer to the last one."""
    new = made.steps[-1]
    step_id = str(new["id"])
    output = _output(made, new, used, loop)
    made.outputs[step_id] = output
    if loop is not None:
        made.loops.append(f"$steps.{step_id}")
    if style.refer:
        made.shelf.append(Known(f"$steps.{step_id}", (output,)))
    if used.open and loop is None:
        made.open.append(step_id)
    if len(made.variables) < _CAPTURED and chance(dice, style.capture):
        name = next(each for each in odd.VARIABLES if each not in made.variables)
        new["captureAs"] = name
        made.variables[name] = output
        made.shelf.append(Known(f"$vars.{name}", (output,)))


def _output(made: Draft, new: Mapping[str, Json], used: Kit, loop: _Loop | None) -> Json:
    """The output of the step if nothing fails; an empty one if its references cannot be resolved."""
    scope = Scope(made.outputs, made.variables, bindings_of(new))
    try:
        if loop is None:
            return _gives(used, resolve(new["args"], scope))
        return [
            _gives(used, resolve(new["args"], Scope(scope.steps, scope.variables, scope.bindings, item, place)))
            for place, item in enumerate(loop.items)
        ]
    except Unresolved:
        return [] if loop is not None else {}


def _gives(used: Kit, args: Json) -> Json:
    return dict(used.gives(args)) if isinstance(args, dict) else {}
