"""Tools that are gone, and the new tools that may be the same under another name."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.breaking import catalogues
from callproof.lint.breaking.catalogues import changes
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.sources.files import gathered


def _tool(name: str, *arguments: str) -> dict[str, Any]:
    return {"name": name, "inputSchema": {"properties": {each: {"type": "string"} for each in arguments}}}


def _catalogue(*tools: dict[str, Any]) -> Catalogue:
    read = gathered([document_of("tools.json", {"tools": list(tools)})])
    return Catalogue(read.documents, read.found)


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (_tool("get-tiny-image", "b"), True),
        (_tool("getTinyImages", "a"), True),
        (_tool("getTinyImages", "b"), False),
        (_tool("sendMail", "a"), False),
    ],
)
def test_a_tool_that_is_gone_comes_with_the_one_that_it_may_be(new: dict[str, Any], told: bool) -> None:
    """The names differ only in case and signs, or are similar and the tools have the same input."""
    (change,) = changes(_catalogue(_tool("getTinyImage", "a")), _catalogue(new))
    assert (new["name"] in change.says) == told


def test_not_every_tool_that_is_gone_is_held_against_every_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all names changed at once, a catalogue of thousands would take minutes."""
    compared = 0
    is_like = catalogues._is_like

    def counted(tool: Any, other: Any) -> bool:
        nonlocal compared
        compared += 1
        return is_like(tool, other)

    monkeypatch.setattr(catalogues, "_is_like", counted)
    old = _catalogue(*(_tool(f"old_{number}", f"a{number % 100}") for number in range(400)))
    new = _catalogue(*(_tool(f"xyz{number}", f"a{number % 100}") for number in range(400)))
    assert len([*changes(old, new)]) == 400
    assert 0 < compared <= 400 * 4
    compared = 0
    alike = [_catalogue(*(_tool(f"{name}{number}") for number in range(400))) for name in ("old_", "xyz")]
    assert len([*changes(*alike)]) == 400
    assert 0 < compared <= 400 * 50
