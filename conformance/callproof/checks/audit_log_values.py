"""Checks for ``spec/audit-log.md`` that compare values: within the log, with what was given, with what was seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from callproof.checks.alterations import Alteration, alterations, kind_of, what_differs
from callproof.checks.belonging import in_their_places, torn_lines
from callproof.checks.check import Finding, check, excerpt, parting, witness
from callproof.checks.divergence import made_of
from callproof.checks.members import names_in, owner, places, strings_in, under_any
from callproof.checks.subjects import whole_run
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.trace.witnesses import AnswerKind
from callproof.values.counts import counted, was
from callproof.values.jsontext import Json, shortest_text
from callproof.values.jsonvalue import differences, equal

# Text for people: the chapter on messages checks it for secrets (MSG-01, MSG-03, MSG-06 and MSG-07).
_FOR_PEOPLE = ("/userMessage", "/debugMessage", "/message", "/error/message")


def _recorded(run: Run) -> Iterator[tuple[Materialised, Site]]:
    """Every argument on record with what the plan and the results make of it."""
    for each in materialised(run):
        if isinstance(each.subject, Record):
            yield from ((each, site) for site in each.sites)


@check("LOG-06", each=_recorded, needs=("plan",))
def the_log_tells_how_the_arguments_came_about(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """The plan, resolved with the logged results, gives the logged args."""
    found, site = subject
    if site.differs or site.lacking:
        held = excerpt(site.held) if site.present else "nothing"
        given = excerpt(site.wanted[0]) if site.wanted else "something"
        yield Finding(
            f"{owner(found.call)} had {held} at /args{site.pointer}",
            f"the plan and the results on record give {given}",
            made_of(run, found, site),
            (
                f"the plan says {excerpt(site.template)}",
                *(clause for each in site.wanted[:1] for clause in parting(site.held, each)),
            ),
        )


def _built_of_nothing(run: Run) -> Iterator[tuple[Materialised, Site]]:
    """Arguments on record of calls that reached no tool, with a reference that leads to nothing (A2)."""
    for found, site in _recorded(run):
        attempt = run.attempt_by_call_id.get(found.call.call_id or "")
        if site.unresolved is not None and attempt is not None and not attempt.dispatched:
            yield found, site


@check("LOG-06", each=_built_of_nothing, needs=("plan",))
def a_reference_to_nothing_gives_no_arguments(run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """No call is on record of which a reference leads to nothing; REF-04 and REF-17 are about dispatched ones."""
    found, site = subject
    held = excerpt(site.held) if site.present else "nothing"
    yield Finding(
        f"{owner(found.call)} was recorded, although {site.unresolved}",
        "no call: without that value there are no arguments, and the step leaves a result and an event",
        made_of(run, found, site),
        (f"the plan says {excerpt(site.template)} at /args{site.pointer}, and the call had {held} there",),
    )


@check("LOG-09", each=whole_run, needs=("deeds", "run record"))
def the_plan_is_the_plan_that_was_given(run: Run, _same: Run) -> Iterator[Finding]:
    """The plan in the run record, on the wire and in the file, is the plan that was given."""
    records = (run.run_record, run.audit.run_record if run.audit is not None else None)
    for record in (each for each in records if each is not None and run.given is not None):
        given = run.given.plan if run.given is not None else None
        changed = _unaltered(given, record.get("plan"))
        other = tuple(each for each in changed if not under_any(f"/plan{each}", record.redacted))
        if other:
            yield Finding(
                f"{owner(record)} had a plan that differs from the given one at {places(other)}",
                "the plan as it was given",
                (witness("R", record),),
                because=what_differs(other, given, record.get("plan")),
            )


def _unaltered(meant: Json, found: Json) -> Iterator[str]:
    return (pointer for pointer, kind in alterations(meant, found) if kind is Alteration.OTHER)


def _copies(run: Run) -> Iterator[tuple[Record, str, Json, Json]]:
    """Values that stand in the log and elsewhere: the record, the place in it, the original value, the logged one."""
    if run.given is not None and run.run_record is not None:
        yield run.run_record, "/plan", run.given.plan, run.run_record.get("plan")
        yield run.run_record, "/policy", run.given.policy, run.run_record.get("policy")
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            yield attempt.call, "/args", deed.args, attempt.call.get("args")
            answer, result = deed.answer, attempt.result
            if answer is not None and answer.kind is AnswerKind.OUTPUT and result is not None and result.has("data"):
                yield result, "/data", answer.data, result.get("data")


def _unlike(copy: tuple[Record, str, Json, Json], alteration: Alteration) -> Iterator[Finding]:
    record, where, meant, logged = copy
    marks = record.redacted
    for pointer, kind in alterations(meant, logged):
        if kind is alteration and not under_any(where + pointer, marks):
            observed = f"{owner(record)} differs at {where}{pointer} from the original value: {alteration.value}"
            shown = what_differs([pointer], meant, logged)
            yield Finding(observed, "every value unchanged", (witness("R", record),), because=shown)


@check("LOG-11", each=_copies, needs=("deeds",))
def numbers_are_logged_as_they_were(_run: Run, copy: tuple[Record, str, Json, Json]) -> Iterator[Finding]:
    """No number in the log lost digits on its way."""
    return _unlike(copy, Alteration.ROUNDED)


@check("LOG-12", each=_copies, needs=("deeds",))
def strings_are_logged_as_they_were(_run: Run, copy: tuple[Record, str, Json, Json]) -> Iterator[Finding]:
    """No string in the log lost code points on its way."""
    return _unlike(copy, Alteration.RESPELT)


def _altered(subject: tuple[Materialised, Site], alteration: Alteration) -> Iterator[Finding]:
    call, site = subject[0].call, subject[1]
    if not (site.differs and site.present):
        return
    # Numbers inside text may be spelt in two ways; either of the two forms may have been altered.
    altered = [each for each in site.wanted if kind_of(each, site.held) is alteration]
    if altered:
        observed = f"{owner(call)} had {excerpt(site.held)} at /args{site.pointer}: {alteration.value}"
        permitted = f"the plan and the results on record give {excerpt(altered[0])}"
        yield Finding(observed, permitted, (witness("C", call),))


@check("LOG-11", each=_recorded, needs=("plan",))
def numbers_keep_their_value(_run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """No argument on record is a rounded form of what the plan and the results give."""
    return _altered(subject, Alteration.ROUNDED)


@check("LOG-12", each=_recorded, needs=("plan",))
def strings_keep_their_code_points(_run: Run, subject: tuple[Materialised, Site]) -> Iterator[Finding]:
    """No argument on record is a trimmed, cut or normalised form of what the plan and the results give."""
    return _altered(subject, Alteration.RESPELT)


# A kind, its records on the wire, and its lines in the file: None for an unreadable line, which LOG-02 reports.
_Written = tuple[str, tuple[Record, ...], tuple[Record | None, ...]]


def _written(run: Run) -> Iterator[_Written]:
    """What was recorded on the wire and what the files hold at the end, kind by kind; EVT-20 checks events."""
    for kind, told in ((Kind.CALL, run.calls), (Kind.RESULT, run.results)):
        if run.audit is not None and not run.audit.is_unread(kind):
            lines = in_their_places(run.audit, kind, run.audit.calls if kind is Kind.CALL else run.audit.results)
            if lines is not None:
                yield kind.value, told, lines


@check("LOG-13", each=_written, needs=("audit log",))
def a_record_stays_as_it_was(run: Run, subject: _Written) -> Iterator[Finding]:
    """The records of the wire stand in the files, unchanged and in order."""
    kind, told, written = subject
    for one, other in zip(told, written):
        if other is not None and not equal(one.value, other.value):
            where = places(differences(one.value, other.value))
            seen = (witness("R1", one), witness("R2", other))
            yield Finding(f"{owner(one)} and its line in the file differ at {where}", "the record as written", seen)
    if len(told) != len(written) and not run.cut_short:
        yield Finding(
            f"{counted(len(told), f'{kind} record')} {was(len(told))} written, and {kind}s.jsonl has {len(written)}",
            "every record, once",
            tuple(witness("R", each) for each in [each for each in (*told, *written) if each is not None][-1:]),
            because=torn_lines(run.audit, Kind(kind)) if run.audit is not None else (),
        )


def _where_secrets_were_planted(run: Run) -> tuple[Record, ...]:
    if run.witnessed is None or not run.witnessed.canaries:
        return ()
    return (*run.records, *((run.run_record,) if run.run_record is not None else ()))


def _may_hold(record: Record, canaries: tuple[str, ...]) -> bool:
    """Whether a secret may stand anywhere in a record, by its text: hardly any record holds one."""
    text = shortest_text(record.value)
    # JSON writes each character by itself, so a part of a string is also a part of its text.
    secrets = map(shortest_text, canaries)
    return text is None or any(secret is None or secret[1:-1] in text for secret in secrets)


@check("LOG-16", each=_where_secrets_were_planted, needs=("deeds",))
def credentials_stay_out(run: Run, record: Record) -> Iterator[Finding]:
    """No planted secret stands in a record, outside the text for people."""
    canaries = run.witnessed.canaries if run.witnessed is not None else ()
    for_people = _FOR_PEOPLE if record.kind in (Kind.RESULT, Kind.EVENT) else ()
    if not _may_hold(record, canaries):
        return
    for pointer, text in chain(strings_in(record.value), names_in(record.value)):
        if any(canary in text for canary in canaries) and pointer not in for_people:
            yield Finding(
                f"{owner(record)} held a planted secret at {pointer}",
                "credentials never reach the log",
                (witness("R", record),),
            )
