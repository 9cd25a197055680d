"""The paths of a step: those that its arguments give literally, those that a run fills in, those of its preview."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof.lint.plan import Step
from callproof.lint.reaching import bindings, step_behind
from callproof.trace.references import Reference, parse
from callproof.values.jsontext import Json
from callproof.values.leaves import texts_in
from callproof.values.patharguments import path_arguments

# The arguments that count as paths if the tool is not known.
_BY_NAME: Mapping[str, Json] = {"properties": {"path": {}, "paths": {}, "fromPath": {}, "toPath": {}}}
# A word, without quotes and brackets around it.
_PATH = re.compile(r"[^\s\"'“”‘’«»()\[\]<>,;]+")
_ENDING = re.compile(r"[^./]\.(?!(?:com|dev|edu|io|net|org)$)[A-Za-z][A-Za-z0-9]{1,7}$")
_FOLDERS = re.compile(r"[^/]+(?:/[^/]+){2,}/?")
# What tools return as it was given to them; a path is followed through so many steps.
_GIVEN_BACK = frozenset({"path", "fromPath", "toPath"})
_STEPS = 8
# How many references are followed back for one path, those in their values included: a few references in each of
# several steps in a row are millions.
_LED_BACK = 64
_UNKNOWN = "…"
_SIGNS = ".:!?…"


def literals(step: Step) -> tuple[str, ...]:
    """Every text of the arguments that is literal."""
    return tuple(text for text in texts_in(step.args) if not _is_template(step, text) and text)


def literal_paths(step: Step) -> tuple[str, ...]:
    """The paths of the arguments that are literal."""
    return tuple(text for text in _paths(step) if text and not _is_template(step, text))


def templated_paths(step: Step) -> tuple[str, ...]:
    """
    The paths of the arguments that a run fills in.

    A reference is replaced by what is known about it: a path that an earlier step was given and returns.
    """
    return tuple(_filled(step, text, _STEPS, [_LED_BACK]) for text in _paths(step) if _is_template(step, text))


def _filled(step: Step, text: str, steps: int, left: list[int]) -> str:
    parts = parse(text, bindings(step))
    return "".join(part if isinstance(part, str) else _given(step, part, steps, left) for part in parts)


def _given(step: Step, reference: Reference, steps: int, left: list[int]) -> str:
    """The path that a reference leads back to, if it reads a path that its step was given."""
    left[0] -= 1
    source = step_behind(step, reference) if steps and left[0] >= 0 else None
    name = reference.path[-1] if len(reference.path) == 1 else ""
    told = source.args.get(name) if source is not None and name in _GIVEN_BACK else None
    return _filled(source, told, steps - 1, left) if source is not None and isinstance(told, str) else _UNKNOWN


def named_paths(text: str) -> Iterator[str]:
    """The words of a preview that are paths: with the ending of a file, or in several folders; no date, no address."""
    for found in _PATH.finditer(text):
        word = found[0].rstrip(_SIGNS)
        folders = _FOLDERS.fullmatch(word) is not None and any(sign.isalpha() for sign in word)
        if "://" not in word and (folders or _ENDING.search(word) is not None):
            yield word


def tells(text: str, name: str) -> bool:
    """Whether a preview names a path by its last segment, with or without extension, or a command by a word of it."""
    lowered = text.casefold()
    last = name.rstrip("/").rpartition("/")[2].casefold()
    stem = last.rpartition(".")[0]
    if any(each and each in lowered for each in (last, stem)):
        return True
    return ":" in name and any(len(word) > 2 and word in lowered for word in re.findall(r"[^\W_]+", name.casefold()))


def _paths(step: Step) -> Iterator[str]:
    """The arguments that are paths: those that the tool declares as such; for an unknown tool, those so named."""
    known = None if step.tool is None else step.tool.input
    schema = _BY_NAME if known is None else known.value
    name = step.get("tool")
    yield from (text for _, text in path_arguments(name if isinstance(name, str) else "", step.args, schema))


def _is_template(step: Step, text: str) -> bool:
    return any(isinstance(part, Reference) for part in parse(text, bindings(step)))
