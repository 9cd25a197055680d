"""The attempts of each logical call, as they reached its tool, and what had to follow each of them.

Call records only say to which call an invocation belongs.  How it ended is taken from the tool's own answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from callproof.generated.oracle.endings import Ending, Link, limit_at, link, may_end_earlier, own_answer
from callproof.generated.oracle.looks import Look, Looks, broken, of_act, of_deed, of_record
from callproof.generated.oracle.sight import Sight
from callproof.trace.plan import Step
from callproof.trace.registry import WRITING_RISKS
from callproof.values.spans import in_ms

_NEVER_AGAIN = frozenset({"VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"})
_FINAL_UNLESS_TOLD = frozenset({"NOT_FOUND", "CONFLICT"})

Place = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class Chain:
    """All attempts of one logical call that reached its tool, in the order in which they reached it."""

    step: Step
    index: int | None
    links: tuple[Link, ...]

    @property
    def last(self) -> Link:
        """The attempt that decides."""
        return self.links[-1]

    @property
    def name(self) -> str:
        """The name of the call in a finding."""
        return self.last.name


def chains_of(sight: Sight) -> Mapping[Place, Chain]:
    """Every logical call of a step of the plan that reached a tool."""
    found: dict[Place, list[Link]] = {}
    for attempt in sight.run.attempts:
        step = sight.plan.by_id.get(attempt.call.step_id or "")
        if step is not None and attempt.call.get("argsModifiedBy") is None:
            place = (step.id, attempt.call.iteration_index)
            found.setdefault(place, []).extend(link(sight, step, attempt, deed) for deed in attempt.deeds or ())
    return {
        (step_id, index): Chain(links[0].step, index, tuple(sorted(links, key=lambda each: each.deed.arrival)))
        for (step_id, index), links in found.items()
        if links
    }


def looked_at(sight: Sight, chain: Chain) -> Looks:
    """Look whether each attempt ended in a permitted way, and another one followed only if that is permitted."""
    for number, each in enumerate(chain.links, 1):
        yield from _ended_as_it_may(each)
        yield from _aborted_in_time(sight, each)
        if number < len(chain.links):
            yield from _repeated_rightly(sight, each, number, chain.links[number])


def owes_another(sight: Sight, chain: Chain) -> str | None:
    """Why another attempt had to follow the last one; None if it had not, or if that is not settled."""
    last, number = chain.last, len(chain.links)
    if last.ended is None or number >= sight.policy.attempt_limit(chain.step):
        return None
    return _due(sight, last, last.ended)


def final_failure(sight: Sight, chain: Chain) -> bool:
    """Whether the logical call certainly failed for good, going by its attempts."""
    return bool(chain.last.failed) and owes_another(sight, chain) is None


def _due(sight: Sight, each: Link, ending: Ending) -> str | None:
    if ending.status not in ("error", "timeout") or ending.code in _NEVER_AGAIN:
        return None
    word = ending.retryable if ending.by_tool or ending.retryable is False else _own_word(each)
    if word is True:
        return "it was said that another attempt may succeed"
    if word is False or ending.code in _FINAL_UNLESS_TOLD or each.step.retry is None:
        return None
    tool = sight.tool(each.step)
    blind = ending.status == "timeout" and not each.step.has_own_retry
    if blind and (tool is None or tool.risk_level in WRITING_RISKS):
        return None  # it is not known what the tool wrote (RETRY-15)
    return "the plan asks for another attempt, and the tool did not rule it out"


def _own_word(each: Link) -> bool | None:
    """The system's word on another attempt, which counts for its own failures, such as a timeout (RES-16)."""
    word = each.attempt.error.get("retryable")
    return word if isinstance(word, bool) else None


# The law that is broken if a call is recorded with a status with which it cannot have ended.
_LAW_OF_STATUS = {"timeout": "TIME-01", "cancelled": "CANC-02"}


def _ended_as_it_may(each: Link) -> Looks:
    status = each.attempt.status
    if status is None or not each.endings:
        return
    law = next((_LAW_OF_STATUS[end.status] for end in each.endings if end.status in _LAW_OF_STATUS), "RES-21")
    if any(end.status == status for end in each.endings):
        yield Look(law)
        return
    if status == "timeout":
        law = "TIME-02"
    elif law == "RES-21" and any(end.code == "INTERNAL_ERROR" and not end.by_tool for end in each.endings):
        law = "ERR-05"
    yield broken(
        law,
        f"call {each.attempt.call.call_id} of {each.name} was recorded with status {status}",
        " or ".join(f"status {end.status}, since {end.because}" for end in each.endings),
        of_deed(each.deed),
        *of_record(each.attempt.result),
    )


def _aborted_in_time(sight: Sight, each: Link) -> Looks:
    """Look whether a tool was told that its time is up before its limit had passed."""
    limit = limit_at(sight, each.attempt, each.deed)
    for abort in each.deed.aborts:
        if abort.reason != "timeout" or may_end_earlier(sight, each.attempt):
            continue
        if abort.at_ms >= limit - sight.slack_ms:
            yield Look("TIME-02")
            continue
        yield broken(
            "TIME-02",
            f"the tool of {each.name} was told after {in_ms(abort.at_ms - each.deed.at_ms)} ms that its time was up",
            f"its limit of {in_ms(limit - each.deed.at_ms)} ms",
            of_deed(each.deed),
        )


def _repeated_rightly(sight: Sight, each: Link, number: int, following: Link) -> Looks:
    law, why = "", ""
    ending, limit = each.ended, sight.policy.attempt_limit(each.step)
    if number >= limit:
        law = "RETRY-19" if each.step.retry is None else "RETRY-03"
        why = f"plan and policy permit {limit} in all"
    elif ending is None:
        return
    elif ending.status == "ok":
        law, why = "RETRY-05", "the tool had returned"
    elif ending.status == "cancelled":
        law, why = "RETRY-07", "the call had been cancelled"
    elif ending.code in _NEVER_AGAIN:
        law, why = "RETRY-06", f"the call had ended with {ending.code}"
    elif ending.by_tool and ending.retryable is False:
        law, why = "RETRY-04", "the tool had ruled it out"
    if not law:
        yield Look("RETRY-03")
        return
    yield broken(
        law,
        f"{each.name} was attempted again",
        "no other attempt",
        of_deed(each.deed, "D1"),
        of_deed(following.deed, "D2"),
        why=why,
    )


def after_cancellation(sight: Sight, chain: Chain) -> Looks:
    """Look whether anything began once time had passed since a cancellation, and whether open calls were told of it."""
    cancel = sight.cancel
    for each in chain.links if cancel is not None else ():
        deed, tool = each.deed, sight.tool(each.step)
        if cancel is None or tool is None:
            return
        if deed.at_ms > cancel.at_ms + sight.slack_ms:
            late = deed.at_ms - cancel.at_ms
            yield broken(
                "CANC-01",
                f"the tool of {each.name} was entered {in_ms(late)} ms after the run had been cancelled",
                "nothing begins after a cancellation",
                of_act(cancel),
                of_deed(deed),
            )
        elif _was_open(sight, each, cancel.at_ms) and deed.arrival < cancel.arrival:
            yield from _heard(each, cancellable=tool.cancellable)


def _was_open(sight: Sight, each: Link, at_ms: float) -> bool:
    """Whether the invocation was certainly open both before and after an instant."""
    answer = own_answer(each.deed)
    answered = answer is not None and answer.at_ms <= at_ms + sight.slack_ms
    stopped = any(abort.at_ms < at_ms or abort.reason == "timeout" for abort in each.deed.aborts)
    return not answered and not stopped and limit_at(sight, each.attempt, each.deed) > at_ms + sight.slack_ms


def _heard(each: Link, *, cancellable: bool) -> Looks:
    told = any(abort.reason == "cancelled" for abort in each.deed.aborts)
    if told is cancellable:
        yield Look("CANC-02" if cancellable else "CANC-03")
    elif cancellable:
        yield broken(
            "CANC-02",
            f"the tool of {each.name} was at work when the run was cancelled, and was not told",
            "the abort signal",
            of_deed(each.deed),
        )
    else:
        yield broken(
            "CANC-03",
            f"the tool of {each.name} cannot be cancelled, and was told to stop",
            "it runs to its end",
            of_deed(each.deed),
        )


def after_a_stop(sight: Sight, chains: Mapping[Place, Chain]) -> Looks:
    """Look whether anything new began once time had passed since a step failed for good that stops the run."""
    for chain in chains.values():
        if chain.step.on_error == "skip" or len(chain.last.endings) != 1 or not final_failure(sight, chain):
            continue
        answer = chain.last.deed.answer
        if chain.last.endings[0].status != "error" or answer is None:
            continue  # after a timeout a system may wait for the tool to answer (A58)
        late = [each for each in _links(chains) if each.deed.at_ms > answer.at_ms + sight.slack_ms]
        if not late:
            yield Look("DEP-04")
        for each in late[:1]:
            yield broken(
                "DEP-04",
                f"the tool of {each.name} was entered after {chain.name} had failed for good",
                f"onError of step {chain.step.id} stops the run",
                of_deed(chain.last.deed, "D1"),
                of_deed(each.deed, "D2"),
            )


def _links(chains: Mapping[Place, Chain]) -> Iterator[Link]:
    return (each for chain in chains.values() for each in chain.links)
