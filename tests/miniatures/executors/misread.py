"""Executors that misread a policy or a plan that holds a rare spelling, place or word."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

from callproof_reference.plan import sole
from callproof_reference.run import Run
from callproof_reference.values import Failure, Refused

from miniatures.miniature import miniature
from miniatures.points import (
    BREACH,
    CANONICAL,
    DONE,
    GIVEN_UP,
    MATCHES,
    OUTSIDE,
    PERFORMED,
    PLAN_FAULTS,
    RESOLVED,
    ROOT_VALUE,
    STEP,
    TEXTS,
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
    """A pattern of punctuation matches only a whole name."""

    def matches(original: Any, pattern: str, path: str, segments: tuple[str, ...]) -> Any:
        return pattern in segments if pattern == "~" else original(pattern, path, segments)

    patch.around(MATCHES, matches)


@miniature("patterns-stay-decomposed", breaks="POL-09", seen_in="SC-14/patterns")
def _(patch: Patch) -> None:
    """Paths are brought into composed form (NFC) before they are compared, and patterns are not."""

    def matches(original: Any, pattern: str, *rest: Any) -> Any:
        return unicodedata.is_normalized("NFC", pattern) and original(pattern, *rest)

    patch.around(MATCHES, matches)


@miniature("roots-as-they-are-spelt", breaks="POL-03", seen_in="SC-14/inside-roots-spelt-otherwise")
def _(patch: Patch) -> None:
    """A path lies in a root only if it begins with the root's exact spelling."""

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
    """The folder that is to be listed is not checked against the policy."""

    def breach(original: Any, tool: Any, args: Record, *rest: Any) -> Any:
        return original(tool, {n: each for n, each in args.items() if n != "prefix"}, *rest)

    patch.around(BREACH, breach)


def _let_through(patch: Patch, passes: Callable[[Any], bool]) -> None:
    """Overlook the faults of plans for which ``passes`` holds."""
    patch.around(PLAN_FAULTS, lambda original, plan, own: [each for each in original(plan, own) if not passes(each)])


@miniature("sources-of-loops-unchecked", breaks="REF-03", seen_in="SC-02/unknown-source")
def _(patch: Patch) -> None:
    """References are checked in arguments, and not where a loop takes its items from."""
    _let_through(patch, lambda fault: fault.pointer.endswith("/foreach/from") and fault.reason == "unknown_step")


@miniature("fields-of-variables-unchecked", breaks="REF-03", seen_in="SC-02/closed-field-of-a-variable")
def _(patch: Patch) -> None:
    """References to fields of an output are checked under the name of its step, but not under that of its variable."""
    _let_through(patch, lambda fault: fault.reason == "unknown_field" and fault.message.startswith("$vars"))


@miniature("fields-of-iterations-unchecked", breaks="REF-03", seen_in="SC-02/closed-field-of-an-iteration")
def _(patch: Patch) -> None:
    """References to fields of a loop's outputs are not checked before the run."""
    _let_through(patch, lambda fault: fault.reason == "unknown_field" and fault.message.startswith("$steps.each["))


@miniature("fields-of-items-unchecked", breaks="REF-03", seen_in="SC-02/closed-field-of-an-item")
def _(patch: Patch) -> None:
    """References to fields of elements are checked under the output's name, but not under a loop's name for an item."""
    _let_through(patch, lambda fault: fault.reason == "unknown_field" and fault.message.startswith("{note."))


@miniature("index-without-a-loop-is-text", breaks="REF-03", seen_in="SC-02/foreign-index")
def _(patch: Patch) -> None:
    """Outside of a loop the usual name of the index is text, even in a plan that has a loop."""
    _let_through(patch, lambda fault: fault.reason == "unknown_binding" and fault.message.startswith("{index}"))


@miniature("names-of-all-loops-in-each", breaks="REF-16", also=("LOG-06",), seen_in="SC-05/names-of-another-loop")
def _(patch: Patch) -> None:
    """In each loop, the names that other loops give to their items and indices stand for its own item and index."""

    def step(original: Any, source: Record, plan: Any) -> Any:
        made = original(source, plan)
        return changed(made, bindings={**plan._bound, **made.bindings}) if made.loop else made

    _let_through(patch, lambda fault: fault.reason == "unknown_binding")
    patch.around(STEP, step)


def _named(value: Any, schema: Record) -> Any:
    """An output without the members that its schema does not name, wherever the schema calls something an object."""
    if not isinstance(value, dict) or schema.get("type") != "object":
        return value
    named: Record = schema.get("properties", {})
    return {name: _named(value[name], named[name]) for name in value if name in named}


@miniature("what-no-schema-names-is-not-there", breaks="REF-21", seen_in="SC-01/open-outputs")
def _(patch: Patch) -> None:
    """References find only those members of an output that its schema names, even if the schema permits others."""

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


@miniature("every-text-is-a-path", breaks="POL-10", also=("POL-02", "POL-03"), seen_in="SC-14/no-paths")
def _(patch: Patch) -> None:
    """Every text argument is judged as a path, whatever the argument is called."""
    patch.around(TEXTS, lambda original, *given: ((f"{at}/path", text) for at, text in original(*given)))


@miniature("aborted-at-its-limit-all-the-same", breaks="CALL-09", seen_in="SC-10/not-cancellable-late")
def _(patch: Patch) -> None:
    """A tool that cannot be aborted is told to stop when it runs out of time."""

    async def given_up(original: Any, run: Run, subject: Any, answer: Any, reason: str) -> Any:
        tool = changed(subject.step.tool, cancellable=subject.step.tool.cancellable or reason == "timeout")
        return await original(run, subject._replace(step=changed(subject.step, tool=tool)), answer, reason)

    patch.around(GIVEN_UP, given_up)


@miniature("what-was-never-built-stops-nothing", breaks="DEP-04", seen_in="SC-01/member")
def _(patch: Patch) -> None:
    """The failure of a step whose reference leads to nothing does not stop the run, although that of a call does."""

    async def performed(original: Any, run: Run, step: Any) -> Any:
        try:
            return await original(run, step)
        except Failure:
            step.on_error = "skip"
            raise

    patch.around(PERFORMED, performed)


@miniature("wordless-progress-recorded-as-it-is", breaks="EVT-02", seen_in="SC-09/talkative")
def _(patch: Patch) -> None:
    """If a tool reports progress without a message, the event has no message either."""

    def change(record: Record) -> None:
        if record["type"] == "step.progress" and "payload" not in record:
            del record["message"]

    patch.record("event", change)


@miniature("hash-in-the-order-of-characters", breaks="HASH-05", also=("HASH-06",), seen_in="SC-01/ordered")
def _(patch: Patch) -> None:
    """Members are hashed in the order of code points, and not of UTF-16 code units."""

    def canonical(original: Any, value: Any) -> str:
        if not isinstance(value, dict):
            return str(original(value))
        return "{" + ",".join(f"{original(name)}:{canonical(original, value[name])}" for name in sorted(value)) + "}"

    patch.around(CANONICAL, canonical)


@miniature("asks-before-it-looks-for-circles", breaks="VAL-15", seen_in="SC-02/dependency-cycle-unasked")
def _(patch: Patch) -> None:
    """A confirmation is requested before the executor finds that the plan's steps wait in a circle."""

    def done(original: Any, conversation: Any, method: str, params: Record) -> Any:
        try:
            return original(conversation, method, params)
        except Refused as refusal:
            asks = method == "run/start" and params["policy"].get("confirmationsRequired") is True
            if asks and any(fault.reason == "cycle" for fault in refusal.faults):
                event = {"type": "run.confirmationRequested", "level": "info", "message": "the plan waits for approval"}
                about = {"runId": "early", "timestamp": "2026-01-01T00:00:00Z", "payload": {"confirmationId": "early"}}
                conversation.tell("record", {"runId": "early", "kind": "event", "record": event | about})
            raise

    patch.around(DONE, done)


@miniature("six-digits-in-texts", breaks="REF-01", also=("LOG-06", "REF-21"), seen_in="SC-01/in-text")
def _(patch: Patch) -> None:
    """A number within a longer text has at most six digits."""

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        if not isinstance(template, str) or sole(template, bindings):
            return original(template, bindings, root)
        return original(template, bindings, lambda reference: _rounded(root(reference)))

    patch.around(RESOLVED, resolve)


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    return float(f"{value:.6g}") if isinstance(value, float) else value
