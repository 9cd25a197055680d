"""Whether an argument of an iteration was made from the item of another iteration of the same loop (LOOP-13)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from callproof.checks.forms import culprit, is_in_another_form, is_perhaps_its_own
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.once import once_a_run
from callproof.trace.references import Scope, Unresolved, compact_text, integral_text, resolve
from callproof.trace.run import Run
from callproof.values.canonical import form_of
from callproof.values.jsonvalue import equal

# A wrong element is often the first one, the last one, or one not far off: this many are tried on each side.
_NEAR = 10


def is_swapped(run: Run, found: Materialised, site: Site) -> bool:
    """
    Whether a site has the item of another iteration, and not its own one in another form.

    A value may be both: false is another item, and a system may make it of 0.  The other arguments of the loop decide.
    """
    if not is_of_another_iteration(run, found, site):
        return False
    return not is_perhaps_its_own(site) or found.step.index in _mixed_up(run)


@once_a_run
def _mixed_up(run: Run) -> frozenset[int]:
    """
    The indices of the steps whose iterations certainly got each other's items.

    Each argument that lacks its item has that of another iteration, and one of them can be nothing else.
    """
    swapped: set[int] = set()
    otherwise: set[int] = set()
    for found, site in _sites_of_items(run):
        if not _lacks_its_item(site):
            continue
        if not is_of_another_iteration(run, found, site):
            otherwise.add(found.step.index)
        elif not is_perhaps_its_own(site):
            swapped.add(found.step.index)
    return frozenset(swapped - otherwise)


def _sites_of_items(run: Run) -> Iterator[tuple[Materialised, Site]]:
    for found in materialised(run):
        yield from ((found, site) for site in found.sites if _asks_for_an_item(site))


def _asks_for_an_item(site: Site) -> bool:
    return any(each.root == "item" for each in site.references)


def _lacks_its_item(site: Site) -> bool:
    if not site.differs or not site.present or is_in_another_form(site):
        return False
    if site.sole is not None:
        return True
    missing = culprit(site, site.held) if isinstance(site.held, str) else None
    return missing is not None and missing.root == "item"


def is_of_another_iteration(run: Run, found: Materialised, site: Site) -> bool:
    """Whether the value is what the same template gives in another iteration of the same loop."""
    if not _asks_for_an_item(site):
        return False
    own = site.scope.index
    twins = _twins(run)[found.step.index, site.pointer]
    if twins.indices_of.get(form_of(site.held), frozenset()) - {own}:
        return True
    if not {"item", "index"} <= {each.root for each in site.references}:
        return False  # without the index, another iteration gives only the values that were looked up above
    at = bisect_left(twins.indices, own)
    near = range(max(_NEAR, at) - _NEAR, min(len(twins.indices), at + _NEAR))
    others = (twins.scopes[each] for each in (0, *near, len(twins.indices) - 1) if twins.indices[each] != own)
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
    for found, site in _sites_of_items(run):
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
