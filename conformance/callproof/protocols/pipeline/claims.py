"""PIPE-20: an output is told as too large only if it may have been, and as stored only where it was put."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.parts import excerpt
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls
from callproof.protocols.pipeline.readings import texts_in
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer

# A mapped output may be at most this many times longer than its JSON, plus this many bytes.
_MOST, _MORE = 4, 100
_PLACES: Final = ("resource_refs", "artifact_refs")


def _told_as_too_large(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls whose result says that their output was too large."""
    for call in calls(log):
        told, result = call.told, call.result
        if told is None or result is None:
            continue
        if result.text("status") == "too_large" or told.error_class == "result_too_large":
            yield call, result


@LAWS.check("PIPE-20", each=_told_as_too_large, needs=("driver",))
def what_is_told_as_too_large_may_have_been(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """No output is told as too large if there was none, or if it was far below the limit of what may be shown."""
    call, result = found
    given = [line.get("output") for line in call.seen(probes.TOOL_RETURNED) if line.at < result.at]
    given += [line.get("updated_output") for line in call.changes_after]
    given += [line.get("content") for line in call.seen(probes.OUTPUT_MAPPED)]
    limit = as_integer(call.case.get("result_bytes"))
    if limit is None or not any(_may_be_beyond(limit, each) for each in given):
        why = "there is none" if not given else "there is no limit" if limit is None else "it is far below the limit"
        yield Finding(
            f"the output of {call.named} is reported as too large, but {why}",
            "a report of what happened to the call",
            (call.case.witness("C"), result.witness("R")),
        )


def _may_be_beyond(limit: int, output: Json) -> bool:
    """Whether an output may be longer than a limit, however it is mapped, quoted and broken into lines."""
    return _MOST * len(json.dumps(output)) + _MORE > limit


def _stored(log: Pipeline) -> Iterator[tuple[Call, Line, str, frozenset[str]]]:
    """Records that tell where an output is by a place from the store, with the calls that got that place."""
    owners: dict[str, set[str]] = {}
    for line in log.seen(probes.OUTPUT_STORED):
        if uri := line.text("uri"):
            owners.setdefault(uri, set()).add(line.text("invocation_id") or "")
    for call in calls(log):
        kept = () if call.told is None else call.told.of("persistence")
        told = [(line, line.get("persisted_ref")) for line in kept]
        if call.result is not None:
            told += [(call.result, call.result.get(name)) for name in _PLACES]
        for line, place in told:
            known = (each for each in texts_in(place) if each in owners)
            yield from ((call, line, each, frozenset(owners[each])) for each in known)


@LAWS.check("PIPE-20", each=_stored, needs=("driver",))
def where_it_is_stored_is_where_it_was_put(
    _log: Pipeline, found: tuple[Call, Line, str, frozenset[str]]
) -> Iterator[Finding]:
    """The output of a call is not told to be in a place that the store gave only for another call."""
    call, line, place, owners = found
    if call.id not in owners:
        yield Finding(
            f"the output of {call.named} is reported to be in {excerpt(place)}, where the output of another call is",
            "the place of the output of this call",
            (*(each.witness("K") for each in call.seen(probes.OUTPUT_STORED)[-1:]), line.witness("P")),
        )
