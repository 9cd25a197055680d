"""Broken executors that the generator does not know about: few cases find each, and one small case shows it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from callproof.generated.judged import broken_by
from callproof.generated.lawful import is_lawful
from callproof.generated.reductions import smaller
from callproof.generated.running import Wanted, generated
from callproof.generated.shrinking import made_small
from callproof.live.case import Case
from callproof.live.session import LiveSession
from callproof.trace.plan import Plan
from miniatures.driving import REFERENCE, RUN_MINIATURE
from miniatures.miniature import miniatures

pytestmark = pytest.mark.many

# One or two of each group that a generated plan can catch, each broken in its own way.
CHOSEN = (
    "one-attempt-more",
    "no-time-to-wait",
    "items-in-capitals",
    "falsy-values-count-as-missing",
    "second-item-passed-over",
    "what-is-queued-still-goes-out",
    "ten-times-the-limit",
    "failed-dependencies-count-as-done",
    "skip-means-stop",
    "silence-is-consent",
    "what-the-host-saw-is-left-out",
    "denied-tool-called",
)
WITHIN = Wanted(200)
BROKEN = {each.name: each.requirement for each in miniatures()}


@pytest.fixture(scope="module")
def reference() -> Iterator[LiveSession]:
    """The unbroken executor."""
    with LiveSession(REFERENCE) as session:
        yield session


@pytest.mark.parametrize("name", CHOSEN)
def test_a_broken_executor_is_shown_by_a_small_case(name: str, reference: LiveSession) -> None:
    """One of the first cases breaks its requirement; the small one has at most two steps and no unneeded part."""
    with LiveSession(f"stdio:{sys.executable} {RUN_MINIATURE} {name}") as session:
        claimed = frozenset(session.claims.features)

        def fails(case: Case, system: LiveSession = session) -> bool:
            return broken_by(system.run_case(case), BROKEN[name], claimed) is not None

        found = next(case for case in generated(session.claims.features, WITHIN) if fails(case))
        small = made_small(found, fails)
        assert fails(small)
        assert is_lawful(small)
        assert len(Plan(small.plan).steps) <= 2
        # Every member is needed: without any one of them the requirement is kept.
        assert [path for path, less in smaller(small) if fails(less)] == []
        assert not fails(small, reference)
