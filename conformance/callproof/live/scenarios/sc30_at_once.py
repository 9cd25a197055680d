"""SC-30: two runs at once in one process, each with a plan, tools, a policy and a timeline of its own."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, fails, returns, script, sleeper, writing
from callproof.live.case import Case, Companion, Cue, Move, Scenario, When
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, RESOLUTION, RESULTS
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_SOURCE, _SINK = "witness.source", "witness.sink"
_ITEMS: Json = {"items": ["a", "b"], "name": ""}
_TEXT: Json = {"type": "string"}
_EACH: Object = {
    **step("each", _SINK, {"text": "{item} of $vars.source.name"}),
    "foreach": {"from": "$vars.source.items", "itemName": "item", "concurrency": 2},
}
_CHAIN = plan(step("s1", _SOURCE, captureAs="source"), _EACH)


def _tools(name: str, does: Reply | Behaviour, ms: int) -> Case:
    """A run whose source returns ``name`` after ``ms`` milliseconds."""
    output: Json = {"items": [f"{name}1", f"{name}2", f"{name}3"], "name": name}
    return Case(
        id=f"SC-30/{name}",
        says="Another run at the same time",
        plan=_CHAIN,
        policy=policy({"maxConcurrency": 2}),
        tools=(
            hosted(_SOURCE, returns(output, after_ms=ms), takes=closed(), gives=schema_of(_ITEMS)),
            hosted(_SINK, does, takes=closed(text=_TEXT), gives=closed()),
        ),
        requires=("references", "foreach"),
    )


def _pair(name: str, says: str, own: Case, other: Case, *aims: str) -> Case:
    """A run with another one beside it."""
    beside = Companion(replace(other, id=f"SC-30/{name}-beside"), When.BESIDE)
    return replace(
        own,
        id=f"SC-30/{name}",
        says=says,
        company=(beside,),
        requires=(*own.requires, "concurrency"),
        provokes=(*ENVELOPE, "CALL-04", *aims),
    )


def _interleaved() -> Case:
    aims = (*RESOLUTION, "REF-05", "RES-23", "LOOP-02", "LOOP-13", "DEP-03", "HASH-02")
    one, other = _tools("one", sleeper(150, {}), 100), _tools("other", sleeper(100, {}), 50)
    return _pair("interleaved", "The same plan twice at once, with different data", one, other, *aims)


def _cancelled() -> Case:
    one, other = _tools("one", sleeper(300, {}), 100), _tools("other", sleeper(300, {}), 100)
    cancelled = replace(
        one,
        timeline=(Move(ActKind.CANCEL, Cue.INVOCATION, 100, tool=_SINK, count=2),),
        requires=(*one.requires, "cancellation"),
    )
    return _pair("cancel-one", "One of two runs is cancelled", cancelled, other, *RESULTS, "CANC-02", "CANC-05")


def _denied() -> Case:
    """Each policy allows what the other denies: a tool, another attempt."""
    strict = replace(
        _tools("strict", sleeper(100, {}), 50),
        policy=policy({"maxConcurrency": 2, "maxAttempts": 1}, denied=(_SINK,)),
        plan=plan(step("s1", _SOURCE, captureAs="source"), step("s2", _SINK, {"text": "$vars.source.name"})),
        requires=("references",),
    )
    retried = step("s2", _SINK, {"text": "$vars.source.name"}, retry={"maxAttempts": 3, "backoffMs": 50})
    free = replace(
        _tools("free", script(fails("INTERNAL_ERROR", True), fails("INTERNAL_ERROR", True), returns({})), 50),
        plan=plan(step("s1", _SOURCE, captureAs="source"), retried),
        policy=policy({"maxConcurrency": 1, "maxAttempts": 3}, denied=("witness.other",)),
        requires=("references", "retry"),
    )
    aims = (*FAILURE, "POL-01", "POL-12", "RETRY-02", "RETRY-03")
    return _pair("two-policies", "One policy denies what the other allows", free, strict, *aims)


def _confirmed() -> Case:
    """The other run is approved; this one gets only an approval that carries the other's id."""
    write = hosted(
        "witness.write",
        writing(returns({"path": "note.md"}), "note.md", "confirmed"),
        takes=closed(path=_TEXT),
        gives=schema_of({"path": ""}),
        risk="writes",
    )
    asking = Case(
        id="SC-30/asking",
        says="Another run at the same time",
        plan=plan(step("s1", "witness.write", {"path": "note.md"}), risk="writes"),
        policy=policy(confirm=True),
        tools=(write,),
        confirmation_timeout_ms=1000,
        requires=("confirmation",),
    )
    approved = replace(asking, timeline=(Move(ActKind.APPROVE, Cue.CONFIRMATION, 200),))
    lent = replace(asking, timeline=(Move(ActKind.APPROVE, Cue.CONFIRMATION, 300, confirmation_of=0),))
    aims = ("CONF-01", "CONF-03", "CONF-04", "CONF-05", "CONF-06", "EFF-20")
    return _pair("confirm-one", "Two runs, both approved with the confirmation id of one", lent, approved, *aims)


SCENARIO = Scenario(
    "SC-30",
    "Two runs at once in one process",
    (_interleaved(), _cancelled(), _denied(), _confirmed()),
)
