"""The suite of agent loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.adapters.methods import AGENT_LOOP
from callproof.driven.suite import Suite
from callproof.loops.case import FEATURES, MODES, LoopCase
from callproof.loops.cases import CASES, SUBJECTS
from callproof.loops.driver import drive, performs
from callproof.loops.generated import generated
from callproof.loops.hearing import heard
from callproof.loops.reducing import smaller
from callproof.protocols.agent_loop import PROTOCOL


def needs(case: LoopCase) -> Iterator[str]:
    """What a loop has to claim for a case."""
    yield from case.needs
    if case.mode is not None:
        yield case.mode
    if case.streamed:
        yield "streaming"
    yield from (f"{name}Hook" for name in case.hooks.names)
    if any(tool.of_client for tool in case.tools):
        yield "clientTools"
    if case.act is not None:
        yield "abort" if case.act.says is None else "steering"
    if any(each.progress or each.late for each in case.answers.values()):
        yield "progress"


SUITE: Final = Suite(
    "an agent loop",
    "loop",
    PROTOCOL,
    AGENT_LOOP,
    FEATURES,
    SUBJECTS,
    CASES,
    needs,
    drive,
    generated,
    smaller,
    performs,
    heard,
    choices=MODES,
)
