"""The descriptors keep the conventions for tool schemas, member by member."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from callproof_reference.tools import REGISTRY
from jsonschema import Draft202012Validator

WRITING = "dryRun note requestId"
# The canonical members, as the conventions list them; a question mark follows each optional one.
CANON = {
    "vault.ensureFolder": ("path", "path created"),
    "vault.listFiles": ("prefix? recursive? extensions? limit? offset?", "items nextOffset? truncated"),
    "vault.readFile": ("path maxBytes? range? as?", "path content etag mtimeMs? truncated encoding?"),
    "vault.createFile": (
        "path content ifNotExists? collisionStrategy? frontmatter?",
        "path created etag mtimeMs?",
    ),
    "vault.writeFile": ("path content mode? expectedEtag?", "path etag mtimeMs? bytesWritten"),
    "vault.patchFile": ("path patch expectedEtag?", "path etag mtimeMs? applied"),
    "vault.rename": ("fromPath toPath collisionStrategy?", "fromPath toPath"),
    "vault.delete": ("path trash? requireExists?", "path deleted trashed?"),
    "vault.searchText": (
        "query mode? paths? caseSensitive? limit? snippetLength?",
        "matches truncated",
    ),
    "util.parseMarkdownBullets": ("text allowNested?", "items count"),
    "util.slugifyTitle": ("title maxLength?", "slug"),
}


def schemas_within(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for below in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]:
        yield from schemas_within(below)


def members(schema: dict[str, Any]) -> set[str]:
    return {name if name in schema["required"] else f"{name}?" for name in schema["properties"]}


def test_the_registry_holds_exactly_the_canonical_tools() -> None:
    """SCH-21, SCH-24: there are eleven names, each once."""
    assert set(REGISTRY) == set(CANON)


@pytest.mark.parametrize("name", CANON)
def test_a_tool_has_its_canonical_members(name: str) -> None:
    """SCH-06, SCH-07, SCH-21: names and presence follow the conventions; writing tools add the meta members."""
    descriptor: Any = REGISTRY[name]
    takes, gives = CANON[name]
    meta = {f"{each}?" for each in WRITING.split()} if descriptor["riskLevel"] == "writes" else set()
    extra = {"expectedEtag?"} & members(descriptor["inputSchema"])
    assert members(descriptor["inputSchema"]) == set(takes.split()) | meta | extra
    assert members(descriptor["outputSchema"]) == set(gives.split())


@pytest.mark.parametrize("name", CANON)
def test_every_schema_is_closed_described_and_valid(name: str) -> None:
    """SCH-01 to SCH-04, SCH-23: closed at every depth, described, counts are integers; but frontmatter is open."""
    descriptor: Any = REGISTRY[name]
    for side in ("inputSchema", "outputSchema"):
        Draft202012Validator.check_schema(descriptor[side])
        for schema in schemas_within(descriptor[side]):
            assert schema["type"] in {"object", "array", "string", "boolean", "integer"}
            assert schema is descriptor[side] or schema["type"] == "object" or schema["description"]
            if schema["type"] == "object" and schema.get("description") != "Properties to put before the content.":
                assert schema["additionalProperties"] is False
                assert set(schema["required"]) <= set(schema["properties"])


@pytest.mark.parametrize("name", CANON)
def test_the_risk_level_follows_from_the_side_effects(name: str) -> None:
    """SCH-16, SCH-17: a tool has the risk level writes exactly if it declares side effects."""
    descriptor: Any = REGISTRY[name]
    assert (descriptor["riskLevel"] == "writes") == bool(descriptor["sideEffects"])
    assert isinstance(descriptor["availability"], dict)
    assert descriptor["host"] == "system"
    assert descriptor["category"] == name.partition(".")[0]
