"""Calls and what becomes of them: one call, several, none, calls that fail, and calls of no tool."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Answer, Asked, LoopCase, Reply, Tool, text
from callproof.loops.cases.building import DONE, NOTE, READ, TOOLS, TRIED, asks, note, read
from callproof.values.jsontext import Json

_IMAGE: Final = {
    "type": "image",
    "data": "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==",
    "mimeType": "image/gif",
}
# Details that programs mistake for none.
_LITTLE: Final[tuple[Json, ...]] = (0, "", False, [])
_ENVELOPE: Final = {"status": "error", "tool": "read", "error": "the disk is full"}
# Letters in two parts, a line end in two characters, a byte order mark, and a word from right to left.
_ODDER: Final = "\ufeffcafe\u0301\r\n\t\u0000\u05d0\u05d1\u202e \ufffe\U0001f468\u200d\U0001f469 \u00a0"
# Ids that differ only in the blanks around them, or only at their end.
_IDS: Final = ("7", " 7", "7 ", *(f"call_{'x' * 72}_{at}" for at in range(2)))
# A name with capitals and other signs that providers permit.
_CAPITALS: Final = Tool("Read_Notes-2", READ.parameters)
_ODD: Final = 'na\u00efve "quoted" \\ \u2028 \U0001f426 line\nfeed'

CASES: Final = (
    LoopCase("AL-01/one", "One call, one result, and a last reply of the model.", (asks(read("call_1")),), DONE, TOOLS),
    LoopCase(
        "AL-01/said-and-asked",
        "A reply with a text and a call.",
        (asks(read("call_1"), said="I look at the notes."),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/nothing-asked",
        "A reply without a call ends the run.",
        (Reply(said="Hello.", stop="stop"),),
        ("HOST-22",),
        TOOLS,
    ),
    LoopCase(
        "AL-01/turn-after-turn",
        "Three replies with a call each, and the model receives all results each time.",
        (asks(read("call_1")), asks(note("call_2", "a")), asks(read("call_3"))),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/three-at-once",
        "Three calls of two tools in one reply.",
        (asks(read("call_1", "a.md"), note("call_2", "b"), read("call_3", "c.md")),),
        (*DONE, "HOST-11"),
        TOOLS,
        answers={
            "call_1": Answer((text("one"),)),
            "call_2": Answer((text("two"),)),
            "call_3": Answer((text("three"),)),
        },
    ),
    LoopCase(
        "AL-01/the-same-twice",
        "Two calls of one tool with the same arguments are two calls.",
        (asks(read("call_1"), read("call_2")),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/thirty-three",
        "Thirty-three calls in one reply.",
        (asks(*(note(f"call_{each}", each) for each in range(33))),),
        DONE,
        TOOLS,
        answers={f"call_{each}": Answer((text(f"kept {each}"),), {"at": each}) for each in range(33)},
    ),
    LoopCase(
        "AL-01/many-turns",
        "Thirty-three replies with a call each, one after another.",
        tuple(asks(note(f"call_{each}", each)) for each in range(33)),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/odd-text",
        "Quotes, escapes, a line separator and an emoji reach the tool and return unchanged.",
        (asks(note("call_1", _ODD)),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text(_ODD),), {"kept": _ODD})},
    ),
    LoopCase(
        "AL-01/odder-text",
        "Characters that are often converted reach the tool and return unchanged.",
        (asks(note("call_1", _ODDER)),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text(_ODDER),), {_ODDER: _ODDER})},
    ),
    LoopCase(
        "AL-01/long",
        "A text of 100,000 characters reaches the tool.",
        (asks(note("call_1", "swift " * 16_667)),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/odd-ids",
        "Ids in the styles of providers, with punctuation or of one character.",
        (asks(read("toolu_01A-b.c:9/=+"), read("7"), read("functions.read:0")),),
        (*DONE, "HOST-11"),
        TOOLS,
    ),
    LoopCase(
        "AL-01/long-ids",
        "Ids with blanks at their ends, or longer than most, which differ only there.",
        (asks(*(read(each, f"{at}.md") for at, each in enumerate(_IDS))),),
        (*DONE, "HOST-11"),
        TOOLS,
        answers={each: Answer((text(f"file {at}"),), {"at": at}) for at, each in enumerate(_IDS)},
    ),
    LoopCase(
        "AL-01/capitals",
        "A tool has capitals in its name.",
        (asks(Asked("call_1", _CAPITALS.name, {"path": "a.md"})),),
        DONE,
        (_CAPITALS, NOTE),
    ),
    LoopCase(
        "AL-01/an-id-again",
        "A later reply reuses an id for another call, with the same arguments or not.",
        (asks(read("call_1", "a.md")), asks(read("call_1", "b.md")), asks(read("call_1", "b.md"))),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/an-id-of-another-tool",
        "A later reply swaps the ids of two calls, so each id is a call of another tool.",
        (asks(read("call_1"), note("call_2", "a")), asks(note("call_1", "b"), read("call_2", "b.md"))),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("one"),)), "call_2": Answer((text("two"),))},
    ),
    LoopCase(
        "AL-01/one-id-twice",
        "Two calls of one reply have the same id, and there are two results.",
        (asks(read("call_1", "a.md"), read("call_1", "b.md")),),
        ("HOST-01", "HOST-02"),
        TOOLS,
        excused=("HOST-11",),
    ),
    LoopCase(
        "AL-01/unknown-tool",
        "A call of an unknown tool is a failure, and the run goes on.",
        (asks(Asked("call_1", "shred", {"path": "notes.md"}), read("call_2")),),
        (*DONE, "HOST-07"),
        TOOLS,
    ),
    LoopCase(
        "AL-01/another-case",
        "The name of a tool in other letters is no name of a tool.",
        (asks(Asked("call_1", "Read", {"path": "a.md"}), read("call_2", "b.md")),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/a-blank-more",
        "The name of a tool with a blank before or after it is no name of a tool.",
        (asks(Asked("call_1", " read", {"path": "a.md"}), Asked("call_2", "read ", {"path": "b.md"}), read("call_3")),),
        DONE,
        TOOLS,
    ),
    LoopCase(
        "AL-01/throws",
        "A tool throws, and its neighbour does not.",
        (asks(read("call_1"), read("call_2")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer(throws="no such file")},
    ),
    LoopCase(
        "AL-01/throws-nothing",
        "A tool throws an empty message.",
        (asks(read("call_1")),),
        TRIED,
        TOOLS,
        answers={"call_1": Answer(throws="")},
    ),
    LoopCase(
        "AL-01/fails-softly",
        "A tool returns a failure envelope, and does not throw.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("the disk is full"),), _ENVELOPE)},
    ),
    LoopCase(
        "AL-01/prints-json",
        "A tool prints an object with its own status, which is not the status of the call.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text('{"status":"error","job":7}'),), {"status": "paused"})},
    ),
    LoopCase(
        "AL-01/image",
        "A result with a text and an image.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("a picture"), _IMAGE))},
    ),
    LoopCase(
        "AL-01/image-alone",
        "A result with only an image.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((_IMAGE,))},
    ),
    LoopCase(
        "AL-01/texts",
        "A result with four texts, two of them equal, in no alphabetical order.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer(tuple(map(text, ("second", "first", "second", "last"))))},
    ),
    LoopCase(
        "AL-01/rich-details",
        "Details with lists, numbers and names that programs use internally.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text("done"),), {"": [0, -1.5, 1e300, None], "__proto__": {"constructor": [[]]}})},
    ),
    LoopCase(
        "AL-01/little-details",
        "Details that are a zero, an empty text, false and an empty list.",
        (asks(*(read(f"call_{at}") for at in range(4))),),
        DONE,
        TOOLS,
        answers={f"call_{at}": Answer((text("done"),), each) for at, each in enumerate(_LITTLE)},
    ),
    LoopCase(
        "AL-01/empty-text",
        "A tool returns an empty text.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer((text(""),))},
    ),
    LoopCase(
        "AL-01/no-content",
        "A tool returns no block of content, and the model still gets a text.",
        (asks(read("call_1")),),
        DONE,
        TOOLS,
        answers={"call_1": Answer(())},
    ),
)
