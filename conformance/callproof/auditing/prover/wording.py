"""Texts for people: what they must not contain, and what a preview must name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.wording import FOLDERS, names_command, names_path, unfit
from callproof.values.keyshapes import SIGNS

# Every pattern of `unfit` needs one of these.  So texts without any of them are fit, also when joined.
_NEEDED: Final = (
    "(", 'File "', "goroutine", "file:", ":\\", ":/", "\\\\", "://", "at /", "async /", *SIGNS,
)  # fmt: skip
_FOLDER: Final = re.compile(rf"/(?:{FOLDERS})/")
_KEPT: Final = 4_096
_fit: set[str] = set()


def prove_texts(texts: Iterable[str]) -> None:
    """Messages hold nothing that people must not read (MSG-01, MSG-06)."""
    fresh = set(texts) - _fit
    whole = " ".join(fresh)
    plain = whole.isprintable() and not any(each in whole for each in _NEEDED)
    if not plain or _FOLDER.search(whole) is not None:
        for text in fresh:
            demand(unfit(text) is None, "an unfit message")
    if len(_fit) + len(fresh) > _KEPT:
        _fit.clear()
    _fit.update(fresh)


_PREVIEW: Final = attrgetter("preview")
_NAMES: Final = ("path", "fromPath", "toPath")


def prove_previews(case: Case) -> None:
    """A preview names what its call is about, and shows no reference and nothing of another iteration."""
    unnamed: dict[tuple[str, str], None] = {}
    met = 0
    for seen, shown in zip(case.calls, map(_PREVIEW, case.calls)):
        if shown is UNSET or not shown:
            continue
        step = seen.step
        met |= f.STEP_PREVIEW
        if step.reference_texts and any(text in shown for text in step.reference_texts):
            raise Unproved("a preview that shows a reference")
        paths = _paths(seen)
        named = not paths or any(_names(shown, path) for path in paths)
        if step.loop is None or shown != step.preview:
            met |= f.PREVIEW
            if not named:
                raise Unproved("a preview that names no path")
            if seen.tool.risk == "commands" or not seen.tool.declares_risk:
                _prove_command(seen, shown)
        if seen.index is not None and paths:
            met |= f.ITERATION_PREVIEW
            if not named:
                unnamed[(step.id, shown)] = None
    case.met |= met
    if unnamed:
        _prove_shared(case, unnamed)


def _prove_command(seen: Seen, shown: str) -> None:
    command = argument(seen, "id") if seen.call.risk_level == "commands" else None
    demand(not isinstance(command, str) or names_command(shown, command), "a preview that names no command")


def _prove_shared(case: Case, unnamed: dict[tuple[str, str], None]) -> None:
    """A preview that names none of its own paths names no path of another iteration either (MSG-05)."""
    for step_id, shown in unnamed:
        for seen in case.calls:
            if seen.step.id == step_id:
                demand(not any(names_path(shown, path) for path in _paths(seen)), "a preview of another iteration")


def argument(seen: Seen, name: str) -> object:
    """An argument of a call by its name; None if it is absent."""
    args = seen.args
    if is_dict(args):
        return args.get(name)
    attr = seen.tool.members.get(name)
    found = getattr(args, attr) if attr is not None else None
    return None if found is UNSET else found


def _paths(seen: Seen) -> list[str]:
    args = seen.args
    if is_dict(args):
        found = [args.get(name) for name in _NAMES]
    elif len(seen.tool.named_paths) == 1:
        text = getattr(args, seen.tool.named_paths[0])
        return [text] if isinstance(text, str) and text.strip("/") else []
    else:
        found = [getattr(args, attr) for attr in seen.tool.named_paths]
    return [each for each in found if isinstance(each, str) and each.strip("/")]


def _names(shown: str, path: str) -> bool:
    """Whether a text names a path: seen at once for plain texts, otherwise decided by the check's own function."""
    last = path.rstrip("/").rpartition("/")[2]
    stem = last.rpartition(".")[0] or last
    if len(stem) > 2 and stem.isascii() and shown.isascii() and stem in shown:
        return True
    return names_path(shown, path)
