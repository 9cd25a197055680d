"""The schemas of the conventions and the canonical definitions: self-contained, described, and of the required form."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from callproof.schema.bounds import DIALECT
from callproof.schema.bundle import UnknownShape
from callproof.schema.canon import canonical_definition
from callproof.schema.generate import generated_for_tools
from callproof.spec.conventions import Conventions, conventions, read_tool_chapter
from callproof.values.vaultpaths import is_normal
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_schemas import subschemas

FILES = {name: json.loads(text) for name, text in generated_for_tools(conventions()).items()}
SHAPES = {name: schema for name, schema in FILES.items() if "/canon/" not in name}
CANON = {schema["name"]: schema for name, schema in FILES.items() if "/canon/" in name}
ROOTS = [(name, kind) for name in CANON for kind in ("inputSchema", "outputSchema")]
ON_DISK = Path(__file__).parents[2] / "schemas"


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_of_the_conventions_is_complete_in_itself(name: str) -> None:
    """It is valid and has its own id, every reference stays inside it, and every member is described."""
    schema = SHAPES[name]
    assert schema["$schema"] == DIALECT
    assert schema["$id"] == f"urn:callproof:1.0:{name.removesuffix('.json')}"
    Draft202012Validator.check_schema(schema)
    inner = list(subschemas(schema))
    assert all(each["$ref"].startswith("#/$defs/") for _, each in inner if "$ref" in each)
    assert schema["description"]
    assert [
        where for where, each in inner for form in each.get("properties", {}).values() if not form.get("description")
    ] == []


@pytest.mark.parametrize("name", CANON)
def test_a_canonical_definition_has_the_form_that_the_chapter_asks_for(name: str) -> None:
    """The shape of a definition accepts it, and it is named like its file."""
    assert list(Draft202012Validator(SHAPES["tools/tool-definition.json"]).iter_errors(CANON[name])) == []
    assert (ON_DISK / "tools" / "canon" / f"{name}.json").is_file()


@pytest.mark.parametrize(("name", "root"), ROOTS)
def test_a_canonical_schema_says_everything_without_a_reference(name: str, root: str) -> None:
    """It can be copied: it is closed at every depth except for declared maps, described, and has no reference."""
    schema = CANON[name][root]
    Draft202012Validator.check_schema(schema)
    for _, each in subschemas(schema):
        assert "$ref" not in each
        assert set(each.get("required", ())) <= set(each.get("properties", {}))
        if each.get("type") == "object" and "properties" in each:
            assert each["additionalProperties"] is False
            assert isinstance(each["required"], list)
        assert all(form.get("description") for form in each.get("properties", {}).values())


def test_risk_side_effects_and_dry_run_of_the_canon_agree() -> None:
    """A tool that only reads has no side effect and no dry run; every other tool has both."""
    for tool in CANON.values():
        changes = tool["riskLevel"] != "read-only"
        assert bool(tool["sideEffects"]) == changes
        assert ("dryRun" in tool["inputSchema"].get("properties", {})) == changes


def test_a_tool_without_its_shapes_is_told_with_its_place() -> None:
    """The author of a new canonical tool who forgets a shape learns which one is missing, and where."""
    lonely = read_tool_chapter(
        "canonical",
        "# T\n\n```yaml tool=vault.peek\ndescription: Look.\nriskLevel: read-only\nsideEffects: []\n"
        "availability: {}\nerrors: []\n```\n",
    )
    with pytest.raises(UnknownShape, match=r"spec/tools/canonical\.md:3: .*'vault\.peek\.input'"):
        canonical_definition(lonely.tools[0], conventions())


def test_a_reference_to_no_shape_is_told_with_the_place_of_the_one_that_has_it() -> None:
    """The message names the place of the shape that contains the reference."""
    broken = read_tool_chapter(
        "canonical",
        "# T\n\n```yaml tool=vault.peek\ndescription: Look.\nriskLevel: read-only\nsideEffects: []\n"
        "availability: {}\nerrors: []\n```\n\n```yaml shape=vault.peek.input\ntype: object\n"
        "properties: {path: {$ref: Nowhere}}\n```\n",
    )
    with pytest.raises(UnknownShape, match=r"spec/tools/canonical\.md:11: .*'Nowhere'"):
        canonical_definition(broken.tools[0], Conventions((broken,)))


VAULT_PATH = re.compile(SHAPES["tools/VaultPath.json"]["pattern"])
SEGMENTS = st.text(st.sampled_from("ab.-~ Ü"), min_size=1, max_size=6)


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../up.md", "a/../b", "a/..", "C:/x", "C:\\x", "a\\b", "file:///x", "a//b", "", "a/", "."]
)
def test_the_pattern_of_a_vault_path_refuses_what_is_none(path: str) -> None:
    """Absolute paths, parent segments, a URI, drives, backslashes and empty segments."""
    assert not VAULT_PATH.search(path)


@given(st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join))
def test_the_pattern_of_a_vault_path_takes_what_is_normal(path: str) -> None:
    """Of normal paths without a colon it refuses only those with a name of three or more dots, which nobody uses."""
    dots_only = any(len(part) > 2 and set(part) == {"."} for part in path.split("/"))
    assert bool(VAULT_PATH.search(path)) == (is_normal(path) and not dots_only)
