"""The case file of a live suite: one case of a loop, a pipeline or the invocation contract, as text and back.

The shape is ``driven-replay`` in ``spec/replay.md``.  The suites define which cases exist.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from callproof import __version__
from callproof.driven.suite import Case, Suite
from callproof.replay.casefile import FORMAT as OF_EXECUTORS
from callproof.replay.casefile import CaseFile, Found, from_document, read_document
from callproof.replay.codec import Misfit, from_json, nearest_to, shown, to_json
from callproof.replay.saving import keep
from callproof.schema.validator import shape_validator
from callproof.spec.registry import protocol_named
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

FORMAT: Final = "driven-case/1"
Suites = Mapping[str, Suite[Any]]


@dataclass(frozen=True, slots=True)
class DrivenFile:
    """One case of the suite with this ``word``, the requirement that it broke, and the finding when it was kept."""

    word: str
    requirement: str
    case: Case
    found: Found | None = None
    suite_version: str = ""


@dataclass(frozen=True, slots=True)
class _Head:
    """The members around a case."""

    suite_version: str
    suite: str
    requirement: str
    case: Mapping[str, Json]
    found: Found | None = None


def document(file: DrivenFile) -> dict[str, Json]:
    """The file as a JSON document, in the shape ``driven-replay``."""
    told: dict[str, Json] = {
        "callproof": FORMAT,
        "suiteVersion": file.suite_version or __version__,
        "suite": file.word,
        "requirement": file.requirement,
        "case": to_json(file.case),
    }
    return told if file.found is None else {**told, "found": to_json(file.found)}


def text(file: DrivenFile) -> str:
    """The file as text: indented, every character outside ASCII escaped, one LF at the end."""
    return _written(document(file))


def _written(told: Mapping[str, Json]) -> str:
    return json.dumps(told, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def read_any(path: Path, suites: Suites) -> CaseFile | DrivenFile:
    """The case in a file of either kind.  Raises BadCaseFile, and nothing else, if the file is neither."""

    def made(value: Json) -> CaseFile | DrivenFile:
        kind = value.get("callproof", OF_EXECUTORS) if is_object(value) else OF_EXECUTORS
        if kind not in (FORMAT, OF_EXECUTORS):
            raise Misfit("/callproof", f"the value is {shown(kind)}", f'"{OF_EXECUTORS}" or "{FORMAT}"')
        return driven_from(value, suites) if kind == FORMAT else from_document(value)

    return read_document(path, made)


def driven_from(value: Json, suites: Suites) -> DrivenFile:
    """The file that a JSON document stands for, within its bounds.  Raises Misfit if it is not one."""
    file = shaped(value, suites)
    laws = protocol_named(suites[file.word].protocol.name).requirements
    _refuse_word("/requirement", file.requirement, laws)
    excused: tuple[str, ...] = getattr(file.case, "excused", ())
    for name, ids in (("aims", file.case.aims), ("excused", excused)):
        for place, each in enumerate(ids):
            _refuse_word(f"/case/{name}/{place}", each, laws)
    if file.requirement in excused:
        told = f"it excuses {file.requirement}, which the file is about"
        raise Misfit(f"/case/excused/{excused.index(file.requirement)}", told, "other requirements")
    return file


def shaped(value: Json, suites: Suites) -> DrivenFile:
    """
    The file in a JSON document that has its shape; the requirements that it names are not checked.  Raises Misfit.

    The shape checks what no dataclass does: words, bounds, and what may be sent to the system.
    """
    inner = {name: each for name, each in value.items() if name != "callproof"} if is_object(value) else value
    head = from_json(_Head, inner)
    _refuse_word("/suite", head.suite, suites)
    sample: Case = suites[head.suite].cases[0]
    case: Any = from_json(type(sample), cast("Json", head.case), "/case")
    for fault in shape_validator("driven-replay").errors(value, most=1):
        raise Misfit(fault.pointer, fault.message, f"the shape {head.suite}-case of spec/replay.md")
    return DrivenFile(head.suite, head.requirement, case, head.found, head.suite_version)


def save(folder: Path, file: DrivenFile) -> Path:
    """Write a file in the way of the case files of executors, and return its path.  Raises OSError."""
    essence = text(replace(file, suite_version="-", found=None))
    return keep(folder, f"{file.requirement} {file.case.id}", text(file), essence, _essence_in)


def _essence_in(path: Path) -> str:
    def essence(value: Json) -> str:
        told = {name: each for name, each in value.items() if name != "found"} if is_object(value) else {}
        return _written({**told, "suiteVersion": "-"})

    return read_document(path, essence)


def _refuse_word(pointer: str, word: str, known: Collection[str]) -> None:
    if word not in known:
        raise Misfit(pointer, f"the value is {shown(word)}", ", ".join(known), nearest_to(word, known))
