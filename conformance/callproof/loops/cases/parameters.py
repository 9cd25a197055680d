"""Arguments: what a schema requires, what it accepts, and what it refuses."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Asked, LoopCase
from callproof.loops.cases.building import ANY, DONE, TOOLS, asks, note, read
from callproof.values.jsontext import Json

# Values that count as empty in many programs: the schema accepts them.
_LITTLE: Final[tuple[tuple[str, Json], ...]] = (
    ("empty", ""),
    ("blank", " "),
    ("null", None),
    ("zero", 0),
    ("false", False),
    ("empty-list", []),
    ("empty-object", {}),
)

# The largest integers that doubles hold, one that they do not, and numbers that are written in several ways.
_NUMBERS: Final[tuple[Json, ...]] = (
    2**53 - 1,
    1 - 2**53,
    2**53 + 1,
    10**22,
    1e300,
    5e-324,
    0.1,
    0.1 + 0.2,
    -0.0,
    1.0,
    1e-7,
    100,
)
_NAMES: Final = ("", " ", "__proto__", "constructor", "toString", "length", "0", "a.b", "$ref", "\u00e9", "x" * 300)
# Texts that look like values of another type.
_ALIKE: Final = ("1", "01", "1e3", "true", "null", "[]", '{"a": 1}', "2026-01-01", "undefined", "NaN", "~", "%20")


def _deep(levels: int) -> Json:
    value: Json = "swifts"
    for level in range(levels):
        value = [value] if level % 2 else {"in": value}
    return value


CASES: Final = (
    *(
        LoopCase(
            f"AL-02/{name}",
            "A required argument is present even if its value is empty, as long as the schema accepts it.",
            (asks(note("call_1", value)),),
            (*DONE, "HOST-12"),
            TOOLS,
        )
        for name, value in _LITTLE
    ),
    LoopCase(
        "AL-02/nothing-wanted",
        "A tool without parameters is called without arguments.",
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
        "A required argument in another spelling does not count.",
        (asks(Asked("call_1", "note", {"Text": "a"})),),
        (*ANY, "HOST-12"),
        TOOLS,
    ),
    LoopCase(
        "AL-02/too-much",
        "An argument is not permitted by the schema: the tool is not entered with it.",
        (asks(read("call_1", sudo=True)),),
        ANY,
        TOOLS,
    ),
    LoopCase(
        "AL-02/wrong-type",
        "An object where the schema requires a text, and no conversion is possible.",
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
        "AL-02/numbers",
        "Large and small numbers reach the tool, as doubles represent them.",
        (asks(note("call_1", list(_NUMBERS))),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/names",
        "Arguments have names that programs use internally, or an empty name.",
        (asks(Asked("call_1", "note", {"text": {name: name for name in _NAMES}, **dict.fromkeys(_NAMES, 1)})),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/alike",
        "Texts that look like numbers, objects and escapes stay texts.",
        (asks(note("call_1", list(_ALIKE)), *(read(f"call_{at}", each) for at, each in enumerate(_ALIKE, 2))),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/deep",
        "An argument nested in forty lists and objects reaches the tool.",
        (asks(note("call_1", _deep(40))),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/many",
        "Two hundred arguments reach the tool.",
        (asks(Asked("call_1", "note", {"text": "a", **{f"more_{at}": at for at in range(199)}})),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-02/nested",
        "An argument of objects and lists, with large and small numbers, reaches the tool unchanged.",
        (asks(note("call_1", {"a": [1, -2.5, 1e21, {"b": None, "": True}], "e": "\u0000\u007f"})),),
        DONE,
        TOOLS,
    ),
)
