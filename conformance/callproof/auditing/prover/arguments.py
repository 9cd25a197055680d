"""Args: what the plan makes of them, their hash, their paths, and the gates that they had to pass before dispatch."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import AnyCall
from callproof.auditing.prover.fates import FAILED, Outputs
from callproof.auditing.prover.following import Absent
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.policies import INSIDE
from callproof.auditing.prover.schema_types import strings_at
from callproof.auditing.prover.templates import canonical_of
from callproof.auditing.prover.toolset import no_floats
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.hashes import edged
from callproof.values.canonical import canonical
from callproof.values.jsontext import read_json
from callproof.values.patharguments import path_arguments

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(float_hook=no_floats).decode
_MOST_BRACKETS: Final = 64
_REFUSED: Final = frozenset({"VALIDATION_ERROR", "POLICY_DENIED"})
_BEFORE_THE_POLICY: Final = frozenset({"VALIDATION_ERROR", "CANCELLED"})


def prove_arguments(case: Case, outputs: Outputs) -> None:
    """The args of every call: as the plan makes them, hashed as stated, and let through only where they may be."""
    hashes: set[str] = set()
    used: dict[str, int] = {}
    clean: set[str] = set()
    for seen in case.calls:
        _prove_form(case, seen, outputs)
        if seen.call.args_hash is not UNSET:
            _prove_hash(case, seen, hashes)
        for text in seen.step.template.sole:
            used[text] = used.get(text, 0) + 1
        _prove_paths(case, seen)
        _prove_gates(case, seen, clean)
    if any(count > 1 for count in used.values()):
        case.met |= f.REPEATED_REFERENCE
    if outputs.falsy:
        case.met |= f.FALSY_LEAF


def _prove_form(case: Case, seen: Seen, outputs: Outputs) -> None:
    """The plan, resolved with the results on record, gives the args."""
    call, step = seen.call, seen.step
    if isinstance(call, AnyCall):
        seen.args = read_json(bytes(call.args))
        demand(is_dict(seen.args), "args that are no object")
        seen.form = canonical(seen.args)
    else:
        seen.args = call.args
        args_type = seen.tool.args
        free = args_type is not None and args_type.free
        seen.form = canonical_of(call.args) if free else _encode(call.args)
    if step.loop is not None:
        _take_item(seen, outputs)
        case.met |= f.LOOP_RECORD | f.PLACED_ITEM
    template = step.template
    case.met |= template.met
    wanted = template.fixed
    if wanted is None and template.fill is not None:
        try:
            wanted = canonical_of(template.fill(outputs))
        except Absent:
            raise Unproved("a call of which a reference leads to nothing") from None
    demand(wanted == seen.form, "args that differ from the plan's")


def _take_item(seen: Seen, outputs: Outputs) -> None:
    """Set the item of this iteration, which is the element of its index, as the call says (LOOP-03)."""
    loop, iteration = seen.step.loop, seen.call.iteration
    if loop is None:
        return
    items = outputs.source(seen.step, loop)
    demand(items is not FAILED and iteration.index < len(items), "an iteration without its item")
    outputs.item, outputs.index = items[iteration.index], iteration.index
    prove_item(seen.call.iteration, loop.item_name, outputs.item)


def prove_item(iteration: Any, name: str, item: Any) -> None:
    """An iteration names its item as the plan does and holds the element of its index."""
    raw = bytes(iteration.item_value)
    demand(iteration.item_name == name and raw.count(b"{") + raw.count(b"[") <= _MOST_BRACKETS, "an iteration")
    told = _decode(raw)
    if _encode(told) != raw:
        read_json(raw)
    demand(canonical_of(told) == canonical_of(item), "another item than that of its index")


def _prove_hash(case: Case, seen: Seen, hashes: set[str]) -> None:
    stated = seen.call.args_hash
    demand(stated == "sha256:" + sha256(seen.form).hexdigest(), "a hash")
    case.met |= f.ARGS_HASH
    if stated in hashes:
        case.met |= f.EQUAL_ARGS
    hashes.add(stated)
    if not case.met & f.EDGED_ARGS_HASH and edged(_decode(seen.form)):
        case.met |= f.EDGED_ARGS_HASH


def _prove_paths(case: Case, seen: Seen) -> None:
    """Strings that the schema binds by a pattern, and what the sandbox says of paths."""
    texts: list[str] = []
    args, tool = seen.args, seen.tool
    if isinstance(seen.call, AnyCall):
        validator = tool.tool.input_validator
        seen.valid = validator is not None and validator.accepts(args)
        texts = [text for _, text in path_arguments(tool.name, args, tool.tool.input_schema)]
    for place in () if isinstance(seen.call, AnyCall) else tool.args_texts:
        chain = place.chain
        if len(chain) == 1 and chain[0] is not None:
            text = getattr(args, chain[0])
            here = [] if text is UNSET else [text]
        else:
            here = list(strings_at(args, chain))
        for text in here:
            seen.valid = seen.valid and place.accepts(text)
        if place.is_path:
            texts += here
    if case.policy.sandbox is None or not texts:
        return
    facts = [case.policy.path(text) for text in texts]
    if all(each is INSIDE for each in facts):
        case.met |= INSIDE.met
        return
    for each in facts:
        case.met |= each.met
        seen.refused_path = seen.refused_path or each.breach is not None
    if all(each.innocent for each in facts) and any(each.lookalike for each in facts):
        case.met |= f.PATTERN_LOOKALIKE
        demand(seen.error.code != "POLICY_DENIED", "an innocent name that was denied")


def _prove_gates(case: Case, seen: Seen, clean: set[str]) -> None:
    """What is dispatched is valid and permitted; what offends the policy is denied."""
    status, code, denied = seen.result.status, seen.error.code, seen.tool.name in case.policy.denied
    offends, refused = denied or seen.refused_path, not seen.dispatched
    met = 0
    if not offends:
        clean.add(seen.step.id)
    else:
        before = status == "skipped" or code in _BEFORE_THE_POLICY
        demand(refused and (before or (status == "error" and code == "POLICY_DENIED")), "let through")
        met |= f.JUDGED_AGAIN if seen.step.id in clean else 0
    if denied:
        met |= f.DENIED_TOOL
        if status == "error" and (seen.valid or code != "VALIDATION_ERROR"):
            demand(code == "POLICY_DENIED", "the code of a denied tool")
            met |= f.DENIED_TOOL_FAILED
    if refused:
        met |= _refusal(seen, denied=denied)
    demand(refused or seen.valid, "dispatched with invalid args")
    if status == "error" and code == "POLICY_DENIED":
        met |= f.DENIAL
    case.met |= met


def _refusal(seen: Seen, *, denied: bool) -> int:
    """The features of a call that was not dispatched."""
    status, code, met = seen.result.status, seen.error.code, f.HELD_BACK
    if status == "error" and not seen.valid:
        demand(code in _REFUSED, "the code of invalid args")
        met |= f.REFUSED_ARGS
    if code == "VALIDATION_ERROR":
        demand(not seen.valid, "valid args that were refused")
        met |= f.REFUSED_BY_VALIDATION | f.NEVER_DISPATCHED
    if status == "skipped" or (code == "POLICY_DENIED" and denied):
        met |= f.NEVER_DISPATCHED
    return met
