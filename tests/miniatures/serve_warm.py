"""The warm server itself: import everything once, then fork for each client.  Ends when its standard input ends."""

from __future__ import annotations

import os
import resource
import select
import signal
import socket
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from callproof_reference.wire import Wire, serve

from miniatures.miniature import miniatures, variations
from miniatures.run_miniature import altered


def main(arguments: list[str]) -> int:
    """The command: serve at the listening socket of this number."""
    miniatures(), variations()  # imported here, and not once in every fork
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # only the client of a fork asks how it ended
    with socket.socket(fileno=int(arguments[0])) as listening:
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if listening not in ready:
                return 0
            joined, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _serve(joined)
            joined.close()


def _serve(joined: socket.socket) -> None:
    """Be one executor on the streams of the client that joined, and never return."""
    status = 1
    try:
        _, streams, _, _ = socket.recv_fds(joined, 1, 3)
        for ours, theirs in enumerate(streams):
            os.dup2(theirs, ours)
            os.close(theirs)
        names, file_bytes, *environment = joined.makefile("rb").read().split(b"\0")
        os.environb.clear()
        os.environb.update(each.split(b"=", 1) for each in environment)
        sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in os.environ
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(file_bytes), int(file_bytes)))
        threading.Thread(target=_end_with, args=(joined,), daemon=True).start()
        status = altered(os.fsdecode(names).split("\n"))
        if status == 0:
            serve(Wire())
        joined.send(str(status).encode())
    except BaseException:  # noqa: BLE001  whatever it is, this fork ends here and not in the server's loop
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)


def _end_with(joined: socket.socket) -> None:
    """End this fork as soon as the client that joined is gone."""
    gone = select.poll()
    gone.register(joined, select.POLLHUP)
    while not any(event & select.POLLHUP for _, event in gone.poll()):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
