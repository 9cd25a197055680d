"""The tools of a case while they are at work: what each waits for before it returns, and which may go on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Protocol, TypeVar

from callproof.adapters.messages import RequestId


class Wait(Enum):
    """What a tool waits for before it returns."""

    NOTHING = "nothing"
    # Until every call that was requested together with its own has been entered.
    SIBLINGS = "siblings"
    # Until another call has returned, by its id.
    RETURN = "return"
    # Until the system asks it to stop; then it throws.
    STOP = "stop"
    # Until the user has done what the case says, if anything, and a moment longer, even if asked to stop.
    ACT = "act"


class Does(Protocol):
    """What a tool does in one call, as far as others have to wait for it."""

    @property
    def waits(self) -> Wait:
        """What it waits for."""
        ...

    @property
    def awaited(self) -> str | None:
        """The id of the call that it waits for, if it waits for one."""
        ...


D = TypeVar("D", bound=Does)


@dataclass(slots=True, eq=False)
class Opened(Generic[D]):
    """A tool that was entered and has not returned: the request, its call, and what it is going to do."""

    request: RequestId
    call: str
    does: D
    asked_to_stop: bool = False
    has_told: bool = False

    @property
    def stops(self) -> bool:
        """Whether it was waiting for a request to stop, and got one."""
        return self.does.waits is Wait.STOP and self.asked_to_stop


@dataclass(slots=True)
class AtWork(Generic[D]):
    """The tools that are at work, in the order in which they were entered, and which calls have entered or returned."""

    open: list[Opened[D]] = field(default_factory=list[Opened[D]])
    entered: list[str] = field(default_factory=list[str])
    returned: set[str] = field(default_factory=set[str])

    def enter(self, request: RequestId, call: str, does: D) -> None:
        """Record that a call enters its tool."""
        self.entered.append(call)
        self.open.append(Opened(request, call, does))

    def leave(self, opened: Opened[D]) -> None:
        """Record that a tool returns or throws."""
        self.open.remove(opened)
        self.returned.add(opened.call)

    def ask_to_stop(self, call: object) -> None:
        """Record that the system asks the tools of a call to stop."""
        for each in self.open:
            each.asked_to_stop = each.asked_to_stop or each.call == call

    def ready(self, siblings: Collection[str]) -> Opened[D] | None:
        """A tool with nothing left to wait for, if the calls ``siblings`` were requested together; None for none."""
        return next((each for each in self.open if self._is_ready(each, siblings)), None)

    def _is_ready(self, opened: Opened[D], siblings: Collection[str]) -> bool:
        does = opened.does
        if does.waits is Wait.SIBLINGS:
            return set(siblings) <= set(self.entered)
        if does.waits is Wait.RETURN:
            return does.awaited in self.returned
        # One that waits for the act of the user waits until no message comes: the system needs time to react.
        return opened.stops or does.waits is Wait.NOTHING
