"""SC-18: a tool that writes one of two files and then fails, runs out of time or is cancelled, and is tried again."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import (
    Behaviour,
    OnAbort,
    Reply,
    Write,
    fails,
    returns,
    script,
    silent,
    sleeper,
    writing,
)
from callproof.live.case import Case, Cue, HostedTool, Item, Move, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_DONE: Json = {"written": 2}
_OBSERVED = ("EFF-02", "EFF-11", "EFF-12", "EFF-13", "EFF-21")
_PARTIAL = (*_OBSERVED, "EFF-01", "EFF-10")


def _partial(name: str, says: str, does: Reply | Behaviour, *aims: str, **members: Json) -> Case:
    return Case(
        id=f"SC-18/{name}",
        says=says,
        plan=plan({**step("s1", "witness.writer", {"folder": "Out"}), **members}, risk="writes"),
        policy=policy(),
        tools=(
            hosted(
                "witness.writer",
                does,
                takes=closed(folder={"type": "string"}),
                gives=schema_of(_DONE),
                risk="writes",
            ),
        ),
        requires=("effects",),
        provokes=(*ENVELOPE, *FAILURE, *aims),
    )


def _cancelled(case: Case) -> Case:
    cancel = Move(ActKind.CANCEL, Cue.INVOCATION, 100, tool="witness.writer")
    return replace(case, timeline=(cancel,), requires=(*case.requires, "cancellation"))


def _with(case: Case, feature: str) -> Case:
    return replace(case, requires=(*case.requires, feature))


def _unheard_by_default() -> Case:
    """Writes without a guard, with retries only by the plan's defaults; a guard that is switched off is none."""
    case = _partial("unheard-by-default", "The aborted tool never answers; only the defaults want retries", _UNHEARD)
    unguarded: tuple[dict[str, Json], ...] = ({}, {"ifNotExists": False}, {"collisionStrategy": "overwrite"})
    steps = [step(f"s{n}", "witness.writer", each, timeoutMs=200) for n, each in enumerate(unguarded, 1)]
    members = closed(ifNotExists={"type": "boolean"}, collisionStrategy={"type": "string"})
    takes: Object = {**members, "required": []}
    writer = case.tools[0]
    return replace(
        case,
        plan=plan(*steps, risk="writes", defaults={"retry": _TWICE, "onError": "skip"}),
        tools=(replace(writer, descriptor={**writer.descriptor, "inputSchema": takes}),),
        requires=("effects", "retry", "timeout"),
        provokes=(*ENVELOPE, *FAILURE, "RETRY-15", "TIME-05"),
    )


def _guarded_by_default() -> Case:
    """Writes with one guard each: the second attempt of such a call does not repeat what the first one did."""
    case = _unheard_by_default()
    guards: tuple[dict[str, Json], ...] = (
        {"expectedEtag": "as it was"},
        {"ifNotExists": True},
        {"collisionStrategy": "error"},
    )
    steps = [step(f"s{n}", "witness.writer", each, timeoutMs=200) for n, each in enumerate(guards, 1)]
    writer = case.tools[0]
    text: Json = {"type": "string"}
    members = closed(expectedEtag=text, ifNotExists={"type": "boolean"}, collisionStrategy=text)
    takes: Object = {**members, "required": []}
    again = script(_UNHEARD, returns(_DONE, observed={}), by_args=True)
    return replace(
        case,
        id="SC-18/guarded-by-default",
        says="The aborted tool never answers, and its call has a guard, so the defaults retry it",
        plan={**case.plan, "steps": list(steps)},
        tools=(replace(writer, behaviour=again, descriptor={**writer.descriptor, "inputSchema": takes}),),
        provokes=(*ENVELOPE, *FAILURE, "RETRY-11", "TIME-05"),
    )


def _heard_and_asked_for() -> Case:
    """Writes without a guard that the system has to try again: one that failed, and one whose step has retries."""
    case = _unheard_by_default()
    then = returns(_DONE, observed={})
    takes, gives = closed(), schema_of(_DONE)
    return replace(
        case,
        id="SC-18/failed-by-default",
        says="One tool fails under default retries, and another never answers under its step's own",
        plan=plan(
            step("s1", "witness.failing"),
            step("s2", "witness.writer", retry=_TWICE, timeoutMs=200),
            risk="writes",
            defaults={"retry": _TWICE, "onError": "skip"},
        ),
        tools=(
            hosted("witness.failing", script(fails("INTERNAL_ERROR"), then), takes=takes, gives=gives, risk="writes"),
            hosted("witness.writer", script(_UNHEARD, then), takes=takes, gives=gives, risk="writes"),
        ),
        provokes=(*ENVELOPE, *FAILURE, "RETRY-11", "TIME-05"),
    )


def _unheard_and_asked_for() -> Case:
    """A write without a guard and with an unknown outcome, whose step itself asks for retries."""
    case = _unheard_by_default()
    asked = step("s1", "witness.writer", retry=_TWICE, timeoutMs=200)
    writer = replace(case.tools[0], behaviour=script(_UNHEARD, returns(_DONE, observed={})))
    return replace(
        case,
        id="SC-18/unheard-and-asked-for",
        says="The aborted tool never answers, and its step asks for a retry without a guard",
        plan=plan(asked, risk="writes"),
        tools=(writer,),
        provokes=(*ENVELOPE, *FAILURE, "RETRY-11", "TIME-05"),
    )


def _side_by_side() -> Case:
    """Two tools at work at once, each of which makes a file of its own."""
    takes, gives = closed(), schema_of(_DONE)
    slow = sleeper(200, _DONE)
    tools = [
        hosted(f"witness.{name}", writing(slow, f"{name}.md", name), takes=takes, gives=gives, risk="writes")
        for name in ("left", "right")
    ]
    return Case(
        id="SC-18/side-by-side",
        says="Two calls at once create a file each",
        plan=plan(*(step(tool.name.removeprefix("witness."), tool.name) for tool in tools), risk="writes"),
        policy=policy({"maxConcurrency": 2}),
        tools=tuple(tools),
        requires=("effects", "concurrency"),
        provokes=(*ENVELOPE, *_OBSERVED, "EFF-16", "EFF-20"),
    )


_ODD_NAMES = ("Cafe\u0301 \u00dc.md", ".two", "three words")
_MADE: Object = {
    "sideEffectsObserved": ["create-file", "create-folder"],
    "created": [{"path": "Out", "kind": "folder"}, *({"path": f"Out/{each}", "kind": "file"} for each in _ODD_NAMES)],
}
_CHANGED: Object = {
    "modified": [
        {"path": "Notes/a.md", "kind": "file", "beforeEtag": 'W/"1"', "afterEtag": 'W/"2"'},
        {"path": "Notes/b.md", "kind": "file"},
    ]
}
_LOOSE: Object = {"created": [{"path": "Loose.md", "kind": "file"}]}
_MOVED: Object = {
    "deleted": [
        {"path": "Old", "kind": "folder", "trashed": True},
        {"path": "Old/x.md", "kind": "file", "trashed": True},
        {"path": "y.md", "kind": "file"},
    ],
    "renamed": [{"from": "Notes/c.md", "to": "Notes/d.md"}, {"from": "One", "to": "Cafe\u0301"}],
}


def _told(name: str, ending: Reply, observed: Object, *writes: Write, risk: str = "commands") -> HostedTool:
    """A tool whose host saw ``observed``, whatever the tool did."""
    does = replace(ending, observed=observed, writes=writes)
    return hosted(name, does, takes=closed(), gives=schema_of(_DONE), risk=risk)


def _of_every_kind() -> Case:
    """The system has to report what a tool's host saw: every kind of change, more than one of each, odd names."""
    texts = (Write("Notes/a.md", "A"), Write("Notes/b.md", "B"))
    tools = (
        _told(
            "witness.makes", returns(_DONE), _MADE, *(Write(f"Out/{each}", each) for each in _ODD_NAMES), risk="writes"
        ),
        _told("witness.changes", fails("NOT_FOUND", False), _CHANGED, *texts),
        _told("witness.moves", fails("CONFLICT", False), _MOVED),
        # Its output breaks its schema, but it made a file (A16).
        _told("witness.misreports", returns({"written": "many"}), _LOOSE, Write("Loose.md", "x")),
    )
    return Case(
        id="SC-18/of-every-kind",
        says="Hosts of tools report creations, changes, deletions and moves",
        plan=plan(*(step(each.name.partition(".")[2], each.name, onError="skip") for each in tools), risk="writes"),
        policy=policy(),
        tools=tools,
        folder=(Item("Notes/a.md", text="a"), Item("Notes/b.md", text="b")),
        requires=("effects",),
        provokes=(*ENVELOPE, *FAILURE, *_PARTIAL, "EFF-20"),
        # The deletions and moves that witness.moves reports did not happen.
        excused=("EFF-05", "EFF-06"),
    )


_FAILS = writing(fails("INTERNAL_ERROR", True), "one.md", "1")
_SLOW = writing(sleeper(1000, _DONE), "one.md", "1")
_WORKS = writing(returns(_DONE), "two.md", "2")
_UNHEARD = replace(writing(silent(), "one.md", "1"), on_abort=OnAbort.VANISH)
_TWICE: Json = {"maxAttempts": 2, "backoffMs": 0}

SCENARIO = Scenario(
    "SC-18",
    "A tool that writes one of two files and then fails, times out or is cancelled",
    (
        _partial("fails", "The tool writes one file and fails", _FAILS, *_PARTIAL),
        _with(
            _partial("times-out", "The tool writes one file and times out", _SLOW, *_PARTIAL, timeoutMs=200), "timeout"
        ),
        _cancelled(
            _partial("cancelled", "The tool writes one file and is cancelled", _SLOW, *_PARTIAL, "CANC-04", "CANC-02")
        ),
        _with(
            _partial(
                "retried",
                "The tool writes one file and fails, and writes the other on its second attempt",
                script(_FAILS, _WORKS),
                *(*_PARTIAL, "EFF-17", "RETRY-11"),
                retry=_TWICE,
            ),
            "retry",
        ),
        _with(
            _partial(
                "retried-after-timeout",
                "The tool writes one file, times out, and writes the other when the plan retries it",
                script(_SLOW, _WORKS),
                *(*_PARTIAL, "EFF-17", "RETRY-15", "RETRY-13"),
                retry=_TWICE,
                timeoutMs=200,
            ),
            "timeout",
        ),
        _with(
            _partial("unheard", "The aborted tool never answers", _UNHEARD, "TIME-05", timeoutMs=200),
            "timeout",
        ),
        _unheard_by_default(),
        _guarded_by_default(),
        _unheard_and_asked_for(),
        _side_by_side(),
        _of_every_kind(),
        _partial("works", "The tool writes a file and succeeds", _WORKS, *_OBSERVED, "EFF-01", "EFF-20"),
        _heard_and_asked_for(),
    ),
    spared=("RETRY-11", "RETRY-13"),
)
