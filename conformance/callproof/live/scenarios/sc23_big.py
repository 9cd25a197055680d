"""SC-23: lines of many kilobytes, numbers of twenty digits, odd text, odd names, arguments beyond any limit."""

from __future__ import annotations

from callproof.live.behaviours import echo, returns
from callproof.live.canonical_tools import CREATE_FILE, LIST_FILES, READ_FILE
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, HASHES, OWN_TOOLS, RESOLUTION
from callproof.live.scenarios.building import closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_ODD: dict[str, Json] = {
    "line": "seventy kilobytes of text " * 2760,
    "digits": 12345678901234567890,
    "minus": -98765432109876543210,
    "fraction": 0.1234567890123456,
    "separators": "\u2028\u2029\u0085\u000b\ufeff",
    "nul": "before\u0000after",
    "escapes": '\\u0000 \\n "quoted" \\ / \u007f',
    "forms": "e\u0301 \u00e9 \ufb01 \uff21 \u1100\u1161\u11a8",
    "astral": "\U0001f469\u200d\U0001f469\u200d\U0001f466 \U00010000 \ufffd \uffff",
    "sides": "\u202eleft\u202c \u05d0\u05d1 \u200b\u00a0",
    "breaks": "one\r\ntwo\rthree\n\n\tfour ",
    "terminal": "\u001b[31mred\u001b[0m \u009b1m \u0080",
    "shell": "~/notes $HOME `id` *.md 50%20off %2e%2e a&b=c#d <b>bold</b>",
    "looks like": ["2026-02-30T25:00:00+02:00", "1e3", "0x10", "007", "true", "null", "NaN", "https://e.example/?q=1"],
    "order": [3, -1, 2, -1, 10, 9],
    "long": "x" * 300,
    "wide": "\u3042" * 30_000,  # so long that it arrives in pieces, whose borders may lie inside a character
    "many": list(range(1_100)),
    "\u2028": "a name that ends a line elsewhere",
    "": "a name of nothing",
    "cafe\u0301": "a name in two spellings",
    "caf\u00e9": "and the other one",
    " both ends ": "a name with blanks",
}
_MEGABYTE: Json = {"text": "0123456789abcdef" * 70_000}
_NAMES = (
    "Notes/cafe\u0301 \u00e9.md",
    "Notes/\U0001f469\u200d\U0001f466 \u05d0\u05d1.md",
    "Notes/ blank at both ends ",
    "Notes/.hidden..name...md",
    "Notes/" + "\u00fc" * 126 + ".md",
    "Notes/line\u2028separator.md",
    "Notes/$steps.s0.path {index}.md",
)


def _big(name: str, says: str, data: Json, value: Json, *aims: str, then: bool = False, **facts: Json) -> Case:
    """A source of big data, a step that gets it, and with ``then`` a step that shows that the run goes on."""
    after = [step("after", "witness.echo", {"value": 1})] if then else []
    return Case(
        id=f"SC-23/{name}",
        says=says,
        plan=plan(
            step("src", "witness.source"), {**step("big", "witness.echo", {"value": value}), "onError": "skip"}, *after
        ),
        policy=policy(),
        tools=(
            hosted("witness.source", returns(data), takes=closed(), gives={"type": "object"}),
            hosted("witness.echo", echo()),
        ),
        requires=("references",),
        provokes=(*ENVELOPE, *aims),
        expectations=facts,
        death_proves=("VAL-12",) if facts else (),
    )


def _nested(value: Json, depth: int) -> Json:
    for _ in range(depth):
        value = [value]
    return value


def _odd_names() -> Case:
    """Files with odd names, which the system's own tools make and read."""
    made = [
        step(f"s{n}", "vault.createFile", {"path": name, "content": f"{n}\u2028\n"}) for n, name in enumerate(_NAMES)
    ]
    read = step("read", "vault.readFile", {"path": "$steps.s1.path"})
    return Case(
        id="SC-23/odd-names",
        says="Files with odd but valid names",
        plan=plan(*made, read, step("list", "vault.listFiles", {"prefix": "Notes"}, dependsOn=["s6"]), risk="writes"),
        policy=policy(),
        system_tools=(CREATE_FILE, READ_FILE, LIST_FILES),
        requires=("files", "effects", "references"),
        provokes=(*OWN_TOOLS, "EFF-02", "EFF-08", "EFF-12", "EFF-14", "EFF-22", "POL-10"),
    )


_ODD_READ: Json = {"all": "$steps.src", "line": "$steps.src.line", "text": "{$steps.src.digits} {$steps.src.nul}!"}

SCENARIO = Scenario(
    "SC-23",
    "Big values, odd values, odd names",
    (
        _big(
            "odd",
            "A line of seventy kilobytes, and text and numbers that are easily damaged",
            _ODD,
            _ODD_READ,
            *RESOLUTION,
            *HASHES,
        ),
        _big("megabyte", "A result of more than a megabyte is passed on", _MEGABYTE, "$steps.src.text", *RESOLUTION),
        _big(
            "deep",
            "Arguments that are nested a hundred and ten levels deep",
            {"tree": _nested("leaf", 60)},
            _nested("$steps.src.tree", 50),
            "VAL-12",
            then=True,
            tooMuch=["big"],
        ),
        _big(
            "beyond-a-frame",
            "Arguments that are too large for a frame",
            _MEGABYTE,
            ["$steps.src.text"] * 16,
            "VAL-12",
            then=True,
            tooMuch=["big"],
        ),
        _odd_names(),
    ),
)
