"""README and its companions, executed: their commands run, their links lead somewhere, their pictures are current."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import click
import pytest
from callproof.cli import COMMANDS, cli
from callproof.settings import adapter_from, from_options, system_from_options
from example_commands import run
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")]
DOCUMENTS += sorted((ROOT / "spec").rglob("*.md")) + sorted((ROOT / "examples").rglob("README.md"))
DOCUMENTS += sorted((ROOT / "docs").glob("*.md"))
# The two commands of the first screen install things; CI runs the second and the package session the first.
FIRST_SCREEN = """\
python -m pip install . && callproof test "stdio:callproof-reference stdio"   # install everything, run the suite
python -m pip install nox && nox                                              # run the project's own tests
"""


def blocks(document: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    tokens = MarkdownIt("commonmark").parse(document.read_text(encoding="utf-8"))
    return [token.content for token in tokens if token.type == "fence" and token.info.split()[:1] == [language]]


def commands(document: Path) -> list[str]:
    """The shell blocks that can be run as they are."""
    return [
        block
        for block in blocks(document, "sh")
        if block != FIRST_SCREEN and "my_executor" not in block and "nox" not in block
    ]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a user has after cloning, to run commands in."""
    copy = tmp_path_factory.mktemp("checkout") / "callproof"
    skipped = shutil.ignore_patterns(".git", ".nox", "__pycache__", ".*_cache", "tests", "build", "dist")
    shutil.copytree(ROOT, copy, ignore=skipped)
    (copy / "tests").mkdir()  # the commands are for users, and do not need this project's own tests
    return copy


def test_the_first_screen_has_the_two_commands_and_a_picture() -> None:
    """The reader first sees what it is for, how to install and run it, and what that looks like."""
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ")[0]
    assert FIRST_SCREEN in first
    assert "docs/live-run.svg" in first


@pytest.mark.parametrize(
    "document",
    [
        ROOT / name
        for name in (
            "README.md",
            "examples/notes/README.md",
            "docs/audit.md",
            "docs/lint.md",
            "docs/invocations.md",
            "docs/loops.md",
            "docs/pipelines.md",
            "docs/records.md",
        )
    ],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_the_commands_of_a_document_run_as_printed(document: Path, checkout: Path) -> None:
    """A shell runs each block in a fresh copy of the checkout, and each succeeds."""
    for leftover in ("notes", "notes-log"):
        shutil.rmtree(checkout / leftover, ignore_errors=True)
    ran = commands(document)
    assert ran
    for block in ran:
        done = run(block, checkout)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


def test_what_the_readme_shows_on_a_console_is_what_is_printed(checkout: Path) -> None:
    """Each command after a `$` that needs no network prints what stands below it; `…` stands for any text."""
    shown = consoles(ROOT / "README.md")
    assert len(shown) == 3
    (log,) = (block for block in commands(ROOT / "README.md") if "callproof audit notes-log" in block)
    for leftover in ("notes", "notes-log"):
        shutil.rmtree(checkout / leftover, ignore_errors=True)
    assert run(log, checkout).returncode == 0
    for command, printed in shown:
        assert_printed(command, printed, checkout)


@pytest.mark.parametrize("page", ["records", "loops", "pipelines", "invocations"])
def test_what_a_page_on_other_protocols_shows_is_what_is_printed(page: str, checkout: Path) -> None:
    """The same holds for the pages on records of other protocols, and on systems that are judged live."""
    shown = consoles(ROOT / "docs" / f"{page}.md")
    assert shown
    for command, printed in shown:
        assert_printed(command, printed, checkout)


def consoles(document: Path) -> list[tuple[str, str]]:
    """The commands after a `$` that need no network, each with what stands below it."""
    return [
        each
        for block in blocks(document, "console")
        for each in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)+)", block, re.MULTILINE)
        if "npx" not in each[0]
    ]


def assert_printed(command: str, printed: str, where: Path) -> None:
    """Assert that a command prints a text, in which `…` stands for any other."""
    pattern = ".*".join(map(re.escape, printed.split("…")))
    done = run(command, where)
    assert re.fullmatch(pattern, done.stdout, re.DOTALL), f"{command}\n{done.stdout}\n{done.stderr}"


def test_the_table_of_loops_tells_what_their_examples_list() -> None:
    """In the table each loop fails the laws listed for its release; sessions with a network expect the same of it."""
    listed: dict[str, set[str]] = {}
    for findings in (ROOT / "examples").glob("loop-*/findings.json"):
        found = json.loads(findings.read_text(encoding="utf-8"))
        listed |= {release.rpartition(" ")[2]: set(laws) for release, laws in found.items()}
    told = (ROOT / "docs" / "loops.md").read_text(encoding="utf-8").partition("| law | reference |")[2]
    releases, _, *rows = [line.strip("| ").split(" | ") for line in f"law | reference |{told}".splitlines() if line]
    for place, release in list(enumerate(releases))[2:]:
        broken = {row[0].split(" ")[0] for row in rows if row[place].startswith("**fail")}
        assert broken == listed[release.rpartition(" ")[2]]


def test_the_settings_of_the_readme_are_settings() -> None:
    """The reader of settings accepts the TOML block."""
    (block,) = blocks(ROOT / "README.md", "toml")
    table = tomllib.loads(block)["tool"]["callproof"]
    settings = from_options(table.pop("adapter"), table, ROOT / "nowhere")
    assert (settings.timeout, settings.seed, settings.strict) == (30, 7, False)


def test_the_settings_of_the_page_on_loops_are_settings(tmp_path: Path) -> None:
    """The TOML block is valid in a file as it is, and its values are the defaults."""
    (block,) = blocks(ROOT / "docs" / "loops.md", "toml")
    (tmp_path / "pyproject.toml").write_text(block, encoding="utf-8")
    adapter = adapter_from(tmp_path, "loop")
    assert adapter == "stdio:node my_adapter.js"
    told = system_from_options("loop", adapter, {}, tmp_path)
    assert told == system_from_options("loop", adapter, {}, ROOT / "nowhere")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(document: Path) -> None:
    """A relative link names a file or folder that is there."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in target]
    assert [target for target in targets if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_stands_in_a_document(name: str) -> None:
    """README, a page under docs/ or a chapter of the specification names each, as it is typed."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = [each.opts[0] for each in command.params if isinstance(each, click.Option)]
    users = [each for each in DOCUMENTS if each.name != "CHANGELOG.md"]
    text = "\n".join(each.read_text(encoding="utf-8") for each in users)
    assert f"callproof {name}" in text
    assert [each for each in options if not re.search(rf"(?<![\w-]){each}(?![\w-])", text)] == []
