"""What a vault path is, where it lies, and which spellings a sandbox refuses (A12, A13, A70, A71).

Hosts differ: some volumes ignore case, on some a backslash is a separator. A path is *refused* only if every host
refuses it and *innocent* only if every host accepts it, so that no executor is blamed for a host that we cannot
see. This module does not know about records or a file system, and shares nothing with the reference executor.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

_DRIVE = re.compile(r"[A-Za-z]:")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[/\\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
# A path that every host reads alike: it is normal, and no part of it could be a parent, a drive or a scheme.
_UNDOUBTED: Final = re.compile(r"[A-Za-z0-9_ -][A-Za-z0-9_ .-]*(?:/[A-Za-z0-9_ -][A-Za-z0-9_ .-]*)*")
_NAME_SIGNS: Final = frozenset(" ._-")


class Breach(Enum):
    """Why a sandbox refuses a path; the value completes the sentence "the path ..."."""

    URI = "is a URI"
    ABSOLUTE = "is absolute"
    PARENT = "has a parent segment"
    OUTSIDE = "lies outside the allowed roots"
    PATTERN = "matches a deny pattern"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The allowed roots and deny patterns of a run, as its policy spells them."""

    roots: tuple[str, ...] = ("/",)
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Host:
    """One way in which a host may read path text."""

    case_blind: bool
    backslash_separates: bool
    any_scheme_is_uri: bool


_PLAIN: Final = _Host(case_blind=False, backslash_separates=False, any_scheme_is_uri=False)
_HOSTS: Final = tuple(
    _Host(case, slash, uri) for case in (False, True) for slash in (False, True) for uri in (False, True)
)


def normalise(path: str) -> str:
    """The one spelling of a vault path: NFC, forward slashes, no empty and no `.` segments; "" is the vault itself.

    Parent segments stay, because a path with one is refused and not resolved (POL-04).
    """
    return "/".join(_segments(path))


def is_normal(path: str) -> bool:
    """Whether a path in a record is vault-relative, forward-slashed and normal, in any Unicode form (EFF-12)."""
    if any(part in ("", ".", "..") for part in path.split("/")):
        return False
    return not _is_uri(path, _PLAIN) and not _is_drive(path)


def contains(root: str, path: str) -> bool:
    """Whether a path is a root or lies below it, compared by whole segments of both normal forms (POL-03)."""
    return _is_below(_segments(root), _segments(path))


def breach(path: str, sandbox: Sandbox) -> Breach | None:
    """Why every host refuses this path, or None if some host may accept it."""
    verdicts = _on_all_hosts(path, sandbox)
    return None if None in verdicts else verdicts[_HOSTS.index(_PLAIN)]


def matched_patterns(path: str, sandbox: Sandbox) -> tuple[str, ...]:
    """The patterns that a path matches, as the policy spells them (POL-09)."""
    return tuple(each for each in sandbox.patterns if _matches(each, path, _PLAIN))


def is_spelt_otherwise(pattern: str, path: str) -> bool:
    """Whether a path contains a pattern only after both are brought to NFC: they look alike, but differ (A71)."""
    return pattern not in path and unicodedata.normalize("NFC", pattern) in unicodedata.normalize("NFC", path)


def is_innocent(path: str, sandbox: Sandbox) -> bool:
    """Whether no host has a reason to refuse this path (POL-10)."""
    return not any(_on_all_hosts(path, sandbox))


def holds_a_pattern(path: str, sandbox: Sandbox) -> bool:
    """Whether a path has the characters of a pattern or of `..` anywhere in it, as it is or after NFKC (POL-10).

    `…` is one character, which a name may have; after NFKC it is three dots.
    """
    text = normalise(path)
    spellings = (text, unicodedata.normalize("NFKC", text))
    return any(each in spelling for each in (*sandbox.patterns, "..") for spelling in spellings)


def resembles_a_root(path: str, sandbox: Sandbox) -> bool:
    """Whether comparing characters instead of segments would put an outside path under some root (POL-03)."""
    text = normalise(path)
    return any(name and text.startswith(name) and not contains(name, text) for name in map(normalise, sandbox.roots))


def climbs_out(path: str, sandbox: Sandbox) -> bool:
    """Whether a path with parent segments leads above the vault, or to a place outside every root (POL-02)."""
    ends: list[str] = []
    for part in _segments(path.replace("\\", "/")):
        if part != "..":
            ends.append(part)
        elif ends:
            ends.pop()
        else:
            return True
    return not any(contains(root, "/".join(ends)) for root in sandbox.roots)


def is_plainly_inside(path: str, sandbox: Sandbox) -> bool:
    """Whether an undoubted path lies in a root and does not even have the characters of a pattern: no law objects."""
    if ".." in path or _UNDOUBTED.fullmatch(path) is None:
        return False
    if "/" not in sandbox.roots and not any(path.startswith(f"{each}/") for each in sandbox.roots):
        return False
    # Beside "/" a root may be a mere prefix of the path's first name; another law is about that.
    if any(each != "/" and path.startswith(each) and not path.startswith(f"{each}/") for each in sandbox.roots):
        return False
    blind = path.lower()
    return all(_UNDOUBTED.fullmatch(each) is not None for each in sandbox.roots if each != "/") and not any(
        "*" in each or "?" in each or not each.isascii() or each.lower() in blind for each in sandbox.patterns
    )


@lru_cache(maxsize=1024)
def _on_all_hosts(path: str, sandbox: Sandbox) -> tuple[Breach | None, ...]:
    # Cached: many laws ask about the same path, and a run names few paths.
    if is_plainly_inside(path, sandbox):
        return (None,) * len(_HOSTS)
    return tuple(_breach_on(path, sandbox, host) for host in _HOSTS)


def _breach_on(path: str, sandbox: Sandbox, host: _Host) -> Breach | None:
    if _is_uri(path, host):
        return Breach.URI
    if path.startswith(("/", "\\")) or _is_drive(path):
        return Breach.ABSOLUTE
    if _has_parent(path):
        return Breach.PARENT
    segments = _segments(path, host)
    if not any(_is_below(_segments(root, host), segments) for root in sandbox.roots):
        return Breach.OUTSIDE
    return Breach.PATTERN if any(_matches(pattern, path, host) for pattern in sandbox.patterns) else None


def _is_uri(path: str, host: _Host) -> bool:
    """`scheme:/` is a URI on every host; a word and a colon, as in `Re: plan.md`, only on strict hosts (POL-06)."""
    if host.any_scheme_is_uri:
        return "://" in path or _SCHEME.match(path) is not None
    return _URI.match(path) is not None


def _is_drive(path: str) -> bool:
    return _DRIVE.match(path) is not None


def _has_parent(path: str) -> bool:
    """A71: `..` counts after NFKC as well, and with backslashes as separators on every system."""
    spellings = (path, unicodedata.normalize("NFKC", path))
    return any(".." in spelling.replace("\\", "/").split("/") for spelling in spellings)


def _segments(path: str, host: _Host = _PLAIN) -> tuple[str, ...]:
    if host is _PLAIN and _UNDOUBTED.fullmatch(path) is not None:  # true for nearly all paths
        return tuple(path.split("/"))
    text = unicodedata.normalize("NFC", path)
    if host.backslash_separates:
        text = text.replace("\\", "/")
    if host.case_blind:
        text = unicodedata.normalize("NFC", text.casefold())
    return tuple(part for part in text.split("/") if part not in ("", "."))


def _is_below(root: Sequence[str], path: Sequence[str]) -> bool:
    return tuple(path[: len(root)]) == tuple(root)


def _matches(pattern: str, path: str, host: _Host) -> bool:
    """Whether a pattern matches a path on a host: the cases of A13 and A71 in the order in which they apply."""
    wild, slashed = "*" in pattern or "?" in pattern, "/" in pattern or "\\" in pattern
    if wild and slashed:  # the rulings do not decide this pattern: on strict hosts it matches
        return host.any_scheme_is_uri
    segments, text = _segments(path, host), unicodedata.normalize("NFC", pattern)
    if host.case_blind:
        text = unicodedata.normalize("NFC", text.casefold())
    if wild:
        return any(_is_glob_of(text, part) for part in segments)
    if slashed:  # the path is normalised, the pattern is not; a match before normalising is left to strict hosts
        return text in "/".join(segments) or (_is_punctuation(text, host) and pattern in path)
    return text in segments or (_is_punctuation(text, host) and pattern in path)


def _is_glob_of(pattern: str, name: str) -> bool:
    """Whether a pattern matches a name: `*` is any run of characters, `?` any one, nothing else is special.

    Works with two pointers and one point of return: patterns come from outside, and one with many stars would make
    a backtracking matcher run for hours.
    """
    at, here, star, mark = 0, 0, -1, 0
    while here < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, mark, at = at, here, at + 1
        elif at < len(pattern) and pattern[at] in ("?", name[here]):
            at, here = at + 1, here + 1
        elif star >= 0:
            at, mark, here = star + 1, mark + 1, mark + 1
        else:
            return False
    return not pattern[at:].strip("*")


def _is_punctuation(pattern: str, host: _Host) -> bool:
    """Whether a pattern is sought anywhere: all its signs are rare in names; on strict hosts one of them is enough."""
    odd = [not (_is_of_a_word(sign) or sign in _NAME_SIGNS) for sign in pattern]
    return any(odd) if host.any_scheme_is_uri else all(odd)


def _is_of_a_word(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LMN"
