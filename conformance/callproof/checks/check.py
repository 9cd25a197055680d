"""What a check is: one law over one kind of subject, as a generator of findings.

A check does not know its level, its text or the origin of the run.  ``each`` gives it
its subjects.  If a run holds no subject, the law was not exercised, and no report may
call that a pass.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Generic, TypeVar
from unicodedata import normalize

from callproof import limits
from callproof.checks.matters import Matter
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import EVIDENCE, Run
from callproof.trace.witnesses import Deed
from callproof.values.jsontext import Json

S = TypeVar("S")

# The ``misses`` of a finding that one more record of any of these kinds might prove wrong.
ANYTHING = (Kind.CALL, Kind.RESULT, Kind.EVENT)
# How many characters are shown before the place where two long texts begin to differ.
_BEFORE_THE_PARTING = 20
# How many code points are named of the place where two texts differ that look the same.
_CODE_POINTS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Witness:
    """One record or deed that proves a finding, under the name that the finding gives it."""

    name: str
    says: str
    source: Source


# The witness of a fault of a run that left no record: the first message, by which the suite started it.
STARTED = Witness("R", "the run was started", Source("wire", 0))


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One way in which a run was seen to break a law.  It holds data; reports render the prose later.

    ``observed`` says what was seen, in the past tense, with the real values.  ``permitted`` says
    what the law allows.  ``witness`` is the smallest set of records that proves the finding.  ``because``
    gives the reasons, one clause each; ``help`` is a next step, if there is one.  ``matter`` says which
    of several matters of its law the finding is about: findings are folded by it, not by their words.
    ``misses`` are the kinds of record of which one more might prove the finding wrong: if an unread line
    may have held one, the finding is not decided (LOG-21).  ``before`` is the place before which
    such a record would have to stand, if it is known.
    """

    observed: str
    permitted: str
    witness: tuple[Witness, ...]
    because: tuple[str, ...] = ()
    help: str | None = None
    matter: Matter | None = None
    misses: tuple[Kind, ...] = ()
    before: Source | None = None


@dataclass(frozen=True, slots=True)
class Check(Generic[S]):
    """
    A law that decides one requirement on a run, or on a log of another protocol, subject by subject.

    ``by_itself`` is true of a law that looks at its subject only and at nothing else of the run.  ``wants`` says what
    a run without a subject lacks, if the text of the requirement does not tell.
    """

    requirement: str
    name: str
    law: str
    each: Callable[[Any], Iterable[S]]
    examine: Callable[[Any, S], Iterator[Finding]]
    needs: tuple[str, ...]
    by_itself: bool = False
    wants: str | None = None


# Every check, in the order in which the chapters' modules were imported.
_CHECKS: list[Check[Any]] = []


def check(
    requirement: str, *, each: Callable[[Run], Iterable[S]], needs: Iterable[str] = (), wants: str | None = None
) -> Callable[[Callable[[Run, S], Iterator[Finding]]], Check[S]]:
    """
    Make a law out of a generator of findings over ``(run, subject)``.

    ``each`` gives the subjects of a run.  ``needs`` names evidence (keys of ``EVIDENCE``) without
    which the law is inconclusive.  ``wants`` names the subject in words.  Raises ValueError if one of ``needs`` is no
    such key.
    """
    wanted = tuple(needs)
    for name in wanted:
        if name not in EVIDENCE:
            raise ValueError(f"{requirement} needs {name!r}; evidence is one of {', '.join(EVIDENCE)}")

    def make(examine: Callable[[Run, S], Iterator[Finding]]) -> Check[S]:
        made = replace(check_of(requirement, each, examine, wanted), wants=wants)
        _CHECKS.append(made)
        return made

    return make


def check_of(
    requirement: str,
    each: Callable[[Any], Iterable[S]],
    examine: Callable[[Any, S], Iterator[Finding]],
    needs: tuple[str, ...],
) -> Check[S]:
    """The check made from a generator of findings; the function gives it its name and its law."""
    law = " ".join((examine.__doc__ or "").split())
    # A law whose first parameter is named _run does not use the run: the linter enforces that.
    by_itself = next(iter(signature(examine).parameters)).startswith("_")
    return Check(requirement, examine.__name__, law, each, examine, needs, by_itself)


def registered() -> tuple[Check[Any], ...]:
    """Every check that has been imported so far; ``callproof.checks.all_checks`` imports them all."""
    return tuple(_CHECKS)


def witness(name: str, subject: Record | Deed, says: str = "") -> Witness:
    """A record or deed as a named witness; ``says`` replaces the default description."""
    if says:
        return Witness(name, says, subject.source)
    if isinstance(subject, Deed):
        return Witness(name, f"invocation of {subject.tool} for call {subject.call_id}", subject.source)
    what = subject.text("type") or subject.text("status") or subject.text("tool") or ""
    owner = subject.call_id or subject.step_id or subject.text("runId") or "?"
    return Witness(name, f"{subject.kind.value} {what} of {owner}".replace("  ", " "), subject.source)


def parting(held: Json, due: Json) -> tuple[str, ...]:
    """A clause on where two long texts begin to differ, if their ``excerpt``s look alike; nothing otherwise."""
    if not isinstance(held, str) or not isinstance(due, str):
        return ()
    alike = _alike(held, due)
    if len(excerpt(held[: alike + 1])) < limits.EXCERPT_CHARACTERS:
        return ()
    start = alike - _BEFORE_THE_PARTING
    return (f"they differ after {alike} characters: {excerpt(held[start:])}, and not {excerpt(due[start:])}",)


def code_points_of(held: str, due: str) -> tuple[str, ...]:
    """A clause on the code points in which two texts differ that look the same; nothing if they look different."""
    if held == due or normalize("NFC", held) != normalize("NFC", due):
        return ()
    start = _alike(held, due)
    end = _alike(held[start:][::-1], due[start:][::-1])
    one, other = (each[start : len(each) - end][:_CODE_POINTS_SHOWN] for each in (held, due))
    return (f"they differ after {start} characters: {_named(one)}, and not {_named(other)}",)


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common before they begin to differ."""
    pairs = enumerate(zip(one, other))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _named(text: str) -> str:
    return " ".join(f"U+{ord(each):04X}" for each in text) or "nothing"


def excerpt(value: Json) -> str:
    """A value as compact JSON, cut to a readable length."""
    if isinstance(value, str):
        value = value[: limits.EXCERPT_CHARACTERS]  # the rest would be cut off anyway, so it is not serialised
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))  # NaN is allowed: a live tool may return it
    return text if len(text) <= limits.EXCERPT_CHARACTERS else text[: limits.EXCERPT_CHARACTERS - 1] + "…"
