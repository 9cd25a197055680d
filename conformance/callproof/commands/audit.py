"""``callproof audit``: captured logs, judged."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from callproof.auditing.one_run import NO_RULES, Rules, audit_run
from callproof.auditing.tally import Tally
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.inputs import log_folders
from callproof.auditlog.reader import captured_in
from callproof.judge.judgement import Judgement, Subject
from callproof.spec.registry import Specification, specification
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object


class WrongUsage(ValueError):
    """An option has a value that means nothing: the value, what is permitted, and the next step."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit is asked to do."""

    paths: tuple[Path, ...]
    rules: Rules = NO_RULES
    required: frozenset[str] = frozenset()


def audit(wanted: Audit, on_run: Callable[[str, int, int], None] | None = None) -> Judgement:
    """
    The judgement on every log folder that the paths mean.

    ``on_run`` is told the name of each run, its number and how many there are, before it is read.
    A keyboard interrupt ends the audit after the runs that were judged, and the report says so.
    Raises NothingToJudge.
    """
    folders: tuple[Path, ...] = ()
    tally = Tally(specification())
    errors: tuple[str, ...] = ()
    interrupted = False
    try:
        folders = log_folders(wanted.paths)
        for number, folder in enumerate(folders, start=1):
            name = _name(folder, wanted.paths)
            if on_run is not None:
                on_run(name, number, len(folders))
            tally.add(audit_run(captured_in(folder, name=name), wanted.rules))
    except KeyboardInterrupt:
        interrupted = True
        errors = (f"interrupted after {len(tally.runs)} of {len(folders)} runs; the rest was not read",)
    subject = Subject("log", ", ".join(str(path) for path in wanted.paths))
    return Judgement(
        subject,
        tally.results(),
        tuple(tally.runs),
        wanted.required,
        errors,
        wanted.rules.strict,
        interrupted=interrupted,
    )


def read_tools(path: Path) -> tuple[Json, ...]:
    """
    Tool descriptors from a file: a JSON array, or an object with a member ``tools``.

    Raises WrongUsage when the file holds neither.
    """
    try:
        with open_regular(path) as stream:
            value = read_json(stream.read())
    except NotReadable as error:
        raise WrongUsage(f"--tools {path}: {error.reason}") from None
    except NotStrictJson as error:
        raise WrongUsage(f"--tools {path} {error.reason}; expected a JSON array of tool descriptors") from None
    inner = value.get("tools") if is_object(value) else value
    if not is_array(inner):
        raise WrongUsage(f"--tools {path} holds no array; expected an array of tool descriptors")
    return tuple(inner)


def required_ids(names: Iterable[str], spec: Specification | None = None) -> frozenset[str]:
    """
    The requirements that ids and groups (``RETRY-03``, ``RETRY``) mean.

    Raises WrongUsage for a name that is neither, with the nearest one.
    """
    known = (spec or specification()).requirements
    groups = {requirement.group for requirement in known.values()}
    found: set[str] = set()
    for name in names:
        wanted = name.strip().upper()
        members = [each.id for each in known.values() if wanted in {each.id, each.group}]
        if not members:
            nearest = difflib.get_close_matches(wanted, [*known, *groups], n=1, cutoff=0.4)
            hint = f"; did you mean {nearest[0]}?" if nearest else ""
            raise WrongUsage(f"{name!r} is neither a requirement nor a group{hint}")
        found.update(members)
    return frozenset(found)


def _name(folder: Path, paths: Sequence[Path]) -> str:
    """A run's name in the report: its folder below the path that was given, else the path itself."""
    for path in paths:
        if folder == path:
            return str(path)
        if folder.is_relative_to(path):
            return folder.relative_to(path).as_posix()
    return str(folder)
