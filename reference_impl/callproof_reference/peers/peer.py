"""JSON-RPC in both directions over a wire: a caller waits for the answer in its own thread (loop adapter, Messages)."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from itertools import count
from threading import Lock
from typing import Protocol

from callproof_reference.values import Object, as_object


class Pipes(Protocol):
    """One message at a time, in both directions."""

    def receive(self) -> Object | None:
        """The next message, or None at the end."""
        ...

    def send(self, message: Object) -> None:
        """Send a message at once."""
        ...


class Failed(Exception):
    """The answer to a request is an error: a tool threw, or a hook failed; ``data`` is the data of the error."""

    def __init__(self, message: str, data: Object) -> None:
        super().__init__(message)
        self.data = data


class Peer:
    """The other side of the wire; ``methods`` do what it asks for, on the thread that reads."""

    def __init__(self, wire: Pipes, methods: Mapping[str, Callable[[Object], Object]]) -> None:
        self._wire, self._methods = wire, methods
        self._sending, self._ids = Lock(), count()
        self._asked = dict[object, Future[Object]]()
        self.begun = list[Callable[[], None]]()  # what begins after the current request is answered

    def serve(self) -> None:
        """Read until `shutdown` or the end of input."""
        while message := self._wire.receive():
            method, identity = message.get("method"), message.get("id")
            if not isinstance(method, str):
                if answered := self._asked.pop(identity, None):
                    answered.set_result(message)
                continue
            do = self._methods.get(method)
            done = {"result": do(as_object(message.get("params")))} if do else self._unknown(method)
            if identity is not None:
                self._send({"id": identity, **done})
            while self.begun:
                self.begun.pop()()
            if method == "shutdown":
                return

    def ask(self, method: str, params: Object) -> Object:
        """The answer to a request. Raises Failed for an error."""
        return self.answer_to(self.begin(method, params))

    def begin(self, method: str, params: Object) -> Future[Object]:
        """Send a request; the future has the answer as soon as that was read."""
        identity, answered = f"{method} {next(self._ids)}", Future[Object]()
        self._asked[identity] = answered
        self._send({"id": identity, "method": method, "params": params})
        return answered

    @staticmethod
    def answer_to(begun: Future[Object]) -> Object:
        """Wait for the answer. Raises Failed for an error."""
        answer = begun.result()
        if "error" in answer:
            error = as_object(answer["error"])
            raise Failed(str(error.get("message")), as_object(error.get("data")))
        return as_object(answer["result"])

    def tell(self, method: str, params: Object) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def _send(self, message: Object) -> None:
        with self._sending:
            self._wire.send({"jsonrpc": "2.0", **message})

    @staticmethod
    def _unknown(method: str) -> Object:
        return {"error": {"code": -32601, "message": f"the method {method!r} is not known"}}
