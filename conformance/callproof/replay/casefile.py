"""The case file: one case with the requirement that it is about, as text and back.

The shape is ``replay`` in ``spec/replay.md``.  A file may come from anywhere.  So its size is limited, it is
read strictly, its content is checked against bounds before use, and it names nothing that is executed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from callproof import __version__, limits
from callproof.adapters.claims import FEATURES
from callproof.auditlog.files import NotReadable, open_regular
from callproof.live.case import Case
from callproof.replay.bounds import refuse_excess
from callproof.replay.codec import Misfit, from_json, nearest_to, shown, to_json
from callproof.replay.messages import refuse_unspeakable
from callproof.spec.registry import specification
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object
from callproof.values.neighbours import nearest_path

FORMAT = "case/1"
_T = TypeVar("_T")


class BadCaseFile(ValueError):
    """A file holds no case that can be played: the file, the place in it, the value, what is permitted."""

    def __init__(self, path: Path, says: str) -> None:
        super().__init__(f"{path}: {says}")


@dataclass(frozen=True, slots=True)
class Found:
    """What was wrong when the case was kept: the two sentences of the finding."""

    observed: str
    permitted: str


@dataclass(frozen=True, slots=True)
class CaseFile:
    """
    One case, and what it was kept for.

    ``scenario`` and ``seed`` say where it came from, ``found`` is the finding that was made then.
    """

    requirement: str
    says: str
    case: Case
    scenario: str | None = None
    seed: int | None = None
    found: Found | None = None
    suite_version: str = ""


def kept(
    requirement: str,
    case: Case,
    *,
    scenario: str | None = None,
    seed: int | None = None,
    found: Found | None = None,
) -> CaseFile:
    """The file that keeps a case for one requirement; the case then aims at this requirement only."""
    return CaseFile(requirement, case.says, replace(case, provokes=(requirement,)), scenario, seed, found)


def document(file: CaseFile) -> dict[str, Json]:
    """The file as a JSON document in the shape ``replay``, with this suite's version if the file has none."""
    told: dict[str, Json] = {
        "callproof": FORMAT,
        "suiteVersion": file.suite_version or __version__,
        "requirement": file.requirement,
        "scenario": file.scenario,
        "seed": file.seed,
        "says": file.says,
        "case": to_json(file.case),
    }
    return told if file.found is None else {**told, "found": to_json(file.found)}


def text(file: CaseFile) -> str:
    """The file as text: indented, every character outside ASCII escaped, one LF at the end."""
    return json.dumps(document(file), indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def read_case_file(path: Path) -> CaseFile:
    """The case in a file.  Raises BadCaseFile, and nothing else, if the file is not a valid case file."""
    return read_document(path, from_document)


def read_document(path: Path, made: Callable[[Json], _T]) -> _T:
    """What ``made`` makes of the JSON document in a file.  Raises BadCaseFile, also if ``made`` raises Misfit."""
    try:
        with open_regular(path) as stream:
            raw = stream.read(limits.CASE_FILE_BYTES + 1)
        if len(raw) > limits.CASE_FILE_BYTES:
            raise BadCaseFile(path, f"is larger than {limits.CASE_FILE_BYTES} bytes, the limit on a case file")
        return made(read_json(raw))
    except NotReadable as error:
        raise BadCaseFile(path, f"{error.reason}{nearest_path(path)}") from None
    except NotStrictJson as error:
        raise BadCaseFile(path, f"{error.told}; permitted: one JSON document") from None
    except Misfit as error:
        raise BadCaseFile(path, str(error)) from None


def from_document(value: Json) -> CaseFile:
    """The case file that a JSON document stands for, within its bounds.  Raises Misfit if it is not one."""
    file = shaped(value)
    _refuse_unknown_words(file)
    refuse_excess(file.case, "/case")
    refuse_unspeakable(file.case, "/case")
    return file


def shaped(value: Json) -> CaseFile:
    """The case file in a JSON document that has its shape; the content is not checked.  Raises Misfit."""
    if not is_object(value):
        raise Misfit("", f"the value is {shown(value)}", "an object")
    if value.get("callproof") != FORMAT:
        told = f"the value is {shown(value['callproof'])}" if "callproof" in value else "the member is missing"
        raise Misfit("/callproof", told, f'"{FORMAT}", the only format of case files that this version reads')
    for name in ("suiteVersion", "scenario", "seed"):
        if name not in value:
            raise Misfit("", f"the member {name!r} is missing", f"an object with {name!r}")
    return from_json(CaseFile, {name: inner for name, inner in value.items() if name != "callproof"})


def _refuse_unknown_words(file: CaseFile) -> None:
    known = specification().requirements
    if file.requirement not in known:
        told = f"{file.requirement!r} is not a requirement"
        raise Misfit("/requirement", told, "an id that `callproof coverage` lists", nearest_to(file.requirement, known))
    if file.requirement in file.case.excused:
        pointer = f"/case/excused/{file.case.excused.index(file.requirement)}"
        raise Misfit(pointer, f"it excuses {file.requirement}, which the file is about", "other requirements")
    _refuse_unknown_words_of(file.case, "/case")


def _refuse_unknown_words_of(case: Case, pointer: str) -> None:
    """Refuse unknown names in what a case and its company need, aim at and excuse: they would silently do nothing."""
    for place, name in enumerate(case.requires):
        if name not in FEATURES:
            told = f"{pointer}/requires/{place}"
            raise Misfit(told, f"{name!r} is not a feature", ", ".join(FEATURES), nearest_to(name, FEATURES))
    known = specification().requirements
    for member, names in (
        ("provokes", case.provokes),
        ("excused", case.excused),
        ("deathProves", case.death_proves),
    ):
        for place, name in enumerate(names):
            if name not in known:
                told = f"{pointer}/{member}/{place}"
                permitted = "an id that `callproof coverage` lists"
                raise Misfit(told, f"{name!r} is not a requirement", permitted, nearest_to(name, known))
    for place, each in enumerate(case.company):
        _refuse_unknown_words_of(each.case, f"{pointer}/company/{place}/case")
