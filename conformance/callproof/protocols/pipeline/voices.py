"""PIPE-19: those who are told to have been asked, to have answered or to have changed something did so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, last_before
from callproof.protocols.pipeline.obstacles import between
from callproof.protocols.pipeline.phases import PERMISSION
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline

# The probe for each hook event, as far as the suite and not the pipeline plays the hook.
_HOOKS: Final = {
    "pre_tool_use": probes.PRE_HOOK,
    "post_tool_use": probes.POST_HOOK,
    "post_tool_use_failure": probes.POST_HOOK,
}
# The probe of those who can give another input, by the word for them.
_CHANGERS: Final = {"hook": probes.PRE_HOOK, "permission_prompt": probes.PERMISSION_ANSWERED}


def _hooks(log: Pipeline) -> Iterator[tuple[Call, Line, Line | None]]:
    """Hooks that are told, with the last earlier question to such a hook about the call."""
    for call in calls(log):
        for line in () if call.told is None else call.told.of("hook"):
            probe = _HOOKS.get(line.text("hook_event") or "")
            if probe is not None:
                yield call, line, last_before(call.seen(probe), line.at)


@LAWS.check("PIPE-19", each=_hooks, needs=("driver",))
def a_hook_that_is_told_was_asked(_log: Pipeline, found: tuple[Call, Line, Line | None]) -> Iterator[Finding]:
    """A hook that is told to have run was asked about this call."""
    call, line, asked = found
    if asked is None:
        yield Finding(
            f"a hook of {line.text('hook_event')} is reported for {call.named}, but none had been asked",
            "hooks that were asked about the call",
            (call.case.witness("C"), line.witness("H")),
        )


@LAWS.check("PIPE-19", each=_hooks, needs=("driver",))
def a_changed_output_that_is_told_was_changed(
    _log: Pipeline, found: tuple[Call, Line, Line | None]
) -> Iterator[Finding]:
    """A hook that is told to have changed the output did change it."""
    call, line, asked = found
    told = line.get("updated_output") is not None
    if asked is not None and told and last_before(call.changes_after, line.at) is None:
        yield Finding(
            f"a hook is reported to have changed the output of {call.named}, but it had not",
            "only changes that hooks made",
            (asked.witness("S"), line.witness("H")),
        )


def _denied(log: Pipeline) -> Iterator[tuple[Call, Line, tuple[Line, ...]]]:
    """Calls that were not interfered with and were denied, with the denial and their decisions on record."""
    hindered = between(log)
    for call in calls(log):
        asked = (*call.seen(probes.PRE_HOOK), *call.seen(probes.PERMISSION_ANSWERED))
        said = [line for line in asked if line.text("behavior") == "deny"]
        told = () if call.told is None else call.told.of("decision")
        if said and told and not hindered.of(call):
            yield call, said[0], told


@LAWS.check("PIPE-19", each=_denied, needs=("driver",))
def a_no_is_told_as_one(_log: Pipeline, found: tuple[Call, Line, tuple[Line, ...]]) -> Iterator[Finding]:
    """If decisions are told, a no is among them."""
    call, said, told = found
    if not any(line.text("behavior") == "deny" for line in told):
        yield Finding(
            f"permission for {call.named} was denied, but its decisions say {told[-1].text('behavior')}",
            "a decision deny",
            (said.witness("N"), told[-1].witness("D")),
        )


def _allowed(log: Pipeline) -> Iterator[tuple[Call, Line, int | None]]:
    """Decisions that tell of a yes, if permission has to be asked, with the place of the first yes."""
    for call in calls(log):
        if call.told is not None and call.asks(PERMISSION):
            asked = (*call.seen(probes.PRE_HOOK), *call.seen(probes.PERMISSION_ANSWERED))
            first = min((line.at for line in asked if line.text("behavior") == "allow"), default=None)
            yield from ((call, line, first) for line in call.told.of("decision") if line.text("behavior") == "allow")


@LAWS.check("PIPE-19", each=_allowed, needs=("driver",))
def a_yes_that_is_told_was_given(_log: Pipeline, found: tuple[Call, Line, int | None]) -> Iterator[Finding]:
    """If permission has to be asked, a yes is told only after the hook or the one who was asked has said it."""
    call, line, yes = found
    if yes is None or line.at < yes:
        yield Finding(
            f"a decision says that {call.named} was permitted, but nobody had said yes",
            "a yes that somebody gave",
            (call.case.witness("C"), line.witness("D")),
        )


def _changed(log: Pipeline) -> Iterator[tuple[Call, Line, int | None]]:
    """Mutations by a hook or a person, with the first place where a hook or a person gave another input."""
    for call in calls(log):
        first: dict[str, int] = {}
        for source, probe in _CHANGERS.items():
            for line in call.seen(probe):
                if line.get("updated_input") is not None:
                    first.setdefault(source, line.at)
        for line in () if call.told is None else call.told.of("mutation"):
            if (source := line.text("source_type") or "") in _CHANGERS:
                yield call, line, first.get(source)


@LAWS.check("PIPE-19", each=_changed, needs=("driver",))
def who_is_told_to_have_changed_the_input_did(
    _log: Pipeline, found: tuple[Call, Line, int | None]
) -> Iterator[Finding]:
    """A change of the input that is told as that of a hook or a person was made by one."""
    call, line, change = found
    if change is None or line.at < change:
        yield Finding(
            f"the input of {call.named} is reported as changed by a {line.text('source_type')}, which did not do so",
            "changes under the source that made them",
            (call.case.witness("C"), line.witness("M")),
        )
