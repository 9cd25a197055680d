"""Checks that the records of a case are complete and of this case: its runs, what the suite gives, what it sees."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from callproof.live.canaries import canaries_of
from callproof.live.case import Case, Hardship
from callproof.replay.codec import to_json
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Given, Witnessed
from callproof.values.jsontext import Json

# What the suite records about a case that the system did not survive (A78).
_ENDS = ("died", "garbled")


class AnotherCase(ValueError):
    """Records are not of the case that they name, or not of all of it: which run, and what differs."""


def refuse_another_case(case: Case, run: Run, claims: Collection[str]) -> None:
    """
    Refuse the records of a case that are not exactly of that case, whole, for a system with these claims.

    What is left out would not be judged: a law that is kept in other cases would count as kept.  Raises
    AnotherCase.
    """
    meant = (case, *(replace(each.case, hardship=Hardship()) for each in case.company))
    if _end(case, run):  # if the system did not survive, only the case's own run is kept
        meant = meant[:1]
    shipped = (run, *run.siblings)
    wanted, found = [each.id for each in meant], [each.name for each in shipped]
    if wanted != found:
        raise AnotherCase(
            f"{case.id}: the records hold the runs {', '.join(found)}, but the case has {', '.join(wanted)}"
        )
    for each, seen in zip(meant, shipped, strict=True):
        for told in _differences(each, seen, claims):
            raise AnotherCase(f"{each.id}: {told}")


def _differences(case: Case, run: Run, claims: Collection[str]) -> Iterator[str]:
    seen = run.witnessed
    if seen is None:
        yield "what the suite saw is missing"
        return
    if to_json(seen.given) != to_json(Given(case.plan, case.policy, case.descriptors)):
        yield "the plan, policy or tools are not those that the suite gives"
    if to_json(seen.expectations) != to_json({**case.facts, **_end(case, run)}):
        yield "what the case expects is not what the suite expects"
    if seen.canaries != canaries_of(case):
        yield "the secrets are not those that the suite plants"
    if seen.virtual_clock != ("virtualClock" in claims):
        yield "its clock is not the one that the claims require"
    if not _acts_fit(case, seen):
        yield "the acts of the suite are not those of the case"
    yield from _left_out(case, run, seen, claims)


def _left_out(case: Case, run: Run, seen: Witnessed, claims: Collection[str]) -> Iterator[str]:
    """What is missing of the things that the suite looks at in every case."""
    if run.events is None and "events" in claims:
        yield "its events are missing"
    has_a_log = "auditLog" in claims and seen.refusal is None and not _end(case, run)
    if has_a_log != (run.audit is not None):
        yield "its log is missing" if has_a_log else "there is a log, but none is expected"
    if seen.world is None or (seen.world.at_the_end is None) != (seen.finished_arrival is None):
        yield "a snapshot of the folder is missing"


def _acts_fit(case: Case, seen: Witnessed) -> bool:
    """Whether the suite starts the run, and otherwise does only what the case makes it do."""
    kinds = [each.kind for each in seen.acts]
    moves = {move.act for move in case.timeline}
    if case.hardship.kill_after is not None:
        moves.add(ActKind.KILL)
    return kinds[:1] == [ActKind.START] and moves.issuperset(kinds[1:])


def _end(case: Case, run: Run) -> Mapping[str, Json]:
    """The facts that say that the system did not survive, which only a case that tempts it to die may have."""
    facts = run.witnessed.expectations if run.witnessed is not None else None
    proves = list(case.death_proves)
    return {name: proves for name in _ENDS if proves and facts and name in facts}
