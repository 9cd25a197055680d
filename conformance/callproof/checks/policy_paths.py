"""Checks for the requirements in ``spec/policy.md`` that are about paths.

A path breaks a law only if every host must refuse it; see ``values.vaultpaths``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from callproof.checks.check import ANYTHING, Finding, Witness, check, excerpt, witness
from callproof.checks.dispatching import (
    ended_before_the_policy,
    place_of_end,
    proof_of,
    ruling_policy,
    seen_of,
    was_denied,
    was_dispatched,
)
from callproof.checks.members import owner, under_any
from callproof.checks.passed_over import skipped_for_nothing
from callproof.checks.scenario_facts import fact
from callproof.trace.once import once_a_run
from callproof.trace.plan import Policy
from callproof.trace.records import Kind
from callproof.trace.registry import Registry, Tool
from callproof.trace.run import Attempt, Run, finer_kind
from callproof.trace.witnesses import Snapshot
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array
from callproof.values.patharguments import path_arguments
from callproof.values.vaultpaths import (
    Breach,
    Sandbox,
    breach,
    climbs_out,
    holds_a_pattern,
    is_innocent,
    is_spelt_otherwise,
    matched_patterns,
    normalise,
    resembles_a_root,
)

_NEEDS = ("registry", "policy")


@dataclass(frozen=True, slots=True)
class PathUse:
    """One path-valued argument of one call, under the sandbox of the run."""

    attempt: Attempt
    pointer: str
    path: str
    sandbox: Sandbox
    breach: Breach | None
    tool: Tool

    @property
    def leads_outside(self) -> bool:
        """Whether the path ends up outside every root, spelt plainly or by climbing (POL-02)."""
        if self.breach is Breach.OUTSIDE:
            return not resembles_a_root(self.path, self.sandbox)
        return self.breach is Breach.PARENT and climbs_out(self.path, self.sandbox)


def sandbox_of(policy: Policy | None) -> Sandbox | None:
    """The sandbox of a policy; None if it is switched off (A43), or if there is no policy."""
    if policy is None or policy.sandbox.get("enabled") is False:
        return None
    roots, patterns = policy.sandbox.get("allowedRoots"), policy.sandbox.get("denyPatterns")
    return Sandbox(_texts(roots) if is_array(roots) else ("/",), _texts(patterns))


@once_a_run
def _paths_by_attempt(run: Run) -> Mapping[int, tuple[PathUse, ...]]:
    """The path-valued arguments of each call, by the identity of its attempt; without a sandbox there are none."""
    sandbox = sandbox_of(ruling_policy(run))
    if sandbox is None or run.registry is None:
        return {}
    return {id(attempt): tuple(_path_uses(run.registry, sandbox, attempt)) for attempt in run.attempts}


def _path_uses(registry: Registry, sandbox: Sandbox, attempt: Attempt) -> Iterator[PathUse]:
    tool = registry.resolve(attempt.call.text("tool") or "")
    if tool is None:
        return
    marks = attempt.call.redacted
    for pointer, path in path_arguments(tool.name, attempt.call.get("args"), tool.input_schema):
        if not under_any(f"/args{pointer}", marks):  # a placeholder for a secret is no path (A42)
            yield PathUse(attempt, pointer, path, sandbox, breach(path, sandbox), tool)


def _all_paths(run: Run) -> Iterator[PathUse]:
    return chain.from_iterable(_paths_by_attempt(run).values())


def _paths_that(breaks: Callable[[PathUse], bool]) -> Callable[[Run], Iterator[PathUse]]:
    """Subjects: the paths that a law is about; a run without such paths has not exercised the law."""
    return lambda run: filter(breaks, _all_paths(run))


def _is_called_invalid_wrongly(use: PathUse) -> bool:
    """Whether a call was refused as a VALIDATION_ERROR although its args fit the schema, which comes first (A76)."""
    call, validator = use.attempt.call, use.tool.input_validator
    if use.attempt.status != "error" or use.attempt.code != "VALIDATION_ERROR" or call.redacted:
        return False
    return validator is not None and validator.accepts(call.get("args"))


def _was_passed_over(run: Run, attempt: Attempt) -> bool:
    """Whether a call was skipped for nothing (DEP-05), as if that were a way to refuse it (A37)."""
    return attempt.status == "skipped" and id(attempt.result) in skipped_for_nothing(run)


def let_through(run: Run, use: PathUse, why: str) -> Iterator[Finding]:
    """The finding that a path was not refused as it had to be."""
    attempt = use.attempt
    passed_over = _was_passed_over(run, attempt)
    excused = ended_before_the_policy(attempt) and not (passed_over or _is_called_invalid_wrongly(use))
    if was_denied(attempt) or excused:
        return
    if attempt.result is None and not was_dispatched(attempt):
        return
    yield Finding(
        f"{owner(attempt.call)} with {use.pointer} {excerpt(use.path)} {seen_of(attempt)}",
        "no dispatch, and a result with status error and the code POLICY_DENIED",
        (witness("C", attempt.call), *proof_of(attempt)),
        (f"the path {why}", f"allowed roots are {', '.join(use.sandbox.roots) or 'none'}"),
        misses=ANYTHING if passed_over else (),  # another call may be the reason for its skip
    )


@check("POL-02", each=_all_paths, needs=_NEEDS)
def paths_lie_in_an_allowed_root(run: Run, use: PathUse) -> Iterator[Finding]:
    """A path that leads outside every root is refused before dispatch."""
    if use.leads_outside:
        yield from let_through(run, use, Breach.OUTSIDE.value)


@check("POL-03", each=_paths_that(lambda use: resembles_a_root(use.path, use.sandbox)), needs=_NEEDS)
def roots_are_compared_by_segments(run: Run, use: PathUse) -> Iterator[Finding]:
    """A path whose name only begins like a root's is outside of it."""
    if use.breach is Breach.OUTSIDE:
        yield from let_through(run, use, "begins with the characters of a root and lies outside of it")


def _inside_roots_alone(run: Run) -> Iterator[PathUse]:
    """Innocent paths of the suite's own tools, in sandboxes in which only the roots could refuse a path."""
    for uses in _paths_by_attempt(run).values() if fact(run, "hooks") is not True else ():
        if all(map(_is_inside_roots_alone, uses)):
            yield from uses


def _is_inside_roots_alone(use: PathUse) -> bool:
    fenced = not use.sandbox.patterns and all(map(normalise, use.sandbox.roots))
    return fenced and use.tool.hosted_by_suite and is_innocent(use.path, use.sandbox)


def _was_refused(run: Run, attempt: Attempt) -> bool:
    """Whether a call was denied, and its tool was not the reason."""
    return was_denied(attempt) and not is_of_a_denied_tool(run, attempt)


def _refusal(attempt: Attempt) -> tuple[Witness, ...]:
    """A call that was refused, and the result that says so."""
    records = (("C", attempt.call), ("R", attempt.result))
    return tuple(witness(name, each) for name, each in records if each is not None)


@check("POL-03", each=_inside_roots_alone, needs=(*_NEEDS, "deeds"))
def what_lies_in_a_root_is_not_outside(run: Run, use: PathUse) -> Iterator[Finding]:
    """A path in a root is not refused for lying outside, however the two are spelt."""
    if _was_refused(run, use.attempt):
        yield Finding(
            f"{owner(use.attempt.call)} with {use.pointer} {excerpt(use.path)} was refused",
            "a path in an allowed root is let through",
            _refusal(use.attempt),
            (f"allowed roots are {', '.join(use.sandbox.roots)}",),
        )


@check("POL-04", each=_paths_that(lambda use: use.breach is Breach.PARENT), needs=_NEEDS)
def parent_segments_are_refused(run: Run, use: PathUse) -> Iterator[Finding]:
    """A parent segment is refused in every spelling."""
    yield from let_through(run, use, Breach.PARENT.value)


@check("POL-05", each=_paths_that(lambda use: use.breach is Breach.ABSOLUTE), needs=_NEEDS)
def absolute_paths_are_refused(run: Run, use: PathUse) -> Iterator[Finding]:
    """Absolute paths, drives and shares are refused."""
    yield from let_through(run, use, Breach.ABSOLUTE.value)


@check("POL-06", each=_paths_that(lambda use: use.breach is Breach.URI), needs=_NEEDS)
def uris_are_refused(run: Run, use: PathUse) -> Iterator[Finding]:
    """A URI is no path."""
    yield from let_through(run, use, Breach.URI.value)


@check("POL-09", each=_paths_that(lambda use: use.breach is Breach.PATTERN), needs=_NEEDS)
def denied_patterns_are_refused(run: Run, use: PathUse) -> Iterator[Finding]:
    """A path that matches a deny pattern in its normal form is refused."""
    patterns = matched_patterns(use.path, use.sandbox)
    other = any(is_spelt_otherwise(each, use.path) for each in patterns)
    form = ", in another Unicode form than the policy has it" if other else ""
    yield from let_through(run, use, f"{Breach.PATTERN.value}: {', '.join(patterns)}{form}")


def _lookalikes(run: Run) -> Iterator[PathUse]:
    """Innocent paths that hold the characters of a pattern inside a name, in calls that have an outcome."""
    for uses in _paths_by_attempt(run).values():
        if uses and uses[0].attempt.result is not None and all(is_innocent(use.path, use.sandbox) for use in uses):
            yield from (use for use in uses if holds_a_pattern(use.path, use.sandbox))


@check("POL-10", each=_lookalikes, needs=_NEEDS)
def innocent_names_pass(run: Run, use: PathUse) -> Iterator[Finding]:
    """A name that merely contains the characters of a pattern is not refused."""
    attempt = use.attempt
    if attempt.events is None and attempt.result is not None and attempt.result.number("durationMs") != 0:
        return  # a denial that took time may be the tool's own (VAL-14)
    hidden = attempt.result is not None and under_any("/error/details/reason", attempt.result.redacted)
    if not _was_refused(run, attempt) or "hook" in (finer_kind(attempt.error) or "") or hidden:
        return
    whole = ", and / is the whole vault" if "/" in use.sandbox.roots else ""
    yield Finding(
        f"{owner(attempt.call)} with {use.pointer} {excerpt(use.path)} was refused",
        "the path is let through: an allowed root holds it, and no pattern matches a whole segment of it",
        _refusal(attempt),
        (
            f"deny patterns are {', '.join(use.sandbox.patterns) or 'none'}",
            f"allowed roots are {', '.join(use.sandbox.roots)}{whole}",
        ),
        misses=(Kind.EVENT,),  # a step.started would show that the tool itself refused it (VAL-14)
        before=place_of_end(attempt),
    )


def _without_paths(run: Run) -> Iterator[tuple[Attempt, Tool]]:
    """Calls of the suite's own tools that name no path, in runs without a hook: the sandbox does not apply to them."""
    for attempt in run.attempts if fact(run, "hooks") is not True else ():
        tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
        named = _paths_by_attempt(run).get(id(attempt), ())
        if tool is not None and tool.hosted_by_suite and not named and sandbox_of(ruling_policy(run)) is not None:
            yield attempt, tool


@check("POL-10", each=_without_paths, needs=(*_NEEDS, "deeds"))
def what_is_no_path_passes(run: Run, subject: tuple[Attempt, Tool]) -> Iterator[Finding]:
    """A call is not refused for text that its tool does not declare as a path."""
    attempt, tool = subject
    if _was_refused(run, attempt):
        yield Finding(
            f"{owner(attempt.call)} was refused, and none of its args is a path",
            "the sandbox judges path-valued arguments and nothing else",
            _refusal(attempt),
            (f"{tool.name} declares no path where {excerpt(attempt.call.get('args'))} has text",),
        )


def _through_links(run: Run) -> Iterator[tuple[PathUse, str]]:
    """Paths that pass a link of the folder whose target lies outside of it."""
    before: Snapshot = run.world.before if run.world is not None else {}
    for use in _all_paths(run):
        parts = normalise(use.path).split("/")
        for place in ("/".join(parts[: n + 1]) for n in range(len(parts))):
            entry = before.get(place)
            if entry is not None and entry.kind == "link" and _leaves(place, entry.content):
                yield use, place


def _leaves(place: str, target: str) -> bool:
    """Whether a link at a place of the vault points outside the vault."""
    end = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
    return posixpath.isabs(target) or end == ".." or end.startswith("../")


@check("POL-07", each=_through_links, needs=("registry", "policy", "world"))
def links_do_not_lead_out(run: Run, subject: tuple[PathUse, str]) -> Iterator[Finding]:
    """A path through a link that leaves the vault does not succeed, and its call is not skipped instead of refused."""
    use, link = subject
    passed_over = _was_passed_over(run, use.attempt)
    if use.attempt.result is not None and (use.attempt.status == "ok" or passed_over):
        yield Finding(
            f"{owner(use.attempt.call)} with {use.pointer} {excerpt(use.path)} "
            f"{seen_of(use.attempt) if passed_over else 'succeeded'}",
            f"a path that leads out of the vault is refused{', with status error' if passed_over else ''}",
            (witness("C", use.attempt.call), witness("R", use.attempt.result)),
            (f"{link} is a link that leads out of the vault",),
        )


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if is_array(value) else ()


def canonical_tool(run: Run, attempt: Attempt) -> str:
    """The tool of a call as the registry spells it, whichever of its names the record has (A88)."""
    return canonical_name(run, attempt.call.text("tool") or "")


def canonical_name(run: Run, named: str) -> str:
    """A tool's name as the registry spells it; a name that stands for no tool stays as it is."""
    tool = run.registry.resolve(named) if run.registry is not None else None
    return tool.name if tool is not None else named


def is_of_a_denied_tool(run: Run, attempt: Attempt) -> bool:
    """Whether the policy denies the tool of a call."""
    policy = ruling_policy(run)
    return policy is not None and canonical_tool(run, attempt) in policy.denied_tools


def offends(run: Run, attempt: Attempt) -> str | None:
    """Why the policy has to refuse a call, by tool or by path; None if there is no certain reason."""
    if is_of_a_denied_tool(run, attempt):
        return "the policy denies its tool"
    for use in _paths_by_attempt(run).get(id(attempt), ()):
        if use.breach is not None:
            return f"its path {excerpt(use.path)} {use.breach.value}"
    return None


def sandbox_loosened(own: Mapping[str, Json], rule: Mapping[str, Json]) -> Iterator[str]:
    """The members in which one sandbox permits more than another; POL-21 checks ``enabled``."""
    if rule.get("enabled") is False:
        return  # the other sandbox is switched off, so nothing permits more
    roots, ruled = own.get("allowedRoots"), rule.get("allowedRoots")
    for root in _texts(roots) if is_array(roots) else ("/",):  # absent roots mean the whole vault
        if is_array(ruled) and breach_of_root(root, _texts(ruled)):
            yield f"allowedRoots has {root}" if is_array(roots) else "allowedRoots is absent"
    missing = [each for each in _texts(rule.get("denyPatterns")) if each not in _texts(own.get("denyPatterns"))]
    if missing:
        yield f"denyPatterns lacks {', '.join(missing)}"


def breach_of_root(root: str, roots: tuple[str, ...]) -> bool:
    """Whether a root lies below none of the others."""
    return breach(normalise(root), Sandbox(roots)) is Breach.OUTSIDE
