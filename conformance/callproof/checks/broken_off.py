"""Laws of runs that broke off: the system was killed, its files could not grow (SC-25), or it wrote garbled lines."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.belonging import lines_of
from callproof.checks.check import Finding, Witness, check, witness
from callproof.checks.matters import Matter
from callproof.checks.scenario_facts import deaths, died
from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed

_KINDS = (Kind.CALL, Kind.RESULT, Kind.EVENT)


def _deeds_of_the_killed(run: Run) -> tuple[Deed, ...]:
    return (run.deeds or ()) if run.killed and run.audit is not None and not run.audit.is_unread(Kind.CALL) else ()


@once_a_run
def _gone(run: Run) -> frozenset[str]:
    """The calls whose tools were entered and that the log lacks, if its unread lines cannot hold all of them."""
    if run.audit is None:
        return frozenset()
    lacking = frozenset(each.call_id for each in run.deeds or ()) - run.audit.attempt_by_call_id.keys()
    unread = lines_of(run.audit, Kind.CALL)
    return lacking if len(lacking) > unread else frozenset()


@check("CALL-21", each=_deeds_of_the_killed, needs=("deeds", "audit log"))
def what_was_entered_outlives_the_system(run: Run, deed: Deed) -> Iterator[Finding]:
    """Where the system was killed, its log holds the call of every tool that had been entered."""
    if deed.call_id in _gone(run):
        yield Finding(
            f"{deed.tool} had been entered for call {deed.call_id}, which is not in the log of the killed system",
            "the record of a call is durable before its tool is entered",
            (witness("D", deed),),
        )


def _filled(run: Run) -> tuple[Run, ...]:
    """The run, if it was not killed and its files could not grow to hold its whole log."""
    return (run,) if _lost(run) is not None and not run.killed else ()


def _lost(run: Run) -> Record | None:
    """The first record that the system sent and that is not in the files."""
    if run.audit is None or not run.cut_short or any(map(run.audit.is_unread, Kind)):
        return None
    log = run.audit
    kinds = ((run.calls, log.calls), (run.results, log.results), (run.events or (), log.events or ()))
    held = (len(written) + lines_of(log, kind) for kind, (_, written) in zip(_KINDS, kinds))
    missing = [record for (told, _), lines in zip(kinds, held) for record in told[lines:]]
    if run.audit.run_record is None and run.run_record is not None:
        missing.append(run.run_record)
    return min(missing, key=lambda each: each.arrival or 0, default=None)


@check("LOG-15", each=_filled, needs=("deeds", "audit log", "registry"))
def what_cannot_be_logged_is_not_done(run: Run, _same: Run) -> Iterator[Finding]:
    """After the first record that could not be logged, no tool is entered that writes or runs commands."""
    lost = _lost(run)
    for deed in run.deeds or ():
        tool = run.registry.resolve(deed.tool) if run.registry is not None else None
        harmless = tool is not None and tool.value.get("riskLevel") == "read-only"
        if lost is not None and deed.arrival > (lost.arrival or 0) and not harmless:
            yield Finding(
                f"{deed.tool} was entered after a record that is not in the log",
                "no tool that writes or runs commands, once the log cannot be written",
                (witness("R", lost), witness("D", deed)),
            )
            return


@check("DEP-15", each=_filled, needs=("deeds", "audit log"))
def a_full_disk_ends_no_run_halfway(run: Run, _same: Run) -> Iterator[Finding]:
    """Where the log cannot be written, every call on the wire still has its result, and the run ends."""
    for attempt in run.attempts:
        if attempt.result is None:
            yield Finding(
                f"call {attempt.call.call_id} has no result, in a run whose log could not be written",
                "an error inside the executor becomes a result",
                (witness("C", attempt.call),),
            )
    if not run.finished:
        last: tuple[Witness, ...] = tuple(witness("R", each) for each in run.records[-1:])
        yield Finding("the run did not finish, and its log could not be written", "the run still finishes", last)


@check("DEP-15", each=deaths("DEP-15"), needs=("deeds",))
def a_disk_that_is_full_kills_nobody(_run: Run, subject: Run) -> Iterator[Finding]:
    """A system does not die of a log that it cannot write."""
    yield from died(subject)


def _garbled(run: Run) -> tuple[Run, ...]:
    facts = run.witnessed.expectations if run.witnessed is not None else None
    return (run,) if "garbled" in (facts or {}) else ()


@check("RES-22", each=_garbled, needs=("deeds",))
def output_that_json_cannot_hold_breaks_no_line(run: Run, _same: Run) -> Iterator[Finding]:
    """What a tool returned does not leave the system as a line that is no JSON."""
    yield Finding(
        "the system wrote a line that is not strict JSON in this case, and again after a restart",
        "an error instead of output that JSON cannot hold",
        tuple(witness("D", deed) for deed in (run.deeds or ())[-1:]),
        ("a broken line that repeats is evidence, not an accident of the adapter (A78)",),
        matter=Matter.DEATH,
    )
