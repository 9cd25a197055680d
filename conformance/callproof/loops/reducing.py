"""Leaving things out of a case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from callproof.driven.tools import Wait
from callproof.loops.case import Answer, LoopCase


def smaller(case: LoopCase) -> Iterator[LoopCase]:
    """Cases that have one thing less than this one, the greatest things first."""
    for at in range(len(case.replies)):
        if len(case.replies) > 1:
            yield replace(case, replies=(*case.replies[:at], *case.replies[at + 1 :]))
    for at, reply in enumerate(case.replies):
        for place in range(len(reply.calls)):
            calls = (*reply.calls[:place], *reply.calls[place + 1 :])
            if calls:
                yield replace(case, replies=(*case.replies[:at], replace(reply, calls=calls), *case.replies[at + 1 :]))
    if case.act is not None:
        yield replace(case, act=None)
    if case.streamed:
        yield replace(case, streamed=False)
    yield from _with_fewer_hooks(case)
    for name, answer in case.answers.items():
        if answer != Answer() and answer.waits is Wait.NOTHING:
            yield replace(case, answers={other: each for other, each in case.answers.items() if other != name})


def _with_fewer_hooks(case: LoopCase) -> Iterator[LoopCase]:
    hooks = case.hooks
    yield from (replace(case, hooks=replace(hooks, **{kind: None})) for kind in hooks.names)
    for kind in hooks.names:
        said: Mapping[str, Any] = getattr(hooks, kind)
        for name in said:
            fewer = {other: each for other, each in said.items() if other != name}
            yield replace(case, hooks=replace(hooks, **{kind: fewer}))
