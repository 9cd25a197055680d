"""``callproof records`` over many logs: folders, compressed files, unreadable files, known failures."""

from __future__ import annotations

import gc
import gzip
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.auditing.audited import AuditedRun
from callproof.cli import cli
from callproof.cli import records as options
from callproof.commands.records import Wanted, records
from callproof.judge.judgement import Outcome, RunOutcome
from callproof.protocols.entries import Entry
from callproof.protocols.log_files import LogFile
from click.testing import CliRunner, Result
from rich.console import Console

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
LOG = (BASES / "searched" / "log.jsonl").read_bytes()
LINES = LOG.splitlines(keepends=True)
# The third line now says that an optional tool kept the response from being given (INT-04).
BROKEN = LOG.replace(b'"kind":"generation","status":"executed"', b'"kind":"generation","status":"skipped"')


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log in it, two compressed ones below it, and a file that is not a log."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "night" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "night" / "b.jsonl").write_bytes(LOG)
    (tmp_path / "night" / "deep" / "a.jsonl.gz").write_bytes(gzip.compress(LOG))
    (tmp_path / "night" / "deep" / "er" / "c.jsonl.zst").write_bytes(zstd.compress(LOG))
    (tmp_path / "night" / "notes.txt").write_text("no log", encoding="utf-8")
    return Path("night")


def ran(*arguments: object, given: bytes | None = None) -> Result:
    """The result of the command, in this process."""
    return CliRunner().invoke(cli, ["records", *map(str, arguments)], input=given)


def report(*arguments: object, given: bytes | None = None) -> dict[str, Any]:
    """The report of the command."""
    told: dict[str, Any] = json.loads(ran(*arguments, "--format", "json", given=given).stdout)
    return told


def outcomes(told: dict[str, Any]) -> dict[str, str]:
    """The outcome of each log."""
    return {each["name"]: each["outcome"] for each in told["runs"]}


def test_a_folder_means_every_log_in_it_and_below_it(night: Path) -> None:
    """The logs have their names from the folder on, and are in the order of these; other files are left out."""
    told = report(night)
    assert [*outcomes(told)] == ["b.jsonl", "deep/a.jsonl.gz", "deep/er/c.jsonl.zst"]
    assert (told["outcome"], told["exitCode"]) == ("consistent", 0)


def test_of_several_paths_each_log_is_called_by_its_whole_path(night: Path) -> None:
    """Two logs of several paths might have the same name."""
    Path("other.jsonl").write_bytes(LOG)
    assert [*outcomes(report("other.jsonl", night / "deep"))] == [
        "other.jsonl",
        "night/deep/a.jsonl.gz",
        "night/deep/er/c.jsonl.zst",
    ]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstd.compress), ("", gzip.compress)])
def test_a_compressed_log_has_the_findings_of_its_text(suffix: str, pack: Any, tmp_path: Path) -> None:
    """Findings have the file's name and the text's lines; the first bytes or the name show the compression."""
    (tmp_path / "n.jsonl").write_bytes(BROKEN)
    plain = report(tmp_path / "n.jsonl")
    (tmp_path / "n.jsonl").unlink()
    path = tmp_path / f"n.jsonl{suffix}"
    path.write_bytes(pack(BROKEN))
    packed = report(path)
    assert len(plain["findings"]) > 0
    assert json.dumps(packed).replace(path.name, "n.jsonl") == json.dumps(plain)
    assert report("-", given=pack(BROKEN))["exitCode"] == 1


def test_what_cannot_be_read_of_a_folder_is_never_called_good_and_costs_the_others_nothing(
    night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bombs, halves, wrong names, pipes, and one log under two names: each is reported, and the rest is judged."""
    monkeypatch.setattr(limits, "UNPACKED_FREELY_BYTES", 100_000)
    (night / "bomb.jsonl.gz").write_bytes(gzip.compress(LINES[0] + b" " * 3_000_000))
    (night / "half.jsonl.zst").write_bytes(zstd.compress(LOG)[:-9])
    (night / "named.jsonl.gz").write_bytes(LOG)
    os.mkfifo(night / "pipe.jsonl")
    (night / "twice.jsonl").write_bytes(LOG)
    (night / "twice.jsonl.gz").write_bytes(gzip.compress(LOG))
    told = report(night)
    unread = {each["name"]: each["notes"][0] for each in told["runs"] if each["outcome"] == "unread"}
    assert re.sub(r"\d+ bytes beyond", "", unread.pop("bomb.jsonl.gz")).startswith(
        "bomb.jsonl.gz:1: bomb.jsonl.gz unpacks"
    )
    assert "is not a sound Zstandard file" in unread.pop("half.jsonl.zst")
    assert "is not gzip, although its name says so" in unread.pop("named.jsonl.gz")
    assert "is a named pipe, not a regular file" in unread.pop("pipe.jsonl")
    assert "exists as twice.jsonl and as twice.jsonl.gz" in unread.pop("twice.jsonl")
    assert unread == {}
    assert (told["outcome"], told["exitCode"], len(told["runs"])) == ("not proven", 1, 8)


def test_of_a_log_that_is_too_long_the_rest_is_told_as_unread(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part that was read is judged; a law that the rest may break does not pass."""
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", len(BROKEN) - len(LINES[-1]))
    (night / "long.jsonl").write_bytes(BROKEN)
    told = report(night / "long.jsonl")
    assert [each["outcome"] for each in told["runs"]] == ["unread"]
    assert f"long.jsonl:{len(LINES)}: the rest was not read" in told["runs"][0]["notes"][0]
    assert "pass" not in {each["verdict"] for each in told["requirements"]}


def test_links_below_a_folder_are_not_followed(night: Path) -> None:
    """A log counts at its own place, and a log outside of the folder does not count."""
    (night / "latest.jsonl").symlink_to("b.jsonl")
    (night / "again").symlink_to("deep")
    assert len(outcomes(report(night))) == 3


def test_a_file_of_a_folder_that_holds_other_things_is_not_judged_as_what_it_is_not(night: Path) -> None:
    """It is reported as unread, first or last in the folder, and the others are judged."""
    for name in ("a.jsonl", "z.jsonl"):
        (night / name).write_bytes(b'{"callId": "c-1"}\n')
    told = report(night)
    assert [each["name"] for each in told["runs"] if each["outcome"] == "unread"] == ["a.jsonl", "z.jsonl"]
    assert "holds no records of a protocol" in told["runs"][0]["notes"][0]
    assert (told["exitCode"], len(told["runs"])) == (1, 5)


@pytest.mark.parametrize("begun", [b"", LINES[0][:40]], ids=["empty", "torn"])
def test_a_log_that_had_only_just_begun_is_incomplete_beside_others(begun: bytes, night: Path) -> None:
    """It says nothing yet, so it breaks no law; if it is alone, there is nothing to judge."""
    (night / "a.jsonl").write_bytes(begun)
    told = report(night)
    assert (outcomes(told)["a.jsonl"], told["outcome"], told["exitCode"]) == ("incomplete", "incomplete", 0)
    alone = ran(night / "a.jsonl")
    why = "holds no record that can be read (the last line is cut off" if begun else "holds no records of a protocol"
    assert (alone.exit_code, f"night/a.jsonl {why}" in alone.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (gzip.compress(LOG)[:-9], "- holds no record that can be read (standard input is not a sound gzip file"),
        (b'{"a": 1, "a": 2}\n', "- holds no record that can be read (the line is not a record: names a member twice)"),
        (b"", "- holds no records of a protocol"),
        (
            b'[\n{"role": "user", "content": "go on"},\n{"role": "assis',
            "- holds no record that can be read (the document breaks off in line 3); complete the file, or write one",
        ),
    ],
    ids=["half", "unread", "empty", "broken off"],
)
def test_nothing_is_judged_where_nothing_can_be_read(text: bytes, says: str) -> None:
    """The error says why nothing could be read, and the exit code is 2."""
    refused = ran("-", given=text)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert says in refused.stderr


def test_logs_of_several_protocols_are_refused_with_one_of_each(night: Path) -> None:
    """A report about two protocols would not show how many laws it is about."""
    Path(night / "deep" / "p.jsonl").write_bytes((BASES / "piped" / "log.jsonl").read_bytes())
    refused = ran(night)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert (
        "b.jsonl holds records of the invocation contract, but deep/p.jsonl holds records of the pipeline"
        in refused.stderr
    )


@pytest.mark.parametrize(
    ("paths", "says"),
    [
        (("night", "night/b.jsonl"), "night/b.jsonl lies in night,"),
        (("night/deep", "./night"), "night/deep lies in night,"),
        (("night/b.jsonl", "night/../night/b.jsonl"), "are the same log"),
        (("-", "-"), "- is given twice"),
        (("night/none",), "no file in night/none or below it ends in .jsonl, .jsonl.gz, .jsonl.zst"),
        (("night/deep/a.jsonl",), "did you mean"),
    ],
)
def test_paths_that_mean_nothing_or_the_same_are_refused(paths: tuple[str, ...], says: str, night: Path) -> None:
    """The exit code is 2, and the error has the paths as they were given."""
    (night / "none").mkdir()
    refused = ran(*paths)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert says in refused.stderr


def test_a_protocol_that_is_named_is_believed(night: Path) -> None:
    """A log may begin with unknown lines; if the user names the protocol, the suite does not guess it."""
    for name in ("1.jsonl", "2.jsonl"):
        (night / name).write_bytes(b'{"hello": "world"}\n' + (BASES / "looped" / "log.jsonl").read_bytes())
    assert ran(night / "1.jsonl").exit_code == 2
    told = report(night / "1.jsonl", night / "2.jsonl", "--protocol", "agent-loop")
    assert (told["outcome"], [*outcomes(told).values()]) == ("consistent", ["consistent"] * 2)


def test_no_report_is_written_over_a_log(night: Path) -> None:
    """This holds for a log at any depth below a folder that is judged."""
    for name in ("b.jsonl", "deep/a.jsonl.gz"):
        refused = ran(night, "--report", f"jsonl={night / name}")
        assert (refused.exit_code, "is one of the judged files" in refused.stderr) == (2, True)
    assert (night / "b.jsonl").read_bytes() == LOG


def test_known_failures_are_written_down_and_fail_nothing_from_then_on(night: Path) -> None:
    """A person writes a reason and an owner; new failures still fail, and so do entries whose failure is gone."""
    (night / "b.jsonl").write_bytes(BROKEN)
    assert ran(night, "--baseline", "known.json", "--update-baseline").exit_code == 0
    (entry,) = json.loads(Path("known.json").read_text(encoding="utf-8"))["known"]
    assert (entry["requirement"], entry["runs"], entry["reason"]) == ("INT-04", "*", "")
    assert "has no reason" in ran(night, "--baseline", "known.json").stderr
    write_known(entry | {"reason": "issue 12", "owner": "anna"})
    told = report(night, "--baseline", "known.json")
    assert (told["outcome"], told["exitCode"]) == ("known failures", 0)
    (night / "deep" / "d.jsonl").write_bytes(LOG.replace(b"tool_execution_error", b"no_idea"))
    assert report(night, "--baseline", "known.json")["outcome"] == "violations"
    (night / "deep" / "d.jsonl").unlink()
    (night / "b.jsonl").write_bytes(LOG)
    told = report(night, "--baseline", "known.json")
    assert (told["outcome"], told["exitCode"]) == ("stale baseline", 1)
    assert "(owner: anna): it does not fail any more; remove the entry" in told["stale"][0]
    assert ran(night, "--baseline", "known.json", "--update-baseline").exit_code == 0
    assert json.loads(Path("known.json").read_text(encoding="utf-8"))["known"] == []


def write_known(*entries: dict[str, str]) -> None:
    """Write a baseline of these entries."""
    Path("known.json").write_text(json.dumps({"baselineVersion": "1.0", "known": entries}), encoding="utf-8")


KNOWN = {"requirement": "INT-04", "runs": "*", "class": "…", "reason": "issue 12"}


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"expires": "2026-01-01"}, "its last day was 2026-01-01"),
        ({"runs": "day-*"}, "no run of these logs is called 'day-*'"),
        ({}, "it fails in another way"),
        ({"requirement": "HOST-01"}, "no requirement that can be judged is called 'HOST-01'; name one, such as INT-01"),
        ({"requirement": "INT-05"}, "it does not fail any more"),
    ],
)
def test_an_entry_that_lists_nothing_fails(entry: dict[str, str], says: str, night: Path) -> None:
    """A baseline must list only failures that exist; its requirements are those of the protocol."""
    (night / "b.jsonl").write_bytes(BROKEN)
    write_known(KNOWN | entry)
    told = report(night, "--baseline", "known.json")
    assert says in told["stale"][0]
    assert told["exitCode"] == 1


def test_where_a_log_was_not_read_no_entry_counts_as_gone(night: Path) -> None:
    """A log that was not read may hold any listed failure, so an update removes no entry either."""
    (night / "z.jsonl").write_bytes(LINES[0] + b"{nothing}\n")
    write_known(KNOWN)
    told = report(night, "--baseline", "known.json")
    assert (told["outcome"], told.get("stale")) == ("not proven", None)
    ran(night, "--baseline", "known.json", "--update-baseline")
    assert len(json.loads(Path("known.json").read_text(encoding="utf-8"))["known"]) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--update-baseline",), "--update-baseline names no file"),
        (("--baseline", "known.json", "--update-baseline", "--select", "INT-01"), "drop --select and --ignore"),
        (("--baseline", "nowhere.json"), "--update-baseline writes one"),
        (("--baseline", "known.json", "--report", "known.json"), "is one of the judged files"),
    ],
)
def test_baselines_that_mean_nothing_are_refused(arguments: tuple[str, ...], says: str, night: Path) -> None:
    """The rules are those of an audit."""
    write_known()
    refused = ran(night, *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert says in refused.stderr


class Watching:
    """An observer that notes each log that was judged, and breaks off after this many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.heard: list[AuditedRun] = []
        self.held: list[int] = []

    def taken(self, runs: Iterable[LogFile]) -> Iterator[LogFile]:
        """The same logs."""
        yield from runs

    def judged(self, audited: AuditedRun) -> None:
        """Note one more log that was judged, and the entries that are still held."""
        gc.collect()
        self.heard.append(audited)
        self.held.append(sum(isinstance(each, Entry) for each in gc.get_objects()))
        if len(self.heard) == self.most:
            raise KeyboardInterrupt


def test_breaking_off_leaves_what_was_read_and_makes_no_entry_stale(night: Path) -> None:
    """The report says that it is only a part; the baseline stays as it is."""
    write_known(KNOWN)
    watching = Watching(2)
    judged = records(Wanted((night,), baseline=Path("known.json"), update_baseline=True), watching)
    assert (judged.outcome, judged.exit_code, judged.stale) == (Outcome.INTERRUPTED, 130, ())
    assert [run.outcome for run in judged.runs] == [RunOutcome.CONSISTENT] * 2
    assert judged.errors[0] == "interrupted after 2 runs; the rest was not read"
    assert len(json.loads(Path("known.json").read_text(encoding="utf-8"))["known"]) == 1


def test_breaking_off_before_anything_was_read_is_an_interruption_and_no_report(night: Path) -> None:
    """The suite does not know yet which protocol it would have judged the logs by."""

    class AtOnce(Watching):
        def taken(self, runs: Iterable[LogFile]) -> Iterator[LogFile]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records(Wanted((night,)), AtOnce(1))


@pytest.mark.parametrize("base", ["looped", "piped", "searched"])
def test_logs_are_judged_one_after_the_other_and_let_go(base: str, tmp_path: Path) -> None:
    """However many logs there are, the suite holds only one at a time."""
    text = (BASES / base / "log.jsonl").read_bytes()
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_bytes(text)
    watching = Watching(7)
    assert len(records(Wanted((tmp_path,)), watching).runs) == 6
    assert max(watching.held) <= watching.held[0] <= len(text.splitlines())


def test_a_terminal_shows_how_far_it_is(night: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows how many logs were judged, and how many of them broke a law; without a terminal nothing is shown."""
    monkeypatch.delenv("CI", raising=False)
    (night / "b.jsonl").write_bytes(BROKEN)
    shown = StringIO()
    monkeypatch.setattr(options, "beside", lambda: Console(file=shown, force_terminal=True, width=160))
    assert ran(night).exit_code == 1
    assert "3 runs" in shown.getvalue()
    assert "1 with violations" in shown.getvalue()
