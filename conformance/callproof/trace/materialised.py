"""Arguments laid beside the templates that they were made from, place by place.

A *site* is one leaf of a step's argument template: a string, with or without
references, or a literal.  It holds what the plan and the outputs make of it and what
the call holds there.  The checks decide whether a difference breaks a law, and which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from callproof.trace.lazy import Lazy
from callproof.trace.once import once_a_run
from callproof.trace.outputs import Fate, Outputs, answered_outputs, recorded_outputs
from callproof.trace.plan import Step
from callproof.trace.plangraph import redacted_args
from callproof.trace.records import Record
from callproof.trace.references import (
    Part,
    Reference,
    Scope,
    Unresolved,
    compact_text,
    integral_text,
    may_refer,
    parse,
    put_together,
    references_in,
    resolve,
    value_of,
)
from callproof.trace.run import Run
from callproof.trace.spellings import spells
from callproof.trace.witnesses import Deed
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, escape_token, is_array, is_object


@dataclass(frozen=True)
class Site:
    """
    One leaf of a template and what the call holds at that place.

    ``wanted`` are the values that may stand there: several if a number has several spellings;
    none if a reference leads to nothing or its source is unknown.  ``fate`` is the worst
    among the sources.  ``held`` is what the call holds, and ``present`` whether it holds anything.
    """

    pointer: str
    template: Json
    parts: tuple[Part, ...]
    references: tuple[Reference, ...]
    scope: Scope
    wanted: tuple[Json, ...]
    fate: Fate
    unresolved: Unresolved | None
    held: Json
    present: bool

    @Lazy
    def sole(self) -> Reference | None:
        """The reference, if the template consists of one reference and nothing else."""
        only = self.parts[0] if len(self.parts) == 1 else None
        return only if isinstance(only, Reference) else None

    @property
    def lacking(self) -> bool:
        """Whether the call has nothing where the plan has something whose value is unknown."""
        return not self.present and self.fate is Fate.UNKNOWN

    @Lazy
    def differs(self) -> bool:
        """Whether the call certainly holds something other than what the plan makes of it."""
        if not self.wanted:
            return False
        if not self.present:
            return True
        for each in self.wanted:  # noqa: SIM110  a generator for `any` takes twice as long over two values
            if equal(self.held, each):
                return False
        return True


@dataclass(frozen=True, slots=True)
class Materialised:
    """
    One call's arguments, as recorded or as they reached the tool, with their sites.

    ``added`` are the pointers of members that the plan's template does not have.
    """

    subject: Record | Deed
    call: Record
    step: Step
    args: Mapping[str, Json]
    sites: tuple[Site, ...]
    added: tuple[str, ...]

    @property
    def name(self) -> str:
        """How a finding calls it."""
        if isinstance(self.subject, Deed):
            return f"the tool, for call {self.call.call_id},"
        return f"call {self.call.call_id}"


@dataclass(frozen=True, slots=True)
class _View:
    """What the suite resolves the templates of one call from."""

    outputs: Outputs
    step: Step
    scope: Scope
    knows_item: bool
    knows_index: bool
    # A log may have the members of its data in another order than the tool gave them (B-01).
    any_order: bool


@once_a_run
def materialised(run: Run) -> tuple[Materialised, ...]:
    """The arguments of every call record of a known step, and of every deed of a recorded call."""
    found: list[Materialised] = []
    for attempt in run.attempts:
        call = attempt.call
        step = run.step(call.step_id)
        if step is None or call.hooked is None:
            continue
        unplanned = redacted_args(run, step)
        view = _view(recorded_outputs(run), call, step, any_order=True)
        found.extend(_laid_out(view, call, call, call.object("args"), unplanned))
        if attempt.deeds:
            view = _view(answered_outputs(run), call, step, any_order=False)
            for deed in attempt.deeds:
                found.extend(_laid_out(view, call, deed, deed.args, unplanned))
    return tuple(found)


def _view(outputs: Outputs, call: Record, step: Step, *, any_order: bool) -> _View:
    known, _ = outputs.args_of(step)
    item, index = _item(outputs, step, call), call.iteration_index
    scope = Scope(known.steps, known.variables, step.bindings, item[0] if item is not None else None, index or 0)
    return _View(outputs, step, scope, item is not None, index is not None, any_order)


def _item(outputs: Outputs, step: Step, call: Record) -> tuple[Json] | None:
    """The element of this call's iteration according to the source, not to what the call says of itself (LOOP-03)."""
    if step.foreach is None:
        return None
    source = outputs.source_of(step)
    index = call.iteration_index
    if source.fate is not Fate.OK or not is_array(source.value) or index is None or not 0 <= index < len(source.value):
        return None
    return (source.value[index],)


def _laid_out(
    view: _View, call: Record, subject: Record | Deed, args: Json, unplanned: tuple[str, ...]
) -> Iterator[Materialised]:
    """The args beside their templates, except what a hook changed and what is redacted in the call or the plan."""
    if not is_object(args):
        return
    hooked = (*unplanned, *(f"/args{each}" for each in call.hooked or ()))
    marks = call.redacted + hooked
    sites = tuple(
        [
            _site(view, pointer, template, held)
            for pointer, template, held in _walk(view.step.args, args, "")
            if not marks or not _touched(pointer, marks)
        ]
    )
    added = tuple(
        each
        for each in _added(view.step.args, args)
        if not _touched(each, hooked) and not _stands_in(each, call.redacted)
    )
    yield Materialised(subject, call, view.step, args, sites, added)


def _touched(place: str, marks: Iterable[str]) -> bool:
    """Whether a place in the args lies under a mark, or a mark under it; a branch whose shapes differ is one place."""
    pointer = f"/args{place}"
    return any(pointer == mark or pointer.startswith(f"{mark}/") or mark.startswith(f"{pointer}/") for mark in marks)


def _stands_in(place: str, marks: Iterable[str]) -> bool:
    """Whether a place in the args lies inside the replacement of a secret (A42)."""
    return any(f"/args{place}".startswith(f"{mark}/") for mark in marks)


def _walk(template: Json, held: Json, pointer: str) -> Iterator[tuple[str, Json, tuple[Json] | None]]:
    """The leaves of a template with what is held at their place; a whole branch where the two differ in shape."""
    if is_object(template) and is_object(held):
        for name, inner in template.items():
            below = f"{pointer}/{escape_token(name)}"
            if name not in held:
                yield below, inner, None
            elif is_object(inner) or is_array(inner):
                yield from _walk(inner, held[name], below)
            else:
                yield below, inner, (held[name],)
    elif is_array(template) and is_array(held) and len(template) == len(held):
        for index, (inner, its) in enumerate(zip(template, held)):
            yield from _walk(inner, its, f"{pointer}/{index}")
    else:
        yield pointer, template, (held,)


def _added(template: Json, held: Json, pointer: str = "") -> Iterator[str]:
    if is_object(template) and is_object(held):
        yield from (f"{pointer}/{escape_token(name)}" for name in held if name not in template)
        for name, inner in template.items():
            if name in held and (is_object(inner) or is_array(inner)):
                yield from _added(inner, held[name], f"{pointer}/{escape_token(name)}")
    elif is_array(template) and is_array(held) and len(template) == len(held):
        for index, (inner, its) in enumerate(zip(template, held)):
            yield from _added(inner, its, f"{pointer}/{index}")


def _site(view: _View, pointer: str, template: Json, held: tuple[Json] | None) -> Site:
    if not (may_refer(template) if isinstance(template, str) else is_object(template) or is_array(template)):
        return _literal(view, pointer, template, held)
    parts = parse(template, view.scope.bindings) if isinstance(template, str) else ()
    found = parts if isinstance(template, str) else references_in(template, view.scope.bindings)
    references = tuple([each for each in found if isinstance(each, Reference)])
    fate = _fate(view, references)
    wanted, unresolved = _wanted(template, parts, view.scope) if fate is Fate.OK else ((), None)
    if wanted and held is not None and isinstance(held[0], str) and len(parts) > 1 and held[0] not in wanted:
        pieces = (part if isinstance(part, str) else (value_of(part, view.scope),) for part in parts)
        wanted += (held[0],) if spells(held[0], pieces, any_order=view.any_order) else ()
    return Site(
        pointer=pointer,
        template=template,
        parts=parts,
        references=references,
        scope=view.scope,
        wanted=wanted,
        fate=fate,
        unresolved=unresolved,
        held=held[0] if held is not None else None,
        present=held is not None,
    )


def _fate(view: _View, references: tuple[Reference, ...]) -> Fate:
    roots = {each.root for each in references}
    if ("item" in roots and not view.knows_item) or ("index" in roots and not view.knows_index):
        return Fate.UNKNOWN
    return view.outputs.fate_of(references)


def _literal(view: _View, pointer: str, template: Json, held: tuple[Json] | None) -> Site:
    """The site of a text or another scalar without references, which stays as it is; most sites are such."""
    return Site(
        pointer=pointer,
        template=template,
        parts=(template,) if isinstance(template, str) and template else (),
        references=(),
        scope=view.scope,
        wanted=(template, template),
        fate=Fate.OK,
        unresolved=None,
        held=held[0] if held is not None else None,
        present=held is not None,
    )


def _wanted(template: Json, parts: tuple[Part, ...], scope: Scope) -> tuple[tuple[Json, ...], Unresolved | None]:
    try:
        if isinstance(template, str):
            return (put_together(parts, scope, compact_text), put_together(parts, scope, integral_text)), None
        return (resolve(template, scope, compact_text), resolve(template, scope, integral_text)), None
    except Unresolved as unresolved:
        return (), unresolved
