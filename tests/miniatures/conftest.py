"""One warm server for all the executors that are driven in one process of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from miniatures.warm import Warm, warm


@pytest.fixture(scope="session")
def served() -> Iterator[Warm]:
    """The warm server, at which an executor with any faults and variations can be reached."""
    with warm() as server:
        yield server
