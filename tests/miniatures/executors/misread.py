"""Executors that misread what a policy or a plan says in a spelling, a place or a word that most of them never hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

from callproof_reference.run import Run

from miniatures.miniature import miniature
from miniatures.points import (
    BREACH,
    MATCHES,
    OUTSIDE,
    PLAN_FAULTS,
    ROOT_VALUE,
    STEP,
    Due,
    Patch,
    Record,
    changed,
)


@miniature("brackets-are-signs-of-patterns", breaks="POL-09", seen_in="SC-14/patterns")
def _(patch: Patch) -> None:
    """In a pattern with a wildcard, brackets stand for any one of the characters between them."""

    def matches(original: Any, pattern: str, path: str, segments: tuple[str, ...]) -> Any:
        if "*" in pattern and "[" in pattern:
            return any(fnmatchcase(each, pattern) for each in segments)
        return original(pattern, path, segments)

    patch.around(MATCHES, matches)


@miniature("marks-are-names", breaks="POL-09", seen_in="SC-14/patterns")
def _(patch: Patch) -> None:
    """A pattern of punctuation is only found where it is a whole name."""

    def matches(original: Any, pattern: str, path: str, segments: tuple[str, ...]) -> Any:
        return pattern in segments if pattern == "~" else original(pattern, path, segments)

    patch.around(MATCHES, matches)


@miniature("patterns-stay-decomposed", breaks="POL-09", seen_in="SC-14/patterns")
def _(patch: Patch) -> None:
    """Paths are composed before they are compared, and patterns are not."""

    def matches(original: Any, pattern: str, *rest: Any) -> Any:
        return unicodedata.is_normalized("NFC", pattern) and original(pattern, *rest)

    patch.around(MATCHES, matches)


@miniature("roots-as-they-are-spelt", breaks="POL-03", seen_in="SC-14/inside-roots-spelt-otherwise")
def _(patch: Patch) -> None:
    """A path lies in a root only where it begins with the very characters of it."""

    def outside(original: Any, path: str, sandbox: Record, root: Any) -> Any:
        roots = [each for each in sandbox.get("allowedRoots", ["/"]) if each.strip("/")]
        near = [each for each in roots if f"{path.removeprefix('./')}/".startswith(f"{each}/")]
        return original(path, sandbox, root) or ("lies outside the allowed roots" if roots and not near else None)

    patch.around(OUTSIDE, outside)


@miniature("no-roots-in-a-list-is-no-list", breaks="POL-02", also=("POL-15",), seen_in="SC-14/no-root")
def _(patch: Patch) -> None:
    """An empty list of roots allows the whole vault."""

    def outside(original: Any, path: str, sandbox: Record, root: Any) -> Any:
        return original(path, sandbox | {"allowedRoots": sandbox.get("allowedRoots") or ["/"]}, root)

    patch.around(OUTSIDE, outside)


@miniature("what-is-listed-is-no-path", breaks="POL-02", seen_in="SC-14/own-tools")
def _(patch: Patch) -> None:
    """The folder that is to be listed is not judged."""

    def breach(original: Any, tool: Any, args: Record, *rest: Any) -> Any:
        return original(tool, {n: each for n, each in args.items() if n != "prefix"}, *rest)

    patch.around(BREACH, breach)


def _let_through(patch: Patch, passes: Callable[[Any], bool]) -> None:
    """Do not mind such faults of plans."""
    patch.around(PLAN_FAULTS, lambda original, plan, own: [each for each in original(plan, own) if not passes(each)])


@miniature("sources-of-loops-unchecked", breaks="REF-03", seen_in="SC-02/unknown-source")
def _(patch: Patch) -> None:
    """References are checked in arguments, and not where a loop takes its items from."""
    _let_through(patch, lambda fault: fault.pointer.endswith("/foreach/from") and fault.reason == "unknown_step")


@miniature("fields-of-variables-unchecked", breaks="REF-03", seen_in="SC-02/closed-field-of-a-variable")
def _(patch: Patch) -> None:
    """What an output may hold is asked for by the name of its step, and not by that of its variable."""
    _let_through(patch, lambda fault: fault.reason == "unknown_field" and fault.message.startswith("$vars"))


@miniature("fields-of-iterations-unchecked", breaks="REF-03", seen_in="SC-02/closed-field-of-an-iteration")
def _(patch: Patch) -> None:
    """Of a loop's outputs nothing is known before they are there."""
    _let_through(patch, lambda fault: fault.reason == "unknown_field" and fault.message.startswith("$steps.each["))


@miniature("index-without-a-loop-is-text", breaks="REF-03", seen_in="SC-02/foreign-index")
def _(patch: Patch) -> None:
    """Outside of a loop the usual name of the index is text, in a plan with a loop as in any other."""
    _let_through(patch, lambda fault: fault.reason == "unknown_binding" and fault.message.startswith("{index}"))


@miniature("names-of-all-loops-in-each", breaks="REF-16", also=("LOG-06",), seen_in="SC-05/names-of-another-loop")
def _(patch: Patch) -> None:
    """In each loop the names that other loops give to their items and indices are those of its own."""

    def step(original: Any, source: Record, plan: Any) -> Any:
        made = original(source, plan)
        return changed(made, bindings={**plan._bound, **made.bindings}) if made.loop else made

    _let_through(patch, lambda fault: fault.reason == "unknown_binding")
    patch.around(STEP, step)


def _named(value: Any, schema: Record) -> Any:
    """An output without what its schema does not name, wherever it calls something an object."""
    if not isinstance(value, dict) or schema.get("type") != "object":
        return value
    named: Record = schema.get("properties", {})
    return {name: _named(value[name], named[name]) for name in value if name in named}


@miniature("what-no-schema-names-is-not-there", breaks="REF-21", seen_in="SC-01/open-outputs")
def _(patch: Patch) -> None:
    """Of an output only those members are found that its schema names, open or not."""

    def root_value(original: Any, run: Run, reference: Any, iteration: Any) -> Any:
        value = original(run, reference, iteration)
        source = run.plan.by_id.get(str(run.plan.origin(reference)), {})
        return _named(value, run.plan.registry.get(str(source.get("tool")), {}).get("outputSchema", {}))

    patch.around(ROOT_VALUE, root_value)


@miniature("guards-do-not-count", breaks="RETRY-11", seen_in="SC-18/guarded-by-default")
def _(patch: Patch) -> None:
    """A write that timed out is not tried again by default, whatever guards it."""

    def law(again: bool, due: Due) -> bool:
        own = "retry" in due.run.plan.by_id[due.step.id]
        return again and (own or due.step.tool.risk_level == "read-only" or due.ending.status != "timeout")

    patch.retry(law)
