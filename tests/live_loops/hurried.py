"""Loops that do not wait long for the before-hook: some go on as if it had permitted the call, and some refuse it."""

from __future__ import annotations

from concurrent.futures import wait
from typing import Any, ClassVar, Final

from callproof_reference.loops.calls import Calls
from callproof_reference.peers.peer import Failed, Peer
from callproof_reference.values import Object

from live_loops.kinds import Kind, carrying_out


class Timed(Calls):
    """A before-hook that does not answer in time counts as one that says something else."""

    seconds: ClassVar[float]
    otherwise: ClassVar[Object | None]

    def __init__(self, peer: Any, tools: list[Object], hooks: list[str]) -> None:
        super().__init__(_Impatient(peer, self.seconds, self.otherwise), tools, hooks)  # type: ignore[arg-type]


class _Impatient:
    """The other side of the wire, whose before-hook has to answer in time."""

    def __init__(self, peer: Peer, seconds: float, otherwise: Object | None) -> None:
        self._peer, self._seconds, self._otherwise = peer, seconds, otherwise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._peer, name)

    def ask(self, method: str, params: Object) -> Object:
        """The answer to a request.  Raises Failed for an error."""
        if method != "hook/before":
            return self._peer.ask(method, params)
        begun = self._peer.begin(method, params)
        if wait([begun], timeout=self._seconds).done:
            return self._peer.answer_to(begun)
        if self._otherwise is None:
            raise Failed("it did not answer in time", {})
        return self._otherwise


class GoingOn(Timed):
    """After a fifth of a second without an answer, the call counts as permitted."""

    seconds = 0.2
    otherwise: ClassVar[Object | None] = {}


class Refusing(Timed):
    """After half a second without an answer, the call fails."""

    seconds = 0.5
    otherwise = None


class Blocking(Timed):
    """After half a second without an answer, the call counts as blocked."""

    seconds = 0.5
    otherwise: ClassVar[Object | None] = {"block": True, "reason": "the hook did not answer in time"}


HASTY: Final = (
    Kind("going-on", "A hook that is slow counts as permission.", "HOST-03", (), None, carrying_out(GoingOn)),
)
GIVING_UP: Final = (
    Kind("giving-up", "A call whose hook is slow fails.", loop=carrying_out(Refusing)),
    Kind("blocking-itself", "A call whose hook is slow is blocked.", loop=carrying_out(Blocking)),
)
