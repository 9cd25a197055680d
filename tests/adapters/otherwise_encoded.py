"""A system that reads and writes in other encodings than UTF-8: ``READS WRITES COMMAND…``."""

from __future__ import annotations

import subprocess
import sys
import threading

READS, WRITES, *COMMAND = sys.argv[1:]

with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as system:

    def pass_on() -> None:
        """Pass on what the suite says, as this system decodes it."""
        assert system.stdin is not None
        with system.stdin:
            for line in iter(sys.stdin.buffer.readline, b""):
                system.stdin.write(line.decode(READS, "replace").encode())
                system.stdin.flush()

    threading.Thread(target=pass_on).start()
    assert system.stdout is not None
    for line in iter(system.stdout.readline, b""):
        sys.stdout.buffer.write(line.decode().encode(WRITES, "replace"))
        sys.stdout.buffer.flush()
sys.exit(system.returncode)
