"""Two schemas side by side: nodes found by address, and the engine that decides between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from urllib.parse import unquote

from callproof.lint.schemas.apart import is_too_much
from callproof.lint.schemas.cases import MOST, most_cases
from callproof.lint.schemas.gaps import Sample
from callproof.lint.schemas.modern import address_of
from callproof.lint.schemas.resolving import pointed, reached
from callproof.lint.schemas.sampling import samples
from callproof.lint.schemas.walk import Place, physical
from callproof.schema.bounds import DIALECT
from callproof.schema.drafts import Containing
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

LEFT, RIGHT = "urn:callproof:left", "urn:callproof:right"
# Texts about a schema; they judge nothing.
TEXTS = frozenset({
    "title", "description", "default", "examples", "example", "$comment", "deprecated", "readOnly", "writeOnly",
    "$defs", "definitions", "contentMediaType", "contentEncoding", "contentSchema",
})  # fmt: skip
# Conditions that apply several schemas to one value, or depend on the outcome of others.
COMPOSED = frozenset({
    "anyOf", "oneOf", "not", "if", "dependentSchemas", "dependentRequired", "unevaluatedProperties",
    "unevaluatedItems", "contains", "propertyNames", "patternProperties",
})  # fmt: skip
_HOPS = 200
_TRIED = 400


@dataclass(frozen=True, slots=True)
class Node:
    """A subschema of one side at the place where its conditions are, references followed."""

    document: str
    place: Place
    schema: Json

    @property
    def address(self) -> Json:
        """A schema that refers to it."""
        return {"$ref": address_of(self.document, self.place)}

    @property
    def plain(self) -> bool:
        """Whether its conditions can be read one by one."""
        return not COMPOSED & self.conditions.keys()

    @property
    def conditions(self) -> Mapping[str, Json]:
        """Its keywords; empty if it is a boolean."""
        return self.schema if is_object(self.schema) else {}

    def get(self, keyword: str) -> Json:
        """The value of a keyword; None if there is none."""
        return self.conditions.get(keyword)

    def has(self, keyword: str) -> bool:
        """Whether it has a keyword."""
        return keyword in self.conditions

    def below(self, *steps: str | int) -> Place:
        """The place of something inside it."""
        return (*self.place, *steps)


class Sides:
    """The two schemas, in draft 2020-12 and bounded, with references by address."""

    def __init__(self, left: Json, right: Json) -> None:
        self._roots = {LEFT: left, RIGHT: right}
        documents = {
            address: root if is_object(root) else {"$schema": DIALECT, "allOf": [root]}
            for address, root in self._roots.items()
        }
        self._engine = Containing(documents)
        # Alternatives that multiply are evaluated case by case, and those of many parts are compared with each other:
        # each question about them takes minutes, or all memory.
        nodes = [node for root in (left, right) for _, node in physical(root)]
        self.limit = ""
        if most_cases(nodes, self._resolved) > MOST:
            self.limit = "cases of a schema"
        elif is_too_much(nodes, self._resolved):
            self.limit = "alternatives of a schema"

    def node(self, document: str, place: Place) -> Node:
        """The subschema at a place; if it is only a reference, or a list of one condition, that is followed."""
        root = self._roots[document]
        schema = pointed(root, place)
        for _ in range(_HOPS):
            said = schema.keys() - TEXTS if is_object(schema) else set[str]()
            only = schema.get("allOf") if is_object(schema) else None
            steps: Sequence[str | int]
            if is_object(schema) and said == {"$ref"}:
                steps = steps_of(schema["$ref"])
            elif said == {"allOf"} and is_array(only) and len(only) == 1:
                steps = (*place, "allOf", 0)
            else:
                break
            place, schema = reached(root, (), steps) or ((), None)
        return Node(document, place, schema)

    def referred(self, node: Node) -> Node:
        """The subschema to which the reference of a node leads."""
        found = reached(self._roots[node.document], (), steps_of(node.get("$ref")))
        return self.node(node.document, () if found is None else found[0])

    def within(self, left: tuple[Node, ...], right: Json) -> bool | None:
        """Whether a schema takes all that the left nodes take together; None if this was not decided."""
        return None if self.limit else self._engine.within(_together(left), right)

    def sample(self, left: tuple[Node, ...], right: Json, first: Iterable[Json] = ()) -> Sample | None:
        """A value that the left nodes take together and a schema refuses; None if none was found."""
        proposed = islice(chain(first, samples((node.schema for node in left), self._follow, (right,))), _TRIED)
        return next(map(Sample, self._engine.refused(_together(left), right, proposed)), None)

    def at(self, address: str) -> Json:
        """The value at an address in one of the two schemas; None if there is none."""
        document = address.partition("#")[0]
        found = reached(self._roots[document], (), steps_of(address)) if document in self._roots else None
        return None if found is None else found[1]

    def _resolved(self, address: str) -> Json:
        return self._follow({"$ref": address})

    def _follow(self, node: Json) -> Json:
        for _ in range(_HOPS):
            if not (is_object(node) and isinstance(node.get("$ref"), str)):
                return node
            if str(node["$ref"]).partition("#")[0] not in self._roots:
                return node
            node = self.at(str(node["$ref"]))
        return node


def steps_of(address: Json) -> list[str]:
    """The steps that an address of one of the two schemas names."""
    steps = unquote(str(address).partition("#")[2]).split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps]


def _together(nodes: tuple[Node, ...]) -> Json:
    return nodes[0].address if len(nodes) == 1 else {"allOf": [node.address for node in nodes]}
