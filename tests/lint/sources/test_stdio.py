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
    """Whatever else it says, and whichever revision it speaks."""
    assert names(asked(mode)) == ["count"]


def test_a_message_is_laid_out_in_lines() -> None:
    """So that a place in it can be shown."""
    (page,) = asked("plain").pages
    assert page.name.startswith("stdio:")
    assert '\n        "name": "count",\n' in page.text


def test_every_page_of_the_list_is_fetched() -> None:
    """Each is a document of its own, and they are offered together."""
    listing = asked("paged")
    assert names(listing) == ["count_1", "count_2", "count_3"]
    assert [page.name.endswith(f"(page {n})") for n, page in enumerate(listing.pages, 1)] == [False, True, True]
    gathered = from_stdio(command("paged"))
    assert len({document.registry for document in gathered.documents}) == 1
    assert len(gathered.found) == 3


def test_noise_on_standard_output_is_mentioned() -> None:
    """The protocol forbids it, and clients differ in what they make of it."""
    (remark,) = asked("noisy").remarks
    assert remark.startswith("2 lines on standard output")
    assert "listening …" in remark


def test_what_a_development_kit_refuses_is_handed_on() -> None:
    """A list with a number in it, members named twice, and integers of five thousand digits is for the rules."""
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
    """With what it did instead."""
    assert says in refusal(mode)


def test_a_list_has_a_last_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server cannot hold the linter for ever."""
    monkeypatch.setattr(limits, "LISTING_PAGES", 3)
    assert "more than 3 pages" in refusal("endless")


def test_a_list_has_a_last_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor fill its memory."""
    monkeypatch.setattr(limits, "LISTING_CHARACTERS", 100)
    assert "longer than 100 characters" in refusal("plain")


def test_a_server_that_dies_shows_its_last_words() -> None:
    """Which mostly say why."""
    said = refusal("dies")
    assert "exited with status 3 before it had answered initialize" in said
    assert "  | no key in the environment" in said


def test_a_silent_server_is_ended() -> None:
    """After the time that it has."""
    said = refusal("silent", Deadlines(start=0.5, term=2.0))
    assert "it was silent: no answer to initialize within 0.5 s" in said
    assert "help: a slow server gets more time with --timeout; what it writes and does not flush never arrives" in said


def test_nothing_that_a_server_started_is_left(tmp_path: Path) -> None:
    """Not even a process in a session of its own."""
    asked("leaves", str(tmp_path / "pid"))
    child = int((tmp_path / "pid").read_text(encoding="utf-8"))
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_a_command_that_is_no_program_gets_the_nearest_one() -> None:
    """Or where it was looked for."""
    with pytest.raises(NotListed, match="cannot be run: no such program"):
        listed_over_stdio("no-such-server --fast")
    with pytest.raises(NotListed, match="no command stands"):
        listed_over_stdio("")


def test_an_empty_list_and_a_failure_are_never_clean() -> None:
    """Nothing found is a problem or nothing found, and both end with 2."""
    assert from_stdio(command("empty")).found == ()
    assert from_stdio(command("dies")).problems != ()
