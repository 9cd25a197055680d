"""Checks for the requirements in ``spec/audit-log.md``: the run record, the lines, and calls and results together.

``audit_log_values`` has the checks that compare values (LOG-06, LOG-09, LOG-11 to LOG-13, LOG-16).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from callproof.checks.alterations import what_differs
from callproof.checks.belonging import missing_of, named_attempts, strays, unanswered
from callproof.checks.check import Finding, Witness, check, excerpt, witness
from callproof.checks.dispatching import ruling_policy, start_of, under_its_policy, writes
from callproof.checks.matters import Matter
from callproof.checks.members import member_finding, owner, places, told
from callproof.checks.policy_limits import unreadable_rules
from callproof.checks.subjects import calls, results, whole_run
from callproof.checks.unbuilt import misnamed, unlike_never_built
from callproof.trace.records import Kind, Record, order_of_instants
from callproof.trace.run import UNREAD, Attempt, Flaw, FlawKind, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import differences, is_array, leads

_DECISIONS = ("confirmation_rejected", "confirmation_expired")
# What the parser says if text from outside has broken a record.
_SPILT = ("Unterminated string", "Invalid control character")


def _on_record(run: Run) -> tuple[Run, ...]:
    """The run, unless it was refused before there was anything to record, or its record could not be read."""
    refused = run.witnessed is not None and run.witnessed.refusal is not None
    unread = any(flaw.kind in UNREAD and flaw.of is Kind.RUN for flaw in run.flaws)
    # Lines that name no run belong to no run and have no run record.
    nobody = run.run_record is None and not run.records and all(flaw.of is not Kind.RUN for flaw in run.flaws)
    return () if refused or unread or nobody or _has_a_torn_record(run) or (run.killed and not run.calls) else (run,)


def _has_a_torn_record(run: Run) -> bool:
    """Whether the run broke off in its record, which was the last thing that was written of it (LOG-05)."""
    kinds = {flaw.kind for flaw in run.flaws if flaw.of is Kind.RUN} - {FlawKind.NAMELESS}
    return run.run_record is None and kinds == {FlawKind.TORN} and not run.events_of("run.finished")


@check("LOG-01", each=_on_record)
def the_run_record_holds_plan_and_policy(run: Run, _same: Run) -> Iterator[Finding]:
    """There is a run record with a plan and a policy, both objects."""
    record = run.run_record
    if record is None:
        yield _no_record(run)
        return
    for name in ("plan", "policy"):
        if record.object(name) is None:
            yield member_finding(record, name, f"{name} is an object")
    if record.get("tools") is not None and not is_array(record.get("tools")):
        yield member_finding(record, "tools", "tools is an array of descriptors, or absent")
    for member, value, permitted in unreadable_rules(record.object("policy") or {}):
        yield Finding(f"the policy in the run record had {member} {excerpt(value)}", permitted, (witness("R", record),))


def _no_record(run: Run) -> Finding:
    permitted = "one JSON object with the plan, the policy and the confirmation"
    flaw = next((flaw for flaw in run.flaws if flaw.of is Kind.RUN and flaw.kind is not FlawKind.NAMELESS), None)
    if flaw is not None and flaw.kind is not FlawKind.MISSING:
        return _flaw_finding(flaw, permitted)
    # An absent run record cannot be a witness; another record of the run can.
    first = tuple(witness("R", each) for each in run.records[:1])
    told = flaw.says if flaw is not None else "the run has no run record"
    return Finding(told, permitted, first, misses=(Kind.RUN,))


def _decided(run: Run) -> Iterator[Record]:
    """The event that shows a decision on the confirmation; CONF-09 checks a run that needs none."""
    policy = ruling_policy(run)
    if policy is not None and policy.confirmations_required is False:
        return
    for event in run.events_of("run.confirmed", "run.cancelled"):
        payload = event.object("payload") or {}
        if event.text("type") == "run.confirmed" or payload.get("reason") in _DECISIONS:
            yield event
            return


@check("LOG-01", each=_decided, needs=("run record",))
def the_run_record_holds_the_confirmation(run: Run, event: Record) -> Iterator[Finding]:
    """Where a decision was made, the run record holds the confirmation (A83)."""
    record = run.run_record
    if record is not None and record.object("confirmation") is None:
        yield Finding(
            f"{owner(record)} {told(record, 'confirmation')}",
            "the confirmation, since a decision was made",
            (witness("R", record), witness("E", event)),
        )


def _files(run: Run) -> tuple[Run, ...]:
    """The run, if it was read from files; the log that a live run leaves behind is judged as a run of its own."""
    return (run,) if run.witnessed is None and (run.records or run.flaws) else ()


def _flaw_finding(flaw: Flaw, permitted: str) -> Finding:
    return Finding(f"{flaw.source}: {flaw.says}", permitted, (Witness("L", flaw.says, flaw.source),))


def _is_spilt(flaw: Flaw) -> bool:
    return flaw.kind is FlawKind.NOT_JSON and any(mark in flaw.says for mark in _SPILT)


def _tails(read: Run) -> frozenset[tuple[str, int]]:
    """The lines after a line that broke within a string: they hold the rest of the same record."""
    return frozenset((flaw.source.file, flaw.source.line + 1) for flaw in read.flaws if _is_spilt(flaw))


@check("LOG-02", each=_files)
def one_object_a_line(_run: Run, read: Run) -> Iterator[Finding]:
    """Every line is one JSON object in UTF-8."""
    tails = _tails(read)
    for flaw in read.flaws:
        kinds = (FlawKind.NOT_JSON, FlawKind.NOT_AN_OBJECT, FlawKind.BYTES, FlawKind.BLANK)
        tail = (flaw.source.file, flaw.source.line) in tails
        # LOG-01 reports a run record that cannot be read, unless another one of the run can (A89).
        own = flaw.of is not Kind.RUN or read.run_record is not None
        if flaw.kind in kinds and not _is_spilt(flaw) and not tail and own:
            yield _flaw_finding(flaw, "one JSON object a line, in UTF-8 without a byte order mark")


@check("LOG-03", each=_files)
def nothing_that_two_readers_read_differently(_run: Run, read: Run) -> Iterator[Finding]:
    """No duplicate members, no NaN or infinity, no lone surrogate."""
    for flaw in read.flaws:
        if flaw.kind is FlawKind.NOT_STRICT:
            yield _flaw_finding(flaw, "JSON that every parser reads in the same way")


@check("LOG-04", each=_files)
def text_stays_inside_its_string(_run: Run, read: Run) -> Iterator[Finding]:
    """No line breaks off within a string."""
    for flaw in read.flaws:
        if _is_spilt(flaw):
            yield _flaw_finding(flaw, "one record is one line: line feeds in text are escaped, and no line is cut off")


@check("LOG-05", each=_files)
def only_a_broken_run_ends_in_a_torn_line(_run: Run, read: Run) -> Iterator[Finding]:
    """In a run with run.finished no line is torn."""
    finished = read.events_of("run.finished")
    for flaw in read.flaws:
        if flaw.kind is FlawKind.TORN and finished:
            yield _flaw_finding(flaw, "only the last line of a run without run.finished may be cut off")


def _finished(run: Run) -> tuple[Attempt, ...]:
    return named_attempts(run) if run.finished else ()


@check("LOG-07", each=_finished)
def calls_and_results_match(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """In a finished run every call has one result."""
    if len(attempt.results) > 1 or attempt.call.call_id in unanswered(run):
        yield Finding(
            f"{owner(attempt.call)} had {len(attempt.results) or 'no'} results in a run that finished",
            "one result for every call",
            (witness("C", attempt.call), *(witness(f"R{n}", each) for n, each in enumerate(attempt.results[:2], 1))),
            matter=Matter.SEVERAL_RESULTS if attempt.results else Matter.NO_RESULT,
            misses=() if attempt.results else missing_of(run, Kind.RESULT, len(unanswered(run))),
        )


def _broken_off(run: Run) -> tuple[Run, ...]:
    return () if run.finished or not run.calls else (run,)


@check("LOG-08", each=_broken_off, needs=("events", "policy"))
def a_broken_run_left_few_calls_open(run: Run, _same: Run) -> Iterator[Finding]:
    """In an unfinished run no more calls are open than maxConcurrency."""
    limit = run.policy.max_concurrency if run.policy else 1
    left = [each for each in run.attempts if each.events_of("step.started") and not each.results]
    if len(left) > limit:
        yield Finding(
            f"{len(left)} calls were started and had no result when the log broke off",
            f"at most {limit}, which is maxConcurrency",
            tuple(witness(f"C{n}", each.call) for n, each in enumerate(left[: limit + 1], 1)),
            misses=missing_of(run, Kind.RESULT, len(left) - limit),
        )


@check("LOG-10", each=calls, needs=("policy",))
def the_policy_of_the_run_is_that_of_its_calls(run: Run, call: Record) -> Iterator[Finding]:
    """The policy in the run record equals the policy on each call."""
    if run.policy is not None and run.run_record is not None and id(call) not in under_its_policy(run):
        where = tuple(differences(run.policy.value, call.get("policy")))
        yield Finding(
            f"{owner(call)} carried another policy than the run record: they differ at {places(where)}",
            "the policy of the run on each of its calls",
            (witness("C", call), witness("R", run.run_record)),
            because=what_differs(where, run.policy.value, call.get("policy")),
        )


def _after_the_latest(run: Run) -> Iterator[tuple[Record, Record]]:
    latest: Record | None = None
    for call in run.calls:
        moment = call.moment
        if moment is None:
            continue
        if latest is not None:
            yield latest, call
        if latest is None or latest.moment is None or latest.moment.nanoseconds < moment.nanoseconds:
            latest = call


@check("LOG-14", each=_after_the_latest)
def calls_stand_in_the_order_of_creation(_run: Run, pair: tuple[Record, Record]) -> Iterator[Finding]:
    """createdAt does not decrease along the calls beyond the tolerance."""
    before, call = pair
    if order_of_instants(before.moment, call.moment) == 1:
        yield Finding(
            f"{owner(call)} {told(call, 'createdAt')} and stands after {owner(before)}",
            f"not before {before.text('createdAt')}",
            (witness("C1", before), witness("C2", call)),
        )


def _marked(run: Run) -> Iterator[tuple[Record, Json]]:
    for record in (*run.records, *((run.run_record,) if run.run_record is not None else ())):
        marks = record.get("redacted")
        if is_array(marks):
            yield from ((record, pointer) for pointer in marks)
        elif marks is not None:
            yield record, None


@check("LOG-17", each=_marked)
def a_redaction_mark_leads_somewhere(_run: Run, subject: tuple[Record, Json]) -> Iterator[Finding]:
    """Each redaction pointer leads to a place in its record, and the pointers stand in an array."""
    record, pointer = subject
    if pointer is None and not is_array(record.get("redacted")):
        yield member_finding(record, "redacted", "an array of JSON Pointers into the record, or absent")
    elif not isinstance(pointer, str) or not leads(pointer, record.value):
        yield Finding(
            f"{owner(record)} marked {excerpt(pointer)} as redacted, and there is no such place",
            "a JSON Pointer into the record",
            (witness("R", record),),
        )


def _in_need_of_proof(run: Run) -> Iterator[Attempt]:
    if run.events is None and run.policy is not None and run.policy.confirmations_required:
        for attempt in run.attempts:
            if attempt.dispatched and writes(run, attempt):
                yield attempt


@check("LOG-18", each=_in_need_of_proof, needs=("run record",))
def the_confirmation_is_provable_without_events(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """Without events the run record shows an approval before the first dispatch that needs one."""
    yield from _unproved(run, attempt, "no events are on record")


def _unproved(run: Run, attempt: Attempt, without: str) -> Iterator[Finding]:
    record = run.run_record
    confirmation = (record.object("confirmation") if record is not None else None) or {}
    told = Record(attempt.call.kind, confirmation, attempt.call.source)
    decided = told.instant("decidedAt")
    missing = [name for name in ("confirmationId", "decidedAt") if not told.text(name)]
    if confirmation.get("decision") != "approved":
        observed = f"the run record had the decision {excerpt(confirmation.get('decision'))}"
    elif missing or decided is None:
        observed = f"the run record had a confirmation without a usable {' and '.join(missing) or 'decidedAt'}"
    elif order_of_instants(decided, start_of(attempt)) == 1:
        observed = f"the run was confirmed at {confirmation.get('decidedAt')}, after the dispatch"
    else:
        return
    yield Finding(
        f"{owner(attempt.call)} was dispatched, {without}, and {observed}",
        "an id, the decision approved, and an instant not after the dispatch",
        (witness("C", attempt.call), *((witness("R", record),) if record is not None else ())),
        misses=(Kind.EVENT,),
    )


def _without_its_events(run: Run) -> Iterator[tuple[Run, Attempt]]:
    """The same calls in the log that a live run left, without its events (B-36)."""
    if run.audit is not None and run.audit.events is not None:
        bare = replace(run.audit, events=None)
        yield from ((bare, attempt) for attempt in _in_need_of_proof(bare))


@check("LOG-18", each=_without_its_events, needs=("audit log",))
def the_confirmation_outlives_the_events(_run: Run, subject: tuple[Run, Attempt]) -> Iterator[Finding]:
    """The log of a run proves its confirmation even if its events are lost."""
    bare, attempt = subject
    yield from _unproved(bare, attempt, "the events were set aside")


def _run_records(run: Run) -> tuple[Record, ...]:
    return (run.run_record,) if run.run_record is not None else ()


@check("LOG-19", each=_run_records)
def the_log_names_its_version(_run: Run, record: Record) -> Iterator[Finding]:
    """The run record names the version of the specification."""
    if not record.text("specVersion"):
        yield member_finding(record, "specVersion", 'the version of the specification, such as "1.0"')


@check("LOG-22", each=whole_run)
def one_run_one_folder(run: Run, _same: Run) -> Iterator[Finding]:
    """The files of a run hold no records of another."""
    permitted = f"these are the files of run {excerpt(run.run_id)}"
    for record in strays(run):
        yield member_finding(record, "runId", permitted)
    others: dict[str | None, list[Record]] = {}
    for record in run.strays:
        others.setdefault(record.text("runId"), []).append(record)
    for name, records in others.items():
        yield Finding(
            f"among the records of run {excerpt(run.run_id)} were {len(records)} of run {excerpt(name)}",
            permitted,
            tuple(witness("R", each) for each in records[:1]),
            help="give each run its own folder; no other law was checked on the records of the other run",
        )


def _without_calls(run: Run) -> tuple[Record, ...]:
    return results(run) if not run.calls else ()


@check("LOG-23", each=_without_calls)
def a_run_without_calls_has_only_unbuilt_results(run: Run, result: Record) -> Iterator[Finding]:
    """In a run without calls every result is of a call that was never built."""
    unlike = unlike_never_built(run, result)
    for matter, permitted in () if unlike else misnamed(run, result):
        observed = f"{owner(result)} was recorded in a run without calls, and {told(result, matter.value)}"
        yield Finding(observed, permitted, (witness("R", result),), matter=matter, misses=(Kind.CALL,))
    if unlike:
        yield Finding(
            f"{owner(result)} was recorded in a run without calls, and {unlike}",
            "results of calls that were never built: skipped, or a VALIDATION_ERROR",
            (witness("R", result),),
            matter=Matter.NO_CALL,
            misses=(Kind.CALL,),
        )
