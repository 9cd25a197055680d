"""Checks for the requirements in ``spec/foreach.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import pairwise

from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.divergence import Reason, divergence, sites
from callproof.checks.failures import ended_early
from callproof.checks.matters import Matter
from callproof.checks.precedence import began_before_the_end
from callproof.checks.references_of_steps import needs_failed
from callproof.trace.expansions import Expansion, expansion_of, expansions
from callproof.trace.materialised import Materialised, Site
from callproof.trace.once import once_a_run
from callproof.trace.outputs import (
    Fate,
    Outputs,
    answered_outputs,
    hides_the_reason,
    recorded_outputs,
    skipped_because_empty,
    skipped_without_its_tool,
)
from callproof.trace.plan import Step
from callproof.trace.records import Kind, Record, order_of_instants
from callproof.trace.run import LogicalCall, Run
from callproof.values.canonical import form_of
from callproof.values.counts import counted
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, equal, is_array, is_object


def _whole(run: Run) -> Iterator[Expansion]:
    """Expansions with elements, of runs that certainly finished, unless a single record stands for all elements."""
    if run.finished and (run.events is not None or run.witnessed is not None):
        for each in expansions(run):
            if each.items and all(record.iteration_index is not None for record in each.unbuilt):
                yield each


def _missing(found: Expansion, *, equals_others: bool) -> list[int]:
    """The indices that no record stands for, whose elements equal (or do not equal) one on record."""
    recorded = found.recorded
    missing = [index for index in range(len(found.items)) if index not in recorded]
    known: Mapping[bytes, list[int]] = _by_element(found) if missing else {}
    return [index for index in missing if (form_of(found.items[index]) in known) is equals_others]


def _by_element(found: Expansion) -> Mapping[bytes, list[int]]:
    """The indices on record by the element that stands there, for a loop may run over thousands."""
    places: dict[bytes, list[int]] = {}
    for index in sorted(found.recorded):
        if 0 <= index < len(found.items):
            places.setdefault(form_of(found.items[index]), []).append(index)
    return places


def _near(found: Expansion, index: int) -> list[int]:
    """An index with the nearest ones on record below and above it."""
    below = [each for each in found.recorded if each < index]
    above = [each for each in found.recorded if each > index]
    return sorted({index, max(below, default=index), min(above, default=index)})


def _unaccounted(
    found: Expansion,
    indices: list[int],
    observed: str,
    permitted: str,
    misses: tuple[Kind, ...] = (Kind.CALL, Kind.RESULT),
) -> Finding:
    """The finding about the elements of a loop, with the records of some indices as its witnesses."""
    calls = (logical.attempts[0].call for each in indices for logical in found.calls.get(each, ()))
    records = [*calls, *(each for each in found.unbuilt if each.iteration_index in indices)]
    return Finding(
        f"step {found.step.id} ran over {counted(len(found.items), 'element')} {observed}",
        permitted,
        tuple(witness(f"R{n}", each) for n, each in enumerate(records, 1)),
        misses=misses,
    )


@check("LOOP-01", each=_whole, needs=("plan",))
def each_item_has_one_iteration(_run: Run, found: Expansion) -> Iterator[Finding]:
    """There is one logical call for each item: indices 0 to n-1 without gap."""
    last = max(found.recorded, default=-1)
    gaps = [index for index in _missing(found, equals_others=False) if index < last]
    if gaps:
        observed = f"and has no record for index {gaps[0]}"
        yield _unaccounted(found, _near(found, gaps[0]), observed, "a record for every index")


def _with_surplus(run: Run) -> Iterator[tuple[Expansion, int]]:
    """Loops with a record beyond their items, and its index; in a run that broke off, only these are decided."""
    for found in expansions(run):
        surplus = [index for index in found.recorded if not 0 <= index < len(found.items)]
        if found.items and surplus:
            yield found, min(surplus)


@check("LOOP-01", each=_with_surplus, needs=("plan",))
def no_iteration_is_beyond_the_items(_run: Run, subject: tuple[Expansion, int]) -> Iterator[Finding]:
    """There is no logical call for an index without an item."""
    found, index = subject
    observed = f"and has a record for index {index}"
    yield _unaccounted(found, [index], observed, "indices of elements, and no others", misses=())


@check("LOOP-10", each=_whole, needs=("plan",))
def no_iterations_are_cut_off_in_silence(_run: Run, found: Expansion) -> Iterator[Finding]:
    """A limit on iterations is a visible failure."""
    last = max(found.recorded, default=-1)
    cut = [index for index in _missing(found, equals_others=False) if index > last]
    if cut:
        observed = f"and has no record from index {cut[0]} on"
        yield _unaccounted(
            found, _near(found, cut[0]), observed, "every iteration that is left out has a record that says why"
        )


@check("LOOP-12", each=_whole, needs=("plan",))
def equal_items_are_iterations_of_their_own(_run: Run, found: Expansion) -> Iterator[Finding]:
    """Equal items are separate iterations."""
    merged = _missing(found, equals_others=True)
    if merged:
        observed = f"and has no record for index {merged[0]}, whose element equals another one"
        equals = _by_element(found)[form_of(found.items[merged[0]])][:1]
        yield _unaccounted(found, equals, observed, "a record for every index, whatever the elements are")


def _iterated(run: Run) -> Iterator[tuple[Record, Step]]:
    for call in run.calls:
        step = run.step(call.step_id)
        if step is not None:
            yield call, step


@check("LOOP-02", each=_iterated, needs=("plan",))
def foreach_calls_and_only_they_carry_an_iteration(_run: Run, subject: tuple[Record, Step]) -> Iterator[Finding]:
    """Calls of a foreach step carry iteration, an object; other calls carry none."""
    call, step = subject
    told = call.get("iteration")
    if is_object(told) if step.foreach is not None else told is None:
        return
    which = "no iteration" if told is None else "an iteration" if is_object(told) else f"the iteration {excerpt(told)}"
    kind = "a foreach" if step.foreach is not None else "no foreach"
    yield Finding(
        f"call {call.call_id} carried {which}, and step {step.id} has {kind}",
        "iteration, an object, on the calls of a foreach step, and on no others",
        (witness("C", call),),
    )


def _of_loops(run: Run) -> Iterator[tuple[Record, Step, Mapping[str, Json]]]:
    for record in (*run.calls, *run.results):
        step = run.step(record.step_id)
        iteration = record.object("iteration")
        if step is not None and step.foreach is not None and iteration is not None:
            yield record, step, iteration


@check("LOOP-11", each=_of_loops, needs=("plan",))
def an_iteration_has_its_three_members(
    _run: Run, subject: tuple[Record, Step, Mapping[str, Json]]
) -> Iterator[Finding]:
    """index is an integer of at least 0, itemName a string, itemValue present."""
    record, _, iteration = subject
    index = as_integer(iteration.get("index"))
    faults = [
        *([f"index {excerpt(iteration.get('index'))}"] if index is None or index < 0 else []),
        *([f"itemName {excerpt(iteration.get('itemName'))}"] if not isinstance(iteration.get("itemName"), str) else []),
        *(["no itemValue"] if "itemValue" not in iteration else []),
    ]
    if faults:
        yield Finding(
            f"the iteration of {record.call_id} had {', '.join(faults)}",
            "an integer index of at least 0, a string itemName, and an itemValue, which may be null",
            (witness("C", record),),
        )


@check("LOOP-04", each=_of_loops, needs=("plan",))
def an_iteration_names_its_item_as_the_plan_does(
    _run: Run, subject: tuple[Record, Step, Mapping[str, Json]]
) -> Iterator[Finding]:
    """itemName is the plan's foreach.itemName."""
    record, step, iteration = subject
    name = iteration.get("itemName")
    if isinstance(name, str) and step.foreach is not None and name != step.foreach.item_name:
        yield Finding(
            f"the iteration of {record.call_id} had the itemName {excerpt(name)}",
            f"the plan names the item {excerpt(step.foreach.item_name)}",
            (witness("C", record),),
        )


def _placed(run: Run, outputs: Outputs) -> Iterator[tuple[Record, int, Json, Json]]:
    """Records with their index, what they say the item is, and what the source has there."""
    for record, step, iteration in _of_loops(run):
        source = outputs.source_of(step)
        index = as_integer(iteration.get("index"))
        if source.fate is not Fate.OK or not is_array(source.value) or index is None:
            continue
        if record.is_redacted_in("iteration"):
            continue
        if "itemValue" in iteration and 0 <= index < len(source.value):
            yield record, index, iteration["itemValue"], source.value[index]


@once_a_run
def _items(run: Run) -> Mapping[str | None, Set[bytes]]:
    """The forms of all items of each loop whose source is known."""
    found = ((each.step.id, each.items) for each in expansions(run))
    return {step: frozenset(map(form_of, items)) for step, items in found}


def _matter(run: Run, record: Record, told: Json) -> Matter | None:
    """Whether a wrong item is one of the loop's, and so that of another index."""
    return Matter.ANOTHER_ITEM if form_of(told) in _items(run).get(record.step_id, ()) else None


@check("LOOP-03", each=lambda run: _placed(run, recorded_outputs(run)), needs=("plan",))
def an_item_is_the_element_of_its_index(run: Run, subject: tuple[Record, int, Json, Json]) -> Iterator[Finding]:
    """itemValue equals the element at index of the resolved source."""
    record, index, told, element = subject
    if not equal(told, element):
        yield Finding(
            f"the iteration of {record.call_id} had the itemValue {excerpt(told)}",
            f"element {index} of the source is {excerpt(element)}",
            (witness("C", record),),
            matter=_matter(run, record, told),
        )


@check("LOOP-07", each=lambda run: _placed(run, answered_outputs(run)), needs=("plan", "deeds"))
def the_source_is_fixed_at_expansion(run: Run, subject: tuple[Record, int, Json, Json]) -> Iterator[Finding]:
    """Iterations run over the array as its tool gave it, whatever happens to it later."""
    record, index, told, element = subject
    if not equal(told, element):
        yield Finding(
            f"the iteration of {record.call_id} ran over {excerpt(told)}",
            f"element {index} of what the source's tool answered is {excerpt(element)}",
            (witness("C", record),),
            matter=_matter(run, record, told),
        )


def _loops_with_ids(run: Run) -> Iterator[tuple[Step, tuple[Record, ...]]]:
    named: dict[str | None, list[Record]] = {}
    for call in run.calls:
        if call.text("loopId"):
            named.setdefault(call.step_id, []).append(call)
    for step in run.plan.steps if run.plan is not None else ():
        if step.foreach is not None and step.id in named:
            yield step, tuple(named[step.id])


@once_a_run
def _firsts_by_loop_id(run: Run) -> Mapping[str | None, list[Record]]:
    """By loopId the first call of a step of the plan that has it, and the first of another step."""
    found: dict[str | None, list[Record]] = {}
    for call in run.calls:
        firsts = found.setdefault(call.text("loopId"), [])
        is_new = len(firsts) < 2 and all(each.step_id != call.step_id for each in firsts)
        if is_new and run.step(call.step_id) is not None:
            firsts.append(call)
    return found


@check("LOOP-05", each=_loops_with_ids, needs=("plan",))
def a_loop_id_is_of_one_expansion(run: Run, subject: tuple[Step, tuple[Record, ...]]) -> Iterator[Finding]:
    """loopId is one value for all calls of one expansion, and of no other."""
    step, named = subject
    first = named[0].text("loopId")
    other = next((each.call for each in run.attempts_of(step.id) if each.call.text("loopId") != first), None)
    stranger = next((each for each in _firsts_by_loop_id(run).get(first, ()) if each.step_id != step.id), None)
    for each in (other, stranger):
        if each is not None:
            yield Finding(
                f"calls {named[0].call_id} and {each.call_id} had the loopIds {first} and "
                f"{each.text('loopId') or 'none'}",
                "one loopId for all calls of an expansion, and a different one for every other expansion",
                (witness("C1", named[0]), witness("C2", each)),
            )
            return


def _empty(run: Run) -> Iterator[Expansion]:
    for step in run.plan.steps if run.plan is not None else ():
        found = expansion_of(run, step, recorded_outputs(run)) if step.foreach is not None else None
        if found is not None and not found.items:
            yield found


@check("LOOP-06", each=_empty, needs=("plan",))
def an_empty_source_gives_no_call(run: Run, found: Expansion) -> Iterator[Finding]:
    """A loop over nothing makes no call, and its step completes."""
    called = next((each.attempts[0].call for group in found.calls.values() for each in group), None)
    if called is not None:
        yield Finding(
            f"call {called.call_id} was made for step {found.step.id}, whose source is empty",
            "no call at all",
            (witness("C", called),),
        )
    for result in found.unbuilt:
        if not run.finished and not any(event.call_id == result.call_id for event in run.events or ()):
            continue  # the log broke off before the event that may give the reason (A81)
        stopped = ended_early(run) or skipped_because_empty(result, run) or needs_failed(run, found.step)
        stopped = stopped or hides_the_reason(result, run)
        if result.text("status") == "error" or (result.text("status") == "skipped" and not stopped and run.events):
            yield Finding(
                f"step {found.step.id} ran over no elements and ended {result.text('status')}",
                "the step completes: a step.finished event, or a skipped result with the reason empty",
                (witness("R", result),),
                misses=ANYTHING,
            )


def _beside_a_failure(run: Run) -> Iterator[tuple[Step, Record, LogicalCall]]:
    """Other iterations of loops that go on after a failure, called or skipped, with one that failed."""
    for found in expansions(run):
        called = [each for group in found.calls.values() for each in group]
        failed = [each for each in called if each.last.status in {"error", "timeout"}]
        if failed and found.step.on_error == "skip":
            yield from ((found.step, each.last.call, failed[0]) for each in called if each not in failed)
            skipped = (record for record in found.unbuilt if record.text("status") == "skipped")
            yield from ((found.step, record, failed[0]) for record in skipped)


@check("LOOP-08", each=_beside_a_failure, needs=("plan",))
def a_failed_iteration_leaves_the_others_alone(
    run: Run, subject: tuple[Step, Record, LogicalCall]
) -> Iterator[Finding]:
    """One iteration's failure affects the others only through onError."""
    step, record, failed = subject
    if record.kind is Kind.CALL or ended_early(run) or needs_failed(run, step):
        return
    if skipped_without_its_tool(record, run):
        return  # that is a reason of its own (DEP-05)
    yield Finding(
        f"iteration {record.iteration_index} of step {step.id} was skipped after {failed.name} had failed",
        "with onError skip the other iterations run",
        (witness("R1", failed.last.result or failed.last.call), witness("R2", record)),
        misses=ANYTHING,
    )


def _neighbours(run: Run) -> Iterator[tuple[Step, LogicalCall, LogicalCall]]:
    for found in expansions(run):
        ordered = [group[0] for _, group in sorted(found.calls.items())]
        for one, other in pairwise(ordered):
            yield found.step, one, other


@check("LOOP-09", each=_neighbours, needs=("plan",))
def iterations_are_created_in_order(run: Run, subject: tuple[Step, LogicalCall, LogicalCall]) -> Iterator[Finding]:
    """Calls are created in index order, and with a concurrency of one they run in that order."""
    step, one, other = subject
    first, second = one.attempts[0], other.attempts[0]
    created = order_of_instants(first.call.moment, second.call.moment) == 1
    alone = step.foreach is not None and step.foreach.concurrency == 1 and first.result is not None
    ran = alone and first.result is not None and second.dispatched and began_before_the_end(run, second, first.result)
    if created or ran:
        what = "was created" if created else "began"
        yield Finding(
            f"{other.name} {what} before {one.name}" + ("" if created else " had ended"),
            "iterations are created in index order, and one after another unless the plan asks for concurrency",
            (witness("C1", first.call), witness("C2", second.call)),
            misses=() if first.number == 1 else (Kind.CALL,),
        )


@check(
    "LOOP-13",
    each=sites(lambda site: any(each.root == "item" for each in site.references)),
    needs=("plan",),
)
def iterations_do_not_swap_their_items(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """Each iteration's args come from its own bindings."""
    return divergence(run, *subject, Reason.OTHER_ITERATION, "the item of this iteration, not of another")
