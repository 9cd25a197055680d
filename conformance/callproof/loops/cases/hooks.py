"""Hooks: what the operator forbids, changes, sees, and takes out of a message."""

from __future__ import annotations

from typing import Final

from callproof.loops.case import After, Answer, Asked, Before, Hooks, LoopCase, Persist, text
from callproof.loops.cases.building import ANY, DONE, TOOLS, asks, note, read

_ALL: Final = Hooks({}, {}, {})
_TWO: Final = (asks(read("call_1", "a.md"), read("call_2", "b.md")),)
_WHOLE: Final = "- swifts leave in July\n- the key is under the mat"
_KEPT: Final = (text("- swifts leave in July\n- (one line is not shown)"),)


def _before(name: str, says: str, hook: Before, *aims: str) -> LoopCase:
    """A case in which the before-hook says something about the first of two calls."""
    hooks = Hooks(before={"call_1": hook})
    return LoopCase(f"AL-05/{name}", says, _TWO, (*ANY, "HOST-16", *aims), TOOLS, hooks=hooks)


def _alone(name: str, hooks: Hooks, *aims: str) -> tuple[LoopCase, ...]:
    """The cases in which one hook is asked and says nothing, for loops without the other hooks."""
    aims = (*DONE, *aims, "HOST-16")
    fails = {"call_1": Answer(throws="no such file")}
    once = (asks(read("call_1"), note("call_2", "a")), asks(read("call_3")))
    return (
        LoopCase(f"AL-05/{name}-alone", f"The {name}-hook is asked about every call.", once, aims, TOOLS, hooks=hooks),
        LoopCase(
            f"AL-05/{name}-after-a-failure",
            f"The {name}-hook is asked about a call whose tool throws, and about the other call.",
            _TWO,
            aims,
            TOOLS,
            answers=fails,
            hooks=hooks,
        ),
        LoopCase(
            f"AL-05/{name}-one-by-one",
            f"The {name}-hook is asked about sequential calls too.",
            _TWO,
            aims,
            TOOLS,
            hooks=hooks,
            mode="sequential",
        ),
    )


CASES: Final = (
    *_alone("before", Hooks(before={})),
    *_alone("after", Hooks(after={}), "HOST-04"),
    *_alone("persist", Hooks(persist={})),
    LoopCase(
        "AL-05/asked",
        "All hooks are set, and are asked about every call.",
        (asks(read("call_1"), note("call_2", "a")), asks(read("call_3"))),
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        hooks=_ALL,
    ),
    LoopCase(
        "AL-05/asked-after-a-failure",
        "Hooks are asked about a call whose tool throws, and about the other call.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        answers={"call_1": Answer(throws="no such file")},
        hooks=_ALL,
    ),
    LoopCase(
        "AL-05/an-id-again",
        "Hooks are asked about two calls of two replies that have the same id.",
        (asks(read("call_1", "a.md")), asks(note("call_1", "b"))),
        (*DONE, "HOST-04", "HOST-16", "HOST-17"),
        TOOLS,
        hooks=_ALL,
    ),
    LoopCase(
        "AL-05/asked-one-by-one",
        "Hooks are asked about sequential calls too.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        hooks=_ALL,
        mode="sequential",
    ),
    LoopCase(
        "AL-05/refused-message",
        "The persist hook also sees the message of a call that the schema refuses.",
        (asks(Asked("call_1", "read", {}), Asked("call_2", "shred", {}), read("call_3")),),
        (*DONE, "HOST-12", "HOST-16"),
        TOOLS,
        hooks=Hooks(persist={}),
    ),
    _before("blocked", "The hook blocks one of two calls.", Before(block=True, reason="not today"), "HOST-03"),
    _before("blocked-without-a-reason", "The hook blocks a call without a reason.", Before(block=True), "HOST-03"),
    _before("hook-fails", "The hook fails, so the call does not succeed.", Before(fails="no connection"), "HOST-03"),
    _before("other-arguments", "The hook changes the path.", Before(params={"path": "c.md"}), "HOST-14"),
    _before("bad-arguments", "The hook makes the arguments invalid.", Before(params={"path": {"of": "c.md"}})),
    _before(
        "more-arguments",
        "The hook adds an argument that the schema does not permit.",
        Before(params={"path": "c", "sudo": True}),
    ),
    _before(
        "little-arguments",
        "The hook changes arguments to an empty text and a zero, which the schema accepts.",
        Before(params={"path": "", "lines": 0}),
        "HOST-14",
    ),
    LoopCase(
        "AL-05/all-blocked",
        "The hook blocks every call of a reply, and the model receives the results.",
        _TWO,
        (*ANY, "HOST-03"),
        TOOLS,
        hooks=Hooks(before={each: Before(block=True, reason="not today") for each in ("call_1", "call_2")}),
    ),
    LoopCase(
        "AL-05/blocked-one-by-one",
        "The hook blocks the first and the third of four sequential calls, and the second fails.",
        (asks(*(read(f"call_{at}", f"{at}.md") for at in range(1, 5))),),
        (*ANY, "HOST-03", "HOST-16", "HOST-19"),
        TOOLS,
        answers={"call_2": Answer(throws="no such file")},
        hooks=Hooks(before={each: Before(block=True, reason="not today") for each in ("call_1", "call_3")}),
        mode="sequential",
    ),
    _before(
        "blocked-slowly",
        "The hook blocks one of two calls, and thinks for a while before it says so.",
        Before(block=True, reason="not today", slow=True),
        "HOST-03",
    ),
    LoopCase(
        "AL-05/after-hook-answers",
        "The after-hook returns another result, which changes nothing: it only observes.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        hooks=Hooks(after={"call_1": After({"content": [text("mine")], "details": {"mine": True}, "isError": True})}),
    ),
    LoopCase(
        "AL-05/after-hook-forgives",
        "The after-hook says that a failure was a success.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        answers={"call_1": Answer(throws="no such file")},
        hooks=Hooks(after={"call_1": After({"isError": False})}),
    ),
    LoopCase(
        "AL-05/after-hook-fails",
        "The after-hook fails, but the call does not.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16"),
        TOOLS,
        hooks=Hooks(after={"call_1": After(fails="no connection")}),
    ),
    LoopCase(
        "AL-05/after-hook-thinks",
        "The after-hook is slow about the first of two sequential calls, which has not ended until it answers.",
        _TWO,
        (*DONE, "HOST-04", "HOST-16", "HOST-19"),
        TOOLS,
        hooks=Hooks(after={"call_1": After(slow=True)}),
        mode="sequential",
    ),
    LoopCase(
        "AL-05/taken-out",
        "The persist hook removes a secret from the message.",
        _TWO,
        (*DONE, "HOST-16", "HOST-17"),
        TOOLS,
        answers={"call_1": Answer((text(_WHOLE),), {"key": "under the mat"})},
        hooks=Hooks(persist={"call_1": Persist(_KEPT, {"lines": 2})}),
    ),
    LoopCase(
        "AL-05/details-taken-out",
        "The persist hook removes the details.",
        _TWO,
        (*DONE, "HOST-16", "HOST-17"),
        TOOLS,
        answers={"call_1": Answer((text(_WHOLE),), {"key": "under the mat"})},
        hooks=Hooks(persist={"call_1": Persist(_KEPT)}),
    ),
    LoopCase(
        "AL-05/persist-hook-fails",
        "The persist hook fails, but the call has its result.",
        _TWO,
        ("HOST-01", "HOST-02", "HOST-16"),
        TOOLS,
        hooks=Hooks(persist={"call_1": Persist(fails="no connection")}),
    ),
)
