"""What to do about a finding in a captured log: the command that tells its call, where somebody can type it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from rich.text import Text

from callproof.report.escape import safe

# What the files in the folder of a log are called, packed or not.  A file of any other name is a stream of records.
_IN_A_FOLDER = ("run.json", "runs.jsonl", "calls.jsonl", "results.jsonl", "events.jsonl")
_PACKED = (".gz", ".zst")


def next_step(finding: Mapping[str, Any], folders: Mapping[str, str]) -> Iterator[Text]:
    """The line with the command; none for a run of which no folder is known, and for names that a shell mistakes."""
    folder = folders.get(finding["run"])
    if folder is None or "call" not in finding or not finding["witness"]:
        return
    file = finding["witness"][0]["file"]
    of_a_folder = _without_packing(file) in _IN_A_FOLDER
    path = folder if of_a_folder else str(PurePath(folder) / file)
    if path.startswith("-"):
        return
    is_the_run = of_a_folder and PurePath(folder).name == PurePath(finding["run"]).name
    run = [] if is_the_run else [f"--run={finding['run']}"]
    command = shlex.join(["callproof", "show", path, *run, f"--call={finding['call']}"])
    if safe(command, most=len(command)) == command:
        yield Text.assemble(("  next   ", "dim"), command)


def _without_packing(file: str) -> str:
    return next((file.removesuffix(each) for each in _PACKED if file.endswith(each)), file)
