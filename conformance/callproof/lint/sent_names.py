"""Names for providers that accept no dot: a mapping of tool names that can be reversed, for every name.

Two providers take letters, digits, ``_`` and ``-`` in the name of a tool, and no dot.  For them,
``vault.readFile`` is sent as ``vault__readFile``.  The name that the model calls is mapped back, so
that plans, logs and policies use only the tool's own name.

A run of ``.``, ``_`` and ``-`` between two other characters is written as follows:

- one ``_`` and one ``-`` stay as they are, one ``.`` becomes ``__``;
- in a longer run each sign becomes two: ``.`` is ``__``, ``_`` is ``_-`` and ``-`` is ``--``.

A run of one sign is one character long or ``__``; a longer one is at least four characters
long and even.  So no two names are sent as the same one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from callproof.lint.profiles.loading import limits_of

_OWN = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_OWN_RUN, _SENT_RUN = re.compile(r"[_.-]+"), re.compile(r"[_-]+")
_PAIRS: Mapping[str, str] = {".": "__", "_": "_-", "-": "--"}
_SIGNS: Mapping[str, str] = {pair: sign for sign, pair in _PAIRS.items()}


class NotMapped(ValueError):
    """A name has no counterpart; its text says which name, and what prevents it."""


def sent_name(name: str, profile: str) -> str:
    """
    The name under which a tool is sent to a provider; the same one if the provider takes dots.

    Raises NotMapped for a name that MCP would not recommend, and for one that the provider then does not take.
    """
    if _OWN.fullmatch(name) is None:
        raise NotMapped(f"{name!r} is not a name of 1 to 128 letters, digits, '_', '-' and '.'")
    sent = _OWN_RUN.sub(_sent_run, name) if _mapped(profile) else name
    for limit in limits_of("tool-name", (profile,)):
        if re.fullmatch(str(limit.value), sent) is None:
            raise NotMapped(
                f"{name!r} would be sent as {sent!r} ({len(sent)} characters); permitted by {profile}: {limit.value}"
            )
    return sent


def own_name(sent: str, profile: str) -> str:
    """The name of the tool that was sent under this one.  Raises NotMapped for a text under which no tool is sent."""
    own = _SENT_RUN.sub(_own_run, sent) if _mapped(profile) else sent
    if sent_name(own, profile) != sent:
        raise NotMapped(f"no tool is sent as {sent!r}")
    return own


def _mapped(profile: str) -> bool:
    """Whether some limit of the profile leaves no room for a dot."""
    return any(re.fullmatch(str(limit.value), "a.b") is None for limit in limits_of("tool-name", (profile,)))


def _sent_run(run: re.Match[str]) -> str:
    signs = run[0]
    return signs if signs in {"_", "-"} else "".join(_PAIRS[sign] for sign in signs)


def _own_run(run: re.Match[str]) -> str:
    signs = run[0]
    if len(signs) == 1:
        return signs
    pairs = [signs[at : at + 2] for at in range(0, len(signs), 2)]
    if any(pair not in _SIGNS for pair in pairs):
        raise NotMapped(f"{signs!r} stands for no sign of a name")
    return "".join(_SIGNS[pair] for pair in pairs)
