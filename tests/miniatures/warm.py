"""A server that has imported the reference once and forks for every miniature, so that none waits for imports.

The suite speaks to a miniature over standard input and output as to any other adapter: it starts a bare
interpreter (``join.py``) that hands its three streams to the fork.  Does not know what is spoken.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

_SERVE = Path(__file__).with_name("serve_warm.py")
_JOIN = Path(__file__).with_name("join.py")


class Warm:
    """A running warm server."""

    def __init__(self, door: Path) -> None:
        self._door = door

    def address(self, *names: str) -> str:
        """The address under which the suite finds the reference with all of these faults or variations at once."""
        return " ".join(("stdio:" + sys.executable, "-I", "-S", str(_JOIN), str(self._door), *names))


@contextlib.contextmanager
def warm() -> Generator[Warm]:
    """The server, for as long as the block lasts; it ends with the process that started it, even if that is killed."""
    with tempfile.TemporaryDirectory(prefix="callproof-warm-") as folder:
        door = Path(folder) / "door"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(door))
            listening.listen()
            server = subprocess.Popen(
                [sys.executable, str(_SERVE), str(listening.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=(listening.fileno(),),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        try:
            yield Warm(door)
        finally:
            server.communicate()
