"""Named states of a run that are worth reaching, recognised in a finished run.

A generator that never reaches a state proves nothing about it.  So the states are
counted, and the table is printed; the weights of the styles are chosen by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from callproof.generated.oracle.chains import Chain, Place, chains_of
from callproof.generated.oracle.endings import Link
from callproof.generated.oracle.sight import Leave, Sight
from callproof.live.case import Case
from callproof.trace.outputs import skipped_because_empty
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Deed
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_WRITING = ("writes", "commands")


@dataclass(frozen=True)
class Scene:
    """One run, prepared for the question whether it was in a state."""

    sight: Sight
    chains: Mapping[Place, Chain]

    @property
    def run(self) -> Run:
        """The run."""
        return self.sight.run

    @property
    def links(self) -> Iterator[Link]:
        """Every attempt that reached a tool."""
        return (each for chain in self.chains.values() for each in chain.links)

    def results(self, status: str, code: str | None = None) -> tuple[Record, ...]:
        """The results of a status, with a code if one is given."""
        found = (each for each in self.run.results if each.text("status") == status)
        return tuple(each for each in found if code is None or (each.object("error") or {}).get("code") == code)

    def open_at(self, arrival: int) -> list[Link]:
        """The attempts that were at work when a message passed."""
        return [each for each in self.links if each.deed.arrival < arrival and _end(each.deed) > arrival]


State = Callable[[Scene], bool]


def reached(case: Case, run: Run) -> frozenset[str]:
    """The names of all states that a run was in."""
    if run.witnessed is None:
        return frozenset()
    if run.witnessed.refusal is not None:
        return frozenset({REFUSED}) if case.expects_refusal else frozenset()
    sight = Sight(case, run)
    scene = Scene(sight, chains_of(sight))
    return frozenset(name for name, was_reached in STATES.items() if was_reached(scene))


def _end(deed: Deed) -> float:
    ends = [abort.arrival for abort in deed.aborts]
    return min((*ends, *([deed.answer.arrival] if deed.answer is not None else ())), default=float("inf"))


def _at_cancel(scene: Scene) -> list[Link]:
    return scene.open_at(scene.sight.cancel.arrival) if scene.sight.cancel is not None else []


def _cancel_in_flight(scene: Scene) -> bool:
    return any(scene.sight.registry.by_name[each.deed.tool].cancellable for each in _at_cancel(scene))


def _cancel_of_what_cannot_be(scene: Scene) -> bool:
    return any(not scene.sight.registry.by_name[each.deed.tool].cancellable for each in _at_cancel(scene))


def _cancel_during_backoff(scene: Scene) -> bool:
    """Whether a failed call with attempts left was waiting for the next one when the run was cancelled."""
    cancel = scene.sight.cancel
    for chain in scene.chains.values() if cancel is not None else ():
        waits = len(chain.links) < scene.sight.policy.attempt_limit(chain.step) and chain.step.backoff_ms > 0
        if cancel is not None and waits and chain.last.failed and _end(chain.last.deed) < cancel.arrival:
            word = chain.last.attempt.error.get("retryable")
            if word is not False and chain.last.attempt.code not in ("VALIDATION_ERROR", "POLICY_DENIED"):
                return True
    return False


def _cancelled_while_queued(scene: Scene) -> bool:
    queued = (each for each in scene.run.attempts if each.status == "cancelled" and not each.deeds)
    return scene.sight.cancel is not None and any(queued)


def _cancel_after_the_end(scene: Scene) -> bool:
    end = scene.run.witnessed.finished_arrival if scene.run.witnessed is not None else None
    acts = (act for act in scene.run.acts or () if act.kind is ActKind.CANCEL)
    return end is not None and any(act.arrival > end for act in acts)


def _timed_out(scene: Scene) -> Iterator[Link]:
    return (each for each in scene.links if each.attempt.status == "timeout")


def _retry_after_timeout(scene: Scene) -> bool:
    return any(each.attempt.status == "timeout" for chain in scene.chains.values() for each in chain.links[:-1])


def _late_answer(scene: Scene) -> bool:
    return any(each.deed.answer is not None and _is_late(each) for each in _timed_out(scene))


def _is_late(each: Link) -> bool:
    answer, result = each.deed.answer, each.attempt.result
    if answer is None or result is None or result.arrival is None:
        return False
    return answer.arrival > result.arrival


def _later_iteration(records: Iterable[Record], scene: Scene) -> bool:
    """Whether one of these results belongs to the third iteration or a later one."""
    for each in records:
        attempt = scene.run.attempt_by_call_id.get(each.call_id or "")
        index = attempt.call.iteration_index if attempt is not None else each.iteration_index
        if index is not None and index >= 2:
            return True
    return False


def _of_loops(scene: Scene) -> Iterator[Chain]:
    return (chain for chain in scene.chains.values() if chain.index is not None)


def _failed_arm(scene: Scene) -> bool:
    """Whether, of two steps that another one needs, one failed without stopping the run, and the other one ended ok."""
    ended = {chain.step.id: chain for chain in scene.chains.values()}
    skipped = {each.step_id for each in scene.run.unbuilt if each.text("status") == "skipped"}
    for step_id, needs in scene.sight.needs.items():
        arms = [ended[need.step_id] for need in needs if need.step_id in ended]
        lost = [arm for arm in arms if arm.last.failed and arm.step.on_error == "skip"]
        if step_id in skipped and lost and any(arm.last.attempt.status == "ok" for arm in arms):
            return True
    return False


def _skipped_chain(scene: Scene) -> bool:
    """Whether a step was skipped because another one was skipped."""
    skipped = {each.step_id for each in scene.run.unbuilt if each.text("status") == "skipped"}
    return any(
        step_id in skipped and any(need.step_id in skipped for need in needs)
        for step_id, needs in scene.sight.needs.items()
    )


def _stop_beside_work(scene: Scene) -> bool:
    """Whether a failure stopped the run while another call was at work."""
    for chain in scene.chains.values():
        if chain.last.failed and chain.step.on_error != "skip" and chain.last.deed.answer is not None:
            at = scene.open_at(chain.last.deed.answer.arrival)
            if any(each.deed is not chain.last.deed for each in at):
                return True
    return False


def _at_once(scene: Scene, *, of_one_loop: bool) -> bool:
    for each in scene.links:
        others = [other for other in scene.open_at(each.deed.arrival) if other.deed is not each.deed]
        if any(other.step is each.step or not of_one_loop for other in others):
            return True
    return False


def _clamped(scene: Scene) -> bool:
    clamp = scene.sight.policy.max_attempts
    return clamp is not None and any(
        chain.step.max_attempts > clamp == len(chain.links) and chain.last.failed for chain in scene.chains.values()
    )


def _recovered(scene: Scene) -> bool:
    return any(len(chain.links) > 1 and chain.last.attempt.status == "ok" for chain in scene.chains.values())


def _budget_of_each(scene: Scene) -> bool:
    """Whether two iterations of one loop took more than one attempt each."""
    retried = [chain.step.id for chain in _of_loops(scene) if len(chain.links) > 1]
    return len(retried) > len(set(retried))


def _empty_loop(scene: Scene) -> bool:
    told_by_an_event = any(not each.call_id for each in scene.run.events_of("step.finished"))  # A81
    return told_by_an_event or any(skipped_because_empty(each, scene.run) for each in scene.run.unbuilt)


def _absent_at_run_time(scene: Scene) -> bool:
    failed = (each for each in scene.results("error", "VALIDATION_ERROR") if each in scene.run.unbuilt)
    return any(True for _ in failed)


def _invalid_args(scene: Scene) -> bool:
    own = (each for each in scene.run.attempts if each.code == "VALIDATION_ERROR" and not each.deeds)
    return any(True for _ in own)


def _writes_pending(scene: Scene) -> bool:
    risks = (scene.sight.tool(step) for step in scene.sight.plan.steps)
    return any(tool is not None and tool.risk_level in _WRITING for tool in risks)


def _second_decision(scene: Scene) -> bool:
    decisions = [act for act in scene.run.acts or () if act.kind in (ActKind.APPROVE, ActKind.REJECT)]
    return len(decisions) > 1


def _loop_over_a_loop(scene: Scene) -> bool:
    loops = {f"$steps.{chain.step.id}" for chain in _of_loops(scene)}
    return any(
        chain.step.foreach is not None and chain.step.foreach.source.strip("{}").split("[")[0] in loops
        for chain in _of_loops(scene)
    )


def _effects(scene: Scene, kind: str) -> list[Mapping[str, Json]]:
    """The entries of one kind in the effects of all results."""
    listed = ((each.object("effects") or {}).get(kind) for each in scene.run.results)
    return [entry for each in listed if is_array(each) for entry in each if is_object(entry)]


def _touched_twice(scene: Scene) -> bool:
    paths = [each.get("path") for kind in ("created", "modified", "deleted") for each in _effects(scene, kind)]
    paths += [each.get(end) for each in _effects(scene, "renamed") for end in ("from", "to")]
    return len(paths) > len({str(each) for each in paths})


REFUSED = "a plan that can never work"

STATES: Mapping[str, State] = {
    "two calls at work at once": lambda scene: _at_once(scene, of_one_loop=False),
    "two iterations at work at once": lambda scene: _at_once(scene, of_one_loop=True),
    "a loop over nothing": _empty_loop,
    "a loop over the output of a loop": _loop_over_a_loop,
    "a reference to what is absent at run time": _absent_at_run_time,
    "arguments that break their schema": _invalid_args,
    "denial on the third iteration or later": lambda scene: _later_iteration(
        scene.results("error", "POLICY_DENIED"), scene
    ),
    "a denied tool": lambda scene: any(
        each.call.text("tool") in scene.sight.policy.denied_tools for each in scene.run.attempts
    ),
    "output that breaks its schema": lambda scene: any(
        (each.object("error") or {}).get("retryable") is False for each in scene.results("error", "INTERNAL_ERROR")
    ),
    "a retry that ends well": _recovered,
    "attempts clamped by the policy and used up": _clamped,
    "retries of two iterations": _budget_of_each,
    "timeout inside foreach": lambda scene: any(
        each.attempt.call.iteration_index is not None for each in _timed_out(scene)
    ),
    "retry after timeout": _retry_after_timeout,
    "an answer after its timeout": _late_answer,
    "one arm of two failed and skipped": _failed_arm,
    "skipped because of a skipped step": _skipped_chain,
    "a stop while another call is at work": _stop_beside_work,
    "cancel during backoff": _cancel_during_backoff,
    "cancel with a call in flight": _cancel_in_flight,
    "cancel with two calls in flight": lambda scene: len(_at_cancel(scene)) > 1,
    "cancel of what cannot be cancelled": _cancel_of_what_cannot_be,
    "cancel while a call waits for its turn": _cancelled_while_queued,
    "cancel before the confirmation": lambda scene: scene.sight.leave is Leave.CANCELLED,
    "cancel after the end": _cancel_after_the_end,
    "reject with writes pending": lambda scene: scene.sight.leave is Leave.REJECTED and _writes_pending(scene),
    "expiry of the confirmation": lambda scene: scene.sight.leave is Leave.EXPIRED,
    "a second decision": _second_decision,
    "a file or folder made": lambda scene: bool(_effects(scene, "created")),
    "a file changed": lambda scene: bool(_effects(scene, "modified")),
    "a file or folder moved": lambda scene: bool(_effects(scene, "renamed")),
    "a file or folder taken away": lambda scene: bool(_effects(scene, "deleted")),
    "a path that is changed twice": _touched_twice,
    "work on files that has to fail": lambda scene: "codes" in scene.sight.case.expectations,
    REFUSED: lambda _scene: False,
}
