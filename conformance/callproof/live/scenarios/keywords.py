"""One pair of values for every keyword that can refuse a value: what it accepts, and what it refuses.

Shared by the scenarios of invalid arguments and of invalid outputs.
"""

from __future__ import annotations

from dataclasses import dataclass

from callproof.live.scenarios.building import Object, closed
from callproof.values.jsontext import Json


@dataclass(frozen=True, slots=True)
class Keyword:
    """A schema of one value, with a value that is valid under it and one that is not."""

    name: str
    schema: Object
    valid: Json
    invalid: Json

    @property
    def of_an_object(self) -> Object:
        """The schema of an object with one member ``value``; definitions stand where references look for them."""
        definitions = self.schema.get("$defs")
        inner = {name: value for name, value in self.schema.items() if name != "$defs"}
        return {**closed(value=inner), **({"$defs": definitions} if definitions is not None else {})}


_PERSON = closed(name={"type": "string"}, age={"type": "integer"})

KEYWORDS: tuple[Keyword, ...] = (
    Keyword("type-integer", {"type": "integer"}, 5, "5"),
    Keyword("type-number", {"type": "number"}, 0.5, True),
    Keyword("type-boolean", {"type": "boolean"}, False, "false"),
    Keyword("type-string", {"type": "string"}, "", 0),
    Keyword("type-null", {"type": "null"}, None, ""),
    Keyword("type-array", {"type": "array"}, [], {}),
    Keyword("type-object", {"type": "object"}, {}, []),
    Keyword("integer-fraction", {"type": "integer"}, 2.0, 2.5),
    Keyword("enum", {"enum": ["a", 1, None]}, None, "A"),
    Keyword("const", {"const": {"a": [1]}}, {"a": [1]}, {"a": [2]}),
    Keyword("minimum", {"minimum": 1}, 1, 0),
    Keyword("maximum", {"maximum": 10}, 10, 10.5),
    Keyword("exclusiveMinimum", {"exclusiveMinimum": 0}, 1, 0),
    Keyword("exclusiveMaximum", {"exclusiveMaximum": 5}, 4, 5),
    Keyword("multipleOf", {"multipleOf": 3}, 9, 10),
    Keyword("minLength", {"minLength": 1}, " ", ""),
    Keyword("maxLength", {"maxLength": 2}, "😀😀", "abc"),
    Keyword("pattern", {"pattern": "^[a-z]+$"}, "abc", "abc1"),
    Keyword("minItems", {"minItems": 1}, [0], []),
    Keyword("maxItems", {"maxItems": 1}, [0], [0, 0]),
    Keyword("uniqueItems", {"uniqueItems": True}, [1, "1"], [1, 1.0]),
    Keyword("items", {"items": {"type": "integer"}}, [1, 2], [1, "2"]),
    Keyword("prefixItems", {"prefixItems": [{"type": "string"}]}, ["a", 1], [1]),
    Keyword("contains", {"contains": {"const": 7}}, [1, 7], [1, 2]),
    Keyword("required", _PERSON, {"name": "A", "age": 3}, {"name": "A"}),
    Keyword("additionalProperties", _PERSON, {"name": "A", "age": 3}, {"name": "A", "age": 3, "Age": 3}),
    Keyword("properties", _PERSON, {"name": "A", "age": 3}, {"name": "A", "age": "3"}),
    Keyword(
        "nested", closed(deep={"type": "array", "items": _PERSON}), {"deep": []}, {"deep": [{"name": 1, "age": 1}]}
    ),
    Keyword("minProperties", {"minProperties": 1}, {"a": None}, {}),
    Keyword("maxProperties", {"maxProperties": 1}, {"a": 1}, {"a": 1, "b": 2}),
    Keyword("propertyNames", {"propertyNames": {"maxLength": 1}}, {"a": 1}, {"ab": 1}),
    Keyword("patternProperties", {"patternProperties": {"^n": {"type": "number"}}}, {"n1": 1}, {"n1": "1"}),
    Keyword("dependentRequired", {"dependentRequired": {"a": ["b"]}}, {"b": 1}, {"a": 1}),
    Keyword("anyOf", {"anyOf": [{"type": "string"}, {"minimum": 5}]}, 5, 4),
    Keyword("oneOf", {"oneOf": [{"type": "integer"}, {"minimum": 5}]}, 5.5, 5),
    Keyword("allOf", {"allOf": [{"minimum": 1}, {"maximum": 3}]}, 2, 4),
    Keyword("not", {"not": {"type": "string"}}, 1, "1"),
    Keyword("if-then", {"if": {"type": "string"}, "then": {"minLength": 2}}, 1, "x"),
    Keyword("ref", {"$ref": "#/$defs/small", "$defs": {"small": {"maximum": 3}}}, 3, 4),
    Keyword("false", {"items": False}, [], [1]),
)

# Keywords that schemas rarely have, and values at places that a careless reader no longer looks at.
RARER: tuple[Keyword, ...] = (
    Keyword("dependentSchemas", {"dependentSchemas": {"a": {"required": ["b"]}}}, {"b": 1}, {"a": 1}),
    Keyword("minContains", {"contains": {"const": 7}, "minContains": 2}, [7, 7], [7, 1]),
    Keyword("maxContains", {"contains": {"const": 7}, "maxContains": 1}, [7, 1], [7, 7]),
    Keyword("else", {"if": {"type": "string"}, "then": {}, "else": {"minimum": 5}}, 5, 4),
    Keyword("additionalProperties-schema", {"additionalProperties": {"type": "integer"}}, {"a": 1}, {"a": "1"}),
    Keyword("items-after-prefix", {"prefixItems": [{}], "items": {"type": "integer"}}, ["a", 1], ["a", "b"]),
    Keyword("pattern-within", {"pattern": "b"}, "abc", "ac"),
    # Keywords for which the engines of some languages do not follow ECMA-262, or count halves of characters.
    Keyword("pattern-to-the-end", {"pattern": "^[a-z]+$"}, "abc", "abc\n"),
    Keyword("pattern-of-digits", {"pattern": "^\\d+$"}, "12", "\u0661\u0662"),
    Keyword("pattern-of-any-character", {"pattern": "^a.b$"}, "a-b", "a\rb"),
    Keyword("pattern-within-a-line", {"pattern": "^a.b$"}, "a\tb", "a\u2028b"),
    Keyword("pattern-of-blanks", {"pattern": "^\\s$"}, "\u00a0", "\u0085"),
    Keyword("length-of-characters", {"minLength": 2}, "😀😀", "😀"),
    Keyword("enum-of-numbers", {"enum": [1, 0]}, 1.0, True),
    # Numbers that are written with an exponent, of either sign.
    Keyword("integer-with-an-exponent", {"type": "integer"}, 1e21, 1e-7),
    # A number that no double can hold.
    Keyword("minimum-of-a-long-number", {"minimum": 0}, 9007199254740993, -9007199254740993),
    # All members of objects count, in any order, and all elements of arrays.
    Keyword("const-of-many", {"const": {"a": [1, 2], "b": 3}}, {"b": 3, "a": [1, 2]}, {"a": [1, 3], "b": 3}),
    Keyword(
        "unique-objects",
        {"uniqueItems": True},
        [{"a": 1, "b": 2}, {"a": 1, "b": 3}],
        [{"a": 1, "b": 2}, {"b": 2, "a": 1}],
    ),
    # Keywords that are notes and refuse nothing (VAL-09): `format`, and a name that every object of some languages has.
    Keyword("notes", {"format": "email", "constructor": "text", "maxLength": 9}, "no mail", "no mail either"),
    Keyword("ref-and-more", {"$ref": "#/$defs/small", "minimum": 1, "$defs": {"small": {"maximum": 3}}}, 1, 0),
    Keyword("type-of-two", {"type": ["string", "integer"]}, 1, 1.5),
    Keyword("items-far-down", {"items": {"type": "integer"}}, [*range(20)], [*range(20), "x"]),
    Keyword(
        "deep-down",
        closed(a=closed(b=closed(c=closed(d={"type": "integer"})))),
        {"a": {"b": {"c": {"d": 1}}}},
        {"a": {"b": {"c": {"d": "1"}}}},
    ),
)

_EITHER: Object = {
    "anyOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]
}

# Keywords that depend on what other keywords have looked at; not every validator can tell that.
UNEVALUATED: tuple[Keyword, ...] = (
    Keyword(
        "unevaluatedProperties",
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        {"a": 1},
        {"a": 1, "b": 2},
    ),
    Keyword("unevaluated-alternative", {**_EITHER, "unevaluatedProperties": False}, {"a": 1}, {"a": 2, "b": 1}),
    Keyword(
        "unevaluated-ref",
        {
            "$ref": "#/$defs/base",
            "unevaluatedProperties": {"type": "integer"},
            "$defs": {"base": {"properties": {"a": {}}}},
        },
        {"a": "1", "b": 2},
        {"a": "1", "b": "2"},
    ),
    Keyword("unevaluatedItems", {"prefixItems": [{}], "unevaluatedItems": False}, [1], [1, 2]),
    Keyword("unevaluated-contains", {"contains": {"const": 7}, "unevaluatedItems": False}, [7, 7], [7, 1]),
)
