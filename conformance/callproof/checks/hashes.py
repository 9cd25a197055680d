"""Checks for the requirements in ``spec/hashes.md``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.hash_slips import edged, help_for, slip_in
from callproof.checks.members import member_finding, owner, present
from callproof.checks.references import OWN_WORDS
from callproof.trace.once import once_a_run
from callproof.trace.plan import Step
from callproof.trace.plangraph import redacted_args
from callproof.trace.records import Kind, Record
from callproof.trace.run import LogicalCall, Run
from callproof.trace.witnesses import Deed
from callproof.values.canonical import canonical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

# Algorithms that this suite can compute itself; it believes a hash of any other (B-51).
_KNOWN = frozenset({"md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-512", "blake2b"})
_COMPUTED = f"of an algorithm that the suite can compute ({', '.join(sorted(_KNOWN))})"
_NO_ARGS_HASH = f"an argsHash {_COMPUTED}"
_NO_EDGED_HASH = "an argsHash that the suite can compute, over args with a rare name, number or character"
_NO_DATA_HASH = f"a dataHash {_COMPUTED}"

_LEAVE_OUT = "an empty text is no hash; leave it out"


def _algorithm(stated: str) -> str | None:
    name, colon, _ = stated.partition(":")
    return name.lower() if colon and name else None


def _taken_again(stated: str, form: bytes) -> bool | None:
    """Whether a stated hash is the hash of these bytes; None if its algorithm is not known."""
    algorithm = _algorithm(stated)
    if algorithm not in _KNOWN:
        return None
    told = stated.partition(":")[2]
    # The specification fixes the spelling of the digest for sha256 only.
    return (told if algorithm == "sha256" else told.lower()) == _digest(algorithm, form).hex()


def _misspelt(stated: str, form: bytes) -> Iterator[str]:
    """A clause that the digest is the right one in a wrong spelling, if it is."""
    algorithm, told = _algorithm(stated), stated.partition(":")[2]
    if algorithm not in _KNOWN:
        return
    digest = _digest(algorithm, form)
    if told == "".join(f"{byte:x}" for byte in digest):
        yield "it is the right digest, but a byte below 16 has one digit in it, and not two"
    elif told.lower() == digest.hex():
        yield "it is the right digest, but in capital letters"


def _digest(algorithm: str, form: bytes) -> bytes:
    return hashlib.new(algorithm.replace("sha3-", "sha3_"), form, usedforsecurity=False).digest()


def hashed_args(run: Run, call: Record) -> Mapping[str, Json]:
    """The args over which argsHash is taken: without the words that the executor added by itself (A47)."""
    args = call.object("args") or {}
    step = _planned(run, call)
    if step is None or OWN_WORDS.isdisjoint(args):
        return args
    return {name: value for name, value in args.items() if name not in OWN_WORDS or name in step.args}


def _planned(run: Run, call: Record) -> Step | None:
    """The step that tells which words in a call's args come from the plan; None if its args are redacted (A42)."""
    step = run.step(call.step_id)
    return None if step is None or "/args" in redacted_args(run, step) else step


@once_a_run
def _forms(_run: Run) -> dict[int, bytes]:
    return {}


def _whole_form(run: Run, call: Record) -> bytes:
    """The canonical form of a call's args, kept because many laws need it.  Raises ValueError if there is none."""
    forms = _forms(run)
    known = forms.get(id(call))
    if known is None:
        known = forms[id(call)] = canonical(call.get("args"))
    return known


def _form(run: Run, call: Record) -> bytes:
    """The canonical form of the args over which a call's argsHash is taken: nearly always, of all its args."""
    args = hashed_args(run, call)
    return _whole_form(run, call) if args is call.get("args") else canonical(args)


@once_a_run
def _wrong_calls(run: Run) -> frozenset[int]:
    """The calls, by identity, that certainly state a hash that is not that of their args."""
    return frozenset({id(call) for call, stated in _hashed_calls(run) if _wrong(run, call, stated)})


def _is_formed(form: Callable[[], bytes]) -> bool:
    """Whether a value has a canonical form at all."""
    try:
        form()
    except ValueError:
        return False
    return True


@once_a_run
def _hashed_calls(run: Run) -> tuple[tuple[Record, str], ...]:
    """Every call whose args have a hash that can be computed, with the hash that it states."""
    return tuple(
        (call, stated)
        for call in run.calls
        if (stated := call.text("argsHash")) is not None
        and call.object("args") is not None
        and _is_formed(partial(_whole_form, run, call))
        and not call.is_redacted_in("args")  # a redacted value is not the one that was hashed (A42)
    )


def _computed_calls(run: Run) -> Iterator[tuple[Record, str]]:
    """The calls with hashes that the suite can compute: a believed hash decides nothing."""
    return ((call, stated) for call, stated in _hashed_calls(run) if _algorithm(stated) in _KNOWN)


def _compared_calls(run: Run) -> Iterator[tuple[Record, str]]:
    """The calls with hashes of which it is known what was hashed (A47)."""
    return ((call, stated) for call, stated in _hashed_calls(run) if _is_known_what_was_hashed(run, call))


def _is_known_what_was_hashed(run: Run, call: Record) -> bool:
    """Whether it is known who added each word in the args; it is not if a hook wrote there, or if no plan tells."""
    args = call.object("args") or {}
    if _planned(run, call) is None:
        return OWN_WORDS.isdisjoint(args)
    return call.hooked == () or len(hashed_args(run, call)) == len(args)


def _wrong(run: Run, call: Record, stated: str) -> bool:
    """Whether the hash is certainly not that of the call's args."""
    if _taken_again(stated, _form(run, call)) is not False:
        return False
    if _planned(run, call) is not None and call.hooked == ():
        return True
    # It is unknown which words come from the plan or a hook, and which from the executor itself (A47).
    return all(_taken_again(stated, canonical(each)) is False for each in _with_any_words(call.object("args") or {}))


def _with_any_words(args: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """Args with all of the words that an executor may add, with none, and with each alone."""
    words = OWN_WORDS & args.keys()
    for count in range(len(words) + 1):
        for added in combinations(sorted(words), count):
            yield {name: value for name, value in args.items() if name not in added}


@check("HASH-01", each=_computed_calls, wants=_NO_ARGS_HASH)
def the_hash_is_over_the_resolved_args(run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """argsHash is the hash of the resolved args."""
    call, stated = subject
    if id(call) not in _wrong_calls(run):
        return
    slip = _other_form(stated, hashed_args(run, call))
    if slip is None or not edged(call.get("args")):  # else HASH-05 reports it
        yield Finding(
            f"call {call.call_id} stated the hash {excerpt(stated)}, which is not that of its args",
            f"the {_algorithm(stated)} of the canonical form of its resolved args",
            (witness("C", call),),
            because=(
                f"its args are {excerpt(call.get('args'))}",
                *_misspelt(stated, _form(run, call)),
                *(() if slip is None else (f"it is that over {slip}",)),
                *_hashed_unresolved(run, call, stated),
            ),
            help=help_for(slip),
        )


def _hashed_unresolved(run: Run, call: Record, stated: str) -> Iterator[str]:
    """A clause that the hash is that of the args as the plan has them, if it is."""
    step = _planned(run, call)
    if step is not None and _is_formed(form := partial(canonical, step.args)) and _taken_again(stated, form()):
        yield f"it is the hash of what the plan says, with its references as they stand: {excerpt(step.args)}"


@check("HASH-01", each=_computed_calls, needs=("deeds",), wants=_NO_ARGS_HASH)
def the_hash_is_over_what_the_tool_received(run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """argsHash is the hash of the args that reached the tool."""
    call, stated = subject
    attempt = run.attempt_by_call_id.get(call.call_id or "")
    for deed in attempt.deeds or () if attempt is not None else ():
        if is_object(deed.args) and _wrong_for(run, call, deed, stated):
            yield Finding(
                f"call {call.call_id} stated the hash {excerpt(stated)}, and its tool received other args",
                "the hash of what the tool receives",
                (witness("C", call), witness("D", deed)),
            )


def _wrong_for(run: Run, call: Record, deed: Deed, stated: str) -> bool:
    received: Mapping[str, Json] = deed.args if is_object(deed.args) else {}
    forms = _with_any_words(received)  # CALL-20 reports words that only the tool received
    return not _wrong(run, call, stated) and all(_is_of_others(stated, each) for each in forms)


def _is_of_others(stated: str, args: Json) -> bool:
    """Whether a hash is certainly that of other args; args without a canonical form were never hashed."""
    try:
        form = canonical(args)
    except ValueError:
        return True
    return _taken_again(stated, form) is False


def pairs_of_hashes(runs: Iterable[Run]) -> Iterator[tuple[tuple[Record, str], ...]]:
    """Calls with equal args, whose hashes are of one algorithm."""
    groups: dict[tuple[bytes, str | None], list[tuple[Record, str]]] = {}
    for run in runs:
        for call, stated in _compared_calls(run):
            groups.setdefault((_form(run, call), _algorithm(stated)), []).append((call, stated))
    yield from (tuple(group) for group in groups.values() if len(group) > 1)


@check("HASH-02", each=lambda run: pairs_of_hashes((run,)))
def equal_args_have_equal_hashes(_run: Run, group: tuple[tuple[Record, str], ...]) -> Iterator[Finding]:
    """Equal args give equal hashes."""
    first, stated = group[0]
    other = next((each for each in group if each[1] != stated), None)
    if other is not None:
        yield Finding(
            f"calls {first.call_id} and {other[0].call_id} had equal args "
            f"and the hashes {excerpt(stated)} and {excerpt(other[1])}",
            "equal args have equal hashes",
            (witness("C1", first), witness("C2", other[0])),
        )


def _shared_hashes(run: Run) -> Iterator[tuple[Record, ...]]:
    groups: dict[str, list[Record]] = {}
    for call, stated in _compared_calls(run):
        groups.setdefault(stated, []).append(call)
    yield from map(tuple, groups.values())


@check("HASH-03", each=_shared_hashes)
def different_args_have_different_hashes(run: Run, calls: tuple[Record, ...]) -> Iterator[Finding]:
    """Different args give different hashes."""
    forms = {_form(run, call): call for call in calls}
    if len(forms) > 1:
        one, other = list(forms.values())[:2]
        yield Finding(
            f"calls {one.call_id} and {other.call_id} had different args and one hash, {excerpt(one.get('argsHash'))}",
            "different args have different hashes",
            (witness("C1", one), witness("C2", other)),
            help=None if one.text("argsHash") else _LEAVE_OUT,
        )


@check("HASH-04", each=_hashed_calls)
def the_hash_names_its_algorithm(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """A hash names the algorithm that made it."""
    yield from _bare(*subject)


def _bare(record: Record, stated: str) -> Iterator[Finding]:
    if _algorithm(stated) is None:
        yield Finding(
            f"{owner(record)} stated the hash {excerpt(stated)} without its algorithm",
            "the name of the algorithm, a colon, and the digest",
            (witness("R" if record.kind is Kind.RESULT else "C", record),),
            help="sha256:<64 hexadecimal digits>" if stated else _LEAVE_OUT,
        )


def _hashes_at_the_edges(run: Run) -> Iterator[tuple[Record, str]]:
    return ((call, stated) for call, stated in _computed_calls(run) if edged(call.get("args")))


@check("HASH-05", each=_hashes_at_the_edges, wants=_NO_EDGED_HASH)
def the_canonical_form_is_right_at_the_edges(run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """The canonical form is right for rare names, numbers and escapes."""
    call, stated = subject
    slip = _other_form(stated, hashed_args(run, call)) if id(call) in _wrong_calls(run) else None
    if slip is not None:
        yield Finding(
            f"call {call.call_id} stated a hash over {slip}",
            "RFC 8785, with integers beyond 2^53 - 1 in all their digits",
            (witness("C", call),),
            because=(f"its args are {excerpt(call.get('args'))}",),
            help=help_for(slip),
        )


def _other_form(stated: str, args: Json) -> str | None:
    """Which well-known slip in the canonical form explains a hash; None if none does."""
    return slip_in(args, lambda form: bool(_taken_again(stated, form)))


def _hashed_results(run: Run) -> Iterator[tuple[Record, str]]:
    for result in run.results:
        stated = result.text("dataHash")
        if stated is not None and (_has_hashed_data(result) if result.has("data") else result.text("status") != "ok"):
            yield result, stated


def _has_hashed_data(result: Record) -> bool:
    return _is_formed(partial(canonical, result.get("data"))) and not result.is_redacted_in("data")


def _hashed_data(run: Run) -> Iterator[tuple[Record, str]]:
    return ((result, stated) for result, stated in _hashed_results(run) if result.has("data"))


@check("HASH-04", each=_hashed_data)
def the_data_hash_names_its_algorithm(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """A hash of data names the algorithm that made it."""
    yield from _bare(*subject)


def _hashes_of_no_text(run: Run) -> Iterator[Record]:
    return (each for each in run.results if present(each, "dataHash") and each.text("dataHash") is None)


@check("HASH-06", each=_hashes_of_no_text, wants=_NO_DATA_HASH)
def the_data_hash_is_a_text(_run: Run, result: Record) -> Iterator[Finding]:
    """dataHash is a string where it is present."""
    yield member_finding(result, "dataHash", "dataHash is a string, or absent")


def _decided_results(run: Run) -> Iterator[tuple[Record, str]]:
    """The results whose hash the suite can compute, or that have a hash and no data."""
    return (each for each in _hashed_results(run) if _algorithm(each[1]) in _KNOWN or not each[0].has("data"))


@check("HASH-06", each=_decided_results, wants=_NO_DATA_HASH)
def the_data_hash_is_over_the_logged_data(_run: Run, subject: tuple[Record, str]) -> Iterator[Finding]:
    """dataHash is the hash of the logged data."""
    result, stated = subject
    if not result.has("data"):
        yield Finding(
            f"the result of {result.call_id} stated the hash {excerpt(stated)} and has no data",
            "no dataHash where there is no data",
            (witness("R", result),),
        )
    elif _taken_again(stated, canonical(result.get("data"))) is False:
        slip = _other_form(stated, result.get("data"))
        yield Finding(
            f"the result of {result.call_id} stated the hash {excerpt(stated)}, which is not that of its data",
            f"the {_algorithm(stated)} of the canonical form of its data",
            (witness("R", result),),
            because=(
                *_misspelt(stated, canonical(result.get("data"))),
                *(() if slip is None else (f"it is that over {slip}",)),
            ),
            help=help_for(slip),
        )


def _retried_with_hashes(run: Run) -> Iterator[tuple[LogicalCall, list[Record]]]:
    """Each logical call with those of its attempts whose hash can be computed, if there are several."""
    known = {id(call) for call, _ in _compared_calls(run)}
    for logical in run.logical_calls:
        hashed = [each.call for each in logical.attempts if id(each.call) in known]
        if len(hashed) > 1:
            yield logical, hashed


@check("HASH-07", each=_retried_with_hashes)
def attempts_share_their_hash(run: Run, subject: tuple[LogicalCall, list[Record]]) -> Iterator[Finding]:
    """Attempts of one logical call with equal args share one argsHash."""
    logical, hashed = subject
    first = hashed[0]
    form = _form(run, first)
    for call in hashed[1:]:
        same_args = _form(run, call) == form
        right = not _wrong(run, call, call.text("argsHash") or "")
        if same_args and right and call.text("argsHash") != first.text("argsHash"):
            yield Finding(
                f"attempts of {logical.name} had the hashes {excerpt(first.get('argsHash'))} "
                f"and {excerpt(call.get('argsHash'))} for equal args",
                "one hash for all attempts with the same args",
                (witness("A1", first), witness("A2", call)),
            )
