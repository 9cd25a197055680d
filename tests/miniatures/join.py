"""Become one fork of the warm server: hand it the three streams and the environment; end with its status.

Run as a file by a bare interpreter, so that it starts at once: ``join.py DOOR NAME...``.
"""

from __future__ import annotations

import os
import resource
import socket
import sys


def main(arguments: list[str]) -> int:
    """The command; the exit status of the fork, or 1 if the fork ended without one."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(arguments[0])
        socket.send_fds(door, [b"\n"], [0, 1, 2])
        environment = b"\0".join(b"=".join(each) for each in os.environb.items())
        file_bytes, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
        door.sendall(os.fsencode("\n".join(arguments[1:])) + b"\0%d\0" % file_bytes + environment)
        door.shutdown(socket.SHUT_WR)
        status = door.recv(4)
    return int(status) if status else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
