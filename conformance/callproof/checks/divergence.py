"""How a call's argument came to differ from what the plan makes of it: one reason for each difference.

Many laws of references and validation look at the same place in the arguments.
This module gives each difference the one reason that explains it best, so that one
mistake is reported under one requirement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from enum import Enum

from callproof.checks.check import Finding, Witness, excerpt, parting, witness
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.once import once_a_run
from callproof.trace.outputs import recorded_outputs
from callproof.trace.records import Record, Source
from callproof.trace.references import (
    Bindings,
    Reference,
    Scope,
    Unresolved,
    compact_text,
    integral_text,
    references_in,
    resolve,
    value_of,
)
from callproof.trace.run import Run
from callproof.trace.spellings import spells, standing
from callproof.values.canonical import form_of
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import equal, is_array, is_number, is_object

# A wrong element is often the first one, or one not far off: this many are tried on each side.
_NEAR = 10
# A template with this many parts is more than one reference: what it gives is text.
_LONGER = 2


class Reason(Enum):
    """Why an argument is not what its template asks for; the value is the requirement that it breaks."""

    LEFT_STANDING = "REF-10"
    EXPANDED_AGAIN = "REF-15"
    OTHER_NAMES = "REF-09"
    OTHER_TYPE = "REF-11"
    FALSY_LOST = "REF-18"
    OTHER_ITERATION = "LOOP-13"
    OTHER_INDEX = "REF-08"
    OTHER_ITEM = "REF-07"
    OTHER_ARRAY = "REF-20"
    OTHER_OUTPUT = "REF-01"
    OTHER_VARIABLE = "REF-05"
    NAME_RESOLVED = "REF-25"
    TEXT_CHANGED = "REF-16"
    RENAMED = "VAL-10"
    LITERAL_CHANGED = "VAL-04"


def sites(where: Callable[[Site], bool]) -> Callable[[Run], Iterable[tuple[Materialised, Site]]]:
    """The sites of all arguments for which ``where`` holds."""

    return lambda run: [(found, site) for found, site in _every_site(run) if where(site)]


def holds_no_reference(site: Site) -> bool:
    """Whether a site is literal, or an array or object that something else replaces, references included."""
    return not site.references or (site.differs and site.present and not isinstance(site.template, str))


@once_a_run
def _every_site(run: Run) -> tuple[tuple[Materialised, Site], ...]:
    return tuple([(each, site) for each in materialised(run) for site in each.sites])


def made_of(run: Run, found: Materialised, site: Site) -> tuple[Witness, ...]:
    """What proves a difference: the call, the plan with its template, and the results that its references lead to."""
    outputs = recorded_outputs(run)
    asked = dict.fromkeys((each.root, each.name) for each in site.references if each.root in {"steps", "vars"})
    sources = (outputs.of(name) if root == "steps" else outputs.variable(name) for root, name in asked)
    ends = dict.fromkeys(end.source for output in sources for end in output.ends[:1])
    known = _results(run)
    plan = (witness("P", run.run_record, f"the plan with its step {found.step.id}"),) if run.run_record else ()
    results = (witness(f"R{n}", known[each]) for n, each in enumerate(ends, 1) if each in known)
    return (witness("C", found.subject), *plan, *results)


@once_a_run
def _results(run: Run) -> Mapping[Source, Record]:
    return {each.source: each for each in run.results}


def divergence(run: Run, found: Materialised, site: Site, reason: Reason, permitted: str) -> Iterator[Finding]:
    """The finding that a site differs for this reason, if it does."""
    return iter(()) if _reasons(run).get(id(site)) is not reason else iter((diverging(run, found, site, permitted),))


def diverging(run: Run, found: Materialised, site: Site, permitted: str) -> Finding:
    """The finding that a site differs: what it held, what the plan says there, and what that resolves to."""
    held = f"held {excerpt(site.held)}" if site.present else "held nothing"
    return Finding(
        f"{found.name} {held} at /args{site.pointer}",
        permitted,
        made_of(run, found, site),
        because=(
            f"the plan says {excerpt(site.template)}",
            *(f"which resolves to {excerpt(each)}" for each in site.wanted[:1]),
            *(clause for each in site.wanted[:1] for clause in parting(site.held, each)),
            *((f"a hook changed what is at {excerpt(list(found.call.hooked))}",) if found.call.hooked else ()),
        ),
    )


@once_a_run
def _reasons(run: Run) -> Mapping[int, Reason]:
    """The reasons of all sites that differ, by the identity of the site."""
    reasons = ((site, _reason_of(run, found, site)) for found, site in _every_site(run))
    return {id(site): reason for site, reason in reasons if reason is not None}


def _reason_of(run: Run, found: Materialised, site: Site) -> Reason | None:
    """The one reason why a site differs; None if it does not differ, or if the reason cannot be told."""
    if _left_standing(site):
        return Reason.LEFT_STANDING
    if not site.differs:
        return None
    if not site.present:
        return _reason_of_absence(found, site)
    if is_in_another_form(site):
        return Reason.OTHER_TYPE
    for reason, made in ((Reason.EXPANDED_AGAIN, _expanded_again), (Reason.OTHER_NAMES, _under_default_names)):
        if made(run, site):
            return reason
    return _reason_of_reference(run, found, site) if site.references else _reason_of_literal(site)


def is_in_another_form(site: Site) -> bool:
    """Whether only the form of the values in a longer text differs: members reordered, or quoted texts (A62)."""
    if not isinstance(site.held, str) or len(site.parts) < _LONGER:
        return False
    texts = [part if isinstance(part, str) else (value_of(part, site.scope),) for part in site.parts]
    quoted = [write_json(each[0]) if isinstance(each, tuple) and isinstance(each[0], str) else each for each in texts]
    return any(spells(site.held, pieces, any_order=True) for pieces in (texts, quoted))


def is_its_text(site: Site) -> bool:
    """Whether the value of a sole reference is held as its text, in any spelling of numbers and order of members."""
    held, sole = site.held, site.sole is not None and bool(site.wanted)
    return sole and isinstance(held, str) and spells(held, [(site.wanted[0],)], any_order=True)


def _left_standing(site: Site) -> bool:
    held = site.held
    if not site.references or not isinstance(held, str) or not isinstance(site.template, str):
        return False
    if not site.wanted:
        return held == site.template
    wanted = [each if isinstance(each, str) else "" for each in site.wanted]
    return any(
        reference.text in held and all(reference.text not in each for each in wanted) for reference in site.references
    )


def _reason_of_absence(found: Materialised, site: Site) -> Reason:
    last = site.pointer.rpartition("/")[2]
    parent = site.pointer.rpartition("/")[0]
    siblings = [each for each in found.added if each.rpartition("/")[0] == parent]
    if any(_folded(each.rpartition("/")[2]) == _folded(last) for each in siblings):
        return Reason.RENAMED
    if siblings and is_named_like_a_reference(last, site):
        return Reason.NAME_RESOLVED
    if site.sole is not None and not any(_truthy(each) for each in site.wanted):
        return Reason.FALSY_LOST
    return Reason.LITERAL_CHANGED


def is_named_like_a_reference(pointer: str, site: Site) -> bool:
    """Whether a name on the way to a site would be a reference if it were a value (REF-25)."""
    return any(references_in(pointer.replace("~1", "/").replace("~0", "~"), site.scope.bindings))


def _reason_of_literal(site: Site) -> Reason:
    text = isinstance(site.template, str) and re.search(r"[${}]", site.template)
    return Reason.TEXT_CHANGED if text else Reason.LITERAL_CHANGED


def _reason_of_reference(run: Run, found: Materialised, site: Site) -> Reason:
    if site.sole is not None:
        wanted = site.wanted[0]
        if not _truthy(wanted) and site.held is None:
            return Reason.FALSY_LOST
        same = _same_type(site.held, wanted) or _is_another_value(site.held, wanted) or _is_swapped(run, found, site)
        return _reason_of_value(run, found, site, site.sole) if same else Reason.OTHER_TYPE
    if not isinstance(site.template, str):
        return Reason.LITERAL_CHANGED
    if not isinstance(site.held, str):
        return Reason.OTHER_TYPE
    culprit = _culprit(site, site.held)
    if culprit is None:
        return Reason.TEXT_CHANGED
    plain = culprit.root == "index" or isinstance(value_of(culprit, site.scope), str | int | float)
    plain = plain or (culprit.root == "item" and _of_another_iteration(run, found, site))
    return _reason_of_value(run, found, site, culprit) if plain else Reason.OTHER_TYPE


def _is_swapped(run: Run, found: Materialised, site: Site) -> bool:
    """Whether an item of another type belongs to another iteration, and is not its own turned into a flag or text."""
    wanted, held = site.wanted[0], site.held
    if site.sole is None or site.sole.root != "item" or _truthy(wanted) == _truthy(held):
        return False
    as_text = isinstance(held, str) and held.casefold() == excerpt(wanted)
    return not as_text and _of_another_iteration(run, found, site)


def _reason_of_value(run: Run, found: Materialised, site: Site, reference: Reference) -> Reason:
    if reference.root == "index":
        return Reason.OTHER_INDEX
    if reference.root == "item":
        return Reason.OTHER_ITERATION if _of_another_iteration(run, found, site) else Reason.OTHER_ITEM
    if reference.root == "vars":
        return Reason.OTHER_VARIABLE
    step = run.step(reference.name)
    return Reason.OTHER_ARRAY if step is not None and step.foreach is not None else Reason.OTHER_OUTPUT


def _of_another_iteration(run: Run, found: Materialised, site: Site) -> bool:
    """Whether the value is what the same template gives in another iteration of the same loop."""
    own = site.scope.index
    twins = _twins(run)[found.step.index, site.pointer]
    if twins.indices_of.get(form_of(site.held), frozenset()) - {own}:
        return True
    if not {"item", "index"} <= {each.root for each in site.references}:
        return False  # without the index, another iteration gives only the values that were looked up above
    at = bisect_left(twins.indices, own)
    near = range(max(_NEAR, at) - _NEAR, min(len(twins.indices), at + _NEAR))
    others = (twins.scopes[each] for each in (0, *near) if twins.indices[each] != own)
    return any(_gives(site, replace(other, index=own)) for other in others)


@dataclass(frozen=True, slots=True)
class _Twins:
    """One template in all iterations of a loop, in their order, and for each value the iterations that it came from."""

    indices: list[int]
    scopes: list[Scope]
    indices_of: Mapping[bytes, Set[int]]


@once_a_run
def _twins(run: Run) -> Mapping[tuple[int, str], _Twins]:
    """The twins of each template, by the step and the place in its args."""
    groups: dict[tuple[int, str], list[tuple[int, Site]]] = {}
    for found, site in _every_site(run):
        if any(each.root == "item" for each in site.references):
            index = found.call.iteration_index
            groups.setdefault((found.step.index, site.pointer), []).append((-1 if index is None else index, site))
    return {key: _in_order(sites) for key, sites in groups.items()}


def _in_order(sites: list[tuple[int, Site]]) -> _Twins:
    ordered = sorted(sites, key=lambda each: each[0])
    values: dict[bytes, set[int]] = {}
    for index, site in ordered:
        for each in site.wanted:
            values.setdefault(form_of(each), set()).add(index)
    return _Twins([index for index, _ in ordered], [site.scope for _, site in ordered], values)


def _gives(site: Site, scope: Scope) -> bool:
    """Whether the template of a site gives in a scope what the site holds, in any spelling of the numbers."""
    try:
        return any(equal(site.held, resolve(site.template, scope, text)) for text in (compact_text, integral_text))
    except Unresolved:
        return False


def _culprit(site: Site, held: str) -> Reference | None:
    """The first reference whose text is not where it belongs; None if literal text was changed."""
    if not _literals_stand(site, held):
        return None
    pieces = [part if isinstance(part, str) else (value_of(part, site.scope),) for part in site.parts]
    reached = site.parts[: standing(held, pieces, any_order=True) + 1]
    return next((part for part in reversed(reached) if isinstance(part, Reference)), None)


def _literals_stand(site: Site, held: str) -> bool:
    """Whether the literal parts of a template stand in a text, each after the one before."""
    if not site.parts:
        return not held
    position = 0
    for number, part in enumerate(site.parts):
        if isinstance(part, Reference):
            continue
        at = held.find(part, position) if number else 0
        if at < 0 or not held.startswith(part, at):
            return False
        position = at + len(part)
    last = site.parts[-1]
    return isinstance(last, Reference) or held.endswith(last)


def _expanded_again(run: Run, site: Site) -> bool:
    """Whether references inside the values were resolved too (REF-15)."""
    outputs = recorded_outputs(run)
    everything = replace(
        outputs.everything(), bindings=site.scope.bindings, item=site.scope.item, index=site.scope.index
    )
    try:
        return any(equal(site.held, resolve(each, everything)) for each in site.wanted)
    except Unresolved:
        return False


def _under_default_names(_run: Run, site: Site) -> bool:
    """Whether ``item`` and ``index`` were taken for bindings in a loop that names its own bindings (REF-09)."""
    if not isinstance(site.template, str) or site.scope.bindings is None:
        return False
    usual = replace(site.scope, bindings=Bindings("item", "index"))
    try:
        made = [(resolve(part, usual) if isinstance(part, str) else value_of(part, site.scope),) for part in site.parts]
    except Unresolved:
        return False
    if len(made) == 1:
        return equal(site.held, made[0][0])
    return isinstance(site.held, str) and spells(site.held, made, any_order=True)


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _truthy(value: Json) -> bool:
    return not (value is None or value is False or value in ("", 0) or (is_array(value) and not value))


def _same_type(left: Json, right: Json) -> bool:
    kinds: tuple[Callable[[object], bool], ...] = (is_number, is_object, is_array)
    if any(isinstance(each, bool) or each is None or isinstance(each, str) for each in (left, right)):
        return type(left) is type(right)
    return any(kind(left) and kind(right) for kind in kinds)


def _is_another_value(held: Json, wanted: Json) -> bool:
    """Whether a value of another type is no form of the wanted one: an object or array that does not just wrap it."""
    for one, other in ((held, wanted), (wanted, held)):
        if is_array(one) and len(one) == 1 and equal(one[0], other):
            return False
    return is_object(held) or is_array(held) or (is_number(held) and (is_object(wanted) or is_array(wanted)))
