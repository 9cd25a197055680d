"""The rule on the shape of a definition, compared with the development kit on which most clients of MCP are built."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.rule import all_rules
from callproof.lint.sources.files import gathered

CLOSED = {"type": "object", "additionalProperties": False, "required": ["a"], "properties": {"a": {"type": "string"}}}
DEFINITIONS = [
    {"name": "count", "inputSchema": CLOSED},
    {"name": "count", "inputSchema": {"type": "object"}},
    {"name": "count", "inputSchema": CLOSED, "title": "Count", "description": "Count."},
    {"name": "count", "inputSchema": CLOSED, "outputSchema": CLOSED, "annotations": {"readOnlyHint": True}},
    {"name": "count words", "inputSchema": {**CLOSED, "x-own": [1], "anyOf": [{}]}},
    {"name": 7, "inputSchema": CLOSED},
    {"inputSchema": CLOSED},
    {"name": "count"},
    {"name": "count", "inputSchema": CLOSED, "title": 7},
    {"name": "count", "inputSchema": CLOSED, "description": None},
    {"name": "count", "inputSchema": {"properties": {}}},
    {"name": "count", "inputSchema": {"type": ["object"]}},
    {"name": "count", "inputSchema": True},
    {"name": "count", "inputSchema": {"type": "object", "properties": []}},
    {"name": "count", "inputSchema": {"type": "object", "properties": {"a": True}}},
    {"name": "count", "inputSchema": {"type": "object", "required": "a"}},
    {"name": "count", "inputSchema": {"type": "object", "required": [1]}},
    {"name": "count", "inputSchema": CLOSED, "outputSchema": {"type": "array"}},
    {"name": "count", "inputSchema": CLOSED, "annotations": {"readOnlyHint": "yes"}},
]
ASK = """
import { ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { readFileSync } from "node:fs";
const taken = JSON.parse(readFileSync(0)).map((tool) => ListToolsResultSchema.safeParse({ tools: [tool] }).success);
console.log(JSON.stringify(taken));
"""


def refused_by_rules(definition: object) -> bool:
    """Whether the rules say that a client of the revision 2025-11-25 would refuse the definition."""
    read = gathered([document_of("tools.json", {"tools": [definition]})])
    held = Catalogue(read.documents, read.found, read.plans, ("mcp-2025-11-25",))
    rules = [each for each in all_rules() if each.id in {"PORT012", "PORT013"}]
    return any([*rule.examine(subject)] for rule in rules for subject in rule.each(held))


def test_the_rules_refuse_what_the_kit_refuses(node: Path, folder: Path) -> None:
    """One such tool is enough for the client to lose the whole list."""
    program = shutil.which("node")
    assert program is not None
    assert node.is_dir()
    (folder / "ask.mjs").write_text(ASK, encoding="utf-8")
    asked = subprocess.run(
        [program, "ask.mjs"], cwd=folder, input=json.dumps(DEFINITIONS), capture_output=True, text=True, check=True
    )
    assert [not taken for taken in json.loads(asked.stdout)] == [refused_by_rules(each) for each in DEFINITIONS]
