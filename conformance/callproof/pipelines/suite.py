"""The suite of pipelines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.adapters.methods import PIPELINE
from callproof.driven.suite import Suite
from callproof.pipelines.case import FEATURES, ORDERED, SERIAL, UNORDERED, WAYS, PipelineCase
from callproof.pipelines.cases import CASES, SUBJECTS
from callproof.pipelines.driver import drive, performs
from callproof.pipelines.generated import generated
from callproof.pipelines.hearing import heard
from callproof.pipelines.reducing import smaller
from callproof.protocols.pipeline import PROTOCOL

_OF_ORDER: Final = {SERIAL: "serial", UNORDERED: "concurrent", ORDERED: "ordered"}
_OF_ASKING: Final = {
    "validate_values": "validate",
    "pre_hooks": "preHook",
    "permission": "permission",
    "map_result": "mapping",
    "post_hooks": "postHook",
    "persist_result": "persistence",
}


def needs(case: PipelineCase) -> Iterator[str]:
    """What a pipeline has to claim for a case."""
    yield from case.needs
    if case.ordering is not None:
        yield _OF_ORDER[case.ordering]
    if case.siblings != "ignore":
        yield "siblings"
    yield from (_OF_ASKING[phase] for phase in case.asking.phases)
    if any(each.updated_input is not None for each in (case.asking.permits or {}).values()):
        yield "updatedInput"
    if any(each.behavior is not None for each in (case.asking.pre or {}).values()):
        yield "hookDecisions"
    yield from (tool.state for tool in case.tools if tool.state != "visible")
    if any(call.name in tool.names for call in case.calls for tool in case.tools):
        yield "otherNames"
    if case.act is not None:
        yield "abort"
    if any(each.progress or each.late for each in case.answers.values()):
        yield "progress"


SUITE: Final = Suite(
    "a pipeline of tool calls",
    "pipeline",
    PROTOCOL,
    PIPELINE,
    FEATURES,
    SUBJECTS,
    CASES,
    needs,
    drive,
    generated,
    smaller,
    performs,
    heard,
    choices=WAYS,
)
