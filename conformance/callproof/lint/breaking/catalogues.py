"""Two catalogues tool by tool: what is gone, and what changed of what is left."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from callproof.lint.breaking.changes import Change
from callproof.lint.breaking.schema_changes import Versions, input_changes, output_changes
from callproof.lint.breaking.statement_changes import default_changes, risk_changes, text_changes
from callproof.lint.definition import Catalogue, Definition
from callproof.values.jsonvalue import equal

_LIKE = 0.6


def changes(old: Catalogue, new: Catalogue) -> Iterator[Change]:
    """Every change, tool by tool in the order of the old catalogue.  New tools are no change."""
    seen: set[str] = set()
    for tool in old.definitions:
        if not tool.name or tool.name in seen:
            continue
        seen.add(tool.name)
        kept = new.by_name.get(tool.name)
        if kept is None:
            yield _removed(tool, old, new)
        elif not equal(tool.raw, kept.raw):
            yield from _of_tool(Versions(tool, kept))


def _of_tool(versions: Versions) -> Iterator[Change]:
    yield from input_changes(versions)
    yield from output_changes(versions)
    yield from default_changes(versions)
    yield from risk_changes(versions)
    yield from text_changes(versions)


def _removed(tool: Definition, old: Catalogue, new: Catalogue) -> Change:
    candidates = [each for each in new.definitions if each.name and each.name not in old.by_name]
    renamed = next((each for each in candidates if _is_like(tool, each)), None)
    hint = f"; {renamed.name} may be the same tool under another name" if renamed is not None else ""
    return Change("BRK001", tool.name, "name", f"the tool is gone{hint}", tool.document, tool.pointer)


def _is_like(tool: Definition, other: Definition) -> bool:
    """Whether two tools look like one: names alike but for case and separators, or a bit alike with the same input."""
    name, other_name = _plain(tool.name), _plain(other.name)
    if name == other_name:
        return True
    inputs = [each.input.value for each in (tool, other) if each.input is not None]
    likeness = difflib.SequenceMatcher(None, name, other_name).ratio()
    return len(inputs) == 2 and likeness >= _LIKE and equal(inputs[0], inputs[1])


def _plain(name: str) -> str:
    return "".join(each for each in name.lower() if each.isalnum())
