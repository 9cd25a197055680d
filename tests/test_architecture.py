"""The picture in ARCHITECTURE.md, compared with the imports."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "conformance" / "callproof"
ROOMS = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()} - {"__init__", "__pycache__"}


def drawn() -> dict[str, set[str]]:
    """The arrows of the picture."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    arrows: dict[str, set[str]] = {}
    for source, target in re.findall(r"^    (\w+) --> (\w+)$", text, re.MULTILINE):
        arrows.setdefault(source, set()).add(target)
    return arrows


@cache
def imported() -> dict[str, set[str]]:
    """The rooms that each room imports."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(room, set()).update(_rooms(node) - {room})
    return found


def _rooms(node: ast.AST) -> set[str]:
    names: list[str] = []
    if isinstance(node, ast.ImportFrom) and node.module:
        names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == "callproof" and len(part) > 1} & ROOMS


def reachable(arrows: dict[str, set[str]], start: str) -> set[str]:
    """Every room to which the arrows lead."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for target in arrows.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@pytest.mark.many
def test_every_arrow_is_an_import() -> None:
    """The picture draws no arrow without an import in the code."""
    actual = imported()
    assert {(source, target) for source, targets in drawn().items() for target in targets - actual[source]} == set()


def test_every_import_follows_the_arrows() -> None:
    """Arrows of the picture lead from each room to every room that it imports, directly or by way of others."""
    arrows = drawn()
    strays = {(room, other) for room, others in imported().items() for other in others - reachable(arrows, room)}
    assert strays == set()


def test_no_arrow_leads_back() -> None:
    """The arrows between the rooms form no cycle."""
    arrows = drawn()
    assert [room for room in arrows if room in reachable(arrows, room)] == []
