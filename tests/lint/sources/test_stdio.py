"""Tools of an MCP server that a command starts, asked for as raw messages."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from callproof import limits
from callproof.adapters.deadlines import Deadlines
from callproof.lint.sources.listing import Listing, NotListed
from callproof.lint.sources.live import from_stdio
from callproof.lint.sources.stdio import listed_over_stdio

SERVER = Path(__file__).with_name("fake_server.py")
PATIENCE = Deadlines(start=30.0, answer=30.0, shutdown=2.0, term=2.0)


def command(*arguments: str) -> str:
    return shlex.join((sys.executable, str(SERVER), *arguments))


def asked(mode: str, *more: str, deadlines: Deadlines = PATIENCE) -> Listing:
    return listed_over_stdio(command(mode, *more), deadlines)


def refusal(mode: str, deadlines: Deadlines = PATIENCE) -> str:
    with pytest.raises(NotListed) as caught:
        asked(mode, deadlines=deadlines)
    return str(caught.value)


def names(listing: Listing) -> list[str]:
    return [tool["name"] for page in listing.pages for tool in json.loads(page.text)["result"]["tools"]]


@pytest.mark.parametrize("mode", ["plain", "noisy", "asks", "stateless"])
def test_a_server_is_asked_for_its_tools(mode: str) -> None:
    """It may write anything else, and speak either revision."""
    assert names(asked(mode)) == ["count"]


def test_a_message_is_laid_out_in_lines() -> None:
    """A finding can then show its place in the message."""
    (page,) = asked("plain").pages
    assert page.name.startswith("stdio:")
    assert '\n        "name": "count",\n' in page.text


def test_every_page_of_the_list_is_fetched() -> None:
    """Each page is a document of its own, and all belong to one registry."""
    listing = asked("paged")
    assert names(listing) == ["count_1", "count_2", "count_3"]
    assert [page.name.endswith(f"(page {n})") for n, page in enumerate(listing.pages, 1)] == [False, True, True]
    gathered = from_stdio(command("paged"))
    assert len({document.registry for document in gathered.documents}) == 1
    assert len(gathered.found) == 3


def test_noise_on_standard_output_is_mentioned() -> None:
    """The protocol forbids it, and clients react to it differently."""
    (remark,) = asked("noisy").remarks
    assert remark.startswith("2 lines on standard output")
    assert "listening …" in remark


def test_what_a_development_kit_refuses_is_handed_on() -> None:
    """A number in the list, members named twice and integers of five thousand digits are for the rules to judge."""
    (page,) = asked("odd").pages
    assert page.text.count('"name"') == 2
    assert "0" * 5_000 in page.text


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("circular", "names the cursor 'again' again"),
        ("toolless", "it offers no tools"),
        ("shapeless", 'has no array "tools"'),
        ("unwilling", "it answered initialize with error -32000: 'no key'"),
        ("deep", "nested too deeply"),
    ],
)
def test_a_server_that_gives_no_list_is_told(mode: str, says: str) -> None:
    """The message says what it did instead."""
    assert says in refusal(mode)


def test_a_list_has_a_last_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server cannot keep the linter busy for ever."""
    monkeypatch.setattr(limits, "LISTING_PAGES", 3)
    assert "more than 3 pages" in refusal("endless")


def test_a_list_has_a_last_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server cannot fill the memory of the linter."""
    monkeypatch.setattr(limits, "LISTING_CHARACTERS", 100)
    assert "longer than 100 characters" in refusal("plain")


def test_a_server_that_dies_shows_its_last_words() -> None:
    """They mostly say why it died."""
    said = refusal("dies")
    assert "exited with status 3 before it had answered initialize" in said
    assert "  | no key in the environment" in said


def test_a_silent_server_is_ended() -> None:
    """It is ended when its time is up."""
    said = refusal("silent", Deadlines(start=0.5, term=2.0))
    assert "it was silent: no answer to initialize within 0.5 s" in said
    assert "help: give a slow server more time with --timeout; what it writes and does not flush never arrives" in said


def test_nothing_that_a_server_started_is_left(tmp_path: Path) -> None:
    """Even a process in a session of its own is ended."""
    asked("leaves", str(tmp_path / "pid"))
    child = int((tmp_path / "pid").read_text(encoding="utf-8"))
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_command_that_is_no_program_gets_the_nearest_one() -> None:
    """If none is near, the message says where the linter looked for it."""
    with pytest.raises(NotListed, match=r"cannot be run: no such program\nhelp: did you mean 'callproof-reference'\?"):
        listed_over_stdio("callproof-referenc stdio")
    with pytest.raises(NotListed, match=r"cannot be run: no such program\nhelp: searched: PATH="):
        listed_over_stdio("no-such-server-anywhere-at-all --fast")
    with pytest.raises(NotListed, match="there is no command after"):
        listed_over_stdio("")


def test_an_empty_list_and_a_failure_are_never_clean() -> None:
    """An empty list gives no tool and a failure gives a problem; both end with exit code 2."""
    assert from_stdio(command("empty")).found == ()
    assert from_stdio(command("dies")).problems != ()
