"""Adapters that misbehave: each gives its own clear error, in bounded time and memory, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest
from callproof import limits
from callproof.adapters import errors
from callproof.adapters.connection import connect


def test_a_silent_adapter_is_named_with_its_method_and_deadline(program, short, provoke):
    """A missing answer within the deadline has its own error."""
    error = provoke(program("hostile/silent.py"), short)
    assert isinstance(error, errors.Silent)
    assert (error.method, error.seconds, error.stderr) == ("run/start", 0.5, ("thinking",))
    assert "no answer to run/start within 0.5 s" in str(error)


def test_ctrl_c_that_reaches_another_thread_does_not_wait_for_the_deadline(program, deadlines, provoke):
    """The kernel may give it to any thread, or to the main one before it sleeps: then it ends no wait by itself."""
    begun = time.monotonic()
    ctrl_c = threading.Timer(3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT))
    ctrl_c.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            provoke(program("hostile/silent.py"), deadlines)
    finally:
        ctrl_c.cancel()
    assert time.monotonic() - begun < deadlines.answer


def test_an_adapter_that_reads_nothing_blocks_nobody(program, short, provoke):
    """What the adapter does not read waits in the suite, and the deadline still applies."""
    error = provoke(program("hostile/deaf.py"), short, "run/start")
    assert isinstance(error, errors.Silent)
    assert error.unread > 900_000
    assert "has not read its input" in str(error)


def test_a_message_without_its_line_feed_is_told(program, short, provoke):
    """The message has come but is never complete, and the author of the adapter would not think of the line feed."""
    error = provoke(program("hostile/no_line_end.py"), short)
    assert isinstance(error, errors.Silent)
    assert "17 bytes came without a line end" in str(error)
    assert "help: end each message with a line feed" in str(error)


def test_garbage_on_standard_output_is_shown(program, deadlines, provoke):
    """Text that is not a message is an error, with the line and what to do about it."""
    error = provoke(program("hostile/garbage.py"), deadlines)
    assert isinstance(error, errors.GarbageOnStdout)
    assert error.excerpt == "INFO \x1b[2J starting the run"
    assert "log to standard error" in str(error)


@pytest.mark.many
def test_a_flood_ends_in_bounded_memory(program, deadlines, provoke):
    """The reader never runs far ahead of the suite, and the suite cuts off an endless row of messages."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = provoke(program("hostile/flood.py"), deadlines)
    assert isinstance(error, errors.Flooded)
    assert error.messages == limits.MESSAGES_IN_A_ROW + 1
    # Kilobytes.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


def test_a_huge_line_ends_in_bounded_memory(program, deadlines, provoke):
    """The suite gives up a line that is too long at the limit."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = provoke(program("hostile/huge_line.py"), deadlines)
    assert isinstance(error, errors.FrameTooLong)
    assert "over 16777216 bytes" in str(error)
    assert len(str(error)) < 1_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


def test_one_byte_over_the_limit_is_too_long(program, deadlines, provoke):
    """The limit is exact: 16 MiB pass, one byte more does not."""
    error = provoke(program("hostile/echo_size.py"), deadlines, "run/cancel")
    assert isinstance(error, errors.FrameTooLong)


def test_a_death_at_start_shows_the_last_words(program, deadlines, provoke):
    """An adapter that ends before it has answered initialize died at start."""
    error = provoke(program("hostile/dies_at_start.py"), deadlines)
    assert error == errors.DiedAtStart(1, ("cannot find my configuration",))
    assert "exited with status 1" in str(error)


def test_a_death_in_a_run_says_when_and_how(program, deadlines, provoke):
    """The error has the signal, the open request, and the last words (A78)."""
    error = provoke(program("hostile/dies_in_run.py"), deadlines)
    assert error == errors.DiedInRun("before it had answered run/start", -9, ("about to go",))
    assert "was killed by SIGKILL" in str(error)


def test_an_exit_with_status_0_is_a_death(program, deadlines, provoke):
    """Only an answered shutdown ends a conversation well, whatever the exit status."""
    error = provoke(program("hostile/exits_early.py"), deadlines)
    assert error == errors.DiedInRun("before it had answered shutdown", 0, ())


def test_an_adapter_that_ignores_sigterm_is_killed_with_its_tree(program, tmp_path, short, alive):
    """KILL follows TERM, and reaches a grandchild in a session of its own."""
    place = tmp_path / "pid"
    with (
        pytest.raises(errors.OutlivedShutdown) as caught,
        connect(program("hostile/ignores_sigterm.py", str(place)), deadlines=short) as system,
    ):
        pid = int(system.implementation.version)
    grandchild = int(place.read_text())
    left = ", ".join(caught.value.left)
    assert re.search(rf"\(process {pid}\)", left)
    assert re.search(rf"\(process {grandchild}\)", left)
    assert not alive(pid)
    assert not alive(grandchild)


def test_a_child_left_behind_is_named_and_killed(program, tmp_path, short, alive):
    """It is not enough that the adapter exits: the suite ends everything that the adapter started."""
    place = tmp_path / "pid"
    with (
        pytest.raises(errors.OutlivedShutdown, match="sleep"),
        connect(program("hostile/leaves_a_child.py", str(place)), deadlines=short),
    ):
        assert alive(int(place.read_text()))
    assert not alive(int(place.read_text()))


def test_a_second_answer_is_found_however_late(program, deadlines, provoke, converse):
    """This holds even if it comes after the answer to shutdown."""
    error = provoke(program("hostile/answers_twice.py"), deadlines)
    assert isinstance(error, errors.AnsweredTwice)
    assert error.method == "run/start"
    with pytest.raises(errors.AnsweredTwice) as caught:
        converse(program("hostile/answers_twice.py"), deadlines)
    assert caught.value.method == "shutdown"


def test_another_version_of_the_protocol_is_a_mismatch(program, deadlines, provoke):
    """The first number of the versions has to be the same."""
    assert provoke(program("hostile/speaks_another_version.py"), deadlines) == errors.ProtocolMismatch("2.3", "1.0")


def test_nothing_comes_before_the_answer_to_initialize(program, deadlines, provoke):
    """A record before the handshake is out of turn."""
    error = provoke(program("hostile/too_early.py"), deadlines)
    assert isinstance(error, errors.OutOfTurn)
    assert error.what == "record"


def test_standard_error_is_drained_and_both_ends_are_kept(program, deadlines, tmp_path, provoke):
    """A megabyte on standard error does not block the adapter, and the suite keeps at most 128 KiB of it."""
    chatty = tmp_path / "chatty.py"
    chatty.write_text("import sys\nsys.stderr.write('first\\n' + 'x' * 1_000_000 + '\\nlast\\n')\nsys.exit(4)\n")
    error = provoke(program(str(chatty)), deadlines)
    assert isinstance(error, errors.DiedAtStart)
    assert error.stderr[0] == "first"
    assert error.stderr[-1] == "last"
    assert sum(map(len, error.stderr)) < 132_000
    assert any(re.fullmatch(r"\[\d+ bytes left out\]", line) for line in error.stderr)


def test_no_thread_and_no_descriptor_is_left(program, deadlines, provoke):
    """After ten conversations the suite has as many of both as before."""
    for _ in range(2):
        provoke(program("hostile/exits_early.py"), deadlines)
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        provoke(program("hostile/exits_early.py"), deadlines)
        provoke(program("hostile/garbage.py"), deadlines)
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_the_adapter_goes_when_the_suite_is_killed(program, tmp_path, soon_gone):
    """The guard sees the end of its socket and ends the tree: nothing outlives a killed suite."""
    script = tmp_path / "suite.py"
    script.write_text(
        "import os, signal\n"
        "from callproof.adapters.connection import connect\n"
        f"with connect({program('hostile/ignores_sigterm.py', str(tmp_path / 'pid'))!r}) as system:\n"
        "    print(system.implementation.version, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run((sys.executable, str(script)), capture_output=True, text=True, check=False)
    pids = int(done.stdout), int((tmp_path / "pid").read_text())
    assert soon_gone(*pids)


def test_an_adapter_that_kills_its_guard_is_ended_all_the_same(program, short, soon_gone):
    """The suite knows its process group, and ends the group with the conversation."""
    with connect(program("hostile/kills_its_guard.py"), deadlines=short) as system:
        pid = int(system.implementation.version)
        system.request("run/cancel", {"runId": "r"})
        system.broken = True
    assert soon_gone(pid)
