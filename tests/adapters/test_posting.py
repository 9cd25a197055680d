"""Requests over HTTP: which host and port they reach, and how long they may take."""

from __future__ import annotations

import pytest
from callproof.adapters.posting import UNLIMITED, Connection, NoReply, split_url


@pytest.mark.parametrize(
    ("url", "reached"),
    [
        ("http://[::1]/mcp", ("::1", 80)),
        ("https://[::1]/mcp", ("::1", 443)),
        ("http://[::1]:8080/", ("::1", 8080)),
        ("https://host:/", ("host", 443)),
    ],
)
def test_the_end_of_an_address_of_ipv6_is_no_port(url, reached, monkeypatch):
    """An address without a port has the port of its scheme."""
    met = []

    def create(address, *_arguments, **_named):
        met.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.create_connection", create)
    address = split_url(url)
    assert address is not None
    with pytest.raises(NoReply), Connection(address).requested("GET", "/", {}, None, UNLIMITED):
        pass
    assert met == [reached]
