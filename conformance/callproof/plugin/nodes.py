"""What every item of ours has in common: how it is made and ends, and what is told where the suite itself breaks."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import pytest

from callproof import limits


class Broken(Exception):
    """A requirement was broken, or could not be judged; carries the lines that the report shows."""


# How an item of ours ends where nothing of the suite broke.
ENDS: Final = (Broken, pytest.skip.Exception, pytest.xfail.Exception, KeyboardInterrupt, pytest.exit.Exception)


def why_of(error: BaseException) -> str:
    """What is told of an item that ended in no way of its own."""
    if isinstance(error, pytest.fail.Exception):  # nothing of ours fails in this way
        why = "the first item of a scenario has all of its runs, and takes their time"
        return f"a plugin of pytest ended it: {error}\nhelp: {why}"
    if isinstance(error, OSError) and error.errno in limits.NO_MORE_FILES:
        return f"the machine lets the suite open nothing more: {error.strerror}\nhelp: permit it more, by `ulimit -n`"
    return f"the suite broke, please report it: {_thrown(error)}"


def _thrown(error: BaseException) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({where.name}, {Path(where.filename).name}:{where.lineno})"


_Node = TypeVar("_Node", bound=pytest.Collector | pytest.Item)


def node(kind: type[_Node], parent: pytest.Collector, **given: Any) -> _Node:
    """A node of pytest's tree; ``from_parent`` is untyped there, and here in one place."""
    make = cast("Callable[..., _Node]", kind.from_parent)  # pyright: ignore[reportUnknownMemberType]
    return make(parent, **given)


class ToldItem(pytest.Item):
    """An item whose failure is told by the lines that it was raised with, and whose report carries a payload."""

    payload: Mapping[str, Any] | None = None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The finding, and no traceback."""
        if isinstance(excinfo.value, Broken | pytest.xfail.Exception):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)
