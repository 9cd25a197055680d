"""One warm server for all the executors that are driven in one process of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from miniatures.warm import Warm, warm


@pytest.fixture(scope="session")
def served() -> Iterator[Warm]:
    """Where an executor with these faults and variations is to be had."""
    with warm() as server:
        yield server
