"""What a tool does, as far as its definition or its name tells."""

from __future__ import annotations

from callproof.lint.definition import Definition
from callproof.lint.found import strings
from callproof.lint.names import WRITING, verb, words
from callproof.values.jsonvalue import is_object

_EDITOR = frozenset({"activeEditor", "selection"})
CREATING = frozenset({"create", "new", "make", "touch", "generate"})
CHANGING = frozenset({"append", "edit", "modify", "overwrite", "patch", "replace", "update", "write"})
_CONTENTS = frozenset({"create-file", "modify-file"})


def writes(tool: Definition) -> bool:
    """Whether a tool says that it changes something: by risk level, side effects, annotations, or its name alone."""
    told = says_whether_it_writes(tool)
    return told if told is not None else bool(strings(tool.get("sideEffects"))) or verb(act(tool)) in WRITING


def says_whether_it_writes(tool: Definition) -> bool | None:
    """What a tool says by its risk level, or else by its annotations; None if it says neither."""
    level = tool.get("riskLevel")
    if isinstance(level, str):
        return level != "read-only"
    told = tool.get("annotations")
    hint = told.get("readOnlyHint") if is_object(told) else None
    return not hint if isinstance(hint, bool) else None


def is_of_the_editor(tool: Definition) -> bool:
    """Whether a tool works in the active editor, by its category or by what has to be present for it."""
    needs = tool.get("availability")
    return tool.category == "editor" or (is_object(needs) and bool(_EDITOR & set(strings(needs.get("requires")))))


def act(tool: Definition) -> str:
    """The name without its category."""
    return tool.name.rpartition(".")[2]


def first_word(tool: Definition) -> str:
    """The first word of the name behind its category, in lower case."""
    return next(iter(words(act(tool))), "")


def only_creates(tool: Definition) -> bool:
    """Whether a tool makes what was not there and changes nothing that was."""
    told = _CONTENTS & set(strings(tool.get("sideEffects")))
    return told == frozenset({"create-file"}) if told else first_word(tool) in CREATING


def only_changes(tool: Definition) -> bool:
    """Whether a tool changes what is there and makes nothing new."""
    told = _CONTENTS & set(strings(tool.get("sideEffects")))
    return told == frozenset({"modify-file"}) if told else first_word(tool) in CHANGING
