"""``python -m callproof.adapters.host package.module:factory``: a Python adapter in an interpreter of its own.

The suite never imports an adapter.  It runs this module in a child and exchanges the same
messages over the same pipes as with any other program.  So whatever an adapter does to
its process stays there: ``os._exit(0)``, ``SystemExit``, a test framework's *skip* or
*exit* end the child before it has answered ``shutdown``, which is an error of its own
and never a green run (SEC-01).  A stray ``print`` cannot forge a message either: the adapter's
standard output is standard error.
"""

from __future__ import annotations

import difflib
import importlib
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from callproof.adapters.wire import Factory, WireMessage
from callproof.values.jsontext import write_json

_USAGE = 2


class PipeWire:
    """A ``Wire`` over two binary streams, with one message per line."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading = reading
        self._writing = writing
        self._receiving = threading.Lock()
        self._sending = threading.Lock()
        self.has_sent = False

    def receive(self) -> WireMessage | None:
        """The next message of the suite, or None at the end of input."""
        with self._receiving:
            line = self._reading.readline()
        # Not read strictly: a tool may return what no JSON document can hold, and the system has to say so (RES-22).
        return cast(WireMessage, json.loads(line)) if line else None

    def send(self, message: WireMessage) -> None:
        """Send one message to the suite and flush. Raises ValueError for what JSON cannot hold."""
        frame = write_json(message).encode("utf-8") + b"\n"
        with self._sending:
            self.has_sent = True
            self._writing.write(frame)
            self._writing.flush()


class NoFactory(LookupError):
    """The target names no callable; says which part is missing, and the nearest name."""


def find_factory(target: str) -> Factory:
    """
    The callable that ``package.module:factory`` names.

    Raises NoFactory if the module does not exist, or has no such callable.
    """
    name, _, attributes = target.partition(":")
    try:
        found: object = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        where = f" on {os.pathsep.join(sys.path)}"
        if name.endswith(".py"):  # the name of its file
            where = f"; did you mean python:{name.removesuffix('.py')}:{attributes}?"
        raise NoFactory(f"there is no module {error.name!r}{where}") from None
    for attribute in attributes.split("."):
        if not hasattr(found, attribute):
            near = difflib.get_close_matches(attribute, dir(found), n=1)
            raise NoFactory(f"{name!r} has no {attribute!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        found = getattr(found, attribute)
    if not callable(found):
        raise NoFactory(f"{target!r} is not callable: it is of type {type(found).__name__}")
    return cast(Factory, found)


def main(arguments: Sequence[str]) -> int:
    """Serve one conversation; 0 when the factory has returned, 2 if there is none."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m callproof.adapters.host package.module:factory\n")
        return _USAGE
    wire = _take_the_pipes()
    try:
        factory = find_factory(arguments[0])
    except NoFactory as error:
        sys.stderr.write(f"callproof: {error}\n")
        return _USAGE
    # A factory returns nothing; a coroutine that was not awaited, or another object, shows what the target is instead.
    returned: object = cast("Callable[[PipeWire], object]", factory)(wire)
    if not wire.has_sent:
        sys.stderr.write(f"callproof: {arguments[0]} {_without_a_word(returned)}\n")
    return 0


def _without_a_word(returned: object) -> str:
    """What to say about a factory that returned and had sent nothing."""
    what = "" if returned is None else f" an object of type {type(returned).__name__}"
    permitted = "a callable that answers each message of wire.receive() until wire.receive() returns None"
    return f"returned{what} before it had answered initialize; permitted: {permitted}"


def _take_the_pipes() -> PipeWire:
    """The wire on the real pipes; from now on the adapter's input is empty and its output goes to standard error."""
    wire = PipeWire(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
