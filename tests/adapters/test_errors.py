"""The errors themselves: each kind is a class of frozen records, which become text only at the end."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, is_dataclass

import pytest
from callproof.adapters import errors, wording

ERRORS = (
    errors.BadAdapterName("x", "it is none"),
    errors.AdapterNotFound("node", "PATH=/bin"),
    errors.NotOnThisSystem("Windows"),
    errors.HttpFailed("http://127.0.0.1:1/", "POST http://127.0.0.1:1/", "status 500", "201 with a Location"),
    errors.BridgeBroke("http://127.0.0.1:1/", -9, ("boom",)),
    errors.DiedAtStart(1, ("boom",)),
    errors.ProtocolMismatch("2.0", "1.0"),
    errors.AnotherProtocol("agent loops", "executors", "callproof test"),
    errors.DiedInRun("before it had answered run/start", -11),
    errors.Silent("run/start", 30.0),
    errors.Endless(10, 30.0, 1.5),
    errors.GarbageOnStdout("before it had answered run/start", "is not strict JSON", "hello" * 100),
    errors.FrameTooLong("before it had answered run/start", 16, "x"),
    errors.Flooded("before it had answered run/start", 11, 10),
    errors.OutOfShape("record", "adapter/record", "/kind", "'x' is not one of", ("one", "two")),
    errors.RefusedRequest("run/cancel", -32603, "internal"),
    errors.AnsweredTwice("run/start", 2),
    errors.AnswerToNobody("99"),
    errors.CouldNotRead("before it had answered run/start", "unreadable"),
    errors.OutOfTurn("record", "it had not answered initialize yet"),
    errors.NoRoom("/tmp", 0),
    errors.OutlivedShutdown(5.0, ("node (process 1)",)),
)

each_error = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)


def test_every_kind_is_here():
    """A new kind of error needs a sample here."""
    named = {value for value in vars(errors).values() if isinstance(value, type) and is_dataclass(value)}
    assert named - {errors.AdapterError} == {type(error) for error in ERRORS}


@each_error
def test_an_error_travels_between_processes(error):
    """An error that a worker raises is equal to the one that another process reports."""
    assert pickle.loads(pickle.dumps(error)) == error
    assert copy.copy(error) == error
    assert hash(copy.copy(error)) == hash(error)


@each_error
def test_an_error_stays_as_it_is(error):
    """A fact is set once; only what the interpreter adds to a raised exception may change."""
    name = fields(error)[0].name
    with pytest.raises(AttributeError, match="is a fact"):
        setattr(error, name, "another")
    error.__traceback__ = None


@each_error
def test_an_error_begins_with_a_sentence_about_the_adapter(error):
    """It says first what was observed, in the past tense, and is short enough to read."""
    first = str(error).splitlines()[0]
    assert "adapter" in first
    assert len(first) < 200


def test_an_error_ends_with_the_last_lines_of_standard_error():
    """Thirteen lines hold the error of a crash in Node.js; marks show a reader that they are not the suite's words."""
    error = errors.Silent("clock/advance", 30.0, 0, tuple(f"line {n}" for n in range(20)))
    assert str(error) == "\n".join(
        (
            "the adapter was silent: no answer to clock/advance within 30 s",
            "help: give a slow system more time with --timeout; flush what it writes, or it never arrives",
            "last lines of standard error:",
            *(f"  | line {n}" for n in range(7, 20)),
        )
    )


@pytest.mark.parametrize("method", ["loop/start", "pipeline/start", "invocation/start"])
def test_a_run_that_is_awaited_before_its_start_is_answered_is_guessed(method):
    """The most common mistake of adapters is the same in every protocol that has a start."""
    told = str(errors.Silent(method, 5.0, sent=3))
    assert f"help: answer {method} at once, before the run begins" in told
    assert "--timeout" not in told


def test_a_line_with_pieces_of_several_messages_says_so():
    """Threads that write at once tear their lines; advice to log elsewhere would lead the author to the wrong place."""
    mixed = b'{"jsonrpc":"2.0","i{"jsonrpc":"2.0","method":"record"'
    told = str(errors.garbage("before it had answered run/start", "is not strict JSON", mixed, ()))
    assert "write each with its line feed under one lock" in told
    assert "log to standard error" not in told


def test_a_message_in_another_encoding_is_told_to_be_in_utf_8():
    """The line is still a message; advice to log elsewhere would lead the author to the wrong place."""
    told = str(errors.garbage("now", "is not UTF-8 at byte 40", b'{"jsonrpc":"2.0","method":"record \xe9"}', ()))
    assert "write them in UTF-8, whatever encoding the locale names" in told
    assert "log to standard error" in str(errors.garbage("now", "is not UTF-8 at byte 4", b"caf\xe9", ()))


@pytest.mark.parametrize("before", [300, 70_000])
def test_of_a_long_line_the_place_of_the_fault_is_shown(before):
    """A line with a record may have thousands of characters, and its beginning does not show the fault."""
    line = b"a" * before + b"FAULT" + b"b" * 300
    for reason in (f"is not JSON: Expecting value at column {before + 1}", f"is not UTF-8 at byte {before}"):
        (shown,) = (each for each in str(errors.garbage("now", reason, line, ())).splitlines() if "line: " in each)
        assert "aFAULTb" in shown
        assert shown.count("…") == 2
        assert len(shown) < 140


def test_of_a_short_line_or_of_one_without_a_place_the_beginning_is_shown():
    """The beginning of a short line shows what the line is; without a place there is nothing better to show."""
    assert "line: FAULT!" in str(errors.garbage("now", "is not JSON at column 6", b"FAULT!", ()))
    assert "line: aaa" in str(errors.garbage("now", "is not an object", b"a" * 300 + b"FAULT", ()))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (0, "exited with status 0"),
        (-9, "was killed by SIGKILL"),
        (-64, "was killed by SIGRTMAX"),
        (-99, "was killed by signal 99"),
        (None, "ended its output"),
    ],
)
def test_the_end_of_a_process_is_told_in_words(status, said):
    """A negative status is a signal, as in Python's standard library."""
    assert wording.exit_text(status) == said
