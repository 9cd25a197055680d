"""SCH: patterns that are invalid, that match more than they seem to, or that take a backtracking engine too long."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import lru_cache

from callproof.lint.definition import Schema
from callproof.lint.rule import Fault, rule
from callproof.lint.schema_facts import having
from callproof.lint.schemas.patterns.ambiguity import Backtracking, Growth, backtracking
from callproof.lint.schemas.patterns.reading import NotAPattern, TooMuch, read_pattern
from callproof.lint.wording import shown
from callproof.values.jsonvalue import is_object

# An escape, or a class of characters: ``^`` and ``$`` inside it do not anchor a pattern.
_NO_ANCHOR = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]", re.DOTALL)


def _patterns(schema: Schema) -> Iterator[tuple[tuple[str, ...], str]]:
    single, named = schema.get("pattern"), schema.get("patternProperties")
    if isinstance(single, str):
        yield ("pattern",), single
    if is_object(named):
        for pattern in named:
            yield ("patternProperties", pattern), pattern


@lru_cache(maxsize=4_096)
def _refusal(pattern: str, *, unicode: bool) -> str:
    """Why a text is not a pattern of ECMA-262; empty if it is one, or too large to decide."""
    try:
        read_pattern(pattern, unicode=unicode)
    except NotAPattern as error:
        return str(error)
    except TooMuch:
        return ""
    return ""


def _refused_by_both(pattern: str) -> str:
    """Why a text is not a pattern, with or without the `u` flag; `\\p` exists only with it, as JSON Schema requires."""
    return _refusal(pattern, unicode=True) and _refusal(pattern, unicode=False)


@lru_cache(maxsize=4_096)
def _python_refusal(pattern: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except ValueError:  # of a count of more than 4300 digits, which Python reads as no number
        return "the repetition number is too large"
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return ""


@rule("SCH016", each=having("pattern", "patternProperties"))
def a_pattern_is_a_regular_expression_of_ecma_262(schema: Schema) -> Iterator[Fault]:
    """A pattern is a regular expression of ECMA-262."""
    for at, pattern in _patterns(schema):
        reason = _refused_by_both(pattern)
        if reason:
            yield Fault(
                at,
                f"the pattern {shown(pattern)} is not a regular expression of ECMA-262: {reason}",
                "a regular expression of ECMA-262",
                "correct it: validators refuse the whole schema, or ignore the pattern",
            )


@rule("SCH016n", each=having("pattern", "patternProperties"))
def a_pattern_is_valid_for_other_engines_too(schema: Schema) -> Iterator[Fault]:
    """A pattern of ECMA-262 is one with the `u` flag too, and for Python."""
    for at, pattern in _patterns(schema):
        if _refused_by_both(pattern):
            continue
        strict, python = _refusal(pattern, unicode=True), _python_refusal(pattern)
        if strict or python:
            reader = "ECMA-262 with the u flag, which JSON Schema asks for" if strict else "Python's re"
            yield Fault(
                at,
                f"the pattern {shown(pattern)} is invalid for {reader}: {strict or python}",
                "a pattern that is valid for ECMA-262 with the u flag, and for Python",
                "escape only characters that need it",
            )


@rule("SCH017", each=having("pattern"))
def a_pattern_is_anchored(schema: Schema) -> Iterator[Fault]:
    """A pattern begins with `^` or ends with `$`: without either it may match anywhere."""
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and pattern and not {"^", "$"} & {*_NO_ANCHOR.sub("", pattern)}:
        yield Fault(
            ("pattern",),
            f"the pattern {shown(pattern)} may match anywhere in a text",
            "a pattern with ^ or $, or both",
            f"write {shown(f'^(?:{pattern})$')} if the whole text is meant",
        )


@lru_cache(maxsize=4_096)
def _growth(pattern: str) -> Backtracking | str:
    """How the time for a pattern grows, or the limit that it passes; a text that is not a pattern counts as linear."""
    try:
        return backtracking(read_pattern(pattern, unicode=bool(_refusal(pattern, unicode=False))))
    except NotAPattern:
        return Backtracking("linear")
    except TooMuch as error:
        return error.limit


def _slow(schema: Schema, growth: Growth, *, certain: bool) -> Iterator[Fault]:
    for at, pattern in _patterns(schema):
        found = _growth(pattern)
        if isinstance(found, Backtracking) and (found.growth, found.certain) == (growth, certain):
            yield _told(at, pattern, found)


@rule("SCH018", each=having("pattern", "patternProperties"))
def no_pattern_takes_exponential_time(schema: Schema) -> Iterator[Fault]:
    """No pattern makes a backtracking engine try a number of ways that doubles with each character."""
    yield from _slow(schema, "exponential", certain=True)


@rule("SCH018n", each=having("pattern", "patternProperties"))
def no_pattern_takes_more_than_linear_time(schema: Schema) -> Iterator[Fault]:
    """No pattern makes a backtracking engine take time that grows with the square of the text, or more."""
    yield from _slow(schema, "polynomial", certain=True)
    # A pattern that may be slow, but was not decided, is no error.
    yield from _slow(schema, "exponential", certain=False)
    yield from _slow(schema, "polynomial", certain=False)
    for at, pattern in _patterns(schema):
        found = _growth(pattern)
        said = f"how long the pattern {shown(pattern)} takes was not decided"
        if isinstance(found, str):
            help_ = "make it shorter, or its counts smaller"
            yield Fault(at, said, "a pattern that can be analysed", help_, unknown=found)
        elif (found.growth, found.certain) == ("linear", False):
            help_ = "repeat only one part, or let the next part begin with what the repeated one does not match"
            yield Fault(at, said, "a pattern that matches each text in only one way", help_, unknown=_LEFT_OUT)


_LEFT_OUT = "parts of a pattern that were left out"
_HOW: dict[Growth, str] = {
    "exponential": "doubles with each repetition",
    "polynomial": "grows with the square of the repetitions, or faster",
}


def _told(at: tuple[str, ...], pattern: str, found: Backtracking) -> Fault:
    text = found.text
    example = ""
    if text is not None:
        parts = [shown(text.beginning)] * bool(text.beginning)
        parts += [f"{shown(text.repeated)} many times"] + [shown(text.end)] * bool(text.end)
        example = f" on the text {', '.join(parts)}"
    return Fault(
        at,
        f"the time of a backtracking engine for the pattern {shown(pattern)}{example} {_HOW[found.growth]}",
        "a pattern that matches each text in only one way",
        "rewrite the cause: a repeated part inside a repeated part, or two in a row that match the same characters",
        unknown="" if found.certain else _LEFT_OUT,
    )
