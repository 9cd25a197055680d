"""What can be left out of a case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from callproof.pipelines.case import Answer, Asking, PipelineCase, Wait

_NAMES = ("refused", "pre", "permits", "unmapped", "post", "unstored")


def smaller(case: PipelineCase) -> Iterator[PipelineCase]:
    """Cases that have one thing less than another one, the greatest things first."""
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
    said = [(name, getattr(case.asking, name)) for name in _NAMES if getattr(case.asking, name) is not None]
    yield from (_asking(case, name, None) for name, _ in said)
    for name, each in said:
        for call in each:
            fewer: Any = (
                {other: says for other, says in each.items() if other != call}
                if isinstance(each, dict)
                else tuple(other for other in each if other != call)
            )
            yield _asking(case, name, fewer)


def _asking(case: PipelineCase, name: str, said: Any) -> PipelineCase:
    asking: Asking = replace(case.asking, **{name: said})
    return replace(case, asking=asking)
