"""What a case from a stranger may not ask for: a place outside its folder, or more than is sensible.

A scenario of ours stays within these bounds by itself, and a test holds that.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterable, Iterator
from typing import cast

from callproof import limits
from callproof.live.behaviours import Write
from callproof.live.canonical_tools import CANONICAL_TOOLS
from callproof.live.case import Case, HostedTool, Item, ItemKind
from callproof.replay.codec import Misfit, json_name, nearest_to, shown

_BESIDE = ("..", "outside")
_PERMITTED = "a path of plain names below the root, or below ../outside"
_NAME_BYTES = 255


def refuse_excess(case: Case, pointer: str) -> None:
    """
    Every path and number of a case, and every tool that the system is to bring along.

    ``pointer`` is where the case stands.  Raises Misfit.
    """
    for place, part in _parts(case, pointer):
        if isinstance(part, int) and not isinstance(part, bool) and not 0 <= part <= limits.CASE_NUMBER:
            raise Misfit(place, f"the value is {shown(part)}", f"a number from 0 to {limits.CASE_NUMBER}")
        if isinstance(part, Write):
            _refuse_path(f"{place}/path", part.path)
        if isinstance(part, Case):
            _refuse_folder(part.folder, f"{place}/folder")
            _refuse_strange_tools(part, place)


def _parts(value: object, pointer: str) -> Iterator[tuple[str, object]]:
    """Every part of a case that is no free JSON, with its place."""
    yield pointer, value
    if dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from _parts(getattr(value, each.name), f"{pointer}/{json_name(each.name)}")
    elif isinstance(value, tuple):
        for place, inner in enumerate(cast("tuple[object, ...]", value)):
            yield from _parts(inner, f"{pointer}/{place}")


def _refuse_folder(items: tuple[Item, ...], pointer: str) -> None:
    if len(items) > limits.CASE_ITEMS:
        raise Misfit(pointer, f"there are {len(items)} items", f"at most {limits.CASE_ITEMS}")
    # On some systems two spellings are one name: what may be a link is treated as one.
    links = {_folded(item.path) for item in items if item.kind is ItemKind.LINK}
    for place, item in enumerate(items):
        _refuse_path(f"{pointer}/{place}/path", item.path)
        parents = item.path.split("/")[:-1]
        if any(_folded("/".join(parents[: depth + 1])) in links for depth in range(len(parents))):
            raise Misfit(
                f"{pointer}/{place}/path", f"{item.path!r} lies below a link", "a path that no link is part of"
            )
        if item.kind is ItemKind.LINK:
            _refuse_target(f"{pointer}/{place}/text", item)


def _refuse_target(pointer: str, link: Item) -> None:
    """A link may lead to a place below its own root, or from the root to what lies beside it, and no further."""
    steps = link.text.split("/")
    ups = next((place for place, step in enumerate(steps) if step != ".."), len(steps))
    depth, rest = len(link.path.split("/")) - 1, tuple(steps[ups:])
    beside = ups == depth + 1 and rest[:1] == _BESIDE[1:] and link.path.split("/")[0] != ".."
    if not (beside or ups <= _room(link)) or not _plain_names(rest, may_be_none=True):
        permitted = "a relative target below the root, or one that leads from the root to ../outside"
        raise Misfit(pointer, f"the link leads to {link.text!r}", permitted)


def _room(link: Item) -> int:
    """How many folders up a link may lead and stay where it is."""
    steps = link.path.split("/")
    return len(steps) - 1 - (len(_BESIDE) if steps[0] == ".." else 0)


def _refuse_path(pointer: str, path: str) -> None:
    steps = tuple(path.split("/"))
    below = steps[len(_BESIDE) :] if steps[: len(_BESIDE)] == _BESIDE else steps
    if not _plain_names(below) or len(path.encode("utf-8", "surrogatepass")) > limits.PATH_BYTES:
        raise Misfit(pointer, f"the value is {shown(path)}", _PERMITTED)


def _plain_names(steps: Iterable[str], *, may_be_none: bool = False) -> bool:
    """Whether these are names of entries in a folder: nothing that climbs, nothing that a system cannot write."""
    found = tuple(steps)
    return (may_be_none or bool(found)) and all(
        step not in {"", ".", ".."}
        and not {"\0", "\\"} & set(step)
        and len(step.encode("utf-8", "surrogatepass")) <= _NAME_BYTES
        for step in found
    )


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _refuse_strange_tools(case: Case, pointer: str) -> None:
    """A system brings along the canonical file tools only: no case asks it for another tool of its own."""
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
