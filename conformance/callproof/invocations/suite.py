"""The suite of systems under the invocation contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.adapters.methods import INVOCATION
from callproof.driven.suite import Suite
from callproof.invocations.case import FEATURES, USERS, InvocationCase
from callproof.invocations.cases import CASES, SUBJECTS
from callproof.invocations.driver import drive, performs
from callproof.invocations.generated import generated
from callproof.invocations.hearing import heard
from callproof.invocations.reducing import smaller
from callproof.protocols.invocation import PROTOCOL


def needs(case: InvocationCase) -> Iterator[str]:
    """What a system has to claim for a case."""
    yield from case.needs
    if case.contract is not None:
        yield case.contract
    if case.user is not None:
        yield next(name for name, each in USERS.items() if each == case.user)


SUITE: Final = Suite(
    "a system under the invocation contract",
    "invocation",
    PROTOCOL,
    INVOCATION,
    FEATURES,
    SUBJECTS,
    CASES,
    needs,
    drive,
    generated,
    smaller,
    performs,
    heard,
    measured=("tookMs",),
    choices=tuple(USERS),
)
