"""Plans: the references in their templates, the faults that forbid a run, and the ready steps (A4, A18, A66, A67)."""

import difflib
import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, TypeAlias, cast

from callproof.schema.bounds import UnusableSchema
from callproof.schema.validator import shape_validator

from callproof_reference.policy import Tool, within
from callproof_reference.values import Failure, Fault, Json, Object, Refused, as_object, digest, strings, token, write

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_QUOTED = r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"'
_SEGMENT = rf"\.{_NAME}|\[[0-9]+\]|\[{_QUOTED}\]"
_PATH = rf"(?:{_SEGMENT})*+"  # greedy (A57)
_GLOBAL = rf"(?P<brace>\{{)?\$(?!steps\._)(?P<root>steps|vars)\.(?P<name>{_NAME})(?P<path>{_PATH})(?(brace)\}})"
_ESCAPE = r"(?P<escape>(?P<sign>[${])(?=(?P=sign)))"
Bindings: TypeAlias = Mapping[str, str]  # names that begin references in braces, each `item` or `index` (A60)


class Reference(NamedTuple):
    """One reference: as written, its root (`steps`, `vars`, `item`, `index`), a name, a path into its value."""

    text: str
    root: str
    name: str
    path: tuple[str | int, ...]


def parts(text: str, bindings: Bindings) -> Iterator[str | Reference]:
    """A string as literal text and references, in one pass from the left, escapes undone (A61, REF-15, REF-16)."""
    names = ([re.escape(n) for n in bindings if bindings[n] == root] for root in ("item", "index"))
    item, index = ("|".join(each) or "(?!)" for each in names)
    bound = rf"\{{(?:(?P<item>{item})(?P<inner>{_PATH})|(?P<index>{index}))\}}"  # an index has no members (A60)
    literal, here = "", 0
    for found in re.finditer(rf"{_ESCAPE}?(?P<reference>{_GLOBAL}|{bound})", text):
        literal += text[here : found.start()]
        here = found.end()
        if found["escape"]:
            literal += found["reference"]
            continue
        if literal:
            yield literal
        literal, path = "", re.findall(_SEGMENT, found["path"] or found["inner"] or "")
        root = found["root"] or ("item" if found["item"] else "index")
        name = found["name"] or found["item"] or found["index"]
        yield Reference(found["reference"], root, name, tuple(map(_segment, path)))
    if literal := literal + text[here:]:
        yield literal


def references(template: Json, bindings: Bindings, pointer: str = "") -> Iterator[tuple[str, Reference]]:
    """Every reference in a template with the pointer of its string; member names hold none (REF-25)."""
    if isinstance(template, str):
        yield from ((pointer, part) for part in parts(template, bindings) if isinstance(part, Reference))
    elif isinstance(template, dict | list):
        for name, member in template.items() if isinstance(template, dict) else enumerate(template):
            yield from references(member, bindings, f"{pointer}/{token(str(name))}")


def sole(text: Json, bindings: Bindings) -> Reference | None:
    """The reference that a string consists of entirely; its value keeps its type (REF-11)."""
    found = list(parts(text, bindings)) if isinstance(text, str) else []
    return found[0] if len(found) == 1 and isinstance(found[0], Reference) else None


def resolve(template: Json, bindings: Bindings, root: Callable[[Reference], Json]) -> Json:
    """The template with values for its references, which `root` gives before their paths (REF-10 to REF-14, A19)."""
    if isinstance(template, str):
        if reference := sole(template, bindings):
            return deepcopy(_value(reference, root))
        found = [part if isinstance(part, str) else _value(part, root) for part in parts(template, bindings)]
        return "".join(each if isinstance(each, str) else write(each) for each in found)  # A62
    if isinstance(template, dict):
        return {name: resolve(member, bindings, root) for name, member in template.items()}
    if isinstance(template, list):
        return [resolve(element, bindings, root) for element in template]
    return template


def _value(reference: Reference, root: Callable[[Reference], Json]) -> Json:
    value: Json = root(reference)
    for segment in reference.path:  # members of objects and elements of arrays, nothing else of either (REF-17)
        member = isinstance(value, dict) and isinstance(segment, str) and segment in value
        element = isinstance(value, list) and isinstance(segment, int) and segment < len(value)
        if not (member or element):
            why = f"{reference.text}: nothing is at {segment!r}"  # the reference, and never a value (REF-24)
            raise Failure("VALIDATION_ERROR", why, "missing_reference")
        value = cast("Any", value)[segment]
    return value


def _segment(text: str) -> str | int:
    if text.startswith("."):
        return text[1:]
    return str(json.loads(text[1:-1])) if text.startswith('["') else int(text[1:-1].lstrip("0")[:18] or 0)


class Step:
    """One step with everything that plan, defaults and policy say of it; `loop` is what its foreach goes over."""

    def __init__(self, step: Object, plan: "Plan") -> None:
        self.id, self.tool, self.args = str(step["id"]), Tool(plan.registry[step["tool"]]), as_object(step["args"])
        self.preview: str | None = step.get("preview")
        self.needs, self.bindings = tuple(plan.needs(step)), bindings(step)
        retry, loop = step.get("retry", {}), step.get("foreach", {})
        self.loop, self.item = sole(loop.get("from"), {}), str(loop.get("itemName", ""))
        self.concurrency = _integer(loop.get("concurrency"), 1)
        self.on_error: str = step.get("onError", "stop")
        attempts = _integer(retry.get("maxAttempts"), _integer(retry.get("maxRetries")) + 1)  # RETRY-19, A4, A65
        self.attempts = plan.bounded(step, "retry.maxAttempts", "maxAttempts", attempts)  # RETRY-03
        self.backoff_ms = _integer(retry.get("backoffMs"), 250)
        limit = step.get("timeoutMs", plan.policy["limits"].get("maxTimeoutMs"))  # A67: the policy's is the default
        self.timeout_ms = None if limit is None else plan.bounded(step, "timeoutMs", "maxTimeoutMs", _integer(limit))


class Plan:
    """A plan that may run, with its policy and its registry, and which steps its names and references lead to."""

    def __init__(self, plan: Json, policy: Json, tools: list[Object], own: Container[str]) -> None:
        """Make every step ready. Raises Refused with every fault of the policy, or else of the plan."""
        if found := shape_faults("policy", policy):
            raise Refused("policy", found)
        self.source, self.policy, self.tools = as_object(plan), as_object(policy), tools
        named = {str(each.get("name")): each for each in tools}
        aliases = [(alias, each) for each in named.values() for alias in strings(each.get("aliases"))]
        claims = Counter(alias for alias, _ in aliases)  # a name wins; an alias of two tools is none (VAL-06)
        self.registry = {alias: each for alias, each in aliases if claims[alias] == 1} | named
        listed: Json = self.source.get("steps")
        steps: list[Json] = listed if isinstance(listed, list) else []
        self._steps = {f"/steps/{index}": step for index, step in enumerate(steps) if isinstance(step, dict)}
        self.by_id: dict[str, Object] = {n: s for s in self._steps.values() if isinstance(n := s.get("id"), str)}
        self._clear = len(self.by_id) == len(steps)  # each step has its own id, so each link is clear
        self.captures = {str(s["captureAs"]): str(s.get("id")) for s in self._steps.values() if "captureAs" in s}
        self._bound = {name: root for step in self._steps.values() for name, root in bindings(step).items()}
        if found := shape_faults("plan", plan) + list(self.faults(own)):
            raise Refused("plan", found)
        limits, defaults = self.policy["limits"], self.source.get("defaults", {})
        unknown = sorted(limits.keys() - {"maxConcurrency", "maxAttempts", "maxTimeoutMs"})
        self.notes: Object = {"unknownLimits": unknown} if unknown else {}  # what run.started tells of limits (POL-18)
        self.steps = tuple(Step(defaults | step, self) for step in self._steps.values())
        self.slots = _integer(limits.get("maxConcurrency"), 1)  # A67
        self.registry_version = digest(tools)
        self.hashes = {"planHash": digest(self.source), "policyHash": digest(self.policy)}

    def bounded(self, step: Object, member: str, limit: str, asked: int) -> int:
        """What a step asks for, lowered to the policy's limit; notes what it lowers (RETRY-17, TIME-10, A74)."""
        bound = _integer(self.policy["limits"].get(limit), asked)
        if bound < asked:
            clamped = {"member": member, "from": asked, "to": bound, "steps": [step["id"]]}
            self.notes.setdefault("clamped", []).append(clamped)
        return min(asked, bound)

    def origin(self, reference: Reference) -> str | None:
        """The id of the step that a reference reads from; None for bindings and for what is unknown."""
        name = {"steps": reference.name, "vars": self.captures.get(reference.name)}.get(reference.root)
        return name if name in self.by_id else None

    def needs(self, step: Object) -> list[str]:
        """The steps that this one waits for: declared, and read by reference (REF-22)."""
        return sorted({name for _, reference in self._links(step) if (name := self.origin(reference))})

    def faults(self, own: Container[str]) -> Iterator[Fault]:
        """Names that several steps use, faulty steps, circles (A3, REF-03, VAL-05, VAL-08, DEP-09)."""
        for member, reason in (("id", "duplicate_step"), ("captureAs", "duplicate_capture")):
            seen: dict[str, str] = {}
            for here, step in self._steps.items():
                name = step.get(member)
                if isinstance(name, str) and seen.setdefault(name, here) != here:
                    yield Fault(f"{here}/{member}", reason, f"{name!r} is already used in {seen[name]}")
        for here, step in self._steps.items():
            yield from self._step_faults(step, here, own)
            yield from self._link_faults(step, here) if self._clear else ()
        yield from self._cycles() if self._clear else ()

    def _step_faults(self, step: Object, here: str, own: Container[str]) -> Iterator[Fault]:
        name, loop = step.get("tool"), as_object(step.get("foreach"))
        descriptor = self.registry.get(name) if isinstance(name, str) else {}
        if descriptor is None:  # A15
            yield Fault(f"{here}/tool", "unknown_tool", f"no tool is called {name!r}{_like(str(name), self.registry)}")
        elif descriptor.get("host") == "system" and descriptor["name"] not in own:  # A69
            yield Fault(f"{here}/tool", "unknown_tool", f"this executor has no system tool {descriptor['name']!r}")
        elif descriptor and (flaws := shape_validator("tool-descriptor").errors(descriptor)):
            yield Fault(f"{here}/tool", "schema_not_loaded", f"the descriptor of {name!r} is broken {flaws[0]}")
        elif descriptor:
            try:
                Tool(descriptor)
            except UnusableSchema as error:
                yield Fault(f"{here}/tool", "schema_not_loaded", f"a schema of {name!r} {error}")  # VAL-09, A75
        if isinstance(source := loop.get("from"), str) and sole(source, {}) is None:
            why = f"{source!r} is not one reference, such as $steps.a.items"
            yield Fault(f"{here}/foreach/from", "foreach_source", why)
        if loop.get("itemName") == loop.get("indexName", "index"):
            yield Fault(f"{here}/foreach", "binding_conflict", "the item and the index have the same name")

    def _links(self, step: Object) -> Iterator[tuple[str, Reference]]:
        """What a step reads and waits for, with its place; without a loop, what other steps bind is no text (A60)."""
        for index, name in enumerate(strings(step.get("dependsOn"))):
            yield f"/dependsOn/{index}", Reference(repr(name), "steps", name, ())
        yield from references(as_object(step.get("foreach")).get("from"), {}, "/foreach/from")
        yield from references(step.get("args"), bindings(step) or self._bound, "/args")

    def _link_faults(self, step: Object, here: str) -> Iterator[Fault]:
        kinds = dict[str, tuple[str, Mapping[str, Json]]](steps=("step", self.by_id), vars=("variable", self.captures))
        for pointer, reference in self._links(step):
            kind, known = kinds.get(reference.root, ("binding", bindings(step)))
            try:
                if reference.name in known:
                    self._schema(step, reference)
                else:
                    why = f"{reference.text}: there is no such {kind} here{_like(reference.name, known)}"
                    yield Fault(here + pointer, f"unknown_{kind}", why)
            except LookupError as error:
                yield Fault(here + pointer, "unknown_field", f"{reference.text} cannot have a value: {error}")

    def _schema(self, step: Object, reference: Reference) -> Json:
        """What is known of a reference's value; {} if only the run can tell. Raises LookupError as `within` does."""
        schema: Json = {}
        if source := self.by_id.get(self.origin(reference) or ""):
            schema = self.registry.get(str(source.get("tool")), {}).get("outputSchema", {})
            schema = {"type": "array", "items": schema} if "foreach" in source else schema  # A17
        elif reference.root == "item" and (looped := sole(as_object(step.get("foreach")).get("from"), {})):
            with suppress(LookupError):  # told once, at the source itself, or by the run (REF-26)
                schema = within(self._schema(step, looped), (0,))
        return within(schema, reference.path)

    def _cycles(self) -> Iterator[Fault]:
        waiting: dict[str, set[str]] = {name: set(self.needs(step)) for name, step in self.by_id.items()}
        places = dict(zip(self.by_id, self._steps))
        while waiting:  # each round finds one cycle, a step that waits for itself included (REF-23, DEP-09)
            try:
                TopologicalSorter(waiting).prepare()
                return
            except CycleError as error:
                cycle: list[str] = error.args[1][::-1]
                yield Fault(places[cycle[0]], "cycle", f"the steps wait in a circle: {' → '.join(cycle)}")
                waiting = {name: waiting[name] - set(cycle) for name in waiting.keys() - set(cycle)}


def _integer(value: Json, default: int = 0) -> int:
    return int(value) if isinstance(value, int | float) else default  # JSON may spell it 2.0 (B-10)


def shape_faults(shape: str, document: Json) -> list[Fault]:
    """How a document breaks its shape; a limit below one is such a fault (DEP-10, POL-18, A67)."""
    return [Fault(found.pointer, "schema", found.message) for found in shape_validator(shape).errors(document)]


def bindings(step: Object) -> Bindings:
    """The names that a step's foreach gives to its item and its index (REF-09)."""
    loop = as_object(step.get("foreach"))
    return {str(loop.get("indexName", "index")): "index", str(loop.get("itemName")): "item"} if loop else {}


def _like(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
