"""The conversation with one system under test: JSON-RPC both ways, in the order of the wire.

Single-threaded for its user: messages are read only inside ``receive``,
``wait`` and ``ask``, and these hand them over in the order in which
the system sent them.  That order is evidence.  Sending never blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from callproof import limits
from callproof.adapters import errors
from callproof.adapters.channel import Channel, Closed, TooLong
from callproof.adapters.claims import Claims, Implementation
from callproof.adapters.deadlines import Deadlines, after, seconds_left
from callproof.adapters.encoding import Encoding
from callproof.adapters.frames import BadFrame, Kind, NoMessage, read_frame, write_answer, write_frame
from callproof.adapters.messages import (
    Answer,
    Message,
    Notification,
    Refusal,
    Request,
    RequestHandle,
    RequestId,
    Response,
    Result,
)
from callproof.adapters.methods import EXECUTOR, METHOD_UNKNOWN, Dialect, Method, dialect_of
from callproof.schema.validator import required, shape_validator
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import as_integer, is_object

_EXCERPT_BYTES = 400


class SuiteFault(Exception):
    """The suite itself is about to send what the protocol forbids: a bug of the suite, not a fault of the adapter."""


class Conversation:
    """Everything that the suite may do with a connected system."""

    def __init__(self, channel: Channel, deadlines: Deadlines, dialect: Dialect = EXECUTOR) -> None:
        self.claims = Claims()
        self.implementation = Implementation("", "", "")
        self.deadlines = deadlines
        # Whether the adapter has failed, or the user has interrupted: then the conversation cannot go on.
        self.broken = False
        # Whether the system is a process that the suite started, and so can kill and limit.
        self.has_process = True
        self._channel = channel
        self._dialect = dialect
        self._sent: list[RequestHandle] = []
        self._asked: dict[RequestId, str] = {}
        self._arrivals = 0
        self._in_a_row = 0
        self._encoding = Encoding()

    @property
    def garbled(self) -> str:
        """How the system garbled text beyond ASCII, as a clause that continues *the system*; empty if it did not."""
        return self._encoding.garbled

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        """
        Send a request at once; its answer arrives as a ``Response`` and is kept in the handle.

        Raises SuiteFault for params out of shape.
        """
        _hold(self._dialect.to_system[method].params, params)
        handle = RequestHandle(len(self._sent) + 1, method)
        self._sent.append(handle)
        self._send({"id": handle.id, "method": method, "params": params})
        return handle

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Send a notification at once. Raises SuiteFault for params out of shape."""
        _hold(self._dialect.to_system[method].params, params)
        self._send({"method": method, "params": params})

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Answer an open request of the system. Raises SuiteFault for an answer out of shape, or to no open request."""
        _hold(self._open(request_id).answer, result)
        del self._asked[request_id]
        self._send({"id": request_id, "result": result}, write_answer)

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """
        Answer an open request of the system with an error; ``data`` None leaves the member out.

        Raises SuiteFault for a code or data that the protocol does not permit, or to no open request.
        """
        refusals = self._open(request_id).refusals
        if refusals is not None:
            if code not in refusals:
                raise SuiteFault(f"error {code} does not answer {self._asked[request_id]}")
            _hold(refusals[code], data)
        del self._asked[request_id]
        error: dict[str, Json] = {"code": code, "message": message}
        self._send({"id": request_id, "error": error if data is None else {**error, "data": data}})

    def out_of_turn(self, what: str, reason: str) -> NoReturn:
        """Raises OutOfTurn, with the adapter's standard error, for a fault that the caller has found."""
        self.broken = True
        raise errors.OutOfTurn(what, reason, self._channel.stderr())

    def receive(self, timeout: float) -> Message | None:
        """
        The next message from the system, in wire order; None if none arrives within ``timeout`` seconds.

        Raises AdapterError, in one of its kinds, for anything that is no proper message, and if the system dies.
        """
        try:
            return self._next(after(timeout))
        except (errors.AdapterError, KeyboardInterrupt):
            self.broken = True
            raise

    def wait(
        self, handle: RequestHandle, *, on_message: Callable[[Message], None], deadline: float | None = None
    ) -> Answer:
        """
        Read until the answer is there, and hand every other message to ``on_message`` in wire order.

        ``deadline`` is in seconds from now; without it, the deadline of answers holds. Raises Silent when it passes.
        """
        seconds = self.deadlines.answer if deadline is None else deadline
        until, arrived = after(seconds), self._arrivals
        while handle.answer is None:
            message = self.receive(seconds_left(until))
            if message is not None and not (isinstance(message, Response) and message.handle is handle):
                on_message(message)
            if handle.answer is None and not seconds_left(until):
                self.broken = True
                sent = self._arrivals - arrived
                channel = self._channel
                waiting = channel.unread, channel.stderr(), sent, channel.begun
                raise errors.Silent(handle.method, seconds, *waiting)
        return handle.answer

    def ask(
        self,
        method: str,
        params: Mapping[str, Json],
        *,
        on_message: Callable[[Message], None],
        deadline: float | None = None,
    ) -> Answer:
        """``request`` and ``wait`` in one."""
        return self.wait(self.request(method, params), on_message=on_message, deadline=deadline)

    def turn_away(self, seconds: float) -> None:
        """Read nothing that the system sends for that many seconds; it waits in its own write, and nothing is lost."""
        self._channel.turn_away(seconds)

    def kill(self) -> None:
        """End every process of the system at once; what it sent can still be received, then DiedInRun is raised."""
        self._channel.kill()

    def stderr(self) -> tuple[str, ...]:
        """The lines that the other side wrote to standard error, beside the wire."""
        return self._channel.stderr()

    def hear_out(self, seconds: float) -> None:
        """Read on to the end of the wire, only to find what is wrong with it; proper messages are dropped."""
        until = after(seconds)
        while isinstance(line := self._channel.take(seconds_left(until)), bytes | TooLong):
            self._read(line)

    def _next(self, until: float) -> Message | None:
        while (line := self._channel.take(seconds_left(until))) is not None:
            if isinstance(line, Closed):
                self._died()
            message = self._read(line)
            if message is not None:
                return message
            if not seconds_left(until):
                break
        return None

    def _send(self, message: Mapping[str, Json], write: Callable[[Mapping[str, Json]], bytes] = write_frame) -> None:
        try:
            frame = write(message)
        except ValueError as error:
            raise SuiteFault(f"the suite's own message cannot be written as JSON: {error}") from None
        if len(frame) > limits.FRAME_BYTES + 1:
            raise SuiteFault(f"the suite's own message is {len(frame)} bytes long, over {limits.FRAME_BYTES}")
        self._in_a_row = 0
        self._encoding.send(message)
        self._channel.send(frame)

    def _open(self, request_id: RequestId) -> Method:
        if request_id not in self._asked:
            raise SuiteFault(f"the system has no open request {request_id!r}")
        return self._dialect.to_suite[self._asked[request_id]]

    def _read(self, line: bytes | TooLong) -> Message | None:
        """One line as a message; None for a message that the caller need not see."""
        self._count()
        if isinstance(line, TooLong):
            excerpt = _text(line.start)
            raise errors.FrameTooLong(self._during(), limits.FRAME_BYTES, excerpt, self._channel.stderr())
        try:
            kind, message = read_frame(line)
        except NoMessage as no:
            raise errors.garbage(self._during(), no.reason, line, self._channel.stderr()) from None
        except BadFrame as bad:
            self._misshapen(self._name(bad), "adapter/frame", bad.fault.pointer, bad.fault.message)
        self._encoding.take(message)
        if kind in {Kind.RESULT, Kind.ERROR}:
            return self._answered(message)
        return self._told(kind, message)

    def _name(self, bad: BadFrame) -> str:
        """What a misshapen message was meant to be: its method or the request that it answers, if that can be read."""
        method, handle = bad.message.get("method"), self._asked_by_us(bad.message.get("id"))
        if isinstance(method, str):
            return f"{method} as {bad.kind.value}"
        return f"its answer to {handle.method}" if handle is not None else bad.kind.value

    def _count(self) -> None:
        self._arrivals += 1
        self._in_a_row += 1
        if self._in_a_row > limits.MESSAGES_IN_A_ROW:
            raise errors.Flooded(self._during(), self._in_a_row, limits.MESSAGES_IN_A_ROW, self._channel.stderr())

    def _told(self, kind: Kind, message: Mapping[str, Json]) -> Message | None:
        name, request_id = str(message["method"]), _request_id(message.get("id"))
        params = message.get("params", {})
        method = self._dialect.to_suite.get(name)
        wanted = Kind.REQUEST if method and method.answer else Kind.NOTIFICATION
        if method is None:
            if request_id is not None:
                error: Json = {"code": METHOD_UNKNOWN, "message": f"the suite knows no method {name}"}
                self._channel.send(write_frame({"id": request_id, "error": error}))
            return None
        if kind is not wanted:
            self._misshapen(f"{name} as {kind.value}", "adapter/frame", "/id", f"{name} is {wanted.value}")
        self._check(name, method.params, params)
        assert is_object(params)  # noqa: S101  the shape says so
        arrival = self._arrivals - 1
        if request_id is None:
            return Notification(arrival, name, params)
        if request_id in self._asked:
            reason = f"its id {request_id!r} belongs to a request that is still open"
            raise errors.OutOfTurn(name, reason, self._channel.stderr())
        self._asked[request_id] = name
        return Request(arrival, request_id, name, params)

    def _answered(self, message: Mapping[str, Json]) -> Message:
        handle = self._handle(message)
        if handle.answer is not None:
            raise errors.AnsweredTwice(handle.method, handle.id, self._channel.stderr())
        method = self._dialect.to_system[handle.method]
        error = message.get("error")
        handle.answer = (
            self._refusal(handle, method, error) if is_object(error) else self._result(handle, method, message)
        )
        return Response(self._arrivals - 1, handle)

    def _asked_by_us(self, number: Json) -> RequestHandle | None:
        """The request with that id; 2.0 is the id 2, since some languages have only such numbers (B-10)."""
        index = as_integer(number)
        return self._sent[index - 1] if index is not None and 1 <= index <= len(self._sent) else None

    def _handle(self, message: Mapping[str, Json]) -> RequestHandle:
        number = message["id"]
        if (handle := self._asked_by_us(number)) is not None:
            return handle
        error = message.get("error")
        said = str(error.get("message")) if is_object(error) else None
        if number is None:
            raise errors.CouldNotRead(self._during(), said, self._channel.stderr())
        meant = next((handle.id for handle in self._sent if str(handle.id) == number), None)
        raise errors.AnswerToNobody(write_json(number), said, self._channel.stderr(), meant)

    def _result(self, handle: RequestHandle, method: Method, message: Mapping[str, Json]) -> Result:
        result = message["result"]
        if handle.method == "initialize" and is_object(result):
            self._recognise(result)
        self._check(f"its answer to {handle.method}", method.answer, result)
        assert is_object(result)  # noqa: S101  the frame's shape says so
        return Result(result)

    def _recognise(self, answer: Mapping[str, Json]) -> None:
        """Raises AnotherProtocol for an answer that is valid, but for another kind of system than expected."""
        ours, theirs = self._dialect, dialect_of(answer)
        answers = theirs.to_system["initialize"].answer
        if theirs is not ours and answers is not None and shape_validator(answers).accepts(answer):
            says = ", ".join(f'"{name}": "{value}"' for name, value in ours.introduction.items())
            raise errors.AnotherProtocol(ours.systems, theirs.systems, theirs.command, says)

    def _refusal(self, handle: RequestHandle, method: Method, error: Mapping[str, Json]) -> Refusal:
        code, message, data = error["code"], str(error["message"]), error.get("data")
        refusals = method.refusals or {}
        assert isinstance(code, int | float)  # noqa: S101  the frame's shape says so
        if code not in refusals:
            raise errors.RefusedRequest(handle.method, int(code), message, tuple(refusals), self._channel.stderr())
        what, shape = f"its refusal of {handle.method}", refusals[int(code)]
        if shape is not None and "data" not in error:
            needed = " and ".join(required(shape))
            self._misshapen(what, shape, "/error", f"data is missing; permitted: an object with {needed}")
        self._check(what, shape, data)
        return Refusal(int(code), message, data)

    def _check(self, what: str, shape: str | None, value: Json) -> None:
        faults = shape_validator(shape).errors(value) if shape is not None else ()
        if faults:
            self._misshapen(what, str(shape), faults[0].pointer, faults[0].message)

    def _misshapen(self, what: str, shape: str, pointer: str, reason: str) -> NoReturn:
        raise errors.OutOfShape(what, shape, pointer, reason, self._channel.stderr())

    def _died(self) -> NoReturn:
        self._channel.settle(self.deadlines.shutdown)
        failure = self._channel.failure()
        if failure is not None:
            raise failure
        status, stderr = self._channel.status, self._channel.stderr()
        if not any(handle.done for handle in self._sent):
            raise errors.DiedAtStart(status, stderr)
        raise errors.DiedInRun(self._during(), status, stderr)

    def _during(self) -> str:
        """When something went wrong, as a clause: by the first unanswered request, else by the last answered one."""
        waiting = next((handle for handle in self._sent if handle.answer is None), None)
        if waiting is not None:
            return f"before it had answered {waiting.method}"
        return f"after it had answered {self._sent[-1].method}"


def _request_id(given: Json) -> RequestId | None:
    """The id of a system's request, with 7.0 as 7; None for a notification, which has no id."""
    return given if isinstance(given, str) else as_integer(given)


def _hold(shape: str | None, value: Json) -> None:
    """Raises SuiteFault if a value of the suite itself is out of shape; without a shape every value is permitted."""
    faults = shape_validator(shape).errors(value) if shape is not None else ()
    if faults:
        raise SuiteFault(f"the suite's own {shape} is out of shape {faults[0]}")


def _text(raw: bytes) -> str:
    return raw[:_EXCERPT_BYTES].decode("utf-8", "replace")
