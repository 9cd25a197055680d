"""The profiles by name: for each provider its limits, each with the sentence that it rests on.

Limits change.  So they are data with a day and a source, and a finding that rests on one
shows the sentence; a profile can be read without knowledge of any rule.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# In the order in which they are listed to users.
NAMES = (
    "seed",
    "mcp-2025-11-25",
    "mcp-2026-07-28",
    "openai",
    "openai-strict",
    "anthropic",
    "anthropic-strict",
    "gemini",
    "all-providers",
)


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """
    One thing that a provider does not permit.

    ``says`` is the provider's sentence, from its documentation (``documented``) or from its answer to
    a request that did it (``observed``); ``read`` is the day on which the source was read.
    """

    provider: str
    kind: str
    value: Json
    basis: str
    says: str
    source: str
    read: str


@dataclass(frozen=True, slots=True)
class Profile:
    """A provider, or several, with all limits that apply there, and the names of the profiles that it extends."""

    name: str
    title: str
    limits: tuple[Limit, ...]
    extends: frozenset[str] = frozenset()


class UnknownProfile(LookupError):
    """No profile has this name; names the nearest one."""

    def __init__(self, wanted: str) -> None:
        near = difflib.get_close_matches(wanted, NAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"permitted: {', '.join(NAMES)}"
        super().__init__(f"no profile is called {wanted!r}; {hint}")


@cache
def profile(name: str) -> Profile:
    """The profile of a name, with the limits of those that it extends.  Raises UnknownProfile."""
    if name not in NAMES:
        raise UnknownProfile(name)
    data = _data(name)
    extended = data.get("extends")
    bases = [profile(str(each)) for each in (extended if is_array(extended) else ())]
    above = [limit for each in bases for limit in each.limits]
    listed = data.get("limits")
    own = [_limit(name, each) for each in (listed if is_array(listed) else ()) if is_object(each)]
    extends = frozenset[str]().union(*({each.name} | each.extends for each in bases))
    return Profile(name, str(data["title"]), (*above, *own), extends)


@cache
def limits_of(kind: str, profiles: tuple[str, ...]) -> tuple[Limit, ...]:
    """The limits of one kind that apply in any of these profiles, each once.  Raises UnknownProfile."""
    once = {id(each): each for name in profiles for each in _by_kind(name).get(kind, ())}
    return tuple(once.values())


def covers(profiles: tuple[str, ...], name: str) -> bool:
    """Whether one of these profiles is the named one, or has all of its limits.  Raises UnknownProfile."""
    return any(name == each or name in profile(each).extends for each in profiles)


@cache
def _by_kind(name: str) -> Mapping[str, tuple[Limit, ...]]:
    limits = profile(name).limits
    return {kind: tuple(each for each in limits if each.kind == kind) for kind in {each.kind for each in limits}}


def _data(name: str) -> Mapping[str, Json]:
    # Most runs use only this profile; it needs no data, and reading YAML takes time.
    if name == "seed":
        return {"title": "The conventions of this project, and no provider"}
    import yaml  # noqa: PLC0415

    text = (files("callproof.lint.profiles") / f"{name}.yaml").read_text(encoding="utf-8")
    data: Json = yaml.safe_load(text)
    if not is_object(data):
        raise TypeError(f"profiles/{name}.yaml is not a mapping")
    return data


def _limit(provider: str, data: Mapping[str, Json]) -> Limit:
    kind, basis, says, source, read = (str(data[name]) for name in ("kind", "basis", "says", "source", "read"))
    return Limit(provider, kind, data["value"], basis, says, source, read)
