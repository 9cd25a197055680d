"""Leaving things out of a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from callproof.driven.tools import Wait
from callproof.pipelines.case import Answer, Asking, PipelineCase

_NAMES = ("refused", "pre", "permits", "unmapped", "post", "unstored")


def smaller(case: PipelineCase) -> Iterator[PipelineCase]:
    """Cases that have one thing less than this one, the greatest things first."""
    for at in range(len(case.calls)):
        if len(case.calls) > 1:
            yield replace(case, calls=(*case.calls[:at], *case.calls[at + 1 :]))
    if case.act is not None:
        yield replace(case, act=None)
    yield from _with_fewer_asked(case)
    if case.siblings != "ignore":
        yield replace(case, siblings="ignore")
    for name, answer in case.answers.items():
        if answer != Answer() and answer.waits is Wait.NOTHING:
            yield replace(case, answers={other: each for other, each in case.answers.items() if other != name})
    if case.result_bytes is not None and case.asking.unstored is None:
        yield replace(case, result_bytes=None)


def _with_fewer_asked(case: PipelineCase) -> Iterator[PipelineCase]:
    said: list[tuple[str, Any]] = [(name, getattr(case.asking, name)) for name in _NAMES]
    said = [(name, each) for name, each in said if each is not None]
    yield from (_asking(case, name, None) for name, _ in said)
    for name, each in said:
        yield from (_asking(case, name, _without(each, call)) for call in each)


def _without(said: Mapping[str, object] | tuple[str, ...], call: str) -> object:
    """What is said about all calls but one."""
    if isinstance(said, tuple):
        return tuple(other for other in said if other != call)
    return {other: says for other, says in said.items() if other != call}


def _asking(case: PipelineCase, name: str, said: Any) -> PipelineCase:
    asking: Asking = replace(case.asking, **{name: said})
    return replace(case, asking=asking)
