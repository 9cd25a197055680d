"""Factories for python: addresses; most try to end, or to skip, the process that they run in."""

from __future__ import annotations

import os
import sys

import pytest


def _greeted(wire):
    message = wire.receive()
    implementation = {"name": "hostile", "version": str(os.getpid()), "language": "python"}
    claims = {"profiles": ["envelope"], "features": []}
    answer = {"protocolVersion": "1.0", "implementation": implementation, "claims": claims}
    wire.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})


def leaves_by_os_exit(wire):
    _greeted(wire)
    wire.receive()
    os._exit(0)


def leaves_by_system_exit(wire):
    _greeted(wire)
    wire.receive()
    raise SystemExit(0)


def skips(wire):
    _greeted(wire)
    wire.receive()
    pytest.skip("nothing to see here")


def ends_the_session(wire):
    _greeted(wire)
    wire.receive()
    pytest.exit("all is well", returncode=0)


def returns_early(wire):
    _greeted(wire)
    wire.receive()


def returns_at_once(wire):
    """Return without serving the wire, as an unfinished factory does."""


class Adapter:
    """A class that a user may name by mistake instead of a factory."""

    def __init__(self, wire):
        self.wire = wire


def prints(wire):
    print('{"jsonrpc":"2.0","method":"run/finished","params":{"runId":"forged"}}')
    os.write(1, b"a stray line\n")
    _greeted(wire)
    while (message := wire.receive()) is not None:
        wire.send({"jsonrpc": "2.0", "id": message["id"], "result": {"read": sys.stdin.read()}})


def breaks(wire):
    raise ValueError("the factory broke")


not_callable = 7
