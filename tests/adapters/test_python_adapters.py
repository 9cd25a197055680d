"""Adapters at python: addresses: they send the same messages, from an interpreter of their own (SEC-01)."""

from __future__ import annotations

import os

import pytest
from callproof.adapters import errors
from callproof.adapters.connection import connect


@pytest.mark.parametrize(
    ("factory", "status"),
    [
        ("leaves_by_os_exit", 0),
        ("leaves_by_system_exit", 0),
        ("skips", 1),
        ("ends_the_session", 1),
        ("returns_early", 0),
    ],
)
def test_a_python_adapter_cannot_end_the_suite(factory, status, hosted, deadlines, provoke):
    """It runs in a child, so that neither an exit, nor a skip, nor silence can count as success (SEC-01)."""
    error = provoke(hosted(f"in_process:{factory}"), deadlines)
    assert isinstance(error, errors.DiedInRun)
    assert error.status == status


def test_a_python_adapter_prints_to_standard_error(hosted, deadlines):
    """A stray print cannot forge a message, and the adapter's standard input is empty."""
    with connect(hosted("in_process:prints"), deadlines=deadlines) as system:
        pid = int(system.implementation.version)
        handle = system.request("run/cancel", {"runId": "r"})
        system.wait(handle, on_message=lambda _: None)
        assert handle.result == {"read": ""}
        assert pid != os.getpid()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("in_process:skps", "did you mean 'skips'?"),
        ("in_process:not_callable", "not callable: it is of type int"),
        ("no_such_package.adapter:serve", "there is no module 'no_such_package'"),
        ("in_process.py:skips", "there is no module 'in_process.py'; did you mean python:in_process:skips?"),
        ("in_process:breaks", "ValueError: the factory broke"),
        ("in_process:returns_at_once", "in_process:returns_at_once returned before it had answered initialize;"),
        ("in_process:Adapter", "returned an object of type Adapter before it had answered initialize; permitted: a c"),
    ],
)
def test_a_python_adapter_that_is_not_there_says_what_is_missing(target, said, hosted, deadlines, provoke):
    """The host's last words say which part of the address does not lead to a factory."""
    error = provoke(hosted(target), deadlines)
    assert isinstance(error, errors.DiedAtStart)
    assert said in str(error)
