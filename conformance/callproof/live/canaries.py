"""Secrets planted in the environment of the system under test, which no record may hold (LOG-16).

The names are the suite's own, so that they hide no real credential.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager

from callproof.live.case import Case

CANARIES: Mapping[str, str] = {
    "CALLPROOF_CANARY_TOKEN": "canary-4c1f-environment-token",
    "CALLPROOF_CANARY_PASSWORD": "canary-9a7e-environment-password",
}


def canaries_of(case: Case) -> tuple[str, ...]:
    """Every secret that no record of a case may hold: its own, and those of the environment."""
    return (*case.canaries, *CANARIES.values())


@contextmanager
def planted() -> Generator[None]:
    """Processes that are started inside the block inherit the planted secrets."""
    kept = {name: os.environ.get(name) for name in CANARIES}
    os.environ.update(CANARIES)
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
