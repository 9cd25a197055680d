"""The tools of a run, prepared for proofs: the facts of each, and decoders for their records.

Registries are few and stand in every run record, so they are remembered by their bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, NoReturn, Union, cast

from msgspec import Struct
from msgspec.json import Decoder

from callproof import limits
from callproof.auditing.prover.envelopes import NO_TOOL, AnyCall, AnyResult, Nothing, typed
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.schema_types import Texts, ValueType, attributes_of, value_type
from callproof.auditing.prover.template_types import PlanStep, deep_attributes, plan_type, template_type
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.trace.registry import WRITING_RISKS, Registry, Tool, registry_of
from callproof.values.jsontext import NotStrictJson, read_json, write_json
from callproof.values.jsonvalue import depth, is_array
from callproof.values.names import as_name

_TOOLSETS_KEPT: Final = 64
_RISKS: Final = frozenset({"read-only", "writes", "commands"})
JOB_WORDS: Final = ("executed", "opened", "deleted")
# Members of data that repeat what effects report.
TOLD: Final = ("path", "fromPath", "toPath", "created", "deleted", "etag", "trashed")
_PREFIX: Final = ("vault.listFiles", "prefix")


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What proofs need to know of one tool."""

    tool: Tool
    name: str
    # The name as a census counts it.
    counted: str | None
    # The tool's risk level.
    risk: str
    declares_risk: bool
    # The risk level that a call of it must state.
    stated_risk: str
    writes: bool
    category: str | None
    cancellable: bool
    side_effects: frozenset[str] | None
    args: ValueType | None
    data: ValueType | None
    args_texts: tuple[Texts, ...]
    data_texts: tuple[Texts, ...]
    # The attributes of the members of its args.
    members: Mapping[str, str]
    # The same for its data.
    data_members: Mapping[str, str]
    # Attributes of some of them: paths that a preview names, and words that say whether a job was done (ERR-11).
    named_paths: tuple[str, ...]
    job_words: tuple[tuple[str, str], ...]
    # Gives the members ``TOLD`` from the values of its data followed by a None, which stands for members it lacks.
    told: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    dry_run: str | None
    # The type of its args as templates; whether no part of it may be any JSON; and the attributes that may be deeper.
    template: type[Struct] | None
    closed: bool
    deep: tuple[str, ...]
    # Whether a call of it that reports no effects has nothing else that the laws about effects look at.
    only_reads: bool
    usable: bool


@dataclass(frozen=True, slots=True)
class Toolset:
    """All tools of a run, and decoders for lines that are typed by their tool."""

    registry: Registry
    facts: Mapping[str, ToolFacts]
    by_type: Mapping[type[Struct], ToolFacts]
    call: Decoder[Any]
    result: Decoder[Any]
    plan: Callable[[bytes], Any]
    # Whether a path into a tool's output, or into the outputs of a loop of it, may lead to a value.
    reachable: dict[tuple[str, bool, tuple[str | int, ...]], bool] = field(
        default_factory=dict[tuple[str, bool, tuple["str | int", ...]], bool], compare=False
    )


class _Known:
    """Toolsets by their bytes.  The last one is compared first, because hashing so long a text is slower."""

    def __init__(self) -> None:
        self._all: dict[bytes, Toolset] = {}
        self._last: tuple[bytes, Toolset] | None = None

    def of(self, raw: bytes) -> Toolset:
        """The tools of these descriptors.  Raises Unproved if they cannot be used for proofs."""
        if self._last is not None and self._last[0] == raw:
            return self._last[1]
        known = self._all.get(raw)
        if known is None:
            if len(self._all) >= _TOOLSETS_KEPT:
                self._all.clear()
            known = self._all[raw] = _toolset(raw)
        self._last = (raw, known)
        return known


_known = _Known()


def toolset(raw: bytes) -> Toolset:
    """The tools of these descriptors, the bytes of a JSON array.  Raises Unproved if they are no use for proofs."""
    return _known.of(raw)


def tools_of(tools: Toolset, records: Sequence[Struct]) -> list[ToolFacts]:
    """The tool of each record.  Raises Unproved if one is unknown."""
    found = list(map(tools.by_type.get, map(type, records)))
    if None in found:
        return [_tool_of(tools, each) for each in records]
    return cast("list[ToolFacts]", found)


def _tool_of(tools: Toolset, record: Struct) -> ToolFacts:
    known = tools.by_type.get(type(record))
    if known is None and isinstance(record, AnyCall | AnyResult):
        known = tools.facts.get(record.tool)
    if known is None:
        raise Unproved("an unknown tool")
    return known


def no_floats(text: str) -> NoReturn:
    """Refuse a number with a fraction or an exponent, which msgspec may write differently (ValueError)."""
    raise ValueError(f"holds the number {text[:20]}")


def _toolset(raw: bytes) -> Toolset:
    try:
        descriptors = read_json(raw)
    except NotStrictJson as error:
        raise Unproved(error.reason) from None
    demand(is_array(descriptors) and depth(descriptors) < limits.NESTING // 2, "tools are not an array, or deep")
    registry = registry_of(descriptors if is_array(descriptors) else ())
    kinds = [_kind(write_json(tool.value)) for tool in registry.tools]
    facts = {kind.facts.name: kind.facts for kind in kinds}
    demand(len(facts) == len(kinds) and not facts.keys() & {"", NO_TOOL}, "two tools have one name, or one has none")
    calls = {kind.call: kind.facts for kind in kinds if kind.call is not None}
    results = {kind.result: kind.facts for kind in kinds if kind.result is not None}
    steps = {kind.step: kind.facts for kind in kinds}
    plan = Decoder(plan_type(_any_of(steps)), float_hook=no_floats).decode
    return Toolset(registry, facts, calls | results | steps, _decoder(calls), _decoder(results), plan)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A tool with the types of its records."""

    facts: ToolFacts
    call: type[Struct] | None
    result: type[Struct] | None
    step: type[Struct]


@lru_cache(maxsize=1_024)
def _kind(descriptor: str) -> _Kind:
    # Registries that hold only the tools in use differ from run to run, but the tools in them do not.
    tool = Tool(json.loads(descriptor))
    facts = _facts(tool)
    call = typed(AnyCall, "args", facts.args.type, tool.name) if facts.args is not None else None
    result = typed(AnyResult, "data", facts.data.type, tool.name) if facts.data is not None else None
    step = typed(PlanStep, "args", facts.template or dict[str, Any], tool.name)
    return _Kind(facts, call, result, step)


def _decoder(types: Mapping[type[Struct], ToolFacts]) -> Decoder[Any]:
    return Decoder(_any_of(types), float_hook=no_floats)


def _any_of(types: Iterable[type[Struct]]) -> Any:
    return Union[(Nothing, *types)]


def _facts(tool: Tool) -> ToolFacts:
    stem = hashlib.sha256(tool.name.encode()).hexdigest()[:8]
    usable = tool.input_validator is not None and tool.output_validator is not None
    declared = tool.value.get("riskLevel")
    declares = isinstance(declared, str) and declared in _RISKS
    args = value_type(tool.input_schema, f"Args_{stem}") if usable else None
    data = value_type(tool.output_schema, f"Data_{stem}") if usable else None
    template = template_type(tool.input_schema, f"Template_{stem}") if args else None
    return ToolFacts(
        tool=tool,
        name=tool.name,
        counted=as_name(tool.name),
        risk=tool.risk_level,
        declares_risk=declares,
        stated_risk=tool.risk_level if declares else "commands",
        writes=tool.risk_level in WRITING_RISKS,
        category=tool.category,
        cancellable=tool.value.get("cancellable") is not False,
        side_effects=tool.side_effects,
        args=args,
        data=data,
        args_texts=_with_prefix(tool, args.texts) if args else (),
        data_texts=tuple(each for each in data.texts if each.validator) if data else (),
        members=attributes_of(args.type) if args else {},
        data_members=attributes_of(data.type) if data else {},
        named_paths=_attributes(args, ("path", "fromPath", "toPath")),
        job_words=tuple((name, attr) for name in JOB_WORDS for attr in _attributes(data, (name,))),
        told=_told(data),
        dry_run=next(iter(_attributes(args, ("dryRun",))), None),
        template=template,
        closed=args is not None and not args.free,
        deep=deep_attributes(template) if template is not None else (),
        only_reads=tool.risk_level == "read-only"
        and not any(_attributes(kind, names) for kind, names in ((data, JOB_WORDS), (args, ("dryRun",)))),
        usable=usable and (declares or not isinstance(declared, str) or not declared),
    )


def _told(data: ValueType | None) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    names = list(attributes_of(data.type)) if data is not None else []
    # The attributes have the order of the members' names.
    return itemgetter(*(sorted(names).index(name) if name in names else len(names) for name in TOLD))


def _attributes(kind: ValueType | None, names: Iterable[str]) -> tuple[str, ...]:
    known: Mapping[str, str] = attributes_of(kind.type) if kind is not None else {}
    return tuple(known[name] for name in names if name in known)


def _with_prefix(tool: Tool, texts: tuple[Texts, ...]) -> tuple[Texts, ...]:
    """Marks the prefix of vault.listFiles as a path too."""
    properties = tool.input_schema.get("properties")
    if tool.name != _PREFIX[0] or not is_dict(properties) or _PREFIX[1] not in properties:
        return texts
    chain = (f"m{sorted(properties).index(_PREFIX[1])}",)
    own = next((each for each in texts if each.chain == chain), None)
    others = tuple(each for each in texts if each.chain != chain)
    return (*others, Texts(chain, own.validator if own else None, is_path=True))
