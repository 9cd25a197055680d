"""``callproof explain AL-05``: the cases of agent loops about one subject, and what one of them does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache
from typing import Any

import yaml

from callproof.commands.scenario_page import UnknownScenario, short
from callproof.loops.case import LoopCase
from callproof.loops.cases import CASES, SUBJECTS
from callproof.loops.session import needs

_WIDTH = 110
# What a page tells in words of its own, or not at all.
_TOLD = ("id", "says", "aims", "excused", "needs", "tools")


def loop_page(name: str) -> str:
    """
    The page of a subject as ``AL-05``, or of one of its cases as ``AL-05/blocked``, in Markdown.

    Raises UnknownScenario.
    """
    wanted, slash, of_it = name.strip().partition("/")
    number = wanted.upper().removeprefix("AL").removeprefix("-")
    subject = f"AL-{number.zfill(2)}"
    if subject not in SUBJECTS:
        raise UnknownScenario(f"No cases of agent loops are called {wanted!r}. They are {', '.join(SUBJECTS)}.")
    return _of_case(_case(subject, of_it)) if slash else _of_subject(subject)


@cache
def aimed_by_cases(requirement: str) -> tuple[str, ...]:
    """The subjects with a case that means to exercise a requirement."""
    return tuple(dict.fromkeys(case.id.partition("/")[0] for case in CASES if requirement in case.aims))


def _case(subject: str, wanted: str) -> LoopCase:
    names = {each.id.partition("/")[2]: each for each in CASES if each.id.startswith(f"{subject}/")}
    found = names.get(wanted.lower())
    if found is None:
        near = [names[each].id for each in get_close_matches(wanted.lower(), names, n=2)]
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UnknownScenario(
            f"No case of {subject} is called {wanted!r}.{hint} `callproof explain {subject}` lists them."
        )
    return found


def _of_subject(subject: str) -> str:
    cases = [each for each in CASES if each.id.startswith(f"{subject}/")]
    rows = [f"| `{case.id}` | {case.says} | {', '.join(dict.fromkeys(needs(case))) or '—'} |" for case in cases]
    return "\n".join(
        (
            f"### {subject} · {SUBJECTS[subject]}",
            "",
            "| case | what it is | claims without which it is not had |",
            "| --- | --- | --- |",
            *rows,
            "",
            f"`callproof explain {cases[0].id}` shows what one of them does.",
            f"`callproof loop ADAPTER --case {subject}` has them.",
            "",
        )
    )


def _of_case(case: LoopCase) -> str:
    wanted = tuple(dict.fromkeys(needs(case)))
    shown = {name: short(value) for name, value in _plain(case).items() if name not in _TOLD}
    text = yaml.safe_dump(shown, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=None)
    remarks = [f"Not had without the claim of {', '.join(wanted)}."] if wanted else []
    remarks.append(f"Made for {', '.join(sorted(case.aims))}.")
    return "\n".join((f"### {case.id} · {case.says}", "", *remarks, "", "```yaml", text.rstrip(), "```", ""))


def _plain(value: Any) -> Any:
    """A part of a case as JSON, without what is as it is by default."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        told = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
        # A hook that says nothing of any call is set all the same; nothing else is told by being empty.
        usual = {name for name, (held, default) in told.items() if held == default or (default is MISSING and not held)}
        return {name: _plain(held) for name, (held, _) in told.items() if name not in usual}
    if isinstance(value, Mapping):
        return {str(name): _plain(held) for name, held in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value
