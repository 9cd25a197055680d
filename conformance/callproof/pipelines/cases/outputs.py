"""The output of a tool on its way to the model: mapped, seen by hooks, changed, and too large."""

from __future__ import annotations

from typing import Final

from callproof.driven.odd_values import ODD_TEXTS
from callproof.pipelines.case import Answer, Asking, PipelineCase, Post
from callproof.pipelines.cases.building import DONE, FAILED, TOOLS, clock, note, read
from callproof.values.jsontext import Json

_TWO: Final = (read("i-1", "a.md"), read("i-2", "b.md"))
_MAPPED: Final = (*DONE, "PIPE-17")
_SECRET: Final = {"text": "the swifts left; the key is under the mat", "key": "under the third mat"}
_LARGE: Final = {"text": "swift " * 4_000}
# Characters of four bytes, or of two units of UTF-16: a program that counts these units and cuts at a number of them
# cuts a character in two in at least one of the texts.
_WIDE: Final = {"text": "a" + "\U0001f426" * 6_000}
_WIDER: Final = {"text": "aa" + "\U0001f426" * 6_000}
_ODD: Final[tuple[Json, ...]] = ("", 0, [1, [2]], {"a": {}}, "\u2028\U0001f426")
_ODD_TEXTS: Final = (*({"text": each} for each in ODD_TEXTS), {each: each for each in ODD_TEXTS})
_STORED: Final = (*DONE, "PIPE-20")


def _mapping(name: str, says: str, asking: Asking, *aims: str, given: Answer | None = None) -> PipelineCase:
    """A case with two calls whose outputs are mapped."""
    answers = {} if given is None else {"i-1": given}
    return PipelineCase(f"PL-06/{name}", says, _TWO, (*_MAPPED, *aims), TOOLS, answers, asking)


def _post(name: str, says: str, hook: Post, *aims: str) -> PipelineCase:
    """A case in which the hook after a call says something about the first of two calls, whose outputs are mapped."""
    return _mapping(name, says, Asking(unmapped=(), post={"i-1": hook}), "PIPE-13", *aims)


OUTPUTS: Final = (
    _mapping("mapped", "The tool maps its output to what the model reads.", Asking(unmapped=())),
    _mapping(
        "cannot-be-mapped",
        "The output of one of two tools cannot be mapped.",
        Asking(unmapped=("i-1",)),
        "PIPE-01",
        "PIPE-08",
    ),
    _mapping(
        "not-mapped-when-it-throws",
        "A tool throws, so there is nothing to map.",
        Asking(unmapped=()),
        given=Answer(fails="execution_failed"),
    ),
    PipelineCase(
        "PL-06/odd-outputs-are-mapped",
        "Outputs that are not objects are mapped as they are.",
        tuple(clock(f"i-{number}") for number in range(1, 6)),
        _MAPPED,
        TOOLS,
        {f"i-{at}": Answer(each) for at, each in enumerate(_ODD, 1)},
        Asking(unmapped=()),
    ),
    PipelineCase(
        "PL-06/odd-texts-are-mapped",
        "Outputs with texts that are often trimmed, composed or converted are mapped as they are.",
        tuple(clock(f"i-{number}") for number in range(1, len(_ODD_TEXTS) + 1)),
        _MAPPED,
        TOOLS,
        {f"i-{at}": Answer(each) for at, each in enumerate(_ODD_TEXTS, 1)},
        Asking(unmapped=()),
    ),
    _mapping(
        "hook-gives-odd-texts",
        "The hook after calls is shown such texts, and gives others.",
        Asking(unmapped=(), post={"i-2": Post(output={"text": "".join(ODD_TEXTS), "pages": [*ODD_TEXTS]})}),
        "PIPE-13",
        given=Answer([*ODD_TEXTS]),
    ),
    _mapping(
        "several-blocks",
        "An output is mapped to two texts and a picture.",
        Asking(unmapped=()),
        given=Answer({"pages": ["  swifts leave\n", "\tin July "]}),
    ),
    PipelineCase(
        "PL-06/hook-alone",
        "The hook after calls is asked although the tool maps nothing.",
        _TWO,
        (*DONE, "PIPE-13"),
        TOOLS,
        asking=Asking(post={}),
    ),
    PipelineCase(
        "PL-06/hook-takes-out-alone",
        "The hook removes a secret from an output that the pipeline itself maps.",
        _TWO,
        (*DONE, "PIPE-13"),
        TOOLS,
        {"i-1": Answer(_SECRET)},
        Asking(post={"i-1": Post(output={"text": "the swifts left"})}),
    ),
    _post("hook-says-nothing", "The hook after calls changes nothing.", Post()),
    _post("hook-changes", "The hook changes the output, which is mapped.", Post(output={"text": "in August"})),
    _post("hook-stops", "The hook blocks the call after it has run.", Post(block=True), "PIPE-08"),
    _post(
        "hook-fails", "The hook fails after the call has run, and the call has its result.", Post(fails="no connection")
    ),
    _mapping(
        "hook-takes-out",
        "The hook removes a secret from the output.",
        Asking(unmapped=(), post={"i-1": Post(output={"text": "the swifts left"})}),
        given=Answer(_SECRET),
    ),
    PipelineCase(
        "PL-06/hook-after-a-failure",
        "A tool throws, and the hook may be asked: its answer does not change the failure.",
        _TWO,
        (*FAILED, "PIPE-13"),
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        Asking(post={"i-1": Post(output={"text": "all is well"})}),
    ),
    PipelineCase(
        "PL-06/everything",
        "Tool, hooks, person and mapping are asked about three calls.",
        (*_TWO, note("i-3", [1])),
        (*_MAPPED, "PIPE-13"),
        TOOLS,
        asking=Asking(refused={}, pre={}, permits={}, unmapped=(), post={}),
    ),
)


def _large(name: str, says: str, asking: Asking, output: Answer, *aims: str) -> PipelineCase:
    """A case in which the output of the first of two calls is too large."""
    return PipelineCase(
        f"PL-07/{name}", says, _TWO, aims or _STORED, TOOLS, {"i-1": output}, asking, result_bytes=2_000
    )


PERSISTENCE: Final = (
    _large("stored", "Output that is too large is stored.", Asking(unstored=()), Answer(_LARGE)),
    _large("store-fails", "The store fails, and the result says so.", Asking(unstored=("i-1",)), Answer(_LARGE)),
    _large("small", "Output that is not too large is shown.", Asking(unstored=()), Answer(), *DONE),
    _large("mapped-and-stored", "The mapped output is too large.", Asking(unmapped=(), unstored=()), Answer(_WIDE)),
    _large(
        "mapped-and-not-stored",
        "The mapped output is too large, and the store fails.",
        Asking(unmapped=(), unstored=("i-1",)),
        Answer(_LARGE),
    ),
    _large(
        "a-hook-makes-it-large",
        "The hook changes the output to one that is too large.",
        Asking(unmapped=(), post={"i-1": Post(output=_WIDER)}, unstored=()),
        Answer(),
    ),
    _large(
        "a-hook-makes-it-small",
        "The hook changes an output that is too large to a small one.",
        Asking(unmapped=(), post={"i-1": Post(output={"text": "many swifts"})}, unstored=()),
        Answer(_LARGE),
        *_MAPPED,
    ),
    PipelineCase(
        "PL-07/all-large",
        "Every output is too large.",
        _TWO,
        _STORED,
        TOOLS,
        {"i-1": Answer(_LARGE), "i-2": Answer({"text": "tern " * 4_000})},
        Asking(unstored=()),
        result_bytes=2_000,
    ),
    PipelineCase(
        "PL-07/signs-of-many-bytes",
        "The output has too many bytes, and is cut between characters.",
        (read("i-1"),),
        _STORED,
        TOOLS,
        {"i-1": Answer({"text": "\U0001f426\u00e9" * 1_500})},
        Asking(unstored=()),
        result_bytes=2_001,
    ),
    PipelineCase(
        "PL-07/throws",
        "A tool throws, and large outputs are stored.",
        _TWO,
        FAILED,
        TOOLS,
        {"i-1": Answer(fails="execution_failed")},
        Asking(unstored=()),
        result_bytes=2_000,
    ),
)
CASES: Final = (*OUTPUTS, *PERSISTENCE)
