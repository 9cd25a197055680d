"""What the model wrote: what a schema refuses, what it accepts, and what a tool says about the values."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.pipelines.case import Asked, Asking, PipelineCase, Tool
from callproof.pipelines.cases.building import AWAY, DONE, TOOLS, clock, note, read
from callproof.values.jsontext import Json

_ANYTHING: Final = Tool("any", {})
_NEVER: Final = Tool("never", {"not": {}})


def _refused(name: str, says: str, given: Json) -> PipelineCase:
    """A case in which the schema refuses the first of two inputs."""
    calls = (Asked("i-1", "notes.read", given), read("i-2"))
    return PipelineCase(f"PL-02/{name}", says, calls, (*AWAY, *DONE), TOOLS)


def _taken(name: str, says: str, *given: Json) -> PipelineCase:
    """A case in which a tool must be given some values unchanged."""
    calls = tuple(note(f"i-{number}", each) for number, each in enumerate(given, 1))
    return PipelineCase(f"PL-02/{name}", says, calls, DONE, TOOLS)


def _values(name: str, says: str, error_class: str) -> PipelineCase:
    """A case in which a tool refuses the values of the first of two calls."""
    asking = Asking(refused={"i-1": error_class})
    calls = (read("i-1", "../Birds.md"), read("i-2"))
    return PipelineCase(f"PL-03/{name}", says, calls, (*AWAY, *DONE, "PIPE-13"), TOOLS, asking=asking)


SCHEMAS: Final = (
    _refused("missing", "The input lacks a member that the schema requires.", {}),
    _refused("of-another-type", "A path that is a number.", {"path": 7}),
    _refused("null", "A path that is null.", {"path": None}),
    _refused("of-no-member", "A member that the schema does not permit.", {"path": "a", "sudo": True}),
    _refused("half", "A fraction where the schema requires an integer.", {"path": "a", "lines": 2.5}),
    _refused("no-object", "A text instead of an object.", "Birds.md"),
    _refused("list", "A list instead of an object.", [{"path": "Birds.md"}]),
    _refused("nothing", "Null instead of an object.", None),
    PipelineCase(
        "PL-02/nothing-for-nothing",
        "Null instead of an object, for a tool that requires no member.",
        (Asked("i-1", "clock", None), clock("i-2")),
        (*AWAY, *DONE),
        TOOLS,
    ),
    PipelineCase(
        "PL-02/never",
        "A schema that accepts nothing.",
        (Asked("i-1", "never", {}), clock("i-2")),
        (*AWAY, *DONE),
        (*TOOLS, _NEVER),
    ),
    PipelineCase(
        "PL-02/always",
        "A schema that accepts everything.",
        (Asked("i-1", "any", {"a": [1, {"b": None}]}), Asked("i-2", "any", {})),
        DONE,
        (*TOOLS, _ANYTHING),
    ),
    _taken("blanks", "Texts with blanks around them, and empty texts.", " a ", "", "\n", "\t\u00a0"),
    _taken("signs", "Texts with quotes, backslashes and odd characters.", '"', "\\", "\u00e9\u2028\U0001f426", "{{x}}"),
    _taken("odd-texts", "Texts that are often trimmed, composed or converted.", *ODD_TEXTS),
    _taken("odd-names", "Members and items that are such texts.", dict.fromkeys(ODD_TEXTS, 1), [*ODD_TEXTS]),
    _taken("numbers", "Numbers of every kind.", 0, -1, 2.5, 1e21, -0.5, 12345678901234567),
    _taken("falsy", "Falsy values count as given.", False, 0, "", [], {}, None),
    _taken("nested", "Nested values.", {"a": {"b": [1, {"c": []}]}}, [[[]]], {"": {"/": "~"}}),
    PipelineCase(
        "PL-02/integral",
        "An integer, written as 3 and as 3.0.",
        (read("i-1", lines=3), read("i-2", lines=3.0)),
        DONE,
        TOOLS,
    ),
)

VALUES: Final = (
    PipelineCase(
        "PL-03/taken",
        "The tool validates the values and accepts them.",
        (read("i-1"), note("i-2", "a")),
        (*DONE, "PIPE-13"),
        TOOLS,
        asking=Asking(refused={}),
    ),
    _values("invalid", "The tool finds the values invalid.", "invalid_arguments"),
    _values("setup", "The tool is not set up.", "setup_required"),
    _values("sandbox", "The path lies outside of the sandbox.", "sandbox_violation"),
    PipelineCase(
        "PL-03/not-asked-about-what-is-refused",
        "The schema refuses the input, and the tool would refuse it too.",
        (Asked("i-1", "notes.read", {"path": 7}),),
        AWAY,
        TOOLS,
        asking=Asking(refused={"i-1": "invalid_arguments"}),
    ),
)
CASES: Final = (*SCHEMAS, *VALUES)
