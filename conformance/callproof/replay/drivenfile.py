"""The case file of a live suite: one case of a loop, a pipeline or the invocation contract, as text and back.

The shape is ``driven-replay`` in ``spec/replay.md``.  The suites know which cases and words there are.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from callproof import __version__, limits
from callproof.driven.suite import Case, Suite
from callproof.replay.casefile import CaseFile, Found, from_document, read_document
from callproof.replay.codec import Misfit, from_json, json_name, nearest_to, shown, to_json
from callproof.replay.saving import keep
from callproof.spec.registry import protocols
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_object

FORMAT: Final = "driven-case/1"
Suites = Mapping[str, Suite[Any]]
# The members of cases that are numbers.
_NUMBERS: Final = ("reply", "result_bytes")


@dataclass(frozen=True, slots=True)
class DrivenFile:
    """One case of the suite of a ``word``, the requirement that it broke, and what was found when it was kept."""

    word: str
    requirement: str
    case: Case
    found: Found | None = None
    suite_version: str = ""


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands around a case."""

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
    """The case in a file of either kind.  Raises BadCaseFile, and nothing else, for every other file."""

    def made(value: Json) -> CaseFile | DrivenFile:
        is_driven = is_object(value) and value.get("callproof") == FORMAT
        return driven_from(value, suites) if is_driven else from_document(value)

    return read_document(path, made)


def driven_from(value: Json, suites: Suites) -> DrivenFile:
    """The file that a JSON document stands for, within its bounds.  Raises Misfit."""
    inner = {name: each for name, each in value.items() if name != "callproof"} if is_object(value) else value
    head = from_json(_Head, inner)
    _refuse_word("/suite", head.suite, suites)
    suite = suites[head.suite]
    sample: Case = suite.cases[0]
    case: Any = from_json(type(sample), cast("Json", head.case), "/case")
    laws = protocols()[suite.protocol.name].requirements
    _refuse_word("/requirement", head.requirement, laws)
    for pointer, owner, name, part in _parts(case, "/case"):
        if name in _NUMBERS or not isinstance(part, int):  # all others stand in free JSON
            _refuse_excess(pointer, part)
        words = laws if name in {"aims", "excused"} else suite.words.get(f"{type(owner).__name__}.{name}")
        for place, word in _words(pointer, part) if words is not None else ():
            _refuse_word(place, word, words or ())
    _refuse_excused(case, head.requirement)
    if fault := suite.fault(case):
        raise Misfit(f"/case/{fault}", "the list is empty", "at least one entry")
    return DrivenFile(head.suite, head.requirement, case, head.found, head.suite_version)


def save(folder: Path, file: DrivenFile) -> Path:
    """Write a file and give its path, as the case files of executors are written.  Raises OSError."""
    essence = text(replace(file, suite_version="-", found=None))
    return keep(folder, f"{file.requirement} {file.case.id}", text(file), essence, _essence_in)


def _essence_in(path: Path) -> str:
    def essence(value: Json) -> str:
        told = {name: each for name, each in value.items() if name != "found"} if is_object(value) else {}
        return _written({**told, "suiteVersion": "-"})

    return read_document(path, essence)


def _parts(value: object, pointer: str, owner: object = None, name: str = "") -> Iterator[tuple[str, object, str, Any]]:
    """Every part of a case that is no free JSON: its place, whose member it is, the name of that, and itself."""
    yield pointer, owner, name, value
    if dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            yield from _parts(getattr(value, each.name), f"{pointer}/{json_name(each.name)}", value, each.name)
    elif isinstance(value, tuple):
        for place, inner in enumerate(cast("tuple[object, ...]", value)):
            if dataclasses.is_dataclass(inner):
                yield from _parts(inner, f"{pointer}/{place}", owner)
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, object]", value).items():
            if dataclasses.is_dataclass(inner):
                yield from _parts(inner, f"{pointer}/{escape_token(key)}", owner)


def _refuse_excess(pointer: str, part: object) -> None:
    if isinstance(part, int) and not isinstance(part, bool) and not 0 <= part <= limits.CASE_NUMBER:
        raise Misfit(pointer, f"the value is {shown(part)}", f"a number from 0 to {limits.CASE_NUMBER}")
    if isinstance(part, (tuple, Mapping)) and len(cast("Collection[object]", part)) > limits.CASE_ITEMS:
        told = f"there are {len(cast('Collection[object]', part))} entries"
        raise Misfit(pointer, told, f"at most {limits.CASE_ITEMS}")


def _words(pointer: str, part: Any) -> Iterator[tuple[str, str]]:
    if isinstance(part, tuple):
        yield from ((f"{pointer}/{place}", each) for place, each in enumerate(cast("tuple[str, ...]", part)))
    elif part is not None:
        yield pointer, part


def _refuse_word(pointer: str, word: str, known: Collection[str]) -> None:
    if word not in known:
        raise Misfit(pointer, f"the value is {shown(word)}", ", ".join(known), nearest_to(word, known))


def _refuse_excused(case: Case, requirement: str) -> None:
    excused: tuple[str, ...] = getattr(case, "excused", ())
    if requirement in excused:
        told = f"it excuses {requirement}, which the file is about"
        raise Misfit(f"/case/excused/{excused.index(requirement)}", told, "other requirements")
