"""Laws that take several runs: ids, names and hashes across the runs of one case, and what one run does to another.

The chapters of these requirements have modules of their own for what one run shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from callproof.checks.check import Finding, Witness, check, excerpt, witness
from callproof.checks.confirmation import requested_id
from callproof.checks.failures import stopping_failures, unbuilt_stops
from callproof.checks.hashes import hashed_args, pairs_of_hashes
from callproof.checks.matters import Matter
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind
from callproof.values.canonical import canonical
from callproof.values.counts import counted
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_object

_Place = tuple[str, int | None, int | None]


def _runs(run: Run) -> tuple[Run, ...]:
    """Every run of the case that took place, in the order in which they were started."""
    return tuple(each for each in (*run.siblings, run) if each.records)


def _pairs(run: Run) -> Iterator[tuple[Run, Run]]:
    yield from combinations(_runs(run), 2) if run.siblings else ()


def _first(name: str, run: Run) -> Witness:
    return witness(name, run.records[0], f"the first record of {run.name}")


@check("CALL-04", each=_pairs, needs=("other runs",))
def no_two_runs_have_one_id(_run: Run, pair: tuple[Run, Run]) -> Iterator[Finding]:
    """Two executions have two run ids, in one process or in several, one after the other or at once."""
    one, other = pair
    if one.run_id is not None and one.run_id == other.run_id:
        yield Finding(
            f"{one.name} and {other.name} both had the runId {excerpt(one.run_id)}",
            "every execution has its own runId",
            (_first("R1", one), _first("R2", other)),
            matter=Matter.RUN_ID if _lost_its_end(one) else None,
        )


def _lost_its_end(run: Run) -> bool:
    """Whether the end of a run, and other records of it, may have been taken for those of another one."""
    return run.witnessed is not None and run.witnessed.finished_arrival is None and not run.killed


def _schemas(run: Run) -> Mapping[str, Json]:
    """The schemas that the system was given, by tool."""
    tools = [tool for tool in (run.given.tools if run.given else ()) if is_object(tool)]
    return {str(tool.get("name")): [tool.get("inputSchema"), tool.get("outputSchema")] for tool in tools}


def _other_registries(run: Run) -> Iterator[tuple[Record, Record]]:
    """The first calls of two runs that were given different schemas."""
    for one, other in _pairs(run):
        if one.calls and other.calls and not equal(_schemas(one), _schemas(other)):
            yield one.calls[0], other.calls[0]


@check("CALL-12", each=_other_registries, needs=("other runs",))
def other_schemas_are_another_registry(_run: Run, calls: tuple[Record, Record]) -> Iterator[Finding]:
    """Runs that were given different schemas do not name the same registry."""
    one, other = calls
    name = one.text("toolRegistryVersion")
    if name is not None and name == other.text("toolRegistryVersion"):
        yield Finding(
            f"two runs with different schemas both named the registry {excerpt(name)}",
            "different registry names for different schemas",
            (witness("C1", one), witness("C2", other)),
        )


@check("HASH-02", each=lambda run: pairs_of_hashes(_runs(run)), needs=("other runs",))
def equal_args_have_equal_hashes_in_every_run(_run: Run, group: tuple[tuple[Record, str], ...]) -> Iterator[Finding]:
    """Equal args give equal hashes in every run and in every process."""
    first, stated = group[0]
    other = next((each for each in group if each[1] != stated), None)
    if other is not None:
        yield Finding(
            f"calls of two runs had equal args and the hashes {excerpt(stated)} and {excerpt(other[1])}",
            "equal args have equal hashes in every run",
            (witness("C1", first), witness("C2", other[0])),
        )


def _calls(run: Run) -> Mapping[_Place, Record]:
    """The calls by step, iteration and attempt."""
    return {(each.step_id or "", each.iteration_index, each.integer("attempt")): each for each in run.calls}


def _known(run: Run, call: Record) -> Mapping[str, Json]:
    """The data of the calls that had ended when a call was recorded, by step and iteration."""
    until = call.arrival or 0
    return {
        f"{each.step_id}/{each.iteration_index}": each.get("data")
        for each in run.results
        if each.arrival is not None and each.arrival < until
    }


def _same_calls(run: Run) -> Iterator[tuple[tuple[Run, Record], tuple[Run, Record]]]:
    """Calls at one place of two runs that had the same plan and, so far, the same results."""
    for one, other in _pairs(run):
        if _same_plan(one, other):
            there = _calls(other)
            for at, call in _calls(one).items():
                if at in there and equal(_known(one, call), _known(other, there[at])):
                    yield (one, call), (other, there[at])


def _same_plan(one: Run, other: Run) -> bool:
    return one.given is not None and other.given is not None and equal(one.given.plan, other.given.plan)


@check("REF-14", each=_same_calls, needs=("other runs",))
def the_same_plan_gives_the_same_args(
    _run: Run, calls: tuple[tuple[Run, Record], tuple[Run, Record]]
) -> Iterator[Finding]:
    """The same plan with the same results resolves to the same args in every run and in every process."""
    (one, first), (other, second) = calls
    if not equal(hashed_args(one, first), hashed_args(other, second)):
        yield Finding(
            f"step {first.step_id} had the args {excerpt(first.get('args'))} in {one.name} "
            f"and {excerpt(second.get('args'))} in {other.name}",
            "the same args, since the plan and the results were the same",
            (witness("C1", first), witness("C2", second)),
        )


def _asking(run: Run) -> Iterator[tuple[Run, Run]]:
    for one, other in _pairs(run):
        if requested_id(one) is not None and requested_id(other) is not None:
            yield one, other


@check("CONF-05", each=_asking, needs=("other runs",))
def no_two_runs_ask_under_one_id(_run: Run, pair: tuple[Run, Run]) -> Iterator[Finding]:
    """Two runs that ask for confirmation ask under two ids."""
    one, other = pair
    if requested_id(one) == requested_id(other):
        yield Finding(
            f"{one.name} and {other.name} both asked for confirmation {excerpt(requested_id(one))}",
            "a confirmationId belongs to one run",
            (_first("R1", one), _first("R2", other)),
        )


_ENDED_BY_ITSELF = frozenset({ActKind.CANCEL, ActKind.REJECT})


def _beside_a_cancellation(run: Run) -> Iterator[tuple[Run, Run]]:
    """A run that nobody cancelled or rejected and nothing stopped, and another that somebody cancelled."""
    for one, other in (*_pairs(run), *((b, a) for a, b in _pairs(run))):
        acts = {act.kind for act in one.acts or ()}
        asks = one.policy is not None and one.policy.confirmations_required
        stopped = unbuilt_stops(one) or any(True for _ in stopping_failures(one))  # it may say cancelled (CANC-05)
        ended = acts & _ENDED_BY_ITSELF or asks or stopped
        if any(act.kind is ActKind.CANCEL for act in other.acts or ()) and not ended:
            yield one, other


@check("CANC-05", each=_beside_a_cancellation, needs=("other runs", "events"))
def a_cancellation_is_of_one_run(_run: Run, pair: tuple[Run, Run]) -> Iterator[Finding]:
    """A run is not cancelled because another one was."""
    one, other = pair
    for cancelled in one.events_of("run.cancelled")[:1]:
        yield Finding(
            f"{one.name} was cancelled, but the cancellation named only {other.name}",
            "a cancellation applies only to the run that it names",
            (witness("X", cancelled), _first("R", other)),
        )


def _watched_slowly(run: Run) -> Iterator[tuple[Run, Run]]:
    """Two runs of one plan: during one of them the suite turned away from the wire."""
    for one, other in _pairs(run):
        slow, fast = (one, other) if _was_unwatched(one) else (other, one)
        if _same_plan(one, other) and _was_unwatched(slow) and not _was_unwatched(fast):
            yield slow, fast


def _was_unwatched(run: Run) -> bool:
    return any(act.kind is ActKind.TURN_AWAY for act in run.acts or ())


def _course(run: Run) -> list[bytes]:
    """How every call ended, sorted so that the order of the results does not count."""
    return sorted(
        canonical([each.step_id, each.iteration_index, each.get("attempt"), each.get("status"), each.get("data")])
        for each in run.results
    )


@check("EVT-19", each=_watched_slowly, needs=("other runs",))
def a_slow_listener_changes_nothing(_run: Run, pair: tuple[Run, Run]) -> Iterator[Finding]:
    """The same calls come to the same ends, whether the listener keeps up or not."""
    slow, fast = pair
    ends = slow.finished, fast.finished
    if _course(slow) != _course(fast) or ends[0] != ends[1]:
        yield Finding(
            f"{_told(slow)} while the listener was slow, and {_told(fast)} while it kept up",
            "the same course of the run, whether or not the listener is slow",
            (_first("R1", slow), _first("R2", fast)),
        )


def _told(run: Run) -> str:
    statuses = [each.text("status") for each in run.results]
    ended = "the run finished" if run.finished else "the run did not finish"
    return f"{ended} with {statuses.count('ok')} of {counted(len(statuses), 'result')} ok"
