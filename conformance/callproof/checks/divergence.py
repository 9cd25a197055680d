"""How a call's argument came to differ from what the plan makes of it: one reason for each difference.

Many laws of references and validation look at the same place in the arguments.
This module gives each difference the one reason that explains it best, so that one
mistake is reported under one requirement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import Enum

from callproof.checks.check import Finding, Witness, excerpt, parting, witness
from callproof.checks.forms import (
    culprit,
    is_another_value,
    is_in_another_form,
    is_same_type,
    is_truthy,
)
from callproof.checks.swaps import is_of_another_iteration, is_swapped
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.once import once_a_run
from callproof.trace.outputs import recorded_outputs
from callproof.trace.records import Record, Source
from callproof.trace.references import (
    Bindings,
    Reference,
    Unresolved,
    references_in,
    resolve,
    value_of,
)
from callproof.trace.run import Run
from callproof.trace.spellings import spells
from callproof.values.jsontext import write_json
from callproof.values.jsonvalue import equal

# What a system may put around a sole reference that it does not resolve.
_QUOTES = " \"'"
_AROUND = "{}" + _QUOTES


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


def is_left_standing(run: Run, site: Site) -> bool:
    """Whether a site differs because a reference was not resolved there (REF-10)."""
    return _reasons(run).get(id(site)) is Reason.LEFT_STANDING


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
    if _left_standing(run, found, site):
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
    of_reference = site.references and isinstance(site.template, str)
    return _reason_of_reference(run, found, site) if of_reference else _reason_of_literal(site)


def _left_standing(run: Run, found: Materialised, site: Site) -> bool:
    """Whether a reference stands in the argument as the plan has it, and not as a part of data that looks like it."""
    held = site.held
    if not site.references or not isinstance(held, str) or not isinstance(site.template, str):
        return False
    if not site.wanted:
        return held == site.template
    return site.differs and _holds_a_reference(site, held) and not is_of_another_iteration(run, found, site)


def _holds_a_reference(site: Site, held: str) -> bool:
    if held == site.template:
        return True
    if site.sole is not None:
        # A name without its braces is a word like others; a reference that begins with $ is known without them too.
        around = _AROUND if site.sole.root in {"steps", "vars"} else _QUOTES
        return held.strip(around) == site.sole.text.strip(around)
    return any(each.text in held and not _is_data(each.text, site) for each in site.references)


def _is_data(text: str, site: Site) -> bool:
    """Whether a text occurs in what the template asks for, as itself or as JSON text has it."""
    return any(each in str(wanted) for wanted in site.wanted for each in (text, write_json(text)[1:-1]))


def _reason_of_absence(found: Materialised, site: Site) -> Reason:
    last = site.pointer.rpartition("/")[2]
    parent = site.pointer.rpartition("/")[0]
    siblings = [each for each in found.added if each.rpartition("/")[0] == parent]
    if any(_folded(each.rpartition("/")[2]) == _folded(last) for each in siblings):
        return Reason.RENAMED
    if siblings and is_named_like_a_reference(last, site):
        return Reason.NAME_RESOLVED
    if site.sole is not None and not any(is_truthy(each) for each in site.wanted):
        return Reason.FALSY_LOST
    return Reason.LITERAL_CHANGED


def is_named_like_a_reference(pointer: str, site: Site) -> bool:
    """Whether a name on the way to a site would be a reference if it were a value (REF-25)."""
    return any(references_in(pointer.replace("~1", "/").replace("~0", "~"), site.scope.bindings))


def _reason_of_literal(site: Site) -> Reason:
    text = isinstance(site.template, str) and re.search(r"[${}]", site.template)
    return Reason.TEXT_CHANGED if text else Reason.LITERAL_CHANGED


def _reason_of_reference(run: Run, found: Materialised, site: Site) -> Reason:
    if site.sole is None and not isinstance(site.held, str):
        return Reason.OTHER_TYPE
    missing = site.sole or culprit(site, str(site.held))
    if missing is None:
        return Reason.TEXT_CHANGED
    if missing.root == "item" and is_swapped(run, found, site):
        return Reason.OTHER_ITERATION
    if site.sole is not None and not is_truthy(site.wanted[0]) and site.held is None:
        return Reason.FALSY_LOST
    if missing.root == "item" and is_of_another_iteration(run, found, site):
        return Reason.OTHER_TYPE  # it may also be the right item in another form, and nothing tells the two apart
    return _reason_of_value(run, missing) if _is_another_value(site, missing) else Reason.OTHER_TYPE


def _is_another_value(site: Site, missing: Reference) -> bool:
    """Whether a site has a value that is no form of the one that is missing from it."""
    if site.sole is not None:
        return is_same_type(site.held, site.wanted[0]) or is_another_value(site.held, site.wanted[0])
    return missing.root == "index" or isinstance(value_of(missing, site.scope), str | int | float)


def _reason_of_value(run: Run, missing: Reference) -> Reason:
    if missing.root != "steps":
        return {"index": Reason.OTHER_INDEX, "item": Reason.OTHER_ITEM, "vars": Reason.OTHER_VARIABLE}[missing.root]
    step = run.step(missing.name)
    return Reason.OTHER_ARRAY if step is not None and step.foreach is not None else Reason.OTHER_OUTPUT


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
