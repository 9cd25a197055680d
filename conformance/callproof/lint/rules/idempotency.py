"""IDEM: what makes it safe to do the same thing twice."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint import declared
from callproof.lint.acts import only_changes, only_creates, writes
from callproof.lint.canon import canonical, is_canonical
from callproof.lint.common_members import SIGNALS
from callproof.lint.definition import Definition, Schema
from callproof.lint.property_edits import can_be_named, without_required
from callproof.lint.rule import Fault, Fix, Put, definitions, inputs, rule
from callproof.lint.wording import listed
from callproof.values.jsontext import Json

_CONTENTS = frozenset({"content", "contents", "text", "data", "body", "patch", "diff"})
_PATHS = frozenset({"path", "filePath", "file_path", "filename", "filepath"})


@rule("IDEM001", each=definitions)
def a_tool_that_writes_content_takes_a_signal(tool: Definition) -> Iterator[Fault]:
    """A tool that puts content into a file by its path takes `expectedEtag` or `ifNotExists`."""
    if tool.input is None or not writes(tool) or canonical(tool) is not None:
        return
    names = declared.members(tool.input).keys()
    if names & _PATHS and names & _CONTENTS and not declared.may_have(tool.input, *SIGNALS):
        yield Fault(
            at=tool.input.resolved.pointer,
            observed="the tool writes content to a path and takes neither expectedEtag nor ifNotExists",
            permitted="one of the two as an optional argument",
            help="if the tool changes files, take expectedEtag and return etag; if it creates them, take ifNotExists",
        )


@rule("IDEM002", each=definitions)
def a_tool_that_takes_expected_etag_returns_etag(tool: Definition) -> Iterator[Fault]:
    """A tool that takes `expectedEtag` declares `etag` in its output."""
    if tool.input is None or tool.output is None or "expectedEtag" not in declared.members(tool.input):
        return
    if not declared.may_have(tool.output, "etag"):
        etag: Json = {"type": "string", "description": "Names this version of the content."}
        root = tool.output.resolved
        add = (
            Put((*root.pointer, "properties"), "etag", etag)
            if root.has("properties") and can_be_named(root, "etag")
            else None
        )
        yield Fault(
            at=root.pointer,
            observed="the tool takes expectedEtag, but its output has no etag",
            permitted="etag among the properties of the output",
            help="return the etag of what was written: the next call needs it",
            fix=Fix((add,), safe=False, says="declare etag in the output") if add else None,
        )


@rule("IDEM003", each=inputs)
def signals_are_optional_and_correctly_typed(schema: Schema) -> Iterator[Fault]:
    """`expectedEtag` is a string, `ifNotExists` is a boolean, and neither is required."""
    members, always = declared.members(schema), declared.required(schema)
    for name in (each for each in SIGNALS if each in members):
        types = declared.types(members[name])
        at = members[name].resolved.within
        if types != frozenset({SIGNALS[name]}):
            says = f"has the type {listed(sorted(types))}" if types else "has no type"
            yield Fault(at, f"{name} {says}", f"the type {SIGNALS[name]}", f"declare it as a {SIGNALS[name]}")
        if name in always:
            yield _required(schema.resolved, name)


@rule("IDEM004", each=definitions)
def signals_fit_what_the_tool_does(tool: Definition) -> Iterator[Fault]:
    """A tool that only creates takes no `expectedEtag`, and one that only changes takes no `ifNotExists`."""
    members = declared.members(tool.input)
    for name, is_wrong, says, better in (
        ("expectedEtag", only_creates, "only creates, and a file that does not exist yet has no etag", "ifNotExists"),
        ("ifNotExists", only_changes, "only changes what exists already", "expectedEtag"),
    ):
        if name in members and is_wrong(tool) and not is_canonical(tool, "input", name):
            yield Fault(
                at=members[name].pointer,
                observed=f"the tool takes {name}, but it {says}",
                permitted=f"{better}, or neither",
                help=f"remove {name}, or list in sideEffects what else the tool does",
            )


def _required(root: Schema, name: str) -> Fault:
    at = (*root.within, "required")
    fix = None
    if name in root.required:
        fix = Fix(without_required(root, name), safe=True, says=f"make {name} optional")
    return Fault(
        at=at if fix else root.within,
        observed=f"{name} is required",
        permitted=f"{name} as an optional argument",
        help=f"take {name} out of required, wherever the schema requires it",
        fix=fix,
    )
