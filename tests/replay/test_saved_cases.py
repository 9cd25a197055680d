"""``callproof test --save-cases``: a failed case is kept as a file, and the report tells how to replay it."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callproof.live.scenarios import SCENARIOS
from callproof.replay import saving
from callproof.replay.casefile import Found, kept, read_case_file
from callproof.replay.saving import save
from callproof.schema.validator import shape_validator

BIN = Path(sys.executable).parent
EXAMPLES = Path(__file__).parents[2] / "examples" / "cases"
RUN_MINIATURE = Path(__file__).parents[1] / "miniatures" / "run_miniature.py"
ONE_MORE = f"stdio:{sys.executable} {RUN_MINIATURE} one-attempt-more"
REFERENCE = "stdio:callproof-reference stdio"
CASE = next(scenario for scenario in SCENARIOS if scenario.id == "SC-07").cases[0]


def ran(arguments: Sequence[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    """A program of this environment after it has run to its end."""
    return subprocess.run(
        [str(BIN / arguments[0]), *arguments[1:]], cwd=cwd, capture_output=True, text=True, timeout=300
    )


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A broken system tested with its cases kept: the working folder, and the report."""
    folder = tmp_path_factory.mktemp("tested")
    options = ["-k", "RETRY-03 and SC-07", "--save-cases", "kept", "--format", "json"]
    done = ran(["callproof", "test", ONE_MORE, *options], folder)
    assert done.returncode == 1, done.stderr
    return folder, json.loads(done.stdout)


def test_the_smallest_case_is_kept_for_the_requirement(tested: tuple[Path, dict[str, Any]]) -> None:
    """There is one file for each requirement and scenario, named after both."""
    folder, _ = tested
    (file,) = (folder / "kept").iterdir()
    case = read_case_file(file)
    assert file.name == f"RETRY-03-{case.case.id.replace('/', '-')}.json"
    assert (case.requirement, case.scenario, case.case.provokes) == ("RETRY-03", "SC-07", ("RETRY-03",))
    assert case.found is not None
    assert "was attempted" in case.found.observed


def test_the_report_tells_the_command_and_carries_the_testimonies(tested: tuple[Path, dict[str, Any]]) -> None:
    """They are on the finding of the case that was kept, which comes first."""
    folder, report = tested
    (file,) = (folder / "kept").iterdir()
    first = report["findings"][0]
    assert shlex.split(first["replay"]) == ["callproof", "replay", f"kept/{file.name}", ONE_MORE]
    assert [each["run"] for each in report["testimonies"]] == [first["run"]]
    assert shape_validator("report").errors(report) == ()


def test_the_command_breaks_the_same_requirement_and_the_reference_does_not(
    tested: tuple[Path, dict[str, Any]],
) -> None:
    """The command is run as printed, and then with the reference instead of the broken system."""
    folder, report = tested
    command = shlex.split(report["findings"][0]["replay"])
    again = ran(command, folder)
    assert again.returncode == 1, again.stderr
    assert "broken: RETRY-03" in again.stdout
    assert ran([*command[:-1], REFERENCE], folder).returncode == 0


def test_pytest_shows_the_testimonies_and_the_command_under_the_failure(tmp_path: Path) -> None:
    """Users of pytest get the same as users of the command; the ids are those of the keyword."""
    options = ["-k", "RETRY-03 and SC-07", "--callproof", ONE_MORE, "--callproof-save-cases", "kept"]
    done = ran(["pytest", "-q", "-p", "no:cacheprovider", *options], tmp_path)
    assert done.returncode == 1, done.stdout
    failure = done.stdout.partition("callproof 0.")[0]
    assert "  replay  callproof replay kept/RETRY-03-SC-07-" in failure
    assert "its records claim" in failure


@pytest.mark.parametrize(
    "command",
    [
        ["callproof", "test", REFERENCE, "--save-cases", "taken"],
        ["pytest", "--callproof", REFERENCE, "--callproof-save-cases", "taken"],
        ["pytest", "--callproof-loop", REFERENCE, "--callproof-save-cases", "taken"],
    ],
)
def test_a_folder_that_cannot_be_made_is_said_before_anything_runs(command: list[str], tmp_path: Path) -> None:
    """A user should not wait for a run whose cases cannot be kept."""
    (tmp_path / "taken").write_text("", encoding="utf-8")
    done = ran(command, tmp_path)
    told = done.stdout + done.stderr
    assert done.returncode in {2, 4}, told
    assert "cases cannot be kept in " in told
    assert "Traceback" not in told


def test_the_example_is_what_the_suite_writes_today(tested: tuple[Path, dict[str, Any]]) -> None:
    """This is the file that the README replays."""
    folder, _ = tested
    (file,) = (folder / "kept").iterdir()
    (example,) = EXAMPLES.iterdir()
    assert example.name == file.name
    assert example.read_text(encoding="utf-8") == file.read_text(encoding="utf-8")


def test_a_case_that_is_kept_already_is_left_as_it_is(tmp_path: Path) -> None:
    """The text of a finding may hold ids that differ from run to run, though the case is the same."""
    first = save(tmp_path, kept("RETRY-03", CASE, found=Found("call 1 failed", "x")))
    before = first.read_bytes()
    assert save(tmp_path, kept("RETRY-03", CASE, found=Found("call 2 failed", "x"))) == first
    assert first.read_bytes() == before


def test_nothing_is_overwritten_by_something_else(tmp_path: Path) -> None:
    """A file of that name with another case, or with no case at all, stays; the new file gets another name."""
    other = replace(CASE, horizon_ms=CASE.horizon_ms + 50)
    first = save(tmp_path, kept("RETRY-03", CASE))
    before = first.read_bytes()
    second = save(tmp_path, kept("RETRY-03", other))
    assert second != first
    assert second.name.startswith(first.stem)
    assert save(tmp_path, kept("RETRY-03", other)) == second
    assert first.read_bytes() == before
    first.write_text("a note of mine", encoding="utf-8")
    third = save(tmp_path, kept("RETRY-03", CASE))
    assert read_case_file(third).case.horizon_ms == CASE.horizon_ms
    assert first.read_text(encoding="utf-8") == "a note of mine"


def test_a_name_holds_letters_and_digits_only(tmp_path: Path) -> None:
    """Whatever id a case has, its file lies in the folder."""
    hostile = replace(CASE, id="../../\x1b[31m/" + "x" * 300)
    path = save(tmp_path, kept("RETRY-03", hostile))
    assert path.parent == tmp_path
    assert path.name.isascii()
    assert len(path.name) < 130


def test_a_link_in_the_folder_is_not_followed(tmp_path: Path) -> None:
    """The target of the link belongs to the user."""
    precious = tmp_path / "precious"
    precious.write_text("mine", encoding="utf-8")
    folder = tmp_path / "kept"
    plain = save(folder, kept("RETRY-03", CASE))
    plain.unlink()
    plain.symlink_to(precious)
    path = save(folder, kept("RETRY-03", CASE))
    assert path != plain
    assert precious.read_text(encoding="utf-8") == "mine"


def test_a_case_that_cannot_be_kept_costs_no_finding(tmp_path: Path) -> None:
    """On a full disk, the failure is still reported, together with the note that its case was not kept."""
    (tmp_path / "conftest.py").write_text(
        "import errno, os\nfrom callproof.plugin import failures\n\n"
        "def full(*_):\n    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\n\n"
        "failures.save = full\n",
        encoding="utf-8",
    )
    options = ["-k", "RETRY-03 and SC-07", "--callproof", ONE_MORE, "--callproof-save-cases", "kept"]
    done = ran(["pytest", "-q", "-p", "no:cacheprovider", *options], tmp_path)
    assert done.returncode == 3, done.stdout
    told = " ".join(done.stdout.split())
    assert "RETRY-03 fail Attempts stay within the limit" in told
    assert f"the case of RETRY-03 in SC-07 cannot be kept in {tmp_path / 'kept'}: No space left on device" in told
    assert "the suite broke" not in told


def test_no_part_of_a_case_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that breaks off is not a case file."""

    def full(_: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saving, "text", full)
    with pytest.raises(OSError, match="No space left"):
        save(tmp_path, kept("RETRY-03", CASE, scenario="SC-07", seed=None, found=Found("a", "b")))
    assert [*tmp_path.iterdir()] == []
