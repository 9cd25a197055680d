"""Case files of the live suites: they are read back as written, replayed, and checked if they come from a stranger."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callproof.cli import cli
from callproof.cli.replay import replay_command
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.commands.replay_driven import lines, replay
from callproof.driven.suite import Suite
from callproof.judge.verdicts import Verdict
from callproof.replay.casefile import BadCaseFile, Found
from callproof.replay.drivenfile import DrivenFile, document, driven_from, read_any, save, text
from callproof.schema.validator import shape_validator
from callproof.spec.registry import protocol_named
from callproof.suites import SUITES
from callproof.values.jsontext import read_json
from click.testing import CliRunner
from driven_systems import served

TESTS = Path(__file__).parents[1]
REFERENCE = {word: f"stdio:callproof-reference {word}" for word in SUITES}
BROKEN = {
    "loop": ("live_loops", "results-twice", "HOST-01"),
    "pipeline": ("live_pipelines", "denials-unheard", "PIPE-01"),
    "invocation": ("live_invocations", "without-codes", "INT-03"),
}
WORDS = pytest.mark.parametrize("word", list(SUITES))


def kept(word: str, number: int = 0) -> DrivenFile:
    """A case file of a written case."""
    case = SUITES[word].cases[number]
    return DrivenFile(word, case.aims[0], case, suite_version="0")


@pytest.mark.many
@WORDS
def test_what_is_written_is_read_back(word: str) -> None:
    """Every written case and 1,500 generated ones of each suite come out of a file unchanged."""
    suite = SUITES[word]
    laws = protocol_named(suite.protocol.name).requirements
    made = (suite.generated(5, number, suite.features) for number in range(1_500))
    for case in (*suite.cases, *made):
        law = next(each for each in laws if each not in getattr(case, "excused", ()))
        file = DrivenFile(word, law, case, suite_version="0")
        assert driven_from(read_json(text(file).encode()), SUITES) == file
        assert not shape_validator("driven-replay").errors(document(file))


@WORDS
@pytest.mark.parametrize("generated", [False, True])
def test_a_failure_is_had_again_from_its_file(word: str, tmp_path: Path, *, generated: bool) -> None:
    """The case fails again in the system where it was found, and holds in a lawful one; the report has the command."""
    room, name, law = BROKEN[word]
    address = served(room, name)
    suite = SUITES[word]
    subjects = () if generated else tuple(case.id for case in suite.cases if law in case.aims)
    wanted = Wanted(address, cases=subjects, select=(law,), generated=30, save_cases=tmp_path)
    judged = judge_system(suite, wanted, Watching(None))
    files = sorted(tmp_path.glob(f"{law}-{'GEN' if generated else ''}*.json"))
    assert files
    told = [shlex.split(command) for command in judged.replays.values()]
    assert ["callproof", "replay", str(files[0]), address] in told
    file = read_any(files[0], SUITES)
    assert isinstance(file, DrivenFile)
    assert file.found is not None
    again = replay(file, address, 5)
    assert (again.verdict, again.exit_code) == (Verdict.FAIL, 1)
    assert "--save-cases" not in "\n".join(line.plain for line in lines(again))  # it is in a file already
    lawful = replay(file, REFERENCE[word], 5)
    assert (lawful.verdict, lawful.exit_code) == (Verdict.PASS, 0)


Edit = Callable[[dict[str, Any]], None]


def head(**members: Any) -> Edit:
    """Change members around the case to other values."""

    def edit(told: dict[str, Any]) -> None:
        told.update(members)

    return edit


def change(**members: Any) -> Edit:
    """Change members of the case to other values."""

    def edit(told: dict[str, Any]) -> None:
        told["case"].update(members)

    return edit


def excuse(told: dict[str, Any]) -> None:
    """Let the case excuse the requirement that the file is about."""
    told["case"]["excused"] = [told["requirement"]]


@pytest.mark.parametrize(
    ("word", "edit", "pointer"),
    [
        ("loop", head(adapter="stdio:sh"), "/adapter"),
        ("loop", head(suite="shell"), "/suite"),
        ("loop", head(callproof="driven-case/2"), "/callproof"),
        ("loop", head(requirement="PIPE-01"), "/requirement"),
        ("loop", change(mode="sideways"), "/case/mode"),
        ("loop", change(needs=["abbort"]), "/case/needs/0"),
        ("loop", change(command="sh"), "/case/command"),
        ("loop", change(answers={"a/b": {"waits": "ever"}}), "/case/answers/a~1b/waits"),
        ("loop", change(act={"reply": -1}), "/case/act/reply"),
        ("loop", change(mode=None), "/case/mode"),
        ("loop", change(tools=[{"name": "x", "parameters": {}}] * 1_001), "/case/tools"),
        ("loop", change(aims=["HOST-01", "PIPE-01"]), "/case/aims/1"),
        ("loop", change(excused=["HOST-99"]), "/case/excused/0"),
        ("loop", excuse, "/case/excused/0"),
        ("loop", change(replies=[{"calls": [{"id": "", "tool": "t", "arguments": {}}]}]), "/case/replies/0/calls/0/id"),
        ("loop", change(tools=[{"name": "", "parameters": {}}]), "/case/tools/0/name"),
        ("loop", change(answers={"c": {"content": ["done"]}}), "/case/answers/c/content/0"),
        ("pipeline", change(ordering="sideways"), "/case/ordering"),
        ("pipeline", change(calls=[{"id": "", "name": "t", "input": 1}]), "/case/calls/0/id"),
        ("pipeline", change(answers={"c": {"fails": "badly"}}), "/case/answers/c/fails"),
        ("pipeline", change(asking={"refused": {"c": "badly"}}), "/case/asking/refused/c"),
        ("pipeline", change(resultBytes=0), "/case/resultBytes"),
        ("pipeline", change(act={"when": "c", "call": ""}), "/case/act/call"),
        ("pipeline", change(asking={"pre": {"i": {"behavior": "perhaps"}}}), "/case/asking/pre/i/behavior"),
        ("pipeline", change(resultBytes=10**12), "/case/resultBytes"),
        ("invocation", change(user="nobody"), "/case/user"),
        ("invocation", change(answers=[]), "/case/answers"),
        ("invocation", change(answers=[{"text": ""}]), "/case/answers/0/text"),
        ("invocation", change(chosen={"profile": ""}), "/case/chosen/profile"),
        ("invocation", change(intents=[{"tool": ""}]), "/case/intents/0/tool"),
        ("invocation", change(gives={"x": {"fails": "somehow"}}), "/case/gives/x/fails"),
    ],
)
def test_a_strangers_file_is_measured(word: str, edit: Edit, pointer: str, tmp_path: Path) -> None:
    """An unknown or too large value is refused with its place, before anything is played."""
    told: Any = document(kept(word))
    edit(told)
    path = tmp_path / "case.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(BadCaseFile, match=f"at {pointer}: "):
        read_any(path, SUITES)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "the value is \\[\\]; permitted: an object"),
        ('{"callproof": "driven-case/2"}', '"driven-case/2"; permitted: "case/1" or "driven-case/1"'),
        ('{"callproof": ["driven-case/1"]}', 'permitted: "case/1" or "driven-case/1"'),
    ],
)
def test_what_is_of_neither_kind_is_told_with_both(text: str, told: str, tmp_path: Path) -> None:
    """The member `callproof` says which kind of case file it is."""
    path = tmp_path / "case.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadCaseFile, match=told):
        read_any(path, SUITES)


def test_a_file_is_kept_once_and_no_other_is_written_over(tmp_path: Path) -> None:
    """The same case leaves its file as it is; if the name belongs to any other file, another name is taken."""
    first = save(tmp_path, kept("loop"))
    assert save(tmp_path, kept("loop")) == first
    assert save(tmp_path, replace(kept("loop"), found=Found("another word", "none"), suite_version="9")) == first
    first.write_text("mine", encoding="utf-8")
    second = save(tmp_path, kept("loop"))
    assert second != first
    assert first.read_text(encoding="utf-8") == "mine"
    assert save(tmp_path, kept("loop")) == second


def test_a_case_that_needs_more_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that does not claim what a case needs is not judged by it, and the exit code is 2."""

    def lacking(*_: object) -> tuple[str, ...]:
        return ("clientTools",)

    monkeypatch.setattr(Suite, "lacking", lacking)
    replayed = replay(kept("loop"), REFERENCE["loop"], 5)
    assert (replayed.verdict, replayed.exit_code) == (Verdict.INAPPLICABLE, 2)


def test_what_cannot_be_sent_ends_the_command_before_it_is(tmp_path: Path) -> None:
    """A call without an id is a fault of the file: exit code 2, with its place and what is permitted."""
    told: Any = document(kept("loop"))
    told["case"]["replies"][0]["calls"][0]["id"] = ""
    path = tmp_path / "case.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    done = CliRunner().invoke(replay_command, [str(path), REFERENCE["loop"]])
    assert done.exit_code == 2
    assert "at /case/replies/0/calls/0/id: '' should be non-empty; permitted: " in done.output


def test_the_command_knows_both_kinds_of_files(tmp_path: Path) -> None:
    """The outcome of the case is printed; only the command line names the system, never the settings."""
    path = save(tmp_path, kept("loop"))
    done = CliRunner().invoke(replay_command, [str(path), REFERENCE["loop"]])
    assert done.exit_code == 0, done.output
    assert f"holds: {kept('loop').requirement}" in done.output
    alone = CliRunner().invoke(replay_command, [str(path)])
    assert alone.exit_code == 2
    assert "callproof loop" in alone.output


@WORDS
def test_the_command_keeps_what_failed_and_says_how_it_is_had_again(word: str, tmp_path: Path) -> None:
    """--save-cases keeps one file for each case and law, and the report names these files."""
    room, name, law = BROKEN[word]
    aiming = [option for each in SUITES[word].cases if law in each.aims for option in ("--case", each.id)]
    options = ["--select", law, "--cases", "0", "--save-cases", str(tmp_path / "kept"), *aiming]
    done = CliRunner().invoke(cli, [word, served(room, name), *options])
    assert done.exit_code == 1, done.output
    files = list((tmp_path / "kept").glob(f"{law}-*.json"))
    assert any(f"callproof replay {file}" in done.output for file in files), done.output
