"""What makes a plan unfit to run, all of it at once, before anything is done (REF-03, VAL-05, VAL-08, DEP-09).

Every fault that plan, policy and registry decide is found here, with the JSON pointer of its place (A3). A plan
whose shape is broken is still read as far as it can be, so that nobody mends one fault to meet the next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from callproof.schema.bounds import UnusableSchema
from callproof.schema.validator import shape_validator

from callproof_reference.jsontext import Json, Object, as_object, strings
from callproof_reference.references import Bindings, Reference, references, sole
from callproof_reference.registry import Undeclared, element, load, within


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where, in a word for programs, in words for people."""

    pointer: str
    reason: str
    message: str

    def __str__(self) -> str:
        place = self.pointer or ("(the whole document)" if self.reason == "schema" else "")
        return f"{place}: {self.message}" if place else self.message


class Refused(Exception):
    """A run that must not start, with every reason (REF-03, VAL-05, DEP-09)."""

    def __init__(self, subject: str, faults: Iterable[Fault]) -> None:
        self.subject, self.faults = subject, tuple(faults)
        super().__init__(f"the {subject} cannot be used; " + "; ".join(map(str, self.faults)))

    def data(self) -> Object:
        """The refusal in the words of the protocol (A15)."""
        faults: list[Json] = [{"pointer": f.pointer, "reason": f.reason, "message": f.message} for f in self.faults]
        details: Object = {"reason": self.faults[0].reason, "subject": self.subject, "faults": faults}
        return {"code": "VALIDATION_ERROR", "message": str(self), "details": details}


def shape_faults(shape: str, document: Json) -> list[Fault]:
    """How a document breaks its shape; a limit below one is such a fault (DEP-10, POL-18, A67)."""
    return [Fault(found.pointer, "schema", found.message) for found in shape_validator(shape).errors(document)]


def plan_faults(plan: Json, registry: Mapping[str, Object], own: Iterable[str]) -> list[Fault]:
    """Everything that is wrong with a plan; `own` are the names of the tools that this executor can run itself."""
    return shape_faults("plan", plan) + list(_Reading(plan, registry, frozenset(own)).faults())


class Links:
    """Which steps a plan has, and which of them a reference or a variable leads to."""

    def __init__(self, plan: Json) -> None:
        listed = as_object(plan).get("steps")
        steps = listed if isinstance(listed, list) else []
        self.steps = [(index, step) for index, step in enumerate(steps) if isinstance(step, dict)]
        self.by_id = {name: step for _, step in self.steps if isinstance(name := step.get("id"), str)}
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
    """One reading of a plan against a registry."""

    def __init__(self, plan: Json, registry: Mapping[str, Object], own: frozenset[str]) -> None:
        self._links, self._registry, self._own = Links(plan), registry, own
        # The names that some foreach of the plan binds, which steps outside of all may not use (A60).
        self._names = {name: root for _, step in self._links.steps for name, root in bindings(step).items()}

    def faults(self) -> Iterator[Fault]:
        for member, reason in (("id", "duplicate_step"), ("captureAs", "duplicate_capture")):
            yield from self._duplicates(member, reason)
        for index, step in self._links.steps:
            found = [*self._tool(step), *self._loop(step)]
            if self._links.clear:  # otherwise nobody can tell which step a link means
                found += [*self._dependencies(step), *self._references(step)]
            yield from (Fault(f"/steps/{index}{fault.pointer}", fault.reason, fault.message) for fault in found)
        if self._links.clear:
            yield from self._cycles()

    def _duplicates(self, member: str, reason: str) -> Iterator[Fault]:
        seen: dict[str, int] = {}
        for index, step in self._links.steps:
            name = step.get(member)
            if isinstance(name, str) and seen.setdefault(name, index) != index:
                where = f"/steps/{seen[name]}/{member}"
                yield Fault(f"/steps/{index}/{member}", reason, f"{name!r} is already used at {where}")

    def _tool(self, step: Object) -> Iterator[Fault]:
        name = step.get("tool")
        if not isinstance(name, str):
            return
        descriptor = self._registry.get(name)
        if descriptor is None:
            yield Fault("/tool", "unknown_tool", f"no tool is called {name!r}{_like(name, self._registry)}")  # A15
        elif descriptor.get("host") == "system" and descriptor["name"] not in self._own:
            yield Fault("/tool", "unknown_tool", f"this executor has no tool {descriptor['name']!r} of its own")  # A69
        elif flaws := shape_validator("tool-descriptor").errors(descriptor):
            yield Fault("/tool", "schema_not_loaded", f"the descriptor of {name!r} is broken {flaws[0]}")
        else:
            try:
                load(descriptor)
            except UnusableSchema as error:
                yield Fault("/tool", "schema_not_loaded", f"a schema of {name!r} {error}")  # VAL-09, A75

    def _dependencies(self, step: Object) -> Iterator[Fault]:
        known = self._links.by_id
        for index, name in enumerate(strings(step.get("dependsOn"))):
            if name not in known:
                yield Fault(f"/dependsOn/{index}", "unknown_step", f"there is no step {name!r}{_like(name, known)}")

    def _loop(self, step: Object) -> Iterator[Fault]:
        loop = as_object(step.get("foreach"))
        source = loop.get("from")
        if isinstance(source, str) and sole(source, {}) is None:
            yield Fault("/foreach/from", "foreach_source", f"{source!r} is not one reference, such as $steps.a.items")
        if loop.get("itemName") == loop.get("indexName", "index"):
            yield Fault("/foreach", "binding_conflict", "the item and the index have the same name")

    def _references(self, step: Object) -> Iterator[Fault]:
        for pointer, reference in _free_references(step):
            yield from (Fault(pointer, *found) for found in self._unknown(step, reference))
        if "foreach" not in step:  # inside a foreach the names of other loops are text (A60)
            for pointer, reference in references(step.get("args"), self._names, "/args"):
                if reference.root in ("item", "index"):
                    yield Fault(pointer, "unknown_binding", f"{reference.text} is bound in a foreach only")

    def _unknown(self, step: Object, reference: Reference) -> Iterator[tuple[str, str]]:
        text, name, links = reference.text, reference.name, self._links
        if reference.root == "steps" and name not in links.by_id:
            yield "unknown_step", f"{text} reads a step that does not exist{_like(name, links.by_id)}"
        elif reference.root == "vars" and name not in links.captures:
            yield "unknown_variable", f"{text} reads a variable that no step captures{_like(name, links.captures)}"
        else:
            try:
                self._schema(step, reference)
            except Undeclared as error:
                yield "unknown_field", f"{text} can lead to nothing: {error}"

    def _schema(self, step: Object, reference: Reference) -> Json:
        """What is known of a reference's value; {} where only the run can tell. Raises Undeclared."""
        schema: Json = {}
        if source := self._links.by_id.get(self._links.source(reference) or ""):
            schema = self._registry.get(str(source.get("tool")), {}).get("outputSchema", {})
            schema = {"type": "array", "items": schema} if "foreach" in source else schema  # A17
        elif reference.root == "item":
            schema = self._item_schema(step)
        return within(schema, reference.path)

    def _item_schema(self, step: Object) -> Json:
        source = sole(str(as_object(step.get("foreach")).get("from")), {})
        try:
            return element(self._schema(step, source)) if source else {}
        except Undeclared:
            return {}  # told once, at the source itself; that it is no array is told by the run (REF-26)

    def _cycles(self) -> Iterator[Fault]:
        """Every cycle, a step that waits for itself included (REF-23, DEP-09)."""
        waiting: dict[str, set[str]] = {name: set(self._links.needs(step)) for name, step in self._links.by_id.items()}
        places = {name: index for index, name in enumerate(waiting)}
        while waiting:
            try:
                TopologicalSorter(waiting).prepare()
                return
            except CycleError as error:
                cycle: list[str] = list(reversed(error.args[1]))
                yield Fault(f"/steps/{places[cycle[0]]}", "cycle", f"the steps wait in a circle: {' → '.join(cycle)}")
                waiting = {name: waiting[name] - set(cycle) for name in waiting.keys() - set(cycle)}


def _like(name: str, known: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {nearest[0]!r}?" if nearest else ""
