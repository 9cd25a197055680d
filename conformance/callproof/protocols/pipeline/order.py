"""PIPE-02: phases in their order, nothing after the end, rising progress, results in the order of the policy."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.pipeline.outputs import output_changes
from callproof.protocols.pipeline.phases import AFTER_FAILURE, AGAIN, EMIT, MAP, OUTCOMES, POST_HOOKS, RANK, SCHEDULE
from callproof.protocols.pipeline.trace import FAILED, LAWS, STARTED, Invocation, Line, Mark, Pipeline, every
from callproof.values.jsonvalue import as_integer

_ENDED_WITH_IT = frozenset({"phase", "decision", "mutation", "hook", "progress", "persistence"})
_ORDERED = frozenset({"preserve_terminal_order", "serial"})


def _with_phases(log: Pipeline) -> Iterator[Invocation]:
    """Invocations with two phases or more."""
    yield from (each for each in log.invocations if len(each.marks) > 1)


@LAWS.check("PIPE-02", each=_with_phases, needs=("phases",))
def phases_come_in_their_order(_log: Pipeline, one: Invocation) -> Iterator[Finding]:
    """No phase comes after a later one, and only three may come after the one that failed."""
    for mark, before in _strays(one):
        after_failure = before is one.failed and mark.phase not in AFTER_FAILURE
        yield Finding(
            f"{mark.phase} of {one.named} {mark.status} after {before.phase} {before.status}",
            f"after a phase that failed, only {', '.join(sorted(AFTER_FAILURE, key=RANK.__getitem__))}"
            if after_failure
            else "the order of the phases; a phase comes again only for a changed input or output",
            (before.line.witness("B"), mark.line.witness("P")),
        )


def _strays(one: Invocation) -> Iterator[tuple[Mark, Mark]]:
    """The phases that are out of order, each with the phase after which it may not come."""
    reached: Mark | None = None
    failed: Mark | None = None
    # Where each phase was last told.
    last: dict[str, int] = {}
    for mark in one.marks:
        since = last.get(mark.phase, -1)
        last[mark.phase] = mark.at
        if failed is not None and mark.phase not in AFTER_FAILURE and not _is_mapped_again(one, mark, since):
            yield mark, failed
        elif reached is not None and mark.rank < reached.rank and not _comes_again(one, reached, mark, since):
            yield mark, reached
        else:
            reached = mark
            failed = failed or (mark if mark.status == FAILED else None)


def _comes_again(one: Invocation, reached: Mark, mark: Mark, since: int) -> bool:
    if mark.phase == MAP:
        return reached.phase == POST_HOOKS and _is_mapped_again(one, mark, since)
    if mark.phase not in AGAIN or reached.rank > RANK[SCHEDULE]:
        return False
    changed = (line for line in one.between("decision", since, mark.at) if line.get("updated_input") is not None)
    return any(one.between("mutation", since, mark.at)) or any(changed)


def _is_mapped_again(one: Invocation, mark: Mark, since: int) -> bool:
    """Whether a mark is a mapping of what a hook changed since the last one."""
    return mark.phase == MAP and any(output_changes(one, since, mark.at))


def _ended(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Invocations that have ended, with the record that ends them."""
    for each in log.invocations:
        emitted = next((mark.line for mark in each.marks_of(EMIT) if mark.status != STARTED), None)
        ends = [line for line in (each.result, emitted) if line is not None]
        if ends:
            yield each, max(ends, key=lambda line: line.at)


@LAWS.check("PIPE-02", each=_ended)
def nothing_comes_after_its_end(_log: Pipeline, ended: tuple[Invocation, Line]) -> Iterator[Finding]:
    """After its result and its emit_terminal an invocation has events, and nothing else."""
    one, end = ended
    # If emit_terminal is told, a later phase is out of order, and another law reports it.
    kinds = _ENDED_WITH_IT - {"phase"} if one.marks_of(EMIT) else _ENDED_WITH_IT
    strays = [line for line in one.lines if line.at > end.at and line.kind in kinds]
    if strays:
        yield Finding(
            f"{one.named} had {len(strays)} more records after its end",
            "only events and repetitions of the invocation record",
            (end.witness("E"), strays[0].witness("R")),
        )


def _at_work(log: Pipeline) -> Iterator[Invocation]:
    """Invocations with progress."""
    yield from (each for each in log.invocations if each.of("progress"))


@LAWS.check("PIPE-02", each=_at_work)
def progress_counts_up(_log: Pipeline, one: Invocation) -> Iterator[Finding]:
    """Each progress record has a greater number than the one before it."""
    last: tuple[int, Line] | None = None
    for line in one.of("progress"):
        number = as_integer(line.get("sequence"))
        if number is None:
            continue
        if last is not None and number <= last[0]:
            yield Finding(
                f"the progress of {one.named} had the number {number} after {last[0]}",
                "numbers that rise",
                (last[1].witness("P1"), line.witness("P2")),
            )
            return
        last = number, line


def _ended_by_word(log: Pipeline) -> Iterator[tuple[Invocation, Line, Line]]:
    """Invocations with progress whose end an event told, that event, and their last progress."""
    for each in _at_work(log):
        ended = next((line for line in each.of("event") if line.text("event_type") in OUTCOMES), None)
        if ended is not None:
            yield each, ended, each.of("progress")[-1]


@LAWS.check("PIPE-02", each=_ended_by_word)
def progress_ends_with_the_invocation(_log: Pipeline, found: tuple[Invocation, Line, Line]) -> Iterator[Finding]:
    """No progress record follows the event that tells how the invocation ended."""
    one, ended, last = found
    # Another law reports progress after the result.
    if ended.at < last.at and (one.result is None or last.at < one.result.at):
        yield Finding(
            f"{one.named} had progress after {ended.text('event_type')}",
            "no progress after the end",
            (ended.witness("E"), last.witness("P")),
        )


def _overtaking(log: Pipeline) -> Iterator[tuple[Line, tuple[Invocation, Line], tuple[Invocation, Line]]]:
    """Under a policy that orders results: each result with the latest result of those that began before it."""
    latest: dict[tuple[str, str | None], tuple[Invocation, Line]] = {}
    for each in every(log):
        policy = log.policy_of(each)
        if policy is None or policy.text("ordering_policy") not in _ORDERED or each.result is None:
            continue
        group = policy.text("scheduler_policy_id") or "", each.last_text("batch_id")
        before = latest.get(group)
        if before is not None:
            yield policy, before, (each, each.result)
        if before is None or before[1].at < each.result.at:
            latest[group] = each, each.result


@LAWS.check("PIPE-02", each=_overtaking)
def results_come_in_the_order_of_their_policy(
    _log: Pipeline, found: tuple[Line, tuple[Invocation, Line], tuple[Invocation, Line]]
) -> Iterator[Finding]:
    """No terminal result overtakes that of an invocation that began before, if the policy keeps the order."""
    policy, (one, result), (other, overtook) = found
    if overtook.at < result.at:
        yield Finding(
            f"{other.named} began after {one.named}, but had its terminal result before it",
            f"the order in which they began, as the ordering_policy {policy.text('ordering_policy')} demands",
            (policy.witness("S"), overtook.witness("R2"), result.witness("R1")),
        )
