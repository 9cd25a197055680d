"""PIPE-17, PIPE-20 and PIPE-21: what the tool gave on its way to the model, to the store and to the context."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise
from string import punctuation, whitespace

from callproof.checks.check import Finding
from callproof.protocols.parts import first_listed, object_of, text_of
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, last_before
from callproof.protocols.pipeline.outputs import lost
from callproof.protocols.pipeline.phases import MAP, PERSIST
from callproof.protocols.pipeline.trace import LAWS, SUCCEEDED, Invocation, Line, Pipeline, texts_of
from callproof.values.doubles import alike
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import as_integer, is_array, is_object

# This many bytes of words about what was left out may stand beside what is shown.
_WORDS = 1_024
# A text that a hook took out, or a store holds, is searched for if it is too long to occur by chance.
_LONG_ENOUGH = 8
_EDGES = punctuation + whitespace
# Of an output of very many texts, so many are compared with so many that a hook left.
_FEW = 16
# Programs put this character in the place of bytes that form no character.
_HALF = "\N{REPLACEMENT CHARACTER}"
_SHOWING = ("model_facing_content", "content", "structured_content")
_REFERRING = ("persistence_refs", "resource_refs", "artifact_refs")
_LINKED = frozenset({"preview_and_persist", "ref_only"})


def texts_in(value: Json) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        yield from chain.from_iterable(map(texts_in, value.values()))
    elif is_array(value):
        yield from chain.from_iterable(map(texts_in, value))


def _output(call: Call) -> Json:
    """What the tool gave, or what the last hook made of it."""
    changed = call.changes_after
    if changed:
        return changed[-1].get("updated_output")
    return None if call.returned is None else call.returned.get("output")


def _is_large(call: Call) -> bool:
    """Whether a text of an output is so long that it cannot be shown whole, with words beside it."""
    limit = as_integer(call.case.get("result_bytes"))
    texts = (len(each.encode("utf-8", "surrogatepass")) for each in texts_in(_output(call)))
    return limit is not None and max(texts, default=0) > limit + _WORDS


def _shown(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls that succeeded and whose output the model is shown whole."""
    for call in calls(log):
        result = call.result
        if result is None or call.returned is None or result.get("is_error") is True or _is_limited(call):
            continue
        if result.text("status") in SUCCEEDED:
            yield call, result


def _is_limited(call: Call) -> bool:
    """Whether an output may be too large, counting all its texts."""
    limit = as_integer(call.case.get("result_bytes"))
    whole = sum(len(each.encode("utf-8", "surrogatepass")) for each in texts_in(_output(call)))
    # Values that are no texts take space too, however they are mapped.
    return limit is not None and 2 * whole + 100 > limit


def _mapped(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Of these calls, those whose tool had to be asked for what the model reads."""
    yield from ((call, result) for call, result in _shown(log) if call.asks(MAP))


@LAWS.check("PIPE-17", each=_mapped, needs=("driver",))
def the_model_reads_what_was_mapped(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """The result has what the last mapping gave."""
    call, result = found
    mapped = [line for line in call.seen(probes.OUTPUT_MAPPED) if line.at < result.at]
    if mapped and mapped[-1].get("failed") is True:
        return  # PIPE-14 judges a success whose output could not be mapped
    seen = mapped[-1:]
    if not seen:
        yield Finding(
            f"{call.named} succeeded, but its tool was not asked for what the model reads",
            "a mapping",
            (result.witness("R"),),
        )
        return
    given, shown = seen[-1].get("content"), result.get("model_facing_content")
    other = first_listed(lost(given, shown))
    if other:
        yield Finding(
            f"the model_facing_content of {call.named} differs from what the mapping gave, at {other}",
            "what the last mapping gave",
            (seen[-1].witness("M"), result.witness("R")),
        )


def _given_on(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Outputs that were mapped, or shown to a hook, after the tool had returned."""
    for call in calls(log):
        if call.returned is not None:
            told = (*call.seen(probes.OUTPUT_MAPPED), *call.seen(probes.POST_HOOK))
            yield from ((call, line) for line in told)


@LAWS.check("PIPE-17", each=_given_on, needs=("driver",))
def what_is_mapped_is_what_the_tool_gave(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A mapping and a hook are given what the tool gave, or what a hook made of it."""
    call, line = found
    gave, changed = last_before(call.seen(probes.TOOL_RETURNED), line.at), last_before(call.changes_after, line.at)
    outputs = [gave.get("output")] if gave is not None else []
    outputs += [changed.get("updated_output")] if changed is not None else []
    if not any(alike(line.get("output"), each) for each in outputs):
        yield Finding(
            f"the {line.text('probe')} of {call.named} was given another output than its tool gave",
            "what the tool gave, or what a hook made of it",
            (*(end.witness("T") for end in call.ends[:1]), line.witness("O")),
        )


def _twice(log: Pipeline) -> Iterator[tuple[Call, tuple[Line, ...]]]:
    """Calls whose output was mapped, and the mappings that did not fail."""
    for call in calls(log):
        seen = tuple(line for line in call.seen(probes.OUTPUT_MAPPED) if line.get("failed") is not True)
        if seen:
            yield call, seen


@LAWS.check("PIPE-17", each=_twice, needs=("driver",))
def an_output_is_seen_to_be_mapped_once(_log: Pipeline, found: tuple[Call, tuple[Line, ...]]) -> Iterator[Finding]:
    """Between two mappings a hook changed the output, and no change comes after the last one."""
    call, seen = found
    changes = call.changes_after
    for first, second in pairwise(seen):
        change = last_before(changes, second.at)
        if change is None or change.at < first.at:
            yield Finding(
                f"the output of {call.named} was mapped again, but no hook had changed it",
                "one mapping, and one more for each time that a hook changed the output",
                (first.witness("M1"), second.witness("M2")),
            )
    succeeded = call.result is not None and call.result.text("status") in SUCCEEDED
    if changes and changes[-1].at > seen[-1].at and succeeded:
        yield Finding(
            f"a hook changed the output of {call.named}, but it was not mapped again",
            "a mapping after the change",
            (seen[-1].witness("M"), changes[-1].witness("H")),
        )


def _taken_out(log: Pipeline) -> Iterator[tuple[Call, Line, Line]]:
    """Calls whose output a hook changed, their results, and that hook."""
    for call in calls(log):
        changed = call.changes_after
        if changed and call.result is not None:
            yield call, call.result, changed[-1]


def _gone(output: Json, updated: Json) -> tuple[list[str], list[str]]:
    """What is missing from an updated output: whole texts, and what stood around a piece that is left of a text."""
    kept = tuple(texts_in(updated))
    joined = "\n".join(kept)
    whole = [each for each in texts_in(output) if each not in joined]
    pieces = [each for each in kept if len(each) >= _LONG_ENOUGH][:_FEW]
    around = (part.strip(_EDGES) for each in whole[:_FEW] for piece in pieces for part in _around(each, piece))
    return whole, [part for part in around if part not in joined]


def _around(text: str, piece: str) -> tuple[str, ...]:
    """What stands in a text before and after a piece of it; nothing if the piece is not there."""
    before, found, after = text.partition(piece)
    return (before, after) if found else ()


def _is_in(result: Line, gone: Sequence[str], members: Sequence[str]) -> bool:
    """Whether some text that is gone, and not too short, is in one of these members of a result."""
    shown = "\n".join(text for name in members for text in texts_in(result.get(name)))
    return any(len(each) >= _LONG_ENOUGH and each in shown for each in gone)


@LAWS.check("PIPE-17", each=_taken_out, needs=("driver",))
def what_a_hook_took_out_is_not_shown(_log: Pipeline, found: tuple[Call, Line, Line]) -> Iterator[Finding]:
    """No text that a hook took out of the output is in the result."""
    call, result, hook = found
    whole, parts = _gone(call.returned.get("output") if call.returned else None, hook.get("updated_output"))
    if _is_in(result, whole, (*_SHOWING, *_REFERRING)) or _is_in(result, parts, _SHOWING):
        yield Finding(
            f"the hook took something out of the output of {call.named}, but it is in the result",
            "what the hook made of the output",
            (hook.witness("H"), result.witness("R")),
        )


@LAWS.check("PIPE-17", each=_shown, needs=("driver",))
def what_is_told_as_data_is_what_the_tool_gave(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """If a result has structured_content, that is what the tool gave, or what a hook made of it."""
    call, result = found
    told = result.get("structured_content")
    if told is not None and not alike(told, _output(call)):
        yield Finding(
            f"the structured_content of {call.named} is not what its tool gave",
            "what the tool gave, or what a hook made of it",
            (*(end.witness("T") for end in call.ends[:1]), result.witness("R")),
        )


def _large(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls with an output that is too large, and their results."""
    for call in calls(log):
        if call.result is not None and call.returned is not None and call.asks(PERSIST) and _is_large(call):
            yield call, call.result


@LAWS.check("PIPE-20", each=_large, needs=("driver",))
def what_is_too_large_is_not_shown_whole(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """The model is shown no more of an output than the limit allows, besides a few words."""
    call, result = found
    limit = as_integer(call.case.get("result_bytes")) or 0
    for name in ("model_facing_content", "content"):
        size = sum(len(each.encode("utf-8", "surrogatepass")) for each in texts_in(result.get(name)))
        if size > limit + _WORDS:
            yield Finding(
                f"the {name} of {call.named} has {size} bytes of text, but only {limit} may be shown",
                f"at most {limit} bytes, and some words about what was left out",
                (result.witness("R"),),
            )


@LAWS.check("PIPE-20", each=_large, needs=("driver",))
def no_character_is_shown_in_half(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """What is shown of an output was cut between two characters, and not in the middle of one."""
    call, result = found
    given = (_output(call), *(line.get("content") for line in call.seen(probes.OUTPUT_MAPPED)))
    if any(_HALF in each for each in chain.from_iterable(map(texts_in, given))):
        return
    for name in _SHOWING:
        if any(_HALF in each for each in texts_in(result.get(name))):
            yield Finding(
                f"the {name} of {call.named} has U+FFFD, but its output has none: a character was cut in two",
                "a text that is cut between two characters, of which each may have several bytes",
                (*(end.witness("T") for end in call.ends[:1]), result.witness("R")),
            )


@LAWS.check("PIPE-20", each=_large, needs=("driver",))
def what_is_left_out_is_said(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """The result says that its output is not complete: by a reference, a status, a redaction or an error."""
    call, result = found
    refers = any(is_array(result.get(name)) and result.get(name) for name in _REFERRING)
    says = refers or result.text("status") in ("too_large", "redacted") or result.get("is_error") is True
    if not says and result.text("redaction_state") in (None, "none"):
        yield Finding(
            f"the output of {call.named} was too large, but its result does not say so",
            "a reference, a status, a redaction or an error that says so",
            (*(end.witness("T") for end in call.ends[:1]), result.witness("R")),
        )


@LAWS.check("PIPE-20", each=_large, needs=("driver",))
def what_is_too_large_is_stored_whole(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """An output that is told as a success was stored whole; one that was not stored is told as lost."""
    call, result = found
    stored = [line for line in call.seen(probes.OUTPUT_STORED) if line.at < result.at]
    whole = max(texts_in(_output(call)), key=len, default="")
    for line in stored:
        kept = max((_begun(text, whole) for text in _stored_texts(line.get("data"))), default=0)
        if kept < len(whole):
            yield Finding(
                f"the output of {call.named} was not stored whole: of its longest text, of {len(whole)}"
                f" characters, the store got {f'the first {kept}' if kept >= _LONG_ENOUGH else 'not even the first'}",
                "the whole output, as it was mapped or as the tool gave it",
                (*(end.witness("T") for end in call.ends[:1]), line.witness("K")),
            )
    lost = result.text("status") in ("too_large", "redacted") or result.get("is_error") is True
    if not lost and not any(line.get("failed") is not True for line in stored):
        how = "the store failed" if stored else "it was not stored"
        yield Finding(
            f"the output of {call.named} was too large and {how}, but its result does not say that it is lost",
            "a result that says so: too_large, or an error",
            (*(line.witness("K") for line in stored[-1:]), result.witness("R")),
        )


@LAWS.check("PIPE-20", each=_large, needs=("driver",))
def what_is_too_large_is_offered_to_the_store(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """An output that is told as lost because of its size was offered to the store."""
    call, result = found
    told = call.told.error_class if call.told is not None else None
    lost = result.text("status") == "too_large" or told == "result_too_large"
    if lost and not any(line.at < result.at for line in call.seen(probes.OUTPUT_STORED)):
        yield Finding(
            f"the output of {call.named} is reported as too large, but the store was not asked to take it",
            "the whole output, in the store",
            (*(end.witness("T") for end in call.ends[:1]), result.witness("R")),
        )


def _stored_texts(data: Json) -> Iterator[str]:
    """The texts that the store was given, and those in each text that is JSON, which may be a written output."""
    for text in texts_in(data):
        yield text
        with suppress(NotStrictJson):
            yield from texts_in(read_json(text.encode("utf-8", "surrogatepass")))


def _begun(text: str, whole: str) -> int:
    """The length of the longest beginning of ``whole`` that ``text`` contains."""
    return bisect_left(range(1, len(whole) + 1), True, key=lambda size: whole[:size] not in text)


def _referring(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls whose output is told as stored, if the store had to be asked, with the record that tells it."""
    for call in calls(log):
        if call.told is None or not call.asks(PERSIST):
            continue
        for line in call.told.of("persistence"):
            if line.text("strategy") in _LINKED:
                yield call, line
        if call.result is not None and _goes_back_to_what_was_stored(call.told, call.result):
            yield call, call.result


def _goes_back_to_what_was_stored(told: Invocation, result: Line) -> bool:
    """Whether a result refers to something other than records that tell how an output was lost."""
    others = {line.text("decision_id") for line in told.of("persistence") if line.text("strategy") not in _LINKED}
    return not others.issuperset(texts_of(result.get("persistence_refs")))


@LAWS.check("PIPE-20", each=_referring, needs=("driver",))
def what_is_told_as_stored_was(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """What is told to be in the store was accepted by it."""
    call, line = found
    stored = call.seen(probes.OUTPUT_STORED)
    if not any(each.get("failed") is not True for each in stored):
        yield Finding(
            f"the output of {call.named} is reported as stored, but the store "
            + ("failed" if stored else "was not asked"),
            "a reference to what was stored",
            (*(each.witness("K") for each in stored[-1:]), line.witness("P")),
        )


def _modifying(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls that succeeded and whose tool asked for a change of the context."""
    for call in calls(log):
        result = call.result
        asked = call.returned is not None and is_object(call.returned.get("context_modifier"))
        if asked and result is not None and result.text("status") in SUCCEEDED:
            yield call, result


@LAWS.check("PIPE-21", each=_modifying, needs=("driver",))
def what_became_of_a_modifier_is_told(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A result tells what became of the context modifier of its tool."""
    call, result = found
    told = text_of(object_of(result.get("context_modifier")), "disposition")
    if told is None and call.returned is not None:
        yield Finding(
            f"the tool of {call.named} asked for a change of the context, but its result does not say what came of it",
            "a context_modifier with its disposition: applied, deferred or refused",
            (call.returned.witness("T"), result.witness("R")),
        )


def _unmodified(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Calls with a result whose tool asked for no change of the context."""
    for call in calls(log):
        asked = any(is_object(line.get("context_modifier")) for line in call.seen(probes.TOOL_RETURNED))
        if not asked and call.result is not None:
            yield call, call.result


@LAWS.check("PIPE-21", each=_unmodified, needs=("driver",))
def nobody_elses_modifier_is_told(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """No result tells that a modifier was or will be applied if no tool asked for it."""
    call, result = found
    told = text_of(object_of(result.get("context_modifier")), "disposition")
    if told in ("applied", "deferred"):
        yield Finding(
            f"the result of {call.named} reports a context modifier that was {told}, but its tool asked for none",
            "the modifiers that tools asked for",
            (result.witness("R"),),
        )
