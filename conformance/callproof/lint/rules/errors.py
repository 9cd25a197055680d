"""ERR: what a definition says about failures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from callproof.lint import declared
from callproof.lint.canon import is_canonical
from callproof.lint.definition import Definition
from callproof.lint.document import Pointer
from callproof.lint.found import strings
from callproof.lint.names import folded
from callproof.lint.rule import Fault, Fix, Replace, definitions, rule
from callproof.lint.wording import listed, nearest, shown
from callproof.schema.validator import shape_schema
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# An extension in the style of the baseline; its namespace keeps it from being mistaken for a misspelt code.
_EXTENSION = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[.:][A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_PATHS = frozenset({"path", "paths", "fromPath", "toPath"})
_LISTING = "vault.listFiles"  # its prefix is a path too
_IN_THE_EDITOR = frozenset({"activeEditor", "activeFile", "selection"})
_FAILURES = frozenset(
    {
        "errormessage", "errortext", "errordetail", "errordetails", "errorinfo", "errorreason", "errors", "errmsg",
        "exception", "exceptionmessage", "failure", "failurereason", "failuremessage", "stacktrace", "traceback",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Code:
    """A declared code, with its place in the definition."""

    value: Json
    at: Pointer


@rule("ERR001", each=definitions)
def declared_error_codes_are_known(tool: Definition) -> Iterator[Fault]:
    """The errors that a definition declares are a list of codes of the baseline, or of extensions with a namespace."""
    if tool.get("errors") is not None and not is_array(tool.get("errors")):
        yield Fault(
            at=tool.at("errors"),
            observed=f"errors is {shown(tool.get('errors'))}",
            permitted="an array of codes, or of objects with code and when",
            help="leave errors out if the tool declares none",
        )
    for code in _codes(tool):
        if isinstance(code.value, str) and (code.value in _baseline() or _EXTENSION.fullmatch(code.value)):
            continue
        near = nearest(code.value, _baseline()) if isinstance(code.value, str) else ""
        fix = Fix((Replace(code.at, near),), safe=False, says=f"write {near}") if near else None
        yield Fault(
            at=code.at,
            observed=f"the error code {shown(code.value)} is unknown",
            permitted=f"{listed(_baseline())}, or a code with a namespace, such as vault.QUOTA_EXCEEDED",
            help=f"did you mean {near}?"
            if near
            else "use a known code, or put a namespace before your own, in capitals",
            fix=fix,
        )
    for at, known, when in _situations(tool):
        if when is not None and not isinstance(when, str):
            yield Fault(
                at,
                f"the error {shown(known)} has {shown(when)} as its when",
                "a text, or no when",
                "say in a sentence in which situation it occurs, or leave when out",
            )


@rule("ERR002", each=definitions)
def common_error_codes_are_declared(tool: Definition) -> Iterator[Fault]:
    """A definition that declares errors declares the common ones for what its tool takes."""
    if not is_array(tool.get("errors")):
        return
    told = {code.value for code in _codes(tool) if isinstance(code.value, str)}
    for code, because in _expected(tool):
        if code not in told:
            yield Fault(
                at=tool.at("errors"),
                observed=f"errors does not list {code}, but the tool {because}",
                permitted=f"{code} in errors",
                help="add it, and say in its when in which situation it occurs",
            )


@rule("ERR003", each=definitions)
def the_output_has_no_member_about_a_failure(tool: Definition) -> Iterator[Fault]:
    """The root of an output has no member for the text of a failure."""
    parts = declared.everywhere(tool.output) if tool.output is not None else ()
    for name, schema in (member for part in parts for member in part.properties.items()):
        if folded(name) in _FAILURES and not is_canonical(tool, "output", name):
            yield Fault(
                at=schema.pointer,
                observed=f"the output has the member {name}",
                permitted="no member about a failure: the error of the result describes it",
                help="let the tool fail with a code and a message instead",
            )


def _codes(tool: Definition) -> Iterator[_Code]:
    told = tool.get("errors")
    for place, each in enumerate(told if is_array(told) else ()):
        if is_object(each) and "code" in each:
            yield _Code(each["code"], tool.at("errors", place, "code"))
        else:
            yield _Code(each, tool.at("errors", place))


def _situations(tool: Definition) -> Iterator[tuple[Pointer, Json, Json]]:
    """Where a definition says when it gives a code: the place, the code, and the text that says when."""
    told = tool.get("errors")
    for place, each in enumerate(told if is_array(told) else ()):
        if is_object(each) and "code" in each:
            yield tool.at("errors", place, "when"), each["code"], each.get("when")


def _expected(tool: Definition) -> Iterator[tuple[str, str]]:
    names = declared.members(tool.input).keys()
    effects = strings(tool.get("sideEffects"))
    makes = any(each.startswith("create-") for each in effects) and "fromPath" not in names
    if names & _PATHS or tool.name == _LISTING:
        yield "POLICY_DENIED", "takes a path, which a policy may deny"
        if not makes:
            yield "NOT_FOUND", "needs a path that exists"
    if "expectedEtag" in names:
        yield "CONFLICT", "takes an etag, which may not match"
    needs = tool.get("availability")
    if is_object(needs) and _IN_THE_EDITOR & set(strings(needs.get("requires"))):
        yield "PRECONDITION_FAILED", "works on the selection or the active file"


@cache
def _baseline() -> tuple[str, ...]:
    """The codes that the shape lists: the chapter defines them, and this module does not repeat them."""
    branches = shape_schema("tools/error-code")["anyOf"]
    first = branches[0] if is_array(branches) else None
    return strings(first.get("enum")) if is_object(first) else ()
