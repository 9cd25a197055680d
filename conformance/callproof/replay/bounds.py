"""What a case from an unknown source may not ask for: a path outside its folder, or excessive numbers and sizes.

The suite's own scenarios stay within these bounds; a test checks that.
"""

from __future__ import annotations

import dataclasses
import json
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from callproof import limits
from callproof.live.behaviours import Reply, Write
from callproof.live.canonical_tools import CANONICAL_TOOLS
from callproof.live.case import Case, HostedTool, Item, ItemKind
from callproof.replay.codec import Misfit, json_name, nearest_to, shown
from callproof.trace.witnesses import ActKind

_BESIDE = ("..", "outside")
# The only path in the audit folder that a case may fill, so that the run finds a log there.
_HELD = "../audit/run.json"
_PERMITTED = "a path of plain names below the root, or below ../outside"
_NAME_BYTES = 255
_NO_MOVES = (ActKind.START, ActKind.KILL)


def refuse_excess(case: Case, pointer: str) -> None:
    """
    Check every path and number of a case, and every tool that the system must bring along.

    ``pointer`` is where the case stands.  Raises Misfit if one of them is out of bounds.
    """
    for place, part in _parts(case, pointer):
        if isinstance(part, int) and not isinstance(part, bool) and not 0 <= part <= limits.CASE_NUMBER:
            raise Misfit(place, f"the value is {shown(part)}", f"a number from 0 to {limits.CASE_NUMBER}")
        if isinstance(part, tuple):
            _refuse_length(place, cast("tuple[object, ...]", part), limits.CASE_ITEMS)
        if isinstance(part, Reply) and part.text is not None:
            _refuse_text(f"{place}/text", part.text)
        if isinstance(part, HostedTool) and not part.behaviour.replies:
            raise Misfit(f"{place}/behaviour/replies", "the list is empty", "at least one reply")
        if isinstance(part, Case):
            _refuse_company(part, place)
            _refuse_no_secret(part.canaries, f"{place}/canaries")
            _refuse_folder(part.folder, f"{place}/folder")
            _refuse_places(_placed(part, place))
            _refuse_strange_tools(part, place)


@dataclass(frozen=True, slots=True)
class _Placed:
    """Something that the suite puts into the folder: where the case says so, its path, and a link's target."""

    pointer: str
    path: str
    target: str | None
    target_pointer: str


def _placed(case: Case, pointer: str) -> tuple[_Placed, ...]:
    found: list[_Placed] = []
    # A companion has its own folder.
    for place, part in _parts(replace(case, company=()), pointer):
        if isinstance(part, Item):
            target = part.text if part.kind is ItemKind.LINK else None
            found.append(_Placed(f"{place}/path", part.path, target, f"{place}/text"))
        elif isinstance(part, Write):
            found.append(_Placed(f"{place}/path", part.path, part.content if part.link else None, f"{place}/content"))
    return tuple(found)


def _parts(value: object, pointer: str) -> Iterator[tuple[str, object]]:
    """Every part of a case with its place, except what lies inside free JSON."""
    yield pointer, value
    if dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from _parts(getattr(value, each.name), f"{pointer}/{json_name(each.name)}")
    elif isinstance(value, tuple):
        for place, inner in enumerate(cast("tuple[object, ...]", value)):
            yield from _parts(inner, f"{pointer}/{place}")


def _refuse_length(pointer: str, entries: tuple[object, ...], most: int) -> None:
    if len(entries) > most:
        raise Misfit(pointer, f"there are {len(entries)} entries", f"at most {most}")


def _refuse_text(pointer: str, text: str) -> None:
    """Refuse text of an output that even a lenient reader of JSON cannot read."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        raise Misfit(
            pointer, f"the value is {shown(text)}", "JSON text; numbers that no double holds are permitted too"
        ) from None


def _refuse_no_secret(canaries: tuple[str, ...], pointer: str) -> None:
    """Refuse an empty secret: every record contains the empty text, so every system would have leaked it (LOG-16)."""
    for place, each in enumerate(canaries):
        if not each:
            raise Misfit(f"{pointer}/{place}", "the text is empty", "a secret of at least one character")


def _refuse_company(case: Case, pointer: str) -> None:
    _refuse_length(f"{pointer}/company", case.company, limits.CASE_COMPANY)
    taken = {case.id}
    for place, each in enumerate(case.company):
        if each.case.id in taken:  # findings, and what the case says of a run, are matched by the run's name
            told = f"{pointer}/company/{place}/case/id"
            raise Misfit(
                told,
                f"another run of the case is called {shown(each.case.id)}",
                "a name that no other run of the case has",
            )
        taken.add(each.case.id)
    for place, move in enumerate(case.timeline):
        if move.act in _NO_MOVES:
            told = "approve, reject, cancel, turn away; the suite starts and kills by itself"
            raise Misfit(f"{pointer}/timeline/{place}/act", f"the value is {shown(move.act.value)}", told)
        if move.count < 1:
            raise Misfit(
                f"{pointer}/timeline/{place}/count", f"the value is {move.count}", "a number from 1, the first"
            )
        if move.confirmation_of is not None and move.confirmation_of >= len(case.company):
            told = f"{pointer}/timeline/{place}/confirmationOf"
            raise Misfit(told, f"the value is {move.confirmation_of}", "the index of a run in company, from 0")


def _refuse_folder(items: tuple[Item, ...], pointer: str) -> None:
    taken: dict[str, Item] = {}
    made: set[str] = set()  # the folders that exist because something lies in them
    for place, item in enumerate(items):
        _refuse_path(f"{pointer}/{place}/path", item.path)  # first: a path of too many names has too many parents
        own, above = _folded(item.path), _parents(item.path)
        below_no_folder = any(each in taken and taken[each].kind is not ItemKind.FOLDER for each in above)
        if own in taken or below_no_folder or (own in made and item.kind is not ItemKind.FOLDER):
            raise Misfit(
                f"{pointer}/{place}/path",
                f"the path {item.path!r} is taken, or is below something that is no folder",
                "a path that is free",
            )
        taken[own] = item
        made.update(above)


def _refuse_places(placed: tuple[_Placed, ...]) -> None:
    links = {_folded(each.path) for each in placed if each.target is not None}
    for each in placed:
        _refuse_path(each.pointer, each.path)
        if links.intersection(_parents(each.path)):
            raise Misfit(each.pointer, f"{each.path!r} lies below a link", "a path without a link in it")
        if each.target is not None:
            _refuse_target(each.target_pointer, each.path, each.target)


def _parents(path: str) -> tuple[str, ...]:
    return tuple(_folded(path[:at]) for at, sign in enumerate(path) if sign == "/")


def _refuse_target(pointer: str, path: str, target: str) -> None:
    """A link may lead to a place below its own root, or from the root to a place in ``../outside``; nowhere else."""
    own, steps = path.split("/"), target.split("/")
    ups = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
    rest, is_beside = tuple(steps[ups:]), own[0] == ".."
    leads_beside = not is_beside and ups == len(own) and rest[:1] == _BESIDE[1:]
    # How many folders up the link may lead without leaving its root.
    room = len(own) - 1 - (len(_BESIDE) if is_beside else 0)
    if not (leads_beside or ups <= room) or not _plain_names(rest, may_be_none=True):
        permitted = "a relative target below the root, or one that leads from the root to ../outside"
        raise Misfit(pointer, f"the link leads to {target!r}", permitted)


def _refuse_path(pointer: str, path: str) -> None:
    if path == _HELD:
        return
    steps = tuple(path.split("/"))
    below = steps[len(_BESIDE) :] if steps[: len(_BESIDE)] == _BESIDE else steps
    _refuse_length(pointer, below, limits.CASE_PATH_NAMES)
    if not _plain_names(below) or len(path.encode("utf-8", "surrogatepass")) > limits.PATH_BYTES:
        raise Misfit(pointer, f"the value is {shown(path)}", _PERMITTED)


def _plain_names(steps: Iterable[str], *, may_be_none: bool = False) -> bool:
    """Whether these are names of entries in a folder: none leads upwards, and every system can write them."""
    found = tuple(steps)
    return (may_be_none or bool(found)) and all(
        step not in {"", ".", ".."}
        and not {"\0", "\\"} & set(step)
        and len(step.encode("utf-8", "surrogatepass")) <= _NAME_BYTES
        for step in found
    )


def _folded(path: str) -> str:
    # On some systems two spellings are one name, so a path that may be a link counts as that link.
    return unicodedata.normalize("NFC", path).casefold()


def _refuse_strange_tools(case: Case, pointer: str) -> None:
    """A system brings along only the canonical file tools, so a case must not ask it for any other tool of its own."""
    names = {str(tool.get("name")) for tool in CANONICAL_TOOLS}
    for place, descriptor in enumerate(case.system_tools):
        name = descriptor.get("name")
        if name not in names:
            told = f"{pointer}/systemTools/{place}/name"
            raise Misfit(told, f"the value is {shown(name)}", ", ".join(sorted(names)), nearest_to(name, names))
    for place, tool in enumerate(case.tools):
        _refuse_own(tool, f"{pointer}/tools/{place}/descriptor/host")


def _refuse_own(tool: HostedTool, pointer: str) -> None:
    if tool.descriptor.get("host", "suite") != "suite":
        raise Misfit(pointer, f"the value is {shown(tool.descriptor['host'])}", '"suite", since the suite hosts it')
