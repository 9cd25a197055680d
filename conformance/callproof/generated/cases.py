"""Generated cases: a plan, a policy, tools, and what the suite does during the run."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from callproof.generated.chances import between, chance, one_of
from callproof.generated.features import with_features
from callproof.generated.plans import Draft, draft, finished
from callproof.generated.spoiling import spoiled
from callproof.generated.styles import Style
from callproof.live.behaviours import Ending
from callproof.live.case import Case, Cue, Move
from callproof.live.scenarios.building import policy
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_EXPIRY_MS = 200
_MOMENTS_MS = (0, 50, 100, 150, 250)
# No generated case takes this long, retries of slow tools included.
_HORIZON_MS = 120_000


def case_by(dice: Random, styles: tuple[Style, ...]) -> Case:
    """A lawful case in one of these styles; the plans of a few cases have to be refused."""
    style = one_of(dice, styles)
    made = draft(dice, style)
    timeline, expiry = _timeline(dice, style, made)
    case = Case(
        id="generated",
        says=f"A generated case in the style of {style.name}",
        plan=finished(dice, style, made),
        policy=_policy(dice, style, made),
        tools=tuple({each.tool.name: each.tool for each in made.kits}.values()),
        timeline=timeline,
        confirmation_timeout_ms=expiry,
        horizon_ms=_HORIZON_MS,
    )
    return with_features(spoiled(dice, case, refer=style.refer > 0) if chance(dice, style.spoil) else case)


def _policy(dice: Random, style: Style, made: Draft) -> Mapping[str, Json]:
    limits: dict[str, Json] = {}
    if chance(dice, style.wide):
        limits["maxConcurrency"] = between(dice, 2, 3)
    if style.retry and chance(dice, style.clamp):
        limits["maxAttempts"] = between(dice, 1, 3)
    if style.limit and chance(dice, style.clamp // 2):
        limits["maxTimeoutMs"] = one_of(dice, (100, 150, 400))
    denied = (one_of(dice, made.kits).tool.name,) if chance(dice, style.deny) else ()
    sandbox: dict[str, Json] = {"enabled": True, "allowedRoots": ["/"], "denyPatterns": ["..", "://"]}
    if chance(dice, 15):
        sandbox["allowedRoots"] = ["Notes"]
    return policy(limits, confirm=made.asks, denied=denied, sandbox=sandbox)


def _timeline(dice: Random, style: Style, made: Draft) -> tuple[tuple[Move, ...], int | None]:
    """What the suite does, and after which time an unanswered question expires."""
    made.asks = chance(dice, style.confirm)
    moves, expiry = _decision(dice, style) if made.asks else ((), None)
    if chance(dice, style.cancel):
        moves = (*moves, *_cancellation(dice, made, asks=made.asks))
    return moves, expiry


def _decision(dice: Random, style: Style) -> tuple[tuple[Move, ...], int | None]:
    timed = style.limit > 0 or style.cancel > 0
    soon = one_of(dice, (0, 50, 100)) if timed else 0
    if chance(dice, style.approve):
        moves = [Move(ActKind.APPROVE, Cue.CONFIRMATION, soon)]
        if chance(dice, 30):
            second = one_of(dice, (ActKind.APPROVE, ActKind.REJECT))
            moves.append(Move(second, Cue.CONFIRMATION, soon + (50 if timed else 0)))
        return tuple(moves), _EXPIRY_MS if timed and chance(dice, 30) else None
    if timed and chance(dice, 50):
        # No answer comes in time; one may come too late.
        late = (Move(ActKind.APPROVE, Cue.CONFIRMATION, _EXPIRY_MS + 100),) if chance(dice, 30) else ()
        return late, _EXPIRY_MS
    moves = [Move(ActKind.REJECT, Cue.CONFIRMATION, soon)]
    if chance(dice, 30):
        moves.append(Move(ActKind.APPROVE, Cue.CONFIRMATION, soon + (50 if timed else 0)))
    return tuple(moves), None


def _cancellation(dice: Random, made: Draft, *, asks: bool) -> tuple[Move, ...]:
    """One cancellation, at the start, at the question, beside a call, between two attempts, or after the end."""
    if chance(dice, 8):
        return (Move(ActKind.CANCEL, Cue.FINISH, one_of(dice, (0, 50))),)
    if chance(dice, 60 if asks else 15):
        cue = Cue.CONFIRMATION if asks else Cue.START
        # Before an approval that comes a moment later, or at the same instant.
        first = Move(ActKind.CANCEL, cue, 0 if asks else one_of(dice, _MOMENTS_MS))
    else:
        failing = [each for each in made.kits if each.tool.behaviour.replies[0].ending is Ending.FAILURE]
        tool = one_of(dice, failing if failing and chance(dice, 70) else made.kits)
        fails = tool in failing
        cue, moment = (Cue.ANSWER, 50) if fails else (Cue.INVOCATION, one_of(dice, _MOMENTS_MS))
        count = between(dice, 1, 2) if chance(dice, 30) else 1
        first = Move(ActKind.CANCEL, cue, moment, tool.tool.name, count, first=chance(dice, 20))
    again = (Move(ActKind.CANCEL, Cue.FINISH if chance(dice, 50) else Cue.START, 100),) if chance(dice, 15) else ()
    return (first, *again)
