"""The canon: it has no findings, every single difference from it is reported, and users can add canons of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from callproof.lint.canon import COMMON, SIGNALS, standard
from callproof.lint.canon import canonical as canon_of
from callproof_reference.tools import REGISTRY
from hypothesis import given
from hypothesis import strategies as st
from tool_catalogues import Tool, canonical, catalogue, closed, faults, findings, ids, reading

pytestmark = pytest.mark.many

NAMES = sorted(each.name for each in standard().definitions)
CAN = tuple(f"CAN{number:03}" for number in range(1, 13))


def test_the_nineteen_are_spotless_under_all_default_rules() -> None:
    """An author who copies them starts without findings, with each one and with all together."""
    assert len(NAMES) == 19
    found = findings(catalogue(*map(canonical, NAMES)))
    assert [(each.rule, each.pointer_text) for each in found] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_canonical_tool_keeps_every_law_of_its_chapter(name: str) -> None:
    """This includes the laws whose rules are off by default."""
    assert ids(catalogue(canonical(name)), "CAN", "IDEM", "ERR", "REF") == []


def members(schema: Tool, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths to every member of an object schema, at every depth."""
    inner = schema.get("items", schema)
    found = []
    for name, each in inner.get("properties", {}).items():
        found += [(*at, name), *members(each, (*at, name))]
    return found


def holder(tool: Tool, root: str, way: tuple[str, ...]) -> Tool:
    """The object schema that has the last member of a path."""
    here = tool[root]
    for name in way[:-1]:
        here = here.get("items", here)["properties"][name]
    return here.get("items", here)


EVERY_MEMBER = [
    (name, root, way)
    for name in NAMES
    for root in ("inputSchema", "outputSchema")
    for way in members(canonical(name)[root])
    if way[-1] not in COMMON | SIGNALS
]


@given(st.sampled_from(EVERY_MEMBER))
def test_a_member_that_is_taken_away_is_missed(place: tuple[str, str, tuple[str, ...]]) -> None:
    """CAN001 reports a required member, CAN012 an optional argument; no rule an optional member of an output."""
    name, root, way = place
    needed = way[-1] in holder(canonical(name), root, way)["required"]

    def without(tool: Tool) -> None:
        here = holder(tool, root, way)
        del here["properties"][way[-1]]
        here["required"] = [each for each in here["required"] if each != way[-1]]

    # CAN008 reports a patch that has lost its strategy.
    if way[-1] == "replaceRange":
        expected = ["CAN008"]
    else:
        expected = ["CAN001"] if needed else ["CAN012"] if root == "inputSchema" else []
    assert ids(catalogue(canonical(name, without)), *CAN) == expected


@given(st.sampled_from(EVERY_MEMBER))
def test_a_member_of_another_type_is_told(place: tuple[str, str, tuple[str, ...]]) -> None:
    """This holds at every depth and in lists; null beside the type makes another type."""
    name, root, way = place

    def nullable(tool: Tool) -> None:
        schema = holder(tool, root, way)["properties"][way[-1]]
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"].append(None)

    assert ids(catalogue(canonical(name, nullable)), *CAN) == ["CAN002"]


@given(st.sampled_from(EVERY_MEMBER))
def test_what_is_required_is_told_where_it_differs(place: tuple[str, str, tuple[str, ...]]) -> None:
    """An input may not differ either way; an output may promise more, but never less."""
    name, root, way = place
    needed = way[-1] in holder(canonical(name), root, way)["required"]

    def turned(tool: Tool) -> None:
        here = holder(tool, root, way)
        kept = [each for each in here["required"] if each != way[-1]]
        here["required"] = kept if needed else [*kept, way[-1]]

    if way[-1] == "replaceRange":
        expected = ["CAN003", "CAN008"]
    else:
        expected = ["CAN003"] if needed or root == "inputSchema" else []
    assert sorted(ids(catalogue(canonical(name, turned)), *CAN)) == expected


@given(st.sampled_from(EVERY_MEMBER), st.sampled_from(["colour", "pth", "extra_field"]))
def test_a_further_member_is_told_beside_any_other(place: tuple[str, str, tuple[str, ...]], name: str) -> None:
    """It is reported wherever it stands, and changes nothing else."""
    tool, root, way = place

    def more(changed: Tool) -> None:
        holder(changed, root, way)["properties"][name] = {"type": "string", "description": "More."}

    assert ids(catalogue(canonical(tool, more)), *CAN) == ["CAN006"]


@pytest.mark.parametrize(
    ("root", "name"),
    [("inputSchema", "ifNotExists"), ("inputSchema", "note"), ("outputSchema", "mtimeMs"), ("outputSchema", "etag")],
)
def test_common_members_and_signals_are_nowhere_too_many(root: str, name: str) -> None:
    """A tool that is safer than in the seed must not be punished for that (question 8)."""
    added = {"type": {"mtimeMs": "integer", "ifNotExists": "boolean"}.get(name, "string"), "description": "More."}
    tool = canonical("vault.rename", lambda each: each[root]["properties"].update({name: added}))
    assert ids(catalogue(tool), "CAN") == []


@given(st.permutations(["error", "overwrite", "create-unique"]))
def test_the_order_of_words_is_free(words: list[str]) -> None:
    """A list of permitted values is a set."""
    tool = canonical("vault.rename", lambda each: _property(each, "collisionStrategy").update(enum=words))
    assert ids(catalogue(tool), "CAN") == []


@pytest.mark.parametrize("words", [["error"], ["error", "overwrite", "create-unique", "ask"], None])
def test_other_words_are_told(words: list[str] | None) -> None:
    """There may be fewer, more, or none at all."""

    def change(tool: Tool) -> None:
        _property(tool, "collisionStrategy").pop("enum")
        if words is not None:
            _property(tool, "collisionStrategy")["enum"] = words

    assert ids(catalogue(canonical("vault.rename", change)), "CAN") == ["CAN004"]


@pytest.mark.parametrize(
    ("tool", "name", "wrong"),
    [
        ("vault.searchText", "limit", 100),
        ("vault.searchText", "snippetLength", 80),
        ("vault.searchText", "mode", "regex"),
        ("vault.readFile", "as", "base64"),
        ("vault.delete", "trash", False),
        ("vault.delete", "requireExists", False),
    ],
)
def test_the_six_defaults_of_the_seed_are_kept(tool: str, name: str, wrong: Any) -> None:
    """A different default is reported, with the right one as an unsafe fix; a missing default is not (question 16)."""
    (fault,) = faults("CAN005", catalogue(canonical(tool, lambda each: _property(each, name).update(default=wrong))))
    assert fault.fix is not None
    assert not fault.fix.safe
    assert ids(catalogue(canonical(tool, lambda each: _property(each, name).pop("default"))), "CAN") == []


def test_references_and_parts_are_followed_in_the_comparison() -> None:
    """A definition that keeps a shape under `$defs`, or in an `allOf`, is the same definition."""

    def moved(tool: Tool) -> None:
        output = tool["outputSchema"]
        entry = output["properties"]["items"]["items"]
        path = entry["properties"].pop("path")
        entry["allOf"] = [{"properties": {"path": path}, "required": ["path"]}]
        output["$defs"] = {"Entry": entry}
        output["properties"]["items"]["items"] = {"$ref": "#/$defs/Entry"}

    assert ids(catalogue(canonical("vault.listFiles", moved)), "CAN") == []


def test_a_list_of_anything_is_no_canonical_list() -> None:
    """The canon says what the elements of the list are."""
    tool = canonical("vault.listFiles", lambda each: each["outputSchema"]["properties"]["items"].pop("items"))
    (fault,) = faults("CAN002", catalogue(tool))
    assert "does not describe its elements" in fault.observed


@pytest.mark.parametrize(
    ("name", "near"),
    [("vault.readfile", "vault.readFile"), ("util.slugify", "util.slugifyTitle"), ("editor.zzzz", "")],
)
def test_an_unknown_tool_of_a_canonical_category_is_told_with_the_nearest(name: str, near: str) -> None:
    """If no name is near, none is suggested."""
    (fault,) = faults("CAN007", catalogue(reading(name, closed({}), closed({}))))
    assert (near in fault.help) if near else ("did you mean" not in fault.help)


def test_a_canon_of_ones_own_makes_a_tool_canonical_and_is_compared_with() -> None:
    """It takes precedence over the standard canon, and CAN007 no longer reports its tools."""
    pdf = reading("vault.exportPdf", closed({"path": {"type": "string"}}), closed({"path": {"type": "string"}}))
    other = reading("vault.exportPdf", closed({"path": {"type": "integer"}}), closed({"path": {"type": "string"}}))
    assert ids(catalogue(pdf), "CAN") == ["CAN007"]
    assert ids(catalogue(pdf, canons=[pdf]), "CAN") == []
    assert ids(catalogue(other, canons=[pdf]), "CAN") == ["CAN002"]


def test_a_canon_that_refers_to_itself_ends() -> None:
    """The comparison stops after some levels."""
    tree = closed({"child": {"$ref": "#"}}, [])
    tool = reading("trees.grow", tree, closed({}))
    assert ids(catalogue(tool, canons=[tool]), "CAN") == []


PATCHES: list[tuple[Tool, list[str]]] = [
    (closed({"replaceRange": {"type": "object"}}), []),
    (closed({"diff": {"type": "string"}}), []),
    (closed({"operations": {"type": "array", "items": {}}}), []),
    (closed({"diff": {"type": "string"}}, []), ["CAN008"]),
    (closed({"diff": {"type": "string"}, "replaceRange": {"type": "object"}}, ["diff"]), ["CAN008"]),
    (closed({"text": {"type": "string"}}), []),
    ({"oneOf": [closed({"diff": {"type": "string"}}), closed({"operations": {"type": "array"}})]}, ["CAN008"]),
    ({"anyOf": [closed({"diff": {"type": "string"}}), closed({"diff": {"type": "string"}, "a": {}}, ["diff"])]}, []),
    ({"anyOf": [closed({"diff": {"type": "string"}}), closed({"text": {"type": "string"}})]}, ["CAN008"]),
    ({"required": ["diff"], "anyOf": [{"properties": {"diff": each}} for each in ({"minLength": 1}, {})]}, []),
]


@pytest.mark.parametrize(("patch", "expected"), PATCHES)
def test_a_patch_of_any_tool_has_exactly_one_strategy(patch: Tool, expected: list[str]) -> None:
    """An object with none of the three is not a patch, except in the canonical tool."""
    tool = reading("notes.patchNote", closed({"patch": patch}), closed({}))
    assert ids(catalogue(tool), "CAN008") == expected


def test_another_single_strategy_is_as_good_in_the_canonical_tool() -> None:
    """The author may choose any one of them (question 7), but not none."""

    def diff(tool: Tool) -> None:
        _property(tool, "patch").update(properties={"diff": {"type": "string"}}, required=["diff"])

    assert ids(catalogue(canonical("vault.patchFile", diff)), "CAN") == []
    bare = canonical("vault.patchFile", lambda tool: _property(tool, "patch").update(properties={}, required=[]))
    assert ids(catalogue(bare), "CAN") == ["CAN008"]
    assert [each.observed for each in faults("CAN008", catalogue(bare))] == ["the patch has no strategy"]


@pytest.mark.parametrize(
    "change",
    [
        *(
            lambda takes, name=name: takes.update({name: {"description": "A change."}})
            for name in ("patch", "diff", "operations", "replaceRange")
        ),
        lambda takes: takes.update(mode={"enum": ["overwrite", "patch"]}),
        lambda takes: takes.update(mode={"anyOf": [{"const": "overwrite"}, {"const": "apply-diff"}]}),
    ],
)
def test_writing_with_a_patch_beside_it_is_told(change: Callable[[Tool], None]) -> None:
    """The patch may be a member or a mode, whatever the form of the list of words."""
    takes: Tool = {"path": {"type": "string"}, "content": {"type": "string"}}
    assert ids(catalogue(reading("notes.write", closed(takes), closed({}))), "CAN009") == []
    change(takes)
    assert ids(catalogue(reading("notes.write", closed(takes), closed({}))), "CAN009") == ["CAN009"]


@pytest.mark.parametrize(
    "members",
    [
        {"content": {"type": "string"}, "diff": {"type": "string"}},
        {"path": {"type": "string"}, "content": {"type": "string"}, "mode": {"enum": ["overwrite", 1, None]}},
        {"path": {"type": "string"}, "mode": {"enum": ["patch", "diff"]}},
    ],
)
def test_a_patch_that_no_whole_content_stands_beside_is_let_pass(members: Tool) -> None:
    """The rule ignores tools that write to no path, and values of a mode that are not words."""
    assert ids(catalogue(reading("notes.write", closed(members), closed({}))), "CAN009") == []


def test_a_mode_that_patches_is_told_at_the_mode() -> None:
    """The word to be removed stands there."""
    members = {"path": {"type": "string"}, "content": {"type": "string"}, "mode": {"enum": ["overwrite", "Diff"]}}
    (fault,) = faults("CAN009", catalogue(reading("notes.write", closed(members), closed({}))))
    assert fault.at == ("inputSchema", "properties", "mode")


NUMBER, TEXT = {"type": "number"}, {"type": "string"}
LOOKALIKES: list[tuple[Tool, list[str]]] = [
    (closed({"line": NUMBER, "ch": {"type": "integer"}}), ["CAN010"]),
    (closed({"line": {"type": "integer"}, "ch": {"type": "integer"}}), []),
    (closed({"path": TEXT, "kind": {"enum": ["file", "directory"]}}), ["CAN010"]),
    (closed({"path": TEXT, "kind": {"enum": ["content", "tag"]}}), []),
    (closed({"path": TEXT, "kind": TEXT, "sizeBytes": NUMBER}), ["CAN010"]),
    (closed({"path": TEXT, "snippet": TEXT, "line": TEXT}), ["CAN010"]),
    (closed({"from": TEXT, "to": TEXT}), []),
    (closed({"from": closed({"line": NUMBER}), "to": closed({"line": NUMBER})}), []),
    (closed({"id": NUMBER, "name": TEXT}), []),
]


@pytest.mark.parametrize(("shape", "expected"), LOOKALIKES)
def test_an_object_that_looks_like_a_shared_shape_is_compared_with_it(shape: Tool, expected: list[str]) -> None:
    """It is compared if the names say enough; many objects have a from and a to, or an id and a name."""
    tool = reading("notes.find", closed({}), closed({"items": {"type": "array", "items": shape}}))
    assert ids(catalogue(tool), "CAN010") == expected


@pytest.mark.parametrize(("gives", "expected"), [("range", []), ("cursorAfter", []), ("etag", ["CAN011"])])
def test_a_tool_of_the_editor_tells_where_it_wrote(gives: str, expected: list[str]) -> None:
    """The range or the cursor afterwards is enough; another rule reports a missing output."""
    needs = {"requires": ["activeEditor"]}
    tool = {
        **reading("drafts.wrapLines", closed({}), closed({gives: {}})),
        "riskLevel": "writes",
        "availability": needs,
    }
    assert ids(catalogue(tool), "CAN011") == expected
    del tool["outputSchema"]
    assert ids(catalogue(tool), "CAN011") == []


@pytest.mark.parametrize(
    ("name", "risk", "expected"),
    [
        ("drafts.wrapLines", {}, ["CAN011"]),
        ("drafts.look", {}, []),
        ("drafts.look", {"riskLevel": "writes"}, ["CAN011"]),
        ("drafts.setCursor", {}, []),
        ("drafts.moveCursorPosition", {}, []),
        ("drafts.setSelection", {"annotations": {}}, []),
        ("drafts.setSelectionText", {}, ["CAN011"]),
        ("drafts.set", {}, ["CAN011"]),
        ("drafts.replaceSelection", {}, ["CAN011"]),
        ("drafts.setCursor", {"riskLevel": "writes"}, ["CAN011"]),
        ("drafts.setCursor", {"sideEffects": ["modify-file"]}, ["CAN011"]),
        ("drafts.setCursor", {"riskLevel": "read-only"}, []),
        ("drafts.setCursor", {"annotations": {"readOnlyHint": True}}, []),
    ],
)
def test_a_tool_of_the_editor_changes_a_text_where_it_says_so(name: str, risk: Tool, expected: list[str]) -> None:
    """If it says nothing about itself, its name decides; a tool that only reads changes no text, whatever its name."""
    tool = reading(
        name, closed({}), closed({"etag": {}}), availability={"requires": ["selection"]}, **{"riskLevel": None, **risk}
    )
    assert ids(catalogue(tool), "CAN011") == expected


def test_a_command_is_known_by_its_list() -> None:
    """An object with an id and a name in a list of commands is a command."""
    gives = closed({"commands": {"type": "array", "items": closed({"id": NUMBER, "name": TEXT})}})
    assert ids(catalogue(reading("palette.list", closed({}), gives)), "CAN010") == ["CAN010"]


def test_the_tools_of_the_reference_executor_keep_the_canon() -> None:
    """It leaves out only optional members of file entries in outputs, and no argument that a plan could give."""
    tools = [*REGISTRY.values()]
    assert ids(catalogue(*tools), *CAN) == []
    assert {each["name"] for each in tools} <= set(NAMES)


def test_the_example_of_the_seed_is_flagged_for_its_time() -> None:
    """Seed 000 shows a result with `mtime`; a definition that declares it gets a warning (question 2)."""

    def as_in_the_seed(tool: Tool) -> None:
        output = tool["outputSchema"]["properties"]
        output["mtime"] = output.pop("mtimeMs")

    found = findings(catalogue(canonical("vault.createFile", as_in_the_seed)))
    assert sorted((each.rule, each.severity.value) for each in found) == [("CAN006", "warning"), ("OUT007", "warning")]


def test_a_tool_is_canonical_by_its_name_alone() -> None:
    """An alias makes no tool canonical: a plan that uses an alias does not use the canon."""
    (tool,) = catalogue(reading("vault.peek", closed({}), closed({}), aliases=["vault.readFile"])).definitions
    assert canon_of(tool) is None


def _property(tool: Tool, name: str) -> Tool:
    found: Tool = tool["inputSchema"]["properties"][name]
    return found
