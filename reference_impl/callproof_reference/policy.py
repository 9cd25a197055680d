"""The tools of a run: what their schemas say beyond yes and no, and which calls a policy allows (POL-01 to POL-15)."""

import os
import re
import unicodedata
from collections.abc import Iterator
from copy import deepcopy
from fnmatch import fnmatchcase
from pathlib import Path

from callproof.schema.validator import SchemaValidator

from callproof_reference.values import Json, Object, as_object, error, objects, strings, token, unfit
from callproof_reference.vault import malformed

_A_PATH = re.compile(r"vault\.listFiles/prefix|.*/(path|fromPath|toPath|paths/[0-9]+)", re.DOTALL)  # A70


class Tool:
    """One tool as its registry describes it, ready to judge arguments and output; `own` is run by this executor."""

    def __init__(self, descriptor: Object) -> None:
        """Raises UnusableSchema when its arguments or output cannot be judged (VAL-09)."""
        schemas = [descriptor[each] for each in ("inputSchema", "outputSchema")]
        self.accepts, self.returns = (SchemaValidator({"not": {}} if s is False else as_object(s)) for s in schemas)
        self.descriptor, self.name = descriptor, str(descriptor["name"])
        self.risk_level = str(descriptor.get("riskLevel", "commands"))  # undeclared counts as the highest (POL-19)
        self.cancellable, self.own = descriptor.get("cancellable") is not False, descriptor.get("host") == "system"

    def invalid(self, args: Object) -> Object | None:
        """Why the tool does not accept args, which are judged as they are and never changed (VAL-01 to VAL-04)."""
        faults, why = _faults(self.accepts, args), f"{self.name} does not take these arguments"
        return error("VALIDATION_ERROR", why, "input_schema", faults=faults) if faults else None

    def judged(self, output: Json) -> tuple[Object | None, Object | None]:
        """What is wrong with what the tool returned, or else its data (RES-06, RES-07, RES-22, VAL-07)."""
        output = {} if output is None else output  # a tool without output (A24)
        if flaw := unfit(output):
            return error("INTERNAL_ERROR", f"the output of {self.name} {flaw[1]}", flaw[0]), None
        faults = _faults(self.returns, output)
        if faults or not isinstance(output, dict):
            problem = error("INTERNAL_ERROR", f"{self.name} broke its output schema", "output_schema", faults=faults)
            return {**problem, "retryable": False}, None  # A16
        return None, deepcopy(output)


def _faults(schema: SchemaValidator, value: Json) -> list[Json]:
    return [{"pointer": fault.pointer, "message": fault.message} for fault in schema.errors(value)[:20]]


def within(schema: Json, path: tuple[str | int, ...]) -> Json:
    """The schema of what a path leads to, {} if that is open. Raises LookupError if nothing can be there (A3)."""
    for segment in path:
        here, kind = as_object(schema), "array" if isinstance(segment, int) else "object"
        types, properties = here.get("type", kind), as_object(here.get("properties"))
        fits = kind in types if isinstance(types, list) else types == kind
        if isinstance(segment, int):
            if not fits:
                raise LookupError("the value there is not an array")
            schema = {} if "prefixItems" in here else here.get("items", {})
        elif segment not in properties and (_closed(here) or not fits):
            raise LookupError(f"the output schema declares no {segment!r} there")
        else:
            schema = properties.get(segment, {})
    return as_object(schema)


def declared(value: Json, schema: Json) -> Json:
    """The value without the members that a closed schema does not declare (A69)."""
    if isinstance(value, dict) and isinstance(schema, dict):
        known = as_object(schema.get("properties"))
        return {n: declared(m, known.get(n)) for n, m in value.items() if n in known or not _closed(schema)}
    if isinstance(value, list) and isinstance(schema, dict):
        return [declared(each, schema.get("items")) for each in value]
    return value


def _texts(value: Json, schemas: list[Json], root: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every text that schemas declare, at any depth, with its pointer; an open object declares none (A70, A84)."""
    here = list(_flattened(schemas, root))
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _texts(each, [schema.get("items") for schema in here], root, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, member in value.items():
            if inner := [p[name] for s in here if name in (p := as_object(s.get("properties")))]:
                yield from _texts(member, inner, root, f"{pointer}/{token(name)}")


def _flattened(schemas: list[Json], root: Json) -> Iterator[Object]:
    waiting, seen = list(schemas), set[int]()
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, dict) and id(schema) not in seen:  # strangers' schemas may refer to themselves
            seen.add(id(schema))
            yield schema
            waiting += (each for branches in ("allOf", "anyOf", "oneOf") for each in schema.get(branches, ()))
            if isinstance(reference := schema.get("$ref"), str):
                here = root
                for name in reference.removeprefix("#").split("/")[1:]:
                    here = as_object(here).get(name.replace("~1", "/").replace("~0", "~"))
                waiting.append(here)


def _closed(schema: Object) -> bool:
    return schema.get("additionalProperties") is False and "patternProperties" not in schema


def breach(tool: Tool, args: Object, policy: Object, root: Path | None) -> Object | None:
    """The error of a call that a policy does not allow (POL-01, ERR-04); no value of args is repeated (MSG-07)."""
    if {tool.name, *strings(tool.descriptor.get("aliases"))} & set(policy.get("deniedTools", ())):
        return error("POLICY_DENIED", f"the policy denies {tool.name}", "denied_tool")
    schema = tool.descriptor["inputSchema"]
    for pointer, text in _texts(args, [schema, {"properties": {"prefix": {}}}], schema):  # declared or not (A70)
        is_path = _A_PATH.fullmatch(tool.name + pointer)
        if is_path and (why := malformed(text) or _outside(text, policy["sandbox"], root)):
            return error("POLICY_DENIED", f"the path at {pointer} {why}", "sandbox")
    return None


def strays(effects: Object, policy: Object) -> bool:
    """Whether something was seen to change outside the sandbox (POL-15)."""
    seen = [entry.get(name) for kind in effects.values() for entry in objects(kind) for name in ("path", "from", "to")]
    return any(_outside(path, policy["sandbox"], None) for path in strings(seen))


def _outside(path: str, sandbox: Object, root: Path | None) -> str | None:
    """Why the allowed roots or the deny patterns refuse a path, as the end of a sentence (A12, A13)."""
    if sandbox.get("enabled") is False:
        return None  # A43
    roots = [_segments(each) for each in sandbox.get("allowedRoots", ["/"])]
    segments = _segments(path)
    if not any(segments[: len(each)] == each for each in roots):  # `notesx` is not inside `notes` (POL-03)
        return "lies outside the allowed roots"
    if any(_matches(pattern, path, segments) for pattern in sandbox.get("denyPatterns", ())):
        return "matches a deny pattern"
    if root is not None:
        top = os.path.realpath(root)
        real = os.path.realpath(os.path.join(top, *path.replace("\\", "/").split("/")))
        there = _segments(os.path.relpath(real, top))
        if os.path.commonpath([top, real]) != top or not any(there[: len(each)] == each for each in roots):
            return "leads out of the allowed roots through a link"  # POL-07
    return None


def _segments(path: str) -> tuple[str, ...]:
    composed = unicodedata.normalize("NFC", path)
    return tuple(part for part in composed.replace("\\", "/").split("/") if part not in ("", "."))


def _matches(pattern: str, path: str, segments: tuple[str, ...]) -> bool:
    composed, whole = unicodedata.normalize("NFC", pattern), "/".join(segments)
    if "*" in pattern or "?" in pattern:
        glob = composed.replace("[", "[[]")  # only * and ? are signs of a pattern
        return any(fnmatchcase(each, glob) for each in ([whole] if "/" in glob else segments))
    if "/" in pattern:
        return pattern in path or composed in whole
    # Words and dots match whole segments, so that `..` does not refuse `a..b.md` (POL-10); odd signs match anywhere.
    odd = not any(sign.isalnum() or sign in " ._-" for sign in pattern)
    return composed in segments or (odd and pattern in path)
