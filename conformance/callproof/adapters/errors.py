"""Every way in which an adapter can let the suite down, in the order of a conversation.

One class each: connect, initialize, run, shutdown.  All of them are *errors* and
judge nothing: no requirement fails by them, and exit code 3 says so.  Each holds
facts and renders them last, with what was expected and the last lines of standard
error.  What they hold comes from outside; escaping it is the report's affair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from callproof.adapters.wording import EXCERPT, cut, exit_text, joined, with_stderr
from callproof.values.counts import counted

_PLACE = re.compile(r"\bat (?:column|byte) ([0-9]+)")


@dataclass(unsafe_hash=True)
class AdapterError(Exception):
    """What went wrong between the suite and an adapter; never the fault of a requirement."""

    # Set once, like a frozen record, except for __traceback__ and similar members, which the interpreter writes.
    def __setattr__(self, name: str, value: object) -> None:
        if name in vars(self) and not name.startswith("__"):
            raise AttributeError(f"{type(self).__name__}.{name} is a fact and stays as it is")
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, each.name) for each in fields(self))


@dataclass(unsafe_hash=True)
class BadAdapterName(AdapterError):
    """The address of the adapter cannot be read."""

    address: str
    reason: str
    suggestion: str | None = None

    def __str__(self) -> str:
        return joined(
            f"{self.address!r} is not an adapter: {self.reason}",
            self.suggestion and f"help: did you mean {self.suggestion!r}?",
        )


@dataclass(unsafe_hash=True)
class AdapterNotFound(AdapterError):
    """The adapter's command is not a program that can be run."""

    command: str
    searched: str
    reason: str = "no such program"
    nearest: str | None = None

    def __str__(self) -> str:
        return joined(
            f"the adapter's command {self.command!r} cannot be run: {self.reason}",
            f"searched: {self.searched}",
            self.nearest and f"help: did you mean {self.nearest!r}?",
        )


@dataclass(unsafe_hash=True)
class NotOnThisSystem(AdapterError):
    """This operating system has no process groups, so the suite could not end everything that an adapter starts."""

    system: str

    PERMITTED: ClassVar = "a POSIX system (Linux, macOS, or WSL on Windows)"

    @property
    def reason(self) -> str:
        return f"{self.system} has no process groups, so what a program starts could outlive it"

    def __str__(self) -> str:
        return joined(
            f"the adapter is not started: {self.reason}",
            f"permitted: {self.PERMITTED}",
            "help: commands that judge files work here too: audit, records, show, verify, breaking, and lint of files",
        )


@dataclass(unsafe_hash=True)
class HttpFailed(AdapterError):
    """A system behind HTTP could not be reached, broke off, or answered what the binding does not permit."""

    address: str
    request: str
    came: str
    permitted: str
    help: str = ""

    def __str__(self) -> str:
        return joined(
            f"the adapter at {self.address} failed over HTTP: {cut(self.came)}",
            f"asked: {self.request}",
            f"permitted: {self.permitted}",
            self.help and f"help: {self.help}",
        )


@dataclass(unsafe_hash=True)
class BridgeBroke(AdapterError):
    """The suite's own way to a system behind HTTP broke, which says nothing about the system."""

    address: str
    status: int
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the suite's own bridge to the adapter at {self.address} broke: it {exit_text(self.status)}",
            self.stderr,
        )


@dataclass(unsafe_hash=True)
class DiedAtStart(AdapterError):
    """The adapter ended before it had answered ``initialize``."""

    status: int | None
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter died at start: it {exit_text(self.status)} before it had answered initialize",
            self.stderr,
        )


@dataclass(unsafe_hash=True)
class ProtocolMismatch(AdapterError):
    """The adapter speaks another version of the protocol."""

    spoken: str
    wanted: str

    def __str__(self) -> str:
        return (
            f"the adapter answered initialize with protocolVersion {self.spoken!r};"
            f" this suite speaks {self.wanted!r}, and the first number has to be the same"
        )


@dataclass(unsafe_hash=True)
class AnotherProtocol(AdapterError):
    """The adapter answered ``initialize`` as another kind of system than the suite tests."""

    wanted: str
    spoken: str
    command: str
    says: str = ""

    def __str__(self) -> str:
        return joined(
            f"the adapter answered initialize as an adapter for {self.spoken} does, but this suite tests {self.wanted}",
            f"help: run `{self.command}`, which judges {self.spoken}",
            self.says and f"help: or put {self.says} in the answer, as an adapter for {self.wanted} does",
        )


@dataclass(unsafe_hash=True)
class DiedInRun(AdapterError):
    """The adapter ended in the middle of the conversation, whatever its exit status (A78)."""

    during: str
    status: int | None
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter died in a run: it {exit_text(self.status)} {self.during};"
            " it has to run until it has answered shutdown",
            self.stderr,
        )


@dataclass(unsafe_hash=True)
class Silent(AdapterError):
    """The adapter did not answer within the deadline."""

    method: str
    seconds: float
    unread: int = 0
    stderr: tuple[str, ...] = ()
    sent: int = 0
    begun: int = 0

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter was silent: no answer to {self.method} within {self.seconds:g} s",
            self.stderr,
            self.unread and f"it has not read its input either: {counted(self.unread, 'byte')} waiting there",
            self.sent and f"it sent {counted(self.sent, 'message')} meanwhile, and the suite kept reading",
            self.begun and f"{counted(self.begun, 'byte')} came without a line end",
            f"help: {self._help()}",
        )

    def _help(self) -> str:
        if self.begun:
            return "end each message with a line feed: the suite reads a message only when its line feed has come"
        if self.sent and self.method == "run/start":
            return "answer run/start before the first record of the run, and not when the run is over"
        if self.method.endswith("/start"):
            return f"answer {self.method} at once, before the run begins, and not when the run is over"
        return "give a slow system more time with --timeout; flush what it writes, or it never arrives"


@dataclass(unsafe_hash=True)
class Endless(AdapterError):
    """So many runs in a row did not end that the suite begins no more."""

    runs: int
    seconds: float
    quiet: float

    def __str__(self) -> str:
        return joined(
            f"the adapter was given up: {self.runs} runs in a row sent no run/finished, so this one was not begun",
            f"awaited: run/finished within {self.seconds:g} s of real time, and no {self.quiet:g} s of its own clock"
            " without a message",
            "help: give a slow system more time with --timeout",
        )


@dataclass(unsafe_hash=True)
class GarbageOnStdout(AdapterError):
    """The adapter wrote something to standard output that is not a message; ``cure`` says how to mend such a line."""

    during: str
    reason: str
    excerpt: str
    stderr: tuple[str, ...] = ()
    cure: str = "log to standard error"

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter wrote garbage to standard output {self.during}: a line that {self.reason}",
            self.stderr,
            f"line: {self.excerpt}",
            f"help: standard output carries JSON-RPC messages only, one per line; {self.cure}",
        )


def garbage(during: str, reason: str, line: bytes, stderr: tuple[str, ...]) -> GarbageOnStdout:
    """The error of a line that is not a message; it shows the part at the column or byte that the reason names."""
    told = _PLACE.search(reason)
    begin = max(0, int(told[1]) - EXCERPT // 2) if told is not None and len(line) > EXCERPT else 0
    shown = cut(line[begin : begin + 4 * EXCERPT].decode("utf-8", "replace"))
    return GarbageOnStdout(during, reason, f"{'…' if begin else ''}{shown}", stderr, _cure(reason, line))


def _cure(reason: str, line: bytes) -> str:
    messages = line.count(b'"jsonrpc"')
    if messages > 1:  # as where threads write at once
        return "this line mixes several: write each with its line feed under one lock"
    if messages and "is not UTF-8" in reason:
        return "write them in UTF-8, whatever encoding the locale names"
    return "log to standard error"


@dataclass(unsafe_hash=True)
class FrameTooLong(AdapterError):
    """The adapter wrote a line over the limit."""

    during: str
    limit: int
    excerpt: str
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter wrote a frame that is too long {self.during}: over {self.limit} bytes without a line end",
            self.stderr,
            f"line: {cut(self.excerpt)}",
        )


@dataclass(unsafe_hash=True)
class Flooded(AdapterError):
    """The adapter went on sending without end while the suite said nothing."""

    during: str
    messages: int
    limit: int
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter flooded the suite {self.during}: {self.messages} messages in a row"
            f" while the suite said nothing, but only {self.limit} are permitted",
            self.stderr,
        )


@dataclass(unsafe_hash=True)
class OutOfShape(AdapterError):
    """The adapter sent a message or an answer that breaks its shape."""

    what: str
    shape: str
    pointer: str
    reason: str
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter sent {self.what} out of shape: at {self.pointer or 'the top'}, {self.reason}",
            self.stderr,
            f"shape: schemas/{self.shape}.json",
        )


@dataclass(unsafe_hash=True)
class RefusedRequest(AdapterError):
    """The adapter answered a request with an error that the protocol does not permit for it."""

    method: str
    code: int
    message: str
    permitted: tuple[int, ...] = ()
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        permitted = " or ".join(str(code) for code in self.permitted)
        return with_stderr(
            f"the adapter answered {self.method} with error {self.code}: {cut(self.message)!r}",
            self.stderr,
            f"permitted: a result, or error {permitted}" if permitted else "permitted: a result, and no error",
        )


@dataclass(unsafe_hash=True)
class AnsweredTwice(AdapterError):
    """The adapter answered one request a second time."""

    method: str
    request: int
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter answered {self.method} twice: a second answer to request {self.request} came in"
            " but only one is permitted",
            self.stderr,
        )


@dataclass(unsafe_hash=True)
class AnswerToNobody(AdapterError):
    """The adapter answered a request that was never made."""

    request: str
    message: str | None = None
    stderr: tuple[str, ...] = ()
    meant: int | None = None

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter answered request {self.request}, which the suite never made",
            self.stderr,
            self.message and f"it said: {cut(self.message)}",
            self.meant and f"help: repeat the id in the answer as it came, here the number {self.meant} and not a text",
        )


@dataclass(unsafe_hash=True)
class CouldNotRead(AdapterError):
    """The adapter answered with an error that has no id: it could not read what the suite had sent."""

    during: str
    message: str | None = None
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter could not read a message {self.during}: it sent an error whose id is null",
            self.stderr,
            self.message and f"it said: {cut(self.message)}",
            "help: the suite sends strict JSON in UTF-8, one message per line, and LF ends each line;"
            " a text may hold every character, including U+FFFF and U+2028",
        )


@dataclass(unsafe_hash=True)
class OutOfTurn(AdapterError):
    """The adapter sent something too early, or reused the number of an open request."""

    what: str
    reason: str
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(f"the adapter sent {self.what} out of turn: {self.reason}", self.stderr)


@dataclass(unsafe_hash=True)
class NoRoom(AdapterError):
    """The adapter had no room to write where it was told to, so what is missing there shows nothing."""

    folder: str
    free: int

    def __str__(self) -> str:
        return (
            f"the adapter had no room to write: {counted(self.free, 'byte')} left in {self.folder};"
            " make room, or name another folder in TMPDIR"
        )


@dataclass(unsafe_hash=True)
class OutlivedShutdown(AdapterError):
    """The adapter, or a process that it started, was still there after ``shutdown``, and was killed."""

    seconds: float
    left: tuple[str, ...]
    stderr: tuple[str, ...] = ()

    def __str__(self) -> str:
        return with_stderr(
            f"the adapter outlived shutdown: after {self.seconds:g} s there was still {', '.join(self.left)}",
            self.stderr,
            "it was killed; an adapter exits after shutdown, with every process that it started",
        )
