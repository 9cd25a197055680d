"""EFF, LOG, POL, REF, RES, VAL: faults that show only in rare circumstances."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from callproof.schema.validator import SchemaValidator
from callproof_reference import vault

from miniatures.miniature import miniature
from miniatures.points import (
    BREACH,
    DELETE,
    INVALID,
    OUTPUT,
    OWN_EFFECTS,
    OWN_TOOL,
    RECORD_RESULT,
    VALUE,
    Patch,
    Record,
    changed,
)


@miniature("of-one-size-is-the-same", breaks="EFF-08", seen_in="SC-16/contents")
def _(patch: Patch) -> None:
    """A file is taken for unchanged if it has as many bytes as before."""
    _not_told(patch, lambda old, new: old is not None and len(old) == len(new))


@miniature("line-ends-do-not-count", breaks="EFF-08", seen_in="SC-16/contents")
def _(patch: Patch) -> None:
    """A file whose line ends alone were changed is taken for unchanged."""
    _not_told(patch, lambda old, new: old is not None and _lines(old) == _lines(new))


@miniature("only-the-first-bytes-count", breaks="EFF-08", seen_in="SC-16/contents")
def _(patch: Patch) -> None:
    """A file is taken for unchanged if its first 64 KiB are unchanged."""
    _not_told(patch, lambda old, new: old is not None and len(new) > 65536 and old[:65536] == new[:65536])


@miniature("what-a-move-leaves-empty-goes-too", breaks="EFF-08", seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """A folder that a move leaves empty is removed, and no effect reports it."""

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        answer, left = original(tool, args, root, *more), root / str(args.get("fromPath"))
        moved = tool.name == "vault.rename" and answer.error is None and not left.exists()
        if moved and left.parent != root and left.parent.is_dir() and not any(left.parent.iterdir()):
            left.parent.rmdir()
        return answer

    patch.around(OWN_TOOL, own)


@miniature("what-links-lead-to-goes-too", breaks="EFF-08", seen_in="SC-17/linked")
def _(patch: Patch) -> None:
    """A folder is deleted with what the links in it lead to, and no effect reports what lay outside."""

    def delete(original: Any, folder: Any, path: str, *, trash: bool) -> None:
        for link in filter(Path.is_symlink, (folder.root / path).rglob("*")):
            for each in link.iterdir() if link.is_dir() else ():
                if each.is_file():
                    each.unlink()
        original(folder, path, trash=trash)

    patch.around(DELETE, delete)


@miniature("told-by-the-way-of-a-link", breaks="EFF-08", also=("EFF-02", "EFF-03"), seen_in="SC-16/by-a-link")
def _(patch: Patch) -> None:
    """A link inside the vault is followed, and what was changed is reported as if it lay where the link is."""

    def told(value: Any, there: str, way: str) -> Any:
        if isinstance(value, dict):
            return {name: told(each, there, way) for name, each in value.items()}
        if isinstance(value, list):
            return [told(each, there, way) for each in value]
        return value.replace(f"{there}/", f"{way}/", 1) if isinstance(value, str) else value

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        way, _, rest = str(args.get("path", "")).partition("/")
        link = root / way
        if not rest or not link.is_symlink() or not link.resolve().is_relative_to(root.resolve()):
            return original(tool, args, root, *more)
        there = link.resolve().relative_to(root.resolve()).as_posix()
        answer = original(tool, {**args, "path": f"{there}/{rest}"}, root, *more)
        return answer._replace(output=told(answer.output, there, way), effects=told(answer.effects, there, way))

    patch.around(OWN_TOOL, own)


@miniature("a-draft-stays-where-a-move-failed", breaks="EFF-10", seen_in="SC-17/missing")
def _(patch: Patch) -> None:
    """A move that does not find its file leaves an empty one behind, and reports no effects."""

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        answer = original(tool, args, root, *more)
        if tool.name != "vault.rename" or answer.error is None or answer.error["code"] != "NOT_FOUND":
            return answer
        (root / "draft.md").touch()
        return answer._replace(effects=None)

    patch.around(OWN_TOOL, own)


@miniature("written-before-the-etag-is-looked-at", breaks="EFF-10", also=("EFF-26",), seen_in="SC-16/guarded")
def _(patch: Patch) -> None:
    """A file is written before its etag is compared, and a call that fails does not report what it changed."""

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        answer = original(tool, args, root, *more)
        if answer.error is None:
            return answer
        if tool.name == "vault.writeFile" and "expectedEtag" in args:
            (root / args["path"]).write_text(args["content"])
        return answer._replace(effects=None)

    patch.around(OWN_TOOL, own)


@miniature("one-of-a-name-in-the-trash", breaks="EFF-05", seen_in="SC-17/odd")
def _(patch: Patch) -> None:
    """A file is deleted for good if the trash holds one of the same name, but is reported to be in the trash."""

    def delete(original: Any, folder: Any, path: str, *, trash: bool) -> None:
        held = (folder.root / vault.TRASH / path.rpartition("/")[2]).exists()
        original(folder, path, trash=trash and not held)

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        wanted = args.get("trash", True)
        answer = original(tool, args, root, *more)
        if tool.name != "vault.delete" or answer.error is not None:
            return answer
        deleted = [{**each, "trashed": wanted} for each in answer.effects["deleted"]]
        return answer._replace(effects={**answer.effects, "deleted": deleted})

    patch.around(DELETE, delete)
    patch.around(OWN_TOOL, own)


@miniature("only-what-the-run-made-is-mourned", breaks="EFF-07", seen_in="SC-17/over")
def _(patch: Patch) -> None:
    """A file that a rename replaced is not reported as deleted, unless the run itself had made it."""
    made: set[str] = set()

    def change(original: Any, *looks: Any) -> Record:
        effects: Record = original(*looks)
        made.update(each["path"] for each in effects["created"])
        untold = {each["to"] for each in effects["renamed"]} - made
        return {**effects, "deleted": [each for each in effects["deleted"] if each["path"] not in untold]}

    patch.around(OWN_EFFECTS, change)


@miniature("files-made-in-loops-are-not-told", breaks="EFF-08", also=("EFF-14",), seen_in="SC-16/in-a-loop")
def _(patch: Patch) -> None:
    """What the run's own tools change in a loop is not among the effects."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if subject.step.tool.own and subject.iteration is not None and ending.effects is not None:
            ending = ending._replace(effects={})
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("changes-that-hosts-saw-are-lost", breaks="EFF-10", also=("EFF-01", "EFF-08"), seen_in="SC-18/of-every-kind")
def _(patch: Patch) -> None:
    """Of the changes that a tool's host saw, only what was created is reported."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if not subject.step.tool.own and ending.effects:
            kept = {name: each for name, each in ending.effects.items() if name in ("created", "sideEffectsObserved")}
            ending = ending._replace(effects=kept)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("own-tools-take-anything", breaks="VAL-01", also=("RES-01", "VAL-03"), seen_in="SC-12/own")
def _(patch: Patch) -> None:
    """The arguments of the run's own tools are not checked against their schemas."""
    patch.around(INVALID, lambda original, tool, args: None if tool.own else original(tool, args))


@miniature("own-tools-know-no-roots", breaks="POL-02", also=("EFF-08", "POL-03", "POL-09"), seen_in="SC-14/own-tools")
def _(patch: Patch) -> None:
    """The sandbox limits only the tools of others, and the run's own tools may go anywhere."""

    def breach(original: Any, tool: Any, args: Record, policy: Record, root: Any) -> Any:
        open_to_own = {**policy, "sandbox": {"enabled": True, "allowedRoots": ["/"], "denyPatterns": []}}
        return original(tool, args, open_to_own if tool.own else policy, root)

    patch.around(BREACH, breach)


@miniature("an-index-has-one-digit", breaks="REF-21", also=("LOG-06", "REF-01"), seen_in="SC-01/quoted")
def _(patch: Patch) -> None:
    """Only the first digit of an element's index counts."""

    def value(original: Any, reference: Any, root: Any) -> Any:
        path = tuple(int(str(each)[0]) if isinstance(each, int) else each for each in reference.path)
        return original(reference._replace(path=path), root)

    patch.around(VALUE, value)


@miniature("sixteen-digits-are-enough", breaks="LOG-11", seen_in="SC-01/exact")
def _(patch: Patch) -> None:
    """The log keeps fractions only to sixteen digits in the data of calls that had arguments."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if subject.step.args and ending.data is not None:
            ending = ending._replace(data=_shortened(ending.data))
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


def _reads_schemas(patch: Patch, read: Callable[[Any], Any]) -> None:
    """Have arguments judged by what ``read`` makes of their schema."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        schema = read(tool.descriptor["inputSchema"])
        return original(changed(tool, accepts=SchemaValidator(schema)), args)

    patch.around(INVALID, invalid)


@miniature("otherwise-is-never-asked", breaks="VAL-03", also=("RES-07", "VAL-01", "VAL-07"), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """The keyword `else` of a schema is ignored."""
    _reads_schemas(patch, _without_else)


@miniature("the-rest-goes-unjudged", breaks="VAL-03", also=("RES-07", "VAL-01", "VAL-07"), seen_in="SC-12/unevaluated")
def _(patch: Patch) -> None:
    """The keywords of a schema that judge what no other keyword has evaluated are ignored."""
    _reads_schemas(patch, _without_the_rest)


@miniature("a-constant-by-its-last-member", breaks="VAL-03", also=("RES-07", "VAL-01", "VAL-07"), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """If a constant is an object, only its last member is compared."""
    _reads_schemas(patch, _of_last_members)


@miniature("formats-are-demanded", breaks="VAL-03", seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """Arguments are refused if they do not have the form that `format` names."""
    from callproof_reference.values import error

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        member = tool.descriptor["inputSchema"].get("properties", {}).get("value", {})
        if "format" in member and "@" not in args["value"]:
            return error("VALIDATION_ERROR", "the value is not an address", "input_schema")
        return original(tool, args)

    patch.around(INVALID, invalid)


@miniature("long-numbers-have-no-sign", breaks="VAL-03", also=("RES-07", "VAL-01", "VAL-07"), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """An integer that no double holds counts as positive, even if it is negative."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        return original(tool, {n: abs(v) if isinstance(v, int) and abs(v) > 2**53 else v for n, v in args.items()})

    patch.around(INVALID, invalid)


@miniature("exponents-make-no-fraction", breaks="VAL-01", also=("RES-07", "VAL-07"), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """Only the digits before the exponent of a number decide whether it is an integer."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        return original(tool, {n: _mantissa(v) if isinstance(v, float) else v for n, v in args.items()})

    patch.around(INVALID, invalid)


@miniature("the-end-is-before-a-line-feed", breaks="VAL-03", also=("RES-07", "VAL-01", "VAL-07"), seen_in="SC-12/rarer")
def _(patch: Patch) -> None:
    """The `$` of a pattern also matches before a last line feed, as in Python."""

    def invalid(original: Any, tool: Any, args: Record) -> Any:
        return original(tool, {n: v.removesuffix("\n") if isinstance(v, str) else v for n, v in args.items()})

    patch.around(INVALID, invalid)


@miniature("tools-that-write-return-what-they-like", breaks="RES-07", also=("VAL-07",), seen_in="SC-13/in-a-loop")
def _(patch: Patch) -> None:
    """The output of a tool that writes is not checked against its schema."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        writes = tool.risk_level == "writes" and not tool.own and isinstance(output, dict)
        return (None, output) if writes else original(tool, output)

    patch.around(OUTPUT, judged)


@miniature("marks-at-the-start-are-lost", breaks="RES-21", also=("REF-01",), seen_in="SC-01/exact")
def _(patch: Patch) -> None:
    """A byte order mark at the start of a text is removed from what a tool returns."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if data is None:
            return problem, None
        return problem, {n: v.removeprefix("\ufeff") if isinstance(v, str) else v for n, v in data.items()}

    patch.around(OUTPUT, judged)


@miniature("an-envelope-is-opened", breaks="RES-21", also=("REF-01", "RES-07", "VAL-07"), seen_in="SC-01/wrapped")
def _(patch: Patch) -> None:
    """If an output holds an object `data` and nothing else, that object becomes the data."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        wrapped = data is not None and set(data) == {"data"} and isinstance(data["data"], dict)
        return problem, data["data"] if wrapped else data

    patch.around(OUTPUT, judged)


def _not_told(patch: Patch, unchanged: Callable[[bytes | None, bytes], bool]) -> None:
    """Leave a modified file out of the effects if ``unchanged`` holds for its bytes before and after."""

    def own(original: Any, tool: Any, args: Record, root: Path, *more: Any) -> Any:
        held = {each: each.read_bytes() for each in root.rglob("*") if each.is_file()}
        answer = original(tool, args, root, *more)
        told = [
            each
            for each in (answer.effects or {}).get("modified", ())
            if not unchanged(held.get(root / each["path"]), (root / each["path"]).read_bytes())
        ]
        return answer if answer.effects is None else answer._replace(effects={**answer.effects, "modified": told})

    patch.around(OWN_TOOL, own)


def _lines(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_shortened(element) for element in value]
    return float(f"{value:.16g}") if isinstance(value, float) else value


def _without_else(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {name: _without_else(member) for name, member in schema.items() if name != "else"}
    return [_without_else(element) for element in schema] if isinstance(schema, list) else schema


def _without_the_rest(node: Any) -> Any:
    if not isinstance(node, dict):
        return node
    return {name: _without_the_rest(inner) for name, inner in node.items() if not name.startswith("unevaluated")}


def _of_last_members(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_of_last_members(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    told = schema.get("const")
    if isinstance(told, dict) and told:
        name, value = list(told.items())[-1]
        return {"properties": {name: {"const": value}}}
    return {name: _of_last_members(member) for name, member in schema.items()}


def _mantissa(number: float) -> float:
    return float(repr(number).partition("e")[0])
