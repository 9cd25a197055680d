"""CALL, REF: faults with previews, and with variables that are exposed or read too early."""

from __future__ import annotations

from typing import Any

from miniatures.miniature import miniature
from miniatures.points import PERFORMED, PREVIEW, RECORD_EVENT, STEP, VALUE, Patch, Record, changed


@miniature("previews-shown-as-written", breaks="CALL-14")
def _(patch: Patch) -> None:
    """A preview is shown with references that are not resolved."""
    patch.around(PREVIEW, lambda original, run, subject: subject.step.preview)


@miniature("preview-of-the-first-item", breaks="CALL-14")
def _(patch: Patch) -> None:
    """Every iteration of a loop shows the preview of its first one."""
    first: dict[tuple[str, str], Any] = {}

    def preview(original: Any, run: Any, subject: Any) -> Any:
        return first.setdefault((run.id, subject.step.id), original(run, subject))

    patch.around(PREVIEW, preview)


@miniature("events-tell-every-variable", breaks="REF-15")
def _(patch: Patch) -> None:
    """An event about a step carries all variables of the run, for debugging."""
    known: dict[int, Any] = {}

    async def performed(original: Any, run: Any, step: Any) -> Any:
        known[id(run.records)] = run
        return await original(run, step)

    def event(original: Any, records: Any, kind: str, message: str, *about: Any, **more: Any) -> None:
        run = known.get(id(records))
        if run is not None and kind == "step.scheduled":
            captured = {name: run.outcomes[step] for name, step in run.plan.captures.items()}
            told = {name: each.value.data for name, each in captured.items() if each.kept}
            more["payload"] = {"variables": told}
        original(records, kind, message, *about, **more)

    patch.around(PERFORMED, performed)
    patch.around(RECORD_EVENT, event)


@miniature(
    "variables-read-before-they-are-set",
    breaks="REF-06",
    also=("LOG-06", "REF-05", "REF-11", "REF-21"),
    seen_in="SC-08",
)
def _(patch: Patch) -> None:
    """A step does not wait for variables; a variable that is not set yet, or never, reads as null."""

    def step(original: Any, source: Record, links: Any) -> Any:
        from callproof_reference.plan import references

        found = original(source, links)
        read = [reference for _, reference in references(source.get("args"), {})]
        by_root = {root: {links.origin(each) for each in read if each.root == root} for root in ("steps", "vars")}
        passed_over = by_root["vars"] - by_root["steps"]
        return changed(found, needs=tuple(each for each in found.needs if each not in passed_over))

    def value(original: Any, reference: Any, root: Any) -> Any:
        from callproof_reference.values import Failure

        try:
            return original(reference, root)
        except Failure:
            if reference.root == "vars":
                return None
            raise

    patch.around(STEP, step)
    patch.around(VALUE, value)
