"""SC-11: the user approves, rejects, stays silent, answers late, twice, or to another run's question.

A plan that is edited after its confirmation cannot be tested over a wire: the system holds the only copy.
"""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import echo, fails, returns, script, writing
from callproof.live.case import Case, Companion, Cue, Move, Scenario, When
from callproof.live.scenarios.aims import ENVELOPE, EVENTS, LOG, RESULTS, SCHEDULE
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_ASKED = ("CONF-04", "CONF-08", "CONF-10", "CONF-14", "CONF-13")
_CONFIRMED = (*ENVELOPE, *_ASKED, "CONF-01", "CONF-02", "CONF-03", "CONF-05", "EFF-20", "LOG-18")
_NOT_RUN = (*RESULTS, *EVENTS, *LOG, *SCHEDULE, *_ASKED, "CONF-06", "LOG-23", "RES-11", "RES-19", "DEP-08")
_WRITE = hosted(
    "witness.write",
    writing(returns({"path": "note.md"}), "note.md", "confirmed"),
    takes=closed(path={"type": "string"}),
    gives=schema_of({"path": ""}),
    risk="writes",
)
_READ = hosted("witness.read", returns({"n": 1}), takes=closed(), gives=schema_of({"n": 1}))
_EXPIRY_MS = 1000


def _asked(name: str, says: str, *moves: Move, aims: tuple[str, ...]) -> Case:
    return Case(
        id=f"SC-11/{name}",
        says=says,
        plan=plan(step("s1", "witness.read"), step("s2", "witness.write", {"path": "note.md"}), risk="writes"),
        policy=policy(confirm=True),
        tools=(_READ, _WRITE),
        timeline=moves,
        confirmation_timeout_ms=_EXPIRY_MS,
        requires=("confirmation",),
        provokes=aims,
    )


def _say(act: ActKind, after_ms: int, cue: Cue = Cue.CONFIRMATION, *, other: bool = False) -> Move:
    return Move(act, cue, after_ms, confirmation_id="confirmation-of-another-run" if other else None)


def _reading_only() -> Case:
    case = _asked("read-only", "A read-only run asks for confirmation", _say(ActKind.APPROVE, 100), aims=_CONFIRMED)
    # A read needs no approval, so nothing that writes is exercised here (B-15).
    aims = tuple(each for each in _CONFIRMED if each not in {"CONF-01", "CONF-03", "EFF-20", "LOG-18"})
    return replace(case, plan=plan(step("s1", "witness.read")), provokes=aims)


def _after_another(name: str, says: str, *moves: Move, aims: tuple[str, ...]) -> Case:
    """The same plan, after an earlier run of it that was approved."""
    before = _asked(f"{name}-before", "The earlier run, which is approved", _say(ActKind.APPROVE, 100), aims=())
    return replace(_asked(name, says, *moves, aims=aims), company=(Companion(before, When.BEFORE),))


def _undeclared() -> Case:
    """A tool that declares no risk counts as the riskiest."""
    case = _asked("undeclared-risk", "The tool declares no risk level", _say(ActKind.APPROVE, 200), aims=_CONFIRMED)
    bare = {name: value for name, value in _WRITE.descriptor.items() if name != "riskLevel"}
    return replace(case, tools=(_READ, replace(_WRITE, descriptor=bare)), provokes=(*_CONFIRMED, "POL-19", "CALL-13"))


def _only_commands() -> Case:
    """Calls that run commands and nothing else, attempts and iterations among them, and numbers of every kind."""
    aims = tuple(each for each in _CONFIRMED if each != "EFF-20")
    case = _asked("commands", "A commands-only run asks for confirmation", _say(ActKind.APPROVE, 100), aims=aims)
    value: Json = {"é": [1.0, -0.0, 1e21, 1e-7, 12345678901234567890], "b": None, "a": [1, "x"]}
    shell = hosted("witness.shell", echo(), risk="commands")
    flaky = hosted("witness.flaky", script(fails("INTERNAL_ERROR", retryable=True), echo()), risk="commands")
    each: Json = {"from": "$steps.s1.value.a", "itemName": "number"}
    return replace(
        case,
        plan=plan(
            step("s1", "witness.shell", {"value": value}),
            step("s2", "witness.flaky", {"value": 2.0}, retry={"maxAttempts": 2.0, "backoffMs": 0}),
            step("s3", "witness.shell", {"value": "{number}"}, foreach=each),
            risk="commands",
        ),
        policy=policy({"maxTimeoutMs": 1e4, "maxAttempts": 2.0}, confirm=True, denied=("witness.other", "é")),
        tools=(shell, flaky),
        requires=("confirmation", "references", "foreach", "retry", "timeout"),
        provokes=(*aims, "RETRY-16"),
    )


def _unasked() -> Case:
    case = _asked("unasked", "The policy wants no confirmation", aims=(*ENVELOPE, "CONF-09"))
    return replace(case, policy=policy())


_YES, _NO = ActKind.APPROVE, ActKind.REJECT

SCENARIO = Scenario(
    "SC-11",
    "Confirmation given, refused, missed, late, twice and meant for another run",
    (
        _asked("approved", "The user approves", _say(_YES, 200), aims=_CONFIRMED),
        _asked("rejected", "The user rejects", _say(_NO, 200), aims=_NOT_RUN),
        _asked("silent", "The user does not answer", aims=(*_NOT_RUN, "CONF-07")),
        _asked(
            "late", "The user approves when it is too late", _say(_YES, 1200), aims=(*_NOT_RUN, "CONF-07", "CONF-12")
        ),
        _asked(
            "double",
            "The user approves twice at once and once more at the end",
            *(_say(_YES, 100), _say(_YES, 100), _say(_YES, 50, Cue.FINISH)),
            aims=(*_CONFIRMED, "CONF-11", "DEP-07"),
        ),
        _asked(
            "stale",
            "The only approval carries another run's confirmation id",
            _say(_YES, 100, other=True),
            aims=(*_NOT_RUN, "CONF-05", "CONF-07"),
        ),
        _asked(
            "stale-then-real",
            "An approval with another run's confirmation id comes first",
            *(_say(_YES, 100, other=True), _say(_YES, 300)),
            aims=_CONFIRMED,
        ),
        _asked(
            "rejected-then-approved",
            "The user rejects, then approves",
            *(_say(_NO, 100), _say(_YES, 200)),
            aims=(*_NOT_RUN, "CONF-12"),
        ),
        _asked(
            "approved-then-rejected",
            "The user approves and rejects at the same instant",
            *(_say(_YES, 100), _say(_NO, 100)),
            aims=_CONFIRMED,
        ),
        _after_another(
            "earlier-id",
            "The approval carries the confirmation id of an earlier run of the same plan",
            Move(_YES, Cue.CONFIRMATION, 100, confirmation_of=0),
            aims=(*_NOT_RUN, "CONF-05", "CALL-04"),
        ),
        _after_another(
            "earlier-approval",
            "The same plan was approved before, and the user does not answer now",
            aims=(*_NOT_RUN, "CONF-05", "CONF-07"),
        ),
        _asked(
            "double-at-work",
            "The user approves, and once more while the first tool is at work",
            *(_say(_YES, 100), Move(_YES, Cue.INVOCATION, tool="witness.read")),
            aims=(*_CONFIRMED, "CONF-11", "DEP-07"),
        ),
        _reading_only(),
        _only_commands(),
        _undeclared(),
        _unasked(),
    ),
)
