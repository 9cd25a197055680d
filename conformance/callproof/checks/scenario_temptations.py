"""Laws that a scenario tempts a system to break on purpose: a hook that fails, a swapped folder, arguments without end.

As in ``scenario_facts``, what only the scenario knows stands in ``Witnessed.expectations``.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import STARTED, Finding, check, excerpt, witness
from callproof.checks.dispatching import was_dispatched
from callproof.checks.scenario_facts import deaths, died, fact
from callproof.checks.world_changes import changed_paths
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed, Witnessed
from callproof.values.jsontext import write_json
from callproof.values.jsonvalue import is_array, is_object


def _under_a_failing_hook(run: Run) -> Iterator[Attempt]:
    hook = fact(run, "hook")
    if is_object(hook) and hook.get("action") == "fail":
        yield from (attempt for attempt in run.attempts if attempt.call.text("tool") == hook.get("tool"))


@check("POL-20", each=_under_a_failing_hook, needs=("deeds",))
def a_failing_hook_lets_nothing_pass(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call whose hook failed is not dispatched."""
    # Without events, only an invocation shows a dispatch: a result alone may be that of the failed hook.
    if attempt.deeds or (attempt.events is not None and was_dispatched(attempt)):
        yield Finding(
            f"call {attempt.call.call_id} was dispatched, and its hook had failed",
            "no dispatch: it is unknown whether the hook would have blocked the call",
            (witness("C", attempt.call), *(witness("D", deed) for deed in attempt.deeds or ())),
        )


def _beside_a_swap(run: Run) -> Iterator[tuple[str, tuple[Attempt, ...]]]:
    """Runs in which a folder was made a link while calls that name it waited for their turn."""
    place, world = fact(run, "swapped"), run.world
    if not isinstance(place, str) or world is None:
        return
    entry = world.after.get(place)
    waiting = tuple(each for each in run.attempts if place in write_json(each.call.get("args")))
    if entry is not None and entry.kind == "link" and waiting:
        yield place, waiting


@check("POL-08", each=_beside_a_swap, needs=("world", "deeds"))
def what_was_checked_is_what_is_used(run: Run, subject: tuple[str, tuple[Attempt, ...]]) -> Iterator[Finding]:
    """A folder that becomes a link after its path was checked leads no tool out of the vault."""
    place, waiting = subject
    outside = [path for path in changed_paths(run.world) if path.startswith("../")] if run.world is not None else []
    if outside:
        yield Finding(
            f"{', '.join(outside)} changed through {place}, which had become a link since its path was checked",
            "the object that is opened is the object that was checked",
            tuple(witness("C", each.call) for each in waiting),
        )


def _too_much(run: Run) -> Iterator[str]:
    named = fact(run, "tooMuch")
    yield from (each for each in named if isinstance(each, str)) if is_array(named) else ()


@check("VAL-12", each=_too_much, needs=("deeds",))
def what_is_too_much_has_a_result(run: Run, step_id: str) -> Iterator[Finding]:
    """A step whose args are too large or too deep ends with an error, or does its work."""
    ends = [result for result in run.results if result.step_id == step_id]
    if run.finished and not any(each.text("status") in ("ok", "error") for each in ends):
        told = f"ended {ends[-1].text('status')}" if ends else "has no result"
        yield Finding(
            f"step {step_id}, whose args are very large or nested very deeply, {told}",
            "an error result, unless the call could be made",
            tuple(witness("R", each) for each in ends[-1:]),
        )


@check("VAL-12", each=deaths("VAL-12"), needs=("deeds",))
def huge_args_kill_nobody(_run: Run, subject: Run) -> Iterator[Finding]:
    """A system does not die of args that are too large or too deep."""
    yield from died(subject)


def _into_a_log(run: Run) -> Iterator[Witnessed]:
    if fact(run, "holdsALog") is True and run.witnessed is not None:
        yield run.witnessed


@check("LOG-22", each=_into_a_log, needs=("deeds",))
def a_folder_with_a_log_takes_no_other(run: Run, seen: Witnessed) -> Iterator[Finding]:
    """A run is refused where the folder for its log already holds a run.json (A68)."""
    if seen.refusal is None:
        yield Finding(
            "the run was started, and the folder for its log already held a run.json",
            "a refusal of the run",
            tuple(witness("C", call) for call in run.calls[:1]) or (STARTED,),
        )


def _unread(run: Run) -> Iterator[tuple[str, Record | Deed]]:
    """
    Texts that no reference of the plan leads to, each with every record and invocation that it could stand in.

    Events with data are left out: they may repeat the data of their call (RES-21), and a tool may have put it there.
    """
    texts = fact(run, "unread")
    places: list[Record | Deed] = [*run.calls, *(run.deeds or ())]
    places += (each for each in run.events or () if "data" not in (each.object("payload") or {}))
    for text in texts if is_array(texts) else ():
        if isinstance(text, str):
            yield from ((text, place) for place in places)


@check("REF-15", each=_unread, needs=("deeds",))
def data_reads_no_variables(_run: Run, subject: tuple[str, Record | Deed]) -> Iterator[Finding]:
    """What no reference of the plan leads to reaches no tool, no call and no event, whatever the data says."""
    text, place = subject
    held = place.args if isinstance(place, Deed) else dict(place.value)
    if text in write_json(held):
        yield Finding(
            f"{excerpt(text)} stood in {'what a tool received' if isinstance(place, Deed) else place.kind.value}",
            "no reference of the plan leads to it, and text that looks like one is data",
            (witness("D" if isinstance(place, Deed) else "R", place),),
        )
