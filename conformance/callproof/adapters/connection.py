"""Hold a conversation with the system at an address, and leave nothing behind."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from callproof import __version__, limits
from callproof.adapters import errors
from callproof.adapters.address import read_address
from callproof.adapters.claims import read_claims, read_implementation
from callproof.adapters.conversation import Conversation
from callproof.adapters.deadlines import Deadlines, after, seconds_left
from callproof.adapters.messages import Message, Refusal
from callproof.adapters.methods import EXECUTOR, Dialect
from callproof.adapters.process import AdapterProcess

PROTOCOL_VERSION = "1.0"
_DEFAULT = Deadlines()


@contextmanager
def connect(
    address: str, *, deadlines: Deadlines = _DEFAULT, file_bytes: int | None = None, dialect: Dialect = EXECUTOR
) -> Generator[Conversation, None, None]:
    """
    A conversation with the system at an address, initialized; its whole process tree is gone at the end.

    ``dialect`` says what kind of system it is. With ``file_bytes`` no file that it writes may grow beyond that many
    bytes, as on a full disk.
    Raises AdapterError, in one of its kinds, for everything that the adapter gets wrong, from the
    address to the last process that it leaves. Any other exception leaves the block unchanged.
    """
    launch = read_address(address)
    with AdapterProcess(launch, term_seconds=deadlines.term, file_bytes=file_bytes) as process:
        conversation = Conversation(process, deadlines, dialect)
        conversation.has_process = launch.carries is None
        _initialize(conversation, process, dialect.introduction)
        yield conversation
        if not conversation.broken:
            _shut_down(conversation, process, launch.carries)


def _initialize(conversation: Conversation, process: AdapterProcess, introduction: Mapping[str, str]) -> None:
    def too_early(message: Message) -> None:
        what = getattr(message, "method", "an answer")
        raise errors.OutOfTurn(what, "it had not answered initialize yet", process.stderr())

    answer = conversation.ask(
        "initialize",
        {
            **introduction,
            "protocolVersion": PROTOCOL_VERSION,
            "suite": {"name": "callproof", "version": __version__},
            "limits": {"frameBytes": limits.FRAME_BYTES},
        },
        on_message=too_early,
        deadline=conversation.deadlines.start,
    )
    assert not isinstance(answer, Refusal)  # noqa: S101  initialize permits no refusal
    spoken = str(answer.value["protocolVersion"])
    if spoken.partition(".")[0] != PROTOCOL_VERSION.partition(".")[0]:
        raise errors.ProtocolMismatch(spoken, PROTOCOL_VERSION)
    conversation.claims = read_claims(answer.value)
    conversation.implementation = read_implementation(answer.value)


def _shut_down(conversation: Conversation, process: AdapterProcess, carries: str | None) -> None:
    """Ask for shutdown, read to the end of the wire, and check that every process is gone."""
    seconds = conversation.deadlines.shutdown
    until = after(seconds)
    conversation.ask("shutdown", {}, on_message=_unheard, deadline=seconds)
    process.close_input()
    # Read on: a second answer to some request may come as late as this.
    conversation.hear_out(seconds_left(until))
    ending = process.finish(seconds_left(until))
    failure = process.failure()
    if failure is not None:
        raise failure
    if ending.left and carries is not None:
        came = f"the conversation was not over {seconds:g} s after the suite had asked for shutdown"
        raise errors.HttpFailed(carries, "DELETE of the conversation", came, "204, and the end of the stream")
    if ending.left:
        raise errors.OutlivedShutdown(seconds, ending.left, process.stderr())


def _unheard(_message: Message) -> None:
    """Ignore a message: what comes after the suite has asked for shutdown is no evidence."""
