"""VAL: arguments and plans that are let through, or turned away, for the wrong reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from callproof.schema.validator import SchemaValidator

from miniatures.miniature import miniature
from miniatures.points import (
    ARGS,
    INVALID,
    LOAD,
    PLAN_FAULTS,
    SCHEMA_FAULTS,
    Patch,
    Record,
    changed,
)


@miniature("arguments-never-checked", breaks="VAL-01", also=("VAL-03",))
def _(patch: Patch) -> None:
    """Arguments that break the tool's schema reach the tool."""
    patch.around(INVALID, lambda original, tool, args: None)


@miniature("templates-checked-in-place-of-arguments", breaks="VAL-02", also=("VAL-01", "POL-17"), seen_in="SC-12")
def _(patch: Patch) -> None:
    """Arguments with a value that came through a reference are not checked."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        return original(tool, args) if args in trusted else None

    trusted: list[Record] = []

    def resolved(original: Any, run: Any, subject: Any) -> Any:
        args = original(run, subject)
        if args == subject.step.args:
            trusted.append(args)
        return args

    patch.around(INVALID, invalid)
    patch.around(ARGS, resolved)


@miniature("only-the-surface-is-checked", breaks="VAL-03", also=("VAL-01",), seen_in="SC-12/nested")
def _(patch: Patch) -> None:
    """Faults inside nested arguments are not seen."""

    def faults(original: Any, schema: Any, value: Any) -> Any:
        return [fault for fault in original(schema, value) if fault["pointer"].count("/") < 2]

    patch.around(SCHEMA_FAULTS, faults)


@miniature("a-point-is-all-but-a-line-feed", breaks="VAL-03", also=("VAL-01",), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """The `.` of a pattern also matches line ends other than a line feed, as in RE2."""
    _reads_patterns(patch, lambda pattern: pattern.replace(".", r"[^\n]"))


@miniature("a-hard-space-is-no-blank", breaks="VAL-03", seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """The `\\s` of a pattern matches only the blanks of ASCII, as in RE2."""
    _reads_patterns(patch, lambda pattern: pattern.replace(r"\s", r"[\t\n\f\r ]"))


def _reads_patterns(patch: Patch, read: Callable[[str], str]) -> None:
    """Have an argument `value` judged by what ``read`` makes of the pattern in its schema."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        schema = tool.descriptor["inputSchema"]
        member = schema.get("properties", {}).get("value", {})
        if "pattern" not in member:
            return original(tool, args)
        other = {**schema, "properties": {"value": {"pattern": read(member["pattern"])}}}
        return original(changed(tool, accepts=SchemaValidator(other)), args)

    patch.around(INVALID, invalid)


@miniature("digits-become-numbers", breaks="VAL-04", also=("LOG-06",))
def _(patch: Patch) -> None:
    """Text that looks like a number is turned into a number before it is checked."""

    def resolved(original: Any, run: Any, subject: Any) -> Any:
        args = original(run, subject)
        return {n: int(v) if isinstance(v, str) and re.fullmatch(r"\d{1,4}", v) else v for n, v in args.items()}

    patch.around(ARGS, resolved)


@miniature("unreadable-schemas-let-all-pass", breaks="VAL-09")
def _(patch: Patch) -> None:
    """A tool whose own schema is broken is called with any arguments."""
    from callproof.schema.bounds import UnusableSchema

    def plan_faults(original: Any, *given: Any) -> Any:
        return [fault for fault in original(*given) if fault.reason != "schema_not_loaded"]

    def load(original: Any, descriptor: Record) -> Any:
        try:
            return original(descriptor)
        except UnusableSchema:
            return original({**descriptor, "inputSchema": True, "outputSchema": True})

    patch.around(PLAN_FAULTS, plan_faults)
    patch.around(LOAD, load)


@miniature("every-dialect-is-the-same", breaks="VAL-09", seen_in="SC-02/foreign-dialect")
def _(patch: Patch) -> None:
    """A tool whose schema declares another dialect is called, and its schema is read in the usual dialect."""
    _of_no_dialect(patch, "inputSchema", "outputSchema")


@miniature("only-arguments-have-a-dialect", breaks="VAL-09", seen_in="SC-02/foreign-output-dialect")
def _(patch: Patch) -> None:
    """The dialect that the schema of an output declares is ignored."""
    _of_no_dialect(patch, "outputSchema")


def _of_no_dialect(patch: Patch, *members: str) -> None:
    def load(original: Any, descriptor: Record) -> Any:
        tool = original({**descriptor, **{name: _silent(descriptor[name]) for name in members}})
        tool.descriptor = descriptor
        return tool

    patch.around(LOAD, load)


def _silent(schema: Any) -> Any:
    return {name: each for name, each in schema.items() if name != "$schema"} if isinstance(schema, dict) else schema


@miniature("outputs-are-judged-by-nothing-if-need-be", breaks="VAL-09", seen_in="SC-02/unusable-output-schema")
def _(patch: Patch) -> None:
    """A tool is called although its output schema is unusable."""
    from callproof.schema.bounds import UnusableSchema

    def load(original: Any, descriptor: Record) -> Any:
        try:
            return original(descriptor)
        except UnusableSchema:
            return original({**descriptor, "outputSchema": True})

    patch.around(LOAD, load)


@miniature("lengths-below-zero-are-no-lengths", breaks="VAL-09", seen_in="SC-02/length-below-zero")
def _(patch: Patch) -> None:
    """A tool whose schema limits a text to a length below zero is called as if there were no limit."""

    def load(original: Any, descriptor: Record) -> Any:
        tool = original({**descriptor, "inputSchema": _of_lengths(descriptor["inputSchema"])})
        tool.descriptor = descriptor
        return tool

    patch.around(LOAD, load)


def _of_lengths(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {n: _of_lengths(each) for n, each in schema.items() if (n, each) != ("maxLength", -1)}
    return [_of_lengths(each) for each in schema] if isinstance(schema, list) else schema


@miniature("camel-case-translated", breaks="VAL-10", also=("LOG-06",), seen_in="SC-12")
def _(patch: Patch) -> None:
    """Members in camel case are renamed to snake case before the call."""

    def resolved(original: Any, run: Any, subject: Any) -> Any:
        args = original(run, subject)
        if subject.step.tool.own:
            return args
        return {re.sub("([A-Z])", lambda m: f"_{m[1].lower()}", name): value for name, value in args.items()}

    patch.around(ARGS, resolved)


@miniature("empty-text-counts-as-missing", breaks="VAL-11")
def _(patch: Patch) -> None:
    """A call with an empty text among its arguments is refused, whatever the schema says."""
    from callproof_reference.values import error

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        if "" in args.values():
            return error("VALIDATION_ERROR", "an argument is empty", "input_schema")
        return original(tool, args)

    patch.around(INVALID, invalid)


@miniature("an-empty-item-counts-as-missing", breaks="VAL-11", seen_in="SC-12/empty-items")
def _(patch: Patch) -> None:
    """A call with an empty list among its arguments is refused, whatever the schema says."""
    from callproof_reference.values import error

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        if not tool.own and [] in args.values():
            return error("VALIDATION_ERROR", "an argument is empty", "input_schema")
        return original(tool, args)

    patch.around(INVALID, invalid)
