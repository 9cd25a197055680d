"""What makes a plan unfit to run, all of it at once, before anything is done (A3, REF-03, VAL-05, VAL-08, DEP-09)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from callproof.schema.bounds import UnusableSchema
from callproof.schema.validator import shape_validator

from callproof_reference.errors import Fault
from callproof_reference.jsontext import Json, Object, as_object, strings
from callproof_reference.references import Bindings, Reference, references, sole
from callproof_reference.registry import Undeclared, load, within

Found: TypeAlias = "Iterator[tuple[str, str, str]]"  # pointer, reason, message: the members of a Fault


def shape_faults(shape: str, document: Json) -> list[Fault]:
    """How a document breaks its shape; a limit below one is such a fault (DEP-10, POL-18, A67)."""
    return [Fault(found.pointer, "schema", found.message) for found in shape_validator(shape).errors(document)]


def plan_faults(plan: Json, registry: Mapping[str, Object], own: Iterable[str]) -> list[Fault]:
    """Everything that is wrong with a plan; `own` are the names of the tools that this executor can run itself."""
    reading = _Reading(Links(plan), registry, frozenset(own))
    return shape_faults("plan", plan) + [Fault(*found) for found in reading.faults()]


class Links:
    """Which steps a plan has, and which of them a reference or a variable leads to."""

    def __init__(self, plan: Json) -> None:
        listed: Json = as_object(plan).get("steps")
        steps: list[Json] = listed if isinstance(listed, list) else []
        self.steps = [(index, step) for index, step in enumerate(steps) if isinstance(step, dict)]
        self.by_id: dict[str, Object] = {n: step for _, step in self.steps if isinstance(n := step.get("id"), str)}
        self.clear = len(self.by_id) == len(steps)  # each step has an id, and none has another's
        self.captures = {str(s["captureAs"]): str(s.get("id")) for _, s in self.steps if "captureAs" in s}

    def source(self, reference: Reference) -> str | None:
        """The id of the step that a reference reads from; None for bindings and for what is unknown."""
        name = {"steps": reference.name, "vars": self.captures.get(reference.name)}.get(reference.root)
        return name if name in self.by_id else None

    def needs(self, step: Object) -> list[str]:
        """The steps that this one waits for: declared, and read by reference (REF-22)."""
        read = [self.source(reference) for _, reference in _free_references(step)]
        return sorted({*strings(step.get("dependsOn")), *(name for name in read if name)} & set(self.by_id))


def bindings(step: Object) -> Bindings:
    """The names that a step's foreach gives to its item and its index (REF-09)."""
    loop = as_object(step.get("foreach"))
    return {str(loop.get("indexName", "index")): "index", str(loop.get("itemName")): "item"} if loop else {}


def _free_references(step: Object) -> Iterator[tuple[str, Reference]]:
    yield from references(as_object(step.get("foreach")).get("from"), {}, "/foreach/from")
    yield from references(step.get("args"), bindings(step), "/args")


class _Reading:
    def __init__(self, links: Links, registry: Mapping[str, Object], own: frozenset[str]) -> None:
        self._links, self._registry, self._own = links, registry, own
        self._names = {name: root for _, step in links.steps for name, root in bindings(step).items()}

    def faults(self) -> Found:
        for member, reason in (("id", "duplicate_step"), ("captureAs", "duplicate_capture")):
            yield from self._duplicates(member, reason)
        for index, step in self._links.steps:
            found = [*self._tool(step), *self._loop(step)]
            if self._links.clear:  # otherwise nobody can tell which step a link means
                found += self._read(step)
            yield from ((f"/steps/{index}{pointer}", reason, message) for pointer, reason, message in found)
        if self._links.clear:
            yield from self._cycles()

    def _duplicates(self, member: str, reason: str) -> Found:
        seen: dict[str, int] = {}
        for index, step in self._links.steps:
            name = step.get(member)
            if isinstance(name, str) and seen.setdefault(name, index) != index:
                yield f"/steps/{index}/{member}", reason, f"{name!r} is already used in /steps/{seen[name]}"

    def _tool(self, step: Object) -> Found:
        name = step.get("tool")
        descriptor = self._registry.get(name) if isinstance(name, str) else {}
        if descriptor is None:
            yield "/tool", "unknown_tool", f"no tool is called {name!r}{_like(str(name), self._registry)}"  # A15
        elif descriptor.get("host") == "system" and descriptor["name"] not in self._own:
            yield "/tool", "unknown_tool", f"this executor has no tool {descriptor['name']!r} of its own"  # A69
        elif descriptor and (flaws := shape_validator("tool-descriptor").errors(descriptor)):
            yield "/tool", "schema_not_loaded", f"the descriptor of {name!r} is broken {flaws[0]}"
        elif descriptor:
            try:
                load(descriptor)
            except UnusableSchema as error:
                yield "/tool", "schema_not_loaded", f"a schema of {name!r} {error}"  # VAL-09, A75

    def _loop(self, step: Object) -> Found:
        loop = as_object(step.get("foreach"))
        source = loop.get("from")
        if isinstance(source, str) and sole(source, {}) is None:
            yield "/foreach/from", "foreach_source", f"{source!r} is not one reference, such as $steps.a.items"
        if loop.get("itemName") == loop.get("indexName", "index"):
            yield "/foreach", "binding_conflict", "the item and the index have the same name"

    def _read(self, step: Object) -> Found:
        links = self._links
        for index, name in enumerate(strings(step.get("dependsOn"))):
            if name not in links.by_id:
                yield f"/dependsOn/{index}", "unknown_step", f"there is no step {name!r}{_like(name, links.by_id)}"
        for pointer, reference in _free_references(step):
            text, name = reference.text, reference.name
            if reference.root == "steps" and name not in links.by_id:
                yield pointer, "unknown_step", f"{text} reads a step that does not exist{_like(name, links.by_id)}"
            elif reference.root == "vars" and name not in links.captures:
                yield pointer, "unknown_variable", f"{text} reads what no step captures{_like(name, links.captures)}"
            else:
                try:
                    self._schema(step, reference)
                except Undeclared as error:
                    yield pointer, "unknown_field", f"{text} can lead to nothing: {error}"
        if "foreach" not in step:  # it may use no name that a loop binds; in a loop, those of others are text (A60)
            for pointer, reference in references(step.get("args"), self._names, "/args"):
                if reference.root in ("item", "index"):
                    yield pointer, "unknown_binding", f"{reference.text} is bound in a foreach only"

    def _schema(self, step: Object, reference: Reference) -> Json:
        """What is known of a reference's value; {} where only the run can tell. Raises Undeclared."""
        schema: Json = {}
        if source := self._links.by_id.get(self._links.source(reference) or ""):
            schema = self._registry.get(str(source.get("tool")), {}).get("outputSchema", {})
            schema = {"type": "array", "items": schema} if "foreach" in source else schema  # A17
        elif reference.root == "item" and (looped := sole(as_object(step.get("foreach")).get("from"), {})):
            try:
                schema = within(self._schema(step, looped), (0,))
            except Undeclared:
                schema = {}  # told once, at the source itself; that it is no array is told by the run (REF-26)
        return within(schema, reference.path)

    def _cycles(self) -> Found:
        waiting: dict[str, set[str]] = {name: set(self._links.needs(step)) for name, step in self._links.by_id.items()}
        places = {name: index for index, name in enumerate(waiting)}
        while waiting:  # each round finds one cycle, a step that waits for itself included (REF-23, DEP-09)
            try:
                TopologicalSorter(waiting).prepare()
                return
            except CycleError as error:
                cycle: list[str] = list(reversed(error.args[1]))
                yield f"/steps/{places[cycle[0]]}", "cycle", f"the steps wait in a circle: {' → '.join(cycle)}"
                waiting = {name: waiting[name] - set(cycle) for name in waiting.keys() - set(cycle)}


def _like(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
