"""Definitions from files: JSON and YAML, folders of them, and standard input.

Files are only read.  A file without a tool is left out silently if it was found in a folder, but not if it was named.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from callproof import limits
from callproof.lint.document import Dialect, Document, NotReadable, pointer_text, read_document
from callproof.lint.found import Found
from callproof.lint.sources.recognising import definitions_in, plans_in
from callproof.values.jsonvalue import is_object
from callproof.values.neighbours import nearest_path

_DIALECTS: dict[str, Dialect] = {".json": "json", ".yaml": "yaml", ".yml": "yaml"}
_PASSED_OVER = frozenset({"node_modules", "__pycache__", "venv"})
# A file of a folder that cannot be read is reported only if it passes a limit or contains one of these marks.
_MARKS = (b"inputSchema", b"input_schema", b"outputSchema", b'"tools"')


@dataclass(frozen=True, slots=True)
class Gathered:
    """
    What sources gave: documents, what was found in them, and a sentence for each document that could not be read.

    ``remarks`` are sentences about odd but harmless things, ``folders`` the folders that were searched.
    """

    documents: tuple[Document, ...] = ()
    found: tuple[Found, ...] = ()
    plans: tuple[Found, ...] = ()
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """Where the search looked: the folders, and the documents by name."""
        return (*self.folders, *(each.name for each in self.documents))


def from_files(paths: Sequence[str]) -> Gathered:
    """The definitions and plans of files and folders; ``-`` is standard input."""
    documents: list[Document] = []
    problems: list[str] = []
    for path in paths:
        if path == "-" and "-" in (each.name for each in documents):
            problems.append("- is given twice, but standard input can be read only once; give it once")
            continue
        try:
            documents += _read(path, problems)
        except NotReadable as error:
            problems.append(str(error))
        except OSError as error:
            problems.append(f"{path}: cannot be read: {error.strerror}{nearest_path(path)}")
    return replace(gathered(documents, problems), folders=tuple(each for each in paths if _is_folder(each)))


def from_plans(paths: Sequence[str]) -> Gathered:
    """The plans of files; other contents are ignored, and a file without a plan is reported."""
    read = from_files(paths)
    with_plans = {id(each.document) for each in read.plans}
    without = [each.name for each in read.documents if id(each) not in with_plans]
    problems = (*read.problems, *(f"{name}: holds no plan; expected an object with steps" for name in without))
    return Gathered(tuple(each for each in read.documents if id(each) in with_plans), (), read.plans, problems)


def gathered(documents: Iterable[Document], problems: Iterable[str] = ()) -> Gathered:
    """
    The definitions and plans in some documents.

    If a definition or plan holds a number that cannot be represented, it is reported and left out.  A document of
    which nothing is left is left out too.
    """
    read, found, plans, wrong = list[Document](), list[Found](), list[Found](), [*problems]
    for document in documents:
        all_tools, all_plans = [*definitions_in(document)], [*plans_in(document)]
        refused = {id(each): why for each in (*all_tools, *all_plans) if (why := _unheld(each))}
        wrong += refused.values()
        found += (each for each in all_tools if id(each) not in refused)
        plans += (each for each in all_plans if id(each) not in refused)
        if not refused or len(refused) < len(all_tools) + len(all_plans):
            read.append(document)
    if len(found) > limits.LINT_TOOLS:
        wrong.append(f"{len(found)} tools; permitted: {limits.LINT_TOOLS} in one run (limit: tools)")
        found = found[: limits.LINT_TOOLS]
    return Gathered(tuple(read), tuple(found), tuple(plans), tuple(wrong))


def _unheld(found: Found) -> str:
    """Why a definition or plan cannot be judged: it holds a number that is too long or too large; otherwise empty."""
    document = found.document
    number = document.unheld_number(found.pointer)
    if number is None:
        return ""
    span = number.member.value
    is_long = span.end - span.start > limits.DIGITS
    what = f"has more than {limits.DIGITS} digits (limit: digits)" if is_long else "is larger than a double can hold"
    place = document.place_of(span)
    at = f"{document.name}:{place.line}:{place.column}: the number at {pointer_text(number.pointer)}"
    name = found.value.get("name") if is_object(found.value) else None
    whole = name if isinstance(name, str) else pointer_text(found.pointer) or "the document"
    return f"{at} {what}; {whole} was not judged"


def joined(parts: Iterable[Gathered]) -> Gathered:
    """
    What several sources gave, in their order.

    A file that was named twice, in its folder too, or through a link, occurs once.
    """
    told = [*parts]
    first: dict[str | int, Document] = {}
    for document in (each for part in told for each in part.documents):
        first.setdefault(os.path.realpath(document.name) if document.on_disk else id(document), document)
    kept = {id(each) for each in first.values()}
    return Gathered(
        tuple(first.values()),
        tuple(each for part in told for each in part.found if id(each.document) in kept),
        tuple(each for part in told for each in part.plans if id(each.document) in kept),
        tuple(each for part in told for each in part.problems),
        tuple(each for part in told for each in part.remarks),
        tuple(each for part in told for each in part.folders),
    )


def _read(path: str, problems: list[str]) -> Iterator[Document]:
    if path == "-":
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  the stubs do not know
            raise NotReadable("-", "standard input is closed; give a file or a folder, or pipe definitions to it")
        yield replace(_from_bytes("-", sys.stdin.buffer.read(limits.LINT_DOCUMENT_BYTES + 1)), editable=False)
    elif _is_folder(path):
        yield from _in_folder(Path(path), problems)
    else:
        yield _file(Path(path))


def _is_folder(path: str) -> bool:
    # If the folder above is not accessible, this is False and no error.
    return os.path.isdir(path)


def _in_folder(folder: Path, problems: list[str]) -> Iterator[Document]:
    for number, path in enumerate(_files(folder, problems)):
        if number >= limits.LINT_FILES:
            problems.append(f"{folder}: has more than {limits.LINT_FILES} files (limit: files); name folders inside it")
            return
        try:
            document = _file(path)
        except NotReadable as error:
            if error.limit is not None or any(mark in path.read_bytes() for mark in _MARKS):
                problems.append(str(error))
            continue
        except OSError as error:
            link = f" (it is a link to {os.readlink(path)})" if path.is_symlink() else ""
            problems.append(f"{path}: cannot be read: {error.strerror}{link}")
            continue
        if any(definitions_in(document)) or any(plans_in(document)):
            yield document


def _files(folder: Path, problems: list[str]) -> Iterator[Path]:
    def tell(error: OSError) -> None:
        problems.append(f"{error.filename}: cannot be read: {error.strerror}")

    for here, folders, names in os.walk(folder, onerror=tell):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in _PASSED_OVER)
        if folders and len(Path(here).relative_to(folder).parts) >= limits.LINT_FOLDERS:
            problems.append(
                f"{here}: lies below {limits.LINT_FOLDERS} folders (limit: folders); name what is inside it"
            )
            folders.clear()
        paths = (Path(here, name) for name in sorted(names) if Path(name).suffix.lower() in _DIALECTS)
        yield from (path for path in paths if os.path.isfile(path) or _leads_nowhere(path))


def _leads_nowhere(path: Path) -> bool:
    """Whether a path is a link to nothing; editors hold a file with a hidden one."""
    return path.is_symlink() and not os.path.exists(path) and not path.name.startswith(".")


def _file(path: Path) -> Document:
    # Opened without blocking, so that a pipe without a writer does not make this wait.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotReadable(str(path), "is not a regular file; what comes through a pipe is given as -")
        return replace(_from_bytes(str(path), file.read(limits.LINT_DOCUMENT_BYTES + 1)), on_disk=True)


def _from_bytes(name: str, raw: bytes) -> Document:
    """A document, whose dialect its name's ending decides; standard input is JSON if it begins like JSON."""
    dialect = _DIALECTS.get(Path(name).suffix.lower(), "json")
    if name == "-" and raw.lstrip()[:1] not in {b"{", b"["}:
        dialect = "yaml"
    return read_document(name, raw, dialect)
