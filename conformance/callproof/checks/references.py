"""Checks for the requirements in ``spec/references.md`` that compare arguments with their templates.

Each difference between a call's arguments and what the plan makes of them has one reason
(``divergence``); this module has the law that each reason breaks.  Laws about when a step with
references may run at all are in ``references_of_steps``.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.divergence import Reason, divergence, is_named_like_a_reference, sites
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.references import may_refer
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed
from callproof.values.declaring import declares
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_object, value_at

# What an executor may add to the arguments without being asked (A47), and the policy's defaults (A48).
OWN_WORDS = frozenset({"requestId", "note"})
_FROM_POLICY = frozenset({"ifNotExists", "collisionStrategy"})


def _asks(site: Site, *roots: str) -> bool:
    return bool(site.references) and any(each.root in roots for each in site.references)


def _may_expand(site: Site) -> bool:
    """Whether the template holds references, or escapes that a second pass would take for references."""
    return isinstance(site.template, str) and may_refer(site.template)


def _of_loops(site: Site) -> bool:
    return site.scope.bindings is not None


@check("REF-01", each=sites(lambda site: _asks(site, "steps")), needs=("plan",))
def a_step_reference_is_the_data_of_its_step(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A $steps reference gives the data of the step's result, and nothing around it."""
    return divergence(run, *subject, Reason.OTHER_OUTPUT, "the data of the step's result, or the part asked for")


@check("REF-05", each=sites(lambda site: _asks(site, "vars")), needs=("plan",))
def a_variable_is_the_output_that_it_captured(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A $vars reference gives the output of the step that captured it."""
    return divergence(run, *subject, Reason.OTHER_VARIABLE, "the output of the step that captures the variable")


@check("REF-07", each=sites(lambda site: _asks(site, "item")), needs=("plan",))
def an_item_reference_is_the_item_of_its_iteration(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A binding gives the field of this iteration's item."""
    return divergence(run, *subject, Reason.OTHER_ITEM, "the item of this iteration, or the field asked for")


@check("REF-08", each=sites(lambda site: _asks(site, "index")), needs=("plan",))
def the_index_is_counted_from_zero(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """The index binding gives the 0-based index of this iteration."""
    return divergence(run, *subject, Reason.OTHER_INDEX, "the 0-based index of this iteration")


@check("REF-09", each=sites(_of_loops), needs=("plan",))
def bindings_have_the_names_that_the_plan_gives_them(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Bindings are known by itemName and indexName, and by no other name."""
    return divergence(run, *subject, Reason.OTHER_NAMES, "only the names in foreach.itemName and foreach.indexName")


@check("REF-10", each=sites(lambda site: bool(site.references)), needs=("plan",))
def no_reference_is_left_standing(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """No reference of the plan stands unresolved in args."""
    return divergence(run, *subject, Reason.LEFT_STANDING, "the value that the reference leads to")


@check("REF-11", each=sites(lambda site: bool(site.references)), needs=("plan",))
def a_sole_reference_keeps_its_type(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A string that is one reference takes the value with its type; inside longer text its text form stands."""
    permitted = "the value with its JSON type, or inside longer text its text form"
    return divergence(run, *subject, Reason.OTHER_TYPE, permitted)


@check("REF-15", each=sites(_may_expand), needs=("plan",))
def values_are_not_expanded_again(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Text that arrives through a reference is data and is not expanded."""
    return divergence(run, *subject, Reason.EXPANDED_AGAIN, "the value as it is: references are resolved in one pass")


@check("REF-16", each=sites(lambda site: isinstance(site.template, str)), needs=("plan",))
def other_text_stays_as_it_is(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Text that is not a reference of the plan stays as it is."""
    return divergence(run, *subject, Reason.TEXT_CHANGED, "text around and without references stays as it is")


def _is_falsy(value: Json) -> bool:
    """Whether a value is null, false, 0, the empty string or the empty array; an empty object is none of these."""
    return not value and not is_object(value)


@check("REF-18", each=sites(lambda site: any(map(_is_falsy, site.wanted))), needs=("plan",))
def falsy_values_are_values(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """false, 0, the empty string, null and the empty array are values and not missing."""
    return divergence(run, *subject, Reason.FALSY_LOST, "the value itself: a falsy value is not missing")


def _reads_a_loop(run: Run, site: Site) -> bool:
    steps = (run.step(each.name) for each in site.references if each.root == "steps")
    return any(step is not None and step.foreach is not None for step in steps)


def _loop_readers(run: Run) -> Iterator[tuple[Materialised, Site]]:
    for each in materialised(run):
        yield from ((each, site) for site in each.sites if _reads_a_loop(run, site))


@check("REF-20", each=_loop_readers, needs=("plan",))
def a_loop_reference_is_the_array_of_its_outputs(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A reference to a foreach step is the array of its iterations' data in index order."""
    return divergence(run, *subject, Reason.OTHER_ARRAY, "the data of the iterations as an array, in index order")


def _named_like_references(run: Run) -> Iterator[tuple[Materialised, Site]]:
    for each in materialised(run):
        yield from ((each, site) for site in each.sites if is_named_like_a_reference(site.pointer, site))


@check("REF-25", each=_named_like_references, needs=("plan",))
def member_names_are_not_resolved(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """A member name that looks like a reference stays as it is."""
    return divergence(run, *subject, Reason.NAME_RESOLVED, "the member's name as the plan has it")


@check("REF-27", each=materialised, needs=("plan",))
def only_declared_words_are_added(run: Run, found: Materialised) -> Iterator[Finding]:
    """The executor adds requestId and note where the schema declares them, policy defaults, and nothing else."""
    tool = run.registry.resolve(found.call.text("tool") or "") if run.registry is not None else None
    for pointer in found.added:
        name = pointer[1:]
        beside = pointer.rpartition("/")[0]
        explained = any(site.pointer.rpartition("/")[0] == beside and not site.present for site in found.sites)
        schema = tool.value.get("inputSchema") if tool is not None else None
        undeclared = is_object(schema) and not declares(schema, name)
        held = value_at(pointer, found.args)
        if explained or held is None or name in _FROM_POLICY or (name in OWN_WORDS and not undeclared):
            continue
        yield Finding(
            f"{found.name} held {excerpt(held[0])} at /args{pointer}, which the plan does not have",
            "requestId and note, where the tool's schema declares them, and defaults of the policy",
            (witness("C", found.subject),),
        )


def _repeated(run: Run, *, deeds: bool) -> Iterator[tuple[tuple[Materialised, Site], ...]]:
    groups: dict[str, list[tuple[Materialised, Site]]] = {}
    for each in materialised(run):
        if isinstance(each.subject, Deed) is not deeds:
            continue
        for site in each.sites:
            if site.sole is not None and site.sole.root == "steps" and site.present and site.wanted:
                groups.setdefault(site.sole.text, []).append((each, site))
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


def _changed_values(group: tuple[tuple[Materialised, Site], ...], permitted: str) -> Iterator[Finding]:
    first, its = group[0]
    if its.differs:
        return  # another law reports a value that is wrong from the start
    for each, site in group[1:]:
        text = site.sole.text if site.sole else ""
        if not equal(site.held, its.held) and site.held != text:
            yield Finding(
                f"{text} gave {excerpt(its.held)} to {first.name} and {excerpt(site.held)} to {each.name}",
                permitted,
                (witness("C1", first.subject), witness("C2", each.subject)),
            )


@check("REF-12", each=lambda run: _repeated(run, deeds=False), needs=("plan",))
def resolution_changes_no_data(_run: Run, group: tuple[tuple[Materialised, Site], ...]) -> Iterator[Finding]:
    """One reference gives one value, however often it is resolved."""
    yield from _changed_values(group, "the data of a step that has ended does not change")


@check("REF-13", each=lambda run: _repeated(run, deeds=True), needs=("plan", "deeds"))
def calls_share_no_values_that_a_tool_could_change(
    _run: Run, group: tuple[tuple[Materialised, Site], ...]
) -> Iterator[Finding]:
    """What one tool does with its args changes nothing in the args that another tool gets."""
    yield from _changed_values(group, "each call gets its own args")


def _attempts_with_references(run: Run) -> Iterator[tuple[Materialised, ...]]:
    groups: dict[tuple[str, int | None, bool], list[Materialised]] = {}
    for each in materialised(run):
        key = (each.step.id, each.call.iteration_index, each.subject is each.call)
        if any(site.references for site in each.sites):
            groups.setdefault(key, []).append(each)
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


@check("REF-14", each=_attempts_with_references, needs=("plan",))
def resolution_gives_the_same_each_time(_run: Run, attempts: tuple[Materialised, ...]) -> Iterator[Finding]:
    """The same plan, results and bindings resolve to the same args in every attempt."""
    first = {site.pointer: site for site in attempts[0].sites if site.references}
    for each in attempts[1:]:
        for site in each.sites:
            before = first.get(site.pointer)
            # What an attempt lacks was dropped and not given another value: LOG-06 and RETRY-09 report that.
            both = before is not None and before.present and site.present
            if before is not None and both and not equal(before.held, site.held):
                yield Finding(
                    f"{excerpt(site.template)} gave {excerpt(before.held)} to {attempts[0].name} "
                    f"and {excerpt(site.held)} to {each.name}",
                    "the same value for every attempt of one logical call",
                    (witness("A1", attempts[0].subject), witness("A2", each.subject)),
                )
