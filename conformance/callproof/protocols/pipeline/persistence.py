"""PIPE-07: output that was cut, stored or redacted is told as such."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding
from callproof.protocols.parts import object_of, text_of
from callproof.protocols.pipeline.phases import OF_OUTPUT
from callproof.protocols.pipeline.trace import (
    LAWS,
    Invocation,
    Line,
    Pipeline,
    texts_of,
    with_result,
)
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer

_LINKED = frozenset({"preview_and_persist", "ref_only"})
_LOST = frozenset({"redact", "drop_with_reason"})
_SHOWING = ("content", "model_facing_content", "structured_content")
_REFERRING = ("resource_refs", "artifact_refs")
_REDACTED = "tool.result.redacted"


def _persisted(log: Pipeline) -> Iterator[tuple[Invocation, Line, Line, frozenset[str]]]:
    """Every persistence record of an invocation that has a result, with the result and its persistence_refs."""
    for one, result in with_result(log):
        refs = frozenset(texts_of(result.get("persistence_refs")))
        yield from ((one, record, result, refs) for record in one.of("persistence"))


@LAWS.check("PIPE-07", each=_persisted, needs=("persistence",))
def what_was_stored_is_linked(
    _log: Pipeline, found: tuple[Invocation, Line, Line, frozenset[str]]
) -> Iterator[Finding]:
    """A result whose output was stored refers to the record of it, and a preview shows something."""
    one, record, result, refs = found
    if record.text("strategy") not in _LINKED:
        return
    witness = (record.witness("K"), result.witness("R"))
    if _names(record).isdisjoint(refs):
        yield Finding(
            f"the output of {one.named} was stored, but its result does not refer to the persistence record",
            "the decision_id in persistence_refs",
            witness,
        )
    if record.text("strategy") == "preview_and_persist" and all(_is_empty(result.get(name)) for name in _SHOWING):
        yield Finding(f"the result of {one.named} shows no preview", f"one of {', '.join(_SHOWING)}", witness)
    if record.text("strategy") == "ref_only" and not _leads_somewhere(record, result):
        yield Finding(
            f"the output of {one.named} is only referred to, but neither its record nor the result says where it is",
            f"a persisted_ref in the record, or one of {', '.join(_REFERRING)} in the result",
            witness,
        )


@LAWS.check("PIPE-07", each=_persisted, needs=("persistence",))
def what_was_left_out_is_told(
    _log: Pipeline, found: tuple[Invocation, Line, Line, frozenset[str]]
) -> Iterator[Finding]:
    """A result whose output was redacted or dropped says so, and the record of a dropped output says why."""
    one, record, result, _ = found
    strategy = record.text("strategy")
    if strategy not in ("redact", "drop_with_reason"):
        return
    witness = (record.witness("K"), result.witness("R"))
    redacted = _is_redacted(result)
    dropped = redacted or result.text("status") == "too_large" or one.error_class in OF_OUTPUT
    if not (redacted if strategy == "redact" else dropped):
        yield Finding(
            f"the output of {one.named} was left out by {strategy}, but its result does not say so",
            "a status, a redaction_state or an error that says so",
            witness,
        )
    if strategy == "drop_with_reason" and record.get("reason") in (None, ""):
        yield Finding(
            f"the output of {one.named} was dropped, but nothing says why",
            "a reason in the persistence record",
            witness[:1],
        )


def _told_of_redaction(log: Pipeline) -> Iterator[tuple[Invocation, Line, Line]]:
    """Results that an earlier event told to be redacted, with that event; a later event does not bind the result."""
    for one, result in with_result(log):
        told = next((line for line in one.of("event") if line.text("event_type") == _REDACTED), None)
        if told is not None and told.at < result.at:
            yield one, told, result


@LAWS.check("PIPE-07", each=_told_of_redaction)
def what_others_were_told_is_told(_log: Pipeline, found: tuple[Invocation, Line, Line]) -> Iterator[Finding]:
    """If an event says that a result was redacted, the result says so itself."""
    one, told, result = found
    if not _is_redacted(result) and one.error_class != "result_redacted":
        yield Finding(
            f"an event says that the result of {one.named} was redacted, but the result does not say so",
            "a status, a redaction_state or an error that says so",
            (told.witness("E"), result.witness("R")),
        )


def _linking(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Results that refer to persistence records."""
    yield from ((one, result) for one, result in with_result(log) if texts_of(result.get("persistence_refs")))


@LAWS.check("PIPE-07", each=_linking, needs=("persistence",))
def what_a_result_goes_back_to_is_there(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """Every persistence_ref leads to a record of the same invocation."""
    one, result = found
    there = frozenset[str]().union(*map(_names, one.of("persistence")))
    missing = [each for each in texts_of(result.get("persistence_refs")) if each not in there]
    if missing:
        yield Finding(
            f"the result of {one.named} refers to {len(missing)} persistence records that the invocation does not have",
            "persistence records of the same invocation",
            (result.witness("R"), *(line.witness("K") for line in one.of("persistence")[:1])),
        )


def _given_up(log: Pipeline) -> Iterator[tuple[Invocation, Line]]:
    """Results that are failures because of what became of the output."""
    for one, result in with_result(log):
        if result.get("is_error") is True and one.error_class in OF_OUTPUT:
            yield one, result


@LAWS.check("PIPE-07", each=_given_up)
def nothing_is_given_up_that_is_left(_log: Pipeline, found: tuple[Invocation, Line]) -> Iterator[Finding]:
    """A result fails by size or redaction only if no data, no preview and no reference is left."""
    one, result = found
    told = {name: not _is_empty(result.get(name)) for name in ("structured_content", *_REFERRING)}
    told["persistence_refs"] = _goes_back_to_an_output(one, result)
    left = [name for name, is_left in told.items() if is_left]
    kept = [line for line in one.of("persistence") if _keeps_something(line)]
    if left or kept:
        yield Finding(
            f"{one.named} failed with {one.error_class}, but"
            f" {', '.join([*left, *(['what was stored'] if kept else [])])} is left of its output",
            "no failure as long as data, a preview or a reference is left",
            (result.witness("R"), *(line.witness("K") for line in kept[:1])),
        )


def _goes_back_to_an_output(one: Invocation, result: Line) -> bool:
    """Whether a result refers to anything but records that tell how its output was lost."""
    lost = frozenset[str]().union(*(_names(each) for each in one.of("persistence") if each.text("strategy") in _LOST))
    return not lost.issuperset(texts_of(result.get("persistence_refs")))


def _is_redacted(result: Line) -> bool:
    return result.text("status") == "redacted" or result.text("redaction_state") not in (None, "none")


def _leads_somewhere(record: Line, result: Line) -> bool:
    """Whether the record or the result tells where an output that is not shown can be found."""
    told = (record.get("persisted_ref"), *(result.get(name) for name in _REFERRING))
    return not all(map(_is_empty, told))


def _is_empty(value: Json) -> bool:
    """Whether a member shows nothing; zero and false are something."""
    return value is None or (isinstance(value, str | list | dict) and not value)


def _keeps_something(record: Line) -> bool:
    return bool(object_of(record.get("persisted_ref"))) or (as_integer(record.get("preview_size_bytes")) or 0) > 0


def _names(record: Line) -> frozenset[str]:
    """What a result may call a persistence record: its id, or the place of the output."""
    told = (record.text("decision_id"), text_of(object_of(record.get("persisted_ref")), "uri"))
    return frozenset(each for each in told if each is not None)
