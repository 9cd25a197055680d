"""Witness tools for generated steps: what they take, what they give, and how they fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from callproof.generated import odd
from callproof.generated.chances import between, chance, one_of
from callproof.generated.styles import Style
from callproof.live.behaviours import (
    Behaviour,
    Ending,
    Reply,
    breaks,
    echo,
    fails,
    gated,
    returns,
    script,
    silent,
    stubborn,
)
from callproof.live.case import HostedTool
from callproof.live.scenarios.building import ANYTHING, closed, hosted, schema_of
from callproof.values.jsontext import Json

_CODES = (
    *("INTERNAL_ERROR", "INTERNAL_ERROR", "PRECONDITION_FAILED", "NOT_FOUND", "CONFLICT"),
    *("VALIDATION_ERROR", "POLICY_DENIED", "QUOTA_EXCEEDED"),
)
_REFUSALS = frozenset({"VALIDATION_ERROR", "PRECONDITION_FAILED", "POLICY_DENIED"})
_WORDS = (True, True, None, False)
_ENCOURAGING = (True, True, True, None)
_DELAYS_MS = (100, 50, 150, 300)
# Longer than every time limit of a generated plan and the grace after it (TIME-01).
_FAR_TOO_LONG_MS = 1_500


class Takes(Enum):
    """What a tool takes."""

    NOTHING = "nothing"
    ANY = "any"  # ``value``, anything at all
    TEXT = "text"  # ``value``, a string
    PATH = "path"  # ``path``, a path of the vault


@dataclass(frozen=True, slots=True)
class Kit:
    """
    A witness tool with what the generator knows about it.

    ``output`` is what it gives if nothing fails; None for a tool that gives its arguments back.  ``open`` is whether
    its schema permits more members in the output than it has.  ``hangs`` is true if it may never answer, or too late.
    """

    tool: HostedTool
    takes: Takes
    output: Mapping[str, Json] | None
    open: bool
    hangs: bool

    def gives(self, args: Mapping[str, Json]) -> Mapping[str, Json]:
        """Its output for these arguments if nothing fails."""
        if self.output is not None:
            return self.output
        # Arguments that the tool does not take give no output, but its schema says what to expect.
        return {"value": "plain"} if self.takes is Takes.TEXT and not isinstance(args.get("value"), str) else args


def kit(dice: Random, style: Style, name: str, takes: Takes, *, in_loop: bool) -> Kit:
    """A new tool of this name."""
    output = odd.example(dice, style.path * 2) if takes is Takes.NOTHING or chance(dice, 25) else None
    hangs = chance(dice, style.hang)
    behaviour = _behaviour(dice, style, output, hangs=hangs, in_loop=in_loop)
    wants = _wants(takes)
    loose = output is not None and chance(dice, 50)
    gives = wants if output is None else {"type": "object"} if loose else schema_of(output)
    writes = chance(dice, style.write)
    more: dict[str, Json] = {"cancellable": not chance(dice, style.bound)}
    if chance(dice, 5):
        more["aliases"] = [f"{name}-too"]
    if writes:
        # A tool that writes reports what it changed (EFF-20): nothing in the folder, since the suite observes it too.
        seen: dict[str, Json] = {"sideEffectsObserved": ["create-file"]} if chance(dice, 50) else {}
        behaviour = replace(behaviour, replies=tuple(_telling(each, seen) for each in behaviour.replies))
    tool = hosted(name, behaviour, takes=wants, gives=gives, risk="writes" if writes else "read-only", **more)
    return Kit(tool, takes, output, loose, hangs)


def _wants(takes: Takes) -> Mapping[str, Json]:
    if takes is Takes.NOTHING:
        return closed()
    if takes is Takes.PATH:
        return closed(path={"type": "string"})
    return closed(value=ANYTHING if takes is Takes.ANY else {"type": "string"})


def _behaviour(
    dice: Random, style: Style, output: Mapping[str, Json] | None, *, hangs: bool, in_loop: bool
) -> Behaviour:
    works = _good(dice, style, output)
    if hangs:
        return _hanging(dice, works)
    if chance(dice, style.rubbish):
        return script(one_of(dice, (returns(["no object"]), breaks(), returns({"unasked": 1}))), works)
    if chance(dice, style.flaky):
        bad = tuple(_failure(dice, style, again=90) for _ in range(one_of(dice, (1, 1, 2, 3))))
        return script(*bad, works, by_args=in_loop and chance(dice, 80))
    if in_loop and chance(dice, style.fail):
        return script(works, _failure(dice, style, again=40), works)
    return script(_failure(dice, style, again=style.retry)) if chance(dice, style.fail) else script(works)


def _good(dice: Random, style: Style, output: Mapping[str, Json] | None) -> Reply:
    delay = one_of(dice, _DELAYS_MS) if chance(dice, style.slow) else 0
    works = echo(delay) if output is None else returns(dict(output), after_ms=delay)
    return gated(works, 2) if chance(dice, style.wide // 10) else works


def _failure(dice: Random, style: Style, again: int) -> Reply:
    """A failure; ``again`` is the chance that it does not rule out another attempt."""
    delay = one_of(dice, _DELAYS_MS) if chance(dice, style.slow) else 0
    if chance(dice, 8):
        return replace(breaks(), after_ms=delay)
    if chance(dice, again):
        return fails("INTERNAL_ERROR", one_of(dice, _ENCOURAGING), delay)
    return fails(one_of(dice, _CODES), one_of(dice, _WORDS), delay)


def _hanging(dice: Random, works: Reply) -> Behaviour:
    late = replace(stubborn(_FAR_TOO_LONG_MS, None), ending=works.ending, output=works.output)
    slow = replace(works, after_ms=_FAR_TOO_LONG_MS, gate=0)
    hung = one_of(dice, (silent(), slow, late, replace(late, after_ms=250)))
    kind = between(dice, 0, 2)
    return script(hung) if kind == 0 else script(hung, works) if kind == 1 else script(works, hung, works)


def _telling(reply: Reply, seen: Mapping[str, Json]) -> Reply:
    return replace(reply, observed=seen if may_have_effects(reply) else {})


def may_have_effects(reply: Reply) -> bool:
    """Whether a tool with this reply may have changed anything: it refuses a call before it begins (VAL-14)."""
    return reply.error is None or reply.error.get("code") not in _REFUSALS


def never_answers(reply: Reply) -> bool:
    """Whether a tool with this reply never answers, so that something has to stop it."""
    return reply.ending is Ending.SILENCE
