"""Runs to audit, and looks for them, that end their process, always or once; worker processes import this module."""

from __future__ import annotations

import os
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.auditlog.looking import Seen, Stretch, looked_through

# The process of the test itself; a look never ends it.
HOME = os.getpid()


@dataclass(frozen=True)
class Deadly:
    """A run that ends the process; if ``mark`` is given, only the first process to create that file."""

    name: str
    folder: Path
    mark: Path | None = None

    def captured(self) -> CapturedRun:
        """Its text, if the process survives."""
        if self.mark is None:
            os._exit(9)
        try:
            self.mark.touch(exist_ok=False)
        except FileExistsError:
            return captured_in(self.folder, name=self.name)
        os._exit(9)


@dataclass(frozen=True)
class HalfTold:
    """A run whose process dies while it hands back what it found; only the first to create the file ``mark`` dies."""

    name: str
    folder: Path
    mark: Path

    def captured(self) -> CapturedRun:
        """Its text; the next thing that this process sends is cut in half."""
        if not self.mark.exists():
            self.mark.touch()
            Connection._send = _send_half  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
        return captured_in(self.folder, name=self.name)


def _send_half(connection: Connection, told: bytes) -> None:
    os.write(connection.fileno(), bytes(told)[: len(told) // 2])
    os._exit(9)


class DeadlyText(CapturedRun):
    """A captured run that ends the process in which it arrives."""

    def __init__(self, name: str) -> None:
        super().__init__(name, None)

    def captured(self) -> CapturedRun:
        """Itself."""
        return self

    def __reduce__(self) -> tuple[type[_Fuse], tuple[str]]:
        return _Fuse, (self.name,)


class _Fuse:
    """The object that arrives instead of a deadly text."""

    def __init__(self, name: str) -> None:
        self.name = name

    def captured(self) -> CapturedRun:
        """Never return: end the process."""
        os._exit(9)


def deadly_look(stretch: Stretch) -> list[Seen]:
    """What is seen in a stretch; ends the process unless the stretch is its file's first or the process the test's."""
    if stretch.start and os.getpid() != HOME:
        os._exit(9)
    return looked_through(stretch)


def late(what: str) -> None:
    """Work that fails as reading a file on a machine that does not answer fails."""
    raise TimeoutError(what)
