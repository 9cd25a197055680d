"""The conversation itself, over a channel that is a list of lines."""

from __future__ import annotations

import json
from collections import deque

import pytest
from callproof.adapters import errors
from callproof.adapters.channel import Closed
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines

NOISE = b'{"jsonrpc":"2.0","method":"noise"}'
FINISHED = b'{"jsonrpc":"2.0","method":"run/finished","params":{"runId":"r"}}'


class Lines:
    """A channel whose other side has already sent everything."""

    status = 0
    unread = 0
    begun = 0

    def __init__(self, *lines: bytes) -> None:
        self.lines = deque(lines)
        self.sent: list[dict] = []

    def send(self, frame: bytes) -> None:
        self.sent.append(json.loads(frame))

    def take(self, seconds: float) -> bytes | Closed | None:
        return self.lines.popleft() if self.lines else Closed()

    def settle(self, seconds: float) -> None:
        """Do nothing: there is nothing to wait for."""

    def stderr(self) -> tuple[str, ...]:
        return ("bye",)

    def failure(self) -> None:
        """None: nothing between the suite and this system can fail."""


def test_noise_does_not_stretch_a_timeout():
    """Messages that the suite ignores use up the time of a timeout, as silence does."""
    channel = Lines(NOISE, NOISE, FINISHED)
    system = Conversation(channel, Deadlines())
    assert system.receive(0) is None
    assert len(channel.lines) == 2


def test_an_arrival_counts_every_line():
    """It also counts lines that the suite ignores, so that the number is the line's place on the wire."""
    system = Conversation(Lines(NOISE, FINISHED), Deadlines())
    message = system.receive(60)
    assert message is not None
    assert message.arrival == 1


def test_a_death_between_requests_names_the_last_one():
    """The last answered request tells when the system died."""
    system = Conversation(Lines(b'{"jsonrpc":"2.0","id":1,"result":{}}'), Deadlines())
    system.ask("run/cancel", {"runId": "r"}, on_message=lambda _: None)
    with pytest.raises(errors.DiedInRun) as caught:
        system.receive(60)
    assert caught.value == errors.DiedInRun("after it had answered run/cancel", 0, ("bye",))
    assert system.broken


def test_an_unknown_request_is_answered_at_once():
    """The answer is error -32601, with the id as it came."""
    channel = Lines(b'{"jsonrpc":"2.0","id":"x","method":"noise"}', FINISHED)
    Conversation(channel, Deadlines()).receive(60)
    assert [(frame["id"], frame["error"]["code"]) for frame in channel.sent] == [("x", -32601)]


def test_each_request_has_a_number_of_its_own():
    """Each answer finds its request, in whatever order the answers come."""
    answers = (b'{"jsonrpc":"2.0","id":%d,"result":{"runId":"r%d"}}' % (n, n) for n in (2, 1))
    system = Conversation(Lines(*answers), Deadlines())
    params = {"plan": {}, "policy": {}, "tools": []}
    first, second = system.request("run/start", params), system.request("run/start", params)
    others = []
    assert system.wait(first, on_message=others.append).value == {"runId": "r1"}
    assert [each.handle for each in others] == [second]
    assert second.result == {"runId": "r2"}
