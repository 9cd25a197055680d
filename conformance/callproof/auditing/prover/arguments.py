"""Args: what the plan makes of them, their hash, their paths, and the gates that they must pass before dispatch."""

from __future__ import annotations

from hashlib import sha256
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import AnyCall
from callproof.auditing.prover.fates import FAILED, Outputs
from callproof.auditing.prover.following import Absent
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.policies import INSIDE, PolicyFacts
from callproof.auditing.prover.templates import canonical_of, has_plain_names, sorted_form
from callproof.auditing.prover.toolset import no_floats
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.hash_slips import edged
from callproof.values.canonical import canonical
from callproof.values.jsontext import read_json
from callproof.values.patharguments import path_arguments

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(float_hook=no_floats).decode
_MOST_BRACKETS: Final = 64
_REFUSED: Final = frozenset({"VALIDATION_ERROR", "POLICY_DENIED"})
_BEFORE_THE_POLICY: Final = frozenset({"VALIDATION_ERROR", "CANCELLED"})


_ARGS: Final = attrgetter("args")
_STATED: Final = attrgetter("args_hash")
_FIXED: Final = attrgetter("step.template.fixed")
_MET: Final = attrgetter("step.template.met")
_SOLE: Final = attrgetter("step.template.sole")


def prove_arguments(case: Case, outputs: Outputs) -> None:
    """The args of every call follow from the plan, have the stated hash, and pass the gates only if permitted."""
    calls = case.calls
    if not calls:
        return
    by_type = _take_args(calls)
    stated = list(map(_STATED, calls))
    for seen, fixed, told in zip(calls, map(_FIXED, calls), stated):
        form = seen.form
        if fixed is None or seen.index is not None:
            fixed = _filled(case, seen, outputs)  # noqa: PLW2901  where the plan says how to make them
        if form != fixed or (told != "sha256:" + sha256(form).hexdigest() and told is not UNSET):
            raise Unproved("args that differ from the plan's, or their hash")
    hashes = [each for each in stated if each is not UNSET]
    if hashes and any(each.args_hash is not UNSET and _is_edged(each) for each in calls):
        case.met |= f.EDGED_ARGS_HASH
    used = [text for texts in map(_SOLE, calls) for text in texts]
    for met in set(map(_MET, calls)):
        case.met |= met
    case.met |= _features_of_all(hashes, used, outputs)
    _prove_places(case, calls, by_type)


def _take_args(calls: list[Seen]) -> dict[type[Struct], list[Seen]]:
    """Note each call's args and their canonical form; return the calls with typed args by their type."""
    by_type: dict[type[Struct], list[Seen]] = {}
    for seen, form in zip(calls, map(sorted_form, map(_ARGS, calls))):
        kind = seen.call.__class__
        if kind is AnyCall:
            seen.form = _untyped_form(seen)
            continue
        seen.form = form
        if kind in by_type:
            by_type[kind].append(seen)
        else:
            by_type[kind] = [seen]
    for seens in by_type.values():
        kind_of_args = seens[0].tool.args
        if kind_of_args is not None and kind_of_args.free:
            plain = all(each.form.isascii() or has_plain_names(each.args) for each in seens)
            demand(plain, "a member name that is not ASCII")
    return by_type


def _features_of_all(hashes: list[str], used: list[str], outputs: Outputs) -> int:
    """The features that only several calls of a run show together."""
    met = f.ARGS_HASH if hashes else 0
    if len(set(hashes)) < len(hashes):
        met |= f.EQUAL_ARGS
    if len(set(used)) < len(used):
        met |= f.REPEATED_REFERENCE
    return met | f.FALSY_LEAF if outputs.falsy else met


def _untyped_form(seen: Seen) -> bytes:
    """The canonical form of args that have no type."""
    seen.args = read_json(bytes(seen.call.args))
    demand(is_dict(seen.args), "args that are not an object")
    return canonical(seen.args)


def _filled(case: Case, seen: Seen, outputs: Outputs) -> bytes:
    """The plan's args, resolved with the results on record.  Raises Unproved if a reference leads to nothing."""
    template = seen.step.template
    if seen.step.loop is not None:
        _take_item(seen, outputs)
        case.met |= f.LOOP_RECORD | f.PLACED_ITEM
    if template.fixed is not None:
        return template.fixed
    try:
        return canonical_of(template.fill(outputs) if template.fill is not None else None)
    except Absent:
        raise Unproved("a call of which a reference leads to nothing") from None


def _is_edged(seen: Seen) -> bool:
    """Whether args hold something that canonical forms often get wrong (HASH-05)."""
    form, kind = seen.form, seen.tool.args
    # The member names of typed args hold no stroke here and are ASCII, so a stroke or another sign is in a text.
    if (
        kind is not None
        and not kind.strokes
        and type(seen.call) is not AnyCall
        and (b"/" in form or not form.isascii())
    ):
        return True
    return edged(_decode(seen.form))


def _take_item(seen: Seen, outputs: Outputs) -> None:
    """Set the item of this iteration to the element at its index, as the call states it (LOOP-03)."""
    loop, iteration = seen.step.loop, seen.call.iteration
    if loop is None:
        return
    items, index = outputs.source(seen.step, loop), iteration.index
    if items is FAILED or index >= len(items):
        raise Unproved("an iteration without its item")
    outputs.item, outputs.index = items[index], index
    prove_item(iteration, loop.item_name, items[index])


def prove_item(iteration: Any, name: str, item: Any) -> None:
    """An iteration names its item as the plan does, and holds the element at its index."""
    raw = bytes(iteration.item_value)
    demand(iteration.item_name == name and raw.count(b"{") + raw.count(b"[") <= _MOST_BRACKETS, "an iteration")
    told = _decode(raw)
    if _encode(told) != raw:
        read_json(raw)
    demand(canonical_of(told) == canonical_of(item), "another item than that of its index")


def _prove_places(case: Case, calls: list[Seen], by_type: dict[type[Struct], list[Seen]]) -> None:
    """Judge strings that a schema restricts by a pattern, paths by the sandbox, and what the gates let through."""
    paths: set[str] = set()
    plain = not case.policy.denied and sum(map(len, by_type.values())) == len(calls)
    for seens in by_type.values():
        args = [each.args for each in seens]
        for texts in seens[0].tool.args_texts:
            plain = plain and texts.accept_all(args)
            if texts.is_path:
                paths |= texts.found_in_all(args)
    if plain and (case.policy.sandbox is None or _all_inside(case.policy, paths)):
        case.met |= INSIDE.met if paths and case.policy.sandbox is not None else 0
        for seen in calls:
            if seen.status != "ok":
                case.met |= _prove_gates(case, seen, set())
        return
    clean: set[str] = set()
    for seen in calls:
        case.met |= _prove_paths(case.policy, seen)
        case.met |= _prove_gates(case, seen, clean)


def _all_inside(policy: PolicyFacts, paths: set[str]) -> bool:
    """Whether every path is plainly inside the sandbox."""
    return all(policy.path(text) is INSIDE for text in paths - policy.inside)


def _prove_paths(policy: PolicyFacts, seen: Seen) -> int:
    """Judge the strings and paths of one call; return the features of its paths."""
    args, tool = seen.args, seen.tool
    texts: list[str] = []
    if type(seen.call) is AnyCall:
        validator = tool.tool.input_validator
        seen.valid = validator is not None and validator.accepts(args)
        texts = [text for _, text in path_arguments(tool.name, args, tool.tool.input_schema)]
    else:
        for place in tool.args_texts:
            here = place.found_in(args)
            seen.valid = seen.valid and all(map(place.accepts, here))
            texts += here if place.is_path else []
    if policy.sandbox is None or not texts:
        return 0
    facts, met = [policy.path(text) for text in texts], 0
    for each in facts:
        met |= each.met
        seen.refused_path = seen.refused_path or each.breach is not None
    if all(each.innocent for each in facts) and any(each.lookalike for each in facts):
        met |= f.PATTERN_LOOKALIKE
        demand(seen.error.code != "POLICY_DENIED", "an innocent name that was denied")
    return met


def _prove_gates(case: Case, seen: Seen, clean: set[str]) -> int:
    """A dispatched call is valid and permitted; a call that offends against the policy is denied."""
    status, code, denied = seen.status, seen.error.code, seen.tool.name in case.policy.denied
    offends, refused = denied or seen.refused_path, seen.started < 0
    met = 0
    if not offends:
        clean.add(seen.step.id)
    else:
        demand(status != "skipped", "skipped, and not refused")
        before = code in _BEFORE_THE_POLICY
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
    return met | f.DENIAL if status == "error" and code == "POLICY_DENIED" else met


def _refusal(seen: Seen, *, denied: bool) -> int:
    """The features of a call that was not dispatched."""
    status, code, met = seen.status, seen.error.code, f.HELD_BACK
    if status == "error" and not seen.valid:
        demand(code in _REFUSED, "the code of invalid args")
        met |= f.REFUSED_ARGS
    if code == "VALIDATION_ERROR":
        demand(not seen.valid, "valid args that were refused")
        met |= f.REFUSED_BY_VALIDATION | f.NEVER_DISPATCHED
    if status == "skipped" or (code == "POLICY_DENIED" and denied):
        met |= f.NEVER_DISPATCHED
    return met
