"""What a witness tool does when it is invoked: behaviours as data, one reply per invocation.

A behaviour is only data.  It says what the suite answers and when, what it
writes into the folder meanwhile, and how it reacts to an abort.  ``hosting`` hosts the
tools and says on which clock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object


class Ending(Enum):
    """How an invocation ends."""

    OUTPUT = "output"  # returns ``output``
    ECHO = "echo"  # returns its arguments as they came
    MUTANT = "mutant"  # returns its arguments, every value in them altered
    FAILURE = "failure"  # reports ``error``
    BREAK = "break"  # ends with an unstructured exception
    SILENCE = "silence"  # never ends by itself


class OnAbort(Enum):
    """How a tool reacts to ``tool/abort``."""

    STOP = "stop"  # answers at once that it stopped, with what it has observed
    IGNORE = "ignore"  # goes on working and answers when it is done
    VANISH = "vanish"  # stops without an answer


class Stage(Enum):
    """When a tool writes."""

    ENTRY = "entry"  # as soon as it is invoked
    ANSWER = "answer"  # at the end, just before it answers
    LATER = "later"  # a little while after it answered, in the background


@dataclass(frozen=True, slots=True)
class Write:
    """
    One thing that a tool puts into the suite's folder; missing parents are made too.

    It is a file, or with ``link`` a symbolic link to ``content``, which replaces an empty folder of that path.
    """

    path: str
    content: str
    stage: Stage = Stage.ENTRY
    link: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """
    What a tool does on one invocation.

    It ends ``after_ms`` after its entry (the clock of the run), and makes each of ``writes`` at its stage.
    ``observed`` goes with every answer that can carry it.  With ``gate`` the suite holds the invocation until that many
    of the tool are open; they end in the reverse order of their arrival.
    """

    ending: Ending
    after_ms: int = 0
    output: Json = None
    error: Mapping[str, Json] | None = None
    observed: Mapping[str, Json] | None = None
    writes: tuple[Write, ...] = ()
    on_abort: OnAbort = OnAbort.STOP
    gate: int = 0
    # JSON text of an output that no strict reader accepts: one with an escaped lone surrogate (RES-22).
    text: str | None = None
    # The message of a broken tool's exception.
    message: str = "The witness tool broke"
    # The times after its entry at which it reports progress; an invocation that is over reports none.
    progress_ms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Behaviour:
    """
    Replies by invocation, counted from the first; the last one repeats.

    With ``by_args`` invocations are counted separately for each value of the arguments, so that
    every item of a loop meets the same replies.
    """

    replies: tuple[Reply, ...]
    by_args: bool = False

    def reply(self, invocation: int) -> Reply:
        """The reply to an invocation, counted from 0."""
        return self.replies[min(invocation, len(self.replies) - 1)]


def script(*replies: Reply, by_args: bool = False) -> Behaviour:
    """A list of replies by invocation."""
    return Behaviour(replies, by_args)


def echo(after_ms: int = 0) -> Reply:
    """Returns exactly what it received."""
    return Reply(Ending.ECHO, after_ms)


def mutant() -> Reply:
    """Returns what it received with every value altered, as a tool does that edits its arguments in place."""
    return Reply(Ending.MUTANT)


def returns(output: Json, after_ms: int = 0, observed: Mapping[str, Json] | None = None) -> Reply:
    """Returns this output."""
    return Reply(Ending.OUTPUT, after_ms, output=output, observed=observed)


def returns_text(text: str) -> Reply:
    """Returns the value of this JSON text, which strict JSON need not be able to hold."""
    return Reply(Ending.OUTPUT, text=text)


def fails(code: str, retryable: bool | None = None, after_ms: int = 0) -> Reply:
    """Reports a failure; without ``retryable`` it says nothing about another attempt."""
    error: dict[str, Json] = {"code": code, "message": f"The witness tool reports {code}"}
    if retryable is not None:
        error["retryable"] = retryable
    return Reply(Ending.FAILURE, after_ms, error=error)


def breaks(message: str = "The witness tool broke") -> Reply:
    """Ends with an unstructured exception: -32011."""
    return Reply(Ending.BREAK, message=message)


def flaky(failures: int, code: str, retryable: bool | None, then: Json) -> Behaviour:
    """Fails that many times, then returns ``then``."""
    return Behaviour((*(fails(code, retryable) for _ in range(failures)), returns(then)))


def sleeper(ms: int, output: Json) -> Reply:
    """Works for a time, and stops at once when it is aborted."""
    return returns(output, after_ms=ms)


def stubborn(ms: int, output: Json) -> Reply:
    """Works for a time, whatever it is told; if it was aborted, its answer is late."""
    return replace(returns(output, after_ms=ms), on_abort=OnAbort.IGNORE)


def silent() -> Reply:
    """Never ends, and vanishes when it is aborted."""
    return Reply(Ending.SILENCE, on_abort=OnAbort.VANISH)


def gated(reply: Reply, calls: int) -> Reply:
    """The reply, held until that many invocations are open; then the last one ends first."""
    return replace(reply, gate=calls)


def writing(reply: Reply, path: str, content: str, *, kinds: Sequence[str] = ("create-file",)) -> Reply:
    """The reply of a tool that created one file on entry, and says so in ``observed``."""
    observed: dict[str, Json] = {"sideEffectsObserved": list(kinds), "created": [{"path": path, "kind": "file"}]}
    return replace(reply, writes=(*reply.writes, Write(path, content)), observed=observed)


def secretly(reply: Reply, *writes: Write) -> Reply:
    """The reply of a tool that also makes these writes and does not report them."""
    return replace(reply, writes=(*reply.writes, *writes))


def mutated(value: Json) -> Json:
    """The value with every scalar in it altered, but with its shape and types kept."""
    if is_object(value):
        return {name: mutated(inner) for name, inner in value.items()}
    if is_array(value):
        return [mutated(inner) for inner in value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value} (altered)" if isinstance(value, str) else value
