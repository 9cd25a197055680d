"""The drafts of JSON Schema: which one a schema is written in, and what that draft defines.

Data only.  It does not say how a keyword is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from callproof.schema.bounds import DIALECT
from callproof.values.jsontext import Json

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

# The types to which a keyword applies; a keyword that is not here applies to every type.
SPEAKS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), ("number", "integer")
    ),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType"), ("string",)),
    "contentSchema": ("string",),
    **dict.fromkeys(
        ("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains", "minContains", "maxContains"),
        ("array",),
    ),
    **dict.fromkeys(("minItems", "maxItems", "uniqueItems"), ("array",)),
    **dict.fromkeys(
        ("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
        ("object",),
    ),
    **dict.fromkeys(("required", "minProperties", "maxProperties"), ("object",)),
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), ("object",)),
}

_CORE = frozenset({"$schema", "$ref", "title", "description", "default", "enum", "type", "format", "pattern"}) | {
    "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
    "items", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "required", "properties",
    "patternProperties", "additionalProperties", "allOf", "anyOf", "oneOf", "not",
}  # fmt: skip
_SIX = _CORE | {
    "$id",
    "additionalItems",
    "const",
    "contains",
    "definitions",
    "dependencies",
    "examples",
    "propertyNames",
}
_SEVEN = _SIX | {"$comment", "if", "then", "else", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"}
_LATER = (_SEVEN - {"additionalItems", "dependencies"}) | {
    "$anchor", "$defs", "$vocabulary", "deprecated", "dependentRequired", "dependentSchemas", "maxContains",
    "minContains", "unevaluatedItems", "unevaluatedProperties", "contentSchema",
}  # fmt: skip

# Keywords that judge no value in any draft: names, texts, definitions, and those that say how a text is encoded.
JUDGING_NOTHING = frozenset({
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$recursiveAnchor", "$schema", "$vocabulary",
    "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions", "deprecated", "description",
    "examples", "id", "readOnly", "title", "writeOnly",
})  # fmt: skip

_OLD_FORMATS = frozenset({"date-time", "email", "hostname", "ipv4", "ipv6", "uri"})
_SIX_FORMATS = _OLD_FORMATS | {"uri-reference", "uri-template", "json-pointer"}
_SEVEN_FORMATS = _SIX_FORMATS | {
    "date", "time", "idn-email", "idn-hostname", "iri", "iri-reference", "regex", "relative-json-pointer",
}  # fmt: skip
_LATER_FORMATS = _SEVEN_FORMATS | {"duration", "uuid"}


@dataclass(frozen=True, slots=True)
class Draft:
    """One draft: its name, its address, the keywords and formats that it defines, and how it treats a reference."""

    name: str
    address: str
    keywords: frozenset[str] = field(repr=False)
    formats: frozenset[str] = field(repr=False)
    # Whether a reference hides every keyword beside it.
    reference_alone: bool = False


DRAFT_2020_12 = Draft(
    "2020-12",
    DIALECT,
    _LATER | {"prefixItems", "$dynamicRef", "$dynamicAnchor"},
    _LATER_FORMATS,
)
DRAFT_07 = Draft("draft-07", "http://json-schema.org/draft-07/schema", _SEVEN, _SEVEN_FORMATS, reference_alone=True)
DRAFT_04 = Draft(
    "draft-04",
    "http://json-schema.org/draft-04/schema",
    _CORE | {"id", "additionalItems", "definitions", "dependencies"},
    _OLD_FORMATS,
    reference_alone=True,
)
DRAFTS = (
    DRAFT_2020_12,
    Draft(
        "2019-09",
        "https://json-schema.org/draft/2019-09/schema",
        _LATER | {"additionalItems", "$recursiveRef", "$recursiveAnchor"},
        _LATER_FORMATS,
    ),
    DRAFT_07,
    Draft("draft-06", "http://json-schema.org/draft-06/schema", _SIX, _SIX_FORMATS, reference_alone=True),
    DRAFT_04,
)
_BY_ADDRESS = {draft.address: draft for draft in DRAFTS}


def draft_of(schema: Json) -> Draft | None:
    """The draft that a schema says it is written in, 2020-12 if it says nothing; None for any other dialect."""
    said = schema.get("$schema") if isinstance(schema, Mapping) else None
    if said is None:
        return DRAFT_2020_12
    if not isinstance(said, str):
        return None
    address = said.removesuffix("#")
    return _BY_ADDRESS.get(address) or _BY_ADDRESS.get(_other_scheme(address))


def _other_scheme(address: str) -> str:
    # Many write the old drafts with https and the new ones with http; every validator treats both as the same.
    if address.startswith("https:"):
        return "http:" + address.removeprefix("https:")
    return "https:" + address.removeprefix("http:")
