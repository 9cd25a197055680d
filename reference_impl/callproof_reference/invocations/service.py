"""What the suite may ask of a system under the invocation contract: one response after the other."""

from threading import Thread

from callproof_reference.invocations.runtime import Response
from callproof_reference.peers.peer import Peer, Pipes
from callproof_reference.run import VERSION
from callproof_reference.values import Object

_FEATURES = "byRuntime byProvider v1 2026-05 rerouting requiredTools severalTools reports"
_NAME = {"name": "callproof-reference invocation", "version": VERSION, "language": "python"}


class Service:
    """The program, as the suite sees it; ``kind`` is the class of its responses."""

    def __init__(self, wire: Pipes, kind: type[Response] = Response, features: str = _FEATURES) -> None:
        self._kind, self._features = kind, features
        methods = {"initialize": self._initialize, "invocation/start": self._start, "shutdown": self._shutdown}
        self.peer = Peer(wire, methods)

    def _initialize(self, _params: Object) -> Object:
        spoken = {"protocol": "invocation", "protocolVersion": "1.0"}
        return {**spoken, "implementation": _NAME, "claims": {"features": self._features.split()}}

    def _start(self, params: Object) -> Object:
        self.peer.begun.append(Thread(target=self._kind(self.peer, params).run, daemon=True).start)
        return {}

    def _shutdown(self, _params: Object) -> Object:
        return {}


def serve(wire: Pipes) -> None:
    """Speak the adapter protocol of the invocation contract until `shutdown` or the end of input."""
    Service(wire).peer.serve()
