"""Python's search for garbage pauses while the suite reads, and afterwards is as it was before."""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager

import pytest
from callproof.garbage import all_kept, unsearched


@pytest.fixture(autouse=True)
def searching() -> Generator[None]:
    """Each test leaves the search on, and every object subject to it."""
    yield
    gc.enable()
    gc.unfreeze()


@pytest.mark.parametrize("pause", [all_kept, unsearched])
@pytest.mark.parametrize("before", [True, False])
def test_the_search_is_as_it_was_before(pause: Callable[[], AbstractContextManager[None]], before: bool) -> None:
    """A caller that has turned the search off finds it off afterwards."""
    (gc.enable if before else gc.disable)()
    with pause():
        assert not gc.isenabled()
    assert gc.isenabled() is before


def test_what_is_alive_is_not_searched_again() -> None:
    """Objects of the block that live on are left out of later searches."""
    frozen = gc.get_freeze_count()
    with all_kept():
        kept = [[] for _ in range(1000)]
    assert gc.get_freeze_count() >= frozen + len(kept)


def test_an_error_leaves_everything_as_it_was() -> None:
    """Objects that were being read when an error came are soon garbage, so later searches must find them."""
    frozen = gc.get_freeze_count()

    def broken() -> None:
        with all_kept():
            raise LookupError

    with pytest.raises(LookupError):
        broken()
    assert gc.isenabled()
    assert gc.get_freeze_count() == frozen
