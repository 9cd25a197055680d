"""Checks for the requirements in ``spec/policy.md`` about what nothing may loosen: the policy itself and its limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import ruling_policy, under_its_policy
from callproof.checks.members import owner
from callproof.checks.policy_paths import sandbox_loosened, sandbox_of
from callproof.checks.subjects import calls
from callproof.trace.plan import Policy
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.trace.witnesses import Refusal
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, is_array, is_number, is_object

_KNOWN_LIMITS = ("maxConcurrency", "maxAttempts", "maxTimeoutMs")


def _loosened(own: Policy, rule: Policy) -> Iterator[str]:
    """The members in which one policy permits more than another; other laws check `enabled` and confirmation."""
    for name in _KNOWN_LIMITS:
        mine, ruled = _bound(own, name), _bound(rule, name)
        if mine is not None and ruled is not None and mine > ruled:
            yield f"{name} is {'absent' if own.limits.get(name) is None else mine} instead of {ruled}"
    yield from sandbox_loosened(own.sandbox, rule.sandbox)
    if rule.denied_tools - own.denied_tools:
        yield f"deniedTools lacks {', '.join(sorted(rule.denied_tools - own.denied_tools))}"


def _bound(policy: Policy, name: str) -> int | float | None:
    """How far a limit lets calls go; if absent, one call at a time or no bound (A67); None if it is no number."""
    stated = policy.limits.get(name)
    if stated is None:
        return 1 if name == "maxConcurrency" else inf
    return stated if is_number(stated) else None


def _policies_in_force(run: Run) -> Iterator[tuple[Record, Policy]]:
    """The policies on record: each call's, and in a live run the run record's."""
    for call in run.calls:
        policy = call.object("policy")
        if policy is not None:
            yield call, Policy(policy)
    if run.given is not None and run.run_record is not None and run.policy is not None:
        yield run.run_record, run.policy


@check("POL-12", each=_policies_in_force, needs=("policy",))
def nothing_widens_the_policy(run: Run, subject: tuple[Record, Policy]) -> Iterator[Finding]:
    """No call runs under a policy that permits more than the run's."""
    record, policy = subject
    rule = ruling_policy(run)
    if rule is run.policy and id(record) in under_its_policy(run):
        return
    own = run.run_record if run.given is None else None
    ruled = (witness("P", own),) if own is not None else ()
    for wider in _loosened(policy, rule) if rule is not None else ():
        yield Finding(
            f"{owner(record)} had a policy that permits more: {wider}",
            "the policy of the run and nothing beyond it",
            (witness("R", record), *ruled),
        )


@check("POL-21", each=calls, needs=("policy",))
def a_switched_off_sandbox_is_the_runs_own(run: Run, call: Record) -> Iterator[Finding]:
    """A call carries a disabled sandbox only where the run's policy disables it."""
    own = Policy(call.object("policy") or {})
    if own.sandbox.get("enabled") is False and sandbox_of(ruling_policy(run)) is not None:
        yield Finding(
            f"{owner(call)} had sandbox.enabled false",
            "the sandbox is off only if the run's own policy says so",
            (witness("C", call), *((witness("P", run.run_record),) if run.run_record is not None else ())),
        )


def _unknown_limits(run: Run) -> Iterator[tuple[Record, tuple[str, ...]]]:
    """What the system says that it does not know, in run.started (A74)."""
    for event in run.events_of("run.started"):
        names = (event.object("payload") or {}).get("unknownLimits")
        if is_array(names):
            yield event, tuple(each for each in names if isinstance(each, str))


@check("POL-18", each=_unknown_limits, needs=("events",))
def limits_of_this_version_are_known(_run: Run, subject: tuple[Record, tuple[str, ...]]) -> Iterator[Finding]:
    """A system that starts a run knows the three limits of the specification."""
    event, names = subject
    for name in (each for each in names if each in _KNOWN_LIMITS):
        yield Finding(
            f"the run was started, and its unknownLimits named {name}",
            f"a system keeps {', '.join(_KNOWN_LIMITS)} or refuses the run",
            (witness("E", event),),
        )


def unreadable_rules(policy: Mapping[str, Json]) -> Iterator[tuple[str, Json, str]]:
    """The rules of a policy that cannot be read, so that it is unknown what was allowed; POL-18 checks the limits."""
    sandbox = policy.get("sandbox")
    rules: Mapping[str, Json] = sandbox if is_object(sandbox) else {}
    enabled = rules.get("enabled")
    if enabled is not None and not isinstance(enabled, bool):
        yield "sandbox.enabled", enabled, "true or false, or absent"
    lists = (("sandbox.", rules, "allowedRoots"), ("sandbox.", rules, "denyPatterns"), ("", policy, "deniedTools"))
    for within, owned, name in lists:
        value = owned.get(name)
        if value is not None and not (is_array(value) and all(isinstance(each, str) for each in value)):
            yield f"{within}{name}", value, "an array of texts, or absent"


def _unusable_limits(run: Run) -> Iterator[tuple[str, Json]]:
    """Limits on attempts and times that are no integer of at least 1; DEP-10 checks the limit on calls at once."""
    policy = ruling_policy(run)
    for name in ("maxAttempts", "maxTimeoutMs") if policy is not None and run.records else ():
        value = policy.limits.get(name) if policy is not None else None
        if value is not None and (as_integer(value) or 0) < 1:
            yield name, value


@check("POL-18", each=_unusable_limits)
def a_limit_that_nobody_can_keep_refuses_the_run(run: Run, subject: tuple[str, Json]) -> Iterator[Finding]:
    """A limit that is no integer of at least 1 limits nothing, so that no run begins under it."""
    name, value = subject
    yield Finding(
        f"the run began under the limit {name} {excerpt(value)}",
        f"{name} is an integer of at least 1, or the run is refused",
        tuple(witness("R", each) for each in run.records[:1]),
    )


def _strange_limits(run: Run) -> Iterator[tuple[str, ...]]:
    """The limits in the policy that the suite gave and that this specification does not know."""
    policy = ruling_policy(run) if run.given is not None and run.calls else None
    names = tuple(name for name in (policy.limits if policy is not None else ()) if name not in _KNOWN_LIMITS)
    if names:
        yield names


def _refused_under_a_strange_limit(run: Run) -> Iterator[Refusal]:
    policy, refusal = ruling_policy(run), run.witnessed.refusal if run.witnessed is not None else None
    if refusal is not None and policy is not None and not policy.limits.keys() <= set(_KNOWN_LIMITS):
        yield refusal


@check("POL-18", each=_refused_under_a_strange_limit, needs=("deeds",))
def a_refusal_keeps_every_limit(run: Run, refusal: Refusal) -> Iterator[Finding]:
    """A system that refuses a run under a limit that no system can know does nothing in it, and so ignores none."""
    for deed in run.deeds or ():
        yield Finding(
            f"{deed.tool} was invoked, and the run was refused with the code {refusal.code}",
            "a run that is refused begins nothing",
            (witness("D", deed),),
        )


@check("POL-18", each=_strange_limits, needs=("deeds", "events"))
def an_unknown_limit_is_named(run: Run, names: tuple[str, ...]) -> Iterator[Finding]:
    """A limit that the system cannot know is named in unknownLimits, or the run is refused."""
    told_of = {name for _, unknown in _unknown_limits(run) for name in unknown}
    for name in (each for each in names if each not in told_of):
        yield Finding(
            f"the run was started under the limit {name}, and nothing was said about it",
            "unknownLimits in the payload of run.started names it, or the run is refused",
            tuple(witness("E", event) for event in run.events_of("run.started")),
            (f"no system can know the limit {excerpt(name)}",),
        )
