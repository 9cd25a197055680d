"""How the errors of an adapter are worded: how a process ended, and what it last wrote to standard error."""

from __future__ import annotations

import signal

EXCERPT = 120
"""The characters of a line, or of another's message, that an error quotes."""

# Enough of standard error to show a traceback's end, and little enough to read. Node.js writes the error that ended it
# above ten lines of its stack, an empty one and its version.
_LINES_SHOWN = 13


def exit_text(status: int | None) -> str:
    """How a process ended, after ``it``: the status as a clause."""
    if status is None:
        return "ended its output"
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def last_lines(stderr: tuple[str, ...]) -> str:
    """What a system last wrote to standard error, on lines of its own."""
    return joined("last lines of standard error:", *(f"  | {line}" for line in stderr[-_LINES_SHOWN:]))


def told_before_no_end(case: str, stderr: tuple[str, ...]) -> str:
    """What a system wrote to standard error in a case that did not end, for its author; empty if it wrote nothing."""
    return f"{case} did not end; {last_lines(stderr)}" if any(each.strip() for each in stderr) else ""


def with_stderr(first: str, stderr: tuple[str, ...], *more: object) -> str:
    """An error's sentence, its further lines without those that are empty or false, and the last of standard error."""
    return joined(first, *more, last_lines(stderr) if stderr else "standard error: empty")


def joined(*lines: object) -> str:
    """The lines of an error without those that are empty or false."""
    return "\n".join(str(line) for line in lines if line)


def cut(text: str) -> str:
    """The part of a foreign text that an error quotes."""
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"
