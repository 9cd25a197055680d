"""Arguments: what a schema requires, what it accepts, and what it refuses."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Asked, LoopCase
from callproof.loops.cases.building import ANY, DONE, TOOLS, asks, note, read
from callproof.values.jsontext import Json

# What is there, though it is little: the schema accepts it.
_LITTLE: Final[tuple[tuple[str, Json], ...]] = (
    ("empty", ""),
    ("blank", " "),
    ("null", None),
    ("zero", 0),
    ("false", False),
    ("empty-list", []),
    ("empty-object", {}),
)

CASES: Final = (
    *(
        LoopCase(
            f"AL-02/{name}",
            "A required argument that the schema accepts is there, however little it is.",
            (asks(note("call_1", value)),),
            (*DONE, "HOST-12"),
            TOOLS,
        )
        for name, value in _LITTLE
    ),
    LoopCase(
        "AL-02/nothing-wanted",
        "A tool without parameters is called with none.",
        (asks(Asked("call_1", "clock", {})),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/optional",
        "An optional argument is given, and reaches the tool.",
        (asks(read("call_1", lines=3)),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/missing",
        "A required argument is missing: the tool is not entered.",
        (asks(Asked("call_1", "read", {"lines": 3})),),
        (*ANY, "HOST-12"),
        TOOLS,
    ),
    LoopCase(
        "AL-02/other-spelling",
        "Another spelling of a required argument is another argument.",
        (asks(Asked("call_1", "note", {"Text": "a"})),),
        (*ANY, "HOST-12"),
        TOOLS,
    ),
    LoopCase(
        "AL-02/too-much",
        "An argument that the schema does not permit: the tool is not entered with it.",
        (asks(read("call_1", sudo=True)),),
        ANY,
        TOOLS,
    ),
    LoopCase(
        "AL-02/wrong-type",
        "An object where the schema wants a text, which nothing can be made of.",
        (asks(Asked("call_1", "read", {"path": {"of": "notes.md"}})),),
        ANY,
        TOOLS,
    ),
    LoopCase(
        "AL-02/bad-beside-good",
        "One call of a reply is refused by its schema, and the other two are carried out.",
        (asks(read("call_1"), Asked("call_2", "read", {}), read("call_3")),),
        (*DONE, "HOST-12"),
        TOOLS,
    ),
    LoopCase(
        "AL-02/nested",
        "An argument of objects and lists, with numbers large and small, reaches the tool as it is.",
        (asks(note("call_1", {"a": [1, -2.5, 1e21, {"b": None, "": True}], "e": "\u0000\u007f"})),),
        DONE,
        TOOLS,
    ),
)
