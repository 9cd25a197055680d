"""The pipeline of a tool call: twelve phases, the failures that can end a call in each, and what must be told of it."""

from __future__ import annotations

from callproof.protocols.pipeline import (
    accounts,
    claims,
    courses,
    deeds,
    failures,
    halts,
    inputs,
    names,
    order,
    outputs,
    persistence,
    readings,
    records,
    scheduling,
    surfaces,
    terminals,
    voices,
)
from callproof.protocols.pipeline.trace import LAWS, is_of_the_pipeline, pipeline
from callproof.protocols.protocol import LoggedProtocol

__all__ = [
    "PROTOCOL",
    "accounts",
    "claims",
    "courses",
    "deeds",
    "failures",
    "halts",
    "inputs",
    "names",
    "order",
    "outputs",
    "persistence",
    "readings",
    "records",
    "scheduling",
    "surfaces",
    "terminals",
    "voices",
]

PROTOCOL = LoggedProtocol(
    "pipeline",
    "records of the pipeline of tool calls",
    lambda log: any(map(is_of_the_pipeline, log.entries)),
    pipeline,
    LAWS,
)
