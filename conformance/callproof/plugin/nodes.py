"""What all our items have in common: how they are made and end, and what is told if the suite itself breaks."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import pytest

from callproof import limits


class Broken(Exception):
    """A requirement was broken, or could not be judged; carries the lines that the report shows."""


# How an item of ours ends if nothing in the suite broke.
ENDS: Final = (Broken, pytest.skip.Exception, pytest.xfail.Exception, KeyboardInterrupt, pytest.exit.Exception)


def why_of(error: BaseException) -> str:
    """What is told of an item that did not end in one of these ways."""
    if isinstance(error, pytest.fail.Exception):  # our own code never raises this
        why = "the first item of a scenario does all of its runs; give it the time for them"
        return f"a plugin of pytest ended it: {error}\nhelp: {why}"
    if isinstance(error, OSError) and error.errno in limits.NO_MORE_FILES:
        return f"the suite may not open any more files: {error.strerror}\nhelp: raise the limit with `ulimit -n`"
    return f"the suite itself failed, please report it: {_thrown(error)}"


def _thrown(error: BaseException) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({where.name}, {Path(where.filename).name}:{where.lineno})"


_Node = TypeVar("_Node", bound=pytest.Collector | pytest.Item)


def node(kind: type[_Node], parent: pytest.Collector, **given: Any) -> _Node:
    """A node of pytest's tree; only this function calls ``from_parent``, which pytest leaves untyped."""
    make = cast("Callable[..., _Node]", kind.from_parent)  # pyright: ignore[reportUnknownMemberType]
    return make(parent, **given)


class ToldItem(pytest.Item):
    """An item whose failure shows the lines of the error that it raised, and whose report carries a payload."""

    payload: Mapping[str, Any] | None = None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding, and no traceback."""
        if isinstance(excinfo.value, Broken | pytest.xfail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)
