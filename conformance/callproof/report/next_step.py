"""What to do about a finding: the command that shows its call in a log, if a shell can take it, or its case."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from rich.text import Text

from callproof.report.escape import safe

# The names of the files in the folder of a log, packed or not.  A file of any other name is a stream of records.
_IN_A_FOLDER = ("run.json", "runs.jsonl", "calls.jsonl", "results.jsonl", "events.jsonl")
_PACKED = (".gz", ".zst")
# The names of the runs of a scenario, and of a generated case, which begins with its seed; each has a log too.
# AL, PL and IV are cases of other protocols.
_CASE = re.compile(r"((?:SC|AL|PL|IV)-[0-9]{2}/[A-Za-z0-9-]+)(?: log)?")
_GENERATED = re.compile(r"GEN/(-?[0-9]+)-[0-9][a-z0-9.-]*(?: log)?")


def next_step(finding: Mapping[str, Any], folders: Mapping[str, str]) -> Iterator[Text]:
    """The line with the command; none if the folder of the run is not known, or a name is not safe in a shell."""
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


def case_line(finding: Mapping[str, Any], *, is_kept: bool) -> Iterator[Text]:
    """The line on the case of a live finding: the command that shows it, or the option that saves a generated one."""
    if written := _CASE.fullmatch(finding["run"]):
        yield Text(f"  case  callproof explain {written[1]}", style="dim")
    made = _GENERATED.fullmatch(finding["run"])
    if made and not is_kept:
        kept = "--save-cases FOLDER keeps it for callproof replay"
        yield Text(f"  case  made by --seed {made[1]}; {kept}", style="dim")


def _without_packing(file: str) -> str:
    return next((file.removesuffix(each) for each in _PACKED if file.endswith(each)), file)
