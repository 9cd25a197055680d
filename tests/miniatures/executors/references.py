"""REF: references that become something else than what they refer to."""

from __future__ import annotations

from typing import Any

from callproof_reference.values import Failure

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    PARTS,
    PERFORMED,
    PLAN_FAULTS,
    RESOLVE,
    ROOT_VALUE,
    VALUE,
    Patch,
    changed,
)


@miniature("absent-field-reads-as-null", breaks="REF-04")
def _(patch: Patch) -> None:
    """A reference to a member that an object does not have becomes null."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        try:
            return original(reference, root)
        except Failure:
            before = reference._replace(path=reference.path[:-1])
            if reference.path and isinstance(reference.path[-1], str) and isinstance(original(before, root), dict):
                return None
            raise

    patch.around(VALUE, value)


@miniature("unknown-names-are-found-out-late", breaks="REF-03")
def _(patch: Patch) -> None:
    """A plan that refers to something that it does not have is started."""
    _overlook(patch, "unknown_variable", "unknown_field")


@miniature("numbers-become-text", breaks="REF-11", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """A string that is one whole reference becomes the text of its value instead of the value."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        found = original(reference, root)
        return str(found) if isinstance(found, float) else found

    patch.around(VALUE, value)


@miniature("arrays-in-arrays-stay-templates", breaks="REF-10", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """References inside an array inside an array are left as they are."""

    def args(original: Any, run: Any, subject: Any) -> Any:
        return _with_raw_inner_arrays(subject.step.args, original(run, subject))

    patch.around(ARGS, args)


@miniature("data-expanded-again", breaks="REF-15", also=("LOG-06", "LOOP-03", "LOOP-07", "REF-10", "REF-21"))
def _(patch: Patch) -> None:
    """Text that came through a reference is searched for references once more."""

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        try:
            return original(original(template, bindings, root), bindings, root)
        except Failure:
            return original(template, bindings, root)

    patch.around(RESOLVE, resolve)


@miniature("falsy-values-count-as-missing", breaks="REF-18")
def _(patch: Patch) -> None:
    """A reference to false, 0, "" or null is taken for a reference to nothing."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        found = original(reference, root)
        if not found and not isinstance(found, list | dict) and reference.root != "index":
            raise Failure("VALIDATION_ERROR", f"{reference.text}: nothing is there", "missing_reference")
        return found

    patch.around(VALUE, value)


@miniature("index-counts-from-one", breaks="REF-08", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """The index in the arguments of an iteration begins at 1."""

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        found = original(run, reference, iteration)
        return found + 1 if reference.root == "index" else found

    patch.around(ROOT_VALUE, root_value)


@miniature("member-names-are-resolved-too", breaks="REF-25", also=("LOG-06", "REF-01", "REF-15", "REF-21"))
def _(patch: Patch) -> None:
    """References in the names of members are replaced like those in values."""

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        found = original(template, bindings, root)
        return _renamed(found, lambda name: original(name, bindings, root))

    patch.around(RESOLVE, resolve)


@miniature("escapes-lose-both-signs", breaks="REF-16", also=("LOG-06", "REF-21"))
def _(patch: Patch) -> None:
    """Empty braces in a text are removed."""

    def parts(original: Any, text: str, bindings: Any) -> Any:
        for part in original(text, bindings):
            yield part.replace("{}", "") if isinstance(part, str) else part

    patch.around(PARTS, parts)


@miniature("dependents-of-a-failure-read-nothing", breaks="REF-02", also=("DEP-02",))
def _(patch: Patch) -> None:
    """A step whose source failed is dispatched with an empty object instead of the source's data."""

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        try:
            return original(run, reference, iteration)
        except Failure:
            return {}

    async def performed(original: Any, run: Any, step: Any) -> Any:
        for name in step.needs:
            await run.outcomes[name]
        return await original(run, changed(step, needs=()))

    patch.around(ROOT_VALUE, root_value)
    patch.around(PERFORMED, performed)


@miniature("a-lone-object-is-an-array-of-one", breaks="REF-26")
def _(patch: Patch) -> None:
    """A foreach over something that is not an array runs once."""

    def resolve(original: Any, template: Any, bindings: Any, root: Any) -> Any:
        found = original(template, bindings, root)
        return found if isinstance(found, list) or not isinstance(template, str) else [found]

    patch.around(RESOLVE, resolve)


@miniature("whole-result-in-place-of-its-data", breaks="REF-01", also=("LOG-06", "REF-05", "REF-19"))
def _(patch: Patch) -> None:
    """A reference to a step gives an envelope around its data."""

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        found = original(run, reference, iteration)
        if reference.root in ("steps", "vars") and isinstance(found, dict):
            return {"status": "ok", "ok": True, "data": found, **found}
        return found

    patch.around(ROOT_VALUE, root_value)


@miniature("reference-in-a-longer-text-cut-short", breaks="REF-21")
def _(patch: Patch) -> None:
    """Every index in a reference counts as 0."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        path = tuple(0 if isinstance(segment, int) else segment for segment in reference.path)
        return original(reference._replace(path=path), root)

    patch.around(VALUE, value)


@miniature("text-has-a-length", breaks="REF-17")
def _(patch: Patch) -> None:
    """A reference can read the length of a text like a member."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        if reference.path[-1:] == ("length",):
            inner = original(reference._replace(path=reference.path[:-1]), root)
            return len(inner) if isinstance(inner, str) else original(reference, root)
        return original(reference, root)

    patch.around(VALUE, value)


@miniature("what-is-missing-is-shown-with-the-rest", breaks="REF-24")
def _(patch: Patch) -> None:
    """The failure of a reference shows the data in which it found nothing."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        try:
            return original(reference, root)
        except Failure:
            raise Failure(
                "VALIDATION_ERROR", f"{reference.text}: nothing is there in {root(reference)}", "missing_reference"
            ) from None

    patch.around(VALUE, value)


@miniature("what-is-missing-is-not-named", breaks="REF-24")
def _(patch: Patch) -> None:
    """The failure of a reference says that there is nothing, and not which reference it was."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        try:
            return original(reference, root)
        except Failure:
            raise Failure("VALIDATION_ERROR", "a reference leads to nothing", "missing_reference") from None

    patch.around(VALUE, value)


def _overlook(patch: Patch, *reasons: str) -> None:
    def plan_faults(original: Any, *given: Any) -> Any:
        return [fault for fault in original(*given) if fault.reason not in reasons]

    patch.around(PLAN_FAULTS, plan_faults)


def _with_raw_inner_arrays(template: Any, resolved: Any, depth: int = 0) -> Any:
    if isinstance(template, list):
        if depth:
            return template
        return [_with_raw_inner_arrays(one, other, depth + 1) for one, other in zip(template, resolved)]
    if isinstance(template, dict):
        return {name: _with_raw_inner_arrays(one, resolved[name], depth) for name, one in template.items()}
    return resolved


def _renamed(value: Any, rename: Any) -> Any:
    if isinstance(value, dict):
        return {str(rename(name)): _renamed(member, rename) for name, member in value.items()}
    return [_renamed(element, rename) for element in value] if isinstance(value, list) else value


@miniature("past-the-end-is-a-bug", breaks="REF-04", also=("RES-02",), seen_in="SC-01/past-the-end")
def _(patch: Patch) -> None:
    """A reference past the end of an array breaks the executor, and its step fails for that reason."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        try:
            return original(reference, root)
        except Failure:
            before = reference._replace(path=reference.path[:-1])
            if isinstance(reference.path[-1], int) and isinstance(original(before, root), list):
                raise IndexError from None
            raise

    patch.around(VALUE, value)


@miniature("numbers-and-names-are-one", breaks="REF-17", also=("REF-04",), seen_in="SC-01")
def _(patch: Patch) -> None:
    """What is in brackets is looked up in objects and arrays alike, as some languages do."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        try:
            return original(reference, root)
        except Failure:
            other = (
                str(each) if isinstance(each, int) else int(each) for each in reference.path if str(each).isdigit()
            )
            path = tuple(next(other) if str(each).isdigit() else each for each in reference.path)
            return original(reference._replace(path=path), root)

    patch.around(VALUE, value)


@miniature("a-source-of-text-is-no-loop", breaks="REF-26", seen_in="SC-02/no-source")
def _(patch: Patch) -> None:
    """A foreach whose source is not a reference is ignored, and its step runs once."""

    def faults(original: Any, plan: Any, *given: Any) -> Any:
        return [each for each in original(plan, *given) if each.reason != "foreach_source"]

    patch.around(PLAN_FAULTS, faults)
