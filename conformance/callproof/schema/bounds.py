"""The structural walk over a schema that runs before every validator.

A tool's schema is a stranger's program.  Before a validator sees it, this walk measures
its size, its depth, its patterns and the growth of its references, and refuses a
reference that leaves the document: nothing is ever fetched (SEC-03, SEC-05).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from callproof import limits
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.localreferences import LocalReferences

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCES = ("$ref", "$dynamicRef")
_HOLDERS = (dict, list, tuple)


class UnusableSchema(ValueError):
    """A schema cannot be used to judge anything: ``reason`` says why in a clause, ``limit`` names a limit it passes."""

    def __init__(self, reason: str, limit: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.limit = limit


class BeyondTheEngine(UnusableSchema):
    """The schema is right, but has a pattern that no engine of linear time accepts; others may use the schema."""


def refuse_foreign(schema: Mapping[str, Json]) -> None:
    """Raises UnusableSchema for a schema that names another dialect than ours (VAL-09)."""
    stated = schema.get("$schema")
    if isinstance(stated, str) and stated.removesuffix("#").replace("http:", "https:", 1) != DIALECT:
        raise UnusableSchema(f"names the dialect {stated!r}; permitted: draft 2020-12, or no dialect")


def refuse_unbounded(schema: Mapping[str, Json]) -> None:
    """
    Measure a schema before any validator sees it.

    Raises UnusableSchema over a limit of ``callproof.limits``, and for references that leave the document.
    """
    references: list[str] = []
    nodes = 1
    waiting: list[tuple[int, Json]] = [(2, schema)]
    while waiting:
        depth, node = waiting.pop()
        if is_object(node):
            references.extend(_measured_references(node))
        inner = _inside(node)
        nodes += len(inner)
        if inner and depth > limits.SCHEMA_DEPTH:
            raise UnusableSchema(f"is nested deeper than {limits.SCHEMA_DEPTH} levels", "depth of a schema")
        if nodes > limits.SCHEMA_NODES:
            raise UnusableSchema(f"has more than {limits.SCHEMA_NODES} nodes", "nodes of a schema")
        # A node that holds nothing is counted, but there is nothing in it to walk to.
        waiting += [(depth + 1, each) for each in inner if isinstance(each, _HOLDERS) and each]
    if len(write_json(schema).encode("utf-8", "surrogatepass")) > limits.SCHEMA_BYTES:
        raise UnusableSchema(f"is larger than {limits.SCHEMA_BYTES} bytes", "bytes of a schema")
    if references and _expansions(LocalReferences(schema), schema, (), {}) > limits.SCHEMA_REFERENCE_EXPANSIONS:
        raise UnusableSchema(
            f"expands more than {limits.SCHEMA_REFERENCE_EXPANSIONS} references", "references of a schema"
        )


def _inside(node: Json) -> Collection[Json]:
    return node.values() if is_object(node) else node if is_array(node) else ()


def _measured_references(node: Mapping[str, Json]) -> Iterator[str]:
    pattern, by_pattern = node.get("pattern"), node.get("patternProperties")
    for each in (pattern, *(by_pattern if is_object(by_pattern) else ())):
        if isinstance(each, str) and len(each) > limits.PATTERN_CHARACTERS:
            raise UnusableSchema(
                f"has a pattern of more than {limits.PATTERN_CHARACTERS} characters",
                "characters of a pattern",
            )
    for keyword in _REFERENCES:
        target = node.get(keyword)
        if isinstance(target, str):
            if not target.startswith("#"):
                raise UnusableSchema(f"refers to {target!r}, which is outside the document; only '#…' is permitted")
            yield target


def _expansions(references: LocalReferences, node: Json, trail: tuple[str, ...], known: dict[str, int]) -> int:
    """How many references a validator may follow below a node; a cycle counts once."""
    if len(trail) > limits.SCHEMA_REFERENCE_DEPTH:
        raise UnusableSchema(
            f"has references inside references, more than {limits.SCHEMA_REFERENCE_DEPTH} deep",
            "depth of references",
        )
    total = 0
    waiting = [node]
    while waiting:
        each = waiting.pop()
        waiting += [inner for inner in _inside(each) if isinstance(inner, _HOLDERS)]
        for target in map(each.get, _REFERENCES) if is_object(each) else ():
            if not isinstance(target, str) or target in trail:
                continue
            if target not in known:
                known[target] = _expansions(references, references.target(target), (*trail, target), known)
            total += 1 + known[target]
    return total
