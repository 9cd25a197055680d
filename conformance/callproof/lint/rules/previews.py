"""PRE: what a person reads before a step is carried out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callproof.lint.plan import Step
from callproof.lint.preview_paths import literal_paths, literals, named_paths, tells, templated_paths
from callproof.lint.preview_words import base_form, is_english, is_verb, words
from callproof.lint.reaching import bindings
from callproof.lint.rule import Fault, rule, steps
from callproof.lint.wording import listed, shown
from callproof.trace.references import references_in
from callproof.values.jsonvalue import is_object

_AT = ("preview",)
_LONGEST = 120
_PLAINLY = "say what is done to which file, as you would tell a colleague"
_MEMBER_OF_A_BINDING = re.compile(r"\{[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_]|\[)[^{}]*\}")
_DETAILS = re.compile(
    r"\b(?:json|yaml|regex(?:es|p)?|regular expressions?|etags?|(?:byte |character )?offsets?|schemas?|payloads?"
    r"|arguments?|args|params?|api|endpoint|utf-8|base64|null|boolean|stdout|stderr)\b|[{}]",
    re.IGNORECASE,
)


@rule("PRE001", each=steps)
def a_preview_starts_with_a_verb(step: Step) -> Iterator[Fault]:
    """A preview in English starts with a verb in the imperative."""
    text = _preview(step)
    told = words(text)
    if not is_english(text) or is_verb(told[0]) or not re.match(r"\W*[A-Za-z]", text):
        return
    form = base_form(told[0])
    yield Fault(
        at=_AT,
        observed=f"the preview starts with {shown(told[0])}",
        permitted="a verb in the imperative, such as Create, Replace or Search",
        help=f"write {form.capitalize()}" if form else "say first what is about to happen",
    )


@rule("PRE002", each=steps)
def a_preview_names_the_path_or_command_of_the_step(step: Step) -> Iterator[Fault]:
    """A preview names a path or the command of its arguments, if they give one literally."""
    text = _preview(step)
    wanted = [*literal_paths(step), *_command(step)]
    if text.strip() and wanted and not any(tells(text, each) for each in wanted):
        yield Fault(
            at=_AT,
            observed=f"the preview {shown(text)} names no path or command of the step",
            permitted=f"a line that names at least one of {listed(map(shown, wanted))}",
            help="name it, and say what happens to it",
        )


@rule("PRE003", each=steps)
def a_preview_says_what_happens_and_not_how(step: Step) -> Iterator[Fault]:
    """A preview does not describe how the deed is done."""
    text = _without_references(step, _preview(step))
    for each in sorted(literals(step), key=len, reverse=True):
        text = text.replace(each, " ")
    tool = step.get("tool")
    if isinstance(tool, str) and "." in tool and tool in text:
        yield _detail("the name of the tool")
    elif (found := _DETAILS.search(text)) is not None:
        yield _detail(shown(found[0]))


# English words by which a line says that it is about all items.
_FOR_EACH = frozenset({"each", "every", "per", "all", "both", "everybody", "everyone", "everything", "apiece"})
_ONE_BY_ONE = re.compile(r"\bone (?:by|after) (?:one|another|the other)\b", re.IGNORECASE).search


@rule("PRE004", each=steps)
def the_preview_of_a_loop_says_it_is_for_each_item(step: Step) -> Iterator[Fault]:
    """The preview of a step with a loop says that it is done for each item."""
    text = _preview(step)
    told = words(text)
    if is_object(step.get("foreach")) and is_english(text) and _FOR_EACH.isdisjoint(told) and not _ONE_BY_ONE(text):
        yield Fault(
            at=_AT,
            observed=f"the preview {shown(text)} does not say that the step is done for each item",
            permitted='a line with "for each" and what the items are',
            help="write, for example: Read the note of each task",
        )


@rule("PRE005", each=steps)
def a_preview_contains_no_unresolved_reference(step: Step) -> Iterator[Fault]:
    """A preview has no unresolved reference in it."""
    for each in dict.fromkeys(_templates(step, _preview(step))):
        yield Fault(
            at=_AT,
            observed=f"the preview contains the unresolved reference {shown(each)}",
            permitted="words: references in a preview are not resolved",
            help="say what it stands for, such as: each note",
        )


@rule("PRE006", each=steps)
def a_preview_names_only_paths_of_the_arguments(step: Step) -> Iterator[Fault]:
    """A path in a preview is one of the arguments, if the step has a path among them."""
    known, open_ones = literal_paths(step), templated_paths(step)
    if not known and not open_ones:
        return
    told = literals(step)
    for path in named_paths(_without_references(step, _preview(step))):
        stands = any(path.rstrip("/") in each for each in (*told, *open_ones))
        if stands or path in step.catalogue.by_name:
            continue
        later = not known
        yield Fault(
            at=_AT,
            observed=f"the preview names {shown(path)}, but "
            + ("the path is not known until the plan runs" if later else f"the arguments name {listed(known)}"),
            permitted="the paths of the arguments" if known else "words that describe the file, and no path",
            help="name only paths that the step gives to the tool"
            if known
            else "write, for example: the note that was found",
        )


@rule("PRE007", each=steps)
def a_preview_is_one_short_line(step: Step) -> Iterator[Fault]:
    """A preview is one line of at most 120 characters, and is not empty."""
    text = step.get("preview")
    if not isinstance(text, str):
        return
    if not text.strip():
        yield Fault(_AT, "the preview is empty", "one line of words, or no preview", "say what happens")
    elif len(text.strip().splitlines()) > 1:
        yield Fault(_AT, "the preview has several lines", "one line", "say what happens, and leave out the rest")
    elif len(text) > _LONGEST:
        yield Fault(
            _AT,
            f"the preview has {len(text)} characters",
            f"at most {_LONGEST}",
            "say what happens, and leave out the rest",
        )


def _preview(step: Step) -> str:
    told = step.get("preview")
    return told if isinstance(told, str) else ""


def _command(step: Step) -> tuple[str, ...]:
    """The id of the command that a step runs, if it is literal."""
    tool = step.tool
    runs = step.get("tool") == "commands.run" or (tool is not None and tool.get("riskLevel") == "commands")
    name = step.args.get("id")
    known = isinstance(name, str) and not any(references_in(name, bindings(step)))
    return (name,) if runs and known and isinstance(name, str) else ()


def _templates(step: Step, text: str) -> Iterator[str]:
    yield from (each.text for each in references_in(text, bindings(step)))
    yield from (found[0] for found in _MEMBER_OF_A_BINDING.finditer(text))


def _without_references(step: Step, text: str) -> str:
    for each in _templates(step, text):
        text = text.replace(each, " ")
    return text


def _detail(what: str) -> Fault:
    return Fault(_AT, f"the preview mentions {what}", "what happens, in words that every reader knows", _PLAINLY)
