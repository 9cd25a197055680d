"""Fixes applied round after round until no permitted one is left: a second run on the result changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from callproof.lint.document import Document, read_document
from callproof.lint.fixing.editing import Editing
from callproof.lint.running import Finding
from callproof.lint.sources.files import Gathered, gathered

# Each round makes every fix that touches no other one; no chain of fixes needs as many rounds as this.
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Fixed:
    """
    The result of fixing: the documents as they are now, the changed ones before and after, and the number of fixes.

    ``unmade`` are the findings whose fixes were wanted, but are in documents that are not edited.
    """

    gathered: Gathered
    changed: tuple[tuple[Document, Document], ...]
    made: int
    unmade: tuple[Finding, ...] = ()


def fixed(start: Gathered, find: Callable[[Gathered], Sequence[Finding]], *, unsafe: bool) -> Fixed:
    """
    Make the fixes for what ``find`` finds in JSON documents that may be edited: the safe ones, or all.

    The same call on its result makes no further fix.
    """
    now, made, left = start, 0, list[Finding]()
    for _ in range(_ROUNDS):
        wanted = [each for each in find(now) if each.fault.fix is not None and (each.fault.fix.safe or unsafe)]
        left = [each for each in wanted if not is_edited(each.document)]
        texts, number = _round([each for each in wanted if is_edited(each.document)])
        if not number:
            break
        made += number
        documents = [_with(each, texts.get(id(each))) for each in now.documents]
        again = gathered(documents)
        now = replace(now, documents=again.documents, found=again.found, plans=again.plans)
    pairs = zip(start.documents, now.documents)
    return Fixed(now, tuple(each for each in pairs if each[0].text != each[1].text), made, tuple(left))


def is_edited(document: Document) -> bool:
    """Whether fixes are made in a document: JSON that is a file."""
    return document.editable and document.dialect == "json"


def _round(findings: Sequence[Finding]) -> tuple[dict[int, str], int]:
    """The new texts by document, and how many fixes they hold."""
    edited: dict[int, Editing] = {}
    number = 0
    for finding in findings:
        document = finding.document
        editing = edited.setdefault(id(document), Editing(document))
        if finding.fault.fix is not None:
            number += editing.accept(finding.base, finding.fault.fix)
    return {name: each.text() for name, each in edited.items()}, number


def _with(document: Document, text: str | None) -> Document:
    if text is None or text == document.text:
        return document
    read = read_document(document.name, text.encode("utf-8", "surrogatepass"))
    return replace(read, on_disk=document.on_disk, registry=document.registry)
