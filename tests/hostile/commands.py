"""``callproof audit`` as a process, over hostile logs, with every form of report that it writes."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The file names of all forms of report that an audit can write.
REPORTS = ("report.json", "report.jsonl", "report.html", "report.md", "badge.svg", "report.sarif", "report.xml")
_MEMORY = 2 * 1024**3


@dataclass(frozen=True)
class Audited:
    """The outcome of an audit: its exit code, its standard error, and the text of each form of report."""

    exit_code: int
    stderr: str
    said: Mapping[str, str]

    @property
    def report(self) -> dict[str, Any]:
        """The report as data."""
        return dict(json.loads(self.said["report.json"]))

    def outcome(self, run: str) -> str:
        """The outcome of one run."""
        return next(str(each["outcome"]) for each in self.report["runs"] if each["name"] == run)

    def broken(self, run: str) -> set[str]:
        """The requirements that one run broke."""
        return {each["requirement"] for each in self.report["findings"] if each["run"] == run}


def audited(folder: Path, written: Path, *options: str) -> Audited:
    """Audit everything below a folder, printed as text and written in every form; never with more than 2 GiB."""
    targets = [option for name in REPORTS for option in ("--report", str(written / name))]
    run = _ran("audit", str(folder), *targets, *options)
    said = {name: (written / name).read_text(encoding="utf-8") for name in REPORTS if (written / name).exists()}
    return Audited(run.returncode, run.stderr.decode(), {"text": run.stdout.decode(), **said})


def printed(folder: Path, form: str) -> str:
    """What an audit prints in one form."""
    return _ran("audit", str(folder), "--format", form).stdout.decode()


def _ran(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [str(Path(sys.executable).parent / "callproof"), *arguments]
    return subprocess.run(command, capture_output=True, timeout=300, preexec_fn=_bounded)


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
