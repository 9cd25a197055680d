"""Live sources from the command line: what is printed, and how it ends."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from callproof.cli import cli
from click.testing import CliRunner, Result

SERVER = Path(__file__).with_name("fake_server.py")


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["lint", *arguments])


def server(mode: str) -> str:
    return f"--stdio={shlex.join((sys.executable, str(SERVER), mode))}"


def test_a_server_is_linted_like_a_file() -> None:
    """A finding has its place in the answer of the server."""
    result = asked(server("plain"))
    assert result.exit_code == 1
    assert "error TD003 count: the definition has no riskLevel" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("1 tool:")


def test_what_a_server_wrote_is_shown_line_by_line_when_it_fails() -> None:
    """It goes to standard error, and the exit code is 2."""
    result = asked(server("dies"))
    assert result.exit_code == 2
    assert "\nlast lines of standard error:\n  | no key in the environment\n" in result.stderr


def test_a_remark_does_no_harm() -> None:
    """Noise on standard output is reported, and the tools are still judged."""
    result = asked(server("noisy"), "--profile", "mcp-2025-11-25")
    assert result.exit_code == 0
    assert "2 lines on standard output" in result.stderr


def test_an_empty_list_is_no_success() -> None:
    """Nothing was judged, so the command must not succeed."""
    result = asked(server("empty"))
    assert result.exit_code == 2
    assert "no tool was found" in result.stderr


def test_what_no_development_kit_takes_is_judged() -> None:
    """Each entry is judged by itself: a number, a member named twice, and an integer of five thousand digits."""
    result = asked(server("odd"), "--profile", "mcp-2025-11-25")
    assert result.exit_code in {1, 2}
    assert "Traceback" not in result.output
    assert "PORT012" in result.stdout or "digits" in result.stderr


def test_sources_come_together() -> None:
    """One run judges the tools of all of them."""
    result = asked(server("plain"), server("paged"), "--profile", "mcp-2025-11-25")
    assert result.stdout.splitlines()[-1].startswith("4 tools")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--url", "http://127.0.0.1:9/", "--header", "nothing"], "write it as 'Name: value'"),
        (["--url", "host"], "it is not an address of a server"),
        (["--url", "http://127.0.0.1:9/a b"], "it is not an address of a server"),
        (["--url", "http://127.0.0.1:9/\u2603"], "it is not an address of a server"),
        (["--module", "json"], "it names a module, but no object in it"),
        (["--profile", "opnai", "x.json"], "did you mean 'openai'?"),
        (["--timeout", "0", "x.json"], "not in the range"),
        (["--timeout", "3601", "x.json"], "not in the range"),
        (["--timeout", "nan", "--module", "json:x"], "not in the range"),
    ],
)
def test_an_option_that_means_nothing_is_told(arguments: list[str], says: str) -> None:
    """The message says the next step, and the exit code is 2."""
    result = asked(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.parametrize(
    "header", ["s3cret", "Bearer s3cret", "s3cret é: x", "X-Key: s3cret\r\nX-Other: y", "X-Key: s3cret\u2603", "X:"]
)
def test_a_header_that_cannot_be_sent_is_refused_and_not_shown(header: str) -> None:
    """A header is usually a secret; and the server gets no request."""
    result = asked("--url", "http://127.0.0.1:9/", "--header", header)
    assert (result.exit_code, "--header" in result.stderr, "s3cret" in result.output) == (2, True, False)
    assert "no list of tools" not in result.stderr
