"""Checks for the requirements in ``spec/confirmation.md`` about what the records say about the decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding, Witness, check, excerpt, witness
from callproof.checks.dispatching import ruling_policy, start_of, was_dispatched, writes
from callproof.checks.failures import untold_cancellation
from callproof.checks.matters import Matter
from callproof.checks.members import owner, told, under_any
from callproof.checks.subjects import calls
from callproof.checks.timeouts import SLACK_MS
from callproof.trace.once import once_a_run
from callproof.trace.plan import Policy
from callproof.trace.records import Kind, Record, order, order_of_instants
from callproof.trace.registry import WRITING_RISKS
from callproof.trace.run import Attempt, Run
from callproof.values.canonical import sha256_of
from callproof.values.instants import parse_instant
from callproof.values.jsontext import Json

EXPIRED = "confirmation_expired"
REASONS = ("confirmation_rejected", EXPIRED)
_REQUESTED, _CONFIRMED, _CANCELLED = "run.confirmationRequested", "run.confirmed", "run.cancelled"


def required(run: Run) -> bool:
    """Whether the run's policy requires confirmation."""
    policy = ruling_policy(run)
    return policy is not None and policy.confirmations_required is True


def confirmation_of(run: Run) -> Mapping[str, Json] | None:
    """The decision as run.json records it."""
    return run.run_record.object("confirmation") if run.run_record is not None else None


def _named(event: Record) -> str | None:
    name = (event.object("payload") or {}).get("confirmationId")
    return name if isinstance(name, str) else None


def _reason(event: Record) -> Json:
    return (event.object("payload") or {}).get("reason")


def _refusals(run: Run) -> Iterator[Record]:
    """The cancellations that report a rejection, with a reason that is not redacted (A42)."""
    for event in run.events_of(_CANCELLED):
        if _reason(event) in REASONS and not under_any("/payload/reason", event.redacted):
            yield event


@once_a_run
def _known_ids(run: Run) -> frozenset[str]:
    """Every id under which this run's confirmation is on record."""
    recorded = (confirmation_of(run) or {}).get("confirmationId")
    events = [_named(event) for event in run.events_of(_REQUESTED, _CONFIRMED)]
    return frozenset(each for each in (recorded, *events) if isinstance(each, str))


def _record(run: Run) -> tuple[Witness, ...]:
    return (witness("P", run.run_record),) if run.run_record is not None else ()


def _confirmable(run: Run) -> tuple[Record, ...]:
    return run.calls if required(run) else ()


@once_a_run
def _agreed(run: Run) -> bool:
    """Whether several calls agree on one confirmation, so that the run record may be the wrong one."""
    named = [name for call in run.calls if isinstance(name := call.get("confirmationId"), str)]
    return len(named) > 1 and len(set(named)) == 1


@check("CONF-03", each=_confirmable, needs=("policy",))
def calls_carry_their_confirmation(run: Run, call: Record) -> Iterator[Finding]:
    """A call that writes or runs commands names the run's confirmation; no call names another one."""
    name, known = call.get("confirmationId"), _known_ids(run)
    tool = run.registry.resolve(call.text("tool") or "") if run.registry is not None else None
    risk = tool.risk_level if tool is not None else call.text("riskLevel")
    if not isinstance(name, str) and risk in WRITING_RISKS:
        yield Finding(
            f"{owner(call)} {told(call, 'confirmationId')}",
            f"the confirmationId of the run: {', '.join(sorted(known)) or 'none is on record'}",
            (witness("C", call),),
            (f"the risk level of {call.text('tool')} is {risk}",),
        )
    elif name is not None and known and not (isinstance(name, str) and name in known):
        yield Finding(
            f"{owner(call)} {told(call, 'confirmationId')}",
            f"the confirmationId of the run: {', '.join(sorted(known))}",
            (witness("C", call), *_record(run)),
            ("every call that names one names this one",) if _agreed(run) else (),
            matter=Matter.CONFIRMATION_ID,
        )


def _rests_on_a_decision(run: Run) -> bool:
    """Whether a call began that needed a decision; a run that was cancelled undecided may have read (CONF-02)."""
    undecided = bool(run.events_of("run.cancelled")) and not run.events_of(_CONFIRMED)
    return any(was_dispatched(each) and (writes(run, each) or not undecided) for each in run.attempts)


def _decided(run: Run) -> Iterator[Run]:
    """Runs that require confirmation and in which somebody decided, or something was dispatched."""
    decided = confirmation_of(run) is not None or run.events_of(_CONFIRMED)
    if required(run) and (decided or _rests_on_a_decision(run)):
        yield run


@check("CONF-04", each=_decided, needs=("policy",))
def the_decision_is_in_the_run_record(run: Run, _subject: Run) -> Iterator[Finding]:
    """A run that was confirmed, or that dispatched a call, has its confirmation in run.json."""
    # A run that died between the answer and its first call may not have written the confirmation yet.
    confirmed = run.events_of(_CONFIRMED)
    if confirmation_of(run) is None and (run.finished or _rests_on_a_decision(run)):
        yield Finding(
            f"{'the run was confirmed' if confirmed else 'calls began'}, and run.json holds no confirmation",
            "the confirmation in run.json",
            (*_record(run), *(witness("E", event) for event in confirmed)),
            misses=() if confirmed else (Kind.EVENT,),  # the calls may only have read, in a run cancelled undecided
        )


@check("CONF-04", each=lambda run: _decided(run) if confirmation_of(run) is not None else (), needs=("policy",))
def the_decision_has_its_moment(run: Run, _subject: Run) -> Iterator[Finding]:
    """The confirmation in run.json tells when it was decided; TIME-09 checks that this is an instant."""
    decided = (confirmation_of(run) or {}).get("decidedAt")
    if decided is None:
        yield Finding("the confirmation in run.json had no decidedAt", "the instant of the decision", _record(run))


@check("CONF-04", each=lambda run: _decided(run) if confirmation_of(run) is not None else (), needs=("policy",))
def the_decision_has_its_id(run: Run, _subject: Run) -> Iterator[Finding]:
    """The confirmation in run.json has an id; another check reports an id that differs from that of the events."""
    name = (confirmation_of(run) or {}).get("confirmationId")
    named_otherwise = any(_named(event) != name for event in run.events_of(_REQUESTED, _CONFIRMED))
    if not (isinstance(name, str) and name) and not named_otherwise:
        yield Finding(
            f"the confirmation in run.json had the confirmationId {excerpt(name)}",
            "a string that is not empty, which calls and events name",
            _record(run),
        )


@check("CONF-04", each=lambda run: _decided(run) if confirmation_of(run) is not None else (), needs=("policy",))
def the_decision_is_one_of_two(run: Run, _subject: Run) -> Iterator[Finding]:
    """The confirmation in run.json tells what was decided; an expired request counts as rejected (A72)."""
    decision = (confirmation_of(run) or {}).get("decision")
    approved = run.events_of(_CONFIRMED)  # events_tell_the_same_decision reports what the events deny
    if decision not in ("approved", "rejected") and not approved:
        yield Finding(
            f"the confirmation in run.json had the decision {excerpt(decision)}",
            "approved or rejected; an expired request counts as rejected",
            _record(run),
        )


@check("CONF-04", each=_decided, needs=("policy", "events"))
def events_tell_the_same_decision(run: Run, _subject: Run) -> Iterator[Finding]:
    """Events name the confirmation of run.json and agree with its decision."""
    decision = confirmation_of(run)
    if decision is None:
        return
    for event in run.events_of(_REQUESTED, _CONFIRMED, _CANCELLED):
        left_out = event.text("type") == _CANCELLED and (event.object("payload") or {}).get("confirmationId") is None
        if _named(event) != decision.get("confirmationId") and not left_out:
            yield Finding(
                f"{event.text('type')} named the confirmation {_named(event)}",
                f"{excerpt(decision.get('confirmationId'))}, as in run.json",
                (witness("E", event), *_record(run)),
            )
    answer = next(iter(run.events_of(_CONFIRMED, _CANCELLED)), None)
    if answer is None:
        return
    approved = answer.text("type") == _CONFIRMED
    if approved is not (decision.get("decision") == "approved"):
        yield Finding(
            f"the events answered the request with {answer.text('type')}",
            f"the decision {excerpt(decision.get('decision'))}, as in run.json",
            (witness("E", answer), *_record(run)),
            matter=Matter.ANSWER,
            misses=() if approved else (Kind.EVENT,),
            before=answer.source,
        )


@check("CONF-04", each=_decided, needs=("policy", "events"))
def nobody_decides_before_being_asked(run: Run, _subject: Run) -> Iterator[Finding]:
    """The instant of the decision is not before the event that asked for it."""
    decided = (confirmation_of(run) or {}).get("decidedAt")
    for asked in run.events_of(_REQUESTED)[:1]:
        if order_of_instants(parse_instant(decided), asked.moment) == -1:
            yield Finding(
                f"the confirmation in run.json was decided at {decided}, but requested at {asked.text('timestamp')}",
                "a decision made after the request",
                (witness("E", asked), *_record(run)),
            )


@check("CONF-04", each=_decided, needs=("policy", "events"))
def nobody_tells_of_a_decision_before_it(run: Run, _subject: Run) -> Iterator[Finding]:
    """The instant of the decision is not after the event that reports it; CONF-01 and CONF-02 check calls."""
    decided = (confirmation_of(run) or {}).get("decidedAt")
    moment = parse_instant(decided)
    began = [start_of(each) for each in run.attempts if was_dispatched(each)]
    for answer in (*run.events_of(_CONFIRMED), *_refusals(run))[:1]:
        too_early = any(order_of_instants(each, moment) == -1 for each in began)
        if order_of_instants(answer.moment, moment) == -1 and not too_early:
            yield Finding(
                f"{owner(answer)} was stamped {answer.text('timestamp')}, but reports a decision made at {decided}",
                "a decision, and then the event that reports it",
                (witness("E", answer), *_record(run)),
            )


@check("CONF-08", each=lambda run: (run,) if required(run) else (), needs=("policy", "events"))
def an_approval_is_not_taken_back(run: Run, _subject: Run) -> Iterator[Finding]:
    """A run that was confirmed is not cancelled as rejected, or as one that nobody answered."""
    for confirmed in run.events_of(_CONFIRMED)[:1]:
        for refusal in (each for each in _refusals(run) if order(confirmed, each) == -1):
            yield Finding(
                f"the run was confirmed, and then cancelled with the reason {_reason(refusal)}",
                "one answer to the request",
                (witness("A", confirmed), witness("C", refusal)),
            )


@check("CONF-08", each=lambda run: (run,) if required(run) else (), needs=("policy", "events"))
def asked_once_and_answered(run: Run, _subject: Run) -> Iterator[Finding]:
    """One request, then a confirmation or a cancellation; CONF-11 checks for a second confirmation."""
    asked = run.events_of(_REQUESTED)
    answer = next(iter(run.events_of(_CONFIRMED, _CANCELLED)), None)
    decided = answer is not None and (answer.text("type") == _CONFIRMED or _reason(answer) in REASONS)
    if len(asked) > 1:
        yield Finding("confirmation was requested twice", "one request", tuple(witness("Q", each) for each in asked))
    # A file keeps the order of its lines: a request stands above its answer, also in a run that broke off.
    if not asked and (decided or (answer is None and run.finished)):
        observed = "confirmation was never requested"
        above = answer.source if answer is not None else None
        yield Finding(observed, "one run.confirmationRequested", _record(run), misses=(Kind.EVENT,), before=above)
    if asked and answer is None and run.finished:
        yield Finding(
            "the request was never answered",
            "run.confirmed or run.cancelled",
            (witness("Q", asked[0]),),
            untold_cancellation(run),
            misses=(Kind.EVENT,),
        )
    if asked and answer is not None and order(answer, asked[0]) == -1:
        what = "confirmed" if answer.text("type") == _CONFIRMED else "cancelled"
        yield Finding(
            f"the run was {what} before confirmation was requested",
            "the request, then the answer",
            (witness("A", answer), witness("Q", asked[0])),
        )


@check("CONF-09", each=lambda run: () if required(run) else (run,), needs=("policy",))
def no_confirmation_is_invented(run: Run, _subject: Run) -> Iterator[Finding]:
    """A run whose policy requires no confirmation records no confirmation and no refusal of one."""
    permitted = "no confirmation in a run whose policy requires none"
    if confirmation_of(run) is not None:
        yield Finding("run.json held a confirmation", permitted, _record(run))
    for event in run.events_of(_REQUESTED, _CONFIRMED):
        yield Finding(f"{event.text('type')} was recorded", permitted, (witness("E", event), *_record(run)))
    for event in _refusals(run):
        observed = f"the run was cancelled with the reason {_reason(event)}"
        yield Finding(observed, permitted, (witness("E", event), *_record(run)))
    for call in run.calls:
        if call.get("confirmationId") is not None:
            yield Finding(f"{owner(call)} {told(call, 'confirmationId')}", permitted, (witness("C", call),))


def _confirmations(run: Run) -> Iterator[Mapping[str, Json]]:
    decision = confirmation_of(run)
    if decision is not None:
        yield decision


@check("CONF-10", each=_confirmations, needs=("plan", "policy"))
def a_confirmation_is_bound_to_what_was_shown(run: Run, decision: Mapping[str, Json]) -> Iterator[Finding]:
    """The hashes in a confirmation are those of the run's plan and policy."""
    for name in ("plan", "policy"):
        if run.run_record is not None and run.run_record.is_redacted_in(name):
            continue  # the value on record is not the one that was hashed (A42)
        stated, own = decision.get(f"{name}Hash"), _hash_of(run.run_record.object(name) if run.run_record else None)
        if isinstance(stated, str) and stated.startswith("sha256:") and own is not None and stated != own:
            yield Finding(
                f"the confirmation had {name}Hash {stated}",
                f"{own}, the hash of the {name} in run.json",
                _record(run),
                matter=Matter.CONFIRMED_PLAN if name == "plan" else None,
            )


def _hashes_of_no_text(run: Run) -> Iterator[tuple[str, Json]]:
    for decision in _confirmations(run):
        for name in ("planHash", "policyHash"):
            if (stated := decision.get(name)) is not None and not (isinstance(stated, str) and stated):
                yield name, stated


@check("CONF-10", each=_hashes_of_no_text)
def a_hash_of_what_was_shown_is_a_text(run: Run, subject: tuple[str, Json]) -> Iterator[Finding]:
    """A hash that is no text, or an empty one, binds a confirmation to nothing."""
    name, stated = subject
    told = f"{name} is a string that is not empty, or absent"
    yield Finding(f"the confirmation had {name} {excerpt(stated)}", told, _record(run))


def _hash_of(value: Json) -> str | None:
    """The hash of a value; None if there is no value, or if no hash can be taken of it."""
    try:
        return None if value is None else sha256_of(value)
    except ValueError:
        return None


@check("CONF-10", each=_confirmations)
def a_confirmation_comes_in_time(run: Run, decision: Mapping[str, Json]) -> Iterator[Finding]:
    """An approval is not given after it expired."""
    decided, expires = parse_instant(decision.get("decidedAt")), parse_instant(decision.get("expiresAt"))
    # Both stand in one record, so they are compared as closely as the stamps of one result.
    late = order_of_instants(expires, decided, tolerance=SLACK_MS * 1_000_000) == -1
    if decision.get("decision") == "approved" and late:
        yield Finding(
            f"the run was approved at {decision.get('decidedAt')}",
            f"an approval by {decision.get('expiresAt')}",
            _record(run),
        )


def _expirations(run: Run) -> Iterator[tuple[Record, Mapping[str, Json]]]:
    """The cancellation of a run because nobody answered, with the one confirmation of which it can speak."""
    asked, decision = run.events_of(_REQUESTED), confirmation_of(run) or {}
    refused = tuple(_refusals(run))[:1]
    names = (name for each in (*asked, *refused) if (name := _named(each)) is not None)
    own = decision.get("confirmationId")
    one = len(asked) < 2 and all(name == own for name in names)  # CONF-04 and CONF-08 report the rest
    if one and decision.get("decision") != "approved" and not run.events_of(_CONFIRMED):
        yield from ((each, decision) for each in refused if _reason(each) == EXPIRED)


@check("CONF-06", each=_expirations, needs=("events",))
def nothing_expires_before_its_time(run: Run, subject: tuple[Record, Mapping[str, Json]]) -> Iterator[Finding]:
    """A run is not cancelled as one that nobody answered before the request expired."""
    cancelled, decision = subject
    if order_of_instants(cancelled.moment, parse_instant(decision.get("expiresAt"))) == -1:
        yield Finding(
            f"the run was cancelled with the reason {EXPIRED} at {cancelled.text('timestamp')}",
            f"a request that nobody answered until {decision.get('expiresAt')}",
            (witness("E", cancelled), *_record(run)),
        )


@check("CONF-13", each=calls, needs=("policy",))
def calls_tell_whether_confirmation_was_required(run: Run, call: Record) -> Iterator[Finding]:
    """The setting on a call is the setting of the run."""
    own = Policy(call.object("policy") or {}).confirmations_required
    rule = ruling_policy(run)
    if own is not None and rule is not None and rule.confirmations_required not in (None, own):
        yield Finding(
            f"{owner(call)} had policy.confirmationsRequired {excerpt(own)}",
            f"{excerpt(rule.confirmations_required)}, the setting of the run",
            (witness("C", call), *_record(run)),
        )


def _stamped_writes(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Dispatched writing calls of a confirmed run, each with the event of the approval."""
    confirmed = next(iter(run.events_of(_CONFIRMED)), None)
    if required(run) and confirmed is not None:
        yield from ((each, confirmed) for each in run.attempts if was_dispatched(each) and writes(run, each))


@check("CONF-14", each=_stamped_writes, needs=("policy", "events"))
def stamps_do_not_contradict_the_order(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """The approval's timestamp is not after the beginning of a call that it permitted."""
    attempt, confirmed = subject
    if attempt.result is not None and order_of_instants(start_of(attempt), confirmed.instant("timestamp")) == -1:
        yield Finding(
            f"run.confirmed was stamped {confirmed.text('timestamp')}, and {owner(attempt.call)} began before it",
            "an approval before the dispatch, in the file and by its timestamp",
            (witness("C", confirmed), witness("R", attempt.result)),
            (f"the call began at {attempt.result.text('startedAt')}",),
        )
