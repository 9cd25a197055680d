"""Two catalogues compared tool by tool: which tools are gone, and what changed in the others."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from callproof.lint.breaking.changes import Change
from callproof.lint.breaking.schema_changes import Versions, input_changes, output_changes
from callproof.lint.breaking.statement_changes import default_changes, risk_changes, text_changes
from callproof.lint.definition import Catalogue, Definition
from callproof.values.jsonvalue import equal

_LIKE = 0.6
# At most this many new tools with the same arguments are compared with one that is gone.
_LOOKED_AT = 50


def changes(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    """Every change, tool by tool in the order of the old catalogue.  New tools are not a change."""
    seen: set[str] = set()
    renamed = _Renamed(old, new)
    for tool in old.definitions:
        if not tool.name or tool.name in seen:
            continue
        seen.add(tool.name)
        kept = new.by_name.get(tool.name)
        if kept is None:
            yield _removed(tool, renamed)
        elif not equal(tool.raw, kept.raw):
            yield from _of_tool(Versions(tool, kept))


def _of_tool(versions: Versions) -> Iterator[Change]:
    yield from input_changes(versions)
    yield from output_changes(versions)
    yield from default_changes(versions)
    yield from risk_changes(versions)
    yield from text_changes(versions)


def _removed(tool: Definition, renamed: _Renamed) -> Change:
    other = renamed.of(tool)
    hint = f"; {other.name} may be the same tool under another name" if other is not None else ""
    return Change("BRK001", tool.name, "name", f"the tool is gone{hint}", tool.document, tool.pointer)


class _Renamed:
    """New tools that may be old ones under another name, found without comparing each old one with each new one."""

    def __init__(self, old: Catalogue, new: Catalogue) -> None:
        self._by_name: dict[str, Definition] = {}
        self._by_arguments: dict[frozenset[str], list[Definition]] = {}
        for each in new.definitions:
            if each.name and each.name not in old.by_name:
                self._by_name.setdefault(_plain(each.name), each)
                self._by_arguments.setdefault(_arguments(each), []).append(each)

    def of(self, tool: Definition) -> Definition | None:
        """The tool whose name differs only in case and separators, or is similar and has the same input."""
        same = self._by_name.get(_plain(tool.name))
        near: Sequence[Definition] = self._by_arguments.get(_arguments(tool), ())
        return same or next((each for each in near[:_LOOKED_AT] if _is_like(tool, each)), None)


def _is_like(tool: Definition, other: Definition) -> bool:
    inputs = [each.input.value for each in (tool, other) if each.input is not None]
    if len(inputs) < 2 or not equal(inputs[0], inputs[1]):
        return False
    return difflib.SequenceMatcher(None, _plain(tool.name), _plain(other.name)).ratio() >= _LIKE


def _arguments(tool: Definition) -> frozenset[str]:
    return frozenset(tool.input.properties if tool.input is not None else ())


def _plain(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())
