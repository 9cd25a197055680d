"""Addresses of the adapters in this folder, and conversations with them that are meant to go wrong."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import time
from pathlib import Path

import pytest
from callproof import limits
from callproof.adapters import errors
from callproof.adapters.connection import connect
from callproof.adapters.deadlines import Deadlines

HERE = Path(__file__).parent


PARAMS = {
    # Longer than what a pipe can hold.
    "run/start": {"plan": {"text": "x" * 1_000_000}, "policy": {}, "tools": []},
    "run/cancel": {"runId": "r", "reason": str(limits.FRAME_BYTES + 1)},
}


@pytest.fixture
def program():
    """The stdio: address of a program in this folder."""

    def address(name: str, *arguments: str) -> str:
        return "stdio:" + shlex.join((sys.executable, str(HERE / name), *arguments))

    return address


@pytest.fixture
def hosted(monkeypatch):
    """The python: address of a factory in a module of this folder."""

    def address(target: str) -> str:
        for folder in (HERE, HERE / "hostile"):
            monkeypatch.syspath_prepend(str(folder))
        return f"python:{target}"

    return address


@pytest.fixture
def deadlines():
    """Long deadlines for what must happen on a busy machine, a short one for what never happens."""
    return Deadlines(start=60, answer=60, shutdown=30, term=0.3)


@pytest.fixture
def short():
    """Deadlines for adapters that do not answer; only the start gets time."""
    return Deadlines(start=60, answer=0.5, shutdown=0.5, term=0.3)


@pytest.fixture
def converse():
    """``converse(address, deadlines, *methods)``: connect, ask for each method in turn, and say goodbye."""
    return _converse


@pytest.fixture
def provoke():
    """``provoke(address, deadlines, *methods)``: the error that such a conversation ends in."""
    return _provoke


@pytest.fixture
def alive():
    """``alive(pid)``: whether a process is still running; a zombie that waits to be collected is not."""
    return _alive


@pytest.fixture
def soon_gone():
    """``soon_gone(pid)``: whether a process ends that no parent waits for; the kernel may take some time to end it."""

    def gone(*pids: int) -> bool:
        until = time.monotonic() + 30
        while any(map(_alive, pids)) and time.monotonic() < until:
            time.sleep(0.01)
        return not any(map(_alive, pids))

    return gone


def _converse(address: str, deadlines: Deadlines, *methods: str) -> None:
    with connect(address, deadlines=deadlines) as system:
        for method in methods:
            system.ask(method, PARAMS[method], on_message=lambda _: None)


def _provoke(address: str, deadlines: Deadlines, *methods: str) -> errors.AdapterError:
    with pytest.raises(errors.AdapterError) as caught:
        _converse(address, deadlines, *(methods or ("run/start",)))
    return caught.value


def _alive(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    return False
