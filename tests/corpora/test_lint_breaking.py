"""Real definitions, changed on purpose in one way each: that change is reported, and no other."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from callproof.lint.breaking.catalogues import changes
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.sources.files import gathered
from shared import SHARED

pytestmark = pytest.mark.many

# One tool in this many is changed, since the corpora contain thousands.
STEP = 12
# Changes a schema in place and returns the rule and the place; None if the schema has nothing to change.
Deed = Callable[[dict[str, Any]], tuple[str, str] | None]


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    named = schema.get("properties")
    return named if isinstance(named, dict) else {}


def demands_an_argument(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The first optional argument becomes required."""
    for name in _properties(schema):
        if name not in schema.get("required", []):
            schema["required"] = [*schema.get("required", []), name]
            return "BRK002", f"input.{name}"
    return None


def takes_an_argument_away(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The first argument of a closed object is removed."""
    if schema.get("additionalProperties") is False and _properties(schema):
        name = next(iter(schema["properties"]))
        del schema["properties"][name]
        schema["required"] = [each for each in schema.get("required", []) if each != name]
        return "BRK003", f"input.{name}"
    return None


def closes(schema: dict[str, Any]) -> tuple[str, str] | None:
    """An open object is closed."""
    if "additionalProperties" in schema or not _properties(schema):
        return None
    schema["additionalProperties"] = False
    return "BRK004", "input.*"


def limits_a_text(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The first text without any limit gets a maximum length."""
    for name, each in _properties(schema).items():
        if each.get("type") == "string" and not {"enum", "const", "maxLength", "pattern", "format"} & each.keys():
            each["maxLength"] = 7
            return "BRK004", f"input.{name}"
    return None


def drops_an_enumerated_value(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The last value of the first enumeration is removed."""
    for name, each in _properties(schema).items():
        listed = each.get("enum")
        if isinstance(listed, list) and len({str(value) for value in listed}) == len(listed) > 1:
            each["enum"] = listed[:-1]
            return "BRK004", f"input.{name}"
    return None


def permits_null(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The first argument of one type may also be null."""
    for name, each in _properties(schema).items():
        if isinstance(each.get("type"), str) and each["type"] != "null" and not {"enum", "const"} & each.keys():
            each["type"] = [each["type"], "null"]
            return "BRK005", f"input.{name}"
    return None


def offers_an_argument(schema: dict[str, Any]) -> tuple[str, str] | None:
    """A closed object gets another optional argument."""
    if schema.get("additionalProperties") is not False:
        return None
    schema.setdefault("properties", {})["another"] = {"type": "string"}
    return "BRK005", "input.another"


def demands_no_longer(schema: dict[str, Any]) -> tuple[str, str] | None:
    """The first required argument becomes optional."""
    for name in schema.get("required", []):
        if name in _properties(schema):
            schema["required"] = [each for each in schema["required"] if each != name]
            return "BRK005", f"input.{name}"
    return None


DEEDS: list[Deed] = [
    demands_an_argument,
    takes_an_argument_away,
    closes,
    limits_a_text,
    drops_an_enumerated_value,
    permits_null,
    offers_an_argument,
    demands_no_longer,
]


def _tools() -> Iterator[dict[str, Any]]:
    for path in sorted((SHARED / "corpora" / "tools").glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"][::STEP]:
            schema = tool.get("inputSchema")
            # A schema with the words of another language is not a JSON Schema, and nothing is decided about it.
            plain = isinstance(schema, dict) and not {"anyOf", "oneOf", "allOf", "$ref"} & schema.keys()
            if plain and "bfcl" not in path.name:
                yield tool


def _catalogue(tool: Any) -> Catalogue:
    read = gathered([document_of("tools.json", {"tools": [tool]})])
    return Catalogue(read.documents, read.found)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_a_change_that_was_made_is_the_one_that_is_reported(deed: Deed) -> None:
    """The report has the rule and the place of the change, and nothing else."""
    told: Counter[bool] = Counter()
    for tool in _tools():
        new = copy.deepcopy(tool)
        expected = deed(new["inputSchema"])
        if expected is None:
            continue
        found = {(each.rule, each.at) for each in changes(_catalogue(tool), _catalogue(new))} - {("BRK011", "input")}
        told[found == {expected}] += 1
        assert found == {expected}, tool["name"]
    assert told[True] > 5
