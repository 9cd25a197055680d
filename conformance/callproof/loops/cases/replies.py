"""Replies that come in pieces, and replies that were cut."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import Asked, LoopCase, Reply
from callproof.loops.cases.building import ANY, DONE, TOOLS, asks, note, read

_EVERY_CHARACTER: Final = tuple('{"text": "a \\"b\\" \\u00e9 \U0001f426"}')

CASES: Final = (
    LoopCase(
        "AL-03/pieces",
        "The arguments of two calls come in pieces.",
        (asks(read("call_1", "a.md"), read("call_2", "b.md"), said="Both."),),
        (*DONE, "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/woven",
        "The pieces of three calls alternate, each with the index of its block.",
        (Reply((read("call_1", "a.md"), note("call_2", "b"), read("call_3", "c.md")), woven=True),),
        (*DONE, "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/every-character",
        "Every character is a piece, in escapes too.",
        (asks(Asked("call_1", "note", {"text": 'a "b" \u00e9 \U0001f426'}, _EVERY_CHARACTER)),),
        (*DONE, "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/empty-pieces",
        "Empty pieces stand between the others.",
        (asks(Asked("call_1", "read", {"path": "a"}, ("", '{"path"', "", ': "a"}', ""))),),
        (*DONE, "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/no-pieces",
        "A call without arguments comes without pieces.",
        (asks(Asked("call_1", "clock", {}, ())),),
        DONE,
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/half",
        "The reply was cut off in the arguments: they are not completed, and the call is not carried out.",
        (asks(Asked("call_1", "note", {}, ('{"text": "the te',)), stop="length"),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/half-of-one",
        "The last of two calls was cut off.",
        (asks(read("call_1"), Asked("call_2", "note", {}, ('{"text": ["a", ',)), stop="length"),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/half-for-nothing",
        "The arguments were cut off, and the tool takes none: they do not count as empty arguments.",
        (asks(Asked("call_1", "clock", {}, ('{"zone": "UT',))),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/no-object",
        "The arguments are complete, but a list.",
        (asks(Asked("call_1", "note", {}, ('["text"]',))),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/no-object-for-nothing",
        "The arguments are a list, and the tool takes none.",
        (asks(Asked("call_1", "clock", {}, ("[", "]"))),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/garbage-after",
        "Something else follows the object of the arguments.",
        (asks(Asked("call_1", "note", {}, ('{"text": "a"}', ' {"text": "b"}'))),),
        ("HOST-01", "HOST-06"),
        TOOLS,
        streamed=True,
    ),
    LoopCase(
        "AL-03/stopped-with-a-call",
        "A reply that ended with stop has a call, which has its result.",
        (asks(note("call_1", "a"), stop="stop"),),
        ("HOST-01",),
        TOOLS,
    ),
    LoopCase(
        "AL-03/cut-with-a-call",
        "A reply that was cut off by its length has a complete call, which has its result.",
        (asks(note("call_1", "a"), stop="length"),),
        ("HOST-01",),
        TOOLS,
    ),
    LoopCase(
        "AL-03/streamed-refusal",
        "A streamed call breaks the schema of its tool.",
        (asks(Asked("call_1", "read", {"lines": 2}, ('{"lines"', ": 2}"))),),
        (*ANY, "HOST-06", "HOST-12"),
        TOOLS,
        streamed=True,
    ),
)
