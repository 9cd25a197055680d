"""SC-15: a hook that lets a call pass, blocks it, rewrites its path outwards, makes it invalid, or breaks."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import echo, fails, returns, script
from callproof.live.case import Case, Cue, Hook, HookAction, Move, Scenario
from callproof.live.scenarios.aims import ENVELOPE, EVENTS, FAILURE, LOG, RESULTS, SCHEDULE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_TOOL = "witness.notes"
_NOTE = closed(path={"type": "string"}, text={"type": "string"})
_ITEMS = closed(items={"type": "array"})
_GIVEN: Object = {"path": "Notes/a.md", "text": "as planned"}
_WANTED: Object = {"path": "Notes/a.md", "text": "as the hook wants it"}


_REFUSED = (*FAILURE, "EVT-07", "EFF-19")


def _hooked(name: str, says: str, action: HookAction, *aims: str, args: Object | None = None, **members: Json) -> Case:
    return Case(
        id=f"SC-15/{name}",
        says=says,
        plan=plan(
            {**step("s1", _TOOL, _GIVEN), "onError": "skip", **members}, step("s2", "witness.echo", {"value": 1})
        ),
        policy=policy(),
        tools=(hosted(_TOOL, echo(), takes=_NOTE, gives=_NOTE), hosted("witness.echo", echo())),
        hook=Hook(_TOOL, action, args),
        expectations={"hook": {"tool": _TOOL, "action": action.value, **({} if args is None else {"args": args})}},
        requires=("hooks",),
        provokes=(*ENVELOPE, *aims),
    )


def _passes() -> Case:
    """The hook lets every call pass, although the schema refuses the arguments of one of them."""
    case = _hooked("passes", "The hook lets the call pass", HookAction.CONTINUE, *_REFUSED, "VAL-01")
    invalid = step("s3", _TOOL, {**_GIVEN, "text": 5}, onError="skip")
    steps = (step("s1", _TOOL, _GIVEN, onError="skip"), step("s2", "witness.echo", {"value": 1}), invalid)
    return replace(case, plan=plan(*steps))


def _blocks_later() -> Case:
    """The hook lets the first attempt pass, which fails, and blocks the second one."""
    case = _hooked(
        "blocks-the-second-attempt",
        "The hook lets the first attempt pass and blocks the second",
        HookAction.BLOCK,
        *(*_REFUSED, "RETRY-16"),
        retry={"maxAttempts": 3, "backoffMs": 0},
    )
    flaky = hosted(_TOOL, script(fails("INTERNAL_ERROR", retryable=True), echo()), takes=_NOTE, gives=_NOTE)
    return replace(
        case,
        tools=(flaky, *case.tools[1:]),
        hook=Hook(_TOOL, HookAction.BLOCK, lets_pass=1),
        expectations={"hook": {"tool": _TOOL, "action": "block-later"}},
        requires=("hooks", "retry"),
    )


def _changes_every_attempt() -> Case:
    """The hook changes the arguments of a call whose first attempt fails: each attempt gets the hook's arguments."""
    case = _hooked(
        "rewrites-every-attempt",
        "The hook changes the text of both attempts of a call",
        HookAction.MODIFY,
        *("POL-17", "RETRY-16", "RETRY-09"),
        args=_WANTED,
        retry={"maxAttempts": 2, "backoffMs": 0},
    )
    flaky = hosted(_TOOL, script(fails("INTERNAL_ERROR", retryable=True), echo()), takes=_NOTE, gives=_NOTE)
    return replace(case, tools=(flaky, *case.tools[1:]), requires=("hooks", "retry"))


def _changes_the_first_attempt() -> Case:
    """The hook changes the arguments of the first attempt, which fails, and lets the second one pass as planned."""
    case = _changes_every_attempt()
    return replace(
        case,
        id="SC-15/rewrites-the-first-attempt",
        says="The hook changes the text of the first attempt of a call, and not of the second",
        hook=Hook(_TOOL, HookAction.MODIFY, _WANTED, times=1),
        expectations={"hook": {"tool": _TOOL, "action": "modify-first", "args": _WANTED}},
        provokes=(*ENVELOPE, "POL-17", "RETRY-16"),
    )


def _changes_the_second_attempt_outwards() -> Case:
    """The hook lets the first attempt pass, which fails, and gives the second one a path outside the vault."""
    case = _changes_every_attempt()
    outwards: Object = {**_GIVEN, "path": "../a.md"}
    return replace(
        case,
        id="SC-15/rewrites-the-second-attempt-outwards",
        says="The hook lets the first attempt pass and changes the path of the second one to one outside the vault",
        hook=Hook(_TOOL, HookAction.MODIFY, outwards, lets_pass=1),
        expectations={"hook": {"tool": _TOOL, "action": "modify-later", "args": outwards}},
        provokes=(*ENVELOPE, *_REFUSED, "POL-17", "RETRY-16", "POL-13"),
    )


def _changes_odd_members() -> Case:
    """The hook changes members whose names a pointer spells with escapes, so that each escape counts (A49, A76)."""
    names = ("a/b", "m~n", "~1", "plain")
    given: Object = dict.fromkeys(names, "as planned")
    wanted: Object = {**dict.fromkeys(names, "as the hook wants it"), "plain": "as planned"}
    odd = closed(**{name: {"type": "string"} for name in names})
    case = _hooked(
        "rewrites-odd-members",
        "The hook changes members with a slash or a tilde in their names",
        HookAction.MODIFY,
        *("POL-17", "CALL-13", "VAL-10"),
        args=wanted,
    )
    return replace(
        case,
        plan=plan(step("s1", _TOOL, given), step("s2", "witness.echo", {"value": 1})),
        tools=(hosted(_TOOL, echo(), takes=odd, gives=odd), *case.tools[1:]),
    )


def _blocks_every_item() -> Case:
    """The hook is asked about each iteration of a loop, and blocks them all."""
    case = _hooked("blocks-every-item", "The hook blocks each iteration of a loop", HookAction.BLOCK, *_REFUSED)
    source = hosted("witness.items", returns({"items": ["a", "b", "c"]}), takes=closed(), gives=_ITEMS)
    loop: Json = {"from": "$steps.src.items", "itemName": "name"}
    each = step("s1", _TOOL, {"path": "Notes/{name}.md", "text": "at {index}"}, foreach=loop, onError="skip")
    return replace(
        case,
        plan=plan(step("src", "witness.items"), each),
        tools=(*case.tools[:1], source),
        requires=("hooks", "references", "foreach"),
        provokes=(*case.provokes, "POL-16"),
    )


def _cancelled_meanwhile() -> Case:
    """The hook has not decided yet when the run is cancelled."""
    case = _hooked(
        "cancelled-meanwhile",
        "The run is cancelled while the hook decides",
        HookAction.CONTINUE,
    )
    cancel = Move(ActKind.CANCEL, Cue.START, 100)
    return replace(
        case,
        hook=Hook(_TOOL, HookAction.CONTINUE, after_ms=200),
        timeline=(cancel,),
        requires=("hooks", "cancellation"),
        provokes=(*RESULTS, *EVENTS, *LOG, *SCHEDULE, "CANC-05", "CANC-10", "DEP-12"),
    )


SCENARIO = Scenario(
    "SC-15",
    "A hook that blocks, rewrites, or breaks",
    (
        _passes(),
        _hooked("blocks", "The hook blocks the call", HookAction.BLOCK, *_REFUSED, "POL-16"),
        _hooked(
            "blocks-for-good",
            "A block is final, even if the plan asks for retries",
            HookAction.BLOCK,
            *(*_REFUSED, "POL-16", "RETRY-06"),
            retry={"maxAttempts": 3, "backoffMs": 0},
        ),
        _blocks_later(),
        _blocks_every_item(),
        _changes_every_attempt(),
        _cancelled_meanwhile(),
        _hooked(
            "rewrites",
            "The hook changes the text",
            HookAction.MODIFY,
            "POL-17",
            args={"path": "Notes/a.md", "text": "as the hook wants it"},
        ),
        _hooked(
            "rewrites-outwards",
            "The hook changes the path to one outside the vault",
            HookAction.MODIFY,
            *(*_REFUSED, "POL-17", "POL-12"),
            args={"path": "../a.md", "text": "as planned"},
        ),
        _hooked(
            "rewrites-invalid",
            "The hook makes the arguments invalid",
            HookAction.MODIFY,
            *(*_REFUSED, "POL-17", "VAL-02"),
            args={"path": "Notes/a.md", "text": 5},
        ),
        _hooked("breaks", "The hook itself breaks", HookAction.FAIL, *_REFUSED, "ERR-10", "POL-20"),
        _changes_odd_members(),
        _changes_the_first_attempt(),
        _changes_the_second_attempt_outwards(),
    ),
    spared=("RETRY-06", "VAL-02"),
)
