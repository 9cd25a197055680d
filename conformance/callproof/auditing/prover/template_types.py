"""Plans as structures: a step's args have the members of its tool's args, and a reference may stand for any of them.

A plan that does not fit these types is not wrong: it is handed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.structs import fields

from callproof.auditing.prover.envelopes import Filled, Natural, Positive, Risk
from callproof.auditing.prover.schema_types import EXACT, FREE, remember
from callproof.auditing.prover.unproved import Unproved
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

OnError = Literal["stop", "skip", "retry"]
_LEAVES: Final[Mapping[str, Any]] = {
    "integer": Annotated[int, Meta(ge=-EXACT, le=EXACT)] | str,
    "boolean": bool | str,
    "object": FREE | str,
}
# A name that looks like a reference, or that JSON writes with an escape.
_ODD: Final = re.compile(r'[$"{\\\x00-\x1f]')
_LOOP_NAMES: Final = {"source": "from", "item_name": "itemName", "index_name": "indexName"}


class Retry(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """A retry policy in a plan."""

    max_attempts: Natural | UnsetType = UNSET
    max_retries: Natural | UnsetType = UNSET
    backoff_ms: Natural | UnsetType = UNSET


class Foreach(Struct, forbid_unknown_fields=True, gc=False, rename=_LOOP_NAMES):
    """A step's loop in a plan."""

    source: Filled
    item_name: Filled
    index_name: Filled | UnsetType = UNSET
    concurrency: Positive | UnsetType = UNSET


class Defaults(Struct, forbid_unknown_fields=True, gc=False, rename="camel"):
    """A plan's defaults, for steps that set nothing themselves."""

    on_error: OnError | UnsetType = UNSET
    retry: Retry | UnsetType = UNSET


class PlanStep(Struct, forbid_unknown_fields=True, gc=False, kw_only=True, rename="camel"):
    """A step of a plan; in the type for one tool, args have the tool's own type."""

    id: Filled
    tool: str
    args: dict[str, Any]
    preview: str | UnsetType = UNSET
    depends_on: list[str] | UnsetType = UNSET
    foreach: Foreach | UnsetType = UNSET
    capture_as: Filled | UnsetType = UNSET
    on_error: OnError | UnsetType = UNSET
    retry: Retry | UnsetType = UNSET
    timeout_ms: Positive | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET


def plan_type(step: Any) -> type[Struct]:
    """The type of a plan whose steps have this type."""
    return defstruct(
        "Plan",
        [
            ("version", str),
            ("goal", str),
            ("riskLevel", Risk),
            ("steps", Annotated[list[step], Meta(min_length=1)]),
            ("assumptions", list[str] | UnsetType, UNSET),
            ("contextRequests", list[dict[str, Any]] | UnsetType, UNSET),
            ("defaults", Defaults | UnsetType, UNSET),
            ("outputs", dict[str, Any] | UnsetType, UNSET),
            ("uiHints", dict[str, Any] | UnsetType, UNSET),
        ],
        forbid_unknown_fields=True,
        gc=False,
    )


def template_type(schema: Mapping[str, Json], name: str) -> type[Struct]:
    """
    The type of args templates for a schema that has a type: it has the same attributes, and requires no member.

    Raises Unproved if a member's name looks like a reference.
    """
    properties = schema.get("properties", {})
    if not is_object(properties) or any(_ODD.search(each) for each in properties):
        raise Unproved("a member name that looks like a reference")
    attributes = {member: f"m{place}" for place, member in enumerate(sorted(properties))}
    made = defstruct(
        name,
        [
            (attr, _template(properties[member], f"{name}_{attr}") | UnsetType, UNSET)
            for member, attr in attributes.items()
        ],
        rename={attr: member for member, attr in attributes.items()},
        kw_only=True,
        forbid_unknown_fields=True,
        gc=False,
    )
    return remember(made, attributes)


def deep_attributes(kind: type[Struct]) -> tuple[str, ...]:
    """The attributes of a template that may hold more than a string, a number or a boolean."""
    flat = tuple(each | UnsetType for each in (str, _LEAVES["integer"], _LEAVES["boolean"]))
    return tuple(each.name for each in fields(kind) if each.type not in flat)


def _template(node: Json, name: str) -> Any:
    said = node.get("type") if is_object(node) else None
    if not is_object(node) or not isinstance(said, str):
        return str
    if said == "object" and "properties" in node:
        return template_type(node, name) | str
    if said == "array":
        return list[_template(node.get("items"), f"{name}_i")] | str  # type: ignore[misc]
    return _LEAVES.get(said, str)
