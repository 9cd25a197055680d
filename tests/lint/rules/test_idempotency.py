"""IDEM: the two signals that make it safe to do a thing twice."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.rule import Put
from tool_catalogues import Tool, canonical, catalogue, closed, faults, ids, reading, writing

TEXT, FLAG = {"type": "string"}, {"type": "boolean"}
NOTE: Tool = {"path": TEXT, "content": TEXT}


def taking(*effects: str, name: str = "notes.store", gives: Tool | None = None, **more: Any) -> Tool:
    """A tool that writes a note, with further arguments."""
    return writing(name, closed({**NOTE, **more}, ["path"]), closed(gives or {"etag": TEXT}), *effects)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (taking("modify-file"), ["IDEM001"]),
        (taking("modify-file", expectedEtag=TEXT), []),
        (taking("create-file", ifNotExists=FLAG), []),
        (reading("notes.render", closed(NOTE), closed({})), []),
        (writing("notes.trash", closed({"path": TEXT}), closed({}), "delete-file"), []),
        (writing("log.say", closed({"content": TEXT}), closed({}), "x-log"), []),
    ],
)
def test_who_puts_content_into_a_file_takes_a_signal(tool: Tool, expected: list[str]) -> None:
    """A tool that reads, deletes, or writes to no path needs none (question 14)."""
    assert ids(catalogue(tool), "IDEM001") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"annotations": {"readOnlyHint": False}}, ["IDEM001"]),
        ({"annotations": {"readOnlyHint": True}}, []),
        ({"name": "write_file"}, ["IDEM001"]),
        ({"name": "render_file"}, []),
        ({"sideEffects": ["modify-file"]}, ["IDEM001"]),
    ],
)
def test_without_a_risk_level_other_words_tell_whether_a_tool_writes(said: Tool, expected: list[str]) -> None:
    """The rule looks at annotations first, then at side effects and the name."""
    tool = {"name": "notes.it", "inputSchema": closed(NOTE), "outputSchema": closed({}), **said}
    assert ids(catalogue(tool), "IDEM001") == expected


def test_who_takes_an_etag_gives_one() -> None:
    """The fix declares an etag in the output, and is unsafe: the tool must really give it."""
    (fault,) = faults("IDEM002", catalogue(taking(gives={"path": TEXT}, expectedEtag=TEXT)))
    assert fault.fix is not None
    assert not fault.fix.safe
    (add,) = fault.fix.edits
    assert isinstance(add, Put)
    assert (add.at, add.key) == (("outputSchema", "properties"), "etag")
    assert isinstance(add.value, dict)
    assert add.value["type"] == "string"
    assert faults("IDEM002", catalogue(taking(expectedEtag=TEXT))) == []


def test_nobody_else_has_to_give_an_etag() -> None:
    """This is so for a tool that takes none, and for one without an output, which another rule reports."""
    silent = taking(expectedEtag=TEXT)
    del silent["outputSchema"]
    for tool in (taking(gives={"path": TEXT}), taking(gives={"path": TEXT}, ifNotExists=FLAG), silent):
        assert faults("IDEM002", catalogue(tool)) == []


@pytest.mark.parametrize(
    ("name", "schema", "right"),
    [
        ("expectedEtag", TEXT, True),
        ("expectedEtag", {"$ref": "#/$defs/Etag"}, True),
        ("expectedEtag", {"type": ["string", "null"]}, False),
        ("expectedEtag", {"type": "integer"}, False),
        ("expectedEtag", {}, False),
        ("ifNotExists", FLAG, True),
        ("ifNotExists", {"const": True}, True),
        ("ifNotExists", TEXT, False),
    ],
)
def test_a_signal_has_its_type(name: str, schema: Tool, right: bool) -> None:
    """No type may stand beside it, not even null: a caller without an etag leaves it out."""
    tool = taking(**{name: schema})
    tool["inputSchema"]["$defs"] = {"Etag": TEXT}
    assert ids(catalogue(tool), "IDEM003") == ([] if right else ["IDEM003"])


def test_a_signal_that_is_required_is_made_optional_safely() -> None:
    """The fix makes no valid call invalid."""
    tool = taking(expectedEtag=TEXT)
    tool["inputSchema"]["required"] = ["path", "expectedEtag"]
    (fault,) = faults("IDEM003", catalogue(tool))
    assert fault.fix is not None
    assert fault.fix.safe


@pytest.mark.parametrize(
    "gives",
    [
        {"type": "object"},
        {"type": "object", "allOf": [closed({"path": TEXT})], "properties": {"path": TEXT}},
        {**closed({"path": TEXT}), "maxProperties": 1},
        {**closed({"path": TEXT}), "propertyNames": {"pattern": "^path$"}},
    ],
)
def test_where_an_etag_has_no_room_none_is_declared(gives: Tool) -> None:
    """The missing etag is reported, and the author decides how to rewrite the output."""
    tool = {**taking(expectedEtag=TEXT), "outputSchema": gives}
    (fault,) = faults("IDEM002", catalogue(tool))
    assert fault.at[0] == "outputSchema"
    assert fault.fix is None


@pytest.mark.parametrize(
    ("name", "schema", "observed"),
    [
        ("expectedEtag", {"type": ["string", "null"]}, "expectedEtag has the type null, string"),
        ("ifNotExists", {}, "ifNotExists has no type"),
    ],
)
def test_a_signal_of_another_type_is_told_at_the_signal(name: str, schema: Tool, observed: str) -> None:
    """The finding names the type that it has, if any."""
    (fault,) = faults("IDEM003", catalogue(taking(**{name: schema})))
    assert (fault.at, fault.observed) == (("properties", name), observed)


@pytest.mark.parametrize(
    ("required", "at", "has_fix"),
    [
        ({"required": ["path", "ifNotExists"]}, ("required",), True),
        ({"allOf": [{"required": ["ifNotExists"]}]}, (), False),
        (
            {"$ref": "#/$defs/In", "$defs": {"In": closed({"ifNotExists": FLAG})}, "properties": {}},
            (),
            False,
        ),
    ],
)
def test_a_signal_that_is_required_is_told_where_that_stands(
    required: Tool, at: tuple[str, ...], has_fix: bool
) -> None:
    """If a part of the schema requires it, the author has to mend that: others may refer to that part."""
    tool = taking("create-file", ifNotExists=FLAG)
    tool["inputSchema"].update(required)
    (fault,) = faults("IDEM003", catalogue(tool))
    assert (fault.at, fault.observed, fault.fix is not None) == (at, "ifNotExists is required", has_fix)
    elsewhere = {"$ref": "#/$defs/In", "$defs": {"In": closed({"ifNotExists": FLAG})}}
    (fault,) = faults("IDEM003", catalogue({**tool, "inputSchema": elsewhere}))
    assert fault.at == ("$defs", "In", "required")


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (taking("create-file", expectedEtag=TEXT), ["IDEM004"]),
        (taking("create-file", "modify-file", expectedEtag=TEXT, ifNotExists=FLAG), []),
        (taking("modify-file", ifNotExists=FLAG), ["IDEM004"]),
        (taking(name="notes.create", expectedEtag=TEXT), ["IDEM004"]),
        (taking(name="notes.append", ifNotExists=FLAG), ["IDEM004"]),
        (taking(name="notes.store", ifNotExists=FLAG, expectedEtag=TEXT), []),
    ],
)
def test_a_signal_fits_what_the_tool_does(tool: Tool, expected: list[str]) -> None:
    """Its side effects decide, or else the first word of its name."""
    assert ids(catalogue(tool), "IDEM004") == expected


def test_no_tool_is_blamed_for_the_signals_of_its_canon() -> None:
    """A canonical tool may leave one out (question 8), and a tool may have what the user's own canon has."""

    def bare(tool: Tool) -> None:
        del tool["inputSchema"]["properties"]["expectedEtag"]

    assert ids(catalogue(canonical("vault.patchFile", bare)), "CAN", "IDEM") == []
    own = taking("create-file", name="notes.create", expectedEtag=TEXT)
    assert ids(catalogue(own), "IDEM004") == ["IDEM004"]
    assert ids(catalogue(own, canons=[own]), "IDEM004") == []


def test_a_canonical_signal_is_right_where_it_is() -> None:
    """`vault.createFile` has `ifNotExists`, though it can overwrite."""
    assert ids(catalogue(canonical("vault.createFile"), canonical("vault.writeFile")), "IDEM") == []
