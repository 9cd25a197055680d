"""PIPE-04: one mapping, and another one when a hook changed the output."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from callproof.checks.check import Finding
from callproof.protocols.pipeline.phases import MAP
from callproof.protocols.pipeline.trace import COMPLETED, LAWS, Invocation, Line, Mark, Pipeline, listed
from callproof.values.doubles import differences
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_AFTER = frozenset({"post_tool_use", "post_tool_use_failure"})
_SHOWN_WHOLE = frozenset({"inline", "never_persist"})


def output_changes(one: Invocation, after: int, before: int) -> Iterator[Line]:
    """The hooks between two places that changed the output of an invocation."""
    for line in one.between("hook", after, before):
        if line.text("hook_event") in _AFTER and line.get("updated_output") is not None:
            yield line


def _mapped(log: Pipeline) -> Iterator[tuple[Invocation, tuple[Mark, ...]]]:
    """Invocations whose output was mapped, and the mappings."""
    for each in log.invocations:
        mappings = tuple(mark for mark in each.marks_of(MAP) if mark.status == COMPLETED)
        if mappings:
            yield each, mappings


@LAWS.check("PIPE-04", each=_mapped, needs=("phases",))
def output_is_mapped_once(_log: Pipeline, found: tuple[Invocation, tuple[Mark, ...]]) -> Iterator[Finding]:
    """Between two mappings a hook changed the output."""
    one, mappings = found
    for first, second in pairwise(mappings):
        if not any(output_changes(one, first.at, second.at)):
            yield Finding(
                f"the output of {one.named} was mapped again, but no hook is reported to have changed it",
                "one mapping, and one more for each time that a hook changed the output",
                (first.line.witness("M1"), second.line.witness("M2")),
            )


@LAWS.check("PIPE-04", each=_mapped, needs=("phases",))
def what_was_changed_is_mapped_again(log: Pipeline, found: tuple[Invocation, tuple[Mark, ...]]) -> Iterator[Finding]:
    """No change of the output comes after the last mapping."""
    one, mappings = found
    changed = [*output_changes(one, mappings[-1].at, one.lines[-1].at + 1)]
    # If the call is still under way, or the log is torn, a mapping may follow.
    if changed and one.result is not None and not log.torn:
        yield Finding(
            f"a hook changed the output of {one.named} after it was mapped, but it was not mapped again",
            "a mapping after the change",
            (mappings[-1].line.witness("M"), changed[0].witness("H"), one.result.witness("R")),
        )


def _given(log: Pipeline) -> Iterator[tuple[Invocation, Mark, Line]]:
    """Invocations whose last mapping tells what it gave, with that mapping, and the result that passes it on whole."""
    for one, mappings in _mapped(log):
        last, result = mappings[-1], one.result
        if (
            result is not None
            and is_array(last.line.get("model_facing_content"))
            and is_array(result.get("model_facing_content"))
            and _is_given_whole(one, result)
        ):
            yield one, last, result


def _is_given_whole(one: Invocation, result: Line) -> bool:
    """Whether nothing cut, redacted or replaced what the mapping gave; the text of an error is no output."""
    return (
        result.get("is_error") is not True
        and result.text("status") not in ("redacted", "too_large")
        and result.text("redaction_state") in (None, "none")
        and all(line.text("strategy") in _SHOWN_WHOLE for line in one.of("persistence"))
        and all(line.text("hook_event") != "result_persistence" for line in one.of("hook"))
    )


def lost(given: Json, shown: Json) -> Iterator[str]:
    """Where what is shown differs from what was given; blocks may have additional members."""
    if not is_array(given) or not is_array(shown) or len(given) != len(shown):
        yield ""
        return
    for at, (one, other) in enumerate(zip(given, shown, strict=True)):
        kept: Json = other
        if is_object(one) and is_object(other):
            kept = {name: value for name, value in other.items() if name in one}
        yield from differences(one, kept, f"/{at}")


@LAWS.check("PIPE-04", each=_given)
def the_model_reads_what_the_mapping_gave(_log: Pipeline, found: tuple[Invocation, Mark, Line]) -> Iterator[Finding]:
    """The content of the result is that of the last mapping."""
    one, mapping, result = found
    other = tuple(lost(mapping.line.get("model_facing_content"), result.get("model_facing_content")))
    if other:
        yield Finding(
            f"the model_facing_content of {one.named} differs in its result from what the mapping gave,"
            f" at {listed(other)}",
            "what the last mapping gave, unless a hook is reported to have changed it and it was mapped again",
            (mapping.line.witness("M"), result.witness("R")),
        )
