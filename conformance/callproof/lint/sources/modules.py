"""The tools that a Python object represents, described by a child process.

The user's module is never imported here: it may print, hang or end its process, and none
of that reaches the linter.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from callproof import limits
from callproof.adapters.address import Launch
from callproof.adapters.channel import Closed, TooLong
from callproof.adapters.deadlines import Deadlines, after, seconds_left
from callproof.adapters.errors import AdapterNotFound
from callproof.adapters.process import AdapterProcess
from callproof.adapters.wording import exit_text
from callproof.lint.found import strings
from callproof.lint.sources.child import start
from callproof.lint.sources.listing import Listing, NotListed, Page, laid_out
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

PATIENCE = Deadlines(start=60.0, shutdown=1.0)
_CHILD = str(Path(__file__).with_name("hosted") / "describe.py")


def listed_from_module(target: str, python: str | None = None, deadlines: Deadlines = PATIENCE) -> Listing:
    """
    The tools of ``package.module:NAME``, imported from the working folder by ``python`` or by this interpreter.

    Raises NotListed if a name is invalid, if a module fails, ends or hangs, or if an object has no tools.
    """
    module, colon, name = target.partition(":")
    # The name of a file may contain a dash: such a module can be imported by name, though no statement can write it.
    parts = (*module.replace("-", "_").split("."), *(name.split(".") if colon else ()))
    if not all(part.isidentifier() for part in parts):
        raise NotListed(f"`{target}`", "it names no object", help_text="write it like --module package.module:TOOLS")
    interpreter = shutil.which(python or sys.executable)
    if interpreter is None:
        why = "it is not executable" if python and os.path.exists(python) else "no such program"
        raise NotListed(f"`{target}`", f"the interpreter {python!r} cannot be run: {why}")
    # If Python is set to leave docstrings out, tools would seem to have no descriptions.
    environment = {"PYTHONPATH": os.environ.get("PYTHONPATH", ""), "PYTHONOPTIMIZE": ""}
    launch = Launch((interpreter, _CHILD, target), environment)
    with start(launch, target, deadlines) as process:
        text = _answer(target, process, deadlines)
        process.finish(deadlines.shutdown)
    return Listing((Page(f"module:{target}", laid_out(text)),), problems=_unread(target, text))


def _answer(target: str, process: AdapterProcess, deadlines: Deadlines) -> str:
    until = after(deadlines.start)
    line = process.take(seconds_left(until))
    reason = ""
    if line is None:
        reason = f"it was not imported and described within {deadlines.start:g} s"
    elif isinstance(line, TooLong):
        reason = f"its definitions are longer than {limits.FRAME_BYTES} bytes"
    elif isinstance(line, Closed):
        reason = _ending(process, deadlines)
    if reason or not isinstance(line, bytes):
        raise NotListed(f"`{target}`", reason, noise=process.stderr())
    refused = _refused(line)
    if refused is not None:
        raise NotListed(f"`{target}`", refused)
    return line.decode("utf-8", "replace")


def _unread(target: str, text: str) -> tuple[str, ...]:
    """A sentence for each entry of a registry that the child could not describe beside others that it did."""
    try:
        value = read_json(text.encode())
    except NotStrictJson:
        return ()
    reasons = value.get("unread") if is_object(value) else None
    return tuple(f"`{target}`: {each}; it was not judged" for each in strings(reasons))


def _ending(process: AdapterProcess, deadlines: Deadlines) -> str:
    try:
        process.settle(deadlines.shutdown)
    except AdapterNotFound as error:
        return f"the interpreter cannot be run: {error.reason}"
    return f"importing it failed: the interpreter {exit_text(process.status)} before it had described the tools"


def _refused(line: bytes) -> str | None:
    """Why the child describes nothing; None if it describes something."""
    try:
        value = read_json(line)
    except NotStrictJson:
        # The rules judge odd definitions.
        return None
    reason = value.get("refused") if is_object(value) else None
    return reason if isinstance(reason, str) else None
