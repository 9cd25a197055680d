"""
A case played again from a log: the suite takes what the log says that the system said, and must write the same log.

So the code that plays the case also checks every line of the log that the suite itself wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, NoReturn

from callproof.adapters.claims import Claims
from callproof.adapters.messages import Message, Notification, Request, RequestHandle, RequestId, Response, Result
from callproof.driven.playing import MOST_MESSAGES, Performance
from callproof.driven.suite import C, Heard, Suite
from callproof.schema.validator import shape_validator
from callproof.values.jsontext import Json, write_json

_GAVE_UP: Final = "gave_up"


class AnotherLog(ValueError):
    """A log is not one that the suite writes when it plays a case; the message names the line and the reason."""


def refuse_another_log(suite: Suite[C], case: C, claims: Claims, log: Sequence[Mapping[str, Json]]) -> None:
    """
    Refuse a log of a case if the suite would not write it with a system of these claims.

    Raises AnotherLog.
    """
    again = _Again(suite, suite.performs(case, claims, wire := _Script()), wire)
    at = again.compared(log, 0)
    while at < len(log):
        again.on(log[at], at, is_last=at == len(log) - 1)
        at = again.compared(log, at)
    if not again.ended:
        raise AnotherLog(f"it breaks off after line {len(log)}, before the end of the case")


class _Script:
    """The wire of a case that is over: what the suite says is dropped."""

    def __init__(self) -> None:
        self.open: list[RequestHandle] = []

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        self.open.append(RequestHandle(len(self.open), method))
        return self.open[-1]

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        """Drop it."""

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        """Drop it."""

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        """Drop it."""

    def out_of_turn(self, what: str, reason: str) -> NoReturn:
        raise AnotherLog(f"it reports {what}, but {reason}")


@dataclass(slots=True)
class _Again:
    """A case that is being played again."""

    suite: Suite[Any]
    performance: Performance
    wire: _Script
    heard: int = 0
    gave_up: bool = False

    @property
    def ended(self) -> bool:
        return self.gave_up or self.performance.over

    def on(self, line: Mapping[str, Json], at: int, *, is_last: bool) -> None:
        """Do what comes before this line of the log, and allow nothing else.  Raises AnotherLog."""
        before = len(self.performance.log.lines)
        told = self.suite.heard(line)
        if told is not None:
            self.performance.take(self._message(told, at))
        elif line.get("probe") == _GAVE_UP and is_last and not self.ended:
            self.performance.give_up()
            self.gave_up = True
        else:
            self._give_way(before)
        if len(self.performance.log.lines) == before:
            raise AnotherLog(f"line {at + 1} is not a line that the suite writes there")

    def compared(self, log: Sequence[Mapping[str, Json]], at: int) -> int:
        """The number of lines written so far, after comparing those from line ``at`` on.  Raises AnotherLog."""
        written = self.performance.log.lines
        for number, (meant, found) in enumerate(zip_longest(written[at:], log[at : len(written)]), start=at + 1):
            if found is None:
                raise AnotherLog(f"line {number} is missing: {_named(meant)}")
            if not _is(meant, found, self.suite.measured):
                raise AnotherLog(
                    f"line {number} is {_named(found)}, which differs from what the suite writes there: {_named(meant)}"
                )
        return len(written)

    def _give_way(self, before: int) -> None:
        """Let time pass without a message: the players may then do what no line of the log reports."""
        while len(self.performance.log.lines) == before and self.performance.waits is not None and not self.ended:
            self.performance.give_way()

    def _message(self, told: Heard, at: int) -> Message:
        self.heard += 1
        if self.heard > 2 * MOST_MESSAGES:
            raise AnotherLog(
                f"line {at + 1} reports another message after {self.heard - 1}, when the suite no longer listens"
            )
        if told.method is None:
            return self._acknowledged(at)
        method = self.suite.dialect.to_suite[told.method]
        if faults := shape_validator(method.params).errors(told.params):
            raise AnotherLog(f"line {at + 1} does not report a valid {told.method}: {faults[0]}")
        if method.answer is None:
            return Notification(self.heard, told.method, told.params)
        return Request(self.heard, self.heard, told.method, told.params)

    def _acknowledged(self, at: int) -> Response:
        if not self.wire.open:
            raise AnotherLog(f"line {at + 1} reports an answer, but the suite had not asked for one")
        handle = self.wire.open.pop()
        handle.answer = Result({})
        return Response(self.heard, handle)


def _is(meant: Mapping[str, Json], found: Mapping[str, Json], measured: Iterable[str]) -> bool:
    """Whether a line is the one that the suite writes; a measured member may have any number as its value."""
    free = {name: found[name] for name in measured if name in meant and _is_measure(found.get(name))}
    return write_json({**meant, **free}) == write_json(found)


def _is_measure(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _named(line: Mapping[str, Json]) -> str:
    """The kind of a line, without its content."""
    word = next((line[name] for name in ("probe", "record", "kind") if isinstance(line.get(name), str)), None)
    return "a line" if word is None else f"a line {word!r}"
